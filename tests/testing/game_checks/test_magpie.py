"""Chance, reshuffles and mixed hands, proved on the game that is for tests alone."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.games.magpie import DROP, HIDE, TAKE, VALUE, Magpie, Table

from cardhub.model.hidden.observation import Observation, observed_state
from cardhub.model.hidden.shuffles.segments import face_snapshots
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.state import CHANCE
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replay
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.testing import Position, play
from cardhub.testing.game_checks.record_checks import check_record
from cardhub.testing.random_play import default_trial

GAMES = range(6)
DRAWS = 60


def positions(magpie: Magpie, seats: int) -> Iterator[Position[Table]]:
    """Yield the positions of some random games, but not the first of each game."""
    for seed in GAMES:
        for position in play(magpie, default_trial(magpie, seats, seed)):
            if position.number:
                yield position


def reshuffled(position: Position[Table]) -> list[int]:
    """Return the tokens that the last action had reshuffled."""
    pending = position.applied.pending_shuffles if position.applied else ()
    return [token for tokens, keeper in pending if keeper < 0 for token in tokens]


def draw(magpie: Magpie, state: Table, viewer: int) -> list[Table]:
    """Return determinizations of a viewer's observation."""
    observation, rng = Observation(magpie, state, viewer), Random(1)
    return [observation.determinize(rng) for _ in range(DRAWS)]


def recorded(magpie: Magpie, path: Path) -> tuple[Referee[Table], list[dict[str, Any]]]:
    """Record a random game; return its referee and the lines of the record."""
    referee = set_up(magpie, [Player(name, "random") for name in NAMES[:2]], {}, 5)
    record_to(referee, path)
    referee.proceed()
    rng = Random(5)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return referee, [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class ReadsOwnHand(Magpie):
    """Legal actions depend on the seat's own hidden cards."""

    def legal(self, state: Table) -> list[int]:
        """Look at the hand of the seat to act first."""
        hand = state.hand[state.seat] if state.seat >= 0 else []
        assert all(VALUE[state.face[token]] for token in hand)
        return super().legal(state)


def test_redacted_records_replay_if_legal_actions_depend_on_hidden_cards() -> None:
    for seats in (2, 3, 4):
        check_record(ReadsOwnHand(), default_trial(ReadsOwnHand(), seats, seed=0))


def test_rolls_and_shuffles_are_recorded_as_actions_of_chance(
    magpie: Magpie, tmp_path: Path
) -> None:
    """Chance is a seat; its outcomes are recorded like actions."""
    _, lines = recorded(magpie, tmp_path / "game.jsonl")
    rolls = {line["action"] for line in lines if line.get("seat") == "chance" and "action" in line}
    shuffles = [line for line in lines if "shuffle" in line]
    assert rolls == {"roll 1", "roll 2", "roll 3"}
    assert shuffles
    assert all(line["seat"] == "chance" for line in shuffles)
    assert not any(
        str(line.get("action")).startswith("roll") for line in lines if line.get("seat") != "chance"
    )


def test_a_replay_uses_no_generator(
    magpie: Magpie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deal plus the actions replay the game exactly, with no random generator involved."""
    path = tmp_path / "game.jsonl"
    referee, _ = recorded(magpie, path)

    def refuse(*_: object) -> None:
        raise AssertionError("a replay made a random generator")

    monkeypatch.setattr(Random, "__init__", refuse)
    record = read_record(path)
    again = open_record(magpie, record)
    assert [number for number, _ in record.lines] == list(replay(record, again))
    assert again.observe(0).state == referee.observe(0).state


def test_the_die_is_as_loaded_as_the_game_says(magpie: Magpie) -> None:
    """Chance draws by the weights of the game: 3, 2 and 1 of 6."""
    rolls = Counter(
        position.history[-1].action
        for position in positions(magpie, 3)
        if position.history[-1].seat == CHANCE
    )
    shares = [rolls[pips] / rolls.total() for pips in range(3)]
    assert shares == pytest.approx([1 / 2, 1 / 3, 1 / 6], abs=0.1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_seat_knows_a_face_after_a_reshuffle(magpie: Magpie, seats: int) -> None:
    after = [p for p in positions(magpie, seats) if reshuffled(p)]
    assert after
    for position in after:
        assert {position.state.seen[token] for token in reshuffled(position)} == {0}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_seats_still_know_which_cards_were_reshuffled(magpie: Magpie, seats: int) -> None:
    """Every determinization has the very cards of the discard pile in the new stack.

    Each lies anywhere in it that its back allows.
    """
    position = next(p for p in positions(magpie, seats) if len(reshuffled(p)) > 4)
    state, tokens = position.state, reshuffled(position)
    cards = Counter(state.face[token] for token in tokens)
    for viewer in range(seats + 1):
        drawn = draw(magpie, state, viewer)
        assert all(Counter(d.face[token] for token in tokens) == cards for d in drawn)
        for token in tokens:
            fits = {face for face in cards if magpie.cards.back_of[face] == state.back[token]}
            assert {d.face[token] for d in drawn} == fits


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_reshuffled_cards_are_remembered_to_the_end_of_the_game(magpie: Magpie, seats: int) -> None:
    """However the cards have gone since, each determinization had them in the stack then."""
    checked = 0
    for seed in GAMES:
        *_, last = play(magpie, default_trial(magpie, seats, seed))
        for viewer in range(seats + 1):
            drawn = Observation(magpie, last.state, viewer).determinize_whole(Random(seed))
            for number, shuffle in enumerate(last.state.shuffle_log):
                if shuffle.keeper < 0:
                    truth, imagined = (
                        face_snapshots(last.state)[number + 1],
                        face_snapshots(drawn)[number + 1],
                    )
                    cards = Counter(truth[token] for token in shuffle.tokens)
                    assert Counter(imagined[token] for token in shuffle.tokens) == cards
                    checked += 1
    assert checked


def takes(magpie: Magpie, seats: int) -> Iterator[Position[Table]]:
    """Yield positions in which a seat has just taken a card among others of the same back."""
    for position in positions(magpie, seats):
        seat, action = position.history[-1]
        before = position.before
        if action == TAKE and before is not None:
            back = before.back[before.discard[-1]]
            if sum(before.back[token] == back for token in before.hand[seat]) >= 2:
                yield position


@pytest.mark.parametrize("seats", [2, 4])
def test_a_known_card_is_one_of_the_hand_with_equal_probability(magpie: Magpie, seats: int) -> None:
    """The others know only that a card taken face up is in the hand.

    Every token of its back is as likely to be it, the one taken included.
    """
    position = next(takes(magpie, seats))
    before, state, taker = position.before, position.state, position.history[-1].seat
    assert before is not None
    taken, face = before.discard[-1], before.face[before.discard[-1]]
    alike = [token for token in state.hand[taker] if state.back[token] == before.back[taken]]
    for viewer in set(range(seats + 1)) - {taker}:
        assert not any(state.seen[token] >> viewer & 1 for token in alike)
        drawn = draw(magpie, state, viewer)
        assert all(face in (d.face[token] for token in alike) for d in drawn)
        shares = [sum(d.face[token] == face for d in drawn) / DRAWS for token in alike]
        assert max(shares) - min(shares) < 0.35
        assert min(shares) > 0.1


@pytest.mark.parametrize("seats", [2, 4])
def test_the_owner_of_a_mixed_hand_still_knows_all_of_it(magpie: Magpie, seats: int) -> None:
    """Mixing makes tokens indistinguishable to everyone but the owner."""
    for position in positions(magpie, seats):
        for seat, hand in enumerate(position.state.hand):
            known = blanked(observed_state(position.state, seat).face)
            assert all(known[token] == position.state.face[token] != BLANK for token in hand)


def hidings(magpie: Magpie) -> Iterator[tuple[Position[Table], int, int]]:
    """Yield positions in which a taker has just hidden a card of the back taken this turn.

    The face taken and the token hidden come with them.
    """
    taken: int | None = None
    for position in positions(magpie, 3):
        seat, action = position.history[-1]
        before = position.before
        assert before is not None
        if seat == CHANCE:
            taken = None
        elif action == TAKE:
            taken = before.face[before.discard[-1]]
        elif HIDE <= action < DROP and taken is not None:
            if before.back[action - HIDE] == magpie.cards.back_of[taken]:
                yield position, taken, action - HIDE
            taken = None
        elif action >= DROP:
            taken = None


def test_a_known_card_may_be_the_one_played_face_down(magpie: Magpie) -> None:
    """The others must consider both: the card is in the nest or still in the hand."""
    may_be_it = 0
    for position, face, hidden in hidings(magpie):
        seat, state = position.history[-1].seat, position.state
        drawn = draw(magpie, state, (seat + 1) % 3)
        nearby = [hidden, *state.hand[seat]]
        assert all(face in (d.face[token] for token in nearby) for d in drawn)
        may_be_it += {d.face[hidden] == face for d in drawn} == {True, False}
    assert may_be_it > 5


def test_who_peeks_remembers_the_card_wherever_it_goes(magpie: Magpie) -> None:
    """`show` reveals the face to one seat only."""
    game = default_trial(magpie, 3, 0)
    state = next(play(magpie, game)).state
    state.show(state.stack[-1], 1)
    knowing = [seat for seat in range(4) if state.seen[state.stack[-1]] >> seat & 1]
    assert knowing == [1]
