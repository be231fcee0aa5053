//! The line to an agent on another host, and how it breaks: some of what is on
//! the way then still comes through, one thing is lost, and of what comes after
//! that it is known that it went nowhere. Answers come from none of them.

use super::super::{Effect, Event};

#[derive(Default)]
pub struct Line {
    pub cut: bool,
    /// How many more things come through.
    under_way: i64,
    /// A ticket did not come through, so the key after it isn't pressed.
    unexpected: bool,
}

enum Fate {
    Through,
    Lost,
    Refused,
}

impl Line {
    pub fn breaks(&mut self, under_way: i64) {
        *self = Line { cut: true, under_way, unexpected: false };
    }

    /// What is heard of something that doesn't get there; `None` if it does.
    pub fn stops(&mut self, effect: &Effect) -> Option<Option<Event>> {
        let fate = match effect {
            Effect::Press(_) if std::mem::take(&mut self.unexpected) => Fate::Refused,
            Effect::Store(..) | Effect::Gate(_) | Effect::Remind(..) | Effect::Wake(_) => {
                Fate::Through
            }
            _ => self.carry(),
        };
        self.unexpected =
            matches!((effect, &fate), (Effect::Ticket(Some(_)), Fate::Lost | Fate::Refused));
        match (fate, effect) {
            (Fate::Through, _) => None,
            (Fate::Refused, Effect::Press(_) | Effect::Submit) => Some(Some(Event::Refused)),
            (Fate::Refused, Effect::Answer(call, _)) => {
                let (call, keys) = (*call, Vec::new());
                Some(Some(Event::EditorEnded { call, wrote: false, keys, kept: None }))
            }
            _ => Some(None),
        }
    }

    fn carry(&mut self) -> Fate {
        if !self.cut {
            return Fate::Through;
        }
        self.under_way -= 1;
        match self.under_way {
            0.. => Fate::Through,
            -1 => Fate::Lost,
            _ => Fate::Refused,
        }
    }
}
