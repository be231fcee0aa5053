//! The web terminal beside us: node-pty and ws.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tungstenite::{Message, WebSocket};

use crate::viewer::light;

pub struct NodePty {
    server: Child,
    socket: WebSocket<TcpStream>,
}

impl NodePty {
    /// Starts it on a program; nothing where it isn't installed.
    pub fn start(dir: &Path, program: &[String]) -> Result<Option<NodePty>> {
        if !dir.join("node_modules/node-pty").is_dir() {
            return Ok(None);
        }
        let mut server = Command::new("node")
            .arg(dir.join("server.mjs"))
            .args(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting node")?;
        let mut port = String::new();
        let output = server.stdout.take().context("node has no output")?;
        BufReader::new(output).read_line(&mut port)?;
        let stream = TcpStream::connect(format!("127.0.0.1:{}", port.trim()))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let url = format!("ws://127.0.0.1:{}/", port.trim());
        let (socket, _) = tungstenite::client::client_with_config(url, stream, Some(light()))
            .map_err(|error| anyhow::anyhow!("{error}"))?;
        Ok(Some(NodePty { server, socket }))
    }

    pub fn key(&mut self, key: &'static [u8]) -> Result<()> {
        Ok(self.socket.send(Message::binary(key))?)
    }

    /// Waits for the next output and appends it to `out`.
    pub fn output(&mut self, out: &mut Vec<u8>) -> Result<()> {
        loop {
            match self.socket.read()? {
                message @ (Message::Binary(_) | Message::Text(_)) => {
                    out.extend_from_slice(&message.into_data());
                    return Ok(());
                }
                Message::Close(_) => bail!("the node-pty terminal has ended"),
                _ => {}
            }
        }
    }
}

impl Drop for NodePty {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
