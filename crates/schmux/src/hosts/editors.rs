//! Editors of agents on hosts. A script there (`editor.sh`) stands in for
//! `schmux edit`: it prints its question where a hidden window listens
//! (`listener.sh`), and finds its answer in a file that is written through the
//! same connection.
//!
//! **Invariant:** an editor there never finds half an answer. What comes too
//! late, or not at all, leaves its file as it is.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use schmux_core::courier::Event;
use schmux_core::fleet::{self, Fact, Session};
use schmux_core::ids::{HostId, SessionId};
use schmux_core::remote::{Edit, Edited, Frame, Heard};
use schmux_core::sh;
use schmux_core::time::Moment;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::attempt::Attempt;
use crate::app::App;
use crate::courier;
use crate::home::EDITOR_NAME;
use crate::host::HostError;
use crate::host::remote::Facts;
use crate::spawn::now;
use crate::wire::{EditCaller, EditEnded, EditReply, EditRequest, EditWhat};

/// How long a ticket may take to be written. Its key isn't pressed later: the
/// human's keys wait meanwhile.
const TICKET: Duration = Duration::from_millis(1500);

/// How many calls of a host are answered at once: a few deliveries, and people with
/// their own editors. A call that finds no room is told again.
const AT_ONCE: usize = 16;

/// How many calls are remembered: each is told a few times, within seconds.
const HEARD: usize = 64;

/// The program that sessions there have for an editor, if its name needs no quotes.
pub(crate) fn command(facts: &Facts) -> Option<String> {
    courier::plain(format!("{}/editor/{EDITOR_NAME}", facts.dir))
}

/// That program.
pub(super) fn script(facts: &Facts) -> String {
    format!("#!/bin/sh\nDIR={}\n{}", sh::quote(&facts.dir), include_str!("editor.sh"))
}

pub(super) fn ticket(facts: &Facts, session: &SessionId) -> String {
    format!("{}/launches/{session}/ticket", facts.dir)
}

/// Says there whether, and until when, an editor is expected in a session; false
/// if that could not be said.
pub(crate) async fn expect(
    app: &App,
    host: &HostId,
    session: &SessionId,
    until: Option<Moment>,
) -> bool {
    let Some(facts) = app.host.reach(host).and_then(|reach| reach.facts()) else { return false };
    // For how long it counts: the clock over there may be set at any time.
    let seconds = until.map_or(0, |until| (until.0 - now().0).max(0) / 1000 + 1);
    let number = until.unwrap_or_default().0;
    let file = (ticket(&facts, session), format!("{seconds} {number}\n").into_bytes());
    matches!(timeout(TICKET, app.host.put(host, vec![file])).await, Ok(Ok(())))
}

/// Listens to the editors of one host's sessions.
pub(super) async fn listen(app: Arc<App>, host: HostId) {
    let mut fleet = app.fleet.clone();
    let mut failures = 0;
    loop {
        let wanted = fleet.borrow_and_update().sessions().any(|session| session.host == host);
        let attempt = if wanted { Attempt::begin(&app, &host).await } else { None };
        let Some(attempt) = attempt else {
            if fleet.changed().await.is_err() {
                return;
            }
            continue;
        };
        hear(&app, &host).await;
        attempt.pause(&mut failures).await;
    }
}

/// Runs one listener until it ends.
async fn hear(app: &Arc<App>, host: &HostId) {
    let started = app.host.watch_frames(host, |facts, _| {
        format!("DIR={}\n{}", sh::quote(&facts.dir), include_str!("listener.sh"))
    });
    let Ok(mut frames) = started.await else { return };
    let mut heard = VecDeque::new();
    let rooms = Arc::new(Semaphore::new(AT_ONCE));
    while let Some(frame) = frames.recv().await {
        match frame {
            Heard::Frame(Frame::Edit(edit)) if !heard.contains(&edit.nonce) => {
                let Some(session) = owner(app, host, &edit.session) else { continue };
                let Ok(room) = rooms.clone().try_acquire_owned() else { continue };
                heard.push_front(edit.nonce.clone());
                heard.truncate(HEARD);
                let answer = answer(app.clone(), host.clone(), session, edit);
                tokio::spawn(async move {
                    answer.await;
                    drop(room);
                });
            }
            Heard::Frame(Frame::Edited(mut edited)) => {
                edited.kept = edited.kept.filter(|name| is_nonce(name));
                if let Some(session) = owner(app, host, &edited.session) {
                    tell_end(app, &session, edited).await;
                }
            }
            Heard::Frame(Frame::Unheard { session, ticket }) => {
                if let Some(session) = owner(app, host, &session) {
                    let ticket = Moment(ticket);
                    app.couriers.tell(&session, Event::EditorUnheard(ticket)).await;
                }
            }
            // A call that was torn is told again.
            Heard::Frame(_) | Heard::Torn => {}
        }
    }
}

/// The session that is meant, if the host may speak for it.
fn owner(app: &App, host: &HostId, name: &str) -> Option<SessionId> {
    let fleet = app.fleet.borrow();
    let session = fleet.session(&SessionId::new(name).ok()?)?;
    (session.host == *host).then(|| session.id.clone())
}

async fn answer(app: Arc<App>, host: HostId, session: SessionId, edit: Edit) {
    let plain = is_nonce(&edit.nonce);
    let facts = app.host.reach(&host).and_then(|reach| reach.facts());
    let (Some(facts), true) = (facts, plain) else { return };
    let reply = match String::from_utf8(edit.content) {
        Ok(content) => {
            let session_id = session.to_string();
            let request = EditRequest { session_id, caller: EditCaller::Agent, content };
            courier::editor_called(&app, request).await.ok()
        }
        Err(_) => None,
    };
    // In any doubt the file stays as it is.
    let EditReply { call, what } = reply.unwrap_or(EditReply { call: 0, what: EditWhat::Leave });
    let path = format!("{}/launches/{session}/edit-{}", facts.dir, edit.nonce);
    let written = app.host.put(&host, files(&path, call, &what)).await;
    match written {
        Ok(()) => {}
        Err(error @ (HostError::Refused(_) | HostError::Unreachable(_))) => {
            tracing::warn!(%session, %error, "its editor gets no answer");
            let session = session.to_string();
            let ended = Edited { session, call, wrote: false, keys: Vec::new(), kept: None };
            if let Some(session) = owner(&app, &host, &ended.session) {
                tell_end(&app, &session, ended).await;
            }
        }
        // It may have come through: the field will show.
        Err(error) => tracing::warn!(%session, %error, "its editor may have no answer"),
    }
}

/// An answer as files; the one that says that all is there comes last.
fn files(path: &str, call: u64, what: &EditWhat) -> Vec<(String, Vec<u8>)> {
    let (word, text) = match what {
        EditWhat::Human => ("human", ""),
        EditWhat::Leave => ("leave", ""),
        EditWhat::Write(text) => ("write", text.as_str()),
    };
    let told = format!("{word} {call} {}\n", text.len());
    let new = (!text.is_empty()).then(|| (format!("{path}.new"), text.as_bytes().to_vec()));
    new.into_iter().chain([(format!("{path}.do"), told.into_bytes())]).collect()
}

async fn tell_end(app: &App, session: &SessionId, edited: Edited) {
    let Edited { call, wrote, keys, kept, .. } = edited;
    let typed = String::from_utf8_lossy(&keys).into_owned();
    let ended = EditEnded { session_id: session.to_string(), call, wrote, keys };
    let heard = courier::editor_kept(app, ended, kept.clone()).await;
    // Fails only if the session was just disposed.
    if heard.unwrap_or(true) || typed.is_empty() {
        return;
    }
    // All messages to it were done long ago: what was typed then is shown.
    let fact = Fact::Withheld { keys: typed };
    let noted = app.hub.apply(fleet::Event::Seen(session.clone(), fact)).await;
    let of = app.fleet.borrow().session(session).cloned();
    match (noted, of, kept) {
        (Ok(()), Some(session), Some(name)) => took_keys(app, &session, &name).await,
        (Ok(()), ..) => {}
        (Err(error), ..) => tracing::error!(%session, %error, "keys are not remembered"),
    }
}

/// Gives up keys that are kept over there. If that isn't heard, they are told again.
pub(crate) async fn took_keys(app: &App, session: &Session, name: &str) {
    let facts = app.host.reach(&session.host).and_then(|reach| reach.facts());
    let Some(facts) = facts.filter(|_| is_nonce(name)) else { return };
    let path = format!("{}/launches/{}/edit-{name}.kept", facts.dir, session.id);
    // tmux writes no empty file; the listener knows this for one.
    let file = (path, b"\n".to_vec());
    if let Ok(Err(error)) = timeout(TICKET, app.host.put(&session.host, vec![file])).await {
        tracing::debug!(session = %session.id, %error, "keys are kept over there");
    }
}

/// Whether a host may call something so: it becomes a part of a file's name.
fn is_nonce(name: &str) -> bool {
    name.len() <= 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_when_its_last_file_is_there() {
        let text = |files: Vec<(String, Vec<u8>)>| {
            let lines = files.into_iter().map(|(path, bytes)| {
                format!("{path}: {:?}", String::from_utf8(bytes).expect("it is text"))
            });
            lines.collect::<Vec<_>>().join(", ")
        };
        for (what, expected) in [
            (EditWhat::Write("é\n".into()), r#"e.new: "é\n", e.do: "write 7 3\n""#),
            (EditWhat::Write(String::new()), r#"e.do: "write 7 0\n""#),
            (EditWhat::Leave, r#"e.do: "leave 7 0\n""#),
            (EditWhat::Human, r#"e.do: "human 7 0\n""#),
        ] {
            assert_eq!(text(files("e", 7, &what)), expected);
        }
    }
}
