//! Presets of `config.toml`. They are read anew for each use, so a new one counts
//! at once; while the file can't be read, those of the daemon's start do.

use std::collections::BTreeMap;

use crate::app::App;
use crate::config::{self, Config};
use crate::http::error::Failure;
use crate::nearest::nearest;
use crate::wire::{Preset, SpawnRequest};

/// All presets, by name.
pub fn list(app: &App) -> Vec<Preset> {
    current(app).into_iter().map(|(name, preset)| told(name, preset)).collect()
}

fn current(app: &App) -> BTreeMap<String, config::Preset> {
    match Config::load(&app.home) {
        Ok(config) => config.presets,
        Err(error) => {
            tracing::warn!(%error, "presets are those of the start");
            app.config.presets.clone()
        }
    }
}

/// The request with what its preset says and it doesn't itself.
pub(super) fn fill(app: &App, request: SpawnRequest) -> Result<SpawnRequest, Failure> {
    let Some(name) = &request.preset else { return Ok(request) };
    let mut presets = current(app);
    let Some(preset) = presets.remove(name) else {
        let advice = match nearest(name, presets.keys().map(String::as_str)).as_slice() {
            [] => "add [presets.NAME] to config.toml".to_owned(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        let message = format!("there is no preset {name:?} in config.toml");
        return Err(Failure::not_found("no_such_preset", message).advice(advice));
    };
    Ok(merge(request, preset))
}

fn merge(request: SpawnRequest, preset: config::Preset) -> SpawnRequest {
    let names_target = !request.target.is_empty() || !request.targets.is_empty();
    // A place is taken as a whole: a clone of one and a worktree of the other mean nothing.
    let names_place =
        request.workspace.is_some() || request.worktree.is_some() || request.clone.is_some();
    let place = |own: Option<String>, other| if names_place { own } else { other };
    SpawnRequest {
        targets: if names_target { request.targets } else { preset.targets },
        host: request.host.or(preset.host),
        workspace: place(request.workspace, preset.workspace),
        worktree: place(request.worktree, preset.worktree),
        clone: place(request.clone, preset.clone),
        nickname: request.nickname.or(preset.nickname),
        prompt: request.prompt.or(preset.prompt),
        count: request.count.or(preset.count),
        args: if request.args.is_empty() { preset.args } else { request.args },
        preset: None,
        ..request
    }
}

fn told(name: String, preset: config::Preset) -> Preset {
    Preset {
        name,
        description: preset.description,
        targets: preset.targets,
        host: preset.host,
        workspace: preset.workspace,
        worktree: preset.worktree,
        clone: preset.clone,
        nickname: preset.nickname,
        prompt: preset.prompt,
        count: preset.count,
        args: preset.args,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_wins_over_its_preset() {
        let preset = config::Preset {
            targets: vec!["claude".into(), "codex".into()],
            workspace: Some("/w".into()),
            worktree: Some("b".into()),
            prompt: Some("p".into()),
            count: Some(3),
            ..config::Preset::default()
        };
        let cases = [
            (
                r#"{"preset":"x"}"#,
                r#"{"targets":["claude","codex"],"workspace":"/w","worktree":"b","prompt":"p","count":3}"#,
            ),
            (
                r#"{"preset":"x","target":"demo","clone":"u"}"#,
                r#"{"target":"demo","clone":"u","prompt":"p","count":3}"#,
            ),
            (
                r#"{"preset":"x","workspace":"/v","prompt":"q","count":1}"#,
                r#"{"targets":["claude","codex"],"workspace":"/v","prompt":"q","count":1}"#,
            ),
        ];
        for (request, expected) in cases {
            let merged = merge(serde_json::from_str(request).unwrap(), preset.clone());
            assert_eq!(serde_json::to_string(&merged).unwrap(), expected, "{request}");
        }
    }
}
