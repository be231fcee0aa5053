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
        let mut lines = match self {
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
        lines = spaced(lines);
        lines
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

fn welcome(directory: &str, width: usize) -> Vec<Line<'static>> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let soft = Style::new().fg(SOFT);
    let accent = Style::new().fg(ACCENT);
    let tips: [(&str, &str); 6] = [
        ("permission", "I ask before I run a command"),
        ("question", "I let you choose"),
        ("long", "I work for a while; esc interrupts"),
        ("error", "I fail as agents do"),
        ("exit", "I leave"),
        ("help", "all the rest"),
    ];
    let mut rows: Vec<Line<'static>> = vec![
        Line::from(vec![
            Span::styled("✳ ", accent),
            Span::styled("Welcome to the demo agent!", bold),
        ]),
        Line::default(),
        Line::styled("  No key, no cost, nothing leaves this machine.", soft),
        Line::styled(format!("  {}", printable(directory)), soft),
        Line::default(),
        Line::raw("  Write a message, or try one of these words:"),
    ];
    rows.extend(tips.map(|(word, about)| {
        Line::from(vec![
            Span::raw("    "),
            Span::styled(format!("{word:<11}"), accent),
            Span::styled(about, soft),
        ])
    }));
    // Below this the box would be cut: a line says the same.
    if width < 52 {
        return vec![
            Line::from(vec![Span::styled("✳ ", accent), Span::styled("Demo agent", bold)]),
            Line::styled("  try: help", soft),
        ];
    }
    boxed(rows, width.min(64), accent)
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
