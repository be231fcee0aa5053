//! Aligned columns, which give way on a terminal that is too narrow for them.
//!
//! Into a file or a pipe everything is printed in full. What gives way, and in which
//! order, is said by whoever makes the table; what isn't named is never cut.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::print::{Style, safe};

/// How a cell is painted, once its width is known.
pub(super) type Paint = fn(Style, &str) -> String;

/// Rows of cells in columns that are as wide as their widest cell.
pub(super) struct Table {
    style: Style,
    head: Vec<&'static str>,
    rows: Vec<Vec<(String, Option<Paint>)>>,
    give: Vec<Give>,
}

/// One step towards a narrower table; columns are named by their heads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Give {
    /// Leaves a column out that says nothing but this word (or nothing at all) in any row.
    Empty(&'static str, &'static str),
    /// Cuts a column's cells, but not below this width.
    Cut(&'static str, usize),
    /// Leaves a column out.
    Drop(&'static str),
}

/// Between two columns.
const GAP: usize = 2;

impl Table {
    pub fn new<const N: usize>(style: Style, head: [&'static str; N]) -> Table {
        Table { style, head: head.to_vec(), rows: Vec::new(), give: Vec::new() }
    }

    /// What gives way where there is too little room: one step after the other, until it fits.
    pub fn give<const N: usize>(mut self, steps: [Give; N]) -> Table {
        self.give = steps.to_vec();
        self
    }

    /// Adds a row. Cells are made safe to show: agents may have written them.
    pub fn row(&mut self, cells: impl IntoIterator<Item = (String, Option<Paint>)>) {
        self.rows.push(cells.into_iter().map(|(cell, paint)| (safe(&cell), paint)).collect());
    }

    pub fn render(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        let head = self.head.iter().map(|title| ((*title).to_owned(), Some(Style::dim as Paint)));
        self.render_row(&head.collect::<Vec<_>>(), &widths, &mut text);
        for row in &self.rows {
            self.render_row(row, &widths, &mut text);
        }
        text
    }

    /// How wide each column is shown; nothing for one that is left out.
    fn widths(&self) -> Vec<Option<usize>> {
        let natural: Vec<usize> = (0..self.head.len()).map(|column| self.widest(column)).collect();
        let mut widths: Vec<Option<usize>> = natural.iter().copied().map(Some).collect();
        let Some(room) = self.style.columns() else { return widths };
        for step in &self.give {
            let over = total(&widths).saturating_sub(room);
            if over == 0 {
                break;
            }
            let Some(column) = self.column(step) else { continue };
            match *step {
                Give::Empty(_, nothing) if !self.says_only(column, nothing) => {}
                Give::Empty(..) | Give::Drop(_) => widths[column] = None,
                Give::Cut(_, least) => {
                    let cut = |width: usize| width.min(least.max(width.saturating_sub(over)));
                    widths[column] = widths[column].map(cut);
                }
            }
        }
        // A column that was left out may have made more room than was needed.
        for column in self.give.iter().filter_map(|step| self.column(step)) {
            let spare = room.saturating_sub(total(&widths));
            widths[column] = widths[column].map(|width| natural[column].min(width + spare));
        }
        widths
    }

    fn widest(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|(cell, _)| cell.width()).max().unwrap_or(0);
        widest.max(self.head[column].len())
    }

    fn column(&self, step: &Give) -> Option<usize> {
        let (Give::Empty(name, _) | Give::Cut(name, _) | Give::Drop(name)) = *step;
        self.head.iter().position(|head| *head == name)
    }

    fn says_only(&self, column: usize, nothing: &str) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.all(|(cell, _)| cell.is_empty() || cell == nothing)
    }

    fn render_row(
        &self,
        row: &[(String, Option<Paint>)],
        widths: &[Option<usize>],
        text: &mut String,
    ) {
        let start = text.len();
        for ((cell, paint), width) in row.iter().zip(widths) {
            let Some(width) = *width else { continue };
            let cell = cut(cell, width);
            let padding = " ".repeat(width.saturating_sub(cell.width()) + GAP);
            match paint {
                Some(paint) => text.push_str(&paint(self.style, &cell)),
                None => text.push_str(&cell),
            }
            text.push_str(&padding);
        }
        let end = start + text[start..].trim_end().len();
        text.truncate(end);
        text.push('\n');
    }
}

fn total(widths: &[Option<usize>]) -> usize {
    let shown = widths.iter().flatten();
    shown.clone().sum::<usize>() + GAP * shown.count().saturating_sub(1)
}

/// A text that is at most so wide, with an ellipsis if it was wider.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used >= width {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: Option<usize>, rows: &[[&str; 4]]) -> String {
        let mut table =
            Table::new(Style::plain().with_columns(columns), ["ID", "HOST", "AGE", "SAYS"]).give([
                Give::Empty("HOST", "local"),
                Give::Cut("SAYS", 8),
                Give::Drop("AGE"),
                Give::Cut("SAYS", 1),
            ]);
        for row in rows {
            table.row(row.map(|cell| (cell.to_owned(), None)));
        }
        table.render()
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let mut table = Table::new(Style::plain(), ["ID", "NAME"]);
        table.row([("a".into(), None), ("日本".into(), None)]);
        table.row([("long-id".into(), None), ("x\x1b[31m".into(), None)]);
        let expected = "ID       NAME\na        日本\nlong-id  x\u{fffd}[31m\n";
        assert_eq!(table.render(), expected);
    }

    #[test]
    fn a_table_gives_way_step_by_step() {
        let rows = [["app-001", "local", "5m", "May I delete it?"], ["web", "local", "1h", ""]];
        let check = |columns, expected: &str| {
            let text = table(columns, &rows);
            assert_eq!(text, expected, "{columns:?}");
            if let Some(columns) = columns {
                assert!(text.lines().all(|line| line.width() <= columns), "{columns}: {text}");
            }
        };
        let full = "ID       HOST   AGE  SAYS\n\
                    app-001  local  5m   May I delete it?\n\
                    web      local  1h\n";
        check(None, full);
        check(Some(37), full);
        check(Some(36), "ID       AGE  SAYS\napp-001  5m   May I delete it?\nweb      1h\n");
        check(Some(29), "ID       AGE  SAYS\napp-001  5m   May I delete i…\nweb      1h\n");
        check(Some(22), "ID       AGE  SAYS\napp-001  5m   May I d…\nweb      1h\n");
        // AGE went for one column too much, and what that freed is used.
        check(Some(21), "ID       SAYS\napp-001  May I delet…\nweb\n");
        check(Some(12), "ID       SA…\napp-001  Ma…\nweb\n");
        // Ids are never cut.
        assert!(table(Some(5), &rows).contains("app-001"));
    }

    #[test]
    fn a_column_that_says_something_stays() {
        let rows = [["a", "local", "5m", "words of an agent"], ["b", "box", "1h", ""]];
        assert_eq!(
            table(Some(28), &rows),
            "ID  HOST   AGE  SAYS\na   local  5m   words of an…\nb   box    1h\n"
        );
    }

    #[test]
    fn texts_are_cut_by_what_is_seen() {
        for (text, width, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("a bcd", 3, "a…"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("abc", 1, "…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ] {
            assert_eq!(cut(text, width), expected, "{text} {width}");
            assert!(cut(text, width).width() <= width, "{text} {width}");
        }
    }
}
