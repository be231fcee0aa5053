//! The decision who may come in, as a pure function: [`admit`].
//!
//! It sees a request's head and nothing else, knows no time and counts
//! nothing. What it doesn't understand is refused. In this order: is the
//! request meant for us (`Host`), does it come from our own page or from no
//! page at all (`Origin`, `Sec-Fetch-*`), and does it bring a secret.

use std::net::SocketAddr;

use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header, request::Parts};
use percent_encoding::percent_decode_str;

use super::host::{Authority, BadHost, Hosts};
use super::keys::{Keys, cookie_name};
use crate::http::error::Failure;

/// What one instance lets in over TCP.
#[derive(Debug, Clone)]
pub struct Policy {
    pub(super) keys: Keys,
    pub(super) cookie_name: String,
    pub(super) tls: bool,
    hosts: Hosts,
}

impl Policy {
    /// `bind` is the address really bound (no port 0). `allowed_hosts` are the
    /// further names under which browsers reach us, such as that of a reverse
    /// proxy: `box.example` (any port) or `box.example:8443`.
    pub fn new(
        keys: Keys,
        bind: SocketAddr,
        tls: bool,
        allowed_hosts: &[String],
    ) -> Result<Policy, BadHost> {
        let hosts = Hosts::new(bind, tls, allowed_hosts)?;
        Ok(Policy { keys, cookie_name: cookie_name(bind.port()), tls, hosts })
    }

    /// The names and addresses that we answer to, for a certificate of our own.
    pub fn names(&self) -> Vec<String> {
        self.hosts.names()
    }
}

/// What is known of a request when it knocks.
#[derive(Debug, Clone, Copy)]
pub struct RequestFacts<'a> {
    pub method: &'a Method,
    pub path: &'a str,
    pub query: Option<&'a str>,
    /// The authority of an absolute request target (`GET http://host/ HTTP/1.1`).
    pub target: Option<&'a str>,
    pub headers: &'a HeaderMap,
}

impl<'a> RequestFacts<'a> {
    pub fn of(parts: &'a Parts) -> RequestFacts<'a> {
        RequestFacts {
            method: &parts.method,
            path: parts.uri.path(),
            query: parts.uri.query(),
            target: parts.uri.authority().map(|authority| authority.as_str()),
            headers: &parts.headers,
        }
    }

    /// All values of a header. Bytes that aren't text become a value that matches nothing.
    fn all(&self, name: HeaderName) -> impl Iterator<Item = &'a str> + use<'a> {
        self.headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("\u{fffd}"))
    }

    fn is_safe(&self) -> bool {
        *self.method == Method::GET || *self.method == Method::HEAD
    }

    fn is_upgrade(&self) -> bool {
        self.headers.contains_key(header::UPGRADE)
    }

    /// Whether a person opens this in a window. Programs such as curl, which
    /// don't say, count as persons.
    fn is_navigation(&self) -> bool {
        let mode = self.all(HeaderName::from_static("sec-fetch-mode")).all(|m| m == "navigate");
        self.is_safe() && !self.is_upgrade() && mode
    }

    /// Whether the answer is for a person to read.
    pub(super) fn wants_page(&self) -> bool {
        let html = self.all(header::ACCEPT).any(|accept| accept.contains("text/html"));
        html && self.is_navigation() && !self.path.starts_with("/api/")
    }

    /// What everyone may read once `Host` and `Origin` are right: the files of
    /// the page, which hold no secrets and can say how to log in, and the
    /// health check. A new route is closed unless it is added here.
    fn is_public(&self) -> bool {
        let file = self.path.strip_prefix('/').unwrap_or_default();
        let in_root = !file.contains('/') && file.contains('.');
        let page = file.is_empty() || in_root || file.starts_with("assets/");
        self.is_safe() && !self.is_upgrade() && (page || self.path == "/api/healthz")
    }

    /// What an agent may ask by its own token: to speak for itself, to write to
    /// others and to see who they are. Whether it may is for the handlers to say.
    fn is_for_agents(&self) -> bool {
        let own = |path: &str| path.starts_with("/api/sessions/") && path.ends_with("/signal");
        match *self.method {
            Method::GET => matches!(self.path, "/api/sessions" | "/api/messages"),
            Method::POST => {
                self.path == "/api/messages"
                    || self.path.starts_with("/api/inbox")
                    || own(self.path)
            }
            _ => false,
        }
    }
}

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    Enter,
    /// Give the browser its cookie and send it to `location`, which is relative.
    LogIn {
        location: String,
    },
    Refuse(Refusal),
}

/// Why a request stays out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    NoHost,
    HostNotAllowed { host: String },
    OriginNotAllowed { origin: String },
    CrossSite,
    WrongToken,
    NoSecret,
}

/// Decides about one request.
pub fn admit(policy: &Policy, facts: &RequestFacts<'_>) -> Admission {
    match check_sender(policy, facts) {
        Err(refusal) => Admission::Refuse(refusal),
        Ok(()) => check_secret(policy, facts),
    }
}

fn check_sender(policy: &Policy, facts: &RequestFacts<'_>) -> Result<(), Refusal> {
    let mut hosts = facts.all(header::HOST);
    let (Some(named), None) = (hosts.next(), hosts.next()) else {
        return Err(Refusal::NoHost);
    };
    // An absolute target outranks `Host`, but both must be ours.
    let mut host = our_host(policy, named)?;
    if let Some(target) = facts.target {
        host = our_host(policy, target)?;
    }
    for origin in facts.all(header::ORIGIN) {
        let from = parse_origin(origin, policy.tls);
        if !from.is_some_and(|from| policy.hosts.trust(&from, &host)) {
            return Err(Refusal::OriginNotAllowed { origin: origin.to_owned() });
        }
    }
    // `same-site` is foreign too: it is what another port of localhost is to us.
    let mut site = facts.all(HeaderName::from_static("sec-fetch-site"));
    let foreign = site.any(|site| site != "same-origin" && site != "none");
    if foreign && !facts.is_navigation() {
        return Err(Refusal::CrossSite);
    }
    Ok(())
}

fn our_host(policy: &Policy, text: &str) -> Result<Authority, Refusal> {
    Authority::parse(text)
        .filter(|host| policy.hosts.answer_to(host))
        .ok_or_else(|| Refusal::HostNotAllowed { host: text.to_owned() })
}

/// The place that an `Origin` names; `null` is no place. With TLS on our side
/// a page that came without it can be anyone's.
fn parse_origin(origin: &str, tls: bool) -> Option<Authority> {
    let (scheme, rest) = origin.split_once("://")?;
    let default_port = match scheme {
        "https" => 443,
        "http" if !tls => 80,
        _ => return None,
    };
    let Authority { host, port } = Authority::parse(rest)?;
    Some(Authority { host, port: port.or(Some(default_port)) })
}

fn check_secret(policy: &Policy, facts: &RequestFacts<'_>) -> Admission {
    let has_cookie = cookies(facts, &policy.cookie_name)
        .fold(false, |any, value| any | policy.keys.is_cookie(value.as_bytes()));
    let bearer = facts.all(header::AUTHORIZATION).filter_map(bearer).next();
    let bearer_is_right = bearer.map(|token| {
        let is_agent = facts.is_for_agents() && policy.keys.agent_of(token).is_some();
        policy.keys.is_token(token.as_bytes()) || is_agent
    });
    let (tokens, rest) = split_query(facts.query.unwrap_or_default());

    if !tokens.is_empty() && facts.is_navigation() {
        let right = tokens.iter().any(|token| policy.keys.is_token(token));
        // An old link in a browser that is in already does no harm.
        if right || has_cookie {
            return Admission::LogIn { location: relative(facts.path, &rest) };
        }
        return Admission::Refuse(Refusal::WrongToken);
    }
    if has_cookie || bearer_is_right == Some(true) || facts.is_public() {
        return Admission::Enter;
    }
    Admission::Refuse(if bearer.is_some() { Refusal::WrongToken } else { Refusal::NoSecret })
}

/// The values of all cookies of that name: a neighbour on another port can add
/// one with a narrower path, which must not lock the right one out.
fn cookies<'a>(facts: &RequestFacts<'a>, name: &str) -> impl Iterator<Item = &'a str> {
    let pairs = facts.all(header::COOKIE).flat_map(|header| header.split(';'));
    pairs.filter_map(move |pair| {
        let (key, value) = pair.split_once('=')?;
        (key.trim() == name).then(|| value.trim().trim_matches('"'))
    })
}

pub(super) fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The tokens in a query, decoded, and the query without them, as it was.
fn split_query(query: &str) -> (Vec<Vec<u8>>, String) {
    let is_token = |item: &&str| item.split('=').next() == Some("token");
    let (tokens, rest): (Vec<&str>, Vec<&str>) =
        query.split('&').filter(|item| !item.is_empty()).partition(is_token);
    let value =
        |item: &str| percent_decode_str(item.split_once('=').unwrap_or_default().1).collect();
    (tokens.into_iter().map(value).collect(), rest.join("&"))
}

/// The same place, seen from itself. Relative, because a proxy may show us
/// under a path that we don't know; `./` in front, so that it can name neither
/// another host nor another scheme.
fn relative(path: &str, query: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or_default();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("./{last}{mark}{query}")
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let log_in = "run `schmux url` and open the link that it prints; \
                      programs send the header `Authorization: Bearer TOKEN`";
        match refusal {
            Refusal::NoHost => Failure::bad_request("no_host", "the request has no single Host")
                .advice("send one Host header with the name or address of this machine"),
            Refusal::HostNotAllowed { host } => Failure::new(
                StatusCode::MISDIRECTED_REQUEST,
                "host_not_allowed",
                format!("`{host}` is not a name that this schmux answers to"),
            )
            .advice(
                "if the name is yours (a reverse proxy, this machine in your network), add it to \
                 `allowed_hosts` in config.toml and restart; or open the link of `schmux url`",
            ),
            Refusal::OriginNotAllowed { origin } => Failure::new(
                StatusCode::FORBIDDEN,
                "origin_not_allowed",
                format!("pages of `{origin}` may not use this schmux"),
            )
            .advice("if that page is yours, add its host to `allowed_hosts` in config.toml"),
            Refusal::CrossSite => Failure::new(
                StatusCode::FORBIDDEN,
                "cross_site",
                "a page of another site sent this request",
            )
            .advice("open the dashboard itself"),
            Refusal::WrongToken => Failure::new(
                StatusCode::UNAUTHORIZED,
                "wrong_token",
                "the token is not that of this schmux",
            )
            .advice(log_in),
            Refusal::NoSecret => Failure::new(
                StatusCode::UNAUTHORIZED,
                "not_logged_in",
                "this browser or program has not logged in",
            )
            .advice(log_in),
        }
    }
}

#[cfg(test)]
#[path = "admit_tests.rs"]
mod tests;
