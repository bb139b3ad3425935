"""A bot that asks a language model for the name of an action."""

from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from typing_extensions import override

from cardhub.base.errors import (
    BotFaultError,
    BotIllegalError,
    BotRefusalError,
    BotUnclearError,
    BotUnfinishedError,
)
from cardhub.base.errors.quoting import printable
from cardhub.base.writing import amount, clipped
from cardhub.bots.bot import Bot, Interruptible
from cardhub.bots.language.answers import CUT_OFF, NO_REFUSAL, Reading, Refusal, read_answer
from cardhub.bots.language.endpoint import Endpoint
from cardhub.bots.language.exchanges import Exchanges
from cardhub.bots.language.prompt import Choices, Memory, Prompt, build_prompt
from cardhub.bots.language.provider import Message, Provider, Reply
from cardhub.model.hidden.observation import Observation

FAULTS: Mapping[Refusal, type[BotFaultError]] = {
    "illegal": BotIllegalError,
    "not understood": BotUnclearError,
    "cut off": BotUnfinishedError,
    "refused to play": BotRefusalError,
}
# The most characters of an answer that the model reads again when it is asked again.
MOST_REPEATED = 2_000


class LanguageBot(Bot, Interruptible):
    """A bot that asks a language model.

    An answer that names no legal action is refused with a reason, and the model is asked again, up
    to `tries` times in all; then the bot raises the fault of its last answer. `form`: whether the
    model answers in text or in JSON. `tokens`: the limit for an answer. `seconds` and `patience`:
    see `Provider`.
    """

    def __init__(
        self,
        *,
        model: str,
        url: str,
        memory: Memory,
        choices: Choices,
        form: str,
        tries: int,
        tokens: int,
        seconds: str,
        patience: str,
    ) -> None:
        self._memory = memory
        self._choices = choices
        self._is_json = form == "json"
        self._tries = tries
        self._tokens = tokens
        self._endpoint = Endpoint(model, url)
        self._connect = partial(Provider, self._endpoint, float(seconds), float(patience))
        self._provider = self._connect()
        self._exchanges: Exchanges | None = None

    def keep_answers(self, exchanges: Exchanges) -> None:
        """Take the answers of a game from its file, and ask for the others only."""
        self._exchanges = exchanges

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        prompt = build_prompt(observation, self._memory, self._choices)
        dialogue = [Message("system", prompt.constant), Message("user", prompt.turn)]
        # An interruption replaces the provider, so one decision has one.
        provider, form = self._provider, self._form(prompt)
        for _ in range(self._tries):
            reply = self._ask(provider, dialogue, form)
            reading = self._read(prompt, reply)
            if reading.action is not None:
                return reading.action
            repeated = clipped(reply.text, MOST_REPEATED) or "…"
            dialogue += [Message("assistant", repeated), Message("user", reading.reason)]
        raise self._fault(reading, reply)

    @override
    def interrupt(self) -> None:
        provider, self._provider = self._provider, self._connect()
        provider.stop()

    def close(self) -> None:
        """End the running request and the connection."""
        self.interrupt()

    def _ask(
        self, provider: Provider, dialogue: Sequence[Message], form: Mapping[str, Any]
    ) -> Reply:
        ask = partial(provider.ask, tuple(dialogue), self._tokens, **form)
        if self._exchanges is None:
            return ask()
        request = [self._endpoint.model, dialogue, self._tokens, form]
        return self._exchanges.answer(sha256(msgspec.json.encode(request)).hexdigest(), ask)

    def _form(self, prompt: Prompt) -> dict[str, Any]:
        """Return the fields of a request that ask for a structured answer, if any."""
        if not self._is_json:
            return {}
        names = {"enum": list(prompt.names)} if self._choices == "listed" else {}
        schema = {
            "type": "object",
            "properties": {"action": {"type": "string", **names}},
            "required": ["action"],
            "additionalProperties": False,
        }
        form = {"name": "action", "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def _read(self, prompt: Prompt, reply: Reply) -> Reading:
        if reply.is_refused:
            return Reading(None, "refused to play", NO_REFUSAL)
        reading = read_answer(prompt, reply.text, is_structured=self._is_json)
        if reading.action is None and reply.is_cut_off:
            return Reading(None, "cut off", CUT_OFF)
        return reading

    def _fault(self, reading: Reading, reply: Reply) -> BotFaultError:
        answer = clipped(printable(reply.text[-MOST_REPEATED:], lines=True))
        tries = amount(self._tries, "try", "tries")
        message = f"{reading.reason} It was the last answer of {tries}: {answer!r}"
        return FAULTS[reading.refusal or "not understood"](message, reply.text)
