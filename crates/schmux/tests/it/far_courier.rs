//! Messages to the demo agent on another host, behind a real sshd: drafts, the
//! user's own editor, and connections that break in the middle.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use schmux::wire::{Message, MessageState, Session, SpawnRequest, Status};
use serde_json::{Value, json};

use super::courier::{Step, drafts};
use super::far::Far;
use super::support::{Daemon, until, until_left_alone, until_still};

/// The demo agent as a target, by its path: over there is no schmux.
pub fn config() -> String {
    let exe = env!("CARGO_BIN_EXE_schmux");
    format!("[targets.far-demo]\nbase = \"demo\"\ncommand = [{exe:?}, \"demo-agent\"]\n")
}

pub struct Agent<'a> {
    daemon: &'a Daemon,
    far: &'a Far,
    pub session: Session,
    journal: PathBuf,
}

impl<'a> Agent<'a> {
    pub async fn start(daemon: &'a Daemon, far: &'a Far) -> Agent<'a> {
        let journal = far.path("journal");
        let args = ["--speed", "0", "--journal", &journal.to_string_lossy()];
        let request = SpawnRequest {
            target: "far-demo".into(),
            host: Some(far.name.clone()),
            workspace: Some(far.path("work").to_string_lossy().into_owned()),
            args: args.map(str::to_owned).into(),
            ..SpawnRequest::default()
        };
        let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
        let agent = Agent { daemon, far, session: made.remove(0), journal };
        agent.sees("❯").await;
        agent
    }

    fn pane(&self) -> String {
        format!("={}:", self.session.tmux_session)
    }

    pub fn screen(&self) -> String {
        let shown = self.far.tmux(&["capture-pane", "-p", "-t", &self.pane()]);
        String::from_utf8_lossy(&shown.stdout).into_owned()
    }

    pub async fn sees(&self, text: &str) {
        until(text, || async { self.screen().contains(text).then_some(()) }).await;
    }

    pub fn types(&self, text: &str) {
        self.far.tmux(&["send-keys", "-t", &self.pane(), "-l", "--", text]);
    }

    pub fn key(&self, name: &str) {
        self.far.tmux(&["send-keys", "-t", &self.pane(), name]);
    }

    fn takes(&self, step: &Step) {
        match step {
            Step::Type(text) => self.types(text),
            Step::Key(name) => self.key(name),
            Step::Paste(text) => {
                let file = self.far.path("paste");
                fs::write(&file, text).unwrap();
                self.far.tmux(&["load-buffer", "-b", "test", file.to_str().unwrap()]);
                let paste = ["paste-buffer", "-p", "-r", "-d", "-b", "test", "-t", &self.pane()];
                self.far.tmux(&paste);
            }
        }
    }

    pub fn received(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.journal).unwrap_or_default();
        let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let received = events.filter(|event| event["event"] == "received");
        received.filter_map(|event| Some(event["text"].as_str()?.to_owned())).collect()
    }

    pub async fn tells(&self, text: &str) -> Message {
        let request = json!({ "to": [self.session.id], "text": text });
        let posted = self.daemon.client().post::<_, Vec<Message>>("/api/messages", &request).await;
        posted.unwrap().remove(0)
    }

    /// What became of a message. A key whose answer was lost with the connection is
    /// not pressed again for a minute, and that may happen twice.
    pub async fn fate(&self, message: &Message) -> Message {
        let deadline = Instant::now() + Duration::from_secs(150);
        loop {
            let path = format!("/api/messages?all=true&session={}", self.session.id);
            let all: Vec<Message> = self.daemon.client().get(&path).await.unwrap();
            let now = all.into_iter().find(|other| other.id == message.id).unwrap();
            if now.state.is_final() {
                return now;
            }
            assert!(Instant::now() < deadline, "{now:#?}\n{}", self.screen());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The courier has pressed the editor key, or is about to.
    async fn is_under_way(&self) {
        let ticket = self.ticket();
        until("a delivery", || async { ticket.exists().then_some(()) }).await;
    }

    /// The courier has left the pane.
    pub async fn is_at_rest(&self) {
        until_left_alone(&self.ticket(), || self.screen()).await;
    }

    fn ticket(&self) -> PathBuf {
        self.daemon.ticket(&self.session.id)
    }

    /// Sends what stands in the field, and returns what the agent got.
    pub async fn submits_field(&self) -> String {
        let before = self.received().len();
        until_still(|| self.screen()).await;
        self.key("Enter");
        until("the draft's arrival", || async { self.received().get(before).cloned() }).await
    }
}

#[tokio::test]
async fn messages_reach_an_agent_over_there_once() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::with_config(&config());
    far.join(&daemon);
    let agent = Agent::start(&daemon, &far).await;
    let text = "hello, it's $HOME; \"ok\"?";
    let message = agent.tells(text).await;
    assert_eq!(agent.fate(&message).await.state, MessageState::Confirmed);
    assert_eq!(agent.received(), [text]);
    // The demo agent signals the end of its turn by its file.
    until("its end", || async {
        let now = daemon.session(&agent.session.id).await?;
        (now.status == Status::Completed).then_some(())
    })
    .await;
}

#[tokio::test]
async fn drafts_over_there_come_back_as_they_were() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::with_config(&config());
    far.join(&daemon);
    let agent = Agent::start(&daemon, &far).await;
    for (number, (steps, shows, expected)) in drafts().into_iter().enumerate() {
        steps.iter().for_each(|step| agent.takes(step));
        agent.sees(shows).await;
        let text = format!("message {number}: -- $HOME; é 漢\n\n  - second line");
        let message = agent.tells(&text).await;
        let fate = agent.fate(&message).await;
        assert_eq!(fate.state, MessageState::Confirmed, "{fate:#?}");
        agent.sees(shows).await;
        agent.is_at_rest().await;
        assert_eq!(agent.submits_field().await, expected);
        let times = agent.received().iter().filter(|got| **got == text).count();
        assert_eq!(times, 1, "{:#?}", agent.received());
    }
}

#[tokio::test]
async fn people_and_tools_over_there_get_their_own_editor() {
    let Some(far) = Far::ssh("box") else { return };
    far.install("my-editor", "#!/bin/sh\nprintf '%s, by hand' \"$1\" >>\"$2\"\n");
    let profile = far.path("home").join(".profile");
    fs::write(&profile, "export EDITOR=\"my-editor 'so be it'\"\n").unwrap();
    let daemon = Daemon::with_config(&config());
    far.join(&daemon);
    let agent = Agent::start(&daemon, &far).await;
    agent.types("a draft ");
    agent.sees("a draft").await;
    let began = Instant::now();
    agent.key("C-g");
    agent.sees("a draft so be it, by hand").await;
    eprintln!("the user's own editor ran and its text was there after {:?}", began.elapsed());
    // A tool of an agent's, while a message is being delivered: a ticket is there.
    let script = "place=${EDITOR%/editor/*}/launches/$SCHMUX_SESSION_ID; \
                  echo 9999999999 >\"$place/ticket\"; : >edited; \
                  sh -c '$EDITOR edited'; cat edited; echo; exec cat";
    let session = far.run(&daemon, script).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("so be it, by hand").await;
}

/// A daemon that is gone leaves a ticket behind: it counts for its time.
#[tokio::test]
async fn an_old_ticket_keeps_nobody_from_their_editor() {
    let Some(far) = Far::ssh("box") else { return };
    far.install("my-editor", "#!/bin/sh\nprintf ', by hand' >>\"$1\"\n");
    let profile = far.path("home").join(".profile");
    fs::write(&profile, "export EDITOR=my-editor\n").unwrap();
    let daemon = Daemon::with_config(&config());
    far.join(&daemon);
    let agent = Agent::start(&daemon, &far).await;
    agent.types("a draft");
    agent.sees("a draft").await;
    let from = far.path("home/.schmux/from");
    let ours = fs::read_dir(from).unwrap().next().unwrap().unwrap().path();
    let ticket = ours.join(format!("launches/{}/ticket", agent.session.id));
    assert_eq!(fs::read_to_string(&ticket).unwrap(), "0\n");
    daemon.kill().await;
    fs::write(&ticket, "120\n").unwrap();
    agent.key("C-g");
    // It asks, nobody answers, and all stays as it is.
    let asks = || {
        let mut files = fs::read_dir(ticket.parent().unwrap()).unwrap().flatten();
        files.any(|file| file.file_name().to_string_lossy().ends_with(".call"))
    };
    until("its question", || async { asks().then_some(()) }).await;
    until("the end of its patience", || async { (!asks()).then_some(()) }).await;
    until_still(|| agent.screen()).await;
    let written = std::time::SystemTime::now() - Duration::from_secs(130);
    fs::File::options().write(true).open(&ticket).unwrap().set_modified(written).unwrap();
    agent.key("C-g");
    agent.sees("a draft, by hand").await;
}

/// The connection breaks at many moments of a delivery; `SCHMUX_TEST_CUTS` for
/// more of them.
#[tokio::test]
async fn a_cut_in_a_delivery_loses_and_doubles_nothing() {
    let Some(far) = Far::ssh("box") else { return };
    let cuts: u64 = std::env::var("SCHMUX_TEST_CUTS").map_or(3, |cuts| cuts.parse().unwrap());
    let daemon = Daemon::with_config(&config());
    far.join(&daemon);
    let agent = Agent::start(&daemon, &far).await;
    for cut in 0..cuts {
        let draft = format!("draft number {cut}");
        agent.types(&draft);
        agent.sees(&draft).await;
        let text = format!("message number {cut}");
        let message = agent.tells(&text).await;
        // The first before the courier begins, the others at moments of its work.
        if let Some(moment) = cut.checked_sub(1) {
            agent.is_under_way().await;
            tokio::time::sleep(Duration::from_millis(900 * moment / cuts)).await;
        }
        far.cut();
        let fate = agent.fate(&message).await;
        agent.sees(&draft).await;
        agent.is_at_rest().await;
        assert_eq!(agent.submits_field().await, draft, "cut {cut}: {fate:#?}");
        let times = agent.received().iter().filter(|got| **got == text).count();
        match fate.state {
            MessageState::Confirmed => assert_eq!(times, 1, "cut {cut}: {fate:#?}"),
            _ => assert!(times <= 1, "cut {cut}: {fate:#?}"),
        }
    }
}

/// The connection breaks again and again while messages wait and a draft stands
/// in the field; `SCHMUX_TEST_CUTS` for more of them.
#[tokio::test(flavor = "multi_thread")]
async fn reconnects_lose_and_double_no_message_and_no_draft() {
    let Some(far) = Far::ssh("box") else { return };
    let cuts: u64 = std::env::var("SCHMUX_TEST_CUTS").map_or(20, |cuts| cuts.parse().unwrap());
    let daemon = Daemon::with_config(&config());
    far.join(&daemon);
    let agent = Agent::start(&daemon, &far).await;
    let draft = "a draft that stays";
    agent.types(draft);
    agent.sees(draft).await;
    let mut messages = Vec::new();
    for cut in 0..cuts {
        if cut % 4 == 0 {
            let text = format!("message at cut {cut}");
            messages.push((agent.tells(&text).await, text));
        }
        // Sometimes one is being delivered by then, sometimes it isn't back yet.
        tokio::time::sleep(Duration::from_millis(131 * (cut % 11))).await;
        far.cut();
        far.hurry(&daemon).await;
    }
    let mut confirmed = 0;
    for (message, text) in &messages {
        let fate = agent.fate(message).await;
        let times = agent.received().iter().filter(|got| *got == text).count();
        match fate.state {
            MessageState::Confirmed => assert_eq!(times, 1, "{fate:#?}"),
            _ => assert!(times <= 1, "{fate:#?}"),
        }
        confirmed += u32::from(fate.state == MessageState::Confirmed);
    }
    eprintln!("{confirmed} of {} were confirmed through {cuts} cuts", messages.len());
    assert!(confirmed > 0, "none came through");
    agent.is_at_rest().await;
    agent.sees(draft).await;
    assert_eq!(agent.submits_field().await, draft);
}
