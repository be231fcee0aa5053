//! The names in an ssh client's configuration, as far as one can type them:
//! patterns and negations are left out. Reading files, and those that they
//! include, is the caller's business.

/// What a configuration says of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    Name(String),
    /// A pattern of files whose names belong here.
    Include(String),
}

/// The entries of one file, in their order.
pub fn entries(text: &str) -> Vec<Entry> {
    text.lines().flat_map(line).collect()
}

fn line(line: &str) -> Vec<Entry> {
    let words = words(line);
    let Some((key, rest)) = words.split_first() else { return Vec::new() };
    match key.to_ascii_lowercase().as_str() {
        "host" => {
            let plain = |name: &&String| !name.contains(['*', '?', '!']) && !name.starts_with('-');
            rest.iter().filter(plain).cloned().map(Entry::Name).collect()
        }
        "include" => rest.iter().cloned().map(Entry::Include).collect(),
        _ => Vec::new(),
    }
}

/// Words as ssh takes them: blanks or one `=` between the first two, double
/// quotes around what holds blanks, `#` before the rest of a line that doesn't count.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() && !rest.starts_with('#') {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => {
                let ends = |c: char| c.is_whitespace() || (c == '=' && words.is_empty());
                rest.split_at(rest.find(ends).unwrap_or(rest.len()))
            }
        };
        let is_key = words.is_empty();
        words.push(word.to_owned());
        rest = after.trim_start();
        if is_key {
            rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
        }
    }
    words
}

/// Whether a file's name fits a pattern with `*` and `?`.
pub fn matches(pattern: &str, name: &str) -> bool {
    fn fits(pattern: &[char], name: &[char]) -> bool {
        match pattern.split_first() {
            None => name.is_empty(),
            Some(('*', rest)) => (0..=name.len()).any(|at| fits(rest, &name[at..])),
            Some(('?', rest)) => !name.is_empty() && fits(rest, &name[1..]),
            Some((c, rest)) => name.first() == Some(c) && fits(rest, &name[1..]),
        }
    }
    let chars = |text: &str| text.chars().collect::<Vec<_>>();
    // As shells do it: what is hidden is asked for by name.
    (pattern.starts_with('.') || !name.starts_with('.')) && fits(&chars(pattern), &chars(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_one_can_type() {
        let text = "# Host commented\nHost box  build-1 *.lan !bad ?x\n  HostName 10.0.0.1\n\
                    HOST=\"two words\" three # four\nInclude ~/.ssh/config.d/* \"other file\"\n\
                    Match host nobody\nhost = eq\n\nHost\n";
        let told = entries(text).into_iter().map(|entry| match entry {
            Entry::Name(name) => name,
            Entry::Include(pattern) => format!("<{pattern}>"),
        });
        let told: Vec<String> = told.collect();
        let expected =
            ["box", "build-1", "two words", "three", "<~/.ssh/config.d/*>", "<other file>", "eq"];
        assert_eq!(told, expected);
    }

    #[test]
    fn patterns_of_files() {
        for (pattern, name, expected) in [
            ("*", "work", true),
            ("*", ".hidden", false),
            ("*.conf", "a.conf", true),
            ("*.conf", "a.conf.bak", false),
            ("c?", "c1", true),
            ("c?", "c", false),
            ("config", "config", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
