//! What agents' hooks and scripts tell the daemon, by its socket or by the
//! events file: from the request to what the fleet hears.

use schmux_core::courier::Event as Heard;
use schmux_core::courier::hand::Chance;
use schmux_core::fleet::{Event, Item, News};
use schmux_core::ids::SessionId;
use schmux_core::signal::{Signal, Source, hook};

use crate::app::App;
use crate::courier;
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
    let HookRequest { agent, event, id: call, deaf, .. } = request.clone();
    let Some(Item::Hook { mut told, id }) = item(request) else {
        let message = format!("the hooks of {agent:?} are not known");
        return Err(Failure::unprocessable("unknown_hook", message));
    };
    let wanted = app.config.messages.hooks && !deaf && !told.child;
    let chance = Chance::of(&agent, &event).filter(|_| wanted);
    let mut words = None;
    // A turn whose end brings a message goes on, and should not be told as ended.
    if chance == Some(Chance::Stop) {
        words = courier::by_hook(app, &session, &call, Chance::Stop).await;
    }
    // If the answer doesn't arrive, the hook comes again by the events file.
    let id = id.filter(|_| words.is_none());
    if words.is_some() {
        told.news = hook::News::TurnBegan { prompt: None };
    }
    let (news, child) = (told.news.clone(), told.child);
    let items = vec![Item::Hook { told, id }];
    let news_of = News { session: session.clone(), items, place: None, at: now() };
    app.hub.apply(Event::News(news_of)).await?;
    if let (hook::News::TurnBegan { prompt: Some(prompt) }, false) = (news, child) {
        app.couriers.hear_prompt(&session, &call, prompt).await;
    }
    match chance {
        Some(Chance::Turn) => words = courier::by_hook(app, &session, &call, Chance::Turn).await,
        None if !child => drop(app.couriers.tell(&session, Heard::WentOn(call)).await),
        _ => {}
    }
    let output = chance.zip(words).map(|(chance, words)| chance.answer(&agent, &event, &words));
    Ok(HookReply { message: output.is_some(), output })
}

/// The prompt that an agent says it was given.
pub(crate) fn prompt(item: &Item) -> Option<String> {
    match item {
        Item::Hook { told, .. } if !told.child => match &told.news {
            hook::News::TurnBegan { prompt } => prompt.clone(),
            _ => None,
        },
        _ => None,
    }
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
