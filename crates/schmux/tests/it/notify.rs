//! Notifiers: real programs and a real web server, each told of a call once.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;

use crate::support::{Daemon, until};

/// Answers requests with these codes in turn (the last one from then on), and
/// hands on what each one sent.
fn web_server(codes: &'static [u16]) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (sender, received) = mpsc::channel();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let code = codes[number.min(codes.len() - 1)];
            let answer =
                format!("HTTP/1.1 {code} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
            if sender.send(format!("{head}\n{}", String::from_utf8_lossy(&body))).is_err() {
                return;
            }
        }
    });
    (url, received)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_notifier_tells_once_and_again_only_after_a_failure() {
    let (url, received) = web_server(&[500, 200]);
    let daemon = Daemon::with_config(&format!(
        "[notify.mine]\ncommand = [\"sh\", \"-c\", 'cat >> told; echo >> told; \
         echo \"$SCHMUX_NUDGE_STATE $SCHMUX_NUDGE_MESSAGE $SCHMUX_NUDGE_SEQ\" >> told']\n\
         [notify.web]\nwebhook = \"{url}\"\nformat = \"ntfy\"\n\
         [notify.calm]\ncommand = [\"sh\", \"-c\", \"echo calm >> told\"]\nstates = [\"completed\"]\n"
    ));
    let told = || fs::read_to_string(daemon.path("work/told")).unwrap_or_default();
    let session = daemon
        .run("stty -echo; echo '--<[schmux:needs_input:May I?]>--'; read -r x; echo '--<[schmux:completed:Yes]>--'; exec cat")
        .await;
    until("the program's words", || async {
        told().contains("needs_input May I? 1").then_some(())
    })
    .await;
    assert!(told().contains("\"nudge_state\":\"Needs Authorization\""), "{}", told());
    // The first attempt was refused, so there is a second one.
    let first = received.recv().unwrap();
    assert!(first.contains("May I?") && first.contains(": Needs Authorization"), "{first}");
    assert_eq!(received.recv().unwrap(), first);
    daemon.kill().await;
    daemon.schmux(&["start"]);
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    until("the other notifier", || async { told().contains("calm").then_some(()) }).await;
    assert_eq!(told().matches("May I? 1").count(), 1, "{}", told());
    assert!(received.try_recv().is_err());
}
