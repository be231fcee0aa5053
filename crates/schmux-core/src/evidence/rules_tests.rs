//! Each rule on a table: what came when, and what follows at a moment.

use super::rules::Rule;
use super::*;
use crate::reading::{Content, Dialog, DialogKind, Field, Sight};
use crate::time::Moment;
use Confidence::{High, Low, Medium};
use State::{Completed, Error, Exited, Idle, NeedsInput, Starting, Unknown, Unreachable, Working};

pub(super) fn reading(sight: Sight, confidence: Confidence, shows_work: bool) -> Reading {
    let waits = matches!(sight, Sight::Prompt | Sight::Error(_));
    let field = waits.then_some(Field { first: 1, last: 1, content: Content::Empty });
    Reading { sight, confidence, why: "test", field, title: TitleSays::Nothing, shows_work }
}

/// A screen of an agent that always shows its work.
pub(super) fn known(sight: Sight) -> Evidence {
    Evidence::Screen(reading(sight, High, true))
}

/// A screen of an agent of which nothing is known.
fn generic(sight: Sight) -> Evidence {
    Evidence::Screen(reading(sight, Medium, false))
}

pub(super) fn dialog(question: &str, kind: DialogKind) -> Sight {
    Sight::Dialog(Box::new(Dialog {
        kind,
        title: None,
        question: question.into(),
        body: Vec::new(),
        choices: Vec::new(),
        selected: None,
        multiple: false,
        fingerprint: question.len() as u64,
    }))
}

pub(super) fn asks() -> Sight {
    dialog("Do you want to proceed?", DialogKind::Permission)
}

pub(super) fn works() -> Sight {
    Sight::Working("✻ Pondering…".into())
}

pub(super) fn fails() -> Sight {
    Sight::Error("API Error: 500".into())
}

pub(super) fn hook(news: News) -> Evidence {
    Evidence::Hook(Hook::new(news, ""))
}

fn child(news: News) -> Evidence {
    Evidence::Hook(Hook::of_child(news))
}

pub(super) fn said(state: signal::State) -> Evidence {
    Evidence::Said { state, message: "words".into(), source: signal::Source::StatusFile }
}

pub(super) fn thinks(state: signal::State, confidence: Confidence) -> Evidence {
    Evidence::Opinion { state, confidence, summary: "it asks".into() }
}

const BEGAN: News = News::TurnBegan;
const ENDED: News = News::TurnEnded;

/// The session was made long before, so that it isn't starting.
const BORN: Moment = Moment(-3_600_000);

fn finding(events: &[(i64, Evidence)], at: i64) -> Finding {
    let mut facts = Facts::new(BORN, Kind::Agent);
    for (ms, evidence) in events {
        facts.take(evidence.clone(), Moment(*ms));
    }
    find(&facts, Moment(at)).0
}

pub(super) fn check(events: &[(i64, Evidence)], at: i64, expected: (State, Confidence, Rule)) {
    let found = finding(events, at);
    assert_eq!((found.state, found.confidence, found.rule), expected, "{events:#?} at {at}");
}

#[test]
fn life_comes_before_everything() {
    let life = |life| (0, Evidence::Life(life));
    let screen = (0, known(asks()));
    check(&[screen.clone(), life(Life::Exited)], 0, (Exited, High, Rule::Exited));
    check(&[screen, life(Life::Unreachable)], 0, (Unreachable, High, Rule::Unreachable));
    check(&[life(Life::Starting)], 1, (Starting, Medium, Rule::Starting));
    // A start that shows a dialog is no start any more.
    let asked = [life(Life::Starting), (900, known(asks()))];
    check(&asked, 900, (NeedsInput, High, Rule::Dialog));
}

#[test]
fn a_shell_in_front_means_that_the_agent_has_gone() {
    let front = (0, Evidence::Front(Front::Shell));
    let picture = (0, known(Sight::Shell));
    let still = (0, known(Sight::Prompt));
    check(&[still.clone(), front.clone()], 1_999, (Idle, Medium, Rule::IdlePrompt));
    check(&[still, front.clone()], 2_000, (Exited, Medium, Rule::ShellInFront));
    check(&[picture.clone(), front], 0, (Exited, High, Rule::ShellInFront));
    // A picture alone is weak, and no reason at all against who is really in front.
    check(&[(0, Evidence::Output), picture.clone()], 4_999, (Working, Low, Rule::OutputFlows));
    check(&[(0, Evidence::Output), picture.clone()], 5_000, (Exited, Low, Rule::ShellOnScreen));
    let other = (0, Evidence::Front(Front::Other));
    check(&[picture, other], 9_000, (Unknown, Low, Rule::Nothing));
}

#[test]
fn a_shell_may_be_the_program_itself() {
    let mut facts = Facts::new(BORN, Kind::Shell);
    facts.take(Evidence::Front(Front::Shell), Moment(0));
    facts.take(known(Sight::Shell), Moment(0));
    assert_eq!(find(&facts, Moment(60_000)).0.state, Unknown);
}

#[test]
fn a_dialog_beats_every_claim() {
    use signal::State as Said;
    for claim in [Said::Completed, Said::Working, Said::Error, Said::NeedsTesting] {
        let events = [(0, hook(BEGAN)), (10, said(claim)), (20, known(asks()))];
        check(&events, 20, (NeedsInput, High, Rule::Dialog));
        assert_eq!(finding(&events, 20).message.as_deref(), Some("Do you want to proceed?"));
    }
    // What a generic reader takes for one is less sure, unless a hook says so too.
    check(&[(0, generic(asks()))], 0, (NeedsInput, Medium, Rule::Dialog));
    check(&[(0, hook(News::Asked)), (9, generic(asks()))], 9, (NeedsInput, High, Rule::Dialog));
    // A menu was opened by the human.
    let menu = known(dialog("Select model", DialogKind::Menu));
    check(&[(0, menu)], 0, (NeedsInput, Medium, Rule::Dialog));
}

#[test]
fn titles_ask_and_work() {
    let title = |says| Evidence::Title(says);
    check(&[(0, title(TitleSays::Asking))], 0, (NeedsInput, Medium, Rule::TitleAsks));
    // Codex writes its answer with only its title to say so.
    let streams =
        [(0, generic(Sight::Prompt)), (0, title(TitleSays::Working)), (0, Evidence::Output)];
    check(&streams, 100, (Working, High, Rule::TitleWorks));
    // A spinner that stands still over a field was left behind.
    check(&streams, 5_000, (Idle, Low, Rule::IdlePrompt));
    // Where the title once told, its silence tells too.
    let ends = [
        (0, title(TitleSays::Working)),
        (900, title(TitleSays::Nothing)),
        (900, generic(Sight::Prompt)),
    ];
    check(&ends, 1_000, (Idle, Medium, Rule::IdlePrompt));
    check(&ends, 5_900, (Idle, High, Rule::IdlePrompt));
}

#[test]
fn work_that_is_seen_is_work() {
    check(&[(0, known(works()))], 0, (Working, High, Rule::WorkSeen));
    check(&[(0, generic(works()))], 0, (Working, Medium, Rule::WorkSeen));
    // A spinner that doesn't move is a picture.
    check(&[(0, known(works()))], 60_000, (Working, Low, Rule::Frozen));
    check(&[(0, known(works()))], 600_000, (Unknown, Low, Rule::Frozen));
    let moves = [(0, known(works())), (590_000, Evidence::Output)];
    check(&moves, 600_000, (Working, High, Rule::WorkSeen));
}

#[test]
fn work_opens_what_was_done() {
    let done = |at| (at, said(signal::State::Completed));
    // The last words of the turn belong to the claim.
    check(&[done(0), (500, known(works()))], 500, (Completed, High, Rule::SignedOff));
    check(&[done(0), (9_000, known(works()))], 10_000, (Working, High, Rule::WorkSeen));
    // When it rests again, it is as it said.
    let rests = [done(0), (11_000, known(works())), (12_000, known(Sight::Prompt))];
    check(&rests, 13_000, (Completed, High, Rule::Claimed));
    // A field that waited in between makes it another turn.
    let again = [
        done(0),
        (1_000, known(Sight::Prompt)),
        (4_000, known(works())),
        (20_000, known(Sight::Prompt)),
    ];
    check(&again[..3], 4_000, (Working, High, Rule::WorkSeen));
    check(&again, 21_000, (Idle, Medium, Rule::IdlePrompt));
    // So does a message, a hook, or Enter and then work.
    for opener in [Evidence::Delivered, hook(BEGAN)] {
        let turn = [done(0), (900, opener), (1_000, known(works()))];
        check(&turn, 1_000, (Working, High, Rule::WorkSeen));
    }
    let enter = [done(0), (900, Evidence::Typed(Typed::Submit)), (1_000, known(works()))];
    check(&enter, 1_000, (Working, High, Rule::WorkSeen));
}

#[test]
fn a_hook_ends_the_turn_until_work_is_seen_again() {
    let ended = [(0, hook(BEGAN)), (5_000, hook(ENDED))];
    check(&ended, 5_000, (Idle, Medium, Rule::TurnEnded));
    let prompt = [ended[0].clone(), ended[1].clone(), (5_100, known(Sight::Prompt))];
    check(&prompt, 5_100, (Idle, High, Rule::TurnEnded));
    // The last frame of a spinner is no work; one two seconds later is.
    let frame = [ended[0].clone(), ended[1].clone(), (5_200, known(works()))];
    check(&frame, 5_200, (Idle, Medium, Rule::TurnEnded));
    let opened = [ended[0].clone(), ended[1].clone(), (7_000, known(works()))];
    check(&opened, 7_000, (Working, High, Rule::WorkSeen));
    let failed = [(0, hook(BEGAN)), (5_000, hook(News::Failed)), (5_001, known(Sight::Prompt))];
    check(&failed, 9_000, (Error, High, Rule::Failed));
}

#[test]
fn children_dont_close_their_parent() {
    let runs = [(0, hook(BEGAN)), (10, child(BEGAN)), (20, child(BEGAN)), (30, child(ENDED))];
    check(&runs, 31, (Working, High, Rule::Told));
    let mut over = runs.to_vec();
    over.push((40, hook(ENDED)));
    over.push((50, known(Sight::Prompt)));
    check(&over, 5_000, (Working, Medium, Rule::ChildrenWork));
    // Nor does "completed" while they run.
    over.push((60, said(signal::State::Completed)));
    check(&over, 5_000, (Working, Medium, Rule::ChildrenWork));
    // Their ends may be lost: after a silent minute nobody runs.
    check(&over, 60_030, (Completed, High, Rule::Claimed));
    over.push((70, child(ENDED)));
    check(&over, 80, (Completed, High, Rule::Claimed));
}

#[test]
fn a_question_of_a_hook_stands_until_its_dialog_is_gone() {
    let asked = |sight: Option<Sight>| {
        let mut events = vec![(0, hook(BEGAN)), (1_000, hook(News::Asked))];
        events.extend(sight.map(|sight| (1_100, known(sight))));
        events
    };
    check(&asked(None), 60_000, (NeedsInput, High, Rule::Asked));
    check(&asked(Some(Sight::Unknown)), 60_000, (NeedsInput, Medium, Rule::Asked));
    // "Waiting" with no prompt visible after 2 s: working, medium.
    let mut gone = asked(Some(Sight::Prompt));
    check(&gone, 2_999, (NeedsInput, High, Rule::Asked));
    gone.push((2_500, Evidence::Output));
    check(&gone, 3_000, (Working, Medium, Rule::AnswerTaken));
    // And if it rests there, it was refused.
    check(&gone, 3_500, (Idle, Medium, Rule::IdlePrompt));
    let mut on = asked(Some(Sight::Prompt));
    on.push((1_500, hook(News::ToolUsed)));
    check(&on, 1_600, (Working, High, Rule::Told));
}

#[test]
fn a_waiting_field_beats_told_work_after_a_while() {
    // An idle prompt against "working" after 5 s: idle, medium.
    let events = [(0, hook(BEGAN)), (1_000, generic(Sight::Prompt)), (2_000, Evidence::Output)];
    check(&events, 6_999, (Working, High, Rule::Told));
    check(&events, 7_000, (Idle, Medium, Rule::IdlePrompt));
    // Sooner where the agent would show it.
    let events = [(0, hook(BEGAN)), (1_000, known(Sight::Prompt)), (2_000, Evidence::Output)];
    check(&events, 2_999, (Working, High, Rule::Told));
    check(&events, 3_000, (Idle, Medium, Rule::IdlePrompt));
    check(&events, 7_000, (Idle, High, Rule::IdlePrompt));
    let errs = [(0, hook(BEGAN)), (1_000, known(fails()))];
    check(&errs, 2_000, (Error, High, Rule::ErrorLine));
    // Its own word that it works is the same as a hook's.
    let word = [(0, said(signal::State::Working)), (1_000, generic(Sight::Prompt))];
    check(&word, 5_999, (Working, High, Rule::Told));
    check(&word, 6_000, (Idle, Medium, Rule::IdlePrompt));
}

/// It tells of a turn before it draws it, and its screen is read some hundred
/// milliseconds later: until then what is known is of before.
#[test]
fn a_field_and_a_title_of_before_dont_end_the_turn_that_was_just_told_of() {
    let waits = Reading { title: TitleSays::Idle, ..reading(Sight::Prompt, High, true) };
    let waits = |ms| (ms, Evidence::Screen(waits.clone()));
    let began = [waits(0), (9_000, said(signal::State::Working)), (9_004, Evidence::Output)];
    check(&began, 9_304, (Working, High, Rule::Told));
    check(&began, 9_999, (Working, High, Rule::Told));
    // Read in the moment between both: of before, too.
    let between = [began.as_slice(), &[waits(9_003)]].concat();
    check(&between, 9_304, (Working, High, Rule::Told));
    // A turn that was over before anyone could see it.
    let short = [began.as_slice(), &[waits(9_154)]].concat();
    check(&short, 9_303, (Working, High, Rule::Told));
    check(&short, 9_304, (Idle, High, Rule::IdlePrompt));
    // And one of which nothing was drawn.
    let nothing = [waits(0), (9_000, hook(BEGAN))];
    check(&nothing, 9_999, (Working, High, Rule::Told));
    check(&nothing, 10_000, (Idle, High, Rule::IdlePrompt));
}

#[test]
fn told_work_grows_old() {
    let began = [(0, hook(BEGAN))];
    check(&began, 59_999, (Working, High, Rule::Told));
    check(&began, 60_000, (Working, Medium, Rule::Told));
    check(&began, 600_000, (Unknown, Low, Rule::Nothing));
    let prints = [(0, hook(BEGAN)), (590_000, Evidence::Output)];
    check(&prints, 600_000, (Working, High, Rule::Told));
    // Claims hold while nothing happens, but not for ever without a doubt.
    let done = [(0, said(signal::State::Completed))];
    check(&done, 43_199_999, (Completed, High, Rule::Claimed));
    check(&done, 43_200_000, (Completed, Medium, Rule::Claimed));
}

#[test]
fn a_question_is_over_when_it_is_answered() {
    let asks = (0, said(signal::State::NeedsInput));
    let events = [
        asks.clone(),
        (5_000, Evidence::Typed(Typed::Submit)),
        (6_000, known(works())),
        (9_000, known(Sight::Prompt)),
    ];
    check(&events[..1], 4_000, (NeedsInput, High, Rule::Claimed));
    check(&events, 10_500, (Idle, Medium, Rule::IdlePrompt));
    // Or when it simply goes on.
    let on = [asks, (15_000, known(works())), (16_000, known(Sight::Prompt))];
    check(&on, 17_000, (Idle, Medium, Rule::IdlePrompt));
}

#[test]
fn without_hooks_the_field_must_be_still() {
    let known_idle = [(0, known(Sight::Prompt)), (0, Evidence::Output)];
    check(&known_idle, 100, (Idle, Medium, Rule::IdlePrompt));
    check(&known_idle, 5_000, (Idle, High, Rule::IdlePrompt));
    // A glyph alone is no evidence: an unknown agent may print beneath it.
    let prints = [(0, generic(Sight::Prompt)), (0, Evidence::Output)];
    check(&prints, 100, (Working, Low, Rule::OutputFlows));
    check(&prints, 5_000, (Idle, Low, Rule::IdlePrompt));
    // Echo of the human's keys isn't work.
    let types = [prints[0].clone(), prints[1].clone(), (0, Evidence::Typed(Typed::Other))];
    check(&types, 100, (Idle, Low, Rule::IdlePrompt));
    check(&[(0, known(fails()))], 1_000, (Error, High, Rule::ErrorLine));
}

#[test]
fn what_is_not_known_is_unknown() {
    check(&[], 0, (Unknown, Low, Rule::Nothing));
    check(&[(0, known(Sight::Unknown))], 0, (Unknown, Low, Rule::Nothing));
    check(&[(0, Evidence::Output)], 100, (Working, Low, Rule::OutputFlows));
    check(&[(0, Evidence::Output)], 5_000, (Unknown, Low, Rule::Nothing));
    let rings = [(0, Evidence::Output), (100, Evidence::Bell)];
    check(&rings, 5_100, (NeedsInput, Low, Rule::Bell));
    let answered = [rings[0].clone(), rings[1].clone(), (200, Evidence::Typed(Typed::Submit))];
    check(&answered, 5_100, (Unknown, Low, Rule::Nothing));
}

#[test]
fn a_message_is_work_for_a_moment() {
    let given = [(0, Evidence::Delivered), (0, generic(Sight::Unknown))];
    check(&given, 4_999, (Working, Medium, Rule::Delivered));
    check(&given, 5_000, (Unknown, Low, Rule::Nothing));
}

#[test]
fn a_model_says_how_a_turn_ended_and_nothing_more() {
    let asks = (9_000, thinks(signal::State::NeedsInput, High));
    let idle = [(0, Evidence::Output), (0, known(Sight::Prompt)), asks.clone()];
    check(&idle, 9_000, (NeedsInput, Medium, Rule::Opinion));
    // It dies with the next output.
    let prints = [idle[0].clone(), idle[1].clone(), asks.clone(), (9_001, Evidence::Output)];
    check(&prints, 20_000, (Idle, High, Rule::IdlePrompt));
    // It overrules nobody.
    check(&[(0, known(works())), asks.clone()], 9_000, (Working, High, Rule::WorkSeen));
    check(&[(0, said(signal::State::Completed)), asks], 9_000, (Completed, High, Rule::Claimed));
}

#[test]
fn order_within_a_source_does_not_matter() {
    let late = [(5_000, hook(ENDED)), (1_000, hook(News::ToolUsed)), (0, hook(BEGAN))];
    check(&late, 5_000, (Idle, Medium, Rule::TurnEnded));
    let old = [(5_000, known(Sight::Prompt)), (4_000, known(works()))];
    check(&old, 6_000, (Idle, Medium, Rule::IdlePrompt));
    // A claim that comes after the next turn began is about the one before.
    let closed = [(5_000, hook(BEGAN)), (4_000, said(signal::State::Completed))];
    check(&closed, 5_100, (Working, High, Rule::Told));
}

#[test]
fn rules_explain_themselves() {
    for rule in Rule::ALL {
        assert!(!rule.text().is_empty() && !rule.text().ends_with('.'), "{rule:?}");
    }
    for state in State::ALL {
        assert_eq!(serde_json::to_string(&state).unwrap(), format!("{:?}", state.as_str()));
    }
}

#[test]
fn a_question_comes_before_its_dialog_is_drawn() {
    // The hook is quicker than the screen: what it shows is from before.
    let asked = [(0, known(works())), (100, hook(News::Asked)), (300, known(works()))];
    check(&asked, 400, (NeedsInput, High, Rule::Asked));
    let drawn = [asked[0].clone(), asked[1].clone(), (500, known(asks())), (900, known(works()))];
    check(&drawn, 1_000, (Working, High, Rule::WorkSeen));
    let never = [asked[0].clone(), asked[1].clone(), (2_200, known(works()))];
    check(&never, 2_300, (Working, High, Rule::WorkSeen));
}

#[test]
fn an_agent_that_has_come_up_waits() {
    // Not still yet, and no title has ever told: but nothing was given to it.
    let mut facts = Facts::new(Moment(-2_000), Kind::Agent);
    let state = |facts: &Facts| find(facts, Moment(100)).0.state;
    facts.take(Evidence::Output, Moment(0));
    assert_eq!(state(&facts), Starting);
    facts.take(generic(Sight::Prompt), Moment(0));
    assert_eq!(state(&facts), Idle);
    // A frame without a field doesn't make it start again.
    facts.take(generic(Sight::Unknown), Moment(50));
    assert_eq!(state(&facts), Working);
}
