//! The screen that a viewer's bytes make: the benchmark's own judge, apart from
//! the daemon's model.

use alacritty_terminal::Term;
use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::Config;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::vte::ansi::Processor;

pub struct Screen {
    term: Term<VoidListener>,
    parser: Processor,
}

struct Size;

impl Dimensions for Size {
    fn total_lines(&self) -> usize {
        40
    }
    fn screen_lines(&self) -> usize {
        40
    }
    fn columns(&self) -> usize {
        120
    }
}

impl Screen {
    pub fn new() -> Screen {
        let config = Config { scrolling_history: 0, ..Config::default() };
        Screen { term: Term::new(config, &Size, VoidListener), parser: Processor::new() }
    }

    pub fn draw(&mut self, bytes: &[u8]) {
        self.parser.advance(&mut self.term, bytes);
    }

    /// The rows as text, without blanks at the end.
    pub fn rows(&self) -> Vec<String> {
        let grid = self.term.grid();
        (0..40)
            .map(|row| {
                let mut text = String::new();
                for column in 0..120 {
                    let cell = &grid[Line(row)][Column(column)];
                    // The right half of a wide character is drawn by its left half.
                    if !cell.flags.contains(Flags::WIDE_CHAR_SPACER) {
                        text.push(cell.c);
                        text.extend(cell.zerowidth().into_iter().flatten());
                    }
                }
                text.trim_end().to_owned()
            })
            .collect()
    }
}
