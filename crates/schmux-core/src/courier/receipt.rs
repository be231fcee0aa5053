//! What became of a message, in words that a person can act on.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::message::MessageId;
use crate::time::Moment;

/// A step in a message's life. `Confirmed`, `Failed` and, as long as the agent
/// doesn't say otherwise later, `Indeterminate` are the last ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Receipt {
    Queued,
    /// It waits, and for what.
    Held(Hold),
    /// It has waited for so long that the human was told.
    Overdue(Hold),
    /// It stands in the agent's field.
    Written,
    /// The agent took Enter.
    Submitted,
    /// It is on disk that this call of a hook, or of the agent's, takes it along.
    Handed(String),
    /// That call says that it has passed it on.
    Passed,
    Confirmed(Proof),
    /// It may or may not have been sent; it will not be sent again.
    Indeterminate(Doubt),
    /// It was not sent.
    Failed(Failure),
}

impl Receipt {
    /// Whether nothing has happened yet.
    pub fn is_waiting(&self) -> bool {
        matches!(self, Receipt::Queued | Receipt::Held(_) | Receipt::Overdue(_))
    }

    /// Whether nothing more is going to happen.
    pub fn is_final(&self) -> bool {
        matches!(self, Receipt::Confirmed(_) | Receipt::Indeterminate(_) | Receipt::Failed(_))
    }
}

/// A receipt of one message, with its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub message: MessageId,
    pub receipt: Receipt,
    pub at: Moment,
}

/// Declares an enum of reasons, each with the words for it.
macro_rules! reasons {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $words:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($name::$variant => $words,)+ })
            }
        }
    };
}

reasons!(
    /// Why a message waits.
    Hold {
        Exited = "the agent has ended",
        Shell = "a shell is in front, not the agent",
        Unreachable = "its tmux server can't be reached",
        Starting = "the agent is starting",
        CopyMode = "its terminal is in copy mode",
        Dialog = "a dialog or a menu is open",
        Working = "the agent is working",
        HumanTyping = "someone is typing",
        Moving = "its screen is still changing",
        NoField = "its input field is not to be seen",
        ShellMode = "its field is in shell mode",
        NoFrames = "its field doesn't take pastes as one block",
        /// The draft can't be put away, or not for sure.
        Draft = "there is a draft in its field that can't be put away for sure",
        Image = "the draft in its field has an image, which would be lost",
        LineBreak = "the draft in its field ends in a line break, which would be lost",
        NoAnswer = "its field doesn't answer",
        NotTaken = "the agent didn't take Enter; the text was taken back",
        NotShown = "the text didn't appear in its field; it was taken back",
        Mixed = "someone typed into the message; it was taken back",
        /// Without an editor key we can't take it back.
        InField = "the text stands in its field and was not sent",
        /// A draft that we put away must go back first.
        OwesDraft = "the draft of before must be put back first",
        DiskFull = "the attempt couldn't be written to disk",
        Damped = "agents are answering each other in a loop",
    }
);

reasons!(
    /// How we know that a message was sent.
    Proof {
        Hook = "the agent said so",
        Screen = "it stands in the conversation and the field is empty",
        WentOn = "it was passed on without a key, and the agent went on",
    }
);

reasons!(
    /// Why it isn't known whether a message was sent.
    Doubt {
        NotSeen = "Enter was taken, but the text wasn't seen in the conversation",
        StillInField = "Enter was pressed, and the text stood in the field still",
        Changed = "someone changed the field while the message was in it",
        Restarted = "the daemon was restarted while Enter was pressed",
        Ended = "the agent ended while the message was being sent",
        NotPassed = "it was given to the agent's hook, which didn't say that it passed it on",
    }
);

reasons!(
    /// Why a message will not be sent.
    Failure {
        Cancelled = "it was cancelled",
        Expired = "it expired",
        Gone = "the session is gone",
        Refused = "this agent would take it for a command",
        Loop = "agents were answering each other without end",
    }
);
