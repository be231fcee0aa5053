//! A recording of a terminal, as values and bytes: what is noted, how it is laid
//! out, and how it becomes an asciicast. No files and no compression in here.
//!
//! A recording is a row of chunks. One that begins with a keyframe can be played
//! without those before it; a gap is always the last thing in its chunk. So the
//! chunks' heads alone tell where to begin, how busy it was and what is missing.

mod cast;
mod chunk;

pub use cast::{Cast, Mark, Version};
pub use chunk::{Head, Recorded, Stream, records};

use crate::screen::Size;
use crate::time::Moment;

/// Why a part is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It printed more than anyone could read.
    Flood,
    /// The disk could not keep up.
    Behind,
    /// Nobody listened.
    Away,
}

/// One step of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub at: Moment,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Redraws a terminal of this size that was just reset.
    Keyframe(Size, Vec<u8>),
    Output(Vec<u8>),
    /// Nothing is known from here to the next keyframe.
    Gap(Reason),
}

#[cfg(test)]
mod tests;
