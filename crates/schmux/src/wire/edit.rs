//! What `schmux edit` and the daemon say to each other, over the Unix socket only.

use schmux_core::courier::{CallId, Caller, EditorAnswer};
use serde::{Deserialize, Serialize};

/// `schmux edit` runs in a session, and asks what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditRequest {
    pub session_id: String,
    pub caller: EditCaller,
    /// What the file holds: the agent's field.
    pub content: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditCaller {
    Agent,
    Tool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditReply {
    pub call: u64,
    pub what: EditWhat,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditWhat {
    /// Become the human's own editor.
    Human,
    /// Exit, and leave the file as it is.
    Leave,
    Write(String),
}

/// It is about to exit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditEnded {
    pub session_id: String,
    pub call: u64,
    pub wrote: bool,
    /// What the human typed meanwhile.
    pub keys: Vec<u8>,
}

impl EditReply {
    pub fn new(call: CallId, answer: EditorAnswer) -> EditReply {
        let what = match answer {
            EditorAnswer::Human => EditWhat::Human,
            EditorAnswer::Leave => EditWhat::Leave,
            EditorAnswer::Write(text) => EditWhat::Write(text),
        };
        EditReply { call: call.0, what }
    }
}

impl From<EditCaller> for Caller {
    fn from(caller: EditCaller) -> Caller {
        match caller {
            EditCaller::Agent => Caller::Agent,
            EditCaller::Tool => Caller::Tool,
        }
    }
}
