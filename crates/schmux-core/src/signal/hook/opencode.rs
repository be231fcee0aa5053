//! opencode's events, as our plugin passes them on: the properties of the
//! event, `child` if its session is a sub-agent's, and with `session.idle` the
//! last `text` that the agent wrote, and whether a dialog was `refused` after it.

use serde_json::Value;

use super::{Behind, News, Told, ended, prompt, text, words};

pub(super) fn read(event: &str, payload: &Value) -> Told {
    let child = payload.get("child").and_then(Value::as_bool).unwrap_or_default();
    // A permission carries the id of its tool call, a reply only that of the permission.
    let call = || payload.pointer("/tool/callID").and_then(Value::as_str).map(str::to_owned);
    let about = || text(payload, "callID").unwrap_or_default().to_owned();
    let news = match event {
        "session.created" if child => News::Other,
        "session.created" => News::SessionStarted { resumed: false },
        "chat.message" if child => News::Other,
        "chat.message" => prompt(payload, "text"),
        "tool.execute.before" => News::ToolBegan { about: about() },
        "tool.execute.after" => News::ToolEnded {
            about: about(),
            failed: payload.get("failed").and_then(Value::as_bool).unwrap_or_default(),
        },
        "permission.asked" => News::Asked { about: call(), message: permission(payload) },
        "question.asked" => {
            News::Asked { about: call(), message: words::request("question", payload) }
        }
        "permission.replied" | "question.replied" | "question.rejected" => {
            News::Answered { about: None }
        }
        "session.idle" if child => News::SubagentEnded,
        // It stops at a no: the human ended that turn.
        "session.idle" if payload.get("refused").and_then(Value::as_bool) == Some(true) => {
            News::Interrupted
        }
        "session.idle" => ended(text(payload, "text").unwrap_or_default(), Behind::Nothing),
        "session.error" if child => News::SubagentEnded,
        "session.error" => error(payload),
        "session.compacted" => News::Other,
        _ => News::Other,
    };
    Told { news, child, conversation: text(payload, "sessionID").map(str::to_owned) }
}

fn permission(payload: &Value) -> String {
    let kind = text(payload, "permission").unwrap_or("permission");
    let metadata = payload.get("metadata").unwrap_or(&Value::Null);
    let pattern = payload.pointer("/patterns/0").and_then(Value::as_str);
    match words::subject(metadata).or(pattern) {
        Some(what) => words::joined(&kind.replace('_', " "), what),
        None => words::clean(kind),
    }
}

fn error(payload: &Value) -> News {
    let error = payload.get("error").unwrap_or(&Value::Null);
    let message = error.pointer("/data/message").and_then(Value::as_str);
    match text(error, "name") {
        Some("MessageAbortedError") => News::Interrupted,
        name => {
            News::TurnFailed { message: words::first_line(message.or(name).unwrap_or_default()) }
        }
    }
}
