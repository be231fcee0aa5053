//! Asks an installed agent one question, by its mode for scripts.
//!
//! It runs in an empty directory, without tools and hooks as far as it can be
//! told so, and outside of any session: whatever the words that it reads say, all
//! that it can do is to answer.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schmux_core::nudgenik::Prompt;

use super::{Answer, LlmError, Usage};
use crate::config::OneShot;
use crate::proc;

#[derive(Debug, Clone)]
pub(super) struct Agent {
    kind: OneShot,
    /// Its name, as it is found on PATH.
    pub(super) program: String,
    model: Option<String>,
    dir: PathBuf,
}

/// What makes an agent think that it is a session's.
const UNSET: [&str; 5] = [
    "SCHMUX_ENABLED",
    "SCHMUX_SESSION_ID",
    "SCHMUX_STATUS_FILE",
    "SCHMUX_EVENTS_FILE",
    "SCHMUX_AGENT",
];

impl Agent {
    pub fn new(kind: OneShot, model: Option<String>, dir: PathBuf) -> Agent {
        let program = match kind {
            OneShot::Claude => "claude",
            OneShot::Codex => "codex",
            OneShot::Gemini => "gemini",
        };
        Agent { kind, program: program.to_owned(), model, dir }
    }

    pub async fn ask(&self, prompt: &Prompt, limit: Duration) -> Result<Answer, LlmError> {
        let schema = self.dir.join("schema.json");
        let prepared = std::fs::create_dir_all(&self.dir)
            .and_then(|()| std::fs::write(&schema, prompt.schema.to_string()));
        prepared.map_err(|source| LlmError::Prepare { path: schema.clone(), source })?;
        let (argv, input) = self.command(prompt, &schema);
        let output = proc::converse(&argv, &self.dir, &UNSET, input.as_bytes(), limit).await?;
        let text = String::from_utf8_lossy(&output).into_owned();
        // Agents add prompts of their own, and don't tell their price in one way.
        Ok(Answer { text, usage: Usage::default() })
    }

    /// The command line, and what the agent reads on its stdin.
    fn command(&self, prompt: &Prompt, schema: &Path) -> (Vec<String>, String) {
        let schema = schema.to_string_lossy();
        let both = format!("{}\n\n{}", prompt.system, prompt.user);
        let (words, input): (Vec<&str>, String) = match self.kind {
            OneShot::Claude => (
                vec![
                    "--print",
                    "--output-format=text",
                    "--tools=",
                    "--strict-mcp-config",
                    "--no-session-persistence",
                    "--settings",
                    r#"{"disableAllHooks":true}"#,
                    "--system-prompt",
                    &prompt.system,
                ],
                prompt.user.clone(),
            ),
            OneShot::Codex => (
                vec![
                    "exec",
                    "--skip-git-repo-check",
                    "--sandbox=read-only",
                    "--ephemeral",
                    "--color=never",
                    "-c",
                    "notify=[]",
                    "-c",
                    "features.shell_tool=false",
                    "--output-schema",
                    &schema,
                ],
                both,
            ),
            OneShot::Gemini => {
                (vec!["--output-format=text", "--extensions=none", "--skip-trust"], both)
            }
        };
        let mut argv = vec![self.program.clone()];
        argv.extend(words.into_iter().map(str::to_owned));
        if let Some(model) = &self.model {
            argv.push(format!("--model={model}"));
        }
        match self.kind {
            OneShot::Claude => {}
            OneShot::Codex => argv.push("-".to_owned()),
            OneShot::Gemini => argv.push("--prompt=".to_owned()),
        }
        (argv, input)
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            OneShot::Claude => "claude -p",
            OneShot::Codex => "codex exec",
            OneShot::Gemini => "gemini -p",
        })?;
        self.model.iter().try_for_each(|model| write!(f, " ({model})"))
    }
}
