"""Studies play for a time, are interrupted, and continue; their deals alone decide the figures."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from textwrap import dedent

import pytest
from tests.lab.study.test_broken_card import GAME

from cardhub.lab.match.log.log_reader import GAMES, read_header
from cardhub.lab.match.run.executors import AHEAD, make_executor
from cardhub.lab.study.study_figures import StudyOptions
from cardhub.lab.study.study_play import run_study
from cardhub.lab.study.study_request import StudyRequest
from cardhub.lab.study.study_schema import STUDY
from cardhub.plugins.registry import PluginRegistry, find_plugins

REQUEST = StudyRequest("kuhn", 2, {}, ("random", "ismcts:2", "ismcts:4"))
SERIAL = StudyOptions()


def ticking() -> Callable[[], float]:
    """Return a clock that is a second later at each look."""
    ticks = count()
    return lambda: float(next(ticks))


def interrupted_after(games: int) -> StudyOptions:
    """Return options for a number of deals that Ctrl-C ends after some games."""

    def interrupt(part: str, progress: str) -> None:
        if part.endswith("search") and progress.startswith(f"{games} of "):
            raise KeyboardInterrupt

    return StudyOptions(on_played=interrupt)


def test_a_study_for_a_time_plays_a_deal_of_each_part_at_least(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    played = run_study(tmp_path, REQUEST, registry, StudyOptions(1e-9))
    assert played.result.deals == {"plain": 1, "search": 1, "ladder": 1}
    assert (played.result.is_whole, played.is_interrupted) == (True, False)


def test_the_deals_of_a_study_for_a_time_give_the_same_bytes_on_more_workers(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    plan = StudyOptions(300.0, clock=ticking())
    deals = run_study(tmp_path / "time", REQUEST, registry, plan).result.deals
    assert min(deals.values()) > 1
    two = StudyOptions(make=make_executor(2), ahead=2 * AHEAD)
    run_study(tmp_path / "deals", REQUEST.with_deals(deals), registry, two)
    for file in (STUDY, *(f"{part}/{GAMES}" for part in deals)):
        assert (tmp_path / "time" / file).read_bytes() == (tmp_path / "deals" / file).read_bytes()


def test_more_time_adds_deals_and_the_old_number_still_gives_the_old_figures(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    plan = StudyOptions(1e-9)
    first = run_study(tmp_path, REQUEST, registry, plan).result
    old = (tmp_path / STUDY).read_bytes()
    later = run_study(tmp_path, REQUEST, registry, plan).result
    assert all(later.deals[part] > deals for part, deals in first.deals.items())
    run_study(tmp_path, REQUEST.with_deals(first.deals), registry, SERIAL)
    assert (tmp_path / STUDY).read_bytes() == old


def test_an_interrupted_study_has_the_figures_of_its_whole_deals(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    """A deal of this search has eight games, so the third one has begun."""
    request = replace(REQUEST, deals=3)
    played = run_study(tmp_path / "cut", request, registry, interrupted_after(18))
    assert played.is_interrupted
    assert played.result.deals == {"plain": 3, "search": 2}
    exact = request.with_deals(played.result.deals)
    run_study(tmp_path / "exact", exact, registry, SERIAL)
    assert (tmp_path / "cut" / STUDY).read_bytes() == (tmp_path / "exact" / STUDY).read_bytes()


def test_an_interruption_before_the_first_deal_leaves_no_study(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    request = REQUEST.with_deals({"search": 3})
    with pytest.raises(KeyboardInterrupt):
        run_study(tmp_path, request, registry, interrupted_after(2))
    assert not (tmp_path / STUDY).exists()


def test_without_play_all_deals_of_the_folder_count(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    deals = {"plain": 3, "search": 2}
    run_study(tmp_path, REQUEST.with_deals(deals), registry, SERIAL)
    plan = StudyOptions(60.0, is_played=False)
    assert run_study(tmp_path, REQUEST, registry, plan).result.deals == deals


BOT = dedent('''
    from cardhub import BotEntry, hookimpl

    games = 0


    class Odd:
        """Fails in a way."""

        def __init__(self, rng):
            global games
            games += 1

        def choose(self, observation, /):
            assert PROMISE
            return observation.legal()[0]


    @hookimpl
    def register_bots():
        return [BotEntry("odd", "fails", Odd)]
''')


def with_odd_bot(folder: Path, promise: str) -> PluginRegistry:
    """Return a registry with a bot that fails unless an expression is true."""
    (folder / "odd.py").write_text(BOT.replace("PROMISE", promise), "utf-8")
    return find_plugins((folder,))


def test_deals_without_withdrawn_bots_are_whole(tmp_path: Path) -> None:
    """A note that games are not played yet would stay for good."""
    registry = with_odd_bot(tmp_path, "False")
    request = StudyRequest("kuhn", 2, {}, ("odd", "random"), deals=6)
    result = run_study(tmp_path / "out", request, registry, SERIAL).result
    assert result.deals == {"plain": 6}
    assert result.excluded
    assert result.is_whole
    assert not any("Not all games" in note for note in result.notes)


def test_no_bot_of_a_study_remembers_an_earlier_game(tmp_path: Path) -> None:
    """Each deal is played by several copies, so memory would know the cards."""
    registry = with_odd_bot(tmp_path, "games <= 2")  # one for each seat
    request = StudyRequest("kuhn", 2, {}, ("odd",), deals=3)
    result = run_study(tmp_path / "out", request, registry, SERIAL).result
    assert (result.games, result.excluded) == (12, 0)
    assert read_header(tmp_path / "out" / "plain")["match"]["fresh"] is True


def test_figures_from_replays_with_another_game_have_a_note(tmp_path: Path) -> None:
    """Its rules may show other leaders than those of the games that were played."""
    source = tmp_path / "crates.py"
    source.write_text(GAME, "utf-8")
    request = StudyRequest("crates", 2, {}, ("random",), deals=3)
    registry = find_plugins((tmp_path,))
    played = run_study(tmp_path / "out", request, registry, SERIAL).result
    source.write_text(GAME + "\n# Changed.\n", "utf-8")
    plan = StudyOptions(is_played=False)
    result = run_study(tmp_path / "out", request, registry, plan).result
    changed = [note for note in result.notes if note.startswith("Crates has changed since")]
    assert len(changed) == 1
    assert [note for note in result.notes if note not in changed] == list(played.notes)
