"""The agents that play: how each is installed, and a home that makes it talk to the fake LLM.

Keys are dummies. A home is made anew for each recording, so that first-run dialogs come up when
a scene wants them (`fresh`) and stay away when it doesn't. Nothing in here drives an agent.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess

PROJECT = "/tmp/proj"

PACKAGES = {
    "claude": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "gemini": "@google/gemini-cli",
    "opencode": "opencode-ai",
    "qwen": "@qwen-code/qwen-code",
    "copilot": "@github/copilot",
    "amp": "@ampcode/cli",
    "cline": "cline",
    "droid": "droid",
    "auggie": "@augmentcode/auggie",
}

# Homes in which an agent asks before it starts, beside the usual one.
FRESH = {
    "claude": [False, "trust"],
    "codex": [False, "trust", "login"],
    "gemini": [False, "trust", "login", "colours"],
    "qwen": [False, "trust", "login"],
    "copilot": [False, "trust"],
    "aider": [False, "login"],
    "amp": ["login"],
    "cline": ["login"],
    "droid": ["login"],
    "auggie": ["login"],
}


# What the demo agent does, in its own language.
DEMO = """
[when allow]
tool touch made.txt
reply Done.
[when ask]
question Which database should I use? | Postgres | SQLite
[when plan]
plan Read main.py\\nSay bye
[when trust]
trust
[when login]
login
[when fail]
error 529 overloaded
[when limit]
rate-limit resets at 3pm
[when think]
work 6 Pondering
[message]
reply Do you want to proceed?\\n❯ 1. Yes\\n  2. No\\n\\nEnter to confirm
"""


def install(lab, wanted):
    """Installs `AGENT[@VERSION]` into `lab` if it isn't there; aider comes from PyPI, the rest from npm."""
    name, _, version = wanted.partition("@")
    directory = lab / "npm" / wanted
    if name == "aider" and not (lab / "aider").exists():
        subprocess.run(["python3", "-m", "venv", lab / "aider"], check=True)
        subprocess.run([lab / "aider/bin/pip", "install", "-q", "aider-chat"], check=True)
    elif name in PACKAGES and not (directory / "node_modules").exists():
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "package.json").write_text('{"private":true}')
        package = f"{PACKAGES[name]}@{version or 'latest'}"
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", package], cwd=directory, check=True)


def program(lab, wanted):
    name = wanted.split("@")[0]
    if name == "demo":
        return pathlib.Path(__file__).resolve().parents[2] / "target/debug/schmux"
    if name == "aider":
        return lab / "aider/bin/aider"
    if name == "claude":
        # The launcher of the package is a script that looks for this one.
        native = (lab / "npm" / wanted / "node_modules/@anthropic-ai").glob("claude-code-linux-*/claude")
        if native := [path for path in sorted(native) if "musl" not in str(path)]:
            return native[0]
    return lab / "npm" / wanted / "node_modules/.bin" / name


def version(lab, wanted):
    """As the package tells it."""
    name = wanted.split("@")[0]
    if name == "aider":
        line = subprocess.run([program(lab, wanted), "--version"], capture_output=True, text=True, check=False).stdout
        return line.split()[-1] if line else "0"
    manifest = lab / "npm" / wanted / "node_modules" / PACKAGES[name] / "package.json"
    return json.loads(manifest.read_text())["version"]


def end_leftovers(home):
    """Ends what an agent left running behind itself: processes whose HOME is the one of this play."""
    mark = f"HOME={home}\0".encode()
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGTERM)
        except OSError:
            continue


def project():
    """A small repository at a neutral place."""
    shutil.rmtree(PROJECT, ignore_errors=True)
    os.makedirs(PROJECT)
    for name, text in {"README.md": "# proj\n", "main.py": "print('hello')\n"}.items():
        pathlib.Path(PROJECT, name).write_text(text)
    git = ["git", "-C", PROJECT, "-c", "user.name=dev", "-c", "user.email=dev@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "start"]):
        subprocess.run([*git, *words], check=True)


class Home:
    """A home directory for one agent."""

    def __init__(self, base, name, llm, fresh=False):
        self.path = pathlib.Path(base) / name
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)
        self.env = {"HOME": str(self.path), "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost",
                    "EDITOR": "true", "XDG_CONFIG_HOME": str(self.path / ".config"),
                    "XDG_DATA_HOME": str(self.path / ".local/share")}
        self.args = []
        getattr(self, name.replace("-", "_"), lambda *_: None)(llm, fresh)

    def write(self, name, value):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))

    def demo(self, llm, fresh):
        self.write("demo.script", DEMO)
        self.args = ["demo-agent", "--script", str(self.path / "demo.script")]

    def claude(self, llm, fresh):
        self.env |= {"ANTHROPIC_BASE_URL": llm.url, "ANTHROPIC_API_KEY": "sk-ant-dummy-lab-0000000000000000",
                     "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_ERROR_REPORTING": "1",
                     "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        # The onboarding itself wants the real service, so even a fresh home is past it.
        state = {"numStartups": 5, "hasCompletedOnboarding": True, "theme": "dark", "autoUpdates": False,
                 "shiftEnterKeyBindingInstalled": True}
        if not fresh:
            tail = "lab-0000000000000000"
            state["customApiKeyResponses"] = {"approved": [tail, f"-{tail}"], "rejected": []}
            state["projects"] = {PROJECT: {
                "hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True,
                "projectOnboardingSeenCount": 4, "allowedTools": []}}
        self.write(".claude.json", state)

    def codex(self, llm, fresh):
        self.env |= {"LAB_KEY": "dummy"}
        trust = "" if fresh else f'[projects."{PROJECT}"]\ntrust_level = "trusted"\n'
        # Without a provider of its own the first start asks how to sign in.
        provider = "" if fresh == "login" else f"""model = "fake-model"
model_provider = "lab"
[model_providers.lab]
name = "lab"
base_url = "{llm.url}/v1"
env_key = "LAB_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
        self.write(".codex/config.toml", f"""approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
{provider}[analytics]
enabled = false
{trust}""")

    def gemini(self, llm, fresh):
        self.env |= {"GEMINI_CLI_NO_RELAUNCH": "true", "GOOGLE_GEMINI_BASE_URL": llm.url}
        settings = {
            "general": {"disableAutoUpdate": True, "disableUpdateNag": True, "enableAutoUpdate": False,
                        "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
            "ui": {"hideTips": True, "hideBanner": True}}
        security = {"folderTrust": {"enabled": fresh == "trust"}}
        if fresh == "colours":
            self.env |= {"COLORTERM": "truecolor"}
        if fresh != "login":
            self.env |= {"GEMINI_API_KEY": "dummy"}
            security["auth"] = {"selectedType": "gemini-api-key"}
        settings["security"] = security
        self.write(".gemini/settings.json", settings)

    def qwen(self, llm, fresh):
        self.env |= {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{llm.url}/v1", "OPENAI_MODEL": "fake-model",
                     "QWEN_CODE_NO_RELAUNCH": "true"}
        settings = {"general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
                    "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}}
        security = {"folderTrust": {"enabled": fresh == "trust"}}
        if fresh != "login":
            security["auth"] = {"selectedType": "openai"}
        else:
            # A key in the environment is as good as a login.
            del self.env["OPENAI_API_KEY"]
        settings["security"] = security
        self.write(".qwen/settings.json", settings)

    def opencode(self, llm, fresh):
        if fresh:
            return
        self.write(".config/opencode/opencode.json", {
            "$schema": "https://opencode.ai/config.json", "autoupdate": False, "model": "lab/fake-model",
            "small_model": "lab/fake-model", "permission": {"bash": "ask", "edit": "ask"},
            "provider": {"lab": {"npm": "@ai-sdk/openai-compatible", "name": "lab",
                                 "options": {"baseURL": f"{llm.url}/v1", "apiKey": "dummy"},
                                 "models": {"fake-model": {"name": "Fake"}}}}})

    def aider(self, llm, fresh):
        llm.toolless = True
        self.env |= {"OPENAI_API_KEY": "dummy", "OPENAI_API_BASE": f"{llm.url}/v1",
                     # Else it asks the internet for prices, and shows for a page that it can't.
                     "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        self.args = ["--model", "openai/fake-model", "--no-check-update", "--no-show-release-notes",
                     "--analytics-disable", "--no-gitignore", "--no-show-model-warnings", "--map-tokens", "0"]
        if fresh:
            self.args = ["--no-check-update", "--analytics-disable"]
            del self.env["OPENAI_API_KEY"]

    def copilot(self, llm, fresh):
        if fresh == "login":
            return
        self.env |= {"COPILOT_PROVIDER_BASE_URL": f"{llm.url}/v1", "COPILOT_PROVIDER_API_KEY": "dummy",
                     "COPILOT_MODEL": "fake-model", "COPILOT_AUTO_UPDATE": "false"}
        if not fresh:
            self.write(".copilot/config.json", {"trusted_folders": [PROJECT], "banner": "never"})

    def amp(self, llm, fresh):
        self.env |= {"AMP_URL": llm.url, "AMP_SKIP_UPDATE_CHECK": "1"}
        if not fresh:
            self.env |= {"AMP_API_KEY": "sgamp_user_dummy"}
