"""A server of language models that answers and fails by a script."""

import json
import math
import re
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

from typing_extensions import override

NAME = "test-model"


@dataclass(frozen=True)
class Page:
    """A response: its status, headers and body; `cut` announces more bytes than are sent."""

    status: int = 200
    body: bytes = b"{}"
    headers: tuple[tuple[str, str], ...] = ()
    cut: int = 0


def answer(text: str | None, reason: str = "stop", **said: Any) -> Page:
    """Return the response with a model's answer."""
    choice = {"message": {"role": "assistant", "content": text, **said}, "finish_reason": reason}
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 80},
    }
    return Page(body=json.dumps({"model": NAME, "choices": [choice], "usage": usage}).encode())


def failure(status: int, message: str = "no", code: str | None = None, **headers: str) -> Page:
    """Return the response with an error of the protocol."""
    body = json.dumps({"error": {"message": message, "code": code}}).encode()
    return Page(status, body, tuple((name.replace("_", "-"), v) for name, v in headers.items()))


# Makes a response from a request's body.
Model = Callable[[dict[str, Any]], Page]


@dataclass
class ModelServer:
    """A running server: the responses in line, a model that answers once none is left."""

    url: str
    model: Model
    pages: deque[Page] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    # Answers wait until it is set.
    open: threading.Event = field(default_factory=threading.Event)
    # Requests whose client closed the connection before the answer.
    abandoned: list[dict[str, Any]] = field(default_factory=list)

    def respond(self, body: dict[str, Any], key: str, client: socket.socket) -> Page | None:
        """Keep a request; return the next response, or None for a client that has left."""
        self.requests.append(body)
        self.keys.append(key)
        while not self.open.wait(0.01):
            if has_left(client):
                self.abandoned.append(body)
                return None
        return self.pages.popleft() if self.pages else self.model(body)

    def asked(self) -> list[str]:
        """Return the last message of each request."""
        return [body["messages"][-1]["content"] for body in self.requests]


def has_left(client: socket.socket) -> bool:
    """Return whether the other end of a connection has closed it."""
    try:
        return not client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


def first_action(body: dict[str, Any]) -> Page:
    """Answer with the first of the legal actions that the prompt lists."""
    turn = body["messages"][min(1, len(body["messages"]) - 1)]["content"]
    name = turn.partition("Your legal actions:\n- ")[2].partition("\n")[0]
    return answer(f"I think so.\n\nFinal answer: {name}")


def random_model(rng: Random) -> Model:
    """Return a model that plays like `random`; four characters are a token, without the rules."""

    def respond(body: dict[str, Any]) -> Page:
        texts = [message["content"] for message in body["messages"]]
        names = texts[min(1, len(texts) - 1)].partition("Your legal actions:\n")[2].splitlines()
        page = answer(f"Final answer: {rng.choice(names or ['-'])[2:]}")
        sent = json.loads(page.body)
        details = {"cached_tokens": len(texts[0]) // 4 if len(texts) > 1 else 0}
        sent["usage"] = {
            "prompt_tokens": sum(map(len, texts)) // 4,
            "completion_tokens": 20,
            "prompt_tokens_details": details,
        }
        return Page(body=json.dumps(sent).encode())

    return respond


CUP = """
cardhub_match: 1
games: [kuhn]
bots: [{model}, random]
blocks: {blocks}
"""


def write_cup(folder: Path, models: ModelServer, blocks: int = 4) -> Path:
    """Write the file of a match between a model and `random`."""
    path = folder / "cup.yaml"
    path.write_text(CUP.format(model=f'"llm:m,url={models.url}"', blocks=blocks))
    return path


def likelihoods(chances: Callable[[str], float]) -> Model:
    """Return a model that gives probabilities: `chances` by the last line of a prompt.

    As in real servers, a token begins before the text and ends in it, and a token is added.
    """

    def respond(body: dict[str, Any]) -> Page:
        text = body["prompt"]
        starts = [token.start() for token in re.finditer(r"\S+\s*", text)]
        logs: list[float | None] = [None, *(0.0 for _ in starts[1:])]
        logs[-1] = math.log(chances(text.splitlines()[-1]))
        tokens = {"text_offset": [*starts, len(text)], "token_logprobs": [*logs, -9.0]}
        usage = {"prompt_tokens": len(starts), "completion_tokens": 1}
        choice = {"text": text + "x", "logprobs": tokens}
        return Page(body=json.dumps({"model": NAME, "choices": [choice], "usage": usage}).encode())

    return respond


@contextmanager
def running_server(model: Model = first_action, port: int = 0) -> Iterator[ModelServer]:
    """Run a server of this process, at any free port unless one is named."""
    server: ModelServer

    class Handler(BaseHTTPRequestHandler):
        @override
        def log_message(self, format: str, *args: Any) -> None:
            """Print no line."""

        def do_POST(self) -> None:
            """Answer a request."""
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "")
            page = server.respond(body, key, self.connection)
            if page is None:
                self.close_connection = True
                return
            self.send_response(page.status)
            for name, value in page.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(page.body) + page.cut))
            self.end_headers()
            self.wfile.write(page.body)

    http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    http.daemon_threads = True
    server = ModelServer(f"http://127.0.0.1:{http.server_address[1]}/v1", model)
    server.open.set()
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.open.set()
        http.shutdown()
        http.server_close()
        thread.join()
