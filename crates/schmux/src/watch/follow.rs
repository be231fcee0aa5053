//! One file of one session: what was seen of it, and what a read of it brings.
//!
//! It is handed an open file and decides nothing itself: `schmux_core::signal`
//! says what the bytes mean and whether they are news.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::time::{Duration, Instant};

use schmux_core::fleet::{Item, Place};
use schmux_core::nudge::Heard;
use schmux_core::signal::events_file::{Event, Facts, MAX_READ, Position};
use schmux_core::signal::status_file::{MAX_FILE, Reading, Settled, Stamp, Taken};
use schmux_core::time::Moment;

use super::place::{self, Look};
use super::record;

/// How long a file must stay as it is before half a line in it counts as whole.
/// A writer's next write comes within microseconds; a person waits this long gladly.
pub(super) const SETTLE: Duration = Duration::from_millis(100);

/// A file that was modified less than this before it was read may have been
/// modified again without another time: file systems count in steps of up to
/// two seconds.
const RACY: Duration = Duration::from_secs(2);

/// What has been taken from a file, as it is stored.
pub(super) enum Source {
    Status(Reading),
    Events(Position),
}

pub(super) struct Follower {
    source: Source,
    seen: Option<Seen>,
    /// When to look at it next, whatever happens.
    pub(super) due: Option<Due>,
    /// It brought news just now, and isn't read again before this.
    pub(super) rests_until: Option<Instant>,
    /// It is in the report as a file that can't be read.
    pub(super) refused: bool,
    /// It was said already that it can't be read; once is enough.
    pub(super) warned: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Due {
    pub(super) at: Instant,
    pub(super) cause: Cause,
}

#[derive(Clone, Copy)]
struct Seen {
    look: Look,
    /// There may be more in it than was taken, though it looks the same.
    unsure: bool,
}

/// Why a file is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// It was written to; `closed` if its writer is done with it.
    Written { closed: bool },
    /// Its turn has come, and nothing is known of it.
    Round,
}

/// What a read brought.
#[derive(Default)]
pub(super) struct Found {
    pub(super) items: Vec<Item>,
    /// How far it has been read now, if that is news.
    pub(super) place: Option<Place>,
    /// What was no signal.
    pub(super) invalid: Vec<String>,
    /// How soon to look again, whatever happens.
    pub(super) again: Option<Duration>,
}

impl Follower {
    pub(super) fn new(source: Source) -> Follower {
        Follower { source, seen: None, due: None, rests_until: None, refused: false, warned: false }
    }

    /// Whether a look tells that there is nothing new.
    pub(super) fn is_quiet(&self, look: &Look, cause: Cause) -> bool {
        let same = self.seen.is_some_and(|seen| seen.look == *look && !seen.unsure);
        cause == Cause::Round && same
    }

    /// The file isn't there, or can't be read: the next look is the first one.
    pub(super) fn lost(&mut self) {
        self.seen = None;
    }

    /// Reads what is new. `look` was taken from the open file.
    pub(super) fn read(
        &mut self,
        file: &mut File,
        look: Look,
        cause: Cause,
        now: Moment,
    ) -> io::Result<Found> {
        let rests = self.seen.is_some_and(|seen| seen.look == look);
        let settled = cause == Cause::Written { closed: true } || (cause == Cause::Round && rests);
        let found = match &mut self.source {
            Source::Status(reading) => read_status(reading, file, look, settled)?,
            Source::Events(position) => read_events(position, file, look)?,
        };
        // Times that lie ahead of us are never sure.
        let modified = Moment(look.modified.div_euclid(1_000_000));
        let unsure = found.again.is_some() || now.since(modified) < RACY;
        self.seen = Some(Seen { look, unsure });
        Ok(found)
    }
}

fn read_status(
    reading: &mut Reading,
    file: &mut File,
    look: Look,
    settled: bool,
) -> io::Result<Found> {
    let bytes = read_some(file, MAX_FILE, look.size)?;
    // A write in between: then the bytes may be newer than their time, and the
    // same words would be taken for another write when they are read with theirs.
    let after = place::look_again(file)?;
    if (after.size, after.modified) != (look.size, look.modified) {
        return Ok(Found { again: Some(Duration::ZERO), ..Found::default() });
    }
    let stamp = Stamp { inode: look.inode, modified: look.modified };
    let before = reading.clone();
    let mut found = Found::default();
    match reading.take(stamp, &bytes, if settled { Settled::Yes } else { Settled::No }) {
        Taken::New(signal) => found.items.push(Item::said(signal, None)),
        Taken::Updated(signal) => {
            found.items.push(Item::Heard { heard: Heard::Added(signal), id: None });
        }
        Taken::Invalid { text } => found.invalid.push(text),
        // What is empty and at rest stays so until the next write.
        Taken::Wait => found.again = (!settled).then_some(SETTLE),
        Taken::Same => {}
    }
    found.place = (*reading != before).then(|| Place::Status(reading.clone()));
    Ok(found)
}

fn read_events(position: &mut Position, file: &mut File, look: Look) -> io::Result<Found> {
    let from = position.read_from();
    file.seek(SeekFrom::Start(from))?;
    let bytes = read_some(file, MAX_READ, look.size.saturating_sub(from))?;
    let before = position.clone();
    let batch = position.take(Facts { inode: look.inode, size: look.size }, &bytes);
    let mut found = Found::default();
    for event in batch.events {
        match event {
            Event::Invalid { text } => found.invalid.push(text),
            event => found.items.extend(record::item(event)),
        }
    }
    found.again = batch.again.then_some(Duration::ZERO);
    found.place = (*position != before).then(|| Place::Events(position.clone()));
    Ok(found)
}

/// Reads to the end or to the limit, in one read if the file is as long as it was.
fn read_some(file: &mut File, limit: usize, expected: u64) -> io::Result<Vec<u8>> {
    let expected = usize::try_from(expected).unwrap_or(limit).min(limit);
    let mut bytes = Vec::with_capacity(expected + 1);
    file.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_between_look_and_read_is_told_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("status");
        let mut follower = Follower::new(Source::Status(Reading::default()));
        let mut read = |file: &mut File, look| {
            let cause = Cause::Written { closed: true };
            follower.read(file, look, cause, Moment(0)).unwrap()
        };
        std::fs::write(&path, "").unwrap();
        let mut file = File::open(&path).unwrap();
        let early = place::look_again(&file).unwrap();
        std::fs::write(&path, "error once\n").unwrap();
        let found = read(&mut file, early);
        assert!(found.items.is_empty() && found.place.is_none() && found.again.is_some());

        let mut file = File::open(&path).unwrap();
        let look = place::look_again(&file).unwrap();
        assert_eq!(read(&mut file, look).items.len(), 1);
        let mut file = File::open(&path).unwrap();
        assert!(read(&mut file, look).items.is_empty());
    }
}
