"""Tables of learners in C, compared with tables in Python byte for byte."""

from collections.abc import Mapping
from dataclasses import fields, replace
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.compiling.rules.conftest import Built
from tests.compiling.rules.planted import (
    DealLeak,
    Endless,
    LateOverflow,
    LegalLeak,
    ManyCards,
    NegativeIndex,
    Overflow,
    ScoreLeak,
)

from cardhub.base.errors import EpisodeError, HiddenFaceError
from cardhub.learning.adapters.vector.factory import table_spec
from cardhub.learning.adapters.vector.learning_table import (
    WAIT,
    BatchArrays,
    TableGroup,
    arrays_in,
    buffer_size,
)
from cardhub.learning.adapters.vector.native_group import NativeGroup, native_group, table_group
from cardhub.learning.adapters.vector.seeding import DEALS_IN_ROW, FAST, PLAY
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.plugins.registry import find_plugins
from kuhn.game import Kuhn

# The number of the first table, as in a worker process.
FIRST = 5
STEPS, TABLES = 50, 12
CHOICES: list[dict[str, Any]] = [
    {},
    {"true_states": True, "final_observations": True},
    {"tokens": True, "max_actions": 5, "true_states": True, "final_observations": True},
    {"actions": "tokens", "returns": "margins"},
]
GAMES: list[tuple[str, int | None, Mapping[str, Any], list[dict[str, Any]]]] = [
    ("kuhn", None, {}, CHOICES),
    ("leduc", None, {}, CHOICES[1:]),
    ("gamon", None, {"coins": 2, "first_attacker": "random"}, CHOICES[1:]),
    ("goofspiel", 3, {"cards": 4}, CHOICES),
    ("hearts", 4, {"hands": 2}, CHOICES[1:3]),
    # Its deck has cards with several backs, so C deals.
    ("gargon", 3, {}, CHOICES[1:3]),
    ("garner", None, {}, CHOICES[2:]),
    # Its chance has weights.
    ("pig", None, {"target": 20}, CHOICES[1:2]),
]
NAMES = [game[0] for game in GAMES]
# Games of which C gives a step back.
REPEATED: list[Kuhn] = [Overflow(), NegativeIndex(), LateOverflow()]


class BothGroups:
    """The same tables in C and in Python."""

    def __init__(self, spec: TableSpec, module: Any, tables: int = TABLES) -> None:
        self.python, self.in_c = (
            arrays_in(bytearray(buffer_size(spec, tables)), spec, tables) for _ in range(2)
        )
        self.oracle = TableGroup(spec, FIRST, self.python)
        group = native_group(spec, FIRST, self.in_c, module)
        assert isinstance(group, NativeGroup)
        self.group = group
        self.ended = 0
        """The number of games that have ended."""

    def reset(self, seed: int, game: int = 0) -> None:
        """Start with the games of a number, and compare all arrays."""
        self.oracle.reset(seed, game)
        self.group.reset(seed, game)
        self.check()

    def step(self, rng: Random, waiting: float = 0.0, *, is_first: bool = False) -> None:
        """Apply random or the first actions at tables that do not wait; compare all arrays."""
        for table, mask in enumerate(self.python.masks):
            legal = np.flatnonzero(mask).tolist()
            chosen = legal[0] if is_first else rng.choice(legal)
            action = WAIT if rng.random() < waiting else chosen
            self.python.actions[table] = self.in_c.actions[table] = action
        self.oracle.step()
        self.group.step()
        self.check()
        self.ended += int(self.python.terminated.sum() + self.python.truncated.sum())

    def check(self) -> None:
        """Compare all arrays byte for byte."""
        for field in fields(BatchArrays):
            expected, array = getattr(self.python, field.name), getattr(self.in_c, field.name)
            assert array.tobytes() == expected.tobytes(), field.name


@pytest.mark.parametrize(("name", "seats", "options", "choices"), GAMES, ids=NAMES)
def test_arrays_of_tables_in_c_have_the_same_bytes(
    name: str, seats: int | None, options: Any, choices: list[dict[str, Any]], built: Built
) -> None:
    game = find_plugins([]).game(name)
    rng = Random(name)
    for chosen in choices:
        both = BothGroups(table_spec(game, seats, options, **chosen), built(game))
        for seed in (3, -(10**20)):
            both.reset(seed)
            for _ in range(STEPS // 2):
                both.step(rng, waiting=0.1)
        assert both.group.in_python is None
        assert both.ended > TABLES or not chosen.get("max_actions")


@pytest.mark.parametrize("name", ["kuhn", "gargon", "pig"])
def test_tables_with_fast_seeding_have_the_same_bytes(name: str, built: Built) -> None:
    # The backs of Gargon's cards differ, so C deals, and Pig has chance.
    game = find_plugins([]).game(name)
    spec = replace(table_spec(game, true_states=True, max_actions=12), seeding=FAST)
    both = BothGroups(spec, built(game))
    rng = Random(name)
    # The games go on behind the last deal of a generator.
    for seed, first in ((3, 0), (-(10**20), DEALS_IN_ROW - 2)):
        both.reset(seed, first)
        for _ in range(STEPS):
            both.step(rng, waiting=0.1)
    assert both.group.in_python is None
    assert both.python.seeds.max() >= DEALS_IN_ROW


def test_python_repeats_the_games_of_a_step_with_fast_seeding(built: Built) -> None:
    game = LateOverflow()
    both = BothGroups(replace(table_spec(game), seeding=FAST), built(game))
    both.reset(1, DEALS_IN_ROW - 1)
    for step in range(12):
        both.step(Random(step), waiting=0.2, is_first=step < 8)
    assert both.group.in_python is not None


def test_a_game_of_any_number_is_the_first_game(built: Built) -> None:
    both = BothGroups(table_spec(Kuhn()), built(Kuhn()))
    for game in (1, 40):
        both.reset(3, game)
        for _ in range(STEPS // 2):
            both.step(Random(game))
    assert both.group.in_python is None


def test_seeds_of_few_digits_deal_the_same_cards(built: Built) -> None:
    # Texts with other lengths than most cannot be hashed to keys of the same length.
    both = BothGroups(table_spec(Kuhn()), built(Kuhn()))
    both.reset(next(seed for seed in count() if 0 < least_seed(seed) < 10**15))
    for _ in range(STEPS):
        both.step(Random(1))
    assert both.group.in_python is None


def least_seed(seed: int) -> int:
    """Return the least seed of the first games at all tables."""
    tables = (Random(f"{seed} table {FIRST + table}") for table in range(TABLES))
    return min(table.getrandbits(63) for table in tables for _ in range(8))


def test_a_deal_of_many_cards_is_the_same(built: Built) -> None:
    game = ManyCards()
    both = BothGroups(table_spec(game, true_states=True), built(game))
    both.reset(1)
    for _ in range(5):
        both.step(Random(2))
    assert both.group.in_python is None


@pytest.mark.parametrize("text", ["", "a", "0 deal", "-17 table 12", "9" * 111])
def test_texts_seed_the_words_of_pythons_generator(text: str, built: Built) -> None:
    assert built(Kuhn()).seeded_words(text) == Random(text).getstate()[1]


def test_a_text_that_is_too_long_for_one_block_is_refused(built: Built) -> None:
    with pytest.raises(ValueError, match="too long"):
        built(Kuhn()).seeded_words("9" * 112)


@pytest.mark.parametrize("game", REPEATED, ids=lambda game: game.name)
def test_python_repeats_the_games_of_a_step_that_is_given_back(game: Kuhn, built: Built) -> None:
    both = BothGroups(table_spec(game, true_states=True, final_observations=True), built(game))
    rng = Random(1)
    for seed in range(3):
        both.reset(seed)
        for step in range(12):
            # In the first steps nobody bets, so that some games have ended before.
            both.step(rng, waiting=0.2, is_first=step < 8)
        assert both.group.in_python is not None


@pytest.mark.parametrize(("seeding", "digits"), [(PLAY, 120), (PLAY, 104), (FAST, 48)])
def test_seeds_that_are_too_long_are_for_python(seeding: str, digits: int, built: Built) -> None:
    both = BothGroups(replace(table_spec(Kuhn()), seeding=seeding), built(Kuhn()))
    both.reset(10 ** (digits - 1))
    assert both.group.in_python is not None
    both.step(Random(1))
    both.reset(1)
    assert both.group.in_python is None


def test_legal_actions_that_depend_on_a_hidden_face_raise_as_in_python(built: Built) -> None:
    game = LegalLeak()
    spec = table_spec(game)
    arrays = arrays_in(bytearray(buffer_size(spec, 2)), spec, 2)
    messages = []
    for group in (TableGroup(spec, 0, arrays), native_group(spec, 0, arrays, built(game))):
        assert group is not None
        with pytest.raises(EpisodeError, match="hidden from this seat") as caught:
            group.reset(1, 0)
        assert isinstance(caught.value.__cause__, HiddenFaceError)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_scores_that_depend_on_a_hidden_face_are_not_encoded(built: Built) -> None:
    game = ScoreLeak()
    both = BothGroups(table_spec(game, true_states=True), built(game))
    both.reset(1)
    rng = Random(1)
    for _ in range(STEPS):
        both.step(rng)
    assert both.group.in_python is None
    layout = both.oracle._layout
    known = layout.part("scores").slots.stop - 1
    assert not both.in_c.observations[:, known].any()
    assert both.in_c.true_states[:, known].all()


def test_an_error_of_a_rule_is_raised_by_python(built: Built) -> None:
    game = Endless()
    spec = table_spec(game)
    arrays = arrays_in(bytearray(buffer_size(spec, 2)), spec, 2)
    group = native_group(spec, 0, arrays, built(game))
    assert group is not None
    with pytest.raises(EpisodeError, match="table 0, game with seed"):
        group.reset(1, 0)


@pytest.mark.parametrize(
    "choices",
    [{"history": 2}, {"recall": "perfect"}, {"rivals": ["random"]}],
    ids=lambda choices: next(iter(choices)),
)
def test_what_c_does_not_encode_stays_in_python(choices: dict[str, Any], built: Built) -> None:
    spec = table_spec("kuhn", **choices)
    arrays = arrays_in(bytearray(buffer_size(spec, 2)), spec, 2)
    assert native_group(spec, 0, arrays, built(Kuhn())) is None


def test_a_deal_that_depends_on_faces_stays_in_python(built: Built) -> None:
    game = DealLeak()
    spec = table_spec(game)
    arrays = arrays_in(bytearray(buffer_size(spec, 2)), spec, 2)
    assert native_group(spec, 0, arrays, built(game)) is None


def test_arrays_of_other_sizes_are_refused(built: Built) -> None:
    spec, module = table_spec(Kuhn()), built(Kuhn())
    arrays = arrays_in(bytearray(buffer_size(spec, 2)), spec, 2)
    for wrong in (arrays.tables(0, 0), replace(arrays, masks=arrays.masks[:1])):
        with pytest.raises(ValueError, match="a row for each table"):
            native_group(spec, 0, wrong, module)


def test_environments_use_rules_in_c_unless_there_are_rivals(
    built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = built(Kuhn())
    place = "cardhub.learning.adapters.vector.native_group.rules_in_c"
    monkeypatch.setattr(place, lambda _kind, _name: module)
    kinds = []
    for spec in (table_spec("kuhn"), table_spec("kuhn", rivals=["random"])):
        arrays = arrays_in(bytearray(buffer_size(spec, 2)), spec, 2)
        kinds.append(type(table_group(spec, 0, arrays)))
    assert kinds == [NativeGroup, TableGroup]
