//! `schmux dispose`: ends sessions for good. Several at once are asked about
//! first, and work that is not committed or pushed is told of. Directories stay
//! unless they are to be removed as well. One that can't be ended keeps no other.

use std::io::{self, BufRead, IsTerminal};
use std::time::Duration;

use crate::client::encode_segment;
use crate::wire::{GitState, Session, Status};

use super::failure::{Exit, Failure};
use super::{Context, Outcome, pick, print};

/// A large directory takes its time to be removed.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Ids, beginnings of ids, or nicknames
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    sessions: Vec<String>,
    /// All sessions
    #[arg(long)]
    all: bool,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
    /// Also remove the worktree or clone that a session worked in, if no other session is in it
    #[arg(long)]
    remove_workspace: bool,
    /// Remove it although work would be lost
    #[arg(long, requires = "remove_workspace")]
    force: bool,
    /// Forget sessions also if their host can't be reached; their programs may go on there
    #[arg(long, conflicts_with = "remove_workspace")]
    forget: bool,
    /// Print the sessions that were ended as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let all = pick::sessions(context).await?;
    let mut chosen: Vec<Session> = Vec::new();
    for name in &args.sessions {
        let session = pick::among(&all, name)?;
        if !chosen.iter().any(|other| other.id == session.id) {
            chosen.push(session.clone());
        }
    }
    if args.all {
        chosen = all;
    }
    // One that was named is meant; for more than that a second thought is cheap.
    if (args.all || chosen.len() > 1) && !chosen.is_empty() && !args.yes && !agreed(&chosen)? {
        return Err(Failure::new("nothing was ended"));
    }
    let mut ended: Vec<Session> = Vec::new();
    let mut removed: Vec<&str> = Vec::new();
    let mut failures: Vec<Failure> = Vec::new();
    for (number, session) in chosen.iter().enumerate() {
        // The last one in a workspace closes the door.
        let is_last = !chosen[number + 1..].iter().any(|s| s.workspace_id == session.workspace_id);
        let remove = args.remove_workspace && is_last;
        if is_last && !remove {
            warn(context, session).await;
        }
        let id = encode_segment(&session.id);
        let query =
            format!("remove_workspace={remove}&force={}&forget={}", args.force, args.forget);
        let path = format!("/api/sessions/{id}/dispose?{query}");
        match context.client.patient(PATIENCE).tell(&path, &serde_json::json!({})).await {
            Ok(()) => {
                ended.push(session.clone());
                removed.extend(remove.then_some(session.id.as_str()));
            }
            Err(error) => failures.push(of_session(session, error.into(), chosen.len())),
        }
        // Without a daemon the others fail in the same way.
        if failures.last().is_some_and(|failure| failure.exit == Exit::NotRunning) {
            break;
        }
    }
    if args.json {
        print::json(&ended)?;
    } else if chosen.is_empty() {
        print::text("There are no sessions.\n")?;
    } else {
        print::text(&ended.iter().map(|session| told(session, &removed)).collect::<String>())?;
    }
    all_of(failures)
}

/// What failed, and with which of several sessions.
fn of_session(session: &Session, failure: Failure, several: usize) -> Failure {
    match several {
        1 => failure,
        _ => Failure { message: format!("{}: {}", session.id, failure.message), ..failure },
    }
}

/// Says what failed, all of it; the exit code is theirs if they agree.
fn all_of(mut failures: Vec<Failure>) -> Outcome {
    let Some(last) = failures.pop() else { return Ok(()) };
    let agree = failures.iter().all(|failure| failure.exit == last.exit);
    for failure in &failures {
        failure.report();
    }
    Err(if agree { last } else { last.exit(Exit::Failed) })
}

/// What became of a session, and of the directory that went with it.
fn told(session: &Session, removed: &[&str]) -> String {
    let id = &session.id;
    let mut line = match session.adopted {
        true if session.status == Status::Exited => format!("let go of {id}, which has ended\n"),
        true => format!("let go of {id}; it goes on: {}\n", print::safe(&session.attach_cmd)),
        false => format!("ended {id}\n"),
    };
    if removed.contains(&id.as_str()) {
        line.push_str(&format!("removed the directory of {}\n", session.workspace_id));
    }
    line
}

/// Tells of work that is only in the session's workspace, where it stays.
async fn warn(context: &Context, session: &Session) {
    let path = format!("/api/workspaces/{}/git", encode_segment(&session.workspace_id));
    // Without git, or without an answer in time, there is nothing to tell.
    let Ok(state) = context.client.get::<GitState>(&path).await else { return };
    if let Some(words) = unsaved(&state) {
        let workspace = &session.workspace_id;
        print::to_stderr(&format!("note: left in {workspace}: {words}\n"));
    }
}

fn unsaved(state: &GitState) -> Option<String> {
    let risk = &state.risk;
    let parts = [
        (risk.uncommitted, "uncommitted change"),
        (risk.untracked, "untracked file"),
        (risk.unpushed, "unpushed commit"),
    ];
    let told = parts.into_iter().filter(|(many, _)| *many > 0);
    let told: Vec<String> = told
        .map(|(many, what)| format!("{many} {what}{}", if many == 1 { "" } else { "s" }))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

fn agreed(chosen: &[Session]) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::new(format!("ending {} sessions needs a yes", chosen.len()))
            .exit(Exit::Usage)
            .advice("repeat it with --yes"));
    }
    for session in chosen {
        let name = session.nickname.as_deref().map(print::safe).unwrap_or_default();
        print::to_stderr(&format!("  {}  {}  {name}\n", session.id, print::safe(&session.target)));
    }
    print::to_stderr(&format!("End these {} and whatever they are doing? [y/N] ", chosen.len()));
    let mut answer = String::new();
    io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|err| Failure::new(format!("can't read the answer: {err}")))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::super::pick::tests::a_session;
    use super::*;

    #[test]
    fn what_became_of_a_session_is_told() {
        let id = "app-001-aaaa1111";
        let attach = "tmux -L schmux attach -t '=app-001-aaaa1111'";
        for (adopted, status, expected) in [
            (false, Status::Working, format!("ended {id}\n")),
            (true, Status::Working, format!("let go of {id}; it goes on: {attach}\n")),
            (true, Status::Exited, format!("let go of {id}, which has ended\n")),
        ] {
            let session = Session { adopted, status, ..a_session(id, None) };
            assert_eq!(told(&session, &[]), expected);
        }
        let removed = told(&a_session(id, None), &[id]);
        assert_eq!(removed, format!("ended {id}\nremoved the directory of app-001\n"));
    }
}
