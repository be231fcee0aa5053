//! Keys of the human's that an editor caught: they follow the draft.
//!
//! On a host they are kept by a name until we say that we have them, and are told
//! again when a connection broke before that. **Invariant:** keys of one name are
//! typed once at most, and given up there only when they are on disk here, or have
//! been released.

use std::collections::VecDeque;

use super::adapter::Editor;
use super::delivery::Stage;
use super::event::{CallId, Gate};
use super::{Courier, Effect, timing};
use crate::time::Moment;

/// How many names are remembered: keys are told again after a reconnect, and an
/// editor rarely catches any.
const REMEMBERED: usize = 64;

/// The most that one delivery keeps. A terminal's queue holds 4 kB, and a handful
/// of editors catch something; a host could tell of more.
const MOST_KEYS: usize = 64 << 10;
const MOST_NAMES: usize = 16;

#[derive(Default)]
pub(super) struct Caught {
    /// Names that are on their way to the disk, by the number of the write.
    storing: Vec<(u64, String)>,
    /// Names whose keys we have.
    taken: VecDeque<String>,
}

impl Caught {
    fn take(&mut self, name: String) {
        self.taken.push_back(name);
        if self.taken.len() > REMEMBERED {
            self.taken.pop_front();
        }
    }
}

impl Courier {
    /// The editor is about to exit. Keys that it caught follow the draft.
    pub(super) fn editor_ended(
        &mut self,
        call: CallId,
        wrote: bool,
        keys: &[u8],
        kept: Option<String>,
    ) {
        if kept.as_ref().is_some_and(|name| self.is_told_again(name)) {
            return;
        }
        let late = kept.is_some() && self.presses.was_answered_long_ago(self.now);
        self.presses.edits_until(Moment(self.now.0 + timing::BACK));
        let press = self.adapter.editor.as_ref().map(Editor::press).unwrap_or_default();
        let keys = self.presses.take_out(keys, &press, self.now);
        let Some(delivery) = &mut self.delivery else { return self.release(keys, kept, late) };
        if !wrote && delivery.call == Some(call) {
            // It could not write: the field is as it was.
            delivery.stage = Stage::Waiting;
            self.presses.wait(Moment(self.now.0 + timing::STRAY));
        }
        let attempt = &mut delivery.attempt;
        let is_full = attempt.keys.len() + keys.len() > MOST_KEYS;
        if keys.is_empty() || is_full || attempt.caught.len() >= MOST_NAMES {
            return;
        }
        attempt.keys.extend_from_slice(&keys);
        attempt.caught.extend(kept.clone());
        let seq = self.store(vec![], vec![]);
        self.caught.storing.extend(kept.map(|name| (seq, name)));
    }

    /// Nothing is under way: they are typed now, or shown to the human if they were
    /// meant for a field as it was long ago.
    fn release(&mut self, first: Vec<u8>, kept: Option<String>, late: bool) {
        let replay = self.scene.barred().is_none() && !late;
        let taken = kept.map(|name| {
            self.caught.take(name.clone());
            Effect::Taken(name)
        });
        let open = (!first.is_empty()).then_some(Effect::Gate(Gate::Open { first, replay }));
        // If all ends in between, they are shown twice rather than not at all, and
        // lost rather than typed twice.
        let effects = if replay { [taken, open] } else { [open, taken] };
        self.effects.extend(effects.into_iter().flatten());
    }

    /// Whether these were heard of before: then they are given up there once more.
    fn is_told_again(&mut self, name: &String) -> bool {
        if self.caught.taken.contains(name) {
            self.effects.push(Effect::Taken(name.clone()));
            return true;
        }
        let attempt = self.delivery.as_ref().map(|delivery| &delivery.attempt);
        let known = attempt.is_some_and(|attempt| attempt.caught.contains(name));
        if known {
            let seq = self.store(vec![], vec![]);
            self.caught.storing.push((seq, name.clone()));
        }
        known
    }

    /// What was caught is on disk.
    pub(super) fn caught_stored(&mut self, seq: u64) {
        let storing = std::mem::take(&mut self.caught.storing);
        for (number, name) in storing {
            // The disk answers in the order in which it was asked; what is left of
            // an earlier number was refused, and is in every later one.
            if number <= seq {
                self.caught.take(name.clone());
                self.effects.push(Effect::Taken(name));
            } else {
                self.caught.storing.push((number, name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::adapter::Adapter;
    use super::super::attempt::{Attempt, Path, Step};
    use super::super::delivery::Delivery;
    use super::super::message::{Message, MessageId, Sender};
    use super::super::{Event, Stored};
    use super::*;

    fn told(keys: &str) -> Event {
        let kept = Some("aa".to_owned());
        Event::EditorEnded { call: CallId(1), wrote: true, keys: keys.as_bytes().to_vec(), kept }
    }

    /// A message stands where the draft was, when a host comes back.
    fn interrupted(caught: &[&str], keys: &str) -> Courier {
        let words = Message::new(MessageId(1), Sender::Human, "words", Moment(0));
        let mut attempt = Delivery::new(&words, "words".into(), Path::Editor, Moment(0)).attempt;
        (attempt.step, attempt.draft) = (Step::Swapping, "draft".into());
        attempt.caught = caught.iter().map(|&name| name.to_owned()).collect();
        attempt.keys = keys.as_bytes().to_vec();
        let stored = Stored { waiting: vec![words], attempt: Some(attempt), ..Stored::default() };
        Courier::restore(Adapter::of(Some("claude")).clone(), stored, Moment(0))
    }

    /// The attempt that is stored by these, with its number.
    fn stored(effects: &[Effect]) -> Option<(u64, &Attempt)> {
        effects.iter().find_map(|effect| match effect {
            Effect::Store(seq, save) => Some((*seq, save.attempt.as_ref()?)),
            _ => None,
        })
    }

    fn takes(effects: &[Effect]) -> bool {
        effects.contains(&Effect::Taken("aa".into()))
    }

    #[test]
    fn keys_are_given_up_when_they_are_on_disk_and_are_kept_once() {
        for (mut courier, new) in [(interrupted(&[], ""), true), (interrupted(&["aa"], "k"), false)]
        {
            let effects = courier.handle(told("k"), Moment(10));
            let (seq, attempt) = stored(&effects).expect("it is stored");
            assert_eq!((&*attempt.keys, &*attempt.caught), (&b"k"[..], &["aa".to_owned()][..]));
            assert!(!takes(&effects), "new: {new}");
            assert!(takes(&courier.handle(Event::Stored(seq), Moment(20))));
            // The word that we have them was lost.
            let again = courier.handle(told("k"), Moment(30));
            assert!(takes(&again) && stored(&again).is_none(), "{again:?}");
        }
    }

    #[test]
    fn a_full_disk_leaves_them_where_they_are() {
        let mut courier = interrupted(&[], "");
        let effects = courier.handle(told("k"), Moment(10));
        let (seq, _) = stored(&effects).expect("it is stored");
        assert!(!takes(&courier.handle(Event::StoreFailed(seq), Moment(20))));
        // Told again they are tried again, and not doubled.
        let effects = courier.handle(told("k"), Moment(30));
        let (seq, attempt) = stored(&effects).expect("it is stored");
        assert_eq!(attempt.keys, b"k");
        assert!(takes(&courier.handle(Event::Stored(seq), Moment(40))));
    }

    #[test]
    fn keys_of_long_ago_are_shown_and_not_typed() {
        let mut courier = Courier::new(Adapter::of(Some("claude")).clone());
        let effects = courier.handle(told("k"), Moment(100_000));
        let shown = Effect::Gate(Gate::Open { first: b"k".to_vec(), replay: false });
        assert_eq!(effects[..2], [shown, Effect::Taken("aa".into())]);
        let again = courier.handle(told("k"), Moment(100_010));
        assert_eq!(again[..1], [Effect::Taken("aa".into())]);
    }
}
