//! Everything that schmux knows of its workspaces and sessions, and how it changes.
//!
//! [`Fleet::apply`] is the only way in: an event changes the state and returns
//! what must be done about it, first on disk and then to those who watch.
//! Nothing in here touches tmux, a file or a clock.

mod aside;
pub mod attach;
mod event;
mod mail;
mod session;
mod weigh;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::evidence::{Evidence, Typed};
use crate::ids::{HostId, SessionId, WorkspaceId};
use crate::nudge::{Attention, Change, Heard};
use crate::nudgenik::{Opinion, Read};
use crate::signal::{Signal, State};
use crate::time::Moment;

pub use aside::Overheard;
pub use event::{Effects, Entry, Event, Fact, Item, News, Place, Save, Urgency, What};
pub use session::{Address, Asked, Life, Session, Socket, Stood, TmuxPane};
pub use session::{Workspace, WorkspaceKind};
pub use weigh::is_shell;

#[derive(Debug, Clone, Default)]
pub struct Fleet {
    workspaces: BTreeMap<WorkspaceId, Workspace>,
    /// Shared with the snapshots that were handed out: one changed session must
    /// not cost a copy of a thousand others.
    sessions: BTreeMap<SessionId, Arc<Session>>,
    /// The number of the newest line of the history.
    newest_entry: u64,
}

/// Why nothing is known of a session right after a start.
const NOT_LOOKED_AT: &str = "not looked at yet";

impl Fleet {
    /// The fleet as it was stored. What ran then is not known to run now.
    pub fn restore(
        workspaces: Vec<Workspace>,
        sessions: Vec<Session>,
        newest_entry: u64,
        now: Moment,
    ) -> Fleet {
        let mut fleet = Fleet { newest_entry, ..Fleet::default() };
        fleet.workspaces.extend(workspaces.into_iter().map(|w| (w.id.clone(), w)));
        for mut session in sessions {
            session.ran = session.life == Life::Running || session.is_not_looked_at();
            if matches!(session.life, Life::Running | Life::Starting) {
                session.life = Life::Unreachable { reason: NOT_LOOKED_AT.into() };
            }
            session.judge = session.new_judge();
            for (evidence, at) in session.remembered(now) {
                session.judge.handle(evidence, at, at);
            }
            let is_away = matches!(session.life, Life::Unreachable { .. });
            if let Some(stood) = session.stood.as_ref().filter(|_| is_away) {
                session.judge.resume(stood.verdict.clone(), !stood.given);
            }
            session.verdict = Some(session.judge.shown().clone());
            fleet.sessions.insert(session.id.clone(), Arc::new(session));
        }
        fleet
    }

    /// Whether all sessions of a host were looked for since it was restored.
    pub fn is_looked_at(&self, host: &HostId) -> bool {
        !self.sessions().any(|session| session.host == *host && session.is_not_looked_at())
    }

    pub fn workspaces(&self) -> impl Iterator<Item = &Workspace> {
        self.workspaces.values()
    }

    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.sessions.values().map(Arc::as_ref)
    }

    pub fn session(&self, id: &SessionId) -> Option<&Session> {
        self.sessions.get(id).map(Arc::as_ref)
    }

    /// The sessions that are new, or not as they were in a snapshot.
    pub fn changed_since<'a>(&'a self, before: &'a Fleet) -> impl Iterator<Item = &'a Session> {
        let mut old = before.sessions.iter().peekable();
        self.sessions.iter().filter_map(move |(id, session)| {
            let is_it = |then: &Arc<Session>| Arc::ptr_eq(then, session);
            // Both are in order, so that what is gone or has changed is passed over.
            while old.next_if(|(other, then)| !is_it(then) && *other < id).is_some() {}
            let unchanged = old.next_if(|(_, then)| is_it(then)).is_some();
            (!unchanged).then_some(&**session)
        })
    }

    /// The number of the newest line of the history.
    pub fn newest_entry(&self) -> u64 {
        self.newest_entry
    }

    pub fn workspace(&self, id: &WorkspaceId) -> Option<&Workspace> {
        self.workspaces.get(id)
    }

    /// Finds a session by id, by nickname, or by the beginning of its id if only one begins so.
    pub fn find(&self, name: &str) -> Option<&Session> {
        let exact = self.sessions().find(|s| s.id.as_str() == name);
        let mut nicknamed = self.sessions().filter(|s| s.nickname.as_deref() == Some(name));
        let mut prefixed = self.sessions().filter(|s| s.id.as_str().starts_with(name));
        exact
            .or_else(|| nicknamed.next().filter(|_| nicknamed.next().is_none()))
            .or_else(|| prefixed.next().filter(|_| prefixed.next().is_none() && !name.is_empty()))
    }

    /// `now` is when the event came in.
    pub fn apply(&mut self, event: Event, now: Moment) -> Effects {
        match event {
            Event::WorkspaceRemoved(id) => self.remove_workspace(&id),
            Event::SessionsAdded { workspace, sessions } => self.add(workspace, sessions, now),
            Event::SessionDisposed(id) => self.forget(&id, now),
            Event::SpawnFailed(id, reason) => {
                let life = Life::Exited { code: None, reason: Some(reason) };
                self.change_life(&id, life, now)
            }
            Event::Seen(id, fact) => self.see(&id, fact, now),
            Event::News(news) => self.hear(news, now),
            Event::Claim { session, channel, seq, by } => self.claim(&session, &channel, seq, &by),
            Event::Acknowledged { session, seq } => self.acknowledge(&session, seq),
            Event::Tick => self.tick(now),
            Event::Opinion { session, read, at } => self.read(&session, read, at, now),
            Event::Posted { session, message, refused } => self.post(session, message, refused),
            Event::Promoted(message) => Effects::now(vec![Save::Promoted(message, now)]),
            Event::Delivered { session, save } => self.deliver(session, save, now),
        }
    }

    fn add(&mut self, workspace: Workspace, sessions: Vec<Session>, now: Moment) -> Effects {
        let mut save = Vec::new();
        if !self.workspaces.contains_key(&workspace.id) {
            self.workspaces.insert(workspace.id.clone(), workspace.clone());
            save.push(Save::Workspace(workspace));
        }
        for mut session in sessions {
            session.judge = session.new_judge();
            session.judge.handle(session.life.evidence(), now, now);
            session.verdict = Some(session.judge.shown().clone());
            let session = Arc::new(session);
            self.sessions.insert(session.id.clone(), session.clone());
            save.push(Save::Session(session));
        }
        Effects::now(save)
    }

    fn see(&mut self, id: &SessionId, fact: Fact, now: Moment) -> Effects {
        let Some(session) = self.sessions.get_mut(id).map(Arc::make_mut) else {
            return Effects::default();
        };
        let soon = |changed: bool| Effects {
            tell: if changed { Urgency::Soon } else { Urgency::Nothing },
            ..Effects::default()
        };
        match fact {
            Fact::Title(title) => {
                let title = Some(title).filter(|t| !t.is_empty());
                soon(std::mem::replace(&mut session.title, title.clone()) != title)
            }
            Fact::Front(front) => {
                let is_own = session.script_of.as_ref() == Some(&front);
                session.front = Some(front.clone()).filter(|front| !front.is_empty());
                self.weigh(id, [weigh::front(&front, is_own)], now, now)
            }
            Fact::Typed { at } => self.weigh(id, [Evidence::Typed(Typed::Other)], at, now),
            Fact::Bell { at } => self.weigh(id, [Evidence::Bell], at, now),
            Fact::Aside { says, at } => self.overhear(id, says, at, now),
            Fact::Screen { reading, at, unheard } => {
                let is_news = session.overheard.look(&reading, unheard, at);
                let mut effects = self.weigh(id, [Evidence::Screen(*reading)], at, now);
                effects.save.extend(self.session_save(id).filter(|_| is_news));
                effects
            }
            Fact::Output { at } => {
                let effects = soon(session.last_output_at.replace(at) != Some(at));
                effects.and(self.weigh(id, [Evidence::Output], at, now))
            }
            Fact::Size(size) => soon(session.size.replace(size) != Some(size)),
            Fact::Answered { at, enter } => {
                let heard = Item::Heard { heard: Heard::Answered { enter }, id: None };
                self.hear(News { session: id.clone(), items: vec![heard], place: None, at }, now)
            }
            Fact::Submitted { at } => {
                session.attention.submit(at);
                session.note_given();
                Effects { save: self.session_save(id).into_iter().collect(), ..Effects::default() }
            }
            Fact::Markers { signals, ledger, at } => {
                let items = signals.into_iter().map(|signal| Item::said(signal, None)).collect();
                let place = Some(Place::Markers(*ledger));
                self.hear(News { session: id.clone(), items, place, at }, now)
            }
            Fact::Withheld { keys } => {
                let record = Item::Record { kind: "withheld".into(), data: keys };
                let session = id.clone();
                self.hear(News { session, items: vec![record], place: None, at: now }, now)
            }
            Fact::NearMiss { line } => {
                session.near_misses = (session.near_misses.0 + 1, line);
                soon(true)
            }
            Fact::Running => self.change_life(id, Life::Running, now),
            Fact::Exited { code } => self.change_life(id, Life::Exited { code, reason: None }, now),
            Fact::Gone { reason } => match session.life {
                // How it ended is known already; that its pane went away later adds nothing.
                Life::Exited { .. } => Effects::default(),
                _ => self.change_life(id, Life::Exited { code: None, reason: Some(reason) }, now),
            },
            Fact::Moved { tmux_session, pane } => {
                session.address.tmux_session = tmux_session;
                session.address.pane = Some(pane);
                Effects::now(self.session_save(id).into_iter().collect())
            }
            Fact::Lost { reason } => match session.life {
                Life::Exited { .. } => Effects::default(),
                _ => self.change_life(id, Life::Unreachable { reason }, now),
            },
        }
    }

    /// An opinion is evidence of the weakest kind: it makes no call.
    fn read(&mut self, id: &SessionId, read: Read, at: Moment, now: Moment) -> Effects {
        let Opinion { state, confidence, summary, .. } = read.opinion.clone();
        if let Some(session) = self.sessions.get_mut(id).map(Arc::make_mut) {
            session.read = Some(read);
        }
        self.weigh(id, [Evidence::Opinion { state, confidence, summary }], at, now)
    }

    fn change_life(&mut self, id: &SessionId, life: Life, now: Moment) -> Effects {
        let Some(session) = self.sessions.get_mut(id).filter(|session| session.life != life) else {
            return Effects::default();
        };
        let known = Arc::make_mut(session);
        let is_told = life == Life::Running && known.ran && known.is_not_looked_at();
        known.life = life.clone();
        known.ended_at = matches!(life, Life::Exited { .. }).then_some(now);
        let mut save = vec![Save::Session(session.clone())];
        let evidence = life.evidence();
        if !is_told {
            save.push(self.record(id, now, What::Life { life }));
        }
        Effects::now(save).and(self.weigh(id, [evidence], now, now))
    }

    /// What a source brought: stored with how far it was read, and told at once
    /// if it is a call or the end of one.
    fn hear(&mut self, News { session: id, items, place, at }: News, now: Moment) -> Effects {
        let Some(session) = self.sessions.get_mut(&id) else { return Effects::default() };
        let session = Arc::make_mut(session);
        let is_enter = |item: &Item| {
            matches!(item, Item::Heard { heard: Heard::Answered { enter: true }, .. })
        };
        if items.iter().any(is_enter) {
            session.note_given();
        }
        let Session { attention, overheard, .. } = session;
        let mut tell = Urgency::Nothing;
        let mut history = Vec::new();
        let mut evidence = Vec::new();
        for item in items {
            match item {
                Item::Record { kind, data } => {
                    tell = tell.max(Urgency::Soon);
                    history.push(What::Record { kind, data });
                }
                Item::Heard { id: Some(id), .. } | Item::Hook { id: Some(id), .. }
                    if attention.is_double(&id) => {}
                Item::Hook { told: hook, .. } if attention.is_late(&hook, at) => {}
                Item::Heard { heard, .. } => {
                    let told = attention.listen(heard, at);
                    tell = tell.max(told.urgency);
                    history.extend(told.history);
                    evidence.extend(told.evidence);
                }
                Item::Hook { told: hook, .. } => {
                    overheard.note_hook(&hook);
                    let told = Heard::of_hook(&hook).map(|heard| attention.listen(heard, at));
                    let told = told.unwrap_or_default();
                    tell = tell.max(told.urgency);
                    history.extend(told.history);
                    evidence.extend(told.evidence.or_else(|| weigh::of_hook(&hook)));
                }
            }
        }
        let mut weighed = self.weigh(&id, evidence, at, now);
        // The one here is as new.
        weighed.save.retain(|save| !matches!(save, Save::Session(_)));
        let mut save: Vec<Save> = self.session_save(&id).into_iter().collect();
        save.extend(place.map(|place| Save::Place(id.clone(), place)));
        save.extend(history.into_iter().map(|what| self.record(&id, at, what)));
        Effects { save, tell, ..Effects::default() }.and(weighed)
    }

    fn session_save(&self, id: &SessionId) -> Option<Save> {
        self.sessions.get(id).map(|session| Save::Session(session.clone()))
    }

    fn claim(&mut self, id: &SessionId, channel: &str, seq: u64, by: &str) -> Effects {
        let Some(session) = self.sessions.get_mut(id) else { return Effects::default() };
        if !Arc::make_mut(session).attention.claim(channel, seq, by) {
            return Effects::default();
        }
        let save = vec![Save::Session(session.clone())];
        Effects { save, granted: true, tell: Urgency::Soon, ..Effects::default() }
    }

    fn acknowledge(&mut self, id: &SessionId, seq: u64) -> Effects {
        let Some(session) = self.sessions.get_mut(id) else { return Effects::default() };
        if !Arc::make_mut(session).attention.acknowledge(seq) {
            return Effects::default();
        }
        Effects::now(vec![Save::Session(session.clone())])
    }

    fn record(&mut self, session: &SessionId, at: Moment, what: What) -> Save {
        self.newest_entry += 1;
        Save::Entry(Entry { number: self.newest_entry, at, session: session.clone(), what })
    }

    fn remove_workspace(&mut self, id: &WorkspaceId) -> Effects {
        let used = self.sessions().any(|session| session.workspace == *id);
        if used || self.workspaces.remove(id).is_none() {
            return Effects::default();
        }
        Effects::now(vec![Save::ForgetWorkspace(id.clone())])
    }

    /// Removes a session, and its workspace with the last session in it: the
    /// directory stays where it is and gets the same id when it is used again.
    fn forget(&mut self, id: &SessionId, now: Moment) -> Effects {
        let Some(session) = self.sessions.remove(id) else { return Effects::default() };
        let mut save = self.give_up_mail(&session, now);
        save.push(Save::ForgetSession(id.clone()));
        let kept = self.workspaces.get(&session.workspace).map(|w| w.kind);
        let used = self.sessions().any(|s| s.workspace == session.workspace);
        if !used && kept == Some(WorkspaceKind::Directory) {
            self.workspaces.remove(&session.workspace);
            save.push(Save::ForgetWorkspace(session.workspace.clone()));
        }
        Effects::now(save)
    }
}

/// What follows from something that was heard.
#[derive(Default)]
struct Told {
    urgency: Urgency,
    history: Option<What>,
    evidence: Option<Evidence>,
}

impl Attention {
    /// Hears something: how soon it should be told, what the history says of it,
    /// and what it says of the state.
    fn listen(&mut self, heard: Heard, at: Moment) -> Told {
        let before = self.nudge.as_ref().map(|nudge| nudge.seq);
        let spoken = match &heard {
            Heard::Said(signal) | Heard::Signed(signal) => Some(signal.clone()),
            _ => None,
        };
        let change = self.hear(heard.clone(), at);
        let evidence = weigh::of_heard(&heard, change);
        let signal = |signal: Signal, nudge_seq| What::Signal {
            state: signal.state,
            message: signal.message,
            source: signal.source,
            nudge_seq,
        };
        let (urgency, history) = match (change, spoken.or_else(|| self.said.clone()), before) {
            (Change::Nudged, Some(said), _) => (Urgency::Now, Some(signal(said, Some(self.seq)))),
            (Change::Cleared, Some(said), _) if said.state == State::Working => {
                (Urgency::Now, Some(signal(said, None)))
            }
            (Change::Cleared, _, Some(nudge_seq)) => {
                (Urgency::Now, Some(What::Cleared { nudge_seq }))
            }
            (Change::Shown, Some(said), _) => (Urgency::Now, Some(signal(said, None))),
            _ => (Urgency::Nothing, None),
        };
        Told { urgency, history, evidence }
    }
}

#[cfg(test)]
mod tests;
