//! What goes wrong: lost notices, lost directories, files that don't belong there.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn without_inotify_files_are_polled() {
    let means = Means { open_notices: || Err(rustix::io::Errno::MFILE.into()), ..REAL };
    let mut world = World::open(Arc::new(TempDir::new().unwrap()), HashMap::new(), means);
    until("directories", || world.path(".schmux/events").exists().then_some(()));
    fs::write(world.status("w-a"), "error whole\n").unwrap();
    assert_eq!(world.hears(), "w-a: error whole");
    fs::write(world.status("w-a"), "error without a newline").unwrap();
    assert_eq!(world.hears(), "w-a: error without a newline");
    append(&world.events("w-a"), "{\"type\":\"status\",\"state\":\"error\",\"message\":\"e\"}\n");
    assert_eq!(world.hears(), "w-a: error e");
    fs::remove_dir_all(world.path(".schmux")).unwrap();
    until("directories", || world.path(".schmux/signal").exists().then_some(()));
    fs::write(world.status("w-a"), "working again\n").unwrap();
    assert_eq!(world.hears(), "w-a: working again");
    let findings = world.report.findings();
    assert!(findings.polled[world.dir.path()].contains("max_user_instances"), "{findings:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn directories_that_go_away_are_made_and_watched_again() {
    let mut world = World::new().watched();
    type Act = fn(&World);
    let ways: [(&str, Act); 4] = [
        ("removed", |world| fs::remove_dir_all(world.path(".schmux")).unwrap()),
        ("removed in part", |world| fs::remove_dir_all(world.path(".schmux/signal")).unwrap()),
        ("moved", |world| {
            fs::rename(world.path(".schmux"), world.path("moved")).unwrap();
        }),
        ("replaced", |world| {
            fs::rename(world.path(".schmux/signal"), world.path("old")).unwrap();
            fs::create_dir(world.path(".schmux/signal")).unwrap();
        }),
    ];
    for (word, act) in ways {
        act(&world);
        until("the directory", || world.path(".schmux/signal").exists().then_some(()));
        fs::write(world.status("w-a"), format!("error {word}\n")).unwrap();
        assert_eq!(world.hears(), format!("w-a: error {word}"));
        let mut again = world.watched();
        fs::write(again.status("w-a"), format!("working {word}\n")).unwrap();
        assert_eq!(again.hears(), format!("w-a: working {word}"));
        world = again;
    }
    fs::write(world.path("moved/signal/w-a"), "error elsewhere\n").unwrap();
    fs::write(world.path("old/w-a"), "error elsewhere\n").unwrap();
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_overflow_everything_is_looked_at() {
    let mut world = World::new().watched();
    let gate = world.gate.clone();
    let held = gate.lock().unwrap();
    // The watch finds this, and waits at the gate with it.
    fs::write(world.status("w-a"), "working at the gate\n").unwrap();
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    let limit: usize = limit.trim().parse().unwrap();
    // Notices of one file in a row are one, so two take turns.
    let other = |n| File::create(world.path(&format!(".schmux/signal/other-{n}"))).unwrap();
    let mut others = [other(0), other(1)];
    for n in 0..=limit {
        others[n % 2].write_all(b"x").unwrap();
    }
    fs::write(world.status("w-b"), "error beyond the queue\n").unwrap();
    append(&world.events("w-b"), "{\"type\":\"status\",\"state\":\"completed\"}\n");
    drop(held);
    assert_eq!(world.hears(), "w-a: working at the gate");
    let mut heard = [world.hears(), world.hears()];
    heard.sort();
    assert_eq!(heard, ["w-b: completed ", "w-b: error beyond the queue"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_signal_is_counted_and_passed_over() {
    let mut world = World::new().watched();
    fs::write(world.status("w-a"), "done with it\n").unwrap();
    until("the count", || world.report.findings().invalid.values().next().cloned());
    fs::write(world.status("w-a"), "").unwrap();
    fs::write(world.status("w-a"), " \n\n").unwrap();
    fs::write(world.path(".schmux/signal/nobody"), "error of nobody\n").unwrap();
    append(
        &world.events("w-a"),
        "{\"type\":\"status\",\"state\":\"done\"}\nnot json\n{\"type\":\"note\",\"n\":1}\n",
    );
    assert_eq!(world.hears(), "w-a: record note {\"type\":\"note\",\"n\":1}");
    world.hears_nothing();
    let invalid = world.report.findings().invalid;
    let id = SessionId::new("w-a").unwrap();
    assert_eq!(invalid[&id], (3, r#"{"type":"status","state":"done"}"#.to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_belong_there_is_refused() {
    let mut world = World::new().watched();
    let status = world.status("w-a");
    fs::write(world.path("elsewhere"), "error through a link\n").unwrap();
    let refused = |world: &World| world.report.findings().refused.get(&status).cloned();
    type Put = fn(&World, &Path);
    let puts: [(&str, Put); 4] = [
        ("a symbolic link", |world, at| symlink(world.path("elsewhere"), at).unwrap()),
        ("a symbolic link", |_, at| symlink("/dev/zero", at).unwrap()),
        ("a FIFO", |_, at| mkfifoat(CWD, at, Mode::from_raw_mode(0o600)).unwrap()),
        ("a directory", |_, at| fs::create_dir(at).unwrap()),
    ];
    for (what, put) in puts {
        put(&world, &status);
        let said = until("a refusal", || refused(&world));
        assert!(said.contains(what), "{said}");
        fs::remove_file(&status).or_else(|_| fs::remove_dir(&status)).unwrap();
        // What takes its place is heard.
        fs::write(&status, format!("completed instead of {what}\n")).unwrap();
        assert_eq!(world.hears(), format!("w-a: completed instead of {what}"));
        assert_eq!(refused(&world), None);
        fs::remove_file(&status).unwrap();
    }
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_others_are_refused() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let mut world = World::new().watched();
    let status = world.status("w-a");
    let beside = world.path("beside");
    fs::write(&beside, "error of another user\n").unwrap();
    std::os::unix::fs::chown(&beside, Some(12345), None).unwrap();
    fs::rename(beside, &status).unwrap();
    let said = until("a refusal", || world.report.findings().refused.get(&status).cloned());
    assert!(said.contains("user 12345"), "{said}");
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_linked_directory_is_refused_and_the_other_one_read() {
    let dir = Arc::new(TempDir::new().unwrap());
    fs::create_dir_all(dir.path().join("elsewhere")).unwrap();
    fs::write(dir.path().join("elsewhere/w-a"), "error through a link\n").unwrap();
    fs::create_dir_all(dir.path().join(".schmux")).unwrap();
    symlink("../elsewhere", dir.path().join(".schmux/signal")).unwrap();
    let mut world = World::open(dir, HashMap::new(), REAL);
    let said = until("a word of it", || world.report.findings().closed.into_values().next());
    assert!(said.contains(".schmux/signal is a symbolic link"), "{said}");
    append(&world.events("w-a"), "{\"type\":\"status\",\"state\":\"completed\"}\n");
    assert_eq!(world.hears(), "w-a: completed ");
    // A plain one in its place is used at once.
    fs::remove_file(world.path(".schmux/signal")).unwrap();
    let mut world = world.watched();
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_where_nothing_can_be_made_is_told() {
    // Nobody can make a directory in there, not even root.
    let fleet = fleet_of(&[(Path::new("/proc"), &["w-a"])]);
    let world = World::with(Arc::new(TempDir::new().unwrap()), fleet, HashMap::new(), REAL);
    let said = until("a word of it", || world.report.findings().closed.into_values().next());
    assert!(said.contains("can't make /proc/.schmux"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_served_from_elsewhere_disturbs_nobody_else() {
    let means = Means {
        // No notices, so that the polling alone has to do it.
        open_notices: || Err(rustix::io::Errno::MFILE.into()),
        served: |path| path.ends_with("far").then(|| "/mount".into()),
    };
    let dir = Arc::new(TempDir::new().unwrap());
    let (far, near) = (dir.path().join("far"), dir.path().join("near"));
    for path in [&far, &near] {
        fs::create_dir_all(path.join(".schmux/signal")).unwrap();
    }
    fs::write(status_file(&far, "w-far"), "error far\n").unwrap();
    let (fleet, snapshots) = watch::channel(fleet_of(&[(&far, &["w-far"]), (&near, &["w-near"])]));
    let (sender, news) = mpsc::channel();
    let (stuck, gate) = (Arc::new(Mutex::new(false)), Arc::new(Mutex::new(())));
    let (is_stuck, shut) = (stuck.clone(), gate.clone());
    let held = gate.lock().unwrap();
    let sink: Sink = Arc::new(move |news: News| {
        if news.session.as_str() == "w-far" {
            *is_stuck.lock().unwrap() = true;
            let _open = shut.lock().unwrap();
        }
        sender.send(news.session.to_string()).is_ok()
    });
    let _report = start_with(snapshots, HashMap::new(), sink, means);
    until("the far one to hang", || stuck.lock().unwrap().then_some(()));
    for n in 0..2 {
        fs::write(status_file(&near, "w-near"), format!("error {n}\n")).unwrap();
        assert_eq!(news.recv_timeout(PATIENCE).unwrap(), "w-near");
    }
    drop(held);
    assert_eq!(news.recv_timeout(PATIENCE).unwrap(), "w-far");
    drop(fleet);
}
