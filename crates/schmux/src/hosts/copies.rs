//! Files of a host, copied here while an agent is provisioned: what may be looked
//! at is fetched first, and what was written into the workspace's copy is brought
//! over afterwards, if nobody has changed it there meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use schmux_core::sh;

use super::There;
use super::provision::LIMIT;
use crate::app::App;
use crate::host::remote::is_plain_path;
use crate::workspaces::{Read, Site};

/// Instructions and settings are a few pages. What is larger is something else.
const MOST: usize = 256 << 10;

/// The copies of some files, below a directory that stands for `/`.
pub(super) struct Copies {
    pub root: PathBuf,
    /// What each file held, by its path there.
    before: BTreeMap<String, Option<Vec<u8>>>,
    workspace: String,
    /// Those of the workspace that git has.
    pub tracked: Vec<String>,
}

impl Copies {
    /// Fetches files by their paths, as far as they are there.
    pub async fn fetch(
        app: &App,
        place: &There,
        root: PathBuf,
        (workspace, wanted): (&str, Vec<String>),
    ) -> Result<Copies, String> {
        // Nothing that a host says leads out of the directory for the copies.
        let all = [workspace].into_iter().chain(wanted.iter().map(String::as_str));
        if let Some(odd) = { all }.find(|path| !is_plain_path(path)) {
            return Err(format!("{odd:?} can't be copied"));
        }
        let (before, tracked) = (BTreeMap::new(), Vec::new());
        let mut copies = Copies { root, before, workspace: workspace.to_owned(), tracked };
        fs::create_dir_all(copies.of(workspace)).map_err(|error| error.to_string())?;
        if wanted.is_empty() {
            return Ok(copies);
        }
        let relative: Vec<String> =
            wanted.iter().map(|path| path.trim_start_matches('/').to_owned()).collect();
        let files = (relative.as_slice(), MOST);
        let read = Site::read_there(&app.host, &place.host, Path::new("/"), files).await;
        if read.len() != wanted.len() {
            return Err("its files can't be read".into());
        }
        for (path, read) in wanted.into_iter().zip(read) {
            copies.keep(path, read).map_err(|error| error.to_string())?;
        }
        let inside = |path: &String| copies.relative(path).map(str::to_owned);
        let files: Vec<String> = copies.before.keys().filter_map(inside).collect();
        let ask = format!("cd {} && git ls-files -- {}", sh::quote(workspace), sh::join(&files));
        // Without git, or outside of a repository, it has none.
        if let Ok(said) = app.host.run(&place.host, &ask, LIMIT).await
            && said.status == 0
        {
            copies.tracked = said.text().lines().map(str::to_owned).collect();
        }
        Ok(copies)
    }

    /// The copy of a path there.
    pub fn of(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn relative<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(&self.workspace)?.strip_prefix('/')
    }

    fn keep(&mut self, path: String, read: Read) -> std::io::Result<()> {
        let copy = self.of(&path);
        if let Some(dir) = copy.parent().filter(|_| read != Read::Not) {
            fs::create_dir_all(dir)?;
        }
        let content = match read {
            Read::Plain(bytes, false) => {
                fs::write(&copy, &bytes)?;
                Some(bytes)
            }
            // Nothing is done with what is too long, or leads we don't know where.
            Read::Plain(_, true) => return symlink("/dev/null/too-long", &copy),
            Read::Link(to) => {
                let to = String::from_utf8_lossy(&to).into_owned();
                let inside = !to.starts_with('/') && !to.split('/').any(|part| part == "..");
                return symlink(if inside { &to } else { "/dev/null/outside" }, &copy);
            }
            Read::Not => None,
        };
        self.before.insert(path, content);
        Ok(())
    }

    /// A script that brings over what was changed in the workspace; `None` if
    /// nothing was. It prints what could not be done.
    pub fn changes(&self, dir: &str) -> Option<String> {
        let mut calls = String::new();
        for (path, before) in &self.before {
            let Some(file) = self.relative(path) else { continue };
            let Ok(now) = fs::read(self.of(path)) else { continue };
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
            let (Some(new), false) = (text(&now), before.as_ref() == Some(&now)) else { continue };
            let old = match before {
                None => Some("-".to_owned()),
                Some(before) => text(before).map(|old| format!("+{old}")),
            };
            if let Some(old) = old {
                calls.push_str(&format!("put {}\n", sh::join([file, &old, &new])));
            }
        }
        let set = [("ROOT", self.workspace.clone()), ("LOCK", format!("{dir}/files.lock"))];
        let set = set.map(|(name, value)| format!("{name}={}\n", sh::quote(&value))).concat();
        (!calls.is_empty()).then(|| format!("{set}{}{calls}", include_str!("files.sh")))
    }
}
