//! What the human's Enter, Tab and Shift-Tab end: what was said. What is seen stays.

use super::rules::Rule;
use super::rules_tests::{asks, check, fails, hook, known, said, thinks, works};
use super::*;
use crate::reading::Sight;
use Confidence::{High, Low, Medium};
use State::{Error, Idle, NeedsInput, Unknown, Working};

const TAB: Evidence = Evidence::Typed(Typed::Tab);
const ENTER: Evidence = Evidence::Typed(Typed::Submit);

#[test]
fn a_key_that_answers_ends_what_was_said() {
    let nothing = (Unknown, Low, Rule::Nothing);
    for key in [TAB, ENTER] {
        for told in [said(signal::State::NeedsInput), said(signal::State::Error)] {
            check(&[(0, told.clone()), (900, key.clone())], 900, nothing);
            let field = [(0, told.clone()), (100, known(Sight::Prompt)), (9_000, key.clone())];
            check(&field, 9_000, (Idle, High, Rule::IdlePrompt));
        }
        // What comes after it stands.
        let after = [(0, key.clone()), (900, said(signal::State::NeedsInput))];
        check(&after, 900, (NeedsInput, High, Rule::Claimed));
        // Told by a hook, and no dialog is known on the screen.
        let asked = [(0, hook(News::Asked)), (10, known(Sight::Unknown)), (900, key.clone())];
        check(&asked[..2], 900, (NeedsInput, Medium, Rule::Asked));
        check(&asked, 900, nothing);
        let failed = [(0, hook(News::Failed)), (10, known(Sight::Prompt)), (900, key.clone())];
        check(&failed[..2], 900, (Error, High, Rule::Failed));
        check(&failed, 900, (Idle, High, Rule::TurnEnded));
        let rang = [(0, Evidence::Output), (100, Evidence::Bell), (200, key.clone())];
        check(&rang, 9_000, nothing);
        let guess = [(0, thinks(signal::State::NeedsInput, Medium)), (900, key)];
        check(&guess[..1], 900, (NeedsInput, Medium, Rule::Opinion));
        check(&guess, 900, nothing);
    }
    let typed = [(0, said(signal::State::NeedsInput)), (900, Evidence::Typed(Typed::Other))];
    check(&typed, 900, (NeedsInput, High, Rule::Claimed));
}

#[test]
fn a_dialog_that_is_still_there_is_evidence_of_its_own() {
    for told in [hook(News::Asked), said(signal::State::NeedsInput)] {
        let open = [(0, told), (100, known(asks())), (900, TAB), (1_000, known(asks()))];
        check(&open, 1_000, (NeedsInput, High, Rule::Dialog));
    }
}

#[test]
fn an_error_on_the_screen_is_put_aside_by_tab_until_there_is_another() {
    let put_aside = [(0, known(fails())), (2_000, TAB), (3_000, known(fails()))];
    check(&put_aside[..1], 2_000, (Error, High, Rule::ErrorLine));
    check(&put_aside, 9_000, (Idle, High, Rule::IdlePrompt));
    // Also where it was told, and where something is drawn below it for a while.
    let told = [(0, hook(News::Failed)), (10, known(fails())), (2_000, TAB)];
    check(&told, 9_000, (Idle, High, Rule::TurnEnded));
    let below = [put_aside.to_vec(), vec![(4_000, known(Sight::Prompt)), (5_000, TAB)]].concat();
    check(&below, 10_000, (Idle, High, Rule::IdlePrompt));
    let back = [below, vec![(11_000, known(fails()))]].concat();
    check(&back, 17_000, (Idle, High, Rule::IdlePrompt));
    let other = Sight::Error("API Error: 429".into());
    let another = [put_aside.to_vec(), vec![(4_000, known(other))]].concat();
    check(&another, 9_000, (Error, High, Rule::ErrorLine));
    let again = vec![(4_000, known(works())), (6_000, known(fails()))];
    let again = [put_aside.to_vec(), again].concat();
    check(&again[..4], 4_000, (Working, High, Rule::WorkSeen));
    check(&again, 12_000, (Error, High, Rule::ErrorLine));
    // Enter may send something, so what is there after it counts anew.
    let sent = [(0, known(fails())), (2_000, ENTER), (3_000, known(fails()))];
    check(&sent, 9_000, (Error, High, Rule::ErrorLine));
}
