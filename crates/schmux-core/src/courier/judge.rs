//! What a call of the editor means, and what the file should hold after it.
//!
//! The file is the exact content of the field, in order behind every key that
//! was sent before. So it tells without doubt whether Enter was taken, and what
//! the human had. Pure decisions on texts: nothing in here knows of screens,
//! timers or effects.

use super::adapter::{Adapter, Trims};
use super::attempt::{Attempt, Step};
use super::receipt::{Doubt, Hold};
use super::sight::essence;

/// What else is known when the editor calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Known {
    /// The agent said that it got the message.
    pub hooked: bool,
    /// The message stands in the conversation, where it did not before.
    pub mentioned: bool,
    /// So little time has passed that what else is in the field was typed
    /// behind the draft, by someone who believed that it was there.
    pub recent: bool,
    /// The gate is closed: nobody's keys come between this and the next key of ours.
    pub gated: bool,
}

/// What follows from a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The file holds the human's draft: keep it, write the message.
    Swap,
    /// Leave the file, and hold the message.
    Hold(Hold),
    /// The message is in the file after Enter. It may stand in the field, or the
    /// agent hands out what was there before Enter: Gemini CLI does so while it is
    /// busy, and then mistakes what it is given for the pastes of that time. So
    /// nothing but an empty file is safe, and the next call finds the field as it is.
    Empty,
    /// Enter was dropped, without doubt, and the field holds the message and nothing
    /// else: Enter is all that it lacks.
    PressAgain,
    /// The message's fate, and what becomes of the field.
    Settled(Fate, Mend),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Sent,
    Unsent(Hold),
    Unknown(Doubt),
}

/// How the field is brought back to what the human had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// It is right as it is.
    Leave,
    Write(String),
    /// It is the human's now; the draft is kept elsewhere.
    Keep,
}

/// Judges a call that was asked for, by the step that the attempt is at.
pub fn judge(attempt: &Attempt, adapter: &Adapter, known: Known, content: &str) -> Judgement {
    let Attempt { text, draft, .. } = attempt;
    // A draft may have the message's words in it.
    let place = match Place::of(content, text) {
        Place::Among { .. } if draft.contains(text.trim_end()) && goes_on(content, draft) => {
            Place::Gone
        }
        place => place,
    };
    let case = Case { attempt, known, content, place };
    if let Some(judged) = case.half_back(adapter) {
        return judged;
    }
    match attempt.step {
        Step::Calling => take(content, adapter),
        Step::Pasting | Step::Swapping | Step::Clearing => case.unsent(),
        Step::Submitting => case.submitting(adapter),
        Step::Restoring => case.restoring(),
    }
}

/// Whether a draft can be put away and come back byte for byte.
fn take(draft: &str, adapter: &Adapter) -> Judgement {
    if adapter.images.iter().any(|image| draft.contains(image.as_str())) {
        return Judgement::Hold(Hold::Image);
    }
    let trims = adapter.editor.as_ref().map_or(Trims::All, |editor| editor.trims);
    match split(draft, trims) {
        Some(_) => Judgement::Swap,
        None if draft.ends_with('\n') => Judgement::Hold(Hold::LineBreak),
        None => Judgement::Hold(Hold::Draft),
    }
}

/// Where the message is in a field.
enum Place<'a> {
    Gone,
    /// It is all there is, but for blanks that Enter or the agent may have added.
    Alone,
    Among {
        before: &'a str,
        after: &'a str,
    },
    /// It is in there, changed or cut by something else.
    Garbled,
}

impl<'a> Place<'a> {
    fn of(content: &'a str, text: &str) -> Place<'a> {
        if essence(content) == essence(text) {
            return Place::Alone;
        }
        if let Some(at) = content.find(text.trim_end()) {
            let after = &content[at + text.trim_end().len()..];
            return Place::Among { before: &content[..at], after };
        }
        // A few characters are found in any text.
        let solid = essence(text);
        let garbled = solid.chars().count() > 3 && essence(content).contains(&solid);
        if garbled { Place::Garbled } else { Place::Gone }
    }
}

struct Case<'a> {
    attempt: &'a Attempt,
    known: Known,
    content: &'a str,
    place: Place<'a>,
}

impl Case<'_> {
    /// We didn't press Enter. Someone else may have.
    fn unsent(&self) -> Judgement {
        let Attempt { draft, shown, step, .. } = self.attempt;
        let swapped = *step == Step::Swapping;
        let away = if *shown { Hold::NotTaken } else { Hold::NotShown };
        let (fate, mend) = match &self.place {
            Place::Alone => (Fate::Unsent(away), Mend::Write(draft.clone())),
            Place::Among { before, after } => {
                (Fate::Unsent(Hold::Mixed), self.unmix(before, after))
            }
            Place::Garbled => (Fate::Unknown(Doubt::Changed), Mend::Keep),
            // We took it out ourselves, and then heard nothing of it.
            Place::Gone if self.attempt.emptied => {
                let is_back = self.goes_on_from_draft() || same_end(self.content, draft);
                let mend = if is_back { Mend::Leave } else { self.append() };
                (Fate::Unsent(Hold::NotTaken), mend)
            }
            Place::Gone if same_end(self.content, draft) && swapped && !draft.is_empty() => {
                (Fate::Unsent(away), Mend::Leave)
            }
            // The file was never written, and someone typed on.
            Place::Gone if self.goes_on_from_draft() && swapped && !shown => {
                (Fate::Unsent(away), Mend::Leave)
            }
            Place::Gone if self.goes_on_from_draft() => {
                (Fate::Unknown(Doubt::Changed), Mend::Leave)
            }
            Place::Gone if !swapped && !shown => (Fate::Unsent(away), Mend::Leave),
            Place::Gone if !swapped => (Fate::Unknown(Doubt::Changed), Mend::Leave),
            Place::Gone => (Fate::Unknown(Doubt::Changed), self.append()),
        };
        Judgement::Settled(self.informed(fate), mend)
    }

    /// Enter was pressed, or the daemon died when it was about to be.
    fn submitting(&self, adapter: &Adapter) -> Judgement {
        let draft = &self.attempt.draft;
        let (fate, mend) = match &self.place {
            Place::Alone if self.was_dropped(adapter) => return Judgement::PressAgain,
            Place::Alone => return Judgement::Empty,
            Place::Among { before, after } => {
                (Fate::Unsent(Hold::Mixed), self.unmix(before, after))
            }
            Place::Garbled => (Fate::Unknown(Doubt::Changed), Mend::Keep),
            // We emptied it ourselves, and its word is still to come.
            Place::Gone if self.is_emptied_unheard() => return Judgement::Empty,
            Place::Gone if self.content.is_empty() => (Fate::Sent, self.append()),
            Place::Gone if same_end(self.content, draft) || self.goes_on_from_draft() => {
                (Fate::Unknown(Doubt::Changed), Mend::Leave)
            }
            Place::Gone => (Fate::Unknown(Doubt::Changed), self.append()),
        };
        Judgement::Settled(self.informed(fate), mend)
    }

    /// The head of the draft went back by the file, and its end was not pasted
    /// behind it: the daemon was killed, or someone typed on before that.
    fn half_back(&self, adapter: &Adapter) -> Option<Judgement> {
        let Attempt { draft, step, given, .. } = self.attempt;
        let trims = adapter.editor.as_ref()?.trims;
        let (head, tail) = split(draft, trims).filter(|_| given.is_some())?;
        let typed = self.content.strip_prefix(head)?;
        if head.is_empty() || tail.is_empty() || !matches!(self.place, Place::Gone) {
            return None;
        }
        let (hold, mend) = match typed.strip_prefix(tail) {
            Some("") => (Hold::NotTaken, Mend::Leave),
            Some(_) => (Hold::Mixed, Mend::Leave),
            None if tail.starts_with(typed) => (Hold::NotTaken, Mend::Write(draft.clone())),
            None => (Hold::Mixed, Mend::Write(format!("{draft}{typed}"))),
        };
        let fate = match step {
            Step::Restoring => Fate::Sent,
            _ => self.informed(Fate::Unsent(hold)),
        };
        Some(Judgement::Settled(fate, mend))
    }

    /// The message is settled; only the draft matters.
    fn restoring(&self) -> Judgement {
        let draft = &self.attempt.draft;
        let mend = match &self.place {
            _ if self.content.is_empty() => self.append(),
            // What is left of the message has no business there.
            Place::Alone => return Judgement::Empty,
            _ if self.content.starts_with(draft.as_str()) && !draft.is_empty() => Mend::Leave,
            // It came back without the blanks at its end.
            _ if draft.starts_with(self.content) && !self.content.trim().is_empty() => {
                Mend::Write(draft.clone())
            }
            Place::Gone => self.append(),
            Place::Among { before, after } => self.unmix(before, after),
            Place::Garbled => Mend::Keep,
        };
        Judgement::Settled(Fate::Sent, mend)
    }

    /// Whether the one Enter that was pressed has been read, and did nothing.
    fn was_dropped(&self, adapter: &Adapter) -> bool {
        let Attempt { text, enters, emptied, cancelled, .. } = self.attempt;
        let Known { hooked, mentioned, gated, .. } = self.known;
        let current = adapter.editor.as_ref().is_some_and(|editor| editor.current);
        let untold = !hooked && !mentioned && !emptied && !cancelled;
        current && untold && gated && *enters == 1 && same_end(self.content, text)
    }

    fn is_emptied_unheard(&self) -> bool {
        let Known { hooked, mentioned, .. } = self.known;
        self.attempt.emptied && self.content.is_empty() && !hooked && !mentioned
    }

    /// Whether the draft stands in the field, with more behind it.
    fn goes_on_from_draft(&self) -> bool {
        goes_on(self.content, &self.attempt.draft)
    }

    /// What others know beats what the field suggests.
    fn informed(&self, fate: Fate) -> Fate {
        let gone = matches!(self.place, Place::Gone);
        match fate {
            _ if self.known.hooked || (gone && self.known.mentioned) => Fate::Sent,
            fate => fate,
        }
    }

    /// Puts the draft where the message was, among what was typed around it.
    fn unmix(&self, before: &str, after: &str) -> Mend {
        let typed = if after.trim().is_empty() { "" } else { after };
        Mend::Write(format!("{before}{}{typed}", self.attempt.draft))
    }

    /// Puts the draft before what was typed since, where that was meant to follow it.
    fn append(&self) -> Mend {
        let draft = &self.attempt.draft;
        match (draft.is_empty(), self.content.is_empty(), self.known.recent) {
            (true, _, _) => Mend::Leave,
            (false, true, _) => Mend::Write(draft.clone()),
            (false, false, true) => Mend::Write(format!("{draft}{}", self.content)),
            (false, false, false) => Mend::Keep,
        }
    }
}

fn goes_on(content: &str, draft: &str) -> bool {
    !draft.trim().is_empty() && content.starts_with(draft.trim_end())
}

/// Whether two texts differ by blanks at their ends only.
fn same_end(a: &str, b: &str) -> bool {
    a.trim_end() == b.trim_end()
}

/// Splits a draft into what goes back by the file and what must be pasted
/// behind it, because the agent would trim it. The pasted part is more than one
/// character (a paste of one could answer a dialog) and begins with a word
/// (a blank alone could be lost). `None`: it can't be put back byte for byte.
pub fn split(draft: &str, trims: Trims) -> Option<(&str, &str)> {
    /// Far below the length at which any agent hides a paste behind a stand-in.
    const LONGEST: usize = 200;
    let whole = Some((draft, ""));
    let end = &draft[draft.trim_end().len()..];
    match trims {
        Trims::Nothing => whole,
        _ if end.is_empty() => whole,
        // A pasted newline at the end is stripped, too.
        _ if end.contains('\n') => None,
        Trims::Newline => whole,
        Trims::All => {
            let word = draft.trim_end().rfind(char::is_whitespace).unwrap_or(0);
            let head = draft[..word].trim_end();
            let tail = &draft[head.len()..];
            (2..=LONGEST).contains(&tail.chars().count()).then_some((head, tail))
        }
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
