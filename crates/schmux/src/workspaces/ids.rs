//! The ids of workspaces (`myproj-001`) and sessions (`myproj-001-4f7k2m9x`).

use rand::RngExt;

/// Long enough for most projects, short enough for a table and a tmux status line.
const LONGEST_PROJECT: usize = 24;

/// A directory's or repository's name as the beginning of an id: `[a-z0-9-]`.
pub(super) fn project(name: &str) -> String {
    let mut id = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            id.push(c);
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    id.truncate(LONGEST_PROJECT);
    let id = id.trim_end_matches('-');
    if id.is_empty() { "workspace".to_owned() } else { id.to_owned() }
}

/// The first free `<project>-NNN`.
pub(super) fn workspace_id(project: &str, is_taken: impl Fn(&str) -> bool) -> String {
    (1u32..)
        .map(|number| format!("{project}-{number:03}"))
        .find(|id| !is_taken(id))
        .expect("there are fewer workspaces than numbers")
}

/// A new session's id. 36^8 values: among a million sessions of one workspace
/// a new one meets an old one once in three million.
pub fn session_id(workspace_id: &str) -> String {
    const CHARS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut rng = rand::rng();
    let tail: String = (0..8).map(|_| char::from(CHARS[rng.random_range(0..36)])).collect();
    format!("{workspace_id}-{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ids() {
        let cases = [
            ("myproj", "myproj"),
            ("My Project!", "my-project"),
            ("--x__y..z", "x-y-z"),
            ("日本", "workspace"),
            ("", "workspace"),
            (".config", "config"),
            ("a-very-long-project-name-indeed", "a-very-long-project-name"),
            ("abcdefghijklmnopqrstuvw xyz", "abcdefghijklmnopqrstuvw"),
            ("Ünïcode-app", "n-code-app"),
        ];
        for (name, expected) in cases {
            assert_eq!(project(name), expected, "{name}");
        }
    }

    #[test]
    fn the_first_free_number_is_taken() {
        assert_eq!(workspace_id("p", |_| false), "p-001");
        assert_eq!(workspace_id("p", |id| id < "p-003"), "p-003");
        assert_eq!(workspace_id("p", |id| id.len() == 5), "p-1000");
    }

    #[test]
    fn session_ids_have_their_workspace_in_front() {
        let id = session_id("p-001");
        let tail = id.strip_prefix("p-001-").unwrap();
        assert_eq!(tail.len(), 8);
        assert!(tail.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
        assert_ne!(id, session_id("p-001"));
    }
}
