//! Listens to a pane's output for markers. Does no IO.
//!
//! Deaf at first, and whenever the stream was interrupted: then the scrollback
//! tells what was said meanwhile, and the stream is followed from there.

use schmux_core::fleet::Fact;
use schmux_core::screen::Rows;
use schmux_core::signal::Signal;
use schmux_core::signal::ledger::{Decision, Ledger};
use schmux_core::signal::marker::{Detector, Found, Marker, find_all};
use schmux_core::time::Moment;

pub(super) struct Ears {
    detector: Detector,
    ledger: Ledger,
    state: State,
    /// Nothing is known of this pane's past: it was the user's own until now.
    stranger: bool,
    /// The scrollback was heard before: what missed by a hair was told then.
    replayed: bool,
    /// The markers on the screen when it was last looked at, by their keys.
    shown: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Deaf,
    /// The scrollback was asked for.
    Asked,
    Listening,
}

impl Ears {
    pub fn new(ledger: Ledger, adopted: bool) -> Ears {
        let stranger = adopted && ledger == Ledger::default();
        Ears {
            detector: Detector::default(),
            ledger,
            state: State::Deaf,
            stranger,
            replayed: false,
            shown: Vec::new(),
        }
    }

    /// Whether the scrollback should be asked for now.
    pub fn wants_replay(&mut self) -> bool {
        let wants = self.state == State::Deaf;
        if wants {
            self.state = State::Asked;
        }
        wants
    }

    /// The stream can't be followed from here on.
    pub fn lose_thread(&mut self) {
        self.state = State::Deaf;
        self.detector = Detector::default();
    }

    /// The scrollback and the screen, up to this point of the stream.
    pub fn replay(&mut self, capture: &[u8], now: Moment) -> Vec<Fact> {
        if self.state != State::Asked {
            // The thread was lost again since it was asked for; another one is on its way.
            return Vec::new();
        }
        self.state = State::Listening;
        let is_first = !std::mem::replace(&mut self.replayed, true);
        let mut markers = Vec::new();
        let mut facts = Vec::new();
        for found in find_all(capture) {
            match found {
                Found::Marker(marker) => markers.push(Marker { redrawn: true, ..marker }),
                Found::NearMiss { line } if is_first => facts.push(Fact::NearMiss { line }),
                _ => {}
            }
        }
        // What it brings is no news on the screen.
        self.shown = markers.iter().map(Marker::key).collect();
        let mut news = self.ledger.replay(&markers, now);
        if std::mem::take(&mut self.stranger) {
            // Only how it stands now is news; what led there is past.
            news.drain(..news.len().saturating_sub(1));
        }
        facts.extend(self.facts(news.iter().map(Marker::signal).collect(), now));
        facts
    }

    /// Takes output in any chunks.
    pub fn hear(&mut self, bytes: &[u8], now: Moment) -> Vec<Fact> {
        if self.state != State::Listening {
            return Vec::new();
        }
        let found = self.detector.feed(bytes, now);
        if found.is_empty() { Vec::new() } else { self.sort_out(found, now) }
    }

    /// Looks at what a screen shows: a program that redraws in pieces writes no
    /// whole line, and what it wrote shows only there. What stood there before, and
    /// as often, is no news: a screen keeps what was said in earlier turns.
    pub fn look(&mut self, rows: &Rows, now: Moment) -> Vec<Fact> {
        if self.state != State::Listening {
            return Vec::new();
        }
        let markers = markers_on(rows);
        let before = std::mem::take(&mut self.shown);
        self.shown.extend(markers.iter().map(Marker::key));
        let count = |keys: &[u64], key| keys.iter().filter(|known| **known == key).count();
        let is_more = |marker: &Marker| {
            let key = marker.key();
            count(&self.shown, key) > count(&before, key)
        };
        let more = markers.into_iter().filter(is_more).map(Found::Marker).collect();
        self.sort_out(more, now)
    }

    /// Something was submitted to the agent, or it began to work.
    pub fn begin_turn(&mut self, now: Moment) {
        self.detector.begin_turn();
        self.ledger.begin_turn(now);
    }

    /// The pane was resized or attached anew: what comes now is painted again.
    pub fn expect_repaint(&mut self, now: Moment) {
        self.ledger.expect_repaint(now);
    }

    pub fn due(&self) -> Option<Moment> {
        [self.detector.flush_at(), self.ledger.due()].into_iter().flatten().min()
    }

    /// To be called when it is due.
    pub fn handle_time(&mut self, now: Moment) -> Vec<Fact> {
        let mut facts = Vec::new();
        if self.detector.should_flush(now) {
            let found = self.detector.flush();
            facts = self.sort_out(found, now);
        }
        if let Some(marker) = self.ledger.poll(now) {
            facts.extend(self.facts(vec![marker.signal()], now));
        }
        facts
    }

    fn sort_out(&mut self, found: Vec<Found>, now: Moment) -> Vec<Fact> {
        let mut signals = Vec::new();
        let mut facts = Vec::new();
        for found in found {
            match found {
                Found::Marker(marker) if self.ledger.found(&marker, now) == Decision::Tell => {
                    signals.push(marker.signal());
                }
                Found::Marker(_) => {}
                Found::NearMiss { line } => facts.push(Fact::NearMiss { line }),
                Found::Cleared => self.ledger.expect_repaint(now),
            }
        }
        facts.extend(self.facts(signals, now));
        facts
    }

    fn facts(&self, signals: Vec<Signal>, at: Moment) -> Vec<Fact> {
        if signals.is_empty() {
            return Vec::new();
        }
        vec![Fact::Markers { signals, ledger: Box::new(self.ledger.clone()), at }]
    }
}

fn markers_on(rows: &Rows) -> Vec<Marker> {
    let texts = || (0..rows.len()).map(|row| rows.text(row));
    if !texts().any(|row| row.contains("--<[")) {
        return Vec::new();
    }
    let found = find_all(texts().collect::<Vec<_>>().join("\n").as_bytes());
    let markers = found.into_iter().filter_map(|found| match found {
        Found::Marker(marker) => Some(Marker { redrawn: true, ..marker }),
        _ => None,
    });
    markers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use schmux_core::screen::{Screen, Size};

    fn said(facts: &[Fact]) -> Vec<String> {
        let signals = facts.iter().flat_map(|fact| match fact {
            Fact::Markers { signals, .. } => signals.clone(),
            _ => Vec::new(),
        });
        signals.map(|signal| format!("{} {}", signal.state, signal.message)).collect()
    }

    fn listening(scrollback: &str) -> Ears {
        let mut ears = Ears::new(Ledger::default(), false);
        assert!(ears.wants_replay());
        assert!(!ears.wants_replay());
        ears.replay(scrollback.as_bytes(), Moment(0));
        ears
    }

    #[test]
    fn what_is_said_while_deaf_comes_by_the_scrollback_once() {
        let mut ears = Ears::new(Ledger::default(), false);
        assert!(ears.wants_replay());
        let line = "--<[schmux:completed:one]>--\n";
        assert_eq!(ears.hear(line.as_bytes(), Moment(1)), []);
        assert_eq!(said(&ears.replay(line.as_bytes(), Moment(2))), ["completed one"]);
        ears.lose_thread();
        assert!(ears.wants_replay());
        let more = format!("{line}--<[schmux:error:two]>--\n");
        assert_eq!(said(&ears.replay(more.as_bytes(), Moment(3))), ["error two"]);
    }

    #[test]
    fn a_line_without_an_end_is_heard_after_a_while() {
        let mut ears = listening("");
        assert_eq!(ears.hear(b"--<[schmux:needs_input:ok?]>--", Moment(0)), []);
        assert_eq!(ears.due(), Some(Moment(500)));
        assert_eq!(said(&ears.handle_time(Moment(500))), ["needs_input ok?"]);
        assert_eq!(ears.due(), None);
    }

    #[test]
    fn of_a_stranger_only_the_last_word_is_news() {
        let mut ears = Ears::new(Ledger::default(), true);
        ears.wants_replay();
        let past = "--<[schmux:working:]>--\n--<[schmux:completed:x]>--\n";
        assert_eq!(said(&ears.replay(past.as_bytes(), Moment(1))), ["completed x"]);
    }

    #[test]
    fn a_screen_is_looked_at_without_telling_twice() {
        let mut ears = listening("");
        let mut screen = Screen::new(Size { cols: 40, rows: 4 });
        screen.advance(b"  --<[schmux:completed:a\r\n  b]>--");
        let rows = Rows::read(&screen);
        assert_eq!(said(&ears.look(&rows, Moment(10))), ["completed a b"]);
        assert_eq!(ears.look(&rows, Moment(20)), []);
        assert_eq!(ears.hear(b"--<[schmux:completed:a b]>--\r\n", Moment(30)), []);
    }

    #[test]
    fn what_a_screen_keeps_is_no_news_in_a_later_turn_and_the_same_words_are() {
        let line = "\x1b[4A\r--<[schmux:completed:one]>--\r\n";
        let mut ears = listening("");
        let mut screen = Screen::new(Size { cols: 40, rows: 6 });
        screen.advance(line.as_bytes());
        assert_eq!(said(&ears.hear(line.as_bytes(), Moment(0))), ["completed one"]);
        assert_eq!(ears.look(&Rows::read(&screen), Moment(200)), []);
        // The human answers; the agent is silent for a while, and then shows its work.
        ears.begin_turn(Moment(5_000));
        for at in [9_000, 9_500, 10_000] {
            screen.advance(b".");
            assert_eq!(ears.look(&Rows::read(&screen), Moment(at)), [], "{at}");
        }
        screen.advance(b"\r\n--<[schmux:completed:one]>--\r\n");
        assert_eq!(said(&ears.hear(line.as_bytes(), Moment(10_100))), ["completed one"]);
        assert_eq!(ears.look(&Rows::read(&screen), Moment(10_300)), []);
        // Where it is only seen, and not heard.
        ears.begin_turn(Moment(20_000));
        screen.advance(b"--<[schmux:completed:one]>--\r\n");
        assert_eq!(said(&ears.look(&Rows::read(&screen), Moment(23_000))), ["completed one"]);
    }

    #[test]
    fn what_a_screen_keeps_is_no_news_after_a_restart() {
        let turns = "--<[schmux:needs_input:Shall I?]>--\r\n--<[schmux:working:]>--\r\n";
        let mut screen = Screen::new(Size { cols: 20, rows: 6 });
        screen.advance(turns.as_bytes());
        let mut ears = listening("");
        ears.hear(turns.as_bytes(), Moment(0));
        ears.begin_turn(Moment(3_000));
        for at in [10_000, 20_000] {
            let ledger = ears.ledger.clone();
            ears = Ears::new(ledger, false);
            assert!(ears.wants_replay());
            assert_eq!(ears.replay(turns.as_bytes(), Moment(at)), []);
            assert_eq!(ears.look(&Rows::read(&screen), Moment(at + 300)), []);
            assert_eq!(ears.look(&Rows::read(&screen), Moment(at + 5_000)), []);
        }
        screen.advance(b"--<[schmux:completed:x]>--");
        assert_eq!(said(&ears.look(&Rows::read(&screen), Moment(30_000))), ["completed x"]);
    }

    #[test]
    fn near_misses_are_told_apart() {
        let mut ears = listening("");
        let facts = ears.hear(b"--<[schmux:done:x]>--\n", Moment(1));
        assert!(matches!(&facts[..], [Fact::NearMiss { .. }]), "{facts:?}");
    }
}
