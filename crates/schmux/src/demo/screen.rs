//! The terminal: entering and leaving it, and bringing the view onto it.
//!
//! Inline, the transcript goes into the scrollback and only the region below
//! it is redrawn, with relative moves. ratatui's inline viewport does the same
//! for a region of fixed height, and asks the terminal where its cursor is;
//! ours grows and shrinks with the field, and never asks, because the answer
//! would come between the keys. The full screen is ratatui's.

use std::fmt::Write as _;
use std::io::{self, Stdout, Write as _};
use std::time::Duration;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::ContentStyle;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::{CrosstermBackend, IntoCrossterm};
use ratatui::layout::Position;
use ratatui::style::Style;
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

use super::model::Model;
use super::transcript::Entry;
use super::view::{self, Live};

pub(crate) enum Screen {
    Inline(Region),
    Full(Terminal<CrosstermBackend<Stdout>>),
}

impl Screen {
    /// Takes the terminal over.
    pub(crate) fn enter(fullscreen: bool) -> io::Result<Screen> {
        take(fullscreen)?;
        if fullscreen {
            Ok(Screen::Full(Terminal::new(CrosstermBackend::new(io::stdout()))?))
        } else {
            Ok(Screen::Inline(Region::default()))
        }
    }

    /// Draws the model; `new` are the entries since the last time, `all` the whole transcript.
    pub(crate) fn paint(
        &mut self,
        model: &Model,
        new: &[Entry],
        all: &[Entry],
        now: Duration,
    ) -> io::Result<()> {
        match self {
            Screen::Inline(region) => {
                let width = usize::from(model.size().0.max(1));
                let out = region.paint(new, &view::live(model, now), width);
                let mut stdout = io::stdout().lock();
                stdout.write_all(out.as_bytes())?;
                stdout.flush()
            }
            Screen::Full(terminal) => {
                let area = terminal.draw(|frame| view::full(frame, model, all, now))?.area;
                // The cursor stands at the insertion point even where it isn't shown.
                let live = view::live(model, now);
                let top = area.height.saturating_sub(live.lines.len() as u16);
                let at = Position::new(live.cursor.x, top + live.cursor.y);
                execute!(io::stdout(), cursor::MoveTo(at.x, at.y))
            }
        }
    }

    /// Writes bytes as they are: inline above the region, else anywhere.
    pub(crate) fn raw(&mut self, text: &str) -> io::Result<()> {
        let erased = match self {
            Screen::Inline(region) => region.erase(usize::MAX),
            Screen::Full(_) => String::new(),
        };
        // The region begins on a line of its own.
        let end = if text.ends_with('\n') { "" } else { "\r\n" };
        write!(io::stdout(), "{erased}{}{end}", text.replace('\n', "\r\n"))?;
        self.repaint()
    }

    /// Forgets what is on the screen, so that the next paint draws it all.
    pub(crate) fn repaint(&mut self) -> io::Result<()> {
        match self {
            Screen::Inline(region) => region.stale = true,
            Screen::Full(terminal) => terminal.clear()?,
        }
        Ok(())
    }

    /// Clears the screen and its scrollback.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if let Screen::Inline(region) = self {
            *region = Region::default();
            write!(io::stdout(), "\x1b[H\x1b[2J\x1b[3J")?;
            io::stdout().flush()?;
        }
        self.repaint()
    }

    /// Hands the terminal to another program for a while.
    pub(crate) fn lend(&self) -> io::Result<()> {
        give_back(matches!(self, Screen::Full(_)))
    }

    /// Takes it back and draws everything again.
    pub(crate) fn reclaim(&mut self) -> io::Result<()> {
        take(matches!(self, Screen::Full(_)))?;
        self.repaint()
    }

    /// Leaves the terminal as it was, below what was printed.
    pub(crate) fn leave(&mut self) -> io::Result<()> {
        if let Screen::Inline(region) = self {
            write!(io::stdout(), "{}", region.erase(usize::MAX))?;
        }
        // The title would go on telling of an agent that is gone.
        write!(io::stdout(), "\x1b]2;\x07")?;
        give_back(matches!(self, Screen::Full(_)))
    }
}

fn take(fullscreen: bool) -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()?;
    if fullscreen {
        execute!(io::stdout(), EnterAlternateScreen)?;
    }
    execute!(io::stdout(), EnableBracketedPaste)
}

/// Undoes `take`. It is called from the panic hook and on signals too, so it
/// tries every part whatever became of the others.
pub(crate) fn give_back(fullscreen: bool) -> io::Result<()> {
    let modes = execute!(io::stdout(), DisableBracketedPaste, cursor::Show);
    let screen = if fullscreen { execute!(io::stdout(), LeaveAlternateScreen) } else { Ok(()) };
    crossterm::terminal::disable_raw_mode().and(modes).and(screen)
}

/// The part of the screen below the transcript that is drawn again and again.
#[derive(Debug, Default)]
pub(crate) struct Region {
    /// The rows on the screen, with the columns that each takes.
    rows: Vec<(String, usize)>,
    cursor: Position,
    cursor_shown: bool,
    width: usize,
    /// What is on the screen is not what we think.
    stale: bool,
}

impl Region {
    /// The bytes that bring new entries and the region onto the screen.
    fn paint(&mut self, new: &[Entry], live: &Live, width: usize) -> String {
        let rows: Vec<(String, usize)> =
            live.lines.iter().map(|line| encode(line, width)).collect();
        let same_place =
            !self.stale && new.is_empty() && rows.len() == self.rows.len() && width == self.width;
        let mut out = String::new();
        if same_place {
            let mut at = self.cursor.y;
            for (index, row) in rows.iter().enumerate() {
                if *row != self.rows[index] {
                    move_rows(&mut out, at, index as u16);
                    at = index as u16;
                    let _ = write!(out, "\r{}\x1b[K", row.0);
                }
            }
            move_rows(&mut out, at, live.cursor.y);
            let still = out.is_empty() && live.cursor == self.cursor;
            if still && live.cursor_shown == self.cursor_shown {
                return out;
            }
        } else {
            out.push_str("\x1b[?25l");
            out.push_str(&self.erase(width));
            for entry in new {
                for line in entry.lines(width) {
                    out.push_str(&encode(&line, usize::MAX).0);
                    out.push_str("\r\n");
                }
            }
            let region: Vec<&str> = rows.iter().map(|(row, _)| row.as_str()).collect();
            out.push_str(&region.join("\r\n"));
            move_rows(&mut out, rows.len().saturating_sub(1) as u16, live.cursor.y);
        }
        out.push('\r');
        if live.cursor.x > 0 {
            let _ = write!(out, "\x1b[{}C", live.cursor.x);
        }
        out.push_str(if live.cursor_shown { "\x1b[?25h" } else { "\x1b[?25l" });
        let (cursor, cursor_shown) = (live.cursor, live.cursor_shown);
        *self = Region { rows, cursor, cursor_shown, width, stale: false };
        out
    }

    /// The bytes that remove the region and leave the cursor where it began.
    /// `width` is the terminal's: if it has become narrower, the terminal has
    /// broken our rows, and there are more of them to go up.
    fn erase(&mut self, width: usize) -> String {
        let width = width.max(1);
        let above: usize = self.rows[..usize::from(self.cursor.y).min(self.rows.len())]
            .iter()
            .map(|(_, columns)| columns.div_ceil(width).max(1))
            .sum();
        let up = above + usize::from(self.cursor.x) / width;
        self.rows.clear();
        self.cursor = Position::ORIGIN;
        let mut out = String::new();
        move_rows(&mut out, up as u16, 0);
        out.push_str("\r\x1b[J");
        out
    }
}

fn move_rows(out: &mut String, from: u16, to: u16) {
    let _ = match to.cmp(&from) {
        std::cmp::Ordering::Less => write!(out, "\x1b[{}A", from - to),
        std::cmp::Ordering::Greater => write!(out, "\x1b[{}B", to - from),
        std::cmp::Ordering::Equal => Ok(()),
    };
}

/// A line as bytes for the terminal, cut at `width`, and the columns that it takes.
fn encode(line: &Line<'_>, width: usize) -> (String, usize) {
    let mut out = String::new();
    let mut used = 0;
    let mut run = String::new();
    let mut style = Style::new();
    for grapheme in line.styled_graphemes(Style::new()) {
        let columns = grapheme.symbol.width();
        if used + columns > width {
            break;
        }
        if grapheme.style != style {
            flush(&mut out, &mut run, style);
            style = grapheme.style;
        }
        used += columns;
        run.push_str(grapheme.symbol);
    }
    flush(&mut out, &mut run, style);
    (out, used)
}

fn flush(out: &mut String, run: &mut String, style: Style) {
    if style == Style::new() {
        out.push_str(run);
    } else if !run.is_empty() {
        let style: ContentStyle = style.into_crossterm();
        let _ = write!(out, "{}", style.apply(run.as_str()));
        // crossterm resets colours one by one and attributes with them; this ends all of them.
        out.push_str("\x1b[m");
    }
    run.clear();
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
