//! A notification on the desktop, by the program that the system has for it.

use super::call::Call;

/// The command that shows it. Texts are arguments, never part of a script.
pub(super) fn command(call: &Call) -> Vec<String> {
    let words: Vec<&str> = if cfg!(target_os = "macos") {
        vec![
            "osascript",
            "-e",
            "on run argv",
            "-e",
            "display notification (item 2 of argv) with title (item 1 of argv)",
            "-e",
            "end run",
            "--",
        ]
    } else {
        vec!["notify-send", "--app-name=schmux", "--urgency=critical", "--"]
    };
    let texts = [call.title(), call.text().to_owned()];
    words.into_iter().map(str::to_owned).chain(texts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_words_are_arguments() {
        let argv = command(&Call::example());
        assert_eq!(argv[argv.len() - 2], "fixer: Needs Authorization");
        assert_eq!(argv[argv.len() - 1], "May I <run> \"it\" & go?");
    }
}
