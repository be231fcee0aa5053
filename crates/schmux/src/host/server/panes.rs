//! The panes of a server, and which of them is to be tended next.
//!
//! **Invariant:** whoever may change a pane goes through here, so its times are
//! always those of the pane itself, and nobody has to ask all panes for them after
//! every piece of output.

use std::collections::{BTreeMap, BTreeSet};

use schmux_core::ids::PaneId;
use schmux_core::time::Moment;

use crate::host::pane::Pane;

#[derive(Default)]
pub(super) struct Panes {
    all: BTreeMap<PaneId, Pane>,
    /// Panes whose times may have changed.
    touched: Vec<PaneId>,
    tending: Agenda,
    faces: Agenda,
}

impl Panes {
    pub fn get(&self, id: &PaneId) -> Option<&Pane> {
        self.all.get(id)
    }

    pub fn get_mut(&mut self, id: &PaneId) -> Option<&mut Pane> {
        let pane = self.all.get_mut(id)?;
        if self.touched.last() != Some(id) {
            self.touched.push(*id);
        }
        Some(pane)
    }

    pub fn contains(&self, id: &PaneId) -> bool {
        self.all.contains_key(id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Pane> {
        self.all.values()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Pane> {
        self.catch_up();
        self.touched.extend(self.all.keys());
        self.all.values_mut()
    }

    pub fn insert(&mut self, pane: Pane) {
        self.touched.push(pane.id);
        self.all.insert(pane.id, pane);
    }

    pub fn remove(&mut self, id: &PaneId) -> Option<Pane> {
        self.touched.push(*id);
        self.all.remove(id)
    }

    /// When the next pane is to be tended.
    pub fn next_tending(&mut self) -> Option<Moment> {
        self.catch_up();
        self.tending.first()
    }

    /// When tmux is to be asked for the face of the next pane.
    pub fn next_face(&mut self) -> Option<Moment> {
        self.catch_up();
        self.faces.first()
    }

    /// The panes whose face is to be asked for, the longest due first.
    pub fn faces_due(&mut self, now: Moment) -> impl Iterator<Item = PaneId> {
        self.catch_up();
        self.faces.due(now)
    }

    fn catch_up(&mut self) {
        for id in self.touched.drain(..) {
            let pane = self.all.get(&id);
            self.tending.set(id, pane.and_then(Pane::tend_at));
            self.faces.set(id, pane.and_then(Pane::face_at));
        }
    }
}

/// What is due when.
#[derive(Default)]
struct Agenda {
    times: BTreeMap<PaneId, Moment>,
    order: BTreeSet<(Moment, PaneId)>,
}

impl Agenda {
    fn set(&mut self, id: PaneId, time: Option<Moment>) {
        let before = match time {
            Some(time) => self.times.insert(id, time),
            None => self.times.remove(&id),
        };
        if before != time {
            before.map(|before| self.order.remove(&(before, id)));
            self.order.extend(time.map(|time| (time, id)));
        }
    }

    fn first(&self) -> Option<Moment> {
        self.order.first().map(|(time, _)| *time)
    }

    fn due(&self, now: Moment) -> impl Iterator<Item = PaneId> {
        self.order.iter().take_while(move |(time, _)| *time <= now).map(|(_, id)| *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agenda_has_each_pane_once_and_in_order() {
        let [one, two] = [1, 2].map(PaneId);
        let mut agenda = Agenda::default();
        assert_eq!(agenda.first(), None);
        agenda.set(one, Some(Moment(30)));
        agenda.set(two, Some(Moment(20)));
        assert_eq!(agenda.first(), Some(Moment(20)));
        agenda.set(one, Some(Moment(10)));
        assert_eq!(agenda.due(Moment(20)).collect::<Vec<_>>(), [one, two]);
        assert_eq!(agenda.due(Moment(19)).collect::<Vec<_>>(), [one]);
        agenda.set(one, None);
        agenda.set(one, None);
        assert_eq!(agenda.due(Moment(99)).collect::<Vec<_>>(), [two]);
    }
}
