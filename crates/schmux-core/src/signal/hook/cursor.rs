//! Cursor CLI's dialect, by its documentation.

use serde_json::Value;

use super::{Behind, News, Told, prompt, text, words};

pub(super) fn read(event: &str, payload: &Value) -> Told {
    let tool = || {
        words::about(
            text(payload, "tool_name").unwrap_or_default(),
            payload.get("tool_input").unwrap_or(&Value::Null),
        )
    };
    let news = match event {
        "sessionStart" => News::SessionStarted { resumed: false },
        "beforeSubmitPrompt" => prompt(payload, "prompt"),
        "preToolUse" => News::ToolBegan { about: tool() },
        "postToolUse" => News::ToolEnded { about: tool(), failed: false },
        "postToolUseFailure" => News::ToolEnded { about: tool(), failed: true },
        "stop" => match text(payload, "status") {
            Some("aborted") => News::Interrupted,
            Some("error") => {
                let message = text(payload, "error_message").unwrap_or_default();
                News::TurnFailed { message: words::first_line(message) }
            }
            _ => News::TurnEnded { message: String::new(), behind: Behind::Nothing },
        },
        "subagentStop" => News::SubagentEnded,
        "preCompact" => News::Compacting,
        "sessionEnd" => {
            News::SessionEnded { reason: words::clean(text(payload, "reason").unwrap_or_default()) }
        }
        _ => News::Other,
    };
    Told { news, child: false, conversation: text(payload, "conversation_id").map(str::to_owned) }
}
