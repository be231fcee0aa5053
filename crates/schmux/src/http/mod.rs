//! The API, the sockets and the page: over TCP behind the gate, over a Unix
//! socket (mode 0600) for the CLI.

pub mod api;
pub mod assets;
mod attach;
pub mod auth;
mod editor;
pub mod error;
mod hosts;
pub mod listen;
mod mail;
pub mod openapi;
pub mod reception;
pub mod replay;
pub mod settings;
mod state;
pub mod tls;
mod whole;
pub mod workspaces;
mod ws;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use jiff::Timestamp;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;

use crate::app::App;
use crate::config::Server;
use crate::home::Home;
use auth::{Keys, Policy};
use listen::TlsListener;
use reception::Reception;
use tls::Tls;

/// How long open requests may take to end once the daemon stops. Sockets of
/// viewers would stay for ever; they reconnect by themselves.
const GOODBYE: Duration = Duration::from_millis(300);

/// The two places where requests come in, bound and not yet served.
pub struct Door {
    tcp: TcpListener,
    unix: UnixListener,
    address: SocketAddr,
    tls: Option<Tls>,
    policy: Policy,
    token: String,
}

impl Door {
    pub async fn open(home: &Home, settings: &Server, keys: Keys) -> anyhow::Result<Door> {
        let tcp = listen::bind_tcp(settings.bind, settings.port).await?;
        let address = tcp.local_addr()?;
        let files = settings.tls_cert.as_deref().zip(settings.tls_key.as_deref());
        let with_tls = files.is_some() || listen::needs_tls(settings.bind);
        let token = keys.token().to_owned();
        let policy = Policy::new(keys, address, with_tls, &settings.allowed_hosts)?;
        let tls = match with_tls {
            true => Some(Tls::load(files, home, &policy.names(), Timestamp::now())?),
            false => None,
        };
        if let Some(tls) = &tls {
            tracing::info!(fingerprint = tls.fingerprint(), "TLS certificate");
        }
        let socket = home.socket_to_make();
        let unix = listen::bind_unix(&socket).await?;
        home.tell_socket(&socket)
            .with_context(|| format!("can't leave a link to {}", socket.display()))?;
        Ok(Door { tcp, unix, address, tls, policy, token })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The page's address. For one bound to every address, loopback's.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            ip => ip,
        };
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", SocketAddr::new(ip, self.port()))
    }

    /// The address that logs a browser in.
    pub fn login_url(&self) -> String {
        format!("{}/?token={}", self.url(), self.token)
    }

    /// The same for other devices; none while only this machine can reach us.
    pub fn network_login_url(&self) -> Option<String> {
        let ip = listen::network_address(self.address.ip())?;
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let address = SocketAddr::new(ip, self.port());
        Some(format!("{scheme}://{address}/?token={}", self.token))
    }

    /// Serves until `stopping` says so.
    pub async fn serve(self, app: Arc<App>, stopping: watch::Receiver<bool>) -> anyhow::Result<()> {
        let routes = api::routes()
            .merge(workspaces::routes())
            .merge(mail::routes())
            .merge(replay::routes())
            .merge(settings::routes())
            .merge(state::routes())
            .merge(hosts::routes())
            .route_layer(axum::middleware::from_fn(whole::run))
            .merge(api::waiting())
            .merge(mail::waiting())
            .merge(hosts::waiting())
            .merge(ws::routes(&app));
        let routes = match cfg!(debug_assertions) {
            true => routes.route_layer(axum::middleware::from_fn(openapi::notice_undocumented)),
            false => routes,
        };
        let routes = routes
            .method_not_allowed_fallback(error::method_not_allowed)
            .fallback_service(assets::router());
        let guarded = auth::protect(routes.clone().with_state(app.clone()), self.policy);
        let own: Router = routes
            .merge(api::own_routes())
            .merge(attach::routes())
            .merge(hosts::own_routes())
            .merge(editor::routes())
            .with_state(app);
        let stop = |mut stopping: watch::Receiver<bool>| async move {
            // An error means that the sender is gone, which is the end as well.
            let _ = stopping.wait_for(|stop| *stop).await;
        };
        let unix = axum::serve(self.unix, own).with_graceful_shutdown(stop(stopping.clone()));
        let reception = Reception::new(guarded);
        let tcp = async {
            let stop = stop(stopping.clone());
            match self.tls {
                Some(tls) => {
                    reception.serve(TlsListener::new(self.tcp, tls.acceptor()), stop).await;
                }
                None => reception.serve(listen::plain(self.tcp), stop).await,
            }
            Ok(())
        };
        let goodbye = async {
            stop(stopping.clone()).await;
            tokio::time::sleep(GOODBYE).await;
        };
        tokio::select! {
            served = async { tokio::try_join!(tcp, async { unix.await }) } => { served?; }
            () = goodbye => {}
        }
        Ok(())
    }
}
