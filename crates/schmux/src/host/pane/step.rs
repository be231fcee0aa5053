//! Whether a pane's model and its viewers are in step with tmux, and how they get there.

use memchr::memmem;
use schmux_core::replay::Reason;
use schmux_core::screen::{Seed, Size, Stream, screen_prelude};
use schmux_core::time::Moment;

use super::Pane;
use super::watchers::{Want, Watcher};
use crate::wire::{KeyframeReason, TerminalMessage};

/// How long a pane must be still before what terminals disagree about is put
/// right for its viewers: longer than a program's pauses while it draws.
pub(super) const SETTLED_MS: i64 = 400;

/// How often tmux is asked what a flooding pane shows, for whoever judges its state.
const SKIM_MS: i64 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seeding {
    No,
    Asked,
    /// Asked, and something has happened since that the answer may not show.
    AskedTooEarly,
}

/// How likely what viewers see differs from tmux.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Doubt {
    /// Nothing was printed since it was last looked at.
    #[default]
    No,
    /// The model may be wrong; a look at tmux tells.
    Slight,
    /// Something was printed that terminals disagree about: characters of doubtful
    /// width, or the way back from the alternate screen. The model may be right
    /// and the viewer wrong.
    Grave,
}

/// What a seed has shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::host) struct Seeded {
    pub resized: Option<Size>,
    pub astray: bool,
}

impl Pane {
    /// The stream can't be followed from here on: everyone waits for the next seed.
    pub fn fall_out_of_step(&mut self, now: Moment) {
        self.in_step = false;
        self.skims_since = None;
        self.tap.interrupt();
        self.ears.expect_repaint(now);
        self.stream = Stream::default();
        if self.seeding == Seeding::Asked {
            self.seeding = Seeding::AskedTooEarly;
        }
        for watcher in &mut self.watchers {
            watcher.viewer.hold();
            // While it is slowed, the scrollback would only make it slower.
            let with_history = !self.slowed;
            let want = Want { reason: KeyframeReason::Reseeded, with_history };
            watcher.wants.get_or_insert(want);
        }
    }

    /// The connection that answers is gone; whatever was asked will not be answered.
    pub fn disconnected(&mut self, reason: &str, now: Moment) {
        self.end_rest();
        self.tap.lose(Reason::Away, now);
        self.fall_out_of_step(now);
        self.lose_thread();
        self.answering = None;
        self.seeding = Seeding::No;
        self.life_told = None;
        self.face.forget();
        self.tell_all(&TerminalMessage::Unreachable { reason: reason.to_owned() });
    }

    /// Output was missed: what comes next doesn't follow what came last.
    pub fn lose_thread(&mut self) {
        self.ears.lose_thread();
        self.eyes.lose_thread();
    }

    /// Whether tmux should be asked for a seed now, and with how much history.
    pub fn wants_seed(&mut self) -> Option<u32> {
        let asked_for = self.watchers.iter().any(|w| w.wants.is_some());
        let wanted = self.unsure || !self.knows_screen() || asked_for || self.tap.wants_keyframe();
        if !wanted || self.seeding != Seeding::No {
            return None;
        }
        self.unsure = false;
        self.seeding = Seeding::Asked;
        let with_history = |w: &&Watcher| w.wants.is_some_and(|want| want.with_history);
        Some(self.watchers.iter().filter(with_history).map(|w| w.history).max().unwrap_or(0))
    }

    pub fn seed_failed(&mut self) {
        self.seeding = Seeding::No;
    }

    /// tmux told what the pane really shows. Returns the size if it is news, and
    /// whether the model had gone astray.
    pub fn seeded(&mut self, seed: &Seed, now: Moment) -> Seeded {
        let too_early = self.seeding == Seeding::AskedTooEarly;
        self.seeding = Seeding::No;
        if too_early {
            return Seeded::default();
        }
        let early = self.early.take();
        let mut fresh = seed.screen(self.screen.as_ref().or(early.as_ref()));
        fresh.advance(self.stream.unfinished());
        if self.screen.is_none() && seed.meta.frames {
            // It asked for that when an earlier daemon listened.
            fresh.advance(b"\x1b[?2004h");
            self.frames_told = true;
        }
        let old_size = self.size();
        let known = self.knows_screen();
        let astray = known && !self.screen.as_ref().is_some_and(|s| s.shows_same_as(&fresh));
        let screen = match &mut self.screen {
            Some(screen) if known && !astray => screen,
            screen => screen.insert(fresh),
        };
        if !known || astray {
            self.unseen_since.get_or_insert(now);
        }
        self.in_step = true;
        self.skims_since = None;
        self.desk.note_output();
        self.in_mode = seed.meta.in_mode;
        let size = screen.size();
        let mut drawing = screen.keyframe(&seed.meta);
        drawing.extend_from_slice(self.stream.unfinished());
        for watcher in &mut self.watchers {
            let correction = Want { reason: KeyframeReason::Reseeded, with_history: false };
            if let Some(want) = watcher.wants.take().or(astray.then_some(correction)) {
                watcher.give(want, seed, size, &drawing);
            }
        }
        if astray || self.tap.wants_keyframe() {
            self.tap.keyframe(size, &[screen_prelude(), drawing].concat(), now);
        }
        let resized = (old_size != Some(size)).then_some(size);
        if resized.is_some() {
            self.tell_size();
        }
        Seeded { resized, astray }
    }

    /// When the pane should be looked at again although nothing happened.
    pub fn settle_at(&self) -> Option<Moment> {
        let last = self.last_output?;
        let rest = Moment(last.0 + SETTLED_MS);
        if self.knows_screen() {
            return (self.doubt > Doubt::No).then_some(rest);
        }
        let flood = self.skims_since.map(|since| Moment(since.0 + SKIM_MS));
        (self.seeding == Seeding::No).then(|| flood.map_or(rest, |at| at.min(rest)))
    }

    /// The output has come to rest, or flows for so long that it is time to look:
    /// tmux is asked what it really shows. Viewers are redrawn if the model was
    /// wrong, or, at rest, if terminals may disagree.
    pub fn settle(&mut self, now: Moment) {
        if self.settle_at().is_none_or(|at| now < at) {
            return;
        }
        let at_rest = self.last_output.is_none_or(|last| now.0 - last.0 >= SETTLED_MS);
        if at_rest && std::mem::take(&mut self.doubt) == Doubt::Grave {
            for watcher in &mut self.watchers {
                let want = Want { reason: KeyframeReason::Reseeded, with_history: false };
                watcher.wants.get_or_insert(want);
            }
        }
        self.unsure = true;
    }
}

/// Whether terminals may disagree about something in here. How wide it is: emoji
/// (all of four bytes), variation selectors, joiners and combining marks. What a reset
/// resets, and what a colour without its space is (`38:2:R:G:B`).
pub(super) fn is_doubtful(bytes: &[u8]) -> bool {
    // Everything in question begins with one of these, and plain text has none of them.
    let disputed = [&b"\x1bc"[..], b"8:2:"].iter().any(|part| memmem::find(bytes, part).is_some());
    let suspects = bytes.iter().enumerate().filter(|(_, byte)| **byte >= 0xcc);
    disputed
        || suspects.into_iter().any(|(at, byte)| {
            let next = |n: usize| bytes.get(at + n).copied().unwrap_or(0);
            match byte {
                0xf0.. => true,
                0xcc | 0xcd => true,
                0xe2 => matches!((next(1), next(2)), (0x80, 0x8b..=0x8f) | (0x83, 0x90..)),
                0xef => next(1) == 0xb8,
                _ => false,
            }
        })
}
