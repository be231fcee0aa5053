//! What goes wrong in a [`World`]: a kill, a dialog, copy mode, an agent that ends,
//! lags, stalls or eats keys, a line that is cut.

use super::{
    Courier, Effect, Event, Gate, Happening, Input, MessageId, Mischief, Moment, Receipt, Stamp,
    State, Stored, Way, World, timing,
};

impl World {
    /// `kill -9`, if it is the moment for it.
    pub(super) fn dies(&mut self) -> bool {
        self.steps += 1;
        if self.plan.kill_at != Some(self.steps) {
            return false;
        }
        let courier = self.courier.take();
        let caught = courier.and_then(|courier| courier.delivery).map(|d| d.attempt.keys);
        let stored = self.disk.attempt.as_ref().map_or(0, |attempt| attempt.keys.len());
        let lost = caught.unwrap_or_default();
        self.astray += &String::from_utf8_lossy(lost.get(stored..).unwrap_or_default());
        // What waited at the gate was in the daemon's memory.
        self.astray += &self.gate.take().unwrap_or_default();
        if let Some(call) = self.call.take() {
            self.after(1, Happening::EditorExits(call, None));
        }
        let pause = 20 + self.dice(3_000);
        self.after(pause, Happening::Restart);
        true
    }

    /// Keys that were about to be replayed die with the daemon, too.
    pub(super) fn lose_keys_of(&mut self, effects: impl IntoIterator<Item = Effect>) {
        let stored = self.disk.attempt.as_ref().is_some_and(|attempt| !attempt.keys.is_empty());
        for effect in effects {
            if let (Effect::Gate(Gate::Open { first, .. }), false) = (effect, stored) {
                self.astray += &String::from_utf8_lossy(&first);
            }
        }
    }

    pub(super) fn restart(&mut self) {
        let pressed = self.ticket.is_some_and(|until| self.now <= until);
        let attempt = self.disk.attempt.clone();
        let mut stored = Stored { attempt, pressed, ..Stored::default() };
        for message in &self.disk.messages {
            let last = self.disk.receipts.iter().rev().find(|stamp| stamp.message == message.id);
            match last {
                Some(stamp) if stamp.receipt.is_final() => {}
                Some(Stamp { receipt: Receipt::Submitted, at, .. }) => {
                    stored.submitted.push((message.clone(), *at));
                }
                _ => stored.waiting.push(message.clone()),
            }
        }
        let adapter = self.agent.adapter.clone();
        self.courier = Some(Courier::restore(adapter, stored, Moment(self.now)));
        self.tell(Event::Tick);
        self.after(5, Happening::Standing);
        self.after(8, Happening::Show);
    }

    /// A press behind one that waits is a risk, and taken only after a long time, or
    /// after a dialog that should have read the first.
    pub(super) fn check_press(&mut self, input: &Input) {
        if *input == Input::Key("C-g".into()) {
            let before = self.pressed.replace(self.now);
            if before.is_some_and(|before| self.now - before < timing::STRAY) {
                self.agent.harm.push("two presses wait at the agent".into());
            }
        }
    }

    pub(super) fn mischief(&mut self, mischief: Mischief) {
        let lasting = 200 + self.dice(4_000);
        let stalls = self.agent.frame.is_some();
        let busy = stalls || self.agent.editor.is_some() || !self.queue.is_empty();
        match mischief {
            Mischief::Cancel => return self.tell(Event::Cancel(MessageId(1))),
            _ if self.agent.state == State::Gone => return,
            // An agent that stalls or is in its editor does nothing else.
            Mischief::Dialog
            | Mischief::Work
            | Mischief::Exit
            | Mischief::Lag
            | Mischief::Stall
                if busy =>
            {
                return self.after(15, Happening::Mischief(mischief));
            }
            Mischief::Dialog => self.agent.state = State::Dialog,
            Mischief::CopyMode => self.agent.copy_mode = true,
            Mischief::Exit => {
                self.field_at_exit = Some(self.agent.text());
                self.agent.state = State::Gone;
            }
            Mischief::Blank => self.agent.blank = true,
            Mischief::Lag => self.lagging = true,
            Mischief::Eat => self.agent.eats = 1,
            Mischief::Stale => self.agent.stale = true,
            Mischief::Stall => self.agent.stalls = true,
            Mischief::Ask => self.agent.asks = true,
            Mischief::Cut => {
                let under_way = self.dice(5);
                self.line.breaks(under_way);
            }
            Mischief::Work => {
                self.agent.state = State::Working;
                self.after(90, Happening::Spin);
            }
        }
        let told = self.dice(300);
        self.after(told, Happening::Standing);
        let lasting = if mischief == Mischief::Blank { 30 } else { lasting };
        self.after(lasting, Happening::Mend(mischief));
        self.print();
    }

    /// The turn opens a dialog, if it isn't over and no editor is in front.
    pub(super) fn asks(&mut self) {
        if self.agent.state != State::Working || self.agent.editor.is_some() {
            return;
        }
        self.agent.state = State::Dialog;
        let (told, answered) = (self.dice(300), 500 + self.dice(6_000));
        self.after(told, Happening::Standing);
        self.after(answered, Happening::Mend(Mischief::Dialog));
        self.print();
    }

    pub(super) fn mend(&mut self, mischief: Mischief) {
        match mischief {
            // Nobody answers what isn't drawn.
            Mischief::Dialog if self.agent.frame.is_some() => {
                return self.after(500, Happening::Mend(mischief));
            }
            Mischief::Dialog if self.agent.state == State::Dialog => {
                self.agent.state = State::Idle;
                // What was pressed before is taken for read by it.
                self.pressed = None;
            }
            Mischief::Work if self.agent.state == State::Working => self.agent.state = State::Idle,
            Mischief::CopyMode => self.agent.copy_mode = false,
            Mischief::Blank => self.agent.blank = false,
            Mischief::Cut => self.line.cut = false,
            Mischief::Lag if self.agent.frame.is_some() => {}
            Mischief::Lag => self.catch_up(),
            Mischief::Stall if self.agent.frame.is_some() => {
                self.catch_up();
                // Its frame comes behind all that.
                self.agent.frame = None;
            }
            _ => {}
        }
        let told = self.dice(300);
        self.after(told, Happening::Standing);
        self.print();
    }

    /// What the agent was given while it lagged, it takes now. What waited behind the
    /// editor key is read by the editor, or the agent has read it before that.
    pub(super) fn catch_up(&mut self) {
        self.lagging = false;
        self.pressed = None;
        let reads_ahead = self.plan.seed / 4 % 2 == 1;
        let mode = std::mem::take(&mut self.agent.copy_mode);
        let mut unseen = String::new();
        let mut inputs = std::mem::take(&mut self.queue);
        // It may stall again on the way.
        while let Some((input, ours)) = inputs.pop_front() {
            if self.agent.editor.is_some() && reads_ahead {
                inputs.push_front((input, ours));
                self.queue.append(&mut inputs);
                break;
            }
            match &input {
                Input::Key(key) if ours && key == "C-g" && self.agent.editor.is_some() => {
                    self.caught.push('\u{7}');
                }
                Input::Key(key) if ours && key == "C-k" && self.plan.way == Way::Unnoted => {
                    self.kill_line(&unseen);
                }
                Input::Text(text) if !ours => {
                    unseen += text;
                    self.input(input, ours);
                }
                _ => self.input(input, ours),
            }
        }
        self.agent.copy_mode = mode;
    }

    /// What was typed unheard and is unseen, because the agent lags, goes with a line
    /// that is taken away: nobody could know of it.
    fn kill_line(&mut self, unseen: &str) {
        let typed = |text: String| text.chars().filter(|c| unseen.contains(*c)).collect::<String>();
        let before = typed(self.agent.text());
        self.input(Input::Key("C-k".into()), true);
        let after = typed(self.agent.text());
        self.agent.dropped.extend(before.chars().filter(|c| !after.contains(*c)));
    }
}
