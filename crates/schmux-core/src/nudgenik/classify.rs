//! What is made of an answer where no model may be asked: a few words that people
//! and agents end their turns with.
//!
//! It is honest: it says medium only where the words leave little doubt, low where
//! they hint, and nothing where they don't. It never says high.

use std::sync::LazyLock;

use regex::Regex;

use super::Opinion;
use super::extract::Extract;
use crate::evidence::Confidence;
use crate::signal::State;
use crate::signal::text::clean_to;

struct Words {
    state: State,
    confidence: Confidence,
    expression: Regex,
}

/// Asked in this order of each line, from the last line up: what is said last counts.
static WORDS: LazyLock<Vec<Words>> = LazyLock::new(|| {
    use Confidence::{Low, Medium};
    use State::{Completed, Error, NeedsInput, NeedsTesting};
    [
        (NeedsInput, Medium, r"(?i)\b(may|shall|should|can|could) (I|we)\b[^.]*\?"),
        (NeedsInput, Medium, r"(?i)\b(do|would|could|can|will) you (want|like|prefer|approve|confirm|clarify|tell|provide|share)\b[^.]*\?"),
        (NeedsInput, Medium, r"(?i)\b(which|what|how|where) (one|option|approach|of (these|the two)|would you|do you|should)\b[^.]*\?"),
        (NeedsInput, Medium, r"(?i)\b(please (confirm|choose|advise|clarify|provide|let me know|approve)|waiting for your (approval|answer|decision|confirmation|input)|let me know (which|how|if you)|I need (your|you to)|(requires?|needs?) (your )?(permission|approval|confirmation))\b"),
        (NeedsTesting, Medium, r"(?i)\b((please|you can( now)?) (test|try|verify|check) |ready (for (you|testing|review)|to (test|try|be tested))|give it a try|try it (out|now))"),
        (Error, Medium, r"(?i)(\b(API|authentication|connection|network|internal server) error\b|\brate limit(ed)?\b.*\b(reached|exceeded|hit)\b|\b(usage|session|weekly) limit\b.*\breached\b|\bI (could not|couldn't|was unable to|am unable to|can't) (complete|finish|continue|proceed|access)\b|^error: )"),
        (NeedsInput, Low, r"\?\s*$"),
        (Error, Low, r"(?i)\b(failed|fatal|panicked|traceback|aborted)\b"),
        (Completed, Low, r"(?i)\b(done|all (tests|checks) pass(ed)?|(is|are|has been|have been|was|were|I've|I have|successfully) (now )?(complete[d]?|finished|implemented|fixed|added|updated|created|removed|merged|committed|pushed)|completed|finished)\b"),
    ]
    .into_iter()
    .map(|(state, confidence, expression)| Words {
        state,
        confidence,
        expression: Regex::new(expression).expect("a test uses every expression"),
    })
    .collect()
});

/// How many lines from the end are looked at: what comes before is how it got there.
const LINES: usize = 12;

/// A summary is read at a glance.
const SUMMARY: usize = 200;

/// What an answer's words say, if they say anything.
pub fn classify(extract: &Extract) -> Option<Opinion> {
    let lines = extract.answer.lines().rev().filter(|line| !line.is_empty()).take(LINES);
    let mut weak: Option<Opinion> = None;
    for line in lines {
        let Some(words) = WORDS.iter().find(|words| words.expression.is_match(line)) else {
            continue;
        };
        let opinion = opinion(words, line);
        if words.confidence > Confidence::Low {
            return Some(opinion);
        }
        weak.get_or_insert(opinion);
    }
    weak
}

fn opinion(words: &Words, line: &str) -> Opinion {
    let text = clean_to(line.as_bytes(), SUMMARY);
    let (state, confidence) = (words.state, words.confidence);
    Opinion { state, confidence, summary: text.clone(), evidence: vec![text] }
}

#[cfg(test)]
mod tests {
    use super::super::extract::extract;
    use super::*;

    fn check(answer: &str, expected: Option<(State, Confidence)>) {
        let rows: Vec<&str> = answer.lines().collect();
        let found = classify(&extract(&rows)).map(|opinion| (opinion.state, opinion.confidence));
        assert_eq!(found, expected, "{answer}");
    }

    #[test]
    fn last_words_tell() {
        use Confidence::{Low, Medium};
        use State::{Completed, Error, NeedsInput, NeedsTesting};
        for (answer, expected) in [
            ("I found two ways.\nShould I use Postgres?", Some((NeedsInput, Medium))),
            ("Which approach do you prefer?\n1. a\n2. b", Some((NeedsInput, Medium))),
            ("Would you like me to continue?", Some((NeedsInput, Medium))),
            ("Deleting needs your approval.", Some((NeedsInput, Medium))),
            ("Fixed it.\nYou can now test the login page.", Some((NeedsTesting, Medium))),
            ("It is ready for testing.", Some((NeedsTesting, Medium))),
            ("API Error: 529 overloaded", Some((Error, Medium))),
            ("I couldn't complete the migration.", Some((Error, Medium))),
            ("Really?", Some((NeedsInput, Low))),
            ("2 tests failed", Some((Error, Low))),
            ("The login page has been fixed.", Some((Completed, Low))),
            ("All tests passed.", Some((Completed, Low))),
            // What comes last counts, unless it only hints.
            ("Should I go on?\nAll done.", Some((NeedsInput, Medium))),
            ("I see.", None),
            ("", None),
        ] {
            check(answer, expected);
        }
    }
}
