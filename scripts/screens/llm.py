"""A fake LLM on loopback for real agents: what it answers next is told by the scene.

Speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini, streaming or
not. It knows no content of its own: a scene puts `Reply` values into `Llm.replies`, and each
request of the agent's main loop takes one. It does not check keys and does not count tokens.
"""

import contextlib
import gzip
import json
import select
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Reply:
    """One answer: words, or a call of a tool, or an error; `hold` keeps the agent waiting."""

    text: str = "All done."
    tool: tuple[str, dict] | None = None
    status: int = 0
    message: str = "the lab says no"
    hold: bool = False
    # Words before the hold: the agent works while its answer is half written.
    begin: str = ""
    released: threading.Event = field(default_factory=threading.Event)


# What side calls (titles, routers, next-speaker checks) are answered with: satisfies the schemas seen.
SIDE = json.dumps({"title": "A task", "reasoning": "lab", "next_speaker": "user", "model_choice": "flash",
                   "complexity_reasoning": "lab", "complexity_score": 1, "corrected_target": "", "isNewTopic": False})


class Llm:
    def __init__(self):
        self.replies = []
        self.held = []
        self.requests = 0
        # Names of the tools that the agent's main loop offers.
        self.tools = []
        # Whether it offers any: without them every request is one of its main loop.
        self.toolless = False
        # What that was last asked with, as text.
        self.last = ""
        self.lock = threading.Lock()
        llm = self

        class Handler(_Handler):
            pass

        Handler.llm = llm
        self.server = _Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def then(self, *replies):
        with self.lock:
            self.replies.extend(replies)

    def take(self):
        with self.lock:
            self.requests += 1
            reply = self.replies.pop(0) if self.replies else Reply()
            if reply.hold:
                self.held.append(reply)
            return reply

    def release(self):
        """Lets every held answer go on."""
        with self.lock:
            held, self.held = self.held, []
            self.replies.clear()
        for reply in held:
            reply.released.set()

    def close(self):
        self.release()
        self.server.shutdown()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """An agent that hangs up is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    llm: Llm

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer({})

    def do_GET(self):
        models = [{"id": "fake-model", "object": "model", "type": "model", "display_name": "Fake"}]
        self.answer({"object": "list", "data": models, "models": []})

    def do_POST(self):
        body = self.body()
        path = self.path.split("?")[0]
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            if path.endswith("/count_tokens") or ":countTokens" in path:
                self.answer({"input_tokens": 10, "totalTokens": 10})
            elif path.endswith("/messages"):
                self.serve(_Anthropic(self, body))
            elif path.endswith("/responses"):
                self.serve(_Responses(self, body))
            elif path.endswith("/chat/completions"):
                self.serve(_Chat(self, body))
            elif "enerateContent" in path:
                body["stream"] = ":streamGenerateContent" in path
                self.serve(_Gemini(self, body))
            else:
                self.answer({"error": {"message": "not found", "type": "not_found_error"}}, 404)
        self.close_connection = True

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            raw = b""
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        with contextlib.suppress(ValueError):
            return json.loads(raw or b"{}")
        return {}

    def answer(self, value, status=200):
        raw = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def serve(self, dialect):
        names = dialect.tools()
        # The main loop has the most tools; titles have none, helpers in the background a few.
        main = self.llm.toolless or 2 * len(names) > len(self.llm.tools)
        reply = self.llm.take() if main else Reply(text=SIDE)
        if main:
            self.llm.last = json.dumps(dialect.request, ensure_ascii=False)
        if len(names) > len(self.llm.tools):
            self.llm.tools = names
        if reply.status:
            kind = "rate_limit_error" if reply.status == 429 else "invalid_request_error"
            error = {"type": kind, "message": reply.message, "code": reply.status, "status": "INVALID_ARGUMENT"}
            return self.answer({"type": "error", "error": error}, reply.status)
        if dialect.stream:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            dialect.open(reply)
        if reply.hold and not self.wait(reply):
            return None
        return dialect.finish(reply)

    def wait(self, reply):
        """Until the scene releases it (true) or the agent hangs up (false)."""
        while not reply.released.wait(0.02):
            if select.select([self.connection], [], [], 0)[0]:
                with contextlib.suppress(OSError):
                    if self.connection.recv(1, socket.MSG_PEEK):
                        continue
                return False
        return True

    def event(self, value, name=None):
        head = f"event: {name}\n" if name else ""
        data = value if isinstance(value, str) else json.dumps(value)
        self.wfile.write(f"{head}data: {data}\n\n".encode())
        self.wfile.flush()


class _Dialect:
    """One protocol: how a reply is opened (before a hold) and finished."""

    def __init__(self, handler, body):
        self.http, self.request = handler, body
        self.stream = bool(body.get("stream"))
        self.id = f"lab_{time.monotonic_ns()}"
        self.model = body.get("model") or "fake-model"

    def tools(self):
        found = [t.get("name") or (t.get("function") or {}).get("name") or t.get("type") for t in self.request.get("tools") or []]
        return [name for name in found if name]

    def open(self, reply):
        pass


class _Anthropic(_Dialect):
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}

    def message(self, content, stop):
        return {"id": self.id, "type": "message", "role": "assistant", "model": self.model, "content": content,
                "stop_reason": stop, "stop_sequence": None, "usage": self.usage}

    def say(self, kind, **rest):
        self.http.event({"type": kind, **rest}, kind)

    def open(self, reply):
        self.say("message_start", message=self.message([], None))
        if reply.begin:
            self.say("content_block_start", index=0, content_block={"type": "text", "text": ""})
            self.say("content_block_delta", index=0, delta={"type": "text_delta", "text": reply.begin})
            self.say("content_block_stop", index=0)

    def finish(self, reply):
        index = 1 if reply.begin else 0
        if reply.tool:
            name, arguments = reply.tool
            block = {"type": "tool_use", "id": f"toolu_{self.id}", "name": name, "input": arguments}
            empty = block | {"input": {}}
            delta, stop = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}, "tool_use"
        else:
            block = {"type": "text", "text": reply.text}
            empty, delta, stop = block | {"text": ""}, {"type": "text_delta", "text": reply.text}, "end_turn"
        if not self.stream:
            return self.http.answer(self.message([block], stop))
        self.say("content_block_start", index=index, content_block=empty)
        self.say("content_block_delta", index=index, delta=delta)
        self.say("content_block_stop", index=index)
        self.say("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 5})
        return self.say("message_stop")


class _Responses(_Dialect):
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}

    def response(self, status, output):
        return {"id": self.id, "object": "response", "status": status, "model": self.model, "output": output,
                "usage": self.usage if status == "completed" else None}

    def say(self, kind, **rest):
        self.http.event({"type": kind, "sequence_number": 0, **rest}, kind)

    def open(self, reply):
        self.say("response.created", response=self.response("in_progress", []))
        if reply.begin:
            self.text(reply.begin, f"b{self.id}")

    def text(self, text, name):
        item = {"type": "message", "id": name, "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}]}
        self.say("response.output_item.added", output_index=0, item=item | {"content": [], "status": "in_progress"})
        self.say("response.output_text.delta", item_id=name, output_index=0, content_index=0, delta=text)
        self.say("response.output_item.done", output_index=0, item=item)
        return item

    def finish(self, reply):
        if reply.tool:
            name, arguments = reply.tool
            item = {"type": "function_call", "id": f"fc_{self.id}", "call_id": f"call_{self.id}", "name": name,
                    "arguments": json.dumps(arguments), "status": "completed"}
            if self.stream:
                self.say("response.output_item.done", output_index=0, item=item)
        elif self.stream:
            item = self.text(reply.text, f"m{self.id}")
        else:
            item = {"type": "message", "id": f"m{self.id}", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": reply.text, "annotations": []}]}
        if not self.stream:
            return self.http.answer(self.response("completed", [item]))
        return self.say("response.completed", response=self.response("completed", [item]))


class _Chat(_Dialect):
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}

    def chunk(self, delta, finish=None, **rest):
        base = {"id": self.id, "created": int(time.time()), "model": self.model, "object": "chat.completion.chunk"}
        self.http.event(base | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]} | rest)

    def open(self, reply):
        self.chunk({"role": "assistant", "content": reply.begin})

    def finish(self, reply):
        if reply.tool:
            name, arguments = reply.tool
            call = {"name": name, "arguments": json.dumps(arguments)}
            delta = {"tool_calls": [{"index": 0, "id": f"call_{self.id}", "type": "function", "function": call}]}
            finish = "tool_calls"
        else:
            delta, finish = {"content": reply.text}, "stop"
        if self.stream:
            self.chunk(delta)
            self.chunk({}, finish, usage=self.usage)
            return self.http.event("[DONE]")
        message = {"role": "assistant", "content": None} | delta
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return self.http.answer({"id": self.id, "created": int(time.time()), "model": self.model,
                                 "object": "chat.completion", "choices": [choice], "usage": self.usage})


class _Gemini(_Dialect):
    def tools(self):
        groups = self.request.get("tools") or []
        return [f["name"] for group in groups for f in group.get("functionDeclarations", [])]

    def say(self, parts, finish):
        value = {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0} | finish],
                 "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}}
        return self.http.event(value) if self.stream else self.http.answer(value)

    def open(self, reply):
        if reply.begin:
            self.say([{"text": reply.begin}], {})

    def finish(self, reply):
        if reply.tool:
            name, arguments = reply.tool
            part = {"functionCall": {"name": name, "args": arguments}}
        else:
            part = {"text": reply.text}
        return self.say([part], {"finishReason": "STOP"})
