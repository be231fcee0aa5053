//! Whether a line of plain text is a marker: `--<[schmux:state:message]>--`.

use super::{State, text};

const OPENING: &str = "--<[";
const CLOSING: &str = "]>--";
const NAME: &str = "schmux:";

/// What agents and their harnesses draw before a line: bullets, quotes, frames.
const BULLETS: &str = "⏺●•◦‣▪■◆◇○◉∙·⎿└├╰✦✧✓✔✗✘✻✽✶✢✳✺∴→▶▸►>›❯»*+-#.)0123456789";

/// The sides of frames, before a line and behind it.
const SIDES: &str = "│┃|▌▐▎▍▏█┆┊╎║";

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Marker {
        state: State,
        message: String,
    },
    /// The beginning of a marker that a later line may end.
    Open,
    /// It looks like a marker, and is none.
    NearMiss,
    Other,
}

pub(super) fn read(line: &str) -> Line {
    match marker(line) {
        Line::Other if looks_like_one(line) => Line::NearMiss,
        read => read,
    }
}

fn marker(line: &str) -> Line {
    let Some((prefix, rest)) = line.split_once(OPENING) else { return Line::Other };
    if !is_prefix(prefix) || rest.contains(OPENING) {
        return Line::Other;
    }
    let rest = trim_sides(rest);
    match rest.strip_suffix(CLOSING) {
        Some(body) if body.contains(CLOSING) => Line::Other,
        Some(body) => whole(body).unwrap_or(Line::Other),
        None if rest.contains(CLOSING) || !may_go_on(rest) => Line::Other,
        None => Line::Open,
    }
}

fn whole(body: &str) -> Option<Line> {
    let (state, message) = body.strip_prefix(NAME)?.split_once(':')?;
    Some(Line::Marker { state: state.parse().ok()?, message: text::clean(message.as_bytes()) })
}

/// Whether `body`, cut anywhere, can be the beginning of a marker.
fn may_go_on(body: &str) -> bool {
    match body.strip_prefix(NAME) {
        None => NAME.starts_with(body),
        Some(said) => match said.split_once(':') {
            Some((state, _)) => state.parse::<State>().is_ok(),
            None => State::ALL.iter().any(|state| state.as_str().starts_with(said)),
        },
    }
}

/// Blanks, sides and bullets; a bullet stands apart from what follows it.
fn is_prefix(prefix: &str) -> bool {
    let attached = prefix.chars().last().is_some_and(|c| BULLETS.contains(c));
    !attached
        && prefix.chars().all(|c| c.is_whitespace() || SIDES.contains(c) || BULLETS.contains(c))
}

fn looks_like_one(line: &str) -> bool {
    line.contains("schmux") && line.contains(['[', ']'])
}

/// Without the blanks and sides around it.
fn trim_sides(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || SIDES.contains(c))
}

/// A marker that was broken over lines, as it is put together.
#[derive(Debug, Clone, Default)]
pub(super) struct Joined {
    pub text: String,
    lines: usize,
}

/// A marker's message has 500 characters at most, which is 16 lines on a
/// narrow phone.
const MAX_LINES: usize = 16;

impl Joined {
    pub fn new(line: &str) -> Joined {
        let from = line.find(OPENING).unwrap_or(0);
        Joined { text: trim_sides(&line[from..]).to_owned(), lines: 1 }
    }

    /// The text with one more line; nothing if that can't belong to it.
    ///
    /// Programs break at blanks, so a blank goes between the lines, except
    /// where a marker has none: before its message, and in its closing.
    pub fn with(&self, line: &str) -> Option<Joined> {
        let line = trim_sides(line);
        if line.is_empty() || line.contains(OPENING) || self.lines == MAX_LINES {
            return None;
        }
        let in_head = self.text.matches(':').count() < 2;
        let in_closing = (1..CLOSING.len()).any(|cut| {
            let (a, b) = CLOSING.split_at(cut);
            self.text.ends_with(a) && line.starts_with(b)
        });
        let between = if in_head || in_closing { "" } else { " " };
        Some(Joined { text: format!("{}{between}{line}", self.text), lines: self.lines + 1 })
    }
}
