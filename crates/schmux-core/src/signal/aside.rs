//! Asides: what an agent tells its terminal of its state, by an OSC sequence of
//! its own, beside its hooks and unseen on its screen.
//!
//! [`Asides`] cuts the words out of a pane's output. Which number an agent uses
//! and what its words mean is data (`reading/agents`); what follows from them is
//! for [`crate::fleet`] to say. Nothing is kept of it in a scrollback; what was said
//! while nobody listened is made out from the screen, there.

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};

const BEL: u8 = 0x07;
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;
const ESC: u8 = 0x1b;

/// The longest words that are waited for. Real ones have some fifty bytes; a
/// sequence that never ends must not keep a pane's output.
const LONGEST: usize = 1024;

/// What an agent says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aside {
    Working,
    /// It waits, and nobody has to be called for that.
    Idle,
    /// Its turn has ended.
    Done,
    /// It waits for an answer.
    Asking,
    Failed,
}

/// Listens to one pane's output for one kind of OSC sequence.
#[derive(Debug, Clone)]
pub struct Asides {
    /// `ESC ] NUMBER ;`
    head: Finder<'static>,
    /// The beginning of a sequence whose rest has not come yet.
    cut: Vec<u8>,
}

impl Asides {
    pub fn new(number: u16) -> Asides {
        let head = format!("\x1b]{number};");
        Asides { head: Finder::new(head.as_bytes()).into_owned(), cut: Vec::new() }
    }

    /// Takes output in any chunks; returns the words of every whole sequence in it.
    pub fn hear(&mut self, bytes: &[u8]) -> Vec<String> {
        if self.cut.is_empty() {
            return self.search(bytes);
        }
        let mut joined = std::mem::take(&mut self.cut);
        joined.extend_from_slice(bytes);
        self.search(&joined)
    }

    fn search(&mut self, mut rest: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        let head = self.head.needle().len();
        while let Some(at) = self.head.find(rest) {
            let words = &rest[at + head..];
            let end = words.iter().position(|b| matches!(*b, BEL | CANCEL | SUBSTITUTE | ESC));
            match end.map(|end| (end, &words[end..])) {
                Some((end, [BEL, ..] | [ESC, b'\\', ..])) if end <= LONGEST => {
                    found.push(String::from_utf8_lossy(&words[..end]).into_owned());
                    rest = &words[end + 1..];
                }
                None | Some((_, [ESC])) if words.len() <= LONGEST + 1 => {
                    self.cut = rest[at..].to_vec();
                    return found;
                }
                // Broken off, or too long to be one.
                _ => rest = words,
            }
        }
        // The stream may be cut within the head.
        let head = self.head.needle();
        let most = (head.len() - 1).min(rest.len());
        let kept = (1..=most).rev().find(|&n| rest.ends_with(&head[..n])).unwrap_or(0);
        self.cut = rest[rest.len() - kept..].to_vec();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_however_the_stream_is_cut() {
        let long = format!("\x1b]7501;{}\x07\x1b]7501;b\x07", "x".repeat(2 * LONGEST));
        for (stream, expected) in [
            ("plain\x1b[1m text\x1b]0;7501;title\x07", &[][..]),
            ("a\x1b]7501;state=idle:app=codex\x1b\\b", &["state=idle:app=codex"]),
            ("\x1b]7501;a\x07\x1b]7501;b\x1b\\\x1b]7501;\x07", &["a", "b", ""]),
            // Another number, a sequence that was broken off, and one within another's head.
            ("\x1b]75010;a\x07\x1b]7501;b\x18\x1b]7501;c\x1b[0m\x1b]7501;d\x07", &["d"]),
            ("\x1b]75\x1b]7501;a\x07\x1b", &["a"]),
            ("\x1b]7501;no end", &[]),
            (&long, &["b"]),
        ] {
            let whole = Asides::new(7501).hear(stream.as_bytes());
            assert_eq!(whole, expected, "{stream:?}");
            for at in 0..stream.len().min(200) {
                let mut asides = Asides::new(7501);
                let (a, b) = stream.as_bytes().split_at(at);
                let cut = [asides.hear(a), asides.hear(b)].concat();
                assert_eq!(cut, expected, "{stream:?} cut at {at}");
            }
            let mut asides = Asides::new(7501);
            let bytes = stream.as_bytes().chunks(1).flat_map(|byte| asides.hear(byte));
            assert_eq!(bytes.collect::<Vec<_>>(), expected, "{stream:?} byte by byte");
        }
    }

    #[test]
    fn a_sequence_without_end_is_given_up() {
        let mut asides = Asides::new(7501);
        asides.hear(b"\x1b]7501;");
        (0..10 * LONGEST).for_each(|_| drop(asides.hear(b"x")));
        assert!(asides.cut.len() <= LONGEST + 16, "{}", asides.cut.len());
        assert_eq!(asides.hear(b"\x07\x1b]7501;a\x07"), ["a"]);
    }
}
