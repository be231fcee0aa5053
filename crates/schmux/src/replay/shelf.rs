//! The files of all recordings, and how much of them is kept.
//!
//! Each session has a directory; in it are segments, named by the moment at which
//! they begin: `1763287200000.rec`. A segment is a row of chunks, each a head and
//! its compressed content. A new one is begun at a keyframe, so that any segment
//! can be dropped without the next one needing it; the oldest go first. Nothing is
//! ever changed in the middle, so a reader needs no lock.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use schmux_core::ids::SessionId;
use schmux_core::replay::Head;
use schmux_core::time::Moment;

use super::Limits;

/// A segment is closed at the first keyframe beyond this: small enough that
/// dropping one loses little, large enough that there are few.
const SEGMENT_BYTES: u64 = 1 << 20;

/// How often old recordings are looked for when nothing new is stored.
const TIDY_MS: i64 = 3600 * 1000;

const ENDING: &str = "rec";

pub(super) struct Shelf {
    dir: PathBuf,
    limits: Limits,
    /// All segments by the moment they begin at, oldest first, with their sizes.
    segments: BTreeMap<(i64, SessionId), u64>,
    total: u64,
    next_tidy: i64,
}

/// The segment that a session's recording goes on in, by the moment it begins
/// at. It is not kept open: there may be more sessions than a process may have files.
pub(super) struct Segment(i64);

impl Shelf {
    pub fn open(dir: PathBuf, limits: Limits, now: Moment) -> io::Result<Shelf> {
        DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
        let mut segments = BTreeMap::new();
        for session in sessions(&dir)? {
            for (began, path) in segments_of(&dir, &session) {
                let size = fs::metadata(&path).map_or(0, |meta| meta.len());
                segments.insert((began, session.clone()), size);
            }
        }
        let total = segments.values().sum();
        let mut shelf = Shelf { dir, limits, segments, total, next_tidy: 0 };
        shelf.tidy(now);
        Ok(shelf)
    }

    /// Stores a chunk, in the segment given or in a new one.
    pub fn append(
        &mut self,
        session: &SessionId,
        segment: &mut Option<Segment>,
        head: Head,
        stored: &[u8],
    ) -> io::Result<()> {
        let size = |began| self.segments.get(&(began, session.clone())).copied();
        let is_full = segment.as_ref().is_none_or(|segment| {
            // One that was dropped meanwhile is no place for anything.
            size(segment.0).is_none_or(|size| head.is_key && size >= SEGMENT_BYTES)
        });
        if is_full {
            if !head.is_key {
                // It begins in the middle of something: without its keyframe it shows nothing.
                return Ok(());
            }
            *segment = Some(self.begin(session, head.first.0)?);
        }
        let Some(Segment(began)) = segment else { return Ok(()) };
        let mut file = OpenOptions::new().append(true).open(path(&self.dir, session, *began))?;
        let bytes = [&head.to_bytes()[..], stored].concat();
        // In one write, so that a kill leaves a whole chunk or a cut that readers see.
        file.write_all(&bytes)?;
        *self.segments.entry((*began, session.clone())).or_default() += bytes.len() as u64;
        self.total += bytes.len() as u64;
        self.prune(session);
        Ok(())
    }

    fn begin(&mut self, session: &SessionId, at: i64) -> io::Result<Segment> {
        DirBuilder::new().recursive(true).mode(0o700).create(self.dir.join(session.as_str()))?;
        let mut began = at;
        loop {
            let path = path(&self.dir, session, began);
            match OpenOptions::new().append(true).create_new(true).mode(0o600).open(path) {
                Ok(_) => {
                    self.segments.insert((began, session.clone()), 0);
                    return Ok(Segment(began));
                }
                // Two in the same millisecond, or a clock that was set back.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => began += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Drops what is too old, once in a while.
    pub fn tidy(&mut self, now: Moment) {
        if now.0 < self.next_tidy {
            return;
        }
        self.next_tidy = now.0 + TIDY_MS;
        let oldest = now.0 - self.limits.age_ms;
        let old: Vec<_> =
            self.segments.keys().filter(|(began, _)| *began < oldest).cloned().collect();
        for key in old {
            self.remove(&key);
        }
        while self.total > self.limits.total_bytes && self.remove_oldest(None) {}
    }

    /// Keeps to the limits after something was added for `session`. The newest
    /// segment of a session stays: it is being written.
    fn prune(&mut self, session: &SessionId) {
        loop {
            let own: u64 =
                self.segments.iter().filter(|((_, s), _)| s == session).map(|(_, size)| size).sum();
            if own <= self.limits.session_bytes || !self.remove_oldest(Some(session)) {
                break;
            }
        }
        while self.total > self.limits.total_bytes && self.remove_oldest(None) {}
    }

    fn remove_oldest(&mut self, session: Option<&SessionId>) -> bool {
        let is_last = |key: &(i64, SessionId)| {
            !self.segments.keys().any(|other| other.1 == key.1 && other.0 > key.0)
        };
        let wanted = |key: &&(i64, SessionId)| session.is_none_or(|session| key.1 == *session);
        let mut candidates = self.segments.keys().filter(wanted);
        let oldest = candidates.find(|key| session.is_none() || !is_last(key)).cloned();
        match oldest {
            Some(key) => {
                self.remove(&key);
                true
            }
            None => false,
        }
    }

    fn remove(&mut self, key: &(i64, SessionId)) {
        let Some(size) = self.segments.remove(key) else { return };
        self.total = self.total.saturating_sub(size);
        let (began, session) = key;
        if let Err(error) = fs::remove_file(path(&self.dir, session, *began)) {
            tracing::warn!(%session, %error, "an old recording can't be removed");
        }
        // Only if it is empty.
        let _ = fs::remove_dir(self.dir.join(session.as_str()));
    }
}

pub(super) fn path(dir: &Path, session: &SessionId, began: i64) -> PathBuf {
    dir.join(session.as_str()).join(format!("{began}.{ENDING}"))
}

/// All sessions with a recording.
pub(super) fn sessions(dir: &Path) -> io::Result<Vec<SessionId>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.filter_map(|name| SessionId::new(name).ok()).collect())
}

/// A session's segments, oldest first.
pub(super) fn segments_of(dir: &Path, session: &SessionId) -> Vec<(i64, PathBuf)> {
    let entries = fs::read_dir(dir.join(session.as_str())).into_iter().flatten().flatten();
    let began = |path: PathBuf| {
        let is_ours = path.extension().is_some_and(|ending| ending == ENDING);
        let name = path.file_stem().filter(|_| is_ours)?.to_str()?;
        Some((name.parse().ok()?, path))
    };
    let mut found: Vec<(i64, PathBuf)> = entries.filter_map(|entry| began(entry.path())).collect();
    found.sort();
    found
}
