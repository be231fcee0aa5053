//! How each API is asked, and where its answer stands. No IO.
//!
//! Requests say as little as they can: models refuse settings that others need
//! (a temperature, a limit of tokens), and the fewest words are understood by most.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use schmux_core::nudgenik::Prompt;
use serde_json::{Value, json};

use super::key::Key;
use super::{Answer, LlmError, Usage};
use crate::config::Api;

/// One model of one service.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    api: Api,
    base: String,
    model: String,
}

/// A request, ready to be sent.
#[derive(Debug)]
pub(super) struct Request {
    pub url: String,
    /// The name of the service, for people.
    pub host: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// What the tool is called that an Anthropic model must use for its answer, and
/// the schema elsewhere.
const NAME: &str = "verdict";

/// Anthropic wants a limit. The answer takes a tenth of it.
const MOST_TOKENS: u32 = 1024;

impl Endpoint {
    pub fn new(api: Api, url: Option<&str>, model: &str) -> Endpoint {
        let usual = match api {
            Api::Openai => "https://api.openai.com/v1",
            Api::Anthropic => "https://api.anthropic.com",
            Api::Gemini => "https://generativelanguage.googleapis.com",
            Api::Ollama => "http://127.0.0.1:11434",
        };
        let base = url.unwrap_or(usual).trim_end_matches('/').to_owned();
        Endpoint { api, base, model: model.to_owned() }
    }

    pub fn api(&self) -> Api {
        self.api
    }

    pub fn is_local(&self) -> bool {
        let host = self.host();
        let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        matches!(name, "localhost" | "[::1]") || name.starts_with("127.")
    }

    /// `api.openai.com`, `127.0.0.1:11434`.
    fn host(&self) -> String {
        let rest = self.base.split_once("://").map_or(self.base.as_str(), |(_, rest)| rest);
        let host = rest.split('/').next().unwrap_or(rest);
        // A name and a password may stand before it.
        host.rsplit_once('@').map_or(host, |(_, host)| host).to_owned()
    }

    pub fn request(&self, prompt: &Prompt, with_schema: bool, key: Option<&Key>) -> Request {
        let (path, body) = match self.api {
            Api::Openai => ("/chat/completions".to_owned(), self.openai(prompt, with_schema)),
            Api::Anthropic => ("/v1/messages".to_owned(), self.anthropic(prompt)),
            Api::Gemini => {
                let model = self.model.trim_start_matches("models/");
                let model = utf8_percent_encode(model, NON_ALPHANUMERIC);
                (format!("/v1beta/models/{model}:generateContent"), gemini(prompt))
            }
            Api::Ollama => ("/api/chat".to_owned(), self.ollama(prompt)),
        };
        let mut headers = vec![("Content-Type", "application/json".to_owned())];
        if self.api == Api::Anthropic {
            headers.push(("anthropic-version", "2023-06-01".to_owned()));
        }
        if let Some(key) = key.map(Key::reveal) {
            headers.push(match self.api {
                Api::Anthropic => ("x-api-key", key.to_owned()),
                Api::Gemini => ("x-goog-api-key", key.to_owned()),
                Api::Openai | Api::Ollama => ("Authorization", format!("Bearer {key}")),
            });
        }
        let (url, host) = (format!("{}{path}", self.base), self.host());
        Request { url, host, headers, body: body.to_string().into_bytes() }
    }

    fn openai(&self, prompt: &Prompt, with_schema: bool) -> Value {
        let mut body = json!({ "model": self.model, "messages": messages(prompt) });
        if with_schema {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": { "name": NAME, "strict": true, "schema": prompt.schema },
            });
        }
        body
    }

    /// A tool that must be used has a schema that is kept, on every model.
    fn anthropic(&self, prompt: &Prompt) -> Value {
        json!({
            "model": self.model,
            "max_tokens": MOST_TOKENS,
            "system": prompt.system,
            "messages": [{ "role": "user", "content": prompt.user }],
            "tools": [{
                "name": NAME,
                "description": "Tells in which state the agent is.",
                "input_schema": prompt.schema,
            }],
            "tool_choice": { "type": "tool", "name": NAME },
        })
    }

    fn ollama(&self, prompt: &Prompt) -> Value {
        json!({
            "model": self.model,
            "messages": messages(prompt),
            "stream": false,
            "format": prompt.schema,
            "options": { "temperature": 0 },
        })
    }

    /// Finds the answer in what came back.
    pub fn read(&self, body: &[u8]) -> Result<Answer, LlmError> {
        let garbage = || {
            let start = &body[..body.len().min(200)];
            let text = String::from_utf8_lossy(start).trim().replace(['\n', '\r'], " ");
            LlmError::Garbage { host: self.host(), text }
        };
        let value: Value = serde_json::from_slice(body).map_err(|_| garbage())?;
        let text = match self.api {
            Api::Openai => string(&value["choices"][0]["message"]["content"]),
            Api::Anthropic => anthropic_answer(&value["content"]),
            Api::Gemini => {
                let parts = value["candidates"][0]["content"]["parts"].as_array();
                parts.map(|parts| parts.iter().filter_map(|part| part["text"].as_str()).collect())
            }
            Api::Ollama => string(&value["message"]["content"]),
        };
        let count = |path: &str| value.pointer(path).and_then(Value::as_u64).unwrap_or(0);
        let (sent, received) = match self.api {
            Api::Openai => (count("/usage/prompt_tokens"), count("/usage/completion_tokens")),
            Api::Anthropic => (count("/usage/input_tokens"), count("/usage/output_tokens")),
            Api::Gemini => {
                let thought = count("/usageMetadata/thoughtsTokenCount");
                let received = count("/usageMetadata/candidatesTokenCount") + thought;
                (count("/usageMetadata/promptTokenCount"), received)
            }
            Api::Ollama => (count("/prompt_eval_count"), count("/eval_count")),
        };
        let text = text.ok_or_else(garbage)?;
        Ok(Answer { text, usage: Usage { sent, received } })
    }
}

fn messages(prompt: &Prompt) -> Value {
    json!([
        { "role": "system", "content": prompt.system },
        { "role": "user", "content": prompt.user },
    ])
}

fn gemini(prompt: &Prompt) -> Value {
    let mut schema = prompt.schema.clone();
    // Gemini's subset of JSON schema doesn't know it, and refuses what it doesn't know.
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("additionalProperties");
    }
    json!({
        "systemInstruction": { "parts": [{ "text": prompt.system }] },
        "contents": [{ "role": "user", "parts": [{ "text": prompt.user }] }],
        "generationConfig": { "responseMimeType": "application/json", "responseSchema": schema },
    })
}

/// The tool's input; or words, of a service that only speaks like Anthropic's.
fn anthropic_answer(content: &Value) -> Option<String> {
    let parts = content.as_array()?;
    let used = parts.iter().find(|part| part["type"] == "tool_use");
    let said = || parts.iter().find_map(|part| part["text"].as_str());
    used.map(|part| part["input"].to_string()).or_else(|| said().map(str::to_owned))
}

fn string(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
