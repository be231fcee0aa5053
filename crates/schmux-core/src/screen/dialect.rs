//! tmux's dialect: the few things that the model's crate does otherwise than
//! tmux **and** the browser's terminal do.
//!
//! Where those two disagree, the model goes with the browser's: it then differs
//! from tmux just when what people see does, and a seed corrects both.
//! Questions of the program (what terminal is this, which colours, what is in
//! the clipboard) end here, because answering them is tmux's business.

use alacritty_terminal::Term;
use alacritty_terminal::event::EventListener;
use alacritty_terminal::index::Column;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::vte::ansi::{
    Attr, CharsetIndex, ClearMode, CursorShape, CursorStyle, Handler, Hyperlink, LineClearMode,
    Mode, NamedMode, NamedPrivateMode, PrivateMode, StandardCharset, TabulationClearMode,
};

/// Joins the character after it to the one before it, as in `👩‍💻`.
const JOINER: char = '\u{200d}';

/// Whether a character may come after a joiner. Letters, boxes and blocks, which
/// are nearly all that programs print, never do and needn't be looked at twice.
fn may_join(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2600}'..)
}

/// A terminal that understands sequences as tmux does.
pub(super) struct Dialect<'a, L: EventListener>(pub &'a mut Term<L>);

impl<L: EventListener> Dialect<'_, L> {
    /// Adds `c` to the cell left of the cursor if that ends with a joiner.
    fn joins(&mut self, c: char) -> bool {
        let grid = self.0.grid_mut();
        let (line, column) = (grid.cursor.point.line, grid.cursor.point.column.0);
        let Some(left) = (column + usize::from(grid.cursor.input_needs_wrap)).checked_sub(1) else {
            return false;
        };
        let row = &mut grid[line];
        let wide = row[Column(left)].flags.contains(Flags::WIDE_CHAR_SPACER);
        let cell = &mut row[Column(left.saturating_sub(usize::from(wide)))];
        let joined = cell.zerowidth().is_some_and(|chars| chars.last() == Some(&JOINER));
        if joined {
            cell.push_zerowidth(c);
        }
        joined
    }

    /// The older ways to the alternate screen, without a saved cursor.
    fn swap_to(&mut self, alternate: bool) {
        if self.0.mode().contains(TermMode::ALT_SCREEN) != alternate {
            let cursor = self.0.grid().cursor.clone();
            self.0.swap_alt();
            self.0.grid_mut().cursor = cursor;
        }
    }
}

/// Handlers that do what the crate does.
macro_rules! same {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {
        $(
            #[inline]
            fn $name(&mut self, $($arg: $type),*) {
                self.0.$name($($arg),*);
            }
        )*
    };
}

impl<L: EventListener> Handler for Dialect<'_, L> {
    #[inline]
    fn input(&mut self, c: char) {
        if !may_join(c) || !self.joins(c) {
            self.0.input(c);
        }
    }

    fn set_private_mode(&mut self, mode: PrivateMode) {
        match mode {
            PrivateMode::Unknown(47 | 1047) => self.swap_to(true),
            mode => self.0.set_private_mode(mode),
        }
    }

    fn unset_private_mode(&mut self, mode: PrivateMode) {
        self.0.unset_private_mode(mode);
        match mode {
            PrivateMode::Unknown(47 | 1047) => self.swap_to(false),
            PrivateMode::Named(NamedPrivateMode::Origin) => self.0.goto(0, 0),
            _ => {}
        }
    }

    fn set_mode(&mut self, mode: Mode) {
        if mode != Mode::Named(NamedMode::LineFeedNewLine) {
            self.0.set_mode(mode);
        }
    }

    fn unset_mode(&mut self, mode: Mode) {
        self.0.unset_mode(mode);
    }

    fn insert_blank_lines(&mut self, count: usize) {
        self.0.insert_blank_lines(count);
        self.0.carriage_return();
    }

    fn delete_lines(&mut self, count: usize) {
        self.0.delete_lines(count);
        self.0.carriage_return();
    }

    same! {
        set_title(title: Option<String>);
        set_cursor_style(style: Option<CursorStyle>);
        set_cursor_shape(shape: CursorShape);
        goto(line: i32, col: usize);
        goto_line(line: i32);
        goto_col(col: usize);
        insert_blank(count: usize);
        move_up(count: usize);
        move_down(count: usize);
        move_forward(count: usize);
        move_backward(count: usize);
        move_down_and_cr(count: usize);
        move_up_and_cr(count: usize);
        put_tab(count: u16);
        backspace();
        carriage_return();
        linefeed();
        substitute();
        newline();
        set_horizontal_tabstop();
        scroll_up(count: usize);
        scroll_down(count: usize);
        erase_chars(count: usize);
        delete_chars(count: usize);
        move_backward_tabs(count: u16);
        move_forward_tabs(count: u16);
        save_cursor_position();
        restore_cursor_position();
        clear_line(mode: LineClearMode);
        clear_screen(mode: ClearMode);
        clear_tabs(mode: TabulationClearMode);
        set_tabs(interval: u16);
        reset_state();
        reverse_index();
        terminal_attribute(attr: Attr);
        set_scrolling_region(top: usize, bottom: Option<usize>);
        set_keypad_application_mode();
        unset_keypad_application_mode();
        set_active_charset(index: CharsetIndex);
        configure_charset(index: CharsetIndex, charset: StandardCharset);
        decaln();
        push_title();
        pop_title();
        set_hyperlink(link: Option<Hyperlink>);
    }
}
