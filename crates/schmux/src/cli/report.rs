//! `schmux report`: a session's screen and what was made of it, as a test case.
//!
//! Nothing leaves the machine: a file is written, for its writer to read through
//! and to pass on.

use std::fs;
use std::path::PathBuf;

use schmux_core::reading::Case;

use crate::client::encode_segment;
use crate::wire::{Capture, Session, Status, Why};

use super::failure::{Exit, Failure};
use super::{Context, Outcome, pick, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An id, the beginning of one, or a nickname
    session: String,
    /// The file to write; `-` is stdout. Default: AGENT-STATE-COLSxROWS.screen here
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What the agent really does: idle, draft, working, dialog, error, shell or unknown
    #[arg(long, value_name = "WHAT", value_parser = TRUTHS)]
    truth: Option<String>,
}

const TRUTHS: [&str; 7] = ["idle", "draft", "working", "dialog", "error", "shell", "unknown"];

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let session = pick::session(context, &args.session).await?;
    let path = format!("/api/sessions/{}", encode_segment(&session.id));
    let capture: Capture = context.client.get(&format!("{path}/capture?ansi=true")).await?;
    let why: Why = context.client.get(&format!("{path}/why")).await?;
    let names: Vec<String> = [std::env::var("USER"), std::env::var("HOSTNAME")]
        .into_iter()
        .flatten()
        .chain(home_name())
        .collect();
    let case = case(&session, &capture, &why, args.truth.as_deref()).redacted(&names);
    if args.output.as_deref().is_some_and(|path| path.as_os_str() == "-") {
        return print::text(&case.text());
    }
    let (cols, rows) = case.size;
    let name = format!("{}-{}-{cols}x{rows}.screen", why.reader, why.verdict.state.word());
    let path = args.output.unwrap_or_else(|| name.into());
    fs::write(&path, case.text()).map_err(|err| {
        Failure::new(format!("can't write {}: {err}", path.display())).exit(Exit::Unfit)
    })?;
    print::text(&format!("{}\n", path.display()))?;
    if args.truth.is_none() {
        print::to_stderr(&format!(
            "It says that the agent is in truth `{}`; correct that line if it is wrong.\n",
            case.truth
        ));
    }
    print::to_stderr(
        "Keys and names were blotted out as far as they are known. Read it through before you \
         pass it on; CONTRIBUTING.md says where it becomes a test.\n",
    );
    Ok(())
}

fn case(session: &Session, capture: &Capture, why: &Why, truth: Option<&str>) -> Case {
    let verdict = &why.verdict;
    let mut notes = vec![(
        "verdict".to_owned(),
        format!("{} ({:?}): {}", verdict.state.word(), verdict.confidence, verdict.rule),
    )];
    for vote in &why.votes {
        let means = vote.state.map_or("-", Status::word);
        let note = format!("{} ms ago, {}: {} ({means})", vote.age_ms, vote.source, vote.says);
        notes.push(("vote".to_owned(), note));
    }
    Case {
        truth: truth.unwrap_or_else(|| shown(verdict.state)).to_owned(),
        version: "reported".to_owned(),
        size: (capture.cols, capture.rows),
        cursor: capture.cursor,
        cursor_visible: capture.cursor_visible,
        alternate: capture.alternate_screen,
        program: session.target.clone(),
        title: session.title.clone().unwrap_or_default(),
        notes,
        rows: capture.text.lines().map(str::to_owned).collect(),
    }
}

/// What a screen shows in this state.
fn shown(state: Status) -> &'static str {
    match state {
        Status::Working => "working",
        Status::NeedsInput => "dialog",
        Status::Error => "error",
        Status::Completed | Status::NeedsTesting | Status::Idle => "idle",
        Status::Exited => "shell",
        Status::Starting | Status::Unknown | Status::Unreachable => "unknown",
    }
}

/// The last part of the home's path, which is most often a name.
fn home_name() -> Option<String> {
    let home = PathBuf::from(std::env::var_os("HOME")?);
    home.file_name().and_then(|name| name.to_str()).filter(|name| *name != "root").map(Into::into)
}
