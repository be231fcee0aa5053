//! The loop that gives the model its events and carries out its effects.
//!
//! One thread owns the model and the screen. Two helpers feed it: a thread per
//! command that runs, and one that restores the terminal on SIGTERM or SIGHUP.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use crossterm::event::{self, KeyEventKind};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::args::{DemoArgs, EditorRepaint, Manners};
use super::editor::{self, Editor};
use super::model::{Effect, Event, Model};
use super::outside::{Journal, Signaller};
use super::screen::{self, Screen};
use super::script::Script;
use super::transcript::Entry;
use super::view;
use crate::proc;

/// How often children, files and editors are looked at while there are any:
/// too short to be felt, and long enough to cost nothing.
const WATCH: Duration = Duration::from_millis(8);
/// Without anything to watch the loop sleeps until a key comes.
const ASLEEP: Duration = Duration::from_secs(3600);
/// So many entries are kept for the full screen and for repainting.
const KEPT: usize = 2000;
/// More output than this of one command is cut: it is a demo.
const MOST_OUTPUT: u64 = 1 << 20;

/// The process group of a command that has ended, and what to tell the model.
type Done = (i32, Event);

struct Runtime {
    model: Model,
    screen: Screen,
    journal: Journal,
    signaller: Signaller,
    began: Instant,
    /// Printed, and kept.
    transcript: Vec<Entry>,
    /// How many of the transcript's last entries are not on the screen yet.
    unprinted: usize,
    editor: Option<Editor>,
    editor_delay: Duration,
    editor_repaint: EditorRepaint,
    /// The screen stays blank until there is input.
    blank: bool,
    echo_delay: Duration,
    /// The next paint is not before this.
    paint_at: Option<Instant>,
    title: String,
    /// The process group of the command that runs; 0 if there is none.
    running: Arc<AtomicI32>,
    /// One command runs at a time, so there is at most one result; the channel
    /// holds one, and a thread whose command was given up waits on nobody.
    done: (SyncSender<Done>, Receiver<Done>),
    exit: Option<i32>,
}

/// Runs the agent until it exits; returns its exit code.
pub(super) fn run(args: DemoArgs) -> anyhow::Result<i32> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("the demo agent needs a terminal: run `schmux spawn -t demo`, or run it in a shell");
    }
    let script = match &args.script {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("can't read the script {}", path.display()))?;
            Script::parse(&text).with_context(|| format!("in {}", path.display()))?
        }
        None => Script::newcomer(),
    };
    let journal = Journal::open(args.journal.as_deref()).context("can't open the journal")?;
    let directory =
        std::env::current_dir().map_or_else(|_| ".".into(), |dir| dir.display().to_string());
    let model = Model::new(Manners::new(&args), script, files(), directory);
    let running = Arc::new(AtomicI32::new(0));
    watch_signals(args.fullscreen, journal.clone(), running.clone())?;
    restore_on_panic(args.fullscreen);
    let mut runtime = Runtime {
        model,
        screen: Screen::enter(args.fullscreen).context("can't set up the terminal")?,
        journal,
        signaller: Signaller::from_env(args.signals),
        began: Instant::now(),
        transcript: Vec::new(),
        unprinted: 0,
        editor: None,
        editor_delay: Duration::from_millis(args.editor_delay),
        editor_repaint: args.editor_repaint,
        blank: false,
        echo_delay: Duration::from_millis(args.echo_delay),
        paint_at: None,
        title: String::new(),
        running,
        done: sync_channel(1),
        exit: None,
    };
    let result = runtime.run();
    editor::clean_up();
    let left = runtime.screen.leave();
    let code = result?;
    left.context("can't restore the terminal")?;
    Ok(code)
}

impl Runtime {
    fn run(&mut self) -> anyhow::Result<i32> {
        let (width, height) = crossterm::terminal::size()?;
        self.handle(Event::Resize(width, height))?;
        self.handle(Event::Start)?;
        loop {
            self.paint()?;
            if let Some(code) = self.exit {
                return Ok(code);
            }
            if self.editor.is_some() {
                std::thread::sleep(WATCH);
                self.watch_editor()?;
            } else if event::poll(self.patience())? {
                self.read_input()?;
            }
            self.watch_others()?;
        }
    }

    /// Reads all input that is there, so that a burst of keys is painted once.
    fn read_input(&mut self) -> anyhow::Result<()> {
        self.blank = false;
        loop {
            let event = match event::read()? {
                event::Event::Key(key) if key.kind != KeyEventKind::Release => Event::Key(key),
                event::Event::Paste(text) => Event::Paste(text),
                event::Event::Resize(width, height) => {
                    self.screen.repaint()?;
                    Event::Resize(width, height)
                }
                _ => return Ok(()),
            };
            self.handle(event)?;
            if !self.echo_delay.is_zero() && self.paint_at.is_none() {
                self.paint_at = Some(Instant::now() + self.echo_delay);
            }
            if self.exit.is_some() || self.editor.is_some() || !event::poll(Duration::ZERO)? {
                return Ok(());
            }
        }
    }

    fn watch_editor(&mut self) -> anyhow::Result<()> {
        let Some(edited) = self.editor.as_mut().and_then(Editor::poll) else { return Ok(()) };
        self.editor = None;
        self.screen.reclaim()?;
        match self.editor_repaint {
            EditorRepaint::Region => {}
            EditorRepaint::Transcript => self.unprinted = self.transcript.len(),
            EditorRepaint::BlankIfUnchanged => {
                self.screen.clear()?;
                self.unprinted = self.transcript.len();
                self.blank = edited.unchanged;
            }
        }
        self.handle(Event::EditorDone { text: edited.text, ok: edited.ok })
    }

    fn watch_others(&mut self) -> anyhow::Result<()> {
        if let Ok((group, event)) = self.done.1.try_recv()
            // A command that was interrupted may end late, when another one runs.
            && self.running.compare_exchange(group, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        {
            self.handle(event)?;
        }
        if self.model.awaited_file().is_some_and(std::path::Path::exists) {
            self.handle(Event::FileFound)?;
        }
        let now = self.began.elapsed();
        if self.model.next_tick(now).is_some() {
            self.handle(Event::Tick)?;
        }
        Ok(())
    }

    /// How long nothing needs to be done but to wait for a key.
    fn patience(&self) -> Duration {
        let now = self.began.elapsed();
        let tick = self.model.next_tick(now).map(|at| at.saturating_sub(now));
        let watched =
            self.running.load(Ordering::SeqCst) != 0 || self.model.awaited_file().is_some();
        let paint = self.paint_at.map(|at| at.saturating_duration_since(Instant::now()));
        [tick, watched.then_some(WATCH), paint].into_iter().flatten().min().unwrap_or(ASLEEP)
    }

    fn handle(&mut self, event: Event) -> anyhow::Result<()> {
        for effect in self.model.handle(event, self.began.elapsed()) {
            self.carry_out(effect)?;
        }
        Ok(())
    }

    fn carry_out(&mut self, effect: Effect) -> anyhow::Result<()> {
        match effect {
            Effect::Print(entry) => self.print(entry),
            // The editor has the terminal: raw bytes would spoil it, so they wait as text.
            Effect::Raw(text) if self.editor.is_some() => self.print(Entry::Plain(text)),
            Effect::Raw(text) => {
                self.paint_now()?;
                self.screen.raw(&text)?;
            }
            Effect::Bell => write!(io::stdout(), "\x07")?,
            Effect::Signal { state, message } => {
                self.journal.write(json!({"event": "signal", "state": state, "message": message}));
                if let Some(line) = self.signaller.tell(&state, &message) {
                    self.print(Entry::Plain(line));
                }
            }
            Effect::Journal(event) => self.journal.write(event),
            Effect::OpenEditor { text } => self.open_editor(&text)?,
            Effect::Run { command } => self.start_command(&command)?,
            Effect::Kill => end_group(&self.running),
            Effect::Clear => {
                self.transcript.clear();
                self.unprinted = 0;
                self.screen.clear()?;
            }
            Effect::Repaint => self.screen.repaint()?,
            Effect::Freeze(time) => {
                self.paint_now()?;
                std::thread::sleep(time);
            }
            Effect::Exit(code) => {
                end_group(&self.running);
                self.exit = Some(code);
            }
        }
        Ok(())
    }

    fn print(&mut self, entry: Entry) {
        self.transcript.push(entry);
        self.unprinted += 1;
        let excess = self.transcript.len().saturating_sub(KEPT.max(self.unprinted));
        self.transcript.drain(..excess);
    }

    fn open_editor(&mut self, text: &str) -> anyhow::Result<()> {
        self.paint_now()?;
        std::thread::sleep(self.editor_delay);
        self.screen.lend()?;
        match Editor::open(text) {
            Ok(editor) => self.editor = Some(editor),
            Err(err) => {
                self.screen.reclaim()?;
                self.print(Entry::Error(format!("can't open the editor: {err:#}")));
                self.handle(Event::EditorDone { text: None, ok: false })?;
            }
        }
        Ok(())
    }

    fn start_command(&mut self, command: &str) -> anyhow::Result<()> {
        let script = format!("exec 2>&1\n{command}");
        let mut child = match proc::collected(&["sh", "-c", &script]) {
            Ok(child) => child,
            Err(err) => {
                return self.handle(Event::ChildDone { output: err.to_string(), code: None });
            }
        };
        let group = child.id() as i32;
        self.running.store(group, Ordering::SeqCst);
        let done = self.done.0.clone();
        std::thread::spawn(move || {
            let mut output = Vec::new();
            if let Some(stdout) = child.stdout.take() {
                let _ = stdout.take(MOST_OUTPUT).read_to_end(&mut output);
            }
            let code = child.wait().ok().and_then(|status| status.code());
            let output = String::from_utf8_lossy(&output).into_owned();
            let _ = done.send((group, Event::ChildDone { output, code }));
        });
        Ok(())
    }

    fn paint(&mut self) -> anyhow::Result<()> {
        if self.paint_at.is_some_and(|at| Instant::now() < at) && self.exit.is_none() {
            return Ok(());
        }
        self.paint_now()
    }

    fn paint_now(&mut self) -> anyhow::Result<()> {
        self.paint_at = None;
        if self.editor.is_some() || self.blank {
            return Ok(());
        }
        let now = self.began.elapsed();
        let title = view::title(&self.model, now);
        if title != self.title {
            let shown: String = title.chars().filter(|c| !c.is_control()).collect();
            write!(io::stdout(), "\x1b]2;{shown}\x07")?;
            self.title = title;
        }
        let new = &self.transcript[self.transcript.len() - self.unprinted..];
        self.screen.paint(&self.model, new, &self.transcript, now)?;
        self.unprinted = 0;
        io::stdout().flush()?;
        Ok(())
    }
}

/// What `@` offers: the files of this directory and of those in it.
fn files() -> Vec<String> {
    let list = |dir: &str| -> Vec<(String, bool)> {
        let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
        let named = entries.flatten().filter_map(|entry| {
            let name =
                entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
            Some((name, entry.file_type().is_ok_and(|kind| kind.is_dir())))
        });
        named.take(200).collect()
    };
    let mut files = Vec::new();
    for (name, is_dir) in list(".") {
        if is_dir {
            files.extend(list(&name).into_iter().map(|(inner, _)| format!("{name}/{inner}")));
        } else {
            files.push(name);
        }
    }
    files.sort();
    files.truncate(500);
    files
}

fn end_group(running: &AtomicI32) {
    let group = running.swap(0, Ordering::SeqCst);
    if let Some(group) = Pid::from_raw(group) {
        // It may have ended by itself just now.
        let _ = kill_process_group(group, Signal::TERM);
    }
}

fn restore_on_panic(fullscreen: bool) {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let _ = screen::give_back(fullscreen);
        report(info);
    }));
}

/// Restores the terminal and exits on SIGTERM and SIGHUP. SIGINT is for the
/// editor: while that has the terminal, Ctrl-C must not end us.
fn watch_signals(
    fullscreen: bool,
    journal: Journal,
    running: Arc<AtomicI32>,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let entered = runtime.enter();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    drop(entered);
    std::thread::spawn(move || {
        let name = runtime.block_on(async {
            loop {
                tokio::select! {
                    _ = terminate.recv() => return (15, "SIGTERM"),
                    _ = hangup.recv() => return (1, "SIGHUP"),
                    _ = interrupt.recv() => {}
                }
            }
        });
        let (number, name) = name;
        end_group(&running);
        editor::clean_up();
        journal.write(json!({"event": "exit", "code": 128 + number, "why": name}));
        let _ = screen::give_back(fullscreen);
        std::process::exit(128 + number);
    });
    Ok(())
}
