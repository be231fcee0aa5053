//! Keys by tmux's names, as people write them: what is none is refused, because tmux
//! would type it as text into an agent.

use schmux_core::tmux::key;

use crate::http::error::Failure;
use crate::nearest::nearest;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no key `{word}`")]
pub struct UnknownKey {
    pub word: String,
    near: Vec<String>,
}

impl UnknownKey {
    /// What to do about it, where `by` is how text is typed.
    pub fn advice(&self, by: &str) -> String {
        let meant = match self.near.as_slice() {
            [] => String::new(),
            near => format!("did you mean {}? ", near.join(" or ")),
        };
        format!("{meant}Text is typed with {by}")
    }
}

/// Says which of these is no key, if one is none.
pub fn check(keys: &[String]) -> Result<(), UnknownKey> {
    match keys.iter().find(|word| !key::is_key(word)) {
        Some(word) => Err(UnknownKey { word: word.clone(), near: near(word) }),
        None => Ok(()),
    }
}

fn near(word: &str) -> Vec<String> {
    if let Some(meant) = key::meant(word) {
        return vec![meant];
    }
    let Some((modifiers, bare)) = key::split(word) else { return Vec::new() };
    nearest(bare, key::NAMES).into_iter().take(1).map(|name| format!("{modifiers}{name}")).collect()
}

impl From<UnknownKey> for Failure {
    fn from(error: UnknownKey) -> Failure {
        Failure::unprocessable("unknown_key", error.to_string()).advice(error.advice("`text`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_no_key_is_refused_with_what_was_meant() {
        for (word, meant) in [
            ("Entr", "did you mean Enter? Text is typed with --text"),
            ("C-Entr", "did you mean C-Enter?"),
            ("Esc", "did you mean Escape?"),
            ("Return", "did you mean Enter?"),
            ("Ctrl-C", "did you mean C-c?"),
            ("go on", "Text is typed with --text"),
        ] {
            let error = check(&["Up".into(), word.into()]).unwrap_err();
            assert_eq!(error.to_string(), format!("there is no key `{word}`"));
            let advice = error.advice("--text");
            assert!(advice.starts_with(meant), "{advice}");
        }
        check(&["Up".into(), "y".into(), "C-c".into()]).unwrap();
    }
}
