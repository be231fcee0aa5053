//! Codex's `notify`: one JSON argument at the end of each turn, for versions
//! whose hooks can't be used. It fires for side threads too.

use serde_json::Value;

use super::{Behind, News, Told, ended, text};

/// How the request for a thread's title begins. It runs in a thread of its own,
/// and nothing else in its notification tells it from the conversation.
const TITLE: &str = "Generate a concise, single-line task title";

pub(super) fn notify(payload: &Value) -> Told {
    let inputs = payload.get("input-messages").and_then(Value::as_array);
    let first = inputs.and_then(|inputs| inputs.first()).and_then(Value::as_str);
    let news = match text(payload, "type") {
        Some("agent-turn-complete") => {
            let answer = text(payload, "last-assistant-message").unwrap_or_default();
            ended(answer, Behind::Nothing)
        }
        Some("approval-requested") => News::Asked { about: None, message: String::new() },
        _ => News::Other,
    };
    Told {
        news,
        child: first.is_some_and(|first| first.starts_with(TITLE)),
        conversation: text(payload, "thread-id").map(str::to_owned),
    }
}
