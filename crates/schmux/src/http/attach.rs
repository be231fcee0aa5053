//! `/ws/attach/{id}`: the line to a `schmux attach`, over the Unix socket only.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use schmux_core::fleet::{Event, Fact, Session};
use tokio::sync::oneshot;

use super::error::{Failure, Path};
use crate::app::App;
use crate::courier::Order;
use crate::wire::{AttachMessage, AttachNote};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/ws/attach/{id}", get(attach))
}

async fn attach(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let session = app.session(&id)?;
    Ok(upgrade.on_upgrade(move |socket| serve(socket, app, session)))
}

async fn serve(mut socket: WebSocket, app: Arc<App>, session: Session) {
    let mut orders = app.couriers.gates.attach(&session.id);
    let mut closing: HashMap<u64, oneshot::Sender<()>> = HashMap::new();
    let mut number = 0;
    loop {
        tokio::select! {
            order = orders.recv() => {
                let message = match order {
                    None => return,
                    Some(Order::Open { replay }) => AttachMessage::Open { replay },
                    Some(Order::Close(answer)) => {
                        number += 1;
                        closing.insert(number, answer);
                        AttachMessage::Close { number }
                    }
                };
                let text = serde_json::to_string(&message).expect("it holds nothing that JSON can't");
                if socket.send(Message::Text(text.into())).await.is_err() {
                    return;
                }
            }
            incoming = socket.recv() => {
                let note = match incoming {
                    Some(Ok(Message::Text(text))) => serde_json::from_str(&text),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => continue,
                };
                match note {
                    Ok(AttachNote::Closed { number }) => {
                        // Whoever asked may have given up.
                        closing.remove(&number).map(|answer| answer.send(()));
                        closing.retain(|_, answer| !answer.is_closed());
                    }
                    Ok(note) => hear(&app, &session, note).await,
                    Err(error) => tracing::warn!(%error, "a terminal said what none should"),
                }
            }
        }
    }
}

async fn hear(app: &App, session: &Session, note: AttachNote) {
    match note {
        AttachNote::Closed { .. } => {}
        AttachNote::Typed { keys } => app.host.note_typed(session, keys).await,
        AttachNote::Withheld { text } => {
            let event = Event::Seen(session.id.clone(), Fact::Withheld { keys: text });
            if let Err(error) = app.hub.apply(event).await {
                tracing::error!(%error, "keys that were not typed are not remembered");
            }
        }
    }
}
