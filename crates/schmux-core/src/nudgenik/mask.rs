//! Takes out what looks like a secret before anything leaves the machine.
//!
//! It knows the shapes of common keys, and words that announce one. It can't know
//! every secret: that is why nothing is sent unless the user has asked for it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// What stands in a secret's place.
const MASK: &str = "[masked]";

/// Shapes of keys, the most particular first. Where there is a group `keep`, it stays.
static SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?",
        r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}",
        r"\bgithub_pat_[A-Za-z0-9_]{20,}",
        r"\bglpat-[A-Za-z0-9_-]{16,}",
        r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\bhf_[A-Za-z0-9]{20,}",
        r"\bnpm_[A-Za-z0-9]{30,}",
        r"(?P<keep>[a-z][a-z0-9+.-]*://[^\s/:@]+:)[^\s/@]+@",
        r#"(?i)(?P<keep>\b[\w-]*(?:api[_-]?key|access[_-]?key|auth[_-]?token|token|secret|passwd|password|credential)s?\b["']?\s*(?:[:=]|=>)\s*["']?)[^\s"',;]{6,}"#,
        r"(?i)(?P<keep>\bauthorization:\s*(?:bearer|basic)\s+)\S+",
        r"(?i)(?P<keep>\bbearer\s+)[A-Za-z0-9._~+/=-]{16,}",
        // Long runs of letters and digits mixed: random, whatever they are for.
        r"\b[A-Fa-f0-9]{40,}\b",
    ]
    .into_iter()
    .map(|shape| Regex::new(shape).expect("a test masks with every shape"))
    .collect()
});

/// The text with secrets masked.
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for shape in SHAPES.iter() {
        if shape.is_match(&text) {
            let kept =
                if shape.capture_names().flatten().next().is_some() { "${keep}" } else { "" };
            let tail = if shape.as_str().ends_with('@') { "@" } else { "" };
            let with = format!("{kept}{MASK}{tail}");
            text = Cow::Owned(shape.replace_all(&text, with.as_str()).into_owned());
        }
    }
    text
}

/// The text with secrets, addresses and these names blotted out letter by letter,
/// so that every row keeps its width.
pub fn blot(text: &str, names: &[String]) -> String {
    let mut text = text.to_owned();
    for shape in SHAPES.iter().chain([&*ADDRESS]) {
        let spans = shape.captures_iter(&text).filter_map(|found| {
            let whole = found.get(0)?;
            let start = found.name("keep").map_or(whole.start(), |keep| keep.end());
            Some(start..whole.end())
        });
        let spans = spans.collect();
        blot_out(&mut text, spans);
    }
    // Shorter ones stand in too many words.
    for name in names.iter().filter(|name| name.chars().count() >= 3) {
        let spans = text.match_indices(name.as_str()).map(|(at, name)| at..at + name.len());
        let spans = spans.collect();
        blot_out(&mut text, spans);
    }
    text
}

/// Of people.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z0-9.-]+").expect("a test blots with it")
});

/// Keeps the number of characters, and so the columns.
fn blot_out(text: &mut String, spans: Vec<Range<usize>>) {
    for span in spans.into_iter().rev() {
        let hidden: String = text[span.clone()]
            .chars()
            .map(|c| if c == '\n' || c == '@' { c } else { 'x' })
            .collect();
        text.replace_range(span, &hidden);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_masked_and_prose_is_not() {
        for (text, expected) in [
            ("key sk-ant-api03-abcdefghijklmnop1234 end", "key [masked] end"),
            ("export OPENAI_API_KEY=abcdef123456", "export OPENAI_API_KEY=[masked]"),
            ("\"password\": \"hunter2hunter2\",", "\"password\": \"[masked]\","),
            ("ghp_abcdefghijklmnopqrstuvwx1234567890", "[masked]"),
            ("AKIAIOSFODNN7EXAMPLE", "[masked]"),
            ("https://user:pa55word@example.org/x", "https://user:[masked]@example.org/x"),
            ("Authorization: Bearer abc.def.ghi", "Authorization: Bearer [masked]"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_d", "[masked]"),
            ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc", "[masked]"),
            ("commit 0123456789abcdef0123456789abcdef01234567", "commit [masked]"),
            ("The token is refreshed every hour.", "The token is refreshed every hour."),
            (
                "Do you want the password to be asked for?",
                "Do you want the password to be asked for?",
            ),
            ("commit 0123abc", "commit 0123abc"),
        ] {
            assert_eq!(mask(text), expected, "{text}");
        }
    }

    #[test]
    fn blots_keep_the_width() {
        let names = ["ada".to_owned(), "x1".to_owned()];
        for (text, expected) in [
            ("API_KEY=abcdef123456 end", "API_KEY=xxxxxxxxxxxx end"),
            ("/home/ada/proj by ada@example.org", "/home/xxx/proj by xxx@xxxxxxxxxxx"),
            ("x1 stays", "x1 stays"),
        ] {
            assert_eq!(blot(text, &names), expected);
        }
    }
}
