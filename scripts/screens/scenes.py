"""The scenes that are recorded, and the truth about each of them.

A scene drives a real agent and the fake LLM, so it knows what the agent really does: that is the
label (`dialog`, `working`, `idle`, `draft`, `error`, `shell`), written down without any look at
what schmux makes of the screen. Where agents differ, a subclass of `Play` says how.
"""

import time

from llm import Reply

# Prose that imitates the dialogs of all agents. It must never be taken for one.
PROSE = """Here is what the tool printed, and what it asks in such a case:

```
Do you want to proceed?
❯ 1. Yes
  2. Yes, and don't ask again
  3. No (esc)

Enter to confirm · Esc to cancel
```

Would you like to run the following command? Allow execution of [Shell]? (y/n)
› 1. Yes, proceed (y)
  2. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel

● 1. Allow once
  2. No, suggest changes (esc)

✻ Thinking… (3s · esc to interrupt)
API Error: 500 is what it says when it fails. Do you want to proceed? [Y/n]"""

LONG = "\n".join(f"{n}. Line {n} of a long answer, do you want to proceed with step {n}?" for n in range(1, 70))


class Play:
    """One agent on one stage. `keep(name, truth)` is called for each screen worth keeping."""

    ready = r"^\S?❯"
    # What its dialogs show and nothing else does, to know that one has come up.
    asks = r"(?i)esc to cancel|enter to (select|confirm|continue)"
    # What a shell tool is called, and how its argument is.
    shell = ("Bash", lambda command: {"command": command, "description": "Make a file"})
    write = None
    question = None
    plan = None
    # The commands that open a menu.
    menus = ["/model"]
    # Keys that move between choices.
    next, previous = "Down", "Up"
    shell_mode = True
    leave = "/exit"
    errors = [(400, "bad request")]
    # What it shows of these, sooner or later.
    failed = r"(?i)bad\s+request|exceeded retry|high demand|Overloaded"

    def __init__(self, stage, llm, keep):
        self.stage, self.llm, self._keep = stage, llm, keep

    # -- moves ------------------------------------------------------------------------------

    def keep(self, name, truth, settle=True):
        if settle:
            # An agent that has ended its turn stays still for longer than one that thinks.
            self.stage.settle(still=1.5 if truth in ("idle", "error") else 0.7)
        self._keep(name, truth)

    def say(self, text, *replies):
        """Submits a message once its echo is on the screen."""
        self.llm.then(*replies)
        self.stage.settle(still=0.3)
        self.stage.type(text)
        self.stage.settle(still=0.3)
        self.stage.keys("Enter")

    def asked(self):
        """Waits until a dialog is up."""
        self.stage.until(self.asks, patience=20)

    def held(self):
        """Waits until the agent waits for the LLM."""
        deadline = time.monotonic() + 20
        while not self.llm.held:
            if time.monotonic() > deadline:
                raise TimeoutError("the LLM was not asked:\n" + self.stage.text())
            time.sleep(0.05)
        # Spinners and their hints come up within a second or two.
        time.sleep(2.5)

    def clear(self):
        self.stage.keys("C-u")
        self.stage.settle(still=0.3)

    def interrupt(self):
        self.stage.keys("Escape")

    def deny(self):
        self.stage.keys("Escape")

    def approve(self):
        self.stage.keys("Enter")

    def back(self):
        """To an empty field, whatever the last scene left."""
        self.llm.release()
        self.stage.settle(still=0.5)

    # -- scenes, in the order in which they are played ---------------------------------------

    def begin(self):
        self.stage.until(self.ready)

    def idle(self):
        self.keep("idle", "idle")

    def draft(self):
        self.stage.type("please look at main.py and")
        self.keep("draft", "draft")
        self.clear()

    def slash(self):
        self.stage.type("/")
        self.keep("slash", "draft")
        self.stage.keys("BSpace")
        self.stage.settle(still=0.3)

    def mention(self):
        self.stage.type("look at @m")
        self.keep("mention", "draft")
        self.clear()
        self.clear()

    def shelled(self):
        if not self.shell_mode:
            return
        self.stage.type("!")
        self.keep("shell-mode-empty", "draft")
        self.stage.type("ls -la")
        self.keep("shell-mode", "draft")
        self.clear()
        self.stage.keys("BSpace")
        self.stage.settle(still=0.3)

    def call(self, command):
        name, arguments = self.shell
        return Reply(tool=(name, arguments(command)))

    def permission(self):
        self.say("make a file", self.call("touch made.txt"))
        self.asked()
        self.keep("permission", "dialog")
        self.deny()
        self.keep("denied", "idle")

    def permission_moved(self):
        """The same dialog with another choice selected, then approved."""
        self.back()
        self.say("make a file", self.call("touch made.txt"), Reply(text="The file is there."))
        self.asked()
        self.stage.settle()
        self.stage.keys(self.next)
        self.keep("permission-second", "dialog")
        self.stage.keys(self.previous)
        self.stage.settle(still=0.3)
        self.approve()
        self.stage.until("The file is there")
        self.keep("finished", "idle")

    def long_command(self):
        self.back()
        command = "for f in $(git ls-files); do printf '%s\\n' \"$f\" | tr a-z A-Z >> made.txt; done && " * 6 + "true"
        self.say("make it long", self.call(command))
        self.asked()
        self.keep("permission-long", "dialog")
        self.deny()

    def writing(self):
        if not self.write:
            return
        self.back()
        self.say("write new.py", Reply(tool=self.write))
        self.asked()
        self.keep("permission-edit", "dialog")
        self.deny()
        self.keep("denied-edit", "idle")

    def asking(self):
        if not self.question:
            return
        self.back()
        self.say("ask me something", Reply(tool=self.question))
        self.stage.until("SQLite")
        self.keep("question", "dialog")
        self.deny()
        self.keep("question-cancelled", "idle")

    def working(self):
        self.back()
        self.say("think about it", Reply(hold=True))
        self.held()
        self.keep("working", "working", settle=False)
        self.stage.type("and a draft")
        time.sleep(0.7)
        self.keep("working-draft", "working", settle=False)
        self.clear()
        self.interrupt()
        self.keep("interrupted", "idle")
        self.clear()

    def streaming(self):
        self.back()
        self.say("tell me more", Reply(hold=True, begin="I will look at it first.\n\nThen I will change it.\n\n"))
        self.held()
        self.keep("streaming", "working", settle=False)
        self.llm.release()
        self.keep("answered", "idle")

    def queued(self):
        self.back()
        # Some agents ask again at once when they are steered.
        self.say("think again", Reply(hold=True), Reply(hold=True))
        self.held()
        self.stage.type("and do that too")
        time.sleep(0.7)
        self.stage.keys("Enter")
        time.sleep(1)
        self.keep("working-queued", "working", settle=False)
        self.llm.release()
        self.stage.settle()

    def running(self):
        """A tool that takes its time, approved by the human."""
        self.back()
        self.say("run it", self.call("touch made.txt; sleep 6"), Reply(text="It ran."))
        self.asked()
        self.stage.settle(patience=3)
        self.approve()
        time.sleep(3)
        self.keep("tool-running", "working", settle=False)
        self.stage.until("It ran")

    def failing(self):
        for status, message in self.errors:
            self.back()
            self.say("fail please", *[Reply(status=status, message=message)] * 12)
            self.stage.until(self.failed)
            time.sleep(1)
            self.keep(f"error-{status}", "error")
            self.llm.release()

    def prose(self):
        self.back()
        self.say("quote it", Reply(text=PROSE))
        self.stage.until(r"proceed\? *\[?Y|Y/n")
        self.keep("prose", "idle")
        self.say("go on", Reply(hold=True, begin=PROSE + "\n\n"))
        self.held()
        self.keep("prose-working", "working", settle=False)
        self.llm.release()
        self.stage.settle()

    def long(self):
        self.back()
        self.say("be long", Reply(text=LONG))
        self.keep("long", "idle")

    def menu(self):
        for command in self.menus:
            self.back()
            self.say(command)
            self.keep("menu-" + command.strip("/"), "dialog")
            self.stage.keys("Escape")
            self.stage.settle()
            self.clear()

    def end(self):
        self.back()
        self.say(self.leave)
        time.sleep(2)
        self.keep("exited", "shell")

    # -- first starts, each in a home of its own ----------------------------------------------

    def fresh_trust(self):
        self.stage.until(r"(?i)trust")
        self.keep("trust", "dialog")

    def fresh_login(self):
        self.stage.until(r"(?i)sign in|log ?in|auth|API key")
        self.keep("login", "dialog")

    ORDER = ["begin", "idle", "draft", "slash", "mention", "shelled", "permission", "permission_moved", "long_command",
             "writing", "asking", "working", "streaming", "queued", "running", "failing", "prose", "long", "menu", "end"]


class Claude(Play):
    ready = r"\? for shortcuts"
    write = ("Write", {"file_path": "/tmp/proj/new.py", "content": "print(1)\nprint(2)\n"})
    question = ("AskUserQuestion", {"questions": [{
        "question": "Which database should I use?", "header": "Database", "multiSelect": False, "options": [
            {"label": "Postgres", "description": "A server of its own"},
            {"label": "SQLite", "description": "A file in the project"}]}]})
    menus = ["/model", "/theme"]
    # It gives up on the second after a few tries.
    errors = [(400, "bad request"), (529, "Overloaded")]

    def mode(self, name):
        """Cycles through its modes until the footer says so."""
        for _ in range(6):
            if self.stage.shows(name):
                return
            self.stage.keys("BTab")
            self.stage.settle(still=0.4)

    def clear(self):
        # An interrupted message comes back into the field; C-u twice kills two rows.
        self.stage.keys("C-u", "C-u")
        self.stage.settle(still=0.3)

    def failing(self):
        super().failing()
        self.back()
        self.say("fail later", *[Reply(status=429, message="This request would exceed your rate limit")] * 12)
        time.sleep(4)
        self.keep("retrying", "working", settle=False)
        self.stage.keys("Escape")
        self.back()
        self.clear()

    def asking(self):
        super().asking()
        self.back()
        self.say("ask more", Reply(tool=("AskUserQuestion", {"questions": [
            self.question[1]["questions"][0] | {"multiSelect": True},
            {"question": "Which language?", "header": "Language", "multiSelect": False, "options": [
                {"label": "Rust", "description": "With tests"}, {"label": "Go", "description": "With tests too"}]}]})))
        self.keep("question-several", "dialog")
        self.deny()
        self.back()
        self.mode("plan mode on")
        self.say("make a plan", Reply(tool=("ExitPlanMode", {"plan": "# Plan\n\n1. Read main.py\n2. Say bye"})))
        self.keep("plan", "dialog")
        self.deny()
        self.back()
        self.mode(r"\? for shortcuts")
        agent = {"description": "Look around", "prompt": "look", "subagent_type": "general-purpose"}
        self.say("use an agent", Reply(tool=("Agent", agent)), self.call("touch made.txt"))
        self.asked()
        self.keep("permission-subagent", "dialog")
        self.deny()
        self.back()
        self.say("use an agent", Reply(tool=("Agent", agent)), Reply(hold=True))
        self.held()
        self.keep("subagent-working", "working", settle=False)
        self.interrupt()
        self.back()
        self.clear()

    def fresh_trust(self):
        super().fresh_trust()
        self.stage.keys("Enter")
        self.stage.until("API key")
        self.keep("login-key", "dialog")
        self.stage.keys("Enter")
        self.stage.until(self.ready)
        self.say("/login")
        self.keep("login", "dialog")

    def menu(self):
        super().menu()
        self.stage.keys("C-o")
        self.keep("transcript", "unknown")
        self.stage.keys("C-o")
        self.stage.settle()


class Codex(Play):
    ready = r"\? for shortcuts"
    shell = ("exec_command", lambda command: {"cmd": command, "sandbox_permissions": "require_escalated",
                                              "justification": "to make a file"})
    question = ("request_user_input", {"questions": [{
        "id": "db", "header": "Database", "question": "Which database should I use?", "options": [
            {"label": "Postgres", "description": "A server of its own"},
            {"label": "SQLite", "description": "A file in the project"}]}]})
    menus = ["/model", "/permissions"]
    leave = "/quit"
    errors = [(400, "bad request"), (429, "rate limit"), (500, "overloaded")]

    def begin(self):
        super().begin()
        # The composer is drawn before the server behind it is there.
        self.stage.until(r"fake-model|warning|for agents")

    def fresh_trust(self):
        # The dialog comes with the first message.
        self.stage.until(self.ready)
        self.stage.settle()
        self.stage.type("hello")
        self.stage.settle(still=0.3)
        self.stage.keys("Enter")
        super().fresh_trust()

    def asking(self):
        # Questions are for its plan mode.
        self.back()
        self.say("/plan")
        self.stage.settle()
        super().asking()
        self.back()
        self.stage.keys("BTab")
        self.stage.settle()

    def writing(self):
        self.back()
        patch = "*** Begin Patch\n*** Add File: new.py\n+print(1)\n*** End Patch"
        self.say("write new.py", self.call(f"apply_patch <<'EOF'\n{patch}\nEOF"))
        self.asked()
        self.keep("permission-edit", "dialog")
        self.deny()
        self.keep("denied-edit", "idle")


class Gemini(Play):
    asks = r"Allow once|suggest changes|Esc to cancel"
    ready = r"Type your message"
    shell = ("run_shell_command", lambda command: {"command": command, "description": "Make a file"})
    write = ("write_file", {"file_path": "/tmp/proj/new.py", "content": "print(1)\nprint(2)\n"})
    question = ("ask_user", {"questions": [{
        "question": "Which database should I use?", "header": "Database", "type": "choice", "options": [
            {"label": "Postgres", "description": "A server of its own"},
            {"label": "SQLite", "description": "A file in the project"}]}]})
    menus = ["/model", "/theme", "/auth"]
    leave = "/quit"

    def unfocused(self, name, truth, settle=True):
        """As it is drawn in a terminal without the focus; the next key brings it back."""
        self.stage.blur()
        if not settle:
            time.sleep(0.7)
        self.keep(f"{name}-unfocused", truth, settle)

    def idle(self):
        super().idle()
        self.unfocused("idle", "idle")

    def draft(self):
        self.stage.type("please look at main.py and")
        self.keep("draft", "draft")
        self.unfocused("draft", "draft")
        self.stage.keys("C-j", "C-j")
        self.stage.type("tell me more about it")
        self.stage.settle(still=0.3)
        self.unfocused("draft-rows", "draft")
        self.clear()
        self.stage.keys("BSpace", "BSpace")
        self.clear()

    def shelled(self):
        super().shelled()
        self.stage.keys("Escape")
        self.stage.settle(still=0.3)
        self.stage.type("!")
        self.stage.type("ls")
        self.unfocused("shell-mode", "draft")
        self.clear()
        self.stage.keys("Escape")
        self.stage.settle(still=0.3)

    def permission(self):
        self.say("make a file", self.call("touch made.txt"))
        self.asked()
        self.keep("permission", "dialog")
        self.unfocused("permission", "dialog")
        self.deny()
        self.keep("denied", "idle")
        self.unfocused("denied", "idle")

    def streaming(self):
        self.back()
        self.say("tell me more", Reply(hold=True, begin="I will look at it first.\n\nThen I will change it.\n\n"))
        self.held()
        self.keep("streaming", "working", settle=False)
        self.unfocused("streaming", "working", settle=False)
        self.llm.release()
        self.unfocused("answered", "idle")
        # Any key gives it the focus back.
        self.stage.keys("BSpace")
        self.keep("answered", "idle")

    def fresh_colours(self):
        """In a terminal with all colours boxes have edges of half blocks."""
        self.begin()
        self.keep("colours-idle", "idle")
        self.unfocused("colours-idle", "idle")
        self.say("quote it", Reply(text=PROSE))
        self.stage.until(r"proceed\? *\[?Y|Y/n")
        self.stage.settle()
        self.unfocused("colours-prose", "idle")
        self.say("think about it", Reply(hold=True))
        self.held()
        self.unfocused("colours-working", "working", settle=False)
        self.interrupt()
        self.back()
        self.clear()
        self.say("make a file", self.call("touch made.txt"))
        self.asked()
        self.unfocused("colours-permission", "dialog")
        self.deny()
        # An Escape right before it would be part of it.
        self.stage.until(r"- +Shell touch made")
        self.unfocused("colours-denied", "idle")
        self.say("fail please", *[Reply(status=400, message="bad request")] * 12)
        self.stage.until(self.failed)
        self.stage.settle(still=1.5)
        self.unfocused("colours-error", "error")

    def failing(self):
        super().failing()
        self.back()
        self.say("fail later", *[Reply(status=503, message="overloaded")] * 12)
        time.sleep(4)
        self.keep("retrying", "working", settle=False)
        self.stage.keys("Escape")
        self.back()
        self.clear()


class Qwen(Gemini):
    question = None
    menus = ["/model", "/theme"]
    write = ("write_file", {"file_path": "/tmp/proj/new.py", "content": "print(1)\nprint(2)\n"})
    ready = r"Type your message|for shortcuts"


class Opencode(Play):
    ready = r"Ask anything"
    shell = ("bash", lambda command: {"command": command, "description": "Make a file"})
    write = ("write", {"filePath": "/tmp/proj/new.py", "content": "print(1)\nprint(2)\n"})
    menus = ["/models"]
    asks = r"enter confirm"
    next, previous = "Right", "Left"

    def interrupt(self):
        self.stage.keys("Escape")
        time.sleep(0.3)
        self.stage.keys("Escape")

    def deny(self):
        super().deny()
        # Rejecting lets it go on or stop, as it is configured; the turn ends by itself here.
        self.stage.settle(patience=5)
        self.llm.release()


class Copilot(Play):
    ready = r"/ commands"
    shell = ("bash", lambda command: {"command": command, "description": "Make a file"})
    write = ("create", {"path": "/tmp/proj/new.py", "file_text": "print(1)\nprint(2)\n"})
    menus = ["/model"]
    asks = r"enter to select"

    def interrupt(self):
        self.stage.keys("Escape")
        time.sleep(0.3)
        self.stage.keys("Escape")


class Amp(Play):
    """Its own service is all that it talks to, so there is only the question before it."""

    def fresh_login(self):
        self.stage.until("log in")
        self.keep("login", "dialog")


class Login(Play):
    """Agents that show nothing without an account: what the generic reading makes of them."""

    def fresh_login(self):
        self.stage.until(r"(?i)log ?in|sign in")
        self.keep("login", "dialog")


class Aider(Play):
    ready = r"^(diff|ask|architect|whole)?> *$"
    menus = []
    ORDER = ["begin", "idle", "draft", "working", "streaming", "editing", "failing", "prose", "long", "end"]

    def clear(self):
        self.stage.keys("C-u")
        self.stage.settle(still=0.3)

    def interrupt(self):
        self.stage.keys("C-c")

    def working(self):
        self.back()
        self.say("think about it", Reply(hold=True))
        self.held()
        self.keep("working", "working", settle=False)
        self.interrupt()
        self.keep("interrupted", "idle")

    def fresh_login(self):
        self.stage.until(r"\(Y\)es/\(N\)o")
        self.keep("question-gitignore", "dialog")
        self.stage.type("n")
        self.stage.keys("Enter")
        self.stage.until("(?i)OpenRouter")
        self.keep("login", "dialog")

    def editing(self):
        """It asks before it adds a file to the chat."""
        self.back()
        self.say("look at main.py")
        self.keep("question-add", "dialog")
        self.stage.type("n")
        self.stage.keys("Enter")
        self.stage.settle()


class Demo(Play):
    """The agent that schmux brings along; its scenes come from its script, not from the LLM."""

    ready = r"❯"
    ORDER = ["begin", "idle", "draft", "slash", "shelled", "scripted", "end"]

    def scripted(self):
        for word, name in [("allow", "permission"), ("ask", "question"), ("plan", "plan"), ("trust", "trust"), ("login", "login")]:
            self.say(word)
            self.keep(name, "dialog")
            # It leaves when these two are refused.
            self.approve() if name in ("trust", "login") else self.deny()
            self.stage.settle()
        self.keep("denied", "idle")
        self.say("fail")
        self.keep("error", "error")
        self.say("limit")
        self.keep("limit", "error")
        self.say("think")
        time.sleep(2)
        self.keep("working", "working", settle=False)
        self.stage.type("a draft")
        time.sleep(0.5)
        self.keep("working-draft", "working", settle=False)
        self.clear()
        self.stage.keys("Escape")
        self.keep("interrupted", "idle")
        self.say("quote")
        self.keep("prose", "idle")


PLAYS = {"claude": Claude, "codex": Codex, "gemini": Gemini, "qwen": Qwen, "opencode": Opencode, "copilot": Copilot,
         "amp": Amp, "aider": Aider, "cline": Login, "droid": Login, "auggie": Login, "demo": Demo}
