"""Sides, which cards decide: what viewers of the table see of them, results and records."""

import json
from pathlib import Path
from typing import Any

import pytest

from cardhub.base.errors import RecordError
from cardhub.bots.external.messages import game_message, table
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play import Table, play_game
from cardhub.play.host.replays.replay import replay_so_far
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.host.saved.personal_results import outcomes, sides_of
from cardhub.play.host.saved.saved_list import read_saved, result_text
from cardhub.play.records.formats import as_text
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.plugins.registry import find_plugins
from cardhub.view.building import build_view

REGISTRY = find_plugins()
NAMES = ("Anna", "Bob", "Chris", "David", "Eva")
REBEL, SPY = "rebel", "spy"


def begun(seed: int = 1) -> Table:
    """Return a game before the first action."""
    return Table("rebels", 5, seed=seed)


def badges(playing: Table, viewer: int) -> list[tuple[str, ...]]:
    """Return what a viewer reads next to each player's name."""
    return [player.badges for player in build_view(playing.observation(viewer), NAMES).players]


def sides_at(playing: Table) -> list[str]:
    """Return the true sides."""
    return [SPY if "spy" in badge else REBEL for badge in badges(playing, EVERYTHING)]


@pytest.fixture(scope="module")
def finished() -> Table:
    """Return a finished game of bots."""
    return play_game("rebels", ["random"] * 5, seed=1)


@pytest.fixture(scope="module")
def record(finished: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of its record, in which Anna is a person."""
    path = tmp_path_factory.mktemp("saved") / "rebels.jsonl"
    path.write_text(finished.record().replace('"random"', '"human"', 1), "utf-8")
    return path


def replayed_game(path: Path) -> Referee[Any]:
    """Return the referee of a record at its end."""
    read = read_record(path)
    return replayed(read, open_record(REGISTRY.game("rebels"), read))


def test_a_player_reads_the_own_side_and_the_partners_that_it_knows() -> None:
    playing = begun()
    sides = sides_at(playing)
    spy, other = (seat for seat in range(5) if sides[seat] == SPY)
    seen = badges(playing, spy)
    assert SPY in seen[spy]
    assert "partner" not in seen[spy]
    assert {SPY, "partner"} <= {*seen[other]}
    rebel = sides.index(REBEL)
    shown = [{REBEL, SPY, "partner"} & {*badge} for badge in badges(playing, rebel)]
    assert shown == [{REBEL} if seat == rebel else set() for seat in range(5)]


def test_spectators_read_no_side_before_the_end(finished: Table) -> None:
    assert not any({REBEL, SPY} & {*badge} for badge in badges(begun(), 5))
    assert all({REBEL, SPY} & {*badge} for badge in badges(finished, 5))


def test_the_colours_of_teams_show_sides_only_if_all_are_known(finished: Table) -> None:
    assert [player.team for player in build_view(begun().observation(5), NAMES).players] == [
        *range(5)
    ]
    view = build_view(finished.observation(5), NAMES)
    assert [player.team for player in view.players] == finished.sides


def test_programs_get_the_sides_that_their_seat_knows() -> None:
    playing = begun()
    sides = sides_at(playing)
    rebel = playing.observation(sides.index(REBEL))
    assert game_message(rebel, 1)["sides"] == [REBEL, SPY]
    assert table(rebel)["sides"] == [0 if seat == rebel.seat else None for seat in range(5)]
    spy = playing.observation(sides.index(SPY))
    assert table(spy)["sides"] == [int(side == SPY) for side in sides]


def test_games_without_sides_send_none_to_programs() -> None:
    seen = Table("kuhn", 2, seed=1).observation(0)
    assert "sides" not in game_message(seen, 1)
    assert "sides" not in table(seen)


def test_the_sentence_of_the_result_names_the_whole_winning_side(finished: Table) -> None:
    winners = [NAMES[seat] for seat in finished.winners]
    assert {finished.sides[seat] for seat in finished.winners} in ({0}, {1})
    assert str(finished).endswith(f"{', '.join(winners[:-1])} and {winners[-1]} win")


def test_places_and_returns_count_each_seat_for_itself(finished: Table) -> None:
    winners = len(finished.winners)
    assert sorted(finished.places) == [1] * winners + [winners + 1] * (5 - winners)
    assert sum(finished.returns) == pytest.approx(0)


def test_the_table_of_results_has_a_row_for_each_side(record: Path, finished: Table) -> None:
    result = build_result(replay_so_far(replayed_game(record), (5, EVERYTHING), None), 5)
    first, second = result.columns
    assert (first.place, second.place) == (1, 2)
    assert (*first.seats,) == (*finished.winners,)
    assert {name.rpartition(" ")[2] for name in (first.name, second.name)} == {"(rebel)", "(spy)"}
    assert result.sentence.startswith(first.name.rpartition(" (")[0])


def test_a_record_ends_with_the_sides(record: Path, finished: Table) -> None:
    assert json.loads(record.read_text("utf-8").splitlines()[-1])["sides"] == finished.sides
    transcript = "".join(as_text(finished.playthrough()))
    assert transcript.count("  1. ") == transcript.count("  2. ") == 1


def test_a_record_with_other_sides_is_an_error(record: Path, tmp_path: Path) -> None:
    lines = record.read_text("utf-8").splitlines()
    last = json.loads(lines[-1])
    last["sides"] = [1 - side for side in last["sides"]]
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join([*lines[:-1], json.dumps(last), ""]), "utf-8")
    with pytest.raises(RecordError, match=r"sides are \[.*but this game ends with"):
        replayed_game(other)


def test_a_win_with_partners_is_a_whole_win(record: Path, finished: Table) -> None:
    saved = read_saved(record)
    has_won = 0 in finished.winners
    assert result_text(saved).startswith("won: " if has_won else "lost: ")
    ((_, outcome),) = outcomes([saved], sides_of(REGISTRY))
    assert outcome.won == float(has_won)
