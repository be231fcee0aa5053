//! Host names as requests carry them, and the rules for which of them are ours.
//!
//! A page elsewhere can let its own name resolve to 127.0.0.1 (DNS rebinding);
//! its requests then reach us with that name in `Host`. So only names that we
//! know are answered.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// A host in one spelling (lower case, no final dot, addresses without
/// brackets and in their shortest form), and the port if one was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Authority {
    pub(super) host: String,
    pub(super) port: Option<u16>,
}

impl Authority {
    /// `host`, `host:port`, `[v6]` or `[v6]:port`; anything else is `None`,
    /// user names, paths and empty hosts included.
    pub(super) fn parse(text: &str) -> Option<Authority> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, port) = rest.split_once(']')?;
                (address.parse::<Ipv6Addr>().ok()?.to_string(), port)
            }
            None => {
                let (host, port) = text.split_at(text.find(':').unwrap_or(text.len()));
                (plain_host(host)?, port)
            }
        };
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => None,
            // `u16::from_str` takes a sign, which no URL does.
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            _ => return None,
        };
        Some(Authority { host, port })
    }

    fn is_address(&self) -> bool {
        self.host.parse::<IpAddr>().is_ok()
    }
}

fn plain_host(host: &str) -> Option<String> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let known = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
    let plain = !host.is_empty() && !host.starts_with('.') && host.bytes().all(known);
    plain.then(|| host.to_ascii_lowercase())
}

/// An entry of `allowed_hosts` that is no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("allowed_hosts: `{entry}` is not a host: write `box.example` or `box.example:8443`")]
pub struct BadHost {
    pub entry: String,
}

impl BadHost {
    /// Whether an entry of `allowed_hosts` is a host.
    pub fn check(entry: &str) -> Result<(), BadHost> {
        parse(entry).map(|_| ())
    }
}

fn parse(entry: &str) -> Result<Authority, BadHost> {
    Authority::parse(entry.trim()).ok_or_else(|| BadHost { entry: entry.to_owned() })
}

/// Which hosts are ours.
#[derive(Debug, Clone)]
pub(super) struct Hosts {
    port: u16,
    /// The port that URLs of our scheme leave out.
    default_port: u16,
    /// Ours with our own port.
    own: Vec<String>,
    /// Bound to all addresses: any address is then ours, with our port. A name
    /// can be rebound, an address can't.
    any_address: bool,
    allowed: Vec<Authority>,
}

impl Hosts {
    pub(super) fn new(bind: SocketAddr, tls: bool, allowed: &[String]) -> Result<Hosts, BadHost> {
        let mut own: Vec<String> = ["127.0.0.1", "localhost", "::1"].map(str::to_owned).into();
        let address = bind.ip().to_canonical();
        if !address.is_unspecified() {
            own.push(address.to_string());
        }
        Ok(Hosts {
            port: bind.port(),
            default_port: if tls { 443 } else { 80 },
            own,
            any_address: address.is_unspecified(),
            allowed: allowed.iter().map(|entry| parse(entry)).collect::<Result<_, _>>()?,
        })
    }

    /// Every name and address that a certificate for us should hold.
    pub(super) fn names(&self) -> Vec<String> {
        let listed = self.allowed.iter().map(|rule| &rule.host);
        let mut names: Vec<String> = self.own.iter().chain(listed).cloned().collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether a request may be meant for `host`. A name in `allowed_hosts`
    /// without a port stands for all of its ports.
    pub(super) fn answer_to(&self, host: &Authority) -> bool {
        let listed = |rule: &Authority| rule.host == host.host && any_or_same(rule, host);
        let address = self.any_address && host.is_address() && self.has_our_port(host);
        self.is_own(host) || address || self.allowed.iter().any(listed)
    }

    /// Whether a page from `origin` may send requests to `host`: the same
    /// place, or another that is ours. Narrower than [`Hosts::answer_to`]: a
    /// different port is a different program, and its pages are foreign.
    pub(super) fn trust(&self, origin: &Authority, host: &Authority) -> bool {
        let same = origin.host == host.host && default_or_same(origin, host);
        // Under our own names nothing stands between, so the port is known exactly.
        let same = same && !self.is_own(host);
        let listed = |rule: &Authority| rule.host == origin.host && default_or_same(rule, origin);
        same || self.is_own(origin) || self.allowed.iter().any(listed)
    }

    fn is_own(&self, host: &Authority) -> bool {
        self.has_our_port(host) && self.own.contains(&host.host)
    }

    fn has_our_port(&self, host: &Authority) -> bool {
        host.port.unwrap_or(self.default_port) == self.port
    }
}

fn any_or_same(rule: &Authority, host: &Authority) -> bool {
    rule.port.is_none() || default_or_same(rule, host)
}

/// Behind a proxy we don't know the browser's scheme, so a port that was left
/// out may be either default.
fn default_or_same(a: &Authority, b: &Authority) -> bool {
    let default = |port: Option<u16>| matches!(port, None | Some(80 | 443));
    a.port == b.port || (a.port.is_none() || b.port.is_none()) && default(a.port.or(b.port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Option<String> {
        Authority::parse(text).map(|a| format!("{} {:?}", a.host, a.port))
    }

    #[test]
    fn one_host_has_one_spelling() {
        let same = |a, b| assert_eq!(spelled(a), spelled(b), "{a} {b}");
        same("LocalHost:7337", "localhost:7337");
        same("localhost.:7337", "localhost:7337");
        same("[0:0:0:0:0:0:0:1]:7337", "[::1]:7337");
        assert_eq!(spelled("[::1]").unwrap(), "::1 None");
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for text in [
            "",
            ".",
            ":7337",
            "a b",
            "a/b",
            "u@localhost",
            "localhost:7337@evil",
            "[::1",
            "::1",
            "[localhost]:1",
            "h:",
            "h:+1",
            "h:65536",
            "h:1:2",
            "*",
            "http://h",
            "h\\x",
            "h,g",
            "[::1]7337",
            "[::1%25lo]",
        ] {
            assert_eq!(spelled(text), None, "{text}");
        }
    }

    #[test]
    fn a_bad_entry_is_named() {
        let bind = "127.0.0.1:7337".parse().unwrap();
        let error = Hosts::new(bind, false, &["https://box/".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("`https://box/`"), "{error}");
    }
}
