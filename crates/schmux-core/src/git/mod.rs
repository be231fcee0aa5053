//! What git prints, read: `status --porcelain=v2 -z`, `diff --numstat -z`,
//! `diff --raw -p -z` and `config --list`. Parsers only; they take any bytes
//! and pass over what they don't know. Running git is somebody else's business.

mod diff;
mod status;

pub use diff::{Patch, cut_lines, new_file, patches};
pub use status::{Counts, File, Status, numstat, status};

/// How a file differs from HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Added,
    Modified,
    Deleted,
    Renamed,
    Copied,
    TypeChanged,
    Untracked,
    Conflicted,
}

impl Change {
    fn of_letter(letter: u8) -> Option<Change> {
        Some(match letter {
            b'A' => Change::Added,
            b'M' => Change::Modified,
            b'D' => Change::Deleted,
            b'R' => Change::Renamed,
            b'C' => Change::Copied,
            b'T' => Change::TypeChanged,
            b'U' => Change::Conflicted,
            _ => return None,
        })
    }
}

/// What a repository's own settings could make us run, and whether it has remotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Keys of its own that name programs, to be set to nothing: filters.
    pub programs: Vec<String>,
    pub has_remote: bool,
}

/// Reads `git config --list --show-scope --name-only -z`. A filter of the user's
/// own settings may run; one that came with the repository may not.
pub fn settings(bytes: &[u8]) -> Settings {
    let mut found = Settings::default();
    let mut words = bytes.split(|&byte| byte == 0);
    while let (Some(scope), Some(name)) = (words.next(), words.next()) {
        let name = String::from_utf8_lossy(name);
        found.has_remote |= name.starts_with("remote.") && name.ends_with(".url");
        let foreign = matches!(scope, b"local" | b"worktree");
        let names_program = [".clean", ".smudge", ".process"].iter().any(|end| name.ends_with(end));
        if foreign && name.starts_with("filter.") && names_program {
            found.programs.push(name.into_owned());
        }
    }
    found
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests;
