//! A viewer of one terminal: what a browser tab is to the daemon.

use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Bytes, Message, WebSocket};

use crate::daemon::{Daemon, Session};

/// How much is drawn before it is acknowledged. The daemon runs 1 MB ahead at
/// most, so a sixteenth of that never makes it wait.
const ACK_EVERY: u64 = 64 << 10;

/// Longer than any pause in what the benchmark plays.
const PATIENCE: Duration = Duration::from_secs(120);

/// The library clears its whole buffer before every read; the usual 128 kB would
/// be measured with every key.
pub fn light() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(16 << 10)
}

pub struct Viewer {
    socket: WebSocket<TcpStream>,
    /// Bytes of binary frames so far, and how many of them were acknowledged.
    drawn: u64,
    acknowledged: u64,
    /// The next binary frame is one, for this reason.
    keyframe_next: Option<String>,
    /// How many keyframes came, the first one included.
    pub keyframes: u32,
}

pub enum Frame {
    /// The whole screen, and why it was sent.
    Keyframe(Bytes, String),
    /// What the pane printed.
    Output(Bytes),
}

impl Viewer {
    /// Attaches, and has the first keyframe behind it.
    pub fn attach(daemon: &Daemon, session: &Session) -> Result<Viewer> {
        let mut viewer = Viewer::open(daemon, session)?;
        while viewer.keyframes == 0 {
            viewer.next()?;
        }
        Ok(viewer)
    }

    /// Attaches, and has read nothing yet.
    pub fn open(daemon: &Daemon, session: &Session) -> Result<Viewer> {
        let url = format!("ws://{}/ws/terminal/{}?ack=1&history=0", daemon.address(), session.id);
        let mut request = url.into_client_request()?;
        request.headers_mut().insert("Authorization", daemon.bearer().parse()?);
        let stream = daemon.connect()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let (socket, _) = tungstenite::client::client_with_config(request, stream, Some(light()))
            .map_err(|error| anyhow::anyhow!("{error}"))
            .with_context(|| format!("attaching to {}", session.id))?;
        Ok(Viewer { socket, drawn: 0, acknowledged: 0, keyframe_next: None, keyframes: 0 })
    }

    /// Waits for what comes next, and acknowledges it.
    pub fn next(&mut self) -> Result<Frame> {
        let frame = self.next_unacknowledged()?;
        if self.drawn - self.acknowledged >= ACK_EVERY {
            self.acknowledge(self.drawn)?;
        }
        Ok(frame)
    }

    pub fn next_unacknowledged(&mut self) -> Result<Frame> {
        loop {
            match self.socket.read()? {
                Message::Binary(bytes) => {
                    self.drawn += bytes.len() as u64;
                    if let Some(reason) = self.keyframe_next.take() {
                        self.keyframes += 1;
                        return Ok(Frame::Keyframe(bytes, reason));
                    }
                    return Ok(Frame::Output(bytes));
                }
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(text.as_str())?;
                    match message["type"].as_str() {
                        Some("keyframe") => {
                            self.keyframe_next = Some(message["reason"].to_string());
                        }
                        Some("gone" | "exited") => bail!("the session has ended: {text}"),
                        _ => {}
                    }
                }
                Message::Close(_) => bail!("the daemon closed the terminal"),
                _ => {}
            }
        }
    }

    pub fn drawn(&self) -> u64 {
        self.drawn
    }

    pub fn acknowledge(&mut self, bytes: u64) -> Result<()> {
        self.acknowledged = bytes;
        let ack = json!({ "type": "ack", "bytes": bytes }).to_string();
        Ok(self.socket.send(Message::text(ack))?)
    }

    pub fn key(&mut self, key: &'static [u8]) -> Result<()> {
        Ok(self.socket.send(Message::binary(key))?)
    }
}
