"""Faces known in part, before and after a shuffle."""

from pathlib import Path

import pytest
from tests.kit.redacting import redact

from cardhub import (
    OVER,
    Actions,
    Area,
    Choice,
    Display,
    Game,
    Scene,
    Seats,
    State,
    load_cards,
    per_seat,
    shared,
)
from cardhub.model.table.faces import BLANK
from cardhub.play.records.header import fits
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.seating import Player
from cardhub.play.setup import set_up

A, B, C = range(3)
PLAYERS = [Player("Anna", "human"), Player("Bob", "human")]


class Table(State):
    """Cards that all have seen, then dealt again face down."""

    pool = shared(faces="all")
    stack = shared(faces="nobody")
    hand = per_seat(faces="owner")


class ShownFirstDisplay(Display[Table]):
    """All cards lie open; they are shuffled and dealt to seat 1, which names the first one."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Show the pool."""
        return Scene("go on", [Area("pool", state.pool)])


class ShownFirst(Game[Table]):
    """All cards lie open; they are shuffled and dealt to seat 1, which names the first one."""

    name, title, seats = "shown-first", "Shown first", Seats(2)
    actions, state_type = Actions("shuffle", "deal", Choice("name", "ABC")), Table
    display_type = ShownFirstDisplay

    def deal(self, state: Table) -> None:
        """Lay all cards open."""
        state.put_all(range(len(state.face)), state.pool)

    def legal(self, state: Table) -> list[int]:
        """Return the next step; only a card that one holds can be named."""
        if state.hand[1]:
            return [2 + state.face[state.hand[1][0]]]
        return [0 if state.pool else 1]

    def apply(self, state: Table, action: int) -> None:
        """Put the card into the hand of the seat to act."""
        if action == 0:
            state.put_all(state.pool, state.stack)
            state.shuffle(state.pool)
            state.pool.clear()
        elif action == 1:
            state.put_all(state.stack, state.hand, 1)
            state.stack.clear()
            state.seat = 1
        else:
            state.seat = OVER

    def scores(self, state: Table) -> list[int]:
        """All scores are 0."""
        return [0, 0]


@pytest.fixture
def game(tmp_path: Path) -> ShownFirst:
    """Return the game with its cards."""
    path = tmp_path / "cards.yaml"
    path.write_text("cards: [{name: A}, {name: B}, {name: C}]")
    ShownFirst.cards = load_cards(path)
    return ShownFirst()


def test_rules_read_no_blank_as_a_face_though_all_knew_the_deal(
    game: ShownFirst, tmp_path: Path
) -> None:
    """Blank faces after a shuffle are hidden like blank faces of the deal."""
    path = tmp_path / "game.jsonl"
    referee = set_up(game, PLAYERS, {}, seed=1)
    record_to(referee, path)
    referee.proceed()
    while not referee.is_over:
        referee.apply(referee.observe(referee.seat).legal()[0])
    path.write_text(redact(game, read_record(path), 0), "utf-8")
    record = read_record(path)
    assert "?" not in record.header.deal
    assert replayed(record, open_record(game, record)).is_over


@pytest.mark.parametrize(
    ("after", "before", "can"),
    [
        ((A, B), (B, A), True),
        ((A, C), (B, A), False),
        ((BLANK, BLANK, C), (A, B, BLANK), True),
        ((BLANK, B, C), (A, BLANK, BLANK), True),
        ((BLANK, C), (A, B), False),
        ((A, B, C), (A, BLANK, B), True),
        ((A, B), (A, B, BLANK), False),
    ],
)
def test_known_faces_need_unknown_ones_to_come_from(
    after: tuple[int, ...], before: tuple[int, ...], can: bool
) -> None:
    """A face known on one side only is one of the unknown on the other."""
    assert fits(after, before) == can
