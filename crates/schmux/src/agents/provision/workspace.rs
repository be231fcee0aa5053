//! Files of ours in a workspace: blocks in instruction files, and files of our
//! own, for agents that can't be told otherwise.
//!
//! A file that git has is left alone, because a change of it would be committed
//! sooner or later. Others are hidden from git. Nothing outside of the workspace
//! is written, whatever links lead there, and the user's files keep their mode.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tokio::sync::Mutex;

use crate::agents::known;
use crate::workspaces::exclude;

use super::block::{self, Without};
use super::gemini;
use super::ways::{Hooks, Teaching, Ways};

/// Instructions are a few pages. What is larger is something else.
const MOST: u64 = 1 << 20;

/// What of a file is ours.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Block,
    /// All of it: a block behind this head, for agents that read a directory.
    Text {
        head: &'static str,
    },
    /// All of it: hooks.
    GeminiSettings,
}

impl Part {
    /// The file without what is ours; `None` for a file without anything of ours.
    fn take_from(self, bytes: &[u8]) -> Option<Without> {
        match self {
            Part::Block => block::remove(bytes),
            Part::Text { head } => {
                block::remove(bytes).map(|without| match without.rest == head.as_bytes() {
                    true => Without { rest: Vec::new(), made: true },
                    false => without,
                })
            }
            Part::GeminiSettings => {
                gemini::is_ours(bytes).then(|| Without { rest: Vec::new(), made: true })
            }
        }
    }
}

/// A workspace, or the copy of one that is on another host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root<'a> {
    pub path: &'a Path,
    /// Of a copy: its files that git has there. Whoever brings over what is
    /// written into a copy hides it from git there.
    pub tracked: Option<&'a [String]>,
}

impl<'a, P: AsRef<Path>> From<&'a P> for Root<'a> {
    fn from(path: &'a P) -> Root<'a> {
        Root { path: path.as_ref(), tracked: None }
    }
}

/// What `unprovision` did to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Relative to the workspace.
    pub file: String,
    /// The file is gone, rather than our block in it.
    pub whole: bool,
}

/// Two sessions that start together must not write the same file at once. It is
/// held while git is asked, by those who find something to write.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// Puts a block into the first of these files that is there, or makes the first of them.
pub(super) async fn put_block<'a>(
    root: impl Into<Root<'a>>,
    files: &[String],
    text: &str,
) -> Result<(), String> {
    let root: Root<'a> = root.into();
    let there = |file: &&String| root.path.join(file).symlink_metadata().is_ok();
    let _one = ONE_AT_A_TIME.lock().await;
    let Some(file) = files.iter().find(there).or(files.first()) else { return Ok(()) };
    let place = Place::find(root.path, file)?;
    let old = place.read()?;
    let new = block::put(old.as_deref(), text);
    if old.as_deref() == Some(&new) {
        return Ok(());
    }
    prepare(root, file).await?;
    place.write(old.as_deref(), &new)
}

/// Makes or renews a file of our own with instructions.
pub(super) async fn put_text<'a>(
    root: impl Into<Root<'a>>,
    file: &str,
    head: &'static str,
    text: &str,
) -> Result<(), String> {
    let content = block::put(Some(head.as_bytes()), text);
    put_own(root, file, Part::Text { head }, &content).await
}

/// Makes or renews a file that is wholly ours; one that isn't is left alone.
pub(super) async fn put_own<'a>(
    root: impl Into<Root<'a>>,
    file: &str,
    part: Part,
    content: &[u8],
) -> Result<(), String> {
    let root: Root<'a> = root.into();
    let _one = ONE_AT_A_TIME.lock().await;
    let place = Place::find(root.path, file)?;
    let old = place.read()?;
    if let Some(old) = &old {
        if old == content {
            return Ok(());
        }
        let rest = part.take_from(old).map(|without| without.rest);
        if rest.is_none_or(|rest| !rest.is_empty()) {
            return Err(format!("{file} is yours, and left alone"));
        }
    }
    prepare(root, file).await?;
    place.write(old.as_deref(), content)
}

/// Sees to it that a file which is about to be written won't be committed.
async fn prepare(root: Root<'_>, file: &str) -> Result<(), String> {
    let is_tracked = match root.tracked {
        Some(tracked) => tracked.iter().any(|known| known == file),
        None => exclude::is_tracked(root.path, file).await,
    };
    match (is_tracked, root.tracked) {
        (true, _) => Err(format!("{file} is in git, and left alone")),
        (false, Some(_)) => Ok(()),
        (false, None) => exclude::hide(root.path, file).await,
    }
}

/// Takes everything of ours out of a workspace's files. What can't be done is in the notes.
pub async fn unprovision(root: &Path) -> (Vec<Removed>, Vec<String>) {
    let (mut removed, mut notes) = (Vec::new(), Vec::new());
    for (file, part) in files() {
        match take_out(root, file, part).await {
            Ok(Some(done)) => removed.push(done),
            Ok(None) => {}
            Err(note) => notes.push(note),
        }
    }
    (removed, notes)
}

/// The files of a workspace that an agent with these ways may get something in.
pub(super) fn files_of(ways: &'static Ways) -> Vec<&'static str> {
    let mut files = match ways.hooks {
        Some(Hooks::Gemini) => vec![gemini::FILE],
        _ => Vec::new(),
    };
    match &ways.instructions {
        Some(Teaching::Block(names)) => files.extend(names.iter().map(String::as_str)),
        Some(Teaching::File { file, .. }) => files.push(file),
        _ => {}
    }
    files
}

/// Every file that any agent may have got something in.
fn files() -> Vec<(&'static str, Part)> {
    let mut files = vec![(gemini::FILE, Part::GeminiSettings)];
    for agent in known::all().all() {
        match &agent.provision.instructions {
            Some(Teaching::Block(names)) => {
                files.extend(names.iter().map(|name| (name.as_str(), Part::Block)));
            }
            Some(Teaching::File { file, head }) => files.push((file, Part::Text { head })),
            _ => {}
        }
    }
    files.sort_by_key(|(file, _)| *file);
    files.dedup_by_key(|(file, _)| *file);
    files
}

async fn take_out(root: &Path, file: &str, part: Part) -> Result<Option<Removed>, String> {
    if root.join(file).symlink_metadata().is_err() {
        return Ok(None);
    }
    let _one = ONE_AT_A_TIME.lock().await;
    let place = Place::find(root, file)?;
    let Some(old) = place.read()? else { return Ok(None) };
    let Some(without) = part.take_from(&old) else { return Ok(None) };
    let whole = without.made && without.rest.is_empty();
    if whole {
        place.delete()?;
    } else {
        place.write(Some(&old), &without.rest)?;
    }
    exclude::show(root, file).await?;
    Ok(Some(Removed { file: file.to_owned(), whole }))
}

/// Where a file of the workspace really is.
struct Place {
    root: PathBuf,
    path: PathBuf,
    name: String,
}

impl Place {
    /// Follows links, as long as they stay inside.
    fn find(root: &Path, file: &str) -> Result<Place, String> {
        let refused = |err: io::Error| format!("can't look at {file}: {err}");
        let root = root.canonicalize().map_err(refused)?;
        let wanted = root.join(file);
        let there = wanted.ancestors().find(|path| path.symlink_metadata().is_ok());
        let there = there.unwrap_or(&root);
        // A link that leads nowhere fails here: what it would make is not ours to make.
        let real = there.canonicalize().map_err(refused)?;
        if !real.starts_with(&root) {
            return Err(format!("{file} leads out of the workspace, and is left alone"));
        }
        let rest = wanted.strip_prefix(there).unwrap_or(Path::new(""));
        let path = if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        Ok(Place { root, path, name: file.to_owned() })
    }

    /// Its content, if there is one that we can handle.
    fn read(&self) -> Result<Option<Vec<u8>>, String> {
        let metadata = match fs::metadata(&self.path) {
            Ok(metadata) => metadata,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(err) => return Err(self.failed("read", &err)),
        };
        if !metadata.is_file() || metadata.len() > MOST {
            return Err(format!("{} is no plain text file, and left alone", self.name));
        }
        let bytes = fs::read(&self.path).map_err(|err| self.failed("read", &err))?;
        // In UTF-16 our words would be noise.
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(format!("{} is not in UTF-8, and left alone", self.name));
        }
        Ok(Some(bytes))
    }

    /// Writes the file, from what it was when it was read.
    fn write(&self, old: Option<&[u8]>, new: &[u8]) -> Result<(), String> {
        let done = match old {
            None => self.create(new),
            Some(old) if new.starts_with(old) => self.append(&new[old.len()..]),
            Some(_) => self.replace(new),
        };
        done.map_err(|err| self.failed("write", &err))
    }

    fn create(&self, new: &[u8]) -> io::Result<()> {
        if let Some(dir) = self.path.parent() {
            fs::create_dir_all(dir)?;
        }
        // Not if someone else was faster.
        fs::OpenOptions::new().write(true).create_new(true).open(&self.path)?.write_all(new)
    }

    /// Leaves what is there untouched, in every sense.
    fn append(&self, more: &[u8]) -> io::Result<()> {
        fs::OpenOptions::new().append(true).open(&self.path)?.write_all(more)
    }

    /// A reader sees the old file or the new one, and a crash leaves one of them.
    fn replace(&self, new: &[u8]) -> io::Result<()> {
        let metadata = fs::metadata(&self.path)?;
        // It must be ours to write, which a rename wouldn't ask.
        let mut file = fs::OpenOptions::new().write(true).open(&self.path)?;
        if is_shared(&metadata) {
            file.set_len(0)?;
            return file.write_all(new);
        }
        let fresh = self.path.with_extension(format!("schmux-{}", std::process::id()));
        let written = || {
            fs::write(&fresh, new)?;
            fs::set_permissions(&fresh, metadata.permissions())?;
            fs::rename(&fresh, &self.path)
        };
        written().inspect_err(|_| drop(fs::remove_file(&fresh)))
    }

    /// Deletes the file, and the directories that it leaves empty.
    fn delete(&self) -> Result<(), String> {
        fs::remove_file(&self.path).map_err(|err| self.failed("delete", &err))?;
        let dirs = self.path.ancestors().skip(1).take_while(|dir| *dir != self.root);
        for dir in dirs {
            if fs::remove_dir(dir).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn failed(&self, action: &str, err: &io::Error) -> String {
        format!("can't {action} {}: {err}", self.path.display())
    }
}

/// A rename would part it from its other names, or change its owner.
fn is_shared(metadata: &Metadata) -> bool {
    metadata.nlink() > 1 || metadata.uid() != rustix::process::geteuid().as_raw()
}

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
