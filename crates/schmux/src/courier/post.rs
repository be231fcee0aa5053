//! From a request to messages in the outboxes: whom it is for, whether its
//! sender may write to them, and whether agents are going round in circles.

use std::sync::{Arc, PoisonError};

use schmux_core::courier::damping::Admission;
use schmux_core::courier::message::{self, Message, Sender, Unfit};
use schmux_core::courier::receipt;
use schmux_core::fleet::{self, Life, Session};
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;

use super::{Couriers, hand_over, letter, next_id};
use crate::app::App;
use crate::http::auth::{Speaker, forbidden};
use crate::http::error::Failure;
use crate::spawn::now;
use crate::wire::{self, MessageRequest, Status};

/// Puts messages into the outboxes they are for; done when they are on disk.
pub(crate) async fn post(
    app: &Arc<App>,
    speaker: Speaker,
    request: MessageRequest,
) -> Result<Vec<wire::Message>, Failure> {
    let normal = message::normalise(&request.text).map_err(|unfit| {
        let advice = match unfit {
            Unfit::TooLong { .. } => "put it into a file that the agent can read, and name that",
            _ => "write something",
        };
        Failure::unprocessable("bad_message", unfit.to_string()).advice(advice)
    })?;
    let sender = match &speaker {
        Speaker::Human => None,
        Speaker::Agent(id) => Some(app.session(id.as_str())?),
    };
    let sessions = addressees(app, &request, sender.as_ref())?;
    let created_at = now();
    let expires_at = request.expires_s.map(|seconds| {
        let millis = i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
        Moment(created_at.0.saturating_add(millis))
    });
    let from = sender.as_ref().map_or(Sender::Human, |sender| Sender::Agent(sender.id.clone()));
    let heading =
        sender.as_ref().map(|sender| message::heading(&sender.id, sender.nickname.as_deref()));
    let mut posted = Vec::new();
    for session in sessions {
        let mut message = Message {
            urgent: request.urgent,
            expires_at,
            heading: heading.clone(),
            ..Message::new(next_id(), from.clone(), normal.text.clone(), created_at)
        };
        let mut refused = None;
        match app.couriers.admit(&from, &session.id, &message.text, created_at) {
            Admission::Now => {}
            Admission::After(at) => message.not_before = Some(at),
            Admission::Refused(_) => refused = Some(receipt::Failure::Loop),
        }
        app.hub
            .apply(fleet::Event::Posted {
                session: session.id.clone(),
                message: message.clone(),
                refused,
            })
            .await?;
        let id = message.id;
        if refused.is_none() {
            hand_over(app, &session, message).await;
        }
        posted.extend(letter(app, id).await?);
    }
    Ok(posted)
}

impl Couriers {
    /// Humans may always write, and with their word the count starts anew.
    fn admit(&self, from: &Sender, to: &SessionId, text: &str, now: Moment) -> Admission {
        let mut damper = self.damper.lock().unwrap_or_else(PoisonError::into_inner);
        match from {
            Sender::Agent(from) => damper.admit(from, to, text, now),
            Sender::Human => {
                damper.human_spoke_to(to);
                Admission::Now
            }
        }
    }
}

/// Whom a request means. Those that have ended can't be told anything, and
/// whoever tells everyone doesn't mean itself or those it may not write to.
fn addressees(
    app: &App,
    request: &MessageRequest,
    sender: Option<&Session>,
) -> Result<Vec<Session>, Failure> {
    let policy = &app.config.messages;
    let mut sessions = Vec::new();
    for name in &request.to {
        let session = app.session(name)?;
        if let Life::Exited { .. } = session.life {
            let message = format!("the agent of {} has ended", session.id);
            return Err(Failure::conflict("session_ended", message).advice("spawn a new session"));
        }
        if let Some(sender) = sender.filter(|sender| !policy.allows(sender, &session)) {
            let message = format!("{} may not write to {}", sender.id, session.id);
            return Err(forbidden("not_allowed", message)
                .advice("your human decides that by `[messages]` in config.toml"));
        }
        sessions.push(session);
    }
    if request.all || request.needs_me {
        let meant = |session: &wire::Session| match session.status {
            Status::Exited => false,
            status => request.all || status.needs_human(),
        };
        for session in app.sessions().into_iter().filter(meant) {
            let session = app.session(&session.id)?;
            let allowed =
                |sender: &Session| sender.id != session.id && policy.allows(sender, &session);
            if sender.is_none_or(allowed) {
                sessions.push(session);
            }
        }
    }
    sessions.sort_by(|a, b| a.id.cmp(&b.id));
    sessions.dedup_by(|a, b| a.id == b.id);
    if sessions.is_empty() {
        let message = "the message is for nobody";
        return Err(Failure::unprocessable("no_addressee", message)
            .advice("name a session, or see with `schmux list` whether any is there"));
    }
    Ok(sessions)
}
