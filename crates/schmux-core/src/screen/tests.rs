//! A keyframe drawn on a fresh terminal gives the same screen, whatever made it.

use proptest::prelude::*;

use super::*;

const SIZE: Size = Size { cols: 20, rows: 6 };

/// What tmux would tell of a screen whose scroll region is `region`.
pub(super) fn meta(screen: &Screen, region: (u16, u16)) -> Meta {
    let Size { cols, rows } = screen.size();
    let Cursor { col, row, .. } = screen.cursor();
    let alternate = u8::from(screen.is_alternate());
    let (top, bottom) = region;
    let text = format!(
        "meta {cols} {rows} {col} {row} 1 {alternate} {top} {bottom} 0 0 0 0 0 0 0 0 1 0 0 0 0"
    );
    Meta::parse(text.as_bytes()).unwrap()
}

fn screen_of(bytes: &[u8]) -> Screen {
    let mut screen = Screen::new(SIZE);
    screen.advance(bytes);
    screen
}

/// Draws the keyframe on a terminal with other content, then feeds both the same tail.
fn check_keyframe(bytes: &[u8], region: (u16, u16), tail: &[u8]) {
    let mut original = screen_of(bytes);
    let meta = meta(&original, region);
    let frame = original.keyframe(&meta);
    let mut copy = screen_of(b"\x1b[?1049hother\x1b[41mstuff\x1b[2;3r\x1b[?6h\x1b[4h");
    copy.advance(&screen_prelude());
    copy.advance(&frame);
    same(&original, &copy, "at once");
    original.advance(tail);
    copy.advance(tail);
    same(&original, &copy, "after more output");
}

fn same(a: &Screen, b: &Screen, when: &str) {
    assert!(
        a.shows_same_as(b),
        "{when}: {:?} {:?}\n{:?} {:?}",
        a.rows(),
        a.cursor(),
        b.rows(),
        b.cursor()
    );
}

#[test]
fn keyframes_redraw_the_screen() {
    let whole = (0, SIZE.rows - 1);
    for (bytes, region, tail) in [
        (&b"hello\r\nworld"[..], whole, &b"more"[..]),
        (b"\x1b[1;31mred\x1b[0m \x1b[48;5;200mx\x1b[38;2;1;2;3my", whole, b"pen goes on"),
        (b"\x1b[44m\x1b[2J", whole, b"\x1b[2;2Hx"),
        ("wide 漢字 é👍 e\u{301}".as_bytes(), whole, "続".as_bytes()),
        (b"12345678901234567890", whole, b"wraps"),
        ("1234567890123456789漢".as_bytes(), whole, b"x"),
        (b"123456789012345678901234567890 wrapped", whole, b"\x1b[1;1Hx"),
        (b"main\x1b[?1049halt", whole, b"\x1b[?1049lback"),
        (b"\x1b[31mmain\x1b[?1049h\x1b[malt", whole, b"\x1b[?1049lback"),
        (b"\x1b[3;3H\x1b[31m\x1b7\x1b[m\x1b[Hhome", whole, b"\x1b8back"),
        (b"\x1b[?1049h\x1b[3;3H\x1b(0\x1b7\x1b(B\x1b[Hhome", whole, b"\x1b8q"),
        (b"\x1b[?47halt", whole, b"\x1b[?47lback"),
        ("👩\u{200d}💻 joined".as_bytes(), whole, b"x"),
        (b"\x1b[2;4rA\r\nB\r\nC\r\nD", (1, 3), b"\r\nE\r\nF"),
        (b"\x1b[2;4r\x1b[?6hA\r\nB", (1, 3), b"\x1b[1;1HX\r\n\r\n\r\nY"),
        (b"\x1b[?7lno wrap at the end of this", whole, b"z"),
        (b"\x1b[4mu\x1b[4:3mc\x1b[58;5;3mk\x1b[7mi\x1b[9ms", whole, b"t"),
        (b"\x1b]8;id=a;http://example.org\x1b\\link\x1b]8;;\x1b\\", whole, b"x"),
        (b"a\tb\tc", whole, b"\td"),
        (b"\x1b[4habc\x1b[1;1H", whole, b"X"),
        (b"\x1b(0qqq\x1b(B plain \x1b(0", whole, b"x"),
        (b"\x1b[3;5H\x1b[?25l", whole, b"y"),
        (b"line\r\n\x1b[7m     \x1b[m", whole, b"z"),
    ] {
        check_keyframe(bytes, region, tail);
    }
}

#[test]
fn history_is_scrolled_out_of_sight() {
    for rows in [0, 1, 3, 6, 20] {
        let history: Vec<String> = (0..rows).map(|n| format!("old {n}")).collect();
        let mut original = screen_of(b"top\r\nnext");
        let meta = meta(&original, (0, SIZE.rows - 1));
        let mut copy = Screen::new(SIZE);
        copy.advance(&history_prelude(history.join("\n").as_bytes(), SIZE));
        copy.advance(&original.keyframe(&meta));
        same(&original, &copy, "with history");
    }
}

#[test]
fn a_seed_splits_history_from_screen() {
    let meta = b"meta 20 2 0 1 1 0 0 1 0 0 0 0 0 0 0 0 1 0 3 0 0";
    let seed = Seed::new(meta, b"\x1b[31mh1\nh2\nh3\nrow 1\n\x1b[39mrow 2", b"").unwrap();
    assert_eq!(seed.history_rows(), 3);
    assert_eq!(seed.history(), b"\x1b[31mh1\nh2\nh3");
    let screen = seed.screen(None);
    assert_eq!(screen.rows(), ["row 1", "row 2"]);
    // The pen of the history reaches into the first row.
    let mut expected = Screen::new(Size { cols: 20, rows: 2 });
    expected.advance(b"\x1b[31mrow 1\x1b[39m\r\nrow 2\x1b[2;1H");
    same(&expected, &screen, "seeded");
}

#[test]
fn a_seed_knows_the_cursor_of_the_screen_beneath() {
    let meta = b"meta 20 2 0 0 1 1 0 1 0 0 0 0 0 0 0 0 1 0 0 0 0 3 0";
    let mut screen = Seed::new(meta, b"alt\n", b"main\n").unwrap().screen(None);
    screen.advance(b"\x1b[?1049lX");
    assert_eq!(screen.rows()[0], "maiX");
}

#[test]
fn a_seed_takes_over_backgrounds_that_no_capture_tells() {
    // As tmux 3.3a captures it: nothing of what erasing coloured.
    let meta = b"meta 20 3 1 1 1 0 0 2 0 0 0 0 0 0 0 0 1 0 0 0 0";
    let mut before = Screen::new(Size { cols: 20, rows: 3 });
    before.advance(b"\x1b[44m\x1b[2Ja\x1b[2;1Hb");
    let fresh = Seed::new(meta, b"\x1b[44ma\nb\n\x1b[49m", b"").unwrap().screen(Some(&before));
    same(&before, &fresh, "the same rows");
    // A row that has changed in the meantime is not what the model remembers.
    let fresh = Seed::new(meta, b"\x1b[44ma\nc\n\x1b[49m", b"").unwrap().screen(Some(&before));
    let mut expected = Screen::new(Size { cols: 20, rows: 3 });
    expected.advance(b"\x1b[44m\x1b[K\x1b[2;1Hc\x1b[1;1Ha\x1b[2;2H");
    same(&expected, &fresh, "another row");
}

#[test]
fn joined_characters_take_one_place() {
    let mut screen = screen_of("👩\u{200d}💻|\r\n👩".as_bytes());
    screen.advance("\u{200d}".as_bytes());
    screen.advance("💻|".as_bytes());
    assert_eq!(screen.rows()[..2], ["👩\u{200d}💻|", "👩\u{200d}💻|"]);
    assert_eq!(screen.cursor().col, 3);
}

#[test]
fn a_seed_keeps_what_tmux_cannot_tell() {
    let meta = b"meta 20 2 0 0 1 1 0 1 0 0 0 0 0 0 0 0 1 0 0 0 0";
    let before = screen_of(b"\x1b[?2004h");
    let seed = Seed::new(meta, b"alt\n", b"main\n").unwrap();
    let mut screen = seed.screen(Some(&before));
    assert!(screen.wants_bracketed_paste() && screen.is_alternate());
    screen.advance(b"\x1b[?1049l");
    assert_eq!(screen.rows()[0], "main");
}

#[test]
fn replies_that_make_no_sense_are_refused() {
    for reply in
        [&b""[..], b"meta", b"meta 1 2", b"other 20 2 0 0 1 1 0 1 0 0 0 0 0 0 0 0 1 0 0 0 0"]
    {
        assert!(Meta::parse(reply).is_none());
    }
}

#[test]
fn characters_may_be_cut_anywhere() {
    let text = "é 漢 👍 ü漢字é\u{301} \x1b[31mé漢".as_bytes();
    let whole = screen_of(text);
    for size in 1..6 {
        let mut pieces = Screen::new(SIZE);
        text.chunks(size).for_each(|piece| pieces.advance(piece));
        same(&whole, &pieces, &format!("in pieces of {size}"));
    }
    // What never was a character doesn't wait for ever.
    assert_eq!(screen_of(b"a\xc3").rows()[0], "a");
    let mut broken = screen_of(b"a\xe6\xbc");
    broken.advance(b"b");
    assert_eq!(broken.rows()[0], "a\u{fffd}b");
}

#[test]
fn titles_are_told_once() {
    let mut screen = screen_of(b"\x1b]2;work\x07");
    assert_eq!(screen.take_title().as_deref(), Some("work"));
    assert_eq!(screen.take_title(), None);
}

#[test]
fn a_synchronized_update_without_end_hides_nothing() {
    assert_eq!(screen_of(b"\x1b[?2026hshown").rows()[0], "shown");
}

/// Output of programs. What half of a wide character becomes when the other
/// half is overwritten is every terminal's own matter, so `wide` has no such moves.
fn terminal_bytes(wide: bool) -> impl Strategy<Value = Vec<u8>> {
    let special = if wide { "[漢字👍]{1,3}" } else { "\x1b\\[[0-3]?[ABCDJKLMPX@ST]" };
    let place = if wide { "\x1b\\[[0-9];1H\x1b\\[K" } else { "\x1b\\[[0-9]{1,2};[0-9]{1,2}H" };
    let piece = prop_oneof![
        "[a-zéñ ]{1,8}".prop_map(String::into_bytes),
        special.prop_map(String::into_bytes),
        Just(b"\r\n".to_vec()),
        place.prop_map(String::into_bytes),
        "\x1b\\[(3[0-7]|4[0-7]|1|4|7|0|38;5;[0-9]{1,3})m".prop_map(String::into_bytes),
        "\x1b\\[\\?(25|1|2004)[hl]".prop_map(String::into_bytes),
        Just(b"\x1b[?1049h".to_vec()),
        Just(b"\x1b[?1049l".to_vec()),
        Just(b"\t".to_vec()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_screen_survives_its_keyframe(bytes in prop_oneof![terminal_bytes(true), terminal_bytes(false)], tail in "[a-z]{0,30}") {
        check_keyframe(&bytes, (0, SIZE.rows - 1), tail.as_bytes());
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut screen = screen_of(&bytes);
        let meta = meta(&screen, (0, SIZE.rows - 1));
        screen.keyframe(&meta);
    }
}
