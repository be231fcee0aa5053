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
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./,:=@+".contains(b);
    // A leading `-` is a flag only in words that are ours; `~` and `%` begin
    // syntax, so they are never plain.
    if !word.is_empty() && word.iter().all(plain) {
        out.push_str(std::str::from_utf8(word).expect("plain bytes are ASCII"));
        return;
    }
    out.push('"');
    for &byte in word {
        match byte {
            b if plain(&b) || b" #{}()[]<>|&;?*!'%^".contains(&b) => out.push(char::from(b)),
            b => write!(out, "\\{b:03o}").expect("writing to a String can't fail"),
        }
    }
    out.push('"');
}

/// Keys as raw bytes for a pane: `send-keys -H`, in as many commands as the
/// length of a line demands. Never cut so that a command is empty.
pub fn send_bytes(pane: crate::ids::PaneId, bytes: &[u8]) -> Vec<Command> {
    // Three characters a byte ("1b "), with room for the rest of the line.
    bytes
        .chunks(MAX_COMMAND / 3 - 100)
        .map(|chunk| {
            let mut line = format!("send-keys -t {pane} -H");
            for byte in chunk {
                write!(line, " {byte:02x}").expect("writing to a String can't fail");
            }
            Command(line)
        })
        .collect()
}

/// Text pasted into a pane through a buffer of its own name: framed by tmux if
/// the program asked for bracketed paste, its line ends kept, the buffer gone after.
/// tmux frames whatever it is given: the text must be [`crate::paste::harmless`].
pub fn paste(pane: crate::ids::PaneId, buffer: &str, text: &[u8]) -> Vec<Command> {
    // A byte takes at most four characters.
    let mut commands: Vec<Command> = text
        .chunks(MAX_COMMAND / 4 - 100)
        .map(|chunk| Command::new("set-buffer").arg("-a").opt("-b", buffer).arg("--").arg(chunk))
        .collect();
    if !commands.is_empty() {
        let pane = pane.to_string();
        commands.push(
            Command::new("paste-buffer")
                .arg("-p")
                .arg("-r")
                .arg("-d")
                .opt("-b", buffer)
                .opt("-t", pane),
        );
    }
    commands
}

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
    fn long_input_becomes_several_short_lines() {
        let input = vec![0xff; 20_000];
        let commands = send_bytes(PaneId(1), &input);
        assert!(commands.len() > 1);
        assert!(commands.iter().all(|c| c.as_str().len() <= MAX_COMMAND));
        let pasted = paste(PaneId(1), "b", &input);
        assert!(pasted.iter().all(|c| c.as_str().len() <= MAX_COMMAND));
        assert!(paste(PaneId(1), "b", b"").is_empty());
    }
}
