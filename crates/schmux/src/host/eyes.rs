//! Reads a pane's screen for what it shows: a dialog, work, a field; and hears what
//! its agent tells the terminal of itself. Does no IO.
//!
//! A screen is read when it has changed and is still, and a few times a second
//! while it moves; what is seen is told when it is news, when it has come to rest,
//! and each second while the pane prints, because "it still works" is evidence too.

use std::sync::Arc;

use schmux_core::fleet::Fact;
use schmux_core::reading::{Dialog, Reader, Reading, Sight};
use schmux_core::screen::Rows;
use schmux_core::signal::aside::Asides;
use schmux_core::time::Moment;

/// The same sight is told again after this long: the engine counts in seconds.
const TELL_AGAIN_MS: i64 = 1000;

pub(super) struct Eyes {
    reader: Arc<Reader>,
    /// Only where the agent is known to say something so: others cost nothing.
    asides: Option<Asides>,
    /// Nobody listened to them for a time, and its screen has not been read since.
    unheard: bool,
    /// What was told last, and when.
    told: Option<(Reading, Moment)>,
    /// The dialog that is open, by its fingerprint, and since when it is seen.
    open: Option<(u64, Moment)>,
}

impl Eyes {
    /// Of a pane that was just made.
    pub fn new(reader: Arc<Reader>) -> Eyes {
        let asides = reader.osc().map(Asides::new);
        Eyes { reader, asides, unheard: false, told: None, open: None }
    }

    /// Of a pane that was there before.
    pub fn that_missed_something(reader: Arc<Reader>) -> Eyes {
        let mut eyes = Eyes::new(reader);
        eyes.lose_thread();
        eyes
    }

    /// Whether this screen is read at all.
    pub fn read_it(&self) -> bool {
        self.reader.reads
    }

    /// Takes output in any chunks, for what the agent says aside.
    pub fn overhear(&mut self, bytes: &[u8], now: Moment) -> Vec<Fact> {
        let Some(asides) = &mut self.asides else { return Vec::new() };
        let said = asides.hear(bytes).into_iter();
        let said = said.filter_map(|words| self.reader.aside(&words));
        said.map(|says| Fact::Aside { says, at: now }).collect()
    }

    /// The stream can't be followed from here on.
    pub fn lose_thread(&mut self) {
        self.asides = self.reader.osc().map(Asides::new);
        self.unheard = self.asides.is_some();
    }

    /// Reads what a screen shows: the fact, if there is news. One that has printed and
    /// is still again is told in any case: when it was read counts as much as what it
    /// shows, since an agent may have told in between that it works.
    pub fn look(&mut self, rows: &Rows, title: &str, still: bool, now: Moment) -> Option<Fact> {
        let reading = self.read(rows, title, now);
        let is_news = self
            .told
            .as_ref()
            .is_none_or(|(told, at)| now.0 - at.0 >= TELL_AGAIN_MS || !is_same(told, &reading));
        if !is_news && !still && !self.unheard {
            return None;
        }
        self.told = Some((reading.clone(), now));
        let unheard = std::mem::take(&mut self.unheard);
        Some(Fact::Screen { reading: Box::new(reading), at: now, unheard })
    }

    /// The dialog on a screen at this moment, and since when it is there.
    pub fn dialog(
        &mut self,
        rows: &Rows,
        title: &str,
        now: Moment,
    ) -> Option<(Box<Dialog>, Moment)> {
        let reading = self.read(rows, title, now);
        match reading.sight {
            Sight::Dialog(dialog) => Some((dialog, self.open.map_or(now, |(_, since)| since))),
            _ => None,
        }
    }

    fn read(&mut self, rows: &Rows, title: &str, now: Moment) -> Reading {
        let reading = self.reader.read(rows, title);
        self.open = match (&reading.sight, self.open) {
            (Sight::Dialog(seen), Some((open, since))) if seen.fingerprint == open => {
                Some((open, since))
            }
            (Sight::Dialog(seen), _) => Some((seen.fingerprint, now)),
            _ => None,
        };
        reading
    }
}

/// Whether two readings say the same of the state: the words of a spinner may differ.
fn is_same(told: &Reading, seen: &Reading) -> bool {
    let sights = match (&told.sight, &seen.sight) {
        (Sight::Working(_), Sight::Working(_)) => true,
        (told, seen) => told == seen,
    };
    sights && (told.confidence, told.title) == (seen.confidence, seen.title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use schmux_core::reading::Library;
    use schmux_core::screen::{Screen, Size};

    fn screen(text: &str) -> Rows {
        let mut screen = Screen::new(Size { cols: 40, rows: 8 });
        screen.advance(text.replace('\n', "\r\n").as_bytes());
        Rows::read(&screen)
    }

    const ASKS: &str = "\x1b[?25l\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n esc to close";

    fn sight(fact: Option<Fact>) -> Option<&'static str> {
        match fact? {
            Fact::Screen { reading, .. } => Some(reading.sight.name()),
            _ => None,
        }
    }

    #[test]
    fn news_are_told_at_once_and_the_rest_each_second() {
        let mut eyes = Eyes::new(Library::embedded().reader("demo"));
        let blank = screen("");
        let mut look = |rows: &Rows, at| sight(eyes.look(rows, "", false, Moment(at)));
        assert_eq!(look(&blank, 0), Some("unknown"));
        assert_eq!(look(&blank, 400), None);
        assert_eq!(look(&blank, 1000), Some("unknown"));
        assert_eq!(look(&screen(ASKS), 1100), Some("dialog"));
        assert_eq!(look(&screen(ASKS), 1200), None);
        assert_eq!(sight(eyes.look(&screen(ASKS), "", true, Moment(1300))), Some("dialog"));
    }

    #[test]
    fn the_same_words_again_are_another_dialog() {
        let mut eyes = Eyes::new(Library::embedded().reader("demo"));
        let asks = screen(ASKS);
        let mut since =
            |rows: &Rows, at| eyes.dialog(rows, "", Moment(at)).map(|(_, since)| since.0);
        assert_eq!(since(&asks, 10), Some(10));
        assert_eq!(since(&asks, 20), Some(10));
        assert_eq!(since(&screen(""), 30), None);
        assert_eq!(since(&asks, 40), Some(40));
    }
}
