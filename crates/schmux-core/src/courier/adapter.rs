//! What the courier must know of one agent's field, as data.
//!
//! `adapters.toml` holds what was measured; an agent that isn't in it gets the
//! careful entry `unknown`. Keys that could interrupt, exit or change a mode
//! can't be named in it: [`Key`] refuses them.

use std::sync::LazyLock;

use serde::Deserialize;

use super::receipt::Failure;

/// One agent's field.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// The known agent's name.
    pub name: String,
    /// Glyphs that stand left of its field.
    pub prompts: Vec<String>,
    /// Glyphs that say that the field is a command line now.
    #[serde(default)]
    pub shell_prompts: Vec<String>,
    /// Blanks between the glyph and the text.
    #[serde(default = "one")]
    pub indent: u16,
    /// How it opens `$EDITOR` on its field, if it does, and takes the file back.
    #[serde(default)]
    pub editor: Option<Editor>,
    /// Its rows go on at the screen's left edge, as those of line prompts do.
    #[serde(default)]
    pub wraps_to_edge: bool,
    /// It shows its cursor only while its terminal has the focus, which a pane
    /// that nobody is attached to never has; it is told so when it is needed.
    #[serde(default)]
    pub wants_focus: bool,
    /// How a line can be taken out of its field by keys, if there is no editor.
    #[serde(default)]
    pub lines: Option<LineKeys>,
    #[serde(default)]
    pub while_working: WhileWorking,
    /// It tells of every prompt that is submitted, with its text.
    #[serde(default)]
    pub hooks: bool,
    /// How long the echo of a paste must stand before Enter is safe.
    #[serde(default = "settle")]
    pub settle_ms: u32,
    /// How the stand-in for a pasted block begins; `]` ends it.
    #[serde(default)]
    pub placeholders: Vec<String>,
    /// How the stand-in for an image begins.
    #[serde(default)]
    pub images: Vec<String>,
    /// What is done to texts that it would take for something else.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
}

/// The editor handshake of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Editor {
    /// Pressed one after the other: `["C-x", "C-e"]`.
    pub keys: Vec<Key>,
    /// What it takes off the end of the file.
    #[serde(default)]
    pub trims: Trims,
    /// How long the call may take; after it there is no field in front.
    #[serde(default = "patience")]
    pub patience_ms: u32,
    /// How long the message must stand before Enter is safe.
    #[serde(default = "editor_settle")]
    pub settle_ms: u32,
    /// It stays blank if the file comes back as it was.
    #[serde(default)]
    pub blank_if_unchanged: bool,
    /// The file is what the field holds at that moment. Others hand out what was
    /// in it before Enter until they have drawn the next frame.
    #[serde(default)]
    pub current: bool,
}

/// What an agent cuts off the end of an edited text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trims {
    Nothing,
    /// The last newline.
    Newline,
    /// All blanks and newlines. What isn't known trims all.
    #[default]
    All,
}

/// Keys that were proven to work on one line of a field.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineKeys {
    /// To the start of the logical line, and no further.
    pub start: Key,
    /// To its end.
    pub end: Key,
    /// Takes everything up to the end of the line; on an empty line, joins the next.
    pub kill: Key,
    /// At the start of a line, joins it to the one above.
    pub join: Key,
    /// Whether its field has more than one line.
    #[serde(default)]
    pub multiline: bool,
}

/// What becomes of a message that is submitted while the agent works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhileWorking {
    /// It waits for the end of the turn.
    Queues,
    /// It goes into the running turn.
    Steers,
    /// It can't be written then.
    #[default]
    Holds,
}

/// A text that begins or ends so is changed or refused.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    #[serde(default)]
    pub starts: Option<String>,
    #[serde(default)]
    pub ends: Option<String>,
    /// The last word begins so, which opens a list of completions.
    #[serde(default)]
    pub last_word: Option<String>,
    /// Put before the text.
    #[serde(default)]
    pub precede: String,
    /// Put after it.
    #[serde(default)]
    pub follow: String,
    #[serde(default)]
    pub refuse: bool,
}

/// A key by tmux's name for it, and never one that could do harm in a field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Key(String);

/// Escape interrupts a working agent, C-c and C-d exit, C-y approves in one
/// agent and C-u joins lines in others, Up replaces the draft by history, Left
/// opens another view, Enter is the courier's own business, and a bare
/// character could answer a dialog.
const NEVER: [&str; 10] =
    ["Escape", "C-c", "C-d", "C-y", "C-u", "C-z", "C-s", "Up", "Left", "Enter"];

impl Key {
    pub fn new(name: &str) -> Result<Key, String> {
        let named = name.starts_with("C-") && name.len() == 3
            || matches!(name, "Home" | "End" | "BSpace" | "DC" | "e");
        // C-[, C-m, C-j and C-i are Escape, Enter, a newline and Tab by other names.
        let alias = matches!(name, "C-[" | "C-m" | "C-j" | "C-i" | "C-\\" | "C-@");
        let bad = NEVER.iter().any(|never| never.eq_ignore_ascii_case(name)) || alias || !named;
        if bad {
            Err(format!("the courier never presses {name}"))
        } else {
            Ok(Key(name.to_owned()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What a terminal sends for it; nothing for a key that it sends in many ways.
    fn bytes(&self) -> Option<u8> {
        match self.0.as_bytes() {
            [b'C', b'-', letter] => Some(letter & 0x1f),
            [letter] => Some(*letter),
            _ => None,
        }
    }
}

impl Editor {
    /// What a terminal sends when its keys are pressed.
    pub fn press(&self) -> Vec<u8> {
        self.keys.iter().filter_map(Key::bytes).collect()
    }
}

impl TryFrom<String> for Key {
    type Error = String;
    fn try_from(name: String) -> Result<Key, String> {
        Key::new(&name)
    }
}

impl Adapter {
    /// The adapter of a known agent, or the careful one for an agent that isn't known.
    pub fn of(agent: Option<&str>) -> &'static Adapter {
        let all = &*ADAPTERS;
        let found = agent.and_then(|name| all.iter().find(|adapter| adapter.name == name));
        found.or_else(|| all.iter().find(|adapter| adapter.name == UNKNOWN)).unwrap_or(&all[0])
    }

    pub fn all() -> &'static [Adapter] {
        &ADAPTERS
    }

    /// The same for a session whose `EDITOR` isn't ours, because the user
    /// started it: there the key would open the user's editor.
    pub fn without_editor(&self) -> Adapter {
        Adapter { editor: None, ..self.clone() }
    }

    /// The text as it must be written for this agent to take it for a text.
    pub fn dress(&self, text: &str) -> Result<String, Failure> {
        let mut dressed = text.to_owned();
        for rule in self.rules.iter().filter(|rule| rule.applies(text)) {
            if rule.refuse {
                return Err(Failure::Refused);
            }
            dressed = format!("{}{dressed}{}", rule.precede, rule.follow);
        }
        // A paste of a single character answers a dialog in some agents; of two it doesn't.
        if dressed.chars().count() == 1 {
            dressed.push(' ');
        }
        Ok(dressed)
    }

    pub(super) fn settle(&self, by_editor: bool) -> i64 {
        let editor = self.editor.as_ref().filter(|_| by_editor);
        i64::from(editor.map_or(self.settle_ms, |editor| editor.settle_ms))
    }
}

impl Rule {
    fn applies(&self, text: &str) -> bool {
        let last = text.split_whitespace().next_back().unwrap_or_default();
        let says = |wanted: &Option<String>, test: &dyn Fn(&str) -> bool| {
            wanted.as_deref().is_some_and(test)
        };
        says(&self.starts, &|start| text.trim_start().starts_with(start))
            || says(&self.ends, &|end| text.ends_with(end))
            || says(&self.last_word, &|start| last.starts_with(start))
    }
}

const UNKNOWN: &str = "unknown";

#[derive(Deserialize)]
struct File {
    adapter: Vec<Adapter>,
}

static ADAPTERS: LazyLock<Vec<Adapter>> = LazyLock::new(|| {
    let file: File =
        toml::from_str(include_str!("adapters.toml")).expect("adapters.toml is checked by a test");
    file.adapter
});

fn one() -> u16 {
    1
}

/// With the echo on the screen and 200 ms more, no agent lost Enter; at 30 ms some did.
fn settle() -> u32 {
    200
}

/// The slowest call of a calm agent took 106 ms; no call for 1.5 s is no field.
fn patience() -> u32 {
    1500
}

/// After an edit Enter was lost up to 10 ms, and nowhere from 30 ms on.
fn editor_settle() -> u32 {
    80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_sound() {
        for adapter in Adapter::all() {
            assert!(!adapter.prompts.is_empty(), "{}", adapter.name);
            assert!(adapter.rules.iter().all(|rule| {
                rule.refuse || !rule.precede.is_empty() || !rule.follow.is_empty()
            }));
        }
        assert_eq!(Adapter::of(Some("claude")).name, "claude");
        assert_eq!(Adapter::of(Some("nobody")).name, UNKNOWN);
        assert_eq!(Adapter::of(None).editor, None);
    }

    #[test]
    fn keys_that_do_harm_have_no_name() {
        for bad in
            ["Escape", "escape", "C-c", "C-C", "C-d", "C-y", "C-u", "C-[", "C-m", "C-j", "Up"]
        {
            assert!(Key::new(bad).is_err(), "{bad}");
        }
        for bad in ["Left", "Enter", "y", "1", "", "M-x", "C-", "C-g C-c"] {
            assert!(Key::new(bad).is_err(), "{bad}");
        }
        for good in ["C-g", "C-x", "C-e", "C-a", "C-k", "BSpace", "Home", "End", "e"] {
            assert!(Key::new(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn texts_are_dressed_for_their_agent() {
        let dress = |agent: &str, text: &str| Adapter::of(Some(agent)).dress(text).unwrap();
        for (agent, text, expected) in [
            ("claude", "hello", "hello"),
            ("claude", "/clear the table", "Message: /clear the table"),
            ("claude", "  /clear", "Message:   /clear"),
            ("claude", "a path: C:\\", "a path: C:\\ "),
            ("codex", "!important", "Message: !important"),
            ("codex", "a/b!", "a/b!"),
            ("claude", "look at @src/ma", "look at @src/ma "),
            ("claude", "@x is done", "@x is done"),
        ] {
            assert_eq!(dress(agent, text), expected, "{agent} {text}");
        }
    }
}
