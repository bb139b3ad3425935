"""Bots that ask a language model: for the name of an action, or how likely each name is."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from math import exp, fsum
from random import Random
from typing import Any, NamedTuple

import msgspec
from typing_extensions import override

from cardhub.base.errors import (
    BotFaultError,
    BotIllegalError,
    BotProviderError,
    BotRefusalError,
    BotUnclearError,
    BotUnfinishedError,
)
from cardhub.base.errors.quoting import printable
from cardhub.base.writing import amount, clipped
from cardhub.bots.bot import Bot, Interruptible
from cardhub.bots.language.answers import (
    CUT_OFF,
    NO_REFUSAL,
    Reading,
    Refusal,
    read_answer,
    read_notes,
)
from cardhub.bots.language.endpoint import Endpoint
from cardhub.bots.language.exchanges import Exchanges, Refused
from cardhub.bots.language.notes import Notebook
from cardhub.bots.language.prompt import ANSWER_MARK, Choices, Memory, Prompt, build_prompt
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


class ModelBot(Bot, Interruptible):
    """A bot that asks a model of a server; for `seconds` and `patience` see `Provider`."""

    def __init__(self, endpoint: Endpoint, seconds: float, patience: float) -> None:
        self._model = endpoint.model
        self._connect = partial(Provider, endpoint, seconds, patience)
        # An interruption replaces it, so a decision keeps the one with which it began.
        self._provider = self._connect()
        self._exchanges: Exchanges | None = None

    def keep_answers(self, exchanges: Exchanges) -> None:
        """Take the answers of a game from its file, and ask for the others only."""
        self._exchanges = exchanges

    @override
    def interrupt(self) -> None:
        provider, self._provider = self._provider, self._connect()
        provider.stop()

    def close(self) -> None:
        """End the running request and the connection."""
        self.interrupt()

    def _answer(
        self,
        request: Any,
        ask: Callable[[], Reply],
        judge: Callable[[Reply], Refused] = lambda reply: Refused(),
        sample: int = 0,
    ) -> Reply:
        """Return the stored answer to a request of JSON values, or ask for it."""
        if self._exchanges is None:
            return ask()
        digest = sha256(msgspec.json.encode([self._model, request])).hexdigest()
        return self._exchanges.answer(digest, ask, judge, sample)


class Asking(NamedTuple):
    """How a model is asked: what it reads, and how often.

    `is_json`: whether it answers in JSON instead of text. An answer that names no legal action is
    refused with a reason, and the model is asked again, up to `tries` times. `tokens`: the limit
    for an answer. `samples`: the number of answers to each decision.
    """

    memory: Memory
    choices: Choices
    is_json: bool
    tries: int
    tokens: int
    samples: int


class LanguageBot(ModelBot):
    """A bot that asks a language model, and plays what most of its answers name.

    Of actions that are named equally often it plays the one that was named first. An answer whose
    tries all fail does not count; if none counts, the bot raises the fault of the last one.
    """

    def __init__(self, endpoint: Endpoint, seconds: float, patience: float, asking: Asking) -> None:
        super().__init__(endpoint, seconds, patience)
        self._asking = asking
        self._notebook = Notebook()

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        actions = Counter(self._named_actions(observation))
        return max(actions, key=actions.__getitem__)

    def _named_actions(self, observation: Observation[Any]) -> list[int]:
        """Return the actions that the answers name, and keep their notes; raises BotFaultError."""
        notes = self._notebook.read(observation)
        prompt = build_prompt(observation, self._asking.memory, self._asking.choices, notes)
        samples, written = self._asking.samples, dict[int, str]()
        actions, faults = list[int](), list[BotFaultError]()
        # The provider of the decision, which an interruption replaces for the next one.
        ask = partial(self._ask, prompt, self._provider)
        for number in range(1, samples + 1):
            try:
                action, reply = ask(number if samples > 1 else 0)
            except BotProviderError:
                raise
            except BotFaultError as fault:
                faults.append(fault)
            else:
                actions.append(action)
                new_notes = read_notes(reply.text, is_structured=self._asking.is_json)
                written.setdefault(action, notes if new_notes is None else new_notes)
        if not actions:
            raise faults[-1]
        if self._asking.memory == "notes":
            for action, text in written.items():
                self._notebook.write(observation, action, text)
        return actions

    def _ask(self, prompt: Prompt, provider: Provider, sample: int) -> tuple[int, Reply]:
        """Return the action that one answer names, and the answer; raises BotFaultError."""
        dialogue = [Message("system", prompt.constant), Message("user", prompt.turn)]
        form, tokens = self._form(prompt), self._asking.tokens
        for _ in range(self._asking.tries):
            ask = partial(provider.ask, tuple(dialogue), tokens, **form)
            judge = partial(self._judge, prompt)
            reply = self._answer([dialogue, tokens, form], ask, judge, sample)
            reading = self._read(prompt, reply)
            if reading.action is not None:
                return reading.action, reply
            repeated = clipped(reply.text, MOST_REPEATED) or "…"
            dialogue += [Message("assistant", repeated), Message("user", reading.reason)]
        raise self._fault(reading, reply)

    def _form(self, prompt: Prompt) -> dict[str, Any]:
        """Return the fields of a request that ask for a structured answer, if any."""
        if not self._asking.is_json:
            return {}
        names = {"enum": list(prompt.names)} if self._asking.choices == "listed" else {}
        notes = {"notes": {"type": "string"}} if self._asking.memory == "notes" else {}
        properties = {**notes, "action": {"type": "string", **names}}
        schema = {
            "type": "object",
            "properties": properties,
            "required": [*properties],
            "additionalProperties": False,
        }
        form = {"name": "action", "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def _read(self, prompt: Prompt, reply: Reply) -> Reading:
        if reply.is_refused:
            return Reading(None, "refused to play", NO_REFUSAL)
        reading = read_answer(prompt, reply.text, is_structured=self._asking.is_json)
        if reading.action is None and reply.is_cut_off:
            return Reading(None, "cut off", CUT_OFF)
        return reading

    def _judge(self, prompt: Prompt, reply: Reply) -> Refused:
        reading = self._read(prompt, reply)
        return Refused(reading.refusal or "", clipped(reading.reason))

    def _fault(self, reading: Reading, reply: Reply) -> BotFaultError:
        answer = clipped(printable(reply.text[-MOST_REPEATED:], lines=True))
        tries = amount(self._asking.tries, "try", "tries")
        message = f"{reading.reason} It was the last answer of {tries}: {answer!r}"
        return FAULTS[reading.refusal or "not understood"](message, reply.text)


class DrawingBot(LanguageBot):
    """A bot that draws one of the answers, so that it plays each action as often as the model."""

    def __init__(
        self, rng: Random, endpoint: Endpoint, seconds: float, patience: float, asking: Asking
    ) -> None:
        super().__init__(endpoint, seconds, patience, asking)
        self._rng = rng

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        return self._rng.choice(self.sample(observation))

    def sample(self, observation: Observation[Any], /) -> list[int]:
        """Return the actions that the answers name; raises BotFaultError."""
        return self._named_actions(observation)


class LikelihoodBot(ModelBot):
    """A bot whose probabilities are those of the names of the legal actions, in proportion.

    It asks for one name after the other, as the next line of the prompt. So weak models and models
    without training as assistants have a policy in each information state.
    """

    def __init__(
        self,
        rng: Random,
        endpoint: Endpoint,
        seconds: float,
        patience: float,
        memory: Memory,
        choices: Choices,
    ) -> None:
        super().__init__(endpoint, seconds, patience)
        self._rng = rng
        self._memory = memory
        self._choices = choices

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        policy = self.policy(observation)
        return self._rng.choices([*policy], [*policy.values()])[0]

    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        """Return the probability of each legal action."""
        prompt = build_prompt(observation, self._memory, self._choices)
        if len(prompt.names) == 1:
            return dict.fromkeys(prompt.names.values(), 1.0)
        begin, provider = f"{prompt.text}\n\n{ANSWER_MARK}", self._provider
        likely = {}
        for name, action in prompt.names.items():
            # With the end of the line, or a name that begins another one would be the likelier one.
            text = f" {name}\n"
            reply = self._answer([begin, text], partial(provider.rate, begin, text))
            likely[action] = reply.log_probability
        best = max(likely.values())
        weights = {action: exp(value - best) for action, value in likely.items()}
        total = fsum(weights.values())
        return {action: weight / total for action, weight in weights.items()}
