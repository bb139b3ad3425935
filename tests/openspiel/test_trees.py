"""Trees: ours are OpenSpiel's, node by node, and chance is as likely as a shuffle makes it."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pyspiel
import pytest
from tests.kit.installed_games import names_for_arrays

from cardhub import OVER, Actions, Cards, Display, Game, Scene, Seats, State, per_seat, shared
from cardhub.bots.solving.game_tree import Tree, TreeNode, node_after
from cardhub.model.cards.cards import Back, Card
from cardhub.model.game.initial_state import initial_state, resolve_options, split_decks
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.table.faces import blanked
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import Trial, play
from cardhub_openspiel import load

# OpenSpiel's names of our actions.
KUHN, LEDUC = {0: 0, 1: 1, 2: 0, 3: 1}, {0: 0, 1: 1, 2: 2}


def pairs(ours: Any, theirs: Any, names: dict[int, int]) -> Iterator[tuple[Any, Any]]:
    """Yield all pairs of states that the same steps lead to; both games must offer the same."""
    yield ours, theirs
    steps = [(a, a if ours.is_chance_node() else names[a]) for a in ours.legal_actions()]
    assert sorted(other_step for _, other_step in steps) == theirs.legal_actions()
    for step, other_step in steps:
        yield from pairs(ours.child(step), theirs.child(other_step), names)


@pytest.mark.parametrize(
    ("name", "other", "names", "nodes"),
    [("kuhn", "kuhn_poker", KUHN, 58), ("leduc", "leduc_poker", LEDUC, 9457)],
)
def test_the_trees_of_kuhn_and_leduc_poker_are_openspiels(
    name: str, other: str, names: dict[int, int], nodes: int
) -> None:
    """Players, chances, returns and information sets are equal at every node."""
    names_of: dict[tuple[int, str], str] = {}
    count = 0
    roots = load(name).new_initial_state(), pyspiel.load_game(other).new_initial_state()
    for ours, theirs in pairs(*roots, names):
        count += 1
        assert ours.current_player() == theirs.current_player()
        assert ours.is_terminal() == theirs.is_terminal()
        if ours.is_terminal():
            assert ours.returns() == theirs.returns()
        elif ours.is_chance_node():
            assert dict(ours.chance_outcomes()) == pytest.approx(dict(theirs.chance_outcomes()))
        else:
            seat = ours.current_player()
            text, their_text = ours.information_state_string(), theirs.information_state_string()
            assert names_of.setdefault((seat, text), their_text) == their_text
    assert count == nodes
    assert len(set(names_of.values())) == len(names_of) == (12 if name == "kuhn" else 936)


def box(*cards: str) -> Cards:
    """Return a deck of cards whose first letter is their back."""
    backs = sorted({card[0] for card in cards})
    copies = Counter(cards)
    return Cards(
        tuple(Card(c, c, backs.index(c[0]), 0, n, "", {}) for c, n in copies.items()),
        tuple(Back(b, b, b, f"{b}?", "white") for b in backs),
        ("deck",),
    )


class Piles(State):
    """A hand, some cards only their owner rearranges, and a stack."""

    hand = per_seat(faces="owner")
    kept = per_seat(faces="owner", mixed=True)
    stack = shared(faces="nobody")
    turned = shared(faces="all")


class ShufflingDisplay(Display[Piles]):
    """Looks at a card, shuffles it with others, turns cards up: every kind of chance there is."""

    def scene(self, state: Piles, viewer: int) -> Scene:
        """Return an empty scene."""
        return Scene("", [])


class Shuffling(Game[Piles]):
    """Looks at a card, shuffles it with others, turns cards up: every kind of chance there is."""

    name, title, seats = "shuffling", "Shuffling", Seats(1)
    cards, state_type = box("R1", "R2", "R2", "B1", "B2"), Piles
    actions = Actions("shuffle", "keep", "turn")
    display_type = ShufflingDisplay

    def deal(self, state: Piles) -> None:
        """Deal one card to the hand; the others stay in the stack."""
        state.put(0, state.hand, 0)
        state.put_all(range(1, 5), state.stack)

    def legal(self, state: Piles) -> list[int]:
        """Return the only action."""
        return [state.phase]

    def apply(self, state: Piles, action: int) -> None:
        """Shuffle the hand into half of the stack, take two cards, mix them, turn up three."""
        if action == 0:
            state.move(0, state.hand[0], state.stack)
            state.shuffle([0, 1, 2])
        elif action == 1:
            for token in (1, 3):
                state.move(token, state.stack, state.kept, 0)
        else:
            state.reveal([0, 1, 4])
            state.seat = OVER
        state.phase += 1

    def scores(self, state: Piles) -> list[int]:
        """Return zeros."""
        return [0]


SHUFFLING = Shuffling()
SETTINGS = resolve_options(SHUFFLING, {}, 1)


def ends(position: TreeNode[Any], chance: Fraction) -> Iterator[tuple[Piles, Fraction]]:
    """Yield the final states and how likely each is."""
    if position.due.kind == "over":
        yield position.state, chance
    for step, odds in position.odds:
        yield from ends(position.child(step), chance * Fraction(odds).limit_denominator(1000))


def shuffles(state: Piles) -> Iterator[Piles]:
    """Yield every state that the next shuffle can make, each as likely."""
    (tokens, keeper), back_of = state.pending_shuffles[0], SHUFFLING.cards.back_of
    for order in permutations(tokens):
        faces = tuple(state.face[token] for token in order)
        backs = tuple(back_of[face] for face in faces)
        if keeper < 0 or backs == tuple(state.back[token] for token in tokens):
            after = state.clone()
            apply_outcome(after, Outcome(faces, backs))
            yield after


def brute(state: Piles, chance: Fraction) -> Iterator[tuple[Piles, Fraction]]:
    """Yield the same as `ends`, by trying every order of every shuffle."""
    if state.pending_shuffles:
        following = list(shuffles(state))
    elif state.seat == OVER:
        yield state, chance
        return
    else:
        following = [state.clone()]
        SHUFFLING.apply(following[0], SHUFFLING.legal(state)[0])
    for after in following:
        yield from brute(after, chance / len(following))


def seen(state: Piles) -> tuple[Any, ...]:
    """Return the faces seen by any seat, now and before each shuffle."""
    past = [
        tuple(f if s else -1 for f, s in zip(shuffle.faces, shuffle.seen, strict=True))
        for shuffle in state.shuffle_log
    ]
    backs = [shuffle.backs for shuffle in state.shuffle_log]
    now = zip(blanked(state.face), state.seen, strict=True)
    return (state.back, tuple(f if s else -1 for f, s in now), *past, *backs)


def test_dealing_card_by_card_is_as_likely_as_shuffling_everything() -> None:
    """All that is seen in all courses of a game with shuffles of every kind, by exact fractions."""
    ours: Counter[tuple[Any, ...]] = Counter()
    theirs: Counter[tuple[Any, ...]] = Counter()
    for state, chance in ends(Tree(SHUFFLING, 1, SETTINGS).root, Fraction(1)):
        ours[seen(state)] += chance  # type: ignore[assignment]  # fractions count as well
    (deck,) = split_decks(SHUFFLING, SETTINGS, 1)
    orders = list(permutations(deck))
    for order in orders:
        dealt = initial_state(SHUFFLING, SETTINGS, 1, list(order))
        for state, chance in brute(dealt, Fraction(1, len(orders))):
            theirs[seen(state)] += chance  # type: ignore[assignment]  # fractions count as well
    assert sum(theirs.values()) == 1
    assert len(theirs) > 100
    assert ours == theirs


def test_only_cards_that_a_seat_sees_are_dealt() -> None:
    root = load("kuhn").tree.root
    for first, second in product(range(3), range(2)):
        position = root.child(first)
        position = position.child(position.odds[second][0])
        assert position.due.kind == "turn"
        assert blanked(position.state.face)[2] == -1


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in names_for_arrays()),
        ("hearts", {"hands": 2}),
        ("gargon", {"zero_tie_draw": True}),
    ],
)
def test_games_at_the_table_are_paths_in_the_tree(name: str, options: dict[str, Value]) -> None:
    game = find_plugins().game(name)
    settings = resolve_options(game, options, game.seats.default)
    tree = Tree(game, game.seats.default, settings)
    positions = list(play(game, Trial(game.seats.default, settings, 3)))
    for position in (positions[len(positions) // 2], positions[-1]):
        here = node_after(tree, position.state, position.history)
        assert here.state.seat == position.state.seat
        if position.state.seat == OVER:
            assert here.scores == game.scores(position.state)
        else:
            assert [step for step, _ in here.odds] == sorted(game.legal(position.state))
        seen = zip(blanked(here.state.face), position.state.face, here.state.seen, strict=True)
        assert all(ours == theirs for ours, theirs, is_seen in seen if is_seen)
        assert here.state.seen == position.state.seen
        assert here.state.back == position.state.back
