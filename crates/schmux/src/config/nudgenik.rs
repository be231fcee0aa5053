//! `[nudgenik]`: who reads the last words of an agent that says nothing, and how
//! often. Says what was written; `nudgenik` does it.

use std::fmt;
use std::path::PathBuf;

use schmux_core::nudgenik::Habits;
use serde::Deserialize;
use serde::de::{self, Deserializer};

/// With neither `api` nor `agent` no model is asked, and nothing leaves the machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Nudgenik {
    pub enabled: bool,
    /// A model behind a web address.
    pub api: Option<Api>,
    /// An installed agent, asked once and without tools.
    pub agent: Option<OneShot>,
    pub model: Option<String>,
    /// Where the API is, if it isn't where it usually is.
    pub url: Option<String>,
    /// The variable that holds the key.
    pub key_env: Option<String>,
    /// A file that holds nothing but the key, absolute once loaded.
    pub key_file: Option<PathBuf>,
    /// Questions in an hour, at most.
    pub per_hour: u32,
    /// Seconds that an answer may take.
    pub timeout: u64,
    /// Dollars for a million tokens, in and out.
    pub price_in: Option<Dollars>,
    pub price_out: Option<Dollars>,
    /// Seconds: after the daemon's start, between two looks, without output, and
    /// without a signal.
    pub first: u32,
    pub every: u32,
    pub silent: u32,
    pub unsignalled: u32,
}

/// How a model is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// OpenAI, and everything that speaks as it does.
    Openai,
    Anthropic,
    Gemini,
    Ollama,
}

/// An agent that can be asked one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OneShot {
    Claude,
    Codex,
    Gemini,
}

/// An amount, in millionths of a dollar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dollars(pub u64);

impl Default for Nudgenik {
    fn default() -> Self {
        let Habits { first_ms, every_ms, unsignalled_ms, silent_ms, per_hour } = Habits::default();
        let seconds = |ms: i64| u32::try_from(ms / 1000).unwrap_or(u32::MAX);
        Nudgenik {
            enabled: true,
            api: None,
            agent: None,
            model: None,
            url: None,
            key_env: None,
            key_file: None,
            per_hour: u32::try_from(per_hour).unwrap_or(u32::MAX),
            // A small model answers in one or two; one that thinks, or an agent's start, takes longer.
            timeout: 60,
            price_in: None,
            price_out: None,
            first: seconds(first_ms),
            every: seconds(every_ms),
            silent: seconds(silent_ms),
            unsignalled: seconds(unsignalled_ms),
        }
    }
}

impl Nudgenik {
    /// How it looks. Where there is no model there is no budget for one.
    pub fn habits(&self) -> Habits {
        let ms = |seconds: u32| i64::from(seconds) * 1000;
        let has_model = self.api.is_some() || self.agent.is_some();
        Habits {
            first_ms: ms(self.first),
            every_ms: ms(self.every),
            unsignalled_ms: ms(self.unsignalled),
            silent_ms: ms(self.silent),
            per_hour: if has_model { self.per_hour as usize } else { 0 },
        }
    }

    /// What is wrong, and under which key.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        if self.api.is_some() && self.agent.is_some() {
            return Err(("agent", "set `api` or `agent`, not both".to_owned()));
        }
        let set = [
            ("url", self.url.is_some()),
            ("key_env", self.key_env.is_some()),
            ("key_file", self.key_file.is_some()),
        ];
        if let Some((key, _)) = set.into_iter().find(|(_, is_set)| *is_set)
            && self.api.is_none()
        {
            let message =
                "needs `api` beside it: \"openai\", \"anthropic\", \"gemini\" or \"ollama\"";
            return Err((key, format!("`{key}` {message}")));
        }
        match (&self.api, &self.agent, &self.model) {
            (None, None, Some(_)) => {
                return Err(("model", "`model` needs `api` or `agent` beside it".to_owned()));
            }
            (Some(_), _, None) => {
                return Err((
                    "api",
                    "`api` needs `model` beside it: the name of a small, cheap one".to_owned(),
                ));
            }
            _ => {}
        }
        if self.key_env.is_some() && self.key_file.is_some() {
            return Err(("key_file", "set `key_env` or `key_file`, not both".to_owned()));
        }
        let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
        if let Some(url) = self.url.as_ref().filter(|url| !is_web(url)) {
            return Err(("url", format!("`{url}` is no address: begin it with https://")));
        }
        if let Some(name) =
            self.key_env.as_ref().filter(|name| !super::target::is_variable_name(name))
        {
            // It may be the key itself, put in the wrong place: it isn't repeated.
            let length = name.chars().count();
            let message = format!(
                "`key_env` is the name of a variable, as ANTHROPIC_API_KEY; {length} characters that can't be one stand there"
            );
            return Err(("key_env", message));
        }
        self.check_ranges()
    }

    fn check_ranges(&self) -> Result<(), (&'static str, String)> {
        // A day is longer than anyone waits for an opinion; every second is as
        // often as an agent's output is noted.
        let ranges: [(&'static str, u64, std::ops::RangeInclusive<u64>); 6] = [
            ("per_hour", self.per_hour.into(), 1..=3600),
            ("timeout", self.timeout, 1..=600),
            ("first", self.first.into(), 0..=86_400),
            ("every", self.every.into(), 1..=86_400),
            ("silent", self.silent.into(), 1..=86_400),
            ("unsignalled", self.unsignalled.into(), 0..=86_400),
        ];
        for (key, value, range) in ranges {
            if !range.contains(&value) {
                let (low, high) = (range.start(), range.end());
                let message = format!("`{key}` is {value}: use a number from {low} to {high}");
                return Err((key, message));
            }
        }
        Ok(())
    }
}

impl Dollars {
    /// For so many tokens, at this price for a million.
    pub fn for_tokens(self, tokens: u64) -> Dollars {
        Dollars(self.0.saturating_mul(tokens) / 1_000_000)
    }

    pub fn times(self, count: u64) -> Dollars {
        Dollars(self.0.saturating_mul(count))
    }

    pub fn plus(self, other: Dollars) -> Dollars {
        Dollars(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Dollars {
    /// Two digits behind the point, or as many as the first one that isn't 0 needs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.0 {
            0 | 10_000.. => 2,
            1_000.. => 3,
            _ => 4,
        };
        write!(f, "${:.digits$}", self.0 as f64 / 1e6)
    }
}

impl fmt::Debug for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'de> Deserialize<'de> for Dollars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        // A million tokens for more than ten thousand dollars is a slip of the hand.
        if !(0.0..=10_000.0).contains(&dollars) {
            return Err(de::Error::custom(format!(
                "{dollars} is no price in dollars for a million tokens"
            )));
        }
        Ok(Dollars((dollars * 1e6).round() as u64))
    }
}
