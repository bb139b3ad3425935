"""Arrays contain all observed values for which the layout has parts, in the right slots."""

import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.games.bids import Bids
from tests.games.magpie import DROP, HIDE, Magpie
from tests.learning.arrays.conftest import FEW, NAMES, layout_of, observations, positions

from cardhub import Game, Observation, OptionError
from cardhub.base.errors import LayoutError
from cardhub.learning.arrays import Layout, Part
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.faces import blanked
from cardhub.model.table.state import State, declared_names
from cardhub.plugins.registry import find_plugins
from cardhub.testing import ByHand
from goofspiel import Goofspiel
from kuhn import Kuhn
from kuhn.game import BET, CHECK


def content_of(layout: Layout, observation: Observation[Any]) -> tuple[object, ...]:
    """Return the content of an array in another form."""
    state: State = observation.state
    faces = blanked(state.face)
    backs = tuple(back for back, face in zip(state.back, faces, strict=True) if face < 0)
    fields = [name for name in declared_names(state) if name not in layout.left_out]
    kept = tuple(str(getattr(state, name)) for name in fields)
    piles = tuple(tuple(map(tuple, zone.piles(state))) for zone in state.zones)
    turn = (observation.seat, state.seat, state.phase if layout.game.phases else 0)
    return (turn, tuple(faces), backs, tuple(state.seen), piles, kept)


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_parts_lie_side_by_side_and_are_all_described(game: Game[Any]) -> None:
    """Every slot belongs to exactly one part, and the description names it."""
    layout = layout_of(game)
    assert layout.parts[0].start == 0
    assert [part.slots.stop for part in layout.parts] == [
        *(part.start for part in layout.parts[1:]),
        layout.size,
    ]
    lines = layout.describe().splitlines()[1:]
    assert [line.split()[0] for line in lines[: len(layout.parts)]] == [
        p.name for p in layout.parts
    ]


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_arrays_are_equal_exactly_if_what_is_observed_is(game: Game[Any]) -> None:
    """The array contains all values that the layout has a part for, and no others."""
    seats = game.seats.high
    layout = layout_of(game, seats, tokens=True)
    by_array: dict[bytes, tuple[object, ...]] = {}
    by_knowledge: dict[tuple[object, ...], bytes] = {}
    for position in positions(game, seats, games=1, every=7):
        for observation in observations(game, position):
            array, content = layout.encode(observation).tobytes(), content_of(layout, observation)
            assert by_array.setdefault(array, content) == content
            assert by_knowledge.setdefault(content, array) == array
    assert len(by_array) > 5


@pytest.mark.parametrize("game", FEW, indirect=True)
def test_arrays_have_one_size_and_values_from_minus_one_to_one(game: Game[Any]) -> None:
    for seats in range(game.seats.low, game.seats.high + 1):
        layout = layout_of(game, seats, history=2)
        for position in positions(game, seats, every=5):
            for observation in observations(game, position):
                array = layout.encode(observation)
                assert (array.shape, array.dtype.name) == ((layout.size,), "float32")
                assert abs(array).max() == 1


@pytest.mark.parametrize("game", FEW, indirect=True)
def test_the_mask_has_the_legal_actions_of_who_is_to_act(game: Game[Any]) -> None:
    layout = Layout(game, actions="tokens")
    for position in positions(game, layout.seats, every=4):
        for observation in observations(game, position):
            is_player = 0 <= observation.seat < layout.seats
            legal = observation.legal() if is_player and observation.is_to_act else []
            assert layout.mask(observation).tolist() == game.actions.mask(legal)


@pytest.mark.parametrize("game", ["gargon", "hearts"], indirect=True)
def test_cards_are_counted_pile_by_pile_from_the_viewer_on(game: Game[Any]) -> None:
    """The viewer's own hand comes first, and all of it is known; of others' the number is."""
    layout = Layout(game, tokens=True)
    position = positions(game, layout.seats)[5]
    for viewer in range(layout.seats):
        observation = Observation(game, position.state, viewer)
        array, hand = layout.encode(observation), observation.state.hand
        known_cards = layout.read(array, "known")
        faces = {observation.state.face[token] for token in hand[viewer]}
        assert np.flatnonzero(known_cards[0]).tolist() == sorted(faces)
        tokens = layout.read(array, "tokens")
        left = hand[(viewer + 1) % layout.seats]
        assert np.flatnonzero(tokens[:, 1]).tolist() == sorted(left)


def test_a_small_table_is_told_slot_by_slot() -> None:
    """The position is Kuhn poker after a check and a bet, for the first seat."""
    table = ByHand(Kuhn(), 2)
    state = table.state
    for token, zone, pile in ((2, state.hand, 0), (0, state.hand, 1), (1, state.stack, 0)):
        state.put(token, zone, pile)
    state.stakes = [1, 1]
    for action in (CHECK, BET):
        table.game.apply(state, action)
    layout = Layout(table.game, history=1, tokens=True)
    array = layout.encode(table.observe(0))
    read = {part.name: layout.read(array, part.name).tolist() for part in layout.parts}
    tokens = read.pop("tokens")
    assert read == {
        "viewer": [1, 0, 0],
        "seat": [1, 0, 0, 0],
        "stakes": [0.25, 0.5],
        "stakes_one_hot": [[1, 0], [0, 1]],
        "scores": [0, 0, 1],
        "recent": [[0, 0, 0, 0, 0, 0, 0]],  # nothing is noted of actions by hand
        "known": [[0, 0, 1], [0, 0, 0], [0, 0, 0]],
        "unseen": [[0], [pytest.approx(1 / 3)], [pytest.approx(1 / 3)]],
    }
    hand, top, face, seen = [1, 0, 0], [1], [0, 0, 1, 0], [1, 0, 0]
    assert tokens[2] == [*hand, *face, *top, *seen]
    hand, face, seen = [0, 1, 0], [0, 0, 0, 1], [0, 1, 0]
    assert tokens[0] == [*hand, *face, *top, *seen]


def test_the_last_actions_are_told_the_very_last_first() -> None:
    """Their seats are counted from the viewer; chance is last."""
    game = Magpie()
    layout = Layout(game, 3, history=4, actions="tokens")
    for position in positions(game, 3)[:6]:
        for viewer in range(3):
            observation = Observation(game, position.state, viewer, position.history)
            rows = layout.read(layout.encode(observation), "recent")
            steps = [
                (3 if step.seat < 0 else (step.seat - viewer) % 3, step.action)
                for step in reversed(position.history[-4:])
            ]
            encoded = [(int(row[:4].argmax()), int(row[4:].argmax())) for row in rows if row.any()]
            assert encoded == steps


def test_past_actions_name_cards_by_what_the_viewer_knows_of_them() -> None:
    """A bid lies face down: its owner knows the face, the other seat the back."""
    game = Bids()
    layout = Layout(game, 2, history=1)
    position = positions(game, 2)[1]
    ((seat, action),) = position.history
    face = position.state.face[action]
    columns = []
    for viewer in (seat, 1 - seat, EVERYTHING):
        observation = Observation(game, position.state, viewer, position.history)
        columns.append(int(layout.read(layout.encode(observation), "recent")[0, 3:].argmax()))
    back = len(game.cards.faces)  # all cards have one back
    assert columns == [face, back, face]
    assert layout.part("recent").shape == (1, 3 + back + 1 + 1)


def test_a_card_shuffled_since_is_not_named_in_past_actions() -> None:
    """Its token may be another card, so the last columns of `hide` and `drop` are set."""
    game = Magpie()
    layout = Layout(game, 3, history=4)
    size = layout.part("recent").shape[1] - 4
    unknown = {HIDE: (size - HIDE) // 2 + HIDE - 1, DROP: size - 1}
    verbs = set()
    for position in positions(game, 3, games=2):
        observation = Observation(game, position.state, EVERYTHING, position.history)
        recent = layout.read(layout.encode(observation), "recent")
        shuffled = {token for shuffle in position.state.shuffle_log for token in shuffle.tokens}
        for step, row in zip(reversed(position.history[-4:]), recent, strict=False):
            first = DROP if step.action >= DROP else HIDE
            if step.action >= HIDE:
                is_unknown = step.action - first in shuffled
                assert (row[4:].argmax() == unknown[first]) == is_unknown
                verbs.add(first)
    assert verbs == {HIDE, DROP}


def test_without_tokens_only_kinds_of_cards_are_told() -> None:
    """Two tables that differ only in which token bears a face look alike."""
    table = ByHand(Magpie(), 2)
    ones = table.take([table.game.cards.faces[0].name] * 2)
    arrays = {True: list[bytes](), False: list[bytes]()}
    for in_hand, open_card in (ones, ones[::-1]):
        table.state.hand, table.state.discard = [[], []], []
        table.state.put(in_hand, table.state.hand, 0)
        table.state.put(open_card, table.state.discard)
        for tokens, encoded in arrays.items():
            layout = Layout(table.game, 2, tokens=tokens)
            encoded.append(layout.encode(table.observe(0)).tobytes())
    assert arrays[False][0] == arrays[False][1]
    assert arrays[True][0] != arrays[True][1]


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_tokens_are_encoded_where_a_seat_needs_them(game: Game[Any]) -> None:
    """A seat needs tokens if actions name cards by place; a board of single cards has depths."""
    names = [part.name for part in layout_of(game).parts]
    assert ("tokens" in names) == (game.name == "lanterns")
    assert ("depths" in names) == (game.name in ("four_piles", "garner", "gin_rummy", "klondike"))
    with_tokens = layout_of(game, game.seats.high, tokens=True)
    assert "tokens" in [part.name for part in with_tokens.parts]


def test_rows_of_tokens_come_with_actions_on_tokens() -> None:
    """The game's numbers are useful only if the learner sees the tokens."""
    assert Layout(Goofspiel(), actions="tokens").parameters["tokens"]
    with_recall = Layout(Kuhn(), recall="perfect", tokens=True)
    assert "tokens" in [part.name for part in with_recall.parts]
    assert not Layout(Goofspiel()).parameters["tokens"]
    assert not Layout(Kuhn(), actions="tokens").parameters["tokens"]


@pytest.mark.parametrize("game", ["four_piles", "garner", "gin_rummy"], indirect=True)
def test_depths_say_how_near_to_the_top_of_an_open_pile_each_card_lies(game: Game[Any]) -> None:
    layout = layout_of(game)
    faces = sorted({*game.pack(layout.settings, layout.seats)})
    seen = [o for p in positions(game, layout.seats, every=9) for o in observations(game, p)]
    batch = layout.encode_many(seen)
    for observation, array in zip(seen, batch, strict=True):
        state = observation.state
        expected = [0.0] * len(faces)
        for zone in state.zones:
            for pile in zone.piles(state) if zone.count != 0 and zone.faces == "all" else ():
                for depth, token in enumerate(reversed(pile), 1):
                    expected[faces.index(state.face[token])] = 1 / depth
        assert layout.read(array, "depths").tolist() == pytest.approx(expected)
        assert np.array_equal(layout.encode(observation), array)


@pytest.mark.parametrize("game", ["magpie", "gamon", "hearts"], indirect=True)
def test_the_top_of_each_open_pile_is_encoded(game: Game[Any]) -> None:
    layout = Layout(game)
    count = 0
    for position in positions(game, layout.seats, every=3):
        for seen in observations(game, position):
            state, viewer, seats = seen.state, seen.seat, layout.seats
            first = viewer if 0 <= viewer < seats else 0
            piles = [
                zone.piles(state)[(number + first) % seats if zone.count == 0 else number]
                for zone in state.zones
                if zone.faces == "all"
                for number in range(len(zone.piles(state)))
            ]
            rows = layout.read(layout.encode(seen), "top_cards")
            tops = [game.cards.faces[state.face[pile[-1]]].name if pile else None for pile in piles]
            in_play = sorted(set(game.pack(layout.settings, seats)))
            names = [game.cards.faces[face].name for face in in_play]
            encoded = [names[int(row.argmax())] if row.any() else None for row in rows]
            assert encoded == tops
            count += any(top is not None for top in tops)
    assert count


def test_numbers_beyond_the_declared_ones_stay_apart_and_within_bounds() -> None:
    """Usual numbers are exceeded now and then."""
    table = ByHand(Kuhn(), 2)
    layout = Layout(table.game)
    table.state.put_all([0, 1, 2], table.state.stack)
    values = []
    for stake in (-(10**9), -50, -3, -2, 0, 1, 2, 3, 4, 50, 51, 10**9):
        table.state.stakes = [1, stake]
        values.append(layout.read(layout.encode(table.observe(0)), "stakes")[1])
    assert all(low < high for low, high in pairwise(values))
    assert -1 <= values[0] < values[-1] <= 1


def test_lists_longer_than_declared_are_refused_instead_of_cut_off() -> None:
    table = ByHand(Kuhn(), 2)
    table.state.put_all([0, 1, 2], table.state.stack)
    table.state.stakes = [1, 1, 5, 5]
    with pytest.raises(LayoutError, match=r"stakes has 4 numbers, declared are at most 2\. fix:"):
        Layout(table.game).encode(table.observe(0))


def test_a_layout_is_the_same_every_time_and_survives_pickling() -> None:
    """A learner's weights stay of use in another process."""
    game = find_plugins().game("gamon")
    layout = Layout(game)
    assert Layout(game).describe() == layout.describe()
    again = pickle.loads(pickle.dumps(layout))
    observation = Observation(game, positions(game, 2)[9].state, 1)
    assert np.array_equal(again.encode(observation), layout.encode(observation))


def test_what_no_part_holds_is_said() -> None:
    """Texts, tuples and lists of lists are left out."""
    layout = Layout(find_plugins().game("gamon"))
    assert layout.left_out == ("outcomes", "rounds", "able")
    assert layout.describe().endswith("left out: outcomes, rounds, able")


def test_another_tables_observation_is_refused() -> None:
    """The sizes might fit by chance; the message has the expected table."""
    kuhn, magpie = Kuhn(), Magpie()
    observation = Observation(magpie, positions(magpie, 3)[0].state, 0)
    with pytest.raises(LayoutError, match=r"magpie 1 with 3 seats.* for kuhn 1 with 2"):
        Layout(kuhn).encode(observation)
    with pytest.raises(OptionError, match="for 2 players, not for 5"):
        Layout(kuhn, 5)
    with pytest.raises(LookupError, match=r"'stake'.*Did you mean"):
        Layout(kuhn).part("stake")


def test_a_part_says_where_its_slots_are() -> None:
    part = Part("cards", (3, 4), "whatever", start=5)
    assert (part.size, part.slots) == (12, slice(5, 17))
