//! Command lines that tmux's parser reads back as the very arguments they were made of.
//!
//! **Invariant:** this is the only place where text is quoted for tmux. A
//! command is words; what a word holds can't become syntax.

use std::fmt::Write;

/// One tmux command, quoted word by word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command(String);

impl Command {
    /// Begins with the command's name, which is ours and plain.
    pub fn new(name: &'static str) -> Command {
        Command(name.to_owned())
    }

    /// Adds one argument.
    pub fn arg(mut self, word: impl AsRef<[u8]>) -> Command {
        self.0.push(' ');
        quote_into(&mut self.0, word.as_ref());
        self
    }

    /// Adds a flag and its value.
    pub fn opt(self, flag: &'static str, value: impl AsRef<[u8]>) -> Command {
        self.arg(flag).arg(value)
    }

    pub fn args<W: AsRef<[u8]>>(self, words: impl IntoIterator<Item = W>) -> Command {
        words.into_iter().fold(self, Command::arg)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it may run other commands, which tmux answers, too.
    pub fn branches(&self) -> bool {
        self.0.starts_with("if-shell ")
    }
}

/// Text for an argument that tmux takes for a format, such as a directory: it
/// comes out as it is, and runs nothing.
pub fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        let (before, from) = rest.split_at(at);
        let after = from.trim_start_matches('#');
        let signs = &from[..from.len() - after.len()];
        literal.push_str(before);
        literal.push_str(signs);
        // What looks like a style is left alone by tmux, with all its signs.
        if !after.starts_with('[') {
            literal.push_str(signs);
        }
        rest = after;
    }
    literal + rest
}

/// The longest command line that we send. tmux refuses a line of 16 kB and more.
pub const MAX_COMMAND: usize = 12 << 10;

/// Quotes any bytes as one word. Plain words stay readable; everything else is
/// put in double quotes with octal escapes, which tmux turns back into bytes.
fn quote_into(out: &mut String, word: &[u8]) {
    // A leading `-` is a flag only in words that are ours; `~` and `%` begin
    // syntax, so they are never plain.
    if !word.is_empty() && word.iter().all(is_plain) {
        out.push_str(std::str::from_utf8(word).expect("plain bytes are ASCII"));
        return;
    }
    out.push('"');
    for &byte in word {
        match byte {
            b if is_quoted_as_it_is(b) => out.push(char::from(b)),
            b => write!(out, "\\{b:03o}").expect("writing to a String can't fail"),
        }
    }
    out.push('"');
}

fn is_plain(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_./,:=@+".contains(byte)
}

fn is_quoted_as_it_is(byte: u8) -> bool {
    is_plain(&byte) || b" #{}()[]<>|&;?*!'%^".contains(&byte)
}

/// How long any other byte is in quotes.
const OCTAL: usize = 4;

/// How many keys one command presses. tmux's time grows with the square of a command's
/// words: 3 µs a key with this many, 24 with 4,000.
const KEYS_A_COMMAND: usize = 128;

/// How many bytes [`keys`] takes: tmux is at work on them for some ten milliseconds.
pub const MOST_KEYS: usize = 24 * KEYS_A_COMMAND;

/// Keys as raw bytes for a pane, at most [`MOST_KEYS`] of them: `send-keys -H`, in
/// commands for one line. tmux takes any bytes this way, in all its versions, and does
/// nothing if the program has ended. A paste is ten times as fast and is no way for
/// keys: from 3.7 on control characters are made harmless in it.
pub fn keys(pane: crate::ids::PaneId, bytes: &[u8]) -> impl Iterator<Item = Command> {
    debug_assert!(bytes.len() <= MOST_KEYS, "a line holds no more");
    bytes.chunks(KEYS_A_COMMAND).map(move |chunk| {
        // Three characters a byte ("1b ").
        let mut line = String::with_capacity(40 + 3 * chunk.len());
        write!(line, "send-keys -t {pane} -H").expect("writing to a String can't fail");
        for byte in chunk {
            write!(line, " {byte:02x}").expect("writing to a String can't fail");
        }
        Command(line)
    })
}

/// Adds text to a buffer of its own name, as much of it as a line holds; the rest is
/// given back.
pub fn fill<'a>(buffer: &str, text: &'a [u8]) -> (Command, &'a [u8]) {
    let mut room = MAX_COMMAND - 400;
    let fits = text.iter().take_while(|byte| {
        let length = if is_quoted_as_it_is(**byte) { 1 } else { OCTAL };
        room.checked_sub(length).inspect(|left| room = *left).is_some()
    });
    let (piece, rest) = text.split_at(fits.count());
    (Command::new("set-buffer").arg("-a").opt("-b", buffer).arg("--").arg(piece), rest)
}

/// Pastes a buffer into a pane: framed by tmux if the program asked for bracketed
/// paste, its line ends kept, the buffer gone after. tmux frames whatever it is given:
/// the text must be [`crate::paste::harmless`]. The first reply is [`PASTED_NOTHING`] if
/// the program has ended, in which case nothing is pasted: tmux up to 3.3a would crash.
pub fn paste(pane: crate::ids::PaneId, buffer: &str) -> [Command; 2] {
    let pane = pane.to_string();
    let is_dead = "#{pane_dead}";
    [
        Command::new("display-message").arg("-p").opt("-t", &pane).arg(format!("paste {is_dead}")),
        Command::new("if-shell")
            .arg("-F")
            .opt("-t", &pane)
            .arg(is_dead)
            .arg(format!("delete-buffer -b {buffer}"))
            .arg(format!("paste-buffer -p -r -d -b {buffer} -t '{pane}'")),
    ]
}

/// What tmux says of a paste for a program that has ended.
pub const PASTED_NOTHING: &[u8] = b"paste 1";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::PaneId;

    #[test]
    fn words_are_quoted() {
        for (word, quoted) in [
            (&b"plain-1.2/x"[..], "plain-1.2/x"),
            (b"", "\"\""),
            (b"%1", "\"%1\""),
            (b"two words", "\"two words\""),
            (b"semi;", "\"semi;\""),
            (b"$HOME ~ `x`", "\"\\044HOME \\176 \\140x\\140\""),
            (b"\"\\\n", "\"\\042\\134\\012\""),
            ("é".as_bytes(), "\"\\303\\251\""),
            (b"#{pane_id}", "\"#{pane_id}\""),
        ] {
            assert_eq!(Command::new("x").arg(word).as_str(), format!("x {quoted}"));
        }
    }

    #[test]
    fn text_is_no_format() {
        for (text, expected) in [
            ("/plain", "/plain"),
            ("/C#", "/C##"),
            ("/#S/##(x)#{y}", "/##S/####(x)##{y}"),
            ("/#[bold]##[", "/#[bold]##["),
        ] {
            assert_eq!(literal(text), expected);
        }
    }

    #[test]
    fn long_keys_are_several_commands_for_one_line() {
        let bytes: Vec<u8> = (0..MOST_KEYS).map(|n| n as u8).collect();
        let commands: Vec<Command> = keys(PaneId(u32::MAX), &bytes).collect();
        let line: usize = commands.iter().map(|c| c.as_str().len() + " ; ".len()).sum();
        assert!(line <= MAX_COMMAND, "{line}");
        let mut sent = Vec::new();
        for command in &commands {
            let (_, keys) = command.as_str().split_once(" -H ").unwrap();
            let keys: Vec<&str> = keys.split(' ').collect();
            assert!(keys.len() <= KEYS_A_COMMAND);
            sent.extend(keys.iter().map(|key| u8::from_str_radix(key, 16).unwrap()));
        }
        assert_eq!(sent, bytes);
        assert_eq!(keys(PaneId(1), b"").count(), 0);
    }

    #[test]
    fn a_buffer_is_filled_by_lines_that_are_short_enough() {
        for (byte, least) in [(b'x', MAX_COMMAND - 500), (b'\n', MAX_COMMAND / OCTAL - 200)] {
            let text = vec![byte; 30_000];
            let (mut rest, mut pieces) = (&text[..], Vec::new());
            while !rest.is_empty() {
                let (command, left) = fill("b", rest);
                assert!(command.as_str().len() <= MAX_COMMAND - 300);
                pieces.push(rest.len() - left.len());
                rest = left;
            }
            assert!(pieces.split_last().unwrap().1.iter().all(|n| *n >= least), "{pieces:?}");
        }
    }
}
