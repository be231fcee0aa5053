//! How a verb fails: what failed, on what, what to do about it, and the exit code.

use std::io;
use std::process::ExitCode;

use hyper::StatusCode;

use crate::client::ClientError;
use crate::config::ConfigError;
use crate::home::HomeError;
use crate::http::listen::ListenError;
use crate::proc::ProcError;

use super::print;

/// The exit codes of `schmux --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    Failed = 1,
    Usage = 2,
    NotRunning = 3,
    NotFound = 4,
    Unfit = 5,
    TooLate = 6,
    Ended = 7,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(super) exit: Exit,
    pub(super) message: String,
    pub(super) advice: Option<String>,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Failed, message: message.into(), advice: None }
    }

    pub(super) fn exit(self, exit: Exit) -> Failure {
        Failure { exit, ..self }
    }

    pub(super) fn advice(self, advice: impl Into<String>) -> Failure {
        Failure { advice: Some(advice.into()), ..self }
    }

    /// An error of a part that has its own ways, with the exit code that its causes call for.
    pub(super) fn from_any(err: anyhow::Error) -> Failure {
        let err = match err.downcast::<HomeError>() {
            Ok(err) => return err.into(),
            Err(err) => err,
        };
        let unfit = err.chain().any(|cause| {
            let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
            let proc = cause.downcast_ref::<ProcError>();
            kind.is_some_and(is_unfit)
                || matches!(proc, Some(ProcError::NotFound { .. }))
                || cause.is::<HomeError>()
                || cause.is::<ListenError>()
        });
        let failure = Failure::new(format!("{err:#}"));
        if unfit { failure.exit(Exit::Unfit) } else { failure }
    }

    /// Says it on stderr.
    pub(super) fn report(&self) -> ExitCode {
        let style = print::Style::of_stderr();
        // A host may have had a say in it.
        let mut text = format!("{} {}\n", style.red("schmux:"), print::safe_lines(&self.message));
        for line in self.advice.iter().flat_map(|advice| advice.lines()) {
            text.push_str(&format!("  {}\n", print::safe(line)));
        }
        print::to_stderr(&text);
        ExitCode::from(self.exit as u8)
    }
}

/// Whether it is the machine that is to blame.
fn is_unfit(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::*;
    matches!(kind, AddrInUse | PermissionDenied | ReadOnlyFilesystem | StorageFull | QuotaExceeded)
}

impl From<ClientError> for Failure {
    fn from(err: ClientError) -> Self {
        let exit = match &err {
            ClientError::NotRunning { .. } => Exit::NotRunning,
            ClientError::Refused { status, error } => match error.code.as_str() {
                "no_such_session"
                | "no_such_workspace"
                | "unknown_target"
                | "target_not_installed" => Exit::NotFound,
                "not_writable" => Exit::Unfit,
                "no_target" | "no_pane_named" | "prompt_too_long" => Exit::Usage,
                // What was given is no such thing: a nickname, a count, a host's name.
                code if code.starts_with("bad_") => Exit::Usage,
                _ if *status == StatusCode::NOT_FOUND => Exit::NotFound,
                _ => Exit::Failed,
            },
            _ => Exit::Failed,
        };
        Failure { exit, message: err.to_string(), advice: err.advice() }
    }
}

impl From<ConfigError> for Failure {
    fn from(err: ConfigError) -> Self {
        Failure { exit: Exit::Usage, message: err.to_string(), advice: err.advice() }
    }
}

impl From<HomeError> for Failure {
    fn from(err: HomeError) -> Self {
        Failure::new(err.to_string()).exit(Exit::Unfit)
    }
}

impl From<ProcError> for Failure {
    fn from(err: ProcError) -> Self {
        match &err {
            ProcError::NotFound { program } => {
                let advice = format!("install {program}, or add its directory to PATH");
                Failure::new(err.to_string()).exit(Exit::Unfit).advice(advice)
            }
            _ => Failure::new(err.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ApiError;

    #[test]
    fn exit_codes_follow_from_the_cause() {
        let refused = |status, code: &str| ClientError::Refused {
            status,
            error: ApiError { code: code.into(), message: "m".into(), advice: None },
        };
        let cases: [(Failure, Exit); 8] = [
            (ClientError::NotRunning { socket: "/s".into() }.into(), Exit::NotRunning),
            (refused(StatusCode::NOT_FOUND, "no_such_session").into(), Exit::NotFound),
            (refused(StatusCode::BAD_REQUEST, "unknown_target").into(), Exit::NotFound),
            (refused(StatusCode::BAD_REQUEST, "not_writable").into(), Exit::Unfit),
            (refused(StatusCode::BAD_REQUEST, "git_failed").into(), Exit::Failed),
            (refused(StatusCode::BAD_REQUEST, "bad_nickname").into(), Exit::Usage),
            (ConfigError::Port { value: "x".into() }.into(), Exit::Usage),
            (
                Failure::from_any(
                    anyhow::Error::from(io::Error::from(io::ErrorKind::AddrInUse))
                        .context("can't listen on port 1"),
                ),
                Exit::Unfit,
            ),
        ];
        for (failure, exit) in cases {
            assert_eq!(failure.exit, exit, "{failure:?}");
        }
    }
}
