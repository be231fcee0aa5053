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
    let text =
        if cfg!(target_os = "macos") { call.text().to_owned() } else { escaped(call.text()) };
    words.into_iter().map(str::to_owned).chain([call.title(), text]).collect()
}

/// The text below a notification's title is markup on Linux: an agent's words must not
/// become bold, a link or a picture there, nor be swallowed because they are no valid markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_words_are_arguments() {
        let argv = command(&Call::example());
        assert_eq!(argv[argv.len() - 2], "fixer: Needs Authorization");
        let text = match cfg!(target_os = "macos") {
            true => "May I <run> \"it\" & go?",
            false => "May I &lt;run&gt; \"it\" &amp; go?",
        };
        assert_eq!(argv[argv.len() - 1], text);
    }
}
