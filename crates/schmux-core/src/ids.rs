//! The names of things, each with a type of its own.
//!
//! Session and workspace ids are ours and safe everywhere (tmux targets, file
//! names, URLs) by construction; pane and window ids are tmux's.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A name that is safe as a tmux session, a file name and a URL segment. Whatever
/// is told of a session has its name with it, so a copy is cheap.
macro_rules! name {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $type(Arc<str>);

        impl $type {
            pub fn new(name: impl Into<String>) -> Result<Self, BadName> {
                let name = name.into();
                if is_safe(&name) { Ok(Self(name.into())) } else { Err(BadName(name)) }
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $type {
            type Error = BadName;
            fn try_from(name: String) -> Result<Self, BadName> {
                Self::new(name)
            }
        }

        impl From<$type> for String {
            fn from(id: $type) -> String {
                id.0.as_ref().to_owned()
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// One agent: `<workspace>-<8 characters>`.
    SessionId
);
name!(
    /// One directory where agents work: `myproj-001`.
    WorkspaceId
);
name!(
    /// One place that we reach: `local`, or a name that the user gave.
    HostId
);

/// A name that can't be an id: empty, too long, or with characters that tmux,
/// a file system or a URL would take for something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadName(pub String);

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} can't be a name: use letters, digits, '-' and '_', at most 80", self.0)
    }
}

impl std::error::Error for BadName {}

fn is_safe(name: &str) -> bool {
    // A file name may hold 255 bytes; 80 leaves room for what is put around it.
    !name.is_empty()
        && name.len() <= 80
        && !name.starts_with('-')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// A text that is no id of tmux's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadTmuxId(pub String);

impl fmt::Display for BadTmuxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no id of tmux's: a sign and a number, like %7", self.0)
    }
}

impl std::error::Error for BadTmuxId {}

/// An id that tmux gives: a sigil and a number.
macro_rules! tmux_id {
    ($(#[$doc:meta])* $type:ident, $sigil:literal) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(try_from = "String", into = "String")]
        pub struct $type(pub u32);

        impl TryFrom<String> for $type {
            type Error = BadTmuxId;
            fn try_from(text: String) -> Result<Self, BadTmuxId> {
                $type::parse(text.as_bytes()).ok_or(BadTmuxId(text))
            }
        }

        impl From<$type> for String {
            fn from(id: $type) -> String {
                id.to_string()
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($sigil, "{}"), self.0)
            }
        }

        impl $type {
            pub fn parse(text: &[u8]) -> Option<$type> {
                let digits = text.strip_prefix($sigil.as_bytes())?;
                std::str::from_utf8(digits).ok().and_then(|d| u32::from_str(d).ok()).map($type)
            }
        }
    };
}

tmux_id!(
    /// tmux's id of a pane: `%7`.
    PaneId, "%"
);
tmux_id!(
    /// tmux's id of a window: `@7`.
    WindowId, "@"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_everywhere() {
        for good in ["myproj-001", "myproj-001-ab12cd34", "local", "A_b"] {
            assert!(SessionId::new(good).is_ok(), "{good}");
        }
        for bad in ["", "-a", "a.b", "a:b", "a/b", "a b", "..", "é", "a\n", &"x".repeat(81)] {
            assert!(SessionId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn tmux_ids_read_what_they_write() {
        assert_eq!(PaneId::parse(b"%12"), Some(PaneId(12)));
        assert_eq!(PaneId(12).to_string(), "%12");
        for bad in [&b"12"[..], b"%", b"%x", b"@1", b"%99999999999", b"%-1"] {
            assert_eq!(PaneId::parse(bad), None);
        }
    }
}
