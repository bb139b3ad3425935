"""Whole games and single steps from Python: `play_game`, `Table` and `read_game`."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from tests.kit.scripted_bot import ScriptedBot

from cardhub import (
    EVERYTHING,
    OVER,
    Actions,
    Bot,
    BotEntry,
    Game,
    Observation,
    Seats,
    State,
    hookimpl,
    load_cards,
    per_seat,
)
from cardhub.base.errors import (
    BotError,
    BotExceptionError,
    IllegalActionError,
    OptionError,
    PluginError,
    RecordError,
    SeatingError,
)
from cardhub.bots import RandomBot
from cardhub.cli.main import cli
from cardhub.play import HUMAN, Table, play_game, read_game
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from four_piles import FourPiles

STRAWS = "cards:\n- {name: short}\n- {name: long}\n"


class Straw(State):
    """One straw for each seat."""

    straw = per_seat(faces="owner")


class DrawStraws(Game[Straw]):
    """A game that is not installed: the longer straw wins."""

    name, title, seats = "draw_straws", "Draw straws", Seats(2)
    actions, state_type = Actions("show"), Straw

    def deal(self, state: Straw) -> None:
        """Deal a straw to each seat."""
        for seat in range(state.seats):
            state.put(seat, state.straw, seat)

    def legal(self, state: Straw) -> list[int]:
        """Return the only action."""
        return [0]

    def apply(self, state: Straw, action: int) -> None:
        """Show a straw."""
        state.reveal(state.straw[state.seat])
        state.seat = OVER if state.seat else 1

    def scores(self, state: Straw) -> list[int]:
        """Return the lengths."""
        return [state.face[straw[0]] for straw in state.straw]


class Shower:
    """A bot of this module, for its game only."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the first legal action."""
        return observation.legal()[0]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the bot."""
    return [BotEntry("shower", "shows its straw", Shower)]


class Broken:
    """A bot that fails when it is made."""

    def __init__(self, rng: Random) -> None:
        raise ZeroDivisionError("no luck")

    def choose(self, observation: Observation[Any], /) -> int:
        """Never called."""
        raise NotImplementedError


class Closed(ScriptedBot):
    """A bot that notes that it was closed."""

    is_closed = False

    def close(self) -> None:
        """Note the call."""
        self.is_closed = True


def act_first(table: Table) -> None:
    """Take the first legal action until the game is over."""
    while not table.is_over:
        table.act(next(iter(table.legal_actions())))


@pytest.mark.parametrize("level", ["rule", "easy"])
def test_a_seed_gives_the_bytes_of_the_command_line(level: str, tmp_path: Path) -> None:
    path = tmp_path / "played.jsonl"
    seats = [f"--seat=Anna={level}", "--seat=Bob=random"]
    command = ["play", "gamon", *seats, "--seed=7", "--plain", f"--record={path}"]
    assert CliRunner().invoke(cli, command).exit_code == 0
    assert play_game("gamon", [level, "random"], seed=7).record() == path.read_text("utf-8")


def test_a_game_of_bots_is_played_to_its_end() -> None:
    table = play_game("gargon", ["rule", "random", "rule"], seed=7)
    assert table.is_over
    assert table.seat == OVER
    assert table.legal_actions() == {}
    assert sum(table.scores) > 0
    assert sum(table.returns) == pytest.approx(0)
    assert table.winners == [seat for seat in range(3) if table.scores[seat] == max(table.scores)]
    assert [table.places[seat] for seat in table.winners] == [1] * len(table.winners)


def test_a_drawn_seed_plays_the_same_game_again() -> None:
    first = play_game("gamon", ["random", "random"])
    again = play_game("gamon", ["random", "random"], seed=first.seed)
    assert again.record() == first.record()


def test_a_seed_is_a_whole_number_or_a_drawn_seed() -> None:
    drawn: Any = np.int64(7)  # as the generators of learners draw it
    assert Table("gamon", seed=drawn).record() == Table("gamon", seed="7").record()
    for seed in ("seven", 1.5):
        with pytest.raises(OptionError, match="fix: a whole number"):
            Table("gamon", seed=seed)  # type: ignore[arg-type]  # the test is about the type


def test_options_and_names_are_those_of_the_caller() -> None:
    table = Table(Gargon(), 3, options={"open_winnings": True}, names=["Zoe", "Bob"], seed=1)
    assert table.options["open_winnings"] is True
    assert [player.name for player in table.players] == ["Zoe", "Bob", "Anna"]


def test_seats_are_of_the_caller_unless_bots_are_named() -> None:
    table = Table("gargon", seed=1)
    assert [player.kind for player in table.players] == [HUMAN] * table.game.seats.default


def test_actions_are_taken_by_number_or_by_text() -> None:
    by_number, by_text = Table("gamon", seed=3), Table("gamon", seed=3)
    for _ in range(20):
        action, text = next(iter(by_number.legal_actions().items()))
        by_number.act(action)
        by_text.act(text)
    assert by_number.record() == by_text.record()


def test_an_illegal_action_is_refused_with_the_legal_ones() -> None:
    table = Table("gamon", seed=3)
    for action in (-5, 10_000, "swim"):
        with pytest.raises(IllegalActionError, match="prize 1"):
            table.act(action)
    act_first(table)
    with pytest.raises(IllegalActionError, match="the game is over"):
        table.act(0)


def test_bots_act_until_it_is_the_callers_turn() -> None:
    table = Table("gargon", ["random", HUMAN, "rule"], seed=3)
    seats = set()
    while not table.is_over:
        seats.add(table.seat)
        table.act(next(iter(table.legal_actions())))
    assert seats == {1}


def test_undo_goes_back_to_before_the_callers_last_action() -> None:
    table = Table("gargon", [HUMAN, "rule", "random"], seed=3)
    for _ in range(3):
        before = table.text(EVERYTHING), table.legal_actions()
        table.act(next(iter(table.legal_actions())))
    table.undo()
    assert (table.text(EVERYTHING), table.legal_actions()) == before
    assert table.seat == 0


def test_undo_needs_an_action_and_a_game_that_goes_on() -> None:
    table = Table("gamon", [HUMAN, "rule"], seed=3)
    with pytest.raises(IllegalActionError, match="you have not acted yet"):
        table.undo()
    act_first(table)
    with pytest.raises(IllegalActionError, match="the game is over"):
        table.undo()


def test_a_viewer_sees_only_what_the_seat_knows() -> None:
    table = Table("gamon", seed=3)
    own, other = table.observation(), table.observation(1)
    assert (own.seat, other.seat) == (0, 1)
    assert own.is_to_act
    assert table.text(0) != table.text(1) != table.text(EVERYTHING)
    assert table.text() == str(table) == table.text(0)
    assert "1. prize 1" in table.text()
    with pytest.raises(SeatingError, match="no viewer 3"):
        table.observation(3)


def test_the_end_shows_the_result_and_all_cards() -> None:
    table = play_game("gamon", ["rule", "random"], seed=7)
    names = " and ".join(table.players[seat].name for seat in table.winners)
    assert str(table).endswith(f"The game is over. {names} wins")
    assert table.observation().seat == EVERYTHING


@pytest.mark.parametrize(("target", "winners"), [(0, [0, 1]), (1000, [])])
def test_a_common_cause_is_won_by_all_or_nobody(
    target: int, winners: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FourPiles, "target", lambda *_: target)
    monkeypatch.setattr(FourPiles, "lowest_wins", False)
    assert play_game(FourPiles(), ["random", "random"], seed=1).winners == winners


def test_own_bots_get_the_generator_of_their_seat(tmp_path: Path) -> None:
    by_spec = play_game("gamon", ["random", "random"], seed=7)
    made = play_game("gamon", [RandomBot, lambda rng: RandomBot(rng)], seed=7)
    assert made.scores == by_spec.scores
    assert [player.kind for player in made.players] == ["RandomBot", "<lambda>"]


def test_a_bot_that_cannot_be_made_is_named() -> None:
    with pytest.raises(BotError, match="'Broken' cannot be made: ZeroDivisionError: no luck"):
        Table("gamon", ["random", Broken])


def test_the_caller_may_act_for_a_bot_that_fails() -> None:
    failing: Bot = ScriptedBot(ZeroDivisionError("tired"), ZeroDivisionError("tired"))
    table = Table("gamon", [HUMAN, failing], seed=3)
    with pytest.raises(BotExceptionError):
        act_first(table)
    assert table.seat == 1
    before = len(table.observation().history)
    with pytest.raises(BotExceptionError):
        act_first(table)
    assert len(table.observation(1).history) > before


def test_bots_are_closed_at_the_end_or_with_the_block() -> None:
    at_end, with_block = Closed(*[0] * 10_000), Closed()
    play_game("pig", [lambda rng: FirstAction(at_end), "random"], seed=1)
    with Table("gamon", [HUMAN, with_block], seed=1):
        assert not with_block.is_closed
    assert at_end.is_closed
    assert with_block.is_closed


class FirstAction:
    """Takes the first legal action, and closes another bot with itself."""

    def __init__(self, other: Closed) -> None:
        self._other = other

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the first legal action."""
        return observation.legal()[0]

    def close(self) -> None:
        """Close the other bot."""
        self._other.close()


def test_a_game_that_is_not_installed_is_played_by_all_kinds_of_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "straws.yaml").write_text(STRAWS, "utf-8")
    monkeypatch.setattr(DrawStraws, "cards", load_cards(tmp_path / "straws.yaml"), raising=False)
    game = DrawStraws()
    for bot in ("ismcts:10", "shower", Shower):
        assert sorted(play_game(game, ["random", bot], seed=1).scores) == [0, 1]
    with pytest.raises(PluginError, match=r"plays .*, not draw_straws"):
        play_game(game, ["rule", "random"])


def test_a_record_is_saved_and_read_again(tmp_path: Path) -> None:
    table, path = play_game("gamon", ["rule", "random"], seed=7), tmp_path / "game.jsonl"
    table.save(path)
    again = read_game(path)
    assert again.record() == table.record()
    assert again.scores == table.scores
    with pytest.raises(RecordError, match="exists already"):
        table.save(path)
    assert CliRunner().invoke(cli, ["replay", str(path), "--plain"]).exit_code == 0


def test_an_unfinished_game_goes_on_with_the_caller_in_all_seats(tmp_path: Path) -> None:
    table, path = Table(Gamon(), [HUMAN, "rule"], seed=7), tmp_path / "game.jsonl"
    table.act("prize 1")
    table.save(path)
    before = path.read_bytes()
    again = read_game(path, Gamon())
    assert again.legal_actions() == table.legal_actions()
    act_first(again)
    assert path.read_bytes() == before


def test_a_redacted_record_lacks_the_seed_and_cannot_be_read_as_a_game(tmp_path: Path) -> None:
    table, path = Table("kuhn", seed=3), tmp_path / "seen.jsonl"
    table.act("bet")
    table.act("fold")
    assert '"deal": ["J", "Q", "K"]' in table.record()
    table.save(path, viewer=0)
    assert '"seed": null' in path.read_text("utf-8")
    assert '"deal": ["J", "?", "?"]' in path.read_text("utf-8")
    with pytest.raises(RecordError, match="fix: cardhub replay"):
        read_game(path)


def test_a_playthrough_has_the_events_as_a_viewer_knows_them() -> None:
    table = Table("kuhn", seed=3)
    table.act("bet")
    table.act("fold")
    whole, seen = table.playthrough(), table.playthrough(0)
    assert [moment.kind for moment in seen.moments] == ["action", "action", "over"]
    assert [moment.action for moment in whole.moments] == ["bet", "fold", ""]
    assert (whole.viewer, seen.viewer) == ("all", "Anna")
    assert (whole.seed, seen.seed) == (3, None)


@pytest.mark.parametrize(
    ("error", "message", "arguments"),
    [
        (PluginError, "Did you mean 'gamon'", ("gamo", ["rule", "rule"])),
        (PluginError, "Did you mean 'rule'", ("gamon", ["rle", "rule"])),
        (OptionError, "for 2 players, not for 3", ("gamon", ["rule"] * 3)),
        (SeatingError, r"fix: pass a list: \['rule', ...\]", ("gamon", "rule")),
        (SeatingError, "fix: cardhub.play.Table", ("gamon", [HUMAN, "rule"])),
    ],
)
def test_a_wrong_call_is_explained(
    error: type[Exception], message: str, arguments: tuple[Any, Any]
) -> None:
    with pytest.raises(error, match=message):
        play_game(*arguments)
