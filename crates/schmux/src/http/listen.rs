//! Where requests come from: a TCP port, plain or with TLS, and a Unix socket.
//!
//! Nothing in here looks at a request. [`plain`], [`TlsListener`] and tokio's
//! `UnixListener` yield what `reception` and `axum::serve` serve.

use std::collections::VecDeque;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::serve::{Listener, ListenerExt};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

mod holder;

pub use holder::Holder;

#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error("port {} on {} is taken{}. Choose another by SCHMUX_PORT or `port` in config.toml (0 picks a free one)",
        addr.port(), addr.ip(), holder.as_ref().map(|holder| format!(" by {holder}")).unwrap_or_default())]
    PortTaken { addr: SocketAddr, holder: Option<Holder> },
    #[error("port {} may only be used by root: choose one above 1023 by SCHMUX_PORT or `port` in config.toml", addr.port())]
    PortForbidden { addr: SocketAddr },
    #[error("{} is not an address of this machine: correct `bind` in config.toml", addr.ip())]
    NoSuchAddress { addr: SocketAddr },
    #[error("can't listen on {addr}: {source}")]
    Tcp { addr: SocketAddr, source: io::Error },
    #[error("another daemon answers on {}: stop it with `schmux stop`, or use another SCHMUX_HOME", path.display())]
    SocketTaken { path: PathBuf },
    #[error("{} is not a socket: move it away", path.display())]
    NotASocket { path: PathBuf },
    #[error("can't listen on {}: {source}", path.display())]
    Unix { path: PathBuf, source: io::Error },
}

/// Whether an address can be reached from elsewhere, so that it may only be
/// used with TLS.
pub fn needs_tls(addr: IpAddr) -> bool {
    !addr.to_canonical().is_loopback()
}

/// Listens on a TCP port; port 0 picks a free one (ask the listener which).
pub async fn bind_tcp(addr: IpAddr, port: u16) -> Result<TcpListener, ListenError> {
    let addr = SocketAddr::new(addr, port);
    TcpListener::bind(addr).await.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => {
            ListenError::PortTaken { addr, holder: Holder::of_port(addr.port()) }
        }
        io::ErrorKind::PermissionDenied => ListenError::PortForbidden { addr },
        io::ErrorKind::AddrNotAvailable => ListenError::NoSuchAddress { addr },
        _ => ListenError::Tcp { addr, source },
    })
}

/// A TCP listener whose connections send small frames at once.
pub fn plain(tcp: TcpListener) -> impl Listener<Io = TcpStream, Addr = SocketAddr> {
    tcp.tap_io(|stream| send_at_once(stream))
}

/// Without this, a key's echo waits for the acknowledgement of the one before it.
fn send_at_once(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("TCP_NODELAY: {error}");
    }
}

/// A TCP listener that yields connections whose TLS handshake is done.
///
/// Handshakes run in tasks of their own, so a slow one delays nobody.
pub struct TlsListener {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
    handshakes: JoinSet<Option<(TlsStream<TcpStream>, SocketAddr)>>,
    /// The handshakes under way, oldest first. When there are `most` of them
    /// the oldest is ended: an honest one takes milliseconds, so a crowd of
    /// silent connections can't keep the newcomer out.
    running: VecDeque<AbortHandle>,
    most: usize,
}

impl TlsListener {
    /// How long a handshake may take; a phone on a bad line takes two or three seconds.
    const PATIENCE: Duration = Duration::from_secs(10);
    /// Each costs a file descriptor, of which a process often has 1,024.
    const MOST: usize = 256;

    pub fn new(tcp: TcpListener, acceptor: TlsAcceptor) -> TlsListener {
        let (handshakes, running, most) = (JoinSet::new(), VecDeque::new(), TlsListener::MOST);
        TlsListener { tcp, acceptor, handshakes, running, most }
    }

    fn begin(&mut self, stream: TcpStream, addr: SocketAddr) {
        send_at_once(&stream);
        self.running.retain(|handshake| !handshake.is_finished());
        if self.running.len() >= self.most
            && let Some(oldest) = self.running.pop_front()
        {
            oldest.abort();
        }
        let accept = self.acceptor.accept(stream);
        self.running.push_back(self.handshakes.spawn(async move {
            match timeout(TlsListener::PATIENCE, accept).await {
                Ok(Ok(stream)) => Some((stream, addr)),
                Ok(Err(error)) => {
                    tracing::debug!(%addr, "TLS handshake failed: {error}");
                    None
                }
                Err(_) => {
                    tracing::debug!(%addr, "TLS handshake took too long");
                    None
                }
            }
        }));
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    /// May be dropped at any point: what is under way stays in `self`.
    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            tokio::select! {
                // axum's own accept logs errors and waits where that helps.
                (stream, addr) = Listener::accept(&mut self.tcp) => self.begin(stream, addr),
                Some(done) = self.handshakes.join_next() => {
                    if let Ok(Some(ready)) = done {
                        return ready;
                    }
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }
}

/// Listens on a Unix socket that only its owner can use, from its first moment.
///
/// It is bound and given its mode in a directory that nobody else can enter,
/// and moved to its place then. A socket left behind there is replaced if
/// nobody answers on it; callers hold the home's lock, so two don't race.
pub async fn bind_unix(path: &Path) -> Result<UnixListener, ListenError> {
    let failed = |source| ListenError::Unix { path: path.to_owned(), source };
    match fs::symlink_metadata(path) {
        Ok(found) if !found.file_type().is_socket() => {
            return Err(ListenError::NotASocket { path: path.to_owned() });
        }
        Ok(_) if is_answered(path).await => {
            return Err(ListenError::SocketTaken { path: path.to_owned() });
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    // As short as the socket's own name, because socket paths have room for
    // about 100 bytes.
    let nest = path.with_file_name(format!(".s{:06x}", rand::random_range(0..1u32 << 24)));
    let hatch = || -> io::Result<UnixListener> {
        let egg = nest.join("s");
        let listener = UnixListener::bind(&egg)?;
        fs::set_permissions(&egg, Permissions::from_mode(0o600))?;
        fs::rename(&egg, path)?;
        Ok(listener)
    };
    DirBuilder::new().mode(0o700).create(&nest).map_err(failed)?;
    let listener = hatch();
    let _ = fs::remove_dir_all(&nest);
    listener.map_err(failed)
}

/// Whether a process listens on this socket. Only a plain refusal says no: a
/// daemon that is stopped or too busy to accept still owns its socket.
async fn is_answered(path: &Path) -> bool {
    // A connection to a Unix socket is made or refused at once.
    match timeout(Duration::from_secs(1), UnixStream::connect(path)).await {
        Ok(Err(error)) => {
            !matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound)
        }
        Ok(Ok(_)) | Err(_) => true,
    }
}

/// The address under which others reach a socket that is bound to `bound`. For
/// one bound to every address it is the one that the way into the network has;
/// nothing is sent to find out.
pub fn network_address(bound: IpAddr) -> Option<IpAddr> {
    if !bound.is_unspecified() {
        return Some(bound).filter(|ip| !ip.is_loopback());
    }
    // Addresses that are kept free for examples: the kernel chooses a way, and nobody is there.
    let ways = [("0.0.0.0:0", "192.0.2.1:9"), ("[::]:0", "[2001:db8::1]:9")];
    let address = |(own, other): (&str, &str)| {
        let socket = std::net::UdpSocket::bind(own).ok()?;
        socket.connect(other).ok()?;
        Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
    };
    ways.into_iter().find_map(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::home::Home;
    use crate::http::tls::Tls;
    use tokio::io::AsyncReadExt;

    const LOCAL: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[tokio::test]
    async fn a_taken_port_is_named_with_its_holder_and_the_way_out() {
        let first = bind_tcp(LOCAL, 0).await.unwrap();
        let port = first.local_addr().unwrap().port();
        let error = bind_tcp(LOCAL, port).await.unwrap_err().to_string();
        assert!(error.contains(&format!("port {port}")), "{error}");
        assert!(error.contains("SCHMUX_PORT") && error.contains("config.toml"), "{error}");
        if cfg!(target_os = "linux") {
            assert!(error.contains(&format!("pid {}", std::process::id())), "{error}");
        }
    }

    #[tokio::test]
    async fn an_address_of_another_machine_is_said_so() {
        let error = bind_tcp("192.0.2.1".parse().unwrap(), 0).await.unwrap_err();
        assert!(matches!(error, ListenError::NoSuchAddress { .. }), "{error}");
    }

    #[test]
    fn only_loopback_does_without_tls() {
        for (addr, expected) in [
            ("127.0.0.1", false),
            ("127.9.9.9", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("0.0.0.0", true),
            ("::", true),
            ("192.168.1.5", true),
        ] {
            assert_eq!(needs_tls(addr.parse().unwrap()), expected, "{addr}");
        }
    }

    #[tokio::test]
    async fn a_crowd_of_silent_connections_loses_its_oldest() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["localhost".to_owned()];
        let tls = Tls::self_signed(&Home::at(dir.path()), &names, jiff::Timestamp::now()).unwrap();
        let mut listener = TlsListener::new(bind_tcp(LOCAL, 0).await.unwrap(), tls.acceptor());
        listener.most = 2;
        let addr = Listener::local_addr(&listener).unwrap();
        let accepting = tokio::spawn(async move { listener.accept().await });
        let mut oldest = TcpStream::connect(addr).await.unwrap();
        let mut others = Vec::new();
        for _ in 0..2 {
            others.push(TcpStream::connect(addr).await.unwrap());
        }
        // Well before the patience with silent ones is over.
        let read = timeout(TlsListener::PATIENCE / 2, oldest.read(&mut [0; 1])).await.unwrap();
        assert_eq!(read.unwrap_or(0), 0, "it was closed");
        accepting.abort();
    }

    #[tokio::test]
    async fn the_unix_socket_is_private_and_replaces_only_a_dead_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.sock");
        let first = bind_unix(&path).await.unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left");
        UnixStream::connect(&path).await.unwrap();

        let error = bind_unix(&path).await.unwrap_err();
        assert!(matches!(error, ListenError::SocketTaken { .. }), "{error}");
        UnixStream::connect(&path).await.unwrap();

        drop(first);
        assert!(path.exists());
        let _second = bind_unix(&path).await.unwrap();
        UnixStream::connect(&path).await.unwrap();
    }

    #[tokio::test]
    async fn a_file_in_the_sockets_place_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.sock");
        fs::write(&path, "precious").unwrap();
        let error = bind_unix(&path).await.unwrap_err();
        assert!(matches!(error, ListenError::NotASocket { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    }
}
