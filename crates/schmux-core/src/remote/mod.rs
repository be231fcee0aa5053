//! What a host's own shell scripts tell us through a terminal stream: frames
//! `__SCHMUX_SIGNAL__…__END__`.
//!
//! A pane's output comes in pieces of any size, with carriage returns and
//! whatever else a login shell prints in between. A frame holds words; bytes of
//! files are hexadecimal digits with their count, so that nothing in them can be
//! taken for the end of a frame. **Invariant:** what is not a whole frame with
//! the right count is never half a frame: it is [`Heard::Torn`].

mod frame;
mod hex;

use std::collections::BTreeMap;

pub use frame::Frames;
pub use hex::decode as decode_hex;

/// What comes out of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    Frame(Frame),
    /// Something was lost or makes no sense: what it told must be asked anew.
    Torn,
}

/// What a script over there says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// The way is open: what was found there, or (`error`) why it can't be used.
    Ready { nonce: String, facts: BTreeMap<String, String> },
    /// A script has run to its end, with this status; its output has been kept.
    Done { nonce: String, status: i32 },
    /// The watcher is at its post. Whether it is told of writes, or polls.
    Watching { notified: bool },
    /// A file of a session as it is now.
    File(File),
    /// An agent has opened an editor on its field.
    Edit(Edit),
    /// That editor is about to exit.
    Edited(Edited),
    /// An editor asked in vain, and left everything as it was; with the number of
    /// the ticket that it found.
    Unheard { session: String, ticket: i64 },
}

/// An editor that asks what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub session: String,
    /// Tells this call from others; it may be told more than once.
    pub nonce: String,
    /// What the agent's field holds.
    pub content: Vec<u8>,
}

/// What came of an answer to an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    pub session: String,
    /// The number that the answer gave the call.
    pub call: u64,
    pub wrote: bool,
    /// What the human typed meanwhile.
    pub keys: Vec<u8>,
    /// The name by which these keys are kept there until they are taken over; they
    /// may be told more than once.
    pub kept: Option<String>,
}

/// One of a session's two files, by the number of its workspace and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub kind: Kind,
    /// The watcher's number for the workspace.
    pub workspace: usize,
    pub name: String,
    pub inode: u64,
    pub size: u64,
    /// Nanoseconds since 1970, by the clock over there.
    pub modified: i64,
    /// Where in the file the bytes begin.
    pub start: u64,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Status,
    Events,
}

#[cfg(test)]
mod tests;
