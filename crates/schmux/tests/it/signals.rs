//! What agents write to their files, through everything that happens to the daemon.

use std::fs;
use std::io::Write;
use std::path::Path;

use schmux::wire::{Check, CheckResult, HistoryEntry, HistoryWhat, Session, Status};
use serde_json::Value;

use crate::attach::Outer;
use crate::support::{Daemon, until};

/// Writes a file beside and moves it into place, as careful agents do.
pub fn replace(path: &str, text: &str) {
    let beside = format!("{path}.new");
    fs::write(&beside, text).unwrap();
    fs::rename(&beside, path).unwrap();
}

pub fn append(path: &str, text: &str) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// Everything that was said, oldest first.
pub async fn history(daemon: &Daemon) -> Vec<HistoryEntry> {
    let mut all: Vec<HistoryEntry> = Vec::new();
    loop {
        let after = all.last().map_or(0, |entry| entry.number);
        let path = format!("/api/events?after={after}&limit=1000");
        let page: Vec<HistoryEntry> = daemon.client().get(&path).await.unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

async fn shows(daemon: &Daemon, id: &str, summary: &str) -> Session {
    until(&format!("{id} to say {summary:?}"), || async {
        let session = daemon.session(id).await;
        session.filter(|session| session.said.nudge_summary.as_deref() == Some(summary))
    })
    .await
}

/// How often a session was heard to say this.
async fn times(daemon: &Daemon, id: &str, words: &str) -> usize {
    let is_it = |entry: &&HistoryEntry| match &entry.what {
        HistoryWhat::Signal { message, .. } => entry.session_id == id && message == words,
        _ => false,
    };
    history(daemon).await.iter().filter(is_it).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_file_shows_everywhere() {
    let daemon = Daemon::start();
    let session = daemon.run("echo 'needs_input May I?' > $SCHMUX_STATUS_FILE; exec cat").await;
    shows(&daemon, &session.id, "May I?").await;
    let listed: Value = serde_json::from_str(&daemon.schmux(&["list", "--json"])).unwrap();
    let listed = &listed[0];
    assert_eq!(listed["nudge_state"], "Needs Authorization");
    assert_eq!(listed["nudge_summary"], "May I?");
    assert_eq!(listed["nudge_seq"], 1);
    assert_eq!(listed["status"], "needs_input");
    assert_eq!(listed["nudge"]["source"], "agent");
    assert!(listed["last_signal_at"].is_string());

    append(&session.status_file, "progress: 40\n");
    until("the detail", || async {
        let session = daemon.session(&session.id).await?;
        (session.said.details.get("progress")? == "40").then_some(())
    })
    .await;
    fs::write(&session.status_file, "working on it\n").unwrap();
    let works = until("the end of the call", || async {
        daemon.session(&session.id).await.filter(|session| session.status == Status::Working)
    })
    .await;
    assert_eq!((works.said.nudge_state, works.said.nudge_seq), (None, 1));
}

/// Tab and Shift-Tab answer as Enter does, by whatever way they come: nobody is waited for
/// any more, though the file still says what it said.
#[tokio::test(flavor = "multi_thread")]
async fn tab_ends_a_call_and_the_need() {
    let daemon = Daemon::start();
    let session = daemon.run("echo hello; exec cat").await;
    let outer = Outer::open(&daemon);
    outer.attach(&session).await;
    outer.sees("hello").await;
    let mut view = daemon.view(&session, "").await;
    let keys = |key: &str| daemon.schmux(&["send-keys", &session.id, key]);
    for (nth, way) in
        ["keys", "keys back", "attach", "attach back", "page", "page back"].into_iter().enumerate()
    {
        let question = format!("May I, {way}?");
        replace(&session.status_file, &format!("needs_input {question}\n"));
        shows(&daemon, &session.id, &question).await;
        assert!(daemon.schmux(&["list", "--needs-me"]).contains(&session.id), "{way}");
        match way {
            "keys" => drop(keys("Tab")),
            "keys back" => drop(keys("BTab")),
            "attach" => outer.press(&["Tab"]),
            "attach back" => outer.press(&["BTab"]),
            "page" => view.type_in("\t").await,
            _ => view.type_in("\x1b[Z").await,
        }
        until(&format!("nobody to be needed after {way}"), || async {
            let listed = daemon.schmux(&["list", "--needs-me"]);
            listed.starts_with("No session needs you").then_some(())
        })
        .await;
        let answered = daemon.session(&session.id).await.unwrap();
        assert_eq!((answered.said.nudge_state, answered.said.nudge_seq), (None, nth as u64 + 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_tells_nothing_twice_and_misses_nothing() {
    let daemon = Daemon::start();
    let by_status = daemon.run("exec cat").await;
    let by_events = daemon.run("exec cat").await;
    fs::write(&by_status.status_file, "error first\n").unwrap();
    let event = |message: &str| {
        format!("{{\"type\":\"status\",\"state\":\"error\",\"message\":\"{message}\"}}\n")
    };
    append(&by_events.events_file, &event("first"));
    for session in [&by_status, &by_events] {
        shows(&daemon, &session.id, "first").await;
    }
    daemon.kill().await;
    daemon.schmux(&["start"]);
    for session in [&by_status, &by_events] {
        assert_eq!(shows(&daemon, &session.id, "first").await.said.nudge_seq, 1);
    }
    daemon.kill().await;
    fs::write(&by_status.status_file, "needs_testing while away\n").unwrap();
    append(&by_events.events_file, &event("while away"));
    daemon.schmux(&["start"]);
    for session in [&by_status, &by_events] {
        assert_eq!(shows(&daemon, &session.id, "while away").await.said.nudge_seq, 2);
        assert_eq!(times(&daemon, &session.id, "first").await, 1);
        assert_eq!(times(&daemon, &session.id, "while away").await, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_tells_what_cannot_be_read() {
    let daemon = Daemon::start();
    let session = daemon.run("exec cat").await;
    fs::write(&session.status_file, "finished with it\n").unwrap();
    std::os::unix::fs::symlink("/dev/zero", &session.events_file).unwrap();
    let check = |name: &'static str| {
        let client = daemon.client();
        async move {
            let checks: Vec<Check> = client.get("/api/doctor").await.unwrap();
            checks.into_iter().find(|check| check.name == name).unwrap()
        }
    };
    let warned = |name: &'static str| {
        until(name, move || async move {
            Some(check(name).await).filter(|check| check.result == CheckResult::Warning)
        })
    };
    assert!(warned("invalid signals").await.detail.contains("finished with it"));
    let unread = warned("unread files").await.detail;
    assert!(unread.contains(&session.events_file) && unread.contains("symbolic link"), "{unread}");
    assert!(check("signal files").await.detail.contains("inotify, workspaces: 1"));
    assert!(Path::new("/dev/zero").exists());
}
