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
//! A key without an entry (a paste, an emoji, an ideograph) can't be written down:
//! tmux doesn't say which it is. It waits itself: its command is a `wait-for`, and
//! tmux does nothing more for that terminal before it is over. From 3.4 on tmux
//! passes pastes by all tables; there a key of ours waits before them.
//!
//! What other programs type is noted. That keeps [`submit`] from pressing
//! Enter, in the same instant of tmux's, so nothing of it is ever sent along with
//! a message; the courier then takes that out and puts the draft back. Does no IO.

use std::fmt::Write as _;

use schmux_core::ids::PaneId;
use schmux_core::tmux::Command;

/// The table, and the options of a session that go with it.
const TABLE: &str = "schmux-hold";
const KEYS: &str = "@schmux_keys";
const GATE: &str = "@schmux_gate";

/// Which keys have terminals wait: `k` for one that was typed, `b` for [`BAR`].
const WAITS: &str = "@schmux_waits";

/// A dialog has opened meanwhile: what waited is written down and not typed.
const REFUSED: &str = "@schmux_refused";

/// The note on what other programs type.
const NOTED: &str = "@schmux_slip";

/// A key that no keyboard has.
const BAR: &str = "User999";

/// The first version of tmux that can be told to press a key of a terminal's.
const BARS_FROM: (u32, u32) = (3, 4);

/// Stands for a key that nobody can name: U+FFFD.
const UNKNOWN: &str = "ef bf bd ";

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
/// `number` tells this closing from others. The last reply says whose terminals
/// are to be [`bar`]red.
pub(super) fn close(session: &str, pane: PaneId, number: u64) -> Vec<Command> {
    let table = format!("#{{?session_attached,{TABLE},root}}");
    let bind = |key| Command::new("bind-key").opt("-T", TABLE).arg(key);
    let wait = |why: &str| {
        format!(
            "set-option -a {WAITS} {why} ; run-shell -C 'wait-for {}'",
            channel("#{session_name}")
        )
    };
    let is_closed = format!("#{{&&:#{{==:#{{key-table}},{TABLE}}},#{{!=:#{{{REFUSED}}},1}}}}");
    // Closed once more before this went on, it waits once more. A command without
    // a key types the one that was pressed.
    let any = format!(
        "if-shell -F '{is_closed}' {{ {wait} }} ; if-shell -F '{is_closed}' {{ {wait} }} ; \
         if-shell -F '#{{{REFUSED}}}' {{ set-option -a {KEYS} '{UNKNOWN}' }} {{ send-keys }}",
        wait = wait("k")
    );
    // What we type ourselves comes by a client in control mode.
    let unless_ours = format!("if-shell -F '#{{client_control_mode}}' '' 'set-option {NOTED} 1'");
    let noted = |name: &str| hook(session).arg(name).arg(&unless_ours);
    let mut commands = vec![watch(session), bind("Any").arg(any), bind(BAR).arg(wait("b"))];
    commands.extend(TYPING.map(noted));
    commands.extend([
        // Else keys that come together (over a slow line) pass by the table.
        option(session).arg(PASTE_TIME).arg("0"),
        option(session).arg(REFUSED).arg(""),
        option(session).arg("-F").arg("key-table").arg(table),
        option(session).arg(GATE).arg(number.to_string()),
        Command::new("run-shell")
            .arg("-b")
            .opt("-d", OPENS_AFTER_S)
            .arg(by_itself(session, pane, number)),
        Command::new("list-clients")
            .opt("-t", target(session))
            .opt("-F", format!("{HELD}#{{client_control_mode}} #{{version}} #{{client_name}}")),
    ]);
    commands
}

/// Has the terminals wait that [`close`] told of, where a paste would pass.
pub(super) fn bar(clients: &[u8]) -> Vec<Command> {
    let clients = String::from_utf8_lossy(clients);
    let barred = clients.lines().filter_map(|line| {
        let mut words = line.strip_prefix(HELD)?.splitn(3, ' ');
        let (control, version, name) = (words.next()?, words.next()?, words.next()?);
        let can = control == "0" && numbers(version)? >= BARS_FROM;
        can.then(|| Command::new("send-keys").arg("-K").opt("-c", name).arg(BAR))
    });
    barred.collect()
}

/// The numbers of a version: `3.5a`, `next-3.7`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let (major, minor) =
        version.trim_start_matches(|c: char| !c.is_ascii_digit()).split_once('.')?;
    let minor = minor.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
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

/// Asks for what was written down, and opens if there is nothing: [`Held`] reads
/// the first reply. With `refused`, what waits is written down before that.
pub(super) fn open(session: &str, refused: bool) -> Vec<Command> {
    let table = format!("#{{?{KEYS},{TABLE},root}}");
    let ask = Command::new("display-message").arg("-p").opt("-t", target(session));
    let mut commands = vec![ask.arg(format!("{HELD}x#{{{WAITS}}} #{{{KEYS}}}"))];
    if refused {
        // Until nothing waits, the table stays.
        let table = format!("#{{?#{{{KEYS}}}#{{{WAITS}}},{TABLE},root}}");
        commands.push(option(session).arg("-F").arg("key-table").arg(table));
        commands.push(option(session).arg(REFUSED).arg("1"));
        commands.extend(wake(session));
    } else {
        commands.push(option(session).arg("-F").arg("key-table").arg(table));
    }
    commands.push(option(session).arg(KEYS).arg(""));
    commands
}

/// Has the terminals go on that wait. tmux is done with all that they have before
/// it reads what we ask next.
pub(super) fn wake(session: &str) -> [Command; 2] {
    let go_on = format!("wait-for -S {}", channel(session));
    let any = Command::new("if-shell").arg("-F").opt("-t", target(session));
    [any.arg(format!("#{{{WAITS}}}")).arg(go_on), option(session).arg(WAITS).arg("")]
}

/// Leaves no trace of a gate that is open.
pub(super) fn forget(session: &str) -> Vec<Command> {
    let options = ["key-table", PASTE_TIME, GATE, KEYS, WAITS, REFUSED, NOTED];
    let options = options.map(|name| option(session).arg("-uq").arg(name));
    let hooks = TYPING.map(|name| hook(session).arg("-u").arg(name));
    options.into_iter().chain(hooks).collect()
}

/// What tmux has kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// The keys that were written down.
    pub keys: Vec<u8>,
    /// Terminals wait, and something was typed there that can't be written down.
    pub waits: bool,
    pub typed: bool,
}

impl Held {
    pub fn read(reply: &[u8]) -> Held {
        let rest = reply.strip_prefix(HELD.as_bytes()).and_then(|rest| rest.strip_prefix(b"x"));
        let mut words = rest.unwrap_or_default().split(|byte| byte.is_ascii_whitespace());
        let waits = words.next().unwrap_or_default();
        let byte = |word| u8::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok();
        let keys = words.filter_map(byte).collect();
        Held { keys, waits: !waits.is_empty(), typed: waits.contains(&b'k') }
    }
}

/// Where terminals of a session wait. Names of our sessions need no quotes.
fn channel(session: &str) -> String {
    format!("schmux-hold-{session}")
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
/// tmux would show the rest over the pane.
fn by_itself(session: &str, pane: PaneId, number: u64) -> String {
    let (target, channel) = (target(session), channel(session));
    let mut script = String::from("t='tmux -S #{socket_path}'; exec >/dev/null 2>&1; ");
    // The formats are for the moment at which this runs.
    let _ = write!(
        script,
        "is() {{ $t display-message -p -t '{target}' \"$1\"; }}; \
         if [ \"$(is '##{{{GATE}}}')\" = {number} ]; then \
         $t set-option -u -t '{target}' key-table; \
         $t send-keys -t '{pane}' -H $(is '##{{{KEYS}}}'); \
         [ -z \"$(is '##{{{WAITS}}}')\" ] || $t wait-for -S {channel}; \
         for o in {PASTE_TIME} {GATE} {KEYS} {WAITS} {REFUSED} {NOTED}; do \
         $t set-option -u -t '{target}' $o; done; \
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
    // Nothing stands at these places, and tmux shows whoever comes first that it knows no such key.
    let letters = letters.filter(|c| !matches!(c, '\u{38b}' | '\u{38d}' | '\u{3a2}'));
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
        for (reply, keys, waits, typed) in [
            (&b"held x 61 1b 5b 41 "[..], &b"a\x1b[A"[..], false, false),
            (b"held x ", b"", false, false),
            (b"held xb c3 a9 ", "é".as_bytes(), true, false),
            (b"held xkk ", b"", true, true),
            (b"nonsense", b"", false, false),
        ] {
            let keys = keys.to_vec();
            assert_eq!(Held::read(reply), Held { keys, waits, typed }, "{reply:?}");
        }
    }

    #[test]
    fn terminals_are_barred_where_a_paste_would_pass() {
        let barred = |reply: &[u8]| -> Vec<String> {
            bar(reply).iter().map(|command| command.as_str().to_owned()).collect()
        };
        assert!(barred(b"held 0 3.3a /dev/pts/1\nnonsense\n").is_empty());
        let clients = b"held 0 3.5a /dev/pts/1\nheld 1 3.5a client-7\nheld 0 next-3.10 /dev/pts/2";
        assert_eq!(
            barred(clients),
            ["send-keys -K -c /dev/pts/1 User999", "send-keys -K -c /dev/pts/2 User999"]
        );
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
