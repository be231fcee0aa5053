//! The thread that stores recordings: it gathers what came, compresses it in
//! chunks and appends them to the sessions' files.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use schmux_core::ids::SessionId;
use schmux_core::replay::{Record, Recorded, Stream, What};
use schmux_core::time::Moment;

use super::Limits;
use super::recorder::{Heard, Queue, Recorder, Shared};
use super::shelf::{Segment, Shelf};

/// What comes within this time is stored together: waking up for every line
/// would cost more than the work itself.
const GATHER: Duration = Duration::from_millis(250);

/// How long a chunk may stay open: what a kill of the daemon can cost.
const OPEN_MS: i64 = 5000;

/// How often open chunks are looked at when nothing comes.
const IDLE: Duration = Duration::from_secs(2);

/// The fastest that zstd is really good at: level 3 takes twice the time for a tenth less.
const LEVEL: i32 = 1;

pub(super) fn start(dir: PathBuf, limits: Limits) -> Recorder {
    let shared = Arc::new(Shared::default());
    let own = shared.clone();
    let started =
        thread::Builder::new().name("replay".into()).spawn(move || run(&own, dir, limits));
    match started {
        Ok(_) => Recorder { shared: Some(shared) },
        Err(error) => {
            tracing::error!(%error, "nothing is recorded: can't start the thread for it");
            Recorder::off()
        }
    }
}

fn run(shared: &Arc<Shared>, dir: PathBuf, limits: Limits) {
    let mut writer = match Shelf::open(dir, limits, now()) {
        Ok(shelf) => Writer { shelf, open: HashMap::new() },
        Err(error) => {
            tracing::error!(%error, "nothing is recorded: the recordings' directory can't be used");
            // What waits is dropped with the queue that was there until now.
            *shared.lock() = Queue { ended: true, ..Queue::default() };
            return;
        }
    };
    // Every recorder holds a reference; when ours is the last one the daemon ends.
    while Arc::strong_count(shared) > 1 {
        shared.wait(IDLE);
        shared.gather(GATHER);
        let Queue { items, flushes, .. } = shared.take();
        for item in items {
            let what = match item.what {
                Heard::Keyframe(size, drawing) => What::Keyframe(size, drawing),
                Heard::Output(bytes) => What::Output(bytes.into()),
                Heard::Gap(reason) => What::Gap(reason),
            };
            writer.add(item.session, Record { at: item.at, what });
        }
        match flushes.is_empty() {
            true => writer.close(|stream| {
                stream.waits_since().is_some_and(|since| since.0 < now().0 - OPEN_MS)
            }),
            false => writer.close(|_| true),
        }
        for flush in flushes {
            // Whoever asked may have left.
            let _ = flush.send(());
        }
    }
    writer.close(|_| true);
}

struct Writer {
    shelf: Shelf,
    open: HashMap<SessionId, Open>,
}

/// One session's recording under way.
#[derive(Default)]
struct Open {
    stream: Stream,
    segment: Option<Segment>,
}

impl Writer {
    fn add(&mut self, session: SessionId, record: Record) {
        let open = self.open.entry(session.clone()).or_default();
        for chunk in open.stream.add(record) {
            store(&mut self.shelf, &session, open, chunk);
        }
    }

    /// Stores the open chunks of those that are due.
    fn close(&mut self, is_due: impl Fn(&Stream) -> bool) {
        for (session, open) in &mut self.open {
            if is_due(&open.stream)
                && let Some(chunk) = open.stream.take()
            {
                store(&mut self.shelf, session, open, chunk);
            }
        }
        self.shelf.tidy(now());
    }
}

fn store(shelf: &mut Shelf, session: &SessionId, open: &mut Open, chunk: Recorded) {
    let Recorded { mut head, content } = chunk;
    let stored = match zstd::bulk::compress(&content, LEVEL) {
        Ok(stored) => stored,
        Err(error) => {
            tracing::error!(%session, %error, "a part of a recording can't be compressed");
            return;
        }
    };
    head.stored = u32::try_from(stored.len()).unwrap_or(u32::MAX);
    if let Err(error) = shelf.append(session, &mut open.segment, head, &stored) {
        tracing::warn!(%session, %error, "a part of a recording could not be stored");
        open.segment = None;
    }
}

fn now() -> Moment {
    Moment(jiff::Timestamp::now().as_millisecond())
}
