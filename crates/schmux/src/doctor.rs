//! What the daemon can tell of its own health, for `schmux doctor`.

use schmux_core::fleet::{Life, Socket};

use crate::app::App;
use crate::wire::{Check, CheckResult};

pub async fn examine(app: &App) -> Vec<Check> {
    let fleet = app.fleet.borrow().clone();
    let unreachable: Vec<String> = fleet
        .sessions()
        .filter_map(|session| match &session.life {
            Life::Unreachable { reason } => Some(format!("{} ({reason})", session.id)),
            _ => None,
        })
        .collect();
    let sessions = fleet.sessions().count();
    let reach = if unreachable.is_empty() {
        Check {
            name: "sessions".into(),
            result: CheckResult::Ok,
            detail: format!("{sessions}, all within reach"),
            advice: None,
        }
    } else {
        Check {
            name: "sessions".into(),
            result: CheckResult::Warning,
            detail: format!(
                "{} of {sessions} unreachable: {}",
                unreachable.len(),
                unreachable.join(", ")
            ),
            advice: Some("schmux keeps trying; look at the log if it lasts".into()),
        }
    };
    let sockets: Vec<String> = app
        .host
        .sockets()
        .into_iter()
        .map(|socket| match socket {
            Socket::Name(name) => name,
            Socket::Path(path) => path,
        })
        .collect();
    let servers = Check {
        name: "tmux servers".into(),
        result: CheckResult::Ok,
        detail: sockets.join(", "),
        advice: None,
    };
    vec![reach, servers]
}
