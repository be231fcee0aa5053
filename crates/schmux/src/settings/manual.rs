//! Reads `docs/config.md`: sections (`` ## `[server]` ``), a few words below them, and
//! tables of keys, defaults and meanings.

const TEXT: &str = include_str!("../../../../docs/config.md");

pub(super) struct Section {
    /// `server`, or `targets` for `[targets.NAME]`.
    pub name: String,
    pub is_table: bool,
    pub doc: String,
    pub keys: Vec<Key>,
}

pub(super) struct Key {
    pub name: String,
    pub default_words: String,
    pub doc: String,
}

pub(super) fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut in_code = false;
    for line in TEXT.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        if let Some(name) = line.strip_prefix("## `[").and_then(|rest| rest.strip_suffix("]`")) {
            let is_table = name.ends_with(".NAME");
            let name = name.trim_end_matches(".NAME").to_owned();
            sections.push(Section { name, is_table, doc: String::new(), keys: Vec::new() });
        } else if let Some(section) = sections.last_mut().filter(|_| !in_code) {
            match key(line) {
                Some(key) => section.keys.push(key),
                // What stands before the table introduces it.
                None if section.keys.is_empty() && !line.starts_with(['|', '`']) => {
                    section.doc.push_str(line);
                    section.doc.push('\n');
                }
                None => {}
            }
        }
    }
    for section in &mut sections {
        section.doc = section.doc.trim().to_owned();
    }
    sections
}

/// `` | `port` | `7337` | what it means | ``
fn key(line: &str) -> Option<Key> {
    let inner = line.strip_prefix("| `")?.strip_suffix(" |")?;
    let mut cells = inner.splitn(3, " | ");
    let name = cells.next()?.strip_suffix('`')?.to_owned();
    let default_words = cells.next()?.to_owned();
    // A bar within a cell is written with a backslash.
    let doc = cells.next()?.replace("\\|", "|");
    Some(Key { name, default_words, doc })
}
