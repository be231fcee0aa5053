//! The fleet's rules, event by event.

use super::*;
use crate::evidence::{self, Confidence};
use crate::ids::{HostId, PaneId};
use crate::reading::{Reading, Sight, TitleSays};
use crate::signal::{Source, events_file, hook};

fn workspace(kind: WorkspaceKind) -> Workspace {
    Workspace {
        id: WorkspaceId::new("proj-001").unwrap(),
        path: "/proj".into(),
        kind,
        branch: None,
        host: HostId::new("local").unwrap(),
        created_at: Moment(1),
    }
}

fn session(id: &str, nickname: Option<&str>) -> Session {
    let socket = Socket::Name("s".into());
    let address = Address::here(socket, id.into());
    let (workspace, host) = (WorkspaceId::new("proj-001").unwrap(), HostId::new("local").unwrap());
    Session {
        target: "demo".into(),
        nickname: nickname.map(Into::into),
        ..Session::new(SessionId::new(id).unwrap(), workspace, host, address, Moment(2))
    }
}

pub(super) fn fleet(ids: &[(&str, Option<&str>)]) -> Fleet {
    fleet_in(WorkspaceKind::Directory, ids)
}

fn fleet_in(kind: WorkspaceKind, ids: &[(&str, Option<&str>)]) -> Fleet {
    let mut fleet = Fleet::default();
    let sessions = ids.iter().map(|(id, nickname)| session(id, *nickname)).collect();
    fleet.apply(added(kind, sessions), Moment(9));
    fleet
}

fn added(kind: WorkspaceKind, sessions: Vec<Session>) -> Event {
    Event::SessionsAdded { workspace: workspace(kind), sessions }
}

fn see(fleet: &mut Fleet, fact: Fact) -> Effects {
    see_at(fleet, fact, Moment(9))
}

pub(super) fn see_at(fleet: &mut Fleet, fact: Fact, now: Moment) -> Effects {
    fleet.apply(Event::Seen(SessionId::new("proj-001-aaaa").unwrap(), fact), now)
}

#[test]
fn lives_are_saved_and_told_once() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    let first = see(&mut fleet, Fact::Running);
    assert_eq!((first.save.len(), first.tell), (2, Urgency::Now));
    assert_eq!(see(&mut fleet, Fact::Running), Effects::default());
    assert_eq!(see(&mut fleet, Fact::Exited { code: Some(3) }).tell, Urgency::Now);
}

#[test]
fn an_exit_is_not_forgotten_for_a_lost_server() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    see(&mut fleet, Fact::Exited { code: Some(3) });
    assert_eq!(see(&mut fleet, Fact::Lost { reason: "x".into() }), Effects::default());
    assert_eq!(see(&mut fleet, Fact::Gone { reason: "x".into() }), Effects::default());
}

#[test]
fn a_session_that_was_renamed_is_found_by_its_new_name() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    let pane = TmuxPane { id: PaneId(5), server: "7-17".into() };
    let effects = see(&mut fleet, Fact::Moved { tmux_session: "new".into(), pane: pane.clone() });
    let session = fleet.sessions().next().unwrap();
    assert_eq!(session.address.tmux_session, "new");
    assert_eq!(session.address.pane, Some(pane));
    assert_eq!(effects, Effects::now(vec![Save::Session(Arc::new(session.clone()))]));
}

#[test]
fn an_address_of_before_panes_were_told_apart_is_read() {
    let old = r#"{"socket":{"path":"/s"},"tmux_session":"work"}"#;
    let mut address: Address = serde_json::from_str(old).unwrap();
    assert_eq!(address, Address::here(Socket::Path("/s".into()), "work".into()));
    assert_eq!(serde_json::to_string(&address).unwrap(), old);
    address.pane = Some(TmuxPane { id: PaneId(3), server: "7-17".into() });
    let new = serde_json::to_string(&address).unwrap();
    assert!(new.contains(r#""pane":{"id":"%3","server":"7-17"}"#), "{new}");
    assert_eq!(serde_json::from_str::<Address>(&new).unwrap(), address);
}

#[test]
fn chatter_is_told_soon_and_not_saved() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    let effects = see(&mut fleet, Fact::Title("⠋ work".into()));
    assert_eq!(effects, Effects { tell: Urgency::Soon, ..Effects::default() });
    assert_eq!(see(&mut fleet, Fact::Title("⠋ work".into())), Effects::default());
}

#[test]
fn shells_are_known() {
    for (name, expected) in
        [("bash", true), ("-zsh", true), ("/bin/sh", true), ("node", false), ("claude", false)]
    {
        assert_eq!(is_shell(name), expected, "{name}");
    }
}

#[test]
fn a_script_of_a_shell_is_not_the_shell_that_is_left_behind() {
    let state = |script_of: Option<&str>, front: &str| {
        let mut fleet = Fleet::default();
        let session = Session {
            agent: Some("claude".into()),
            script_of: script_of.map(Into::into),
            ..session("proj-001-aaaa", None)
        };
        fleet.apply(added(WorkspaceKind::Directory, vec![session]), Moment(9));
        see(&mut fleet, Fact::Running);
        see(&mut fleet, Fact::Front(front.into()));
        fleet.apply(Event::Tick, Moment(60_000));
        let session = fleet.sessions().next().unwrap();
        session.verdict.as_ref().unwrap().state
    };
    assert_eq!(state(None, "bash"), evidence::State::Exited);
    assert_ne!(state(Some("bash"), "bash"), evidence::State::Exited);
    assert_eq!(state(Some("bash"), "zsh"), evidence::State::Exited);
}

#[test]
fn a_directory_is_forgotten_with_its_last_session_and_a_worktree_is_not() {
    let id = SessionId::new("proj-001-aaaa").unwrap();
    let mut directory = fleet(&[("proj-001-aaaa", None)]);
    assert_eq!(directory.apply(Event::SessionDisposed(id.clone()), Moment(9)).save.len(), 2);
    let mut worktree = fleet_in(WorkspaceKind::Worktree, &[("proj-001-aaaa", None)]);
    assert_eq!(worktree.apply(Event::SessionDisposed(id), Moment(9)).save.len(), 1);
    assert_eq!(worktree.workspaces().count(), 1);
}

#[test]
fn sessions_come_with_their_workspace() {
    let mut fleet = fleet_in(WorkspaceKind::Worktree, &[("proj-001-aaaa", None)]);
    // Its workspace may have been forgotten while a session was on its way; one that is
    // known stays as it is.
    let more = vec![session("proj-001-bbbb", None), session("proj-001-cccc", None)];
    assert_eq!(fleet.apply(added(WorkspaceKind::Directory, more), Moment(9)).save.len(), 2);
    assert_eq!(fleet.workspaces().map(|w| w.kind).collect::<Vec<_>>(), [WorkspaceKind::Worktree]);
    for id in ["proj-001-aaaa", "proj-001-bbbb", "proj-001-cccc"] {
        fleet.apply(Event::SessionDisposed(SessionId::new(id).unwrap()), Moment(9));
    }
    fleet.apply(Event::WorkspaceRemoved(WorkspaceId::new("proj-001").unwrap()), Moment(9));
    let late = added(WorkspaceKind::Worktree, vec![session("proj-001-dddd", None)]);
    assert_eq!(fleet.apply(late, Moment(9)).save.len(), 2);
    assert_eq!(fleet.workspaces().count(), 1);
}

#[test]
fn sessions_are_found_by_what_people_type() {
    let fleet = fleet(&[
        ("proj-001-aaaa", Some("fix")),
        ("proj-001-abbb", Some("dup")),
        ("proj-001-bccc", Some("dup")),
    ]);
    let found = |name| fleet.find(name).map(|s| s.id.as_str());
    assert_eq!(found("proj-001-aaaa"), Some("proj-001-aaaa"));
    assert_eq!(found("fix"), Some("proj-001-aaaa"));
    assert_eq!(found("proj-001-b"), Some("proj-001-bccc"));
    assert_eq!(found("proj-001-a"), None);
    assert_eq!(found("dup"), None);
    assert_eq!(found(""), None);
}

#[test]
fn a_snapshot_tells_who_has_changed_since() {
    let mut fleet = fleet(&[("a", None), ("b", None), ("c", None), ("d", None)]);
    let before = fleet.clone();
    let changed = |fleet: &Fleet| -> Vec<String> {
        fleet.changed_since(&before).map(|session| session.id.to_string()).collect()
    };
    assert_eq!(changed(&fleet), [""; 0]);
    for gone in ["a", "c"] {
        fleet.apply(Event::SessionDisposed(SessionId::new(gone).unwrap()), Moment(9));
    }
    assert_eq!(changed(&fleet), [""; 0]);
    fleet.apply(Event::Seen(SessionId::new("d").unwrap(), Fact::Running), Moment(9));
    for new in ["aa", "e"] {
        fleet.apply(added(WorkspaceKind::Directory, vec![session(new, None)]), Moment(9));
    }
    assert_eq!(changed(&fleet), ["aa", "d", "e"]);
}

#[test]
fn what_ran_before_a_restart_has_to_be_looked_at() {
    let mut running = session("proj-001-aaaa", None);
    running.life = Life::Running;
    let fleet =
        Fleet::restore(vec![workspace(WorkspaceKind::Directory)], vec![running], 0, Moment(9));
    assert!(matches!(fleet.sessions().next().unwrap().life, Life::Unreachable { .. }));
}

#[test]
fn after_a_restart_ages_are_those_of_what_happened() {
    let check = |facts: &[(Fact, i64)], since: i64| {
        let mut fleet = fleet(&[("proj-001-aaaa", None)]);
        for (fact, at) in facts {
            let id = SessionId::new("proj-001-aaaa").unwrap();
            fleet.apply(Event::Seen(id, fact.clone()), Moment(*at));
        }
        let stored = serde_json::to_string(fleet.sessions().next().unwrap()).unwrap();
        let sessions = vec![serde_json::from_str(&stored).unwrap()];
        let workspaces = vec![workspace(WorkspaceKind::Directory)];
        let fleet = Fleet::restore(workspaces, sessions, 0, Moment(9_000));
        let judge = &fleet.sessions().next().unwrap().judge;
        assert_eq!(judge.shown().since, Moment(since), "{facts:?}");
        assert_eq!(judge.history().map(|change| change.at.0).max(), Some(since), "{facts:?}");
    };
    // Nobody has looked at it yet, and that is so since the restart.
    check(&[(Fact::Running, 20)], 9_000);
    check(&[(Fact::Running, 20), (Fact::Lost { reason: "gone".into() }, 40)], 9_000);
    // It ended before, and that hasn't changed.
    check(&[(Fact::Running, 20), (Fact::Exited { code: Some(3) }, 500)], 500);
}

fn is_stored(fleet: &Fleet, away_until: i64) -> Fleet {
    let stored = serde_json::to_string(fleet.sessions().next().unwrap()).unwrap();
    let sessions = vec![serde_json::from_str(&stored).unwrap()];
    let workspaces = vec![workspace(WorkspaceKind::Directory)];
    Fleet::restore(workspaces, sessions, fleet.newest_entry(), Moment(away_until))
}

fn shows(sight: Sight, ms: i64) -> Fact {
    let reading = Reading {
        sight,
        confidence: Confidence::High,
        why: "test",
        field: None,
        title: TitleSays::Nothing,
        shows_work: true,
    };
    Fact::Screen { reading: Box::new(reading), at: Moment(ms), unheard: false }
}

/// What the history says of what these facts brought, and of the seconds after them.
fn lines(fleet: &mut Fleet, facts: &[(i64, Fact)]) -> Vec<String> {
    let mut effects = Effects::default();
    for (ms, fact) in facts {
        effects = effects.and(see_at(fleet, fact.clone(), Moment(*ms)));
    }
    // A picture of work grows old after a minute, which is no matter here.
    while let Some(due) = fleet.due().filter(|due| due.0 < 30_000) {
        effects = effects.and(fleet.apply(Event::Tick, due));
    }
    let entries = effects.save.into_iter().filter_map(|save| match save {
        Save::Entry(entry) => Some(entry.what),
        _ => None,
    });
    let word = |what| match what {
        What::Verdict { state, .. } => state.as_str().to_owned(),
        What::Life { life } => format!("{life:?}"),
        what => format!("{what:?}"),
    };
    entries.map(word).collect()
}

/// An agent of which this was seen, after a restart.
fn restarted(facts: &[(i64, Fact)]) -> Fleet {
    let mut fleet = Fleet::default();
    let session = Session { agent: Some("demo".into()), ..session("proj-001-aaaa", None) };
    let workspace = workspace(WorkspaceKind::Directory);
    fleet.apply(Event::SessionsAdded { workspace, sessions: vec![session] }, Moment(9));
    for (ms, fact) in facts {
        see_at(&mut fleet, fact.clone(), Moment(*ms));
    }
    fleet.apply(Event::Tick, Moment(9_000));
    is_stored(&fleet, 9_500)
}

#[test]
fn a_restart_is_no_line_in_the_history() {
    let idle = [(10, Fact::Running), (100, shows(Sight::Prompt, 100))];
    let works = || Sight::Working("✻".into());
    let working = [(10, Fact::Running), (100, shows(works(), 100))];
    let back = |sight| [(10_000, Fact::Running), (10_100, shows(sight, 10_100))];
    let none: [&str; 0] = [];
    for (before, sight, state) in [
        (&idle, Sight::Prompt, evidence::State::Idle),
        (&working, works(), evidence::State::Working),
    ] {
        let mut fleet = restarted(before);
        assert_eq!(lines(&mut fleet, &back(sight))[..], none);
        // As it stood, and since then, also before anyone has looked.
        let mut fleet = restarted(before);
        see_at(&mut fleet, Fact::Running, Moment(10_000));
        let verdict = fleet.sessions().next().unwrap().verdict.clone().unwrap();
        assert_eq!((verdict.state, verdict.since), (state, Moment(100)));
    }
    let mut fleet = restarted(&idle);
    assert_eq!(lines(&mut fleet, &back(Sight::Prompt)), none);
    // A second one before the first look, and one that finds no tmux for a while.
    let mut fleet = is_stored(&restarted(&idle), 9_900);
    assert_eq!(lines(&mut fleet, &back(Sight::Prompt)), none);
    let mut fleet = restarted(&idle);
    let lost = (9_900, Fact::Lost { reason: "gone".into() });
    let found = [&[lost][..], &back(Sight::Prompt)].concat();
    assert_eq!(lines(&mut fleet, &found), [r#"Unreachable { reason: "gone" }"#, "Running"]);
}

#[test]
fn what_changed_while_nobody_looked_is_a_line_in_the_history() {
    let idle = [(10, Fact::Running), (100, shows(Sight::Prompt, 100))];
    let works = || Sight::Working("✻".into());
    let working = [(10, Fact::Running), (100, shows(works(), 100))];
    let back = |sight| [(10_000, Fact::Running), (10_100, shows(sight, 10_100))];
    assert_eq!(lines(&mut restarted(&working), &back(Sight::Prompt)), ["idle"]);
    assert_eq!(lines(&mut restarted(&idle), &back(works()))[..1], ["working"]);
    let ended = [(10_000, Fact::Gone { reason: "gone".into() })];
    assert_eq!(lines(&mut restarted(&idle), &ended).len(), 1);
    // It was given something, so that it waits now isn't that it waited then.
    let given = Fact::Answered { at: Moment(8_000), enter: true };
    let given = [&idle[..], &[(8_000, given)]].concat();
    let told = lines(&mut restarted(&given), &back(Sight::Prompt));
    assert_eq!(told.last().map(String::as_str), Some("idle"), "{told:?}");
}

#[test]
fn how_it_stood_in_words_of_another_version_is_not_known() {
    let mut session = session("proj-001-aaaa", None);
    let since = Moment(5);
    let (state, confidence, rule) =
        (evidence::State::Idle, Confidence::High, evidence::Rule::IdlePrompt);
    let verdict = evidence::Verdict { state, confidence, rule, message: None, since };
    session.stood = Some(Stood { verdict, given: false });
    let text = serde_json::to_string(&session).unwrap();
    assert_eq!(serde_json::from_str::<Session>(&text).unwrap().stood, session.stood);
    let other = text.replace("idle_prompt", "hunch");
    assert_ne!(other, text);
    assert_eq!(serde_json::from_str::<Session>(&other).unwrap().stood, None);
}

fn news(items: Vec<Item>, place: Option<Place>) -> Event {
    let session = SessionId::new("proj-001-aaaa").unwrap();
    Event::News(News { session, items, place, at: Moment(5) })
}

fn said(state: State, id: Option<&str>) -> Item {
    Item::said(Signal::new(state, "words", Source::EventsFile), id.map(Into::into))
}

pub(super) fn attention(fleet: &Fleet) -> &Attention {
    &fleet.sessions().next().unwrap().attention
}

#[test]
fn a_signal_its_number_and_its_place_are_saved_together() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    let place = Place::Events(events_file::Position::default());
    let items = vec![said(State::NeedsInput, None), said(State::Working, None)];
    let effects = fleet.apply(news(items, Some(place.clone())), Moment(9));
    assert_eq!(effects.tell, Urgency::Now);
    let saved: Vec<&'static str> = effects
        .save
        .iter()
        .map(|save| match save {
            Save::Session(session) => {
                assert_eq!(session.attention.seq, 1);
                "session"
            }
            Save::Place(_, saved) => {
                assert_eq!(*saved, place);
                "place"
            }
            Save::Entry(_) => "entry",
            _ => "other",
        })
        .collect();
    assert_eq!(saved, ["session", "place", "entry", "entry"]);
    assert_eq!(fleet.newest_entry(), 2);
}

#[test]
fn what_comes_twice_is_heard_once() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    fleet.apply(news(vec![said(State::Error, Some("x"))], None), Moment(9));
    fleet.apply(news(vec![said(State::Error, Some("x"))], None), Moment(9));
    assert_eq!(attention(&fleet).seq, 1);
}

#[test]
fn the_human_answers_and_everyone_learns_of_it() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    fleet.apply(news(vec![said(State::Error, None)], None), Moment(9));
    let effects = see(&mut fleet, Fact::Answered { at: Moment(6), enter: true });
    assert_eq!(effects.tell, Urgency::Now);
    assert!(attention(&fleet).nudge.is_none());
    assert_eq!(
        see(&mut fleet, Fact::Answered { at: Moment(7), enter: true }).tell,
        Urgency::Nothing
    );
}

#[test]
fn a_claim_is_granted_once_and_stored_first() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    fleet.apply(news(vec![said(State::Error, None)], None), Moment(9));
    let session = SessionId::new("proj-001-aaaa").unwrap();
    let claim = Event::Claim { session, channel: "ring".into(), seq: 1, by: String::new() };
    let first = fleet.apply(claim.clone(), Moment(9));
    assert!(first.granted && first.save.len() == 1);
    assert_eq!(fleet.apply(claim, Moment(9)), Effects::default());
}

#[test]
fn a_prompts_hook_that_comes_after_the_marker_of_its_turn_changes_nothing() {
    let mut fleet = fleet(&[("proj-001-aaaa", None)]);
    let apply = |fleet: &mut Fleet, second: i64, items: Vec<Item>| {
        let session = SessionId::new("proj-001-aaaa").unwrap();
        let at = Moment(second * 1000);
        fleet.apply(Event::News(News { session, items, place: None, at }), at);
    };
    let hook =
        |news| Item::Hook { told: hook::Told { news, child: false, conversation: None }, id: None };
    let (state, message) = (State::NeedsTesting, "Try it".to_owned());
    see_at(&mut fleet, Fact::Running, Moment(0));
    let entered = Fact::Answered { at: Moment(1000), enter: true };
    see_at(&mut fleet, entered, Moment(1000));
    apply(&mut fleet, 2, vec![Item::said(Signal::new(state, &message, Source::Marker), None)]);
    let began = hook(hook::News::TurnBegan { prompt: None });
    apply(&mut fleet, 4, vec![began, hook(hook::News::Signed { state, message })]);
    let attention = attention(&fleet);
    assert_eq!((attention.seq, attention.turns), (1, 0));
    assert!(attention.nudge.is_some());
    let session = fleet.sessions().next().unwrap();
    assert_eq!(session.verdict.as_ref().unwrap().state, evidence::State::NeedsTesting);
}
