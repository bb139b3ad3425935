"""The bot `llm`: models read prompts, and their answers are actions, refusals or faults."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.kit.model_server import ModelServer, Page, answer, failure

from cardhub.base.errors import (
    BotFaultError,
    BotIllegalError,
    BotProviderError,
    BotRefusalError,
    BotUnclearError,
    BotUnfinishedError,
    OptionError,
)
from cardhub.bots.bot import Bot, always_playable
from cardhub.bots.language import entry
from cardhub.bots.language.answers import CUT_OFF, NO_NAME, NO_REFUSAL
from cardhub.bots.language.endpoint import OPENAI, OPENAI_KEY
from cardhub.bots.language.language_bot import LanguageBot
from cardhub.bots.spec import parse_spec, resolve_settings
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import default_trial, play

REGISTRY = find_plugins()


def observe(name: str = "kuhn", number: int = 0) -> Observation[Any]:
    """Return an observation of a seat to act in a random game."""
    game = REGISTRY.game(name)
    turns = [p for p in play(game, default_trial(game, game.seats.default, 1)) if p.state.seat >= 0]
    turn = turns[number]
    return Observation(game, turn.state, turn.state.seat, turn.history)


def make(models: ModelServer, game: str = "kuhn", **options: object) -> Bot:
    """Return a bot that asks the server."""
    more = "".join(f",{name}={value}" for name, value in options.items())
    return REGISTRY.make_bot(f"llm:m,url={models.url}{more}", game, Random(0))


def label(action: int, name: str = "kuhn") -> str:
    """Return the name of an action."""
    return observe(name).labels(("A", "B")).label(action)


def test_a_model_reads_the_prompt_and_names_an_action(models: ModelServer) -> None:
    observation = observe()
    models.pages.append(answer("It is a queen.\nFinal answer: **Bet**."))
    assert label(make(models).choose(observation)) == "bet"
    system, user = models.requests[0]["messages"]
    assert system["role"] == "system"
    assert "Your aim is a score as high as possible" in system["content"]
    assert user["content"].endswith("Your legal actions:\n- check\n- bet")


def test_an_answer_without_a_name_is_refused_with_a_reason_and_asked_again(
    models: ModelServer,
) -> None:
    models.pages += [answer("I bet!"), answer("Final answer: bet")]
    assert label(make(models).choose(observe())) == "bet"
    again = models.requests[1]["messages"]
    assert [message["content"] for message in again[2:]] == ["I bet!", NO_NAME]


def test_an_illegal_action_is_refused_with_the_rules_own_reason(models: ModelServer) -> None:
    models.pages += [answer("Final answer: fold"), answer("Final answer: check")]
    assert label(make(models).choose(observe())) == "check"
    assert "fold" in models.asked()[1]
    assert models.asked()[1] != NO_NAME


REFUSED: dict[str, tuple[Page, type[BotFaultError], str]] = {
    "illegal": (answer("Final answer: fold"), BotIllegalError, "illegal"),
    "unclear": (answer("Final answer: all in"), BotUnclearError, "unclear"),
    "unfinished": (answer("Let me think", "length"), BotUnfinishedError, "unfinished"),
    "empty and unfinished": (answer("", "length"), BotUnfinishedError, "unfinished"),
    "refused": (answer(None, refusal="I do not gamble."), BotRefusalError, "refusal"),
    "filtered": (answer("", "content_filter"), BotRefusalError, "refusal"),
}


@pytest.mark.parametrize(("page", "error", "kind"), REFUSED.values(), ids=REFUSED.keys())
def test_kinds_of_refused_answers_are_different_faults(
    models: ModelServer, page: Page, error: type[BotFaultError], kind: str
) -> None:
    models.pages += [page, page]
    with pytest.raises(error) as caught:
        make(models).choose(observe())
    assert caught.value.fault == kind
    assert "2 tries" in str(caught.value)
    assert len(models.requests) == 2


def test_models_are_asked_again_for_what_was_wrong(models: ModelServer) -> None:
    models.pages += [answer("Let me", "length"), answer(None, refusal="No."), answer("?")]
    with pytest.raises(BotUnclearError):
        make(models, tries=3).choose(observe())
    assert models.asked()[1:] == [CUT_OFF, NO_REFUSAL]


def test_a_cut_off_answer_that_names_an_action_counts(models: ModelServer) -> None:
    models.pages.append(answer("Final answer: bet\nBecause", "length"))
    assert label(make(models).choose(observe())) == "bet"


def test_a_fault_of_the_server_is_no_answer(models: ModelServer) -> None:
    models.pages += [failure(500), answer("Final answer: bet")]
    assert label(make(models, tries=1).choose(observe())) == "bet"
    models.pages.append(failure(401))
    with pytest.raises(BotProviderError) as caught:
        make(models).choose(observe())
    assert caught.value.fault == "provider"


def test_a_structured_answer_names_one_of_the_legal_actions(models: ModelServer) -> None:
    models.pages.append(answer(json.dumps({"action": "bet"})))
    assert label(make(models, form="json").choose(observe())) == "bet"
    schema = models.requests[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["action"]["enum"] == ["check", "bet"]


def test_unlisted_actions_stand_neither_in_the_prompt_nor_in_the_form(models: ModelServer) -> None:
    models.pages.append(answer(json.dumps({"action": "bet"})))
    make(models, form="json", choices="unlisted").choose(observe())
    request = json.dumps(models.requests[0]["response_format"])
    assert "enum" not in request
    assert "- bet" not in models.asked()[0]


@pytest.mark.parametrize("name", ["kuhn", "leduc", "gamon", "garner", "gargon", "holdem"])
def test_a_model_plays_a_whole_game(models: ModelServer, name: str) -> None:
    game = REGISTRY.game(name)
    bot = make(models, name)
    turns = [p for p in play(game, default_trial(game, game.seats.default, 2)) if p.state.seat >= 0]
    for turn in turns[:12]:
        observation = Observation(game, turn.state, turn.state.seat, turn.history)
        assert bot.choose(observation) in observation.legal()
    assert len(models.requests) == min(12, len(turns))


def test_a_bot_that_is_closed_ends_its_request(models: ModelServer) -> None:
    bot = make(models)
    assert isinstance(bot, LanguageBot)
    bot.close()  # before the first question
    bot.choose(observe())
    bot.close()
    bot.interrupt()


WRONG = {
    "llm": "no language model is set up. fix: set the environment variable CARDHUB_LLM",
    "llm:m,url=localhost:8080": "option url cannot be",
    "llm:m,url=ftp://example.com/v1": "option url cannot be",
    "llm:m": "there is no key for api.openai.com. fix: set the environment variable OPENAI_API_KEY",
}


@pytest.mark.parametrize(("spec", "problem"), WRONG.items())
def test_a_spec_that_cannot_work_is_refused(
    spec: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OPENAI_KEY, raising=False)
    with pytest.raises(OptionError) as caught:
        REGISTRY.settings_of(spec, "kuhn")
    assert problem in str(caught.value)


def test_names_of_models_may_have_colons_and_slashes(models: ModelServer) -> None:
    settings = REGISTRY.settings_of(f"llm:org/gemma3:270m,url={models.url}", "kuhn")
    assert settings.word("model") == "org/gemma3:270m"


def test_without_its_library_the_bot_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"openai is not installed. fix: pip install '.\[llm\]'"):
        REGISTRY.settings_of("llm:m,url=http://localhost:1/v1", "kuhn")


def test_a_wrong_key_is_known_before_the_first_game(models: ModelServer) -> None:
    models.pages += [failure(401), answer("yes")]
    spec = f"llm:probed,url={models.url}"
    with pytest.raises(BotProviderError, match="the key is missing or wrong"):
        warm_up(REGISTRY, spec, "kuhn")
    warm_up(REGISTRY, spec, "kuhn")
    warm_up(REGISTRY, spec, "leduc")  # a model is asked once in a process
    assert len(models.requests) == 2


def test_a_short_spec_means_the_model_that_is_set_up(
    models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its address is not part of the spec; other options and other models are not changed."""
    monkeypatch.setenv(entry.USUAL, f"gemma3,url={models.url},tries=3")
    assert entry.offered_spec() == "llm:gemma3"
    for spec in ("llm", "llm:gemma3"):
        models.requests.clear()
        models.pages.clear()
        models.pages += [answer("no")] * 3
        with pytest.raises(BotUnclearError):
            REGISTRY.make_bot(spec, "kuhn", Random(0)).choose(observe())
        assert [body["model"] for body in models.requests] == ["gemma3"] * 3
    for spec in ("llm:other", "llm:gemma3,tries=4"):
        settings = entry.completed(resolve_options(spec))
        assert settings.word("url") == OPENAI


def resolve_options(spec: str) -> Settings:
    """Return the options of a spec as they are written."""
    playable = replace(entry.LLM, refusal=always_playable)
    return resolve_settings(playable, parse_spec(spec), "kuhn")


def test_without_a_model_that_is_set_up_no_spec_is_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(OPENAI_KEY, raising=False)
    for text in ("", "gpt-5-mini", "gemma3,url=nowhere", "gemma3,nonsense=1"):
        monkeypatch.setenv(entry.USUAL, text)
        assert entry.offered_spec() == ""
