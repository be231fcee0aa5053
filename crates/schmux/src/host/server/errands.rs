//! Hidden windows that run scripts of ours, on a host that a command reaches.

use schmux_core::ids::PaneId;
use schmux_core::remote::{Frame, Heard, decode_hex};
use schmux_core::tmux::{Batch, Command, command};

use super::commands::{capture_command, nonce};
use super::{Purpose, Rooms};
use crate::host::HUB;
use crate::host::errand::{Errand, Kind, Output};
use crate::host::request::{Answer, HostError};
use crate::host::structure::Row;

impl Rooms {
    /// Brings a script over in pieces, and opens a window that runs it.
    pub(super) fn send_errand(&mut self, errand: Errand) {
        if let Some(reason) = &self.down {
            return errand.fail(&HostError::Unreachable(reason.clone()));
        }
        let buffer = format!("schmux-{}", errand.nonce);
        self.fill(&buffer, errand.script.as_bytes());
        let file = format!("{}.sh", errand.path);
        let window = Command::new("new-window").arg("-d").arg("-P");
        let window = window.opt("-F", "errand #{pane_id}").opt("-t", format!("{HUB}:"));
        let batch = [
            Command::new("save-buffer").opt("-b", &buffer).arg(command::literal(&file)),
            Command::new("delete-buffer").opt("-b", &buffer),
            window.arg("--").arg("sh").arg(&file),
        ];
        self.ask(Batch::new(batch), Purpose::Errand(Box::new(errand)));
    }

    /// Brings bytes over in pieces, into a buffer.
    fn fill(&mut self, buffer: &str, bytes: &[u8]) {
        // A byte takes at most four characters.
        for piece in bytes.chunks(command::MAX_COMMAND / 4 - 100) {
            let put = Command::new("set-buffer").arg("-a").opt("-b", buffer);
            self.ask(put.arg("--").arg(piece), Purpose::Nothing);
        }
    }

    /// Writes files over there; the first that can't be written is the last that
    /// is tried. None of them is empty: tmux has no empty buffers.
    pub(super) fn put_files(&mut self, files: &[(String, Vec<u8>)], answer: Answer<()>) {
        if let Some(reason) = &self.down {
            // Whoever asked may have left.
            let _ = answer.send(Err(HostError::Unreachable(reason.clone())));
            return;
        }
        let mut batch = Vec::new();
        for (path, bytes) in files {
            let buffer = format!("schmux-{}", nonce());
            self.fill(&buffer, bytes);
            batch.push(Command::new("save-buffer").opt("-b", &buffer).arg(command::literal(path)));
            batch.push(Command::new("delete-buffer").opt("-b", &buffer));
        }
        self.ask(Batch::new(batch), Purpose::Answer(answer));
    }

    /// The window is open: from now on its pane is listened to.
    pub(super) fn errand_began(&mut self, errand: Errand, bodies: &[Vec<u8>]) {
        let pane = bodies.last().and_then(|body| PaneId::parse(body.strip_prefix(b"errand ")?));
        match pane {
            Some(pane) => drop(self.errands.insert(pane, errand)),
            None => errand.fail(&HostError::Refused("it opened no window".into())),
        }
    }

    /// A script has printed something.
    pub(super) fn errand_says(&mut self, pane: PaneId, bytes: &[u8]) {
        let Some(errand) = self.errands.get_mut(&pane) else { return };
        for heard in errand.frames.feed(bytes) {
            match (&mut errand.kind, heard) {
                (Kind::Watch(frames), heard) => {
                    if frames.try_send(heard).is_err() {
                        // The next one tells everything anew.
                        return self.end_errand(pane);
                    }
                }
                (Kind::Run(answer), Heard::Frame(Frame::Done { nonce, status }))
                    if nonce == errand.nonce =>
                {
                    if let Some(answer) = answer.take() {
                        let path = errand.path.clone();
                        return self.fetch(pane, &path, Purpose::Fetch(status, answer));
                    }
                }
                (Kind::Run(_), _) => {}
            }
        }
    }

    fn fetch(&mut self, pane: PaneId, path: &str, purpose: Purpose) {
        let buffer = format!("schmux-{}", nonce());
        let file = command::literal(&format!("{path}.hex"));
        let batch = [
            Command::new("load-buffer").opt("-b", &buffer).arg(file),
            Command::new("show-buffer").opt("-b", &buffer),
            Command::new("delete-buffer").opt("-b", &buffer),
        ];
        self.ask(Batch::new(batch), purpose);
        self.end_errand(pane);
    }

    /// tmux has thrown away what a script printed.
    pub(super) fn errand_paused(&mut self, pane: PaneId) {
        let Some(errand) = self.errands.get(&pane) else { return };
        if let Kind::Watch(_) = errand.kind {
            return self.end_errand(pane);
        }
        let again = Command::new("refresh-client").opt("-A", format!("{pane}:continue"));
        self.ask(again, Purpose::Nothing);
        let capture = capture_command(pane, false, 0).arg("-J");
        self.ask(Batch::fenced([capture], nonce()), Purpose::ErrandScreen(pane));
    }

    /// Ends errands that nobody waits for, and tells of windows that are gone.
    pub(super) fn tend_errands(&mut self, rows: &[Row]) {
        let is_there = |pane: &PaneId| rows.iter().any(|row| row.pane == *pane);
        let gone: Vec<PaneId> = self.errands.keys().copied().filter(|p| !is_there(p)).collect();
        for pane in gone {
            if let Some(errand) = self.errands.remove(&pane) {
                let error = "the script's window was closed over there. Is the disk full?";
                errand.fail(&HostError::Lost(error.into()));
            }
        }
        let forsaken = |(_, errand): &(&PaneId, &Errand)| errand.is_forsaken();
        let ended: Vec<PaneId> = self.errands.iter().filter(forsaken).map(|(p, _)| *p).collect();
        for pane in ended {
            self.end_errand(pane);
        }
    }

    pub(super) fn end_errands(&mut self, error: &HostError) {
        for errand in std::mem::take(&mut self.errands).into_values() {
            errand.fail(error);
        }
    }

    fn end_errand(&mut self, pane: PaneId) {
        self.errands.remove(&pane);
        let end = Command::new("kill-pane").opt("-t", pane.to_string());
        self.ask(end, Purpose::Nothing);
    }
}

/// What a script printed, from the digits that tmux gave back. The first byte
/// stands for nothing: tmux has no empty buffers.
pub(super) fn output(status: i32, bodies: &[Vec<u8>]) -> Result<Output, HostError> {
    let bytes = bodies.get(1).and_then(|digits| decode_hex(digits));
    match bytes.as_deref().and_then(<[u8]>::split_first) {
        Some((_, bytes)) => Ok(Output { status, bytes: bytes.to_vec() }),
        None => Err(HostError::Refused("what the script printed made no sense".into())),
    }
}
