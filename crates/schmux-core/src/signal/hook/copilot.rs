//! GitHub Copilot CLI's dialect.

use std::borrow::Cow;

use serde_json::Value;

use super::{Behind, News, Told, prompt, text, words};

pub(super) fn read(event: &str, payload: &Value) -> Told {
    let news = match event {
        "sessionStart" => {
            News::SessionStarted { resumed: text(payload, "source") == Some("resume") }
        }
        "userPromptSubmitted" => prompt(payload, "prompt"),
        "preToolUse" => tool_began(payload),
        "postToolUse" => {
            let result = payload.pointer("/toolResult/resultType").and_then(Value::as_str);
            let failed = result.is_some_and(|result| result != "success");
            News::ToolEnded { about: about(payload), failed }
        }
        "postToolUseFailure" => News::ToolEnded { about: about(payload), failed: true },
        "notification" => match text(payload, "notification_type") {
            Some("permission_prompt" | "elicitation_dialog") => {
                let message = words::clean(text(payload, "message").unwrap_or_default());
                News::Asked { about: None, message }
            }
            Some("agent_idle") => News::Waiting,
            _ => News::Other,
        },
        // It doesn't say what was answered.
        "agentStop" => News::TurnEnded { message: String::new(), behind: Behind::Nothing },
        "errorOccurred" => News::TurnFailed { message: error(payload) },
        "subagentStop" => News::SubagentEnded,
        "preCompact" => News::Compacting,
        "sessionEnd" => {
            News::SessionEnded { reason: words::clean(text(payload, "reason").unwrap_or_default()) }
        }
        // `permissionRequest` comes before Copilot knows whether it will ask at all.
        _ => News::Other,
    };
    Told { news, child: false, conversation: text(payload, "sessionId").map(str::to_owned) }
}

/// The arguments of a tool; older versions give them as JSON in a string.
fn input(payload: &Value) -> Cow<'_, Value> {
    match payload.get("toolArgs") {
        Some(Value::String(json)) => Cow::Owned(serde_json::from_str(json).unwrap_or_default()),
        Some(args) => Cow::Borrowed(args),
        None => Cow::Owned(Value::Null),
    }
}

fn about(payload: &Value) -> String {
    words::about(text(payload, "toolName").unwrap_or_default(), &input(payload))
}

fn tool_began(payload: &Value) -> News {
    match text(payload, "toolName") {
        Some(tool) if words::asks_the_human(tool) => News::Asked {
            about: Some(about(payload)),
            message: words::request(tool, &input(payload)),
        },
        _ => News::ToolBegan { about: about(payload) },
    }
}

/// An error's message is often the server's JSON with the message in it.
fn error(payload: &Value) -> String {
    let said = payload.pointer("/error/message").and_then(Value::as_str).unwrap_or_default();
    let inner: Option<Value> = serde_json::from_str(said).ok();
    let inner = inner.as_ref().and_then(|inner| text(inner, "message"));
    words::first_line(inner.unwrap_or(said))
}
