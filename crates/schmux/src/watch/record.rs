//! From an event in the events file to what the fleet hears of it.

use schmux_core::fleet::Item;
use schmux_core::signal::events_file::Event;

use crate::hooks;

/// How much of a record the history keeps: enough to see what it was. Hooks
/// carry whole files.
const MAX_DATA: usize = 16 << 10;

/// The name by which a call that may come by two ways is known again.
const ID: &str = "id";

pub(crate) fn item(event: Event) -> Option<Item> {
    match event {
        Event::Signal { mut signal, .. } => {
            // It is no detail that a person would want to see.
            let at = signal.details.iter().position(|(key, _)| key == ID);
            let id = at.map(|at| signal.details.remove(at).1).filter(|id| !id.is_empty());
            Some(Item::said(signal, id))
        }
        Event::Record { kind, json, .. } if kind == "hook" => hook_record(json),
        Event::Record { kind, json, .. } => Some(Item::Record { kind, data: cut(json) }),
        Event::Invalid { .. } => None,
    }
}

/// A hook call that was written while the daemon was away. What can't be
/// understood is kept in the history.
fn hook_record(json: String) -> Option<Item> {
    let request = serde_json::from_str(&json).ok();
    let item = request.and_then(hooks::item);
    Some(item.unwrap_or_else(|| Item::Record { kind: "hook".to_owned(), data: cut(json) }))
}

fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_DATA));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use schmux_core::nudge::Heard;
    use schmux_core::signal::{Signal, Source, State};

    #[test]
    fn an_id_is_taken_out_of_the_details() {
        let mut signal = Signal::new(State::Error, "m", Source::EventsFile);
        signal.add_detail("task", "t");
        signal.add_detail("id", "x1");
        let Some(Item::Heard { heard: Heard::Said(said), id }) =
            item(Event::Signal { signal, ts: None })
        else {
            panic!("a signal is heard");
        };
        assert_eq!(id.as_deref(), Some("x1"));
        assert_eq!(said.details, [("task".to_owned(), "t".to_owned())]);
    }

    #[test]
    fn long_records_are_cut_between_characters() {
        let json = "é".repeat(MAX_DATA);
        let event = Event::Record { kind: "note".into(), ts: None, json: format!("x{json}") };
        let Some(Item::Record { kind, data }) = item(event) else { panic!("a record is kept") };
        assert_eq!(kind, "note");
        assert_eq!(data.len(), MAX_DATA - 1);
    }
}
