//! Starting a session once more: the request that makes another one like it. It is
//! told and not acted on, so that a person can change it first.

use schmux_core::fleet::Session;

use crate::app::App;
use crate::http::error::Failure;
use crate::wire::SpawnRequest;

/// The request that starts another session like one that is there or has ended.
/// It has no nickname, because names are told apart.
pub fn request_of(app: &App, session: &Session) -> Result<SpawnRequest, Failure> {
    let Some(asked) = session.asked.clone().filter(|_| !session.adopted) else {
        let message = format!("it is not known how {} was started", session.id);
        return Err(Failure::conflict("start_not_known", message)
            .advice("start a new session in its workspace, and say what it is to do"));
    };
    let workspace = app.fleet.borrow().workspace(&session.workspace).cloned();
    Ok(SpawnRequest {
        target: session.target.clone(),
        host: (session.host != super::local()).then(|| session.host.to_string()),
        workspace: workspace.map(|workspace| workspace.path),
        prompt: asked.prompt,
        args: asked.args,
        ..SpawnRequest::default()
    })
}
