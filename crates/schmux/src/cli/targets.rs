//! `schmux targets`: what can be spawned. Works without a daemon too, from this
//! terminal's PATH and the same `config.toml`.

use crate::agents;
use crate::client::ClientError;
use crate::config::Config;
use crate::wire::{Target, TargetKind};

use super::failure::Failure;
use super::print::{self, Paint, Style, Table};
use super::table::Give;
use super::{Context, Outcome};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Those that are not installed too
    #[arg(long)]
    all: bool,
    /// Print all of them as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let targets: Vec<Target> = match context.client.get("/api/targets").await {
        Ok(targets) => targets,
        Err(ClientError::NotRunning { .. }) => here(context)?,
        Err(err) => return Err(err.into()),
    };
    if args.json {
        return print::json(&targets);
    }
    print::text(&render(&targets, args.all, Style::of_stdout()))
}

/// The targets as this terminal sees them.
pub(super) fn here(context: &Context) -> Result<Vec<Target>, Failure> {
    let config = Config::load(&context.home)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let exe = std::env::current_exe().unwrap_or_else(|_| "schmux".into());
    Ok(agents::list(&config, &path, &exe))
}

fn render(targets: &[Target], all: bool, style: Style) -> String {
    // How to install one is there to be copied, so it is not cut.
    let mut table = Table::new(style, ["TARGET", "KIND", "DESCRIPTION", "FOUND"])
        .give([Give::Cut("DESCRIPTION", 12), Give::Drop("KIND")]);
    let (shown, hidden): (Vec<&Target>, Vec<&Target>) =
        targets.iter().partition(|target| all || target.available);
    for target in &shown {
        let found = match (&target.path, &target.install) {
            (Some(path), _) => path.clone(),
            (None, Some(install)) => format!("no; {install}"),
            (None, None) => "no".to_owned(),
        };
        let paint: Paint = if target.available { Style::bold } else { Style::dim };
        table.row([
            (target.name.clone(), Some(paint)),
            (kind(target.kind).to_owned(), None),
            (target.description.clone(), None),
            (found, None),
        ]);
    }
    let mut text = table.render();
    if !hidden.is_empty() {
        let more = format!("{} more known, not installed here: schmux targets --all", hidden.len());
        text.push_str(&format!("\n{}\n", style.dim(&more)));
    }
    text
}

fn kind(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Demo => "demo",
        TargetKind::Agent => "agent",
        TargetKind::Model => "model",
        TargetKind::Command => "command",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_for_people() {
        let target = |name: &str, path: Option<&str>| Target {
            name: name.into(),
            kind: TargetKind::Agent,
            description: "An agent".into(),
            base: None,
            command: vec![name.into()],
            available: path.is_some(),
            path: path.map(Into::into),
            install: path.is_none().then(|| format!("npm install -g {name}")),
        };
        let targets = [target("claude", Some("/bin/claude")), target("codex", None)];
        expect_test::expect![[r#"
            TARGET  KIND   DESCRIPTION  FOUND
            claude  agent  An agent     /bin/claude

            1 more known, not installed here: schmux targets --all
        "#]]
        .assert_eq(&render(&targets, false, Style::plain()));
        expect_test::expect![[r#"
            TARGET  KIND   DESCRIPTION  FOUND
            claude  agent  An agent     /bin/claude
            codex   agent  An agent     no; npm install -g codex
        "#]]
        .assert_eq(&render(&targets, true, Style::plain()));
    }
}
