//! Where lines break: words into rows of a width, for the field and for the transcript.
//!
//! Knows graphemes and their widths, nothing of styles or screens.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// One thing that is never broken: a grapheme, a newline or a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// So many columns wide.
    Solid(usize),
    /// So many columns wide, and a row may end after it.
    Blank(usize),
    /// Ends the row, and takes no column.
    Newline,
}

/// How a row that is too long is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Wrap {
    /// After the last blank that fits, as Claude Code and Codex do.
    Word,
    /// At the width, wherever that is.
    Char,
}

/// The rows of `items`: ranges that follow each other without a gap, where a
/// newline is the last item of its row. There is always one row at least, and
/// an empty one after a final newline.
pub(crate) fn rows(items: &[Item], width: usize, wrap: Wrap) -> Vec<Range<usize>> {
    let width = width.max(1);
    let mut rows = Vec::new();
    let (mut start, mut used, mut break_at) = (0, 0, None);
    let mut index = 0;
    while index < items.len() {
        let columns = match items[index] {
            Item::Newline => {
                rows.push(start..index + 1);
                (start, used, break_at) = (index + 1, 0, None);
                index += 1;
                continue;
            }
            Item::Solid(columns) | Item::Blank(columns) => columns,
        };
        if used + columns > width && index > start {
            let end = break_at.filter(|_| wrap == Wrap::Word).unwrap_or(index);
            rows.push(start..end);
            (start, used, break_at) = (end, 0, None);
            // The word that didn't fit is measured again as the start of the next row.
            index = end;
            continue;
        }
        used += columns;
        index += 1;
        if matches!(items[index - 1], Item::Blank(_)) {
            break_at = Some(index);
        }
    }
    rows.push(start..items.len());
    rows
}

/// What a grapheme is to the layout.
pub(crate) fn item(grapheme: &str) -> Item {
    match grapheme {
        "\n" | "\r\n" => Item::Newline,
        " " => Item::Blank(1),
        // A tab is drawn as four blanks: a field has no tab stops.
        "\t" => Item::Blank(4),
        other => Item::Solid(other.width()),
    }
}

/// Plain text as rows of at most `width` columns.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let graphemes: Vec<&str> = text.graphemes(true).collect();
    let items: Vec<Item> = graphemes.iter().map(|grapheme| item(grapheme)).collect();
    rows(&items, width, Wrap::Word).into_iter().map(|row| row_text(&graphemes[row])).collect()
}

/// Makes text fit for a cell grid: tabs become blanks, other controls vanish.
pub(crate) fn printable(text: &str) -> String {
    text.replace('\t', "    ").chars().filter(|c| !c.is_control()).collect()
}

fn row_text(graphemes: &[&str]) -> String {
    printable(&graphemes.concat()).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, width: usize, expected: &[&str]) {
        assert_eq!(wrap(text, width), expected, "{text:?} in {width}");
    }

    #[test]
    fn text_breaks_after_blanks_and_within_words_that_are_too_long() {
        check("", 10, &[""]);
        check("one two three", 8, &["one two", "three"]);
        check("one\n\ntwo\n", 8, &["one", "", "two", ""]);
        check("abcdefghij", 4, &["abcd", "efgh", "ij"]);
        check("ab cdefghij", 4, &["ab", "cdef", "ghij"]);
        check("日本語テキスト", 4, &["日本", "語テ", "キス", "ト"]);
        check("wide 👍🏽 emoji", 6, &["wide", "👍🏽", "emoji"]);
        check("x", 0, &["x"]);
    }

    #[test]
    fn rows_leave_nothing_out() {
        let text = "a bb  ccc\n\ndddd e\tffffffffffffff";
        let items: Vec<Item> = text.graphemes(true).map(item).collect();
        for width in 0..12 {
            for wrap in [Wrap::Word, Wrap::Char] {
                let mut next = 0;
                for row in rows(&items, width, wrap) {
                    assert_eq!(row.start, next);
                    next = row.end;
                }
                assert_eq!(next, items.len());
            }
        }
    }
}
