//! Takes a draft out of a field by keys, line by line: for agents whose field no
//! editor opens.
//!
//! Each line is marked by a sentinel that no text contains, so that what is read
//! is what is in the field and not what stands beside it. One key at a time, and
//! the screen must show what it did before the next. A draft that the screen
//! doesn't show whole and without doubt is not touched. Whatever goes wrong, the
//! lines that were taken go back where they were: the whole draft is on disk.

use super::adapter::Adapter;
use super::delivery::{Stage, Then};
use super::event::Kept;
use super::field::{Field, Mode};
use super::message::MessageId;
use super::receipt::Hold;
use super::sight::essence;
use super::{Courier, Effect, attempt::Step, timing};
use crate::time::Moment;

/// A field on its way to another content.
#[derive(Debug, Clone)]
pub(super) struct Clearing {
    /// What the human had.
    original: Vec<String>,
    /// What the field should show after the last move, but for the sentinel.
    lines: Vec<String>,
    /// The cursor's line.
    at: usize,
    /// The sentinel stands before it.
    marked: bool,
    spot: Spot,
    last: Move,
    /// The lines go back, instead of away.
    back: bool,
    /// What can't go back, for the human to fetch.
    keep: Option<String>,
}

/// Where the cursor should be in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    Start,
    AfterMark,
    /// Right behind its last character: a blank that nobody sees is a doubt.
    End,
    Anywhere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    ToEnd,
    ToStart,
    Mark,
    Kill,
    JoinUp,
    JoinDown,
    /// Pastes what was taken.
    Give,
}

/// The draft of a field, line by line, if it is to be seen whole.
pub(super) fn read(field: &Field, adapter: &Adapter) -> Option<Vec<String>> {
    let keys = adapter.lines.as_ref()?;
    let several = field.rows.len() > 1;
    if field.mode != Mode::Text || (several && !(keys.multiline && field.framed)) {
        return None;
    }
    let mut lines = field.rows.clone();
    if field.ends_at_cursor() {
        let before = field.before_cursor();
        lines[field.cursor.0] = before.rsplit('\n').next().unwrap_or_default().to_owned();
    }
    lines.iter().all(|line| is_plain(line, field, adapter)).then_some(lines)
}

/// A line that is drawn as it is: not wrapped (with room for the sentinel), no
/// stand-in, and no character that terminals draw in ways of their own.
fn is_plain(line: &str, field: &Field, adapter: &Adapter) -> bool {
    let solid: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let stand_ins = adapter.placeholders.iter().chain(&adapter.images);
    line.chars().count() + TOKEN + 2 <= usize::from(field.width)
        && essence(line) == solid
        && solid.is_ascii()
        && !stand_ins.into_iter().any(|prefix| line.contains(prefix.as_str()))
}

/// How many characters a sentinel has.
const TOKEN: usize = 6;

/// A sentinel: `§XXXX§`, another one for each delivery.
pub(super) fn token(message: MessageId, now: Moment) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    // Fibonacci hashing spreads neighbouring numbers over all 20 bits.
    let mut bits = (message.0 as u64 ^ (now.0 as u64) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut token = String::from("§");
    for _ in 0..4 {
        token.push(char::from(LETTERS[(bits >> 59) as usize]));
        bits <<= 5;
    }
    token + "§"
}

impl Clearing {
    fn new(lines: Vec<String>, at: usize) -> Clearing {
        Clearing {
            original: lines.clone(),
            lines,
            at,
            marked: false,
            spot: Spot::Anywhere,
            last: Move::ToEnd,
            back: false,
            keep: None,
        }
    }

    /// How to take the sentinel out of a line that someone else has typed into.
    fn cleanse(draft: &str, field: &Field, token: &str) -> Option<Clearing> {
        let at = field.cursor.0;
        let clean = field.rows[at].replacen(token, "", 1);
        let lines = field.rows.clone();
        if clean == lines[at] {
            return None;
        }
        let mut original = lines.clone();
        original[at] = clean;
        let keep = (!original.join("\n").contains(draft)).then(|| draft.to_owned());
        let (marked, spot, last, back) = (false, Spot::Anywhere, Move::Mark, true);
        Some(Clearing { original, lines, at, marked, spot, last, back, keep })
    }

    /// How to put back what is missing from a field, if it is what we took.
    fn undo(original: Vec<String>, field: &Field, token: &str) -> Option<Clearing> {
        let at = field.cursor.0;
        let below = &field.rows[at + 1..];
        let fits = at + below.len() < original.len()
            && same_lines(&field.rows[..at], &original[..at])
            && same_lines(below, &original[original.len() - below.len()..]);
        let mut lines = field.rows.clone();
        let marked = lines[at].starts_with(token);
        if marked {
            lines[at].drain(..token.len());
        }
        // The rest of the line is a line that was there, whole.
        let known =
            lines[at].is_empty() || original.iter().any(|line| line.trim_end() == lines[at]);
        let last = if lines[at].is_empty() && !marked { Move::Kill } else { Move::Mark };
        let spot = Spot::Anywhere;
        let (back, keep) = (true, None);
        (fits && known).then_some(Clearing { original, lines, at, marked, spot, last, back, keep })
    }

    /// What comes after the last move; `None` when the field is as it should be.
    fn next(&self) -> Option<Move> {
        let line_done = match (self.at, self.lines.len()) {
            (1.., _) => Some(Move::JoinUp),
            (0, 2..) => Some(Move::JoinDown),
            _ => None,
        };
        let empty = self.lines[self.at].is_empty();
        match self.last {
            Move::Give => None,
            Move::Kill if self.back => Some(Move::Give),
            Move::Kill => line_done,
            Move::JoinUp | Move::JoinDown | Move::ToEnd if empty && !self.marked => line_done,
            Move::JoinDown => Some(Move::ToEnd),
            Move::ToEnd | Move::JoinUp | Move::Mark => Some(Move::ToStart),
            Move::ToStart if self.marked || self.back => Some(Move::Kill),
            Move::ToStart => Some(Move::Mark),
        }
    }

    /// Notes what a move will have done.
    fn foresee(&mut self, next: Move) {
        self.last = next;
        self.spot = match next {
            Move::ToEnd | Move::JoinUp => Spot::End,
            Move::ToStart | Move::Kill | Move::JoinDown => Spot::Start,
            Move::Mark => Spot::AfterMark,
            Move::Give => Spot::Anywhere,
        };
        match next {
            Move::Mark => self.marked = true,
            Move::Kill => {
                self.lines[self.at].clear();
                self.marked = false;
            }
            Move::JoinUp => {
                self.lines.remove(self.at);
                self.at -= 1;
            }
            Move::JoinDown => drop(self.lines.remove(self.at)),
            Move::Give => self.lines.clone_from(&self.original),
            Move::ToEnd | Move::ToStart => {}
        }
    }

    /// Whether the field shows what it should.
    fn is_shown(&self, field: &Field, token: &str) -> bool {
        let mut lines = self.lines.clone();
        if self.marked {
            lines[self.at].insert_str(0, token);
        }
        let before = field.before_cursor();
        let before = before.rsplit('\n').next().unwrap_or_default();
        let (row, col) = field.cursor;
        let at_spot = match self.spot {
            Spot::Anywhere => true,
            Spot::Start => row == self.at && col == 0,
            Spot::AfterMark => row == self.at && before == token,
            Spot::End => row == self.at && field.ends_at_cursor() && before == lines[self.at],
        };
        at_spot && field.mode == Mode::Text && same_lines(&field.rows, &lines)
    }

    /// The lines that are missing, to be pasted where the cursor is.
    fn missing(&self) -> String {
        let below = self.lines.len() - self.at - 1;
        self.original[self.at..self.original.len() - below].join("\n")
    }
}

/// Whether rows show these lines; blanks at their ends and empty lines at the
/// end of all aren't seen.
fn same_lines(rows: &[String], lines: &[String]) -> bool {
    let shown = |lines: &[String]| {
        let trimmed: Vec<String> = lines.iter().map(|line| line.trim_end().to_owned()).collect();
        let end = trimmed.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        trimmed[..end].to_vec()
    };
    shown(rows) == shown(lines)
}

impl Courier {
    /// The first key: to the end of the cursor's line, which changes nothing.
    pub(super) fn begin_clearing(&mut self) {
        let Some(field) = &self.scene.field else { return };
        let at = field.cursor.0;
        let Some(lines) = read(field, &self.adapter) else { return };
        let Some(delivery) = &mut self.delivery else { return };
        delivery.clearing = Some(Clearing::new(lines, at));
        self.do_move(Move::ToEnd);
    }

    /// tmux has told its newest: the next key, if all is as it was.
    pub(super) fn make_move(&mut self) {
        let Some(delivery) = &mut self.delivery else { return };
        let Some(clearing) = &delivery.clearing else { return };
        let token = &delivery.attempt.sentinel;
        let field = self.scene.field.as_ref();
        let fit = self.scene.barred().is_none()
            && self.gate.is_some()
            && field.is_some_and(|field| clearing.is_shown(field, token));
        match clearing.next().filter(|_| fit) {
            Some(Move::Give) if delivery.attempt.given.is_none() => {
                self.note_given(Then::BeforeMove);
            }
            Some(next) => self.do_move(next),
            None => {
                // Nothing was pasted since that was noted.
                delivery.attempt.given = None;
                self.give_up_clearing();
            }
        }
    }

    fn do_move(&mut self, next: Move) {
        let now = self.now;
        if let Some(delivery) = &mut self.delivery {
            delivery.moved = Some(now);
        }
        let Some(keys) = &self.adapter.lines else { return };
        let Some(delivery) = &mut self.delivery else { return };
        let Some(clearing) = &mut delivery.clearing else { return };
        let press = |key: &super::adapter::Key| Effect::Press(vec![key.as_str().to_owned()]);
        self.effects.push(match next {
            Move::ToEnd => press(&keys.end),
            Move::ToStart => press(&keys.start),
            Move::Kill | Move::JoinDown => press(&keys.kill),
            Move::JoinUp => press(&keys.join),
            Move::Mark => Effect::Type(delivery.attempt.sentinel.clone()),
            Move::Give => Effect::Paste(clearing.missing()),
        });
        clearing.foresee(next);
        delivery.stage = Stage::Clearing { since: self.now };
    }

    /// The screen must show what the last key did.
    pub(super) fn await_cleared(&mut self, since: Moment) -> bool {
        let Some(delivery) = &mut self.delivery else { return false };
        let Some(clearing) = &delivery.clearing else { return false };
        let token = &delivery.attempt.sentinel;
        let shown = self.scene.field.as_ref().is_some_and(|field| clearing.is_shown(field, token));
        if shown && clearing.next().is_some() {
            self.look(Then::Move);
            return true;
        }
        if shown {
            let back = clearing.back;
            let kept = clearing.keep.clone().map(|draft| Kept { draft, at: self.now });
            delivery.clearing = None;
            match back {
                true => self.close(vec![], kept.into_iter().collect()),
                false => {
                    delivery.attempt.step = Step::Pasting;
                    self.store_then(vec![], vec![], Then::Paste);
                }
            }
            return true;
        }
        let late = Moment(since.0 + timing::ECHO);
        if self.now >= late || self.budget_over() {
            self.give_up_clearing();
            return true;
        }
        self.wake_at(late);
        self.wake_at_budget();
        false
    }

    fn give_up_clearing(&mut self) {
        self.remember_draft();
        let Some(delivery) = &mut self.delivery else { return };
        delivery.then_hold.get_or_insert(Hold::Draft);
        delivery.clearing = None;
        delivery.returns += 1;
        delivery.stage = Stage::Waiting;
        self.open_gate();
    }

    /// Puts back the lines that are missing, once the field is still. What isn't
    /// as we left it is the human's now, and the draft is kept for them.
    pub(super) fn put_back(&mut self) -> bool {
        /// The first try to clear, and two to put back.
        const TRIES: u8 = 4;
        if let Some((_, at)) = self.scene.obstacle(false, &self.adapter, self.now) {
            if let Some(at) = at {
                self.wake_at(at);
            }
            self.hold(Hold::OwesDraft);
            return false;
        }
        let moved = self.delivery.as_ref().and_then(|delivery| delivery.moved);
        let unread = moved.filter(|at| !self.scene.drawn_since(*at));
        if let Some(late) =
            unread.map(|at| Moment(at.0 + timing::STRAY)).filter(|at| self.now < *at)
        {
            // Our last key may still be on its way, and others' behind it: one
            // more would take away what they typed.
            self.wake_at(late);
            self.hold(Hold::OwesDraft);
            return false;
        }
        let Some(field) = &self.scene.field else { return false };
        let Some(delivery) = &mut self.delivery else { return false };
        delivery.then_hold.get_or_insert(Hold::Draft);
        let draft = delivery.attempt.draft.clone();
        let original: Vec<String> = draft.split('\n').map(str::to_owned).collect();
        if same_lines(&field.rows, &original) {
            self.close(vec![], vec![]);
            return true;
        }
        if delivery.attempt.given.is_some() {
            return self.await_given().unwrap_or(false);
        }
        let token = &delivery.attempt.sentinel;
        let clearing = Clearing::undo(original, field, token);
        match clearing.or_else(|| Clearing::cleanse(&draft, field, token)) {
            Some(clearing) if delivery.returns < TRIES => {
                delivery.clearing = Some(clearing);
                self.close_gate();
                self.look(Then::Move);
            }
            _ => self.close(vec![], vec![Kept { draft, at: self.now }]),
        }
        true
    }
}

#[cfg(test)]
#[path = "sentinel_tests.rs"]
mod tests;
