"""A server for a model in a GGUF file that rates only the last line of a prompt.

`python -m tests.kit.gguf_server FILE` runs it, with a Python that has `llama-cpp-python`. The
server of that package rates all tokens of a prompt, and sorts the whole vocabulary for each of
them: minutes for a prompt with the rules of a game.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from threading import Event, Lock
from typing import Any

import numpy as np
from llama_cpp import Llama, llama_get_logits_ith
from tests.kit.model_server import Page, running_server


class RatingModel:
    """A model whose context is kept between requests, so equal beginnings are read once."""

    def __init__(self, path: str, tokens: int, threads: int) -> None:
        # A cache of full size can be cut anywhere; the short one of some models cannot.
        self._llama = Llama(
            path,
            n_ctx=tokens,
            n_threads=threads,
            n_threads_batch=threads,
            swa_full=True,
            verbose=False,
        )
        self._read = list[int]()
        self._lock = Lock()

    def respond(self, body: dict[str, Any]) -> Page:
        """Answer a request for the probabilities of a prompt, or one of a dialogue."""
        with self._lock:
            if "prompt" in body:
                return Page(body=json.dumps(self._completion(body)).encode())
            self._read.clear()
            said = self._llama.create_chat_completion(
                body["messages"], max_tokens=body.get("max_completion_tokens", 16)
            )
            return Page(body=json.dumps(said).encode())

    def _completion(self, body: dict[str, Any]) -> dict[str, Any]:
        text = body["prompt"]
        tokens = self._llama.tokenize(text.encode())
        offsets = self._offsets(tokens)
        line = len(text.rstrip("\n").rpartition("\n")[0])
        first = max(1, sum(offset <= line for offset in offsets[1:]))
        rated = self._rate(tokens, first)
        logs = [*[None] * first, *rated]
        usage = {"prompt_tokens": len(tokens), "completion_tokens": 0}
        choice = {"text": text, "logprobs": {"text_offset": offsets, "token_logprobs": logs}}
        return {"model": body["model"], "choices": [choice], "usage": usage}

    def _offsets(self, tokens: Sequence[int]) -> list[int]:
        """Return where each token begins, in characters; the first one stands for the begin."""
        offsets, data = [0], b""
        for token in tokens[1:]:
            offsets.append(len(data.decode(errors="ignore")))
            data += self._llama.detokenize([token])
        return offsets

    def _rate(self, tokens: list[int], first: int) -> list[float]:
        """Return the logarithms of the probabilities of the tokens from the first one on."""
        pairs = zip(self._read, tokens[: first - 1], strict=False)
        known = next((n for n, (a, b) in enumerate(pairs) if a != b), None)
        known = min(len(self._read), first - 1) if known is None else known
        self._llama.n_tokens = known
        self._llama.eval(tokens[known:first])
        rated = []
        for token in tokens[first:]:
            rated.append(self._log_probability(token))
            self._llama.eval([token])
        self._read = tokens
        return rated

    def _log_probability(self, token: int) -> float:
        """Return the logarithm of the probability of a token after those that were read."""
        address = llama_get_logits_ith(self._llama.ctx, -1)
        logits = np.ctypeslib.as_array(address, shape=(self._llama.n_vocab(),)).astype(np.float64)
        return float(logits[token] - np.logaddexp.reduce(logits))


def main() -> None:
    """Serve a model until the program is interrupted."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", help="the file of the model")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--tokens", type=int, default=8192, help="the most tokens of a prompt")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    model = RatingModel(options.file, options.tokens, options.threads)
    with running_server(model.respond, options.port) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        Event().wait()


if __name__ == "__main__":
    main()
