//! What `list-panes` says of a server: which windows there are, and in which sessions.

use schmux_core::ids::{PaneId, WindowId};

/// Asked for each pane and each session that its window is linked into. The
/// leading word keeps a row from looking like protocol; the name comes last
/// because it may hold blanks.
pub(super) const ROW_FORMAT: &str = "row #{window_id} #{pane_id} #{pane_dead} \
    x#{pane_dead_status} #{window_activity} y#{@schmux} #{session_name}";

/// The format of our subscription, which tmux works out for each pane each second:
/// what is dear to know is asked when it may have changed. The title comes last,
/// because it may hold anything.
pub(super) const WATCH_FORMAT: &str =
    "#{pane_dead} x#{pane_dead_status} #{pane_in_mode} #{pane_title}";

/// What its clock says, and what the machine is called: tmux's default for titles,
/// which is none.
pub(super) const HOST_FORMAT: &str = "host %s #{host} #{host_short}";

/// The program in front. The leading word keeps it from looking like protocol.
pub(super) const FRONT_FORMAT: &str = "front #{pane_current_command}";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub window: WindowId,
    pub pane: PaneId,
    pub dead: bool,
    pub status: Option<i32>,
    /// Seconds since 1970, by the clock over there.
    pub active_at: i64,
    /// The id of the session that we made this window for.
    pub made_for: Option<String>,
    pub session: String,
}

pub(super) fn parse_rows(body: &[u8]) -> Vec<Row> {
    String::from_utf8_lossy(body).lines().filter_map(parse_row).collect()
}

fn parse_row(line: &str) -> Option<Row> {
    let mut fields = line.strip_prefix("row ")?.splitn(7, ' ');
    let window = WindowId::parse(fields.next()?.as_bytes())?;
    let pane = PaneId::parse(fields.next()?.as_bytes())?;
    let dead = fields.next()? == "1";
    let status = fields.next()?.strip_prefix('x')?.parse().ok();
    let active_at = fields.next()?.parse().unwrap_or(0);
    let made_for = fields.next()?.strip_prefix('y').filter(|id| !id.is_empty()).map(Into::into);
    Some(Row { window, pane, dead, status, active_at, made_for, session: fields.next()?.into() })
}

/// What the subscription tells of a pane.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Watched {
    pub dead: bool,
    pub status: Option<i32>,
    pub in_mode: bool,
    pub title: String,
}

pub(super) fn parse_watched(value: &[u8]) -> Option<Watched> {
    let text = String::from_utf8_lossy(value);
    let mut fields = text.splitn(4, ' ');
    Some(Watched {
        dead: fields.next()? == "1",
        status: fields.next()?.strip_prefix('x')?.parse().ok(),
        in_mode: fields.next()? == "1",
        title: plain(fields.next()?),
    })
}

/// The time in seconds, if it tells, and the names.
pub(super) fn parse_hosts(body: &[u8]) -> (Option<i64>, Vec<String>) {
    let text = String::from_utf8_lossy(body);
    let mut fields = text.split(' ').skip(1);
    let time = fields.next().and_then(|time| time.parse().ok());
    (time, fields.map(plain).collect())
}

/// The name has no blanks.
pub(super) fn parse_front(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    Some(plain(text.strip_prefix("front ")?).replace(' ', "_"))
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_nonsense_is_passed_over() {
        let body = b"row @1 %2 0 x 17 yproj-001-a proj-001-a\nrow @1 %2 1 x3 17 y my own session\nnonsense\nrow @x";
        let rows = parse_rows(body);
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].dead, rows[0].status), (false, None));
        assert_eq!(rows[0].made_for.as_deref(), Some("proj-001-a"));
        assert_eq!(
            (rows[1].dead, rows[1].status, rows[1].made_for.as_deref()),
            (true, Some(3), None)
        );
        assert_eq!(rows[1].session, "my own session");
    }

    #[test]
    fn a_title_may_hold_anything() {
        let watched = parse_watched("0 x 1 a b\u{7} \u{1b}[31m".as_bytes()).unwrap();
        assert_eq!(watched.title, "a b [31m");
        assert!(watched.in_mode && !watched.dead);
        let dead = parse_watched(b"1 x0 0 ").unwrap();
        assert_eq!((dead.dead, dead.status, dead.title.as_str()), (true, Some(0), ""));
        assert_eq!(parse_watched(b"garbage"), None);
    }

    #[test]
    fn names_of_programs_and_machines() {
        assert_eq!(parse_front(b"front tmux: server").as_deref(), Some("tmux:_server"));
        assert_eq!(parse_front(b"front ").as_deref(), Some(""));
        assert_eq!(parse_front(b"nonsense"), None);
        let names = vec!["box.example".to_owned(), "box".to_owned()];
        assert_eq!(parse_hosts(b"host 17 box.example box"), (Some(17), names.clone()));
        assert_eq!(parse_hosts(b"host %s box.example box"), (None, names));
    }
}
