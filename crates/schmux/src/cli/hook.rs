//! `schmux hook AGENT EVENT [JSON]`: passes on what an agent's hook says.
//!
//! Agents wait for their hooks, so this answers within 50 ms, prints nothing
//! unless there is something to say to the agent, and never fails: outside of a
//! session it does nothing. What the daemon doesn't take in time goes to the
//! events file under the same id.
//!
//! The JSON comes on stdin, or as the last argument where an agent does that.
//! Words between `--then` and that argument are a command of the user's own, to
//! be run with the same argument afterwards.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rustix::event::PollFlags;
use schmux_core::signal::hook::shrink;
use serde_json::Value;

use crate::agents::provision;
use crate::courier::PASSED;
use crate::home::Home;
use crate::proc;
use crate::wire::{HookReply, HookRequest, PassedRequest};

use super::{letterbox, print, quick, transcript};

/// How long the agent may take to begin its JSON. Agents write it before or
/// right after they start us; one that is later is heard by an heir.
const FIRST_BYTE: Duration = Duration::from_millis(20);

/// How long an heir listens, who keeps nobody waiting.
const LATE_BYTE: Duration = Duration::from_secs(5);

/// How long the whole JSON may take from its first byte on: for pipes that
/// are filled piece by piece, and never closed.
const WHOLE: Duration = Duration::from_millis(100);

/// How long the daemon may take. It answers in a millisecond or two; together
/// with the wait for the first byte this stays below 50 ms.
const ANSWER: Duration = Duration::from_millis(25);

/// Whoever has sent so much goes on sending, and gets the same time for each further
/// piece: 1 MB takes longer than that where the machine is busy.
const LONG: usize = 64 << 10;

/// How much of the agent's JSON is read: a prompt of 1 MB, escaped, and more.
const MOST: usize = 4 << 20;

/// How much of it is sent: twice this is the longest line that is read in an events file.
const MOST_SENT: usize = 120 << 10;

/// These are for `--help` only: see [`main`].
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent, by the name of its target
    agent: String,
    /// The agent's name for what has happened
    event: String,
    /// What it says of it; default: stdin
    json: Option<String>,
}

/// Runs it if the words are a call of it.
pub(super) fn main(words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let words: Vec<OsString> = words.collect();
    let (verb, rest) = words.split_first()?;
    if verb != "hook" || rest.iter().any(|word| word == "--help" || word == "-h") {
        return None;
    }
    if let Some(call) = Call::parse(rest) {
        if let Some(session) = Session::from_env(&call.agent) {
            pass_on(&call, &session);
        }
        if !call.then.is_empty() {
            let argv: Vec<&OsString> = call.then.iter().chain(&call.json).collect();
            // It returns only if it fails, and then there is nobody to tell.
            let _ = proc::replace(&argv, &[]);
        }
    }
    Some(ExitCode::SUCCESS)
}

/// A call's words.
#[derive(Debug, PartialEq)]
struct Call {
    agent: String,
    event: String,
    json: Option<OsString>,
    then: Vec<OsString>,
    /// This is the heir of one that could not wait.
    late: bool,
}

impl Call {
    fn parse(words: &[OsString]) -> Option<Call> {
        let (late, words) = match words.split_first()? {
            (first, rest) if first == "--late" => (true, rest),
            _ => (false, words),
        };
        let [agent, event, rest @ ..] = words else { return None };
        let (json, then) = match rest.split_last() {
            None => (None, &[][..]),
            Some((json, between)) => (Some(json.clone()), between),
        };
        let then = match then.split_first() {
            Some((first, command)) if first == "--then" => command.to_vec(),
            _ => Vec::new(),
        };
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        Some(Call { agent: text(agent), event: text(event), json, then, late })
    }
}

/// The session that the agent runs in.
#[derive(Debug, Clone)]
struct Session {
    id: String,
    daemon: PathBuf,
    events_file: Option<PathBuf>,
}

impl Session {
    /// None of ours, or one that another agent runs in, is none.
    fn from_env(agent: &str) -> Option<Session> {
        let id = std::env::var("SCHMUX_SESSION_ID").ok().filter(|id| !id.is_empty())?;
        if std::env::var(provision::AGENT).is_ok_and(|own| own != agent) {
            return None;
        }
        let events_file = std::env::var_os("SCHMUX_EVENTS_FILE").filter(|path| !path.is_empty());
        let daemon = Home::from_env().ok()?.socket();
        Some(Session { id, daemon, events_file: events_file.map(PathBuf::from) })
    }
}

fn pass_on(call: &Call, session: &Session) {
    let heard = match &call.json {
        Some(json) => Heard::Said(json.as_encoded_bytes().to_vec()),
        None => listen(if call.late { LATE_BYTE } else { FIRST_BYTE }),
    };
    let said = match heard {
        Heard::Said(said) => said,
        Heard::NotYet if call.late || bequeath(call).is_err() => Vec::new(),
        Heard::NotYet => return,
    };
    let request = request(call, session, &said);
    let reply = deliver(session, &request);
    // What teaches the agent to signal needs no daemon.
    let said = provision::answer(&call.agent, &call.event).or(reply.output);
    if let Some(said) = said.filter(|_| !call.late) {
        let printed = print::text(&said).is_ok();
        if reply.message {
            tell_passed(session, request.id, printed);
        }
    }
}

/// A message came with the answer: says that the agent has it. If the daemon is
/// away by now, it finds that in the events file.
fn tell_passed(session: &Session, id: String, passed: bool) {
    let told = PassedRequest { session_id: session.id.clone(), id, passed };
    let Ok(mut object) = serde_json::to_value(told) else { return };
    let body = object.to_string();
    let deadline = Instant::now() + ANSWER;
    let answer = quick::post(&session.daemon, "/api/hook/passed", body.as_bytes(), deadline);
    if let (Err(_), Some(file)) = (answer, &session.events_file) {
        object["type"] = PASSED.into();
        let _ = letterbox::post(file, &object);
    }
}

/// Lets another process of ours wait for the agent's JSON.
fn bequeath(call: &Call) -> Result<(), proc::ProcError> {
    let exe = std::env::current_exe().unwrap_or_else(|_| "schmux".into());
    let words = [exe.as_os_str(), OsStr::new("hook"), OsStr::new("--late")];
    let words = words.into_iter().chain([OsStr::new(&call.agent), OsStr::new(&call.event)]);
    proc::heir(&words.collect::<Vec<_>>()).map(drop)
}

fn request(call: &Call, session: &Session, said: &[u8]) -> HookRequest {
    let mut payload = serde_json::from_slice(said).unwrap_or(Value::Null);
    transcript::complete(&call.agent, &call.event, &mut payload);
    shrink(&mut payload, MOST_SENT);
    HookRequest {
        id: format!("{:032x}", rand::random::<u128>()),
        session_id: session.id.clone(),
        agent: call.agent.clone(),
        event: call.event.clone(),
        ts: Timestamp::now(),
        payload,
        deaf: call.late,
    }
}

/// To the daemon, or to the events file. Returns what the daemon wants printed.
fn deliver(session: &Session, request: &HookRequest) -> HookReply {
    let Ok(mut object) = serde_json::to_value(request) else { return HookReply::default() };
    let body = object.to_string();
    let deadline = Instant::now() + ANSWER;
    let answer = quick::post(&session.daemon, "/api/hook", body.as_bytes(), deadline);
    match answer.map(|answer| serde_json::from_slice::<HookReply>(&answer)) {
        // An answer that says nothing is a yes, too.
        Ok(reply) => reply.unwrap_or_default(),
        Err(_) => {
            object["type"] = "hook".into();
            if let Some(file) = &session.events_file {
                let _ = letterbox::post(file, &object);
            }
            HookReply::default()
        }
    }
}

#[derive(Debug, PartialEq)]
enum Heard {
    Said(Vec<u8>),
    NotYet,
}

/// What comes on stdin. A terminal is not listened to: its keys are the human's.
fn listen(first: Duration) -> Heard {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Heard::Said(Vec::new());
    }
    hear(&stdin, first)
}

/// Reads one JSON value. It is taken as soon as it is whole, because not
/// everybody closes the pipe.
fn hear(source: &impl AsFd, first: Duration) -> Heard {
    let mut said = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let mut deadline = Instant::now() + first;
    loop {
        if quick::wait(source, PollFlags::IN, deadline).is_err() {
            return if said.is_empty() { Heard::NotYet } else { Heard::Said(said) };
        }
        match rustix::io::read(source, &mut piece) {
            Ok(0) | Err(_) => return Heard::Said(said),
            Ok(read) => {
                if said.is_empty() || (LONG..MOST).contains(&said.len()) {
                    deadline = Instant::now() + WHOLE;
                }
                // The rest is read as well, so that the agent's write doesn't break.
                let room = MOST.saturating_sub(said.len());
                said.extend_from_slice(&piece[..read.min(room)]);
                if is_whole(&said) {
                    return Heard::Said(said);
                }
            }
        }
    }
}

fn is_whole(said: &[u8]) -> bool {
    said.trim_ascii_end().last() == Some(&b'}')
        && serde_json::from_slice::<serde::de::IgnoredAny>(said).is_ok()
}

#[cfg(test)]
#[path = "hook_tests.rs"]
mod tests;
