//! How long the courier waits for what, in milliseconds, and why.

/// The human isn't typing if nothing came for this long: pauses between words
/// are shorter, and a person who thinks longer has a draft, which is kept.
pub const QUIET: i64 = 1_500;

/// A screen that shows an idle agent is still for this long before anything is
/// typed: a redraw takes 50 ms, and 350 on a loaded machine.
pub const STILL: i64 = 400;

/// The same where nothing tells that the agent is idle.
pub const STILL_UNKNOWN: i64 = 2_000;

/// How long human keys may wait before the courier begins to give back. People
/// notice 100 ms and accept a second and a half once.
pub const GATE_BUDGET: i64 = 1_500;

/// How many bytes of a message give it a millisecond more than that. Of a paste of
/// 1 MB Claude Code showed nothing for 1.3 s, and Gemini CLI for 0.9 s, on a machine
/// with ten times the load that it can carry. Only while no key is known to wait; with
/// 1 MB the gate's limit stays below the 5 s after which hosts open it themselves.
pub const BYTES_A_MS: usize = 500;

/// How long the agent may take to show a key that came right before the gate was
/// closed. An editor gets the text of the last frame from some agents, so a key that
/// was read and not drawn would be lost with it. A key is drawn within 50 ms.
pub const CLOSED: i64 = 80;

/// How long giving back may take then: a handshake, which takes half a second.
pub const GIVING_BACK: i64 = 1_000;

/// When the gate opens whatever is under way. Giving back takes a handshake.
pub const GATE_LIMIT: i64 = 3_000;

/// How long tmux may take to tell a pane's facts; it takes 0.3 ms.
pub const LOOK: i64 = 2_000;

/// How long an echo may take. The slowest agent took 350 ms under load; the
/// gate's budget ends it sooner.
pub const ECHO: i64 = 1_200;

/// After this the editor key is pressed to learn whether Enter was taken, if
/// the field hasn't changed. It takes 50 ms at most where it is taken.
pub const ENTER: i64 = 700;

/// How long a message must be out of the field before that counts: a redraw
/// empties a field for an instant.
pub const GONE: i64 = 80;

/// How long the proof of a submit must stand on the screen.
pub const PROOF: i64 = 250;

/// The same where there is no empty field to be seen.
pub const PROOF_WITHOUT_FIELD: i64 = 800;

/// How long a text may take to show in the conversation once it was sent.
pub const CONVERSATION: i64 = 3_000;

/// How long a sent message may lack a proof before people are told so.
pub const UNPROVEN: i64 = 10_000;

/// How long we listen for the agent's word on a message after that.
pub const LATE_WORD: i64 = 600_000;

/// How long the word on a message that the screen proved may still come.
pub const EXPECTED_WORD: i64 = 30_000;

/// How long a hook may take to say that it has passed a message on. It takes
/// milliseconds; after a restart its word is found in the events file.
pub const HANDED: i64 = 10_000;

/// What was typed within this time of a swap was typed behind the draft.
pub const RECENT: i64 = 10_000;

/// How long a press that wasn't answered keeps us from the next one: two that
/// wait at a lagging agent open two editors.
pub const PRESS_AGAIN: i64 = 60_000;

/// The same where a draft is to go back: the human waits for it.
pub const OWED_AGAIN: [i64; 3] = [15_000, 30_000, 60_000];

/// How many bytes of a message keep us a millisecond longer from pressing again:
/// Gemini CLI read nothing for up to 45 s after it had taken a message of 1 MB.
pub const BYTES_A_MS_AFTER: usize = 20;

/// How long an editor may take to exit once it was answered, if it doesn't say
/// so. It takes 10 ms, and 1.5 s where a machine stalls; a key that is pressed
/// sooner is the editor's, and the agent never sees it.
pub const EXIT: i64 = 2_500;

/// How long the agent may take to have its terminal back after the editor said
/// that it exits: what is typed sooner could still go to the editor.
pub const BACK: i64 = 40;

/// How long a second press of the editor key may take once the first was
/// answered: both waited at the same agent, and it takes an editor's start.
pub const STRAYS: i64 = 1_000;

/// How often an agent is told that it has the focus, at most.
pub const FOCUS_AGAIN: i64 = 10_000;

/// How long a ticket lets `schmux edit` ask us: longer than any late call was.
pub const TICKET: i64 = 120_000;

/// How long a draft may take to show after it was put back.
pub const DRAFT: i64 = 1_000;

/// How long a paste that wasn't seen may still be on its way to the field.
pub const STRAY: i64 = 5_000;

/// The same draft is not tried again before this, because the agent repaints
/// its whole conversation around every look.
pub const SAME_DRAFT: i64 = 60_000;

/// How long a message that the editor still found after Enter may take to show
/// in the conversation. An agent that hands out such a file has read Enter, so a
/// redraw or a hook is enough: 350 ms under load, and much more is waited, since
/// a message that is taken for unsent is sent again.
pub const WORD: i64 = 5_000;

/// How long a draft that was pasted back may take to be seen: agents that lag
/// are seconds late, and those that eat keys never show it.
pub const GIVEN: i64 = 8_000;
