//! `schmux list`: the sessions, and the tmux sessions that could become some.

use jiff::Timestamp;

use crate::wire::{Adoptable, Session, Status};

use super::print::{self, Paint, Style, Table};
use super::table::Give;
use super::{Context, Outcome, adopt, pick};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those that wait for you: they ask, want something tried, or failed
    #[arg(long)]
    needs_me: bool,
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let mut sessions = pick::sessions(context).await?;
    if args.needs_me {
        sessions.retain(|session| session.status.needs_human());
        // Whoever waits since shortly comes first.
        sessions.sort_by_key(|session| std::cmp::Reverse(session.verdict.since));
    }
    if args.json {
        return print::json(&sessions);
    }
    if args.needs_me {
        return print::text(&match sessions.as_slice() {
            [] => "No session needs you.\n".to_owned(),
            sessions => table(sessions, Style::of_stdout(), Timestamp::now()).render(),
        });
    }
    // An offer only: if it can't be had, the list is still right.
    let adoptable: Vec<Adoptable> = context.client.get("/api/adoptable").await.unwrap_or_default();
    print::text(&render(&sessions, &adoptable, Style::of_stdout(), Timestamp::now()))
}

fn render(sessions: &[Session], adoptable: &[Adoptable], style: Style, now: Timestamp) -> String {
    let mut text = String::new();
    if sessions.is_empty() {
        text.push_str("No sessions. Make one: schmux spawn -t demo\n");
    } else {
        text.push_str(&table(sessions, style, now).render());
    }
    let offer = |found: &Adoptable| {
        // A comment for the shell, too: the whole line can be copied.
        let place = print::safe(found.place.as_ref().unwrap_or(&found.tmux_session));
        format!("{}  {}", adopt::command_line(found), style.dim(&format!("# {place}")))
    };
    let offers: Vec<String> =
        adoptable.iter().filter(|found| found.target.is_some()).map(offer).collect();
    if !offers.is_empty() {
        text.push_str(&style.dim("\nAgents that run in tmux outside schmux; to take them over:"));
        text.push('\n');
        for offer in offers {
            text.push_str(&format!("  {offer}\n"));
        }
    }
    text
}

fn table(sessions: &[Session], style: Style, now: Timestamp) -> Table {
    let head = ["SESSION", "TARGET", "NAME", "STATUS", "AGE", "ACTIVE", "HOST", "SAYS"];
    let mut table = Table::new(style, head).give([
        Give::Empty("HOST", "local"),
        Give::Empty("NAME", "-"),
        // With less than this an agent's words don't say what it wants.
        Give::Cut("SAYS", 24),
        Give::Drop("ACTIVE"),
        Give::Drop("AGE"),
        Give::Cut("SAYS", 8),
        Give::Cut("TARGET", 8),
        Give::Cut("NAME", 8),
        Give::Cut("HOST", 8),
        Give::Drop("TARGET"),
        Give::Drop("SAYS"),
    ]);
    for session in sessions {
        let active = session.last_output_at.map_or("-".to_owned(), |at| print::age(at, now));
        let name = session.nickname.clone().unwrap_or_else(|| "-".to_owned());
        table.row([
            (session.id.clone(), Some(Style::bold as Paint)),
            (session.target.clone(), None),
            (name, None),
            (word(session), Some(paint(session.status))),
            (print::age(session.created_at, now), None),
            (active, None),
            (session.host.clone(), None),
            (says(session), None),
        ]);
    }
    table
}

/// What the agent says, or why nothing is known of it.
fn says(session: &Session) -> String {
    let away = session.reason.as_deref().filter(|_| session.status == Status::Unreachable);
    let asks = session.verdict.message.as_deref();
    away.or(session.said.nudge_summary.as_deref()).or(asks).unwrap_or_default().to_owned()
}

fn word(session: &Session) -> String {
    match (session.status, session.exit_code) {
        (Status::Unknown, _) => "running".to_owned(),
        (Status::Exited, Some(code)) => format!("exited {code}"),
        (status, _) => status.word().replace('_', " "),
    }
}

pub(super) fn paint(status: Status) -> Paint {
    match status {
        Status::Starting | Status::NeedsInput | Status::NeedsTesting => Style::yellow,
        Status::Unknown | Status::Working | Status::Completed => Style::green,
        Status::Exited | Status::Idle => Style::dim,
        Status::Unreachable | Status::Error => Style::red,
    }
}

#[cfg(test)]
mod tests {
    use super::super::pick::tests::a_session;
    use super::*;

    #[test]
    fn a_list_for_people() {
        let mut first = a_session("app-001-aaaa1111", Some("fixer"));
        first.last_output_at = Some(Timestamp::from_second(290).unwrap());
        let mut second = a_session("web-001-bbbb2222", None);
        second.status = Status::Exited;
        second.exit_code = Some(1);
        let adoptable = [
            Adoptable {
                host: None,
                socket: "/tmp/tmux-0/default".into(),
                tmux_session: "my work".into(),
                pane: "%1".into(),
                place: Some("my work:0.0".into()),
                target: Some("claude".into()),
                command: "claude".into(),
                path: "/src".into(),
            },
            Adoptable {
                host: None,
                socket: "/tmp/tmux-0/default".into(),
                tmux_session: "shell".into(),
                pane: "%2".into(),
                place: None,
                target: None,
                command: "bash".into(),
                path: "/src".into(),
            },
        ];
        let now = Timestamp::from_second(300).unwrap();
        expect_test::expect![[r#"
            SESSION           TARGET  NAME   STATUS    AGE  ACTIVE  HOST   SAYS
            app-001-aaaa1111  demo    fixer  running   5m   10s     local
            web-001-bbbb2222  demo    -      exited 1  5m   -       local

            Agents that run in tmux outside schmux; to take them over:
              schmux adopt -S /tmp/tmux-0/default '%1' -t claude  # my work:0.0
        "#]]
        .assert_eq(&render(&[first, second], &adoptable, Style::plain(), now));
        let none = render(&[], &[], Style::plain(), now);
        assert_eq!(none, "No sessions. Make one: schmux spawn -t demo\n");
    }
}
