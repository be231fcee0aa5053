//! The host's end of a recording. A [`Tap`] listens to one pane; what it hears
//! goes into one bounded queue for all of them, and nobody waits: when the queue
//! is full the tap notes a gap and begins anew with a keyframe.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use schmux_core::ids::SessionId;
use schmux_core::replay::Reason;
use schmux_core::screen::Size;
use schmux_core::time::Moment;
use tokio::sync::oneshot;

/// How much may wait for the writer. It empties the queue four times a second,
/// and panes that print faster than they can be read aren't recorded meanwhile.
const QUEUE_BYTES: usize = 8 << 20;

/// After this much a keyframe is asked for, so that a reader can begin there:
/// a browser plays half a megabyte in a blink.
const KEYFRAME_BYTES: usize = 512 << 10;

/// A way to the writer.
#[derive(Clone)]
pub struct Recorder {
    /// None when nothing is to be recorded.
    pub(super) shared: Option<Arc<Shared>>,
}

#[derive(Default)]
pub(super) struct Shared {
    /// A std mutex: held for a push or to take all, never across an await.
    queue: Mutex<Queue>,
    wake: Condvar,
}

#[derive(Default)]
pub(super) struct Queue {
    pub items: Vec<Item>,
    pub bytes: usize,
    /// Who wants to know that all of this is on disk.
    pub flushes: Vec<oneshot::Sender<()>>,
    pub ended: bool,
}

pub(super) struct Item {
    pub session: SessionId,
    pub at: Moment,
    pub what: Heard,
}

pub(super) enum Heard {
    Keyframe(Size, Vec<u8>),
    Output(Bytes),
    Gap(Reason),
}

impl Recorder {
    /// One that records nothing.
    pub fn off() -> Recorder {
        Recorder { shared: None }
    }

    pub fn tap(&self, session: &SessionId) -> Tap {
        Tap { recorder: self.clone(), session: session.clone(), follows: false, since_keyframe: 0 }
    }

    /// Waits until everything so far is on disk.
    pub async fn flush(&self) {
        let Some(shared) = &self.shared else { return };
        let (done, flushed) = oneshot::channel();
        shared.lock().flushes.push(done);
        shared.wake.notify_one();
        // The writer may have ended, and then there is nothing to wait for.
        let _ = flushed.await;
    }

    fn push(&self, item: Item, size: usize) -> bool {
        let Some(shared) = &self.shared else { return false };
        let mut queue = shared.lock();
        // A gap says why the rest is missing, so there is always room for it.
        let is_gap = matches!(item.what, Heard::Gap(_));
        if queue.ended || (queue.bytes + size > QUEUE_BYTES && !is_gap) {
            return false;
        }
        queue.bytes += size;
        queue.items.push(item);
        let is_first = queue.items.len() == 1;
        drop(queue);
        if is_first {
            shared.wake.notify_one();
        }
        true
    }
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something to do, at most for `limit`.
    pub(super) fn wait(&self, limit: std::time::Duration) {
        let queue = self.lock();
        if queue.items.is_empty() && queue.flushes.is_empty() {
            drop(self.wake.wait_timeout(queue, limit));
        }
    }

    pub(super) fn take(&self) -> Queue {
        std::mem::take(&mut *self.lock())
    }
}

/// What listens to one pane.
pub struct Tap {
    recorder: Recorder,
    session: SessionId,
    /// Every byte is heard since the last keyframe.
    follows: bool,
    since_keyframe: usize,
}

impl Tap {
    pub fn output(&mut self, bytes: &Bytes, now: Moment) {
        if !self.follows {
            return;
        }
        self.since_keyframe += bytes.len();
        let item = self.item(now, Heard::Output(bytes.clone()));
        if !self.recorder.push(item, bytes.len()) {
            self.lose(Reason::Behind, now);
        }
    }

    /// The stream is interrupted, and for long enough to say so.
    pub fn lose(&mut self, reason: Reason, now: Moment) {
        if std::mem::take(&mut self.follows) {
            self.recorder.push(self.item(now, Heard::Gap(reason)), 0);
        }
    }

    /// The stream is interrupted until the keyframe that comes next.
    pub fn interrupt(&mut self) {
        self.follows = false;
    }

    pub fn wants_keyframe(&self) -> bool {
        let on = self.recorder.shared.is_some();
        on && (!self.follows || self.since_keyframe > KEYFRAME_BYTES)
    }

    pub fn keyframe(&mut self, size: Size, drawing: &[u8], now: Moment) {
        let item = self.item(now, Heard::Keyframe(size, drawing.to_vec()));
        self.follows = self.recorder.push(item, drawing.len());
        self.since_keyframe = 0;
    }

    fn item(&self, at: Moment, what: Heard) -> Item {
        Item { session: self.session.clone(), at, what }
    }
}
