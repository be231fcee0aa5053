//! What panes that have printed show besides their screens: the program in front, the
//! title, and whether the program has ended. A subscription would have tmux work that
//! out for every pane each second, which costs it more than everything else when a
//! thousand of them are silent. tmux asks the kernel for each program, and serves
//! nobody meanwhile, so few are asked for at once.

use schmux_core::fleet::Fact;
use schmux_core::ids::PaneId;
use schmux_core::time::Moment;
use schmux_core::tmux::Command;

use super::{Purpose, Rooms};
use crate::host::structure::{FACE_FORMAT, Face, parse_face};

/// So many at once take tmux 0.2 ms, and that at most this often is enough for all
/// panes of a server in a second.
const AT_ONCE: usize = 8;
const PAUSE_MS: i64 = 100;

impl Rooms {
    /// When to ask, because a pane's may have changed.
    pub(super) fn faces_at(&mut self) -> Option<Moment> {
        let at = self.panes.next_face().filter(|_| self.down.is_none())?;
        Some(self.faces_asked.map_or(at, |asked| at.max(Moment(asked.0 + PAUSE_MS))))
    }

    pub(super) fn ask_faces(&mut self) {
        if self.faces_at().is_none_or(|at| self.now < at) {
            return;
        }
        self.faces_asked = Some(self.now);
        let due: Vec<PaneId> = self.panes.faces_due(self.now).take(AT_ONCE).collect();
        for id in due {
            if let Some(pane) = self.panes.get_mut(&id) {
                pane.face_asked(self.now);
            }
            let face = Command::new("display-message").arg("-p").opt("-t", id.to_string());
            self.ask(face.arg(FACE_FORMAT), Purpose::Face(id));
        }
    }

    pub(super) fn face_told(&mut self, id: PaneId, body: &[u8]) {
        let (Some(room), Some(face)) = (self.panes.get_mut(&id), parse_face(body)) else {
            return;
        };
        let Face { dead, status, front, mut title } = face;
        if self.hosts.contains(&title) {
            title.clear();
        }
        room.set_title(&title, self.now);
        self.facts.push((room.session.clone(), Fact::Title(title)));
        if room.set_front(&front) {
            room.tell_desk_facts();
            self.facts.push((room.session.clone(), Fact::Front(front)));
        }
        self.set_dead(id, dead, status);
    }
}
