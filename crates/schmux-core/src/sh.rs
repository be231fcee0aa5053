//! Words for a POSIX shell.
//!
//! **Invariant:** this is the only place where text is quoted for `sh`. What a
//! word holds can't become syntax, whichever shell reads it.

/// One word that a shell reads back as the very text. A NUL can be in no word
/// of any shell, and is left out.
pub fn quote(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./,:=@+%".contains(&b);
    // A leading `=` or `%` means something to some shells, `~` to all.
    let starts_plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./".contains(b);
    if text.as_bytes().first().is_some_and(starts_plain) && text.bytes().all(plain) {
        return text.to_owned();
    }
    let mut word = String::with_capacity(text.len() + 2);
    word.push('\'');
    for c in text.chars().filter(|c| *c != '\0') {
        match c {
            // zsh and csh take `!` for history even in places where sh doesn't.
            '\'' | '!' => {
                word.push_str("'\\");
                word.push(c);
                word.push('\'');
            }
            c => word.push(c),
        }
    }
    word.push('\'');
    word
}

/// A command line of quoted words.
pub fn join<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| quote(word.as_ref())).collect();
    quoted.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted() {
        for (word, quoted) in [
            ("plain-1.2/x", "plain-1.2/x"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", r"'it'\''s'"),
            ("$HOME `x` \\", r"'$HOME `x` \'"),
            ("~/x", "'~/x'"),
            ("a!b", r"'a'\!'b'"),
            ("=x", "'=x'"),
            ("a\nb", "'a\nb'"),
            ("a\0b", "'ab'"),
            ("é", "'é'"),
        ] {
            assert_eq!(quote(word), quoted);
        }
        assert_eq!(join(["a", "b c"]), "a 'b c'");
    }
}
