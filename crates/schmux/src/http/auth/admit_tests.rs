//! Who comes in and who doesn't, row by row.

use super::*;
use axum::http::HeaderValue;

const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const OTHER: &str = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

fn policy(bind: &str, tls: bool, allowed: &[&str]) -> Policy {
    let allowed: Vec<String> = allowed.iter().map(|host| (*host).to_owned()).collect();
    Policy::new(Keys::from_token(TOKEN), bind.parse().unwrap(), tls, &allowed).unwrap()
}

/// `request` is a head as it goes over the wire: `GET /path`, then a header a
/// line. `{cookie}`, `{token}` and `{other}` stand for the secrets.
fn outcome(policy: &Policy, request: &str) -> String {
    let cookie = format!("{}={}", policy.cookie_name, policy.keys.cookie_value());
    let request =
        request.replace("{cookie}", &cookie).replace("{token}", TOKEN).replace("{other}", OTHER);
    let mut lines = request.lines().map(str::trim);
    let (method, target) = lines.next().unwrap().split_once(' ').unwrap();
    let uri: axum::http::Uri = target.parse().unwrap();
    let mut builder = axum::http::Request::builder().method(method).uri(uri);
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        let value = HeaderValue::from_bytes(value.trim().as_bytes()).unwrap();
        builder = builder.header(name, value);
    }
    let (parts, ()) = builder.body(()).unwrap().into_parts();
    match admit(policy, &RequestFacts::of(&parts)) {
        Admission::Enter => "enter".to_owned(),
        Admission::LogIn { location } => format!("login {location}"),
        Admission::Refuse(refusal) => match refusal {
            Refusal::NoHost => "no host",
            Refusal::HostNotAllowed { .. } => "host",
            Refusal::OriginNotAllowed { .. } => "origin",
            Refusal::CrossSite => "cross-site",
            Refusal::WrongToken => "wrong token",
            Refusal::NoSecret => "no secret",
        }
        .to_owned(),
    }
}

fn check(policy: &Policy, rows: &[(&str, &str)]) {
    for (request, expected) in rows {
        assert_eq!(outcome(policy, request), *expected, "{request}");
    }
}

#[test]
fn only_names_that_are_ours_are_answered() {
    let local = policy("127.0.0.1:7337", false, &[]);
    let rows: &[(&str, &str)] = &[
        ("127.0.0.1:7337", "enter"),
        ("localhost:7337", "enter"),
        ("LOCALHOST:7337", "enter"),
        ("localhost.:7337", "enter"),
        ("[::1]:7337", "enter"),
        ("[0:0::1]:7337", "enter"),
        // DNS rebinding, in its many spellings.
        ("evil.example:7337", "host"),
        ("evil.example", "host"),
        ("localhost.evil.example:7337", "host"),
        ("127.0.0.1.evil.example:7337", "host"),
        ("127.0.0.1.nip.io:7337", "host"),
        ("evil-localhost:7337", "host"),
        ("sub.localhost:7337", "host"),
        // Another address or another port is another program.
        ("10.0.0.1:7337", "host"),
        ("0.0.0.0:7337", "host"),
        ("127.0.0.1:7338", "host"),
        ("127.0.0.1", "host"),
        ("localhost:80", "host"),
        ("[::2]:7337", "host"),
        // What is no host at all.
        ("", "host"),
        ("localhost:7337@evil.example", "host"),
        ("user@localhost:7337", "host"),
        ("localhost:7337/", "host"),
        ("localhost:7337, evil.example", "host"),
        ("localhost:7337:7337", "host"),
        ("localhost:+7337", "host"),
        ("localhost:", "host"),
        ("localhost:99999", "host"),
        ("[::1", "host"),
        ("::1", "host"),
        ("%6cocalhost:7337", "host"),
        ("löcalhost:7337", "host"),
    ];
    for (host, expected) in rows {
        let request = format!("GET /api/sessions\nHost: {host}\nCookie: {{cookie}}");
        assert_eq!(outcome(&local, &request), *expected, "{host}");
    }
    check(
        &local,
        &[
            ("GET /\nCookie: {cookie}", "no host"),
            ("GET /\nHost: localhost:7337\nHost: localhost:7337", "no host"),
            ("GET /\nHost: localhost:7337\nHost: evil.example", "no host"),
            ("GET http://evil.example/\nHost: localhost:7337", "host"),
            ("GET http://localhost:7337/\nHost: evil.example", "host"),
            ("GET http://localhost:7337/\nHost: localhost:7337", "enter"),
        ],
    );
}

#[test]
fn more_names_come_from_the_address_the_port_and_the_config() {
    let check = |policy: &Policy, host: &str, expected: &str| {
        let request = format!("GET /\nHost: {host}");
        assert_eq!(outcome(policy, &request), expected, "{host}");
    };
    let web = policy("127.0.0.1:80", false, &[]);
    check(&web, "localhost", "enter");
    check(&web, "localhost:80", "enter");
    check(&web, "localhost:443", "host");
    let tls = policy("192.168.1.5:443", true, &[]);
    check(&tls, "192.168.1.5", "enter");
    check(&tls, "192.168.1.6", "host");
    let everywhere = policy("0.0.0.0:7337", true, &[]);
    check(&everywhere, "192.168.1.5:7337", "enter");
    check(&everywhere, "[fe80::1]:7337", "enter");
    check(&everywhere, "192.168.1.5:7338", "host");
    check(&everywhere, "evil.example:7337", "host");
    let proxied = policy("127.0.0.1:7337", false, &["Box.Example", "dev.example:8443"]);
    check(&proxied, "box.example", "enter");
    check(&proxied, "box.example:9000", "enter");
    check(&proxied, "a.box.example", "host");
    check(&proxied, "dev.example:8443", "enter");
    check(&proxied, "dev.example", "host");
    check(&proxied, "dev.example:8444", "host");
}

#[test]
fn pages_of_others_are_refused() {
    let local = policy("127.0.0.1:7337", false, &[]);
    let rows: &[(&str, &str)] = &[
        ("http://127.0.0.1:7337", "enter"),
        ("http://localhost:7337", "enter"),
        ("http://[::1]:7337", "enter"),
        ("https://evil.example", "origin"),
        ("http://evil.example:7337", "origin"),
        ("http://localhost:3000", "origin"),
        ("http://127.0.0.1", "origin"),
        ("null", "origin"),
        ("", "origin"),
        ("file://", "origin"),
        ("localhost:7337", "origin"),
        ("ftp://localhost:7337", "origin"),
        ("chrome-extension://localhost:7337", "origin"),
        ("http://localhost:7337@evil.example", "origin"),
        ("http://evil.example#localhost:7337", "origin"),
        ("http://localhost:7337.evil.example", "origin"),
    ];
    for (origin, expected) in rows {
        for method in ["GET", "POST", "DELETE", "OPTIONS", "HEAD"] {
            let request = format!(
                "{method} /api/sessions\nHost: 127.0.0.1:7337\nOrigin: {origin}\nCookie: {{cookie}}"
            );
            assert_eq!(outcome(&local, &request), *expected, "{method} {origin}");
        }
        let socket = format!(
            "GET /ws/dashboard\nHost: 127.0.0.1:7337\nUpgrade: websocket\nOrigin: {origin}\n\
             Cookie: {{cookie}}"
        );
        assert_eq!(outcome(&local, &socket), *expected, "socket {origin}");
    }
    let both = "GET /api/sessions\nHost: localhost:7337\nCookie: {cookie}\n\
                Origin: http://localhost:7337\nOrigin: http://evil.example";
    check(&local, &[(both, "origin")]);
}

#[test]
fn origins_behind_a_proxy_or_tls() {
    let row = |policy: &Policy, host: &str, origin: &str, expected: &str| {
        let request =
            format!("POST /api/spawn\nHost: {host}\nOrigin: {origin}\nCookie: {{cookie}}");
        assert_eq!(outcome(policy, &request), expected, "{host} {origin}");
    };
    let proxied = policy("127.0.0.1:7337", false, &["box.example"]);
    row(&proxied, "box.example", "https://box.example", "enter");
    row(&proxied, "box.example:8443", "https://box.example:8443", "enter");
    // The proxy set `Host` to the address it connects to.
    row(&proxied, "127.0.0.1:7337", "https://box.example", "enter");
    // Another program on the proxy's machine.
    row(&proxied, "box.example", "https://box.example:9000", "origin");
    row(&proxied, "box.example", "https://other.example", "origin");
    let web = policy("127.0.0.1:80", false, &[]);
    row(&web, "localhost", "http://localhost", "enter");
    row(&web, "localhost", "http://localhost:80", "enter");
    row(&web, "localhost", "https://localhost", "origin");
    row(&web, "localhost", "http://localhost:443", "origin");
    let secure = policy("192.168.1.5:443", true, &[]);
    row(&secure, "192.168.1.5", "https://192.168.1.5", "enter");
    row(&secure, "192.168.1.5", "http://192.168.1.5", "origin");
    let tls = policy("0.0.0.0:7337", true, &[]);
    row(&tls, "192.168.1.5:7337", "https://192.168.1.5:7337", "enter");
    row(&tls, "192.168.1.5:7337", "http://192.168.1.5:7337", "origin");
    row(&tls, "192.168.1.5:7337", "https://6.6.6.6:7337", "origin");
}

#[test]
fn browsers_tell_when_a_page_of_another_site_asks() {
    let local = policy("127.0.0.1:7337", false, &[]);
    let head = "Host: localhost:7337\nCookie: {cookie}";
    let row = |request: &str, fetch: &str, expected: &str| {
        let request = format!("{request}\n{head}\n{fetch}");
        assert_eq!(outcome(&local, &request), expected, "{request}");
    };
    row("GET /api/sessions", "Sec-Fetch-Site: same-origin\nSec-Fetch-Mode: cors", "enter");
    row("GET /api/sessions", "Sec-Fetch-Site: none\nSec-Fetch-Mode: navigate", "enter");
    row("GET /", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate", "enter");
    row("GET /", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: no-cors", "cross-site");
    row("GET /assets/a.js", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: no-cors", "cross-site");
    row("GET /api/sessions", "Sec-Fetch-Site: same-site\nSec-Fetch-Mode: cors", "cross-site");
    row("POST /api/spawn", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate", "cross-site");
    row("GET /ws/dashboard", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: websocket", "cross-site");
    row("GET /api/sessions", "Sec-Fetch-Site: strange\nSec-Fetch-Mode: cors", "cross-site");
}

#[test]
fn a_secret_is_needed_for_all_but_the_page() {
    let local = policy("127.0.0.1:7337", false, &[]);
    let row = |request: &str, expected: &str| {
        let (first, rest) = request.split_once('\n').unwrap_or((request, ""));
        let request = format!("{first}\nHost: localhost:7337\n{rest}");
        assert_eq!(outcome(&local, request.trim()), expected, "{request}");
    };
    row("GET /", "enter");
    row("GET /index.html", "enter");
    row("HEAD /assets/index-1a2b.js", "enter");
    row("GET /favicon.svg", "enter");
    row("GET /api/healthz", "enter");
    row("POST /api/healthz", "no secret");
    row("POST /", "no secret");
    row("GET /api", "no secret");
    row("GET /api/", "no secret");
    row("GET /api/sessions", "no secret");
    row("GET /api/healthz/../sessions", "no secret");
    row("GET /api/sessions.json", "no secret");
    row("GET //api/sessions", "no secret");
    row("GET /%61pi/sessions", "no secret");
    row("GET /metrics", "no secret");
    row("GET /ws/dashboard\nUpgrade: websocket", "no secret");
    row("GET /\nUpgrade: websocket", "no secret");
    row("GET /api/sessions\nCookie: {cookie}", "enter");
    row("GET /ws/dashboard\nUpgrade: websocket\nCookie: {cookie}", "enter");
    row("POST /api/spawn\nAuthorization: Bearer {token}", "enter");
    row("POST /api/spawn\nAuthorization: bearer   {token}", "enter");
    row("POST /api/spawn\nAuthorization: Bearer {other}", "wrong token");
    row("POST /api/spawn\nAuthorization: Bearer ", "no secret");
    row("POST /api/spawn\nAuthorization: Bearer {token}0", "wrong token");
    row("POST /api/spawn\nAuthorization: Basic {token}", "no secret");
    row("POST /api/spawn\nAuthorization: {token}", "no secret");
    // Cookies: of another instance, the token itself, an empty one, among others.
    row("GET /api/sessions\nCookie: schmux_7338=0123", "no secret");
    row("GET /api/sessions\nCookie: schmux_7337={token}", "no secret");
    row("GET /api/sessions\nCookie: schmux_7337=", "no secret");
    row("GET /api/sessions\nCookie: x{cookie}", "no secret");
    row("GET /api/sessions\nCookie: {cookie}0", "no secret");
    row("GET /api/sessions\nCookie: a=b; {cookie}; c", "enter");
    row("GET /api/sessions\nCookie: schmux_7337=planted; {cookie}", "enter");
    row("GET /api/sessions\nCookie: {cookie}; schmux_7337=planted", "enter");
    row("GET /api/sessions\nCookie: a=b\nCookie: {cookie}", "enter");
}

#[test]
fn a_link_with_the_token_logs_in_and_loses_it() {
    let local = policy("127.0.0.1:7337", false, &[]);
    let row = |request: &str, expected: &str| {
        let (first, rest) = request.split_once('\n').unwrap_or((request, ""));
        let request = format!("{first}\nHost: localhost:7337\n{rest}");
        assert_eq!(outcome(&local, request.trim()), expected, "{request}");
    };
    row("GET /?token={token}", "login ./");
    row("GET /?a=1&token={token}&b=%26", "login ./?a=1&b=%26");
    row(
        "GET /?token=%30123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "login ./",
    );
    row("GET /?token={other}&token={token}", "login ./");
    row("GET /deep/er/place?token={token}", "login ./place");
    row("GET /deep/er/?token={token}", "login ./");
    // None of these may lead away from here.
    row("GET //evil.example?token={token}", "login ./evil.example");
    row("GET //evil.example/?token={token}", "login ./");
    row("GET /javascript:alert(1)?token={token}", "login ./javascript:alert(1)");
    row("GET /https://evil.example?token={token}", "login ./evil.example");
    row("GET /?token={token}&//evil.example", "login ./?//evil.example");
    // An old link in a browser that is in already.
    row("GET /?token={other}\nCookie: {cookie}", "login ./");
    row("GET /?token={other}", "wrong token");
    row("GET /?token=", "wrong token");
    row("GET /?token", "wrong token");
    row("GET /?Token={token}", "enter");
    row("GET /api/sessions?tokens={token}", "no secret");
    // Only a person's window logs in: not a script, a form or a socket.
    row("POST /?token={token}", "no secret");
    row("GET /api/sessions?token={token}\nSec-Fetch-Mode: cors", "no secret");
    row("GET /ws/dashboard?token={token}\nUpgrade: websocket", "no secret");
    let rebound = "GET /?token={token}\nHost: evil.example:7337";
    check(&local, &[(rebound, "host")]);
}
