"""Servers of language models that speak OpenAI's protocol: a request, its answer, its faults.

A fault of a server is never an answer of the model. Faults that may pass are tried again for a
while; others, such as a wrong key, are not.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from math import fsum
from socket import SHUT_RDWR
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec.structs import replace

from cardhub.base.errors import BotProviderError
from cardhub.base.errors.quoting import printable
from cardhub.base.writing import clipped
from cardhub.bots.language.endpoint import Endpoint

if TYPE_CHECKING:
    from openai import OpenAI

T = TypeVar("T")

# Faults that may pass: busy servers, and requests that came too early.
PASSING = frozenset({408, 409, 425, 429})
# The code with which OpenAI's protocol says that an account has no money left; this does not pass.
NO_CREDIT = "insufficient_quota"
# Seconds before the second try, which double with every further try, up to a limit.
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
# Seconds until a connection, which cannot be stopped before it is made.
LONGEST_CONNECT = 10.0
# The events of the library for networks that have made a connection, or encrypted it.
CONNECTED = ("connect_tcp.complete", "start_tls.complete")
# The largest answer that is read, in bytes: a server may send without end.
MOST_BYTES = 4 * 2**20

NO_PROBABILITIES = "it gives no probabilities of a prompt's tokens"
NO_ANSWER = "no answer from {model} at {host}: {cause}"
CAUSES = {
    401: "the key is missing or wrong",
    403: "the key may not use this model",
    404: "there is no such model or address",
    413: "the prompt is too long",
    429: "too many requests",
}


class Message(msgspec.Struct, frozen=True):
    """A message of a dialogue; its role is `system`, `user` or `assistant`."""

    role: str
    content: str


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of a model.

    `is_refused`: the model or its server declined to answer. `model`: the name that the server
    gives. The numbers count tokens, as far as the server counts them. `log_probability`: the
    natural logarithm of the probability of `text` after a prompt, if that was asked for. `faults`:
    the number of tries that failed before it, through faults of the server.
    """

    text: str
    is_cut_off: bool = False
    is_refused: bool = False
    model: str = ""
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    log_probability: float = 0.0
    faults: int = 0


class ServerFaultError(Exception):
    """A fault of a server at one try.

    `passes`: whether another try may succeed. `wait`: the seconds that the server asks for.
    `words`: the server's own words, which may repeat the prompt.
    """

    def __init__(self, cause: str, *, passes: bool, wait: float = 0.0, words: str = "") -> None:
        super().__init__(cause)
        self.passes = passes
        self.wait = wait
        self.words = words


class Provider:
    """A connection to a server, for one bot at a time.

    `seconds`: the limit for each try of a request; `patience`: the limit for all its tries.
    """

    def __init__(self, endpoint: Endpoint, seconds: float, patience: float) -> None:
        self.endpoint = endpoint
        self._seconds = seconds
        self._patience = patience
        self._client: OpenAI | None = None
        self._stream: Any = None  # the connection of the client's library for networks
        self._until = 0.0
        self._stopped = Event()

    def ask(self, messages: Sequence[Message], tokens: int, **more: Any) -> Reply:
        """Return the answer to a dialogue, of at most `tokens`; `more`: fields of the request.

        Raises BotProviderError if the server gives no answer.
        """
        said: Any = [{"role": message.role, "content": message.content} for message in messages]
        more = {self.endpoint.limit_field: tokens, **more}

        def request(client: "OpenAI") -> Any:
            create = client.chat.completions.with_streaming_response.create
            return create(model=self.endpoint.model, messages=said, extra_body=more)

        return self._persist(request, read_reply)

    def rate(self, prompt: str, text: str) -> Reply:
        """Return the text with its probability after a prompt; raises BotProviderError."""

        def request(client: "OpenAI") -> Any:
            return client.completions.with_streaming_response.create(
                model=self.endpoint.model,
                prompt=prompt + text,
                echo=True,
                logprobs=1,
                # Some servers take 0 for no limit; the token that is added is left out.
                max_tokens=1,
            )

        return self._persist(request, lambda data: read_likelihood(data, prompt, text))

    def _persist(self, request: Callable[["OpenAI"], Any], read: Callable[[bytes], Reply]) -> Reply:
        """Return the answer to a request, after as many tries as the patience allows."""
        end, wait, tries = monotonic() + self._patience, FIRST_WAIT, 0
        while True:
            tries += 1
            try:
                return replace(self._try(request, read), faults=tries - 1)
            except ServerFaultError as fault:
                pause = max(fault.wait, wait)
                is_last = not fault.passes or monotonic() + pause > end
                if is_last or self._stopped.wait(pause):
                    cause = str(fault) if tries == 1 else f"{fault} ({tries} tries)"
                    raise self._error(cause, fault.words) from fault
            wait = min(2 * wait, LONGEST_WAIT)

    def stop(self) -> None:
        """End the running request and all later ones; any thread may call it."""
        self._stopped.set()
        self._cut()
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # the thread of the request may be closing it as well
                client.close()

    def _cut(self) -> None:
        """End the connection, also for the thread that waits for an answer."""
        stream = self._stream
        if stream is not None:
            with suppress(OSError):  # it may have ended
                stream.get_extra_info("socket").shutdown(SHUT_RDWR)

    def _watch(self, request: Any) -> None:
        """Have the client's library report the connection of a request."""
        request.extensions["trace"] = self._note

    def _note(self, event: str, details: Mapping[str, Any]) -> None:
        if event.endswith(CONNECTED):
            self._stream = details["return_value"]
            if self._stopped.is_set():
                self._cut()

    def _error(self, cause: str, words: str) -> BotProviderError:
        key = self.endpoint.find_key()
        words = words.replace(key, "…") if key else words  # some servers repeat it
        model = clipped(printable(self.endpoint.model))
        message = NO_ANSWER.format(model=model, host=self.endpoint.host, cause=cause)
        return BotProviderError(message, details=words)

    def _try(self, request: Callable[["OpenAI"], Any], read: Callable[[bytes], Reply]) -> Reply:
        import openai

        self._until = monotonic() + self._seconds
        try:
            with request(self._client or self._connect()) as response:
                return read(self._read(response))
        except openai.APITimeoutError:
            raise ServerFaultError(
                f"no answer within {self._seconds:g} seconds", passes=True
            ) from None
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            if isinstance(cause, ServerFaultError):  # raised by `_refuse_status`
                raise cause from None
            text = clipped(printable(str(cause)))
            raise ServerFaultError(f"it cannot be reached: {text}", passes=True) from None
        except openai.OpenAIError as error:
            words = clipped(printable(str(error)))
            raise ServerFaultError("the request failed", passes=False, words=words) from None

    def _connect(self) -> "OpenAI":
        import openai

        http = openai.DefaultHttpxClient(
            follow_redirects=False,  # one would send the prompt to another address
            event_hooks={"request": [self._watch], "response": [self._refuse_status]},
        )
        self._client = openai.OpenAI(
            # The library wants a key, though servers at home need none.
            api_key=self.endpoint.find_key() or "none",
            base_url=self.endpoint.url,
            timeout=openai.Timeout(self._seconds, connect=min(self._seconds, LONGEST_CONNECT)),
            max_retries=0,
            http_client=http,
        )
        return self._client

    def _refuse_status(self, response: Any) -> None:
        """Raise the fault of an unsuccessful response, before the library reads its whole body."""
        if response.status_code != HTTPStatus.OK:
            raise status_fault(response.status_code, response.headers, self._read(response))

    def _read(self, response: Any) -> bytes:
        """Return the body of a response, with limits of size and time; raises ServerFaultError."""
        data = bytearray()
        try:
            for part in response.iter_bytes():
                data += part
                if len(data) > MOST_BYTES:
                    break
                if monotonic() > self._until:
                    raise ServerFaultError(
                        f"no answer within {self._seconds:g} seconds", passes=True
                    )
        except ServerFaultError:
            raise
        except Exception as error:  # noqa: BLE001  # its client of HTTP has types of its own
            cause = type(error).__name__
            raise ServerFaultError(
                f"the answer ended in the middle ({cause})", passes=True
            ) from None
        if len(data) > MOST_BYTES:
            raise ServerFaultError(
                f"the answer has more than {MOST_BYTES // 2**20} MB", passes=False
            )
        return bytes(data)


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Tokens(msgspec.Struct):
    # Servers that rate only the tokens of the answer have other fields.
    text_offset: list[int] = []
    token_logprobs: list[float | None] = []


class _Rated(msgspec.Struct):
    logprobs: _Tokens | None = None


class _Ratings(msgspec.Struct):
    choices: list[_Rated]
    model: str = ""
    usage: "_Usage | None" = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Details(msgspec.Struct):
    cached_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _Details | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


class _Problem(msgspec.Struct):
    message: str = ""
    code: str | int | None = None


class _Problems(msgspec.Struct):
    error: _Problem


def read_reply(data: bytes) -> Reply:
    """Return the answer in the body of a response; raises ServerFaultError."""
    completion = _decode(data, _Completion)
    if not completion.choices:
        raise ServerFaultError("the answer is empty", passes=True)
    choice, usage = completion.choices[0], completion.usage or _Usage()
    is_cut_off = choice.finish_reason == "length"
    is_refused = choice.finish_reason == "content_filter" or bool(choice.message.refusal)
    text = choice.message.content or choice.message.refusal or ""
    if not (text or is_cut_off or is_refused):
        raise ServerFaultError("the answer is empty", passes=True)
    details = usage.prompt_tokens_details or _Details()
    return Reply(
        text,
        is_cut_off,
        is_refused,
        clipped(printable(completion.model)),
        usage.prompt_tokens,
        details.cached_tokens or 0,
        usage.completion_tokens,
    )


def read_likelihood(data: bytes, prompt: str, text: str) -> Reply:
    """Return a text with its probability, from the tokens of the prompt and the text.

    Raises ServerFaultError.
    """
    ratings = _decode(data, _Ratings)
    tokens = ratings.choices[0].logprobs if ratings.choices else None
    if tokens is None:
        raise ServerFaultError(NO_PROBABILITIES, passes=False)
    begin, end = len(prompt), len(prompt) + len(text)
    # A token may begin before the text and end in it.
    ends = [*tokens.text_offset[1:], end + 1]
    rated = [
        value
        for value, first, last in zip(tokens.token_logprobs, tokens.text_offset, ends, strict=False)
        if last > begin and first < end
    ]
    if not rated or None in rated:
        raise ServerFaultError(NO_PROBABILITIES, passes=False)
    usage = ratings.usage or _Usage()
    return Reply(
        text,
        model=clipped(printable(ratings.model)),
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.completion_tokens,
        log_probability=fsum(filter(None, rated)),
    )


def _decode(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (ValueError, RecursionError) as error:
        cause = clipped(printable(str(error)))
        raise ServerFaultError(
            f"the answer is not of OpenAI's protocol: {cause}", passes=True
        ) from None


def status_fault(status: int, headers: Mapping[str, str], body: bytes) -> ServerFaultError:
    """Return the fault of a status code, with the server's own reason."""
    problem = _Problem()
    with suppress(ValueError, RecursionError):
        problem = msgspec.json.decode(body, type=_Problems).error
    if problem.code == NO_CREDIT:
        return ServerFaultError("the account has no credit left", passes=False)
    cause = CAUSES.get(status, f"its status is {status}")
    if 300 <= status < 400:
        cause = "it sends to another address, which is not followed"
    return ServerFaultError(
        cause,
        passes=status in PASSING or status >= 500,
        wait=_seconds_of(headers),
        words=clipped(printable(problem.message)),
    )


def _seconds_of(headers: Mapping[str, str]) -> float:
    # A date in the place of the number is rare, and then the usual wait is used.
    with suppress(ValueError):
        return max(0.0, float(headers.get("retry-after", "0")))
    return 0.0
