//! The CLI's way to the daemon: HTTP over its Unix socket.
//!
//! One connection a request: the CLI makes a handful of them and is gone.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::SendRequest;
use hyper::header::HeaderValue;
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::UnixStream;

use crate::home::Home;
use crate::wire::ApiError;

/// Every request but a spawn is answered at once; this is for a machine under load.
const LIMIT: Duration = Duration::from_secs(20);

/// A way to the daemon of one home.
#[derive(Debug, Clone)]
pub struct Client {
    /// Each request asks it anew for the socket: a daemon that was started again may have another.
    home: Home,
    limit: Duration,
    /// Names the agent that speaks; without it a human does.
    token: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nothing listens on its socket.
    #[error("the schmux daemon is not running (nothing answers at {})", socket.display())]
    NotRunning { socket: PathBuf },
    #[error("can't reach the daemon at {}: {source}", socket.display())]
    Unreachable { socket: PathBuf, source: io::Error },
    #[error("the daemon did not answer {path} within {} s", limit.as_secs())]
    TooSlow { path: String, limit: Duration },
    #[error("the connection to the daemon broke at {path}: {source}")]
    Broken { path: String, source: hyper::Error },
    /// The daemon says no, and why.
    #[error("{}", error.message)]
    Refused { status: StatusCode, error: ApiError },
    #[error("can't write what the daemon answers: {source}")]
    Unwritten { source: io::Error },
    #[error("the daemon's answer to {path} can't be understood: {source}")]
    Garbled { path: String, source: serde_json::Error },
}

impl Client {
    pub fn new(home: &Home) -> Client {
        Client { home: home.clone(), limit: LIMIT, token: None }
    }

    /// The same, for the agent whose token this is.
    pub fn speaking_for(&self, token: Option<String>) -> Client {
        Client { token, ..self.clone() }
    }

    /// The same, for requests that may take longer.
    pub fn patient(&self, limit: Duration) -> Client {
        Client { limit, ..self.clone() }
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.ask(Method::GET, path, Bytes::new()).await
    }

    pub async fn post<B: Serialize, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Result<T, ClientError> {
        self.ask(Method::POST, path, encode(path, body)?).await
    }

    pub async fn put<B: Serialize, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Result<T, ClientError> {
        self.ask(Method::PUT, path, encode(path, body)?).await
    }

    /// A request whose answer is just that it was done.
    pub async fn tell<B: Serialize>(&self, path: &str, body: &B) -> Result<(), ClientError> {
        self.send(Method::POST, path, encode(path, body)?).await.map(|_| ())
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<T, ClientError> {
        let answer = self.send(method, path, body).await?;
        serde_json::from_slice(&answer)
            .map_err(|source| ClientError::Garbled { path: path.to_owned(), source })
    }

    async fn send(&self, method: Method, path: &str, body: Bytes) -> Result<Bytes, ClientError> {
        match tokio::time::timeout(self.limit, self.exchange(method, path, body)).await {
            Ok(answer) => answer,
            Err(_) => Err(ClientError::TooSlow { path: path.to_owned(), limit: self.limit }),
        }
    }

    /// Writes what the daemon answers to `out` as it comes, however long it is.
    pub async fn download(&self, path: &str, out: &mut impl io::Write) -> Result<(), ClientError> {
        let broken = |source| ClientError::Broken { path: path.to_owned(), source };
        let (_sender, response) = self.begin(Method::GET, path, Bytes::new()).await?;
        let status = response.status();
        let mut body = response.into_body();
        if !status.is_success() {
            let answer = body.collect().await.map_err(broken)?.to_bytes();
            return Err(refused(status, path, &answer));
        }
        while let Some(frame) = body.frame().await {
            if let Ok(data) = frame.map_err(broken)?.into_data() {
                out.write_all(&data).map_err(|source| ClientError::Unwritten { source })?;
            }
        }
        Ok(())
    }

    async fn exchange(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<Bytes, ClientError> {
        let broken = |source| ClientError::Broken { path: path.to_owned(), source };
        let (_sender, response) = self.begin(method, path, body).await?;
        let status = response.status();
        let answer = response.into_body().collect().await.map_err(broken)?.to_bytes();
        if status.is_success() { Ok(answer) } else { Err(refused(status, path, &answer)) }
    }

    /// Sends a request; the connection lives as long as the sender that comes with the answer.
    async fn begin(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<(SendRequest<Full<Bytes>>, Response<Incoming>), ClientError> {
        let broken = |source| ClientError::Broken { path: path.to_owned(), source };
        let socket = self.home.socket();
        let stream =
            UnixStream::connect(&socket).await.map_err(|source| connect_error(&socket, source))?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        // It ends when the sender is dropped.
        tokio::spawn(connection);
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json");
        let bearer = self.token.as_ref().map(|token| format!("Bearer {token}"));
        // One that can't be in a header is none of ours.
        if let Some(Ok(bearer)) = bearer.map(HeaderValue::try_from) {
            request = request.header(header::AUTHORIZATION, bearer);
        }
        let request =
            request.body(Full::new(body)).expect("paths are built from ids and numbers, encoded");
        let response = sender.send_request(request).await.map_err(broken)?;
        Ok((sender, response))
    }
}

impl ClientError {
    /// Whether nobody was there to answer, or left in the middle of it: a daemon
    /// that is being restarted looks like this.
    pub fn is_absence(&self) -> bool {
        use ClientError::{Broken, NotRunning, Unreachable};
        matches!(self, NotRunning { .. } | Broken { .. } | Unreachable { .. })
    }

    pub fn advice(&self) -> Option<String> {
        match self {
            ClientError::NotRunning { .. } => Some("start it: schmux start".to_owned()),
            ClientError::Refused { error, .. } => error.advice.clone(),
            ClientError::Unreachable { .. } => Some(
                "run schmux as the user who started the daemon, with the same SCHMUX_HOME"
                    .to_owned(),
            ),
            ClientError::TooSlow { .. } | ClientError::Broken { .. } => Some(
                "see `schmux doctor` and the daemon's log; `schmux stop` and `schmux start` \
                 restart it while agents keep running"
                    .to_owned(),
            ),
            ClientError::Unwritten { .. } => Some("is the disk full?".to_owned()),
            ClientError::Garbled { .. } => Some(
                "the daemon may be of another version: restart it with `schmux stop` and \
                 `schmux start`; agents keep running"
                    .to_owned(),
            ),
        }
    }
}

/// A part of a path, with all that has a meaning in URLs encoded.
pub fn encode_segment(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn encode<B: Serialize>(path: &str, body: &B) -> Result<Bytes, ClientError> {
    serde_json::to_vec(body)
        .map(Bytes::from)
        .map_err(|source| ClientError::Garbled { path: path.to_owned(), source })
}

fn connect_error(socket: &Path, source: io::Error) -> ClientError {
    let socket = socket.to_owned();
    match source.kind() {
        // Below a plain file, too, there is no daemon.
        io::ErrorKind::NotFound
        | io::ErrorKind::ConnectionRefused
        | io::ErrorKind::NotADirectory => ClientError::NotRunning { socket },
        _ => ClientError::Unreachable { socket, source },
    }
}

fn refused(status: StatusCode, path: &str, answer: &[u8]) -> ClientError {
    let error = serde_json::from_slice(answer).unwrap_or_else(|_| ApiError {
        code: "unexpected".to_owned(),
        message: format!(
            "the daemon answered {path} with {status}: {}",
            String::from_utf8_lossy(answer).trim()
        ),
        advice: None,
    });
    ClientError::Refused { status, error }
}

#[cfg(test)]
mod tests;
