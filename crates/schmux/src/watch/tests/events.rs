//! The events file: appended to, cut, replaced.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn events_are_read_as_they_are_appended() {
    let mut world = World::new().watched();
    let path = world.events("w-a");
    append(&path, "{\"type\":\"status\",\"state\":\"error\",\"id\":\"x1\"}\n{\"type\":\"sta");
    assert_eq!(world.hears(), "w-a: error  #x1");
    append(&path, "tus\",\"state\":\"working\",\"message\":\"half and half\"}\n");
    assert_eq!(world.hears(), "w-a: working half and half");
    // Kept open by its writer.
    let mut open = OpenOptions::new().append(true).open(&path).unwrap();
    for n in 0..20 {
        writeln!(open, r#"{{"type":"status","state":"completed","message":"{n}","ts":"{n}"}}"#)
            .unwrap();
    }
    let mut heard = String::new();
    while !heard.ends_with("completed 19") {
        heard = format!("{heard}, {}", world.hears().trim_start_matches("w-a: "));
    }
    let expected: Vec<String> = (0..20).map(|n| format!("completed {n}")).collect();
    assert_eq!(heard.trim_start_matches(", "), expected.join(", "));
    append(&path, "{\"type\":\"hook\",\"id\":\"h1\",\"event\":\"Stop\"}\n");
    assert!(world.hears().starts_with("w-a: record hook"));
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn events_files_may_be_truncated_and_replaced() {
    let mut world = World::new().watched();
    let path = world.events("w-a");
    let line = |n: u32| {
        format!("{{\"ts\":\"{n}\",\"type\":\"status\",\"state\":\"error\",\"message\":\"{n}\"}}\n")
    };
    append(&path, &line(1));
    assert_eq!(world.hears(), "w-a: error 1");
    append(&path, &line(2));
    assert_eq!(world.hears(), "w-a: error 2");
    // Rotated: what was told is still in it, and something new.
    rename_into(&path, &(line(2) + &line(3)));
    assert_eq!(world.hears(), "w-a: error 3");
    fs::write(&path, "").unwrap();
    append(&path, &line(4));
    assert_eq!(world.hears(), "w-a: error 4");
    fs::remove_file(&path).unwrap();
    append(&path, &line(5));
    assert_eq!(world.hears(), "w-a: error 5");
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_events_file_is_read_to_its_end() {
    let dir = Arc::new(TempDir::new().unwrap());
    fs::create_dir_all(dir.path().join(".schmux/events")).unwrap();
    let note = format!("{{\"type\":\"note\",\"text\":\"{}\"}}\n", "x".repeat(1000));
    let text =
        note.repeat(3000) + "{\"type\":\"status\",\"state\":\"error\",\"message\":\"last\"}\n";
    fs::write(events_file(dir.path(), "w-a"), text).unwrap();
    let mut world = World::open(dir, HashMap::new(), REAL);
    let (mut heard, mut notes) = (String::new(), 0);
    while !heard.ends_with("error last") {
        heard = world.hears();
        notes += heard.matches("record note").count();
    }
    assert_eq!(notes, 3000);
}
