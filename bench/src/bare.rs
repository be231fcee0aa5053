//! tmux without schmux: a server of its own, and a control client that does the
//! least a client can do. This is what the daemon is measured beside.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, getuid, kill_process};

use crate::machine::wait_for;

/// One tmux server, by the name of its socket.
#[derive(Clone, Debug)]
pub struct Tmux {
    socket: String,
}

impl Tmux {
    pub fn named(socket: &str) -> Tmux {
        Tmux { socket: socket.to_owned() }
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        // A benchmark may itself be run inside tmux.
        command.env_remove("TMUX").args(["-u", "-L", &self.socket]);
        command
    }

    pub fn run(&self, args: &[&str]) -> Result<String> {
        let output = self.command().args(args).output().context("running tmux")?;
        if !output.status.success() {
            bail!("tmux {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    pub fn pid(&self) -> Result<u32> {
        Ok(self.run(&["display-message", "-p", "#{pid}"])?.trim().parse()?)
    }

    /// Ends the server and removes its socket. tmux waits for control clients
    /// that read no more, so one that doesn't end in time is killed.
    pub fn end(&self) {
        let Ok(pid) = self.pid() else { return };
        let _ = self.run(&["kill-server"]);
        let gone = || (!Path::new(&format!("/proc/{pid}")).exists()).then_some(());
        if wait_for("tmux to end", Duration::from_secs(2), gone).is_err()
            && let Some(pid) = Pid::from_raw(pid as i32)
        {
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = fs::remove_file(socket_dir().join(&self.socket));
    }

    /// The visible screen of a session as text, without blanks at the end of lines.
    pub fn screen(&self, session: &str) -> Result<Vec<String>> {
        // A final colon makes tmux take the name as a session's and nothing else.
        let text = self.run(&["capture-pane", "-p", "-t", &format!("={session}:")])?;
        Ok(text.lines().map(|line| line.trim_end().to_owned()).collect())
    }
}

/// Where tmux keeps the sockets that it knows by name.
pub fn socket_dir() -> PathBuf {
    let base = std::env::var("TMUX_TMPDIR").unwrap_or_else(|_| "/tmp".to_owned());
    Path::new(&base).join(format!("tmux-{}", getuid().as_raw()))
}

/// A tmux server with one session, ended when dropped.
pub struct BareServer {
    pub tmux: Tmux,
}

impl BareServer {
    pub fn start(program: &[String]) -> Result<BareServer> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let tmux = Tmux::named(&format!("schmux-bench-{}-{number}", std::process::id()));
        let server = BareServer { tmux };
        // As much scrollback as schmux's own servers keep: that costs tmux time, and is a setting.
        let mut args = vec!["-f", "/dev/null", "start-server", ";"];
        args.extend(["set-option", "-g", "history-limit", "5000", ";"]);
        args.extend(["new-session", "-d", "-s", "bare", "-x", "120", "-y", "40"]);
        args.extend(program.iter().map(String::as_str));
        server.tmux.run(&args)?;
        Ok(server)
    }

    pub fn control(&self) -> Result<Control> {
        let mut child = self.attach(Stdio::piped())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the control client has no pipes");
        };
        Ok(Control {
            child,
            input,
            output: BufReader::with_capacity(1 << 16, output),
            line: Vec::new(),
        })
    }

    /// A control client whose output nobody reads: `tmux -C attach >/dev/null`.
    pub fn control_to_null(&self) -> Result<Child> {
        self.attach(Stdio::null())
    }

    fn attach(&self, output: Stdio) -> Result<Child> {
        let mut command = self.tmux.command();
        command.args(["-C", "attach", "-f", "ignore-size", "-t", "bare"]);
        command.stdin(Stdio::piped()).stdout(output).spawn().context("attaching a control client")
    }

    pub fn wait_for_text(&self, text: &str) -> Result<()> {
        wait_for(text, Duration::from_secs(30), || {
            let rows = self.tmux.screen("bare").ok()?;
            rows.iter().any(|row| row.contains(text)).then_some(())
        })
    }

    /// Presses a key in the pane.
    pub fn key(&self, key: &str) -> Result<()> {
        self.tmux.run(&["send-keys", "-t", "bare", key]).map(drop)
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        self.tmux.end();
    }
}

/// A control client that reads lines and undoes their octal, and nothing more.
pub struct Control {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Control {
    /// Sends one command line.
    pub fn send(&mut self, line: &str) -> Result<()> {
        Ok(self.input.write_all(format!("{line}\n").as_bytes())?)
    }

    /// Waits for the next output of a pane and appends it to `out`.
    pub fn output(&mut self, out: &mut Vec<u8>) -> Result<()> {
        loop {
            self.line.clear();
            if self.output.read_until(b'\n', &mut self.line)? == 0 {
                bail!("the control client has ended");
            }
            if let Some(rest) = self.line.strip_prefix(b"%output %") {
                let data = rest.split(|byte| *byte == b' ').next().map_or(0, |pane| pane.len() + 1);
                unescape(rest.get(data..rest.len() - 1).unwrap_or(&[]), out);
                return Ok(());
            }
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Undoes tmux's `\ooo`.
fn unescape(mut data: &[u8], out: &mut Vec<u8>) {
    while let Some(at) = memchr::memchr(b'\\', data) {
        out.extend_from_slice(&data[..at]);
        let Some(octal) = data.get(at + 1..at + 4) else { return };
        out.push(octal.iter().fold(0, |value, digit| value << 3 | (digit & 7)));
        data = &data[at + 4..];
    }
    out.extend_from_slice(data);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octal_is_undone() {
        let check = |escaped: &str, expected: &[u8]| {
            let mut out = Vec::new();
            unescape(escaped.as_bytes(), &mut out);
            assert_eq!(out, expected, "{escaped}");
        };
        check("plain", b"plain");
        check(r"\033[1mx\033[0m\015\012", b"\x1b[1mx\x1b[0m\r\n");
        check(r"a\134b", b"a\\b");
        check("é", "é".as_bytes());
    }
}
