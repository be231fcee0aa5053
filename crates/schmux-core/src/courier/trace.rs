//! Events and effects in a few words, for the log: kinds, numbers and lengths,
//! and nothing of what people or agents wrote.

use super::event::{EditorAnswer, Effect, Event, Gate};
use super::field::Field;
use super::{Courier, delivery};

impl Courier {
    /// What has happened, where that has led, and what is to be done: for an event
    /// that was just handled. `None` if nothing came of the time that went by.
    pub fn trace(&self, event: &Event, effects: &[Effect]) -> Option<String> {
        let does: Vec<String> = effects.iter().filter_map(effect).collect();
        if matches!(event, Event::Tick) && does.is_empty() {
            return None;
        }
        let stage = match &self.delivery {
            None => "no delivery".to_owned(),
            Some(delivery) => {
                format!("{:?}, {}", delivery.attempt.step, delivery::name(&delivery.stage))
            }
        };
        Some(format!("{} → {stage}: {does:?}", self.happened(event)))
    }

    fn happened(&self, event: &Event) -> String {
        match event {
            Event::Screen { .. } => {
                let seen = self.scene.field.as_ref().map_or("no field".to_owned(), shape);
                format!("screen: {seen}")
            }
            Event::Message(message) => format!("message {}", message.id.0),
            Event::PromptSubmitted(text) => format!("prompt submitted, {}", size(text)),
            Event::EditorCalled { call, caller, content } => {
                format!("editor {} called by {caller:?}, {}", call.0, size(content))
            }
            Event::EditorEnded { call, wrote, keys, .. } => {
                format!("editor {} ended, wrote {wrote}, {} keys", call.0, keys.len())
            }
            other => format!("{other:?}"),
        }
    }
}

/// What is to be done; `None` for wishes to be woken.
fn effect(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Wake(_) => return None,
        Effect::Store(number, save) => {
            let receipts: Vec<_> = save.receipts.iter().map(|stamp| &stamp.receipt).collect();
            let step = save.attempt.as_ref().map(|attempt| attempt.step);
            format!("store {number}: {step:?} {receipts:?} {} kept", save.kept.len())
        }
        Effect::Type(text) => format!("type {}", size(text)),
        Effect::Paste(text) => format!("paste {}", size(text)),
        Effect::Answer(call, EditorAnswer::Write(text)) => {
            format!("editor {} writes {}", call.0, size(text))
        }
        Effect::Gate(Gate::Open { first, replay }) => {
            format!("gate opens, {} keys first, replay {replay}", first.len())
        }
        Effect::Give(call, message) => format!("give {call}: {}", message.is_some()),
        other => format!("{other:?}"),
    })
}

/// The length of a text, and a number that tells it from others.
fn size(text: &str) -> String {
    // FNV-1a: it only has to be the same for the same text.
    let hash = text
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{} bytes ({hash:08x})", text.len())
}

fn shape(field: &Field) -> String {
    format!("field of {} rows, {}", field.rows.len(), size(&field.rows.join("\n")))
}
