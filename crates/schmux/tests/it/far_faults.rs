//! What goes wrong with hosts: connections that end at any byte, a host that is
//! rebooted or full, and reconnects while everything goes on. Counts are exact.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use schmux::wire::{HostState, Session, Status};
use serde_json::json;

use super::far::Far;
use super::hosts::{is, says};
use super::support::{Daemon, until};
use super::way::{Shape, Way};

fn count(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |count| count.parse().unwrap())
}

/// Adds a line to a session's events file, as its agent would.
fn tell(session: &Session, message: &str) {
    let line = json!({"type": "status", "state": "error", "message": message});
    let mut file = fs::File::options().create(true).append(true).open(&session.events_file);
    std::io::Write::write_all(file.as_mut().unwrap(), format!("{line}\n").as_bytes()).unwrap();
}

/// Connections end in the middle of whatever is being said, at places all over
/// what one says and is told until it follows files; `SCHMUX_TEST_CUTS` for more.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_end_at_any_byte_lose_and_double_nothing() {
    let Some(far) = Far::ssh("box") else { return };
    let way = far.way();
    let daemon = Daemon::start();
    far.join_by(&daemon, &far.connect_by(&way));
    let session = far.run(&daemon, "stty -echo; exec cat").await;
    // What a whole connection takes, from its first byte to the first signal.
    let before = way.passed();
    cut_and_try_again(&way, &far, &daemon).await;
    tell(&session, "event 0");
    says(&daemon, &session, Status::Error, "event 0").await;
    let after = way.passed();
    let takes = [after[0] - before[0], after[1] - before[1]];
    let (cuts, began) = (count("SCHMUX_TEST_CUTS", 32), Instant::now());
    let mut told = 1;
    for cut in 1..=cuts {
        // From there and to there by turns, each time further on.
        let place = |direction: usize| takes[direction] * cut / cuts;
        let ends_after = match cut % 2 {
            0 => [Some(place(0)), None],
            _ => [None, Some(place(1))],
        };
        way.shape(Shape { ends_after, ..Shape::default() });
        tell(&session, &format!("event {cut}"));
        cut_and_try_again(&way, &far, &daemon).await;
        fs::write(&session.status_file, format!("needs_input status {cut}\n")).unwrap();
        // That connection ends where it was told to; the next one is whole.
        way.shape(Shape::default());
        told += 2;
        until(&format!("both words of cut {cut} at {ends_after:?}"), || async {
            far.hurry(&daemon).await;
            let now = daemon.session(&session.id).await?;
            (now.said.nudge_seq >= told).then_some(())
        })
        .await;
        assert_eq!(daemon.session(&session.id).await.unwrap().said.nudge_seq, told, "cut {cut}");
    }
    eprintln!("{cuts} cuts within {takes:?} bytes took {:?}", began.elapsed());
    far.is(&daemon, HostState::Connected).await;
    let mut view = daemon.view(&session, "").await;
    view.type_in("hello\r").await;
    view.sees("hello").await;
    view.settles_to(|| far.truth(&session)).await;
    let now = daemon.session(&session.id).await.unwrap();
    assert_eq!(now.said.nudge_seq, told, "nothing is told again");
}

/// Ends every connection, and waits until another was begun.
async fn cut_and_try_again(way: &Way, far: &Far, daemon: &Daemon) {
    let before = way.opened();
    way.cut();
    until("another attempt", || async {
        far.hurry(daemon).await;
        (way.opened() > before).then_some(())
    })
    .await;
}

/// Everything that runs over there is gone, and so is what was in its /tmp.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_was_rebooted_is_used_again() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "exec cat").await;
    fs::write(&session.status_file, "needs_input before\n").unwrap();
    says(&daemon, &session, Status::NeedsInput, "before").await;
    far.reboot();
    fs::write(&session.status_file, "error as it went down\n").unwrap();
    let ended = is(&daemon, &session, Status::Exited).await;
    assert!(ended.said.nudge_seq <= 2);
    far.is(&daemon, HostState::Connected).await;
    let again = far.run(&daemon, "echo up again; exec cat").await;
    let mut view = daemon.view(&again, "").await;
    view.sees("up again").await;
    fs::write(&again.status_file, "needs_input and asking\n").unwrap();
    says(&daemon, &again, Status::NeedsInput, "and asking").await;
}

/// No room is left over there: what can't be done says so, and all goes on after.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_over_there_is_told_and_survived() {
    let Some(far) = Far::ssh("box") else { return };
    let home = far.path("home");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(&home)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("not run: no file system can be mounted here");
        return;
    }
    let _unmounted = Unmount(home.clone());
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "stty -echo; exec cat").await;
    let fill = home.join("fill");
    // The last block, too.
    let _ = fs::write(&fill, vec![0; 2 << 20]);
    let _ = fs::write(home.join("rest"), vec![0; 4096]);
    // What runs goes on: its files are elsewhere, its terminal needs no disk.
    let mut view = daemon.view(&session, "").await;
    view.type_in("still here\r").await;
    view.sees("still here").await;
    fs::write(&session.status_file, "needs_input with a full disk\n").unwrap();
    says(&daemon, &session, Status::NeedsInput, "with a full disk").await;
    let refused = daemon.try_schmux(&["spawn", "--host", "box", "-t", "sh", "-w", "~"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("the host box"), "{said}");
    assert!(said.contains("disk full"), "{said}");
    // A connection that is made anew takes another place, and all goes on.
    far.cut();
    fs::write(&session.status_file, "error by another connection\n").unwrap();
    let now = says(&daemon, &session, Status::Error, "by another connection").await;
    assert_eq!(now.said.nudge_seq, 2);
    let made = far.run(&daemon, "echo in spite of it; exec cat").await;
    daemon.view(&made, "").await.sees("in spite of it").await;
    // Where there is no other place, it says what is wrong.
    fs::rename(far.path("tmp"), far.path("tmp-before")).unwrap();
    fs::write(far.path("tmp"), "").unwrap();
    far.cut();
    let status = until("the reason", || async {
        let status = far.status(&daemon).await;
        status.reason.clone().filter(|reason| reason.contains("disk full")).map(|_| status)
    })
    .await;
    assert_eq!(status.state, HostState::Unreachable);
    fs::remove_file(&fill).unwrap();
    let _ = fs::remove_file(home.join("rest"));
    far.hurry(&daemon).await;
    far.is(&daemon, HostState::Connected).await;
    fs::write(&session.status_file, "needs_input and room again\n").unwrap();
    let now = says(&daemon, &session, Status::NeedsInput, "and room again").await;
    assert_eq!(now.said.nudge_seq, 3);
    let again = far.run(&daemon, "echo room again; exec cat").await;
    daemon.view(&again, "").await.sees("room again").await;
}

struct Unmount(std::path::PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        // What is still open in it goes with the test's tmux servers.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Connections break while several sessions speak and one floods;
/// `SCHMUX_TEST_CUTS` for more of them.
#[tokio::test(flavor = "multi_thread")]
async fn reconnects_under_load_lose_and_double_nothing() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(far.run(&daemon, "stty -echo; exec cat").await);
    }
    far.run(&daemon, "while :; do seq 1 200; sleep 0.05; done").await;
    let cuts = count("SCHMUX_TEST_CUTS", 20);
    let mut told = 0;
    for cut in 1..=cuts {
        for session in &sessions {
            tell(session, &format!("event {cut}"));
        }
        told += 1;
        far.cut();
        // Sometimes it is back before the next one, sometimes not.
        tokio::time::sleep(Duration::from_millis(37 * (cut % 9))).await;
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    for session in &sessions {
        loop {
            let now = daemon.session(&session.id).await.unwrap();
            if now.said.nudge_seq == told {
                break;
            }
            assert!(now.said.nudge_seq < told, "{now:#?}");
            assert!(Instant::now() < deadline, "of {told}: {now:#?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    far.is(&daemon, HostState::Connected).await;
    for session in &sessions {
        let mut view = daemon.view(session, "").await;
        view.type_in("after all\r").await;
        view.sees("after all").await;
        let now = daemon.session(&session.id).await.unwrap();
        assert_eq!(now.said.nudge_seq, told, "nothing is told again");
    }
    // tmux keeps clients that nobody reads any more, and then never ends itself.
    until("one control client over there, ours", || async {
        let list = ["list-clients", "-t", "=schmux-hub", "-F", "#{client_control_mode}"];
        let said = far.tmux(&list).stdout;
        (said.split(|byte| *byte == b'\n').filter(|line| *line == b"1").count() == 1).then_some(())
    })
    .await;
}
