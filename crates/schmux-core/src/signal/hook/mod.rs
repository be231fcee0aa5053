//! Hooks: what an agent's own events tell of its turn.
//!
//! Agents call their hooks with JSON, each in its own dialect: `claude` (which
//! Codex, Qwen Code and Droid speak too), `gemini`, `copilot`, `cursor`,
//! `opencode` (the events that our plugin passes on) and Codex's `notify`.
//! [`read`] makes one vocabulary of them. It doesn't decide what follows, and
//! it never fails: what it doesn't know is [`News::Other`].
//!
//! **Invariant:** every text in [`News`] has passed [`super::text::clean`],
//! except a prompt, which is compared and never shown.

mod claude;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod opencode;
mod shrink;
mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::State;

pub use shrink::{CUT, shrink};

/// Under this name `schmux hook` adds the last entries of an agent's transcript to a
/// payload, where that is the only place which says how a turn ended.
pub const TRANSCRIPT_END: &str = "transcript_end";

/// One call of a hook, understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    pub news: News,
    /// A sub-agent or a side thread says it. Such a turn's end never ends the
    /// session's, but a dialog that a sub-agent opens is a dialog.
    pub child: bool,
    /// The agent's own name for the conversation, to resume it by.
    pub conversation: Option<String>,
}

/// What a hook tells of the agent's turn.
///
/// `about` names a tool call: it is the same when the call begins, asks for
/// permission and ends. Some agents tell of one dialog twice, the second time
/// without `about`: an [`News::Asked`] without it while another is open is the
/// same dialog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum News {
    SessionStarted {
        resumed: bool,
    },
    /// `prompt` is the exact text where the agent gives it.
    TurnBegan {
        prompt: Option<String>,
    },
    ToolBegan {
        about: String,
    },
    ToolEnded {
        about: String,
        failed: bool,
    },
    /// A permission dialog or a question is open; the message says what for.
    Asked {
        about: Option<String>,
        message: String,
    },
    /// The human has answered a dialog.
    Answered {
        about: Option<String>,
    },
    /// The message is the first line of the last answer that says something.
    TurnEnded {
        message: String,
        behind: Behind,
    },
    /// The turn ended, and the last answer holds a marker that says how.
    Signed {
        state: State,
        message: String,
    },
    TurnFailed {
        message: String,
    },
    /// The human stopped the turn.
    Interrupted,
    /// It sits at its prompt, and has said before how its turn ended, or never will.
    Waiting,
    SubagentEnded,
    SessionEnded {
        reason: String,
    },
    Compacting,
    Other,
}

/// What goes on behind a turn that has ended, and may begin the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behind {
    Nothing,
    /// Commands only. A development server is one, and runs for ever.
    Commands,
    /// Sub-agents: the work isn't done.
    Agents,
}

/// What `agent`, a name of the known agents, says by `event`. `None` for an
/// agent whose hooks we don't know.
pub fn read(agent: &str, event: &str, payload: &Value) -> Option<Told> {
    match agent {
        "codex" if event == "notify" => Some(codex::notify(payload)),
        "claude" | "codex" | "qwen" | "droid" => Some(claude::read(event, payload)),
        "gemini" => Some(gemini::read(event, payload)),
        "copilot" => Some(copilot::read(event, payload)),
        "cursor-agent" => Some(cursor::read(event, payload)),
        "opencode" => Some(opencode::read(event, payload)),
        // All that aider can do is run a command when it has come back to its prompt.
        "aider" => Some(Told::plain(News::Waiting)),
        _ => None,
    }
}

impl Told {
    fn plain(news: News) -> Told {
        Told { news, child: false, conversation: None }
    }
}

/// A string in an object; anything else is as good as absent.
fn text<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The end of a turn with this last answer. A marker in it is the agent's own word
/// on how it ended; while its helpers still run, it has not.
fn ended(answer: &str, behind: Behind) -> News {
    match words::marker(answer).filter(|_| behind != Behind::Agents) {
        Some((state, message)) => News::Signed { state, message },
        None => News::TurnEnded { message: words::first_line(answer), behind },
    }
}

/// An exact prompt. An empty one is what some agents tell when they go on after a tool.
fn prompt(object: &Value, key: &str) -> News {
    News::TurnBegan { prompt: text(object, key).map(str::to_owned) }
}

#[cfg(test)]
mod tests;
