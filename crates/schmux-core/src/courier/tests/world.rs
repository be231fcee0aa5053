//! Time, disk, gate, editor, a typist and all that can go wrong around one
//! courier. A run is decided by its [`Plan`] alone.

mod trouble;

use std::collections::VecDeque;

use super::super::adapter::Adapter;
use super::super::attempt::Attempt;
use super::super::message::{Message, MessageId, Sender};
use super::super::receipt::Receipt;
use super::super::*;
use super::agent::{Agent, Input, State};
use super::line::Line;
use super::plan::{Mischief, Plan, Way};

/// When the messages are told: the screen has been still for long then.
const TOLD: i64 = 3_000;
/// Until then everything that can happen has happened.
const CALM: i64 = TOLD + 8_000;
/// How long an editor asks when nobody hears it.
const EDITOR_ASKS: i64 = 3_500;
/// The longest waits are a minute; they come several times.
const END: i64 = 900_000;

#[derive(Debug, Clone)]
enum Happening {
    Tell(u32),
    Show,
    Looked(u64),
    Standing,
    Hook(String),
    /// The editor program has started.
    EditorAsks,
    EditorGivesUp(CallId),
    /// Somebody reads that an editor with this ticket asked in vain.
    Unheard(i64),
    /// It exits; with a text, it has written it.
    EditorExits(CallId, Option<String>),
    Human(String),
    Mischief(Mischief),
    Mend(Mischief),
    /// The agent asks something in its turn.
    Asks,
    Spin,
    Restart,
}

#[derive(Default)]
struct Disk {
    attempt: Option<Attempt>,
    receipts: Vec<Stamp>,
    kept: Vec<String>,
    messages: Vec<Message>,
}

pub struct World {
    plan: Plan,
    pub agent: Agent,
    courier: Option<Courier>,
    disk: Disk,
    now: i64,
    todo: Vec<(i64, u64, Happening)>,
    count: u64,
    random: u64,
    wake: Option<i64>,
    ticket: Option<i64>,
    gate: Option<String>,
    /// The call that waits for an answer.
    call: Option<CallId>,
    calls: u64,
    caught: String,
    /// A key went past the gate since that is watched for.
    slipped: bool,
    lagging: bool,
    line: Line,
    /// When the agent went into the editor that it runs.
    editor_since: i64,
    /// The ticket that this editor found.
    editor_ticket: i64,
    queue: VecDeque<(Input, bool)>,
    /// When the editor key that waits in there was pressed last.
    pressed: Option<i64>,
    printed: i64,
    shown: i64,
    pub human_typed: String,
    /// Keys that died with the daemon, or were kept from a dialog.
    pub astray: String,
    pub field_at_exit: Option<String>,
    /// What the daemon has done.
    pub steps: u32,
    traced: bool,
}

impl World {
    pub fn run(plan: Plan) -> World {
        let adapter = Adapter::of(Some(plan.agent)).clone();
        let mut world = World {
            agent: Agent::new(adapter.clone(), plan.draft),
            courier: Some(Courier::new(adapter)),
            random: plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            human_typed: plan.draft.to_owned(),
            disk: Disk::default(),
            now: 0,
            todo: Vec::new(),
            count: 0,
            wake: None,
            ticket: None,
            gate: None,
            call: None,
            calls: 0,
            caught: String::new(),
            slipped: false,
            lagging: false,
            line: Line::default(),
            editor_since: 0,
            editor_ticket: 0,
            queue: VecDeque::new(),
            pressed: None,
            printed: 0,
            shown: -100,
            astray: String::new(),
            field_at_exit: None,
            steps: 0,
            traced: only_seed().is_some(),
            plan,
        };
        world.script();
        world.play();
        world
    }

    fn script(&mut self) {
        self.after(0, Happening::Show);
        self.after(1, Happening::Standing);
        for number in 0..self.plan.messages {
            self.after(TOLD + i64::from(number) * 40, Happening::Tell(number));
        }
        let keys = match self.plan.pasted {
            true => vec![self.plan.typed.to_owned()],
            false => self.plan.typed.chars().map(String::from).collect(),
        };
        for keys in keys.into_iter().filter(|keys| !keys.is_empty()) {
            let at = TOLD + self.dice(3_000);
            self.after(at, Happening::Human(keys));
        }
        for mischief in self.plan.mischief.clone() {
            let at = TOLD + self.dice(2_500);
            let at = match mischief {
                Mischief::Ask => 1,
                Mischief::Cancel => TOLD + self.dice(600),
                _ => at,
            };
            self.after(at, Happening::Mischief(mischief));
        }
    }

    fn play(&mut self) {
        while self.now < END {
            let next = self.todo.iter().map(|(at, ..)| *at).min().unwrap_or(END);
            let wake = self.wake.filter(|_| self.courier.is_some()).unwrap_or(END);
            self.now = self.now.max(next.min(wake));
            if wake <= next {
                self.wake = None;
                self.tell(Event::Tick);
            } else if let Some(index) = self.first_due() {
                let (_, _, happening) = self.todo.remove(index);
                self.happen(happening);
            }
            if self.now > CALM + 5_000 && self.is_over() {
                break;
            }
        }
    }

    fn first_due(&self) -> Option<usize> {
        let due = self.todo.iter().enumerate().filter(|(_, (at, ..))| *at <= self.now);
        due.min_by_key(|(_, (at, number, _))| (*at, *number)).map(|(index, _)| index)
    }

    fn is_over(&self) -> bool {
        let idle = self.courier.as_ref().is_some_and(|courier| courier.under_way().is_none());
        idle && self.disk.messages.iter().all(|message| self.is_final(message.id))
    }

    fn dice(&mut self, sides: i64) -> i64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((self.random >> 16) % sides.unsigned_abs()) as i64
    }

    fn after(&mut self, wait: i64, happening: Happening) {
        self.count += 1;
        self.todo.push((self.now + wait, self.count, happening));
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Tell(number) => {
                let message = message(number, self.now);
                self.disk.messages.push(message.clone());
                let queued =
                    Stamp { message: message.id, receipt: Receipt::Queued, at: Moment(self.now) };
                self.disk.receipts.push(queued);
                self.tell(Event::Message(message));
            }
            Happening::Show => {
                self.shown = self.now;
                self.show();
            }
            Happening::Looked(_) if self.line.cut => {}
            Happening::Looked(number) => {
                self.show();
                let pane = self.pane();
                self.tell(Event::Looked(number, pane));
            }
            Happening::Standing if self.line.cut => {
                self.tell(Event::Standing(Standing::Unreachable));
            }
            // What an agent that draws nothing does is seen later.
            Happening::Standing if self.agent.asks && self.agent.frame.is_some() => {}
            Happening::Standing => {
                let standing = match self.agent.state {
                    State::Idle => Standing::Idle,
                    State::Working => Standing::Working,
                    State::Dialog => Standing::Dialog,
                    State::Gone => Standing::Exited,
                };
                self.tell(Event::Pane(self.pane()));
                self.tell(Event::Standing(standing));
            }
            // It stands in a file there, until that can be read.
            Happening::Hook(_) if self.line.cut => self.after(500, happening),
            Happening::Hook(text) => self.tell(Event::PromptSubmitted(text)),
            Happening::EditorAsks => self.editor_asks(),
            Happening::EditorGivesUp(call) if self.call == Some(call) => {
                self.call = None;
                self.happen(Happening::EditorExits(call, None));
            }
            Happening::EditorGivesUp(_) => {}
            Happening::Unheard(_) if self.line.cut || self.courier.is_none() => {
                let wait = 1 + self.dice(700);
                self.after(wait, happening);
            }
            Happening::Unheard(ticket) => {
                self.tell(Event::EditorUnheard(Moment(ticket)));
                // It is told again by the next who listens.
                if self.dice(2) == 0 {
                    let wait = 1 + self.dice(3_000);
                    self.after(wait, happening);
                }
            }
            Happening::EditorExits(call, text) => self.editor_exits(call, text),
            Happening::Human(keys) => self.human(&keys),
            Happening::Mischief(mischief) => self.mischief(mischief),
            Happening::Mend(mischief) => self.mend(mischief),
            Happening::Asks => self.asks(),
            Happening::Spin if self.agent.frame.is_some() => self.after(90, Happening::Spin),
            Happening::Spin if self.agent.state == State::Working => {
                self.agent.spin += 1;
                self.after(90, Happening::Spin);
                self.print();
            }
            Happening::Spin => {}
            Happening::Restart => self.restart(),
        }
    }

    fn pane(&self) -> Pane {
        Pane {
            in_mode: self.agent.copy_mode,
            shell: self.agent.state == State::Gone,
            slipped: self.slipped,
            ..Pane::default()
        }
    }

    /// The agent has drawn something.
    fn print(&mut self) {
        self.printed = self.now;
        let wait = (self.shown + 10 - self.now).max(self.dice(15));
        self.after(wait, Happening::Show);
    }

    fn show(&mut self) {
        if self.line.cut {
            return;
        }
        let view = Box::new(self.agent.view());
        self.tell(Event::Screen { view, since: Moment(self.printed) });
    }

    fn tell(&mut self, event: Event) {
        let Some(courier) = &mut self.courier else { return };
        let kept = self.traced.then(|| event.clone());
        let effects = courier.handle(event, Moment(self.now));
        if let Some(line) = kept.and_then(|event| courier.trace(&event, &effects)) {
            eprintln!("{:6} #{} {line}", self.now, self.steps);
        }
        let mut todo: VecDeque<Effect> = effects.into();
        while let Some(effect) = todo.pop_front() {
            if self.dies() {
                return self.lose_keys_of(std::iter::once(effect).chain(todo));
            }
            if let Some(event) = self.act(effect) {
                if self.dies() {
                    return self.lose_keys_of(todo);
                }
                let Some(courier) = &mut self.courier else { return };
                let kept = self.traced.then(|| event.clone());
                let effects = courier.handle(event, Moment(self.now));
                if let Some(line) = kept.and_then(|event| courier.trace(&event, &effects)) {
                    eprintln!("{:6} #{} {line}", self.now, self.steps);
                }
                todo.extend(effects);
            }
        }
    }

    fn act(&mut self, effect: Effect) -> Option<Event> {
        if let Some(heard) = self.line.stops(&effect) {
            return heard;
        }
        match effect {
            Effect::Store(number, save) => {
                self.disk.attempt = save.attempt;
                self.disk.receipts.extend(save.receipts);
                self.disk.kept.extend(save.kept.into_iter().map(|kept| kept.draft));
                return Some(Event::Stored(number));
            }
            Effect::Look(number) => self.after(1, Happening::Looked(number)),
            Effect::Press(keys) => {
                keys.into_iter().for_each(|key| self.input(Input::Key(key), true));
            }
            Effect::Watch => self.slipped = false,
            Effect::Submit if self.slipped => return Some(Event::Refused),
            Effect::Submit => self.input(Input::Key("Enter".into()), true),
            Effect::Type(text) => self.input(Input::Text(text), true),
            Effect::Paste(text) => self.input(Input::Paste(text), true),
            Effect::Answer(call, answer) => {
                self.call = None;
                let text = match answer {
                    EditorAnswer::Write(text) => Some(text),
                    EditorAnswer::Leave => None,
                    EditorAnswer::Human => {
                        self.agent.harm.push("the human's editor opened".into());
                        None
                    }
                };
                let wait = 1 + self.dice(10);
                self.after(wait, Happening::EditorExits(call, text));
            }
            // These editors are on this machine, and keep nothing.
            Effect::Taken(_) => {}
            Effect::Ticket(until) => self.ticket = until.map(|until| until.0),
            Effect::Gate(Gate::Close) => self.gate = self.gate.take().or(Some(String::new())),
            Effect::Gate(Gate::Open { first, replay }) => {
                let waited = self.gate.take().unwrap_or_default();
                let all = String::from_utf8(first).unwrap_or_default() + &waited;
                match replay {
                    true if !all.is_empty() => self.input(Input::Text(all), false),
                    true => {}
                    false => self.astray += &all,
                }
            }
            Effect::Repaint | Effect::Focus => self.print(),
            Effect::Remind(..) => {}
            Effect::Give(..) => unreachable!("no hook of this agent's takes messages along"),
            Effect::Wake(at) => self.wake = Some(at.0),
        }
        None
    }

    fn input(&mut self, input: Input, ours: bool) {
        if self.lagging {
            // Copy mode is tmux's: it takes keys before the agent's queue does.
            match (&input, ours) {
                _ if !self.agent.copy_mode => {
                    self.check_press(&input);
                    self.queue.push_back((input, ours));
                }
                (Input::Text(text), false) => self.astray += text,
                _ => self.agent.harm.push(format!("{input:?} into copy mode")),
            }
            return;
        }
        // While an editor runs, the terminal is its.
        if self.agent.editor.is_some() && !ours {
            if let Input::Text(text) = &input {
                self.caught += text;
            }
            return;
        }
        let had = self.agent.received.len();
        let was_open = self.agent.editor.is_some();
        let takes = matches!(self.agent.state, State::Idle | State::Working)
            && self.agent.eats == 0
            && !self.agent.copy_mode;
        if let (false, false, Input::Text(text)) = (takes, ours, &input) {
            self.astray += text;
        }
        self.agent.take(input, ours, self.now);
        if self.agent.received.len() > had {
            let text = self.agent.received[had].clone();
            self.agent.state = State::Working;
            let stall = if self.agent.frame.is_some() { 2_000 + self.dice(10_000) } else { 0 };
            if stall > 0 {
                self.lagging = true;
                self.after(stall, Happening::Mend(Mischief::Stall));
            }
            let (told, done) = (stall + 5 + self.dice(120), stall + 300 + self.dice(1_500));
            if self.agent.adapter.hooks && self.dice(10) > 0 {
                self.after(told, Happening::Hook(text));
            }
            self.after(stall + 20, Happening::Standing);
            self.after(done, Happening::Mend(Mischief::Work));
            self.after(90, Happening::Spin);
            if self.agent.asks {
                let wait = 20 + self.dice(2_000);
                self.after(wait, Happening::Asks);
            }
        }
        if self.agent.editor.is_some() && !was_open {
            self.editor_since = self.now;
            self.editor_ticket = self.ticket.unwrap_or_default();
            let wait = 5 + self.dice(40);
            self.after(wait, Happening::EditorAsks);
        }
        self.print();
    }

    fn editor_asks(&mut self) {
        let Some(content) = self.agent.editor.clone() else { return };
        self.calls += 1;
        let call = CallId(self.calls);
        if self.ticket.is_none_or(|until| until < self.now) {
            self.agent.harm.push("the human's editor opened without a ticket".into());
        }
        if self.courier.is_none() {
            self.after(1, Happening::Unheard(self.editor_ticket));
            return self.after(1, Happening::EditorExits(call, None));
        }
        if self.line.cut {
            // It asks again and again, and gives up.
            if self.now - self.editor_since < EDITOR_ASKS {
                return self.after(500, Happening::EditorAsks);
            }
            self.after(1, Happening::EditorExits(call, None));
            return self.after(0, Happening::Unheard(self.editor_ticket));
        }
        self.call = Some(call);
        self.after(3_000, Happening::EditorGivesUp(call));
        self.tell(Event::EditorCalled { call, caller: Caller::Agent, content });
    }

    fn editor_exits(&mut self, call: CallId, text: Option<String>) {
        let keys = std::mem::take(&mut self.caught);
        let wrote = text.is_some();
        let file = text.or(self.agent.editor.clone());
        if self.courier.is_some() && !self.line.cut {
            self.tell(Event::EditorEnded { call, wrote, keys: keys.into_bytes(), kept: None });
        } else {
            self.astray += &keys;
        }
        if let (Some(file), true) = (file, self.agent.editor.is_some()) {
            self.take_file(&file);
        }
        self.print();
        if !self.lagging {
            self.catch_up();
        }
    }

    /// The agent takes the file. What was typed since the text that an editor was
    /// handed it drops itself, whatever the file holds. Only keys that nobody tells of
    /// may be lost so: the others wait, or keep the courier from asking.
    fn take_file(&mut self, file: &str) {
        let drops = self.agent.is_outdated() && self.plan.way == Way::Unnoted;
        let typed = |c: &char| drops && self.plan.typed.contains(*c);
        let typed: String = self.agent.text().chars().filter(typed).collect();
        self.agent.dropped += &typed;
        self.agent.editor_ended(file);
    }

    fn human(&mut self, keys: &str) {
        self.human_typed.push_str(keys);
        self.slipped |= self.plan.way == Way::Noted;
        let gated = self.plan.way == Way::Gate && self.courier.is_some();
        if gated {
            self.tell(Event::HumanKeys { passed: self.gate.is_none() });
        }
        match &mut self.gate {
            Some(waiting) if gated => waiting.push_str(keys),
            _ => self.input(Input::Text(keys.to_owned()), false),
        }
    }

    fn is_final(&self, id: MessageId) -> bool {
        let mut mine = self.disk.receipts.iter().filter(|stamp| stamp.message == id);
        mine.next_back().is_some_and(|stamp| stamp.receipt.is_final())
    }

    /// The last receipt of each message, with its text as the agent gets it.
    pub fn fates(&self) -> Vec<(String, Receipt)> {
        let last = |id| self.disk.receipts.iter().rev().find(|stamp| stamp.message == id);
        let messages = self.disk.messages.iter();
        messages
            .filter_map(|message| Some((message.text.clone(), last(message.id)?.receipt.clone())))
            .collect()
    }

    pub fn kept(&self) -> &[String] {
        &self.disk.kept
    }

    /// The draft of a delivery that can't go on by itself.
    pub fn owed(&self) -> &str {
        let under_way = self.courier.as_ref().and_then(|courier| courier.delivery.as_ref());
        under_way.map_or("", |delivery| delivery.attempt.draft.as_str())
    }
}

/// The one seed that is to be played, and printed.
pub fn only_seed() -> Option<u64> {
    std::env::var("SCHMUX_COURIER_SEED").ok()?.parse().ok()
}

fn message(number: u32, now: i64) -> Message {
    let id = MessageId(i64::from(number) + 1);
    Message::new(id, Sender::Human, format!("run the tests #{number}"), Moment(now))
}
