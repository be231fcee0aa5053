//! The human's editor on the field's text: a file, a child, and the file again.
//!
//! The child has the terminal while it runs. It is watched, not waited for,
//! because the agent goes on working meanwhile.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::Child;

use crate::proc;

pub(crate) struct Editor {
    file: PathBuf,
    child: Child,
    text: String,
}

/// What the editor left behind.
pub(crate) struct Edited {
    pub(crate) text: Option<String>,
    pub(crate) ok: bool,
    /// The file came back as it was.
    pub(crate) unchanged: bool,
}

impl Editor {
    pub(crate) fn open(text: &str) -> anyhow::Result<Editor> {
        let file = write_file(text)?;
        let name = |key: &str| std::env::var(key).ok().filter(|value| !value.trim().is_empty());
        let editor = name("VISUAL").or_else(|| name("EDITOR")).unwrap_or_else(|| "vi".to_owned());
        // As git does it: the variable may hold arguments, so the shell takes it apart.
        let script = format!("{editor} \"$1\"");
        let argv = ["sh".as_ref(), "-c".as_ref(), script.as_ref(), "sh".as_ref(), file.as_os_str()];
        match proc::foreground(&argv) {
            Ok(child) => Ok(Editor { file, child, text: text.to_owned() }),
            Err(err) => {
                let _ = fs::remove_file(&file);
                Err(err.into())
            }
        }
    }

    /// What came of it, once it has ended.
    pub(crate) fn poll(&mut self) -> Option<Edited> {
        let ok = match self.child.try_wait() {
            Ok(None) => return None,
            Ok(Some(status)) => status.success(),
            Err(_) => false,
        };
        let text =
            fs::read(&self.file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let _ = fs::remove_file(&self.file);
        let unchanged = text.as_deref() == Some(&self.text);
        Some(Edited { text, ok, unchanged })
    }
}

/// Removes the draft's file. For an agent that ends while its editor runs.
pub(crate) fn clean_up() {
    let _ = fs::remove_file(path());
}

/// One agent has one editor at a time, so its pid names the file.
fn path() -> PathBuf {
    std::env::temp_dir().join(format!("schmux-demo-{}.md", std::process::id()))
}

/// A new file that only we can read: drafts are private.
fn write_file(text: &str) -> io::Result<PathBuf> {
    // An agent that was killed may have had our pid.
    clean_up();
    let path = path();
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(text.as_bytes())?;
    Ok(path)
}
