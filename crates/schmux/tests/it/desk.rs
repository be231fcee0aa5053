//! What the page needs besides terminals: settings, presets, recent workspaces, how
//! a session was started, links for other devices, and a proxy's sub-path.

use std::fs;

use schmux::client::ClientError;
use schmux::wire::{
    Login, Preset, RecentWorkspace, Session, SessionDetails, Settings, SettingsChange, SpawnRequest,
};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::support::Daemon;

async fn settings(daemon: &Daemon) -> Settings {
    daemon.client().get("/api/settings").await.unwrap()
}

async fn change(daemon: &Daemon, change: Value) -> Result<Settings, ClientError> {
    let change: SettingsChange = serde_json::from_value(change).unwrap();
    daemon.client().put("/api/settings", &change).await
}

fn value<'a>(settings: &'a Settings, section: &str, key: &str) -> &'a Value {
    let section = settings.sections.iter().find(|s| s.name == section).unwrap();
    &section.keys.iter().find(|k| k.name == key).unwrap().value
}

#[tokio::test]
async fn settings_are_changed_with_care() {
    let daemon = Daemon::with_config("# my own words\n[spawn]\ncols = 90 # wide enough\n");
    let first = settings(&daemon).await;
    assert_eq!(value(&first, "spawn", "cols"), &json!(90));
    assert_eq!(value(&first, "spawn", "rows"), &Value::Null);
    assert!(!first.restart_needed && first.problem.is_none());
    let targets = first.tables.iter().find(|table| table.name == "targets").unwrap();
    assert_eq!(targets.entries["sh"], json!({"command": ["sh", "-c"]}));

    let set = json!({"etag": first.etag, "set": {"spawn.cols": 100, "log.level": "debug"}});
    let second = change(&daemon, set.clone()).await.unwrap();
    let text = fs::read_to_string(daemon.home().config()).unwrap();
    assert_eq!(text, second.text);
    assert!(text.contains("# my own words\n[spawn]\ncols = 100 # wide enough\n"), "{text}");
    assert!(second.restart_needed);

    // An old state, a wrong value and a wrong name change nothing.
    let cases = [
        (set, "settings_changed", "has changed meanwhile"),
        (json!({"etag": second.etag, "set": {"spawn.cols": 3}}), "bad_settings", "`spawn.cols`: "),
        (
            json!({"etag": second.etag, "set": {"spawn.cols": 3}}),
            "bad_settings",
            "use a number from 20 to 1000",
        ),
        (
            json!({"etag": second.etag, "set": {"server.prot": 3}}),
            "bad_settings",
            "did you mean `port`?",
        ),
        (
            json!({"etag": second.etag, "text": "[server]\nport = 'x'"}),
            "bad_settings",
            "config.toml:2:8",
        ),
    ];
    for (wrong, code, words) in cases {
        match change(&daemon, wrong).await.unwrap_err() {
            ClientError::Refused { error, .. } => {
                assert_eq!(error.code, code, "{}", error.message);
                assert!(error.message.contains(words), "{}", error.message);
            }
            other => panic!("{other}"),
        }
        assert_eq!(fs::read_to_string(daemon.home().config()).unwrap(), second.text);
    }
    let back = json!({"etag": second.etag, "set": {"spawn.cols": 90}, "unset": ["log.level"]});
    assert!(!change(&daemon, back).await.unwrap().restart_needed);

    fs::write(daemon.home().config(), "[server]\nport = \"x\"\n").unwrap();
    let problem = settings(&daemon).await.problem.unwrap();
    assert_eq!((problem.line, problem.column), (2, 8));
}

#[tokio::test]
async fn presets_count_at_once_and_several_targets_run() {
    let daemon = Daemon::with_config("[targets.sh2]\ncommand = [\"sh\", \"-c\"]\n");
    let etag = settings(&daemon).await.etag;
    let work = daemon.path("work").to_string_lossy().into_owned();
    let preset =
        json!({"targets": ["sh", "sh2"], "args": ["cat"], "nickname": "pair", "workspace": work});
    let changed =
        change(&daemon, json!({"etag": etag, "set": {"presets.both": preset}})).await.unwrap();
    assert!(!changed.restart_needed, "presets need none");
    let presets: Vec<Preset> = daemon.client().get("/api/presets").await.unwrap();
    assert_eq!((presets[0].name.as_str(), presets[0].targets.len()), ("both", 2));
    let made: Vec<Session> =
        serde_json::from_str(&daemon.schmux(&["spawn", "--preset", "both", "--json"])).unwrap();
    let names: Vec<_> =
        made.iter().map(|s| (s.target.as_str(), s.nickname.as_deref().unwrap())).collect();
    assert_eq!(names, [("sh", "pair-sh"), ("sh2", "pair-sh2")]);
    let wrong = daemon.try_schmux(&["spawn", "--preset", "boht"]);
    let said = String::from_utf8_lossy(&wrong.stderr);
    assert!(said.contains("there is no preset") && said.contains("did you mean both?"), "{said}");
    let nothing: Result<Vec<Session>, _> =
        daemon.client().post("/api/spawn", &SpawnRequest::default()).await;
    assert!(nothing.unwrap_err().to_string().contains("names nothing to run"));
}

#[tokio::test]
async fn workspaces_are_remembered_by_their_last_use() {
    let daemon = Daemon::start();
    let recent =
        || async { daemon.client().get::<Vec<RecentWorkspace>>("/api/recent").await.unwrap() };
    let other = daemon.path("other");
    fs::create_dir_all(&other).unwrap();
    let session = daemon.run("cat").await;
    daemon.schmux(&["spawn", "-t", "sh", "-w", other.to_str().unwrap(), "--", "cat"]);
    let names = |list: &[RecentWorkspace]| -> Vec<String> {
        list.iter().map(|r| r.path.rsplit('/').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&recent().await), ["other", "work"]);
    daemon.run("cat").await;
    let list = recent().await;
    assert_eq!(names(&list), ["work", "other"]);
    assert_eq!((list[0].sessions, list[0].workspace_id.as_ref()), (2, Some(&session.workspace_id)));
    daemon.schmux(&["dispose", "--all", "--yes"]);
    daemon.schmux(&["stop"]);
    daemon.schmux(&["start"]);
    let list = recent().await;
    assert_eq!((names(&list), list[0].sessions), (vec!["work".into(), "other".into()], 0));
    fs::remove_dir_all(&other).unwrap();
    assert_eq!(names(&recent().await), ["work"]);
}

#[tokio::test]
async fn how_a_session_was_started_is_told_without_its_secrets() {
    let daemon = Daemon::with_config(
        "[targets.keyed]\ncommand = [\"sh\", \"-c\"]\nenv = { MY_KEY = \"hunter2hunter2\", PLAIN = \"a\\nb\" }\n",
    );
    let request = SpawnRequest {
        target: "keyed".into(),
        workspace: Some(daemon.path("work").to_string_lossy().into_owned()),
        args: vec!["cat # hunter2hunter2".into()],
        ..SpawnRequest::default()
    };
    let made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    let path = format!("/api/sessions/{}/details", made[0].id);
    let details: SessionDetails = daemon.client().get(&path).await.unwrap();
    assert!(details.pid.is_some() && details.dir.ends_with("/work"), "{details:?}");
    assert!(details.command.contains("cat"), "{}", details.command);
    let value = |name: &str| details.env.iter().find(|v| v.name == name).unwrap().value.as_str();
    assert_eq!(value("PLAIN"), "a\nb");
    assert_eq!(value("SCHMUX_SESSION_ID"), made[0].id);
    assert!(value("MY_KEY").starts_with("[masked") && value("SCHMUX_TOKEN").starts_with("[masked"));
    assert!(!serde_json::to_string(&details).unwrap().contains("hunter2"), "{details:?}");
}

#[tokio::test]
async fn other_devices_get_a_link_and_a_code() {
    let daemon = Daemon::with_config("[server]\nbind = \"0.0.0.0\"\n");
    let login: Login = daemon.client().get("/api/login").await.unwrap();
    let text = daemon.schmux(&["url", "--qr"]);
    assert!(text.contains('█') && text.contains("/?token="), "{text}");
    // A machine without a network has no other devices.
    if let Some(url) = login.network_url {
        assert!(url.starts_with("https://") && !url.contains("127.0.0.1"), "{url}");
        assert!(text.contains(&url));
    }
    let own = Daemon::start();
    let login: Login = own.client().get("/api/login").await.unwrap();
    assert_eq!(login.network_url, None);
}

/// A proxy that shows the daemon under `/sub/`, as nginx's `location /sub/` does.
async fn proxy(port: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let own = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut browser, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = vec![0; 16 << 10];
                let count = browser.read(&mut request).await.unwrap();
                let text = String::from_utf8_lossy(&request[..count]).replacen(" /sub/", " /", 1);
                let mut daemon = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                daemon.write_all(text.as_bytes()).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut browser, &mut daemon).await;
            });
        }
    });
    own
}

async fn ask(port: u16, path: &str, more: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: box.example\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn it_works_under_a_path_of_a_proxy() {
    let daemon = Daemon::with_config("[server]\nallowed_hosts = [\"box.example\"]\n");
    let port = proxy(daemon.status().await.port).await;
    let token = fs::read_to_string(daemon.home().token()).unwrap();
    let entered = ask(port, &format!("/sub/?token={}", token.trim()), "").await;
    // Relative, so it stays below /sub/ without anyone knowing of it.
    assert!(
        entered.starts_with("HTTP/1.1 303") && entered.contains("location: ./\r\n"),
        "{entered}"
    );
    let cookie = entered.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap();
    let sessions = ask(port, "/sub/api/sessions", &format!("Cookie: {cookie}\r\n")).await;
    assert!(sessions.starts_with("HTTP/1.1 200") && sessions.ends_with("[]"), "{sessions}");
    let session = daemon.run("cat").await;
    let upgrade = format!(
        "Cookie: {cookie}\r\nOrigin: https://box.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let path = format!("/sub/ws/terminal/{}", session.id);
    let request = format!("GET {path} HTTP/1.1\r\nHost: box.example\r\n{upgrade}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 101");
}
