//! Completions: the list that opens under the field after `/` or `@`.
//!
//! It follows from the draft alone, so that it never disagrees with the field.

use super::composer::Draft;

/// The commands that a leading slash offers.
pub(crate) const COMMANDS: [(&str, &str); 8] = [
    ("/help", "what you can try here"),
    ("/permission", "ask for permission to run a command"),
    ("/question", "ask a question with choices"),
    ("/plan", "propose a plan"),
    ("/error", "fail as agents do"),
    ("/long", "work for a while"),
    ("/clear", "clear the screen"),
    ("/exit", "leave"),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Popup {
    /// What can be picked, and a word about each.
    pub(crate) choices: Vec<(String, String)>,
    /// How many characters before the cursor a pick replaces.
    pub(crate) replaces: usize,
}

/// The most rows that a popup shows.
const MOST: usize = 8;

/// The completions for a draft: none in shell mode, none where nothing fits.
pub(crate) fn for_draft(draft: &Draft, files: &[String]) -> Option<Popup> {
    if draft.shell || !draft.field.cursor_at_end() {
        return None;
    }
    let (word, alone) = draft.field.word_before_cursor();
    let word = word.as_str();
    let choices: Vec<(String, String)> = if alone && word.starts_with('/') {
        let fits = COMMANDS.iter().filter(|(name, _)| name.starts_with(word));
        fits.map(|(name, about)| (name.to_string(), about.to_string())).take(MOST).collect()
    } else if let Some(part) = word.strip_prefix('@') {
        let fits = files.iter().filter(|file| file.contains(part));
        fits.map(|file| (format!("@{file}"), String::new())).take(MOST).collect()
    } else {
        Vec::new()
    };
    // A single choice that is typed already is no choice.
    let typed = matches!(choices.as_slice(), [(only, _)] if only == word);
    (!choices.is_empty() && !typed).then(|| Popup { choices, replaces: word.chars().count() })
}

#[cfg(test)]
mod tests {
    use super::super::field::Field;
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let draft = Draft { field: Field::from_text(text), shell: false };
        let files = ["Cargo.toml".to_owned(), "src/main.rs".to_owned()];
        let popup = for_draft(&draft, &files);
        let names: Vec<String> =
            popup.into_iter().flat_map(|popup| popup.choices).map(|(name, _)| name).collect();
        assert_eq!(names, expected, "{text:?}");
    }

    #[test]
    fn completions_follow_the_word_before_the_cursor() {
        check("/e", &["/error", "/exit"]);
        check("/exit", &[]);
        check("/zz", &[]);
        check("a /e", &[]);
        check("/help me", &[]);
        check("read @mai", &["@src/main.rs"]);
        check("@", &["@Cargo.toml", "@src/main.rs"]);
        check("@Cargo.toml now", &[]);
        check("plain", &[]);
    }
}
