"""What an agent goes through, and which call each of it should make."""

import contextlib
import re
import time
from dataclasses import dataclass

import agents
from llm import Llm, Reply
from scenes import PLAYS

# Claude Code tells of a dialog a second time after about six seconds: so long nothing may be told again.
REMINDED = 8
# Everything else that would be told twice comes within this time.
QUIET = 2


@dataclass
class Outcome:
    what: str
    state: str = ""
    words: str = ""
    seq: int = 0
    seconds: float = 0.0
    status: str = ""
    wrong: str = ""

    def text(self):
        if self.wrong:
            return f"**{self.wrong}**".replace("|", "/")
        call = f"{self.state}: “{self.words}”" if self.words else self.state
        return f"{call or 'no call'}; {self.status}; count {self.seq}".replace("|", "/")


class Turns:
    def __init__(self, daemon, stage, llm, name):
        self.daemon, self.stage, self.llm = daemon, stage, llm
        self.play = PLAYS[name](stage, llm, lambda *_: None)
        self.seq = 0
        self.outcomes = []

    def check(self, what, call, words="", counts=False, quiet=QUIET, statuses=(), act=lambda: None):
        """Does something, and waits for the call that should follow (`None`: for none)."""
        outcome = Outcome(what)
        self.outcomes.append(outcome)
        before, self.seq = self.seq, self.seq + counts
        try:
            act()
            begun = time.monotonic()
            state = self.stage.wait(f"waited for {call or 'no call'} and a count of {self.seq}", lambda s: (
                s.get("nudge_state") == call and s["nudge_seq"] == self.seq and (not statuses or s["status"] in statuses)))
            outcome.seconds = time.monotonic() - begun
            time.sleep(quiet)
            state = self.stage.state()
            outcome.state, outcome.words = state.get("nudge_state") or "", state.get("nudge_summary") or ""
            outcome.seq, outcome.status = state["nudge_seq"], state["status"]
            outcome.wrong = self.fault(state, call, words, statuses)
        except (TimeoutError, RuntimeError) as error:
            outcome.wrong = " ".join(str(error).split())[:300]
            self.seq = self.stage.state()["nudge_seq"]
        mark = "WRONG " + outcome.wrong if outcome.wrong else outcome.text()
        print(f"  {what}: {mark} ({outcome.seconds:.1f} s, +{self.seq - before})", flush=True)

    def fault(self, state, call, words, statuses):
        if state.get("nudge_state") != call or state["nudge_seq"] != self.seq:
            return f"then {state.get('nudge_state')}, count {state['nudge_seq']}"
        if words and not re.search(words, state.get("nudge_summary") or ""):
            return f"its words are {state.get('nudge_summary')!r}"
        if statuses and state["status"] not in statuses:
            return f"its state is {state['status']}"
        told = self.daemon.told(self.stage.session)
        if told != list(range(1, self.seq + 1)):
            return f"the notifier told of {told}, not of 1 to {self.seq}"
        return ""

    def say(self, text, *replies):
        self.play.say(text, *replies)

    def run(self):
        play, stage = self.play, self.stage
        self.check("starts", None, act=play.begin, statuses=("idle",))
        self.check("asks permission", "Needs Authorization", "touch made", counts=True, quiet=REMINDED, statuses=("needs_input",),
                   act=lambda: (self.say("make a file", play.call("touch made.txt"), Reply(text="The file is there.")), play.asked()))
        self.check("is allowed, and finishes", "Completed", "The file is there", counts=True, statuses=("completed",), act=play.approve)
        self.check("works again", None, statuses=("working",),
                   act=lambda: (self.say("think about it", Reply(hold=True)), play.held()))
        self.check("is interrupted", None, statuses=("idle",), act=play.interrupt)
        play.back()
        play.clear()
        self.check("asks again", "Needs Authorization", "touch two", counts=True, statuses=("needs_input",),
                   act=lambda: (self.say("make another", play.call("touch two.txt")), play.asked()))
        self.check("is refused", None, statuses=("idle",), act=play.deny)
        play.back()
        play.clear()
        self.check("fails", "Error", "bad request|400", counts=True, statuses=("error",),
                   act=lambda: self.say("fail please", *[Reply(status=400, message="bad request")] * 12))
        self.llm.release()
        play.clear()
        self.check("signals by itself", "Needs User Testing", "try it", counts=True, statuses=("needs_testing",),
                   act=lambda: self.say("tell me", Reply(text="--<[schmux:needs_testing:Please try it]>--")))
        self.more()
        self.check("ends", None, statuses=("exited",), act=lambda: self.say(play.leave))
        return self.outcomes

    def more(self):
        """What else is played before it ends."""


def play(name, lab, base, daemon, kind=Turns):
    """Plays all of it with one agent; what came of each."""
    work = base / f"work-{name}"
    agents.PROJECT = str(work)
    agents.project()
    llm = Llm()
    home = agents.Home(base / "home", name, llm)
    daemon.install(name, agents.program(lab, name), home)
    stage = daemon.spawn(name, work)
    turns = kind(daemon, stage, llm, name)
    try:
        return turns.run()
    except (TimeoutError, RuntimeError) as error:
        turns.outcomes.append(Outcome("goes on", wrong=" ".join(str(error).split())[:300]))
        return turns.outcomes
    finally:
        llm.close()
        with contextlib.suppress(RuntimeError):
            daemon.schmux("dispose", stage.session)
        agents.end_leftovers(home.path)
