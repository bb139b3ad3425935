"""The result of a game as data: places, causes, hands, turning points."""

from pathlib import Path
from typing import Any

import pytest

from cardhub import Game
from cardhub.base.writing import MINUS, count
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.goal import Goal
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.tui.results.result_rows import result_rows_of
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.layout.canvas import COLOUR_TABLE
from cardhub.view.text.glyphs import UNICODE, cells
from cardhub.view.text.result_sheet import result_lines
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from goofspiel import Goofspiel
from hearts import Hearts
from hearts.table import Table
from kuhn import Kuhn
from spades import Spades

from .conftest import Play

GAMES: list[tuple[Game[Any], int]] = [
    (Gargon(), 4),
    (Gamon(), 2),
    (Garner(), 2),
    (Hearts(), 4),
    (Spades(), 4),
    (Goofspiel(), 2),
]
IDS = [game.name for game, _ in GAMES]


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
def test_the_causes_add_up_to_the_scores(play: Play, game: Game[Any], seats: int) -> None:
    replay = play(game, seats)
    result = build_result(replay, EVERYTHING)
    places = [column.place for column in result.columns]
    assert places == sorted(places)
    assert result.is_over
    assert {seat for column in result.columns for seat in column.seats} == set(range(seats))
    for number, column in enumerate(result.columns):
        score = replay.referee.scores()[column.seats[0]]
        assert column.score == count(score)
        causes = [row.cells[number] for section in result.sections for row in section.rows]
        points = [int(cell.points.replace(MINUS, "-")) for cell in causes]
        assert not causes or sum(points) == score


def test_hands_are_the_cards_that_only_their_owners_saw(play: Play) -> None:
    """All of them, with the faces; none of a redacted or unfinished game."""
    replay = play(Gargon(), 3)
    state = replay.steps[-1].full.state
    for hand in build_result(replay, 0).hands:
        assert hand.faces == tuple(sorted(state.face[token] for token in state.hand[hand.seat]))
    assert build_result(replay, 0).hands


def test_turning_points_are_few_and_in_order(play: Play) -> None:
    """Each with the sentences of the turn, its first step, and the team that gained."""
    replay = play(Gargon(), 3)
    points = build_result(replay, EVERYTHING).turning_points
    steps = [point.step for point in points]
    assert 1 <= len(points) <= 3
    assert steps == sorted(steps)
    for point in points:
        assert point.gain > 0
        assert point.name in {player.name for player in replay.players}
        line = next(line for line in replay.log(EVERYTHING) if line.step == point.step)
        assert point.text.startswith(line.text)


def test_the_turning_points_of_a_game_with_running_scores_are_the_changes_of_the_scores(
    play: Play,
) -> None:
    replay = play(Gargon(), 3)
    game, names = Gargon(), [player.name for player in replay.players]
    for point in build_result(replay, EVERYTHING).turning_points:
        seat = names.index(point.name)
        before, after = (
            game.scores(replay.steps[step].full.state)
            for step in (replay.stop_near(point.step - 1), replay.stop_near(point.step))
        )
        assert after[seat] - before[seat] > 0 or max(after) < max(before)
        assert "starts the battle" in point.text or "wins" in point.text


def test_a_game_that_scores_at_its_end_has_turning_points_by_evaluation(play: Play) -> None:
    points = build_result(play(Garner(), 2), EVERYTHING).turning_points
    assert points
    assert all("collects" in point.text for point in points)
    assert all(point.text.count(";") <= 2 for point in points)


def test_a_turning_point_ends_with_its_round(play: Play) -> None:
    """Its first and its last sentence are enough if there are many."""
    points = build_result(play(Gamon(), 2), EVERYTHING).turning_points
    assert points
    for point in points:
        assert " wins the round and a prize of " in point.text
        assert "Round" not in point.text
        assert len(point.text) < 130


def test_partners_share_a_column(play: Play) -> None:
    result = build_result(play(Spades(), 4), EVERYTHING)
    assert [len(column.seats) for column in result.columns] == [2, 2]
    assert " and " in result.columns[0].name


def test_an_unfinished_game_has_a_standing_and_no_secrets(play: Play) -> None:
    """No places, hands, seed or turning points."""
    result = build_result(play(Gargon(), 3, most=30), 0)
    assert (result.sentence, result.is_over) == ("not over yet", False)
    assert [column.place for column in result.columns] == [0, 0, 0]
    assert (result.hands, result.turning_points, result.sections, result.seed) == ((), (), (), "")


def test_a_result_has_rounds_summaries_and_the_record(play: Play, tmp_path: Path) -> None:
    """The sentence has the margin where places count."""
    replay = play(Gamon())
    result = build_result(replay, EVERYTHING)
    assert result.goal in (Goal.RANK, Goal.WIN)
    assert " wins Gamon by " in result.sentence
    assert result.parts.endswith(" rounds")
    assert len(result.summaries) >= 2
    assert result.seed == "seed 5"
    assert result.path == str(tmp_path / "gamon.jsonl")


def test_a_shared_win_has_no_margin(play: Play) -> None:
    """Anna and Chris have as few points as each other."""

    class Shared(Hearts):
        def scores(self, state: Table) -> list[int]:
            return [3, 9, 3, 9]

    assert build_result(play(Shared(), 4), EVERYTHING).sentence == "Anna and Chris share the win"


@pytest.mark.parametrize("game", [Gargon(), Kuhn()], ids=lambda game: game.name)
def test_a_result_is_written_and_drawn_at_every_width(play: Play, game: Game[Any]) -> None:
    result, catalogue = build_result(play(game, game.seats.low), EVERYTHING), build_catalogue(game)
    whole = "".join("".join(result_lines(result, catalogue, 900, UNICODE)).split())
    for width in (1, 2, 3, 4, 9, 20, 33, 40, 60, 80, 200):
        for has_cards in (True, False):
            result_rows_of(result, catalogue, width, COLOUR_TABLE, has_cards=has_cards)
        lines = result_lines(result, catalogue, width, UNICODE)
        assert "".join("".join(lines).split()) == whole
        assert all(cells(line) <= width for line in lines if width >= 33)
