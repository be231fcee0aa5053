//! `schmux doctor`: is everything there that schmux needs? What this terminal
//! can tell, and what the daemon tells if it runs.

use crate::client::ClientError;
use crate::config::Config;
use crate::http::listen;
use crate::nudgenik;
use crate::wire::{Check, CheckResult, DaemonStatus, TargetKind};

use super::failure::Failure;
use super::print::{self, Style};
use super::{Context, Outcome, environment, targets};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print the checks as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let mut checks = vec![tmux().await, git().await, home(context)];
    let config = Config::load(&context.home);
    checks.push(settings(context, &config));
    let status = context.client.get::<DaemonStatus>("/api/status").await;
    checks.push(daemon(&status));
    checks.push(port(config.as_ref().ok(), status.as_ref().ok()).await);
    checks.push(agents(context));
    checks.push(crate::doctor::screens(&context.home));
    if let Ok(config) = &config {
        checks.push(nudgenik::check(&config.nudgenik, &nudgenik::Account::default()));
    }
    checks.push(terminal(|name| std::env::var(name).ok()));
    if status.is_ok() {
        match context.client.get::<Vec<Check>>("/api/doctor").await {
            Ok(theirs) => merge(&mut checks, theirs),
            Err(err) => checks.push(error("daemon's checks", err.to_string(), err.advice())),
        }
    }
    if args.json {
        print::json(&checks)?;
    } else {
        print::text(&render(&checks, Style::of_stdout()))?;
    }
    match checks.iter().filter(|check| check.result == CheckResult::Error).count() {
        0 => Ok(()),
        1 => Err(Failure::new("one check found an error")),
        many => Err(Failure::new(format!("{many} checks found errors"))),
    }
}

/// The daemon's word replaces ours on the same matter: it is the one that runs agents.
fn merge(checks: &mut Vec<Check>, theirs: Vec<Check>) {
    for check in theirs {
        match checks.iter_mut().find(|ours| ours.name == check.name) {
            Some(ours) => *ours = check,
            None => checks.push(check),
        }
    }
}

async fn tmux() -> Check {
    match environment::tmux().await {
        // Measured: control mode costs the server 2.4 times its usual work up to 3.6, 1.1 times from 3.7.
        Ok(tmux) if tmux.number.is_some_and(|number| number < (3, 7)) => ok(
            "tmux",
            format!(
                "{}; works well, and from 3.7 on tmux itself needs about half the CPU for what \
                 schmux shows (1.1 instead of 2.4 times that of no viewer)",
                tmux.text
            ),
        ),
        Ok(tmux) => ok("tmux", tmux.text),
        Err(failure) => error("tmux", failure.message, failure.advice),
    }
}

async fn git() -> Check {
    match environment::git_version().await {
        Ok(version) => ok("git", version),
        Err(err) => warning(
            "git",
            err.to_string(),
            "install git to spawn in worktrees and clones".to_owned(),
        ),
    }
}

fn home(context: &Context) -> Check {
    match context.home.prepare() {
        Ok(()) => ok("home", context.home.dir().display().to_string()),
        Err(err) => error("home", err.to_string(), None),
    }
}

fn settings(context: &Context, config: &Result<Config, crate::config::ConfigError>) -> Check {
    match config {
        Ok(_) if context.home.config().exists() => {
            ok("config", context.home.config().display().to_string())
        }
        Ok(_) => ok("config", "no config.toml: defaults".to_owned()),
        Err(err) => error("config", err.to_string(), err.advice()),
    }
}

fn daemon(status: &Result<DaemonStatus, ClientError>) -> Check {
    let ours = env!("CARGO_PKG_VERSION");
    match status {
        Ok(status) if status.version != ours => warning(
            "daemon",
            format!("runs version {} (pid {}), this is {ours}", status.version, status.pid),
            "restart it: schmux stop, schmux start; agents keep running".to_owned(),
        ),
        Ok(status) => ok("daemon", format!("runs (pid {}), {}", status.pid, status.url)),
        Err(ClientError::NotRunning { .. }) => {
            warning("daemon", "is not running".to_owned(), "start it: schmux start".to_owned())
        }
        Err(err) => error("daemon", err.to_string(), err.advice()),
    }
}

async fn port(config: Option<&Config>, status: Option<&DaemonStatus>) -> Check {
    let Some(config) = config else {
        return warning("port", "unknown".to_owned(), "correct config.toml first".to_owned());
    };
    let (bind, port) = (config.server.bind, config.server.port);
    match status {
        Some(status) => ok("port", format!("{}, held by the daemon", status.port)),
        None if port == 0 => ok("port", "any free one".to_owned()),
        None => match listen::bind_tcp(bind, port).await {
            Ok(_) => ok("port", format!("{port} is free")),
            Err(err) => error("port", err.to_string(), None),
        },
    }
}

fn agents(context: &Context) -> Check {
    let targets = match targets::here(context) {
        Ok(targets) => targets,
        Err(failure) => return error("agents", failure.message, failure.advice),
    };
    let found: Vec<&str> = targets
        .iter()
        .filter(|target| target.available)
        .filter(|target| matches!(target.kind, TargetKind::Agent | TargetKind::Command))
        .map(|target| target.name.as_str())
        .collect();
    if found.is_empty() {
        return warning(
            "agents",
            "none was found on PATH".to_owned(),
            "`schmux targets --all` says how to install them; `schmux spawn -t demo` works without"
                .to_owned(),
        );
    }
    ok("agents", found.join(", "))
}

/// For `schmux attach`: what this terminal calls itself and whether it takes UTF-8.
fn terminal(variable: impl Fn(&str) -> Option<String>) -> Check {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let term = set("TERM").unwrap_or_else(|| "unset".to_owned());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let detail = format!("TERM={}", print::safe(&term));
    if term == "unset" || term == "dumb" {
        let advice = "`schmux attach` needs a real terminal; the dashboard doesn't".to_owned();
        return warning("terminal", detail, advice);
    }
    let name = locale.to_lowercase();
    if !name.contains("utf-8") && !name.contains("utf8") {
        return warning(
            "terminal",
            format!("{detail}, the locale is not UTF-8"),
            "set one for `schmux attach`, as in: export LANG=C.UTF-8".to_owned(),
        );
    }
    ok("terminal", detail)
}

fn render(checks: &[Check], style: Style) -> String {
    let widest = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let word = match check.result {
            CheckResult::Ok => style.green("ok     "),
            CheckResult::Warning => style.yellow("warning"),
            CheckResult::Error => style.red("error  "),
        };
        let detail = check.detail.lines().map(print::safe).collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{word}  {:<widest$}  {detail}\n", print::safe(&check.name)));
        for line in check.advice.iter().flat_map(|advice| advice.lines()) {
            text.push_str(&format!("{:widest$}           {}\n", "", print::safe(line)));
        }
    }
    text
}

fn ok(name: &str, detail: String) -> Check {
    Check { name: name.to_owned(), result: CheckResult::Ok, detail, advice: None }
}

fn warning(name: &str, detail: String, advice: String) -> Check {
    let result = CheckResult::Warning;
    Check { name: name.to_owned(), result, detail, advice: Some(advice) }
}

fn error(name: &str, detail: String, advice: Option<String>) -> Check {
    Check { name: name.to_owned(), result: CheckResult::Error, detail, advice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals() {
        let cases: [(&[(&str, &str)], CheckResult); 4] = [
            (&[("TERM", "xterm"), ("LANG", "C.UTF-8")], CheckResult::Ok),
            (&[("TERM", "xterm"), ("LC_ALL", "C"), ("LANG", "C.UTF-8")], CheckResult::Warning),
            (&[("TERM", "dumb"), ("LANG", "C.UTF-8")], CheckResult::Warning),
            (&[("LANG", "C.UTF-8")], CheckResult::Warning),
        ];
        for (variables, expected) in cases {
            let check = terminal(|name| {
                let found = variables.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| (*value).to_owned())
            });
            assert_eq!(check.result, expected, "{variables:?}");
        }
    }

    #[test]
    fn the_daemons_word_counts() {
        let mut checks = vec![ok("tmux", "3.3a".into()), ok("git", "2".into())];
        merge(&mut checks, vec![error("tmux", "gone".into(), None), ok("store", "fine".into())]);
        expect_test::expect![[r#"
            error    tmux   gone
            ok       git    2
            ok       store  fine
        "#]]
        .assert_eq(&render(&checks, Style::plain()));
    }
}
