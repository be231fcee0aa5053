//! `schmux edit` asks what to do: the calls that wait for an answer, and the
//! program that sessions have for an editor.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schmux_core::courier::{CallId, EditorAnswer, Event};
use schmux_core::fleet::Session;
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;
use tokio::sync::oneshot;

use super::ticket;
use crate::app::App;
use crate::home::Home;
use crate::hosts;
use crate::http::error::Failure;
use crate::spawn::{local, now};
use crate::wire::{EditEnded, EditReply, EditRequest};

/// How long a call waits for the courier, which has to write the draft to disk
/// first. An editor that takes longer looks like one that hangs.
const ANSWER: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Editors {
    /// The calls that wait. A std mutex: held for a look, never across an await.
    calls: Mutex<HashMap<CallId, oneshot::Sender<EditorAnswer>>>,
    next: AtomicU64,
}

impl Editors {
    fn calls(&self) -> MutexGuard<'_, HashMap<CallId, oneshot::Sender<EditorAnswer>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn answer(&self, call: CallId, answer: EditorAnswer) {
        let waiting = self.calls().remove(&call);
        if let Some(waiting) = waiting {
            // It may have given up.
            let _ = waiting.send(answer);
        }
    }
}

/// An editor was started in a session. Without a ticket it is the human's.
pub(crate) async fn editor_called(app: &App, request: EditRequest) -> Result<EditReply, Failure> {
    let session = app.session(&request.session_id)?.id;
    let editors = &app.couriers.editors;
    let call = CallId(editors.next.fetch_add(1, Ordering::Relaxed));
    if !ticket::is_there(&app.home, session.as_str(), now()) {
        return Ok(EditReply::new(call, EditorAnswer::Human));
    }
    let (waiting, answer) = oneshot::channel();
    editors.calls().insert(call, waiting);
    let (caller, content) = (request.caller.into(), request.content);
    let heard = app.couriers.tell(&session, Event::EditorCalled { call, caller, content }).await;
    let answer = match heard {
        true => tokio::time::timeout(ANSWER, answer).await.ok().and_then(Result::ok),
        false => {
            // The delivery is over, and so is the wait for this call.
            expect(app, &session, None).await;
            None
        }
    };
    editors.calls().remove(&call);
    // In any doubt the file stays as it is.
    Ok(EditReply::new(call, answer.unwrap_or(EditorAnswer::Leave)))
}

/// An editor is about to exit.
pub(crate) async fn editor_ended(app: &App, ended: EditEnded) -> Result<(), Failure> {
    editor_kept(app, ended, None).await.map(drop)
}

/// The same for one that keeps what it caught by a name until we have it; false
/// if nobody is there to take it.
pub(crate) async fn editor_kept(
    app: &App,
    ended: EditEnded,
    kept: Option<String>,
) -> Result<bool, Failure> {
    let session = app.session(&ended.session_id)?.id;
    let EditEnded { call, wrote, keys, .. } = ended;
    let ended = Event::EditorEnded { call: CallId(call), wrote, keys, kept };
    Ok(app.couriers.tell(&session, ended).await)
}

/// Says whether, and until when, an editor is expected in a session, also where
/// the session is. False if that could not be said: the key would open the
/// human's editor.
pub(super) async fn expect(app: &App, session: &SessionId, until: Option<Moment>) -> bool {
    if let Err(error) = ticket::set(&app.home, session.as_str(), until) {
        tracing::warn!(%session, %error, "a ticket can't be written");
        return false;
    }
    let host = app.fleet.borrow().session(session).map(|session| session.host.clone());
    match host.filter(|host| *host != local()) {
        Some(host) => hosts::expect_editor(app, &host, session, until).await,
        None => true,
    }
}

/// Writes the program that sessions have for an editor. It is a script, because
/// schmux may be moved or removed while sessions go on.
pub(crate) fn install(home: &Home, exe: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let exe = exe.to_string_lossy();
    let exe = shlex::try_quote(&exe).map_err(io::Error::other)?;
    let tickets = home.tickets();
    let tickets = tickets.to_string_lossy();
    let tickets = shlex::try_quote(&tickets).map_err(io::Error::other)?;
    // Without a ticket nobody is asked, and an editor of one plain word needs no
    // more than a shell. Gemini CLI's words are for `edit` to understand.
    let script = format!(
        "#!/bin/sh\n# The editor of schmux's sessions. It runs your own, except while a message is delivered.\n\
         own=${{SCHMUX_VISUAL:-$SCHMUX_EDITOR}}\n\
         case $own in '' | *[!A-Za-z0-9/._+-]*) ;; *)\n\
         [ -e {tickets}/\"$SCHMUX_SESSION_ID\" ] || [ \"$1\" = -i ] || \
         ! command -v \"$own\" >/dev/null || exec \"$own\" \"$@\" ;;\nesac\n\
         [ -x {exe} ] && exec {exe} edit \"$@\"\n\
         exec ${{own:-vi}} \"$@\"\n"
    );
    let path = home.editor();
    let dir = path.parent().unwrap_or(home.dir());
    std::fs::create_dir_all(dir)?;
    let new = dir.join("new");
    std::fs::write(&new, script)?;
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o755))?;
    std::fs::rename(&new, &path)
}

/// The value of `EDITOR` in sessions. Some agents cut it at blanks and some give
/// it to a shell, so a home whose name needs quotes has none.
pub(crate) fn command(home: &Home) -> Option<String> {
    plain(home.editor().into_os_string().into_string().ok()?)
}

/// A path that needs no quotes.
pub(crate) fn plain(path: String) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,=".contains(c);
    path.chars().all(plain).then_some(path)
}

/// Whether the agent's editor key opens `schmux edit` in a session.
pub(super) fn is_ours(app: &App, session: &Session) -> bool {
    if session.adopted {
        return false;
    }
    if session.host == local() {
        return command(&app.home).is_some();
    }
    // A host that is away is asked when it is back.
    let facts = app.host.reach(&session.host).and_then(|reach| reach.facts());
    facts.is_none_or(|facts| hosts::editor(&facts).is_some())
}

/// Gives a session's environment our editor, and remembers the user's own.
pub(crate) fn set_variables(home: &Home, env: &mut Vec<(String, String)>) {
    let outer = |name: &str| std::env::var(name).unwrap_or_default();
    if let Some(ours) = command(home) {
        set_editor(&ours, outer, env);
    }
}

/// The same for any editor; `outer` are the variables of whoever starts the session.
pub(crate) fn set_editor(
    ours: &str,
    outer: impl Fn(&str) -> String,
    env: &mut Vec<(String, String)>,
) {
    for (name, own) in [("EDITOR", "SCHMUX_EDITOR"), ("VISUAL", "SCHMUX_VISUAL")] {
        let given = env.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let theirs = given.unwrap_or_else(|| outer(name));
        // A daemon that was started inside a session of ours.
        let theirs = match theirs.ends_with(crate::home::EDITOR_NAME) {
            true => outer(own),
            false => theirs,
        };
        env.retain(|(key, _)| key != name);
        env.push((name.to_owned(), ours.to_owned()));
        env.push((own.to_owned(), theirs));
    }
}
