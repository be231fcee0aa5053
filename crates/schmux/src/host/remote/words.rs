//! What a connect command says on its stderr, and what is told of its end.
//!
//! A banner, a warning and the error that ended it all come by the same pipe.
//! **Invariant:** a reason says what failed: in the words of an error that is
//! known for one, or else how the command ended, with its last words marked as
//! such.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr};
use tokio::task::JoinHandle;

/// How much is kept: a reason stands at the end, and banners may be long.
const KEPT: usize = 8 << 10;

/// How long the end of a command and of its words may take once its stdout has
/// ended. What it left running may keep its stderr open.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How many lines are told, and how much of each: a reason stands in a table.
const LINES: usize = 2;
const LINE: usize = 300;

/// How much of a command is told: enough to know it by.
const COMMAND: usize = 100;

/// The beginnings of lines that say what has failed. ssh writes banners to the
/// same place, and they may hold anything else.
const COMPLAINTS: [&str; 17] = [
    "ssh: ",
    "ssh_",
    "kex_",
    "banner exchange: ",
    "client_loop: ",
    "mux_client_",
    "command-line: ",
    "Bad owner or permissions",
    "Connection closed by ",
    "Connection reset by ",
    "Connection timed out",
    "Host key for ",
    "Host key verification failed",
    "Received disconnect from ",
    "Timeout, server ",
    "Too many authentication failures",
    "Unable to negotiate with ",
];

/// What a command says on its stderr, read as it comes: nobody who writes there
/// waits for us.
pub(in crate::host) struct Words {
    kept: Arc<Mutex<Vec<u8>>>,
    reading: JoinHandle<()>,
    command: String,
}

impl Words {
    pub fn of(client: &mut Child, argv: &[String]) -> Words {
        // A std mutex: held for a copy, never across an await.
        let kept = Arc::default();
        let reading = tokio::spawn(read(client.stderr.take(), Arc::clone(&kept)));
        let mut command = argv.join(" ");
        if let Some((cut, _)) = command.char_indices().nth(COMMAND) {
            command.truncate(cut);
            command.push('…');
        }
        Words { kept, reading, command }
    }

    /// What was said until now is no reason for what happens later.
    pub fn forget(&self) {
        lock(&self.kept).clear();
    }

    /// Why the command ended, whose stdout has: `talk` is what came by that.
    pub async fn why(&mut self, client: &mut Child, talk: &[u8]) -> String {
        let ended = tokio::time::timeout(LAST_WORDS, async {
            let status = client.wait().await.ok();
            // Fails only if it was cancelled, and nobody does that.
            let _ = (&mut self.reading).await;
            status
        });
        let status = match ended.await {
            Ok(status) => status,
            Err(_) => client.try_wait().ok().flatten(),
        };
        let said = lock(&self.kept).clone();
        reason(
            &self.command,
            status,
            &String::from_utf8_lossy(&said),
            &String::from_utf8_lossy(talk),
        )
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

async fn read(stderr: Option<ChildStderr>, kept: Arc<Mutex<Vec<u8>>>) {
    let Some(mut stderr) = stderr else { return };
    let mut piece = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut piece).await {
        let mut kept = lock(&kept);
        kept.extend_from_slice(&piece[..count]);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}

fn lock(kept: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reason(command: &str, status: Option<ExitStatus>, stderr: &str, stdout: &str) -> String {
    let said = lines(stderr);
    let complaints: Vec<&String> = said.iter().filter(|line| is_complaint(line)).collect();
    if !complaints.is_empty() {
        return last(&complaints);
    }
    let how = match status {
        // It closed its stdout, and runs on.
        None => "let go of us".to_owned(),
        Some(status) if status.success() => "ended".to_owned(),
        Some(status) => format!("failed ({status})"),
    };
    let before_help = |line: &&String| !line.to_ascii_lowercase().starts_with("usage:");
    let words: Vec<&String> = said.iter().take_while(before_help).collect();
    let talk = lines(stdout);
    // What tmux says in its protocol is for us.
    let talk: Vec<&String> = talk.iter().filter(|line| !line.starts_with('%')).collect();
    // What comes by stdout is of a shell over there, which is nearer to the end.
    match [last(&talk), last(&words)].map(Some).map(|text| text.filter(|text| !text.is_empty())) {
        [None, None] => format!("`{command}` {how} without a word"),
        [Some(text), None] | [None, Some(text)] => format!("`{command}` {how}, and said: {text}"),
        [Some(talk), Some(words)] => {
            format!("`{command}` {how}, and said: {talk}; on stderr: {words}")
        }
    }
}

/// The ends of lines in which a shell says that it found no program.
const NOT_FOUND: [&str; 4] =
    [": command not found", ": not found", ": No such file or directory", ": Permission denied"];

fn is_complaint(line: &str) -> bool {
    let closed = ["closed", "timed out"].iter().any(|end| line.contains(end));
    COMPLAINTS.iter().any(|begin| line.starts_with(begin))
        || line.starts_with("Connection to ") && closed
        || NOT_FOUND.iter().any(|end| line.ends_with(end))
        || line.contains(": Permission denied (")
        || line.contains(" host key is known for ")
}

/// The lines that say something, without what only a terminal understands.
fn lines(text: &str) -> Vec<String> {
    let plain = |line: &str| -> String {
        line.trim().chars().filter(|c| !c.is_control()).take(LINE).collect()
    };
    text.lines().map(plain).filter(|line| line.chars().any(char::is_alphanumeric)).collect()
}

fn last(lines: &[&String]) -> String {
    let from = lines.len().saturating_sub(LINES);
    lines[from..].iter().map(|line| line.as_str()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    const BANNER: &str = "***************\n* Authorised users only! *\n***************\n\n";

    #[test]
    fn a_reason_says_what_failed() {
        let code = |code: i32| Some(ExitStatus::from_raw(code << 8));
        for (status, stderr, stdout, expected) in [
            (
                code(255),
                format!("{BANNER}me@box: Permission denied (publickey).\r\n"),
                "",
                "me@box: Permission denied (publickey).",
            ),
            (
                code(255),
                "kex_exchange_identification: Connection closed by remote host\r\n\
                 Connection closed by 10.0.0.1 port 22\r\n"
                    .into(),
                "",
                "kex_exchange_identification: Connection closed by remote host; \
                 Connection closed by 10.0.0.1 port 22",
            ),
            (
                code(255),
                "Connection to this system is recorded.\nConnection to box closed by remote host.\n"
                    .into(),
                "",
                "Connection to box closed by remote host.",
            ),
            (
                code(127),
                format!("{BANNER}bash: line 1: sh: command not found\n"),
                "",
                "bash: line 1: sh: command not found",
            ),
            // Killed, or cut without a word: the banner is no reason.
            (
                Some(ExitStatus::from_raw(9)),
                BANNER.into(),
                "",
                "`ssh box sh` failed (signal: 9 (SIGKILL)), and said: * Authorised users only! *",
            ),
            (
                code(1),
                BANNER.into(),
                "This account is closed.\n",
                "`ssh box sh` failed (exit status: 1), and said: This account is closed.; \
                 on stderr: * Authorised users only! *",
            ),
            (
                code(1),
                "Error: No such container: web\n".into(),
                "",
                "`ssh box sh` failed (exit status: 1), and said: Error: No such container: web",
            ),
            (
                code(255),
                "unknown option -- y\nusage: ssh [-46AaCf]\n           [-b address]\n".into(),
                "",
                "`ssh box sh` failed (exit status: 255), and said: unknown option -- y",
            ),
            (code(0), String::new(), "", "`ssh box sh` ended without a word"),
            (None, String::new(), "", "`ssh box sh` let go of us without a word"),
        ] {
            assert_eq!(reason("ssh box sh", status, &stderr, stdout), expected);
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_left_out() {
        let said = reason("x", None, "\x1b]0;title\x07ssh: no\n", "");
        assert_eq!(said, "`x` let go of us, and said: ]0;titlessh: no");
    }
}
