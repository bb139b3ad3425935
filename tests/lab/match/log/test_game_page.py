"""Pages of games of a match: all viewers, facts, and the faults of bots on the timeline."""

import re
from typing import Any

import pytest
from tests.kit.replay_texts import decompressed

from cardhub.lab.match.log.game_page import game_page
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.task import GameResult, player_names
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.pages.building_data import ReplayData, ReplayMark
from cardhub.plugins.registry import PluginRegistry, find_plugins

REGISTRY = find_plugins()
CUP = """
cardhub_match: 1
salt: none
isolate: no
name: page-cup
seed: 5
bots:
  - {id: dice, use: random}
  - {id: broken, use: "raiser:after=2"}
games:
  - {game: leduc, score: rank}
  - {game: goofspiel, players: 3, score: rank}
schedule: {blocks: 1}
faults: {max: 100, share: 1}
"""


Pages = tuple[Match, list[tuple[GameResult, ReplayData]]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, registry: PluginRegistry) -> Pages:
    """Return a match with a bot at fault, which loses or is replaced, and the data of its pages."""
    folder = tmp_path_factory.mktemp("cup")
    (folder / "cup.yaml").write_text(CUP, "utf-8")
    match = read_match(folder / "cup.yaml", registry)
    run(match, registry, folder, RunOptions())
    games = [game for _, game in read_games(folder)]
    assert {game.end for game in games} == {"fault", "over"}
    return match, [(game, data_of(page_of(match, game))) for game in games]


def page_of(match: Match, game: GameResult, **options: Any) -> str:
    """Return the page of a game."""
    return game_page(match, game, REGISTRY.game(match.contest(game.contest).game), **options)


def data_of(page: str) -> ReplayData:
    """Return the data of a page."""
    data = re.search(r'id="replay-data">([^<]*)<', page)
    assert data is not None
    return decompressed(data[1])


def test_a_game_is_shown_to_all_viewers(played: Pages) -> None:
    """It is over in the match, also if a bot's fault has ended it; its facts name it."""
    for game, data in played[1]:
        assert [viewer.name for viewer in data.viewers][-2:] == ["spectator", "all"]
        assert len(data.viewers) == len(game.seats) + 2
        facts = dict(data.facts)
        assert facts["match"] == "page-cup"
        assert facts["game"] == f"{game.contest} {game.id}"
        assert facts["deal"] == "0"


def test_faults_are_marked_where_they_happened(played: Pages) -> None:
    """The bot at fault is to act at the step of its mark; others may choose at the same time."""
    for game, data in played[1]:
        for viewer in data.viewers:
            marks = [mark for mark in viewer.marks if mark.kind == "fault"]
            for mark, note in zip(marks, game.faults, strict=True):
                stop = next(stop for stop in viewer.stops if stop.step == mark.step)
                if stop.view.viewer in (note.seat, EVERYTHING):
                    assert stop.view.to_act == note.seat
                assert mark.text == f"{player_names(game.seats)[note.seat]}: exception"


def test_an_ending_by_a_fault_is_told(played: Pages) -> None:
    """A game that a substitute has played on has a winner instead."""
    for game, data in played[1]:
        sentences = {viewer.result.sentence for viewer in data.viewers if viewer.result}
        assert (sentences == {"ended by a fault"}) == (game.end == "fault")


def test_marks_and_the_way_back_are_in_the_page(played: Pages) -> None:
    """The same game has the same bytes."""
    match, (game, _) = played[0], played[1][0]
    mark = ReplayMark(step=1, kind="mistake", text="lost 3 coins")
    pages = {page_of(match, game, marks=(mark,), back="../report.html") for _ in range(2)}
    assert len(pages) == 1
    data = data_of(pages.pop())
    assert data.back == "../report.html"
    assert all(mark in viewer.marks for viewer in data.viewers)
