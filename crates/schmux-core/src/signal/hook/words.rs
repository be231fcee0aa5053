//! Words for people and names for tool calls, out of what tools are given.

use serde_json::Value;

use crate::signal::{State, fingerprint, marker_line, text};

/// Tools whose whole purpose is a question to the human, by agent: Claude Code,
/// Droid, Gemini and Copilot, Qwen Code, opencode.
const QUESTIONS: [&str; 5] =
    ["AskUserQuestion", "AskUser", "ask_user", "ask_user_question", "question"];

/// What an agent adds to a tool's input between its beginning and its end.
const ADDED: [&str; 4] = ["description", "justification", "answers", "annotations"];

/// Where a tool's input says what it is about, the most telling first.
const SUBJECTS: [&str; 12] = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "filepath",
    "absolute_path",
    "notebook_path",
    "path",
    "url",
    "query",
    "pattern",
    "prompt",
];

/// How a marker begins, wherever it stands in a line.
const MARKER: &str = "--<[schmux:";

pub(super) fn asks_the_human(tool: &str) -> bool {
    QUESTIONS.contains(&tool)
}

/// The name of a tool call that is the same whenever the agent tells of it:
/// a fingerprint of the tool and its input.
pub(super) fn about(tool: &str, input: &Value) -> String {
    let mut bytes = tool.as_bytes().to_vec();
    match input {
        Value::Object(fields) => {
            let mut own: Vec<_> =
                fields.iter().filter(|(key, _)| !ADDED.contains(&key.as_str())).collect();
            own.sort_by_key(|(key, _)| *key);
            own.into_iter().for_each(|(key, value)| {
                bytes.push(b'\n');
                bytes.extend_from_slice(key.as_bytes());
                canonical(value, &mut bytes);
            });
        }
        other => canonical(other, &mut bytes),
    }
    format!("{:016x}", fingerprint(&bytes))
}

/// JSON with its keys in order, whatever order they came in.
fn canonical(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            bytes.push(b'{');
            for (key, value) in fields {
                bytes.extend_from_slice(key.as_bytes());
                bytes.push(b':');
                canonical(value, bytes);
                bytes.push(b',');
            }
            bytes.push(b'}');
        }
        Value::Array(items) => {
            bytes.push(b'[');
            for item in items {
                canonical(item, bytes);
                bytes.push(b',');
            }
            bytes.push(b']');
        }
        plain => bytes.extend_from_slice(plain.to_string().as_bytes()),
    }
}

/// What a dialog is for: the question, or `Bash: rm -rf build`.
pub(super) fn request(tool: &str, input: &Value) -> String {
    let question = ["/questions/0/question", "/question"]
        .iter()
        .find_map(|at| input.pointer(at))
        .or_else(|| input.get("message").filter(|_| asks_the_human(tool)));
    if let Some(question) = question.and_then(Value::as_str) {
        return clean(question);
    }
    if let Some(plan) = input.get("plan").and_then(Value::as_str) {
        return joined("Plan", &first_line(plan));
    }
    let name = match tool.strip_prefix("mcp_") {
        // `mcp__server__tool` and `mcp_server_tool`.
        Some(rest) => rest.trim_start_matches('_').replace("__", " "),
        None if tool == "run_shell_command" => "Shell".to_owned(),
        None => tool.to_owned(),
    };
    match subject(input) {
        Some(subject) => joined(&name, subject),
        None => clean(&name),
    }
}

/// The value in a tool's input that says the most about it.
pub(super) fn subject(input: &Value) -> Option<&str> {
    let said = |key: &&str| {
        let value = input.get(*key)?;
        // Some give a command as words; its last is the script.
        value.as_str().or_else(|| value.as_array()?.last()?.as_str()).filter(|it| !it.is_empty())
    };
    SUBJECTS.iter().find_map(said)
}

/// `what: which`, cleaned.
pub(super) fn joined(what: &str, which: &str) -> String {
    match (what, which.trim()) {
        (what, "") => clean(what),
        ("", which) => clean(which),
        (what, which) => clean(&format!("{what}: {which}")),
    }
}

pub(super) fn clean(words: &str) -> String {
    text::clean(words.as_bytes())
}

/// The first line of an answer that says something, without Markdown's signs.
/// Lines that are signals themselves are skipped: they have been heard.
/// How the answer's last marker says that the turn ended. One that goes on has not
/// ended, and says so elsewhere.
pub(super) fn marker(answer: &str) -> Option<(State, String)> {
    let found = answer.lines().rev().find_map(|line| match marker_line::read(line) {
        marker_line::Line::Marker { state, message } => Some((state, message)),
        _ => None,
    });
    found.filter(|(state, _)| *state != State::Working)
}

pub(super) fn first_line(answer: &str) -> String {
    let signs = |c: char| matches!(c, '#' | '>' | '*' | '-' | '_' | '`' | '=' | '|' | ' ' | '\t');
    answer
        .lines()
        .filter(|line| !line.contains(MARKER))
        .map(|line| clean(&line.trim_matches(signs).replace("**", "").replace('`', "")))
        .find(|line| line.chars().any(char::is_alphanumeric))
        .unwrap_or_default()
}
