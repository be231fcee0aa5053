//! `schmux status`: whether the daemon runs, and where.

use jiff::Timestamp;

use crate::wire::DaemonStatus;

use super::print::{self, Style};
use super::{Context, Outcome};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let status: DaemonStatus = context.client.get("/api/status").await?;
    if args.json {
        return print::json(&status);
    }
    print::text(&render(&status, Style::of_stdout(), Timestamp::now()))
}

fn render(status: &DaemonStatus, style: Style, now: Timestamp) -> String {
    let lines = [
        ("dashboard", status.url.clone()),
        ("home", status.home.clone()),
        ("tmux", format!("{} (tmux -L {})", status.tmux_version, status.tmux_socket)),
        ("sessions", status.sessions.to_string()),
    ];
    let mut text = format!(
        "{} schmux {} (pid {}, for {})\n",
        style.green("running"),
        status.version,
        status.pid,
        print::age(status.started_at, now)
    );
    for (name, value) in lines {
        text.push_str(&format!("  {}  {value}\n", style.dim(&format!("{name:<9}"))));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_for_people() {
        let status = DaemonStatus {
            version: "1.2.3".into(),
            pid: 42,
            home: "/h".into(),
            url: "http://127.0.0.1:7337".into(),
            port: 7337,
            tmux_socket: "schmux".into(),
            tmux_version: "3.3a".into(),
            started_at: Timestamp::from_second(100).unwrap(),
            sessions: 3,
        };
        let now = Timestamp::from_second(400).unwrap();
        expect_test::expect![[r#"
            running schmux 1.2.3 (pid 42, for 5m)
              dashboard  http://127.0.0.1:7337
              home       /h
              tmux       3.3a (tmux -L schmux)
              sessions   3
        "#]]
        .assert_eq(&render(&status, Style::plain(), now));
    }
}
