//! TLS for addresses that others can reach: the user's certificate, or one of our own.
//!
//! Our own lives in the home and is made anew when it is about to expire, is
//! broken, or lacks a name that it should have. Nobody vouches for it, so its
//! fingerprint is shown to the user, who compares it in the browser.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::{Timestamp, ToSpan, tz::TimeZone};
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use sha2::{Digest, Sha256};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};

use super::auth::replace_secret;
use crate::home::Home;

/// A certificate with its key, ready to serve.
#[derive(Clone)]
pub struct Tls {
    config: Arc<ServerConfig>,
    fingerprint: String,
}

#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("can't read {}: {source}. It should be a PEM file; correct `tls` in config.toml", path.display())]
    Read { path: PathBuf, source: pem::Error },
    #[error("{} holds no certificate: correct `tls` in config.toml", path.display())]
    Empty { path: PathBuf },
    #[error("the certificate {} and the key {} don't go together: {source}", cert.display(), key.display())]
    Mismatch { cert: PathBuf, key: PathBuf, source: rustls::Error },
    #[error("can't make a certificate for {}: {source}", names.join(", "))]
    Make { names: Vec<String>, source: rcgen::Error },
    #[error("can't write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl Tls {
    /// The certificate and key that the user configured, else one of our own
    /// in `home` for `names` ([`Policy::names`](super::auth::Policy::names)).
    pub fn load(
        configured: Option<(&Path, &Path)>,
        home: &Home,
        names: &[String],
        now: Timestamp,
    ) -> Result<Tls, TlsError> {
        match configured {
            Some((cert, key)) => Tls::from_files(cert, key),
            None => Tls::self_signed(home, names, now),
        }
    }

    /// A certificate (with its chain) and a key that the user keeps, both PEM.
    pub fn from_files(cert: &Path, key: &Path) -> Result<Tls, TlsError> {
        let read = |path: &Path| {
            let path = path.to_owned();
            move |source| TlsError::Read { path, source }
        };
        let chain: Vec<CertificateDer<'static>> =
            CertificateDer::pem_file_iter(cert).and_then(Iterator::collect).map_err(read(cert))?;
        let secret = PrivateKeyDer::from_pem_file(key).map_err(read(key))?;
        let first = chain.first().ok_or_else(|| TlsError::Empty { path: cert.to_owned() })?;
        let fingerprint = fingerprint(first);
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map(|builder| builder.with_no_client_auth())
            .and_then(|builder| builder.with_single_cert(chain, secret))
            .map_err(|source| TlsError::Mismatch {
                cert: cert.to_owned(),
                key: key.to_owned(),
                source,
            })?;
        // WebSockets need HTTP/1.1.
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Tls { config: Arc::new(config), fingerprint })
    }

    /// The certificate in `home`, made for `names` (host names and addresses)
    /// if there is none that will do.
    pub fn self_signed(home: &Home, names: &[String], now: Timestamp) -> Result<Tls, TlsError> {
        let (cert, key) = (home.tls_cert(), home.tls_key());
        if let Ok(kept) = Tls::from_files(&cert, &key)
            && will_do(&cert, names, now)
        {
            return Ok(kept);
        }
        let made = make(names, now);
        let (cert_pem, key_pem) =
            made.map_err(|source| TlsError::Make { names: names.to_vec(), source })?;
        for (path, content) in [(&key, key_pem), (&cert, cert_pem)] {
            replace_secret(path, content.as_bytes())
                .map_err(|source| TlsError::Write { path: path.clone(), source })?;
        }
        Tls::from_files(&cert, &key)
    }

    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.config.clone())
    }

    /// The certificate's SHA-256 as browsers show it: `AB:CD:…`.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").field("fingerprint", &self.fingerprint).finish_non_exhaustive()
    }
}

/// Systems refuse certificates that a user trusts by hand if they last longer than 825 days.
const LIFETIME_DAYS: i64 = 820;

/// A daemon may run for weeks after it looked at its certificate.
const SPARE: Duration = Duration::from_secs(60 * 24 * 3600);

fn make(names: &[String], now: Timestamp) -> Result<(String, String), rcgen::Error> {
    let date = |days: i64| {
        let date = now.to_zoned(TimeZone::UTC).date().saturating_add(days.days());
        rcgen::date_time_ymd(date.year().into(), date.month() as u8, date.day() as u8)
    };
    let mut params = CertificateParams::new(names)?;
    // From yesterday, for clients whose clock is behind.
    params.not_before = date(-1);
    params.not_after = date(LIFETIME_DAYS);
    params.distinguished_name.push(DnType::CommonName, "schmux");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    let cert = params.self_signed(&key)?;
    Ok((cert.pem(), key.serialize_pem()))
}

/// Whether a client that trusts this certificate would accept it under each of
/// the names, now and for a while.
fn will_do(cert: &Path, names: &[String], now: Timestamp) -> bool {
    let Ok(cert) = CertificateDer::from_pem_file(cert) else { return false };
    let mut roots = RootCertStore::empty();
    if roots.add(cert.clone()).is_err() {
        return false;
    }
    let Ok(verifier) =
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build()
    else {
        return false;
    };
    let since_epoch = Duration::try_from(now.as_duration()).unwrap_or_default();
    let accepted = |name: &ServerName<'_>, at: Duration| {
        let time = UnixTime::since_unix_epoch(at);
        verifier.verify_server_cert(&cert, &[], name, &[], time).is_ok()
    };
    // What is no valid name can't be asked for, so no certificate lacks it.
    let mut names = names.iter().filter_map(|name| ServerName::try_from(name.as_str()).ok());
    names.all(|name| accepted(&name, since_epoch) && accepted(&name, since_epoch + SPARE))
}

fn fingerprint(cert: &CertificateDer<'_>) -> String {
    Sha256::digest(cert).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn our_own_certificate_is_kept_until_it_no_longer_does() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let here = names(&["localhost", "192.168.1.5", "::1"]);
        let now = Timestamp::now();
        let later = |days: i64| now + (days * 24).hours();
        let first = Tls::self_signed(&home, &here, now).unwrap();
        assert_eq!(first.fingerprint().len(), 32 * 3 - 1);
        for path in [home.tls_cert(), home.tls_key()] {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let again = |names: &[String], at| Tls::self_signed(&home, names, at).unwrap();
        assert_eq!(again(&here, now).fingerprint(), first.fingerprint());
        assert_eq!(again(&here, later(700)).fingerprint(), first.fingerprint());

        let renewed = again(&here, later(800));
        assert_ne!(renewed.fingerprint(), first.fingerprint(), "it would have expired");
        let more = names(&["localhost", "box.example"]);
        let wider = again(&more, later(800));
        assert_ne!(wider.fingerprint(), renewed.fingerprint(), "it lacked a name");

        fs::write(home.tls_key(), "broken").unwrap();
        assert_ne!(again(&more, later(800)).fingerprint(), wider.fingerprint());
    }

    #[test]
    fn bad_files_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let (cert, key) = (dir.path().join("cert.pem"), dir.path().join("key.pem"));
        let error = |cert: &Path, key: &Path| Tls::from_files(cert, key).unwrap_err().to_string();
        assert!(error(&cert, &key).contains("cert.pem"));
        let (cert_pem, key_pem) = make(&names(&["localhost"]), Timestamp::now()).unwrap();
        fs::write(&cert, "").unwrap();
        fs::write(&key, key_pem).unwrap();
        assert!(error(&cert, &key).contains("holds no certificate"));
        fs::write(&cert, cert_pem).unwrap();
        Tls::from_files(&cert, &key).unwrap();
        fs::write(&key, make(&names(&["localhost"]), Timestamp::now()).unwrap().1).unwrap();
        assert!(error(&cert, &key).contains("don't go together"));
    }
}
