//! The user's own editor, as it would have been run without us.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::proc::{self, ProcError};

use super::super::print;

/// What is tried where the user has said nothing, as most programs do it.
const USUAL: [&str; 4] = ["vi", "vim", "nano", "editor"];

/// Becomes the user's editor; returns only if there is none.
pub(super) fn run(words: &[OsString]) -> ExitCode {
    let name = |key: &str| std::env::var(key).ok().filter(|value| !value.trim().is_empty());
    let chosen = name("SCHMUX_VISUAL").or_else(|| name("SCHMUX_EDITOR"));
    let refused = match &chosen {
        Some(editor) => proc::replace(&command(editor, words), &[]),
        None => usual(words),
    };
    print::to_stderr(&format!("schmux edit: {refused}. Set EDITOR to an editor of yours\n"));
    ExitCode::FAILURE
}

fn usual(words: &[OsString]) -> ProcError {
    let mut refused = None;
    for editor in USUAL {
        match proc::replace(&command(editor, words), &[]) {
            error @ ProcError::NotFound { .. } => refused = refused.or(Some(error)),
            error => return error,
        }
    }
    refused.unwrap_or(ProcError::NotFound { program: USUAL[0].to_owned() })
}

/// The variable may hold arguments and quotes, so the shell takes it apart; one
/// plain word needs none.
fn command(editor: &str, words: &[OsString]) -> Vec<OsString> {
    let words = suited(editor, words);
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if editor.chars().all(plain) {
        return [OsString::from(editor)].into_iter().chain(words.iter().cloned()).collect();
    }
    let shell = ["sh".into(), "-c".into(), format!("{editor} \"$@\"").into(), editor.into()];
    shell.into_iter().chain(words.iter().cloned()).collect()
}

/// Gemini CLI gives `-i NONE` to everything with `vi` in its path, which may be
/// our home's; only vi and its kin understand it.
fn suited<'a>(editor: &str, words: &'a [OsString]) -> &'a [OsString] {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let is_vi = program.rsplit('/').next().is_some_and(|name| name.contains("vi"));
    match words {
        [first, second, rest @ ..] if !is_vi && first == "-i" && second == "NONE" => rest,
        words => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_gets_what_it_would_have_got() {
        let check = |editor: &str, words: &[&str], expected: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(command(editor, &words), expected, "{editor} {words:?}");
        };
        check("vim", &["+3", "a b"], &["vim", "+3", "a b"]);
        check("code -w", &["f"], &["sh", "-c", "code -w \"$@\"", "code -w", "f"]);
        check("vim", &["-i", "NONE", "f"], &["vim", "-i", "NONE", "f"]);
        check("nano", &["-i", "NONE", "f"], &["nano", "f"]);
        check("/opt/david/nano", &["-i", "NONE", "f"], &["/opt/david/nano", "f"]);
    }
}
