//! Messages, as far as everyone sees them: those that wait, and their receipts.

use std::sync::Arc;

use super::{Effects, Fleet, Save, Session, Urgency, What};
use crate::courier;
use crate::courier::message::Message;
use crate::courier::receipt::{Doubt, Failure, Receipt, Stamp};
use crate::evidence::Evidence;
use crate::ids::SessionId;
use crate::time::Moment;

impl Fleet {
    pub(super) fn post(
        &mut self,
        id: SessionId,
        message: Message,
        refused: Option<Failure>,
    ) -> Effects {
        let Some(session) = self.sessions.get_mut(&id) else { return Effects::default() };
        let (number, at) = (message.id, message.created_at);
        let queued = Stamp { message: number, receipt: Receipt::Queued, at };
        let mut stamps = vec![queued.clone()];
        match refused {
            None => Arc::make_mut(session).mail.push(queued),
            Some(why) => {
                stamps.push(Stamp { message: number, receipt: Receipt::Failed(why), at });
            }
        }
        let mut save = vec![
            Save::Session(session.clone()),
            Save::Message(id.clone(), message, stamps.clone()),
        ];
        for stamp in stamps {
            save.push(self.record(&id, at, What::Message { stamp }));
        }
        Effects::now(save)
    }

    pub(super) fn deliver(
        &mut self,
        id: SessionId,
        delivery: Box<courier::Save>,
        now: Moment,
    ) -> Effects {
        let Some(session) = self.sessions.get_mut(&id) else { return Effects::default() };
        let mail = &mut Arc::make_mut(session).mail;
        for stamp in &delivery.receipts {
            match mail.iter_mut().find(|known| known.message == stamp.message) {
                Some(known) => *known = stamp.clone(),
                None => mail.push(stamp.clone()),
            }
        }
        mail.retain(|stamp| !stamp.receipt.is_final());
        let tell = if delivery.receipts.is_empty() { Urgency::Nothing } else { Urgency::Now };
        let is_submitted = |stamp: &Stamp| stamp.receipt == Receipt::Submitted;
        let submitted = delivery.receipts.iter().any(is_submitted).then_some(Evidence::Delivered);
        let weighed = self.weigh(&id, submitted, now, now);
        let mut save: Vec<Save> = self.session_save(&id).into_iter().collect();
        for stamp in delivery.receipts.clone() {
            save.push(self.record(&id, stamp.at, What::Message { stamp }));
        }
        save.push(Save::Delivery(id, delivery));
        Effects { save, tell, ..Effects::default() }.and(weighed)
    }

    /// A session goes, and its messages with it: whoever waits for the fate of one
    /// finds it in the history, which stays.
    pub(super) fn give_up_mail(&mut self, session: &Session, now: Moment) -> Vec<Save> {
        let last = |stamp: &Stamp| {
            let receipt = match stamp.receipt {
                Receipt::Queued | Receipt::Held(_) | Receipt::Overdue(_) => {
                    Receipt::Failed(Failure::Gone)
                }
                _ => Receipt::Indeterminate(Doubt::Ended),
            };
            Stamp { message: stamp.message, receipt, at: now }
        };
        let stamps: Vec<Stamp> = session.mail.iter().map(last).collect();
        let records = stamps.into_iter().map(|stamp| What::Message { stamp });
        records.map(|what| self.record(&session.id, now, what)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Event;
    use super::super::tests::fleet;
    use super::*;
    use crate::courier::message::{MessageId, Sender};
    use crate::courier::receipt::Hold;

    #[test]
    fn a_session_that_goes_tells_what_became_of_its_messages() {
        let id = SessionId::new("proj-001-aaaa").unwrap();
        let mut fleet = fleet(&[("proj-001-aaaa", None)]);
        let receipts = [
            (None, Some(Receipt::Failed(Failure::Gone))),
            (Some(Receipt::Held(Hold::Dialog)), Some(Receipt::Failed(Failure::Gone))),
            (Some(Receipt::Submitted), Some(Receipt::Indeterminate(Doubt::Ended))),
            (Some(Receipt::Failed(Failure::Expired)), None),
        ];
        for (number, (receipt, _)) in (1..).zip(&receipts) {
            let message = Message::new(MessageId(number), Sender::Human, "words", Moment(1));
            let session = id.clone();
            fleet.apply(Event::Posted { session, message, refused: None }, Moment(1));
            let stamps = receipt.iter().map(|receipt| Stamp {
                message: MessageId(number),
                receipt: receipt.clone(),
                at: Moment(2),
            });
            let save = courier::Save { receipts: stamps.collect(), ..courier::Save::default() };
            let (session, save) = (id.clone(), Box::new(save));
            fleet.apply(Event::Delivered { session, save }, Moment(2));
        }
        let told: Vec<(i64, Receipt)> = fleet
            .apply(Event::SessionDisposed(id), Moment(9))
            .save
            .into_iter()
            .filter_map(|save| match save {
                Save::Entry(entry) => match entry.what {
                    What::Message { stamp } => Some((stamp.message.0, stamp.receipt)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let expected = (1..).zip(receipts).filter_map(|(n, (_, last))| Some((n, last?)));
        assert_eq!(told, expected.collect::<Vec<_>>());
    }
}
