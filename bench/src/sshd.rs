//! An sshd of our own on loopback, and hosts behind it: each with a home and
//! tmux servers of its own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::machine::wait_for;

pub struct Sshd {
    dir: TempDir,
    port: u16,
    process: Child,
}

impl Sshd {
    /// `None` where there is no sshd.
    pub fn start() -> Result<Option<Sshd>> {
        let program = Path::new("/usr/sbin/sshd");
        if !program.is_file() {
            return Ok(None);
        }
        let dir = tempfile::Builder::new().prefix("schmux-bench-sshd-").tempdir()?;
        let root = dir.path().display().to_string();
        for key in ["host", "user"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f", &format!("{root}/{key}")])
                .status()?;
            if !made.success() {
                bail!("ssh-keygen failed");
            }
        }
        fs::copy(dir.path().join("user.pub"), dir.path().join("authorized"))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {root}/host\nPidFile none\n\
             AuthorizedKeysFile {root}/authorized\nUsePAM no\nStrictModes no\n\
             PermitRootLogin yes\nMaxStartups 200\n"
        );
        fs::write(dir.path().join("config"), config)?;
        // Debian's wants this directory when it is started by hand.
        let _ = fs::create_dir_all("/run/sshd");
        let process = Command::new(program)
            .args(["-D", "-e", "-f", &format!("{root}/config")])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("starting sshd")?;
        let sshd = Sshd { dir, port, process };
        wait_for("sshd", Duration::from_secs(20), || TcpStream::connect(("127.0.0.1", port)).ok())?;
        Ok(Some(sshd))
    }

    /// The command that reaches a host of that number, with ssh's own flags before it.
    pub fn connect(&self, number: usize, flags: &[&str]) -> Result<Vec<String>> {
        let (home, tmux) = (self.path(number, "home"), self.path(number, "tmux"));
        fs::create_dir_all(&home)?;
        fs::create_dir_all(&tmux)?;
        let root = self.dir.path().display();
        let mut words = vec!["ssh".to_owned()];
        words.extend(flags.iter().map(|&flag| flag.to_owned()));
        words.extend(["-F".into(), "none".into(), "-o".into(), "LogLevel=ERROR".into()]);
        words.extend(["-o".into(), "StrictHostKeyChecking=no".into(), "-o".into()]);
        words.extend([format!("UserKnownHostsFile={root}/known"), "-i".into()]);
        words.extend([format!("{root}/user"), "-p".into(), self.port.to_string()]);
        words.extend(["127.0.0.1".into(), "env".into(), format!("HOME={}", home.display())]);
        words.push(format!("TMUX_TMPDIR={}", tmux.display()));
        Ok(words)
    }

    pub fn path(&self, number: usize, name: &str) -> PathBuf {
        self.dir.path().join(format!("host{number}-{name}"))
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let Ok(entries) = fs::read_dir(self.dir.path()) else { return };
        let tmux = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().ends_with("-tmux");
        let dirs = entries.flatten().filter(tmux);
        let user = |dir: fs::DirEntry| fs::read_dir(dir.path()).into_iter().flatten().flatten();
        let sockets = dirs.flat_map(user).flat_map(user);
        for socket in sockets {
            let mut end = Command::new("tmux");
            let _ = end.arg("-S").arg(socket.path()).arg("kill-server").output();
        }
    }
}
