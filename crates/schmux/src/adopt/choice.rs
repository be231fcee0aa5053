//! Which of the panes that were found is meant: by its tmux session, by what tmux
//! calls it, or because the only agent there runs in it. Does no IO.

use schmux_core::ids::PaneId;

use super::Found;
use crate::host::outside::Outsider;

/// Why none is chosen.
#[derive(Debug)]
pub(super) enum NoChoice<'a> {
    /// There is nothing at all.
    NoServer,
    /// Neither a session nor a pane was named.
    Unnamed,
    /// The sessions that there are.
    NoSession(Vec<&'a str>),
    /// The panes that there are.
    NoPane(Vec<&'a Found>),
    /// Agents run in these, and none was named.
    Several(Vec<&'a Found>),
}

/// Chooses by a session's name and the name of a pane or a window. Where that leaves
/// several, it is the one with an agent that is not ours yet; without any agent it is
/// the one that the session shows.
pub(super) fn choose<'a>(
    found: &'a [Found],
    (session, pane): (Option<&str>, Option<&str>),
    is_ours: impl Fn(&Found) -> bool,
) -> Result<&'a Found, NoChoice<'a>> {
    if found.is_empty() {
        return Err(NoChoice::NoServer);
    }
    let in_session = |it: &&Found| session.is_none_or(|name| it.one.session == name);
    let there: Vec<&Found> = found.iter().filter(in_session).collect();
    if there.is_empty() {
        let mut names: Vec<&str> = found.iter().map(|it| it.one.session.as_str()).collect();
        names.dedup();
        return Err(NoChoice::NoSession(names));
    }
    let meant: Vec<&Found> = match (session, pane) {
        (None, None) => return Err(NoChoice::Unnamed),
        (_, None) => there,
        (_, Some(name)) => {
            let meant = there.iter().filter(|it| is_called(&it.one, name)).copied().collect();
            // Sessions of one group share their panes, and an id says which one it is.
            match Vec::<&Found>::as_slice(&meant) {
                [] => return Err(NoChoice::NoPane(there)),
                [one, ..] if id_in(name).is_some() => return Ok(one),
                _ => meant,
            }
        }
    };
    let agents = meant.iter().copied().filter(|it| it.agent.is_some());
    let free: Vec<&Found> = agents.clone().filter(|it| !is_ours(it)).collect();
    let shown = || meant.iter().copied().min_by_key(|it| (!it.one.in_front, !it.one.active));
    match free.as_slice() {
        [one] => Ok(one),
        [] => agents.clone().next().or_else(shown).ok_or(NoChoice::NoServer),
        _ => Err(NoChoice::Several(free)),
    }
}

/// Whether this is the pane, or in the window, that has the name: `%5`, `2.1` (the
/// window and the pane), `.1` (of the window in front), `2`.
fn is_called(one: &Outsider, name: &str) -> bool {
    let (index, window_name) = &one.window;
    let is_window = |name: &str| match name {
        "" => one.in_front,
        name => *window_name == name || index.to_string() == name,
    };
    if let Some(id) = id_in(name) {
        return one.pane.id == id;
    }
    match name.rsplit_once('.') {
        // A window's name may have a point in it.
        Some((window, pane)) => {
            (is_window(window) && one.index.to_string() == pane) || *window_name == name
        }
        None => is_window(name),
    }
}

/// The pane's own id, if it is in the name: `%5`, `2.%5`.
fn id_in(name: &str) -> Option<PaneId> {
    let last = name.rsplit_once('.').map_or(name, |(_, pane)| pane);
    PaneId::parse(last.as_bytes())
}

#[cfg(test)]
mod tests {
    use schmux_core::ids::HostId;

    use super::*;
    use crate::host::outside;

    /// Panes by what tmux says of them: `window.pane window's name/flags/agent session`,
    /// with flags for the window in front and the active pane. Their ids count up.
    fn panes(told: &[&str]) -> Vec<Found> {
        let found = |(id, told): (usize, &&str)| {
            let words: Vec<&str> = told.split(' ').collect();
            let (place, name, flags) = (words[0].split_once('.').unwrap(), words[1], words[2]);
            let [front, active] = ['f', 'a'].map(|flag| u8::from(flags.contains(flag)));
            let line = format!(
                "/s\t7-17\t%{id}\t{}\t{front}\t{}\t{active}\t9\tx\t\t{name}\t{}\t/",
                place.0, place.1, words[4]
            );
            let agent = ["claude", "codex"].into_iter().find(|agent| *agent == words[3]);
            let one = outside::parse(&line).remove(0);
            Found { host: HostId::new("local").unwrap(), one, agent }
        };
        told.iter().enumerate().map(found).collect()
    }

    #[test]
    fn the_pane_that_is_meant() {
        let mixed = panes(&[
            "0.0 sh - - work",
            "1.0 v.1 f claude work",
            "1.1 v.1 fa - work",
            "2.0 logs - - work",
            "0.0 sh fa codex solo",
            "0.0 a - claude two",
            "0.1 a a - two",
            "3.0 b fa codex two",
            "0.0 sh - - none",
            "1.0 sh f - none",
            "1.1 sh fa - none",
            "0.0 100% fa - odd",
            "0.1 100% f claude odd",
        ]);
        let check = |session: &str, pane: &str, ours: &[u32], expected: &str| {
            let given = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
            let (session, pane) = (given(session), given(pane));
            let wanted = (session.as_deref(), pane.as_deref());
            let is_ours = |it: &Found| ours.contains(&it.one.pane.id.0);
            let ids = |all: Vec<&Found>| {
                all.iter().map(|it| it.one.pane.id.to_string()).collect::<Vec<_>>().join(" ")
            };
            let chosen = match choose(&mixed, wanted, is_ours) {
                Ok(it) => it.one.pane.id.to_string(),
                Err(NoChoice::NoServer) => "no server".into(),
                Err(NoChoice::Unnamed) => "unnamed".into(),
                Err(NoChoice::NoSession(names)) => format!("only {}", names.join(" ")),
                Err(NoChoice::NoPane(all)) => format!("none of {}", ids(all)),
                Err(NoChoice::Several(all)) => format!("one of {}", ids(all)),
            };
            assert_eq!(chosen, expected, "{wanted:?} {ours:?}");
        };
        for (session, pane, ours, expected) in [
            // The one with an agent, whether it is shown or not.
            ("work", "", &[][..], "%1"),
            ("solo", "", &[], "%4"),
            // That it is ours already is told by whoever asked.
            ("work", "", &[1], "%1"),
            ("two", "", &[], "one of %5 %7"),
            ("two", "", &[5], "%7"),
            ("two", "", &[5, 7], "%5"),
            ("none", "", &[], "%10"),
            ("none", "0", &[], "%8"),
            // By tmux's names.
            ("work", "2", &[], "%3"),
            ("work", "logs", &[], "%3"),
            ("work", "1", &[], "%1"),
            ("work", "1.1", &[], "%2"),
            ("work", ".1", &[], "%2"),
            ("work", "v.1", &[], "%1"),
            ("work", "v.1.1", &[], "%2"),
            ("two", "a", &[], "%5"),
            ("two", "a.1", &[], "%6"),
            ("two", ".%6", &[], "%6"),
            ("", "%6", &[], "%6"),
            ("two", "%4", &[], "none of %5 %6 %7"),
            ("two", "9", &[], "none of %5 %6 %7"),
            ("two", "3.1", &[], "none of %5 %6 %7"),
            ("odd", "100%", &[], "%12"),
            ("odd", "100%.0", &[], "%11"),
            ("", "", &[], "unnamed"),
            ("wor", "", &[], "only work solo two none odd"),
        ] {
            check(session, pane, ours, expected);
        }
        assert!(matches!(choose(&[], (Some("x"), None), |_| false), Err(NoChoice::NoServer)));
    }
}
