//! `schmux adopt`: takes over a pane of a tmux that the user started by hand;
//! without a name it shows those where that makes sense.

use std::path::Path;

use crate::client::encode_segment;
use crate::wire::{AdoptRequest, Adoptable, Session};

use super::print::{self, Paint, Style, Table};
use super::{Context, Outcome};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The tmux session, or one of its panes as tmux names it (`work:2.1`, `work:2`,
    /// `%5`); without it, those that can be adopted are listed
    #[arg(value_name = "SESSION")]
    tmux_session: Option<String>,
    /// The name of its tmux server's socket, as for `tmux -L`
    #[arg(short = 'L', long, value_name = "NAME", conflicts_with = "socket_path")]
    socket_name: Option<String>,
    /// The path of its tmux server's socket, as for `tmux -S`
    #[arg(short = 'S', long, value_name = "PATH")]
    socket_path: Option<String>,
    /// The host that it is on; default: this machine
    #[arg(long)]
    host: Option<String>,
    /// What runs in it, if schmux can't tell
    #[arg(short, long, requires = "tmux_session")]
    target: Option<String>,
    /// A name of your own for it
    #[arg(short, long, requires = "tmux_session")]
    nickname: Option<String>,
    /// Print the session (or those that can be adopted) as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    // The daemon would read a relative path from where it runs; elsewhere it means nothing.
    let path = args.socket_path.map(|path| match args.host {
        Some(_) => path,
        None => {
            let absolute = std::path::absolute(Path::new(&path));
            absolute.map_or(path, |path| path.to_string_lossy().into_owned())
        }
    });
    let socket = path.or(args.socket_name);
    let Some(target) = args.tmux_session else {
        let mut path = String::from("/api/adoptable");
        for (key, value) in [("host", &args.host), ("socket", &socket)] {
            if let Some(value) = value {
                path.push(if path.contains('?') { '&' } else { '?' });
                path.push_str(&format!("{key}={}", encode_segment(value)));
            }
        }
        let found: Vec<Adoptable> = context.client.get(&path).await?;
        return if args.json {
            print::json(&found)
        } else {
            print::text(&render(&found, Style::of_stdout()))
        };
    };
    let (tmux_session, pane) = parts(&target);
    let request = AdoptRequest {
        tmux_session,
        pane,
        socket,
        target: args.target,
        nickname: args.nickname,
        host: args.host,
    };
    let session: Session = context.client.post("/api/adopt", &request).await?;
    if args.json {
        return print::json(&session);
    }
    let name = session.nickname.as_deref().map(|name| format!(" as {}", print::safe(name)));
    print::text(&format!(
        "{}  {}{}\n",
        session.id,
        print::safe(&session.target),
        name.unwrap_or_default()
    ))
}

/// The tmux session and the pane in it that a target of tmux's names: `work`, `=work`,
/// `work:2.1`, `%5`. No session's name has a colon in it: tmux makes it another sign.
fn parts(target: &str) -> (Option<String>, Option<String>) {
    let given = |word: &str| Some(word.to_owned()).filter(|word| !word.is_empty());
    if target.starts_with('%') {
        return (None, given(target));
    }
    let (session, pane) = target.split_once(':').unwrap_or((target, ""));
    (given(session.strip_prefix('=').unwrap_or(session)), given(pane))
}

/// The command that adopts exactly this pane, for a shell. Its id is enough on its server,
/// whatever its tmux session is called: some names (`%5`, `-lead`) mean something else.
pub(super) fn command_line(found: &Adoptable) -> String {
    let mut line = String::from("schmux adopt");
    if let Some(host) = &found.host {
        line.push_str(&format!(" --host {}", print::quoted(host)));
    }
    line.push_str(&format!(" -S {} {}", print::quoted(&found.socket), print::quoted(&found.pane)));
    if let Some(target) = &found.target {
        line.push_str(&format!(" -t {}", print::quoted(target)));
    }
    line
}

fn render(found: &[Adoptable], style: Style) -> String {
    if found.is_empty() {
        return "No pane of tmux outside schmux runs an agent that is known. \
                Any other is adopted by its session's name: schmux adopt NAME\n"
            .to_owned();
    }
    let mut table = Table::new(style, ["TMUX PANE", "RUNS", "IN", "COMMAND"]);
    for one in found {
        table.row([
            (
                one.place.clone().unwrap_or_else(|| one.tmux_session.clone()),
                Some(Style::bold as Paint),
            ),
            (one.target.clone().unwrap_or_else(|| one.command.clone()), None),
            (one.path.clone(), None),
            (command_line(one), None),
        ]);
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_is_what_is_adopted() {
        let found = Adoptable {
            host: None,
            socket: "/tmp/my own".into(),
            pane: "%4".into(),
            place: Some("-lead:0.0".into()),
            tmux_session: "-lead".into(),
            target: Some("claude".into()),
            command: "claude".into(),
            path: "/w".into(),
        };
        let line = command_line(&found);
        assert_eq!(line, "schmux adopt -S '/tmp/my own' '%4' -t claude");
        assert_eq!(parts("%4"), (None, Some(found.pane)));
    }

    #[test]
    fn targets_as_tmux_has_them() {
        for (target, session, pane) in [
            ("work", "work", ""),
            ("=my work", "my work", ""),
            ("work:2.1", "work", "2.1"),
            ("=work:2", "work", "2"),
            ("work:.%5", "work", ".%5"),
            ("work:", "work", ""),
            ("%5", "", "%5"),
            ("100%", "100%", ""),
            ("", "", ""),
        ] {
            let (found, named) = parts(target);
            assert_eq!(found.as_deref().unwrap_or_default(), session, "{target}");
            assert_eq!(named.as_deref().unwrap_or_default(), pane, "{target}");
        }
    }
}
