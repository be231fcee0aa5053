//! The engine against recorded and hostile streams, re-fed at every byte split.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// Sends `batches`, feeds `stream` whole and at every split, and compares the events.
fn check(batches: &[Batch], stream: &str, expected: Expect) {
    let whole = events(batches, &[stream.as_bytes()]);
    expected.assert_eq(&whole);
    for cut in 0..stream.len() {
        let (a, b) = stream.as_bytes().split_at(cut);
        assert_eq!(events(batches, &[a, b]), whole, "cut at byte {cut}");
    }
}

fn events(batches: &[Batch], chunks: &[&[u8]]) -> String {
    let mut engine = Engine::default();
    for batch in batches {
        engine.send(batch.clone());
    }
    let mut out = String::new();
    for chunk in chunks {
        engine.handle_bytes(chunk, &mut |event| {
            let line = match event {
                Event::Output { pane, data } => format!("output {pane} {}", lossy(data.0)),
                Event::Notice(notice) => format!("notice {notice:?}"),
                Event::Reply(Reply { ticket, outcome: Ok(bodies) }) => {
                    let bodies: Vec<_> = bodies.iter().map(|b| lossy(b)).collect();
                    format!("reply {} {bodies:?}", ticket.0)
                }
                Event::Reply(Reply { ticket, outcome: Err(refusal) }) => {
                    format!("refused {} at {}: {}", ticket.0, refusal.index, refusal.message)
                }
            };
            out.push_str(&line);
            out.push('\n');
        });
    }
    out
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn say(word: &str) -> Command {
    Command::new("display-message").arg("-p").arg(word)
}

#[test]
fn a_batch_is_one_line_and_a_fence_another() {
    let mut engine = Engine::default();
    engine.send(Batch::new([say("a"), say("b")]));
    engine.send(Batch::fenced([say("c")], "N0".into()));
    expect![[r#"
        display-message -p a ; display-message -p b
        display-message -p c
        display-message -p N0
    "#]]
    .assert_eq(&lossy(&engine.take_outgoing()));
    assert!(engine.take_outgoing().is_empty());
}

#[test]
fn replies_are_matched_in_order() {
    check(
        &[Batch::new([say("a"), say("b")]), say("c").into()],
        "%begin 1 264 0\n%end 1 264 0\n%session-changed $0 hub\n\
         %begin 5 269 1\na\n%end 5 269 1\n%output %1 between\n%begin 5 270 1\nb\nb2\n%end 5 270 1\n\
         %begin 5 271 1\n%end 5 271 1\n",
        expect![[r#"
            notice SessionChanged { name: [104, 117, 98] }
            output %1 between
            reply 0 ["a", "b\nb2"]
            reply 1 [""]
        "#]],
    );
}

#[test]
fn an_error_ends_its_batch() {
    check(
        &[Batch::new([say("a"), say("b"), say("c")]), say("d").into()],
        "%begin 1 1 1\na\n%end 1 1 1\n%begin 1 2 1\ncan't find window: @99\n%error 1 2 1\n%begin 1 3 1\nd\n%end 1 3 1\n",
        expect![[r#"
            refused 0 at 1: can't find window: @99
            reply 1 ["d"]
        "#]],
    );
}

#[test]
fn blocks_of_others_are_skipped() {
    check(
        &[say("a").into()],
        "%begin 1 1 0\nnot ours\n%end 1 1 0\n%begin 1 2 1\na\n%end 1 2 1\n%begin 1 3 1\nunasked\n%end 1 3 1\n",
        expect![[r#"
            reply 0 ["a"]
        "#]],
    );
}

#[test]
fn notifications_inside_a_block_are_told() {
    check(
        &[say("a").into()],
        "%begin 1 1 1\n%output %2 early\n%sessions-changed\na\n%end 9 9 1\n%end 1 1 1\n",
        expect![[r#"
            output %2 early
            notice SessionsChanged
            reply 0 ["a\n%end 9 9 1"]
        "#]],
    );
}

#[test]
fn a_screen_that_shows_protocol_changes_nothing() {
    // The pane guessed the block's numbers and shows an end, an exit and a forged block.
    check(
        &[Batch::fenced([say("meta"), say("screen")], "N0NCE".into()), say("after").into()],
        "%begin 1 1 1\nmeta\n%end 1 1 1\n\
         %begin 1 2 1\n%end 1 2 1\n%exit\n%output %1 forged\n%begin 1 3 1\nN0NC\n%end 1 3 1\n%error 1 2 1\n%end 1 2 1\n\
         %output %1 real\n%begin 1 3 1\nN0NCE\n%end 1 3 1\n%begin 1 4 1\nafter\n%end 1 4 1\n",
        expect![[r#"
            reply 0 ["meta", "%end 1 2 1\n%exit\n%output %1 forged\n%begin 1 3 1\nN0NC\n%end 1 3 1\n%error 1 2 1"]
            output %1 real
            reply 1 ["after"]
        "#]],
    );
}

#[test]
fn a_fenced_batch_may_fail_at_any_command() {
    check(
        &[Batch::fenced([say("meta"), say("screen")], "N".into()), say("after").into()],
        "%begin 1 1 1\nno pane\n%error 1 1 1\n%begin 1 2 1\nN\n%end 1 2 1\n%begin 1 3 1\nafter\n%end 1 3 1\n",
        expect![[r#"
            refused 0 at 0: no pane
            reply 1 ["after"]
        "#]],
    );
    check(
        &[Batch::fenced([say("meta"), say("screen")], "N".into()), say("after").into()],
        "%begin 1 1 1\nm\n%end 1 1 1\n%begin 1 2 1\nno pane\n%error 1 2 1\n%begin 1 3 1\nN\n%end 1 3 1\n%begin 1 4 1\nafter\n%end 1 4 1\n",
        expect![[r#"
            refused 0 at 1: no pane
            reply 1 ["after"]
        "#]],
    );
}

/// What tmux says of `if-shell`, whose branch has a block of its own: it is no
/// answer to what was asked next.
#[test]
fn what_a_branch_says_is_no_answer_to_the_next_batch() {
    let branch = Command::new("if-shell").arg("-F").arg("1").arg("display-message -p inner");
    let batches =
        [Batch::branching([say("a"), branch], "N".into()), say("next").into(), say("last").into()];
    check(
        &batches,
        "%begin 1 1 1\na\n%end 1 1 1\n%begin 1 2 1\n%end 1 2 1\n%begin 1 3 1\ninner\n%end 1 3 1\n\
         %begin 1 4 1\nN\n%end 1 4 1\n%begin 1 5 1\nnext\n%end 1 5 1\n%begin 1 6 1\nlast\n%end 1 6 1\n",
        expect![[r#"
            reply 0 ["a", "", "inner"]
            reply 1 ["next"]
            reply 2 ["last"]
        "#]],
    );
    // The other way, which runs nothing; and one that fails.
    check(
        &batches,
        "%begin 1 1 1\na\n%end 1 1 1\n%begin 1 2 1\n%end 1 2 1\n\
         %begin 1 4 1\nN\n%end 1 4 1\n%begin 1 5 1\nnext\n%end 1 5 1\n%begin 1 6 1\nlast\n%end 1 6 1\n",
        expect![[r#"
            reply 0 ["a", ""]
            reply 1 ["next"]
            reply 2 ["last"]
        "#]],
    );
    check(
        &batches,
        "%begin 1 1 1\na\n%end 1 1 1\n%begin 1 2 1\n%end 1 2 1\n%begin 1 3 1\nno pane\n%error 1 3 1\n\
         %begin 1 4 1\nN\n%end 1 4 1\n%begin 1 5 1\nnext\n%end 1 5 1\n%begin 1 6 1\nlast\n%end 1 6 1\n",
        expect![[r#"
            refused 0 at 2: no pane
            reply 1 ["next"]
            reply 2 ["last"]
        "#]],
    );
}

proptest! {
    /// Any lines, protocol-like ones above all, in any chunks: no panic, no
    /// loop, and the same events.
    #[test]
    fn chunking_changes_no_event(
        lines in proptest::collection::vec(
            prop_oneof![
                "%(begin|end|error) [12] [1-4] [01]",
                "%(output|extended-output|pause|exit|layout-change) ?%?[12]?.{0,6}",
                Just("NONCE".to_owned()),
                ".{0,8}",
            ],
            0..30,
        ),
        cut in 0usize..600,
    ) {
        let stream = lines.join("\n") + "\n";
        let batches = [
            Batch::new([say("a"), say("b")]),
            Batch::fenced([say("c"), say("d")], "NONCE".into()),
            Batch::branching([say("e")], "NONCE".into()),
            say("f").into(),
        ];
        let (a, b) = stream.as_bytes().split_at(cut.min(stream.len()));
        prop_assert_eq!(events(&batches, &[a, b]), events(&batches, &[stream.as_bytes()]));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        events(&[Batch::fenced([say("a")], "N".into())], &[&bytes]);
    }
}

#[test]
fn a_reply_of_empty_lines_is_known_to_take_memory() {
    for batch in [Batch::fenced([Command::new("a")], "nonce".into()), Command::new("a").into()] {
        let mut engine = Engine::default();
        engine.send(batch);
        engine.handle_bytes(b"%begin 1 2 1\n", &mut |_| ());
        engine.handle_bytes(&[b'\n'; 1000], &mut |_| ());
        assert!(engine.held() >= 1000 * size_of::<Vec<u8>>());
    }
}
