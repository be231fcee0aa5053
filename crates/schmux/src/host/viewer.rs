//! One viewer of a pane: a bounded queue between the host and a socket.
//!
//! The host pushes and never waits. When the viewer has fallen too far behind,
//! what it has not taken yet is thrown away as a whole and it gets a keyframe
//! next: bytes are never dropped from the middle of a stream.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use tokio::sync::Notify;

use crate::wire::TerminalMessage;

/// How much output may wait for a viewer. tmux gives some 5 to 13 MB/s, so a viewer
/// may stall for a third of a second and still lose nothing.
const QUEUE_BYTES: usize = 4 << 20;

/// Small pieces that wait together are sent as one frame of about this size:
/// fewer frames are cheaper for both sides, and a browser draws once per frame.
pub const FRAME_BYTES: usize = 64 << 10;

/// What a viewer is to send to its client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Bytes(Bytes),
    Message(TerminalMessage),
    /// A message that announces the bytes after it.
    Keyframe(TerminalMessage, Bytes),
}

/// Names a viewer of this host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ViewerId(u64);

/// The host's end.
pub struct Viewer {
    pub id: ViewerId,
    shared: Arc<Shared>,
}

/// The socket's end.
pub struct ViewerFeed {
    pub id: ViewerId,
    shared: Arc<Shared>,
}

struct Shared {
    /// A std mutex: held for a push or a pop, by two tasks, never across an await.
    queue: Mutex<Queue>,
    wake: Notify,
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    bytes: usize,
    stage: Stage,
    closed: bool,
}

/// Where a viewer stands in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// It waits for its next keyframe; output until then is in that.
    #[default]
    Waiting,
    /// It gets every byte.
    Following,
    /// It fell behind and has to ask for a keyframe once it can take one.
    Behind,
}

/// A new viewer, which waits for its first keyframe.
pub fn pair() -> (Viewer, ViewerFeed) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let id = ViewerId(NEXT.fetch_add(1, Ordering::Relaxed));
    let shared = Arc::new(Shared { queue: Mutex::default(), wake: Notify::new() });
    (Viewer { id, shared: shared.clone() }, ViewerFeed { id, shared })
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Viewer {
    /// Hands on output. Nothing happens while the viewer waits for a keyframe.
    pub fn push(&self, bytes: &Bytes) {
        let mut queue = self.shared.lock();
        if queue.stage != Stage::Following {
            return;
        }
        queue.bytes += bytes.len();
        if queue.bytes > QUEUE_BYTES {
            queue.drop_output();
            queue.stage = Stage::Behind;
        } else {
            queue.items.push_back(Item::Bytes(bytes.clone()));
        }
        drop(queue);
        self.shared.wake.notify_one();
    }

    /// Gives a keyframe; the stream goes on after it. A viewer that follows gets
    /// it after what is on its way, any other one in place of that.
    pub fn keyframe(&self, announcement: TerminalMessage, frame: Bytes) {
        let mut queue = self.shared.lock();
        if queue.stage != Stage::Following {
            queue.drop_output();
        }
        queue.bytes += frame.len();
        queue.items.push_back(Item::Keyframe(announcement, frame));
        queue.stage = Stage::Following;
        drop(queue);
        self.shared.wake.notify_one();
    }

    /// From now on the viewer waits for a keyframe that is on its way.
    pub fn hold(&self) {
        self.shared.lock().stage = Stage::Waiting;
    }

    pub fn tell(&self, message: TerminalMessage) {
        self.shared.lock().items.push_back(Item::Message(message));
        self.shared.wake.notify_one();
    }

    /// Whether the socket's end is gone.
    pub fn is_abandoned(&self) -> bool {
        Arc::strong_count(&self.shared) == 1
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.wake.notify_one();
    }
}

impl Queue {
    /// Throws the output away and keeps the messages, which are few and matter.
    fn drop_output(&mut self) {
        self.items.retain(|item| matches!(item, Item::Message(_)));
        self.bytes = 0;
    }
}

/// What the socket's end should do next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    Send(Item),
    /// Ask the host for a keyframe: this viewer fell behind and has now caught up.
    AskForKeyframe,
    /// The pane is gone.
    Closed,
}

impl ViewerFeed {
    /// Waits for the next thing to do. Cancel-safe.
    pub async fn next(&self) -> Next {
        loop {
            if let Some(next) = self.poll() {
                return next;
            }
            self.shared.wake.notified().await;
        }
    }

    fn poll(&self) -> Option<Next> {
        let mut queue = self.shared.lock();
        match queue.items.pop_front() {
            Some(Item::Bytes(first)) => {
                let frame = queue.take_frame(first);
                Some(Next::Send(Item::Bytes(frame)))
            }
            Some(Item::Keyframe(announcement, frame)) => {
                queue.bytes = queue.bytes.saturating_sub(frame.len());
                Some(Next::Send(Item::Keyframe(announcement, frame)))
            }
            Some(message) => Some(Next::Send(message)),
            None if queue.closed => Some(Next::Closed),
            None if queue.stage == Stage::Behind => {
                queue.stage = Stage::Waiting;
                Some(Next::AskForKeyframe)
            }
            None => None,
        }
    }
}

impl Queue {
    /// Joins the pieces that wait behind `first` into one frame.
    fn take_frame(&mut self, first: Bytes) -> Bytes {
        let fits = |next: Option<&Item>, len: usize| matches!(next, Some(Item::Bytes(b)) if len + b.len() <= FRAME_BYTES);
        self.bytes = self.bytes.saturating_sub(first.len());
        if !fits(self.items.front(), first.len()) {
            return first;
        }
        let mut frame = BytesMut::from(first);
        while fits(self.items.front(), frame.len()) {
            if let Some(Item::Bytes(piece)) = self.items.pop_front() {
                self.bytes = self.bytes.saturating_sub(piece.len());
                frame.extend_from_slice(&piece);
            }
        }
        frame.freeze()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::KeyframeReason;

    fn keyframe() -> TerminalMessage {
        TerminalMessage::Keyframe {
            cols: 80,
            rows: 24,
            history: None,
            reason: KeyframeReason::Attached,
        }
    }

    /// All that waits; `Closed` would come for ever.
    fn sent(feed: &ViewerFeed) -> Vec<Next> {
        std::iter::from_fn(|| feed.poll().filter(|next| *next != Next::Closed)).collect()
    }

    fn key(text: &'static str) -> Next {
        Next::Send(Item::Keyframe(keyframe(), Bytes::from_static(text.as_bytes())))
    }

    fn bytes(text: &str) -> Next {
        Next::Send(Item::Bytes(Bytes::copy_from_slice(text.as_bytes())))
    }

    #[test]
    fn output_before_the_first_keyframe_is_not_sent() {
        let (viewer, feed) = pair();
        viewer.push(&Bytes::from_static(b"early"));
        viewer.keyframe(keyframe(), Bytes::from_static(b"K"));
        viewer.push(&Bytes::from_static(b"a"));
        viewer.push(&Bytes::from_static(b"b"));
        assert_eq!(sent(&feed), [key("K"), bytes("ab")]);
    }

    #[test]
    fn a_viewer_that_fell_behind_asks_once_and_loses_nothing_in_the_middle() {
        let (viewer, feed) = pair();
        viewer.keyframe(keyframe(), Bytes::from_static(b"K"));
        assert_eq!(sent(&feed), [key("K")]);
        let piece = Bytes::from(vec![b'x'; 1 << 20]);
        for _ in 0..8 {
            viewer.push(&piece);
        }
        assert_eq!(sent(&feed), [Next::AskForKeyframe]);
        viewer.push(&piece);
        assert_eq!(sent(&feed), []);
        viewer.keyframe(keyframe(), Bytes::from_static(b"K2"));
        viewer.push(&Bytes::from_static(b"after"));
        assert_eq!(sent(&feed), [key("K2"), bytes("after")]);
    }

    #[test]
    fn a_correction_waits_for_what_is_on_its_way() {
        let (viewer, feed) = pair();
        viewer.keyframe(keyframe(), Bytes::from_static(b"K"));
        viewer.push(&Bytes::from_static(b"a"));
        viewer.keyframe(keyframe(), Bytes::from_static(b"K2"));
        assert_eq!(sent(&feed), [key("K"), bytes("a"), key("K2")]);
        viewer.push(&Bytes::from_static(b"b"));
        viewer.hold();
        viewer.keyframe(keyframe(), Bytes::from_static(b"K3"));
        assert_eq!(sent(&feed), [key("K3")]);
    }

    #[test]
    fn messages_survive_and_the_end_is_told() {
        let (viewer, feed) = pair();
        viewer.tell(TerminalMessage::Gone);
        drop(viewer);
        assert_eq!(sent(&feed)[0], Next::Send(Item::Message(TerminalMessage::Gone)));
        assert_eq!(feed.poll(), Some(Next::Closed));
    }
}
