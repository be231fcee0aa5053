//! What agents' hooks and scripts tell the daemon, by its socket or by the
//! events file: from the request to what the fleet hears.

use schmux_core::fleet::{Event, Item, News};
use schmux_core::ids::SessionId;
use schmux_core::signal::hook::Told;
use schmux_core::signal::{Signal, Source, hook};

use crate::app::App;
use crate::http::error::Failure;
use crate::spawn::now;
use crate::wire::{HookReply, HookRequest, SignalRequest};

/// What one call of a hook is; nothing if the agent's hooks are not known.
pub(crate) fn item(request: HookRequest) -> Option<Item> {
    let told = hook::read(&request.agent, &request.event, &request.payload)?;
    Some(Item::Hook { told, id: Some(request.id) })
}

/// Hears a hook; done when it is on disk.
pub(crate) async fn hear(app: &App, request: HookRequest) -> Result<HookReply, Failure> {
    let session = app.session(&request.session_id)?.id;
    let agent = request.agent.clone();
    let Some(item) = item(request) else {
        let message = format!("the hooks of {agent:?} are not known");
        return Err(Failure::unprocessable("unknown_hook", message));
    };
    let prompt = prompt(&item);
    let news = News { session: session.clone(), items: vec![item], place: None, at: now() };
    app.hub.apply(Event::News(news)).await?;
    if let Some((id, prompt)) = prompt {
        app.couriers.hear_prompt(&session, &id, prompt).await;
    }
    Ok(HookReply::default())
}

/// The prompt that an agent says it was given, with the id of that word.
fn prompt(item: &Item) -> Option<(String, String)> {
    match item {
        Item::Hook {
            told: Told { news: hook::News::TurnBegan { prompt }, child: false, .. },
            id,
        } => Some((id.clone()?, prompt.clone()?)),
        _ => None,
    }
}

/// The prompts in what the files of a session told.
pub(crate) fn prompts(news: &News) -> Vec<(SessionId, String, String)> {
    let told = news.items.iter().filter_map(prompt);
    told.map(|(id, prompt)| (news.session.clone(), id, prompt)).collect()
}

/// Hears a script; done when it is on disk.
pub(crate) async fn say(
    app: &App,
    session: SessionId,
    request: SignalRequest,
) -> Result<(), Failure> {
    let mut signal = Signal::new(request.state, &request.message, Source::Cli);
    for (key, value) in &request.details {
        signal.add_detail(key, value);
    }
    let items = vec![Item::said(signal, Some(request.id))];
    app.hub.apply(Event::News(News { session, items, place: None, at: now() })).await?;
    Ok(())
}
