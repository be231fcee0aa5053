//! Screens for tests, drawn as text: `⟨faint⟩`, `⟦inverse⟧`, and `▮` where the cursor is.

use crate::screen::{Cursor, Ink, Row, Size, View};

pub(super) fn draw(lines: &[&str]) -> View {
    let mut cursor = Cursor { col: 0, row: 0, visible: true };
    let mut rows = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let mut row = Row::default();
        let mut ink = Ink::Plain;
        for c in line.chars() {
            match c {
                '⟨' => ink = Ink::Faint,
                '⟦' => ink = Ink::Inverse,
                '⟩' | '⟧' => ink = Ink::Plain,
                '▮' => cursor = Cursor { col: row.end(), row: index as u16, visible: true },
                c => row.push(c.encode_utf8(&mut [0; 4]), ink),
            }
        }
        rows.push(row);
    }
    let size = Size { cols: 40, rows: rows.len() as u16 };
    View { size, rows, cursor, alternate: false, bracketed_paste: true, title: String::new() }
}
