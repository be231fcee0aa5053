//! Hosts behind a bad network: a link that goes dead without a word (`ip netns`),
//! one with latency and losses, and one that is slow.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use schmux::wire::{HostState, MessageState, Session, Status, TerminalMessage};

use super::far::Far;
use super::far_courier::{self, Agent};
use super::hosts::{is, says};
use super::support::{Daemon, until};
use super::terminal::{flood, flooded};
use super::way::{Shape, Way};

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
    // Twelve at most, by the clock of a daemon that is let run; three are slack.
    assert!(took < Duration::from_secs(15), "it took {took:?}");
    // The other host is none the wiser.
    fs::write(&bystander.status_file, "needs_input as ever\n").unwrap();
    says(&daemon, &bystander, Status::NeedsInput, "as ever").await;
    first.swallow(false);
    let now = says(&daemon, &session, Status::NeedsInput, "said into the void").await;
    assert_eq!(now.said.nudge_seq, 1);
    far.is(&daemon, HostState::Connected).await;
    daemon.view(&session, "").await.sees("hello").await;
}

/// A host behind 100 ms in each direction and stalls as TCP shows lost packets;
/// where the kernel has netem, behind real losses besides.
async fn behind_a_bad_way(daemon: &Daemon, shape: Shape) -> Option<(Far, Way, Option<Net>)> {
    let net = Net::open().filter(|net| net.shape(&["netem", "delay", "10ms", "loss", "1%"]));
    let far = match &net {
        Some(net) => net.host("far")?,
        None => Far::ssh("far")?,
    };
    let way = far.way();
    way.shape(shape);
    far.join_by(daemon, &far.connect_by(&way));
    eprintln!("with netem: {}", net.is_some());
    Some((far, way, net))
}

const BAD: Shape = Shape {
    delay: Duration::from_millis(100),
    rate: None,
    stall: Some(Duration::from_secs(1)),
    ends_after: [None, None],
};

#[tokio::test(flavor = "multi_thread")]
async fn latency_and_losses_change_nothing_but_the_time() {
    let daemon = Daemon::start();
    let Some((far, way, _net)) = behind_a_bad_way(&daemon, BAD).await else { return };
    let session = far.run(&daemon, "stty -echo; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    for round in 1..=8 {
        view.type_in(&format!("round {round}\r")).await;
        view.sees(&format!("round {round}")).await;
        fs::write(&session.status_file, format!("needs_input round {round}\n")).unwrap();
        let now = says(&daemon, &session, Status::NeedsInput, &format!("round {round}")).await;
        assert_eq!(now.said.nudge_seq, round);
    }
    view.settles_to(|| far.truth(&session)).await;
    // Every byte of what somebody watches, if no stall lasts for so long that tmux
    // leaves off: after a second it shows the screen as it is then.
    way.shape(Shape { stall: Some(Duration::from_millis(200)), ..BAD });
    let short = far.run(&daemon, &flood(1_000)).await;
    let mut view = daemon.view(&short, "").await;
    view.sees("ready").await;
    view.bytes.clear();
    view.type_in("x").await;
    view.sees("the end").await;
    assert!(view.bytes == flooded(1_000), "the bytes differ");
    view.settles_to(|| far.truth(&short)).await;
    assert!(way.stalls() > 0, "nothing ever stalled");
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_and_drafts_survive_latency_and_losses() {
    let daemon = Daemon::with_config(&far_courier::config());
    let Some((far, way, _net)) = behind_a_bad_way(&daemon, BAD).await else { return };
    let agent = Agent::start(&daemon, &far).await;
    for number in 1..=3 {
        let draft = format!("draft number {number}");
        agent.types(&draft);
        agent.sees(&draft).await;
        let text = format!("message number {number}");
        let message = agent.tells(&text).await;
        let fate = agent.fate(&message).await;
        assert_eq!(fate.state, MessageState::Confirmed, "{fate:#?}");
        agent.sees(&draft).await;
        agent.is_at_rest().await;
        assert_eq!(agent.submits_field().await, draft);
        let times = agent.received().iter().filter(|got| **got == text).count();
        assert_eq!(times, 1, "{:#?}", agent.received());
    }
    assert!(way.stalls() > 0, "nothing ever stalled");
}

/// A pane prints without end, over a way of 1 Mbit/s: keys and their echo in
/// another pane don't wait behind it, whether anybody watches it or not.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_on_a_slow_link_does_not_delay_keys() {
    const RATE: u64 = 125_000;
    let daemon = Daemon::start();
    let Some(far) = Far::ssh("far") else { return };
    let way = far.way();
    far.join_by(&daemon, &far.connect_by(&way));
    let session = far.run(&daemon, "stty -echo; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("").await;
    way.shape(Shape { rate: Some(RATE), ..Shape::default() });
    let (calm, _) = echoes(&mut view, "calm", 10).await;
    let before = way.passed()[0];
    let flood = far.run(&daemon, "while :; do seq 1 100000; done").await;
    until("the flood to come", || async { (way.passed()[0] > before + 64_000).then_some(()) })
        .await;
    // As it begins ssh would take 2 MB of it, which is 16 s here.
    let (first, _) = echoes(&mut view, "first", 1).await;
    eprintln!("the first key after it began: {first:?}");
    assert!(first < Duration::from_secs(3), "{first:?} as a flood began");
    settled(&mut view, "unwatched").await;
    let (before, began) = (way.passed()[0], Instant::now());
    let (busy, worst) = echoes(&mut view, "busy", 20).await;
    let rate = (way.passed()[0] - before) as f64 / began.elapsed().as_secs_f64();
    eprintln!(
        "echo of a key: {calm:?} calm, {busy:?} beside a flood (worst {worst:?}), {rate:.0} bytes/s"
    );
    assert!(busy < Duration::from_millis(400), "{busy:?} beside a flood, {calm:?} without");
    assert!(rate < RATE as f64 * 0.5, "what nobody watches takes {rate} bytes a second");
    // Now somebody watches it.
    let watching = Watching::begin(&daemon, &flood).await;
    until("a first picture of it", || async { (watching.frames() > 0).then_some(()) }).await;
    settled(&mut view, "watched").await;
    let frames = watching.frames();
    let (busy, worst) = echoes(&mut view, "seen", 20).await;
    let shown = watching.frames() - frames;
    eprintln!(
        "beside one that is watched: {busy:?} (worst {worst:?}), which was shown {shown} times"
    );
    assert!(busy < Duration::from_millis(400), "{busy:?} beside a flood that is watched");
    // A look at a screen is some kB: a key may have to wait for some of them.
    assert!(worst < Duration::from_secs(3), "{worst:?} beside a flood that is watched");
    assert!(shown >= 2, "who watches it sees it go on");
    // What floods is known to be alive all the same.
    let now = daemon.session(&flood.id).await.unwrap();
    assert_ne!(now.status, Status::Unreachable);
}

/// Waits until the echo of a key doesn't stand behind a flood that just began.
async fn settled(view: &mut super::support::View, word: &str) {
    let began = Instant::now();
    loop {
        let (echo, _) = echoes(view, &format!("{word} {:?}", began.elapsed()), 1).await;
        if echo < Duration::from_millis(400) {
            eprintln!("after {:?} keys went freely again: {word}", began.elapsed());
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "keys wait for {echo:?}: {word}");
    }
}

/// Someone who watches a session, beside the test.
struct Watching {
    frames: Arc<AtomicU32>,
    task: tokio::task::JoinHandle<()>,
}

impl Watching {
    async fn begin(daemon: &Daemon, session: &Session) -> Watching {
        let mut view = daemon.view(session, "").await;
        let frames: Arc<AtomicU32> = Arc::default();
        let counted = frames.clone();
        let task = tokio::spawn(async move {
            while view.step().await.is_some() {
                let keyframe = |m: &TerminalMessage| matches!(m, TerminalMessage::Keyframe { .. });
                if view.messages.drain(..).any(|message| keyframe(&message)) {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Watching { frames, task }
    }

    fn frames(&self) -> u32 {
        self.frames.load(Ordering::Relaxed)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The median time from a key to its echo, and the longest.
async fn echoes(view: &mut super::support::View, word: &str, count: usize) -> (Duration, Duration) {
    let mut times = Vec::new();
    for number in 0..count {
        let began = Instant::now();
        view.type_in(&format!("{word} {number}\r")).await;
        view.sees(&format!("{word} {number}")).await;
        times.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    times.sort();
    (times[times.len() / 2], times[times.len() - 1])
}
