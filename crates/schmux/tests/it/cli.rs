//! The command line from outside: the real binary, with a home of its own, and
//! where a daemon is needed a small one of ours that answers by the contract.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use axum::extract::{Path as Segment, RawQuery, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use schmux::home::Home;
use schmux::wire::{Check, Session};
use serde_json::{Value, json};

/// What a run of the program gave.
struct Run {
    code: i32,
    out: String,
    err: String,
}

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        World { dir: tempfile::tempdir().unwrap() }
    }

    fn home(&self) -> Home {
        Home::at(self.dir.path().join("home"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schmux"));
        command
            .args(args)
            .env("SCHMUX_HOME", self.home().dir())
            .env("SCHMUX_PORT", "0")
            .env_remove("TMUX")
            .current_dir(self.dir.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        run(&mut self.command(args))
    }

    /// A directory with a `tmux` that claims to be of some version.
    fn tmux_that_says(&self, line: &str) -> String {
        let dir = self.dir.path().join("bin");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("tmux"), format!("#!/bin/sh\necho '{line}'\n")).unwrap();
        fs::set_permissions(dir.join("tmux"), fs::Permissions::from_mode(0o755)).unwrap();
        dir.to_string_lossy().into_owned()
    }
}

fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn without_a_daemon_every_question_says_how_to_start_it() {
    let world = World::new();
    let verbs: [&[&str]; 9] = [
        &["status"],
        &["status", "--json"],
        &["url"],
        &["list"],
        &["capture", "x"],
        &["send-keys", "x", "Enter"],
        &["dispose", "x"],
        &["spawn", "-t", "demo"],
        &["adopt"],
    ];
    for verb in verbs {
        let run = world.run(verb);
        assert_eq!(run.code, 3, "{verb:?}: {}", run.err);
        assert!(run.err.contains("not running") && run.err.contains("schmux start"), "{}", run.err);
        assert_eq!(run.out, "");
    }
    let stop = world.run(&["stop"]);
    assert_eq!((stop.code, stop.out.as_str()), (0, "The daemon was not running.\n"));
}

#[test]
fn wrong_usage() {
    let world = World::new();
    let cases: [(&[&str], &str); 8] = [
        (&[], "Usage"),
        (&["lits"], "list"),
        (&["spawn"], "--target"),
        (&["spawn", "-t", "demo", "--count", "0"], "1..=200"),
        (&["dispose"], "SESSIONS"),
        (&["send-keys", "x"], "nothing to send"),
        (&["send-keys", "x", "Up", "Entr"], "did you mean Enter? Text is typed with --text"),
        (&["send-keys", "x", "--text", "a", "hello"], "there is no key `hello`"),
    ];
    for (args, expected) in cases {
        let run = world.run(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
    }
}

#[test]
fn what_needs_no_daemon() {
    let world = World::new();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(world.run(&["version"]).out, format!("schmux {version}\n"));
    let json: Value = serde_json::from_str(&world.run(&["version", "--json"]).out).unwrap();
    assert_eq!(json["version"], version);
    assert!(world.run(&["completions", "bash"]).out.contains("_schmux()"));
    let help = world.run(&["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("Exit codes:"), "{}", help.out);
    let targets: Value = serde_json::from_str(&world.run(&["targets", "--json"]).out).unwrap();
    let names: Vec<&str> =
        targets.as_array().unwrap().iter().map(|target| target["name"].as_str().unwrap()).collect();
    for name in ["claude", "codex", "gemini", "opencode", "amp", "aider", "cursor-agent", "demo"] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let world = World::new();
    for args in [&["completions", "zsh"][..], &["targets", "--all"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = world.command(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&status.stderr), "", "{args:?}");
        assert!(status.status.success(), "{args:?}: {}", status.status);
    }
}

#[test]
fn doctor_tells_what_it_found() {
    let world = World::new();
    let run = world.run(&["doctor", "--json"]);
    let checks: Vec<Check> = serde_json::from_str(&run.out).unwrap();
    let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "tmux", "git", "home", "config", "daemon", "port", "agents", "screens", "nudgenik",
            "terminal"
        ],
        "{}",
        run.err
    );
    assert_eq!(run.code, 0, "{}", run.out);

    let old = world.tmux_that_says("tmux 2.9a");
    let run = run_with_path(&world, &["doctor"], &old);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("tmux 2.9a is too old"), "{}", run.out);
}

fn run_with_path(world: &World, args: &[&str], path: &str) -> Run {
    run(world.command(args).env("PATH", path))
}

#[test]
fn a_daemon_that_cannot_start_says_why() {
    let world = World::new();
    let old = world.tmux_that_says("tmux 3.1c");
    fs::create_dir(world.dir.path().join("empty")).unwrap();
    let empty = world.dir.path().join("empty").to_string_lossy().into_owned();
    for args in [&["start"][..], &["start", "--foreground"]] {
        let run = run_with_path(&world, args, &empty);
        assert_eq!(run.code, 5);
        assert!(run.err.contains("tmux was not found") && run.err.contains("apt"), "{}", run.err);
        let run = run_with_path(&world, args, &old);
        assert_eq!(run.code, 5);
        assert!(run.err.contains("tmux 3.1c is too old"), "{}", run.err);
    }
    fs::write(world.dir.path().join("bin/tmux"), "#!/bin/sh\nexit 1\n").unwrap();
    let broken = run_with_path(&world, &["start"], &old);
    assert_eq!(broken.code, 5);
    assert!(broken.err.contains("tmux failed (exit status: 1)\n"), "{}", broken.err);

    for (text, expected) in [
        ("[server]\nprot = 1\n", "config.toml:2:1: unknown key `prot`"),
        ("[targets.x]\nbase = \"claud\"\n", "config.toml:2:1: `base` of target `x` is `claud`"),
        ("[tmux]\nconfig = \"/missing\"\n", "config.toml:2:1: `config` is /missing, which can't"),
    ] {
        fs::write(world.home().config(), text).unwrap();
        let start = world.run(&["start"]);
        assert_eq!(start.code, 2, "{text}: {}", start.out);
        assert!(start.err.contains(expected), "{}", start.err);
        let doctor = world.run(&["doctor"]);
        assert_eq!(doctor.code, 1);
        assert!(doctor.out.contains(expected), "{}", doctor.out);
    }
    fs::remove_file(world.home().config()).unwrap();

    let port = run(world.command(&["start"]).env("SCHMUX_PORT", "many"));
    assert_eq!(port.code, 2);
    assert!(port.err.contains("SCHMUX_PORT is `many`"), "{}", port.err);

    let nowhere = run(world.command(&["start"]).env("SCHMUX_HOME", "/proc/nowhere"));
    assert_eq!(nowhere.code, 5);
    assert!(nowhere.err.contains("/proc/nowhere"), "{}", nowhere.err);
}

#[test]
fn a_start_whose_port_is_taken_names_it_and_leaves_no_tmux_behind() {
    let world = World::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let start = run(world
        .command(&["start"])
        .env("SCHMUX_PORT", &port)
        .env("TMUX_TMPDIR", world.dir.path()));
    assert_eq!(start.code, 5, "{}", start.out);
    assert!(start.err.contains(&format!("port {port} on 127.0.0.1 is taken")), "{}", start.err);
    let left = fs::read_dir(world.dir.path()).unwrap().flatten().map(|entry| entry.file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["home"]);
}

/// What the daemon of ours was asked to do: method-less paths and bodies.
type Log = Arc<Mutex<Vec<(String, Value)>>>;

/// Serves the API's contract on the home's socket until the test's runtime ends.
fn serve(world: &World) -> Log {
    let log = Log::default();
    let home = world.home();
    home.prepare().unwrap();
    let status = json!({
        "version": env!("CARGO_PKG_VERSION"), "pid": 42, "home": home.dir(), "port": 7337,
        "url": "http://127.0.0.1:7337", "tmux_socket": "schmux-x", "tmux_version": "3.3a",
        "started_at": "2026-01-01T00:00:00Z", "sessions": 2,
    });
    let sessions =
        json!([session("app-001-aaaa1111", "fixer"), session("app-001-bbbb2222", "twin")]);
    let adoptable = json!([{
        "socket": "/tmp/tmux-0/default", "tmux_session": "mine", "pane": "%0",
        "place": "mine:0.0",
        "target": "claude", "command": "claude", "path": "/src",
    }]);
    let adopted = session("mine-001-cccc3333", "mine");
    let capture = json!({
        "text": "hello\nworld", "cols": 80, "rows": 24, "cursor": [0, 0], "alternate_screen": false,
    });
    let check = json!([{ "name": "store", "result": "ok", "detail": "fine" }]);
    let login = json!({ "url": "http://127.0.0.1:7337/?token=abc" });
    let fixed = |value: Value| get(move || async move { Json(value) });
    let one = json!([sessions[0]]);
    let app = Router::new()
        .route("/api/healthz", fixed(json!({ "status": "ok", "version": "0" })))
        .route("/api/status", fixed(status))
        .route("/api/login", fixed(login))
        .route("/api/sessions", fixed(sessions))
        .route("/api/adoptable", fixed(adoptable))
        .route("/api/doctor", fixed(check))
        .route(
            "/api/sessions/{id}/capture",
            get(
                |State(log): State<Log>,
                 Segment(id): Segment<String>,
                 RawQuery(query): RawQuery| async move {
                    log.lock().unwrap().push((format!("capture {id}"), json!(query)));
                    Json(capture)
                },
            ),
        )
        .route("/api/sessions/{id}/{action}", post(acted))
        .route("/api/shutdown", post(|| async { Json(json!({})) }))
        .route(
            "/api/adopt",
            post(|State(log): State<Log>, Json(body): Json<Value>| async move {
                log.lock().unwrap().push(("adopt".into(), body));
                Json(adopted)
            }),
        )
        .route(
            "/api/spawn",
            post(|State(log): State<Log>, Json(body): Json<Value>| async move {
                let unknown = body["target"] == "calude";
                log.lock().unwrap().push(("spawn".into(), body));
                if unknown {
                    let error = json!({
                        "code": "unknown_target", "message": "there is no target `calude`",
                        "advice": "did you mean claude?",
                    });
                    return (StatusCode::BAD_REQUEST, Json(error));
                }
                (StatusCode::OK, Json(one))
            }),
        )
        .with_state(log.clone());
    let listener = tokio::net::UnixListener::bind(home.socket()).unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    log
}

async fn acted(
    State(log): State<Log>,
    Segment((id, action)): Segment<(String, String)>,
    Json(body): Json<Value>,
) -> StatusCode {
    log.lock().unwrap().push((format!("{action} {id}"), body));
    StatusCode::NO_CONTENT
}

fn session(id: &str, nickname: &str) -> Value {
    json!({
        "id": id, "workspace_id": "app-001", "target": "demo", "nickname": nickname,
        "host": "local", "status": "unknown", "created_at": "2026-01-01T00:00:00Z",
        "command": ["demo"], "adopted": false, "cols": 80, "rows": 24, "tmux_session": id,
        "attach_cmd": format!("tmux -L schmux-x attach -t '={id}'"),
        "status_file": "/w/.schmux/signal/x", "events_file": "/w/.schmux/events/x.jsonl",
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verbs_that_ask_a_daemon() {
    let world = World::new();
    let log = serve(&world);
    let cases: [(&[&str], i32, &str); 19] = [
        (
            &["start"],
            0,
            "was already running (pid 42).\nDashboard: http://127.0.0.1:7337/?token=abc",
        ),
        (&["status"], 0, "dashboard  http://127.0.0.1:7337"),
        (&["status", "--json"], 0, "\"tmux_socket\": \"schmux-x\""),
        (&["url"], 0, "http://127.0.0.1:7337/?token=abc\n"),
        (&["url", "--json"], 0, "\"url\": \"http"),
        (&["list"], 0, "app-001-bbbb2222  demo    twin"),
        (&["ls"], 0, "  schmux adopt -S /tmp/tmux-0/default '%0' -t claude  # mine:0.0\n"),
        (&["spawn", "-t", "demo", "-w", "/w", "-n", "n"], 0, "schmux attach app-001-aaaa1111"),
        (&["capture", "fixer"], 0, "hello\nworld\n"),
        (&["capture", "app-001-b", "--history", "5", "--ansi", "--json"], 0, "\"cols\": 80"),
        (&["send-keys", "twin", "--text", "-x", "Enter"], 0, ""),
        (&["send-keys", "twin", "--json", "--paste", "a\nb"], 0, "\"paste\": \"a\\nb\""),
        (&["dispose", "fixer"], 0, "ended app-001-aaaa1111\n"),
        (&["dispose", "--all", "--yes", "--json"], 0, "app-001-bbbb2222"),
        (&["adopt", "mine", "-L", "other"], 0, "mine-001-cccc3333  demo as mine\n"),
        (&["adopt"], 0, "TMUX PANE"),
        (&["adopt", "--json"], 0, "\"pane\": \"%0\""),
        (&["doctor"], 0, "store     fine"),
        (
            &["stop"],
            0,
            "(pid 42) has stopped. 2 sessions keep running in tmux; `schmux start` finds them",
        ),
    ];
    for (args, code, expected) in cases {
        let run = world.run(args);
        assert_eq!(run.code, code, "{args:?}: {}{}", run.out, run.err);
        assert!(run.out.contains(expected), "{args:?}: {}", run.out);
        assert!(!run.out.contains('\x1b'), "colours went into a pipe: {args:?}");
    }
    let asked: Vec<String> =
        log.lock().unwrap().iter().map(|(what, body)| format!("{what} {body}")).collect();
    assert_eq!(
        asked,
        [
            r#"spawn {"nickname":"n","target":"demo","workspace":"/w"}"#,
            r#"capture app-001-aaaa1111 "history=0&ansi=false""#,
            r#"capture app-001-bbbb2222 "history=5&ansi=true""#,
            r#"keys app-001-bbbb2222 {"keys":["Enter"],"text":"-x"}"#,
            r#"keys app-001-bbbb2222 {"paste":"a\nb"}"#,
            r#"dispose app-001-aaaa1111 {}"#,
            r#"dispose app-001-aaaa1111 {}"#,
            r#"dispose app-001-bbbb2222 {}"#,
            r#"adopt {"socket":"other","tmux_session":"mine"}"#,
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_daemon_refuses_and_what_we_refuse() {
    let world = World::new();
    let log = serve(&world);
    let cases: [(&[&str], i32, &str, &str); 7] = [
        (&["capture", "fixr"], 4, "there is no session `fixr`", "did you mean fixer?"),
        (&["attach", "zzz"], 4, "there is no session `zzz`", "schmux list"),
        (&["dispose", "app"], 4, "`app` means several sessions", "app-001-bbbb2222"),
        (&["spawn", "-t", "calude"], 4, "there is no target `calude`", "did you mean claude?"),
        (&["attach", "fixer"], 2, "needs a terminal", "schmux capture"),
        (&["dispose", "--all"], 2, "needs a yes", "--yes"),
        (&["start", "--foreground"], 1, "already running (pid 42)", "schmux stop"),
    ];
    for (args, code, message, advice) in cases {
        let run = world.run(args);
        assert_eq!(run.code, code, "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(message) && run.err.contains(advice), "{args:?}: {}", run.err);
        assert_eq!(run.out, "", "{args:?}");
    }
    let asked = log.lock().unwrap().len();
    assert_eq!(asked, 1, "only the spawn reached the daemon");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spawn_prints_the_sessions_of_the_api() {
    let world = World::new();
    let log = serve(&world);
    let run = world.run(&["spawn", "-t", "demo", "--json"]);
    let sessions: Vec<Session> = serde_json::from_str(&run.out).unwrap();
    assert_eq!(sessions[0].id, "app-001-aaaa1111");
    // Without `-w` it is the directory that the user is in.
    let workspace = log.lock().unwrap()[0].1["workspace"].as_str().unwrap().to_owned();
    let here = world.dir.path().canonicalize().unwrap();
    assert_eq!(Path::new(&workspace).canonicalize().unwrap(), here);
}

/// A tmux of the test's own, ended with it.
struct Tmux<'a> {
    world: &'a World,
    socket: &'static str,
}

impl Tmux<'_> {
    fn run(&self, args: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command
            .args(["-f", "/dev/null", "-L", self.socket])
            .args(args)
            .env("TMUX_TMPDIR", self.world.dir.path())
            .env("SCHMUX_HOME", self.world.home().dir())
            .env_remove("TMUX")
            .current_dir(self.world.dir.path())
            .stdin(Stdio::null());
        run(&mut command).out
    }

    fn start(&self, session: &str, command: &str) {
        self.run(&["new-session", "-d", "-s", session, "-x", "100", "-y", "30", command]);
    }

    async fn shows(&self, session: &str, text: &str) {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        loop {
            let screen = self.run(&["capture-pane", "-p", "-t", &format!("={session}:")]);
            if screen.contains(text) {
                return;
            }
            assert!(std::time::Instant::now() < deadline, "no {text:?} in:\n{screen}");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attach_is_a_plain_tmux_client() {
    let world = World::new();
    serve(&world);
    let schmux = env!("CARGO_BIN_EXE_schmux");
    let agents = Tmux { world: &world, socket: "schmux-x" };
    agents.start("app-001-aaaa1111", "echo I am the agent; cat");
    agents.shows("app-001-aaaa1111", "I am the agent").await;

    // From a terminal in another tmux server it works, though tmux alone would refuse.
    let users = Tmux { world: &world, socket: "users" };
    users.start("mine", &format!("{schmux} attach fixer; cat"));
    users.shows("mine", "I am the agent").await;

    // From a terminal in the agents' own server it would show itself in itself.
    agents.start("inside", &format!("{schmux} attach fixer; cat"));
    agents.shows("inside", "tmux switch-client -t").await;
}
