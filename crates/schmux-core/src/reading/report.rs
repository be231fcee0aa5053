//! A screen as a test case: what `tests/screens` holds and `schmux report` writes.
//!
//! A head of `key: value` lines, a blank line, and the rows as tmux shows them,
//! with `␛` for escape. What looks private is blotted out letter by letter, so
//! that every row keeps its width: a case whose columns have moved proves nothing.

use crate::nudgenik::blot;
use crate::screen::{Screen, Size};

/// One screen, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Case {
    /// What the agent really did: `idle`, `draft`, `working`, `dialog`, `error`,
    /// `shell` or `unknown`.
    pub truth: String,
    pub version: String,
    pub size: (u16, u16),
    pub cursor: (u16, u16),
    pub cursor_visible: bool,
    pub alternate: bool,
    pub program: String,
    pub title: String,
    /// Further lines of the head, for people.
    pub notes: Vec<(String, String)>,
    /// The rows, with escape sequences.
    pub rows: Vec<String>,
}

impl Case {
    /// The case without what looks private: keys, addresses, and these names
    /// (of the user, of the machine).
    pub fn redacted(mut self, names: &[String]) -> Case {
        let plain: Vec<String> = self.rows.iter().map(|row| Pieces(row).text()).collect();
        // A row that is full may go on in the next one, and a key with it.
        let full = |row: &String| row.chars().count() >= usize::from(self.size.0);
        let mut joined = String::new();
        for row in &plain {
            joined.push_str(row);
            joined.push_str(if full(row) { "" } else { "\n" });
        }
        let blotted = blot(&joined, names);
        let mut letters = blotted.chars();
        for (row, text) in self.rows.iter_mut().zip(&plain) {
            let own: String = letters.by_ref().take(text.chars().count()).collect();
            *row = Pieces(row).with_text(&own);
            if !full(text) {
                letters.next();
            }
        }
        self.title = blot(&self.title, names);
        for (_, note) in &mut self.notes {
            *note = blot(note, names);
        }
        self
    }

    /// As it stands in a file.
    pub fn text(&self) -> String {
        let (cols, rows) = self.size;
        let shown = if self.cursor_visible { "shown" } else { "hidden" };
        let alternate = if self.alternate { "yes" } else { "no" };
        let mut head = vec![
            ("truth", self.truth.clone()),
            ("version", self.version.clone()),
            ("size", format!("{cols}x{rows}")),
            ("cursor", format!("{},{} {shown}", self.cursor.0, self.cursor.1)),
            ("alternate", alternate.to_owned()),
            ("program", self.program.clone()),
            ("title", self.title.clone()),
        ];
        head.extend(self.notes.iter().map(|(key, note)| (key.as_str(), note.clone())));
        let line = |(key, value): &(&str, String)| {
            let value: String = value.chars().filter(|c| !c.is_control()).collect();
            format!("{key}: {value}").trim_end().to_owned()
        };
        let head: Vec<String> = head.iter().map(line).collect();
        let last = self.rows.iter().rposition(|row| !row.trim().is_empty());
        let rows = &self.rows[..last.map_or(0, |last| last + 1)];
        let body = rows.join("\n").replace('\x1b', "␛").replace(['\x0e', '\x0f'], "");
        format!("{}\n\n{body}\n", head.join("\n"))
    }

    /// Reads a file; what is wrong with it if it can't be read.
    pub fn parse(text: &str) -> Result<Case, String> {
        let (head, body) = text.split_once("\n\n").ok_or("no blank line ends its head")?;
        let field = |key: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.map(|value| value.trim().to_owned()).ok_or(format!("it says nothing of {key}"))
        };
        let pair = |text: &str, by: char| {
            let (a, b) = text.split_once(by)?;
            Some((a.parse().ok()?, b.parse().ok()?))
        };
        let (place, shown) = field("cursor").map(|cursor| {
            let (place, shown) = cursor.split_once(' ').unwrap_or((cursor.as_str(), ""));
            (place.to_owned(), shown == "shown")
        })?;
        Ok(Case {
            truth: field("truth")?,
            version: field("version")?,
            size: pair(&field("size")?, 'x').ok_or("its size is no COLSxROWS")?,
            cursor: pair(&place, ',').ok_or("its cursor is no COL,ROW")?,
            cursor_visible: shown,
            alternate: field("alternate")? == "yes",
            program: field("program").unwrap_or_default(),
            title: field("title")?,
            notes: Vec::new(),
            rows: body.lines().map(|row| row.replace('␛', "\x1b")).collect(),
        })
    }

    /// The screen that it shows.
    pub fn screen(&self) -> Screen {
        let mut screen = Screen::new(Size::clamped(self.size.0, self.size.1));
        if self.alternate {
            screen.advance(b"\x1b[?1049h");
        }
        // Each row by its own place, so that a full one doesn't wrap into the next.
        for (row, text) in self.rows.iter().enumerate() {
            screen.advance(format!("\x1b[{};1H{text}", row + 1).as_bytes());
        }
        let (col, row) = self.cursor;
        let col = col.min(self.size.0.saturating_sub(1));
        screen.advance(format!("\x1b[{};{}H", row + 1, col + 1).as_bytes());
        screen.advance(if self.cursor_visible { b"\x1b[?25h" } else { b"\x1b[?25l" });
        screen
    }
}

/// A row in pieces: escape sequences, and the text between them.
struct Pieces<'a>(&'a str);

impl Pieces<'_> {
    fn text(&self) -> String {
        self.pieces().filter(|(is_text, _)| *is_text).map(|(_, c)| c).collect()
    }

    /// The row with these letters in place of its own.
    fn with_text(&self, letters: &str) -> String {
        let mut letters = letters.chars();
        let swap = |(is_text, c)| if is_text { letters.next().unwrap_or(c) } else { c };
        self.pieces().map(swap).collect()
    }

    /// Every character, and whether it is text. tmux writes `ESC [ … letter` and
    /// `ESC ] … ESC \` only.
    fn pieces(&self) -> impl Iterator<Item = (bool, char)> {
        enum At {
            Text,
            Escape,
            Csi,
            Osc,
            OscEscape,
        }
        let mut at = At::Text;
        self.0.chars().map(move |c| {
            let (next, is_text) = match (&at, c) {
                (At::Text | At::OscEscape, '\x1b') => (At::Escape, false),
                (At::Text, c) => (At::Text, !c.is_control()),
                (At::Escape, '[') => (At::Csi, false),
                (At::Escape, ']') => (At::Osc, false),
                (At::Csi, '\x40'..='\x7e') => (At::Text, false),
                (At::Csi, _) => (At::Csi, false),
                (At::Osc, '\x1b') => (At::OscEscape, false),
                (At::Osc, '\x07') => (At::Text, false),
                (At::Osc, _) => (At::Osc, false),
                (At::Escape | At::OscEscape, _) => (At::Text, false),
            };
            at = next;
            (is_text, c)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(rows: &[&str]) -> Case {
        Case {
            truth: "idle".into(),
            version: "1".into(),
            size: (20, 4),
            cursor: (2, 1),
            cursor_visible: true,
            title: "of ada".into(),
            notes: vec![("verdict".into(), "idle".into())],
            rows: rows.iter().map(|&row| row.to_owned()).collect(),
            ..Case::default()
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let written = case(&["\x1b[1mone\x1b[0m", "❯ ", "", ""]);
        let read = Case::parse(&written.text()).unwrap();
        assert_eq!(read.screen().rows()[0], "one");
        assert_eq!(read.screen().cursor(), written.screen().cursor());
        assert_eq!(read.text(), Case { notes: Vec::new(), ..written }.text());
        assert!(Case::parse("truth: idle\n\n").unwrap_err().contains("cursor"));
    }

    #[test]
    fn private_things_are_blotted_and_columns_stay() {
        let key = format!("sk-{}", "abcd1234".repeat(4));
        let rows = ["~ada/\x1b[31mproj\x1b[0m", &format!("a \x1b[1m{}", &key[..18]), &key[18..]];
        let redacted = case(&rows).redacted(&["ada".into()]);
        assert_eq!(redacted.rows[0], "~xxx/\x1b[31mproj\x1b[0m");
        assert_eq!(redacted.rows[1], format!("a \x1b[1m{}", "x".repeat(18)));
        assert_eq!(redacted.rows[2], "x".repeat(key.len() - 18));
        assert_eq!(redacted.title, "of xxx");
    }
}
