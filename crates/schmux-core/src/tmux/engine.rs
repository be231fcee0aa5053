//! Matches what tmux answers with what it was asked. Sans-IO and without a clock.
//!
//! - commands: [`Engine::send`] queues a batch and returns its ticket;
//!   [`Engine::take_outgoing`] gives the bytes to write.
//! - `handle_*`: [`Engine::handle_bytes`] takes what was read, in chunks of any
//!   size, and yields [`Event`]s.
//!
//! tmux answers in order, a block per command, and doesn't escape what stands in
//! a block: a captured screen may hold lines that look like protocol. So a batch
//! whose last reply can hold such text is *fenced*: its end is known for sure
//! only when a word comes back that no screen can know. A batch that *branches*
//! has such a word behind it, too: what a branch runs is answered by blocks of
//! its own, which look like answers to the next batch.

use std::collections::VecDeque;
use std::mem;

use super::command::Command;
use super::frame::{Escaped, Framer, Guard, Notification};
use crate::ids::PaneId;

/// What a line of a reply takes beside its bytes: a host may send nothing but empty ones.
const LINE: usize = 48;

/// Commands that tmux runs one after the other with nothing in between; if one
/// fails, the rest isn't run.
#[derive(Debug, Clone)]
pub struct Batch {
    commands: Vec<Command>,
    fence: Option<Fence>,
}

/// A word that comes back after a batch's own replies.
#[derive(Debug, Clone)]
enum Fence {
    /// The last reply may hold any text.
    Text(String),
    /// There may be more replies than commands.
    Branch(String),
}

impl Batch {
    pub fn new(commands: impl IntoIterator<Item = Command>) -> Batch {
        Batch { commands: commands.into_iter().collect(), fence: None }
    }

    /// The last command's reply may hold any text. `nonce` must be unguessable
    /// for programs in panes, and used once.
    pub fn fenced(commands: impl IntoIterator<Item = Command>, nonce: String) -> Batch {
        Batch { commands: commands.into_iter().collect(), fence: Some(Fence::Text(nonce)) }
    }

    /// Some command runs others (`if-shell`), whose replies stand behind its own.
    /// `nonce` must be a word that none of them says.
    pub fn branching(commands: impl IntoIterator<Item = Command>, nonce: String) -> Batch {
        Batch { commands: commands.into_iter().collect(), fence: Some(Fence::Branch(nonce)) }
    }
}

impl From<Command> for Batch {
    fn from(command: Command) -> Batch {
        Batch::new([command])
    }
}

/// Names a batch that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// What became of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub ticket: Ticket,
    /// The body of each command, lines joined by LF; or the first error.
    pub outcome: Result<Vec<Vec<u8>>, Refusal>,
}

/// tmux's own words on why a command failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Which command of the batch it was, from 0.
    pub index: usize,
    pub message: String,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Event<'a> {
    Output { pane: PaneId, data: Escaped<'a> },
    Reply(Reply),
    Notice(Notification<'a>),
}

/// The protocol's state for one control client.
#[derive(Debug, Default)]
pub struct Engine {
    framer: Framer,
    matcher: Matcher,
    outgoing: Vec<u8>,
    next_ticket: u64,
}

impl Engine {
    /// Queues a batch. An empty one is answered by nothing, so it is not allowed.
    pub fn send(&mut self, batch: Batch) -> Ticket {
        assert!(!batch.commands.is_empty(), "a batch holds at least one command");
        let may_branch = matches!(batch.fence, Some(Fence::Branch(_)));
        debug_assert!(may_branch || !batch.commands.iter().any(Command::branches));
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        let expected = batch.commands.len();
        for (index, command) in batch.commands.iter().enumerate() {
            if index > 0 {
                self.outgoing.extend_from_slice(b" ; ");
            }
            self.outgoing.extend_from_slice(command.as_str().as_bytes());
        }
        self.outgoing.push(b'\n');
        if let Some(Fence::Text(nonce) | Fence::Branch(nonce)) = &batch.fence {
            let command = Command::new("display-message").arg("-p").arg(nonce);
            self.outgoing.extend_from_slice(command.as_str().as_bytes());
            self.outgoing.push(b'\n');
        }
        let is_text = matches!(batch.fence, Some(Fence::Text(_)));
        let pending = |ticket, expected, fence| Pending {
            ticket,
            expected,
            fence,
            bodies: Vec::with_capacity(expected),
            refusal: None,
        };
        self.matcher.pending.push_back(pending(Some(ticket), expected, batch.fence));
        if is_text {
            self.matcher.pending.push_back(pending(None, 1, None));
        }
        ticket
    }

    /// The bytes to write to tmux since the last call.
    pub fn take_outgoing(&mut self) -> Vec<u8> {
        mem::take(&mut self.outgoing)
    }

    /// How many bytes a reply takes whose end has not come yet.
    pub fn held(&self) -> usize {
        self.matcher.block.as_ref().map_or(0, |block| block.held)
    }

    /// How many batches wait for their reply.
    pub fn in_flight(&self) -> usize {
        self.matcher.pending.len()
    }

    /// Reads what tmux wrote; every event is given to `each`, in the stream's order.
    pub fn handle_bytes(&mut self, bytes: &[u8], each: &mut dyn FnMut(Event<'_>)) {
        let Engine { framer, matcher, .. } = self;
        framer.feed(bytes, |line| matcher.handle_line(line, each));
    }
}

#[derive(Debug, Default)]
struct Matcher {
    pending: VecDeque<Pending>,
    block: Option<Block>,
}

#[derive(Debug)]
struct Pending {
    /// `None` for a fence: nobody waits for its reply.
    ticket: Option<Ticket>,
    expected: usize,
    bodies: Vec<Vec<u8>>,
    /// What went wrong in a batch that is not over yet.
    refusal: Option<Refusal>,
    fence: Option<Fence>,
}

#[derive(Debug)]
struct Block {
    guard: Guard,
    /// Whether it answers the first of `pending`, or nobody.
    ours: bool,
    body: Body,
    /// How many bytes it takes.
    held: usize,
}

#[derive(Debug)]
enum Body {
    /// Lines joined by LF.
    Plain(Option<Vec<u8>>),
    /// Everything since the block began, until the fence is seen.
    Held { nonce: String, lines: Vec<Vec<u8>> },
}

impl Matcher {
    fn handle_line(&mut self, line: &[u8], each: &mut dyn FnMut(Event<'_>)) {
        let Some(block) = &mut self.block else { return self.outside(line, each) };
        block.held += line.len() + LINE;
        match &mut block.body {
            Body::Held { nonce, lines } => {
                let fenced = line == nonce.as_bytes();
                lines.push(line.to_vec());
                if fenced {
                    self.resolve_held(each);
                }
            }
            Body::Plain(body) => match Notification::parse(line) {
                Notification::End(guard) if guard == block.guard => self.end_block(false, each),
                Notification::Error(guard) if guard == block.guard => self.end_block(true, each),
                // Our own formats never begin with `%`, so a known notification in
                // here is one that an older tmux put inside the block.
                Notification::Output { pane, data } => each(Event::Output { pane, data }),
                Notification::Other(_)
                | Notification::Begin(_)
                | Notification::End(_)
                | Notification::Error(_) => match body {
                    Some(body) => {
                        body.push(b'\n');
                        body.extend_from_slice(line);
                    }
                    None => *body = Some(line.to_vec()),
                },
                notice => each(Event::Notice(notice)),
            },
        }
    }

    fn outside(&mut self, line: &[u8], each: &mut dyn FnMut(Event<'_>)) {
        match Notification::parse(line) {
            Notification::Output { pane, data } => each(Event::Output { pane, data }),
            Notification::Begin(guard) => self.begin_block(guard),
            notice => each(Event::Notice(notice)),
        }
    }

    fn begin_block(&mut self, guard: Guard) {
        let waiting = if guard.is_ours() { self.pending.front() } else { None };
        let body = match waiting {
            Some(Pending { fence: Some(Fence::Text(nonce)), expected, bodies, .. })
                if bodies.len() + 1 == *expected =>
            {
                Body::Held { nonce: nonce.clone(), lines: Vec::new() }
            }
            _ => Body::Plain(None),
        };
        self.block = Some(Block { guard, ours: waiting.is_some(), body, held: 0 });
    }

    fn end_block(&mut self, failed: bool, each: &mut dyn FnMut(Event<'_>)) {
        let Some(Block { ours, body: Body::Plain(body), .. }) = self.block.take() else { return };
        if ours {
            self.answer(body.unwrap_or_default(), failed, each);
        }
    }

    /// A command of the first pending batch was answered.
    fn answer(&mut self, body: Vec<u8>, failed: bool, each: &mut dyn FnMut(Event<'_>)) {
        let Some(pending) = self.pending.front_mut() else { return };
        let branches = matches!(pending.fence, Some(Fence::Branch(_)));
        let is_over = match &pending.fence {
            Some(Fence::Branch(nonce)) => !failed && body == nonce.as_bytes(),
            _ => failed || pending.bodies.len() + 1 == pending.expected,
        };
        if failed {
            let message = String::from_utf8_lossy(&body).into_owned();
            pending.refusal.get_or_insert(Refusal { index: pending.bodies.len(), message });
        } else if !(branches && is_over) {
            pending.bodies.push(body);
        }
        if !is_over {
            return;
        }
        let outcome = match pending.refusal.take() {
            Some(refusal) => Err(refusal),
            None => Ok(mem::take(&mut pending.bodies)),
        };
        let ticket = pending.ticket;
        self.pending.pop_front();
        if let Some(ticket) = ticket {
            each(Event::Reply(Reply { ticket, outcome }));
        }
    }

    /// The fence was seen, so all of the held block has arrived: the last line
    /// that can end it is the one that does.
    fn resolve_held(&mut self, each: &mut dyn FnMut(Event<'_>)) {
        let Some(Block { guard, body: Body::Held { lines, .. }, .. }) = self.block.take() else {
            return;
        };
        let ends = |line: &[u8]| match Notification::parse(line) {
            Notification::End(end) if end == guard => Some(false),
            Notification::Error(end) if end == guard => Some(true),
            _ => None,
        };
        let found = lines.iter().enumerate().rev().find_map(|(at, line)| Some((at, ends(line)?)));
        let Some((end, failed)) = found else {
            // tmux would have to leave out an `%end`; the caller's batch is lost, the stream isn't.
            return self.answer(b"the reply had no end".to_vec(), true, each);
        };
        self.answer(lines[..end].join(&b'\n'), failed, each);
        // What stands between the block and the fence's own line are notifications
        // and the fence's `%begin`; the fence's `%end` is still to come.
        for line in &lines[end + 1..] {
            self.handle_line(line, each);
        }
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
