//! What to do about a host that can't be reached.

use crate::host::LET_GO;

/// Advice on a reason that says what to do by itself.
pub(crate) fn on(reason: &str) -> Option<&'static str> {
    let known = [
        (LET_GO, "reach it again: schmux host connect NAME"),
        ("tmux is not installed there", "install tmux there, 3.2 or later"),
        ("schmux needs 3.2 or later", "install a newer tmux there"),
        ("can be written to there", "make room there, or give the account a home"),
        (
            "has changed and you have requested strict checking",
            "if the host was really set up anew, forget its old key: ssh-keygen -R HOST",
        ),
        (
            "Host key verification failed",
            "its key is not known here: run the connect command in a terminal, and say yes to its question",
        ),
        (
            ": Permission denied (",
            "it doesn't let you in: check the user's name and the key, with the connect command in a terminal",
        ),
        ("Could not resolve hostname", "check the name, and what ~/.ssh/config has for it"),
        (": Connection refused", "nothing listens there: check the port, and that sshd runs"),
    ];
    known.into_iter().find(|(words, _)| reason.contains(words)).map(|(_, advice)| advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_that_are_known_have_their_own_advice() {
        for (reason, expected) in [
            ("tmux is not installed there (PATH is /bin)", Some("install tmux there")),
            ("tmux there is 2.9a, and schmux needs 3.2 or later", Some("a newer tmux")),
            (
                "Host key for box has changed and you have requested strict checking.; \
                 Host key verification failed.",
                Some("ssh-keygen -R"),
            ),
            ("me@box: Permission denied (publickey).", Some("doesn't let you in")),
            ("`docker exec -i web sh` failed (exit status: 1)", None),
        ] {
            let advice = on(reason);
            assert_eq!(advice.is_some(), expected.is_some(), "{reason}");
            assert!(advice.unwrap_or_default().contains(expected.unwrap_or_default()), "{reason}");
        }
    }
}
