"""A whole game in plain text and on the screen, and the listings of the command line."""

from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from tests.tui.conftest import Setting

from cardhub.cli.main import cli
from cardhub.tui import keys as key_repeat
from cardhub_gamon import Gamon, RuleOfThumb


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep saved games out of the user's own folder, and lines 80 wide."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "home"


def run(*words: str, typed: str | None = None) -> Result:
    """Run the command line."""
    return CliRunner().invoke(cli, words, input=typed, prog_name="cardhub")


def test_a_whole_game_in_plain_text() -> None:
    """A person plays to the end by typing numbers, against the rule of thumb."""
    typed = "".join(f"{number}\n" for number in islice(cycle((1, 2, 1, 3, 2)), 400))
    result = run("play", "gamon", "--plain", "--seed", "5", "--set", "coins=20", typed=typed)
    assert (result.exit_code, result.exception) == (0, None), result.output
    assert ", or cry Gamon" in result.output
    assert " lied, and " in result.output
    assert "wins the round and" in result.output
    assert "Points by cause\n" in result.output


def test_actions_are_typed_in_their_notation() -> None:
    """`prize 3`, then a card, then a call."""
    words = ("play", "gamon", "--plain", "--seed", "5")
    result = run(*words, typed="prize 3\nplace high-officer\ncall 3\nquit\n")
    for line in ("raises the prize to 3 coins", "places High Officer", "Anna calls 3"):
        assert line in result.output


def test_cards_are_listed_with_their_texts() -> None:
    """`cardhub rules gamon --cards` lists all 26 with base and text."""
    text = run("rules", "gamon", "--cards").output
    assert len([line for line in text.splitlines() if " navy " in line or " pirate " in line]) == 26
    assert "Queen Anne's Vengeance" in text


def test_the_rules_explain_the_game() -> None:
    text = run("rules", "gamon").output
    for option in (
        "coins",
        "first_attacker",
        "gamon_counts_as_battle",
        "high_officer_counts_itself",
    ):
        assert option in text


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("coins=0", "a number from 1 to 99"),
        ("first_attacker=red", "one of navy, pirate, random"),
        ("coin=3", "Did you mean 'coins'?"),
    ],
)
def test_invalid_options_are_rejected_with_the_valid_values(given: str, right: str) -> None:
    result = run("play", "gamon", "--plain", "--set", given)
    assert result.exit_code != 0
    assert right in result.output


def test_cards_are_typed_by_title_or_by_name() -> None:
    """Titles are read and typed; the names of records are still understood."""
    words = ("play", "gamon", "--plain", "--seed", "5")
    for text in ("place High Officer", "high officer", "place high-officer"):
        result = run(*words, typed=f"prize 1\n{text}\nquit\n")
        assert "Anna places High Officer" in result.output, result.output
        assert ". place High Officer" in result.output


def test_a_card_is_explained_on_request() -> None:
    """`card NAME`, or `card` for the cards in sight; neither is an action."""
    words = ("play", "gamon", "--plain", "--seed", "5")
    output = run(*words, typed="prize 1\ncard hms\ncard\nplace cadet\nquit\n").output
    assert (
        "HMS Peril, 6, unbeaten. Cannot be placed if you have lost a battle this round.\n" in output
    )
    assert "Midshipman, 2, +3 behind. +3 if the other purse is larger than yours.\n" in output
    assert output.index("Midshipman, 2,") < output.index("Anna places Cadet")


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat quick presses of a key as separate presses, not as a held key."""
    monkeypatch.setattr(key_repeat, "REPEAT_EVERY", 0.0)
    monkeypatch.setattr(key_repeat, "REACTION", float("-inf"))


async def test_a_whole_game_at_80_by_24() -> None:
    bot = RuleOfThumb(Random(1))
    setting = Setting(Gamon(), seats=2, seed=4, bot=bot, options={"coins": 8})
    moments = 0
    async with setting.running() as terminal:
        while await terminal.my_turn():
            if ", or cry Gamon" in terminal.text:
                moments += 1
                assert " gamon" in terminal.text
                assert " believe" in terminal.text
            await terminal.act()
        await terminal.until_shown("GAME OVER")
    assert setting.referee.is_over
    assert moments > 1


async def test_a_cards_text_is_shown_on_focus() -> None:
    setting = Setting(Gamon(), seats=2, seed=5)
    async with setting.running() as terminal:
        await terminal.my_turn()
        await terminal.act()
        await terminal.until_shown("Place a card face down")
        texts = [card.text for card in Gamon().cards.faces if card.title in terminal.text]
        assert any(text.split(".")[0][:40] in terminal.text for text in texts if text)
