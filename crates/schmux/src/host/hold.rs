//! The gate for those who are attached by a plain `tmux attach`: while the
//! courier writes, tmux itself keeps their keys.
//!
//! Our servers know a table of keys in which each key is written down in an
//! option of its session, as digits, instead of going to the pane. Closing the
//! gate gives the session that table; opening reads what was written down, and
//! gives the usual table back in the very command that finds nothing more. So no
//! key is lost or overtaken, and if the daemon dies, tmux opens by itself and
//! types what waited.
//!
//! Keys without an entry (a paste, an emoji, an ideograph) can't be written down:
//! tmux doesn't say which they are. The first of them has tmux type what waited,
//! in order, and everything from there on goes to the pane as ever, and is noted.
//! So is what other programs type. What was noted keeps [`submit`] from pressing
//! Enter, in the same instant of tmux's, so nothing of it is ever sent along with
//! a message; the courier then takes that out and puts the draft back. Does no IO.

use std::fmt::Write as _;

use schmux_core::ids::PaneId;
use schmux_core::tmux::Command;

/// The table, and the options of a session that go with it.
const TABLE: &str = "schmux-hold";
const KEYS: &str = "@schmux_keys";
const GATE: &str = "@schmux_gate";

/// The table of a session whose keys can't be kept any more, and the note on them.
const PASSING: &str = "schmux-pass";
const NOTED: &str = "@schmux_slip";

/// Commands by which anyone types into a pane without a key table.
const TYPING: [&str; 2] = ["after-send-keys", "after-paste-buffer"];

/// Keys that are less than so many milliseconds apart are a paste to tmux.
const PASTE_TIME: &str = "assume-paste-time";

/// When tmux opens by itself: the host opens a forsaken gate after 5 s.
const OPENS_AFTER_S: &str = "7";

/// The leading word keeps a reply from ever looking like protocol.
const HELD: &str = "held ";

/// The lines of a configuration that make the table.
pub(super) fn table() -> String {
    let mut text = String::from(
        "\n# Keys wait in this table for the moment in which schmux writes into a pane.\n",
    );
    for (name, bytes) in keys() {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
        let bind = Command::new("bind-key").opt("-T", TABLE).arg(name);
        let bind = bind.arg("set-option").arg("-a").arg(KEYS).arg(digits);
        text.push_str(bind.as_str());
        text.push('\n');
    }
    text
}

/// Has tmux keep the keys of all who are attached to a session, if anyone is.
/// `number` tells this closing from others.
pub(super) fn close(session: &str, pane: PaneId, number: u64) -> Vec<Command> {
    let table = format!("#{{?session_attached,{TABLE},root}}");
    let any = |table| Command::new("bind-key").opt("-T", table).arg("Any");
    // A command without a key types the one that was pressed.
    let note = format!("set-option {NOTED} 1");
    let release = format!(
        "if-shell -F '#{{{KEYS}}}' {{ run-shell -C 'send-keys -H #{{{KEYS}}}' }} ; \
         set-option {KEYS} '' ; set-option key-table {PASSING} ; {note} ; send-keys"
    );
    // What we type ourselves comes by a client in control mode.
    let unless_ours = format!("if-shell -F '#{{client_control_mode}}' '' '{note}'");
    let noted = |name: &str| hook(session).arg(name).arg(&unless_ours);
    let mut commands = vec![
        watch(session),
        any(TABLE).arg(release),
        any(PASSING).arg(format!("{note} ; send-keys")),
    ];
    commands.extend(TYPING.map(noted));
    commands.extend([
        // Else keys that come together (over a slow line) pass by the table.
        option(session).arg(PASTE_TIME).arg("0"),
        option(session).arg("-F").arg("key-table").arg(table),
        option(session).arg(GATE).arg(number.to_string()),
        Command::new("run-shell")
            .arg("-b")
            .opt("-d", OPENS_AFTER_S)
            .arg(by_itself(session, pane, number)),
    ]);
    commands
}

/// Forgets what was noted.
pub(super) fn watch(session: &str) -> Command {
    option(session).arg(NOTED).arg("")
}

/// Presses Enter unless something was noted, which the first reply tells:
/// [`slipped`]. tmux does both in one go.
pub(super) fn submit(pane: PaneId) -> [Command; 2] {
    let pane = pane.to_string();
    let ask = Command::new("display-message").arg("-p").opt("-t", &pane);
    [
        ask.arg(format!("{HELD}{SLIPPED}")),
        Command::new("if-shell")
            .arg("-F")
            .opt("-t", &pane)
            .arg(format!("#{{{NOTED}}}"))
            .arg("")
            .arg(format!("send-keys -t '{pane}' Enter")),
    ]
}

/// Whether something was noted, as a format: 1 or 0.
pub(super) const SLIPPED: &str = "#{?@schmux_slip,1,0}";

pub(super) fn slipped(reply: &[u8]) -> bool {
    reply.strip_prefix(HELD.as_bytes()).is_some_and(|rest| rest.starts_with(b"1"))
}

/// Asks for what was written down, and opens if there is nothing: [`held`] reads
/// the first reply.
pub(super) fn open(session: &str) -> [Command; 3] {
    let table = format!("#{{?{KEYS},{TABLE},root}}");
    let ask = Command::new("display-message").arg("-p").opt("-t", target(session));
    [
        ask.arg(format!("{HELD}#{{{KEYS}}}")),
        option(session).arg("-F").arg("key-table").arg(table),
        option(session).arg(KEYS).arg(""),
    ]
}

/// Leaves no trace of a gate that is open.
pub(super) fn forget(session: &str) -> Vec<Command> {
    let options = ["key-table", PASTE_TIME, GATE, KEYS, NOTED];
    let options = options.map(|name| option(session).arg("-uq").arg(name));
    let hooks = TYPING.map(|name| hook(session).arg("-u").arg(name));
    options.into_iter().chain(hooks).collect()
}

/// The keys that were written down.
pub(super) fn held(reply: &[u8]) -> Vec<u8> {
    let digits = reply.strip_prefix(HELD.as_bytes()).unwrap_or_default();
    let words = digits.split(|byte| byte.is_ascii_whitespace());
    words.filter_map(|word| u8::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok()).collect()
}

fn option(session: &str) -> Command {
    Command::new("set-option").opt("-t", target(session))
}

fn hook(session: &str) -> Command {
    Command::new("set-hook").opt("-t", target(session))
}

fn target(session: &str) -> String {
    format!("={session}:")
}

/// What tmux does if nobody has opened the gate. It must say nothing and succeed:
/// tmux would show the rest over the pane. Names of our sessions need no quotes.
fn by_itself(session: &str, pane: PaneId, number: u64) -> String {
    let target = target(session);
    let mut script = String::from("t='tmux -S #{socket_path}'; exec >/dev/null 2>&1; ");
    // The formats are for the moment at which this runs.
    let _ = write!(
        script,
        "if [ \"$($t display-message -p -t '{target}' '##{{{GATE}}}')\" = {number} ]; then \
         $t set-option -u -t '{target}' key-table; \
         $t send-keys -t '{pane}' -H $($t display-message -p -t '{target}' '##{{{KEYS}}}'); \
         for o in {PASTE_TIME} {GATE} {KEYS} {NOTED}; do $t set-option -u -t '{target}' $o; done; \
         for h in {}; do $t set-hook -u -t '{target}' $h; done; fi; exit 0",
        TYPING.join(" ")
    );
    script
}

/// Every key of the table by tmux's name for it, and the bytes it stands for.
fn keys() -> Vec<(String, Vec<u8>)> {
    let mut keys = Vec::new();
    for byte in b' '..=b'~' {
        let name = if byte == b' ' { "Space".to_owned() } else { char::from(byte).to_string() };
        keys.push((format!("M-{name}"), vec![0x1b, byte]));
        keys.push((name, vec![byte]));
    }
    for letter in b'a'..=b'z' {
        let (name, byte) = (char::from(letter), letter & 0x1f);
        // Tab and Enter by their other names.
        if !matches!(name, 'i' | 'm') {
            keys.push((format!("C-{name}"), vec![byte]));
        }
        keys.push((format!("C-M-{name}"), vec![0x1b, byte]));
    }
    for (name, bytes) in NAMED {
        keys.push(((*name).to_owned(), bytes.to_vec()));
    }
    for (name, last) in
        [("Up", 'A'), ("Down", 'B'), ("Right", 'C'), ("Left", 'D'), ("Home", 'H'), ("End", 'F')]
    {
        for (modifier, number) in [("S-", 2), ("M-", 3), ("C-", 5)] {
            keys.push((format!("{modifier}{name}"), format!("\x1b[1;{number}{last}").into_bytes()));
        }
    }
    // The letters of Europe: Latin, Greek and Cyrillic.
    let letters = ('\u{a1}'..='\u{17f}').chain('\u{386}'..='\u{3ce}').chain('\u{400}'..='\u{45f}');
    keys.extend(letters.map(|c| (c.to_string(), c.to_string().into_bytes())));
    keys
}

const NAMED: &[(&str, &[u8])] = &[
    ("Enter", b"\r"),
    ("M-Enter", b"\x1b\r"),
    ("Tab", b"\t"),
    ("BTab", b"\x1b[Z"),
    ("Escape", b"\x1b"),
    ("BSpace", b"\x7f"),
    ("M-BSpace", b"\x1b\x7f"),
    ("C-Space", b"\0"),
    ("C-\\", b"\x1c"),
    ("C-]", b"\x1d"),
    ("C-^", b"\x1e"),
    ("C-_", b"\x1f"),
    ("Up", b"\x1b[A"),
    ("Down", b"\x1b[B"),
    ("Right", b"\x1b[C"),
    ("Left", b"\x1b[D"),
    ("Home", b"\x1b[1~"),
    ("End", b"\x1b[4~"),
    ("IC", b"\x1b[2~"),
    ("DC", b"\x1b[3~"),
    ("PPage", b"\x1b[5~"),
    ("NPage", b"\x1b[6~"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_were_written_down() {
        for (reply, expected) in [
            (&b"held 61 1b 5b 41 "[..], &b"a\x1b[A"[..]),
            (b"held ", b""),
            (b"held c3 a9 ", "é".as_bytes()),
            (b"nonsense", b""),
        ] {
            assert_eq!(held(reply), expected);
        }
    }

    #[test]
    fn a_note_is_read() {
        assert!(slipped(b"held 1") && !slipped(b"held 0") && !slipped(b"nonsense"));
        assert!(SLIPPED.contains(NOTED));
    }

    #[test]
    fn no_key_is_there_twice_or_stands_for_nothing() {
        let keys = keys();
        let mut names: Vec<&String> = keys.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), keys.len());
        assert!(keys.iter().all(|(name, bytes)| !name.is_empty() && !bytes.is_empty()));
    }

    #[test]
    fn what_tmux_does_by_itself_is_for_this_closing_only() {
        let script = by_itself("work-001-abcd", PaneId(3), 7);
        assert!(script.contains("'##{@schmux_gate}')\" = 7 ]"), "{script}");
        assert!(script.contains("send-keys -t '%3' -H") && script.ends_with("exit 0"), "{script}");
    }
}
