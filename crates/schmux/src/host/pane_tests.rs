//! A pane through seeds, floods, viewers and doubts.

use schmux_core::screen::Seed;

use super::step::{SETTLED_MS, Seeded};
use super::*;
use crate::host::viewer::{Item, Next, ViewerFeed, pair};
use futures_util::FutureExt;

const META: &[u8] = b"meta 20 2 0 0 1 0 0 1 0 0 0 0 0 0 0 0 1 0 0 0 0";

fn pane() -> Pane {
    let eyes = Eyes::new(schmux_core::reading::Library::embedded().reader("generic"));
    let session = SessionId::new("s").unwrap();
    let tap = crate::replay::Recorder::off().tap(&session);
    Pane::new(PaneId(1), WindowId(1), session, eyes, tap)
}

fn print(pane: &mut Pane, text: &str, now: i64) -> Vec<Fact> {
    pane.batch().extend_from_slice(text.as_bytes());
    pane.pass_on(Moment(now));
    pane.digest(Moment(now))
}

fn seed(pane: &mut Pane, rows: &str) -> Seeded {
    pane.seeded(&Seed::new(META, rows.as_bytes(), b"").unwrap(), Moment(0))
}

/// What the viewer was sent: `K` and the reason for a keyframe, or the text.
fn seen(feed: &ViewerFeed) -> Vec<String> {
    std::iter::from_fn(|| match feed.next().now_or_never()? {
        Next::Send(Item::Keyframe(TerminalMessage::Keyframe { reason, history, .. }, _)) => {
            Some(format!("K {reason:?} {history:?}"))
        }
        Next::Send(Item::Bytes(bytes)) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Next::Send(_) => Some("message".into()),
        other => Some(format!("{other:?}")),
    })
    .collect()
}

#[test]
fn a_new_viewer_gets_a_keyframe_and_then_the_stream() {
    let mut pane = pane();
    let (viewer, feed) = pair();
    pane.watch(viewer, 100);
    print(&mut pane, "lost? no: it is in the seed", 0);
    assert_eq!(pane.wants_seed(), Some(100));
    assert_eq!(pane.wants_seed(), None);
    seed(&mut pane, "a\nb");
    print(&mut pane, "more", 1);
    assert_eq!(seen(&feed), ["K Attached Some(0)", "message", "more"]);
}

#[test]
fn a_seed_that_was_asked_before_a_resize_does_not_count() {
    let mut pane = pane();
    assert_eq!(pane.wants_seed(), Some(0));
    pane.fall_out_of_step(Moment(0));
    assert_eq!(seed(&mut pane, "old"), Seeded::default());
    assert!(!pane.knows_screen());
    assert_eq!(pane.wants_seed(), Some(0));
    assert!(seed(&mut pane, "new").resized.is_some());
}

#[test]
fn a_model_that_went_astray_is_put_right_for_everyone() {
    let mut pane = pane();
    let (viewer, feed) = pair();
    pane.watch(viewer, 0);
    pane.wants_seed();
    seed(&mut pane, "a\nb");
    seen(&feed);
    assert!(!seed(&mut pane, "a\nb").astray);
    assert!(seen(&feed).is_empty());
    assert!(seed(&mut pane, "a\nc").astray);
    assert_eq!(seen(&feed), ["K Reseeded None"]);
}

#[test]
fn doubtful_characters_are_put_right_when_it_is_still() {
    let mut pane = pane();
    let (viewer, feed) = pair();
    pane.watch(viewer, 0);
    pane.wants_seed();
    seed(&mut pane, "\n");
    print(&mut pane, "plain é ─ ⠋", 1000);
    assert_eq!(pane.doubt, Doubt::Slight);
    print(&mut pane, "👍🏽", 1001);
    pane.settle(Moment(1100));
    assert_eq!(pane.wants_seed(), None);
    pane.settle(Moment(1001 + SETTLED_MS));
    assert_eq!(pane.wants_seed(), Some(0));
    seen(&feed);
    pane.seeded(&Seed::new(META, b"x\n", b"").unwrap(), Moment(0));
    assert_eq!(seen(&feed), ["K Reseeded None"]);
}

#[test]
fn the_way_back_from_the_alternate_screen_is_looked_at() {
    let mut pane = pane();
    let (viewer, _feed) = pair();
    pane.watch(viewer, 0);
    pane.wants_seed();
    seed(&mut pane, "\n");
    print(&mut pane, "\x1b[?1049halt", 1000);
    assert_eq!(pane.doubt, Doubt::Slight);
    print(&mut pane, "\x1b[?1049l", 1001);
    assert_eq!(pane.doubt, Doubt::Grave);
    assert_eq!(pane.settle_at(), Some(Moment(1001 + SETTLED_MS)));
}

#[test]
fn names_of_windows_are_not_for_viewers() {
    let mut pane = pane();
    let (viewer, feed) = pair();
    pane.watch(viewer, 0);
    pane.wants_seed();
    seed(&mut pane, "\n");
    seen(&feed);
    print(&mut pane, "a\x1bkna", 1000);
    print(&mut pane, "me\x1b\\b", 1001);
    assert_eq!(seen(&feed).concat(), "a\x1b\\b");
}

#[test]
fn viewers_get_a_flood_and_the_model_asks_tmux_when_it_rests() {
    let mut pane = pane();
    let (viewer, feed) = pair();
    pane.watch(viewer, 0);
    pane.wants_seed();
    seed(&mut pane, "\n");
    seen(&feed);
    let piece = "x".repeat(100 << 10);
    print(&mut pane, &piece, 1000);
    print(&mut pane, &piece, 1001);
    assert!(pane.knows_screen());
    print(&mut pane, &piece, 1002);
    print(&mut pane, "\x1b[?2004h", 1003);
    assert!(!pane.knows_screen());
    assert_eq!(pane.settle_at(), Some(Moment(1003 + SETTLED_MS)));
    pane.settle(Moment(1003 + SETTLED_MS));
    assert_eq!(pane.wants_seed(), Some(0));
    assert!(!seed(&mut pane, "at rest\n").astray);
    assert!(pane.knows_screen() && pane.settle_at().is_none());
    assert!(pane.screen.as_ref().is_some_and(Screen::wants_bracketed_paste));
    // And nobody is redrawn, who saw every byte.
    assert_eq!(seen(&feed).concat(), piece.repeat(3) + "\x1b[?2004h");
    // Until its program ends, because tmux draws something then.
    pane.set_dead(true, None, Moment(5000));
    pane.settle(Moment(5000 + SETTLED_MS));
    pane.wants_seed();
    seed(&mut pane, "the end\n");
    assert_eq!(seen(&feed), ["message", "K Reseeded None"]);
}

#[test]
fn an_exit_code_may_come_a_moment_after_the_end() {
    let mut pane = pane();
    for (dead, code, may_come) in [
        (false, None, false),
        (true, None, true),
        (true, None, false),
        (true, Some(3), false),
        (false, None, false),
        (true, Some(0), false),
    ] {
        assert_eq!(pane.is_ending(dead, code), may_come, "{dead} {code:?}");
    }
}

#[test]
fn an_endless_flood_is_looked_at_each_second() {
    let mut pane = pane();
    pane.wants_seed();
    seed(&mut pane, "\n");
    print(&mut pane, &"x".repeat(300 << 10), 1000);
    print(&mut pane, "👍", 1900);
    assert_eq!(pane.settle_at(), Some(Moment(2000)));
    pane.settle(Moment(2000));
    assert_eq!(pane.wants_seed(), Some(0));
    assert_eq!(pane.settle_at(), None);
    seed(&mut pane, "seen\n");
    assert!(pane.knows_screen());
}

#[test]
fn only_what_terminals_disagree_about_is_doubtful() {
    for sure in ["plain", "é — … “quotes” ─ ⠋ 漢字 €", "\u{2190}\u{fb01}", "\x1b[38;2;1;2;3m"]
    {
        assert!(!is_doubtful(sure.as_bytes()), "{sure}");
    }
    for doubtful in
        ["👍", "e\u{301}", "\u{200d}", "❤\u{fe0f}", "1\u{20e3}", "\x1b[38:2:1:2:3m", "a\x1bc"]
    {
        assert!(is_doubtful(doubtful.as_bytes()), "{doubtful}");
    }
}

#[test]
fn one_viewer_owns_the_size() {
    let mut pane = pane();
    let ((a, feed_a), (b, feed_b)) = (pair(), pair());
    pane.watch(a, 0);
    pane.watch(b, 0);
    assert!(pane.may_resize(feed_a.id, false));
    assert!(!pane.may_resize(feed_b.id, false));
    assert!(pane.may_resize(feed_b.id, true));
    assert!(!pane.may_resize(feed_a.id, false));
    pane.unwatch(feed_b.id);
    assert!(pane.may_resize(feed_a.id, false));
    pane.adopted = true;
    assert!(!pane.may_resize(feed_a.id, true), "a window of the user's keeps its size");
}

#[test]
fn output_is_told_once_a_second() {
    let mut pane = pane();
    assert!(print(&mut pane, "a", 1000).len() == 1);
    assert!(print(&mut pane, "b", 1500).is_empty());
    assert!(print(&mut pane, "c", 2000).len() == 1);
    assert!(print(&mut pane, "", 9000).is_empty());
}

#[test]
fn modes_that_a_program_sets_before_the_first_seed_are_known() {
    let mut pane = pane();
    pane.wants_seed();
    // Cut in the middle, as a stream may be.
    print(&mut pane, "\x1b[?20", 0);
    print(&mut pane, "04hhello", 1);
    // This seed does not count, and what was heard before it stays.
    pane.fall_out_of_step(Moment(1));
    seed(&mut pane, "hello\n");
    pane.wants_seed();
    seed(&mut pane, "hello\n");
    assert!(pane.screen.as_ref().is_some_and(Screen::wants_bracketed_paste));
    assert_eq!(pane.size(), Some(Size { cols: 20, rows: 2 }));
}
