//! What a run is decided by.

/// What happens in a run.
#[derive(Debug, Clone)]
pub struct Plan {
    pub seed: u64,
    pub agent: &'static str,
    pub draft: &'static str,
    pub messages: u32,
    /// The typist's keys, one by one.
    pub typed: &'static str,
    pub way: Way,
    /// They come all at once.
    pub pasted: bool,
    pub mischief: Vec<Mischief>,
    /// The daemon dies when it has done so much.
    pub kill_at: Option<u32>,
}

/// How the typist's keys come to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// They wait at the gate.
    Gate,
    /// Past the gate, and tmux notes it: a paste, an ideograph, another program.
    Noted,
    /// Past the gate, and nobody notices: someone's own tmux.
    Unnoted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mischief {
    Dialog,
    CopyMode,
    Exit,
    Blank,
    Lag,
    Eat,
    Work,
    /// An editor is handed a text that was sent already.
    Stale,
    /// The same, and the text is old by many seconds: the agent stalls right after
    /// it took Enter, and its editor key comes before its next frame.
    Stall,
    /// The turn that a message begins asks something, maybe before the agent has
    /// drawn that it took Enter.
    Ask,
    /// The human takes the first message back.
    Cancel,
    /// The way to the agent's host breaks.
    Cut,
}
