//! What the courier hears, and what it wants done.
//!
//! Effects are done one after the other, each of them finished before the next
//! begins. Nothing in here acts.

use serde::{Deserialize, Serialize};

use super::attempt::Attempt;
use super::hand::Chance;
use super::message::{Message, MessageId};
use super::receipt::{Hold, Stamp};
use crate::screen::View;
use crate::time::Moment;

#[derive(Debug, Clone)]
pub enum Event {
    /// A message that is stored already.
    Message(Message),
    /// A human takes a message back; too late once Enter was pressed.
    Cancel(MessageId),
    /// A human doesn't want to wait for the next try.
    Retry(MessageId),
    /// A human wants a message to go before the others.
    Promote(MessageId),
    /// What the pane shows now, and when it last printed something.
    Screen {
        view: Box<View>,
        since: Moment,
    },
    /// What tmux tells of the pane, whenever it changes.
    Pane(Pane),
    /// The verdict on the agent's state.
    Standing(Standing),
    /// The human typed. `passed`: the keys went to the pane; otherwise they wait at the gate.
    HumanKeys {
        passed: bool,
    },
    /// The agent said that it was given this prompt.
    PromptSubmitted(String),
    /// A call of a hook, or of the agent's, could take a message along.
    Chance(String, Chance),
    /// The agent did something that tells of no chance.
    WentOn(String),
    /// That call has passed it on.
    Passed(String),
    /// That call surely went without it.
    Missed(String),
    /// `schmux edit` runs in this session and asks what to do.
    EditorCalled {
        call: CallId,
        caller: Caller,
        content: String,
    },
    /// It says that it is about to exit, whether it wrote the file, and which
    /// keys the human typed meanwhile.
    EditorEnded {
        call: CallId,
        wrote: bool,
        keys: Vec<u8>,
        /// The name by which these keys are kept until [`Effect::Taken`], where the
        /// way to us may break: they may be told more than once.
        kept: Option<String>,
    },
    /// It asked while nobody heard it, and left everything as it was. It had found
    /// the ticket of this time.
    EditorUnheard(Moment),
    /// The answer to [`Effect::Look`]. An [`Event::Screen`] with everything that
    /// tmux had printed by then comes first.
    Looked(u64, Pane),
    /// [`Effect::Submit`] or [`Effect::Press`] pressed nothing, and never will.
    Refused,
    /// What [`Effect::Store`] asked for is on disk.
    Stored(u64),
    StoreFailed(u64),
    /// The time of [`Effect::Wake`] has come.
    Tick,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Puts this on disk in one transaction, then tells people of the receipts
    /// and reports [`Event::Stored`].
    Store(u64, Save),
    /// Asks tmux for the pane's facts, now.
    Look(u64),
    /// Presses keys by tmux's names for them. Reports [`Event::Refused`] if they
    /// surely weren't; in doubt nothing.
    Press(Vec<String>),
    /// Types text as it is.
    Type(String),
    /// Keys that go past the gate are noted from now on, and what was noted is
    /// forgotten.
    Watch,
    /// Presses Enter, unless a key went past the gate since [`Effect::Watch`]: it
    /// would be sent along. Reports [`Event::Refused`] if one did, or if it surely
    /// was not pressed for another reason.
    Submit,
    /// Pastes text, framed, through a buffer with a name of its own.
    Paste(String),
    /// Answers `schmux edit`.
    Answer(CallId, EditorAnswer),
    /// Keys that were kept by this name are on disk here, or were just released.
    Taken(String),
    /// While the ticket is there, `schmux edit` asks us; without one (or after
    /// its time) it is the human's editor at once.
    Ticket(Option<Moment>),
    Gate(Gate),
    /// Tells the agent that its terminal has the focus, as terminals do.
    Focus,
    /// Has the agent draw its screen again, by a change of size: no key is sent.
    Repaint,
    /// Answers [`Event::Chance`]: with a message, which is on disk as handed, or
    /// with nothing. If nobody takes it, that is [`Event::Missed`].
    Give(String, Option<Message>),
    /// Tells the human that a message waits, and why.
    Remind(MessageId, Hold),
    /// Wants a [`Event::Tick`] at this time; replaces an earlier wish.
    Wake(Moment),
}

/// What goes to disk together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Save {
    /// The session's attempt from now on.
    pub attempt: Option<Attempt>,
    pub receipts: Vec<Stamp>,
    pub kept: Vec<Kept>,
}

/// A draft that couldn't be put back, for the human to fetch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub draft: String,
    pub at: Moment,
}

/// The gate that all input of the human's passes, except a plain `tmux attach`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gate {
    Close,
    /// Replays `first` (what the editor caught), then what waited. Without
    /// `replay` a dialog has opened meanwhile, which these keys weren't meant
    /// for: they are shown to the human instead.
    Open {
        first: Vec<u8>,
        replay: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorAnswer {
    /// Become the human's own editor.
    Human,
    /// Exit, and leave the file as it is.
    Leave,
    Write(String),
}

/// One run of `schmux edit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallId(pub u64);

/// Who started `schmux edit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The session's agent itself, or its `sh -c`.
    Agent,
    /// A tool of the agent's, such as git.
    Tool,
}

/// What tmux knows of a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pane {
    pub dead: bool,
    /// Copy mode or the like.
    pub in_mode: bool,
    /// A shell is in front instead of the agent.
    pub shell: bool,
    /// A key went past the gate since [`Effect::Watch`].
    pub slipped: bool,
}

/// What the evidence says of the agent, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    #[default]
    Unknown,
    Starting,
    Working,
    Idle,
    /// A dialog or a menu is open.
    Dialog,
    Exited,
    Unreachable,
}
