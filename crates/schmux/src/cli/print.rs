//! What a person reads: aligned tables, colours where they are wanted, and a
//! quiet end when nobody reads any more.

use std::io::{self, IsTerminal, Write};

use jiff::Timestamp;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::Outcome;
use super::failure::Failure;

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

/// Colours, if the reader wants them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    colour: bool,
}

impl Style {
    pub fn of_stdout() -> Style {
        Style { colour: io::stdout().is_terminal() && colours_wanted() }
    }

    pub fn of_stderr() -> Style {
        Style { colour: io::stderr().is_terminal() && colours_wanted() }
    }

    #[cfg(test)]
    pub fn plain() -> Style {
        Style { colour: false }
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

/// `NO_COLOR` (any value but the empty one) and `TERM=dumb` say no.
fn colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// How a cell is painted, once its width is known.
pub(super) type Paint = fn(Style, &str) -> String;

/// Rows of cells in columns that are as wide as their widest cell.
pub(super) struct Table {
    style: Style,
    head: Vec<&'static str>,
    rows: Vec<Vec<(String, Option<Paint>)>>,
}

impl Table {
    pub fn new<const N: usize>(style: Style, head: [&'static str; N]) -> Table {
        Table { style, head: head.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. Cells are made safe to show: agents may have written them.
    pub fn row(&mut self, cells: impl IntoIterator<Item = (String, Option<Paint>)>) {
        self.rows.push(cells.into_iter().map(|(cell, paint)| (safe(&cell), paint)).collect());
    }

    pub fn render(&self) -> String {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let widest = cells.map(|(cell, _)| cell.width()).max().unwrap_or(0);
            widest.max(self.head[column].len())
        };
        let widths: Vec<usize> = (0..self.head.len()).map(widest).collect();
        let mut text = String::new();
        let head = self.head.iter().map(|title| ((*title).to_owned(), Some(Style::dim as Paint)));
        self.render_row(&head.collect::<Vec<_>>(), &widths, &mut text);
        for row in &self.rows {
            self.render_row(row, &widths, &mut text);
        }
        text
    }

    fn render_row(&self, row: &[(String, Option<Paint>)], widths: &[usize], text: &mut String) {
        let start = text.len();
        for ((cell, paint), width) in row.iter().zip(widths) {
            let padding = " ".repeat(width.saturating_sub(cell.width()) + 2);
            match paint {
                Some(paint) => text.push_str(&paint(self.style, cell)),
                None => text.push_str(cell),
            }
            text.push_str(&padding);
        }
        let end = start + text[start..].trim_end().len();
        text.truncate(end);
        text.push('\n');
    }
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
    fn columns_are_aligned_by_what_is_seen() {
        let mut table = Table::new(Style::plain(), ["ID", "NAME"]);
        table.row([("a".into(), None), ("日本".into(), None)]);
        table.row([("long-id".into(), None), ("x\x1b[31m".into(), None)]);
        let expected = "ID       NAME\na        日本\nlong-id  x\u{fffd}[31m\n";
        assert_eq!(table.render(), expected);
    }

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
