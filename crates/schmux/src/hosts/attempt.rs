//! Scripts that run on a host for as long as it is connected: one that has ended
//! is started again, but never so often that a host which ends it always is kept busy.

use std::time::Duration;

use schmux_core::ids::HostId;
use schmux_core::time::Moment;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::app::App;
use crate::host::remote::State;

/// Pauses after the first, the second and every further failure in a row.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_secs(1), Duration::from_secs(10)];

/// One run of such a script.
pub(super) struct Attempt {
    began: Instant,
    /// The connection that it runs by.
    connection: Moment,
    state: watch::Receiver<State>,
}

impl Attempt {
    /// Waits for the connection; none if the host is not known any more. Its sessions
    /// may all be in servers of the user's own, to which other ways lead.
    pub async fn begin(app: &App, host: &HostId) -> Option<Attempt> {
        app.host.open(host);
        Attempt::by(app.host.reach(host)?.states(), |_| true).await
    }

    /// Waits for a connection that will do.
    async fn by(
        mut state: watch::Receiver<State>,
        will_do: impl Fn(Moment) -> bool,
    ) -> Option<Attempt> {
        let mut connection = None;
        let is_there = |state: &State| {
            connection = match state {
                State::Connected { since, .. } => Some(*since).filter(|since| will_do(*since)),
                _ => None,
            };
            connection.is_some()
        };
        state.wait_for(is_there).await.ok()?;
        Some(Attempt { began: Instant::now(), connection: connection?, state })
    }

    /// It has ended: waits before the next one. What ended with its connection was
    /// not ended by its host, so the next connection ends the pause.
    pub async fn pause(self, failures: &mut usize) {
        if self.began.elapsed() > PAUSES[2] {
            *failures = 0;
        }
        let pause = PAUSES[(*failures).min(PAUSES.len() - 1)];
        let another = Attempt::by(self.state, |since| since != self.connection);
        *failures = match timeout(pause, another).await {
            Ok(Some(_)) => 0,
            Ok(None) | Err(_) => *failures + 1,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connected(at: i64) -> State {
        State::Connected { since: Moment(at), facts: Default::default() }
    }

    #[tokio::test]
    async fn what_fails_again_and_again_waits_until_another_connection_stands() {
        let (state, states) = watch::channel(connected(1));
        let mut failures = 0;
        for expected in 1..3 {
            let attempt = Attempt::by(states.clone(), |_| true).await.expect("it is connected");
            attempt.pause(&mut failures).await;
            assert_eq!(failures, expected);
        }
        let attempt = Attempt::by(states, |_| true).await.expect("it is connected");
        let lost = State::Connecting { since: Moment(2) };
        let again = async {
            for next in [lost, connected(1), connected(3)] {
                state.send_replace(next);
                tokio::task::yield_now().await;
            }
        };
        let short = PAUSES[2] / 2;
        let both = async { tokio::join!(attempt.pause(&mut failures), again) };
        timeout(short, both).await.expect("the connection ended the pause");
        assert_eq!(failures, 0);
    }
}
