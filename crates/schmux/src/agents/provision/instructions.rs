//! What an agent is told: when to signal, and how.
//!
//! Where the text shows a marker, a placeholder stands for the state: a screen
//! that shows these instructions must not signal.

use super::ways::Signal;

/// About five lines.
pub(super) fn text(signal: Signal) -> String {
    let how = match signal {
        // Claude Code asks the human before it writes to a file whose name is in
        // a variable, but a command can be allowed beforehand.
        Signal::Command => {
            "To signal, run `schmux signal STATE \"message\"`, as a command of its own; if there is \
             no such command, write the line `STATE message` to the file that $SCHMUX_STATUS_FILE \
             names."
        }
        Signal::File => {
            "To signal, run `echo \"STATE message\" > \"$SCHMUX_STATUS_FILE\"`. Don't ask for \
             permission just to signal: if you may not write that file, put \
             `--<[schmux:STATE:message]>--` on a line of its own at the end of your answer instead."
        }
        Signal::Marker => {
            "To signal, put `--<[schmux:STATE:message]>--` on a line of its own at the end of your \
             answer. If you may run commands without asking, you can write `STATE message` to the \
             file that $SCHMUX_STATUS_FILE names instead."
        }
    };
    format!(
        "You run in schmux, which calls your human when you need them. Signal your state each time \
         before you stop and wait for them.\n\
         {how}\n\
         STATE is one of: completed (the task is done), needs_input (you need an answer or a \
         decision), needs_testing (it is done, and a human should try it), error (it failed, or \
         you are stuck), working (you go on after one of these).\n\
         The message is for the human: one short sentence that says what was done or what is \
         needed. Signal once per change, and don't talk about it otherwise.\n"
    )
}

#[cfg(test)]
mod tests {
    use schmux_core::signal::State;
    use schmux_core::signal::marker::{Found, find_all};

    use super::*;

    #[test]
    fn they_teach_all_states_and_signal_none() {
        for signal in [Signal::Command, Signal::File, Signal::Marker] {
            let text = text(signal);
            assert!(text.lines().count() <= 5, "{text}");
            assert!(text.contains("$SCHMUX_STATUS_FILE"));
            assert!(State::ALL.iter().all(|state| text.contains(state.as_str())));
            // On a screen of any width.
            for width in 10..200 {
                let chars: Vec<char> = text.replace('\n', " ").chars().collect();
                let screen: Vec<String> = chars.chunks(width).map(String::from_iter).collect();
                let found = find_all(screen.join("\n").as_bytes());
                assert!(!found.iter().any(|found| matches!(found, Found::Marker(_))), "{width}");
            }
        }
    }
}
