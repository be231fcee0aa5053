//! The names that the user's ssh knows, for completions and for the page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use schmux_core::ssh_config::{Entry, entries, matches};

/// Files that include files, as deep as ssh itself follows them.
const DEEPEST: usize = 16;

/// More than anyone chooses from.
const MOST_FILES: usize = 500;

/// The names in `~/.ssh/config` and in what that includes, patterns left out.
pub fn ssh_names() -> Vec<String> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    below(&home)
}

fn below(home: &Path) -> Vec<String> {
    let mut search = Search { home, names: BTreeSet::new(), read: 0 };
    search.read(&home.join(".ssh/config"), 0);
    search.names.into_iter().collect()
}

struct Search<'a> {
    home: &'a Path,
    names: BTreeSet<String>,
    read: usize,
}

impl Search<'_> {
    fn read(&mut self, file: &Path, depth: usize) {
        self.read += 1;
        if depth > DEEPEST || self.read > MOST_FILES || !file.is_file() {
            return;
        }
        // What can't be read has no names to offer; ssh itself will say why.
        let Ok(text) = fs::read(file) else { return };
        for entry in entries(&String::from_utf8_lossy(&text)) {
            match entry {
                Entry::Name(name) => drop(self.names.insert(name)),
                Entry::Include(pattern) => {
                    for file in self.meant(&pattern) {
                        self.read(&file, depth + 1);
                    }
                }
            }
        }
    }

    /// The files that a pattern means, which may be one in its last part.
    fn meant(&self, pattern: &str) -> Vec<PathBuf> {
        let path = match pattern.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None => self.home.join(".ssh").join(pattern),
        };
        let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else { return Vec::new() };
        let name = name.to_string_lossy();
        let found = fs::read_dir(dir).into_iter().flatten().flatten();
        let fits = found.filter(|found| matches(&name, &found.file_name().to_string_lossy()));
        let mut files: Vec<PathBuf> = fits.map(|found| found.path()).collect();
        files.sort();
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_followed() {
        let home = tempfile::tempdir().unwrap();
        let ssh = home.path().join(".ssh");
        fs::create_dir_all(ssh.join("config.d")).unwrap();
        let write = |name: &str, text: &str| fs::write(ssh.join(name), text).unwrap();
        write("config", "Include config.d/*\nHost box *.lan\nInclude ~/.ssh/config\n");
        write("config.d/work", "Host build\n  User me\nHost *\n");
        assert_eq!(below(home.path()), ["box", "build"]);
        assert_eq!(below(&home.path().join("nowhere")), Vec::<String>::new());
    }
}
