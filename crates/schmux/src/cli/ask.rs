//! Asks the human what a host's connect command wants to know.
//!
//! ssh calls it as its askpass: the question is its one argument, the answer
//! goes to stdout. The daemon shows the question until somebody answers.

use std::process::ExitCode;
use std::time::Duration;

use crate::client::{Client, encode_segment};
use crate::home::Home;
use crate::wire::AskRequest;

use super::print;

/// Longer than the daemon keeps a question.
const PATIENCE: Duration = Duration::from_secs(130);

/// Runs it if this program was started as an askpass of the daemon's.
pub(super) fn main() -> Option<ExitCode> {
    let host = std::env::var("SCHMUX_ASK_FOR").ok().filter(|host| !host.is_empty())?;
    let mut words = std::env::args().skip(1);
    let text = words.next().unwrap_or_default();
    if words.next().is_some() {
        return None;
    }
    // `confirm` is a question of yes or no, and `none` only tells something.
    let hint = std::env::var("SSH_ASKPASS_PROMPT").unwrap_or_default();
    let shown = ["confirm", "none"].contains(&hint.as_str()) || text.contains("yes/no");
    let answer = ask(&host, &AskRequest { text, secret: !shown });
    Some(match answer {
        Some(answer) if print::text(&format!("{answer}\n")).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn ask(host: &str, request: &AskRequest) -> Option<String> {
    let client = Client::new(&Home::from_env().ok()?).patient(PATIENCE);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let path = format!("/api/hosts/{}/ask", encode_segment(host));
    runtime.block_on(client.post::<_, Option<String>>(&path, request)).ok()?
}
