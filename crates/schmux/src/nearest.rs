//! "Did you mean …?": the names that are nearest to a mistyped one.

/// The valid names that resemble `given`, nearest first, three at most.
pub fn nearest<'a>(given: &str, valid: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let mut scored: Vec<(f64, &str)> = valid
        .into_iter()
        .map(|name| (likeness(&given, &name.to_lowercase()), name))
        // At 0.75 `calude` finds `claude` and not `codex`.
        .filter(|(score, _)| *score >= 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by_key(|(_, name)| *name);
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

fn likeness(given: &str, name: &str) -> f64 {
    // A part of a long name is a likely abbreviation, though far away by edits.
    let part = if given.len() >= 3 && name.contains(given) { 0.9 } else { 0.0 };
    strsim::jaro_winkler(given, name).max(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names() {
        let names = ["claude", "codex", "claude-opus", "gemini", "myproj-001-ab12cd34"];
        let cases: [(&str, &[&str]); 5] = [
            ("calude", &["claude", "claude-opus"]),
            ("Claude", &["claude", "claude-opus"]),
            ("opus", &["claude-opus"]),
            ("ab12", &["myproj-001-ab12cd34"]),
            ("zzzz", &[]),
        ];
        for (given, expected) in cases {
            assert_eq!(nearest(given, names), expected, "{given}");
        }
    }
}
