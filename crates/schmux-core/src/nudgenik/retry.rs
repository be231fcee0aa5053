//! Whether to ask a model again that didn't answer, and when.

use std::time::Duration;

/// Why there is no answer, as far as it matters for asking again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Too many questions; perhaps it says when to come back.
    Busy { after: Option<Duration> },
    /// Something broke on the way or over there, which may pass.
    Broken,
    /// It was asked wrongly, or isn't ours to ask: asking again changes nothing.
    Final,
}

/// The second attempt comes soon, since most slips are short; the third gives an
/// overloaded service time. After it somebody else's turn has come.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// Who wants to be left alone for longer is not waited for: the screen will have
/// changed by then.
const LONGEST: Duration = Duration::from_secs(30);

/// How long to wait before asking again, if at all. `attempt` counts from 0;
/// `chance`, from 0 to 1, spreads those who failed together.
pub fn pause(refusal: Refusal, attempt: usize, chance: f64) -> Option<Duration> {
    let usual = *PAUSES.get(attempt)?;
    let spread = usual.mul_f64(chance.clamp(0.0, 1.0) / 2.0);
    match refusal {
        Refusal::Final => None,
        Refusal::Busy { after: Some(after) } => {
            (after <= LONGEST).then(|| after.max(usual) + spread)
        }
        Refusal::Busy { after: None } | Refusal::Broken => Some(usual + spread),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_tried_twice_again() {
        let seconds = |refusal, attempt, chance| {
            pause(refusal, attempt, chance).map(|pause| pause.as_secs_f64())
        };
        let busy = |s| Refusal::Busy { after: Some(Duration::from_secs(s)) };
        for (refusal, attempt, chance, expected) in [
            (Refusal::Broken, 0, 0.0, Some(1.0)),
            (Refusal::Broken, 1, 1.0, Some(7.5)),
            (Refusal::Broken, 2, 0.0, None),
            (Refusal::Busy { after: None }, 0, 0.0, Some(1.0)),
            (busy(0), 0, 0.0, Some(1.0)),
            (busy(20), 0, 0.0, Some(20.0)),
            (busy(31), 0, 0.0, None),
            (Refusal::Final, 0, 0.0, None),
        ] {
            assert_eq!(seconds(refusal, attempt, chance), expected, "{refusal:?} {attempt}");
        }
    }
}
