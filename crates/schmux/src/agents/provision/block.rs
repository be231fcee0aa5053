//! Our part of a file that is the user's: a block between two comments.
//!
//! Everything here is bytes in and bytes out. **Invariant:** what stands outside
//! of the block is never changed, and taking the block out gives back the very
//! bytes that were there before it was put in.

const BEGIN: &str = "<!-- SCHMUX:BEGIN -->";
const END: &str = "<!-- SCHMUX:END -->";

/// Stands in the block of a file that was not there before.
const MADE: &str = "<!-- schmux made this file. -->";

/// A file without its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Without {
    pub rest: Vec<u8>,
    /// The file was made by us, and `rest` is what others have added since.
    pub made: bool,
}

/// The file with a block that holds `text`: updated in place, or at its end.
/// `None` stands for a file that isn't there.
pub(super) fn put(old: Option<&[u8]>, text: &str) -> Vec<u8> {
    let bytes = old.unwrap_or_default();
    if let Some(place) = find(bytes) {
        let old = &bytes[place.start..place.end];
        let block = block(text, is_made(old), newline_of(old));
        return [&bytes[..place.start], block.as_bytes(), &bytes[place.end..]].concat();
    }
    let newline = newline_of(bytes);
    let block = block(text, old.is_none(), newline);
    match bytes.last() {
        None | Some(b'\n') => [bytes, block.as_bytes(), newline.as_bytes()].concat(),
        // A file without a final newline still has none afterwards: that is how
        // it is known later that the newline before the block is ours.
        Some(b'\r') => [bytes, b"\r\n", block.as_bytes()].concat(),
        Some(_) => [bytes, newline.as_bytes(), block.as_bytes()].concat(),
    }
}

/// The file without its block, if it has one.
pub(super) fn remove(bytes: &[u8]) -> Option<Without> {
    let place = find(bytes)?;
    let (before, after) = (&bytes[..place.start], &bytes[place.end..]);
    let made = is_made(&bytes[place.start..place.end]);
    let rest = match after {
        [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => [before, after].concat(),
        [] => without_newline(before).to_vec(),
        // Someone wrote on behind the block.
        after => [before, after].concat(),
    };
    Some(Without { rest, made })
}

struct Place {
    start: usize,
    /// Behind the closing comment, before the end of its line.
    end: usize,
}

/// The first block that is whole: comments that stand alone on their lines,
/// with no other beginning between them.
fn find(bytes: &[u8]) -> Option<Place> {
    let mut start = None;
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        if content == BEGIN.as_bytes() {
            start = Some(at);
        } else if content == END.as_bytes()
            && let Some(start) = start
        {
            return Some(Place { start, end: at + content.len() });
        }
        at += line.len();
    }
    None
}

fn block(text: &str, made: bool, newline: &str) -> String {
    let made = made.then_some(MADE);
    let lines = [BEGIN].into_iter().chain(made).chain(text.trim_end().lines()).chain([END]);
    lines.collect::<Vec<_>>().join(newline)
}

fn is_made(block: &[u8]) -> bool {
    memchr::memmem::find(block, MADE.as_bytes()).is_some()
}

/// The user's way to end lines, by the first one.
fn newline_of(bytes: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', bytes) {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

fn without_newline(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(old: Option<&str>, expected: &str) {
        let new = put(old.map(str::as_bytes), "one\ntwo\n");
        assert_eq!(String::from_utf8_lossy(&new), expected, "{old:?}");
        // Once more changes nothing, and other words change only the block.
        assert_eq!(put(Some(&new), "one\ntwo"), new);
        let other = put(Some(&new), "three");
        assert_eq!(put(Some(&other), "one\ntwo"), new);
        let without = remove(&new).unwrap();
        assert_eq!(without.made, old.is_none());
        assert_eq!(String::from_utf8_lossy(&without.rest), old.unwrap_or_default());
    }

    #[test]
    fn blocks_come_and_go() {
        let block = |newline: &str| [BEGIN, "one", "two", END].join(newline);
        check(Some(""), &format!("{}\n", block("\n")));
        check(None, &[BEGIN, MADE, "one", "two", END, ""].join("\n"));
        check(Some("# A\n"), &format!("# A\n{}\n", block("\n")));
        check(Some("# A"), &format!("# A\n{}", block("\n")));
        check(Some("# A\r\nb\r\n"), &format!("# A\r\nb\r\n{}\r\n", block("\r\n")));
        check(Some("# A\r\nb"), &format!("# A\r\nb\r\n{}", block("\r\n")));
        check(Some("a\r"), &format!("a\r\r\n{}", block("\n")));
        check(Some("\n\n"), &format!("\n\n{}\n", block("\n")));
    }

    #[test]
    fn what_the_user_adds_around_a_block_stays() {
        let with = format!("above\n{BEGIN}\nold\n{END}\nbelow\n");
        let new = format!("above\n{BEGIN}\nnew\n{END}\nbelow\n");
        assert_eq!(put(Some(with.as_bytes()), "new"), new.as_bytes());
        assert_eq!(remove(with.as_bytes()).unwrap().rest, b"above\nbelow\n");
        // Behind a block that ended a file without a newline.
        let with = format!("a\n{BEGIN}\n{END}\nb");
        assert_eq!(remove(with.as_bytes()).unwrap().rest, b"a\nb");
    }

    #[test]
    fn what_is_no_block_is_left_alone() {
        let quoted = format!("see `{BEGIN}`\n{END}\n");
        let open = format!("{BEGIN}\ntheirs\n");
        for text in [quoted.as_str(), &open, END, BEGIN, "", &format!(" {BEGIN}\n{END}\n")] {
            assert_eq!(remove(text.as_bytes()), None, "{text}");
        }
        // An open beginning doesn't swallow what follows up to another block.
        let new = put(Some(open.as_bytes()), "x");
        assert_eq!(remove(&new).unwrap().rest, open.as_bytes());
    }

    proptest! {
        #[test]
        fn putting_in_and_taking_out_is_nothing(
            old in proptest::collection::vec(
                prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a'), any::<u8>()], 0..40),
            text in "[a-z\n]{0,20}",
        ) {
            let new = put(Some(&old), &text);
            prop_assert_eq!(remove(&new), Some(Without { rest: old.clone(), made: false }));
            let other = put(Some(&new), "other");
            prop_assert_eq!(remove(&other).unwrap().rest, old);
        }

        #[test]
        fn lines_around_a_block_survive_its_changes(
            above in "([a-z ]{0,5}(\n|\r\n)){0,4}",
            below in "([a-z ]{0,5}(\n|\r\n)){0,4}[a-z]{0,3}",
        ) {
            let old = put(Some(above.as_bytes()), "one");
            let old = [&old[..], below.as_bytes()].concat();
            let new = put(Some(&old), "two\nlines");
            prop_assert!(new.starts_with(above.as_bytes()) && new.ends_with(below.as_bytes()));
            prop_assert_eq!(remove(&new).unwrap().rest, [above, below].concat().into_bytes());
        }
    }
}
