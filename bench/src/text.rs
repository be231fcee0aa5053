//! Output as coding agents print it: coloured prose, diffs, tool calls, and a
//! status line that is redrawn in place.

/// Bytes of agent output without end, the same in every run.
pub struct AgentText {
    state: u64,
}

const WORDS: &[&str] = &[
    "the",
    "test",
    "fails",
    "because",
    "buffer",
    "is",
    "read",
    "before",
    "it",
    "has",
    "been",
    "filled",
    "so",
    "I",
    "will",
    "move",
    "check",
    "into",
    "parser",
    "and",
    "run",
    "again",
    "cargo",
    "function",
    "`advance`",
    "src/main.rs",
    "42",
    "expected",
    "`Ok(())`",
    "—",
    "naïve",
    "größer",
    "✓",
    "日本語",
    "let",
    "fn",
    "return",
    "async",
];

impl AgentText {
    pub fn new() -> AgentText {
        AgentText { state: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Appends one piece, some hundred bytes.
    pub fn piece(&mut self, out: &mut Vec<u8>) {
        match self.below(10) {
            0..=4 => self.prose(out),
            5..=6 => self.diff(out),
            7 => self.tool(out),
            _ => self.status(out),
        }
    }

    fn prose(&mut self, out: &mut Vec<u8>) {
        let (count, colour) = (12 + self.below(8), 31 + self.below(7));
        out.extend_from_slice(format!("\x1b[{colour}m●\x1b[0m ").as_bytes());
        for _ in 0..count {
            let word = self.word();
            match self.below(12) {
                0 => out.extend_from_slice(format!("\x1b[1m{word}\x1b[22m ").as_bytes()),
                1 => out.extend_from_slice(
                    format!("\x1b[38;5;{}m{word}\x1b[39m ", 16 + self.below(200)).as_bytes(),
                ),
                _ => out.extend_from_slice(format!("{word} ").as_bytes()),
            }
        }
        out.extend_from_slice(b"\r\n");
    }

    fn diff(&mut self, out: &mut Vec<u8>) {
        for _ in 0..3 {
            let line = self.below(900);
            let (mark, colour) =
                if self.below(2) == 0 { ('+', "48;2;34;92;43") } else { ('-', "48;2;122;41;54") };
            let (a, b, c) = (self.word(), self.word(), self.word());
            out.extend_from_slice(
                format!("\x1b[2m{line:>6} \x1b[22;{colour}m{mark}    let {a} = {b}({c});\x1b[K\x1b[0m\r\n").as_bytes(),
            );
        }
    }

    fn tool(&mut self, out: &mut Vec<u8>) {
        let (a, b) = (self.word(), self.word());
        out.extend_from_slice(
            format!("╭─ \x1b[36mBash\x1b[0m ─────────────────────────╮\r\n│ cargo test {a} -- {b}\x1b[38G│\r\n╰────────────────────────────────╯\r\n")
                .as_bytes(),
        );
    }

    /// A spinner line below the text, drawn a few times in the same place.
    fn status(&mut self, out: &mut Vec<u8>) {
        for spinner in ['⠋', '⠙', '⠹'] {
            let seconds = self.below(500);
            out.extend_from_slice(
                format!("\r\n\x1b[2K\x1b[35m{spinner} Working…\x1b[0m \x1b[2m({seconds}s · esc to interrupt)\x1b[0m\r\x1b[1A")
                    .as_bytes(),
            );
        }
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len() as u64) as usize]
    }

    fn below(&mut self, limit: u64) -> u64 {
        // xorshift64: no quality is needed, only the same sequence every time.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % limit
    }
}
