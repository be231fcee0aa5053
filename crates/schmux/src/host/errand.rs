//! Errands: scripts of ours that run on a host, in hidden windows of its tmux.
//!
//! A script that runs to its end keeps its output in a file over there, and
//! says so by a frame on its terminal; the output is then read through tmux,
//! whose replies are exact. A watcher runs for ever, and its frames are passed on.

use std::sync::Arc;
use std::sync::PoisonError;
use std::time::Duration;

use schmux_core::fleet::Socket;
use schmux_core::ids::HostId;
use schmux_core::remote::{Frames, Heard};
use schmux_core::sh;
use tokio::sync::mpsc;

use super::remote::{Facts, Reach, State};
use super::request::{Answer, HostError, Request};
use super::{Host, Seat};

/// How many frames of a watcher may wait. If there is no room the watcher is
/// ended, and the next one tells everything anew.
const FRAMES: usize = 1024;

/// The most output of a script that is brought over: a large diff.
const MOST_OUTPUT: usize = 4 << 20;

/// A script under way.
pub(super) struct Errand {
    pub nonce: String,
    /// Its file over there, without an ending.
    pub path: String,
    pub script: String,
    pub frames: Frames,
    pub kind: Kind,
}

pub(super) enum Kind {
    /// Until it ends; `None` once its output is being fetched.
    Run(Option<Answer<Output>>),
    Watch(mpsc::Sender<Heard>),
}

/// What a script printed: its stdout, or what it complained about if it failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub status: i32,
    pub bytes: Vec<u8>,
}

impl Output {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).trim_end().to_owned()
    }
}

impl Errand {
    fn new(facts: &Facts, script: impl FnOnce(&str, &str) -> String, kind: Kind) -> Errand {
        let nonce = format!("{:016x}", rand::random::<u64>());
        let path = format!("{}/run/{nonce}", facts.dir);
        let script = script(&path, &nonce);
        Errand { nonce, path, script, frames: Frames::default(), kind }
    }

    pub fn fail(self, error: &HostError) {
        if let Kind::Run(Some(answer)) = self.kind {
            // Whoever asked may have left.
            let _ = answer.send(Err(error.clone()));
        }
    }

    /// Whether nobody waits for it any more.
    pub fn is_forsaken(&self) -> bool {
        match &self.kind {
            Kind::Run(answer) => answer.as_ref().is_none_or(Answer::is_closed),
            Kind::Watch(frames) => frames.is_closed(),
        }
    }
}

impl Host {
    /// Makes a host known. A task that speaks to an earlier one of that name ends.
    pub fn know(&self, reach: Arc<Reach>) {
        self.forget(&reach.name);
        let mut far = self.shared.far.lock().unwrap_or_else(PoisonError::into_inner);
        far.insert(reach.name.clone(), reach);
    }

    /// Ends the connection to a host, and forgets it.
    pub fn forget(&self, name: &HostId) {
        let known = self.shared.far.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        if let Some(reach) = known {
            self.shared.lock().retain(|seat, _| seat.host != *name);
            reach.state.send_replace(State::Idle);
        }
    }

    pub fn reach(&self, name: &HostId) -> Option<Arc<Reach>> {
        self.shared.far.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Has a host connected to, unless it was let go.
    pub(crate) fn open(&self, name: &HostId) {
        if let Some(reach) = self.reach(name) {
            self.shared.entry(&seat(&reach), |_| ());
        }
    }

    /// Waits until a host is connected, which is tried at once.
    pub async fn ready(&self, name: &HostId, limit: Duration) -> Result<Arc<Facts>, HostError> {
        let Some(reach) = self.reach(name) else {
            return Err(HostError::Unreachable(format!("there is no host {name}")));
        };
        if let Some(facts) = reach.facts() {
            return Ok(facts);
        }
        let mut state = reach.state.subscribe();
        reach.want(true);
        self.shared.entry(&seat(&reach), |_| ());
        let reached = async {
            let mut tried = false;
            loop {
                match &*state.borrow_and_update() {
                    State::Connected { facts, .. } => return Ok(facts.clone()),
                    // An earlier failure is no answer.
                    State::Unreachable { reason, .. } if tried => {
                        return Err(HostError::Unreachable(reason.clone()));
                    }
                    _ => {}
                }
                state.changed().await.map_err(|_| HostError::ShuttingDown)?;
                tried = true;
            }
        };
        let late = || format!("the host {name} is still being connected to");
        tokio::time::timeout(limit, reached)
            .await
            .unwrap_or_else(|_| Err(HostError::Unreachable(late())))
    }

    /// Runs a script on a host to its end.
    pub async fn run(
        &self,
        name: &HostId,
        script: &str,
        limit: Duration,
    ) -> Result<Output, HostError> {
        let facts = self.ready(name, limit).await?;
        let Some(reach) = self.reach(name) else { return Err(HostError::ShuttingDown) };
        let seat = seat(&reach);
        let answered = self.ask(&seat, |answer| {
            let text = |path: &str, nonce: &str| wrapped(script, path, nonce);
            Request::Errand(Errand::new(&facts, text, Kind::Run(Some(answer))))
        });
        let late = || format!("it did not finish on {name} within {} s", limit.as_secs());
        tokio::time::timeout(limit, answered).await.unwrap_or_else(|_| Err(HostError::Lost(late())))
    }

    /// Writes files on a host, in this order and none of them empty, ahead of
    /// everything that is asked of it after this was called.
    pub(crate) async fn put(
        &self,
        name: &HostId,
        files: Vec<(String, Vec<u8>)>,
    ) -> Result<(), HostError> {
        let Some(reach) = self.reach(name) else { return Err(HostError::ShuttingDown) };
        self.ask(&seat(&reach), |answer| Request::Put { files, answer }).await
    }

    /// Runs a script on a host that prints frames until it is ended; `script`
    /// is given the word that tells it from earlier ones.
    pub(crate) async fn watch_frames(
        &self,
        name: &HostId,
        script: impl FnOnce(&Facts, &str) -> String,
    ) -> Result<mpsc::Receiver<Heard>, HostError> {
        let Some(reach) = self.reach(name) else { return Err(HostError::ShuttingDown) };
        let Some(facts) = reach.facts() else {
            return Err(HostError::Unreachable("it is not connected".into()));
        };
        let (frames, received) = mpsc::channel(FRAMES);
        let text = |_: &str, nonce: &str| script(&facts, nonce);
        let errand = Errand::new(&facts, text, Kind::Watch(frames));
        self.send(&seat(&reach), Request::Errand(errand)).await?;
        Ok(received)
    }
}

fn seat(reach: &Reach) -> Seat {
    Seat { host: reach.name.clone(), socket: Socket::Name(reach.socket()) }
}

/// The script with what keeps its output and tells of its end. The window stays
/// until the output is fetched, because tmux may lose the last words of one that
/// closes.
fn wrapped(script: &str, path: &str, nonce: &str) -> String {
    format!(
        "exec </dev/null\n\
         f={path}\n\
         trap 'rm -f \"$f\".*; exit' HUP INT TERM EXIT\n\
         (\n{script}\n) >\"$f.out\" 2>\"$f.err\"\n\
         s=$?\n\
         [ $s -eq 0 ] || cat \"$f.out\" >>\"$f.err\"\n\
         [ $s -eq 0 ] && kept=$f.out most={MOST_OUTPUT} || {{ kept=$f.err; most=2000; }}\n\
         {{ echo 00; head -c $most \"$kept\" | od -An -v -tx1 | tr -d ' '; }} >\"$f.hex\"\n\
         printf '%sSIGNAL__done {nonce} %s__END__\\n' __SCHMUX_ $s\n\
         sleep 60\n",
        path = sh::quote(path),
    )
}
