//! Where a repository is: on this machine, or on a host, where git and the
//! reading of files are scripts that go through its connection.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schmux_core::ids::HostId;
use schmux_core::sh;

use super::files::Read;
use crate::host::{Host, HostError};
use crate::proc::{self, Printed, ProcError};

/// More than this of one answer isn't brought over: it would take the
/// connection from the terminals.
const MOST_BROUGHT: usize = 1 << 20;

/// The most of files that git doesn't know, together, and their number.
const MOST_READ: usize = 512 << 10;
const MOST_FILES: usize = 200;

/// A directory of a host; of this machine if there is none.
pub(super) type Key = (Option<HostId>, PathBuf);

pub enum Site {
    Here,
    There(Host, HostId),
}

impl Site {
    /// What names a directory among those of all hosts.
    pub(super) fn key(&self, dir: &Path) -> Key {
        let host = match self {
            Site::Here => None,
            Site::There(_, name) => Some(name.clone()),
        };
        (host, dir.to_owned())
    }

    /// Runs a program in a directory; at most `most` bytes of what it prints.
    pub(super) async fn output(
        &self,
        argv: &[&str],
        dir: &Path,
        env: &[(&str, &str)],
        (most, limit): (usize, Duration),
    ) -> Result<Printed, ProcError> {
        let (host, name) = match self {
            Site::Here => return proc::output_up_to(argv, dir, env, most, limit).await,
            Site::There(host, name) => (host, name),
        };
        let most = most.min(MOST_BROUGHT);
        let set = env.iter().map(|(name, value)| format!("{name}={} ", sh::quote(value)));
        // A program that is ended because nobody reads on has done what it should.
        let script = format!(
            "cd {} || exit\n{{ {}{}; echo $? >\"$f.code\"; }} | head -c {}\n\
             s=$(cat \"$f.code\")\n[ \"$s\" = 141 ] || exit \"$s\"",
            sh::quote(&dir.to_string_lossy()),
            set.collect::<String>(),
            sh::join(argv),
            most + 1,
        );
        let output = host.run(name, &script, limit).await;
        let mut output = output.map_err(|error| lost(argv[0], name, &error))?;
        if output.status != 0 {
            let program = format!("{} on {name}", argv[0]);
            let (status, stderr) = (format!("exit status {}", output.status), output.text());
            return Err(ProcError::Failed { program, status, stderr });
        }
        let cut = output.bytes.len() > most;
        output.bytes.truncate(most);
        Ok(Printed { bytes: output.bytes, cut })
    }

    /// Reads the beginnings of files on a host, as far as they are worth it.
    pub(crate) async fn read_there(
        host: &Host,
        name: &HostId,
        top: &Path,
        (paths, most): (&[String], usize),
    ) -> Vec<Read> {
        let paths = &paths[..paths.len().min(MOST_FILES)];
        let script = format!(
            "cd {} || exit\nleft={MOST_READ}\nfor n in {}; do\n\
             \tif [ -L \"$n\" ]; then k=l && readlink \"$n\" | tr -d '\\n' >\"$f.part\"\n\
             \telif [ -f \"$n\" ] && [ \"$left\" -gt 0 ]; then k=f && head -c {} \"$n\" >\"$f.part\"\n\
             \telse k=x && : >\"$f.part\"\n\tfi\n\
             \tc=$(wc -c <\"$f.part\")\n\tleft=$((left - c))\n\
             \tprintf '%s %d\\n' $k $c\n\tcat \"$f.part\"\ndone",
            sh::quote(&top.to_string_lossy()),
            sh::join(paths.iter().map(|path| format!("./{path}"))),
            most + 1,
        );
        match host.run(name, &script, Duration::from_secs(20)).await {
            Ok(output) if output.status == 0 => pieces(&output.bytes, most),
            _ => Vec::new(),
        }
    }
}

fn lost(program: &str, host: &HostId, error: &HostError) -> ProcError {
    let program = format!("{program} on {host}");
    ProcError::Start { program, source: io::Error::other(error.to_string()) }
}

/// Takes apart what the script printed: for each file its kind, its size and its bytes.
fn pieces(mut bytes: &[u8], most: usize) -> Vec<Read> {
    let mut read = Vec::new();
    while let Some(end) = memchr::memchr(b'\n', bytes) {
        let head = String::from_utf8_lossy(&bytes[..end]);
        let Some((kind, size)) = head.split_once(' ') else { break };
        let size: Option<usize> = size.parse().ok();
        let Some(content) = size.and_then(|size| bytes.get(end + 1..)?.get(..size)) else { break };
        let cut = content.len() > most;
        read.push(match kind {
            "f" => Read::Plain(content[..content.len().min(most)].to_vec(), cut),
            "l" => Read::Link(content.to_vec()),
            _ => Read::Not,
        });
        bytes = &bytes[end + 1 + content.len()..];
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart() {
        let read = pieces(b"f 5\na\nf 3l 2\n/xx 0\nf 9\nnot all", 4);
        assert_eq!(
            read,
            [Read::Plain(b"a\nf ".to_vec(), true), Read::Link(b"/x".to_vec()), Read::Not]
        );
    }
}
