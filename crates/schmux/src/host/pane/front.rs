//! Which program is in front of a pane. tmux has to ask the kernel for it, so it
//! is asked only when it may have changed: a program that comes or goes prints.

use schmux_core::time::Moment;

use super::{Pane, STILL_MS};

/// A pane that prints without a pause waits this long for the question, and so long
/// for the next one.
const RESTLESS_MS: i64 = 1000;

#[derive(Debug, Default)]
pub(super) struct Front {
    /// Its name, without blanks; none until tmux has told it.
    name: Option<String>,
    /// Since when it has printed after it was asked.
    printed_since: Option<Moment>,
    asked: Option<Moment>,
}

impl Front {
    pub(super) fn note_output(&mut self, now: Moment) {
        self.printed_since.get_or_insert(now);
    }

    /// Nothing is known of it any more.
    pub(super) fn forget(&mut self) {
        *self = Front::default();
    }

    fn due(&self, last_output: Option<Moment>) -> Option<Moment> {
        let next = self.asked.map_or(Moment::default(), |asked| Moment(asked.0 + RESTLESS_MS));
        if self.name.is_none() {
            return Some(next);
        }
        let since = self.printed_since?;
        let still = last_output.map_or(since.0, |last| last.0 + STILL_MS);
        Some(Moment(still.min(since.0 + RESTLESS_MS)).max(next))
    }
}

impl Pane {
    /// When tmux should be asked for the program in front.
    pub fn front_at(&self) -> Option<Moment> {
        self.front.due(self.last_output).filter(|_| !self.dead)
    }

    /// tmux was asked.
    pub fn front_asked(&mut self, now: Moment) {
        self.front.printed_since = None;
        self.front.asked = Some(now);
    }

    pub fn front(&self) -> &str {
        self.front.name.as_deref().unwrap_or_default()
    }

    /// Takes tmux's answer; whether it is news.
    pub fn set_front(&mut self, name: &str) -> bool {
        self.front.name.replace(name.to_owned()).as_deref() != Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_at_first_and_when_output_rests() {
        let mut front = Front::default();
        assert_eq!(front.due(None), Some(Moment(0)));
        front.name = Some("sh".into());
        assert_eq!(front.due(Some(Moment(900))), None);
        front.note_output(Moment(3000));
        front.note_output(Moment(3100));
        assert_eq!(front.due(Some(Moment(3100))), Some(Moment(3100 + STILL_MS)));
        assert_eq!(front.due(Some(Moment(9000))), Some(Moment(3000 + RESTLESS_MS)));
        front.asked = Some(Moment(2900));
        assert_eq!(front.due(Some(Moment(3100))), Some(Moment(2900 + RESTLESS_MS)));
    }
}
