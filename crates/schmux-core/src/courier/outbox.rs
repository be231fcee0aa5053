//! The messages that wait for one session, in the order in which they go.
//!
//! The first one blocks the others: an agent must not hear the second before
//! the first. The one that is being delivered stays first until its fate is known.

use super::field::Field;
use super::message::{Message, MessageId};
use super::receipt::Hold;
use crate::time::Moment;

#[derive(Debug, Clone, Default)]
pub struct Outbox {
    entries: Vec<Entry>,
    /// Messages whose time has not come. They don't keep others waiting.
    later: Vec<Message>,
}

/// A message that waits, and why.
#[derive(Debug, Clone)]
pub struct Entry {
    pub message: Message,
    pub hold: Option<Hold>,
    /// How often it was tried.
    pub tries: u32,
    /// When it may be tried again.
    pub not_before: Moment,
    /// The field that it couldn't be delivered over; no use trying the
    /// same again before that time.
    pub(super) seen: Option<(Field, Moment)>,
    pub(super) reminded: bool,
}

/// Waits between tries that failed, in ms: soon at first, because most causes
/// pass in seconds, and never more than a minute, because messages should
/// arrive in seconds.
const BACK_OFF: [i64; 5] = [1_000, 2_000, 5_000, 15_000, 60_000];

impl Outbox {
    /// Puts a message where its turn is, behind the one under way, which is the first.
    pub fn push(&mut self, message: Message, under_way: Option<MessageId>) {
        if self.contains(message.id) {
            return;
        }
        let not_before = message.created_at;
        let entry =
            Entry { message, hold: None, tries: 0, not_before, seen: None, reminded: false };
        self.insert(entry, under_way);
    }

    fn insert(&mut self, entry: Entry, under_way: Option<MessageId>) {
        let key = |entry: &Entry| (Some(entry.message.id) != under_way, entry.message.turn());
        let own = key(&entry);
        let behind = self.entries.iter().position(|other| key(other) > own);
        self.entries.insert(behind.unwrap_or(self.entries.len()), entry);
    }

    /// Puts a message back in front, where it was taken from.
    pub(super) fn put_back(&mut self, message: Message) {
        let not_before = message.created_at;
        let entry =
            Entry { message, hold: None, tries: 0, not_before, seen: None, reminded: false };
        self.entries.insert(0, entry);
    }

    /// Keeps a message until its time has come; false if it has.
    pub fn defer(&mut self, message: &Message, now: Moment) -> bool {
        let is_later = message.not_before.is_some_and(|at| at > now);
        if is_later && !self.contains(message.id) {
            self.later.push(message.clone());
        }
        is_later
    }

    /// Takes in the messages whose time has come.
    pub fn ripen(&mut self, now: Moment, under_way: Option<MessageId>) {
        let is_ripe = |message: &mut Message| message.not_before.is_none_or(|at| at <= now);
        let ripe: Vec<Message> = self.later.extract_if(.., is_ripe).collect();
        for message in ripe {
            self.push(message, under_way);
        }
    }

    /// When the next of them comes.
    pub fn next_ripe(&self) -> Option<Moment> {
        self.later.iter().filter_map(|message| message.not_before).min()
    }

    fn contains(&self, id: MessageId) -> bool {
        self.all().any(|message| message.id == id)
    }

    fn all(&self) -> impl Iterator<Item = &Message> {
        self.entries.iter().map(|entry| &entry.message).chain(&self.later)
    }

    pub fn first(&self) -> Option<&Entry> {
        self.entries.first()
    }

    pub(super) fn first_mut(&mut self) -> Option<&mut Entry> {
        self.entries.first_mut()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The human was told of this one before a restart.
    pub(super) fn note_reminded(&mut self, id: MessageId) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.message.id == id) {
            entry.reminded = true;
        }
    }

    /// Takes a message out; false if it isn't here.
    pub fn remove(&mut self, id: MessageId) -> bool {
        let was_there = self.contains(id);
        self.entries.retain(|entry| entry.message.id != id);
        self.later.retain(|message| message.id != id);
        was_there
    }

    /// Forgets what a message waits for; it is tried with the next event.
    pub fn hasten(&mut self, id: MessageId, now: Moment) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.message.id == id) {
            entry.not_before = now;
            entry.seen = None;
        }
        if let Some(message) = self.later.iter_mut().find(|message| message.id == id) {
            message.not_before = None;
        }
    }

    /// What failed until now says nothing of the next try of the first one.
    pub(super) fn begin_anew(&mut self, now: Moment) {
        if let Some(entry) = self.entries.first_mut() {
            entry.tries = 0;
            entry.not_before = entry.not_before.min(now);
        }
    }

    /// Moves a message to the front, behind the one under way.
    pub fn promote(&mut self, id: MessageId, under_way: Option<MessageId>, now: Moment) {
        let Some(from) = self.entries.iter().position(|entry| entry.message.id == id) else {
            return;
        };
        self.entries[from].message.promoted_at = Some(now);
        if Some(id) != under_way {
            let entry = self.entries.remove(from);
            self.insert(entry, under_way);
        }
    }

    /// Takes out what has expired, except the one under way.
    pub fn expire(&mut self, now: Moment, under_way: Option<MessageId>) -> Vec<MessageId> {
        let over = |message: &Message| {
            message.expires_at.is_some_and(|at| at <= now) && Some(message.id) != under_way
        };
        let gone: Vec<MessageId> = self.all().filter(|m| over(m)).map(|m| m.id).collect();
        for id in &gone {
            self.remove(*id);
        }
        gone
    }

    /// When the next message expires.
    pub fn next_expiry(&self) -> Option<Moment> {
        self.all().filter_map(|message| message.expires_at).min()
    }
}

impl Entry {
    /// A try has failed; the next one comes later.
    pub(super) fn back_off(&mut self, now: Moment) {
        let step = usize::try_from(self.tries).unwrap_or(usize::MAX).min(BACK_OFF.len() - 1);
        self.tries += 1;
        self.not_before = Moment(now.0 + BACK_OFF[step]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::Sender;
    use super::*;

    fn message(id: i64, urgent: bool, expires_at: Option<i64>) -> Message {
        let text = format!("m{id}");
        Message {
            urgent,
            expires_at: expires_at.map(Moment),
            ..Message::new(MessageId(id), Sender::Human, text, Moment(0))
        }
    }

    fn order(outbox: &Outbox) -> Vec<i64> {
        outbox.iter().map(|entry| entry.message.id.0).collect()
    }

    #[test]
    fn the_order_is_kept_but_for_urgent_ones() {
        let mut outbox = Outbox::default();
        let under_way = Some(MessageId(1));
        for (id, urgent) in [(1, false), (2, false), (3, true), (4, true), (2, false), (5, false)] {
            outbox.push(message(id, urgent, None), under_way);
        }
        assert_eq!(order(&outbox), [1, 3, 4, 2, 5]);
        outbox.promote(MessageId(5), under_way, Moment(1));
        assert_eq!(order(&outbox), [1, 5, 3, 4, 2]);
        outbox.promote(MessageId(4), under_way, Moment(2));
        outbox.promote(MessageId(1), under_way, Moment(3));
        assert_eq!(order(&outbox), [1, 4, 5, 3, 2]);
        // What was put first stays before an urgent one that comes later.
        outbox.push(message(6, true, None), under_way);
        assert_eq!(order(&outbox), [1, 4, 5, 3, 6, 2]);
        for under_way in [under_way, Some(MessageId(2))] {
            let mut again = Outbox::default();
            for id in [3, 6, 1, 2, 5, 4] {
                let entry = outbox.iter().find(|entry| entry.message.id == MessageId(id)).unwrap();
                again.push(entry.message.clone(), under_way);
            }
            let mut expected = order(&outbox);
            expected.sort_by_key(|id| Some(MessageId(*id)) != under_way);
            assert_eq!(order(&again), expected, "after a restart");
        }
        assert!(outbox.remove(MessageId(5)) && !outbox.remove(MessageId(5)));
        assert_eq!(order(&outbox), [1, 4, 3, 6, 2]);
    }

    #[test]
    fn what_is_under_way_does_not_expire() {
        let mut outbox = Outbox::default();
        for (id, at) in [(1, Some(10)), (2, Some(10)), (3, None), (4, Some(20))] {
            outbox.push(message(id, false, at), None);
        }
        assert_eq!(outbox.next_expiry(), Some(Moment(10)));
        assert_eq!(outbox.expire(Moment(10), Some(MessageId(1))), [MessageId(2)]);
        assert_eq!(order(&outbox), [1, 3, 4]);
    }

    #[test]
    fn what_comes_later_keeps_nobody_waiting() {
        let mut outbox = Outbox::default();
        let later = |id, at| Message { not_before: Some(Moment(at)), ..message(id, false, None) };
        for (message, expected) in
            [(later(1, 50), true), (later(2, 10), false), (later(3, 90), true)]
        {
            assert_eq!(outbox.defer(&message, Moment(10)), expected);
        }
        outbox.push(message(4, false, None), None);
        assert_eq!((order(&outbox), outbox.next_ripe()), (vec![4], Some(Moment(50))));
        outbox.ripen(Moment(50), None);
        assert_eq!(order(&outbox), [1, 4]);
        outbox.hasten(MessageId(3), Moment(51));
        outbox.ripen(Moment(51), None);
        assert_eq!((order(&outbox), outbox.next_ripe()), (vec![1, 3, 4], None));
    }

    #[test]
    fn waits_grow_to_a_minute() {
        let mut outbox = Outbox::default();
        outbox.push(message(1, false, None), None);
        let entry = outbox.first_mut().unwrap();
        let waits: Vec<i64> = (0..7)
            .map(|_| {
                entry.back_off(Moment(0));
                entry.not_before.0 / 1000
            })
            .collect();
        assert_eq!(waits, [1, 2, 5, 15, 60, 60, 60]);
    }
}
