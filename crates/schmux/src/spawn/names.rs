//! What people call sessions: names that can be typed and told apart.

use crate::app::App;
use crate::http::error::Failure;

/// More doesn't fit into a list beside the rest.
const LONGEST: usize = 60;

/// A nickname for each session of a spawn, target by target: the name itself, with
/// the target where there are several, and a number where there are more of one.
pub fn each(name: Option<&str>, targets: &[&str], count: u32) -> Vec<Option<String>> {
    let of_target = |target: &str| match (name, targets) {
        (Some(name), [_]) => Some(name.to_owned()),
        (Some(name), _) => Some(format!("{name}-{target}")),
        (None, _) => None,
    };
    let numbered = |name: Option<String>, number| match count {
        1 => name,
        _ => name.map(|name| format!("{name}-{number}")),
    };
    let pairs = targets.iter().flat_map(|target| (1..=count).map(move |number| (target, number)));
    pairs.map(|(target, number)| numbered(of_target(target), number)).collect()
}

/// Whether new sessions may be called so: each can be read, and none is called so already.
pub fn check<'a>(app: &App, names: impl IntoIterator<Item = &'a String>) -> Result<(), Failure> {
    for name in names {
        if !is_readable(name) {
            let message = format!("{name:?} can't be a nickname");
            return Err(Failure::bad_request("bad_nickname", message).advice(
                "use 1 to 60 characters that can be seen, without blanks before or behind them",
            ));
        }
        if app.fleet.borrow().sessions().any(|session| session.nickname.as_ref() == Some(name)) {
            let message = format!("another session is called {name:?} already");
            return Err(Failure::conflict("nickname_taken", message)
                .advice("choose another nickname, or dispose that session"));
        }
    }
    Ok(())
}

fn is_readable(name: &str) -> bool {
    // They have no width or turn the direction, so that two names look the same. The
    // joiners (U+200C, U+200D) are part of scripts and emoji.
    let is_hidden = |c: char| {
        matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}')
    };
    let length = name.chars().count();
    (1..=LONGEST).contains(&length)
        && name.trim() == name
        && !name.chars().any(|c| c.is_control() || is_hidden(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_session_has_a_name_of_its_own() {
        let named = |targets: &[&str], count| {
            let names = each(Some("fix"), targets, count).into_iter();
            names.map(Option::unwrap).collect::<Vec<_>>()
        };
        assert_eq!(named(&["claude"], 1), ["fix"]);
        assert_eq!(named(&["claude"], 2), ["fix-1", "fix-2"]);
        assert_eq!(named(&["claude", "codex"], 1), ["fix-claude", "fix-codex"]);
        assert_eq!(
            named(&["claude", "codex"], 2),
            ["fix-claude-1", "fix-claude-2", "fix-codex-1", "fix-codex-2"]
        );
        assert_eq!(each(None, &["claude"], 2), [None, None]);
    }

    #[test]
    fn a_name_can_be_read() {
        for name in ["fixer", "ein Name", "修", "👩\u{200d}💻", &"é".repeat(60)] {
            assert!(is_readable(name), "{name:?}");
        }
        for name in ["", " ", "fixer ", "a\nb", "\u{200b}", "a\u{202e}b", &"é".repeat(61)] {
            assert!(!is_readable(name), "{name:?}");
        }
    }
}
