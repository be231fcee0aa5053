//! Calls of the editor at every step, and what they mean.

use super::super::attempt::Path;
use super::super::message::MessageId;
use super::*;
use crate::time::Moment;

const TEXT: &str = "run the tests";

fn attempt(step: Step, draft: &str, shown: bool) -> Attempt {
    Attempt {
        message: MessageId(1),
        path: Path::Editor,
        step,
        at: Moment(0),
        text: TEXT.into(),
        draft: draft.into(),
        mentions: 0,
        shown,
        enters: 1,
        sentinel: String::new(),
        keys: Vec::new(),
        caught: Vec::new(),
        given: None,
        emptied: false,
        cancelled: false,
    }
}

fn check(step: Step, draft: &str, shown: bool, known: Known, content: &str, expected: Judgement) {
    let attempt = attempt(step, draft, shown);
    let judged = judge(&attempt, Adapter::of(Some("claude")), known, content);
    assert_eq!(judged, expected, "{step:?} {draft:?} {content:?} {known:?}");
}

fn settled(fate: Fate, mend: Mend) -> Judgement {
    Judgement::Settled(fate, mend)
}

fn write(text: &str) -> Mend {
    Mend::Write(text.into())
}

const NOTHING: Known = Known { hooked: false, mentioned: false, recent: false, gated: false };
const RECENT: Known = Known { recent: true, ..NOTHING };
const HOOKED: Known = Known { hooked: true, ..NOTHING };
const SEEN: Known = Known { mentioned: true, recent: true, ..NOTHING };

#[test]
fn drafts_are_taken_only_if_they_can_come_back() {
    for (agent, draft, expected) in [
        ("claude", "fix it", Judgement::Swap),
        ("claude", "fix it ", Judgement::Swap),
        ("claude", "", Judgement::Swap),
        ("claude", "a\n\nb", Judgement::Swap),
        ("claude", "abc\n", Judgement::Hold(Hold::LineBreak)),
        ("claude", "see [Image #1] here", Judgement::Hold(Hold::Image)),
        ("codex", "fix the ", Judgement::Swap),
        ("codex", "   ", Judgement::Swap),
        ("codex", " ", Judgement::Hold(Hold::Draft)),
        ("codex", "abc \n ", Judgement::Hold(Hold::Draft)),
        ("codex", "\tcode\n\n", Judgement::Hold(Hold::LineBreak)),
    ] {
        let judged =
            judge(&attempt(Step::Calling, "", false), Adapter::of(Some(agent)), NOTHING, draft);
        assert_eq!(judged, expected, "{agent} {draft:?}");
    }
}

#[test]
fn before_enter_everything_goes_back() {
    let unsent = |hold| Fate::Unsent(hold);
    let (step, changed) = (Step::Swapping, Fate::Unknown(Doubt::Changed));
    check(step, "d", true, RECENT, TEXT, settled(unsent(Hold::NotTaken), write("d")));
    check(step, "d", false, RECENT, TEXT, settled(unsent(Hold::NotShown), write("d")));
    check(step, "d ", false, RECENT, "d ", settled(unsent(Hold::NotShown), Mend::Leave));
    check(step, "d", true, RECENT, "run the testsxy", settled(unsent(Hold::Mixed), write("dxy")));
    check(step, "d", true, RECENT, "xrun the tests", settled(unsent(Hold::Mixed), write("xd")));
    check(step, "d", true, RECENT, "run tXhe tests", settled(changed, write("drun tXhe tests")));
    check(step, "d", true, NOTHING, "", settled(changed, write("d")));
    check(step, "d", true, SEEN, "", settled(Fate::Sent, write("d")));
    check(step, "d", true, HOOKED, "", settled(Fate::Sent, write("d")));
    check(step, "d", true, NOTHING, "new", settled(changed, Mend::Keep));
    check(step, "d", true, RECENT, "new", settled(changed, write("dnew")));
}

#[test]
fn a_paste_is_taken_back() {
    let (step, unshown) = (Step::Pasting, Fate::Unsent(Hold::NotShown));
    check(step, "", false, RECENT, "", settled(unshown, Mend::Leave));
    check(step, "", false, SEEN, "", settled(Fate::Sent, Mend::Leave));
    check(step, "", true, RECENT, "", settled(Fate::Unknown(Doubt::Changed), Mend::Leave));
    check(step, "", true, RECENT, TEXT, settled(Fate::Unsent(Hold::NotTaken), write("")));
    check(step, "", false, RECENT, "x", settled(unshown, Mend::Leave));
    check(step, "", true, RECENT, "run the testsx", settled(Fate::Unsent(Hold::Mixed), write("x")));
}

#[test]
fn after_enter_the_file_tells() {
    let (step, changed) = (Step::Submitting, Fate::Unknown(Doubt::Changed));
    let mixed = Fate::Unsent(Hold::Mixed);
    check(step, "d", true, RECENT, "", settled(Fate::Sent, write("d")));
    check(step, "", true, RECENT, "", settled(Fate::Sent, Mend::Leave));
    // It is there still, or the file is older than Enter; or Enter became a newline.
    for known in [RECENT, SEEN, HOOKED] {
        check(step, "d", true, known, TEXT, Judgement::Empty);
        check(step, "d", true, known, "run the tests\n", Judgement::Empty);
    }
    check(step, "d", true, RECENT, "run the testsx", settled(mixed, write("dx")));
    check(step, "d", true, RECENT, "x", settled(changed, write("dx")));
    check(step, "d", true, SEEN, "x", settled(Fate::Sent, write("dx")));
    check(step, "d", true, NOTHING, "x", settled(changed, Mend::Keep));
    check(step, "d", true, RECENT, "d", settled(changed, Mend::Leave));
}

/// Only if the file can't be older than Enter, and once.
#[test]
fn enter_is_pressed_again_where_it_was_dropped_without_doubt() {
    let gated = Known { gated: true, ..RECENT };
    let again = Judgement::PressAgain;
    let submitting = attempt(Step::Submitting, "d", true);
    let twice = Attempt { enters: 2, ..submitting.clone() };
    let emptied = Attempt { emptied: true, ..submitting.clone() };
    let cancelled = Attempt { cancelled: true, ..submitting.clone() };
    for (agent, attempt, known, content, expected) in [
        ("codex", &submitting, gated, TEXT, &again),
        ("codex", &submitting, gated, "run the tests\n", &again),
        ("codex", &submitting, gated, "run  the tests", &Judgement::Empty),
        ("codex", &submitting, RECENT, TEXT, &Judgement::Empty),
        ("codex", &submitting, Known { hooked: true, ..gated }, TEXT, &Judgement::Empty),
        ("codex", &submitting, Known { mentioned: true, ..gated }, TEXT, &Judgement::Empty),
        ("codex", &twice, gated, TEXT, &Judgement::Empty),
        ("codex", &emptied, gated, TEXT, &Judgement::Empty),
        ("codex", &cancelled, gated, TEXT, &Judgement::Empty),
        ("claude", &submitting, gated, TEXT, &Judgement::Empty),
        ("gemini", &submitting, gated, TEXT, &Judgement::Empty),
    ] {
        let judged = judge(attempt, Adapter::of(Some(agent)), known, content);
        assert_eq!(judged, *expected, "{agent} {known:?} {content:?} {attempt:?}");
    }
}

/// A draft that has the message's words in it is not taken for the message.
#[test]
fn the_same_words_in_the_draft() {
    let draft = "now run the tests twice";
    let (unshown, changed) = (Fate::Unsent(Hold::NotShown), Fate::Unknown(Doubt::Changed));
    check(Step::Swapping, draft, false, RECENT, draft, settled(unshown, Mend::Leave));
    check(Step::Submitting, draft, true, RECENT, draft, settled(changed, Mend::Leave));
    check(Step::Restoring, draft, true, RECENT, draft, settled(Fate::Sent, Mend::Leave));
    check(Step::Restoring, "d", true, RECENT, "run the testsx", settled(Fate::Sent, write("dx")));
}

/// An agent that trims gets the end of the draft by a paste, and keys may come first.
#[test]
fn a_draft_that_is_half_back() {
    let adapter = Adapter::of(Some("codex"));
    let (sent, mixed) = (Fate::Sent, Fate::Unsent(Hold::Mixed));
    let not_taken = Fate::Unsent(Hold::NotTaken);
    for (step, content, expected) in [
        (Step::Restoring, "axy", settled(sent, write("a draft xy"))),
        (Step::Restoring, "a", settled(sent, write("a draft "))),
        (Step::Restoring, "a draft xy", settled(sent, Mend::Leave)),
        (Step::Swapping, "axy", settled(mixed, write("a draft xy"))),
        (Step::Swapping, "a", settled(not_taken, write("a draft "))),
        (Step::Swapping, "a draft ", settled(not_taken, Mend::Leave)),
        (Step::Restoring, "xy", settled(sent, write("a draft xy"))),
    ] {
        let given = Some(Moment(0));
        let attempt = Attempt { given, ..attempt(step, "a draft ", true) };
        assert_eq!(judge(&attempt, adapter, RECENT, content), expected, "{step:?} {content:?}");
    }
}

/// What begins like the draft may be the message all the same.
#[test]
fn a_message_that_begins_like_a_draft_that_is_half_back() {
    let given = Some(Moment(0));
    let attempt = Attempt { given, ..attempt(Step::Swapping, "run the ", true) };
    let judged = judge(&attempt, Adapter::of(Some("codex")), RECENT, TEXT);
    assert_eq!(judged, settled(Fate::Unsent(Hold::NotTaken), write("run the ")));
}

#[test]
fn a_field_that_we_emptied_proves_nothing() {
    let not_taken = Fate::Unsent(Hold::NotTaken);
    for (known, content, expected) in [
        (RECENT, "", settled(not_taken, write("d"))),
        (RECENT, "x", settled(not_taken, write("dx"))),
        (RECENT, "d", settled(not_taken, Mend::Leave)),
        (RECENT, "dx", settled(not_taken, Mend::Leave)),
        (SEEN, "", settled(Fate::Sent, write("d"))),
        (HOOKED, "", settled(Fate::Sent, write("d"))),
    ] {
        let attempt = Attempt { emptied: true, ..attempt(Step::Swapping, "d", false) };
        let judged = judge(&attempt, Adapter::of(Some("gemini")), known, content);
        assert_eq!(judged, expected, "{content:?} {known:?}");
    }
}

#[test]
fn a_field_that_we_emptied_proves_nothing_while_the_word_is_awaited() {
    for (known, expected) in [
        (RECENT, Judgement::Empty),
        (SEEN, settled(Fate::Sent, write("d"))),
        (HOOKED, settled(Fate::Sent, write("d"))),
    ] {
        let attempt = Attempt { emptied: true, ..attempt(Step::Submitting, "d", true) };
        let judged = judge(&attempt, Adapter::of(Some("gemini")), known, "");
        assert_eq!(judged, expected, "{known:?}");
    }
}

#[test]
fn a_draft_that_is_owed() {
    let step = Step::Restoring;
    for (known, content, mend) in [
        (NOTHING, "", write("my draft ")),
        (NOTHING, "my draft ", Mend::Leave),
        (NOTHING, "my draft and more", Mend::Leave),
        (NOTHING, "my draft", write("my draft ")),
        (RECENT, "x", write("my draft x")),
        (NOTHING, "x", Mend::Keep),
    ] {
        check(step, "my draft ", true, known, content, settled(Fate::Sent, mend));
    }
    check(step, "my draft ", true, NOTHING, TEXT, Judgement::Empty);
}

#[test]
fn drafts_are_split_where_the_agent_would_trim() {
    let all = |draft| split(draft, Trims::All);
    assert_eq!(all("fix it"), Some(("fix it", "")));
    assert_eq!(all("fix the "), Some(("fix", " the ")));
    assert_eq!(all("a "), Some(("", "a ")));
    assert_eq!(all("one\ntwo  "), Some(("one", "\ntwo  ")));
    assert_eq!(all("  "), Some(("", "  ")));
    assert_eq!(all(" "), None);
    assert_eq!(all("x\n"), None);
    assert_eq!(all(&format!("a {} ", "x".repeat(300))), None);
    assert_eq!(split("a ", Trims::Newline), Some(("a ", "")));
    assert_eq!(split("a\n", Trims::Newline), None);
    assert_eq!(split("a\n", Trims::Nothing), Some(("a\n", "")));
}
