//! The proof: 10,000 signals from 200 sessions while the daemon is killed 20
//! times with -9. Nothing is lost, nothing is told twice, and the last word of
//! everyone stands.

use std::collections::HashMap;
use std::sync::Arc;
use std::{fs, thread};

use schmux::wire::{HistoryEntry, HistoryWhat, Session, SpawnRequest, Status};

use crate::signals::{append, history, replace};
use crate::support::{Daemon, until};

const SESSIONS: usize = 200;
const SIGNALS: usize = 10_000;
const KILLS: usize = 20;

/// What an agent says in turn, and how its status is shown then.
const STATES: [(&str, Status); 5] = [
    ("needs_input", Status::NeedsInput),
    ("working", Status::Working),
    ("error", Status::Error),
    ("completed", Status::Completed),
    ("needs_testing", Status::NeedsTesting),
];

/// How an agent says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Events,
    Renamed,
    Truncated,
    /// Now by one file and now by the other.
    Both,
}

#[derive(Debug, Clone)]
struct Agent {
    session: Session,
    way: Way,
}

impl Agent {
    fn new((number, session): (usize, Session)) -> Agent {
        let way = [Way::Events, Way::Renamed, Way::Events, Way::Truncated, Way::Both][number % 5];
        Agent { session, way }
    }

    /// Whether its nth word goes to the events file, where every one counts.
    fn uses_events(&self, n: usize) -> bool {
        self.way == Way::Events || (self.way == Way::Both && n.is_multiple_of(2))
    }

    fn says(&self, n: usize) {
        let (state, _) = STATES[n % STATES.len()];
        let line = format!("{state} word {n}\n");
        match self.way {
            _ if self.uses_events(n) => append(
                &self.session.events_file,
                &format!(
                    "{{\"type\":\"status\",\"state\":\"{state}\",\"message\":\"word {n}\"}}\n"
                ),
            ),
            Way::Truncated => fs::write(&self.session.status_file, line).unwrap(),
            _ => replace(&self.session.status_file, &line),
        }
    }
}

/// What the history says of one session.
#[derive(Default)]
struct Told {
    /// The numbers of the words, by the file they were in.
    events: Vec<usize>,
    status: Vec<usize>,
    seqs: Vec<u64>,
}

#[tokio::test(flavor = "multi_thread")]
async fn no_signal_is_lost_and_no_nudge_told_twice() {
    let daemon = Daemon::start();
    let request = SpawnRequest {
        target: "sh".into(),
        workspace: Some(daemon.path("work").to_string_lossy().into_owned()),
        args: vec!["exec cat".into()],
        count: Some(SESSIONS as u32),
        ..SpawnRequest::default()
    };
    let made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    let agents: Arc<[Agent]> = made.into_iter().enumerate().map(Agent::new).collect();

    for turn in 0..KILLS {
        let before = newest(&daemon).await;
        let share = SIGNALS / KILLS;
        let writers = write(&agents, turn * share..(turn + 1) * share);
        // More than half of them are told for certain; the kill comes anywhere among those.
        let goal = rand::random_range(0..share / 2);
        until("some to be told", || async {
            (told_since(&daemon, before).await >= goal).then_some(())
        })
        .await;
        daemon.kill().await;
        daemon.schmux(&["start"]);
        for writer in writers {
            writer.join().unwrap();
        }
    }
    let told = all_told(&daemon, &agents).await;
    for agent in agents.iter() {
        check(&daemon, agent, &told[&agent.session.id]).await;
    }
}

/// Two threads, each with half of the sessions.
fn write(agents: &Arc<[Agent]>, words: std::ops::Range<usize>) -> Vec<thread::JoinHandle<()>> {
    let half = |rest: usize| {
        let (agents, words) = (agents.clone(), words.clone());
        thread::spawn(move || {
            for word in words.filter(|word| word % 2 == rest) {
                agents[word % SESSIONS].says(word / SESSIONS);
            }
        })
    };
    vec![half(0), half(1)]
}

/// The number of the newest line of the history.
async fn newest(daemon: &Daemon) -> u64 {
    let last: Vec<HistoryEntry> = daemon.client().get("/api/events?limit=1").await.unwrap();
    last.last().map_or(0, |entry| entry.number)
}

/// How many signals were told after this line of the history.
async fn told_since(daemon: &Daemon, number: u64) -> usize {
    let path = format!("/api/events?after={number}&limit=1000");
    let lines: Vec<HistoryEntry> = daemon.client().get(&path).await.unwrap();
    let is_signal = |entry: &&HistoryEntry| matches!(entry.what, HistoryWhat::Signal { .. });
    lines.iter().filter(is_signal).count()
}

/// The history, as soon as everyone's last word is in it.
async fn all_told(daemon: &Daemon, agents: &[Agent]) -> HashMap<String, Told> {
    let last = SIGNALS / SESSIONS - 1;
    until("the last word of everyone", || async {
        let told = sorted(history(daemon).await);
        let is_done = |agent: &Agent| {
            told.get(&agent.session.id).is_some_and(|told| {
                let (mut events, mut status) = (told.events.iter(), told.status.iter());
                match agent.way {
                    Way::Events => events.any(|n| *n == last),
                    Way::Both => events.any(|n| *n == last - 1) && status.any(|n| *n == last),
                    Way::Renamed | Way::Truncated => status.any(|n| *n == last),
                }
            })
        };
        agents.iter().all(is_done).then_some(told)
    })
    .await
}

fn sorted(history: Vec<HistoryEntry>) -> HashMap<String, Told> {
    let mut sessions: HashMap<String, Told> = HashMap::new();
    for entry in history {
        let HistoryWhat::Signal { message, source, nudge_seq, .. } = entry.what else { continue };
        let told = sessions.entry(entry.session_id).or_default();
        let n = message.strip_prefix("word ").unwrap().parse().unwrap();
        match source.as_str() {
            "events_file" => told.events.push(n),
            "status_file" => told.status.push(n),
            other => panic!("nobody said anything by {other}"),
        }
        told.seqs.extend(nudge_seq);
    }
    sessions
}

async fn check(daemon: &Daemon, agent: &Agent, told: &Told) {
    let words = SIGNALS / SESSIONS;
    let who = format!("{} by {:?}", agent.session.id, agent.way);
    let by_events: Vec<usize> = (0..words).filter(|n| agent.uses_events(*n)).collect();
    assert_eq!(told.events, by_events, "{who}: every event, in order, once");
    // A status file holds one word: those overwritten before anyone looked are
    // gone, but none is told twice or after a later one.
    assert!(told.status.is_sorted_by(|a, b| a < b), "{who}: {:?}", told.status);
    let calls = |n: &&usize| STATES[*n % STATES.len()].1 != Status::Working;
    let calls = told.events.iter().chain(&told.status).filter(calls).count() as u64;
    assert_eq!(told.seqs, (1..=calls).collect::<Vec<_>>(), "{who}: each call has its number");

    let session = daemon.session(&agent.session.id).await.unwrap();
    assert_eq!(session.said.nudge_seq, calls, "{who}");
    if agent.way != Way::Both {
        let (_, last) = STATES[(words - 1) % STATES.len()];
        assert_eq!(session.status, last, "{who}");
        assert_eq!(session.said.nudge_summary, Some(format!("word {}", words - 1)), "{who}");
    }
}
