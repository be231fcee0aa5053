//! A `kill -9` of the daemon before a chosen step of its deliveries, for tests of
//! what a restart makes of it. It isn't in release builds.

#[cfg(debug_assertions)]
pub(super) fn step() {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicI64, Ordering};

    use rustix::process::{Signal, getpid, kill_process};

    /// How many steps are left to be made; none and fewer mean that nothing happens.
    static LEFT: LazyLock<AtomicI64> = LazyLock::new(|| {
        let chosen = std::env::var("SCHMUX_TEST_KILL_AT").ok().and_then(|text| text.parse().ok());
        AtomicI64::new(chosen.unwrap_or(0))
    });
    if LEFT.load(Ordering::Relaxed) > 0 && LEFT.fetch_sub(1, Ordering::Relaxed) == 1 {
        // Nothing after this runs, so there is nobody to tell that it failed.
        let _ = kill_process(getpid(), Signal::KILL);
        std::process::abort();
    }
}

#[cfg(not(debug_assertions))]
pub(super) fn step() {}
