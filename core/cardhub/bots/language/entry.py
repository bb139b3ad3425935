"""The registration of the bot `llm`: its options, and the checks before a model is asked.

The bot itself is imported when it is made, because prompts need the views of tables.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from os import environ
from random import Random
from typing import Any
from urllib.parse import urlsplit

from typing_extensions import override

from cardhub.base.errors import OptionError
from cardhub.bots.bot import Bot, BotEntry, always_playable, always_uses_clock
from cardhub.bots.language.endpoint import KEYS, OPENAI, OPENAI_KEY, Endpoint
from cardhub.bots.spec import Seconds, Spec, TextOption, resolve_settings
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Number, OneOf, Settings

# The variable with the options of the model that menus offer: "gemma3,url=http://localhost:8080/v1".
USUAL = "CARDHUB_LLM"
PROBE = "Answer with the word yes."
NO_LIBRARY = "openai is not installed. fix: pip install '.[llm]' in the checkout of cardhub"
NO_MODEL = (
    f"no language model is set up. fix: set the environment variable {USUAL} to NAME,url=ADDRESS, "
    "or name a model: llm:NAME,url=ADDRESS"
)
NO_KEY = "there is no key for {host}. fix: set the environment variable {variable}"
NO_NOTES = "a model writes no notes with form=likelihood. fix: memory=log, or form=text"
NO_SAMPLES = "form=likelihood has exact probabilities. fix: leave out samples, or form=text"


def usual_spec(environment: Mapping[str, str] = environ) -> str:
    """Return the spec of the language model that menus offer."""
    options = environment.get(USUAL, "")
    return f"{LLM.name}:{options}" if options else LLM.name


def offered_spec(environment: Mapping[str, str] = environ) -> str:
    """Return the spec of the language model that a server offers; empty if none is set up.

    It names the model without its address, which `completed` finds again.
    """
    options = read_usual(environment)
    if options is None or refusal("", options):
        return ""
    return f"{LLM.name}:{options.word('model')}"


def read_usual(environment: Mapping[str, str] = environ) -> Settings | None:
    """Return the options of the language model that is set up, None for none or invalid ones."""
    text = environment.get(USUAL, "")
    try:
        # Whether it can be asked is another question, whose answer needs these options.
        entry = replace(LLM, refusal=always_playable)
        return resolve_settings(entry, Spec(LLM.name, text), "") if text else None
    except OptionError:
        return None


def completed(settings: Settings) -> Settings:
    """Return the options that a spec means: `llm` and `llm:NAME` can be the model that is set up.

    So a server's tables name the model, and not its address.
    """
    usual = read_usual()
    if usual is None or settings.word("model") not in ("", usual.word("model")):
        return settings
    others = [name for name in LLM.options if name != "model"]
    is_short = all(settings[name] == LLM.options[name].default for name in others)
    return usual if is_short else settings


def make(rng: Random, **options: Any) -> Bot:
    """Return a bot that asks a language model."""
    from cardhub.bots.language.language_bot import (
        Asking,
        DrawingBot,
        LanguageBot,
        LikelihoodBot,
    )

    options = dict(completed(Settings(options)))
    endpoint = Endpoint(options["model"], options["url"])
    limits = float(options["seconds"]), float(options["patience"])
    memory, choices, form = options["memory"], options["choices"], options["form"]
    if form == "likelihood":
        return LikelihoodBot(rng, endpoint, *limits, memory, choices)
    numbers = options["tries"], options["tokens"], options["samples"]
    asking = Asking(memory, choices, form == "json", *numbers)
    if options["vote"] == "drawn":
        return DrawingBot(rng, endpoint, *limits, asking)
    return LanguageBot(endpoint, *limits, asking)


class Model(TextOption):
    """An option that is the name of a model at a server, which has a price.

    Visitors of a server cannot choose a bot with an option of this type.
    """

    __slots__ = ()
    description = "the name of a model"

    @override
    def accepts(self, text: str) -> bool:
        return text.isprintable() and text == text.strip()


class Address(TextOption):
    """An option that is the address of a server."""

    __slots__ = ()
    description = "an address, such as http://localhost:8080/v1"

    @override
    def accepts(self, text: str) -> bool:
        try:
            parts = urlsplit(text)
            return parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query
        except ValueError:
            return False


def refusal(game: str, settings: Settings) -> str:
    """Return why no model can be asked, or an empty text; does not ask its server."""
    settings = completed(settings)
    if not settings.word("model"):
        return NO_MODEL
    if settings.word("form") == "likelihood" and settings.word("memory") == "notes":
        return NO_NOTES
    if settings.word("form") == "likelihood" and settings.number("samples") > 1:
        return NO_SAMPLES
    if find_spec("openai") is None:
        return NO_LIBRARY
    endpoint = Endpoint(settings.word("model"), settings.word("url"))
    # Servers at home need no key, and one that needs a key says so when it is asked first.
    if endpoint.url == OPENAI and not endpoint.find_key():
        return NO_KEY.format(host=endpoint.host, variable=OPENAI_KEY)
    return ""


def warm_up(game: Game[Any], settings: Settings) -> None:
    """Send a short request, because a wrong key or name should be known before the first game.

    Raises BotProviderError.
    """
    settings = completed(settings)
    model, url = settings.word("model"), settings.word("url")
    is_rated = settings.word("form") == "likelihood"
    _probe(Endpoint(model, url), float(settings.word("seconds")), is_rated=is_rated)


@lru_cache  # once in a process; an exception is not kept
def _probe(endpoint: Endpoint, seconds: float, *, is_rated: bool) -> None:
    from cardhub.bots.language.provider import Message, Provider

    provider = Provider(endpoint, seconds, patience=0.0)
    try:
        if is_rated:
            provider.rate(PROBE, " yes\n")
        else:
            provider.ask([Message("user", PROBE)], 16)
    finally:
        provider.stop()


LLM = BotEntry(
    "llm",
    "a language model, asked over OpenAI's protocol: llm:NAME,url=http://localhost:8080/v1",
    make,
    options={
        "model": Model("The model's name at its server."),
        "url": Address(f"The server; {KEYS} can have its key.", OPENAI),
        "memory": OneOf(
            "log",
            "The past that the model reads: the whole log, the log since its last turn, nothing, "
            "or notes of its own with the log since its last turn.",
            ("log", "recent", "none", "notes"),
        ),
        "choices": OneOf(
            "listed",
            "Whether the legal actions are listed, or the model has to know the rules.",
            ("listed", "unlisted"),
        ),
        "form": OneOf(
            "text",
            "The form of an answer: text, or json where the server supports it; with likelihood "
            "the bot plays each action as often as the model finds its name likely.",
            ("text", "json", "likelihood"),
        ),
        "tries": Number(2, "How often it is asked until it names a legal action.", 1, 10),
        "tokens": Number(4000, "The limit for an answer, in tokens.", 16, 10**6),
        "samples": Number(1, "How many answers it gives to each decision.", 1, 100),
        "vote": OneOf(
            "majority",
            "The answer that counts: the action that is named most often, or one drawn from all, "
            "whose shares are then the bot's probabilities.",
            ("majority", "drawn"),
        ),
        "seconds": Seconds("120", "Time limit for one answer.", 0.1, 86400),
        "patience": Seconds("600", "How long a failing server is tried again.", 0, 86400),
    },
    uses_clock=always_uses_clock,  # a model answers differently each time
    refusal=refusal,
    warm_up=warm_up,
)
