//! `schmux start`: the daemon, in the background or in this terminal.
//!
//! In the background it is this program once more, with `--foreground`. What
//! keeps it from starting reaches the user: the child writes it to `start.log`,
//! and we print it and end with the child's exit code.

use std::fs::{self, File};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::config::Config;
use crate::daemon;
use crate::proc;
use crate::wire::{DaemonStatus, Health, Login};

use super::failure::{Exit, Failure};
use super::print::{self, Style};
use super::{Context, Outcome, environment, qr};

/// A daemon is up in well under a second; this is for a machine under load.
const READY_WITHIN: Duration = Duration::from_secs(10);
/// A daemon that takes longer for one answer is not well, and must not use up the time above.
const HEALTHY_WITHIN: Duration = Duration::from_secs(2);
/// Short beside what a person notices, long beside what a try costs.
const TRY_EVERY: Duration = Duration::from_millis(20);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Stay in this terminal, with the log on stderr
    #[arg(long)]
    pub foreground: bool,
    /// Open the dashboard in a browser
    #[arg(long)]
    open: bool,
    /// Print the daemon's status as JSON once it runs
    #[arg(long, conflicts_with = "foreground")]
    json: bool,
    /// No log on stderr
    #[arg(long, hide = true, requires = "foreground")]
    quiet: bool,
}

pub(super) async fn run(args: Args, context: Context) -> Outcome {
    context.home.prepare()?;
    let config = Config::load(&context.home)?;
    if is_healthy(&context).await {
        return already_running(&args, &context).await;
    }
    environment::tmux().await?;
    if args.foreground {
        return foreground(&args, context, config).await;
    }
    if !becomes_healthy(&context).await {
        if environment::daemon_lives(&context.home) {
            return Err(lives_but_silent(&context));
        }
        background(&context).await?;
    }
    announce(&args, &context, "is running").await
}

async fn foreground(args: &Args, context: Context, config: Config) -> Outcome {
    let options = daemon::Options { open_browser: args.open, log_to_terminal: !args.quiet };
    daemon::run(context.home, config, options).await.map_err(Failure::from_any)
}

/// Starts the daemon and waits until it answers.
async fn background(context: &Context) -> Outcome {
    let log = context.home.logs().join("start.log");
    let file = File::create(&log).map_err(|err| {
        Failure::new(format!("can't write {}: {err}", log.display())).exit(Exit::Unfit)
    })?;
    let exe = std::env::current_exe()
        .map_err(|err| Failure::new(format!("can't find the program schmux itself: {err}")))?;
    let argv = [exe.as_os_str(), "start".as_ref(), "--foreground".as_ref(), "--quiet".as_ref()];
    let mut child = proc::detached(&argv, file)?;
    let deadline = Instant::now() + READY_WITHIN;
    loop {
        if is_healthy(context).await {
            return Ok(());
        }
        if let Ok(Some(status)) = child.try_wait() {
            // Another `schmux start` may have been faster: then its daemon is as good.
            let other = environment::daemon_lives(&context.home);
            if is_healthy(context).await || (other && becomes_healthy(context).await) {
                return Ok(());
            }
            return Err(ended(status, &log));
        }
        if Instant::now() > deadline {
            return Err(Failure::new(format!(
                "the daemon did not answer within {} s",
                READY_WITHIN.as_secs()
            ))
            .advice(format!(
                "see {} and {}, or run it in this terminal: schmux start --foreground",
                log.display(),
                context.home.logs().display()
            )));
        }
        sleep(TRY_EVERY).await;
    }
}

/// What the daemon said before it ended, as our own failure.
fn ended(status: ExitStatus, log: &Path) -> Failure {
    let exit = match status.code() {
        Some(2) => Exit::Usage,
        Some(5) => Exit::Unfit,
        _ => Exit::Failed,
    };
    let said = fs::read(log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    // The last words are those that matter, and they come from `Failure::report`.
    let said = said.rsplit_once("schmux: ").map_or(said.trim(), |(_, last)| last.trim());
    let mut lines = said.lines().map(str::trim);
    let Some(message) = lines.next().filter(|line| !line.is_empty()) else {
        return Failure::new(format!("the daemon ended as it started ({status})"))
            .exit(exit)
            .advice("run it in this terminal to see why: schmux start --foreground");
    };
    let advice: Vec<&str> = lines.collect();
    Failure {
        exit,
        message: message.to_owned(),
        advice: (!advice.is_empty()).then(|| advice.join("\n")),
    }
}

async fn is_healthy(context: &Context) -> bool {
    context.client.patient(HEALTHY_WITHIN).get::<Health>("/api/healthz").await.is_ok()
}

/// Waits for a daemon that is starting. One that was killed a moment ago lives
/// on for some milliseconds, and won't answer.
async fn becomes_healthy(context: &Context) -> bool {
    let deadline = Instant::now() + READY_WITHIN;
    while Instant::now() < deadline && environment::daemon_lives(&context.home) {
        if is_healthy(context).await {
            return true;
        }
        sleep(TRY_EVERY).await;
    }
    false
}

fn lives_but_silent(context: &Context) -> Failure {
    Failure::new(format!(
        "a schmux daemon holds {} and does not answer",
        context.home.lock().display()
    ))
    .advice(format!(
        "end it (its pid is in {}), then start again; agents keep running. Its log is in {}",
        context.home.running().display(),
        context.home.logs().display()
    ))
}

/// For `start` it is as good as done; for `start --foreground` it is not, since
/// whoever asked for that expects to hold the daemon.
async fn already_running(args: &Args, context: &Context) -> Outcome {
    if args.foreground {
        let status: DaemonStatus = context.client.get("/api/status").await?;
        return Err(Failure::new(format!(
            "the daemon of {} is already running (pid {})",
            status.home, status.pid
        ))
        .advice("stop it first: schmux stop; agents keep running"));
    }
    announce(args, context, "was already running").await
}

async fn announce(args: &Args, context: &Context, how: &str) -> Outcome {
    let status: DaemonStatus = context.client.get("/api/status").await?;
    let login: Login = context.client.get("/api/login").await?;
    if args.open && !environment::open_browser(&login.url).await {
        print::to_stderr("schmux: no program to open a browser was found; open the link by hand\n");
    }
    if args.json {
        return print::json(&status);
    }
    let style = Style::of_stdout();
    print::text(&format!(
        "schmux {} {how} (pid {}).\nDashboard: {}\n",
        status.version,
        status.pid,
        style.bold(&login.url)
    ))?;
    match &login.network_url {
        Some(url) => print::text(&for_phone(url)),
        None => Ok(()),
    }
}

/// The link for other devices; on a terminal also as a code for a camera.
fn for_phone(url: &str) -> String {
    let code = if io::stdout().is_terminal() { qr::code(url) } else { None };
    format!("On the network: {url}\n{}", code.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn the_last_words_of_the_daemon_become_our_own() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("start.log");
        let cases = [
            (
                5,
                "noise\nschmux: port 1 is taken\n  use another\n  or so\n",
                "port 1 is taken",
                Some("use another\nor so"),
            ),
            (1, "thread 'main' panicked\n", "thread 'main' panicked", None),
            (
                1,
                "",
                "the daemon ended as it started (exit status: 1)",
                Some("run it in this terminal to see why: schmux start --foreground"),
            ),
        ];
        for (code, said, message, advice) in cases {
            fs::write(&log, said).unwrap();
            let failure = ended(ExitStatus::from_raw(code << 8), &log);
            assert_eq!(failure.message, message);
            assert_eq!(failure.advice.as_deref(), advice);
            assert_eq!(failure.exit as i32, code);
        }
    }
}
