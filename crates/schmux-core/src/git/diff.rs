//! `git diff --raw -p -z`: first which files, then their patches in the same order.

use super::{Change, text};

/// One file's patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    pub path: String,
    pub old_path: Option<String>,
    pub change: Change,
    pub binary: bool,
    /// From its `diff --git` line on.
    pub text: String,
    /// The output ended before the patch did.
    pub cut: bool,
}

/// Reads the patches. `cut` says that the output was ended somewhere.
pub fn patches(bytes: &[u8], cut: bool) -> Vec<Patch> {
    let (mut files, rest) = raw(bytes);
    // Nothing to show for these; the file itself follows as a change of its own.
    files.retain(|file| file.change != Change::Conflicted);
    let mut pieces = pieces(rest).into_iter();
    let mut found: Vec<Patch> = Vec::new();
    for mut file in files {
        let Some(piece) = pieces.next() else { break };
        file.text = text(piece);
        if file.change == Change::TypeChanged {
            // The end of one thing and the beginning of another.
            file.text.push_str(&pieces.next().map(text).unwrap_or_default());
        }
        let mut head = file.text.lines().take_while(|line| !line.starts_with("@@"));
        file.binary =
            head.any(|line| line.starts_with("Binary files ") || line == "GIT binary patch");
        found.push(file);
    }
    if let Some(last) = found.last_mut() {
        last.cut = cut;
    }
    found
}

/// `:mode mode id id LETTER NUL path NUL`, with two paths for renames and copies.
fn raw(bytes: &[u8]) -> (Vec<Patch>, &[u8]) {
    let mut files = Vec::new();
    let mut rest = bytes;
    while rest.first() == Some(&b':') {
        let (Some(entry), Some(path)) = (word(&mut rest), word(&mut rest)) else { break };
        let letter = entry.rsplit(|&byte| byte == b' ').next().and_then(|word| word.first());
        let Some(change) = letter.and_then(|&letter| Change::of_letter(letter)) else { continue };
        let moved = matches!(change, Change::Renamed | Change::Copied);
        let (old_path, path) = match moved {
            true => (Some(text(path)), word(&mut rest).unwrap_or_default()),
            false => (None, path),
        };
        let path = text(path);
        let (binary, cut) = (false, false);
        files.push(Patch { path, old_path, change, binary, text: String::new(), cut });
    }
    (files, rest)
}

fn word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().position(|&byte| byte == 0)?;
    let word = &rest[..end];
    *rest = &rest[end + 1..];
    Some(word)
}

/// A line of a patch's body begins with a blank, `+`, `-`, `\` or `@`, so this
/// word at the beginning of a line is git's own.
fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    const HEAD: &[u8] = b"diff --git ";
    let finder = memchr::memmem::find_iter(bytes, HEAD);
    let starts: Vec<usize> =
        finder.filter(|&at| at == 0 || matches!(bytes[at - 1], b'\n' | 0)).collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts.iter().zip(ends).map(|(&start, end)| without_notes(&bytes[start..end])).collect()
}

/// git notes files that a merge left open between the patches.
fn without_notes(piece: &[u8]) -> &[u8] {
    match memchr::memmem::find(piece, b"\n* Unmerged path ") {
        Some(at) => &piece[..=at],
        None => piece,
    }
}

/// The patch that adds a file which git doesn't know. None for a binary one.
pub fn new_file(path: &str, content: &[u8]) -> Option<String> {
    if is_binary(content) {
        return None;
    }
    let content = String::from_utf8_lossy(content);
    let mut out = format!("diff --git a/{path} b/{path}\nnew file mode 100644\n");
    let lines = content.lines().count();
    if lines > 0 {
        out.push_str(&format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{lines} @@\n"));
    }
    for line in content.split_inclusive('\n') {
        out.push('+');
        out.push_str(line);
    }
    if lines > 0 && !content.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
    Some(out)
}

/// As git decides it: a NUL within the first 8000 bytes.
fn is_binary(content: &[u8]) -> bool {
    content.iter().take(8000).any(|&byte| byte == 0)
}

/// Ends a text after the last whole line within `most` bytes; says whether it did.
pub fn cut_lines(text: &mut String, most: usize) -> bool {
    if text.len() <= most {
        return false;
    }
    let end =
        text.as_bytes()[..most].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    text.truncate(end);
    true
}
