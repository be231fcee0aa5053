//! `.schmux/inbox/<session-id>` in a workspace: what was brought to an agent
//! without a key, for it to read again. It only grows, and nothing is ever taken
//! from it: a message that waits is in the outbox, and nowhere else.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::{Mode, OFlags, mkdirat, openat};
use schmux_core::courier::message::Message;
use schmux_core::ids::SessionId;

use crate::app::App;
use crate::spawn::local;
use crate::wire;
use crate::workspaces;

/// Agents cut the answers of hooks at about 10,000 characters; a longer message
/// is read from the file.
const LONGEST: usize = 8_000;

impl App {
    /// What a hook says of a message: the words, or where they are if they are long.
    pub(crate) fn inbox_words(&self, session: &SessionId, message: &Message) -> String {
        let words = message.words();
        if words.len() <= LONGEST {
            return words.into_owned();
        }
        let heading = message.heading.as_deref().unwrap_or("[schmux] Message from your human.");
        format!(
            "{heading}\nIt has {} characters. Read it now, from its heading to the end of the file: {}",
            words.chars().count(),
            self.inbox_file(session).unwrap_or_default()
        )
    }

    /// Writes down what is about to be given; an error if it can't be.
    pub(super) fn note_in_inbox(&self, session: &SessionId, message: &Message) -> io::Result<()> {
        let fleet = self.fleet.borrow().clone();
        let session = fleet.session(session).ok_or(io::ErrorKind::NotFound)?;
        let workspace = fleet.workspace(&session.workspace).ok_or(io::ErrorKind::NotFound)?;
        if workspace.host != local() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "it is on another host"));
        }
        append(Path::new(&workspace.path), session.id.as_str(), message)
    }

    fn inbox_file(&self, session: &SessionId) -> Option<String> {
        let fleet = self.fleet.borrow();
        let workspace = fleet.workspace(&fleet.session(session)?.workspace)?;
        let file = workspaces::inbox_file(Path::new(&workspace.path), session.as_str());
        Some(file.to_string_lossy().into_owned())
    }
}

/// Whether a message is too long for the answer of a hook.
pub(super) fn is_long(message: &Message) -> bool {
    message.words().len() > LONGEST
}

/// The workspace is the agent's: no link in it is followed, and no pipe is waited for.
fn append(workspace: &Path, session: &str, message: &Message) -> io::Result<()> {
    let dir = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = rustix::fs::open(workspace, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    for name in workspaces::INBOX_DIRS {
        match mkdirat(&at, name, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        at = openat(&at, name, dir, Mode::empty())?;
    }
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW;
    let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(openat(&at, session, flags, Mode::from_raw_mode(0o644))?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let at = wire::inbox_message(message).at;
    file.write_all(format!("--- {at} message {}\n{}\n\n", message.id.0, message.words()).as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use schmux_core::courier::message::{MessageId, Sender};
    use schmux_core::time::Moment;

    use super::*;

    #[test]
    fn it_grows_and_leads_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let message = Message::new(MessageId(7), Sender::Human, "two\nlines", Moment(0));
        append(dir.path(), "a-001", &message).unwrap();
        append(dir.path(), "a-001", &message).unwrap();
        let file = workspaces::inbox_file(dir.path(), "a-001");
        let entry = "--- 1970-01-01T00:00:00Z message 7\ntwo\nlines\n\n";
        assert_eq!(fs::read_to_string(&file).unwrap(), entry.repeat(2));
        let elsewhere = dir.path().join("elsewhere");
        symlink(&elsewhere, file.with_file_name("b-001")).unwrap();
        assert!(append(dir.path(), "b-001", &message).is_err());
        fs::remove_dir_all(dir.path().join(".schmux")).unwrap();
        symlink("/", dir.path().join(".schmux")).unwrap();
        assert!(append(dir.path(), "a-001", &message).is_err());
        assert!(!elsewhere.exists());
    }
}
