//! The status file, in all the ways that agents write it.

use super::*;

/// All ways to write a status file, each with news.
fn write_in_every_way(world: &mut World) {
    let path = world.status("w-a");
    fs::write(&path, "needs_input created\n").unwrap();
    assert_eq!(world.hears(), "w-a: needs_input created");
    fs::write(&path, "error truncated and written\n").unwrap();
    assert_eq!(world.hears(), "w-a: error truncated and written");
    append(&path, "completed appended\n");
    assert_eq!(world.hears(), "w-a: completed appended");
    append(&path, "progress: 40\n");
    assert_eq!(world.hears(), r#"w-a: added [("progress", "40")] to completed"#);
    rename_into(&path, "needs_testing renamed\n");
    assert_eq!(world.hears(), "w-a: needs_testing renamed");
    fs::write(&path, "working without a newline").unwrap();
    assert_eq!(world.hears(), "w-a: working without a newline");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "completed recreated\n").unwrap();
    assert_eq!(world.hears(), "w-a: completed recreated");
    // Its writer keeps it open, and writes a line in two halves.
    let mut open = File::create(&path).unwrap();
    open.write_all(b"error kept op").unwrap();
    open.write_all(b"en\n").unwrap();
    assert_eq!(world.hears(), "w-a: error kept open");
    open.write_all(b"working still").unwrap();
    assert_eq!(world.hears(), "w-a: working still");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_file_is_heard_however_it_is_written() {
    let mut world = World::new().watched();
    write_in_every_way(&mut world);
    world.hears_nothing();
    assert_eq!(
        world.report.findings(),
        Findings { watched: 1, ..Findings::default() },
        "all is well"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_words_in_a_later_write_are_news() {
    let mut world = World::new().watched();
    for _ in 0..5 {
        fs::write(world.status("w-a"), "needs_input the same\n").unwrap();
        assert_eq!(world.hears(), "w-a: needs_input the same");
        // The file system's clock has to tick.
        let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        let before = modified(&world.status("w-a"));
        until("a tick", || {
            fs::write(world.path("clock"), "").unwrap();
            (modified(&world.path("clock")) > before).then_some(())
        });
    }
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_caught_in_the_middle_is_told_once() {
    let mut world = World::new().watched();
    let path = world.status("w-a");
    let writer = thread::spawn(move || {
        for n in 0..=500 {
            // Truncated first and written a moment later, as a shell does it.
            let mut file = File::create(&path).unwrap();
            (0..n % 50).for_each(|_| thread::yield_now());
            file.write_all(format!("error {n}\n").as_bytes()).unwrap();
            drop(file);
            (0..n % 100).for_each(|_| thread::yield_now());
        }
    });
    let mut heard: Vec<u32> = Vec::new();
    while heard.last() != Some(&500) {
        heard.push(world.hears().trim_start_matches("w-a: error ").parse().unwrap());
    }
    writer.join().unwrap();
    assert!(heard.is_sorted_by(|a, b| a < b), "{heard:?}");
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_there_before_and_what_came_while_away_is_told_once() {
    let dir = Arc::new(TempDir::new().unwrap());
    fs::create_dir_all(dir.path().join(".schmux/signal")).unwrap();
    fs::write(status_file(dir.path(), "w-a"), "needs_input before\n").unwrap();
    let mut world = World::open(dir, HashMap::new(), REAL);
    assert_eq!(world.hears(), "w-a: needs_input before");
    let mut world = world.watched();
    append(&world.events("w-a"), "{\"type\":\"status\",\"state\":\"error\"}\n");
    assert_eq!(world.hears(), "w-a: error ");

    let mut world = world.restart().watched();
    world.hears_nothing();

    let (status, events) = (world.status("w-a"), world.events("w-a"));
    let mut world = {
        let World { dir, fleet, places, news, .. } = world;
        drop(fleet);
        assert!(news.iter().next().is_none());
        fs::write(status, "error while away\n").unwrap();
        append(&events, "{\"type\":\"status\",\"state\":\"completed\",\"message\":\"too\"}\n");
        World::open(dir, places, REAL)
    };
    let mut heard = [world.hears(), world.hears()];
    heard.sort();
    assert_eq!(heard, ["w-a: completed too", "w-a: error while away"]);
    world.watched().hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_come_and_go() {
    let mut world = World::new().watched();
    fs::write(world.status("w-c"), "error too early\n").unwrap();
    fs::write(world.status("w-a"), "nonsense\n").unwrap();
    until("the count", || world.report.findings().invalid.values().next().cloned());
    world.fleet.send_replace(fleet_of(&[(world.dir.path(), &["w-b", "w-c"])]));
    assert_eq!(world.hears(), "w-c: error too early");
    assert!(world.report.findings().invalid.is_empty());
    fs::write(world.status("w-a"), "error nobody listens\n").unwrap();
    world.hears_nothing();
    world.fleet.send_replace(fleet_of(&[]));
    until("the end", || (world.report.findings() == Findings::default()).then_some(()));
}
