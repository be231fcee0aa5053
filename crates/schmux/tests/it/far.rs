//! Hosts for tests: places with a home, a shell and a tmux of their own, reached
//! by a plain command or by a real sshd. Everything ends with the test.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use schmux::wire::{HostState, HostStatus, Session, SpawnRequest};
use schmux_core::screen::Screen;
use tempfile::TempDir;

use super::support::{Daemon, PATIENCE, truth, until};
use super::way::Way;

/// Ends whatever runs in `$place`, as the end of a machine or of a container does:
/// when this has run, nobody writes there any more. (grep fails when a process ends
/// while it looks, whatever it has found.)
pub const END_ALL: &str = "while inside=$(grep -lszxF TMUX_TMPDIR=$place/tmux /proc/[0-9]*/environ); \
                           [ \"$inside\" ]; do kill -9 $(echo \"$inside\" | cut -d/ -f3); done 2>/dev/null";

/// One place, with its own home and its own tmux servers.
pub struct Far {
    dir: TempDir,
    pub name: String,
    sshd: Option<(Child, u16)>,
    /// Where its sshd listens.
    address: String,
    /// Nothing is on its PATH but what is in its own `bin`.
    bare: bool,
    /// Words for its environment besides.
    more: Vec<String>,
}

impl Far {
    /// A place that a plain command reaches: an environment of its own.
    pub fn plain(name: &str) -> Far {
        let dir = TempDir::new().unwrap();
        for sub in ["home", "tmux", "work", "bin", "tmp"] {
            fs::create_dir(dir.path().join(sub)).unwrap();
        }
        Far {
            dir,
            name: name.into(),
            sshd: None,
            address: String::new(),
            bare: false,
            more: Vec::new(),
        }
    }

    /// A place with the fewest programs that schmux can do with, whose `sh` is this one.
    pub fn bare(name: &str, shell: &str) -> Far {
        const PROGRAMS: &str = "awk cat chmod cksum date env head id kill ls mkdir mv od rm rmdir sed \
                                sleep stat stty tail tmux tr uname wc";
        let mut far = Far::plain(name);
        far.bare = true;
        let far = far;
        let link = |program: &str, name: &str| {
            let place = ["/usr/bin", "/bin"].map(|dir| PathBuf::from(dir).join(program));
            let found = place.into_iter().find(|path| path.exists()).expect("it is installed");
            std::os::unix::fs::symlink(found, far.path("bin").join(name)).unwrap();
        };
        PROGRAMS.split_whitespace().for_each(|program| link(program, program));
        link(shell, "sh");
        far
    }

    /// A place behind a real sshd; `None`, with the reason printed, where there
    /// is no sshd to be had.
    pub fn ssh(name: &str) -> Option<Far> {
        Far::ssh_at(name, "127.0.0.1", &[])
    }

    /// The same at another address, whose sshd is started by these words.
    pub fn ssh_at(name: &str, address: &str, starter: &[&str]) -> Option<Far> {
        let program = ["/usr/sbin/sshd", "/usr/lib/ssh/sshd"].into_iter();
        let Some(program) = program.map(PathBuf::from).find(|path| path.is_file()) else {
            eprintln!("skipped: no sshd is installed");
            return None;
        };
        let mut far = Far::plain(name);
        far.address = address.into();
        let root = far.dir.path();
        // sshd trusts no key below a directory that others may write to.
        fs::set_permissions(root, fs::Permissions::from_mode(0o700)).unwrap();
        for key in ["host", "user"] {
            let file = root.join(key);
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(&file)
                .status();
            assert!(made.unwrap().success());
        }
        fs::copy(root.join("user.pub"), root.join("authorized")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = format!(
            "Port {port}\nListenAddress {address}\nHostKey {0}/host\nAuthorizedKeysFile {0}/authorized\n\
             PidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\n\
             PrintMotd yes\nMaxStartups 100\nBanner {0}/banner\n",
            root.display()
        );
        fs::write(root.join("sshd_config"), config).unwrap();
        // Debian's wants this directory when it is started by hand.
        let _ = fs::create_dir_all("/run/sshd");
        let program = program.to_string_lossy();
        let mut words = starter.iter().copied().chain([program.as_ref()]);
        let child = Command::new(words.next().expect("there is one word at least"))
            .args(words)
            .args(["-D", "-e", "-f"])
            .arg(root.join("sshd_config"))
            .stderr(fs::File::create(root.join("sshd.log")).unwrap())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        far.sshd = Some((child, port));
        let deadline = Instant::now() + PATIENCE;
        while std::net::TcpStream::connect((address, port)).is_err() {
            assert!(Instant::now() < deadline, "sshd did not start: {}", far.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(far)
    }

    /// The same place with a clock of its own, which [`Far::set_clock`] sets;
    /// `None`, with the reason printed, where that can't be had.
    pub fn with_clock(mut self) -> Option<Far> {
        let places = ["/usr/lib/*/faketime", "/usr/lib/faketime", "/usr/lib64/faketime"];
        let find = format!(
            "ls -d {} 2>/dev/null",
            places.map(|at| format!("{at}/libfaketime.so.1")).join(" ")
        );
        let found = Command::new("sh").args(["-c", &find]).output().unwrap().stdout;
        let Some(library) = String::from_utf8(found).unwrap().lines().next().map(str::to_owned)
        else {
            eprintln!("not run: libfaketime is not installed");
            return None;
        };
        self.set_clock(0);
        self.more = vec![
            format!("LD_PRELOAD={library}"),
            format!("FAKETIME_TIMESTAMP_FILE={}", self.text("clock")),
            "FAKETIME_NO_CACHE=1".into(),
            "FAKETIME_DONT_FAKE_MONOTONIC=1".into(),
        ];
        Some(self)
    }

    /// Sets its clock by so many seconds ahead of ours.
    pub fn set_clock(&self, ahead: i64) {
        let new = self.path("clock.new");
        fs::write(&new, format!("{ahead:+}\n")).unwrap();
        fs::rename(new, self.path("clock")).unwrap();
    }

    /// The command that reaches it, through a script of the test's own that ends
    /// with running its arguments.
    pub fn connect_through(&self, script: &str) -> Vec<String> {
        let path = self.text("through.sh");
        fs::write(&path, script).unwrap();
        ["sh".to_owned(), path].into_iter().chain(self.connect()).collect()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("sshd.log")).unwrap_or_default()
    }

    /// What the place is, as words before a command.
    fn environment(&self) -> Vec<String> {
        let system = if self.bare { "" } else { ":/usr/local/bin:/usr/bin:/bin" };
        let path = format!("PATH={}{system}", self.text("bin"));
        // A login shell would bring the rest of the system's PATH.
        let shell = if self.bare { "SHELL=/bin/false" } else { "SHELL=/bin/sh" };
        let home = format!("HOME={}", self.text("home"));
        let tmux = format!("TMUX_TMPDIR={}", self.text("tmux"));
        let tmp = format!("TMPDIR={}", self.text("tmp"));
        // For terminals that are attached; those of the tests are tmux's own.
        let term = "TERM=screen";
        let mut words = vec!["env".into(), "-i".into(), shell.into(), term.into()];
        words.extend([home, path, tmux, tmp]);
        words.extend(self.more.iter().cloned());
        words
    }

    /// The words that ssh needs, up to the command.
    pub fn ssh_words(&self, port: u16) -> Vec<String> {
        self.ssh_words_to(&self.address, port)
    }

    fn ssh_words_to(&self, address: &str, port: u16) -> Vec<String> {
        let known = format!("UserKnownHostsFile={}", self.text("known"));
        let options = ["StrictHostKeyChecking=no", "LogLevel=ERROR", &known];
        let mut words: Vec<String> = vec!["ssh".into(), "-F".into(), "none".into()];
        words.extend(options.iter().flat_map(|option| ["-o".to_owned(), (*option).to_owned()]));
        words.extend(["-i".into(), self.text("user"), "-p".into(), port.to_string()]);
        words.push(address.to_owned());
        words
    }

    pub fn port(&self) -> u16 {
        self.sshd.as_ref().map(|(_, port)| *port).expect("it has an sshd")
    }

    /// The command that reaches it.
    pub fn connect(&self) -> Vec<String> {
        let way = self.sshd.as_ref().map(|(_, port)| self.ssh_words(*port));
        way.unwrap_or_default().into_iter().chain(self.environment()).collect()
    }

    /// The command that reaches it by a way of the test's own.
    pub fn connect_by(&self, way: &Way) -> Vec<String> {
        let here = self.ssh_words_to("127.0.0.1", way.port);
        here.into_iter().chain(self.environment()).collect()
    }

    /// A way to its sshd, which is as it should be at first.
    pub fn way(&self) -> Way {
        Way::to(&self.address, self.port())
    }

    /// Has the daemon connect at once, rather than after its pause.
    pub async fn hurry(&self, daemon: &Daemon) {
        let path = format!("/api/hosts/{}/connect", self.name);
        let client = daemon.client().patient(Duration::from_secs(60));
        // A way that is cut fails; the test looks by itself what comes of it.
        let _ = client.post::<_, HostStatus>(&path, &()).await;
    }

    /// Makes it known to a daemon.
    pub fn join(&self, daemon: &Daemon) -> String {
        self.join_by(daemon, &self.connect())
    }

    pub fn join_by(&self, daemon: &Daemon, connect: &[String]) -> String {
        let mut args = vec!["host", "add", &self.name, "--"];
        args.extend(connect.iter().map(String::as_str));
        daemon.schmux(&args)
    }

    /// A session there that runs a shell script.
    pub async fn run(&self, daemon: &Daemon, script: &str) -> Session {
        self.run_on(daemon, &self.name, script).await
    }

    /// The same by another name that it has.
    pub async fn run_on(&self, daemon: &Daemon, name: &str, script: &str) -> Session {
        let request = SpawnRequest {
            target: "sh".into(),
            host: Some(name.to_owned()),
            workspace: Some(self.text("work")),
            args: vec![script.into()],
            cols: Some(80),
            rows: Some(24),
            ..SpawnRequest::default()
        };
        let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
        made.remove(0)
    }

    pub async fn status(&self, daemon: &Daemon) -> HostStatus {
        let all: Vec<HostStatus> = daemon.client().get("/api/hosts").await.unwrap();
        all.into_iter().find(|host| host.name == self.name).expect("the host is known")
    }

    pub async fn is(&self, daemon: &Daemon, state: HostState) -> HostStatus {
        until(&format!("{} to be {state:?}", self.name), || async {
            Some(self.status(daemon).await).filter(|status| status.state == state)
        })
        .await
    }

    /// tmux over there.
    pub fn tmux(&self, args: &[&str]) -> std::process::Output {
        let dir = fs::read_dir(self.path("tmux")).unwrap().next().unwrap().unwrap().path();
        let mut sockets = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let ours = |path: &PathBuf| path.to_string_lossy().contains("/schmux-");
        let socket = sockets.find(ours).expect("schmux has a server there");
        let mut command = Command::new("tmux");
        command.arg("-S").arg(socket).args(args).env_remove("TMUX").output().unwrap()
    }

    /// What tmux over there shows, as a screen.
    pub fn truth(&self, session: &Session) -> Screen {
        truth(session, |args| {
            let said = self.tmux(args).stdout;
            said.strip_suffix(b"\n").unwrap_or(&said).to_vec()
        })
    }

    /// Ends every connection to it, as a network that breaks.
    pub fn cut(&self) {
        // Each connection has a process of sshd's whose parent is the listener.
        let (sshd, _) = self.sshd.as_ref().expect("only sshd's connections are cut");
        let _ = Command::new("pkill").args(["-9", "-P", &sshd.id().to_string()]).status();
    }

    /// Ends everything that runs there, and what was in its temporary files.
    pub fn reboot(&self) {
        self.cut();
        self.end_all().unwrap();
        for dir in fs::read_dir(self.path("tmux")).unwrap().flatten() {
            fs::remove_dir_all(dir.path()).unwrap();
        }
    }

    fn end_all(&self) -> io::Result<ExitStatus> {
        Command::new("sh").args(["-c", END_ALL]).env("place", self.dir.path()).status()
    }

    /// A program on its PATH.
    pub fn install(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

impl Drop for Far {
    fn drop(&mut self) {
        if let Some((sshd, _)) = &mut self.sshd {
            let _ = sshd.kill();
            let _ = sshd.wait();
        }
        // Not by asking tmux: it waits for ever for a client that reads no more, as that
        // of a connection that was cut.
        let _ = self.end_all();
    }
}
