//! What a pane shows besides its screen: which program is in front, and its title.
//! tmux has to ask the kernel for the program, so it is asked only when either may
//! have changed: a program that comes, goes or names itself prints.

use schmux_core::time::Moment;

use super::{Pane, STILL_MS};

/// A pane that prints without a pause waits this long for the question, and so long
/// for the next one.
const RESTLESS_MS: i64 = 1000;

#[derive(Debug, Default)]
pub(super) struct Face {
    /// The program in front, without blanks; none until tmux has told it.
    front: Option<String>,
    /// Since when it has printed after it was asked.
    printed_since: Option<Moment>,
    asked: Option<Moment>,
}

impl Face {
    pub(super) fn note_output(&mut self, now: Moment) {
        self.printed_since.get_or_insert(now);
    }

    /// Nothing is known of it any more.
    pub(super) fn forget(&mut self) {
        *self = Face::default();
    }

    fn due(&self, last_output: Option<Moment>) -> Option<Moment> {
        let next = self.asked.map_or(Moment::default(), |asked| Moment(asked.0 + RESTLESS_MS));
        if self.front.is_none() {
            return Some(next);
        }
        let since = self.printed_since?;
        let still = last_output.map_or(since.0, |last| last.0 + STILL_MS);
        Some(Moment(still.min(since.0 + RESTLESS_MS)).max(next))
    }
}

impl Pane {
    /// When tmux should be asked for it.
    pub fn face_at(&self) -> Option<Moment> {
        self.face.due(self.last_output).filter(|_| !self.dead)
    }

    /// tmux was asked.
    pub fn face_asked(&mut self, now: Moment) {
        self.face.printed_since = None;
        self.face.asked = Some(now);
    }

    pub fn front(&self) -> &str {
        self.face.front.as_deref().unwrap_or_default()
    }

    /// Whether it is news that this program is in front.
    pub fn set_front(&mut self, name: &str) -> bool {
        self.face.front.replace(name.to_owned()).as_deref() != Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_at_first_and_when_output_rests() {
        let mut face = Face::default();
        assert_eq!(face.due(None), Some(Moment(0)));
        face.front = Some("sh".into());
        assert_eq!(face.due(Some(Moment(900))), None);
        face.note_output(Moment(3000));
        face.note_output(Moment(3100));
        assert_eq!(face.due(Some(Moment(3100))), Some(Moment(3100 + STILL_MS)));
        assert_eq!(face.due(Some(Moment(9000))), Some(Moment(3000 + RESTLESS_MS)));
        face.asked = Some(Moment(2900));
        assert_eq!(face.due(Some(Moment(3100))), Some(Moment(2900 + RESTLESS_MS)));
    }
}
