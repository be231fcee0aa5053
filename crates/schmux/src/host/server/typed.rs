//! What the keys of a human mean for a call: whether they may answer it.

use crate::wire::TypedKeys;

/// The most that was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typed {
    Text,
    /// Tab or Shift-Tab: agents switch between answers and modes by it.
    Tab,
    Enter,
}

impl From<TypedKeys> for Typed {
    fn from(keys: TypedKeys) -> Typed {
        match keys {
            TypedKeys::Text => Typed::Text,
            TypedKeys::Tab => Typed::Tab,
            TypedKeys::Enter => Typed::Enter,
        }
    }
}

/// Of bytes as a terminal sends them.
pub(super) fn of_bytes(bytes: &[u8]) -> Typed {
    // A newline alone is what agents take for a line break in the field.
    if memchr::memchr(b'\r', bytes).is_some() {
        Typed::Enter
    } else if memchr::memchr(b'\t', bytes).is_some()
        || memchr::memmem::find(bytes, b"\x1b[Z").is_some()
    {
        Typed::Tab
    } else {
        Typed::Text
    }
}

/// Of keys by tmux's names for them.
pub(super) fn of_names(names: &[String]) -> Typed {
    let is = |name: &String, key: &&str| name.eq_ignore_ascii_case(key);
    let has = |keys: &[&str]| names.iter().any(|name| keys.iter().any(|key| is(name, key)));
    if has(&["Enter", "KPEnter", "C-m", "^M", "0x0d", "0xd"]) {
        Typed::Enter
    } else if has(&["Tab", "BTab", "S-Tab", "C-i", "^I", "0x09", "0x9"]) {
        Typed::Tab
    } else {
        Typed::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_and_tabs_are_told_from_text() {
        for (bytes, typed) in [
            (&b"abc"[..], Typed::Text),
            (b"", Typed::Text),
            (b"a\n", Typed::Text),
            (b"\x1b[A", Typed::Text),
            (b"yes\r", Typed::Enter),
            (b"\t", Typed::Tab),
            (b"\x1b[Z", Typed::Tab),
        ] {
            assert_eq!(of_bytes(bytes), typed, "{bytes:?}");
        }
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(of_names(&names(&["Up", "Enter"])), Typed::Enter);
        assert_eq!(of_names(&names(&["BTab"])), Typed::Tab);
        assert_eq!(of_names(&names(&["enter"])), Typed::Enter);
        assert_eq!(of_names(&names(&["^M"])), Typed::Enter);
        assert_eq!(of_names(&names(&["S-Tab"])), Typed::Tab);
        assert_eq!(of_names(&names(&["C-c"])), Typed::Text);
    }
}
