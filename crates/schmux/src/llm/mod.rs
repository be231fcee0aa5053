//! Asks a language model one question: a web API, or an installed agent.
//!
//! [`Model::ask`] sends a prompt and returns what the model thinks of it. `dialect`
//! is how each API is spoken, `post` carries it, `oneshot` asks an agent, `key`
//! holds what must not be seen. What to ask, and whether, is decided elsewhere.
//!
//! **Invariant:** a key appears in a request's header and nowhere else: not in a
//! log, not in an error, not in an address.

mod dialect;
mod key;
mod oneshot;
mod post;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use schmux_core::nudgenik::{self, AnswerError, Opinion, Prompt, Refusal};

use crate::config::{Api, Nudgenik};
use crate::proc::ProcError;
use dialect::Endpoint;
use key::KeySource;
use oneshot::Agent;

/// A model that can be asked.
#[derive(Debug)]
pub(crate) struct Model {
    name: String,
    way: Way,
    /// How long one answer may take.
    limit: Duration,
    /// What the pauses between attempts are multiplied by. Tests don't wait.
    pace: f64,
}

#[derive(Debug)]
enum Way {
    Api {
        endpoint: Endpoint,
        key: KeySource,
        /// The service has refused a schema; the words of the prompt have to do.
        no_schema: AtomicBool,
    },
    Agent(Agent),
}

/// How many tokens went to and fro, where the model tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub sent: u64,
    pub received: u64,
}

/// What a model answered, as it came.
#[derive(Debug)]
struct Answer {
    text: String,
    usage: Usage,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum LlmError {
    #[error("there is no key: the variable {0} is not set where the daemon runs")]
    NoKey(String),
    #[error("can't read the key in {}: {source}", path.display())]
    KeyFile { path: PathBuf, source: io::Error },
    #[error("{what} can't stand in a request's header")]
    BadKey { what: String },
    #[error("{host} answered {status}: {text}")]
    Refused { host: String, status: u16, text: String, after: Option<Duration> },
    #[error("{host} can't be reached: {text}")]
    Unreachable { host: String, text: String },
    #[error("{host} did not answer within {} s", limit.as_secs_f64())]
    Slow { host: String, limit: Duration },
    #[error("{host} answered in a way that is not this API's: {text}")]
    Garbage { host: String, text: String },
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error(transparent)]
    Agent(#[from] ProcError),
    #[error("can't prepare {}: {source}", path.display())]
    Prepare { path: PathBuf, source: io::Error },
}

impl Model {
    /// The model of the settings, if there is one. `dir` is an empty place where
    /// an agent can be asked.
    pub fn new(settings: &Nudgenik, dir: PathBuf) -> Option<Model> {
        let model = settings.model.clone();
        let (name, way) = match (settings.api, settings.agent) {
            (Some(api), _) => {
                let name = model?;
                let endpoint = Endpoint::new(api, settings.url.as_deref(), &name);
                let key = KeySource::of(api, settings);
                (name, Way::Api { endpoint, key, no_schema: AtomicBool::new(false) })
            }
            (None, Some(agent)) => {
                let agent = Agent::new(agent, model, dir);
                (agent.to_string(), Way::Agent(agent))
            }
            (None, None) => return None,
        };
        Some(Model { name, way, limit: Duration::from_secs(settings.timeout), pace: 1.0 })
    }

    /// For people: `claude-haiku-4-5`, `codex exec`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it runs on this machine, where nothing is paid and nothing leaves.
    pub fn is_local(&self) -> bool {
        matches!(&self.way, Way::Api { endpoint, .. } if endpoint.is_local())
    }

    /// Whether it has what it needs, as far as that can be seen from here.
    pub fn is_ready(&self) -> Result<(), LlmError> {
        match &self.way {
            Way::Api { key, .. } => key.read().map(|_| ()),
            Way::Agent(_) => Ok(()),
        }
    }

    /// Asks, and asks again where that may help.
    pub async fn ask(&self, prompt: &Prompt) -> Result<(Opinion, Usage), LlmError> {
        for attempt in 0.. {
            let error = match self.attempt(prompt).await {
                Ok(answer) => return Ok((nudgenik::parse(&answer.text)?, answer.usage)),
                Err(error) => error,
            };
            match nudgenik::pause(error.refusal(), attempt, rand::random()) {
                Some(pause) => {
                    tracing::debug!(model = self.name, %error, "is asked again");
                    tokio::time::sleep(pause.mul_f64(self.pace)).await;
                }
                None => return Err(error),
            }
        }
        unreachable!("the pauses end")
    }

    async fn attempt(&self, prompt: &Prompt) -> Result<Answer, LlmError> {
        let (endpoint, key, no_schema) = match &self.way {
            Way::Agent(agent) => return agent.ask(prompt, self.limit).await,
            Way::Api { endpoint, key, no_schema } => (endpoint, key.read()?, no_schema),
        };
        let with_schema = !no_schema.load(Ordering::Relaxed);
        let request = endpoint.request(prompt, with_schema, key.as_ref());
        match post::post(request, key.clone(), self.limit).await {
            Ok(body) => endpoint.read(&body),
            // Many services that speak OpenAI's way take no schema.
            Err(LlmError::Refused { status: 400 | 422, .. })
                if with_schema && endpoint.api() == Api::Openai =>
            {
                no_schema.store(true, Ordering::Relaxed);
                let request = endpoint.request(prompt, false, key.as_ref());
                let sent = post::post(request, key, self.limit).await;
                // If it was something else, a schema may be right next time.
                sent.inspect_err(|_| no_schema.store(false, Ordering::Relaxed))
                    .and_then(|body| endpoint.read(&body))
            }
            Err(error) => Err(error),
        }
    }
}

impl LlmError {
    fn refusal(&self) -> Refusal {
        match self {
            LlmError::Refused { status: 429 | 503 | 529, after, .. } => {
                Refusal::Busy { after: *after }
            }
            LlmError::Refused { status: 408 | 409 | 500.., .. } => Refusal::Broken,
            LlmError::Unreachable { .. } => Refusal::Broken,
            _ => Refusal::Final,
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            LlmError::NoKey(_) => "set it, then start the daemon again; or use `key_file`",
            LlmError::KeyFile { .. } | LlmError::BadKey { .. } | LlmError::Prepare { .. } => {
                "correct it; it is tried again by itself"
            }
            LlmError::Refused { status: 401 | 403, .. } => "look at the key in [nudgenik]",
            LlmError::Refused { status: 404, .. } => "look at `model` and `url` in [nudgenik]",
            LlmError::Refused { status: 429, .. } => "lower `per_hour` in [nudgenik], or wait",
            LlmError::Answer(_) | LlmError::Garbage { .. } => {
                "look at `api` and `url` in [nudgenik], or try another model"
            }
            LlmError::Slow { .. } => "raise `timeout` in [nudgenik], or take a faster model",
            LlmError::Agent(ProcError::NotFound { .. }) => {
                "install it, or start the daemon where it is on PATH"
            }
            _ => "it is tried again by itself; meanwhile the words alone are read",
        }
    }
}
