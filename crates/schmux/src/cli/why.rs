//! `schmux why`: what a session is doing, and how that is known.

use jiff::Timestamp;

use crate::client::encode_segment;
use crate::wire::{Confidence, Status, Vote, Why};

use super::print::{self, Paint, Style, Table};
use super::table::Give;
use super::{Context, Outcome, list, pick};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An id, the beginning of one, or a nickname
    session: String,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// How many of the last changes people read.
const CHANGES: usize = 8;

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let session = pick::session(context, &args.session).await?;
    let path = format!("/api/sessions/{}/why", encode_segment(&session.id));
    let why: Why = context.client.get(&path).await?;
    if args.json {
        return print::json(&why);
    }
    let name = session.nickname.as_deref().unwrap_or(&session.target);
    let away = session.reason.as_deref().filter(|_| session.status == Status::Unreachable);
    print::text(&render(&why, (name, away), Style::of_stdout(), Timestamp::now()))
}

/// `away`: why it can't be reached.
fn render(why: &Why, (name, away): (&str, Option<&str>), style: Style, now: Timestamp) -> String {
    let verdict = &why.verdict;
    let mut text = format!(
        "{} {}  {}, {} confidence, for {}\n",
        style.bold(&print::safe(&why.session_id)),
        style.dim(&format!("({})", print::safe(name))),
        list::paint(verdict.state)(style, &word(verdict.state)),
        sure(verdict.confidence),
        print::age(verdict.since, now),
    );
    let away = away.map_or_else(String::new, |reason| format!(": {}", print::safe(reason)));
    text.push_str(&format!("  because {}{away}\n", verdict.rule));
    if let Some(message) = &verdict.message {
        text.push_str(&format!("  “{}”\n", print::safe(message)));
    }
    text.push('\n');
    text.push_str(&votes(&why.votes, style).render());
    text.push_str(&style.dim(&format!("* decided; screens are read as {}'s\n", why.reader)));
    if !why.changes.is_empty() {
        text.push('\n');
        text.push_str(&changes(why, style, now).render());
    }
    if let Some(last) = &why.last_drift {
        let times = if why.drifts == 1 { "once".into() } else { format!("{} times", why.drifts) };
        let line =
            format!("\nWhat was told was not what was seen {times}; the last time it {last}.\n");
        text.push_str(&style.yellow(line.trim_end()));
        text.push('\n');
    }
    text
}

fn votes(votes: &[Vote], style: Style) -> Table {
    let mut table = Table::new(style, ["", "SOURCE", "SAYS", "WHICH MEANS", "AGE"])
        .give([Give::Cut("SAYS", 8)]);
    for vote in votes {
        let paint: Option<Paint> = if vote.decided { Some(Style::bold) } else { None };
        let mark = if vote.decided { "*" } else { "" };
        let means = vote.state.map_or("-".to_owned(), word);
        let colour = vote.state.map_or(Style::dim as Paint, list::paint);
        table.row([
            (mark.to_owned(), Some(Style::yellow as Paint)),
            (vote.source.replace('_', " "), paint),
            (vote.says.clone(), paint),
            (means, Some(colour)),
            (age(vote.age_ms), None),
        ]);
    }
    table
}

fn changes(why: &Why, style: Style, now: Timestamp) -> Table {
    let mut table = Table::new(style, ["AGO", "FROM", "TO", "SURE", "BECAUSE"])
        .give([Give::Cut("BECAUSE", 8), Give::Drop("SURE")]);
    for change in why.changes.iter().take(CHANGES) {
        table.row([
            (print::age(change.at, now), None),
            (word(change.from), Some(Style::dim as Paint)),
            (word(change.to), Some(list::paint(change.to))),
            (sure(change.confidence).to_owned(), None),
            (change.rule.clone(), None),
        ]);
    }
    table
}

fn word(status: Status) -> String {
    status.word().replace('_', " ")
}

fn sure(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}

/// Ages below ten seconds matter by their tenths here.
fn age(ms: u64) -> String {
    match ms {
        0..10_000 => format!("{}.{}s", ms / 1000, ms % 1000 / 100),
        10_000..60_000 => format!("{}s", ms / 1000),
        60_000..3_600_000 => format!("{}m", ms / 60_000),
        _ => format!("{}h", ms / 3_600_000),
    }
}

#[cfg(test)]
mod tests {
    use super::super::pick::tests::a_verdict;
    use super::*;
    use crate::wire::{StateChange, Verdict};

    #[test]
    fn an_explanation_for_people() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let vote = |source: &str, says: &str, state, age_ms, decided| Vote {
            source: source.into(),
            says: says.into(),
            state,
            at: at(0),
            age_ms,
            decided,
        };
        let why = Why {
            session_id: "app-001-a".into(),
            verdict: Verdict {
                rule: "a dialog is on its screen".into(),
                message: Some("Proceed?\x1b".into()),
                since: at(88),
                ..a_verdict(Status::NeedsInput)
            },
            votes: vec![
                vote("screen", "permission: Proceed?", Some(Status::NeedsInput), 12_000, true),
                vote("status_file", "working", Some(Status::Working), 90_000, false),
                vote("output", "something was printed", None, 450, false),
            ],
            changes: vec![StateChange {
                at: at(88),
                from: Status::Working,
                to: Status::NeedsInput,
                confidence: Confidence::High,
                rule: "a dialog is on its screen".into(),
            }],
            drifts: 2,
            last_drift: Some("was working by hook 40 s ago, now idle by screen, medium".into()),
            reader: "claude".into(),
        };
        expect_test::expect![[r#"
            app-001-a (fixer)  needs input, high confidence, for 12s
              because a dialog is on its screen
              “Proceed?�”

               SOURCE       SAYS                   WHICH MEANS  AGE
            *  screen       permission: Proceed?   needs input  12s
               status file  working                working      1m
               output       something was printed  -            0.4s
            * decided; screens are read as claude's

            AGO  FROM     TO           SURE  BECAUSE
            12s  working  needs input  high  a dialog is on its screen

            What was told was not what was seen 2 times; the last time it was working by hook 40 s ago, now idle by screen, medium.
        "#]]
        .assert_eq(&render(&why, ("fixer", None), Style::plain(), at(100)));
    }
}
