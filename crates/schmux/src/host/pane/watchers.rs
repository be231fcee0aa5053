//! Who watches a pane, and what each of them waits for.

use schmux_core::screen::{Seed, Size, history_prelude, screen_prelude};

use super::Pane;
use crate::host::viewer::{Viewer, ViewerId};
use crate::wire::{KeyframeReason, TerminalMessage};

pub(super) struct Watcher {
    pub(super) viewer: Viewer,
    /// How much history it likes to have in a full keyframe.
    pub(super) history: u32,
    pub(super) wants: Option<Want>,
}

/// A keyframe that a viewer waits for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Want {
    pub(super) reason: KeyframeReason,
    pub(super) with_history: bool,
}

impl Pane {
    pub fn watch(&mut self, viewer: Viewer, history: u32) {
        self.watchers.retain(|watcher| !watcher.viewer.is_abandoned());
        let want = Want { reason: KeyframeReason::Attached, with_history: true };
        self.watchers.push(Watcher { viewer, history, wants: Some(want) });
    }

    pub fn unwatch(&mut self, id: ViewerId) {
        self.watchers.retain(|watcher| watcher.viewer.id != id);
        if self.owner == Some(id) {
            self.owner = None;
        }
    }

    /// A viewer asks for a keyframe: after it fell behind (no history), or for more history.
    pub fn refresh(&mut self, id: ViewerId, history: Option<u32>) {
        if let Some(watcher) = self.watchers.iter_mut().find(|w| w.viewer.id == id) {
            let reason = match history {
                Some(rows) => {
                    watcher.history = rows;
                    KeyframeReason::Requested
                }
                None => KeyframeReason::Behind,
            };
            watcher.wants = Some(Want { reason, with_history: history.is_some() });
        }
    }

    /// Whether this viewer may set the size; it becomes the owner if nobody is or it claims to be.
    /// Never the user's own window: its size is theirs, and may be shared by several panes.
    pub fn may_resize(&mut self, id: ViewerId, claim: bool) -> bool {
        if self.adopted {
            self.tell_size();
            return false;
        }
        let owner_here = self.watchers.iter().any(|w| Some(w.viewer.id) == self.owner);
        if claim || !owner_here {
            self.owner = Some(id);
        }
        self.tell_size();
        self.owner == Some(id)
    }

    pub fn tell_size(&self) {
        let Some(Size { cols, rows }) = self.size() else { return };
        for watcher in &self.watchers {
            let owner = Some(watcher.viewer.id) == self.owner;
            watcher.viewer.tell(TerminalMessage::Size { cols, rows, owner });
        }
    }

    pub fn tell_all(&self, message: &TerminalMessage) {
        for watcher in &self.watchers {
            watcher.viewer.tell(message.clone());
        }
    }
}

impl Watcher {
    pub(super) fn give(&self, want: Want, seed: &Seed, size: Size, drawing: &[u8]) {
        let (mut frame, history) = if want.with_history {
            (history_prelude(seed.history(), size), Some(seed.history_rows()))
        } else {
            (screen_prelude(), None)
        };
        frame.extend_from_slice(drawing);
        let Size { cols, rows } = size;
        let announcement = TerminalMessage::Keyframe { cols, rows, history, reason: want.reason };
        self.viewer.keyframe(announcement, frame.into());
    }
}
