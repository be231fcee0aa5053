//! Terminals that are attached by `schmux attach`: their keys wait at their own
//! end, and the courier doesn't begin before they said so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use schmux_core::ids::SessionId;
use tokio::sync::{mpsc, oneshot};

/// How long a terminal may take to say that its keys wait. It takes a
/// millisecond; one that hangs is treated like a plain `tmux attach`.
const CLOSE: Duration = Duration::from_millis(100);

/// Orders that may wait for one terminal. Gates close and open a few times a
/// minute; one that doesn't take them is not waited for.
const ORDERS: usize = 16;

pub(crate) enum Order {
    /// Answered when keys wait.
    Close(oneshot::Sender<()>),
    Open {
        replay: bool,
    },
}

type Table = HashMap<SessionId, Vec<mpsc::Sender<Order>>>;

#[derive(Default, Clone)]
pub(crate) struct Gates {
    /// A std mutex: held for a look, never across an await.
    attached: Arc<Mutex<Table>>,
}

impl Gates {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.attached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A terminal is attached as long as it takes its orders.
    pub fn attach(&self, session: &SessionId) -> mpsc::Receiver<Order> {
        let (orders, received) = mpsc::channel(ORDERS);
        self.table().entry(session.clone()).or_default().push(orders);
        received
    }

    fn terminals(&self, session: &SessionId) -> Vec<mpsc::Sender<Order>> {
        let mut table = self.table();
        let Some(terminals) = table.get_mut(session) else { return Vec::new() };
        terminals.retain(|orders| !orders.is_closed());
        let terminals = terminals.clone();
        if terminals.is_empty() {
            table.remove(session);
        }
        terminals
    }

    /// Done when the keys of all terminals wait.
    pub async fn close(&self, session: &SessionId) {
        let waits = self.terminals(session).into_iter().map(|orders| async move {
            let (answer, closed) = oneshot::channel();
            // One that doesn't take it, or is gone, types past the gate.
            let _ = orders.try_send(Order::Close(answer));
            let _ = tokio::time::timeout(CLOSE, closed).await;
        });
        join_all(waits).await;
    }

    pub fn open(&self, session: &SessionId, replay: bool) {
        for orders in self.terminals(session) {
            // One that missed the order opens by itself.
            let _ = orders.try_send(Order::Open { replay });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn closing_waits_for_those_who_answer() {
        let gates = Gates::default();
        let session = SessionId::new("a-001-x").unwrap();
        gates.close(&session).await;
        let mut quick = gates.attach(&session);
        let gone = gates.attach(&session);
        drop(gone);
        let _hangs = gates.attach(&session);
        let answering = tokio::spawn(async move {
            let Some(Order::Close(answer)) = quick.recv().await else {
                panic!("an order to close")
            };
            answer.send(()).unwrap();
            matches!(quick.recv().await, Some(Order::Open { replay: true }))
        });
        let began = std::time::Instant::now();
        gates.close(&session).await;
        assert!(began.elapsed() >= CLOSE, "the one that hangs is given its time");
        gates.open(&session, true);
        assert!(answering.await.unwrap());
    }
}
