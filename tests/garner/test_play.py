"""Garner on the command line and at the table, from the deal to the result.

Sites and cards share names: `a1` typed alone is the site, `A1` in an action the card.
"""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from tests.tui.conftest import Setting

from cardhub.cli.main import cli
from cardhub.play.host.viewer_session import ViewerAnswers
from cardhub.tui import keys as key_repeat
from cardhub.view.view import Spot
from cardhub_garner import Garner, RuleOfThumb

from .positions import Position, set_up


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep saved games out of the user's own folder, and lines 80 wide."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")


def run(*words: str | Path, typed: str = "") -> Result:
    """Run `cardhub` with words as its arguments and with typed lines."""
    arguments = [str(word) for word in words]
    return CliRunner().invoke(cli, arguments, input=typed, prog_name="cardhub")


# A deal with a number group of several cards on top.
SEED = 2

PLAY = ("play", "garner", "--plain", "--seat", "Zoe=human", "--seed", "1")


def test_a_whole_game_is_played_in_plain_text(tmp_path: Path) -> None:
    """Always the first action offered, until the result; the record replays to it."""
    path = tmp_path / "game.jsonl"
    words = (*PLAY, "--set", "layout=a", "--record", path)
    result = run(*words, typed="1\n" * 200)
    assert result.exit_code == 0, result.output
    assert "Zoe lifts A" in result.stdout
    assert "Zoe collects A" in result.stdout
    assert "wins. Suits: " in result.stdout
    assert "\nResult: " in result.stdout
    assert run("replay", path).exit_code == 0


def test_actions_are_typed_as_records_write_them() -> None:
    typed = "lift B1\nplace r0c4\ncollect B1\nquit\n"
    output = run(*PLAY, typed=typed).stdout
    assert "Zoe lifts B1" in output
    assert "Zoe places B1 on e1, over E10" in output
    assert "Zoe collects B1" in output


def test_an_illegal_action_is_refused_with_a_list_of_legal_ones() -> None:
    """Illegal input is an error that lists the legal actions."""
    output = run(*PLAY, typed="collect B1\nfold\nquit\n").output
    assert "You cannot collect B1: first lift a group of one number." in output
    assert "'fold' is not one of the choices." in output
    assert "Choices: lift B10, lift D15, " in output


def test_an_unknown_layout_is_refused_before_the_deal() -> None:
    result = run(*PLAY, "--set", "layout=f")
    assert result.exit_code == 2
    assert "one of base, a, b, c, d, e" in " ".join(result.stderr.split())


def test_the_rules_can_be_read() -> None:
    """The rules for players name all actions and options."""
    output = run("rules", "garner").stdout
    for word in ("lift C11", "place e1", "collect C11", "leave C4", *Garner.options):
        assert word in output


async def test_a_whole_game_at_the_table_of_80_by_24(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keyboard cursor on the grid: the next legal stop, enter; against the rule of thumb."""
    monkeypatch.setattr(key_repeat, "REPEAT_EVERY", 0.0)
    monkeypatch.setattr(key_repeat, "REACTION", float("-inf"))
    bot = RuleOfThumb(Random(1))
    table = Setting(Garner(), humans=("Zoe",), seats=2, bot=bot, options={"layout": "a"})
    async with table.running() as terminal:
        steps = 0
        while await terminal.my_turn():
            await terminal.act()
            steps += 1
            assert steps < 300
        assert table.referee.is_over
        await terminal.until_shown("GAME OVER")


async def test_the_mouse_lifts_places_and_collects() -> None:
    """Each action of a turn is one click."""
    table = Setting(Garner(), humans=("Zoe",), seats=2, seed=SEED)
    async with table.running() as terminal:
        await terminal.click_legal()
        assert "Zoe lifts" in terminal.text
        await terminal.click_legal()
        assert "Zoe places" in terminal.text


async def test_the_group_under_the_cursor_lights_up() -> None:
    """All cards of the group that would be lifted or collected stand out together."""
    table = Setting(Garner(), humans=("Zoe",), seats=2, seed=SEED)
    async with table.running() as terminal:
        scene = table.referee.observe(0).scene()
        group = next(t for t in map(scene.targets, scene.points) if len(t) > 1)
        wanted = {target.key for target in group}
        while _site(terminal.board.cursor) not in wanted:
            await terminal.press("n")
        heavy = [
            stop
            for stop in terminal.board.frame.stops
            if terminal.text.splitlines()[stop.box.y][stop.box.x] == "┏"
        ]
        assert {_site(stop.spot) for stop in heavy} == wanted


async def test_undo_goes_back_to_the_start_of_the_turn() -> None:
    """Undo back to the start of one's own turn."""
    table = Setting(Garner(), humans=("Zoe",), seats=2, seed=SEED)
    async with table.running() as terminal:
        before = table.referee.observe(0).state
        await terminal.press("n", "enter", "n", "enter")
        assert table.referee.observe(0).state != before
        await terminal.press("u", "u")
        assert table.referee.observe(0).state == before


def _site(spot: Spot | None) -> int | str | None:
    return spot.key if spot and spot.kind == "site" else None


def test_a_game_without_a_winner_is_called_a_draw() -> None:
    """Garner R7 and R8: without a majority it is a draw."""
    words = ("play", "garner", "--set", "layout=b", "--set", "top_layer=level", "--seed", "1")
    output = run(*words, "--seat", "Zoe=random", "--seat", "Tom=random").stdout
    assert "neither has won more than half of the suits, so it is a draw" in output
    assert "Zoe and Tom draw. Suits: Zoe 0, Tom 0" in output


@pytest.mark.parametrize("text", ["place b1", "b1", "place r0c1", "r0c1", "PLACE B1"])
def test_a_site_is_typed_by_letter_and_number_or_by_indexes(text: str) -> None:
    """People read a1 to e5; the notation of records is still understood."""
    at = set_up("A1 B1 C2 \n A4 C5 C4 \n A2 B4 .", layout="a").act("lift A1")
    observation = at.observe(0)
    action = observation.labels().parse(text, observation.legal())
    assert at.game.actions.text(action, str) == "place r0c1"
    assert "place b1" in observation.labels().choices(observation.legal())


ROWS = "C1 B1 A2 \n C4 A1 C5 \n A3 B6 ."


def read(at: Position, text: str) -> str:
    """Return the name of the action that a text means, or why it means none."""
    seen = at.observe(at.state.seat)
    legal = seen.legal()
    answer = ViewerAnswers(seen, ["Ada", "Bo"], legal, {}).read(text)
    names = {action: name for name, action in seen.labels().choices(legal).items()}
    return names[answer] if isinstance(answer, int) else answer


def test_a_site_typed_alone_means_the_legal_action_there() -> None:
    """C1 is on a1 and C5 on c2; they belong to number groups of their names."""
    at = set_up(ROWS, layout="a")
    assert read(at, "c2") == "lift C5"
    assert read(at, "C2") == "lift C5"
    assert read(at, "a3") == "lift A3"
    assert read(at, "lift A2") == "lift A2"
    assert read(at, "lift c5") == "lift C5"


def test_the_site_of_a_group_means_the_group() -> None:
    at = set_up(ROWS, layout="a")
    assert read(at, "a1") == read(at, "b2") == "lift A1"


def test_while_a_card_is_placed_the_site_is_meant_as_well() -> None:
    """A placement is about a site anyway."""
    at = set_up(ROWS, layout="a").act("lift A2")
    assert read(at, "c1") == "place c1"


def test_at_an_empty_site_no_group_can_be_lifted() -> None:
    """The text says so, and means no card."""
    at = set_up(ROWS, layout="a")
    assert not read(at, "c3").startswith("lift")
