//! Reads a model's answer: one JSON object, whatever stands around it.
//!
//! Models wrap it in fences, talk before it, and spell states in their own way.
//! What can't be understood is an error, never a guess.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use super::Opinion;
use crate::evidence::Confidence;
use crate::signal::State;
use crate::signal::text::clean_to;

/// What was wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerError {
    NoObject,
    NoState(String),
}

/// A summary is read at a glance, a quote is a few words.
const SUMMARY: usize = 200;
const QUOTE: usize = 120;
const QUOTES: usize = 5;

#[derive(Deserialize)]
struct Answer {
    state: String,
    #[serde(default)]
    confidence: Value,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    evidence: Value,
}

pub fn parse(text: &str) -> Result<Opinion, AnswerError> {
    let answer = objects(text).next().ok_or(AnswerError::NoObject)?;
    let state = state(&answer.state)
        .ok_or_else(|| AnswerError::NoState(clean_to(answer.state.as_bytes(), QUOTE)))?;
    let quotes = match &answer.evidence {
        Value::Array(quotes) => quotes.iter().filter_map(Value::as_str).collect(),
        Value::String(quote) => vec![quote.as_str()],
        _ => Vec::new(),
    };
    let evidence = quotes.iter().map(|quote| clean_to(quote.as_bytes(), QUOTE));
    Ok(Opinion {
        state,
        confidence: confidence(&answer.confidence),
        summary: clean_to(answer.summary.as_bytes(), SUMMARY),
        evidence: evidence.filter(|quote| !quote.is_empty()).take(QUOTES).collect(),
    })
}

/// How much of an answer is looked at. The object is a few lines long, and each
/// brace before it is tried.
const LONGEST: usize = 32 << 10;

/// The objects in a text that have a state.
fn objects(text: &str) -> impl Iterator<Item = Answer> {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let starts = text.match_indices('{').map(|(at, _)| at);
    starts.filter_map(|at| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Answer>();
        values.next()?.ok()
    })
}

/// By its name on the wire, or as people are shown it.
fn state(name: &str) -> Option<State> {
    let plain: String = name.trim().to_lowercase().replace([' ', '-'], "_");
    State::ALL.into_iter().find(|state| state.as_str() == plain).or(match plain.as_str() {
        "needs_authorization" | "waiting" | "blocked" | "question" => Some(State::NeedsInput),
        "needs_user_testing" | "ready_to_test" => Some(State::NeedsTesting),
        "done" | "complete" | "finished" => Some(State::Completed),
        "failed" => Some(State::Error),
        _ => None,
    })
}

/// A word, or a number from 0 to 1. What isn't said is low.
fn confidence(value: &Value) -> Confidence {
    match value {
        Value::String(word) => match word.trim().to_lowercase().as_str() {
            "high" => Confidence::High,
            "medium" => Confidence::Medium,
            _ => Confidence::Low,
        },
        Value::Number(number) => match number.as_f64() {
            Some(sure) if sure >= 0.8 => Confidence::High,
            Some(sure) if sure >= 0.5 => Confidence::Medium,
            _ => Confidence::Low,
        },
        _ => Confidence::Low,
    }
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::NoObject => f.write_str("the model answered without a JSON object"),
            AnswerError::NoState(name) => {
                write!(f, "the model answered with {name:?}, which is no state")
            }
        }
    }
}

impl std::error::Error for AnswerError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: Result<(State, Confidence, &str, usize), AnswerError>) {
        let found = parse(text);
        let found = found.as_ref().map(|opinion| {
            let Opinion { state, confidence, summary, evidence } = opinion;
            (*state, *confidence, summary.as_str(), evidence.len())
        });
        assert_eq!(found.map_err(Clone::clone), expected, "{text}");
    }

    #[test]
    fn answers_are_found_whatever_stands_around_them() {
        use Confidence::{High, Low, Medium};
        check(
            r#"{"state":"needs_input","confidence":"high","summary":"It asks.","evidence":["a?"]}"#,
            Ok((State::NeedsInput, High, "It asks.", 1)),
        );
        check(
            "Sure!\n```json\n{\"state\": \"Needs Authorization\", \"confidence\": 0.6}\n```\nBye {}",
            Ok((State::NeedsInput, Medium, "", 0)),
        );
        check(
            r#"{"thoughts": {"x": 1}} {"state":"Completed","summary":"a\nb\u001b[31m","evidence":"q"}"#,
            Ok((State::Completed, Low, "a b", 1)),
        );
        check("{\"state\":\"idle\"}", Err(AnswerError::NoState("idle".into())));
        check("no idea", Err(AnswerError::NoObject));
        check("{\"state\":", Err(AnswerError::NoObject));
        check("[{\"state\":\"error\"}]", Ok((State::Error, Low, "", 0)));
    }

    proptest! {
        #[test]
        fn no_answer_makes_it_panic(text in ".{0,200}", more in "[{}\":a-z, \\[\\]]{0,80}") {
            let _ = parse(&format!("{text}{more}"));
        }
    }
}
