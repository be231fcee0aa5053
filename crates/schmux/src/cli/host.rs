//! `schmux host`: other places where agents can live.

use std::io::{self, BufRead, IsTerminal};
use std::time::Duration;

use jiff::Timestamp;

use crate::client::{ClientError, encode_segment};
use crate::config::LONGEST_NAME;
use crate::wire::{HostPrompt, HostRequest, HostState, HostStatus, PromptAnswer};

use super::failure::Failure;
use super::print::{self, Paint, Style, Table};
use super::table::Give;
use super::{Context, Outcome};

/// A slow way, a human who looks for a passphrase, a cluster that finds room.
const PATIENCE: Duration = Duration::from_secs(900);

/// How often it is looked whether the way asks something.
const LOOK: Duration = Duration::from_millis(300);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Make a host known: tries the way, and tells what is there
    Add {
        /// What it is called from now on; alone, something that `ssh` reaches
        #[arg(value_hint = clap::ValueHint::Hostname)]
        name: String,
        /// A command that runs the rest of its arguments there, as in `-- docker exec -i c`.
        /// Default: `ssh NAME`
        #[arg(last = true)]
        connect: Vec<String>,
    },
    /// List the hosts, and how it stands with them
    #[command(visible_alias = "ls")]
    List {
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Try the way to a host, and tell what is there
    Test { name: String },
    /// Connect to a host at once
    Connect { name: String },
    /// Let a host go; its agents keep running
    Disconnect { name: String },
    /// Forget a host that no session is on
    Remove { name: String },
    /// Print the names that ssh knows; completions ask for them
    #[command(hide = true)]
    SshNames,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let style = Style::of_stdout();
    match args.verb {
        Verb::List { json } => {
            let hosts: Vec<HostStatus> = context.client.get("/api/hosts").await?;
            match json {
                true => print::json(&hosts),
                false => print::text(&render(&hosts, style, Timestamp::now())),
            }
        }
        Verb::Add { name, connect } => {
            let (name, connect) = match connect.is_empty() {
                true => (plain(&name), vec!["ssh".into(), name]),
                false => (name, connect),
            };
            let request = HostRequest { name: name.clone(), connect, attach: Vec::new() };
            let status = answering(context, &name, "/api/hosts", &request).await?;
            print::text(&report(&status, style))
        }
        Verb::SshNames => {
            let names = crate::hosts::ssh_names();
            print::text(&names.iter().map(|name| format!("{name}\n")).collect::<String>())
        }
        Verb::Test { name } => {
            let status = answering(context, &name, &path(&name, "test"), &()).await?;
            print::text(&report(&status, style))
        }
        Verb::Connect { name } => {
            let status = answering(context, &name, &path(&name, "connect"), &()).await?;
            print::text(&report(&status, style))
        }
        Verb::Disconnect { name } => {
            let client = context.client.patient(PATIENCE);
            let status: HostStatus = client.post(&path(&name, "disconnect"), &()).await?;
            let agents = match status.releases {
                true => "its `release` has run, and ended what ran there",
                false => "its agents keep running",
            };
            print::text(&format!("{} is let go; {agents}.\n", print::safe(&name)))
        }
        Verb::Remove { name } => {
            context.client.patient(PATIENCE).tell(&path(&name, "remove"), &()).await?;
            print::text(&format!("{} is forgotten.\n", print::safe(&name)))
        }
    }
}

/// A name for a host out of one that ssh understands: `me@build.lan` → `me-build-lan`.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).take(LONGEST_NAME).collect();
    name.trim_end_matches('-').to_owned()
}

fn path(name: &str, verb: &str) -> String {
    format!("/api/hosts/{}/{verb}", encode_segment(name))
}

/// Asks for something that may need an answer of the human's meanwhile.
async fn answering<B: serde::Serialize>(
    context: &Context,
    name: &str,
    path: &str,
    body: &B,
) -> Result<HostStatus, Failure> {
    let client = context.client.patient(PATIENCE);
    let asked = client.post::<B, HostStatus>(path, body);
    tokio::pin!(asked);
    let mut answered = 0;
    loop {
        tokio::select! {
            status = &mut asked => return Ok(status?),
            () = tokio::time::sleep(LOOK) => {}
        }
        let hosts: Vec<HostStatus> = context.client.get("/api/hosts").await?;
        let host = hosts.into_iter().find(|host| host.name == name);
        let Some(prompt) = host.and_then(|host| host.prompt).filter(|p| p.id > answered) else {
            continue;
        };
        answered = prompt.id;
        let answer = PromptAnswer { id: prompt.id, answer: read_answer(&prompt) };
        let path = self::path(name, "answer");
        match context.client.tell(&path, &answer).await {
            // Someone else may have been quicker.
            Ok(()) | Err(ClientError::Refused { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Shows a question and reads the answer, hidden if it is a secret.
fn read_answer(prompt: &HostPrompt) -> Option<String> {
    if !io::stdin().is_terminal() {
        let asks = print::safe_lines(&prompt.text);
        print::to_stderr(&format!("{asks}\n(no terminal to answer at)\n"));
        return None;
    }
    print::to_stderr(&format!("{} ", print::safe_lines(&prompt.text)));
    let _hidden = prompt.secret.then(Hidden::new);
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).ok()?;
    if prompt.secret {
        print::to_stderr("\n");
    }
    (read > 0).then(|| line.trim_end_matches(['\n', '\r']).to_owned())
}

/// The terminal doesn't show what is typed while this is there.
struct Hidden(Option<rustix::termios::Termios>);

impl Hidden {
    fn new() -> Hidden {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin()).ok();
        if let Some(mut quiet) = before.clone() {
            quiet.local_modes.remove(LocalModes::ECHO);
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &quiet);
        }
        Hidden(before)
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let now = rustix::termios::OptionalActions::Now;
            let _ = rustix::termios::tcsetattr(io::stdin(), now, before);
        }
    }
}

fn report(status: &HostStatus, style: Style) -> String {
    let mut text = format!("{}  {}\n", style.bold(&status.name), status.connect.join(" "));
    let mut line = |what: &str, value: String| text.push_str(&format!("  {what:<8} {value}\n"));
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".into());
    line("tmux", print::safe(&or_unknown(&status.tmux_version)));
    line("system", print::safe(&or_unknown(&status.system)));
    let agents =
        if status.agents.is_empty() { "none found".into() } else { status.agents.join(", ") };
    line("agents", agents);
    line("clock", skew(status.clock_skew_ms.unwrap_or(0)));
    let files = match status.notified {
        Some(true) => "noticed at once (inotifywait)",
        _ => "polled every second; install inotify-tools there to notice them at once",
    };
    line("signals", files.into());
    text.push_str(
        &style.dim(&format!("schmux spawn --host {} -t TARGET -w DIRECTORY", status.name)),
    );
    text.push('\n');
    text
}

fn skew(ms: i64) -> String {
    match ms / 1000 {
        -1..=1 => "as here".into(),
        s if s > 0 => format!("{s} s ahead of this machine"),
        s => format!("{} s behind this machine", -s),
    }
}

fn render(hosts: &[HostStatus], style: Style, now: Timestamp) -> String {
    if hosts.is_empty() {
        return "No hosts but this machine. Add one: schmux host add NAME -- ssh BOX\n".into();
    }
    let head = ["HOST", "STATE", "SINCE", "TMUX", "SESSIONS", "CONNECT", ""];
    let mut table = Table::new(style, head).give([
        Give::Cut("", 16),
        Give::Cut("CONNECT", 12),
        Give::Drop("SESSIONS"),
        Give::Drop("TMUX"),
        Give::Cut("", 8),
        Give::Cut("CONNECT", 7),
    ]);
    for host in hosts {
        let paint: Paint = match host.state {
            HostState::Connected => Style::green,
            HostState::Unreachable => Style::red,
            HostState::Connecting => Style::yellow,
            HostState::Idle => Style::dim,
        };
        // ssh's question about a host key has several lines.
        let asks = host.prompt.as_ref().map(|prompt| prompt.text.lines().collect::<Vec<_>>());
        let asks = asks.map(|lines| format!("asks: {}", lines.join(" ")));
        let note = asks.or_else(|| host.reason.clone()).unwrap_or_default();
        table.row([
            (host.name.clone(), Some(Style::bold as Paint)),
            (word(host.state).to_owned(), Some(paint)),
            (host.since.map_or("-".to_owned(), |at| print::age(at, now)), None),
            (host.tmux_version.clone().unwrap_or_else(|| "-".into()), None),
            (host.sessions.to_string(), None),
            (host.connect.join(" "), None),
            (note, None),
        ]);
    }
    table.render()
}

fn word(state: HostState) -> &'static str {
    match state {
        HostState::Idle => "idle",
        HostState::Connecting => "connecting",
        HostState::Connected => "connected",
        HostState::Unreachable => "unreachable",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_for_people() {
        let host = HostStatus {
            name: "box".into(),
            connect: vec!["ssh".into(), "box".into()],
            state: HostState::Unreachable,
            since: Some(Timestamp::from_second(100).unwrap()),
            reason: Some("no route to host".into()),
            prompt: None,
            tmux_version: None,
            system: None,
            clock_skew_ms: None,
            notified: None,
            agents: Vec::new(),
            sessions: 2,
            from_config: false,
            releases: false,
        };
        let now = Timestamp::from_second(160).unwrap();
        expect_test::expect![[r#"
            HOST  STATE        SINCE  TMUX  SESSIONS  CONNECT
            box   unreachable  1m     -     2         ssh box  no route to host
        "#]]
        .assert_eq(&render(std::slice::from_ref(&host), Style::plain(), now));
        let up = HostStatus {
            state: HostState::Connected,
            tmux_version: Some("3.3a".into()),
            system: Some("Linux x86_64".into()),
            clock_skew_ms: Some(-7000),
            notified: Some(true),
            agents: vec!["claude".into()],
            ..host
        };
        expect_test::expect![[r#"
            box  ssh box
              tmux     3.3a
              system   Linux x86_64
              agents   claude
              clock    7 s behind this machine
              signals  noticed at once (inotifywait)
            schmux spawn --host box -t TARGET -w DIRECTORY
        "#]]
        .assert_eq(&report(&up, Style::plain()));
    }
}
