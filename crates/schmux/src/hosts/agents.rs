//! Which agents are on a host.

use std::collections::BTreeMap;
use std::time::Duration;

use schmux_core::ids::HostId;
use schmux_core::sh;

use crate::agents;
use crate::app::App;
use crate::host::HostError;

/// A look at PATH takes no time; this is for a link that stalls.
const LIMIT: Duration = Duration::from_secs(20);

/// Where programs are over there, as its shell finds them.
pub(super) async fn locate(
    app: &App,
    host: &HostId,
    programs: &[String],
) -> Result<BTreeMap<String, String>, HostError> {
    let mut script = String::new();
    for program in programs {
        let word = sh::quote(program);
        // A path of the user's home is the home over there.
        let word = program.strip_prefix("~/").map_or(word, |rest| format!("~/{}", sh::quote(rest)));
        script.push_str(&format!("p=$(command -v {word}) && printf '%s\\n' \"$p\" || echo\n"));
    }
    let output = app.host.run(host, &script, LIMIT).await?;
    let text = output.text();
    let found = programs.iter().zip(text.lines().chain(std::iter::repeat("")));
    let absolute = found.filter(|(_, path)| path.starts_with('/'));
    Ok(absolute.map(|(program, path)| (program.clone(), path.to_owned())).collect())
}

/// The known agents whose program is there.
pub(super) async fn found(app: &App, host: &HostId) -> Result<Vec<String>, HostError> {
    let known = agents::known_programs();
    let programs: Vec<String> = known.iter().flat_map(|(_, programs)| programs.clone()).collect();
    let located = locate(app, host, &programs).await?;
    let is_there = |(_, programs): &(String, Vec<String>)| {
        programs.iter().any(|program| located.contains_key(program))
    };
    Ok(known.into_iter().filter(is_there).map(|(name, _)| name).collect())
}
