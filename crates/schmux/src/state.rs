//! Why a session is shown as it is, and answers to the dialog that it shows.

use crate::app::App;
use crate::http::error::Failure;
use crate::spawn::now;
use crate::wire::{self, AnswerReply, AnswerRequest, Why};

/// What every source says of a session's state.
pub(crate) fn why(app: &App, name: &str) -> Result<Why, Failure> {
    let session = app.session(name)?;
    let reader = session.agent.as_deref().unwrap_or("generic");
    Ok(wire::why(&session, reader, now()))
}

/// Answers exactly the dialog that the request names.
pub(crate) async fn answer(
    app: &App,
    name: &str,
    request: AnswerRequest,
) -> Result<AnswerReply, Failure> {
    let session = app.session(name)?;
    let gone = || {
        Failure::conflict("dialog_gone", "that dialog is not on the screen any more")
            .advice("nothing was typed; look at what the session shows now")
    };
    let dialog = wire::dialog(&session).filter(|dialog| dialog.id == request.dialog);
    let dialog = dialog.ok_or_else(gone)?;
    let Some(choice) = dialog.choices.get(request.choice) else {
        let message = format!("the dialog has {} choices", dialog.choices.len());
        return Err(
            Failure::unprocessable("no_such_choice", message).advice("choices are counted from 0")
        );
    };
    if !choice.answerable {
        let message = format!("no safe keys are known for {:?}", choice.label);
        return Err(Failure::unprocessable("no_safe_keys", message)
            .advice("answer it in the session's terminal"));
    }
    let keys =
        session.judge.dialog().map(|(dialog, _)| dialog.choices[request.choice].keys.clone());
    app.host.named_keys(&session, keys.ok_or_else(gone)?).await?;
    Ok(AnswerReply { closed: false })
}
