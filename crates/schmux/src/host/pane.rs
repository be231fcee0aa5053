//! One pane: its screen, its viewers, and whether both follow the stream.
//!
//! Does no IO. A pane that is not in step (new, resized, paused, reconnected)
//! passes nothing on until it is seeded: what it prints until then is in the seed.

mod face;
mod step;
mod watchers;

use bytes::Bytes;
use schmux_core::courier::Pane as Facts;
use schmux_core::fleet::Fact;
use schmux_core::ids::{PaneId, SessionId, WindowId};
use schmux_core::reading::Dialog;
use schmux_core::replay::Reason;
use schmux_core::screen::{Meta, Screen, Size, Stream};
use schmux_core::signal::ledger::Ledger;
use schmux_core::time::Moment;

use self::face::Face;
use self::step::{Doubt, Seeding, is_doubtful};
use self::watchers::Watcher;
use super::desk::{Desk, Sight};
use super::ears::Ears;
use super::eyes::Eyes;
use super::server::PendingAnswer;
use super::viewer::ViewerId;
use crate::replay::Tap;
use crate::wire::TerminalMessage;

/// Output is told to the hub at most this often; people read it in seconds.
const TELL_OUTPUT_MS: i64 = 1000;

/// How long a pane must be still before its screen is looked at: programs draw
/// in bursts of some tens of milliseconds.
const STILL_MS: i64 = 150;

/// A screen that never rests is looked at this often: a state that changes is
/// shown within two seconds, and a few looks must agree on it.
const RESTLESS_MS: i64 = 400;

/// Half a frame shows nothing; it is whole when nothing has come for so long.
const FRAME_MS: i64 = 20;

/// More than this in a second is a flood: some fifty screens full. Viewers get
/// every byte of it; the model only skims it, and tmux is asked what came of it.
const FLOOD: usize = 256 << 10;

/// What a pane on a host may print in a second while nobody watches it: some ten
/// screens full, which tell its state. More would fill what lies between us and
/// the host, and keys for other panes would wait behind it.
const UNWATCHED: usize = 64 << 10;

/// What a pane on a host prints in a second at least, if it is to be the reason
/// for a slow answer: more than a person causes by typing.
const WATCHED: usize = 8 << 10;

/// How far two looks at a resting pane must lie apart to tell how much it prints.
const SAMPLE_MS: i64 = 400;

/// Only the modes of this model matter. No pane is that small, so nothing else
/// is taken over from it.
const EARLY: Size = Size { cols: 2, rows: 1 };

/// What a pane showed while it rested, and whether that was the same twice.
#[derive(Default)]
struct Sample {
    at: Moment,
    shown: Option<Vec<Vec<u8>>>,
    still: bool,
    /// How long its scrollback was, and whether it had grown by a screen at most.
    history: u32,
    calm: bool,
}

pub(super) struct Pane {
    pub id: PaneId,
    pub window: WindowId,
    pub session: SessionId,
    /// The user's own session: it is watched, not managed.
    pub adopted: bool,
    pub dead: bool,
    /// tmux shows copy mode or the like to those attached.
    pub in_mode: bool,
    pub ears: Ears,
    pub eyes: Eyes,
    pub desk: Desk,
    pub title: String,
    /// tmux sends nothing of it until then, because nobody watches it and the
    /// connection can't carry it.
    pub rests_until: Option<Moment>,
    /// It is watched, and shown by keyframes for a while: the way is too slow for
    /// what it prints.
    pub slowed: bool,
    /// When the human last typed into it.
    pub typed_at: Option<Moment>,
    /// An answer to its dialog that is on its way.
    pub answering: Option<PendingAnswer>,
    face: Face,
    /// When output first came that nobody has looked at yet.
    unseen_since: Option<Moment>,
    screen: Option<Screen>,
    /// What was printed before the first seed, for the modes in it that tmux
    /// has no format for: a program sets them once, as it starts.
    early: Option<Screen>,
    in_step: bool,
    /// Since when the model only skims what comes.
    skims_since: Option<Moment>,
    /// Output of the current read, to be handed on as one piece.
    batch: Vec<u8>,
    /// What viewers have got of it, and the model not yet.
    passed_on: Bytes,
    stream: Stream,
    watchers: Vec<Watcher>,
    owner: Option<ViewerId>,
    /// The main screen beneath the alternate one, for the seed under way.
    pub beneath: Vec<u8>,
    seeding: Seeding,
    doubt: Doubt,
    /// The model should be compared with tmux.
    unsure: bool,
    /// How much was printed since then, for about a second.
    second: (Moment, usize),
    sample: Sample,
    last_output: Option<Moment>,
    output_told: Option<Moment>,
    /// Whether tmux was told that the program takes framed pastes.
    frames_told: bool,
    /// What the hub was last told of its life, on this connection.
    life_told: Option<Fact>,
    /// tmux called it dead once, and had no exit code.
    ending: bool,
    tap: Tap,
}

impl Pane {
    pub fn new(id: PaneId, window: WindowId, session: SessionId, eyes: Eyes, tap: Tap) -> Pane {
        Pane {
            tap,
            id,
            window,
            session,
            adopted: false,
            dead: false,
            in_mode: false,
            ears: Ears::new(Ledger::default(), false),
            eyes,
            desk: Desk::default(),
            title: String::new(),
            rests_until: None,
            slowed: false,
            typed_at: None,
            answering: None,
            face: Face::default(),
            unseen_since: None,
            screen: None,
            early: Some(Screen::new(EARLY)),
            in_step: false,
            skims_since: None,
            batch: Vec::new(),
            passed_on: Bytes::new(),
            stream: Stream::default(),
            watchers: Vec::new(),
            owner: None,
            beneath: Vec::new(),
            seeding: Seeding::No,
            doubt: Doubt::No,
            unsure: false,
            second: (Moment::default(), 0),
            sample: Sample::default(),
            last_output: None,
            output_told: None,
            frames_told: false,
            life_told: None,
            ending: false,
        }
    }

    /// The buffer that output of the current read goes to.
    pub fn batch(&mut self) -> &mut Vec<u8> {
        &mut self.batch
    }

    /// Hands the batch on to viewers, who wait for it. [`Pane::digest`] does the rest.
    pub fn pass_on(&mut self, now: Moment) {
        if self.batch.is_empty() {
            return;
        }
        let batch = Bytes::from(self.stream.take(std::mem::take(&mut self.batch)));
        self.last_output = Some(now);
        self.unseen_since.get_or_insert(now);
        self.face.note_output(now);
        self.desk.note_output();
        if self.is_flooding(batch.len(), now) && self.in_step {
            self.skims_since.get_or_insert(now);
            self.tap.lose(Reason::Flood, now);
        }
        if self.in_step {
            for watcher in &self.watchers {
                watcher.viewer.push(&batch);
            }
        }
        self.passed_on = batch;
    }

    /// Takes in what was passed on: the model follows it, and what it says is heard.
    /// Returns what the hub should know of it.
    pub fn digest(&mut self, now: Moment) -> Vec<Fact> {
        let batch = std::mem::take(&mut self.passed_on);
        if batch.is_empty() {
            return Vec::new();
        }
        if let (false, Some(early)) = (self.in_step, &mut self.early) {
            early.advance(&batch);
        }
        if self.in_step {
            self.tap.output(&batch, now);
            let left_alternate = self.screen.as_mut().is_some_and(|screen| {
                let was_alternate = screen.is_alternate();
                match self.skims_since {
                    Some(_) => screen.skim(&batch),
                    None => screen.advance(&batch),
                }
                // tmux tells of a new title too, but only when it is asked.
                if let Some(title) = screen.take_title() {
                    self.title = title.chars().filter(|c| !c.is_control()).take(200).collect();
                }
                was_alternate && !screen.is_alternate()
            });
            if !self.watchers.is_empty() {
                let sure = !left_alternate && !is_doubtful(&batch);
                self.doubt = self.doubt.max(if sure { Doubt::Slight } else { Doubt::Grave });
            }
        }
        let mut facts = self.ears.hear(&batch, now);
        facts.extend(self.eyes.overhear(&batch, now));
        let told = self.output_told.is_some_and(|at| now.0 - at.0 < TELL_OUTPUT_MS);
        if !told {
            self.output_told = Some(now);
            facts.push(Fact::Output { at: now });
        }
        if self.screen.as_mut().is_some_and(Screen::take_bell) {
            facts.push(Fact::Bell { at: now });
        }
        facts
    }

    /// Shows the courier the screen, once it is known.
    pub fn show_to_courier(&mut self, now: Moment) {
        if let Some(sight) = sight(&self.screen, self.knows_screen(), &self.title, self.last_output)
        {
            self.desk.show(sight, now);
        }
    }

    /// Answers a look of the courier's.
    pub fn look_from_desk(&mut self, answer: (u64, Facts), now: Moment) {
        let sight = sight(&self.screen, self.knows_screen(), &self.title, self.last_output);
        self.desk.looked(sight, answer, now);
    }

    /// When something is to be done although it prints nothing.
    pub fn tend_at(&self) -> Option<Moment> {
        let times = [
            self.settle_at(),
            self.look_at(),
            self.ears.due(),
            self.desk.due(),
            self.rests_until,
            self.answering.as_ref().and_then(PendingAnswer::due),
        ];
        times.into_iter().flatten().min()
    }

    /// When the screen should be looked at for what it shows.
    pub fn look_at(&self) -> Option<Moment> {
        let since = self.unseen_since.filter(|_| self.knows_screen() && self.eyes.read_it())?;
        let Some(last) = self.last_output else { return Some(since) };
        let moving = (since.0 + RESTLESS_MS).max(last.0 + FRAME_MS).min(since.0 + 2 * RESTLESS_MS);
        Some(Moment(moving.min(last.0 + STILL_MS)))
    }

    /// Looks at the screen if it is time.
    pub fn look(&mut self, now: Moment) -> Vec<Fact> {
        if self.look_at().is_none_or(|at| now < at) {
            return Vec::new();
        }
        self.unseen_since = None;
        let Some(rows) = self.screen.as_mut().map(Screen::read) else { return Vec::new() };
        let mut facts = self.ears.look(rows, now);
        // When it fell silent is known now.
        let last = self.last_output.filter(|last| now.0 - last.0 >= STILL_MS);
        facts.extend(self.eyes.look(rows, &self.title, last.is_some(), now));
        if last > self.output_told {
            self.output_told = last;
            facts.extend(last.map(|at| Fact::Output { at }));
        }
        facts
    }

    /// Whether its program takes framed pastes, if that is news and it is at rest:
    /// line prompts ask for it anew with each line.
    pub fn take_frames_news(&mut self, now: Moment) -> Option<bool> {
        let is_still = self.last_output.is_none_or(|last| now.0 - last.0 >= STILL_MS);
        let screen = self.screen.as_ref().filter(|_| self.knows_screen() && is_still)?;
        let frames = screen.wants_bracketed_paste();
        (std::mem::replace(&mut self.frames_told, frames) != frames).then_some(frames)
    }

    /// Whether its screen is known at this moment.
    pub fn knows_screen(&self) -> bool {
        self.in_step && self.skims_since.is_none()
    }

    /// The dialog that it shows at this moment, and since when; nothing if its
    /// screen isn't known for sure.
    pub fn dialog(&mut self, now: Moment) -> Option<(Box<Dialog>, Moment)> {
        let known = self.knows_screen();
        let screen = self.screen.as_mut().filter(|_| known)?;
        self.eyes.dialog(screen.read(), &self.title, now)
    }

    /// tmux tells what the terminal is called.
    pub fn set_title(&mut self, title: &str, now: Moment) {
        if self.title != title {
            self.title = title.to_owned();
            self.unseen_since.get_or_insert(now);
        }
    }

    pub fn is_watched(&self) -> bool {
        !self.watchers.is_empty()
    }

    /// Whether the pane prints more than a person could read.
    fn is_flooding(&mut self, bytes: usize, now: Moment) -> bool {
        if now.0 - self.second.0.0 >= 1000 {
            self.second = (now, 0);
        }
        self.second.1 += bytes;
        self.second.1 > FLOOD
    }

    /// Whether it printed more than that, and doesn't rest yet.
    pub fn overspends(&self) -> bool {
        self.second.1 > UNWATCHED && !self.is_watched() && self.rests_until.is_none()
    }

    /// Whether it printed something worth mentioning in this second, and doesn't
    /// rest: on a way that is too slow even this may be too much.
    pub fn spends(&self) -> bool {
        self.second.1 > WATCHED && self.rests_until.is_none()
    }

    /// Whether that was more than a screen or two.
    pub fn spends_much(&self) -> bool {
        self.second.1 > 4 * WATCHED && self.rests_until.is_none()
    }

    /// tmux sends nothing of it until then.
    pub fn rest_until(&mut self, then: Moment) {
        self.second.1 = 0;
        self.rests_until = Some(then);
    }

    /// tmux sends what it prints again.
    pub fn end_rest(&mut self) {
        self.rests_until = None;
        self.slowed = false;
        self.sample = Sample::default();
    }

    /// Takes note of what it shows while it rests, and how long its scrollback is.
    pub fn note_sample(&mut self, shown: &[Vec<u8>], meta: &Meta, now: Moment) {
        if self.sample.shown.is_some() && now.0 - self.sample.at.0 < SAMPLE_MS {
            // Between two looks in a row even a flood prints little.
            return;
        }
        self.sample.at = now;
        let shown = Some(shown.to_vec()).filter(|_| self.rests_until.is_some());
        self.sample.still = shown.is_some() && self.sample.shown == shown;
        // A scrollback that is full is cut from time to time, and then shrinks.
        let grown = meta.history_size.checked_sub(self.sample.history);
        let little = grown.is_some_and(|lines| lines <= u32::from(meta.size.rows));
        self.sample.calm = shown.is_some() && self.sample.shown.is_some() && little;
        self.sample.history = meta.history_size;
        self.sample.shown = shown;
    }

    /// Whether it can be streamed again after a rest: it showed the same for all
    /// of it or, for someone who watches, it printed no more than a screen.
    pub fn is_still(&self) -> bool {
        self.sample.still || (self.slowed && self.sample.calm)
    }

    pub fn size(&self) -> Option<Size> {
        self.screen.as_ref().map(Screen::size)
    }

    /// Whether tmux may know more in a moment: it sees the end of a program's terminal
    /// before it hears of the program's. Who was ended by a signal never has an exit
    /// code, so it is asked only once more.
    pub fn is_ending(&mut self, dead: bool, code: Option<i32>) -> bool {
        let before = std::mem::replace(&mut self.ending, dead);
        dead && code.is_none() && !before
    }

    /// Its program has ended, or lives (again); tmux changes what it shows with
    /// that. Returns what of it is news.
    pub fn set_dead(&mut self, dead: bool, code: Option<i32>, now: Moment) -> Option<Fact> {
        if dead && !self.dead {
            self.tell_all(&TerminalMessage::Exited { exit_code: code });
            // tmux draws of its own accord then, and viewers don't hear of it.
            self.doubt = Doubt::Grave;
            self.last_output = Some(now);
        }
        self.dead = dead;
        let fact = if dead { Fact::Exited { code } } else { Fact::Running };
        (self.life_told.as_ref() != Some(&fact)).then(|| self.life_told.insert(fact).clone())
    }
}

/// What there is to see, if it is known. Not a method: the desk is borrowed beside it.
fn sight<'a>(
    screen: &'a Option<Screen>,
    known: bool,
    title: &'a str,
    last_output: Option<Moment>,
) -> Option<Sight<'a>> {
    let screen = screen.as_ref().filter(|_| known)?;
    Some(Sight { screen, title, since: last_output.unwrap_or_default() })
}

#[cfg(test)]
#[path = "pane_tests.rs"]
mod tests;
