//! Agents outside schmux on the hosts that are connected, as they were found when
//! somebody last asked. A look is a script that runs over there, so it isn't made
//! again and again, and nobody waits for a slow way: what comes late is for the
//! next one who asks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use schmux_core::ids::HostId;

use super::{Found, offers_there};
use crate::app::App;

/// How long what was found counts: a page that is opened again and a list that
/// is asked for twice cost one look.
const FRESH: Duration = Duration::from_secs(30);

/// How long an answer waits for a look. It is an offer only.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was found on each host.
#[derive(Default)]
pub struct Elsewhere {
    /// A std mutex: held for a look, never across an await.
    looks: Mutex<HashMap<HostId, Look>>,
}

#[derive(Default)]
struct Look {
    began: Option<Instant>,
    found: Vec<Found>,
}

impl Elsewhere {
    /// Whether it is time to look again; whoever is told so does it.
    fn begin(&self, host: &HostId) -> bool {
        let mut looks = self.lock();
        let look = looks.entry(host.clone()).or_default();
        let due = look.began.is_none_or(|began| began.elapsed() > FRESH);
        if due {
            look.began = Some(Instant::now());
        }
        due
    }

    pub(super) fn keep(&self, host: HostId, found: Vec<Found>) {
        self.lock().insert(host, Look { began: Some(Instant::now()), found });
    }

    fn found(&self, host: &HostId) -> Vec<Found> {
        self.lock().get(host).map(|look| look.found.clone()).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<HostId, Look>> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Those on all hosts that are connected. No connection is made for it.
pub(super) async fn offers(app: &Arc<App>) -> Vec<Found> {
    let hosts = app.hosts.names().into_iter();
    let connected = hosts.filter(|host| app.host.reach(host).is_some_and(|r| r.facts().is_some()));
    join_all(connected.map(|host| offers_of(app, host))).await.concat()
}

async fn offers_of(app: &Arc<App>, host: HostId) -> Vec<Found> {
    if app.elsewhere.begin(&host) {
        let (app, host) = (app.clone(), host.clone());
        let look = tokio::spawn(async move {
            if let Err(failure) = offers_there(&app, host.as_str()).await {
                tracing::debug!(%host, reason = failure.error.message, "can't look for agents");
            }
        });
        // If it takes longer it goes on all the same.
        let _ = tokio::time::timeout(PATIENCE, look).await;
    }
    app.elsewhere.found(&host)
}
