//! Provisioning on a host. An agent's files are made here, in a directory of
//! their own, and brought over; what they say of paths is made to fit there.
//! Hooks call a small helper that stands in for schmux.

use std::fs;
use std::path::Path;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schmux_core::fleet::Session;
use schmux_core::sh;

use super::copies::Copies;
use super::{There, editors};
use crate::agents::provision::{self, Elsewhere, Provisioned, Shell, answer};
use crate::agents::{self, Launch};
use crate::app::App;
use crate::courier;
use crate::home::Home;

/// A version takes a second to be told, on a busy machine some more.
pub(super) const LIMIT: Duration = Duration::from_secs(20);

const HELPER: &str = include_str!("helper.sh");

/// The events whose hooks' answers teach an agent to signal.
const TAUGHT_BY: [&str; 1] = ["SessionStart"];

/// Provisions an agent for one session there. It never fails: an agent that
/// can't be provisioned runs as it would have, and a note says why.
pub(super) async fn there(
    app: &App,
    place: &There,
    session: &Session,
    (workspace, launch): (&str, &Launch),
) -> Provisioned {
    let staging = app.home.launches().join(format!("for-{}", session.id));
    let done = match staged(app, place, session, (workspace, launch), &staging).await {
        Ok(provisioned) => provisioned,
        Err(why) => {
            let note = format!("it can't be provisioned on {}: {why}", place.host);
            let Launch { argv, env, .. } = launch.clone();
            Provisioned { argv, env, notes: vec![note] }
        }
    };
    let _ = fs::remove_dir_all(&staging);
    done
}

/// Makes everything in a directory here, and brings it over.
async fn staged(
    app: &App,
    place: &There,
    session: &Session,
    (workspace, launch): (&str, &Launch),
    staging: &Path,
) -> Result<Provisioned, String> {
    let helper = format!("{}/bin/schmux", place.facts.dir);
    let home = Home::at(staging);
    let base = launch.base.as_deref().unwrap_or_default();
    let wanted = provision::files_of(base, workspace, &place.facts.home);
    let (version, copies) = tokio::join!(
        version(app, place, launch),
        Copies::fetch(app, place, staging.join("there"), (workspace, wanted)),
    );
    let copies = copies?;
    let elsewhere = Elsewhere {
        host: place.host.as_str(),
        version: &version,
        copy: &copies.root,
        home: &place.facts.home,
        tracked: &copies.tracked,
        shell: &ShellThere(app, place),
    };
    let mut provisioned = provision::provision(&provision::Request {
        launch,
        session: session.id.as_str(),
        workspace: &copies.of(workspace),
        home: &home,
        exe: Path::new(&helper),
        config: &app.config,
        elsewhere: Some(&elsewhere),
    })
    .await;
    let here = home.launches().to_string_lossy().into_owned();
    let far = format!("{}/launches", place.facts.dir);
    let moved = |text: &str| text.replace(&here, &far);
    let mut files = vec![(helper, HELPER.to_owned(), "700")];
    let editor = editors::command(&place.facts);
    if let Some(editor) = &editor {
        files.push((editor.clone(), editors::script(&place.facts), "700"));
        files.push((editors::ticket(&place.facts, &session.id), "0\n".to_owned(), "600"));
    }
    // What the helper prints there for hooks whose answer teaches the agent.
    let answers = TAUGHT_BY.into_iter().filter_map(|event| Some((event, answer(base, event)?)));
    files.extend(
        answers.map(|(event, said)| {
            (format!("{}/answers/{base}-{event}", place.facts.dir), said, "600")
        }),
    );
    collect(&home.launches(), &mut |path, text| files.push((moved(path), moved(text), "600")));
    let script = put(files.iter().map(|(path, text, mode)| (path.as_str(), text.as_str(), *mode)));
    bring(app, place, &script).await?;
    if let Some(script) = copies.changes(&place.facts.dir) {
        let left = bring(app, place, &script).await?;
        provisioned.notes.extend(left.lines().map(str::to_owned));
    }
    provisioned.argv.iter_mut().for_each(|word| *word = moved(word));
    provisioned.env.iter_mut().for_each(|(_, value)| *value = moved(value));
    let copied = copies.root.to_string_lossy().into_owned();
    provisioned.notes.iter_mut().for_each(|note| *note = note.replace(&copied, ""));
    if let Some(editor) = editor {
        set_editor(&editor, place, launch, &mut provisioned.env);
    }
    Ok(provisioned)
}

struct ShellThere<'a>(&'a App, &'a There);

impl Shell for ShellThere<'_> {
    fn run(&self, script: String) -> BoxFuture<'_, Option<String>> {
        async move { bring(self.0, self.1, &script).await.ok() }.boxed()
    }
}

fn set_editor(editor: &str, place: &There, launch: &Launch, env: &mut Vec<(String, String)>) {
    let theirs = |name: &str| match name {
        "EDITOR" => place.facts.editor.clone(),
        "VISUAL" => place.facts.visual.clone(),
        _ => String::new(),
    };
    courier::set_editor(editor, theirs, env);
    // What the agent may be called, which tells its own calls from its tools'.
    let programs = agents::programs_of(launch.base.as_deref().unwrap_or_default());
    env.push(("SCHMUX_PROGRAMS".into(), programs.join(" ")));
}

/// Runs a script to its good end; what it prints.
async fn bring(app: &App, place: &There, script: &str) -> Result<String, String> {
    match app.host.run(&place.host, script, LIMIT).await {
        Ok(output) if output.status == 0 => Ok(output.text()),
        Ok(output) => Err(output.text()),
        Err(error) => Err(error.to_string()),
    }
}

/// What the agent there says its version is; nothing for what is no known agent.
async fn version(app: &App, place: &There, launch: &Launch) -> String {
    let Some(program) = launch.base.as_ref().and(launch.argv.first()) else {
        return String::new();
    };
    let script = format!("{} --version", sh::quote(program));
    let output = app.host.run(&place.host, &script, LIMIT).await;
    output.map(|output| output.text()).unwrap_or_default()
}

/// A script that writes files, each whole or not at all.
pub(super) fn put<'a>(files: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>) -> String {
    let mut script = String::from("umask 077\n");
    for (path, text, mode) in files {
        let dir = Path::new(path).parent().unwrap_or(Path::new("/")).to_string_lossy();
        let (path, dir, text) = (sh::quote(path), sh::quote(&dir), sh::quote(text));
        script.push_str(&format!(
            "f={path} && mkdir -p {dir} && printf %s {text} >\"$f.$$\" && \
             chmod {mode} \"$f.$$\" && mv \"$f.$$\" \"$f\" || exit 1\n"
        ));
    }
    script
}

fn collect(dir: &Path, each: &mut dyn FnMut(&str, &str)) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, each);
        } else if let Ok(text) = fs::read_to_string(&path) {
            each(&path.to_string_lossy(), &text);
        }
    }
}
