//! Playing a turn: what each step of a script does, and how a turn ends.
//!
//! The part of the model that works; pure like the rest of it.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::dialog::{Answer, Dialog, Kind};
use super::model::{Effect, Model};
use super::popup::COMMANDS;
use super::script::{Script, Step};
use super::transcript::Entry;
use super::turn::{Doing, Task, Turn};

impl Model {
    pub(super) fn start(&mut self, now: Duration) {
        let directory = self.directory.clone();
        self.journal(json!({"event": "started", "directory": directory}));
        self.print(Entry::Welcome { directory });
        let mut steps = self.script.start();
        if self.manners.trust_dialog {
            steps.insert(0, Step::Trust);
        }
        if !self.manners.prompt.is_empty() {
            let prompt = self.manners.prompt.clone();
            self.journal(json!({
                "event": "submitted", "text": prompt, "kind": "message", "how": "argument"
            }));
            self.queue.push_back(Task::Message { shown: prompt.clone(), text: prompt, images: 0 });
        }
        self.turn = Some(Turn::new(Task::Start, steps, now));
        self.advance(now);
    }

    /// Begins a turn about a task that the agent has now received.
    pub(super) fn begin(&mut self, task: Task, now: Duration) {
        let steps = match &task {
            Task::Start => Vec::new(),
            Task::Message { text, shown, images } => {
                self.receive(text, shown.clone(), *images);
                self.signal("working", text);
                self.script.answer(text)
            }
            Task::Shell(command) => {
                self.print(Entry::Shell { command: command.clone() });
                vec![Step::Run(command.clone())]
            }
            Task::Slash(text) => return self.slash(text.clone(), now),
        };
        self.turn = Some(Turn::new(task, steps, now));
        self.note_phase();
        self.advance(now);
    }

    /// Takes a message in: from here on the agent has it.
    pub(super) fn receive(&mut self, text: &str, shown: String, images: usize) {
        self.journal(json!({"event": "received", "text": text, "images": images}));
        self.print(Entry::User { text: shown });
    }

    /// Takes a message into the turn that runs.
    pub(super) fn steer(&mut self, text: &str, now: Duration) {
        let steps = self.script.answer(text);
        if let Some(turn) = &mut self.turn {
            turn.steps.extend(steps);
        }
        self.advance(now);
    }

    /// Plays steps until one of them has to wait.
    pub(super) fn advance(&mut self, now: Duration) {
        loop {
            let Some(turn) = &mut self.turn else { return };
            match &mut turn.doing {
                Doing::Nothing => match turn.steps.pop_front() {
                    Some(step) => self.play(step, now),
                    None => return self.finish(now),
                },
                Doing::Working { until } if now >= *until => turn.doing = Doing::Nothing,
                Doing::Speaking { next, .. } if now >= *next => self.speak(now),
                _ => return,
            }
        }
    }

    pub(super) fn file_found(&mut self, now: Duration) {
        if let Some(turn) = &mut self.turn
            && turn.awaited_file().is_some()
        {
            turn.doing = Doing::Nothing;
        }
        self.advance(now);
    }

    pub(super) fn child_done(&mut self, output: &str, code: Option<i32>, now: Duration) {
        let Some(turn) = &mut self.turn else { return };
        let Doing::Running { command } = &turn.doing else { return };
        let event = if matches!(turn.task, Task::Shell(_)) { "shell" } else { "tool" };
        let line = json!({"event": event, "command": command, "code": code, "output": output});
        turn.doing = Doing::Nothing;
        self.journal(line);
        let text = if output.trim().is_empty() { "(no output)" } else { output.trim_end() };
        self.print(Entry::Output { text: text.to_owned(), ok: code == Some(0) });
        self.advance(now);
    }

    pub(super) fn open_dialog(&mut self, dialog: Dialog) {
        let event = json!({
            "event": "dialog_opened", "kind": dialog.kind.name(),
            "question": dialog.question, "options": dialog.options
        });
        self.journal(event);
        if dialog.kind != Kind::View {
            let message = match &dialog.kind {
                Kind::Permission { command } => format!("{} ({command})", dialog.question),
                _ => dialog.question.clone(),
            };
            if let Some(turn) = &mut self.turn {
                turn.doing = Doing::Asking;
                turn.asked = true;
            }
            self.signal("needs_input", &message);
            self.ring();
        }
        self.dialog = Some(dialog);
        self.note_phase();
    }

    pub(super) fn answer(&mut self, answer: Answer, now: Duration) {
        let Some(dialog) = self.dialog.take() else { return };
        let chosen = answer.choice.and_then(|choice| dialog.options.get(choice)).cloned();
        self.journal(json!({
            "event": "dialog_answered", "kind": dialog.kind.name(),
            "choice": answer.choice.map(|choice| choice + 1), "answer": chosen, "by": answer.by
        }));
        self.note_phase();
        let refused = dialog.refuses(answer.choice);
        if let (Some(turn), true) = (&mut self.turn, dialog.kind != Kind::View) {
            turn.doing = Doing::Nothing;
        }
        match dialog.kind {
            Kind::View => {}
            Kind::Permission { .. } if refused => return self.abandon("Denied", now),
            Kind::Permission { command } => {
                self.auto_approve |= answer.choice == Some(1);
                self.back_to_work();
                self.run(command);
            }
            Kind::Plan if refused => return self.abandon("Plan refused", now),
            Kind::Plan | Kind::Question => match chosen {
                Some(chosen) => {
                    self.print(Entry::Output { text: chosen, ok: true });
                    self.back_to_work();
                }
                None => return self.abandon("Declined to answer", now),
            },
            Kind::Trust if refused => return self.exit(1, "not trusted"),
            Kind::Login if answer.choice.is_none() => return self.exit(1, "not logged in"),
            Kind::Trust => self.back_to_work(),
            Kind::Login => {
                self.print(Entry::Note("Logged in.".to_owned()));
                self.back_to_work();
            }
        }
        self.advance(now);
    }

    /// Ends the turn because the human said so.
    pub(super) fn interrupt(&mut self, by: &str, now: Duration) {
        if let Some(Turn { doing: Doing::Running { .. }, .. }) = self.turn {
            self.emit(Effect::Kill);
        }
        self.print_spoken();
        self.journal(json!({"event": "interrupted", "by": by}));
        // What waited comes back into the field, so that nothing is sent unseen after a stop.
        let waiting: Vec<String> =
            self.queue.drain(..).map(|task| task.text().to_owned()).collect();
        if !waiting.is_empty() {
            self.composer.prepend(&waiting.join("\n"));
        }
        self.abandon("Interrupted", now);
    }

    fn abandon(&mut self, word: &str, now: Duration) {
        self.print(Entry::Stopped(word.to_owned()));
        if !self.manners.silent_interrupt && !self.is_shell() {
            self.signal("completed", word);
        }
        self.turn = None;
        self.note_phase();
        self.take_next(now);
    }

    fn play(&mut self, step: Step, now: Duration) {
        match step {
            Step::Reply(text) => self.begin_speaking(&text, now),
            Step::Work { time, verb } => {
                self.wait(Doing::Working { until: now + time }, Some(verb))
            }
            Step::WaitForFile(path) => {
                let verb = format!("Waiting for {}", shown_path(&path).display());
                self.wait(Doing::Waiting(path), Some(verb));
            }
            Step::Run(command) if self.is_shell() => self.run(command),
            Step::Tool(command) if !self.auto_approve => {
                self.print(Entry::Tool { command: command.clone() });
                self.open_dialog(Dialog::permission(&command));
            }
            Step::Tool(command) | Step::Run(command) => {
                self.print(Entry::Tool { command: command.clone() });
                self.run(command);
            }
            Step::Question { text, options } => self.open_dialog(Dialog::question(&text, &options)),
            Step::Plan(text) => self.open_dialog(Dialog::plan(&text)),
            Step::Login => self.open_dialog(Dialog::login()),
            Step::Trust => self.open_dialog(Dialog::trust(&self.directory.clone())),
            Step::Error(text) => self.fail(Entry::Error(format!("API Error: {text}")), &text, now),
            Step::RateLimit(text) => self.fail(Entry::Warning(text.clone()), &text, now),
            Step::Print(text) => self.print(Entry::Plain(text)),
            Step::Raw(text) => self.emit(Effect::Raw(text)),
            Step::Burst(count) => {
                let lines: Vec<String> =
                    (1..=count).map(|n| format!("line {n} of {count}")).collect();
                self.print(Entry::Plain(lines.join("\n")));
            }
            Step::Signal { state, message } => self.signal(&state, &message),
            Step::Title(text) => self.title = Some(text).filter(|text| !text.is_empty()),
            Step::Bell => self.emit(Effect::Bell),
            Step::EatKeys(count) => self.to_eat += count,
            Step::Repaint => self.emit(Effect::Repaint),
            Step::Freeze(time) => self.emit(Effect::Freeze(time)),
            Step::Exit(code) => {
                self.turn = None;
                self.exit(code, "script");
            }
        }
    }

    fn wait(&mut self, doing: Doing, verb: Option<String>) {
        if let Some(turn) = &mut self.turn {
            turn.doing = doing;
            turn.verb = verb.unwrap_or_else(|| turn.verb.clone());
        }
    }

    fn run(&mut self, command: String) {
        self.wait(Doing::Running { command: command.clone() }, Some("Running".to_owned()));
        self.emit(Effect::Run { command });
    }

    fn begin_speaking(&mut self, text: &str, now: Duration) {
        // Words keep the blanks and newlines after them, so that joining them gives the text.
        let rest: VecDeque<String> = text.split_inclusive([' ', '\n']).map(str::to_owned).collect();
        if let Some(turn) = &mut self.turn {
            text.clone_into(&mut turn.said);
        }
        let (line, first) = (String::new(), true);
        self.wait(Doing::Speaking { rest, line, first, next: now }, None);
    }

    fn speak(&mut self, now: Duration) {
        let pause = self.manners.word_pause;
        let Some(Turn { doing, .. }) = &mut self.turn else { return };
        let Doing::Speaking { rest, line, first, next } = doing else { return };
        let Some(word) = rest.pop_front() else {
            self.print_spoken();
            return self.wait(Doing::Nothing, None);
        };
        line.push_str(&word);
        *next = (*next + pause).max(now.saturating_sub(pause));
        if line.ends_with('\n') {
            let text = std::mem::take(line).trim_end_matches('\n').to_owned();
            let entry = Entry::Reply { text, first: std::mem::take(first) };
            self.print(entry);
        }
    }

    /// Prints what has been said and not printed, so that an interrupt loses no word.
    fn print_spoken(&mut self) {
        let Some(Turn { doing: Doing::Speaking { line, first, .. }, .. }) = &mut self.turn else {
            return;
        };
        let (text, first) = (std::mem::take(line), *first);
        if !text.is_empty() {
            self.print(Entry::Reply { text, first });
        }
    }

    fn fail(&mut self, entry: Entry, text: &str, now: Duration) {
        self.print(entry);
        self.signal("error", text);
        self.turn = None;
        self.note_phase();
        self.take_next(now);
    }

    fn finish(&mut self, now: Duration) {
        let Some(turn) = self.turn.take() else { return };
        if matches!(turn.task, Task::Message { .. } | Task::Slash(_)) {
            let summary = if turn.said.is_empty() { turn.task.text() } else { &turn.said };
            self.signal("completed", summary);
            self.ring();
        } else if turn.task == Task::Start && turn.asked {
            // The dialogs of the start were signalled, so their end is too.
            self.signal("completed", "Ready");
        }
        self.note_phase();
        self.take_next(now);
    }

    fn take_next(&mut self, now: Duration) {
        if let Some(task) = self.queue.pop_front() {
            self.begin(task, now);
        }
    }

    fn slash(&mut self, text: String, now: Duration) {
        self.journal(json!({
            "event": "slash", "text": text, "known": known_command(&text).is_some()
        }));
        match known_command(&text) {
            Some("/exit") => return self.exit(0, "slash"),
            Some("/clear") => self.emit(Effect::Clear),
            Some(name) => {
                self.print(Entry::User { text: text.clone() });
                self.signal("working", &text);
                let steps = Script::newcomer().answer(name);
                self.turn = Some(Turn::new(Task::Slash(text), steps, now));
                self.note_phase();
                return self.advance(now);
            }
            None => {
                let word = text.split_whitespace().next().unwrap_or_default();
                self.print(Entry::Warning(format!("Unknown command: {word}")));
            }
        }
        self.take_next(now);
    }

    fn back_to_work(&mut self) {
        let task = self.turn.as_ref().map(|turn| turn.task.text().to_owned()).unwrap_or_default();
        self.signal("working", &task);
    }

    fn ring(&mut self) {
        if self.manners.bell {
            self.emit(Effect::Bell);
        }
    }

    fn is_shell(&self) -> bool {
        matches!(self.turn, Some(Turn { task: Task::Shell(_), .. }))
    }
}

/// Whether a slash command is one of ours, by its first word.
fn known_command(text: &str) -> Option<&'static str> {
    let word = text.split_whitespace().next().unwrap_or_default();
    COMMANDS.iter().map(|(name, _)| *name).find(|name| *name == word)
}

/// The path as the transcript shows it.
fn shown_path(path: &Path) -> PathBuf {
    path.file_name().map_or_else(|| path.to_owned(), PathBuf::from)
}
