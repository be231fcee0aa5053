//! The names that tmux has for keys. What is none of them, tmux types as text.
//!
//! The table is that of tmux 3.2 to 3.8, so an old server may know less of it.
//! Nothing here knows what a key means to a program.

/// What people press, as tmux prints it; in a name, case doesn't matter.
pub const NAMES: [&str; 52] = [
    "Enter", "Escape", "Tab", "BTab", "Space", "BSpace", "Up", "Down", "Left", "Right", "Home",
    "End", "PageUp", "PgUp", "PPage", "PageDown", "PgDn", "NPage", "Insert", "IC", "Delete", "DC",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "KP0", "KP1", "KP2",
    "KP3", "KP4", "KP5", "KP6", "KP7", "KP8", "KP9", "KP/", "KP*", "KP-", "KP+", "KP.", "KPEnter",
    "Any", "User0",
];

/// Control characters by their names, which tmux knows since 3.5.
pub const CONTROLS: [&str; 29] = [
    "[NUL]", "[SOH]", "[STX]", "[ETX]", "[EOT]", "[ENQ]", "[ASC]", "[BEL]", "[BS]", "[LF]", "[VT]",
    "[FF]", "[SO]", "[SI]", "[DLE]", "[DC1]", "[DC2]", "[DC3]", "[DC4]", "[NAK]", "[SYN]", "[ETB]",
    "[CAN]", "[EM]", "[SUB]", "[FS]", "[GS]", "[RS]", "[US]",
];

/// What a mouse does; a number may follow, and the place where it does it.
const MOUSE: [&str; 10] = [
    "MouseDown",
    "MouseUp",
    "MouseDragEnd",
    "MouseDrag",
    "MouseMove",
    "WheelUp",
    "WheelDown",
    "SecondClick",
    "DoubleClick",
    "TripleClick",
];

const PLACES: [&str; 9] = [
    "Pane",
    "Status",
    "StatusLeft",
    "StatusRight",
    "StatusDefault",
    "Border",
    "ScrollbarUp",
    "ScrollbarSlider",
    "ScrollbarDown",
];

/// What other programs call these keys, and nobody would find by likeness.
const ELSEWHERE: [(&str, &str); 5] = [
    ("return", "Enter"),
    ("backspace", "BSpace"),
    ("shifttab", "BTab"),
    ("backtab", "BTab"),
    ("spacebar", "Space"),
];

/// Modifiers as people write them.
const WRITTEN: [(&str, &str); 7] = [
    ("ctrl", "C-"),
    ("control", "C-"),
    ("alt", "M-"),
    ("meta", "M-"),
    ("option", "M-"),
    ("shift", "S-"),
    ("esc", "M-"),
];

/// Whether tmux presses a key for this word. A single character is one, whatever it is.
pub fn is_key(word: &str) -> bool {
    if let Some(digits) = word.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).is_ok_and(|code| char::from_u32(code).is_some());
    }
    let Some((_, bare)) = split(word) else { return false };
    let mut chars = bare.chars();
    match (chars.next(), chars.next()) {
        (None, _) => false,
        // Without a modifier tmux types it, which comes to the same.
        (Some(c), None) => c >= ' ' || bare == word,
        _ => is_name(bare),
    }
}

/// A word's modifiers, and what they modify; nothing if it has the form of one and isn't.
pub fn split(word: &str) -> Option<(&str, &str)> {
    let mut rest = match word.strip_prefix('^') {
        Some(rest) if !rest.is_empty() => rest,
        _ => word,
    };
    while rest.as_bytes().get(1) == Some(&b'-') {
        let modifiers = ['C', 'c', 'M', 'm', 'S', 's'];
        rest = rest.strip_prefix(modifiers)?.strip_prefix('-')?;
    }
    Some(word.split_at(word.len() - rest.len()))
}

fn is_name(bare: &str) -> bool {
    let known = |name: &&str| name.eq_ignore_ascii_case(bare);
    NAMES.iter().chain(&CONTROLS).any(known) || is_users(bare) || is_mouse(bare)
}

/// `User0` to `User999`: sequences that the user gave names to.
fn is_users(bare: &str) -> bool {
    let number = bare.strip_prefix("User").and_then(|number| number.parse().ok());
    number.is_some_and(|number: u32| number < 1000)
}

fn is_mouse(bare: &str) -> bool {
    let bare = bare.to_ascii_lowercase();
    MOUSE.iter().any(|does| {
        let Some(rest) = bare.strip_prefix(&does.to_ascii_lowercase()) else { return false };
        let place = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let control = place.strip_prefix("control").is_some_and(|n| n.parse::<u8>().is_ok());
        control || PLACES.iter().any(|known| known.eq_ignore_ascii_case(place))
    })
}

/// The key that somebody who wrote this most likely knows by another program's name for it.
pub fn meant(word: &str) -> Option<String> {
    let mut parts: Vec<&str> = word.split(['-', '+']).collect();
    let key = parts.pop()?;
    let mut name = String::new();
    for part in parts {
        let (_, modifier) = WRITTEN.iter().find(|(way, _)| way.eq_ignore_ascii_case(part))?;
        name.push_str(modifier);
    }
    let elsewhere = ELSEWHERE.iter().find(|(way, _)| way.eq_ignore_ascii_case(key));
    match elsewhere {
        Some((_, key)) => name.push_str(key),
        // With Control, tmux means the small letter.
        None if name.contains("C-") && key.len() == 1 => name.push_str(&key.to_lowercase()),
        None => name.push_str(key),
    }
    (name != word && is_key(&name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_text() {
        let keys = [
            "Enter",
            "enter",
            "ESCAPE",
            "y",
            "1",
            "é",
            "日",
            "-",
            "^",
            "^^",
            "^C",
            "C-c",
            "c-C",
            "M-x",
            "C-M-S-Up",
            "C--",
            "S-Tab",
            "^Enter",
            "F12",
            "KP5",
            "KP*",
            "0x41",
            "User999",
            "MouseDown1Pane",
            "wheeluppane",
            "MouseDown11StatusLeft",
            "DoubleClick1Border",
            "[NUL]",
            "C-Space",
            "\t",
            "\u{7f}",
            " ",
        ];
        for word in keys {
            assert!(is_key(word), "{word:?}");
        }
        let text = [
            "",
            "Entr",
            "hello",
            "日本",
            "C-",
            "M-",
            "a-b",
            "x-",
            "--",
            "F13",
            "0xz",
            "0x110000",
            "User1000",
            "User",
            "None",
            "^Entr",
            "C-Entr",
            "WheelUp",
            "MouseDown1",
            "C-\t",
            "[NIL]",
            "MouseDown1Elsewhere",
            "/clear",
            "y\n",
        ];
        for word in text {
            assert!(!is_key(word), "{word:?}");
        }
    }

    #[test]
    fn words_of_other_programs() {
        for (word, key) in [
            ("Return", Some("Enter")),
            ("Ctrl-C", Some("C-c")),
            ("ctrl+alt+x", Some("C-M-x")),
            ("Shift-Tab", Some("S-Tab")),
            ("Alt-Return", Some("M-Enter")),
            ("Backspace", Some("BSpace")),
            ("hello", None),
            ("Ctrl-hello", None),
            ("", None),
        ] {
            assert_eq!(meant(word).as_deref(), key, "{word}");
        }
    }
}
