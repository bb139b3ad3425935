"""Several answers to each decision (`samples=N`): a majority, or the shares as probabilities."""

from itertools import cycle
from math import fsum
from pathlib import Path
from random import Random

import pytest
from tests.bots.language.probable_matches import first_turn
from tests.kit.model_server import ModelServer, Page, answer, first_action

from cardhub.base.errors import BotUnclearError, MatchError, OptionError
from cardhub.bots.bot import Bot, MixedBot, SamplingBot
from cardhub.bots.language.entry import PROBE
from cardhub.bots.language.exchanges import Answers, parse_exchanges
from cardhub.bots.language.spending import SpendingMeter
from cardhub.lab.analysis.exploit.exploit_run import ExploitPlan, ExploitTable, find_exploit
from cardhub.lab.match.log.log_reader import ANSWERS, read_games
from cardhub.lab.match.log.model_words import model_words
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.cost_estimate import estimate_cost
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import find_plugins
from kuhn.game import BET, CHECK

REGISTRY = find_plugins()


def make(models: ModelServer, options: str) -> Bot:
    """Return a bot that asks the server."""
    return REGISTRY.make_bot(f"llm:m,url={models.url},{options}", "kuhn", Random(0))


def say(models: ModelServer, *names: str) -> None:
    """Queue answers that name these actions."""
    models.pages.extend(answer(f"Final answer: {name}") for name in names)


def test_the_action_of_most_answers_is_played(models: ModelServer) -> None:
    """Of two that are named equally often, the first one."""
    say(models, "check", "bet", "bet")
    assert make(models, "samples=3").choose(first_turn()) == BET
    assert len({str(body["messages"]) for body in models.requests}) == 1
    say(models, "check", "bet", "bet", "check")
    assert make(models, "samples=4").choose(first_turn()) == CHECK


def test_an_answer_that_fails_has_no_vote(models: ModelServer) -> None:
    """Each answer has its own tries; only if all fail, the bot is at fault."""
    say(models, "?", "?", "?", "bet", "check", "bet")
    assert make(models, "samples=4,tries=2").choose(first_turn()) == BET
    say(models, *"????")
    with pytest.raises(BotUnclearError):
        make(models, "samples=2,tries=2").choose(first_turn())


def test_drawn_answers_are_played_in_their_shares(models: ModelServer) -> None:
    bot, drawn = make(models, "samples=4,vote=drawn"), []
    for _ in range(40):
        say(models, "bet", "bet", "bet", "check")
        drawn.append(bot.choose(first_turn()))
    assert 22 < drawn.count(BET) < 38
    assert drawn.count(BET) + drawn.count(CHECK) == 40


def test_only_drawn_answers_estimate_probabilities(models: ModelServer) -> None:
    """A majority does not play the shares of its answers."""
    majority, drawn = (make(models, f"samples=3{vote}") for vote in ("", ",vote=drawn"))
    assert [isinstance(bot, SamplingBot) for bot in (majority, drawn)] == [False, True]
    assert not any(isinstance(bot, MixedBot) for bot in (majority, drawn))


def test_probabilities_need_no_samples(models: ModelServer) -> None:
    with pytest.raises(OptionError, match="fix: leave out samples"):
        make(models, "samples=3,form=likelihood")


def test_the_distance_from_perfect_has_the_interval_of_sampling(models: ModelServer) -> None:
    """All samples of a state count, so it is asked as often as they are."""
    models.model = first_action
    table = ExploitTable.of(REGISTRY, f"llm:m,url={models.url},samples=2,vote=drawn", "kuhn")
    result = find_exploit(table, ExploitPlan(samples=4))
    asked = [body for body in models.requests if PROBE not in str(body)]
    assert (result.method, len(asked)) == ("sampled", 4 * result.count)
    assert result.low is not None
    assert result.low <= result.value


def sampled_match(folder: Path, models: ModelServer, options: str) -> Match:
    """Return a match of a model that names the first legal action in two of three answers."""
    names = cycle([0, 0, 1])

    def respond(body: dict[str, object]) -> object:
        text = str(body)
        legal = text.rpartition("Your legal actions:\\n- ")[2].partition("'")[0].split("\\n- ")
        return answer(f"Final answer: {legal[next(names) % len(legal)]}")

    models.model = respond  # type: ignore[assignment]  # which returns pages
    cup = folder / "cup.yaml"
    cup.write_text(
        f'{{games: [kuhn], bots: [{{id: m, use: "llm:m,url={models.url},{options}"}}, random],'
        " blocks: 3, variance: aivat, seed: 5, salt: none}"
    )
    return read_match(cup, REGISTRY)


def test_each_sample_is_an_exchange_that_is_paid_once(models: ModelServer, tmp_path: Path) -> None:
    """A match that stops between two samples asks for the others only."""
    match, folder = sampled_match(tmp_path, models, "samples=3,vote=drawn"), tmp_path / "run"
    model, asked = models.model, 0
    models.model = lambda body: model(body) if len(models.requests) < 6 else Page(status=403)
    with pytest.raises(MatchError):
        run(match, REGISTRY, folder)
    models.requests.clear()
    models.model = model
    assert run(match, REGISTRY, folder).is_over
    asked = sum(PROBE not in str(body) for body in models.requests)
    files = {
        p.stem: [*parse_exchanges(p.read_bytes())] for p in (folder / ANSWERS).rglob("*.jsonl")
    }
    exchanges = [exchange for file in files.values() for exchange in file]
    assert len(exchanges) == asked + 4
    assert [exchange.sample for exchange in files[min(files)]][:3] == [1, 2, 3]
    decisions = sum(
        seat == mover
        for _, game in read_games(folder)
        for seat in [game.seats.index("m")]
        for mover, _ in game.moves
    )
    assert len(exchanges) == 3 * decisions
    for _, game in read_games(folder):
        moves = sum(mover == game.seats.index("m") for mover, _ in game.moves)
        assert len(model_words(folder, game)) == 3 * moves
    models.requests.clear()
    outcome = verify(folder, REGISTRY, rerun=1.0)
    assert (outcome.problems, outcome.played_again, models.requests) == ([], 6, [])


def test_less_luck_takes_the_shares_of_drawn_answers(models: ModelServer, tmp_path: Path) -> None:
    """A term is the mean over the answers minus the drawn one, so its mean is 0."""
    match = sampled_match(tmp_path, models, "samples=3,vote=drawn")
    run(match, REGISTRY, tmp_path / "drawn")
    games = [game for _, game in read_games(tmp_path / "drawn")]
    assert any(game.corrections and game.corrections.policies for game in games)
    match = sampled_match(tmp_path, models, "samples=3")
    run(match, REGISTRY, tmp_path / "majority")
    assert verify(tmp_path / "majority", REGISTRY, rerun=1.0).problems == []


def test_the_estimate_counts_all_samples(models: ModelServer, tmp_path: Path) -> None:
    match = sampled_match(tmp_path, models, "samples=3")
    before = estimate_cost(match, REGISTRY, tmp_path / "run")
    assert before is not None
    run(match, REGISTRY, tmp_path / "run")
    answers = fsum(
        u.answers for u in SpendingMeter(Answers(tmp_path / "run" / ANSWERS)).usage().values()
    )
    assert len(models.requests) == answers + 1  # the request that tries the server
    assert before.by_bot["m"].answers == pytest.approx(answers - 3, rel=0.35)
