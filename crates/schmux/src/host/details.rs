//! How a session was started, as tmux remembers it: its program, its directory and
//! the variables that were set for it. What looks like a secret is not passed on.

use schmux_core::ids::PaneId;
use schmux_core::nudgenik::mask;
use schmux_core::tmux::Command;

use crate::wire::{EnvVariable, SessionDetails};

/// The questions whose answers [`details`] reads. The command comes last because
/// it may hold anything.
pub(super) fn commands(pane: PaneId, tmux_session: &str) -> [Command; 2] {
    let told = "details\t#{pane_pid}\t#{pane_start_path}\t#{pane_start_command}";
    let target = pane.to_string();
    [
        Command::new("display-message").arg("-p").opt("-t", target).arg(told),
        // As shell commands, because values may have several lines.
        Command::new("show-environment").arg("-s").opt("-t", format!("={tmux_session}")),
    ]
}

pub(super) fn details(bodies: &[Vec<u8>]) -> SessionDetails {
    let told = String::from_utf8_lossy(&bodies[0]);
    let mut fields = told.splitn(4, '\t').skip(1);
    let pid = fields.next().and_then(|pid| pid.parse().ok());
    let dir = fields.next().unwrap_or_default().to_owned();
    let variables = variables(&String::from_utf8_lossy(&bodies[1]));
    let mut command = fields.next().unwrap_or_default().to_owned();
    for (_, value) in variables.iter().filter(|(name, value)| is_secret(name, value)) {
        // Short ones would take ordinary words with them.
        if value.len() >= 6 {
            command = command.replace(value.as_str(), "[masked]");
        }
    }
    let env = variables.into_iter().map(|(name, value)| {
        let secret = is_secret(&name, &value);
        let value = match secret {
            true => format!("[masked, {} characters]", value.chars().count()),
            false => value,
        };
        EnvVariable { name, value, secret }
    });
    SessionDetails { pid, dir, env: env.collect(), command: mask(&command).into_owned() }
}

/// By its name or by its look.
fn is_secret(name: &str, value: &str) -> bool {
    const WORDS: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "AUTH"];
    // A path to one tells nothing.
    let is_place = value.starts_with('/') || name.ends_with("_FILE") || name.ends_with("_SOCK");
    let by_name = WORDS.iter().any(|word| name.to_ascii_uppercase().contains(word));
    (by_name && !is_place && !value.is_empty()) || mask(value) != value
}

/// `NAME="value"; export NAME;`, with backslashes before what a shell would read.
fn variables(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let assigned = rest.split_once("=\"").filter(|(name, _)| !name.is_empty() && is_name(name));
        let Some((name, quoted)) = assigned else {
            // `unset NAME;`, or something of a later tmux.
            rest = &rest[line_end..];
            continue;
        };
        let Some((value, length)) = unquote(quoted) else { break };
        found.push((name.to_owned(), value));
        let after = &quoted[length..];
        rest = after.find('\n').map_or("", |at| &after[at + 1..]);
    }
    found.sort();
    found
}

/// A text up to its closing quote, and how far that is.
fn unquote(text: &str) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, at + 1)),
            '\\' => value.extend(chars.next().map(|(_, c)| c)),
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_any_content_are_read() {
        let text = "unset DISPLAY;\nA=\"1\"; export A;\nB=\"a \\\"q\\\" \\$x\nC=\\\"no\\\"; export C;\"; export B;\nD=\"\"; export D;\nE=\"cut";
        let found = variables(text);
        let told: Vec<_> = found.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(told, [("A", "1"), ("B", "a \"q\" $x\nC=\"no\"; export C;"), ("D", "")]);
    }

    #[test]
    fn secrets_are_not_passed_on() {
        let env = "API_KEY=\"hunter2222\"; export API_KEY;\nSCHMUX_HOME=\"/h\"; export SCHMUX_HOME;\n\
            SSH_AUTH_SOCK=\"/run/s\"; export SSH_AUTH_SOCK;\nX=\"ghp_abcdefghijklmnopqrstuvwx1234\"; export X;\n";
        let told = b"details\t42\t/w\tagent --key hunter2222 --token=abcdefgh\t'x'".to_vec();
        let details = details(&[told, env.as_bytes().to_vec()]);
        assert_eq!((details.pid, details.dir.as_str()), (Some(42), "/w"));
        assert_eq!(details.command, "agent --key [masked] --token=[masked]\t'x'");
        let shown: Vec<_> =
            details.env.iter().map(|v| (v.name.as_str(), v.value.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("API_KEY", "[masked, 10 characters]"),
                ("SCHMUX_HOME", "/h"),
                ("SSH_AUTH_SOCK", "/run/s"),
                ("X", "[masked, 32 characters]"),
            ]
        );
    }
}
