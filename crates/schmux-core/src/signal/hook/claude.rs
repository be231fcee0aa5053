//! Claude Code's dialect, which Codex, Qwen Code and Droid speak too.

use serde_json::Value;

use super::{Behind, News, Told, ended, prompt, text, words};

pub(super) fn read(event: &str, payload: &Value) -> Told {
    let child = text(payload, "agent_id").is_some();
    let news = match event {
        // After a compaction the session is what it was, in the middle of a turn or at rest.
        "SessionStart" => match text(payload, "source") {
            Some("compact") => News::Other,
            source => News::SessionStarted { resumed: source == Some("resume") },
        },
        "UserPromptSubmit" => prompt(payload, "prompt"),
        "PreToolUse" => tool_began(payload),
        "PermissionRequest" => asked(payload),
        "PostToolUse" => News::ToolEnded { about: about(payload), failed: false },
        "PostToolUseFailure" => tool_failed(payload),
        "Notification" => notification(payload),
        "Elicitation" => {
            let server = text(payload, "mcp_server_name").unwrap_or("MCP");
            let message = text(payload, "message").unwrap_or_default();
            News::Asked { about: None, message: words::joined(server, message) }
        }
        "ElicitationResult" => News::Answered { about: None },
        "Stop" | "SubagentStop" if child => News::SubagentEnded,
        "Stop" => {
            ended(text(payload, "last_assistant_message").unwrap_or_default(), behind(payload))
        }
        "StopFailure" => News::TurnFailed {
            message: ["last_assistant_message", "error_details", "error"]
                .iter()
                .find_map(|key| text(payload, key))
                .map(words::first_line)
                .unwrap_or_default(),
        },
        "SubagentStop" => News::SubagentEnded,
        "Interrupt" => News::Interrupted,
        "PreCompact" => News::Compacting,
        "SessionEnd" => match text(payload, "reason") {
            // The program goes on, and another start follows at once.
            Some("clear" | "resume") => News::Other,
            reason => News::SessionEnded { reason: words::clean(reason.unwrap_or_default()) },
        },
        _ => News::Other,
    };
    Told { news, child, conversation: text(payload, "session_id").map(str::to_owned) }
}

fn about(payload: &Value) -> String {
    words::about(
        text(payload, "tool_name").unwrap_or_default(),
        payload.get("tool_input").unwrap_or(&Value::Null),
    )
}

fn asked(payload: &Value) -> News {
    let tool = text(payload, "tool_name").unwrap_or_default();
    let input = payload.get("tool_input").unwrap_or(&Value::Null);
    News::Asked { about: Some(about(payload)), message: words::request(tool, input) }
}

/// A tool that asks the human is a dialog as soon as it begins.
fn tool_began(payload: &Value) -> News {
    match text(payload, "tool_name") {
        Some(tool) if words::asks_the_human(tool) => asked(payload),
        _ => News::ToolBegan { about: about(payload) },
    }
}

fn tool_failed(payload: &Value) -> News {
    match payload.get("is_interrupt").and_then(Value::as_bool) {
        Some(true) => News::Interrupted,
        _ => News::ToolEnded { about: about(payload), failed: true },
    }
}

/// Notifications are for all sorts of things. Versions from before the types
/// have only the message to go by.
fn notification(payload: &Value) -> News {
    let message = text(payload, "message").unwrap_or_default();
    match text(payload, "notification_type") {
        Some(
            "permission_prompt"
            | "worker_permission_prompt"
            | "elicitation_dialog"
            | "agent_needs_input",
        ) => News::Asked { about: None, message: words::clean(message) },
        Some("idle_prompt") => News::Waiting,
        Some("elicitation_complete" | "elicitation_response") => News::Answered { about: None },
        Some(_) => News::Other,
        None if message.contains("waiting for your input") => News::Waiting,
        None if message.contains("needs your") => {
            News::Asked { about: None, message: words::clean(message) }
        }
        None => News::Other,
    }
}

fn behind(payload: &Value) -> Behind {
    let tasks = payload.get("background_tasks").and_then(Value::as_array);
    let kinds = tasks.into_iter().flatten().map(|task| text(task, "type").unwrap_or_default());
    kinds.fold(Behind::Nothing, |behind, kind| match kind {
        _ if behind == Behind::Agents => behind,
        "shell" | "monitor" => Behind::Commands,
        _ => Behind::Agents,
    })
}
