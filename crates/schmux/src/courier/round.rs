//! One session's courier: feeds its machine with what happens, and does what it
//! wants, one thing after the other.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use schmux_core::courier::adapter::Adapter;
use schmux_core::courier::message::Message;
use schmux_core::courier::{Courier, Effect, Event, Gate, Kept, Save, Standing, Stored};
use schmux_core::evidence::{Confidence, Rule, State};
use schmux_core::fleet::{self, Life, Session};
use schmux_core::time::Moment;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::{editor, fault, inbox, ticket};
use crate::agents::provision::write_private;
use crate::app::App;
use crate::host::{Desk, HostError};
use crate::hosts;
use crate::notify;
use crate::spawn::now;

/// How many views and facts of a pane may wait; a view beyond that comes later.
const SIGHTS: usize = 64;

/// How long a round without any wish sleeps at most: events wake it.
const FAR: Duration = Duration::from_secs(3600);

/// How often a pane that isn't there is looked for.
const SIT_AGAIN: Duration = Duration::from_millis(500);

/// Runs until the session is no more.
pub(super) async fn run(
    app: Arc<App>,
    session: Session,
    mut stored: Stored,
    events: mpsc::Receiver<Event>,
) {
    stored.pressed = ticket::is_there(&app.home, session.id.as_str(), now());
    let adapter = Adapter::of(session.agent.as_deref());
    let adapter = match editor::is_ours(&app, &session) {
        true => adapter.clone(),
        false => adapter.without_editor(),
    };
    let id = session.id.clone();
    let mut round = Round {
        machine: Courier::restore(adapter, stored, now()).remind_after(patience(&app)),
        desk: None,
        sights: None,
        sit_at: Instant::now(),
        wake: None,
        standing: None,
        unexpected: false,
        todo: VecDeque::new(),
        app: app.clone(),
        session,
    };
    round.serve(events).await;
    app.couriers.rounds().remove(&id);
    editor::expect(&app, &id, None).await;
}

/// How long a message may wait before the human is told.
fn patience(app: &App) -> Option<i64> {
    let seconds = app.config.messages.remind_after;
    (seconds > 0).then_some(i64::from(seconds) * 1000)
}

struct Round {
    app: Arc<App>,
    session: Session,
    machine: Courier,
    desk: Option<Desk>,
    /// What the desk shows; there while the machine wants to see it.
    sights: Option<mpsc::Receiver<Event>>,
    /// When to try to sit down again.
    sit_at: Instant,
    wake: Option<Moment>,
    standing: Option<Standing>,
    /// The editor that the next key would open couldn't be told that it is expected.
    unexpected: bool,
    /// Effects that are not done yet.
    todo: VecDeque<Effect>,
}

impl Round {
    async fn serve(&mut self, mut events: mpsc::Receiver<Event>) {
        let mut fleet = self.app.fleet.clone();
        self.handle(Event::Tick).await;
        loop {
            self.sit_down_or_leave().await;
            if !self.note_standing(&mut fleet).await {
                return;
            }
            let wait = self.wake.map_or(FAR, |at| {
                Duration::from_millis(u64::try_from(at.0 - now().0).unwrap_or(0)).min(FAR)
            });
            let is_away = self.machine.wants_screens() && self.sights.is_none();
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self.handle(event).await,
                    None => return,
                },
                event = next_sight(&mut self.sights) => match event {
                    Some(event) => self.handle(event).await,
                    // The pane is gone, or another one has taken its place.
                    None => self.sights = None,
                },
                () = sleep_until(self.sit_at), if is_away => {}
                changed = fleet.changed() => if changed.is_err() { return },
                () = sleep_until(Instant::now() + wait) => {
                    self.wake = None;
                    self.handle(Event::Tick).await;
                }
            }
        }
    }

    /// The desk is taken only while there is something to see: views cost.
    async fn sit_down_or_leave(&mut self) {
        if !self.machine.wants_screens() {
            (self.sights, self.sit_at) = (None, Instant::now());
        }
        self.sit_down().await;
    }

    async fn sit_down(&mut self) {
        let wants = self.machine.wants_screens();
        if wants && self.sights.is_none() && Instant::now() >= self.sit_at {
            // If there is no pane to sit at, it is tried again after a while.
            self.sit_at = Instant::now() + SIT_AGAIN;
            let (sender, sights) = mpsc::channel(SIGHTS);
            self.desk = Some(self.app.host.desk(&self.session, sender).await);
            self.sights = Some(sights);
        }
    }

    /// Tells the machine how the agent stands, if that is news. False when the
    /// session is gone.
    async fn note_standing(&mut self, fleet: &mut crate::hub::Snapshots) -> bool {
        let standing = fleet.borrow_and_update().session(&self.session.id).map(standing);
        match standing {
            None => false,
            Some(standing) => {
                if self.standing.replace(standing) != Some(standing) {
                    self.handle(Event::Standing(standing)).await;
                }
                true
            }
        }
    }

    async fn handle(&mut self, event: Event) {
        self.consider(event);
        // Whoever looks must be sitting there when the answer comes, and a gate
        // that nobody sits behind opens.
        self.sit_down().await;
        while let Some(effect) = self.todo.pop_front() {
            if let Some(event) = self.act(effect).await {
                self.consider(event);
            }
        }
    }

    /// What follows from an event is to be done. The log has each step of a
    /// delivery at the level `debug`.
    fn consider(&mut self, event: Event) {
        let is_traced = tracing::enabled!(tracing::Level::DEBUG);
        let kept = is_traced.then(|| event.clone());
        let effects = self.machine.handle(event, now());
        if let Some(line) = kept.and_then(|event| self.machine.trace(&event, &effects)) {
            tracing::debug!(session = %self.session.id, "courier: {line}");
        }
        self.todo.extend(effects);
    }

    /// Does one thing; what comes of it, if it is news for the machine.
    async fn act(&mut self, effect: Effect) -> Option<Event> {
        if !matches!(effect, Effect::Wake(_)) {
            fault::step();
        }
        match effect {
            Effect::Store(number, save) => return Some(self.store(number, save).await),
            Effect::Wake(at) => self.wake = Some(at),
            Effect::Answer(call, answer) => self.app.couriers.editors.answer(call, answer),
            Effect::Taken(name) => hosts::took_keys(&self.app, &self.session, &name).await,
            Effect::Ticket(until) => {
                let told = editor::expect(&self.app, &self.session.id, until).await;
                self.unexpected = until.is_some() && !told;
            }
            // It would open the human's own editor.
            Effect::Press(_) if std::mem::take(&mut self.unexpected) => {
                tracing::warn!(session = %self.session.id, "its editor key is not pressed");
                return Some(Event::Refused);
            }
            Effect::Press(keys) => return self.press(keys).await,
            Effect::Give(call, None) => drop(self.app.couriers.hands.give(&call, None)),
            Effect::Give(call, Some(message)) => return self.give(call, message),
            Effect::Remind(message, hold) => {
                tracing::info!(session = %self.session.id, message = message.0, %hold, "a message waits");
                let text = format!("a message to it waits: {hold}");
                notify::remind(&self.app, &self.session, &text);
            }
            Effect::Submit => return self.submit().await,
            effect => self.at_desk(effect).await,
        }
        None
    }

    /// Presses keys; news only if they surely were not pressed.
    async fn press(&self, keys: Vec<String>) -> Option<Event> {
        let Some(desk) = &self.desk else { return Some(Event::Refused) };
        let error = desk.press(keys).await.err()?;
        tracing::warn!(session = %self.session.id, %error, "the courier's keys were refused");
        (!matches!(error, HostError::Lost(_))).then_some(Event::Refused)
    }

    /// Presses Enter. Only a plain "no" is one: in doubt it was pressed.
    async fn submit(&self) -> Option<Event> {
        let Some(desk) = &self.desk else { return Some(Event::Refused) };
        match desk.submit().await {
            Ok(true) => None,
            Ok(false) => Some(Event::Refused),
            Err(error) => {
                tracing::warn!(session = %self.session.id, %error, "Enter was refused");
                matches!(error, HostError::Unreachable(_)).then_some(Event::Refused)
            }
        }
    }

    /// Gives a message to a call, unless that doesn't wait for it any more.
    fn give(&self, call: String, message: Message) -> Option<Event> {
        let noted = self.app.note_in_inbox(&self.session.id, &message);
        if let Err(error) = &noted {
            tracing::warn!(session = %self.session.id, %error, "its inbox can't be written");
        }
        let readable = noted.is_ok() || !inbox::is_long(&message);
        let taken = readable && self.app.couriers.hands.give(&call, Some(message));
        (!taken).then_some(Event::Missed(call))
    }

    async fn store(&self, number: u64, save: Save) -> Event {
        let session = self.session.id.clone();
        for kept in &save.kept {
            self.keep(kept);
        }
        let event = fleet::Event::Delivered { session, save: Box::new(save) };
        match self.app.hub.apply(event).await {
            Ok(()) => Event::Stored(number),
            Err(error) => {
                tracing::error!(session = %self.session.id, %error, "a delivery stops here");
                Event::StoreFailed(number)
            }
        }
    }

    /// Also at the terminals that are attached, which may take a moment.
    async fn set_gate(&self, desk: &Desk, gate: Gate) {
        let gates = &self.app.couriers.gates;
        match gate {
            Gate::Close => {
                desk.set_gate(gate).await;
                gates.close(&self.session.id).await;
            }
            Gate::Open { replay, .. } => {
                desk.set_gate(gate).await;
                gates.open(&self.session.id, replay);
            }
        }
    }

    /// Gives the human a draft that could not be put back: as a file, and in words.
    fn keep(&self, kept: &Kept) {
        let (id, at) = (&self.session.id, kept.at.0);
        let path = self.app.home.drafts().join(format!("{id}-{at}.txt"));
        match write_private(&path, &kept.draft) {
            Ok(()) => {
                let text = format!("your draft could not be put back; it is in {}", path.display());
                tracing::warn!(session = %id, "{text}");
                notify::remind(&self.app, &self.session, &text);
            }
            // It is in the database as well.
            Err(error) => tracing::error!(session = %id, %error, "a draft can't be written"),
        }
    }

    async fn at_desk(&self, effect: Effect) {
        let Some(desk) = &self.desk else { return };
        let done: Result<(), HostError> = match effect {
            Effect::Look(number) => {
                desk.look(number).await;
                Ok(())
            }
            Effect::Type(text) => desk.type_text(text).await,
            // What terminals send when they get the focus.
            Effect::Focus => desk.type_text("\x1b[I".to_owned()).await,
            Effect::Paste(text) => desk.paste(text).await,
            Effect::Watch => {
                desk.watch().await;
                Ok(())
            }
            Effect::Gate(gate) => {
                self.set_gate(desk, gate).await;
                Ok(())
            }
            Effect::Repaint => {
                desk.repaint().await;
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = done {
            // The machine finds out by what it then doesn't see.
            tracing::warn!(session = %self.session.id, %error, "the courier's keys were refused");
        }
    }
}

async fn next_sight(sights: &mut Option<mpsc::Receiver<Event>>) -> Option<Event> {
    match sights {
        Some(sights) => sights.recv().await,
        None => std::future::pending().await,
    }
}

/// What the evidence says of the agent, as far as it matters to the courier.
fn standing(session: &Session) -> Standing {
    match &session.life {
        Life::Starting => return Standing::Starting,
        Life::Exited { .. } => return Standing::Exited,
        Life::Unreachable { .. } => return Standing::Unreachable,
        Life::Running => {}
    }
    // Whatever is made of it: keys would go into it.
    if session.judge.dialog().is_some() {
        return Standing::Dialog;
    }
    let verdict = session.judge.shown();
    // Before its first look after a gap nobody knows what has its keys.
    let is_guess = verdict.confidence == Confidence::Low || session.judge.is_blind();
    match verdict.state {
        State::Starting => Standing::Starting,
        State::Exited => Standing::Exited,
        State::Unreachable => Standing::Unreachable,
        // A hook or a title tells of a dialog that isn't seen (yet); what an agent
        // asks in its own words is a question in its conversation, and its field is open.
        State::NeedsInput if matches!(verdict.rule, Rule::Asked | Rule::TitleAsks) => {
            Standing::Dialog
        }
        _ if is_guess => Standing::Unknown,
        State::Working => Standing::Working,
        State::Unknown => Standing::Unknown,
        State::Idle | State::Completed | State::NeedsInput | State::NeedsTesting | State::Error => {
            Standing::Idle
        }
    }
}
