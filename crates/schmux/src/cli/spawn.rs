//! `schmux spawn`: runs agents in a workspace.

use std::path::Path;
use std::time::Duration;

use crate::wire::{Preset, Session, SpawnRequest};

use super::failure::{Exit, Failure};
use super::print::{self, Style};
use super::{Context, Outcome, attach};

/// A clone may take ten minutes, and making 200 sessions a little more.
const PATIENCE: Duration = Duration::from_secs(660);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to run; `schmux targets` lists it. Several of them run beside each other
    #[arg(short, long = "target", value_name = "TARGET", required_unless_present = "preset")]
    targets: Vec<String>,
    /// A preset of config.toml; the other flags win over what it says
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Where to run it, as `schmux host list` names it. Default: where the workspace is
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// A directory, or a workspace's id. Default: the current directory
    #[arg(short, long, value_name = "PATH")]
    workspace: Option<String>,
    /// Work in a git worktree of this branch (made if need be), off the repository in the workspace
    #[arg(long, value_name = "BRANCH")]
    worktree: Option<String>,
    /// Clone this repository and work there
    #[arg(long, value_name = "URL", conflicts_with_all = ["workspace", "worktree"])]
    clone: Option<String>,
    /// A name of your own for it
    #[arg(short, long)]
    nickname: Option<String>,
    /// What the agent is asked first
    #[arg(short, long, allow_hyphen_values = true)]
    prompt: Option<String>,
    /// How many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    count: Option<u32>,
    /// Attach this terminal to it
    #[arg(long, conflicts_with_all = ["count", "json"])]
    attach: bool,
    /// Print the sessions as JSON
    #[arg(long)]
    json: bool,
    /// More arguments for the target's command
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    if args.attach {
        attach::needs_terminal()?;
    }
    let (attach, json) = (args.attach, args.json);
    let preset = match &args.preset {
        Some(name) => preset(context, name).await?,
        None => None,
    };
    let here = current_dir()?;
    let request = request(args, &here, preset.as_ref());
    let from_here = [&request.workspace, &request.clone].into_iter().flatten();
    if from_here.into_iter().any(|path| is_spoilt(path, &here)) {
        return Err(Failure::new(format!(
            "the name of the current directory is not UTF-8: {}",
            here.display()
        ))
        .exit(Exit::Usage)
        .advice("rename it, or name another directory: -w PATH"));
    }
    let sessions: Vec<Session> =
        context.client.patient(PATIENCE).post("/api/spawn", &request).await?;
    if json {
        return print::json(&sessions);
    }
    if attach && let Some(session) = sessions.first() {
        return attach::to(session, context).await;
    }
    print::text(&render(&sessions, Style::of_stdout()))
}

/// The preset of that name, if there is one; if not, the daemon says so.
async fn preset(context: &Context, name: &str) -> Result<Option<Preset>, Failure> {
    let all: Vec<Preset> = context.client.get("/api/presets").await?;
    Ok(all.into_iter().find(|preset| preset.name == name))
}

fn request(args: Args, here: &Path, preset: Option<&Preset>) -> SpawnRequest {
    let elsewhere = args.host.as_ref().is_some_and(|host| host != "local");
    let names_place = args.workspace.is_some() || args.worktree.is_some() || args.clone.is_some();
    let preset = preset.filter(|_| !names_place);
    let is_placed = preset.is_some_and(|p| p.workspace.is_some() || p.clone.is_some());
    let workspace = match (&args.clone, args.workspace) {
        // A path on another host is none of ours.
        (None, named) if elsewhere => named,
        (Some(_), _) => None,
        (None, None) if is_placed => None,
        (None, None) => Some(here.to_string_lossy().into_owned()),
        (None, Some(named)) => Some(absolute(&named, here)),
    };
    // A branch without a directory means one of the repository here.
    let worktree = preset.filter(|_| !is_placed).and_then(|preset| preset.worktree.clone());
    let mut targets = args.targets.into_iter();
    // The daemon runs elsewhere: a path of ours must not be read from there.
    let clone = args.clone.map(|url| {
        if elsewhere {
            url
        } else if Path::new(&url).is_dir() || url.starts_with("./") || url.starts_with("../") {
            absolute_path(&url, here)
        } else {
            url
        }
    });
    SpawnRequest {
        target: targets.next().unwrap_or_default(),
        targets: targets.collect(),
        preset: args.preset,
        host: args.host,
        workspace,
        worktree: args.worktree.or(worktree),
        clone,
        nickname: args.nickname,
        prompt: args.prompt,
        count: args.count,
        args: args.args,
        ..SpawnRequest::default()
    }
}

/// A path from `/`; a name that looks like a workspace's id stays one unless
/// there is a directory of that name.
fn absolute(named: &str, here: &Path) -> String {
    let is_path = named.contains('/') || named.starts_with(['.', '~']) || here.join(named).is_dir();
    if !is_path || named == "~" || named.starts_with("~/") {
        return named.to_owned();
    }
    absolute_path(named, here)
}

fn absolute_path(path: &str, here: &Path) -> String {
    let joined = here.join(path);
    std::path::absolute(&joined).unwrap_or(joined).to_string_lossy().into_owned()
}

/// Whether a path of a request begins with the current directory, whose name a request
/// can't hold.
fn is_spoilt(path: &str, here: &Path) -> bool {
    here.to_str().is_none() && path.starts_with(&*here.to_string_lossy())
}

fn current_dir() -> Result<std::path::PathBuf, Failure> {
    std::env::current_dir().map_err(|err| {
        Failure::new(format!("can't tell the current directory: {err}"))
            .exit(Exit::Unfit)
            .advice("change to a directory that exists, or name one: -w PATH")
    })
}

fn render(sessions: &[Session], style: Style) -> String {
    let mut text = String::new();
    for session in sessions {
        let target = print::safe(&session.target);
        let name = session.nickname.as_deref().map(print::safe);
        let named = name.map_or(String::new(), |name| format!(" as {name}"));
        text.push_str(&format!("{}  {target}{named}\n", style.bold(&session.id)));
    }
    if let [session] = sessions {
        text.push_str(&style.dim(&format!("schmux attach {}", session.id)));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn parse(line: &[&str]) -> Result<SpawnRequest, clap::Error> {
        let line = Line::try_parse_from(std::iter::once("spawn").chain(line.iter().copied()))?;
        Ok(request(line.args, Path::new("/here"), None))
    }

    #[test]
    fn requests() {
        let cases: [(&[&str], &str); 10] = [
            (
                &["-t", "claude", "-t", "codex"],
                r#"{"target":"claude","targets":["codex"],"workspace":"/here"}"#,
            ),
            (&["-t", "demo"], r#"{"target":"demo","workspace":"/here"}"#),
            (&["-t", "demo", "-w", "/x"], r#"{"target":"demo","workspace":"/x"}"#),
            (&["-t", "demo", "-w", "a/b"], r#"{"target":"demo","workspace":"/here/a/b"}"#),
            (&["-t", "demo", "-w", "."], r#"{"target":"demo","workspace":"/here"}"#),
            (&["-t", "demo", "-w", "app-001"], r#"{"target":"demo","workspace":"app-001"}"#),
            (&["-t", "demo", "-w", "~/x"], r#"{"target":"demo","workspace":"~/x"}"#),
            (
                &["-t", "demo", "--clone", "https://h/a.git"],
                r#"{"target":"demo","clone":"https://h/a.git"}"#,
            ),
            (
                &["-t", "demo", "--worktree", "fix", "-n", "me", "--count", "3"],
                r#"{"target":"demo","workspace":"/here","worktree":"fix","nickname":"me","count":3}"#,
            ),
            (
                &["-t", "demo", "-p", "-x is wrong", "--", "--model", "x"],
                r#"{"target":"demo","workspace":"/here","prompt":"-x is wrong","args":["--model","x"]}"#,
            ),
        ];
        for (line, expected) in cases {
            let request = parse(line).unwrap_or_else(|err| panic!("{line:?}: {err}"));
            assert_eq!(serde_json::to_string(&request).unwrap(), expected, "{line:?}");
        }
    }

    #[test]
    fn the_place_of_a_preset() {
        let line = |more: &[&str]| {
            let line = ["spawn", "--preset", "p"].iter().chain(more).copied();
            Line::try_parse_from(line).unwrap().args
        };
        let own = Preset { workspace: Some("/own".into()), ..Preset::default() };
        let branch = Preset { worktree: Some("b".into()), ..Preset::default() };
        let cases: [(&Preset, &[&str], &str); 4] = [
            (&own, &[], r#"{"preset":"p"}"#),
            (&own, &["-w", "/x"], r#"{"preset":"p","workspace":"/x"}"#),
            (&branch, &[], r#"{"preset":"p","workspace":"/here","worktree":"b"}"#),
            (&Preset::default(), &[], r#"{"preset":"p","workspace":"/here"}"#),
        ];
        for (preset, more, expected) in cases {
            let request = request(line(more), Path::new("/here"), Some(preset));
            assert_eq!(serde_json::to_string(&request).unwrap(), expected, "{more:?}");
        }
    }

    #[test]
    fn a_directory_that_no_request_can_name() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        let here = Path::new(OsStr::from_bytes(b"/caf\xe9"));
        let line = |words: &[&str]| {
            let words = ["spawn", "-t", "demo"].iter().chain(words).copied();
            let request = request(Line::try_parse_from(words).unwrap().args, here, None);
            is_spoilt(&request.workspace.unwrap_or_default(), here)
        };
        assert!(line(&[]));
        assert!(line(&["-w", "./sub"]));
        assert!(!line(&["-w", "/x"]));
        assert!(!line(&["--clone", "https://h/a.git"]));
        assert!(!is_spoilt("/here/x", Path::new("/here")));
    }

    #[test]
    fn wrong_usage() {
        let cases: [&[&str]; 5] = [
            &[],
            &["-t", "demo", "--count", "0"],
            &["-t", "demo", "--count", "201"],
            &["-t", "demo", "--clone", "u", "-w", "/x"],
            &["-t", "demo", "--attach", "--count", "2"],
        ];
        for line in cases {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }
}
