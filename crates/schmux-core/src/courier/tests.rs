//! The machine against a scripted terminal, a random typist and everything that
//! can go wrong, with the daemon killed at every step of it.
//!
//! A run takes a tenth of a millisecond or so. `SCHMUX_COURIER_RUNS` says how
//! many seeds each kind of run gets; with `SCHMUX_COURIER_SEED` it is that one
//! only, and every step is printed.

mod agent;
mod line;
mod plan;
mod world;

use super::receipt::Receipt;
use plan::{Mischief, Plan, Way};
use world::World;

const AGENTS: [&str; 5] = ["claude", "codex", "gemini", "aider", "unknown"];
const DRAFTS: [&str; 9] = [
    "",
    "a draft",
    "one\ntwo",
    "one\n\nthree",
    "trailing  ",
    "two words ",
    "  leading",
    "> quoted\n  x",
    "see <a pasted block>",
];
const ALL: [Mischief; 9] = [
    Mischief::Dialog,
    Mischief::CopyMode,
    Mischief::Exit,
    Mischief::Blank,
    Mischief::Lag,
    Mischief::Eat,
    Mischief::Work,
    Mischief::Stale,
    Mischief::Stall,
];

/// The seeds of a kind of run that gets so many for each that is wanted.
fn seeds(times: u64) -> Vec<u64> {
    if let Some(seed) = world::only_seed() {
        return vec![seed];
    }
    let wanted = std::env::var("SCHMUX_COURIER_RUNS").ok().and_then(|runs| runs.parse().ok());
    (0..wanted.unwrap_or(4) * times).collect()
}

fn calm(seed: u64, agent: &'static str, draft: &'static str) -> Plan {
    Plan {
        seed,
        agent,
        draft,
        messages: 2,
        typed: "",
        way: Way::Gate,
        pasted: false,
        mischief: Vec::new(),
        kill_at: None,
    }
}

/// How many runs were made, for whoever wants to know: `--nocapture` shows it.
fn tell_runs() {
    println!("{} runs", RUNS.with(std::cell::Cell::get));
}

thread_local! {
    /// Of this test: each has a thread of its own.
    static RUNS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// P3 and P4, as far as they can be seen from outside.
fn check(plan: &Plan) -> World {
    RUNS.with(|runs| runs.set(runs.get() + 1));
    let world = World::run(plan.clone());
    let World { agent, human_typed, astray, field_at_exit, .. } = &world;
    assert_eq!(agent.harm, Vec::<String>::new(), "{plan:?}");
    // A key that nobody notices can't be kept from the instant before Enter.
    let (received, slipped) = match plan.way {
        Way::Gate | Way::Noted => (agent.received.clone(), String::new()),
        Way::Unnoted => (
            agent.received.iter().map(|got| minus(got, plan.typed, true)).collect(),
            agent.received.concat().chars().filter(|c| plan.typed.contains(*c)).collect(),
        ),
    };
    for (text, receipt) in world.fates() {
        let times = received.iter().filter(|got| **got == text).count();
        let right = match &receipt {
            Receipt::Confirmed(_) | Receipt::Submitted => times == 1,
            Receipt::Indeterminate(_) => times <= 1,
            _ => times == 0,
        };
        assert!(right, "{receipt:?}, received {times} times: {plan:?} {:?}", agent.received);
    }
    let is_known = |got: &&String| world.fates().iter().any(|(text, _)| text == *got);
    let strange: Vec<&String> = received.iter().filter(|got| !is_known(got)).collect();
    assert!(strange.is_empty(), "received {strange:?}: {plan:?}");
    // Everything that the human typed is somewhere, and in the field it is once.
    // A draft that is kept may be in the field as well: in doubt both.
    let field = field_at_exit.clone().unwrap_or_else(|| agent.text());
    let in_doubt = format!("{}{}", world.kept().concat(), world.owed());
    let ours: String = world
        .fates()
        .iter()
        .filter(|(text, receipt)| {
            let unsent = !matches!(receipt, Receipt::Confirmed(_) | Receipt::Submitted);
            unsent && field.contains(text.as_str())
        })
        .map(|(text, _)| text.as_str())
        .collect();
    let here = format!("{field}{astray}{slipped}{}", agent.dropped);
    let missing = minus(&format!("{human_typed}{ours}"), &format!("{here}{in_doubt}"), false);
    // What an agent had in its field when it ended is gone anyway.
    let strange = match field_at_exit {
        Some(_) => String::new(),
        None => minus(&here, &format!("{human_typed}{ours}"), false),
    };
    assert_eq!((missing.as_str(), strange.as_str()), ("", ""), "{plan:?} field {field:?}");
    // With an editor no draft stays away while its agent lives.
    if has_editor(plan) && field_at_exit.is_none() {
        assert_eq!(world.owed(), "", "{plan:?} field {field:?}");
    }
    world
}

fn has_editor(plan: &Plan) -> bool {
    !matches!(plan.agent, "aider" | "unknown")
}

/// The characters of one text that another one lacks, with or without blanks.
fn minus(text: &str, other: &str, blanks: bool) -> String {
    let mut other: Vec<char> = other.chars().collect();
    let lacks = |c: &char| match other.iter().position(|known| known == c) {
        Some(at) => {
            other.swap_remove(at);
            false
        }
        None => blanks || !c.is_whitespace(),
    };
    text.chars().filter(lacks).collect()
}

/// The same, and the field is as the human left it, byte for byte.
fn check_exact(plan: &Plan) -> World {
    let world = check(plan);
    // Without an editor, someone who types on before the draft is back has begun
    // something new: the draft is kept for them, and theirs stands alone.
    let field = world.agent.text();
    let typed_on = format!("{}{field}", world.kept().concat());
    let is_exact = field == world.human_typed && world.kept().is_empty();
    let is_kept = !has_editor(plan) && !plan.typed.is_empty() && typed_on == world.human_typed;
    assert!(is_exact || is_kept, "{plan:?}: {field:?} and kept {:?}", world.kept());
    world
}

#[test]
fn calm_deliveries_are_confirmed_and_drafts_come_back() {
    for agent in AGENTS {
        for draft in DRAFTS {
            for seed in seeds(1) {
                let plan = calm(seed, agent, draft);
                let world = check_exact(&plan);
                let confirmed = |receipt: &Receipt| matches!(receipt, Receipt::Confirmed(_));
                if has_editor(&plan) || draft.is_empty() {
                    let fates = world.fates();
                    assert!(fates.iter().all(|(_, r)| confirmed(r)), "{fates:?} {plan:?}");
                }
            }
        }
    }
    tell_runs();
}

#[test]
fn a_kill_at_every_step_loses_and_doubles_nothing() {
    for agent in AGENTS {
        for draft in DRAFTS {
            for seed in seeds(1).into_iter().step_by(4) {
                let mut plan = calm(seed, agent, draft);
                let steps = check_exact(&plan).steps;
                for step in 1..=steps {
                    plan.kill_at = Some(step);
                    check(&plan);
                }
            }
        }
    }
    tell_runs();
}

#[test]
fn keys_behind_the_gate_follow_the_draft() {
    for agent in AGENTS {
        for seed in seeds(8) {
            let draft = DRAFTS[seed as usize % DRAFTS.len()];
            check_exact(&Plan { typed: "€£¥µß", ..calm(seed, agent, draft) });
        }
    }
    tell_runs();
}

#[test]
fn keys_past_the_gate_are_not_lost() {
    for agent in AGENTS {
        for seed in seeds(8) {
            let draft = DRAFTS[seed as usize % DRAFTS.len()];
            check(&Plan { typed: "€£¥µß", way: Way::Unnoted, ..calm(seed, agent, draft) });
        }
    }
    tell_runs();
}

#[test]
fn keys_that_tmux_notes_are_never_sent_along() {
    for agent in AGENTS {
        for seed in seeds(8) {
            let draft = DRAFTS[seed as usize % DRAFTS.len()];
            let plan = Plan { typed: "€£¥µß", way: Way::Noted, ..calm(seed, agent, draft) };
            check(&plan);
            check(&Plan { pasted: true, ..plan });
        }
    }
    tell_runs();
}

#[test]
fn a_line_that_breaks_at_any_moment_loses_and_doubles_nothing() {
    for agent in AGENTS {
        for seed in seeds(16) {
            let draft = DRAFTS[(seed / 3) as usize % DRAFTS.len()];
            let other = ALL[(seed.wrapping_mul(31) % 9) as usize];
            let cuts = [Mischief::Cut].repeat(1 + seed as usize % 3);
            let mischief = cuts.into_iter().chain((seed % 2 == 0).then_some(other)).collect();
            let plan = Plan { mischief, ..calm(seed, agent, draft) };
            let steps = check(&plan).steps;
            let kill_at = Some(1 + (seed.wrapping_mul(2_654_435_761) >> 7) as u32 % steps.max(1));
            check(&Plan { kill_at, ..plan });
        }
    }
    tell_runs();
}

#[test]
fn a_dialog_that_the_turn_opens_gets_no_key_seen_or_not() {
    for agent in AGENTS {
        for seed in seeds(16) {
            let draft = DRAFTS[(seed / 5) as usize % DRAFTS.len()];
            let other = ALL[(seed.wrapping_mul(31) % 9) as usize];
            let other = if seed % 2 == 0 { Mischief::Stall } else { other };
            let plan = Plan { mischief: vec![Mischief::Ask, other], ..calm(seed, agent, draft) };
            let steps = check(&plan).steps;
            let kill_at = Some(1 + (seed.wrapping_mul(2_654_435_761) >> 7) as u32 % steps.max(1));
            check(&Plan { kill_at, ..plan });
        }
    }
    tell_runs();
}

#[test]
fn a_message_that_is_taken_back_is_not_sent_or_was_sent_already() {
    for agent in AGENTS {
        for seed in seeds(16) {
            let draft = DRAFTS[(seed / 5) as usize % DRAFTS.len()];
            let other = ALL[(seed.wrapping_mul(31) % 9) as usize];
            let other = (seed % 3 == 0).then_some(other);
            let mischief = std::iter::once(Mischief::Cancel).chain(other).collect();
            let plan = Plan { mischief, ..calm(seed, agent, draft) };
            let world = check(&plan);
            if other.is_none() && has_editor(&plan) {
                // The one behind it is not held up, and the draft is back.
                let fates = world.fates();
                assert!(matches!(fates[1].1, Receipt::Confirmed(_)), "{fates:?} {plan:?}");
                assert!(fates[0].1.is_final(), "{fates:?} {plan:?}");
                assert_eq!(world.agent.text(), world.human_typed, "{plan:?}");
            }
            let kill_at =
                Some(1 + (seed.wrapping_mul(2_654_435_761) >> 7) as u32 % world.steps.max(1));
            check(&Plan { kill_at, ..plan });
        }
    }
    tell_runs();
}

#[test]
fn whatever_comes_between_nothing_is_lost() {
    for agent in AGENTS {
        for seed in seeds(16) {
            let pick = |n: u64| ALL[(seed.wrapping_mul(31).wrapping_add(n * 5) % 9) as usize];
            let draft = DRAFTS[(seed / 7) as usize % DRAFTS.len()];
            let mischief: Vec<Mischief> = (0..1 + seed % 3).map(pick).collect();
            let plan = Plan {
                typed: if seed % 2 == 0 { "" } else { "€£¥" },
                way: [Way::Gate, Way::Gate, Way::Noted, Way::Unnoted][seed as usize % 4],
                pasted: seed % 3 == 0,
                mischief,
                ..calm(seed, agent, draft)
            };
            let steps = check(&plan).steps;
            let kill_at = Some(1 + (seed.wrapping_mul(2_654_435_761) >> 7) as u32 % steps.max(1));
            // Keys on their way die with the daemon; drafts and messages don't.
            check(&Plan { kill_at, typed: "", ..plan });
        }
    }
    tell_runs();
}
