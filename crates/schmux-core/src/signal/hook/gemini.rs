//! Gemini CLI's dialect.

use serde_json::Value;

use super::{Behind, News, Told, prompt, text, words};

/// What stands for an answer when there was none: the turn was stopped, or it
/// failed. The hook doesn't say which; `schmux hook` adds the transcript's end.
const NO_ANSWER: &str = "[no response text]";

pub(super) fn read(event: &str, payload: &Value) -> Told {
    let news = match event {
        "SessionStart" => {
            News::SessionStarted { resumed: text(payload, "source") == Some("resume") }
        }
        "BeforeAgent" => prompt(payload, "prompt"),
        "BeforeTool" => tool_began(payload),
        "AfterTool" => News::ToolEnded {
            about: about(payload),
            failed: payload.pointer("/tool_response/error").is_some_and(|error| !error.is_null()),
        },
        "Notification" => match text(payload, "notification_type") {
            Some("ToolPermission") => News::Asked { about: None, message: dialog(payload) },
            _ => News::Other,
        },
        "AfterAgent" => ended(payload),
        "SessionEnd" => match text(payload, "reason") {
            Some("clear") => News::Other,
            reason => News::SessionEnded { reason: words::clean(reason.unwrap_or_default()) },
        },
        // PreCompress comes with every turn, whether anything is compressed or not.
        _ => News::Other,
    };
    Told { news, child: false, conversation: text(payload, "session_id").map(str::to_owned) }
}

fn ended(payload: &Value) -> News {
    let answer = text(payload, "prompt_response").filter(|text| *text != NO_ANSWER);
    match (answer, failure(payload)) {
        (Some(answer), _) => {
            News::TurnEnded { message: words::first_line(answer), behind: Behind::Nothing }
        }
        (None, Some(message)) => News::TurnFailed { message },
        (None, None) => News::Interrupted,
    }
}

/// The error in the transcript's end: `[API Error: {"error":{"message":…}}]`.
fn failure(payload: &Value) -> Option<String> {
    let entries = payload.get(super::TRANSCRIPT_END)?.as_array()?;
    let error = entries.iter().rev().find(|entry| text(entry, "type") == Some("error"))?;
    let said = text(error, "content").unwrap_or_default();
    let bare = said.trim_start_matches('[').trim_end_matches(']');
    let told = bare.find('{').map(|at| (bare[..at].trim_end_matches([' ', ':']), &bare[at..]));
    let message = told.and_then(|(kind, json)| {
        let value: Value = serde_json::from_str(json).ok()?;
        let message = value.pointer("/error/message").or(value.get("message"))?.as_str()?;
        Some(words::joined(kind, message))
    });
    Some(message.unwrap_or_else(|| words::first_line(bare)))
}

fn about(payload: &Value) -> String {
    words::about(
        text(payload, "tool_name").unwrap_or_default(),
        payload.get("tool_input").unwrap_or(&Value::Null),
    )
}

fn tool_began(payload: &Value) -> News {
    let input = payload.get("tool_input").unwrap_or(&Value::Null);
    match text(payload, "tool_name") {
        Some(tool) if words::asks_the_human(tool) => {
            News::Asked { about: Some(about(payload)), message: words::request(tool, input) }
        }
        _ => News::ToolBegan { about: about(payload) },
    }
}

/// The dialog's details don't name the tool, but what it would do.
fn dialog(payload: &Value) -> String {
    let details = payload.get("details").unwrap_or(&Value::Null);
    let named = match text(details, "type") {
        Some("exec") => text(details, "command").map(|it| words::joined("Shell", it)),
        Some("edit") => ["filePath", "fileName"]
            .iter()
            .find_map(|key| text(details, key))
            .map(|it| words::joined("Edit", it)),
        Some("mcp") => text(details, "toolName")
            .map(|tool| words::joined(text(details, "serverName").unwrap_or("MCP"), tool)),
        _ => None,
    };
    named
        .or_else(|| text(details, "title").map(words::clean))
        .unwrap_or_else(|| words::clean(text(payload, "message").unwrap_or_default()))
}
