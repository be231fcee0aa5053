//! Messages, as far as everyone sees them: those that wait, and their receipts.

use std::sync::Arc;

use super::{Effects, Fleet, Save, Urgency, What};
use crate::courier;
use crate::courier::message::Message;
use crate::courier::receipt::{Failure, Receipt, Stamp};
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
}
