//! What NudgeNik's questions cost, as far as that can be known, for `schmux doctor`.

use crate::config::{Dollars, Nudgenik};
use crate::llm::{LlmError, Model, Usage};
use crate::wire::{Check, CheckResult};

/// What was asked since the daemon started.
#[derive(Debug, Clone, Default)]
pub struct Account {
    answers: u64,
    failures: u64,
    usage: Usage,
    /// Why the last question was not answered, and what to do about it.
    trouble: Option<(String, &'static str)>,
}

impl Account {
    pub(super) fn pay(&mut self, usage: Usage) {
        self.answers += 1;
        self.usage.sent += usage.sent;
        self.usage.received += usage.received;
        self.trouble = None;
    }

    pub(super) fn fail(&mut self, error: &LlmError) {
        self.failures += 1;
        self.trouble = Some((error.to_string(), error.advice()));
    }
}

/// Tokens of a question at its longest: the instructions, and 4,000 characters of
/// an agent's words; and of an answer, which is a few lines.
const LONGEST: Usage = Usage { sent: 1_350, received: 150 };

/// When [`PRICES`] were noted.
const NOTED: &str = "2025";

/// Prices in thousandths of a dollar for a million tokens, in and out, from the services'
/// public lists. They change, so what they give is told as an estimate with its year;
/// `price_in` and `price_out` are asked first.
const PRICES: [(&str, u64, u64); 12] = [
    ("claude-3-5-haiku", 800, 4_000),
    ("claude-haiku", 1_000, 5_000),
    ("claude-sonnet", 3_000, 15_000),
    ("gpt-5-nano", 50, 400),
    ("gpt-5-mini", 250, 2_000),
    ("gpt-5", 1_250, 10_000),
    ("gpt-4.1-nano", 100, 400),
    ("gpt-4.1-mini", 400, 1_600),
    ("gpt-4o-mini", 150, 600),
    ("gemini-2.5-flash-lite", 100, 400),
    ("gemini-2.5-flash", 300, 2_500),
    ("gemini-2.0-flash", 100, 400),
];

/// How things stand, for people.
pub(crate) fn check(settings: &Nudgenik, account: &Account) -> Check {
    let name = "nudgenik".to_owned();
    let detail = detail(settings, account);
    match &account.trouble {
        Some((trouble, advice)) if settings.enabled => Check {
            name,
            result: CheckResult::Warning,
            detail: format!("{trouble}; {detail}"),
            advice: Some((*advice).to_owned()),
        },
        _ => Check { name, result: CheckResult::Ok, detail, advice: None },
    }
}

fn detail(settings: &Nudgenik, account: &Account) -> String {
    if !settings.enabled {
        return "off".to_owned();
    }
    let Some(model) = Model::new(settings, Default::default()) else {
        return "no model is asked; the last words of silent agents are read here, for nothing"
            .to_owned();
    };
    let most = format!("{}, at most {} questions an hour", model.name(), settings.per_hour);
    let spent = spent(settings, &model, account);
    let estimate = estimate(settings);
    if is_free(settings, &model) {
        return format!("{most}, on this machine, for nothing{spent}");
    }
    let each = expected(account);
    let tokens = each.sent + each.received;
    let per_hour = u64::from(settings.per_hour);
    match price(settings, &model) {
        Some(price) => {
            let hour = cost(price, each).times(per_hour);
            let day = hour.times(24);
            format!(
                "{most} of about {tokens} tokens: up to {hour} an hour, {day} a day{spent}{estimate}"
            )
        }
        None if settings.agent.is_some() => format!(
            "{most} of about {tokens} tokens and what the agent itself adds, paid as you pay for \
             that agent{spent}"
        ),
        None => format!(
            "{most} of about {tokens} tokens: up to {} tokens an hour; with price_in and \
             price_out in [nudgenik] this would be dollars{spent}",
            tokens * per_hour
        ),
    }
}

/// A model of this machine costs nothing, unless the user says what: the address may be
/// that of a proxy.
fn is_free(settings: &Nudgenik, model: &Model) -> bool {
    model.is_local() && settings.price_in.is_none()
}

/// What to think of amounts in dollars.
fn estimate(settings: &Nudgenik) -> String {
    match settings.price_in {
        Some(_) => String::new(),
        None => format!(
            " (estimates, by list prices of {NOTED}; price_in and price_out in [nudgenik] say what you pay)"
        ),
    }
}

fn spent(settings: &Nudgenik, model: &Model, account: &Account) -> String {
    let Account { answers, failures, usage, .. } = account;
    if answers + failures == 0 {
        return String::new();
    }
    let paid = price(settings, model).filter(|_| !is_free(settings, model));
    let paid = paid.map(|price| format!(", {}", cost(price, *usage))).unwrap_or_default();
    let tokens = match usage.sent + usage.received {
        0 => String::new(),
        tokens => format!(", {tokens} tokens"),
    };
    let failed = match failures {
        0 => String::new(),
        failures => format!(", {failures} without an answer"),
    };
    format!("; since the start: {answers} answered{failed}{tokens}{paid}")
}

/// The size of a question and its answer: as they were so far, else at their longest.
fn expected(account: &Account) -> Usage {
    match (account.answers, account.usage) {
        (0, _) | (_, Usage { sent: 0, .. }) => LONGEST,
        (answers, Usage { sent, received }) => {
            Usage { sent: sent.div_ceil(answers), received: received.div_ceil(answers) }
        }
    }
}

fn price(settings: &Nudgenik, model: &Model) -> Option<(Dollars, Dollars)> {
    if let (Some(sent), received) = (settings.price_in, settings.price_out) {
        return Some((sent, received.unwrap_or(sent)));
    }
    // A service elsewhere has prices of its own, and so has an agent's subscription.
    settings.api.filter(|_| settings.url.is_none())?;
    let (_, sent, received) = PRICES.iter().find(|(start, ..)| model.name().starts_with(start))?;
    Some((Dollars(sent * 1_000), Dollars(received * 1_000)))
}

fn cost((sent, received): (Dollars, Dollars), usage: Usage) -> Dollars {
    sent.for_tokens(usage.sent).plus(received.for_tokens(usage.received))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Api, OneShot};

    fn told(settings: Nudgenik, account: &Account) -> String {
        check(&settings, account).detail
    }

    #[test]
    fn what_it_would_cost_is_told_in_dollars_where_a_price_is_known() {
        let none = Account::default();
        assert_eq!(told(Nudgenik { enabled: false, ..Nudgenik::default() }, &none), "off");
        assert!(told(Nudgenik::default(), &none).starts_with("no model is asked"));
        let with = |api, model: &str| Nudgenik {
            api: Some(api),
            model: Some(model.to_owned()),
            ..Nudgenik::default()
        };
        assert_eq!(
            told(with(Api::Anthropic, "claude-haiku-4-5"), &none),
            "claude-haiku-4-5, at most 60 questions an hour of about 1500 tokens: \
             up to $0.13 an hour, $3.02 a day (estimates, by list prices of 2025; price_in and \
             price_out in [nudgenik] say what you pay)"
        );
        assert_eq!(
            told(with(Api::Ollama, "qwen3"), &none),
            "qwen3, at most 60 questions an hour, on this machine, for nothing"
        );
        assert!(told(with(Api::Openai, "mine"), &none).contains("up to 90000 tokens an hour"));
        let priced = Nudgenik { price_in: Some(Dollars(2_000_000)), ..with(Api::Openai, "mine") };
        assert!(told(priced.clone(), &none).ends_with("up to $0.18 an hour, $4.32 a day"));
        let proxy = Nudgenik { url: Some("http://127.0.0.1:4000/v1".into()), ..priced };
        assert!(told(proxy, &none).ends_with("up to $0.18 an hour, $4.32 a day"));
        let agent = Nudgenik { agent: Some(OneShot::Codex), ..Nudgenik::default() };
        assert!(told(agent, &none).starts_with("codex exec, at most 60 questions an hour"));
    }

    #[test]
    fn what_was_spent_and_what_failed_is_told() {
        let settings = Nudgenik {
            api: Some(Api::Openai),
            model: Some("gpt-5-mini".into()),
            ..Nudgenik::default()
        };
        let mut account = Account::default();
        account.pay(Usage { sent: 1_000, received: 100 });
        let told = told(settings.clone(), &account);
        let spent = "since the start: 1 answered, 1100 tokens, $0.0004 (estimates";
        assert!(told.contains(spent), "{told}");
        account.fail(&LlmError::NoKey("K".into()));
        let check = check(&settings, &account);
        assert_eq!(check.result, CheckResult::Warning);
        assert!(check.detail.starts_with("there is no key: the variable K"), "{}", check.detail);
        assert!(check.advice.unwrap().contains("key_file"));
    }
}
