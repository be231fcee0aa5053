//! What `list-panes` says of a server: which windows there are, and in which sessions.

use schmux_core::fleet::TmuxPane;
use schmux_core::ids::{PaneId, WindowId};

/// Asked for each pane and each session that its window is linked into. The
/// leading word keeps a row from looking like protocol; the name comes last
/// because it may hold blanks.
pub(super) const ROW_FORMAT: &str = "row #{window_id} #{pane_id} #{pane_dead} \
    x#{pane_dead_status} #{window_activity} #{pid}-#{start_time} y#{@schmux} #{session_name}";

/// What its clock says, and what the machine is called: tmux's default for titles,
/// which is none.
pub(super) const HOST_FORMAT: &str = "host %s #{host} #{host_short}";

/// Whether its program has ended, the program in front, and the title, which comes
/// last because it may hold anything. The leading word keeps it from looking like
/// protocol.
pub(super) const FACE_FORMAT: &str =
    "face #{pane_dead} x#{pane_dead_status} #{s/ /_/:pane_current_command} #{pane_title}";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub window: WindowId,
    pub pane: PaneId,
    pub dead: bool,
    pub status: Option<i32>,
    /// Seconds since 1970, by the clock over there.
    pub active_at: i64,
    /// Which run of the tmux server this is.
    pub server: String,
    /// The id of the session that we made this pane for.
    pub made_for: Option<String>,
    pub session: String,
}

pub(super) fn parse_rows(body: &[u8]) -> Vec<Row> {
    String::from_utf8_lossy(body).lines().filter_map(parse_row).collect()
}

fn parse_row(line: &str) -> Option<Row> {
    let mut fields = line.strip_prefix("row ")?.splitn(8, ' ');
    let window = WindowId::parse(fields.next()?.as_bytes())?;
    let pane = PaneId::parse(fields.next()?.as_bytes())?;
    let dead = fields.next()? == "1";
    let status = fields.next()?.strip_prefix('x')?.parse().ok();
    let active_at = fields.next()?.parse().unwrap_or(0);
    let server = fields.next()?.to_owned();
    let made_for = fields.next()?.strip_prefix('y').filter(|id| !id.is_empty()).map(Into::into);
    let session = fields.next()?.into();
    Some(Row { window, pane, dead, status, active_at, server, made_for, session })
}

impl Row {
    pub fn is(&self, pane: &TmuxPane) -> bool {
        self.pane == pane.id && self.server == pane.server
    }
}

/// What a pane shows the world besides its screen.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Face {
    pub dead: bool,
    pub status: Option<i32>,
    /// The program in front; the name has no blanks.
    pub front: String,
    pub title: String,
}

pub(super) fn parse_face(body: &[u8]) -> Option<Face> {
    let text = String::from_utf8_lossy(body);
    let mut fields = text.strip_prefix("face ")?.splitn(4, ' ');
    let dead = fields.next()? == "1";
    let status = fields.next()?.strip_prefix('x')?.parse().ok();
    Some(Face { dead, status, front: plain(fields.next()?), title: plain(fields.next()?) })
}

/// The time in seconds, if it tells, and the names.
pub(super) fn parse_hosts(body: &[u8]) -> (Option<i64>, Vec<String>) {
    let text = String::from_utf8_lossy(body);
    let mut fields = text.split(' ').skip(1);
    let time = fields.next().and_then(|time| time.parse().ok());
    (time, fields.map(plain).collect())
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_nonsense_is_passed_over() {
        let body = b"row @1 %2 0 x 17 5-6 yproj-001-a proj-001-a\nrow @1 %2 1 x3 17 5-6 y my own session\nnonsense\nrow @x";
        let rows = parse_rows(body);
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].dead, rows[0].status), (false, None));
        assert_eq!(rows[0].made_for.as_deref(), Some("proj-001-a"));
        assert_eq!(
            (rows[1].dead, rows[1].status, rows[1].made_for.as_deref()),
            (true, Some(3), None)
        );
        assert_eq!(rows[1].session, "my own session");
        let pane = |id, server: &str| TmuxPane { id: PaneId(id), server: server.into() };
        assert!(rows[1].is(&pane(2, "5-6")));
        assert!(!rows[1].is(&pane(3, "5-6")) && !rows[1].is(&pane(2, "5-7")));
    }

    #[test]
    fn a_title_may_hold_anything() {
        let face = parse_face("face 0 x tmux:_server a b\u{7} \u{1b}[31m".as_bytes()).unwrap();
        assert_eq!((face.front.as_str(), face.title.as_str()), ("tmux:_server", "a b [31m"));
        assert_eq!((face.dead, face.status), (false, None));
        let face = parse_face(b"face 1 x3  ").unwrap();
        assert_eq!((face.front.as_str(), face.title.as_str()), ("", ""));
        assert_eq!((face.dead, face.status), (true, Some(3)));
        assert_eq!(parse_face(b"nonsense"), None);
    }

    #[test]
    fn names_of_machines() {
        let names = vec!["box.example".to_owned(), "box".to_owned()];
        assert_eq!(parse_hosts(b"host 17 box.example box"), (Some(17), names.clone()));
        assert_eq!(parse_hosts(b"host %s box.example box"), (None, names));
    }
}
