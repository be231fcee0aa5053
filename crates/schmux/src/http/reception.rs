//! Serves those who come by TCP, and sends away those who come and say nothing: they
//! would take the descriptors that the Unix socket and tmux need.
//!
//! Who has said what they want may take as long as they like: a slow upload, a long
//! question, a WebSocket.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// How long the head of a request may take, from the connection or from the answer before
/// it. A phone on a bad line takes seconds; browsers open another connection when they
/// need one.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many connections may have said nothing yet. When there are more the oldest is
/// ended: an honest one speaks at once. Each costs a file descriptor, of which a process
/// may have no more than 1,024.
const MOST: usize = 256;

pub struct Reception {
    app: Router,
    patience: Duration,
    most: usize,
}

/// A connection that had said nothing when it was last looked at.
struct Silent {
    has_spoken: Arc<AtomicBool>,
    task: AbortHandle,
}

impl Reception {
    pub fn new(app: Router) -> Reception {
        Reception { app, patience: PATIENCE, most: MOST }
    }

    /// Serves until `stop` is over, and what was begun then to its end.
    pub async fn serve(self, mut listener: impl Listener, stop: impl Future<Output = ()>) {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.patience);
        // Told to connections when it stops; each that is open has a listener.
        let (stopping, _) = watch::channel(());
        let mut silent = VecDeque::<Silent>::new();
        tokio::pin!(stop);
        loop {
            let (stream, _) = tokio::select! {
                come = listener.accept() => come,
                () = &mut stop => break,
            };
            silent.retain(Silent::is_silent);
            if silent.len() >= self.most
                && let Some(oldest) = silent.pop_front()
            {
                oldest.task.abort();
            }
            let has_spoken = Arc::new(AtomicBool::new(false));
            let (spoke, app) = (has_spoken.clone(), TowerToHyperService::new(self.app.clone()));
            let answer = service_fn(move |request: Request<Incoming>| {
                spoke.store(true, Ordering::Relaxed);
                app.call(request)
            });
            let connection = http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
            let mut stopped = stopping.subscribe();
            let task = tokio::spawn(async move {
                let mut connection = pin!(connection);
                let ended = tokio::select! {
                    ended = &mut connection => ended,
                    _ = stopped.changed() => {
                        connection.as_mut().graceful_shutdown();
                        connection.await
                    }
                };
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
            });
            silent.push_back(Silent { has_spoken, task: task.abort_handle() });
        }
        drop(listener);
        stopping.send_replace(());
        stopping.closed().await;
    }
}

impl Silent {
    fn is_silent(&self) -> bool {
        !self.has_spoken.load(Ordering::Relaxed) && !self.task.is_finished()
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, SocketAddr};

    use axum::body::Bytes;
    use axum::extract::ws::WebSocketUpgrade;
    use axum::routing::{any, post};
    use futures_util::{SinkExt, StreamExt};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    use tokio::time::timeout;
    use tokio_tungstenite::tungstenite::Message;

    use super::*;
    use crate::http::listen::{bind_tcp, plain};

    /// Longer than any of this takes.
    const LONG: Duration = Duration::from_secs(20);

    const HALF: &[u8] = b"GET / HTTP/1.1\r\nX: ";

    async fn open(most: usize, patience: Duration) -> SocketAddr {
        let echo = async |upgrade: WebSocketUpgrade| {
            upgrade.on_upgrade(|mut socket| async move {
                while let Some(Ok(message)) = socket.recv().await {
                    let _ = socket.send(message).await;
                }
            })
        };
        let length = async |body: Bytes| body.len().to_string();
        let app = Router::new().route("/", post(length)).route("/ws", any(echo));
        let tcp = bind_tcp(IpAddr::V4(Ipv4Addr::LOCALHOST), 0).await.unwrap();
        let addr = tcp.local_addr().unwrap();
        let reception = Reception { app, patience, most };
        tokio::spawn(reception.serve(plain(tcp), std::future::pending()));
        addr
    }

    async fn say(addr: SocketAddr, words: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(addr).await.unwrap();
        stream.write_all(words).await.unwrap();
        stream
    }

    /// Whether it was ended without an answer.
    async fn is_ended(stream: &mut TcpStream) -> bool {
        timeout(LONG, stream.read(&mut [0; 1])).await.unwrap().unwrap_or(0) == 0
    }

    async fn hears(stream: &mut TcpStream, word: &str) -> bool {
        let mut heard = Vec::new();
        while !String::from_utf8_lossy(&heard).ends_with(word) {
            let mut piece = [0; 1024];
            match timeout(LONG, stream.read(&mut piece)).await.unwrap() {
                Ok(0) | Err(_) => return false,
                Ok(count) => heard.extend_from_slice(&piece[..count]),
            }
        }
        true
    }

    #[tokio::test]
    async fn a_crowd_that_says_nothing_loses_its_oldest_and_nobody_else() {
        // With this patience nobody is ended for being slow.
        let addr = open(2, 100 * LONG).await;
        let url = format!("ws://{addr}/ws");
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        let mut upload =
            say(addr, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na").await;
        let mut idle = say(addr, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n").await;
        assert!(hears(&mut idle, "0").await);
        let mut crowd = Vec::new();
        for _ in 0..5 {
            crowd.push(say(addr, HALF).await);
        }
        for oldest in &mut crowd[..3] {
            assert!(is_ended(oldest).await);
        }
        crowd[4].write_all(b"x\r\n\r\n").await.unwrap();
        assert!(!is_ended(&mut crowd[4]).await, "the newest is answered");
        upload.write_all(b"bc").await.unwrap();
        assert!(hears(&mut upload, "3").await);
        idle.write_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx").await.unwrap();
        assert!(hears(&mut idle, "1").await);
        socket.send(Message::text("here")).await.unwrap();
        assert_eq!(socket.next().await.unwrap().unwrap(), Message::text("here"));
    }

    #[tokio::test]
    async fn only_a_head_is_waited_for_so_long() {
        let addr = open(100, Duration::from_millis(300)).await;
        let url = format!("ws://{addr}/ws");
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        let mut upload =
            say(addr, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na").await;
        let mut half = say(addr, HALF).await;
        let mut silent = say(addr, b"").await;
        assert!(is_ended(&mut half).await && is_ended(&mut silent).await);
        upload.write_all(b"bc").await.unwrap();
        assert!(hears(&mut upload, "3").await);
        assert!(is_ended(&mut upload).await, "it asks for nothing more");
        socket.send(Message::text("here")).await.unwrap();
        assert_eq!(socket.next().await.unwrap().unwrap(), Message::text("here"));
    }
}
