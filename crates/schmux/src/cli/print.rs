//! What a person reads: colours where they are wanted, text that can do no harm, and
//! a quiet end when nobody reads any more. Tables are in `table`.

use std::io::{self, IsTerminal, Write};

use jiff::Timestamp;
use serde::Serialize;

use super::Outcome;
use super::failure::Failure;
pub(super) use super::table::{Paint, Table};

/// Prints text on stdout.
pub(super) fn text(text: &str) -> Outcome {
    bytes(text.as_bytes())
}

pub(super) fn bytes(bytes: &[u8]) -> Outcome {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        // The reader (`head`, a pager) has what it wanted.
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(err) => Err(Failure::new(format!("can't write to stdout: {err}"))),
    }
}

/// Prints an object of the API.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Outcome {
    let mut line = serde_json::to_string_pretty(value)
        .map_err(|err| Failure::new(format!("can't print JSON: {err}")))?;
    line.push('\n');
    text(&line)
}

/// Says something besides the result. If stderr is closed there is nobody to tell.
pub(super) fn to_stderr(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Colours, if the reader wants them, and how much room there is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    colour: bool,
    /// None where nobody looks at lines: in a file, in a pipe.
    columns: Option<usize>,
}

impl Style {
    pub fn of_stdout() -> Style {
        let colour = io::stdout().is_terminal() && colours_wanted();
        Style { colour, columns: columns_of_stdout() }
    }

    pub fn of_stderr() -> Style {
        Style { colour: io::stderr().is_terminal() && colours_wanted(), columns: None }
    }

    #[cfg(test)]
    pub fn plain() -> Style {
        Style { colour: false, columns: None }
    }

    #[cfg(test)]
    pub fn with_columns(self, columns: Option<usize>) -> Style {
        Style { columns, ..self }
    }

    /// How wide the reader's terminal is, if it is one.
    pub fn columns(self) -> Option<usize> {
        self.columns
    }

    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub fn red(self, text: &str) -> String {
        self.paint("31", text)
    }

    pub fn green(self, text: &str) -> String {
        self.paint("32", text)
    }

    pub fn yellow(self, text: &str) -> String {
        self.paint("33", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A terminal that doesn't know its size says that it has none.
fn columns_of_stdout() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(size.ws_col.into()).filter(|columns| *columns > 0)
}

/// `NO_COLOR` (any value but the empty one) and `TERM=dumb` say no.
fn colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Text from elsewhere on one line, without anything that a terminal obeys.
pub(super) fn safe(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The same for a text of several lines.
pub(super) fn safe_lines(text: &str) -> String {
    text.split('\n').map(safe).collect::<Vec<_>>().join("\n")
}

/// How long ago, in the one unit that matters.
pub(super) fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs().max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// A word that a shell takes as it is.
pub(super) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map(|word| word.into_owned()).unwrap_or_else(|_| safe(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        for (ago, expected) in
            [(-5, "0s"), (0, "0s"), (59, "59s"), (60, "1m"), (7200, "2h"), (200_000, "2d")]
        {
            let then = Timestamp::from_second(1_000_000 - ago).unwrap();
            assert_eq!(age(then, now), expected);
        }
    }
}
