//! The line to the daemon: it says when its gate closes and opens, and hears
//! that someone types. When it breaks, the gate opens and the daemon is called
//! again: whoever types must not notice.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::net::UnixStream;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::Shared;
use crate::client::encode_segment;
use crate::home::Home;
use crate::wire::{AttachMessage, AttachNote, TypedKeys};

/// A daemon that is being restarted is back in a second or two.
const CALL_AGAIN: Duration = Duration::from_secs(1);

pub(super) async fn follow(
    daemon: Home,
    session: String,
    gate: Shared,
    mut typed: mpsc::Receiver<TypedKeys>,
) {
    loop {
        if let Some(socket) = call(&daemon, &session).await {
            // However it ended, it is called again.
            let _ = listen(socket, &gate, &mut typed).await;
        }
        open(&gate, true);
        tokio::time::sleep(CALL_AGAIN).await;
    }
}

async fn call(daemon: &Home, session: &str) -> Option<WebSocketStream<UnixStream>> {
    let stream = UnixStream::connect(daemon.socket()).await.ok()?;
    let url = format!("ws://localhost/ws/attach/{}", encode_segment(session));
    tokio_tungstenite::client_async(url, stream).await.ok().map(|(socket, _)| socket)
}

async fn listen(
    mut socket: WebSocketStream<UnixStream>,
    gate: &Shared,
    typed: &mut mpsc::Receiver<TypedKeys>,
) -> Option<()> {
    loop {
        let due = gate.lock().unwrap_or_else(PoisonError::into_inner).due();
        let due = due.unwrap_or_else(|| Instant::now() + Duration::from_secs(3600));
        tokio::select! {
            message = socket.next() => match message?.ok()? {
                Message::Text(text) => {
                    if let Some(note) = obey(serde_json::from_str(&text).ok()?, gate) {
                        send(&mut socket, &note).await?;
                    }
                }
                Message::Close(_) => return None,
                _ => {}
            },
            kind = typed.recv() => send(&mut socket, &AttachNote::Typed { keys: kind? }).await?,
            () = tokio::time::sleep_until(due.into()) => drop(open(gate, true)),
        }
    }
}

/// What is to be told the daemon about it.
fn obey(message: AttachMessage, gate: &Shared) -> Option<AttachNote> {
    match message {
        AttachMessage::Close { number } => {
            gate.lock().unwrap_or_else(PoisonError::into_inner).close(Instant::now());
            Some(AttachNote::Closed { number })
        }
        AttachMessage::Open { replay } => {
            let withheld = open(gate, replay);
            let text = String::from_utf8_lossy(&withheld).into_owned();
            (!text.is_empty()).then_some(AttachNote::Withheld { text })
        }
    }
}

/// Opens the gate; what it gives back instead of letting it through is returned.
fn open(gate: &Shared, replay: bool) -> Vec<u8> {
    // If tmux is gone, nobody misses the keys.
    gate.lock().unwrap_or_else(PoisonError::into_inner).open(replay).unwrap_or_default()
}

async fn send(socket: &mut WebSocketStream<UnixStream>, note: &AttachNote) -> Option<()> {
    let text = serde_json::to_string(note).ok()?;
    socket.send(Message::Text(text.into())).await.ok()
}
