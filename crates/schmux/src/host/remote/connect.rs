//! From a connect command to a control client that tmux has let in.

use std::time::Duration;

use schmux_core::remote::{Frame, Frames, Heard};
use schmux_core::sh;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::words::Words;
use super::{Facts, Reach, is_plain_path};
use crate::host::{HUB, link};
use crate::proc;

/// How long a way may take to open: a slow link, a login shell with much to
/// say, and a human who has to find a passphrase.
const OPEN: Duration = Duration::from_secs(150);

/// How long `prepare` may take: a cluster may have to find room.
const PREPARE: Duration = Duration::from_secs(600);

/// The most that may come before the way is open: banners and what login shells print.
const MOST_TALK: usize = 1 << 20;

/// How much of that is kept for the reason of a failure, which stands at its end.
const MOST_KEPT: usize = 2000;

pub(in crate::host) struct Opened {
    pub client: Child,
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub words: Words,
    /// What tmux said as it let us in.
    pub first: Vec<u8>,
    pub facts: Facts,
}

/// Opens the way to a host.
pub(in crate::host) async fn connect(reach: &Reach) -> Result<Opened, String> {
    if !reach.prepare.is_empty() {
        let env: Vec<(&str, &str)> =
            reach.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let prepared = proc::finish(&reach.prepare, &env, PREPARE).await;
        prepared.map_err(|error| format!("its `prepare` failed: {error}"))?;
    }
    match tokio::time::timeout(OPEN, open(reach)).await {
        Ok(opened) => opened,
        Err(_) => Err(format!(
            "`{}` did not come through within {} s",
            reach.connect.join(" "),
            OPEN.as_secs()
        )),
    }
}

async fn open(reach: &Reach) -> Result<Opened, String> {
    let argv = reach.argv();
    let mut client = proc::tunnel(&argv, &reach.env).map_err(|error| error.to_string())?;
    let mut words = Words::of(&mut client, &argv);
    let (Some(mut stdin), Some(mut stdout)) = (client.stdin.take(), client.stdout.take()) else {
        return Err("the connect command has no pipes".into());
    };
    let nonce = format!("{:032x}", rand::random::<u128>());
    // What a command that ends at once says is more telling than a broken pipe.
    let _ = stdin.write_all(script(reach, &nonce).as_bytes()).await;
    let mut frames = Frames::default();
    let mut heard = 0;
    let mut talk = Vec::new();
    let facts = loop {
        let mut piece = Vec::new();
        if stdout.read_buf(&mut piece).await.unwrap_or(0) == 0 {
            return Err(words.why(&mut client, &talk).await);
        }
        heard += piece.len();
        talk.extend_from_slice(&piece);
        let over = talk.len().saturating_sub(MOST_KEPT);
        talk.drain(..over);
        if heard > MOST_TALK {
            return Err("what came back was no answer of a shell".into());
        }
        frames.push(&piece);
        if let Some(facts) = ready(&mut frames, &nonce) {
            break facts;
        }
    };
    if let Some(error) = facts.get("error") {
        return Err(error.chars().filter(|c| !c.is_control()).take(500).collect());
    }
    let facts = Facts::new(facts, crate::host::now());
    if let Some(odd) = [&facts.dir, &facts.home].into_iter().find(|dir| !is_plain_path(dir)) {
        return Err(format!("it can't have a directory {odd:?}"));
    }
    // Banners and warnings belong to the way here.
    words.forget();
    let mut first = frames.into_rest();
    while memchr::memmem::find(&first, b"%session-changed ").is_none() {
        if stdout.read_buf(&mut first).await.unwrap_or(0) == 0 {
            return Err(words.why(&mut client, &first).await);
        }
        if first.len() > MOST_TALK {
            return Err("what came back was no answer of tmux".into());
        }
    }
    Ok(Opened { client, stdin, stdout, words, first, facts })
}

/// The facts, once our own frame is there.
fn ready(frames: &mut Frames, ours: &str) -> Option<std::collections::BTreeMap<String, String>> {
    while let Some(heard) = frames.pop() {
        match heard {
            Heard::Frame(Frame::Ready { nonce, facts }) if nonce == ours => return Some(facts),
            _ => {}
        }
    }
    None
}

/// The text that the shell over there reads.
fn script(reach: &Reach, nonce: &str) -> String {
    let values = [
        ("NONCE", nonce),
        ("INSTANCE", &reach.instance),
        ("SOCKET", &reach.socket()),
        ("HUB", HUB),
        ("KEEP", link::KEEPER),
        ("CONF", &reach.conf),
        ("RELAY", include_str!("relay.pl")),
        ("USERS", reach.users.as_deref().unwrap_or_default()),
    ];
    let set = values.map(|(name, value)| format!("{name}={}\n", sh::quote(value)));
    format!("{}{}", set.concat(), include_str!("bootstrap.sh"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use schmux_core::ids::HostId;

    #[tokio::test]
    async fn a_command_that_fails_is_quoted() {
        for (connect, expected) in [
            (vec!["sh", "-c", "echo ssh: no route >&2; exit 255"], "ssh: no route"),
            (vec!["false"], "`false sh` failed (exit status: 1) without a word"),
            (vec!["no-such-program-here"], "no-such-program-here was not found on PATH"),
            (
                vec!["sh", "-c", "echo This account is closed."],
                "`sh -c echo This account is closed. sh` ended, and said: This account is closed.",
            ),
        ] {
            let connect = connect.into_iter().map(str::to_owned).collect();
            let shell = Some("sh".to_owned());
            let name = HostId::new("h").unwrap();
            let reach = Reach::new(name, connect, shell, ("i".into(), String::new()), Vec::new());
            assert_eq!(super::connect(&reach).await.err().unwrap(), expected);
        }
    }
}
