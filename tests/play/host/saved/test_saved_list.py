"""Saved games in one line each, without replaying them."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.games.lanterns import Lanterns

from cardhub import Game
from cardhub.base.errors import RecordError
from cardhub.bots.random_bot import RandomBot
from cardhub.play.host.replays.viewpoints import permitted_viewers
from cardhub.play.host.saved.saved_list import (
    SavedGame,
    describe_saved,
    find_position,
    list_saved,
    numbered,
    opponents,
    read_saved,
    result_text,
    saved_table,
    time_ago,
    turn_text,
)
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon

ANNA, BOB = Player("Anna", "human"), Player("Bob", "rule")
NOON = 1_700_000_000.0


def save(
    path: Path,
    actions: int = 10_000,
    seed: int = 3,
    game: Game[Any] | None = None,
    players: Sequence[Player] = (ANNA, BOB),
) -> Referee[Any]:
    """Record a game, by default of Gamon, up to a number of actions."""
    referee = set_up(game or Gamon(), players, {}, seed)
    record_to(referee, path)
    referee.proceed()
    bot = RandomBot(Random(1))
    while not referee.is_over and actions:
        referee.apply(bot.choose(referee.observe(referee.seat)))
        actions -= 1
    return referee


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a finished, an unfinished and a damaged game, oldest first."""
    save(tmp_path / "finished.jsonl")
    referee = save(tmp_path / "unfinished.jsonl", actions=5)
    if referee.seat == 0:
        referee.note_hint("hard")
    (tmp_path / "damaged.jsonl").write_text("rubbish\n")
    for age, name in enumerate(("damaged", "unfinished", "finished")):
        os.utime(tmp_path / f"{name}.jsonl", (NOON - age, NOON - age))
    return tmp_path


def games(folder: Path, *, finished: bool | None = None) -> list[SavedGame]:
    """Return the readable games of a folder."""
    entries = list_saved(finished=finished, folder=folder)
    return [entry for entry in entries if isinstance(entry, SavedGame)]


def test_the_game_played_last_has_number_one(folder: Path) -> None:
    """A damaged record does not have a number; its error is listed among the games."""
    entries = list(list_saved(folder=folder))
    assert isinstance(entries[0], RecordError)
    assert "damaged.jsonl:1: not JSON" in str(entries[0])
    assert [(g.number, g.path.stem) for g in games(folder)] == [(1, "unfinished"), (2, "finished")]


def test_finished_and_unfinished_games_have_numbers_of_their_own(folder: Path) -> None:
    """`cardhub resume 1` and `cardhub replay 1` count in two lists."""
    assert [g.path.stem for g in games(folder, finished=True)] == ["finished"]
    unfinished = games(folder, finished=False)
    assert numbered(unfinished, 1) == unfinished[0]
    assert numbered(unfinished, 2) is None


def test_an_entry_says_the_same_as_the_whole_record(folder: Path) -> None:
    for entry in games(folder):
        record = read_record(entry.path)
        lines = [line for _, line in record.lines]
        assert entry.players == record.header.players
        assert entry.actions == sum("action" in line for line in lines)
        assert entry.hints == sum("hint" in line for line in lines)
        assert entry.is_finished is record.is_finished
        if record.is_finished:
            assert entry.scores == tuple(lines[-1]["scores"])
            assert entry.places == tuple(lines[-1]["places"])


def test_a_line_torn_off_by_a_kill_is_left_out(folder: Path) -> None:
    """The game is unfinished if the line with the scores is incomplete."""
    path = folder / "finished.jsonl"
    path.write_bytes(path.read_bytes()[:-1])
    assert not read_saved(path).is_finished


def test_scores_that_are_no_numbers_are_an_error(folder: Path) -> None:
    path = folder / "finished.jsonl"
    lines = path.read_text("utf-8").splitlines()
    end = json.loads(lines[-1]) | {"scores": ["many", "few"]}
    path.write_text("\n".join([*lines[:-1], json.dumps(end)]) + "\n")
    with pytest.raises(RecordError, match=r"finished\.jsonl: 'scores' in the last line"):
        read_saved(path)


def test_a_position_is_found_by_replaying(tmp_path: Path) -> None:
    """The seat to act, in words of the only person."""
    referee = save(tmp_path / "game.jsonl", actions=7)
    saved = read_saved(tmp_path / "game.jsonl")
    position = find_position(Gamon(), saved)
    assert position.seat == referee.seat
    assert turn_text(saved, position) == ("your turn" if referee.seat == 0 else "Bob's turn")


def test_results_and_opponents_are_told_in_a_few_words(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    save(path)
    saved = read_saved(path)._replace(scores=(19, 17), places=(1, 2))
    assert opponents(saved) == "against rule"
    assert result_text(saved) == "won: Anna 19, Bob 17"
    assert result_text(saved._replace(places=(1, 1))) == "draw: Anna 19, Bob 17"
    three = saved._replace(
        players=(ANNA, BOB, Player("Chris", "rule")), scores=(1, 2, 3), places=(3, 2, 1)
    )
    assert opponents(three) == "3 players"
    assert result_text(three) == "3rd: Chris 3, Bob 2, Anna 1"
    watched = three._replace(players=(BOB, BOB, Player("Chris", "rule")))
    assert result_text(watched) == "Chris won: Chris 3, Bob 2, Bob 1"


def test_a_common_result_is_no_draw(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    save(path)
    saved = read_saved(path)._replace(game="four_piles", scores=(10, 10), places=(1, 1), options={})
    line = describe_saved(find_plugins(), saved, 0)
    assert (line.state, line.players) == ("Everybody loses: 10 of 98 cards", "against rule")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "just now"),
        (61, "1 minute ago"),
        (7300, "2 hours ago"),
        (90_000, "yesterday"),
        (3 * 86_400, "3 days ago"),
    ],
)
def test_ages_are_told_in_words(seconds: int, text: str) -> None:
    assert time_ago(NOON - seconds, NOON) == text
    assert time_ago(NOON - 400 * 86_400, NOON).endswith("2022")


def test_the_preview_of_a_shared_game_shows_no_one_their_own_hidden_cards(tmp_path: Path) -> None:
    """Several people see a spectator's view, unless spectators see hands that owners do not."""
    for game, kinds, viewer in (
        (Gamon(), ("human", "human"), 2),
        (Gamon(), ("random", "human"), 1),
        (Lanterns(), ("human", "random"), 0),
        (Lanterns(), ("human", "human"), None),
        (Lanterns(), ("random", "random"), 2),
    ):
        path = tmp_path / f"{game.name}-{'-'.join(kinds)}.jsonl"
        players = [Player(*fields) for fields in zip(("Anna", "Bob"), kinds, strict=True)]
        save(path, 3, 3, game, players)
        observation = find_position(game, read_saved(path)).observation
        assert (None if observation is None else observation.seat) == viewer
        assert (saved_table(game, read_saved(path)) is None) == (viewer is None)


def test_players_who_took_a_seat_later_are_listed(tmp_path: Path) -> None:
    """The seat of a person who left to a bot stays theirs; takebacks count as help."""
    path = tmp_path / "game.jsonl"
    players = [Player("Anna", "human"), Player("Bob", "human")]
    referee = set_up(Gamon(), players, {}, 3)
    record_to(referee, path)
    referee.proceed()
    seat = referee.seat
    referee.apply(referee.observe(seat).legal()[0])
    assert not read_saved(path).is_helped
    referee.take_back(seat, [1 - seat])
    referee.seat_player(1, Player("Dora", "rule"))
    referee.seat_player(0, Player("Emil", "human"))
    saved = read_saved(path)
    assert [player.name for player in saved.players] == ["Emil", "Dora"]
    assert (saved.people, saved.is_helped, saved.has_changed_players) == ((0, 1), True, True)
    record = read_record(path)
    assert (record.players, record.people) == (saved.players, (0, 1))
    assert permitted_viewers(Gamon(), record) == (0, 1, 2)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"seat": 5, "player": {"name": "Fritz", "kind": "human"}}\n')
    with pytest.raises(RecordError, match=r"game\.jsonl:6: there is no seat 5"):
        read_saved(path)
