//! Real payloads of real agents (`tests/hooks/<agent>/*.json`), and what they say.
//!
//! They were recorded from the versions that `docs/agents.md` names. The table
//! is `tests/hooks/said.txt`; `UPDATE_EXPECT=1` renews it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use expect_test::expect_file;
use schmux_core::signal::hook::{News, read};
use serde_json::Value;

#[test]
fn every_recording_says_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks");
    let mut files: Vec<_> = fs::read_dir(&root)
        .unwrap()
        .filter_map(|entry| fs::read_dir(entry.unwrap().path()).ok())
        .flat_map(|dir| dir.map(|entry| entry.unwrap().path()))
        .collect();
    files.sort();
    let mut table = String::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap().with_extension("");
        let agent = name.parent().unwrap().to_str().unwrap();
        let recorded: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let event = recorded["event"].as_str().unwrap();
        let told = read(agent, event, &recorded["payload"]).unwrap();
        assert!(told.conversation.is_some(), "{}", name.display());
        let child = if told.child { " (child)" } else { "" };
        writeln!(table, "{:<30} {event:<20} {}{child}", name.display(), line(&told.news)).unwrap();
    }
    expect_file!["hooks/said.txt"].assert_eq(&table);
}

fn line(news: &News) -> String {
    format!("{news:?}")
}
