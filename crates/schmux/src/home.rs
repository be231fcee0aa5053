//! `SCHMUX_HOME`: one directory that holds a whole instance of schmux.
//!
//! Only this module knows the names of the files in it. Two homes never share
//! a database, a socket, a token or a tmux server.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Gemini CLI knows by this name that the program uses the terminal.
pub const EDITOR_NAME: &str = "schmux-nano";

/// The directory of one instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    dir: PathBuf,
    is_default: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    #[error(
        "neither SCHMUX_HOME nor HOME is set: set SCHMUX_HOME to a directory that schmux may write to"
    )]
    Unset,
    #[error("can't write to {}: {source}. {}, or set SCHMUX_HOME to another directory", dir.display(), remedy(source))]
    NotWritable { dir: PathBuf, source: io::Error },
}

impl Home {
    /// The home that the environment names: `SCHMUX_HOME`, else `~/.schmux`.
    pub fn from_env() -> Result<Home, HomeError> {
        let default = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".schmux"));
        match std::env::var_os("SCHMUX_HOME").filter(|dir| !dir.is_empty()) {
            Some(dir) => {
                let dir = std::path::absolute(&dir).unwrap_or_else(|_| dir.into());
                let is_default = default.as_deref() == Some(dir.as_path());
                Ok(Home { dir, is_default })
            }
            None => Ok(Home { dir: default.ok_or(HomeError::Unset)?, is_default: true }),
        }
    }

    /// A home at `dir` that is not the user's default one.
    pub fn at(dir: impl Into<PathBuf>) -> Home {
        Home { dir: dir.into(), is_default: false }
    }

    /// Makes the directory (mode 0700) and proves that it can be written to, with
    /// room for what a daemon writes as it starts. What
    /// agents were told is in it, so one that was there before is closed to others too.
    pub fn prepare(&self) -> Result<(), HomeError> {
        let attempt = || -> io::Result<()> {
            DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
            let mode = fs::metadata(&self.dir)?.permissions().mode();
            if mode & 0o077 != 0 {
                // One that belongs to somebody else stays as they made it.
                let _ = fs::set_permissions(&self.dir, Permissions::from_mode(mode & 0o700));
            }
            DirBuilder::new().recursive(true).mode(0o700).create(self.logs())?;
            let probe = self.dir.join(format!(".probe-{}", std::process::id()));
            let written = fill(&probe);
            // What could be written of it is in the way on a full disk.
            let removed = fs::remove_file(&probe);
            written.and(removed)
        };
        attempt().map_err(|source| HomeError::NotWritable { dir: self.dir.clone(), source })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn database(&self) -> PathBuf {
        self.dir.join("schmux.db")
    }

    /// The Unix socket of the API, where the daemon has it. With a long home that is
    /// where the link in the home leads: the daemon's environment, and so its runtime
    /// directory, may be another than ours.
    pub fn socket(&self) -> PathBuf {
        let here = self.socket_link();
        match is_short(&here) {
            true => here,
            false => fs::read_link(&here).unwrap_or_else(|_| self.socket_to_make()),
        }
    }

    /// Where a daemon makes its socket. A socket's path may hold about 100 bytes only,
    /// so a home with a long name has it in the runtime directory, and a link to it.
    pub fn socket_to_make(&self) -> PathBuf {
        let here = self.socket_link();
        if is_short(&here) {
            return here;
        }
        let name = format!("schmux-{}.sock", self.digest());
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let places = runtime.into_iter().chain([std::env::temp_dir()]).map(|dir| dir.join(&name));
        let fits = |place: &PathBuf| place.is_absolute() && is_short(place);
        places.into_iter().find(fits).unwrap_or_else(|| Path::new("/tmp").join(&name))
    }

    /// Leaves word of where the socket is, for [`Home::socket`].
    pub fn tell_socket(&self, socket: &Path) -> io::Result<()> {
        let link = self.socket_link();
        if link == socket {
            return Ok(());
        }
        let fresh = self.dir.join(format!(".socket-{}", std::process::id()));
        let _ = fs::remove_file(&fresh);
        symlink(socket, &fresh)?;
        fs::rename(&fresh, &link)
    }

    fn socket_link(&self) -> PathBuf {
        self.dir.join("schmux.sock")
    }

    /// Held (flock) by the daemon for as long as it lives.
    pub fn lock(&self) -> PathBuf {
        self.dir.join("schmux.lock")
    }

    /// The running daemon's address and pid, as JSON.
    pub fn running(&self) -> PathBuf {
        self.dir.join("running.json")
    }

    /// The secret that lets a browser in (mode 0600).
    pub fn token(&self) -> PathBuf {
        self.dir.join("token")
    }

    /// The certificate that we make for ourselves when none is configured.
    pub fn tls_cert(&self) -> PathBuf {
        self.dir.join("tls-cert.pem")
    }

    /// Its private key (mode 0600).
    pub fn tls_key(&self) -> PathBuf {
        self.dir.join("tls-key.pem")
    }

    /// A name that tells this instance from all others, on any machine.
    pub fn instance(&self) -> PathBuf {
        self.dir.join("instance")
    }

    pub fn config(&self) -> PathBuf {
        self.dir.join("config.toml")
    }

    /// What the user knows of agents' screens (`*.toml`), in place of what we know.
    pub fn agents(&self) -> PathBuf {
        self.dir.join("agents")
    }

    pub fn logs(&self) -> PathBuf {
        self.dir.join("logs")
    }

    /// Where worktrees and clones are made.
    pub fn workspaces(&self) -> PathBuf {
        self.dir.join("workspaces")
    }

    /// Recordings of what sessions printed.
    pub fn replays(&self) -> PathBuf {
        self.dir.join("replays")
    }

    /// What sessions start with: commands that were too long for tmux, until
    /// they are read, and a directory for each session that was provisioned.
    pub fn launches(&self) -> PathBuf {
        self.dir.join("launches")
    }

    /// An empty place where an agent is asked a question.
    pub fn questions(&self) -> PathBuf {
        self.dir.join("questions")
    }

    /// A file for each session in which an editor is expected.
    pub fn tickets(&self) -> PathBuf {
        self.dir.join("tickets")
    }

    /// Drafts that could not be put back into an agent's field.
    pub fn drafts(&self) -> PathBuf {
        self.dir.join("drafts")
    }

    /// What sessions have for `EDITOR`.
    pub fn editor(&self) -> PathBuf {
        self.dir.join("editor").join(EDITOR_NAME)
    }

    /// The configuration that our own tmux servers start with.
    pub fn tmux_conf(&self) -> PathBuf {
        self.dir.join("tmux.conf")
    }

    /// The socket name of this instance's first tmux server (`tmux -L NAME`):
    /// `schmux` for the default home, a name derived from its path for another.
    pub fn tmux_socket(&self) -> String {
        if self.is_default { "schmux".to_owned() } else { format!("schmux-{}", self.digest()) }
    }

    fn digest(&self) -> String {
        let hash = Sha256::digest(self.dir.as_os_str().as_encoded_bytes());
        // 40 bits are plenty to keep a person's few homes apart.
        hash[..5].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// `sun_path` holds 108 bytes on Linux and 104 on macOS, the final NUL included.
fn is_short(socket: &Path) -> bool {
    socket.as_os_str().len() < 100
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "Make room on that disk",
        _ => "Make it writable",
    }
}

/// A daemon's first files: the database, its log, settings for tmux. On a disk that has no
/// room for them it would end with less of an explanation, or none.
const ROOM: usize = 256 << 10;

fn fill(path: &Path) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(&[b'x'; ROOM])?;
    // Some file systems find out late that they are full.
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_have_tmux_servers_of_their_own() {
        let (a, b) = (Home::at("/tmp/a"), Home::at("/tmp/b"));
        assert_ne!(a.tmux_socket(), b.tmux_socket());
        assert_ne!(a.tmux_socket(), "schmux");
        assert_eq!(a.tmux_socket(), Home::at("/tmp/a").tmux_socket());
    }

    #[test]
    fn a_long_home_still_has_a_socket_that_fits() {
        let home = Home::at(format!("/tmp/{}", "long/".repeat(40)));
        assert!(home.socket().as_os_str().len() < 104);
    }

    #[test]
    fn the_socket_of_a_long_home_is_found_by_its_link() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("long/".repeat(20)));
        home.prepare().unwrap();
        assert_eq!(home.socket(), home.socket_to_make());
        for place in ["/run/user/1/one.sock", "/run/user/2/two.sock"] {
            home.tell_socket(Path::new(place)).unwrap();
            assert_eq!(home.socket(), Path::new(place));
        }
        let short = Home::at(dir.path());
        short.tell_socket(&short.socket_to_make()).unwrap();
        assert_eq!(short.socket(), dir.path().join("schmux.sock"));
        assert!(fs::symlink_metadata(short.socket()).is_err(), "a link to itself");
    }

    #[test]
    fn a_home_that_was_there_before_is_closed_to_others() {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        Home::at(dir.path()).prepare().unwrap();
        assert_eq!(fs::metadata(dir.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_home_that_cannot_be_written_says_so() {
        let err = Home::at("/proc/nowhere").prepare().unwrap_err().to_string();
        assert!(err.contains("/proc/nowhere") && err.contains("SCHMUX_HOME"), "{err}");
    }
}
