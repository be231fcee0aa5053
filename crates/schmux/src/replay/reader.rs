//! Reads recordings. The heads of the chunks are an index: to begin in the middle
//! of a day takes some small reads and one chunk's decompression. A segment that
//! ends in the middle of a chunk (a kill, or one that is being written) is read up to there.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use schmux_core::ids::SessionId;
use schmux_core::replay::{Head, Record, records};
use schmux_core::time::Moment;

use super::shelf;

/// A chunk holds some 64 kB and a keyframe at most a few MB; more than this was not ours.
const MOST_OF_CHUNK: u32 = 64 << 20;

/// Where a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub segment: i64,
    pub offset: u64,
}

/// What there is of one session.
pub(super) struct Index {
    dir: PathBuf,
    session: SessionId,
    pub chunks: Vec<(Place, Head)>,
    pub bytes: u64,
}

impl Index {
    pub fn read(dir: &Path, session: &SessionId) -> Index {
        let mut index =
            Index { dir: dir.to_owned(), session: session.clone(), chunks: Vec::new(), bytes: 0 };
        for (segment, path) in shelf::segments_of(dir, session) {
            // One that was dropped since it was listed is no loss.
            let Ok(mut file) = File::open(path) else { continue };
            index.bytes += heads(&mut file, segment, &mut index.chunks).unwrap_or(0);
        }
        index
    }

    /// The first and the last moment.
    pub fn span(&self) -> Option<(Moment, Moment)> {
        let first = self.chunks.first()?.1.first;
        Some((first, self.chunks.iter().map(|(_, head)| head.last).max()?))
    }

    /// Where to begin to see the picture at `from`: the last keyframe before it.
    pub fn begin_at(&self, from: Moment) -> usize {
        let before = |(_, head): &(Place, Head)| head.is_key && head.first <= from;
        self.chunks.iter().rposition(before).unwrap_or(0)
    }

    /// The first chunk after a place.
    pub fn after(&self, place: Place) -> usize {
        self.chunks.partition_point(|(at, _)| *at <= place)
    }

    /// The records of a chunk; none if it can't be read any more.
    pub fn records(&self, number: usize) -> Vec<Record> {
        let Some((place, head)) = self.chunks.get(number) else { return Vec::new() };
        self.content(*place, head).map(|content| records(head, &content)).unwrap_or_default()
    }

    fn content(&self, place: Place, head: &Head) -> io::Result<Vec<u8>> {
        let path = shelf::path(&self.dir, &self.session, place.segment);
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(place.offset + Head::BYTES as u64))?;
        let mut stored = vec![0; head.stored as usize];
        file.read_exact(&mut stored)?;
        zstd::bulk::decompress(&stored, head.length as usize)
    }
}

/// Reads the heads of a segment; returns how much of it is whole.
fn heads(file: &mut File, segment: i64, found: &mut Vec<(Place, Head)>) -> io::Result<u64> {
    let length = file.metadata()?.len();
    let mut offset = 0;
    let mut bytes = [0; Head::BYTES];
    while file.read_exact(&mut bytes).is_ok() {
        let Some(head) = Head::read(&bytes) else { break };
        let end = offset + Head::BYTES as u64 + u64::from(head.stored);
        if end > length || head.length > MOST_OF_CHUNK {
            break;
        }
        found.push((Place { segment, offset }, head));
        file.seek(SeekFrom::Start(end))?;
        offset = end;
    }
    Ok(offset)
}
