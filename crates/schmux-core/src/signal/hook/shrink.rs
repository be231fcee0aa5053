//! Payloads cut to size: agents pass whole files and outputs to their hooks.

use serde_json::Value;

/// Enough to tell two calls of a tool apart and to show what they are about.
/// Longer strings are always cut, so that it doesn't depend on the rest.
const LONG: usize = 16 << 10;

/// For payloads of very many strings.
const SHORT: usize = 1 << 10;

/// What tools answered: nothing is read from it but whether it is an error.
const ANSWERS: [&str; 5] =
    ["tool_response", "toolResult", "tool_output", "permission_suggestions", "compact_summary"];

/// The human's own words, which must stay exact to be recognised.
const PROMPTS: [&str; 3] = ["prompt", "text", "input-messages"];

/// Stands at the end of a text that was cut.
pub const CUT: char = '…';

/// Cuts strings so that the payload's JSON is no longer than `limit` bytes.
///
/// The same input of a tool is cut in the same way wherever it occurs, because
/// its fingerprint ties the events of one call together. What can't be cut to
/// size becomes `null`: the event alone is news, too.
pub fn shrink(payload: &mut Value, limit: usize) {
    if let Value::Object(fields) = payload {
        for (key, value) in fields.iter_mut() {
            let most = if ANSWERS.contains(&key.as_str()) { SHORT } else { LONG };
            if !PROMPTS.contains(&key.as_str()) {
                cut(value, most);
            }
        }
    }
    for most in [LONG, SHORT, 64] {
        if length(payload) <= limit {
            return;
        }
        cut(payload, most);
    }
    if length(payload) > limit {
        *payload = Value::Null;
    }
}

fn length(value: &Value) -> usize {
    value.to_string().len()
}

fn cut(value: &mut Value, most: usize) {
    match value {
        Value::String(text) if text.len() > most => {
            text.truncate(text.floor_char_boundary(most));
            text.push(CUT);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut(item, most)),
        Value::Object(fields) => fields.values_mut().for_each(|field| cut(field, most)),
        _ => {}
    }
}
