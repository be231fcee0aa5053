//! Scripts: what the demo agent does, scene by scene.
//!
//! The built-in behaviour (`newcomer.script`) is written in the same language.
//! `HELP` is its documentation. Parsing is pure; files are read elsewhere.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const HELP: &str = "\
Scripts:
  A script has scenes, and a scene has steps, one a line; # begins a comment.

    [start]              played at the start
    [message]            played after the first message; a second [message] after the
                         second, and so on; the last one serves all later messages
    [when WORD]          played instead if the message contains WORD (in any case)

    reply TEXT           say TEXT, word by word
    work SECONDS [VERB]  work for so long (`work 2.5 Pondering`)
    wait-for-file PATH   work until PATH exists
    tool COMMAND         ask for permission, then run COMMAND and show its output
    run COMMAND          run COMMAND without asking
    question TEXT | A | B   ask, with choices
    plan TEXT            propose a plan, and stop if it is refused
    login, trust         open that dialog
    error TEXT           print `API Error: TEXT` and end the turn
    rate-limit TEXT      print a limit line and end the turn
    print TEXT           print a line as it is (a marker, for instance)
    raw TEXT             write bytes as they are
    burst N              print N lines at once
    signal STATE [TEXT]  signal that to schmux
    title TEXT           set the terminal's title; empty for the usual one
    bell                 ring the bell
    eat-keys N           lose the next N keys
    repaint              draw everything again
    freeze SECONDS       hang: no key is read and nothing is drawn
    exit CODE            leave

  In TEXT, \\n is a newline, \\e is escape, \\t a tab, \\\\ a backslash, and
  {message} is what the user wrote, and {summary} the beginning of it.

Journal:
  Each line is an object with `event`, `ts`, `pid` and:

    started          directory
    state            state: idle, working, dialog or editor
    submitted        text, kind: message, shell or slash;
                     how: now, queued, steered, rejected or argument
    received         text: the message as the agent got it, byte for byte; images
    slash            text, known
    dialog_opened    kind, question, options
    dialog_answered  kind, choice (from 1; null if cancelled), answer,
                     by: enter, esc, ctrl-c, `key 1`, `paste 1`
    tool, shell      command, code, output
    interrupted      by
    editor_opened    text, shell
    editor_closed    ok, taken, text
    signal           state, message
    auto_approve     on
    exit             code, why";

const NEWCOMER: &str = include_str!("newcomer.script");

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Reply(String),
    Work { time: Duration, verb: String },
    WaitForFile(PathBuf),
    Tool(String),
    Run(String),
    Question { text: String, options: Vec<String> },
    Plan(String),
    Login,
    Trust,
    Error(String),
    RateLimit(String),
    Print(String),
    Raw(String),
    Burst(usize),
    Signal { state: String, message: String },
    Title(String),
    Bell,
    EatKeys(usize),
    Repaint,
    Freeze(Duration),
    Exit(i32),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Script {
    start: Vec<Step>,
    messages: VecDeque<Vec<Step>>,
    when: Vec<(String, Vec<Step>)>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line} of the script: {problem}")]
pub struct ScriptError {
    line: usize,
    problem: String,
}

/// The scene that the lines being read belong to.
enum Scene {
    Start,
    Message,
    When,
}

impl Script {
    /// What newcomers see.
    pub(crate) fn newcomer() -> Script {
        Script::parse(NEWCOMER).expect("a test parses the built-in script")
    }

    pub(crate) fn parse(text: &str) -> Result<Script, ScriptError> {
        let mut script = Script::default();
        // Steps before the first heading are for messages: the shortest script is one line.
        let mut scene = Scene::Message;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let error = |problem: String| ScriptError { line: index + 1, problem };
            if let Some(heading) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                scene = script.open(heading.trim()).map_err(error)?;
                continue;
            }
            let step = step(line).map_err(error)?;
            match scene {
                Scene::Start => script.start.push(step),
                Scene::Message => match script.messages.back_mut() {
                    Some(steps) => steps.push(step),
                    None => script.messages.push_back(vec![step]),
                },
                Scene::When => {
                    if let Some((_, steps)) = script.when.last_mut() {
                        steps.push(step);
                    }
                }
            }
        }
        Ok(script)
    }

    pub(crate) fn start(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.start)
    }

    /// The steps that answer a message.
    pub(crate) fn answer(&mut self, message: &str) -> Vec<Step> {
        let lower = message.to_lowercase();
        let steps = match self.when.iter().find(|(word, _)| lower.contains(word.as_str())) {
            Some((_, steps)) => steps.clone(),
            None if self.messages.len() > 1 => self.messages.pop_front().unwrap_or_default(),
            None => self.messages.front().cloned().unwrap_or_default(),
        };
        steps.into_iter().map(|step| step.about(message)).collect()
    }

    fn open(&mut self, heading: &str) -> Result<Scene, String> {
        match heading.split_once(' ').unwrap_or((heading, "")) {
            ("start", "") => Ok(Scene::Start),
            ("message", "") => {
                self.messages.push_back(Vec::new());
                Ok(Scene::Message)
            }
            ("when", word) if !word.trim().is_empty() => {
                self.when.push((word.trim().to_lowercase(), Vec::new()));
                Ok(Scene::When)
            }
            _ => Err(format!("[{heading}] is no scene: use [start], [message] or [when WORD]")),
        }
    }
}

impl Step {
    /// Puts the user's message where the script names it.
    fn about(self, message: &str) -> Step {
        let fill = |text: String| {
            // A quote in a sentence is one line, and short.
            let line = message.trim().lines().next().unwrap_or_default();
            let mut summary: String = line.chars().take(60).collect();
            if summary.len() < message.trim().len() {
                summary.push('…');
            }
            text.replace("{message}", message).replace("{summary}", &summary)
        };
        match self {
            Step::Reply(text) => Step::Reply(fill(text)),
            Step::Print(text) => Step::Print(fill(text)),
            Step::Error(text) => Step::Error(fill(text)),
            other => other,
        }
    }
}

fn step(line: &str) -> Result<Step, String> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let text = || unescape(rest);
    let number = |what: &str| {
        rest.parse::<usize>().map_err(|_| format!("{verb} wants {what}, not `{rest}`"))
    };
    let needed = || match rest {
        "" => Err(format!("{verb} wants something after it")),
        rest => Ok(rest.to_owned()),
    };
    Ok(match verb {
        "reply" => Step::Reply(text()),
        "work" => work(rest)?,
        "wait-for-file" => Step::WaitForFile(needed()?.into()),
        "tool" => Step::Tool(needed()?),
        "run" => Step::Run(needed()?),
        "question" => question(rest)?,
        "plan" => Step::Plan(text()),
        "login" => Step::Login,
        "trust" => Step::Trust,
        "error" => Step::Error(text()),
        "rate-limit" => Step::RateLimit(text()),
        "print" => Step::Print(text()),
        "raw" => Step::Raw(text()),
        "burst" => Step::Burst(number("a number of lines")?),
        "signal" => {
            let (state, message) = rest.split_once(' ').unwrap_or((rest, ""));
            Step::Signal { state: state.to_owned(), message: unescape(message) }
        }
        "title" => Step::Title(text()),
        "bell" => Step::Bell,
        "eat-keys" => Step::EatKeys(number("a number of keys")?),
        "repaint" => Step::Repaint,
        "freeze" => Step::Freeze(seconds(verb, rest)?),
        "exit" => Step::Exit(if rest.is_empty() {
            0
        } else {
            rest.parse().map_err(|_| format!("exit wants a code, not `{rest}`"))?
        }),
        other => return Err(format!("`{other}` is no step; see `schmux demo-agent --help`")),
    })
}

fn work(rest: &str) -> Result<Step, String> {
    let (time, verb) = rest.split_once(' ').unwrap_or((rest, "Thinking"));
    Ok(Step::Work { time: seconds("work", time)?, verb: verb.trim().to_owned() })
}

fn seconds(verb: &str, text: &str) -> Result<Duration, String> {
    let time = text.parse::<f64>().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    time.ok_or_else(|| format!("{verb} wants seconds, not `{text}`"))
}

fn question(rest: &str) -> Result<Step, String> {
    let mut parts = rest.split('|').map(|part| unescape(part.trim()));
    let text = parts.next().unwrap_or_default();
    let options: Vec<String> = parts.collect();
    // The keys 1 to 9 choose, so there can't be more.
    if text.is_empty() || options.is_empty() || options.len() > 9 {
        return Err("question wants a text and one to nine choices: question TEXT | A | B".into());
    }
    Ok(Step::Question { text, options })
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('e') => out.push('\x1b'),
            Some('a') => out.push('\x07'),
            Some('r') => out.push('\r'),
            Some('\\') => out.push('\\'),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_script_knows_what_the_welcome_promises() {
        let mut script = Script::newcomer();
        for word in ["permission", "error", "question", "long", "exit", "plan", "help"] {
            assert!(script.when.iter().any(|(when, _)| when == word), "{word}");
        }
        assert!(!script.answer("hello").is_empty());
    }

    #[test]
    fn scenes_answer_messages_in_order_and_by_word() {
        let mut script = Script::parse(
            "# a comment\n[start]\nprint hi\n[message]\nreply one: {message}\n[message]\nreply two\n\
             [when Deploy]\nwork 0.5 Shipping\ntool touch a b\n",
        )
        .expect("a script");
        assert_eq!(script.start(), [Step::Print("hi".into())]);
        assert_eq!(script.answer("x\ny"), [Step::Reply("one: x\ny".into())]);
        let deploy = script.answer("please DEPLOY it");
        assert_eq!(
            deploy[0],
            Step::Work { time: Duration::from_millis(500), verb: "Shipping".into() }
        );
        assert_eq!(deploy[1], Step::Tool("touch a b".into()));
        assert_eq!(script.answer("b"), [Step::Reply("two".into())]);
        assert_eq!(script.answer("c"), [Step::Reply("two".into())]);
    }

    #[test]
    fn errors_name_the_line() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Script::parse(text).expect_err("no script").to_string(), expected);
        };
        check("\nwork soon", "line 2 of the script: work wants seconds, not `soon`");
        check("work -1", "line 1 of the script: work wants seconds, not `-1`");
        check("dance", "line 1 of the script: `dance` is no step; see `schmux demo-agent --help`");
        check("tool", "line 1 of the script: tool wants something after it");
        check("burst x", "line 1 of the script: burst wants a number of lines, not `x`");
        check(
            "[later]",
            "line 1 of the script: [later] is no scene: use [start], [message] or [when WORD]",
        );
        check(
            "question Why?",
            "line 1 of the script: question wants a text and one to nine choices: question TEXT | A | B",
        );
    }

    #[test]
    fn escapes_are_few_and_others_stay() {
        assert_eq!(unescape(r"a\nb\t\e[1m\\ \q \"), "a\nb\t\x1b[1m\\ \\q \\");
    }
}
