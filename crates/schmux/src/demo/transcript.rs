//! The conversation as it is printed: entries, and the lines that show them.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::layout::{printable, wrap};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Welcome {
        directory: String,
    },
    User {
        text: String,
    },
    Shell {
        command: String,
    },
    /// A part of a reply; the first one has the bullet.
    Reply {
        text: String,
        first: bool,
    },
    Tool {
        command: String,
    },
    /// What a command printed, or what was chosen.
    Output {
        text: String,
        ok: bool,
    },
    Note(String),
    Warning(String),
    Error(String),
    /// The human stopped it: `Interrupted`, `Denied`.
    Stopped(String),
    /// Lines that are printed as they are, and wrapped by the terminal alone:
    /// a marker that we broke ourselves would no longer be one.
    Plain(String),
}

pub(crate) const ACCENT: Color = Color::Rgb(0xd7, 0x87, 0x5f);
pub(crate) const SOFT: Color = Color::Indexed(245);
const USER: Style = Style::new().bg(Color::Indexed(236)).fg(Color::Indexed(252));

impl Entry {
    /// The entry as lines of at most `width` columns, `Plain` excepted.
    pub(crate) fn lines(&self, width: usize) -> Vec<Line<'static>> {
        let soft = Style::new().fg(SOFT);
        let lines = match self {
            Entry::Welcome { directory } => return welcome(directory, width),
            Entry::User { text } => hang("❯ ", USER, text, USER, width),
            Entry::Shell { command } => {
                hang("! ", Style::new().fg(Color::Magenta), command, Style::new(), width)
            }
            Entry::Reply { text, first } => {
                let bullet = if *first { "● " } else { "  " };
                let lines = hang(bullet, Style::new().fg(ACCENT), text, Style::new(), width);
                return if *first { spaced(lines) } else { lines };
            }
            Entry::Tool { command } => {
                let text = format!("Bash({command})");
                let bold = Style::new().add_modifier(Modifier::BOLD);
                hang("● ", Style::new().fg(Color::Green), &text, bold, width)
            }
            Entry::Output { text, ok } => {
                let style = if *ok { soft } else { Style::new().fg(Color::Red) };
                return hang("  ⎿ ", soft, text, style, width);
            }
            Entry::Note(text) => return hang("  ", soft, text, soft, width),
            Entry::Warning(text) => hang(
                "⚠ ",
                Style::new().fg(Color::Yellow),
                text,
                Style::new().fg(Color::Yellow),
                width,
            ),
            Entry::Error(text) => {
                let red = Style::new().fg(Color::Red);
                hang("● ", red, text, red, width)
            }
            Entry::Stopped(text) => {
                return hang("  ⎿ ", soft, text, Style::new().fg(Color::Red), width);
            }
            Entry::Plain(text) => {
                return text.split('\n').map(|line| Line::raw(printable(line))).collect();
            }
        };
        spaced(lines)
    }
}

/// A blank line before, so that the parts of a conversation stand apart.
fn spaced(mut lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    lines.insert(0, Line::default());
    lines
}

/// Wrapped text with a mark before its first line and blanks before the others.
fn hang(
    mark: &str,
    mark_style: Style,
    text: &str,
    style: Style,
    width: usize,
) -> Vec<Line<'static>> {
    let indent = mark.chars().count();
    let rows = wrap(text, width.saturating_sub(indent).max(1));
    let row = |(index, row): (usize, String)| {
        let mark = if index == 0 { mark.to_owned() } else { " ".repeat(indent) };
        Line::from(vec![Span::styled(mark, mark_style), Span::styled(row, style)])
    };
    rows.into_iter().enumerate().map(row).collect()
}

/// Without a frame: sessions are often made at one width and looked at in
/// another, and a terminal that breaks the lines of a box leaves rubble.
fn welcome(directory: &str, width: usize) -> Vec<Line<'static>> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let soft = Style::new().fg(SOFT);
    let accent = Style::new().fg(ACCENT);
    let directory = printable(directory);
    // Below this the words beside the face would be broken: a line says the same.
    if width < 52 {
        return vec![
            Line::from(vec![Span::styled("✳ ", accent), Span::styled("Demo agent", bold)]),
            Line::styled("  try: help", soft),
        ];
    }
    let head = [
        ("╭─────╮", Span::styled("Welcome! I am the demo agent.", bold)),
        ("│ ^_^ │", Span::styled("No key, no cost, nothing leaves here.", soft)),
        ("╰─────╯", Span::styled(cut(&directory, width - 11).0, soft)),
    ];
    let tips = [
        ("permission", "I ask before I run a command"),
        ("question", "I let you choose"),
        ("long", "I work for a while; esc interrupts"),
        ("error", "I fail as agents do"),
        ("exit", "I leave"),
        ("help", "all the rest"),
    ];
    let mut lines = vec![Line::default()];
    lines.extend(
        head.map(|(face, text)| Line::from(vec![Span::styled(format!(" {face}  "), accent), text])),
    );
    lines.extend([
        Line::default(),
        Line::raw(" Write me a message. These words make me do things:"),
    ]);
    lines.extend(tips.map(|(word, about)| {
        let word = Span::styled(format!("   {word:<12}"), accent);
        Line::from(vec![word, Span::styled(about, soft)])
    }));
    lines
}

/// A rounded box around lines; what is too long is cut.
pub(crate) fn boxed(lines: Vec<Line<'static>>, width: usize, style: Style) -> Vec<Line<'static>> {
    let inner = width.saturating_sub(4);
    let edge = |left: &str, right: &str| {
        Line::styled(format!("{left}{}{right}", "─".repeat(width.saturating_sub(2))), style)
    };
    let mut out = vec![edge("╭", "╮")];
    for line in lines {
        let mut spans = vec![Span::styled("│ ", style)];
        let mut used = 0;
        for span in line.spans {
            let (text, columns) = cut(&span.content, inner - used);
            used += columns;
            spans.push(Span::styled(text, line.style.patch(span.style)));
        }
        spans.push(Span::raw(" ".repeat(inner - used)));
        spans.push(Span::styled(" │", style));
        out.push(Line::from(spans));
    }
    out.push(edge("╰", "╯"));
    out
}

/// As much of a text as fits into so many columns, and how many it takes.
fn cut(text: &str, columns: usize) -> (String, usize) {
    use unicode_segmentation::UnicodeSegmentation;
    use unicode_width::UnicodeWidthStr;
    let (mut out, mut used) = (String::new(), 0);
    for grapheme in text.graphemes(true) {
        if used + grapheme.width() > columns {
            break;
        }
        used += grapheme.width();
        out.push_str(grapheme);
    }
    (out, used)
}
