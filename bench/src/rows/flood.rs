//! A flood and the viewer that takes it all in: what several rows have in common.

use anyhow::{Result, bail};
use sha2::{Digest, Sha256};

use crate::machine::now_ns;
use crate::play::{END, hex};
use crate::viewer::{Frame, Viewer};

/// What a viewer saw of a flood.
pub struct Seen {
    pub bytes: u64,
    pub sha256: String,
    /// When the last byte was there.
    pub at_ns: u64,
}

/// Presses the key, and reads until the flood's last line.
pub fn watch(viewer: &mut Viewer) -> Result<Seen> {
    viewer.key(b"g")?;
    let (mut hash, mut bytes, mut tail) = (Sha256::new(), 0, Vec::new());
    let end = format!("{END}\r\n");
    while !tail.ends_with(end.as_bytes()) {
        match viewer.next()? {
            Frame::Output(output) => {
                hash.update(&output);
                bytes += output.len() as u64;
                // The end may be cut by two frames, so a little is kept.
                tail.extend_from_slice(&output[output.len().saturating_sub(64)..]);
                tail.drain(..tail.len().saturating_sub(64));
            }
            Frame::Keyframe(_, reason) => {
                bail!("a fast viewer was given a keyframe after {bytes} bytes ({reason})")
            }
        }
    }
    Ok(Seen { bytes, sha256: hex(hash.finalize()), at_ns: now_ns() })
}
