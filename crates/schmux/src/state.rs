//! Why a session is shown as it is, and answers to the dialog that it shows.

use schmux_core::reading::AnswerError;

use crate::app::App;
use crate::host::{DialogAnswer, HostError};
use crate::http::error::Failure;
use crate::spawn::now;
use crate::wire::{self, AnswerReply, AnswerRequest, Why};

/// What every source says of a session's state, up to this moment.
pub(crate) async fn why(app: &App, name: &str) -> Result<Why, Failure> {
    let shown = app.session(name)?;
    let session = app.hub.session(shown.id.clone()).await.unwrap_or(shown);
    Ok(wire::why(&session, &app.host.reader(&session).name, now()))
}

/// Answers exactly the dialog that the request names.
pub(crate) async fn answer(
    app: &App,
    name: &str,
    request: AnswerRequest,
) -> Result<AnswerReply, Failure> {
    let session = app.session(name)?;
    let shown = wire::dialog(&session).filter(|dialog| dialog.id == request.dialog);
    let (Some(shown), Some((dialog, _)), Some(since)) =
        (shown, session.judge.dialog(), session.judge.dialog_since())
    else {
        return Err(HostError::Dialog(AnswerError::Gone).into());
    };
    if request.choice >= shown.choices.len() {
        let message = format!("the dialog has {} choices", shown.choices.len());
        let failure = Failure::unprocessable("no_such_choice", message);
        return Err(failure.advice("choices are counted from 0"));
    }
    let wanted = DialogAnswer { fingerprint: dialog.fingerprint, since, choice: request.choice };
    let closed = app.host.answer_dialog(&session, wanted).await?;
    Ok(AnswerReply { closed })
}
