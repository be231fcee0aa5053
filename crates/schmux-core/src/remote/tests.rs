use super::*;

fn status(bytes: &[u8]) -> (String, Heard) {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let digits = if digits.is_empty() { "-".into() } else { digits };
    let (count, size) = (bytes.len(), bytes.len() as u64);
    let text =
        format!("__SCHMUX_SIGNAL__status 1 p-001-x 7 {size} 12.5 0 {count} {digits}__END__\r\n");
    let file = File {
        kind: Kind::Status,
        workspace: 1,
        name: "p-001-x".into(),
        inode: 7,
        size,
        modified: 12_500_000_000,
        start: 0,
        bytes: bytes.to_vec(),
    };
    (text, Heard::Frame(Frame::File(file)))
}

fn whole(text: &[u8]) -> Vec<Heard> {
    Frames::default().feed(text)
}

#[test]
fn any_bytes_come_through_at_any_cut() {
    let mut text = b"Welcome to box!\r\n__SCHMUX_SIG".to_vec();
    let mut expected = Vec::new();
    let all: Vec<u8> = (0..=255).collect();
    for bytes in [
        &b"needs_input it's \"50%\"\nblocker: x\n"[..],
        b"__END____SCHMUX_SIGNAL__",
        b"",
        b"%output %1 \\015",
        &all,
    ] {
        let (frame, heard) = status(bytes);
        text.extend_from_slice(frame.as_bytes());
        expected.push(heard);
    }
    text.extend_from_slice(b"__SCHMUX_SIGNAL__done abc 3__END__$ ");
    expected.push(Heard::Frame(Frame::Done { nonce: "abc".into(), status: 3 }));
    assert_eq!(whole(&text), expected);
    for cut in 0..=text.len() {
        let mut frames = Frames::default();
        let mut heard = frames.feed(&text[..cut]);
        heard.extend(frames.feed(&text[cut..]));
        assert_eq!(heard, expected, "cut at {cut}");
    }
    let mut frames = Frames::default();
    let heard: Vec<Heard> = text.iter().flat_map(|byte| frames.feed(&[*byte])).collect();
    assert_eq!(heard, expected);
}

#[test]
fn what_was_torn_is_told_and_the_next_is_whole() {
    let (good, heard) = status(b"completed x\n");
    for torn in [
        "__SCHMUX_SIGNAL__status 1 p-001-x 7 4 12.5 0 4 6161",
        "__SCHMUX_SIGNAL__status 1 p-001-x 7 4 12.5 0 4 6161__END__",
        "__SCHMUX_SIGNAL__status 1 p-001-x 7 4 12.5 0 2 616__END__",
        "__SCHMUX_SIGNAL__status one p-001-x 7 4 12.5 0 2 6161__END__",
        "__SCHMUX_SIGNAL__gossip__END__",
        "__SCHMUX_SIGNAL____END__",
        "__SCHMUX_SIGNAL__done abc 3 4__END__",
    ] {
        assert_eq!(
            whole(format!("{torn}{good}").as_bytes()),
            [Heard::Torn, heard.clone()],
            "{torn}"
        );
    }
}

#[test]
fn a_frame_without_end_does_not_fill_the_memory() {
    let mut frames = Frames::default();
    assert_eq!(frames.feed(b"__SCHMUX_SIGNAL__status "), []);
    let mut torn = 0;
    for _ in 0..100 {
        torn += frames.feed(&[b'6'; 64 << 10]).len();
    }
    assert_eq!(torn, 1);
    let (good, heard) = status(b"working\n");
    assert_eq!(frames.feed(good.as_bytes()), [heard]);
}

#[test]
fn what_follows_a_frame_is_kept() {
    let mut frames = Frames::default();
    frames.push(b"motd\n__SCHMUX_SIGNAL__ready n1 home 2f72 shell -__END__\n%begin 1 2 0\n");
    let facts = [("home".to_owned(), "/r".to_owned()), ("shell".to_owned(), String::new())];
    let facts = facts.into_iter().collect();
    assert_eq!(frames.pop(), Some(Heard::Frame(Frame::Ready { nonce: "n1".into(), facts })));
    assert_eq!(frames.into_rest(), b"\n%begin 1 2 0\n");
}

#[test]
fn editors_are_heard() {
    let edit = Edit { session: "p-001-x".into(), nonce: "7f".into(), content: b"a\n".to_vec() };
    let heard = Heard::Frame(Frame::Edit(edit));
    assert_eq!(whole(b"__SCHMUX_SIGNAL__edit p-001-x 7f 2 610a__END__"), [heard]);
    assert_eq!(whole(b"__SCHMUX_SIGNAL__edit p-001-x 7f 3 610a__END__"), [Heard::Torn]);
    let session = "p-001-x".to_owned();
    let edited = Edited { session, call: 9, wrote: true, keys: Vec::new(), kept: None };
    let heard = Heard::Frame(Frame::Edited(edited));
    assert_eq!(whole(b"__SCHMUX_SIGNAL__edited p-001-x 9 yes 0 -__END__"), [heard]);
    let heard = Frame::Unheard { session: "p-001-x".into(), ticket: 1794875103110 };
    assert_eq!(
        whole(b"__SCHMUX_SIGNAL__unheard p-001-x 1794875103110__END__"),
        [Heard::Frame(heard)]
    );
}
