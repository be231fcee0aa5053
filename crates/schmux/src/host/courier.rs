//! What a host does for the courier.

use schmux_core::courier::{Event, Gate};
use schmux_core::fleet::Session;
use schmux_core::ids::SessionId;
use tokio::sync::mpsc;

use super::desk::Input;
use super::request::{CourierRequest, Request};
use super::{Host, HostError, Seat};

/// The courier's place at one pane.
#[derive(Clone)]
pub struct Desk {
    host: Host,
    session: SessionId,
    seat: Seat,
}

impl Host {
    /// Shows a session's pane to the courier from now on, by `events`.
    pub async fn desk(&self, session: &Session, events: mpsc::Sender<Event>) -> Desk {
        let desk =
            Desk { host: self.clone(), session: session.id.clone(), seat: Seat::of(session) };
        desk.send(CourierRequest::SitDown { session: desk.session.clone(), events }).await;
        desk
    }
}

impl Desk {
    /// Asks tmux for the pane's facts, now; the answer comes by the events.
    pub async fn look(&self, number: u64) {
        self.send(CourierRequest::Look { session: self.session.clone(), number }).await;
    }

    /// Presses keys by tmux's names for them.
    pub async fn press(&self, keys: Vec<String>) -> Result<(), HostError> {
        self.write(Input::Named(keys)).await
    }

    /// Keys that go past the gate are noted from now on.
    pub async fn watch(&self) {
        self.send(CourierRequest::Watch { session: self.session.clone() }).await;
    }

    /// Presses Enter unless one was noted; true if it was pressed.
    pub async fn submit(&self) -> Result<bool, HostError> {
        let session = self.session.clone();
        let submit = |answer| Request::Courier(CourierRequest::Submit { session, answer });
        self.host.ask(&self.seat, submit).await
    }

    /// Types text as it is.
    pub async fn type_text(&self, text: String) -> Result<(), HostError> {
        self.write(Input::Keys(text.into_bytes())).await
    }

    pub async fn paste(&self, text: String) -> Result<(), HostError> {
        self.write(Input::Paste(text.into_bytes())).await
    }

    pub async fn set_gate(&self, gate: Gate) {
        self.send(CourierRequest::Gate { session: self.session.clone(), gate }).await;
    }

    pub async fn repaint(&self) {
        self.send(CourierRequest::Repaint { session: self.session.clone() }).await;
    }

    async fn write(&self, input: Input) -> Result<(), HostError> {
        let session = self.session.clone();
        let write = |answer| Request::Courier(CourierRequest::Write { session, input, answer });
        self.host.ask(&self.seat, write).await
    }

    async fn send(&self, request: CourierRequest) {
        // When the task is gone the daemon ends.
        let _ = self.host.send(&self.seat, Request::Courier(request)).await;
    }
}
