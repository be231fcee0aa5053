//! What terminals do, in small: a name, and pieces of output after each of which
//! the screen of 40 columns and 10 rows is compared.

pub const CASES: &[(&str, &[&str])] = &[
    (
        "sequences in pieces",
        &[
            "one \x1b[3",
            "1mred\x1b]2;a ti",
            "tle\x07 on\x1b",
            "[4mend\x1b(",
            "0lqk\x1b(B\x1b[1;",
            "5Hx",
        ],
    ),
    (
        "text that was encoded twice",
        &["Stra\u{c3}\u{83}\u{c2}\u{9f}e and more", "\u{9d}quoted\u{9b}2Jcd", "\u{85}e"],
    ),
    (
        "line drawing above and beneath",
        &[
            "\x1b(0lqk\r\nx\r\nx\r\nx\r\nx\r\nx\r\nx\r\nx\r\nx\r\nx\r\nx\r\nmqj",
            "\x1b(B\x1b[2J\x1b[Hplain",
            "\x1b)0\x0elqk",
            "\x0f\x1b[?1049hx",
            "\x1b[?1049ly",
        ],
    ),
    ("text", &["hello\r\nworld", "\r\n\r\nmore\ttabbed\tagain\x08\x08X"]),
    (
        "a pending wrap",
        &[
            "0123456789012345678901234567890123456789",
            "x",
            "\x1b[3;40Hy",
            "\rz",
            "\x1b[6;40Hs",
            "\x1b[Kt",
            "\x1b[7;40Hu",
            "\nv",
            "\x1b[9;40Hw",
            "\x1b[1Cx",
        ],
    ),
    (
        "a long line",
        &[
            "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890",
        ],
    ),
    ("no wrapping", &["\x1b[?7l0123456789012345678901234567890123456789abc", "\x1b[?7h\r", "d"]),
    (
        "scrolling",
        &[
            "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\n11\r\n12",
            "\r\n\r\nend",
            "\x1b[3S",
            "\x1b[2T",
        ],
    ),
    (
        "scroll regions",
        &[
            "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\x1b[3;6r",
            "\x1b[6;1Ha\nb\nc",
            "\x1b[3;1H\x1bMup\x1bMup",
            "\x1b[4;1H\x1b[L",
            "\x1b[3;1H\x1b[2M",
            "\x1b[2S",
            "\x1b[1T",
            "\x1b[10;1H\nbelow\n",
            "\x1b[1;1H\x1bMabove",
            "\x1bE\x1bD\x1b[6;5Hx\x1bDy",
            "\x1b[rhome",
        ],
    ),
    (
        "origin mode",
        &[
            "\x1b[3;6r\x1b[?6htop",
            "\x1b[2;5Hsecond",
            "\x1b[99;99Hlast",
            "\x1b[1dA",
            "\x1b[?6lfirst",
            "\x1b[r",
        ],
    ),
    (
        "inserting and deleting",
        &[
            "abcdefghij\r\nklmnop\r\nqrstuv\x1b[1;3H",
            "\x1b[2@",
            "\x1b[3P",
            "\x1b[2;1H\x1b[L",
            "\x1b[M\x1b[M",
            "\x1b[1;2H\x1b[4X",
            "\x1b[4hins\x1b[4l",
            "\x1b[42m\x1b[2@\x1b[3;1H\x1b[1L\x1b[2P",
        ],
    ),
    (
        "erasing",
        &[
            "0123456789\r\n0123456789\r\n0123456789\x1b[2;5H",
            "\x1b[1K",
            "\x1b[K",
            "\x1b[44m\x1b[J",
            "\x1b[1;3H\x1b[1K\x1b[2K",
            "\x1b[5;5H\x1b[45m\x1b[1J",
            "\x1b[2J",
            "\x1b[m\x1b[3Jx",
            "\x1b[42m\x1b[3;3H\x1b[3X",
            "\x1b[10;1H\n\n",
        ],
    ),
    (
        "attributes",
        &[
            "\x1b[1mbold\x1b[2mdim\x1b[22m \x1b[3mitalic\x1b[23m \x1b[4mline\x1b[24m \x1b[5mblink\x1b[25m",
            "\r\n\x1b[7minverse\x1b[27m \x1b[8mhidden\x1b[28m \x1b[9mstruck\x1b[29m",
            "\r\n\x1b[31mred\x1b[91mbright\x1b[38;5;200mindexed\x1b[38;2;1;2;3mrgb\x1b[39mdefault",
            "\r\n\x1b[41mred\x1b[101mbright\x1b[48;5;200mindexed\x1b[48;2;1;2;3mrgb\x1b[49mdefault",
            "\r\n\x1b[38:5:100mcolons\x1b[38:2::9:8:7mrgb\x1b[48:2:5:6:7mrgb\x1b[m plain",
            "\r\n\x1b[4:3mcurly\x1b[4:2mdouble\x1b[21mtwo\x1b[4:4mdots\x1b[4:5mdashes\x1b[4:0mnone",
            "\r\n\x1b[4;58;5;3mcoloured\x1b[59m\x1b[58:2::1:2:3mline\x1b[m",
            "\r\n\x1b[1;7;31;44mall\x1b[0m \x1b[7m   \x1b[m \x1b[4m   \x1b[m \x1b[9m   \x1b[m.",
        ],
    ),
    (
        "bold and dim bright colours",
        &["\x1b[1;31ma\x1b[2;32mb\x1b[90mc\x1b[97md\x1b[100me\x1b[107mf"],
    ),
    (
        "wide characters",
        &[
            "漢字かな한국어 wide",
            "\r\n012345678901234567890123456789012345678漢字",
            "\r\n01234567890123456789012345678901234567漢字",
            "\x1b[7;1HＡＢ①─│╭╮…",
        ],
    ),
    ("emoji", &["👍 🚀 ✅ ⭐ 🎉 ok", "\r\n✓ ✔ ✗ ⚠ ● ❯ ✻ ⎿ ·", "\r\n⏵ ⏸ ⏺ ◯ ☐ ☑ ☒ ♥"]),
    (
        "combining characters",
        &["e\u{301}a\u{308}o\u{302} n\u{303}.", "\r\nक\u{94d}ष\u{93f}", "\r\n\u{301}alone"],
    ),
    (
        "the alternate screen",
        &[
            "main 1\r\n\x1b[31mmain 2\x1b[m\x1b[?1049h",
            "\x1b[2J\x1b[Halt\x1b[5;5H\x1b[42mx",
            "\x1b[?1049l",
            "back",
            "\x1b[?47hx\x1b[?47ly",
            "\x1b[?1047hx\x1b[?1047lz",
        ],
    ),
    ("tabs", &["a\tb\tc\td\te\tf\tg", "\x1b[2Zz", "\r\n\x1b[3g\tx", "\r\n   \x1bH\r\ty"]),
    ("line feeds", &["a\nb\x0bc\x0cd", "\x1b[20he\nf\x1b[20l"]),
    ("the cursor", &["\x1b[?25lx", "\x1b[?25hy", "\x1b[4 qz"]),
    ("resets", &["\x1b[31;44mx\x1b[3;5r\x1b[!py", "\x1bcz"]),
    ("a test pattern", &["\x1b#8", "\x1b[3;3Hx"]),
    (
        "strings that show nothing",
        &[
            "a\x1b]0;t\x07b\x1bP1$r0m\x1b\\c\x1b_apc\x1b\\d\x1b^pm\x1b\\e",
            "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\f",
            "\x1b]52;c;aGk=\x07g\x1b]11;?\x07h\x1bkname\x1b\\i",
        ],
    ),
    (
        "queries",
        &["\x1b[c\x1b[>c\x1b[6n\x1b[5n\x1b[?2026$p\x1b[>qx", "\x1b[?u\x1b[>1u\x1b[<u\x1b[=1;1uy"],
    ),
    ("synchronized updates", &["\x1b[?2026hx\x1b[3;3Hy", "\x1b[?2026lz"]),
    (
        "bytes that mean nothing",
        &[
            "a\x00b\x01c\x7fd\x1b[999zd\x1b[?9999he\x1b%Gf",
            "\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18mg\x1b[m",
        ],
    ),
];

/// Where tmux 3.3a goes its own way, and the browser's terminal and the model go
/// another: why, and the bytes. A seed puts it right.
pub const DISAGREEMENTS: &[(&str, &str)] = &[
    // tmux counts a pending wrap as a column of its own and goes back from there.
    ("backspace at a pending wrap", "\x1b[5;40Hq\x08r"),
    ("cursor back at a pending wrap", "\x1b[8;40Hw\x1b[1Dx"),
    // tmux remembers that the last character was written without wrapping.
    ("wrapping on again at the edge", "\x1b[?7l\x1b[1;40Hab\x1b[?7hcd"),
    // Everyone else ignores it there.
    ("inserting lines outside of the scroll region", "1\r\n2\x1b[3;6r\x1b[1;1H\x1b[L\x1b[r"),
    ("inserting and deleting lines in the middle of one", "abc\r\ndef\x1b[LX\x1b[1;3H\x1b[MY"),
    // tmux leaves the first half in place, as a wide character of one column.
    ("writing on half of a wide character", "漢字漢字\x1b[1;2Hx\x1b[1;7Hy"),
    ("deleting half of a wide character", "漢字\x1b[1;2H\x1b[P"),
    // tmux puts the cursor where the main screen saved it, alternate or not.
    ("leaving the alternate screen twice", "one\x1b[?1049htwo\x1b[?1049lfour\x1b[?1049lfive"),
    // tmux has no such sequences.
    ("tabs forward", "a\x1b[2Ib"),
    ("relative moves", "\x1b[3ax\x1b[1ey"),
    // The model's crate stops at the first tab stop, tmux goes on to the edge.
    ("tabs back with few tab stops", "\x1b[3g   \x1bH\r\ty\x1b[2Zz"),
    // tmux repeats only characters of one byte, and only right after them.
    ("repeating a wide character", "漢\x1b[2b"),
    ("repeating after a line feed", "x\r\n\x1b[4b"),
    // Versions of tmux differ: later ones join more, and make more of it wide.
    (
        "emoji of several characters",
        "👍🏽|⚠\u{fe0f}|1\u{fe0f}\u{20e3}|🇩🇪|🏳\u{fe0f}\u{200d}🌈|❤\u{fe0f}|",
    ),
];
