//! The secrets of one instance: the token on disk, and the cookie derived from it.
//!
//! The token is 256 random bits, so it can't be guessed at any rate. The
//! cookie's value is a hash of it: who reads a browser's cookies gets in as
//! that browser, but doesn't learn the token.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// What lets a browser or a program in.
#[derive(Clone)]
pub struct Keys {
    token: String,
    cookie: String,
}

#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    #[error("can't read or write the token {}: {source}. Make it writable, or remove it to get a new one", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the token in {} is too short to be safe: remove the file and start again to get a new one", path.display())]
    Weak { path: PathBuf },
}

impl Keys {
    /// The token in the file at `path`, which is made if it isn't there.
    pub fn load_or_create(path: &Path) -> Result<Keys, KeysError> {
        let failed = |source| KeysError::Io { path: path.to_owned(), source };
        // Whoever links first wins; the other reads what the first one wrote.
        if !path.try_exists().map_err(failed)? {
            create_secret(path, format!("{}\n", random_token()).as_bytes()).map_err(failed)?;
        }
        tighten(path).map_err(failed)?;
        let token = fs::read_to_string(path).map_err(failed)?.trim().to_owned();
        // A person may set a token of their own; 32 characters is what 128 bits take in hex.
        let plain = token.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b));
        if token.len() < 32 || !plain {
            return Err(KeysError::Weak { path: path.to_owned() });
        }
        Ok(Keys::from_token(token))
    }

    pub fn from_token(token: impl Into<String>) -> Keys {
        let token = token.into();
        let cookie = hex(&Sha256::digest(format!("schmux cookie v1\0{token}")));
        Keys { token, cookie }
    }

    /// For the link that logs a browser in (`schmux url`).
    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn cookie_value(&self) -> &str {
        &self.cookie
    }

    /// An agent's own token. It names its session, so that nothing need be stored:
    /// who knows the instance's token can make it, and nobody else.
    pub fn agent_token(&self, session: &str) -> String {
        let secret = format!("schmux agent v1\0{session}\0{}", self.token);
        format!("{session}.{}", hex(&Sha256::digest(secret)))
    }

    /// The session whose token this is.
    pub fn agent_of<'a>(&self, given: &'a str) -> Option<&'a str> {
        let (session, _) = given.rsplit_once('.')?;
        let own = self.agent_token(session);
        bool::from(same(given.as_bytes(), own.as_bytes())).then_some(session)
    }

    pub(crate) fn is_token(&self, given: &[u8]) -> bool {
        same(given, self.token.as_bytes()).into()
    }

    pub(super) fn is_cookie(&self, given: &[u8]) -> bool {
        same(given, self.cookie.as_bytes()).into()
    }
}

/// Neither the secrets nor their lengths belong in a log.
impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys")
    }
}

/// The name of the cookie. Browsers send a host's cookies to all of its ports,
/// so the port is in the name and instances don't overwrite each other's.
pub fn cookie_name(port: u16) -> String {
    format!("schmux_{port}")
}

/// Compares digests, so that the time taken tells neither content nor length.
fn same(given: &[u8], secret: &[u8]) -> Choice {
    Sha256::digest(given).as_slice().ct_eq(Sha256::digest(secret).as_slice())
}

fn random_token() -> String {
    hex(&rand::random::<[u8; 32]>())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file that is never seen half-written or readable by others, and
/// leaves one that is already there alone.
fn create_secret(path: &Path, content: &[u8]) -> io::Result<()> {
    let draft = write_draft(path, content)?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file in the same manner, in place of the one that is there.
pub(crate) fn replace_secret(path: &Path, content: &[u8]) -> io::Result<()> {
    let draft = write_draft(path, content)?;
    fs::rename(&draft, path).inspect_err(|_| drop(fs::remove_file(&draft)))
}

fn write_draft(path: &Path, content: &[u8]) -> io::Result<PathBuf> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{:016x}", rand::random::<u64>()));
    let draft = path.with_file_name(name);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    let written = file.write_all(content).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(&draft)))?;
    Ok(draft)
}

/// Takes a secret away from everyone but its owner.
fn tighten(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        tracing::warn!("{} had mode {mode:o}; it is 600 now", path.display());
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_token_is_made_once_and_kept_private() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let first = Keys::load_or_create(&path).unwrap();
        assert_eq!(first.token().len(), 64);
        assert_eq!(mode(&path), 0o600);
        assert_eq!(Keys::load_or_create(&path).unwrap().token(), first.token());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no drafts are left behind");
    }

    #[test]
    fn a_token_that_others_could_read_is_tightened() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        fs::write(&path, "a".repeat(40)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        assert_eq!(Keys::load_or_create(&path).unwrap().token(), "a".repeat(40));
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn an_empty_or_short_token_opens_nothing() {
        let dir = tempfile::tempdir().unwrap();
        for content in ["", "\n", "password", "with spaces in it, but long enough otherwise"] {
            let path = dir.path().join("token");
            fs::write(&path, content).unwrap();
            let error = Keys::load_or_create(&path).unwrap_err().to_string();
            assert!(error.contains("remove the file"), "{error}");
        }
    }

    #[test]
    fn creators_at_the_same_time_agree() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let make = || Keys::load_or_create(&path).unwrap().token().to_owned();
        let tokens: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
    }

    #[test]
    fn an_agent_speaks_for_its_own_session_only() {
        let keys = Keys::from_token("0123456789abcdef0123456789abcdef");
        let token = keys.agent_token("work-001-a.b");
        assert_eq!(keys.agent_of(&token), Some("work-001-a.b"));
        assert!(!keys.is_token(token.as_bytes()));
        let (_, secret) = token.rsplit_once('.').unwrap();
        for forged in [format!("work-001-b.{secret}"), "work-001-a.b.".into(), secret.into()] {
            assert_eq!(keys.agent_of(&forged), None, "{forged}");
        }
        assert_eq!(Keys::from_token("f".repeat(32)).agent_of(&token), None, "another instance's");
    }

    #[test]
    fn the_cookie_does_not_hold_the_token() {
        let keys = Keys::from_token("0123456789abcdef0123456789abcdef");
        assert!(!keys.cookie_value().contains(&keys.token()[..8]));
        assert!(keys.is_token(keys.token().as_bytes()) && !keys.is_token(b""));
        assert!(!keys.is_token(keys.cookie_value().as_bytes()));
        assert!(!format!("{keys:?}").contains(keys.token()));
    }
}
