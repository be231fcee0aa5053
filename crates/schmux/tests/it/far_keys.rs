//! Keys that an editor over there catches while a message is delivered, when the
//! connection or the daemon is lost in that very moment.

use std::fs;
use std::path::{Path, PathBuf};

use schmux::wire::{HistoryEntry, HistoryWhat, HostState, MessageState, Session, Status};

use super::far::Far;
use super::far_courier::{Agent, config};
use super::hosts::says;
use super::support::{Daemon, until};

/// Our own directory over there for a session.
fn launches(far: &Far, session: &Session) -> PathBuf {
    let from = fs::read_dir(far.path("home/.schmux/from")).unwrap();
    let ours = from.flatten().next().expect("schmux has a directory there").path();
    ours.join("launches").join(&session.id)
}

fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(dir).unwrap().flatten().map(|file| file.path());
    files.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

/// Has the editor over there stand still before it reads what was typed, as long
/// as there is a file `stay`.
fn slow_head(far: &Far) {
    let (stay, stays) = (far.path("stay"), far.path("stays"));
    let script = format!(
        "#!/bin/sh\nif [ -t 0 ] && [ -e {stay} ]; then\n: >{stays}\n\
         while [ -e {stay} ]; do sleep 0.02; done\nfi\nexec /usr/bin/head \"$@\"\n",
        stay = stay.display(),
        stays = stays.display()
    );
    far.install("head", &script);
    // A login shell puts the system's programs first.
    let profile = format!("PATH={}:$PATH\n", far.path("bin").display());
    fs::write(far.path("home").join(".profile"), profile).unwrap();
}

enum Loss {
    Connection,
    Daemon,
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_an_editor_caught_outlast_a_cut_and_a_kill() {
    let Some(far) = Far::ssh("box") else { return };
    slow_head(&far);
    let daemon = Daemon::with_config(&config());
    far.join(&daemon);
    let agent = Agent::start(&daemon, &far).await;
    let key = fs::read(far.path("authorized")).unwrap();
    for (number, loss) in [Loss::Connection, Loss::Daemon].into_iter().enumerate() {
        let (draft, typed) = (format!("draft {number}"), format!(" and more {number}"));
        agent.types(&draft);
        agent.sees(&draft).await;
        fs::write(far.path("stay"), "").unwrap();
        let message = agent.tells(&format!("message {number}")).await;
        until("an editor that was answered", || async { far.path("stays").exists().then_some(()) })
            .await;
        agent.types(&typed);
        match loss {
            Loss::Connection => {
                // Nobody is let in again before the editor has ended.
                fs::write(far.path("authorized"), "").unwrap();
                far.cut();
                far.is(&daemon, HostState::Unreachable).await;
            }
            Loss::Daemon => daemon.kill().await,
        }
        fs::remove_file(far.path("stay")).unwrap();
        fs::remove_file(far.path("stays")).unwrap();
        let dir = launches(&far, &agent.session);
        until("the editor's end", || async { files(&dir, ".call").is_empty().then_some(()) }).await;
        // Whoever listens there has told what he was told; nobody heard it.
        agent.sees(&format!("message {number}")).await;
        match loss {
            Loss::Connection => fs::write(far.path("authorized"), &key).unwrap(),
            Loss::Daemon => drop(daemon.schmux(&["start"])),
        }
        far.hurry(&daemon).await;
        let fate = agent.fate(&message).await;
        assert_eq!(fate.state, MessageState::Confirmed, "{fate:#?}");
        agent.sees(&format!("{draft}{typed}")).await;
        agent.is_at_rest().await;
        assert_eq!(agent.submits_field().await, format!("{draft}{typed}"), "{fate:#?}");
        let given_up = || files(&dir, ".kept").iter().all(|path| fs::read(path).unwrap() == b"\n");
        until("the keys to be given up there", || async { given_up().then_some(()) }).await;
    }
}

async fn withheld(daemon: &Daemon, session: &Session) -> Vec<String> {
    let path = format!("/api/events?session={}&limit=1000", session.id);
    let all: Vec<HistoryEntry> = daemon.client().get(&path).await.unwrap();
    let records = all.into_iter().filter_map(|entry| match entry.what {
        HistoryWhat::Record { kind, data } if kind == "withheld" => Some(data),
        _ => None,
    });
    records.collect()
}

/// No message is under way any more when keys of long ago are found.
#[tokio::test(flavor = "multi_thread")]
async fn keys_that_come_too_late_are_shown_once() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "stty -echo; exec cat").await;
    let dir = launches(&far, &session);
    let kept = dir.join("edit-0123456789abcdef.kept");
    let frame = format!("edited {} 3 no 3 6f6821 0123456789abcdef", session.id);
    fs::write(&kept, format!("__SCHMUX_SIGNAL__{frame}__END__\n")).unwrap();
    // A name that leads elsewhere is none.
    let forged = format!("edited {} 3 no 2 6e6f ../../../x", session.id);
    fs::write(dir.join("edit-1.kept"), format!("__SCHMUX_SIGNAL__{forged}__END__\n")).unwrap();
    far.cut();
    until("the record", || async {
        far.hurry(&daemon).await;
        let shown = withheld(&daemon, &session).await;
        shown.contains(&"oh!".to_owned()).then_some(())
    })
    .await;
    until("the keys to be given up there", || async {
        (fs::read(&kept).ok()? == b"\n").then_some(())
    })
    .await;
    // The next one who listens removes it.
    far.cut();
    until("the file's end", || async {
        far.hurry(&daemon).await;
        (!kept.exists()).then_some(())
    })
    .await;
    fs::write(&session.status_file, "needs_input after all\n").unwrap();
    says(&daemon, &session, Status::NeedsInput, "after all").await;
    let shown = withheld(&daemon, &session).await;
    assert_eq!(shown.iter().filter(|keys| *keys == "oh!").count(), 1, "{shown:?}");
}
