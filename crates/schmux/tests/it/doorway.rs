//! Tries to get in through the server's real doors without what they ask for.

use std::future::pending;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::{Message as Frame, WebSocketUpgrade};
use axum::routing::{get, post};
use futures_util::{SinkExt, StreamExt};
use jiff::Timestamp;
use schmux::home::Home;
use schmux::http::auth::{Keys, Policy, protect};
use schmux::http::error::{Json, method_not_allowed};
use schmux::http::listen::{TlsListener, bind_tcp, bind_unix, plain};
use schmux::http::reception::Reception;
use schmux::http::tls::Tls;
use schmux::http::{assets, auth};
use schmux::wire::{ApiError, SpawnRequest};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};
use tokio::task::JoinSet;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio_rustls::{TlsConnector, client::TlsStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};

const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A server with the gate on TCP and without it on a Unix socket, ended when dropped.
struct House {
    addr: SocketAddr,
    home: Home,
    keys: Keys,
    _dir: TempDir,
    _tasks: JoinSet<()>,
}

impl House {
    async fn open(tls: bool) -> House {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let keys = Keys::load_or_create(&home.token()).unwrap();
        let tcp = bind_tcp(LOCAL, 0).await.unwrap();
        let addr = tcp.local_addr().unwrap();
        let policy = Policy::new(keys.clone(), addr, tls, &[]).unwrap();
        let names = policy.names();
        let unix = bind_unix(&home.socket()).await.unwrap();
        let guarded = protect(routes(), policy);
        let mut tasks = JoinSet::new();
        tasks.spawn(async { axum::serve(unix, routes()).await.unwrap() });
        if tls {
            let tls = Tls::load(None, &home, &names, Timestamp::now()).unwrap();
            let listener = TlsListener::new(tcp, tls.acceptor());
            tasks.spawn(Reception::new(guarded).serve(listener, pending()));
        } else {
            tasks.spawn(Reception::new(guarded).serve(plain(tcp), pending()));
        }
        House { addr, home, keys, _dir: dir, _tasks: tasks }
    }

    fn port(&self) -> u16 {
        self.addr.port()
    }

    fn cookie(&self) -> String {
        format!("{}={}", auth::cookie_name(self.port()), self.keys.cookie_value())
    }

    /// Sends a request over TCP; a `Host` of ours is added if there is none.
    async fn ask(&self, head: &str) -> Answer {
        let stream = TcpStream::connect(self.addr).await.unwrap();
        let host = match head.contains("Host:") {
            true => String::new(),
            false => format!("\r\nHost: 127.0.0.1:{}", self.port()),
        };
        ask(stream, &format!("{head}{host}"), "").await
    }

    /// Opens a WebSocket with these headers, and lets it echo a word.
    async fn knock(&self, path: &str, headers: &[(&'static str, String)]) -> Result<Message, u16> {
        let stream = TcpStream::connect(self.addr).await.unwrap();
        let url = format!("ws://127.0.0.1:{}{path}", self.port());
        knock(stream, &url, headers).await
    }
}

fn routes() -> Router {
    async fn echo(upgrade: WebSocketUpgrade) -> axum::response::Response {
        upgrade.on_upgrade(|mut socket| async move {
            while let Some(Ok(Frame::Text(text))) = socket.recv().await {
                let _ = socket.send(Frame::Text(text)).await;
            }
        })
    }
    Router::new()
        .route("/api/healthz", get(async || "well"))
        .route("/api/sessions", get(async || "a secret"))
        .route("/api/spawn", post(async |Json(request): Json<SpawnRequest>| Json(request)))
        .route("/ws/dashboard", get(echo))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback_service(assets::router())
}

#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn field(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    fn error(&self) -> ApiError {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no ApiError: {self:?}"))
    }
}

async fn ask<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, head: &str, body: &str) -> Answer {
    let (line, headers) = head.split_once("\r\n").unwrap_or((head, ""));
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

async fn knock<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    url: &str,
    headers: &[(&'static str, String)],
) -> Result<Message, u16> {
    let mut request = url.into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match tokio_tungstenite::client_async(request, stream).await {
        Ok((mut socket, _)) => {
            socket.send(Message::text("hello")).await.unwrap();
            Ok(socket.next().await.unwrap().unwrap())
        }
        Err(WsError::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn without_a_secret_there_is_only_the_page() {
    let house = House::open(false).await;
    let refused = house.ask("GET /api/sessions").await;
    assert_eq!((refused.status, refused.error().code.as_str()), (401, "not_logged_in"));
    assert!(refused.error().advice.unwrap().contains("schmux url"));
    assert!(!refused.body.contains("a secret"));
    assert_eq!(house.ask("POST /api/spawn").await.status, 401);
    assert_eq!(house.ask("GET /api/healthz").await.body, "well");
    let missing = house.ask("GET /favicon.nothing").await;
    assert_eq!(missing.status, 404);
    assert!(missing.field("content-type").unwrap().starts_with("text/html"));
    let page = house.ask("GET /").await;
    assert!([200, 503].contains(&page.status), "built or not: {page:?}");
    let small = house.ask("GET /\r\nAccept-Encoding: gzip").await;
    assert_eq!(small.field("content-encoding"), Some("gzip"));
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let house = House::open(false).await;
    for head in ["GET /", "GET /api/healthz", "GET /api/sessions", "GET /\r\nHost: evil.example"] {
        let answer = house.ask(head).await;
        let csp = answer.field("content-security-policy").unwrap();
        assert!(csp.contains("frame-ancestors 'none'"), "{head}");
        assert_eq!(answer.field("x-content-type-options"), Some("nosniff"), "{head}");
        assert_eq!(answer.field("referrer-policy"), Some("no-referrer"), "{head}");
        assert_eq!(answer.field("cross-origin-resource-policy"), Some("same-origin"), "{head}");
        if head.contains("/api/") {
            assert_eq!(answer.field("cache-control"), Some("no-store"), "{head}");
        }
    }
}

#[tokio::test]
async fn the_link_becomes_a_cookie_that_lets_in() {
    let house = House::open(false).await;
    let token = house.keys.token();
    let link = house.ask(&format!("GET /?token={token}&x=1")).await;
    assert_eq!((link.status, link.field("location")), (303, Some("./?x=1")));
    let cookie = link.field("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!link.head.contains(token));
    let pair = cookie.split(';').next().unwrap();
    assert_eq!(pair, house.cookie());
    let inside = house.ask(&format!("GET /api/sessions\r\nCookie: {pair}")).await;
    assert_eq!(inside.body, "a secret");
    let program = house.ask(&format!("GET /api/sessions\r\nAuthorization: Bearer {token}")).await;
    assert_eq!(program.body, "a secret");
    let elsewhere = House::open(false).await;
    let stranger = elsewhere.ask(&format!("GET /api/sessions\r\nCookie: {pair}")).await;
    assert_eq!(stranger.status, 401);
}

#[tokio::test]
async fn guessing_is_throttled_and_the_owner_is_not_shut_out() {
    let house = House::open(false).await;
    for _ in 0..10 {
        let wrong = house.ask("GET /?token=guess\r\nAccept: text/html").await;
        assert_eq!(wrong.status, 401);
        assert!(wrong.body.contains("schmux url"), "{wrong:?}");
    }
    let more = house.ask("GET /api/sessions\r\nAuthorization: Bearer guess").await;
    assert_eq!((more.status, more.field("retry-after")), (429, Some("60")));
    let owner = house.ask(&format!("GET /?token={}", house.keys.token())).await;
    assert_eq!(owner.status, 303);
}

#[tokio::test]
async fn a_rebound_name_or_a_foreign_page_is_refused_with_all_secrets() {
    let house = House::open(false).await;
    let cookie = house.cookie();
    let rebound = format!("GET /api/sessions\r\nHost: evil.example:{}", house.port());
    let answer = house.ask(&format!("{rebound}\r\nCookie: {cookie}")).await;
    assert_eq!((answer.status, answer.error().code.as_str()), (421, "host_not_allowed"));
    assert!(answer.error().advice.unwrap().contains("allowed_hosts"));
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        let head = format!("POST /api/spawn\r\nOrigin: {origin}\r\nCookie: {cookie}");
        let answer = house.ask(&head).await;
        assert_eq!((answer.status, answer.error().code.as_str()), (403, "origin_not_allowed"));
    }
    let stream = TcpStream::connect(house.addr).await.unwrap();
    let nameless = ask(stream, &format!("GET /api/sessions\r\nCookie: {cookie}"), "").await;
    assert_eq!(nameless.status, 400);
}

#[tokio::test]
async fn sockets_open_only_for_our_own_page() {
    let house = House::open(false).await;
    let (cookie, own) = (house.cookie(), format!("http://127.0.0.1:{}", house.port()));
    let with =
        |cookie: &str, origin: &str| [("cookie", cookie.to_owned()), ("origin", origin.to_owned())];
    let path = "/ws/dashboard";
    assert_eq!(house.knock(path, &with(&cookie, &own)).await, Ok(Message::text("hello")));
    assert_eq!(house.knock(path, &[]).await, Err(401));
    assert_eq!(house.knock(path, &with("schmux_1=x", &own)).await, Err(401));
    assert_eq!(house.knock(path, &with(&cookie, "https://evil.example")).await, Err(403));
    assert_eq!(house.knock(path, &with(&cookie, "null")).await, Err(403));
    let host = [("cookie", cookie.clone()), ("host", "evil.example".to_owned())];
    assert_eq!(house.knock(path, &host).await, Err(421));
    let link = format!("{path}?token={}", house.keys.token());
    assert_eq!(house.knock(&link, &[]).await, Err(401));
}

#[tokio::test]
async fn the_unix_socket_needs_no_secret_and_speaks_the_same_api() {
    let house = House::open(false).await;
    let connect = || UnixStream::connect(house.home.socket());
    let inside = ask(connect().await.unwrap(), "GET /api/sessions\r\nHost: schmux", "").await;
    assert_eq!(inside.body, "a secret");
    let json = "POST /api/spawn\r\nHost: schmux\r\nContent-Type: application/json";
    for (head, body, status, code) in [
        (json, "{", 400, "bad_json"),
        (json, r#"{"targets":"demo"}"#, 422, "bad_body"),
        ("POST /api/spawn\r\nHost: schmux", r#"{"target":"demo"}"#, 415, "not_json"),
        ("GET /api/nothing\r\nHost: schmux", "", 404, "no_such_route"),
        ("DELETE /api/spawn\r\nHost: schmux", "", 405, "method_not_allowed"),
    ] {
        let answer = ask(connect().await.unwrap(), head, body).await;
        assert_eq!((answer.status, answer.error().code.as_str()), (status, code), "{answer:?}");
        assert!(answer.error().advice.is_some());
    }
    let spawned = ask(connect().await.unwrap(), json, r#"{"target":"demo"}"#).await;
    assert_eq!((spawned.status, spawned.body.as_str()), (200, r#"{"target":"demo"}"#));
    let echoed = knock(connect().await.unwrap(), "ws://schmux/ws/dashboard", &[]).await;
    assert_eq!(echoed, Ok(Message::text("hello")));
}

/// A client that trusts the certificate in the house and nothing else.
async fn connect_tls(house: &House) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(house.home.tls_cert()).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(house.addr).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap()
}

#[tokio::test]
async fn with_tls_the_same_gate_and_a_secure_cookie() {
    let house = House::open(true).await;
    let host = format!("Host: localhost:{}", house.port());
    let refused = ask(connect_tls(&house).await, &format!("GET /api/sessions\r\n{host}"), "").await;
    assert_eq!(refused.status, 401);
    let head = format!("GET /?token={}\r\n{host}", house.keys.token());
    let link = ask(connect_tls(&house).await, &head, "").await;
    assert!(link.field("set-cookie").unwrap().contains("; Secure"), "{link:?}");
    let headers =
        [("cookie", house.cookie()), ("origin", format!("https://localhost:{}", house.port()))];
    let url = format!("ws://localhost:{}/ws/dashboard", house.port());
    let echoed = knock(connect_tls(&house).await, &url, &headers).await;
    assert_eq!(echoed, Ok(Message::text("hello")));
}

#[tokio::test]
async fn silent_and_plain_connections_do_not_hold_up_tls() {
    let house = House::open(true).await;
    let mut silent = Vec::new();
    for _ in 0..20 {
        silent.push(TcpStream::connect(house.addr).await.unwrap());
    }
    let mut plain = TcpStream::connect(house.addr).await.unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
    let head = format!("GET /api/healthz\r\nHost: localhost:{}", house.port());
    let answer = ask(connect_tls(&house).await, &head, "").await;
    assert_eq!(answer.body, "well");
}
