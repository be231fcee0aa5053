use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use serde_json::json;

use super::*;

/// A daemon's socket, and what came in by it.
struct Daemon {
    dir: tempfile::TempDir,
    heard: mpsc::Receiver<String>,
}

impl Daemon {
    /// It takes one request and answers with these bytes; with none, it keeps silent.
    fn new(answer: &'static str) -> Daemon {
        let dir = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(dir.path().join("schmux.sock")).unwrap();
        let (tell, heard) = mpsc::channel();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            tell.send(read_request(&mut stream)).unwrap();
            // In two pieces, as it may happen.
            let (head, rest) = answer.split_at(answer.len() / 2);
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(rest.as_bytes());
            if answer.is_empty() {
                // Until the other side gives up.
                let _ = stream.read(&mut [0]);
            }
        });
        Daemon { dir, heard }
    }

    fn session(&self) -> Session {
        session_in(self.dir.path())
    }
}

fn session_in(dir: &Path) -> Session {
    Session {
        id: "work-001-abcd".into(),
        daemon: dir.join("schmux.sock"),
        events_file: Some(dir.join("events.jsonl")),
    }
}

fn read_request(stream: &mut UnixStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = stream.read(&mut piece).unwrap();
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
        if body.len() >= length.parse::<usize>().unwrap() {
            return text;
        }
    }
}

fn call(event: &str) -> Call {
    Call { agent: "claude".into(), event: event.into(), json: None, then: vec![], late: false }
}

fn deliver_stop(session: &Session) -> (Option<String>, Duration) {
    let begin = Instant::now();
    let said = deliver(session, &request(&call("Stop"), session, br#"{"a": "b"}"#)).output;
    (said, begin.elapsed())
}

fn written(session: &Session) -> Vec<Value> {
    let text = fs::read_to_string(session.events_file.as_ref().unwrap()).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_daemon_hears_it_and_may_answer() {
    for (answer, expected) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", None),
        ("HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{\"output\":\"go\\n\"}", Some("go\n")),
        ("HTTP/1.1 204 No Content\r\n\r\n", None),
    ] {
        let daemon = Daemon::new(answer);
        let (said, _) = deliver_stop(&daemon.session());
        assert_eq!(said.as_deref(), expected);
        let heard = daemon.heard.recv().unwrap();
        assert!(heard.starts_with("POST /api/hook HTTP/1.1\r\n"), "{heard}");
        let body: HookRequest =
            serde_json::from_str(heard.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!((body.agent.as_str(), body.event.as_str()), ("claude", "Stop"));
        assert_eq!((body.session_id.as_str(), body.payload), ("work-001-abcd", json!({"a": "b"})));
        assert_eq!(written(&daemon.session()), Vec::<Value>::new());
    }
}

#[test]
fn what_the_daemon_does_not_take_is_written_down() {
    let answers = [
        "",
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n{}",
        "SSH-2.0-OpenSSH\r\n\r\n",
    ];
    for answer in answers {
        let daemon = Daemon::new(answer);
        let (said, took) = deliver_stop(&daemon.session());
        assert_eq!(said, None);
        let heard = daemon.heard.recv().unwrap();
        let body: Value = serde_json::from_str(heard.split_once("\r\n\r\n").unwrap().1).unwrap();
        let lines = written(&daemon.session());
        assert_eq!(lines.len(), 1, "{answer}");
        // The same twice, with one id, so that it counts once.
        assert_eq!((&lines[0]["id"], &lines[0]["payload"]), (&body["id"], &body["payload"]));
        assert_eq!(lines[0]["type"], "hook");
        // A machine under load may take longer, but nobody waits for an answer.
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

#[test]
fn without_a_daemon_it_is_written_down() {
    let dir = tempfile::tempdir().unwrap();
    let session = session_in(dir.path());
    deliver_stop(&session);
    // A socket that nobody listens on any more.
    drop(UnixListener::bind(&session.daemon).unwrap());
    deliver_stop(&session);
    let lines = written(&session);
    assert_eq!(lines.len(), 2);
    assert_ne!(lines[0]["id"], lines[1]["id"]);
    // And without a file there is nothing to do, and nothing fails.
    deliver_stop(&Session { events_file: None, ..session });
}

#[test]
fn a_daemon_that_hangs_keeps_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let session = session_in(dir.path());
    let listener = UnixListener::bind(&session.daemon).unwrap();
    // Nobody accepts, and at some point the queue is full.
    let waiting: Vec<_> = (0..300)
        .map_while(|_| {
            let fd = rustix::net::socket(
                rustix::net::AddressFamily::UNIX,
                rustix::net::SocketType::STREAM,
                None,
            )
            .ok()?;
            rustix::io::ioctl_fionbio(&fd, true).ok()?;
            let address = rustix::net::SocketAddrUnix::new(&session.daemon).ok()?;
            rustix::net::connect(&fd, &address).ok()?;
            Some(fd)
        })
        .collect();
    let (_, took) = deliver_stop(&session);
    assert_eq!(written(&session).len(), 1);
    assert!(took < Duration::from_secs(1), "{took:?}");
    drop((listener, waiting));
}

#[test]
fn words_of_a_call() {
    let parse = |words: &[&str]| Call::parse(&words.iter().map(OsString::from).collect::<Vec<_>>());
    assert_eq!(parse(&["claude", "Stop"]), Some(call("Stop")));
    assert_eq!(parse(&["claude"]), None);
    assert_eq!(parse(&[]), None);
    let late = parse(&["--late", "claude", "Stop"]).unwrap();
    assert!(late.late && late.event == "Stop");
    let notify = parse(&["codex", "notify", "{}"]).unwrap();
    assert_eq!((notify.json, notify.then.len()), (Some("{}".into()), 0));
    let then = parse(&["codex", "notify", "--then", "bell", "x y", "{}"]).unwrap();
    assert_eq!((then.json, then.then), (Some("{}".into()), vec!["bell".into(), "x y".into()]));
}

#[test]
fn only_hooks_are_caught() {
    let main = |words: &[&str]| super::main(words.iter().map(OsString::from));
    assert!(main(&["list"]).is_none() && main(&[]).is_none());
    assert!(main(&["hook", "--help"]).is_none() && main(&["hook", "claude", "-h"]).is_none());
    // Tests don't run in a session, so that nothing happens.
    assert!(std::env::var_os("SCHMUX_SESSION_ID").is_some() || main(&["hook"]).is_some());
}

#[test]
fn json_is_taken_as_soon_as_it_is_whole() {
    let pipe = || UnixStream::pair().unwrap();
    let soon = Duration::from_millis(500);
    // The other end stays open.
    let (here, mut there) = pipe();
    there.write_all(b"{\"a\":{}").unwrap();
    let rest = there.try_clone().unwrap();
    let writer = thread::spawn(move || (&rest).write_all(b",\"b\":1}\n").unwrap());
    assert_eq!(hear(&here, soon), Heard::Said(b"{\"a\":{},\"b\":1}\n".to_vec()));
    writer.join().unwrap();
    // It never becomes whole, or is none at all.
    there.write_all(b"{\"a\":").unwrap();
    assert_eq!(hear(&here, soon), Heard::Said(b"{\"a\":".to_vec()));
    // It doesn't begin.
    assert_eq!(hear(&here, Duration::from_millis(5)), Heard::NotYet);
    drop(there);
    assert_eq!(hear(&here, soon), Heard::Said(Vec::new()));
}

#[test]
fn too_much_is_read_and_not_kept() {
    let (here, mut there) = UnixStream::pair().unwrap();
    let writer = thread::spawn(move || there.write_all(&vec![b'x'; MOST + (1 << 20)]).is_ok());
    let Heard::Said(said) = hear(&here, Duration::from_secs(5)) else { panic!("it was said") };
    assert_eq!(said.len(), MOST);
    drop(here);
    writer.join().unwrap();
    let session = session_in(Path::new("/nowhere"));
    assert_eq!(request(&call("Stop"), &session, &said).payload, Value::Null);
}

#[test]
fn what_is_sent_fits_a_line_of_the_events_file() {
    let session = session_in(Path::new("/nowhere"));
    let payload = json!({"tool_input": {"content": "ü\n".repeat(200 << 10)}}).to_string();
    let request = request(&call("PreToolUse"), &session, payload.as_bytes());
    assert!(serde_json::to_string(&request).unwrap().len() < 128 << 10);
}
