//! Long input among what others ask, on a server whose answers are ours to give.

use schmux_core::ids::SessionId;
use schmux_core::reading::Library;
use schmux_core::signal::ledger::Ledger;
use schmux_core::time::Moment;
use tokio::sync::oneshot::{self, Receiver};

use super::super::{ROW_FORMAT, Server};
use super::*;
use crate::host::request::{Answer, CourierRequest, Request};
use crate::replay::Recorder;
use crate::wire::Capture;

const NOW: Moment = Moment(1_000_000);

/// What tmux says before it would paste.
const PASTE: &str = "paste 0\n";

/// A server with two sessions, `a` in pane 1 and `b` in pane 2, that has been looked at.
struct Tmux {
    server: Server,
    /// Lines that were sent and not answered.
    asked: VecDeque<String>,
    /// How many commands were answered.
    answered: u32,
}

impl Tmux {
    fn new(far: bool) -> Tmux {
        let mut server = Server::new(Recorder::off(), far, false);
        for id in ["a", "b"] {
            let request = Request::Expect {
                session: session(id),
                tmux_session: id.into(),
                at: None,
                adopted: false,
                markers: Box::new(Ledger::default()),
                reader: Library::embedded().reader("generic"),
            };
            server.handle_request(request, NOW);
        }
        server.connected(NOW);
        let mut tmux = Tmux { server, asked: VecDeque::new(), answered: 0 };
        tmux.answer_all();
        tmux
    }

    /// What was sent since it was last asked for.
    fn sends(&mut self) -> Vec<String> {
        let sent = String::from_utf8(self.server.take_outgoing()).unwrap();
        let sent: Vec<String> = sent.lines().map(str::to_owned).collect();
        self.asked.extend(sent.iter().cloned());
        sent
    }

    /// Answers the oldest line, command by command.
    fn answer(&mut self) {
        self.answer_with(reply);
    }

    fn answer_with(&mut self, reply: impl Fn(&str) -> String) {
        let line = self.asked.pop_front().unwrap();
        for command in line.split(" ; ") {
            self.answered += 1;
            let (n, body) = (self.answered, reply(command));
            let reply = format!("%begin 1 {n} 1\n{body}%end 1 {n} 1\n");
            self.server.handle_bytes(reply.as_bytes(), NOW);
        }
    }

    fn refuse(&mut self, why: &str) {
        self.asked.pop_front().unwrap();
        self.answered += 1;
        let n = self.answered;
        let reply = format!("%begin 1 {n} 1\n{why}\n%error 1 {n} 1\n");
        self.server.handle_bytes(reply.as_bytes(), NOW);
    }

    fn answer_all(&mut self) {
        while !self.sends().is_empty() || !self.asked.is_empty() {
            self.answer();
        }
    }

    fn types(&mut self, id: &str, input: Input) -> Receiver<Result<(), HostError>> {
        let (answer, answered) = oneshot::channel();
        let session = session(id);
        self.server.handle_request(Request::Type { session, input, answer: Some(answer) }, NOW);
        answered
    }
}

fn session(id: &str) -> SessionId {
    SessionId::new(id).unwrap()
}

fn keys(text: &str) -> Input {
    Input::Keys(text.as_bytes().to_vec())
}

fn reply(command: &str) -> String {
    if command.starts_with("list-panes") {
        assert!(command.contains(ROW_FORMAT.split(' ').next().unwrap()));
        let row = |n: u32, id: &str| format!("row @{n} %{n} 0 x 1000 1-1 y{id} {id}\n");
        return row(1, "a") + &row(2, "b") + &row(1, "schmux-hub") + &row(2, "schmux-hub");
    }
    let said = command.strip_prefix("display-message -p ").unwrap_or_default();
    match said {
        "" => String::new(),
        said if said.contains("meta ") => {
            "meta 20 2 0 0 1 0 0 1 0 0 0 0 0 0 0 0 1 0 0 0 0\n".into()
        }
        said if said.contains("paste #{pane_dead}") => PASTE.into(),
        said => format!("{}\n", said.trim_matches('"')),
    }
}

/// The keys for a pane in lines that were sent.
fn typed(lines: &[String], pane: u32) -> String {
    let begin = format!("send-keys -t %{pane} -H ");
    let commands = lines.iter().flat_map(|line| line.split(" ; "));
    let keys = commands.filter_map(|command| command.strip_prefix(&begin));
    let byte = |word| char::from(u8::from_str_radix(word, 16).unwrap());
    keys.flat_map(|keys| keys.split(' ').map(byte)).collect()
}

#[test]
fn others_get_in_between_the_pieces_of_long_keys() {
    let mut tmux = Tmux::new(false);
    let long: String =
        (0..command::MOST_KEYS * 2 + 7).map(|n| char::from(b'a' + (n % 26) as u8)).collect();
    let mut long_typed = tmux.types("a", keys(&long));
    let mut after = tmux.types("a", keys("after"));
    let mut other = tmux.types("b", keys("other"));
    let mut sent = tmux.sends();
    assert_eq!(typed(&sent, 2), "other");
    assert_eq!(typed(&sent, 1), long[..command::MOST_KEYS], "one piece is on its way");
    tmux.answer();
    tmux.answer();
    other.try_recv().unwrap().unwrap();
    long_typed.try_recv().unwrap_err();
    sent.extend(tmux.sends());
    while !tmux.asked.is_empty() {
        let with_all = typed(&sent, 1).ends_with("after");
        assert!(tmux.asked.len() == 1 || with_all, "{:?}", tmux.asked);
        tmux.answer();
        sent.extend(tmux.sends());
    }
    assert!(typed(&sent, 1) == long + "after");
    long_typed.try_recv().unwrap().unwrap();
    after.try_recv().unwrap().unwrap();
}

#[test]
fn what_the_courier_asks_waits_behind_long_keys() {
    let mut tmux = Tmux::new(false);
    let long = "x".repeat(command::MOST_KEYS + 1);
    let _typed = tmux.types("a", keys(&long));
    let look = CourierRequest::Look { session: session("a"), number: 1 };
    tmux.server.handle_request(Request::Courier(look), NOW);
    let (answer, mut captured): (Answer<Capture>, _) = oneshot::channel();
    let capture = Request::Capture { session: session("a"), history: 0, ansi: false, answer };
    tmux.server.handle_request(capture, NOW);
    let first = tmux.sends();
    assert!(!first.iter().any(|line| line.contains("look ")), "{first:?}");
    assert!(first.iter().any(|line| line.contains("capture-pane")), "a capture doesn't wait");
    tmux.answer();
    let second = tmux.sends();
    assert_eq!(typed(&second, 1), "x");
    assert!(second.last().unwrap().contains("look "), "{second:?}");
    captured.try_recv().unwrap_err();
}

#[test]
fn a_paste_is_pasted_when_all_of_it_is_there() {
    for (far, lines) in [(false, 1), (true, LINES_FAR)] {
        let mut tmux = Tmux::new(far);
        let mut pasted = tmux.types("a", Input::Paste(vec![b'x'; 100_000]));
        let first = tmux.sends();
        assert_eq!(first.len(), lines);
        assert!(first.iter().all(|line| line.starts_with("set-buffer -a -b schmux-")), "{first:?}");
        let mut last = Vec::new();
        while !tmux.asked.is_empty() {
            pasted.try_recv().unwrap_err();
            tmux.answer();
            last.extend(tmux.sends());
        }
        let filled: usize = first.iter().chain(&last).map(|l| l.matches('x').count()).sum();
        // `schmux-` has one, too.
        let names = first.iter().chain(&last).map(|l| l.matches("schmux-").count()).sum::<usize>();
        assert_eq!(filled - names, 100_000);
        assert_eq!(last.iter().filter(|line| line.contains("paste-buffer")).count(), 1);
        pasted.try_recv().unwrap().unwrap();
    }
}

#[test]
fn who_typed_is_told_when_a_piece_is_refused_or_lost() {
    let mut tmux = Tmux::new(false);
    let mut keys_typed = tmux.types("a", keys(&"x".repeat(command::MOST_KEYS * 3)));
    let mut pasted = tmux.types("a", Input::Paste(vec![b'x'; 100_000]));
    let mut lost = tmux.types("a", keys("z"));
    tmux.sends();
    tmux.refuse("can't find pane: %1");
    assert!(matches!(keys_typed.try_recv().unwrap(), Err(HostError::Refused(_))));
    let sent = tmux.sends();
    assert!(sent.len() == 1 && sent[0].starts_with("set-buffer"), "{sent:?}");
    tmux.refuse("no space");
    assert!(matches!(pasted.try_recv().unwrap(), Err(HostError::Refused(_))));
    let sent = tmux.sends();
    assert!(sent[0].starts_with("delete-buffer -b schmux-"), "{sent:?}");
    assert_eq!(typed(&sent, 1), "z");
    tmux.server.disconnected("cut");
    assert!(matches!(lost.try_recv().unwrap(), Err(HostError::Lost(_))));

    let mut tmux = Tmux::new(false);
    let mut waiting = ["a", "a"].map(|id| tmux.types(id, keys(&"x".repeat(10_000))));
    tmux.sends();
    tmux.server.disconnected("cut");
    for answered in &mut waiting {
        assert!(matches!(answered.try_recv().unwrap(), Err(HostError::Lost(_))));
    }
}

/// tmux 3.3a would crash, with all agents in it.
#[test]
fn nothing_is_pasted_into_a_program_that_has_just_ended() {
    let mut tmux = Tmux::new(false);
    let mut pasted = tmux.types("a", Input::Paste(b"text".to_vec()));
    let sent = tmux.sends();
    let guarded = r##"if-shell -F -t "%1" "#{pane_dead}" "delete-buffer "##;
    assert!(sent[0].contains(guarded) && !sent[0].contains("; paste-buffer"), "{sent:?}");
    while !tmux.asked.is_empty() {
        tmux.answer_with(|command| reply(command).replace(PASTE, "paste 1\n"));
    }
    assert!(matches!(pasted.try_recv().unwrap(), Err(HostError::Ended(_))));
}
