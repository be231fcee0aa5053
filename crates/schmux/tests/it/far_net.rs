//! Hosts behind a network of their own (`ip netns`): a link that goes dead
//! without a word, one with latency and losses, and one that is slow.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use schmux::wire::{HostState, Status};

use super::far::Far;
use super::hosts::{is, says};
use super::support::Daemon;

/// A network namespace with one link to ours. It goes with the test.
struct Net {
    name: String,
    /// Our end of the link, and theirs.
    ends: [String; 2],
    address: String,
}

impl Net {
    /// `None`, with the reason printed, where the machine allows none.
    fn open() -> Option<Net> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (pid, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let name = format!("schmux-{pid}-{number}");
        let ends = ["a", "b"].map(|end| format!("sx{:x}.{number}{end}", pid & 0xff_ffff));
        // A network of four addresses; two tests at once have different ones.
        let place = (pid.wrapping_mul(16) + number) % 16_000;
        let at = |last: u32| {
            let host = place * 4 + last;
            format!("10.217.{}.{}", host >> 8, host & 255)
        };
        let net = Net { name: name.clone(), ends: ends.clone(), address: at(2) };
        let (ours, theirs) = (format!("{}/30", at(1)), format!("{}/30", at(2)));
        let [here, there] = ends;
        let steps: [&[&str]; 8] = [
            &["netns", "add", &name],
            &["link", "add", &here, "type", "veth", "peer", "name", &there],
            &["link", "set", &there, "netns", &name],
            &["addr", "add", &ours, "dev", &here],
            &["link", "set", &here, "up"],
            &["-n", &name, "addr", "add", &theirs, "dev", &there],
            &["-n", &name, "link", "set", &there, "up"],
            &["-n", &name, "link", "set", "lo", "up"],
        ];
        for step in steps {
            if !run("ip", step) {
                eprintln!("not run: `ip {}` is refused on this machine", step.join(" "));
                return None;
            }
        }
        Some(net)
    }

    fn host(&self, name: &str) -> Option<Far> {
        Far::ssh_at(name, &self.address, &["ip", "netns", "exec", &self.name])
    }

    /// Packets vanish in both directions, and nobody is told.
    fn swallow(&self, on: bool) {
        let [_, there] = &self.ends;
        let state = if on { "down" } else { "up" };
        assert!(run("ip", &["-n", &self.name, "link", "set", there, state]));
    }

    /// Shapes what goes from one end to the other; false where the kernel can't.
    fn shape(&self, how: &[&str]) -> bool {
        let [here, there] = &self.ends;
        let from_here = [&["qdisc", "add", "dev", here, "root"], how].concat();
        let from_there = [&["-n", &self.name, "qdisc", "add", "dev", there, "root"], how].concat();
        run("tc", &from_here) && run("tc", &from_there)
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        run("ip", &["link", "del", &self.ends[0]]);
        run("ip", &["netns", "del", &self.name]);
    }
}

fn run(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    let status = command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_whose_links_go_dead_are_noticed_and_come_back() {
    let (Some(first), Some(second)) = (Net::open(), Net::open()) else { return };
    let (Some(far), Some(other)) = (first.host("far"), second.host("other")) else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    other.join(&daemon);
    let session = far.run(&daemon, "echo hello; exec cat").await;
    let bystander = other.run(&daemon, "exec cat").await;
    first.swallow(true);
    let began = Instant::now();
    fs::write(&session.status_file, "needs_input said into the void\n").unwrap();
    let away = is(&daemon, &session, Status::Unreachable).await;
    let took = began.elapsed();
    eprintln!("a dead link was noticed after {took:?}: {:?}", away.reason);
    // It has to be known within 15 s; a loaded machine may tell it later.
    assert!(took < Duration::from_secs(20), "it took {took:?}");
    // The other host is none the wiser.
    fs::write(&bystander.status_file, "needs_input as ever\n").unwrap();
    says(&daemon, &bystander, Status::NeedsInput, "as ever").await;
    first.swallow(false);
    let now = says(&daemon, &session, Status::NeedsInput, "said into the void").await;
    assert_eq!(now.said.nudge_seq, 1);
    far.is(&daemon, HostState::Connected).await;
    daemon.view(&session, "").await.sees("hello").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn latency_and_losses_change_nothing_but_the_time() {
    let Some(net) = Net::open() else { return };
    let Some(far) = net.host("far") else { return };
    if !net.shape(&["netem", "delay", "40ms", "10ms", "loss", "2%"]) {
        eprintln!("not run: this kernel has no netem, so no latency and no losses");
        return;
    }
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "stty -echo; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    for round in 1..=10 {
        view.type_in(&format!("round {round}\r")).await;
        view.sees(&format!("round {round}")).await;
        fs::write(&session.status_file, format!("needs_input round {round}\n")).unwrap();
        let now = says(&daemon, &session, Status::NeedsInput, &format!("round {round}")).await;
        assert_eq!(now.said.nudge_seq, round);
    }
    view.settles_to(|| far.truth(&session)).await;
}

/// A pane that nobody watches prints without end, over a link of 2 Mbit/s: keys
/// and their echo in another pane don't wait behind it.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_on_a_slow_link_does_not_delay_keys() {
    let Some(net) = Net::open() else { return };
    let Some(far) = net.host("far") else { return };
    if !net.shape(&["tbf", "rate", "2mbit", "burst", "16kb", "latency", "200ms"]) {
        eprintln!("not run: this kernel shapes no traffic (tbf)");
        return;
    }
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "stty -echo; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("").await;
    let calm = echoes(&mut view, "calm", 10).await;
    let flood = far.run(&daemon, "while :; do seq 1 100000; done").await;
    // As it begins it fills what ssh keeps on its way: 2 MB, which is 8 s here.
    view.type_in("begun\r").await;
    let began = Instant::now();
    view.sees("begun").await;
    eprintln!("a key as the flood began took {:?}", began.elapsed());
    let busy = echoes(&mut view, "busy", 20).await;
    eprintln!("echo of a key: median {calm:?} calm, {busy:?} beside a flood");
    assert!(busy < Duration::from_millis(700), "{busy:?} beside a flood, {calm:?} without");
    // What floods is known to be alive all the same.
    let now = daemon.session(&flood.id).await.unwrap();
    assert_ne!(now.status, Status::Unreachable);
}

/// The median time from a key to its echo.
async fn echoes(view: &mut super::support::View, word: &str, count: usize) -> Duration {
    let mut times = Vec::new();
    for number in 0..count {
        let began = Instant::now();
        view.type_in(&format!("{word} {number}\r")).await;
        view.sees(&format!("{word} {number}")).await;
        times.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    times.sort();
    times[times.len() / 2]
}
