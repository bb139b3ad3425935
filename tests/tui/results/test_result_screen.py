"""The result of a game on the screen: rows, keys, and sizes."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from typing_extensions import override

from cardhub import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.replays.replay import replay_so_far
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.play.table_messages import ReviewedMove, ReviewMessage
from cardhub.tui.app import TerminalApp
from cardhub.tui.results import screen as screen_of_result
from cardhub.tui.results.result_rows import result_rows_of
from cardhub.tui.results.screen import (
    ALL_REQUESTS,
    Analyse,
    Practise,
    ResultRequest,
    ResultScreen,
)
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.layout.canvas import COLOUR_TABLE
from cardhub.view.text import UNICODE
from cardhub.view.text.result_sheet import result_lines
from cardhub.view.view import ResultView
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from holdem import Holdem
from spades import Spades

SIZES = [(60, 20), (80, 24), (120, 40), (200, 50)]
WORSE = ReviewedMove(step=9, taken="play KS", best="play 3S", comparison="About ½ better.")


def result_of(game: Game[Any], seats: int = 4, path: Path | None = None) -> ResultView:
    """Return the result of a random game."""
    names = ("Anna", "Bob", "Chris", "David")[:seats]
    referee = set_up(game, [Player(name, "random") for name in names], {}, 5)
    referee.proceed()
    rng = Random(1)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return build_result(replay_so_far(referee, (0, EVERYTHING), path), 0)


class ResultApp(TerminalApp[None]):
    """An app with a result; `outcome`: how the person left it."""

    def __init__(self, screen: Callable[["ResultApp"], ResultScreen]) -> None:
        super().__init__()
        self.outcome: ResultRequest | None = None
        self._make = screen

    @override
    def open_first_screen(self) -> None:
        self.push_screen(self._make(self), self._left)

    def _left(self, outcome: ResultRequest | None) -> None:
        self.outcome = outcome


def text_of(app: ResultApp) -> str:
    """Return the text of the screen."""
    # The compositor is private, but Textual has no public way to read the screen.
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(s.text for s in strip).rstrip() for strip in strips)


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept Enter as soon as a result is shown."""
    monkeypatch.setattr(screen_of_result, "GRACE", 0)


@asynccontextmanager
async def shown(
    game: Game[Any],
    size: tuple[int, int] = (80, 24),
    requests: Collection[str] = ALL_REQUESTS,
    analyse: Analyse | None = None,
    path: Path | None = None,
    practise: Practise | None = None,
    seats: int = 4,
) -> AsyncIterator[tuple[ResultApp, Pilot[Any]]]:
    """Yield an app that shows the result of a game."""
    result, catalogue = result_of(game, seats, path), build_catalogue(game)
    app = ResultApp(
        lambda app: ResultScreen(result, catalogue, app.glyphs, requests, analyse, practise)
    )
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        yield app, pilot


async def test_a_result_that_is_cut_says_that_there_is_more_and_names_its_file() -> None:
    path = Path("/a-folder/with-a-name-that-is-much-too-long/for-a-terminal/game.jsonl")
    async with shown(Gargon(), (60, 20), path=path) as (app, _):
        *_, facts, foot = text_of(app).splitlines()
        assert "game.jsonl" in facts
        assert "↓ more" in foot


@pytest.mark.parametrize("size", SIZES)
async def test_the_result_fits_every_size(size: tuple[int, int]) -> None:
    async with shown(Gargon(), size) as (app, pilot):
        first = text_of(app)
        assert "GAME OVER" in first
        assert "1. Bob" in first
        assert "Phoenix" in first
        assert "q home" in first.splitlines()[-1]
        await pilot.press("end")
        await pilot.pause()
        last = text_of(app)
        assert "turning points" in last
        for text in (first, last):
            assert all(len(line) <= size[0] for line in text.splitlines())


def test_commas_separate_the_cards_of_a_hand_if_names_have_several_words() -> None:
    for game, seats, gap in ((Gamon(), 2, ", "), (Gargon(), 4, " ")):
        result, catalogue = result_of(game, seats), build_catalogue(game)
        hand = replace(result.hands[0], faces=(0, 2, 2))
        shown_result = replace(result, hands=(hand,))
        rows, _ = result_rows_of(shown_result, catalogue, 120, COLOUR_TABLE, has_cards=False)
        lines = ["".join(run.text for run in row) for row in rows]
        first, _, second = (face.short for face in catalogue.faces[:3])
        assert any(line.endswith(f"{first}{gap}2×{second}") for line in lines)


@pytest.mark.parametrize("size", SIZES)
async def test_no_bot_of_a_player_is_cut_in_the_heading(size: tuple[int, int]) -> None:
    async with shown(Gargon(), size) as (app, _):
        assert text_of(app).count("(random)") == 4


async def test_the_columns_of_a_round_are_aligned() -> None:
    async with shown(Holdem(), (120, 50)) as (app, _):
        lines = text_of(app).splitlines()
        first = next(y for y, line in enumerate(lines) if "Hand 1" in line)
        heading, *rows = lines[first + 1 : first + 4]
        assert heading.split()[-2:] == ["won", "chips"]
        assert {len(row) for row in rows} == {len(heading)}


async def test_the_cards_that_counted_stand_below_the_points_where_there_is_room() -> None:
    for rows, has_cards in ((33, False), (34, True)):
        async with shown(Gargon(), (120, rows)) as (app, _):
            lines = text_of(app).splitlines()
            phoenix = next(y for y, line in enumerate(lines) if "Phoenix" in line)
            manticore = next(y for y, line in enumerate(lines) if "Manticore" in line)
            below = " ".join(lines[phoenix + 1 : manticore]).split()
            assert (len(below) > 4) == has_cards
            assert all(word in ("—", "…") or word[0] == "R" for word in below)
            labels = [line.split()[0] for line in lines if line.strip()]
            at = labels.index("amulets")
            assert labels[at : at + 3] == ["amulets", "most", "total"]


@pytest.mark.parametrize(
    ("key", "outcome"),
    [("enter", "again"), ("s", "same"), ("r", "replay"), ("v", "table"), ("q", "leave")],
)
async def test_a_key_chooses_how_to_go_on(key: str, outcome: str) -> None:
    async with shown(Spades()) as (app, pilot):
        await pilot.press(key)
        await pilot.pause()
        assert app.outcome == outcome


async def test_the_footer_can_be_clicked_and_the_keys_are_explained() -> None:
    async with shown(Spades(), (120, 30)) as (app, pilot):
        foot = text_of(app).splitlines()[-1]
        await pilot.click(offset=(foot.index("help"), 29))
        await pilot.pause()
        assert "play the same deal from the next seat" in text_of(app)
        await pilot.press("escape", "f1")
        await pilot.pause()
        assert "let a bot rate your decisions" not in text_of(app)  # there is no bot here
        await pilot.press("escape")
        await pilot.click(offset=(foot.index("home"), 29))
        await pilot.pause()
        assert app.outcome == "leave"


async def test_a_wish_that_is_not_there_is_ignored() -> None:
    async with shown(Spades(), requests=("table", "leave")) as (app, pilot):
        await pilot.press("enter", "s", "r")
        await pilot.pause()
        assert isinstance(app.screen, ResultScreen)
        assert "play again" not in text_of(app)


async def test_enter_held_down_does_not_close_the_result_unseen() -> None:
    """The key of the game's last action still repeats when the result appears."""
    async with shown(Spades()) as (app, pilot):
        app.key_repeat.is_held = True
        app.screen.action_again()  # type: ignore[attr-defined]  # of the ResultScreen
        await pilot.pause()
        assert isinstance(app.screen, ResultScreen)
        await pilot.press("x", "enter")
        await pilot.pause()
        assert app.outcome == "again"


async def test_enter_meant_for_the_table_does_not_close_the_result_unseen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with shown(Spades()) as (app, pilot):
        monkeypatch.setattr(screen_of_result, "GRACE", 60)
        await pilot.press("enter")
        assert isinstance(app.screen, ResultScreen)
        monkeypatch.setattr(screen_of_result, "GRACE", 0)
        await pilot.press("x", "enter")
        assert app.outcome == "again"


async def test_a_click_on_a_turning_point_opens_the_replay_there() -> None:
    async with shown(Gargon(), (120, 40)) as (app, pilot):
        lines = text_of(app).splitlines()
        row = next(y for y, line in enumerate(lines) if line.startswith("  step "))
        await pilot.click(offset=(12, row))
        await pilot.pause()
        assert app.outcome == int(lines[row].split()[1])


async def test_the_result_is_written_beside_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    async with shown(Gargon(), path=record) as (app, pilot):
        await pilot.press("e")
        await pilot.pause()
        assert "is saved as" in text_of(app)
    text = (tmp_path / "game.result.txt").read_text("utf-8")
    assert "Bob wins Gargon by" in text
    assert "Phoenix" in text


async def test_points_and_the_note_on_them_are_told_apart() -> None:
    async with shown(Gargon(), (120, 40)) as (app, _):
        assert "21 (11● +10)" in text_of(app)
    lines = result_lines(result_of(Gargon()), build_catalogue(Gargon()), 80, UNICODE)
    assert "21 (11● +10)" in "\n".join(lines)


async def test_a_wide_terminal_cuts_no_note() -> None:
    notes = [
        cell.note
        for part in result_of(Gamon(), 2).sections
        for row in part.rows
        for cell in row.cells
        if len(cell.note) > len("prize 4, cards")
    ]
    assert notes
    async with shown(Gamon(), (120, 40), seats=2) as (app, _):
        assert all(f"({note})" in text_of(app) for note in notes)


@pytest.mark.parametrize(("moves", "shown_keys"), [(1, " 1 try again"), (2, " 1-2 try again")])
async def test_the_bottom_line_names_as_many_moves_as_there_are(
    moves: int, shown_keys: str
) -> None:
    callbacks: list[Callable[[ReviewMessage], None]] = []

    def analyse(on_change: Callable[[ReviewMessage], None]) -> Callable[[], None]:
        callbacks.append(on_change)
        return lambda: None

    async with shown(Spades(), analyse=analyse, practise=lambda _: "") as (app, pilot):
        await pilot.press("a")
        callbacks[0](ReviewMessage(bot="hard", done=moves, total=moves, moves=(WORSE,) * moves))
        await pilot.pause()
        assert shown_keys in text_of(app)


async def test_the_analysis_shows_agreement_and_the_costliest_decisions() -> None:
    callbacks: list[Callable[[ReviewMessage], None]] = []
    ended: list[bool] = []

    def analyse(on_change: Callable[[ReviewMessage], None]) -> Callable[[], None]:
        callbacks.append(on_change)
        return lambda: ended.append(True)

    async with shown(Spades(), analyse=analyse) as (app, pilot):
        await pilot.press("a")
        callbacks[0](ReviewMessage(bot="hard", done=2, total=12, moves=(WORSE,), agreed=1))
        await pilot.pause()
        text = text_of(app)
        assert "The hard bot is reviewing your 12 moves: 2 done so far." in text
        assert "You and the bot agreed on 1 of 2 moves." in text
        assert "1. Step 10: You chose “play KS”." in text
        assert "The hard bot would choose “play 3S”." in text
        await pilot.press("v")
        await pilot.pause()
        assert "GAME OVER" in text_of(app)
        assert ended == [True]


async def test_a_key_for_a_costly_move_is_answered_at_once_while_moves_are_reviewed() -> None:
    """The message names the progress; the position opens once the review knows the move."""
    callbacks: list[Callable[[ReviewMessage], None]] = []
    opened: list[ReviewedMove] = []

    def analyse(on_change: Callable[[ReviewMessage], None]) -> Callable[[], None]:
        callbacks.append(on_change)
        return lambda: None

    def practise(move: ReviewedMove) -> str:
        opened.append(move)
        return ""

    async with shown(Spades(), analyse=analyse, practise=practise) as (app, pilot):
        await pilot.press("a", "2")
        assert "Your moves are being reviewed." in text_of(app)
        callbacks[0](ReviewMessage(bot="hard", done=12, total=40, moves=(WORSE,)))
        await pilot.pause()
        assert "Reviewing your moves… 12 of 40." in text_of(app)
        assert not opened
        last = ReviewedMove(step=11, taken="play 3S", best="play KS", comparison="")
        callbacks[0](ReviewMessage(bot="hard", done=13, total=40, moves=(WORSE, last)))
        await pilot.pause()
        await pilot.pause()
        assert opened == [last]
        callbacks[0](ReviewMessage(bot="hard", done=40, total=40, moves=(WORSE, last)))
        await pilot.press("3")
        assert "The review has found no costly move 3" in text_of(app)
