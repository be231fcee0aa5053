//! What is drawn: the live region at the bottom (work, field or dialog, hints)
//! and, on the full screen, the transcript above it.
//!
//! Pure: the model and the time in, lines and a cursor out.

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};

use super::args::{Cursor, DialogTitle};
use super::dialog::{Dialog, Kind};
use super::field::Atom;
use super::layout::{printable, wrap};
use super::model::Model;
use super::transcript::{ACCENT, Entry, SOFT, boxed};
use super::turn::{Task, Turn};

/// The live region: never taller than the screen.
pub(crate) struct Live {
    pub(crate) lines: Vec<Line<'static>>,
    /// Where the terminal's cursor stands. In a dialog it is away from any field.
    pub(crate) cursor: Position,
    pub(crate) cursor_shown: bool,
}

const DIM: Style = Style::new().add_modifier(Modifier::DIM);

pub(crate) fn live(model: &Model, now: Duration) -> Live {
    let (width, height) = model.size();
    let (width, height) = (usize::from(width.max(1)), usize::from(height.max(1)));
    match &model.dialog {
        Some(dialog) => dialog_region(dialog, width, height),
        None => prompt_region(model, now, width, height),
    }
}

/// The whole screen, for `--fullscreen`.
pub(crate) fn full(frame: &mut Frame<'_>, model: &Model, entries: &[Entry], now: Duration) {
    let area = frame.area();
    let live = live(model, now);
    let live_height = (live.lines.len() as u16).min(area.height);
    let above = area.height - live_height;
    let mut lines: Vec<Line<'static>> = Vec::new();
    for entry in entries.iter().rev() {
        if lines.len() >= usize::from(above) {
            break;
        }
        let mut earlier = entry.lines(usize::from(area.width));
        earlier.append(&mut lines);
        lines = earlier;
    }
    let excess = lines.len().saturating_sub(usize::from(above));
    let shown: Vec<Line<'static>> = lines.into_iter().skip(excess).collect();
    // The conversation grows from the top, and the field stays at the bottom.
    let top = Rect { height: above, ..area };
    let bottom = Rect { y: area.y + above, height: live_height, ..area };
    frame.render_widget(Text::from(shown), top);
    frame.render_widget(Text::from(live.lines), bottom);
    if live.cursor_shown {
        let x = live.cursor.x.min(area.width.saturating_sub(1));
        frame.set_cursor_position((x, bottom.y + live.cursor.y));
    }
}

/// The terminal's title.
pub(crate) fn title(model: &Model, now: Duration) -> String {
    if let Some(title) = &model.title {
        return title.clone();
    }
    if model.dialog.is_some() {
        return match model.manners.dialog_title {
            DialogTitle::Action => "Action Required".to_owned(),
            DialogTitle::Idle => "✳ demo".to_owned(),
        };
    }
    match &model.turn {
        Some(turn) if turn.task != Task::Start => {
            // A title is not a spinner: half a second is lively enough.
            let slow = Duration::from_millis(now.as_millis() as u64 / 500 * 100);
            let task = printable(&turn.task.text().replace('\n', " "));
            let task: String = task.chars().take(40).collect();
            format!("{} demo: {task}", model.spinner(slow))
        }
        _ => "✳ demo".to_owned(),
    }
}

fn prompt_region(model: &Model, now: Duration, width: usize, height: usize) -> Live {
    // What is left out first on a small screen: rules and blanks, then hints.
    let roomy = height >= 10;
    let mut head = head(model, now, width, roomy);
    let mut tail = tail(model, width, roomy);
    tail.truncate(height.saturating_sub(1));
    let room = height - tail.len();
    let (field, cursor) = field(model, room.min(usize::max(height / 2, 1)));
    let excess = (head.len() + field.len()).saturating_sub(room);
    head.drain(..excess.min(head.len()));
    // A placeholder may be wider than a narrow field; the cursor stays on the screen.
    let x = cursor.x.min(width.saturating_sub(1) as u16);
    let cursor = Position::new(x, cursor.y + head.len() as u16);
    let mut lines = head;
    lines.extend(field);
    lines.extend(tail);
    Live { lines, cursor, cursor_shown: model.manners.cursor == Cursor::Shown }
}

/// Above the field: the reply that is being spoken, what waits, the spinner, a rule.
fn head(model: &Model, now: Duration, width: usize, roomy: bool) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some((text, first)) = model.turn.as_ref().and_then(Turn::speaking)
        && !text.is_empty()
    {
        lines.extend(Entry::Reply { text: text.to_owned(), first }.lines(width));
    }
    if model.working() && roomy {
        lines.push(Line::default());
    }
    if model.working() {
        lines.extend(model.turn.as_ref().map(|turn| spinner(model, turn, now)));
    }
    for task in &model.queue {
        let text = printable(&task.text().replace('\n', " ⏎ "));
        lines.push(Line::styled(format!("  ❯ {text}"), DIM));
    }
    if model.composer.stashed() {
        lines.push(Line::styled("  › stashed (ctrl-s, or after the next message)", DIM));
    }
    if roomy {
        lines.push(Line::default());
        lines.push(rule(width));
    }
    lines
}

fn spinner(model: &Model, turn: &Turn, now: Duration) -> Line<'static> {
    let seconds = now.saturating_sub(turn.since).as_secs();
    let accent = Style::new().fg(ACCENT);
    Line::from(vec![
        Span::styled(format!("{} {}… ", model.spinner(now), printable(&turn.verb)), accent),
        Span::styled(format!("({seconds}s · esc to interrupt)"), Style::new().fg(SOFT)),
    ])
}

/// Below the field: a rule, and completions or hints.
fn tail(model: &Model, width: usize, roomy: bool) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if roomy {
        lines.push(rule(width));
    }
    if let Some((popup, selected)) = model.popup() {
        lines.extend(popup.choices.iter().enumerate().map(|(index, (name, about))| {
            let style = if index == selected { Style::new().fg(ACCENT) } else { DIM };
            Line::styled(format!("  {name:<14} {about}"), style)
        }));
        return lines;
    }
    let draft = model.composer.draft();
    let hint = if model.exit_armed() {
        "Press Ctrl-C again to exit"
    } else if draft.shell {
        "shell mode: enter runs it · backspace leaves"
    } else if model.auto_approve {
        "auto-approve on"
    } else if !draft.is_empty() {
        "enter sends · ctrl-j newline · ctrl-g editor"
    } else {
        "/ commands · @ files · ! shell · ctrl-g editor"
    };
    lines.push(Line::styled(format!("  {hint}"), DIM));
    lines
}

fn rule(width: usize) -> Line<'static> {
    Line::styled("─".repeat(width), Style::new().fg(Color::Indexed(240)))
}

/// The rows of the field around the cursor, at most `most`, and the cursor in them.
fn field(model: &Model, most: usize) -> (Vec<Line<'static>>, Position) {
    let draft = model.composer.draft();
    let drawn = draft.field.drawn(model.field_width(), model.manners.wrap, most);
    let (row, column) = drawn.cursor;
    let glyph = if draft.shell {
        Span::styled("! ", Style::new().fg(Color::Magenta))
    } else {
        Span::styled("❯ ", Style::new().fg(ACCENT))
    };
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (index, atoms) in drawn.rows.iter().enumerate() {
        let mark = if index + drawn.skipped == 0 { glyph.clone() } else { Span::raw("  ") };
        let mut spans = vec![mark];
        spans.extend(field_row(atoms));
        lines.push(Line::from(spans));
    }
    if draft.is_empty() {
        lines[0].push_span(Span::styled(printable(&model.manners.ghost), DIM));
    }
    let at = Position::new((column + 2) as u16, row as u16);
    if model.manners.cursor == Cursor::Drawn {
        draw_cursor(&mut lines[usize::from(at.y)], usize::from(at.x));
    }
    (lines, at)
}

fn field_row(atoms: &[Atom]) -> Vec<Span<'static>> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut text = String::new();
    for atom in atoms {
        if let Atom::Paste { label, .. } | Atom::Image { label } = atom {
            spans.push(Span::raw(std::mem::take(&mut text)));
            spans.push(Span::styled(label.to_string(), Style::new().fg(Color::Cyan)));
        } else {
            text.push_str(atom.shown());
        }
    }
    spans.push(Span::raw(text));
    spans
}

/// Draws a block at a column, for agents that hide the terminal's cursor.
fn draw_cursor(line: &mut Line<'static>, column: usize) {
    use unicode_width::UnicodeWidthStr;
    let mut at = 0;
    let mut out: Vec<Span<'static>> = Vec::new();
    let mut done = false;
    for span in std::mem::take(&mut line.spans) {
        for grapheme in span.styled_graphemes(Style::new()) {
            let here = !done && at == column;
            done |= here;
            let style =
                if here { grapheme.style.add_modifier(Modifier::REVERSED) } else { grapheme.style };
            out.push(Span::styled(grapheme.symbol.to_owned(), style));
            at += grapheme.symbol.width();
        }
    }
    if !done {
        out.push(Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED)));
    }
    line.spans = out;
}

fn dialog_region(dialog: &Dialog, width: usize, height: usize) -> Live {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let accent = Style::new().fg(ACCENT);
    let border = if dialog.kind == Kind::View { Style::new().fg(SOFT) } else { accent };
    let frame_width = width.min(80);
    let inner = frame_width.saturating_sub(6).max(1);
    let mut rows = vec![Line::styled(dialog.title.clone(), bold.patch(accent)), Line::default()];
    for line in &dialog.body {
        rows.extend(wrap(line, inner).into_iter().map(|row| Line::raw(format!("  {row}"))));
    }
    if !dialog.body.is_empty() {
        rows.push(Line::default());
    }
    rows.extend(wrap(&dialog.question, inner).into_iter().map(Line::raw));
    for (index, option) in dialog.options.iter().enumerate() {
        let (mark, style) =
            if index == dialog.selected { ("❯", accent) } else { (" ", Style::new()) };
        rows.push(Line::styled(format!("{mark} {}. {}", index + 1, printable(option)), style));
    }
    let mut lines = boxed(rows.clone(), frame_width, border);
    lines.insert(0, Line::default());
    // On a small screen the question and its options matter more than the frame.
    if lines.len() > height {
        lines = rows;
        let excess = lines.len().saturating_sub(height);
        lines.drain(..excess);
    }
    let cursor = Position::new(0, lines.len().saturating_sub(1) as u16);
    Live { lines, cursor, cursor_shown: false }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
