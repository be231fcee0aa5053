//! Hosts whose clocks are an hour off, and are set while all goes on: what was said
//! later counts later, and every time that is shown is ours.

use jiff::{SignedDuration, Timestamp};
use schmux::wire::{HostState, MessageState, Session, Status};

use super::far::Far;
use super::far_courier::{self, Agent};
use super::hosts::{is, says};
use super::support::{Daemon, until};

const HOUR: i64 = 3600;

/// Every time that is told of a session lies between the test's beginning and now.
async fn times_are_ours(daemon: &Daemon, session: &Session, began: Timestamp) {
    let now = daemon.session(&session.id).await.unwrap();
    // tmux tells the time of the last output in whole seconds.
    let (first, last) = (began - SignedDuration::from_secs(5), Timestamp::now());
    let told = [
        ("created", Some(now.created_at)),
        ("output", now.last_output_at),
        ("since", Some(now.verdict.since)),
        ("signal", now.said.last_signal_at),
    ];
    for (what, at) in told {
        let good = at.is_none_or(|at| first <= at && at <= last);
        assert!(good, "{what} at {at:?}, not within {first} and {last}: {now:#?}");
    }
}

async fn an_hour_off(ahead: i64, words: &str) {
    let Some(far) = Far::ssh("box").and_then(Far::with_clock) else { return };
    let began = Timestamp::now();
    far.set_clock(ahead);
    let daemon = Daemon::with_config(&far_courier::config());
    let told = far.join(&daemon);
    let clock = told.lines().find(|line| line.trim().starts_with("clock")).unwrap();
    assert!(clock.contains(words), "{told}");
    let skew = far.status(&daemon).await.clock_skew_ms.unwrap();
    assert!((skew - ahead * 1000).abs() < 5000, "{skew}");

    let script = "stty -echo; date +%s; schmux signal needs_input 'by the helper'; \
                  while read -r line; do echo \"$line\" >\"$SCHMUX_STATUS_FILE\"; done";
    let session = far.run(&daemon, script).await;
    says(&daemon, &session, Status::NeedsInput, "by the helper").await;
    let mut view = daemon.view(&session, "").await;
    let mut told = 1;
    for (line, status, summary) in [
        ("error the first", Status::Error, "the first"),
        ("needs_testing the second", Status::NeedsTesting, "the second"),
        ("needs_input the third", Status::NeedsInput, "the third"),
    ] {
        view.type_in(&format!("{line}\r")).await;
        told += 1;
        let now = says(&daemon, &session, status, summary).await;
        assert_eq!(now.said.nudge_seq, told);
        times_are_ours(&daemon, &session, began).await;
    }
    // Lost and found again, and by another daemon.
    far.cut();
    is(&daemon, &session, Status::Unreachable).await;
    times_are_ours(&daemon, &session, began).await;
    far.hurry(&daemon).await;
    is(&daemon, &session, Status::NeedsInput).await;
    daemon.kill().await;
    daemon.schmux(&["start"]);
    far.is(&daemon, HostState::Connected).await;
    let now = is(&daemon, &session, Status::NeedsInput).await;
    assert_eq!(now.said.nudge_seq, told, "nothing is told again");
    until("its last output", || async { daemon.session(&session.id).await?.last_output_at }).await;
    times_are_ours(&daemon, &session, began).await;
    // Its clock is set back by two hours, and forth by four, while we listen. A
    // delivery with a draft goes on, too.
    let agent = Agent::start(&daemon, &far).await;
    for (round, ahead) in [ahead - 2 * HOUR, ahead + 2 * HOUR].into_iter().enumerate() {
        far.set_clock(ahead);
        let mut view = daemon.view(&session, "").await;
        view.type_in(&format!("error set {round}\r")).await;
        told += 1;
        let now = says(&daemon, &session, Status::Error, &format!("set {round}")).await;
        assert_eq!(now.said.nudge_seq, told);
        times_are_ours(&daemon, &session, began).await;

        let (draft, text) = (format!("draft {round}"), format!("message {round}"));
        agent.types(&draft);
        agent.sees(&draft).await;
        let message = agent.tells(&text).await;
        let fate = agent.fate(&message).await;
        assert_eq!(fate.state, MessageState::Confirmed, "{fate:#?}");
        agent.sees(&draft).await;
        agent.is_at_rest().await;
        assert_eq!(agent.submits_field().await, draft);
        assert_eq!(agent.received()[2 * round..], [text, draft]);
        is(&daemon, &agent.session, Status::Completed).await;
        times_are_ours(&daemon, &agent.session, began).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_ahead_changes_nothing() {
    an_hour_off(HOUR, "s ahead of this machine").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_behind_changes_nothing() {
    an_hour_off(-HOUR, "s behind this machine").await;
}
