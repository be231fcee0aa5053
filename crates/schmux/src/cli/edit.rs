//! `schmux edit [ARGUMENTS…] FILE`: the editor of schmux's sessions.
//!
//! It is the user's own editor, with the same arguments, unless a delivery waits
//! in this session and the agent itself has called: then the courier decides
//! what the file holds. No argument parser, no runtime; without a ticket nobody
//! is asked.
//!
//! While it asks it has the terminal, so it reads what the human types and hands
//! it to the daemon to be replayed. In any doubt the file stays as it is and the
//! exit code is 0: some agents take the file whatever the code says.

mod caller;
mod own;
mod terminal;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::courier::ticket;
use crate::home::Home;
use crate::spawn::now;
use crate::wire::{EditCaller, EditEnded, EditReply, EditRequest, EditWhat};

use super::quick;
use terminal::Terminal;

/// How long the daemon may take: it answers a call within 3 s whatever happens.
const ANSWER: Duration = Duration::from_millis(3_500);

/// How long it may take to hear the end of one.
const GOODBYE: Duration = Duration::from_millis(500);

/// The longest file that can be a field; a longer one is no draft.
const LONGEST: u64 = 4 << 20;

/// These are for `--help` only: see [`main`].
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What your own editor is called with; the last is the file
    words: Vec<String>,
}

/// Runs it if the words are a call of it.
pub(super) fn main(words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let words: Vec<OsString> = words.collect();
    let (verb, rest) = words.split_first()?;
    if verb != "edit" || rest == ["--help"] || rest == ["-h"] {
        return None;
    }
    match Call::expected(rest) {
        Some(call) if call.serve() == Served::Done => Some(ExitCode::SUCCESS),
        _ => Some(own::run(rest)),
    }
}

/// A call that the courier may be waiting for.
struct Call {
    home: Home,
    session: String,
    file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Served {
    Done,
    /// It is for the human after all.
    ForHuman,
}

impl Call {
    fn expected(words: &[OsString]) -> Option<Call> {
        let session = std::env::var("SCHMUX_SESSION_ID").ok().filter(|id| !id.is_empty())?;
        let home = Home::from_env().ok()?;
        if !ticket::is_there(&home, &session, now()) {
            return None;
        }
        let file = PathBuf::from(words.last()?);
        Some(Call { home, session, file })
    }

    fn serve(&self) -> Served {
        if caller::caller() == EditCaller::Tool {
            return Served::ForHuman;
        }
        // From the first moment on, keys come to us and not as signals.
        let terminal = Terminal::take();
        let Some(content) = self.read() else { return Served::Done };
        let Ok(reply) = self.ask(content) else { return Served::Done };
        let wrote = match &reply.what {
            EditWhat::Human => return Served::ForHuman,
            EditWhat::Leave => false,
            EditWhat::Write(text) => write(&self.file, text).is_ok(),
        };
        let keys = terminal.as_ref().map(Terminal::caught).unwrap_or_default();
        let ended = EditEnded { session_id: self.session.clone(), call: reply.call, wrote, keys };
        // The daemon may be gone; the field then shows what it needs to know.
        let _ = self.post::<serde_json::Value>("/api/edit/ended", &ended, GOODBYE);
        Served::Done
    }

    fn read(&self) -> Option<String> {
        let plain = fs::metadata(&self.file).ok()?;
        if !plain.is_file() || plain.len() > LONGEST {
            return None;
        }
        fs::read_to_string(&self.file).ok()
    }

    fn ask(&self, content: String) -> io::Result<EditReply> {
        let session_id = self.session.clone();
        let request = EditRequest { session_id, caller: EditCaller::Agent, content };
        self.post("/api/edit", &request, ANSWER)
    }

    fn post<T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
        body: &impl serde::Serialize,
        limit: Duration,
    ) -> io::Result<T> {
        let body = serde_json::to_vec(body)?;
        let answer = quick::post(&self.home.socket(), path, &body, Instant::now() + limit)?;
        Ok(serde_json::from_slice(&answer)?)
    }
}

/// Replaces the file's content, all of it or nothing.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions();
    let new = path.with_extension(format!("schmux-{}", std::process::id()));
    let replaced = fs::File::create(&new).and_then(|mut file| {
        file.set_permissions(mode)?;
        file.write_all(text.as_bytes())?;
        fs::rename(&new, path)
    });
    if replaced.is_err() {
        let _ = fs::remove_file(&new);
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_replaced_whole_with_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("draft.md");
        fs::write(&path, "a draft").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, "a message\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a message\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn other_verbs_are_none_of_it() {
        let call = |words: &[&str]| main(words.iter().map(OsString::from)).is_some();
        assert!(!call(&[]) && !call(&["list"]) && !call(&["edit", "--help"]));
    }
}
