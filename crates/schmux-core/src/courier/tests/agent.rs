//! A scripted agent: a field with the keys that the courier may press, dialogs,
//! an editor, and a screen. It notes everything that should never reach it.

use super::super::adapter::{Adapter, Trims};
use super::super::drawing::draw;
use crate::screen::View;

/// How long a busy agent takes from a key to its next frame.
const FRAME: i64 = 400;

/// The part of a draft that was pasted.
const PASTED: &str = "<a pasted block>";

/// What comes to a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Key(String),
    Text(String),
    Paste(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Idle,
    Working,
    Dialog,
    /// Its shell is in front.
    Gone,
}

pub struct Agent {
    pub adapter: Adapter,
    field: Vec<char>,
    cursor: usize,
    pub state: State,
    pub copy_mode: bool,
    /// Every prompt that it was given.
    pub received: Vec<String>,
    /// The file of the editor that it runs.
    pub editor: Option<String>,
    /// How many inputs it will lose.
    pub eats: u32,
    /// What broke a promise.
    pub harm: Vec<String>,
    /// An editor right after Enter gets what was in the field before it: the
    /// agent's handler of keys is that of its last frame.
    pub stale: bool,
    submitted_at: i64,
    /// It will stall when it takes the next Enter.
    pub stalls: bool,
    /// It asks something in every turn.
    pub asks: bool,
    /// Its last frame, and the text in that, while it stalls.
    pub frame: Option<(View, String)>,
    /// What was typed and went without anybody's fault but the agent's.
    pub dropped: String,
    /// The editor that it runs is such a one, and its pastes are gone.
    outdated: bool,
    /// It shows nothing, for the instant of a redraw.
    pub blank: bool,
    pub spin: u32,
}

impl Agent {
    pub fn new(adapter: Adapter, draft: &str) -> Agent {
        let field: Vec<char> = draft.chars().collect();
        Agent {
            adapter,
            cursor: field.len(),
            field,
            state: State::Idle,
            copy_mode: false,
            received: Vec::new(),
            editor: None,
            eats: 0,
            harm: Vec::new(),
            stale: false,
            submitted_at: i64::MIN / 2,
            stalls: false,
            asks: false,
            frame: None,
            dropped: String::new(),
            outdated: false,
            blank: false,
            spin: 0,
        }
    }

    pub fn text(&self) -> String {
        self.field.iter().collect()
    }

    /// Takes what comes by the terminal. `ours`: the courier sent it.
    pub fn take(&mut self, input: Input, ours: bool, now: i64) {
        if ours {
            self.check(&input);
        }
        if self.eats > 0 {
            self.eats -= 1;
            return;
        }
        match (self.state, input) {
            (State::Gone | State::Dialog, _) => {}
            _ if self.copy_mode => {}
            (_, Input::Key(key)) => self.press(&key, now),
            (_, Input::Text(text)) => self.insert(&text),
            (_, Input::Paste(text)) => self.insert(text.trim_end_matches('\n')),
        }
    }

    fn check(&mut self, input: &Input) {
        let is_editor_key = |key: &String| {
            let keys = self.adapter.editor.as_ref().map(|editor| &editor.keys);
            keys.is_some_and(|keys| keys.iter().any(|known| known.as_str() == key))
        };
        let inert = match input {
            Input::Key(key) => is_editor_key(key),
            // Dialogs ignore it, and one may open while it is on its way.
            Input::Paste(text) => self.asks && text.chars().count() > 1,
            Input::Text(_) => false,
        };
        let broken = match self.state {
            State::Gone => Some("a shell"),
            State::Dialog if !inert => Some("a dialog"),
            _ if self.copy_mode => Some("copy mode"),
            _ if self.editor.is_some() => Some("the editor"),
            _ => None,
        };
        if let Some(place) = broken {
            self.harm.push(format!("{input:?} into {place}"));
        }
        if let Input::Key(key) = input
            && ["Escape", "C-c", "C-d", "C-y", "C-u", "Up", "Left"].contains(&key.as_str())
        {
            self.harm.push(format!("{key} was pressed"));
        }
    }

    fn press(&mut self, key: &str, now: i64) {
        let line_start = self.field[..self.cursor].iter().rposition(|c| *c == '\n');
        let start = line_start.map_or(0, |at| at + 1);
        let rest = self.field[self.cursor..].iter().position(|c| *c == '\n');
        let end = rest.map_or(self.field.len(), |at| self.cursor + at);
        match key {
            "Enter" => self.submit(now),
            "C-g" if self.adapter.editor.is_some() => {
                let unseen = self.stale && now - self.submitted_at <= FRAME;
                let last = self.received.last().cloned().filter(|_| unseen);
                let last = self.frame.as_ref().map(|(_, text)| text.clone()).or(last);
                let current = self.adapter.editor.as_ref().is_some_and(|editor| editor.current);
                let last = last.filter(|_| !current);
                self.outdated = last.is_some();
                self.stale &= !self.outdated;
                self.editor = Some(last.unwrap_or_else(|| self.text()));
            }
            "C-a" => self.cursor = start,
            "C-e" => self.cursor = end,
            "C-k" => {
                let to = if end == self.cursor { (end + 1).min(self.field.len()) } else { end };
                self.field.drain(self.cursor..to);
            }
            "BSpace" if self.cursor > 0 => {
                self.cursor -= 1;
                self.field.remove(self.cursor);
            }
            _ => {}
        }
    }

    fn insert(&mut self, text: &str) {
        for c in text.chars() {
            self.field.insert(self.cursor, c);
            self.cursor += 1;
        }
    }

    fn submit(&mut self, now: i64) {
        if !self.text().trim().is_empty() {
            if std::mem::take(&mut self.stalls) {
                self.frame = Some((self.view(), self.text()));
            }
            self.submitted_at = now;
            self.received.push(self.text());
            self.field.clear();
            self.cursor = 0;
        }
    }

    /// Whether its editor was handed a text that is older than what is in the field.
    pub fn is_outdated(&self) -> bool {
        self.outdated
    }

    /// The editor has ended; the file is the field now, but for what is trimmed.
    pub fn editor_ended(&mut self, file: &str) {
        self.editor = None;
        let trims = self.adapter.editor.as_ref().map_or(Trims::Nothing, |editor| editor.trims);
        let kept = match trims {
            Trims::Nothing => file,
            Trims::Newline if file.ends_with("\n\n") => file,
            Trims::Newline => file.strip_suffix('\n').unwrap_or(file),
            Trims::All => file.trim_end(),
        };
        // What was pasted it takes for the paste that it knew, and has forgotten.
        let kept = match std::mem::take(&mut self.outdated) {
            true => kept.replace(PASTED, "[Pasted]"),
            false => kept.to_owned(),
        };
        self.field = kept.chars().collect();
        self.cursor = self.field.len();
    }

    pub fn view(&self) -> View {
        if let Some((frame, _)) = &self.frame {
            return frame.clone();
        }
        const RULE: &str = "────────────────────────────────────────";
        let mut lines: Vec<String> = Vec::new();
        let said = self.received.iter().flat_map(|text| text.lines());
        lines.extend(said.map(|line| format!("> {line}")));
        lines.drain(..lines.len().saturating_sub(8));
        match self.state {
            _ if self.blank => lines.clear(),
            State::Gone => lines.push("user@box:~$ ▮".into()),
            State::Dialog => {
                lines.extend(["Do you want to proceed?", "❯ 1. Yes", "  2. No"].map(String::from));
            }
            State::Idle | State::Working => {
                if self.state == State::Working {
                    lines.push(format!("✻ Thinking… {}", self.spin));
                }
                let framed = !self.adapter.wraps_to_edge;
                lines.extend(framed.then(|| RULE.to_owned()));
                let glyph = &self.adapter.prompts[0];
                let mut shown = self.field.clone();
                shown.insert(self.cursor, '▮');
                let shown: String = shown.iter().collect();
                for (index, line) in shown.split('\n').enumerate() {
                    let left = if index == 0 { glyph.as_str() } else { " " };
                    lines.push(format!("{left} {line}"));
                }
                lines.extend(framed.then(|| RULE.to_owned()));
            }
        }
        lines.push(String::new());
        draw(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
