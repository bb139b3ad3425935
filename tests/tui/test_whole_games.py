"""Whole games at the terminal."""

import re
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.view.text.patchwork import Patchwork

from cardhub import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.referee import Referee
from cardhub.play.seeds import commitment_to
from cardhub_gargon import Gargon
from leduc import Leduc

SIZES = [(80, 24), (60, 20), (120, 40)]


def hidden_names(referee: Referee[Any], viewer: int) -> set[str]:
    """Return the names of cards that the viewer has not seen, except twins of seen cards."""
    state, cards = referee.observe(EVERYTHING).state, referee.game.cards
    seen = {state.face[t] for t in range(len(state.face)) if state.seen[t] >> viewer & 1}
    return {cards.faces[state.face[t]].name for t in range(len(state.face))} - {
        cards.faces[face].name for face in seen
    }


def assert_keeps_secrets(text: str, referee: Referee[Any], viewer: int) -> None:
    """Check a screen against the true state."""
    shown = set(re.findall(r"\b[A-Z]\d+\b", text))
    assert shown & hidden_names(referee, viewer) == set()


@pytest.mark.parametrize(("game", "size"), [(Gargon(), (80, 24)), (Magpie(), (60, 20))])
async def test_a_game_can_be_played_by_keyboard_alone(
    setting: Any, game: Game[Any], size: tuple[int, int]
) -> None:
    table = setting(game, seats=game.seats.low, left=24)
    async with table.running(size) as terminal:
        while await terminal.my_turn():
            # The log also names cards that the viewer had seen at that time.
            log = terminal.board.plan.box("news")
            lines = terminal.text.splitlines()
            without_log = "\n".join(lines[: log.y] + lines[log.y + log.height :])
            assert_keeps_secrets(without_log, table.referee, 0)
            await terminal.act()
        await terminal.until_shown("GAME OVER")
    assert table.referee.is_over


@pytest.mark.parametrize("size", SIZES)
async def test_five_players_can_play_at_any_size(setting: Any, size: tuple[int, int]) -> None:
    table = setting(seats=5)
    async with table.running(size) as terminal:
        for _ in range(3):
            await terminal.my_turn()
            assert terminal.legal_stops()
            assert_keeps_secrets(terminal.text, table.referee, 0)
            await terminal.act()


async def test_a_game_can_be_played_by_mouse_alone(setting: Any) -> None:
    async with setting(seats=3, seed=2).running() as terminal:
        for _ in range(4):
            await terminal.my_turn()
            await terminal.click_legal()
    table = setting(Leduc(), seats=2, seed=2)
    async with table.running() as terminal:
        while await terminal.my_turn():
            await terminal.click_legal()
        await terminal.until_shown("GAME OVER")
        lines = terminal.text.splitlines()
        row = next(n for n, line in enumerate(lines) if " q home" in line)
        await terminal.pilot.click(offset=(lines[row].index("home"), row))
        await terminal.pilot.pause()
    assert table.app.return_code == 0


@pytest.mark.parametrize("game", [Magpie(), Patchwork()], ids=lambda game: game.name)
async def test_any_game_is_played_from_its_scene_by_typed_actions(
    setting: Any, game: Game[Any]
) -> None:
    """One screen serves all games; the box takes its marked action."""
    table = setting(game, seats=game.seats.low, seed=3, left=12)
    async with table.running() as terminal:
        while await terminal.my_turn():
            await terminal.act_typed()
        await terminal.until_shown("GAME OVER")
    assert table.referee.is_over


async def test_the_result_tells_places_scores_and_seed(setting: Any) -> None:
    table = setting(humans=(), seats=3, seed=4)
    async with table.running() as terminal:
        await terminal.until_shown("GAME OVER")
        text = terminal.text
        assert "seed 4" in text.casefold()
        referee = table.referee
        for seat, player in enumerate(referee.players):
            place, score = referee.places()[seat], referee.scores()[seat]
            assert f"{place}. {player}" in text
            assert re.search(rf"\b{score}\b", text)
        await terminal.press("escape")
        assert "the game is over" in terminal.text.splitlines()[0]


async def test_a_drawn_seed_is_committed_to_above_the_log_and_revealed_at_the_end(
    setting: Any,
) -> None:
    """A seed known at the start would reveal all cards."""
    seed = "5eed" * 8
    table = setting(seats=3, seed=seed)
    async with table.running((100, 30)) as terminal:
        await terminal.press("L")
        await terminal.until_shown(f"commitment {str(commitment_to(seed))[:12]}")
        assert seed not in terminal.text
