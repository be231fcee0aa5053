//! Which session a person means: an id, the beginning of one, or a nickname.

use crate::nearest::nearest;
use crate::wire::Session;

use super::Context;
use super::failure::{Exit, Failure};
use super::print;

/// All sessions, as the API lists them.
pub(super) async fn sessions(context: &Context) -> Result<Vec<Session>, Failure> {
    Ok(context.client.get("/api/sessions").await?)
}

/// The session that `name` means.
pub(super) async fn session(context: &Context, name: &str) -> Result<Session, Failure> {
    among(&sessions(context).await?, name).cloned()
}

pub(super) fn among<'a>(sessions: &'a [Session], name: &str) -> Result<&'a Session, Failure> {
    if let Some(session) = sessions.iter().find(|session| session.id == name) {
        return Ok(session);
    }
    let nicknamed = |session: &&Session| session.nickname.as_deref() == Some(name);
    let begins = |session: &&Session| !name.is_empty() && session.id.starts_with(name);
    let mut found: Vec<&Session> = sessions.iter().filter(nicknamed).collect();
    if found.is_empty() {
        found = sessions.iter().filter(begins).collect();
    }
    match found.as_slice() {
        [session] => Ok(session),
        [] => Err(none(sessions, name)),
        several => {
            let ids: Vec<&str> = several.iter().map(|session| session.id.as_str()).collect();
            Err(Failure::new(format!("`{}` means several sessions", print::safe(name)))
                .exit(Exit::NotFound)
                .advice(format!("name one of them: {}", ids.join(", "))))
        }
    }
}

fn none(sessions: &[Session], name: &str) -> Failure {
    let names = sessions
        .iter()
        .flat_map(|session| [Some(session.id.as_str()), session.nickname.as_deref()])
        .flatten();
    let near: Vec<String> = nearest(name, names).into_iter().map(print::safe).collect();
    let advice = match near.as_slice() {
        _ if sessions.is_empty() => "there are none; make one: schmux spawn -t demo".to_owned(),
        [] => "`schmux list` shows them all".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    Failure::new(format!("there is no session `{}`", print::safe(name)))
        .exit(Exit::NotFound)
        .advice(advice)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::wire::{Confidence, Status, Verdict};

    pub fn a_verdict(state: Status) -> Verdict {
        Verdict {
            state,
            confidence: Confidence::High,
            rule: "it said so".into(),
            message: None,
            since: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    pub fn a_session(id: &str, nickname: Option<&str>) -> Session {
        Session {
            id: id.into(),
            workspace_id: id.rsplit_once('-').map_or("w-001", |(workspace, _)| workspace).into(),
            target: "demo".into(),
            nickname: nickname.map(Into::into),
            host: "local".into(),
            status: Status::Unknown,
            verdict: a_verdict(Status::Unknown),
            dialog: None,
            created_at: jiff::Timestamp::UNIX_EPOCH,
            last_output_at: None,
            reason: None,
            exit_code: None,
            title: None,
            command: vec!["demo".into()],
            adopted: false,
            cols: 80,
            rows: 24,
            tmux_session: id.into(),
            pane: None,
            attach_cmd: format!("tmux -L schmux attach -t '={id}'"),
            status_file: String::new(),
            events_file: String::new(),
            said: crate::wire::Said::default(),
            mail: Vec::new(),
        }
    }

    #[test]
    fn ids_prefixes_and_nicknames() {
        let sessions = [
            a_session("app-001-aaaa1111", Some("fixer")),
            a_session("app-001-bbbb2222", Some("twin")),
            a_session("web-001-cccc3333", Some("twin")),
            a_session("web-001-dddd4444", Some("app-001-aaaa1111")),
        ];
        let cases = [
            ("app-001-aaaa1111", Ok("app-001-aaaa1111")),
            ("app-001-b", Ok("app-001-bbbb2222")),
            ("fixer", Ok("app-001-aaaa1111")),
            ("app", Err("name one of them: app-001-aaaa1111, app-001-bbbb2222")),
            ("twin", Err("name one of them: app-001-bbbb2222, web-001-cccc3333")),
            ("fixr", Err("did you mean fixer?")),
            ("cccc3333", Err("did you mean web-001-cccc3333?")),
            ("", Err("`schmux list` shows them all")),
        ];
        for (name, expected) in cases {
            match (among(&sessions, name), expected) {
                (Ok(session), Ok(id)) => assert_eq!(session.id, id),
                (Err(failure), Err(advice)) => {
                    assert_eq!(failure.advice.as_deref(), Some(advice), "{name}");
                    assert_eq!(failure.exit, Exit::NotFound);
                }
                (got, _) => panic!("{name}: {got:?}"),
            }
        }
        assert!(among(&[], "x").unwrap_err().advice.unwrap().contains("schmux spawn"));
    }
}
