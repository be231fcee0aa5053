//! `git status --porcelain=v2 --branch --show-stash -z` and `git diff --numstat -z`.

use super::{Change, text};

/// A working tree beside its HEAD.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// The commit; none before the first one.
    pub head: Option<String>,
    /// The branch; none when HEAD is detached.
    pub branch: Option<String>,
    pub upstream: Option<String>,
    pub ahead: u32,
    pub behind: u32,
    pub stashes: u32,
    pub files: Vec<File>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub path: String,
    pub old_path: Option<String>,
    pub change: Change,
    pub staged: bool,
    pub unstaged: bool,
}

/// Added and deleted lines of a file; none for a binary one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    pub path: String,
    pub lines: Option<(u32, u32)>,
}

pub fn status(bytes: &[u8]) -> Status {
    let mut status = Status::default();
    let mut entries = bytes.split(|&byte| byte == 0);
    while let Some(entry) = entries.next() {
        match entry.first() {
            Some(b'#') => header(&mut status, &text(entry)),
            Some(b'1') => status.files.extend(changed(entry, 8, None)),
            Some(b'2') => {
                // The name before follows as an entry of its own.
                let old = entries.next().map(text);
                status.files.extend(changed(entry, 9, old));
            }
            Some(b'u') => status.files.extend(path_of(entry, 10).map(|path| File {
                path,
                old_path: None,
                change: Change::Conflicted,
                staged: false,
                unstaged: true,
            })),
            Some(b'?') => status.files.extend(path_of(entry, 1).map(|path| File {
                path,
                old_path: None,
                change: Change::Untracked,
                staged: false,
                unstaged: true,
            })),
            _ => {}
        }
    }
    status.files.sort_by(|a, b| a.path.cmp(&b.path));
    status
}

fn header(status: &mut Status, line: &str) {
    let Some((name, value)) = line.trim_start_matches("# ").split_once(' ') else { return };
    let value = value.to_owned();
    match name {
        "branch.oid" => status.head = Some(value).filter(|id| id != "(initial)"),
        "branch.head" => status.branch = Some(value).filter(|name| name != "(detached)"),
        "branch.upstream" => status.upstream = Some(value),
        "branch.ab" => {
            let mut counts = value.split(' ').filter_map(|word| word.get(1..)?.parse().ok());
            status.ahead = counts.next().unwrap_or(0);
            status.behind = counts.next().unwrap_or(0);
        }
        "stash" => status.stashes = value.parse().unwrap_or(0),
        _ => {}
    }
}

/// `1 XY …` and `2 XY …`: X is HEAD against the index, Y the index against the files.
fn changed(entry: &[u8], fields: usize, old_path: Option<String>) -> Option<File> {
    let (&x, &y) = (entry.get(2)?, entry.get(3)?);
    let of_index = Change::of_letter(x);
    let of_files = Change::of_letter(y);
    // What was added and then deleted again is gone; else what the index says is the news.
    let change = match (of_index, of_files) {
        (_, Some(Change::Deleted)) => Change::Deleted,
        (Some(change), _) => change,
        (None, Some(change)) => change,
        (None, None) => return None,
    };
    Some(File {
        path: path_of(entry, fields)?,
        old_path,
        change,
        staged: of_index.is_some(),
        unstaged: of_files.is_some(),
    })
}

/// A path may hold blanks, so it is what is left after so many fields.
fn path_of(entry: &[u8], fields: usize) -> Option<String> {
    entry.splitn(fields + 1, |&byte| byte == b' ').nth(fields).map(text)
}

/// `added TAB deleted TAB path`, or with an empty path and two entries after it for a rename.
pub fn numstat(bytes: &[u8]) -> Vec<Counts> {
    let mut found = Vec::new();
    let mut entries = bytes.split(|&byte| byte == 0);
    while let Some(entry) = entries.next() {
        let mut fields = entry.splitn(3, |&byte| byte == b'\t');
        let (Some(added), Some(deleted), Some(path)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let path = if path.is_empty() { entries.nth(1).unwrap_or_default() } else { path };
        let number = |field: &[u8]| text(field).parse::<u32>().ok();
        found.push(Counts { path: text(path), lines: number(added).zip(number(deleted)) });
    }
    found
}
