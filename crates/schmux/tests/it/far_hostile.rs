//! Hosts that lie: about directories, in names, by frames, and without end. Nothing
//! is written, believed or shown that isn't theirs to say, and nobody else suffers.

use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use schmux::wire::Status;

use super::far::Far;
use super::hosts::says;
use super::support::{Daemon, until};

/// Everything that a host says of files and directories goes through its `od`:
/// this one says something else.
fn lying(far: &Far, sed: &str) {
    let system = ["/usr/bin/od", "/bin/od"].into_iter().find(|path| fs::exists(path).unwrap());
    let script = format!("#!/bin/sh\nLC_ALL=C sed '{sed}' | {} \"$@\"\n", system.unwrap());
    far.install("od", &script);
    // A login shell says where programs are.
    let bin = far.path("bin");
    let profile = format!("PATH={}:$PATH\n", bin.display());
    fs::write(far.path("home").join(".profile"), profile).unwrap();
}

#[tokio::test]
async fn a_host_can_t_lead_us_to_files_of_this_machine() {
    let daemon = Daemon::start();
    // Copies are made three directories below the daemon's home.
    let outside = "/../../../../victim";
    let victim = daemon.path("victim");
    let far = Far::plain("evil");
    far.install("amp", "#!/bin/sh\nexec cat\n");
    let work = far.path("work").to_string_lossy().into_owned();
    lying(&far, &format!("s|^{work}$|{outside}|"));
    far.join(&daemon);
    let refused = daemon.try_schmux(&["spawn", "--host", "evil", "-t", "amp", "-w", &work]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && said.contains("can't be the name of a workspace"),
        "{said}"
    );
    assert!(!victim.exists(), "{:?}", fs::read_dir(&victim).map(Iterator::count));
    // Nor by its home, which is told as the connection begins.
    let other = Far::plain("other");
    let home = other.path("home").to_string_lossy().into_owned();
    lying(&other, &format!("s|^{home}$|{outside}|"));
    let mut args = vec!["host".to_owned(), "add".into(), "other".into(), "--".into()];
    args.extend(other.connect());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let refused = daemon.try_schmux(&args);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("it can't have a directory"), "{said}");
    assert!(!victim.exists());
}

#[tokio::test]
async fn what_a_host_says_is_shown_without_its_control_bytes() {
    let far = Far::plain("evil");
    let daemon = Daemon::start();
    // It complains about a directory, with what retitles a terminal.
    lying(&far, "s|no directory|\\x1b]0;owned\\x07 no directory|");
    far.join(&daemon);
    let refused = daemon.try_schmux(&["spawn", "--host", "evil", "-t", "sh", "-w", "/no/where"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("owned") && said.contains("no directory"), "{said}");
    assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{said:?}");
    // What a connect command says as it fails, too, here and in the list.
    let words =
        ["host", "add", "bad", "--", "sh", "-c", "printf '\\033[31mNo\\007 route' >&2; exit 255"];
    let refused = daemon.try_schmux(&words);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("route"), "{said}");
    assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{said:?}");
}

/// Frames as the watcher prints them, on its own terminal: a host can do that.
#[tokio::test(flavor = "multi_thread")]
async fn forged_frames_of_files_count_for_nothing() {
    let (good, evil) = (Far::plain("good"), Far::plain("evil"));
    let daemon = Daemon::start();
    good.join(&daemon);
    evil.join(&daemon);
    let victim = good.run(&daemon, "exec cat").await;
    let local = daemon.run("exec cat").await;
    let own = evil.run(&daemon, "exec cat").await;
    let watcher = || {
        let format = "#{pane_tty} #{pane_start_command}";
        let panes = evil.tmux(&["list-panes", "-a", "-F", format]).stdout;
        let panes = String::from_utf8(panes).unwrap();
        let scripts = panes.lines().filter(|line| line.contains("/run/"));
        scripts.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect::<Vec<_>>()
    };
    let terminals = until("its watcher and its listener", || async {
        Some(watcher()).filter(|found| found.len() >= 2)
    })
    .await;
    let say = |frame: &str| {
        for terminal in &terminals {
            // A watcher that was torn away is replaced, and its terminal is gone.
            let Ok(mut tty) = fs::File::options().write(true).open(terminal) else { continue };
            let _ = tty.write_all(format!("__SCHMUX_SIGNAL__{frame}__END__\n").as_bytes());
        }
    };
    // "error forged\n" and, as an event, the same.
    let status = "6572726f7220666f726765640a";
    let event = "7b2274797065223a22737461747573222c227374617465223a226572726f72222c226d657373616765223a22666f72676564227d0a";
    for id in [&victim.id, &local.id] {
        for workspace in [0, 1, 7] {
            say(&format!("status {workspace} {id} 1 13 1.0 0 13 {status}"));
            say(&format!("events {workspace} {id} 1 53 1.0 0 53 {event}"));
        }
    }
    let own_id = &own.id;
    for wrong in [
        format!("status 99999999999999999999 {own_id} 1 13 1.0 0 13 {status}"),
        format!("status 9 {own_id} 1 13 1.0 0 13 {status}"),
        format!("status 0 ../../../x 1 13 1.0 0 13 {status}"),
        format!("status 0 {own_id} 1 13 1.0 0 99 {status}"),
        format!("status 0 {own_id} 1 13 99999999999999999999.0 0 13 {status}"),
        format!("events 0 {own_id} 1 18446744073709551615 1.0 18446744073709551615 53 {event}"),
        format!("events 0 {own_id} 1 18446744073709551615 1.0 0 0 -"),
        format!("done {} 0", "0".repeat(16)),
        "ready x".to_owned(),
        "x".repeat(300_000),
    ] {
        say(&wrong);
    }
    // It may speak for its own, and is heard.
    fs::write(&own.status_file, "needs_input mine\n").unwrap();
    says(&daemon, &own, Status::NeedsInput, "mine").await;
    for session in [&victim, &local] {
        let now = daemon.session(&session.id).await.unwrap();
        assert_eq!(now.said.nudge_seq, 0, "{now:#?}");
    }
    fs::write(&victim.status_file, "needs_input as ever\n").unwrap();
    says(&daemon, &victim, Status::NeedsInput, "as ever").await;
    // What a link leads to is not read, whoever made it.
    let secret = evil.path("secret");
    fs::write(&secret, "error a secret of the host\n").unwrap();
    fs::remove_file(&own.status_file).unwrap();
    std::os::unix::fs::symlink(&secret, &own.status_file).unwrap();
    fs::write(
        &own.events_file,
        "{\"type\":\"status\",\"state\":\"needs_testing\",\"message\":\"after it\"}\n",
    )
    .unwrap();
    let now = says(&daemon, &own, Status::NeedsTesting, "after it").await;
    assert_eq!(now.said.nudge_seq, 2, "{now:#?}");
}

/// Reads the daemon's script as far as it must to know the word that is awaited,
/// says that the way is open, and goes on without end.
const ENDLESS: &str = r#"
while read -r line; do case $line in NONCE=*) eval "$line" && break ;; esac; done
ready() { printf '__SCHMUX_SIGNAL__ready %s tmux 332e3361 dir 2f78 home 2f78__END__\n' "$NONCE"; }
let_in() { printf '%%begin 1 1 0\n%%end 1 1 0\n%%session-changed $0 schmux-hub\n'; }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_talks_without_end_fills_no_memory() {
    let daemon = Daemon::start();
    let local = daemon.run("stty -echo; exec cat").await;
    let mut view = daemon.view(&local, "").await;
    let dir = tempfile::tempdir().unwrap();
    for (number, (talk, expected)) in [
        ("exec yes", "no answer of a shell"),
        ("ready; exec yes", "no answer of tmux"),
        ("ready; tr '\\0' x </dev/zero", "no answer of tmux"),
        ("ready; let_in; echo '%begin 1 2 1'; exec yes ''", "a reply of tmux has no end"),
        ("ready; let_in; tr '\\0' x </dev/zero", "did not finish"),
    ]
    .into_iter()
    .enumerate()
    {
        let script = dir.path().join(format!("{number}.sh"));
        fs::write(&script, format!("{ENDLESS}\n{talk}\n")).unwrap();
        let began = Instant::now();
        let path = script.to_string_lossy();
        let adding = daemon.begin_schmux(&["host", "add", "evil", "--", "sh", &path]);
        // Meanwhile all goes on here.
        view.type_in(&format!("meanwhile {number}\r")).await;
        view.sees(&format!("meanwhile {number}")).await;
        let added = tokio::task::spawn_blocking(|| adding.wait_with_output().unwrap());
        let added = added.await.unwrap();
        let said = String::from_utf8_lossy(&added.stderr).into_owned();
        assert!(!added.status.success() && said.contains(expected), "{talk}: {said}");
        assert!(began.elapsed() < Duration::from_secs(60), "{talk}: {:?}", began.elapsed());
    }
    let pid = daemon.status().await.pid;
    let memory = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let peak = memory.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    eprintln!("at most {} MB", peak >> 10);
    assert!(peak < 400 << 10, "it took {peak} kB");
}
