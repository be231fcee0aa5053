//! The one doorway through which schmux starts other programs.
//!
//! Every child gets no terminal of ours and, unless its owner says otherwise,
//! dies with the future that waits for it. Callers get output or an error that
//! names the program; they never build a shell command line.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

#[derive(Debug, thiserror::Error)]
pub enum ProcError {
    #[error("{program} was not found on PATH")]
    NotFound { program: String },
    #[error("can't run {program}: {source}")]
    Start { program: String, source: io::Error },
    #[error("{program} did not finish within {} s", limit.as_secs())]
    TooSlow { program: String, limit: Duration },
    #[error("{program} failed ({status}){}{stderr}", if stderr.is_empty() { "" } else { ": " })]
    Failed { program: String, status: String, stderr: String },
}

/// Runs a program to its end and returns what it printed on stdout.
pub async fn output<S: AsRef<OsStr>>(
    argv: &[S],
    dir: Option<&Path>,
    limit: Duration,
) -> Result<Vec<u8>, ProcError> {
    output_with(argv, dir, &[], limit).await
}

/// As `output`, with variables set for the program.
pub async fn output_with<S: AsRef<OsStr>>(
    argv: &[S],
    dir: Option<&Path>,
    env: &[(&str, &str)],
    limit: Duration,
) -> Result<Vec<u8>, ProcError> {
    let program = program_name(argv);
    let mut command = command(argv);
    command.envs(env.iter().copied());
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = match tokio::time::timeout(limit, command.output()).await {
        Err(_) => return Err(ProcError::TooSlow { program, limit }),
        Ok(result) => result.map_err(|source| start_error(program.clone(), source))?,
    };
    if output.status.success() {
        return Ok(output.stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ProcError::Failed { program, status: output.status.to_string(), stderr })
}

/// What a program printed, as much of it as was wanted.
#[derive(Debug)]
pub struct Printed {
    pub bytes: Vec<u8>,
    /// There was more; the program was ended.
    pub cut: bool,
}

/// As `output_with`, for a program that may print more than anyone wants: it is
/// ended after `most` bytes.
pub async fn output_up_to<S: AsRef<OsStr>>(
    argv: &[S],
    dir: &Path,
    env: &[(&str, &str)],
    most: usize,
    limit: Duration,
) -> Result<Printed, ProcError> {
    let program = program_name(argv);
    let mut command = command(argv);
    command.envs(env.iter().copied()).current_dir(dir);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|source| start_error(program.clone(), source))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let run = async {
        let (printed, said) = tokio::join!(read_up_to(stdout, most), read_up_to(stderr, 8 << 10));
        let printed = printed?;
        let status = if printed.cut { None } else { Some(child.wait().await?) };
        Ok((printed, said?, status))
    };
    match tokio::time::timeout(limit, run).await {
        Err(_) => Err(ProcError::TooSlow { program, limit }),
        Ok(Err(source)) => Err(start_error(program, source)),
        Ok(Ok((_, said, Some(status)))) if !status.success() => {
            let stderr = String::from_utf8_lossy(&said.bytes).trim().to_owned();
            Err(ProcError::Failed { program, status: status.to_string(), stderr })
        }
        Ok(Ok((printed, ..))) => Ok(printed),
    }
}

async fn read_up_to(pipe: Option<impl AsyncRead + Unpin>, most: usize) -> io::Result<Printed> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(most as u64 + 1).read_to_end(&mut bytes).await?;
    }
    let cut = bytes.len() > most;
    bytes.truncate(most);
    Ok(Printed { bytes, cut })
}

/// How long the last words of a program that has ended may take. What it left
/// running may keep its stderr open.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Runs a program to its end, and doesn't wait for what it leaves behind, as
/// `ssh -f` does.
pub async fn finish<S: AsRef<OsStr>>(
    argv: &[S],
    env: &[(&str, &str)],
    limit: Duration,
) -> Result<(), ProcError> {
    let program = program_name(argv);
    let mut command = command(argv);
    command.envs(env.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|source| start_error(program.clone(), source))?;
    let stderr = child.stderr.take();
    let run = async {
        let mut said = Vec::new();
        let status = {
            let mut hearing = std::pin::pin!(hear(stderr, &mut said));
            tokio::select! {
                status = child.wait() => {
                    let _ = tokio::time::timeout(LAST_WORDS, &mut hearing).await;
                    status?
                }
                () = &mut hearing => child.wait().await?,
            }
        };
        Ok((status, said))
    };
    match tokio::time::timeout(limit, run).await {
        Err(_) => Err(ProcError::TooSlow { program, limit }),
        Ok(Err(source)) => Err(start_error(program, source)),
        Ok(Ok((status, said))) if !status.success() => {
            let stderr = String::from_utf8_lossy(&said).trim().to_owned();
            Err(ProcError::Failed { program, status: status.to_string(), stderr })
        }
        Ok(Ok(_)) => Ok(()),
    }
}

/// Reads a pipe to its end, and keeps the beginning of it.
async fn hear(pipe: Option<impl AsyncRead + Unpin>, said: &mut Vec<u8>) {
    const MOST: usize = 8 << 10;
    let Some(mut pipe) = pipe else { return };
    let mut piece = [0; 1024];
    while let Ok(count @ 1..) = pipe.read(&mut piece).await {
        let room = MOST.saturating_sub(said.len()).min(count);
        said.extend_from_slice(&piece[..room]);
    }
}

/// Runs a program to its end with something to read on its stdin.
pub async fn feed<S: AsRef<OsStr>>(
    argv: &[S],
    env: &[(&str, String)],
    input: &[u8],
    limit: Duration,
) -> Result<(), ProcError> {
    let program = program_name(argv);
    let mut command = command(argv);
    command.envs(env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    fed(command, program, input, limit).await.map(|_| ())
}

/// Runs a program to its end in `dir`, with something to read on its stdin and
/// without the variables in `unset`; returns what it printed on stdout.
pub async fn converse<S: AsRef<OsStr>>(
    argv: &[S],
    dir: &Path,
    unset: &[&str],
    input: &[u8],
    limit: Duration,
) -> Result<Vec<u8>, ProcError> {
    let mut command = command(argv);
    for name in unset {
        command.env_remove(name);
    }
    command.current_dir(dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    fed(command, program_name(argv), input, limit).await
}

/// Runs a command to its end, with something to read on its stdin.
async fn fed(
    mut command: Command,
    program: String,
    input: &[u8],
    limit: Duration,
) -> Result<Vec<u8>, ProcError> {
    let mut child = command.spawn().map_err(|source| start_error(program.clone(), source))?;
    let stdin = child.stdin.take();
    let run = async {
        if let Some(mut stdin) = stdin {
            // It need not read what it is told.
            let _ = stdin.write_all(input).await;
        }
        child.wait_with_output().await
    };
    let output = match tokio::time::timeout(limit, run).await {
        Err(_) => return Err(ProcError::TooSlow { program, limit }),
        Ok(result) => result.map_err(|source| start_error(program.clone(), source))?,
    };
    if output.status.success() {
        return Ok(output.stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ProcError::Failed { program, status: output.status.to_string(), stderr })
}

/// Starts a program that we speak to through its stdin and stdout. It dies when
/// the handle is dropped.
pub fn piped<S: AsRef<OsStr>>(argv: &[S]) -> Result<Child, ProcError> {
    command(argv)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|source| start_error(program_name(argv), source))
}

/// As `piped`, with variables set and in a session of its own: a connect command
/// such as ssh must find no terminal to ask at. What a session of schmux's has in its
/// environment is not passed on: the daemon may have been started in one.
pub fn tunnel<S: AsRef<OsStr>>(argv: &[S], env: &[(String, String)]) -> Result<Child, ProcError> {
    let mut command = command(argv);
    let ours = std::env::vars_os().map(|(name, _)| name);
    for name in ours.filter(|name| name.to_string_lossy().starts_with("SCHMUX_")) {
        command.env_remove(name);
    }
    command
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .map_err(|source| start_error(program_name(argv), source))
}

/// As `piped`, with variables set, for a program whose complaints don't matter.
pub fn asked<S: AsRef<OsStr>>(argv: &[S], env: &[(String, String)]) -> Result<Child, ProcError> {
    command(argv)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|source| start_error(program_name(argv), source))
}

/// Starts a program that outlives us: own process group, no terminal, output to `log`.
pub fn detached<S: AsRef<OsStr>>(argv: &[S], log: std::fs::File) -> Result<Child, ProcError> {
    let start = || -> io::Result<Child> {
        let errors = log.try_clone()?;
        command(argv).stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0).spawn()
    };
    start().map_err(|source| start_error(program_name(argv), source))
}

/// Starts a program that has our terminal until it ends, such as an editor.
pub fn foreground<S: AsRef<OsStr>>(argv: &[S]) -> Result<std::process::Child, ProcError> {
    std::process::Command::new(argv[0].as_ref())
        .args(&argv[1..])
        .spawn()
        .map_err(|source| start_error(program_name(argv), source))
}

/// Starts a program on a terminal of its own, without the variables in `unset`.
/// It stays in our process group, so that the shell stops and wakes both.
pub fn on_terminal<S: AsRef<OsStr>>(
    argv: &[S],
    terminal: std::os::fd::OwnedFd,
    unset: &[&str],
) -> Result<std::process::Child, ProcError> {
    let start = || -> io::Result<std::process::Child> {
        let mut command = std::process::Command::new(argv[0].as_ref());
        command.args(&argv[1..]);
        for name in unset {
            command.env_remove(name);
        }
        command.stdin(terminal.try_clone()?).stdout(terminal.try_clone()?).stderr(terminal);
        command.spawn()
    };
    start().map_err(|source| start_error(program_name(argv), source))
}

/// Starts a program whose output the caller reads, in a process group of its
/// own, so that it can be ended together with all that it has started.
pub fn collected<S: AsRef<OsStr>>(argv: &[S]) -> Result<std::process::Child, ProcError> {
    use std::os::unix::process::CommandExt;
    std::process::Command::new(argv[0].as_ref())
        .args(&argv[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|source| start_error(program_name(argv), source))
}

/// Starts a program that reads on from our own stdin and outlives us.
pub fn heir<S: AsRef<OsStr>>(argv: &[S]) -> Result<std::process::Child, ProcError> {
    use std::os::unix::process::CommandExt;
    std::process::Command::new(argv[0].as_ref())
        .args(&argv[1..])
        .stdin(Stdio::inherit())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|source| start_error(program_name(argv), source))
}

/// Replaces this process by another program, without the variables in `unset`;
/// returns only if that failed.
pub fn replace<S: AsRef<OsStr>>(argv: &[S], unset: &[&str]) -> ProcError {
    use std::os::unix::process::CommandExt;
    let mut command = std::process::Command::new(argv[0].as_ref());
    command.args(&argv[1..]);
    for name in unset {
        command.env_remove(name);
    }
    start_error(program_name(argv), command.exec())
}

fn command<S: AsRef<OsStr>>(argv: &[S]) -> Command {
    let mut command = Command::new(argv[0].as_ref());
    command.args(&argv[1..]);
    // A tmux that finds itself inside another one refuses to attach.
    command.env_remove("TMUX").env_remove("TMUX_PANE");
    command
}

fn program_name<S: AsRef<OsStr>>(argv: &[S]) -> String {
    argv[0].as_ref().to_string_lossy().into_owned()
}

fn start_error(program: String, source: io::Error) -> ProcError {
    if source.kind() == io::ErrorKind::NotFound {
        ProcError::NotFound { program }
    } else {
        ProcError::Start { program, source }
    }
}
