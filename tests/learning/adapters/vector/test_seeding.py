"""Fast seeding: the deals of a table are uniform, fixed for all time, and can be dealt again."""

from collections import Counter, defaultdict
from collections.abc import Callable
from math import factorial

import numpy as np
import pytest
from scipy.stats import chi2
from tests.learning.adapters.vector.failing_tables import failing_tables
from tests.learning.adapters.vector.test_vector_env import kept, kept_over

from cardhub import gymnasium
from cardhub.base.errors import EpisodeError, OptionError
from cardhub.learning.adapters.vector import VectorEnv, vector_env
from cardhub.learning.adapters.vector.factory import tables_of
from cardhub.learning.adapters.vector.seeding import DEALS_IN_ROW, FastDeals
from cardhub.learning.arrays import Layout
from kuhn import Kuhn
from kuhn.game import BET, CALL
from leduc import Leduc

KUHN, LEDUC = Layout(Kuhn()), Layout(Leduc())


def deals(layout: Layout, table: int, games: int, first: int = 0) -> list[tuple[int, ...]]:
    """Return the faces of games in a row at a table of the environment with the seed 7."""
    stream = FastDeals(layout, 7, table)
    stream.skip(first)
    return [tuple(stream.draw().faces or ()) for _ in range(games)]


def is_uniform(counts: Counter[object], values: int) -> bool:
    """Return whether counts of equally likely values differ as much as chance lets them."""
    expected = counts.total() / values
    squares = sum((count - expected) ** 2 for count in counts.values())
    squares += (values - len(counts)) * expected**2
    return bool(0.001 < chi2.cdf(squares / expected, values - 1) < 0.999)


@pytest.mark.parametrize("layout", [KUHN, LEDUC], ids=["kuhn", "leduc"])
@pytest.mark.parametrize(("tables", "games"), [(8, 1_000), (2_000, 1), (2, 4_000)])
def test_all_orders_of_the_cards_are_equally_likely(
    layout: Layout, tables: int, games: int
) -> None:
    counts: Counter[object] = Counter(
        faces for table in range(tables) for faces in deals(layout, table, games)
    )
    assert is_uniform(counts, factorial(len(layout.game.cards.faces)))


@pytest.mark.parametrize("distance", [1, 2, DEALS_IN_ROW])
def test_games_of_a_table_do_not_depend_on_each_other(distance: int) -> None:
    counts: Counter[object] = Counter()
    for table in range(10):
        games = deals(KUHN, table, 3 * DEALS_IN_ROW)
        counts.update(zip(games, games[distance:], strict=False))
    assert is_uniform(counts, 36)


def test_tables_with_the_same_seed_do_not_depend_on_each_other() -> None:
    counts: Counter[object] = Counter()
    for table in range(10):
        counts.update(zip(deals(KUHN, table, 400), deals(KUHN, table + 1, 400), strict=True))
    assert is_uniform(counts, 36)


def test_the_deals_of_a_seed_stay_as_they_are() -> None:
    """Experiments of others rely on them."""
    kuhn = [(2, 1, 0), (2, 0, 1), (0, 2, 1), (0, 1, 2), (0, 1, 2), (1, 2, 0)]
    assert deals(KUHN, 3, 6) == kuhn
    assert deals(LEDUC, 3, 2, DEALS_IN_ROW) == [(0, 4, 5, 1, 3, 2), (4, 0, 5, 2, 1, 3)]


@pytest.mark.parametrize("first", [1, DEALS_IN_ROW - 1, DEALS_IN_ROW, 3 * DEALS_IN_ROW + 5])
def test_a_game_of_any_number_can_be_dealt_again(first: int) -> None:
    assert deals(LEDUC, 1, first + 3)[first:] == deals(LEDUC, 1, 3, first)


@pytest.mark.parametrize("seeding", ["play", "fast"])
def test_a_game_is_repeated_with_its_number(seeding: str) -> None:
    """Cards, chance, the learner's seat and the bots' choices stay the same."""
    env = vector_env("pig", 2, rivals=["random"], options={"target": 20}, seeding=seeding)
    arrays, games = env.reset(7), np.zeros(2, int)
    rows = defaultdict[tuple[int, int], list[bytes]](list)
    for _ in range(60):
        for table in range(2):
            rows[table, int(games[table])].append(row_of(env, table))
        env.step(arrays.masks.argmax(axis=1))
        games += arrays.terminated
    assert games.min() >= 3
    env.reset(7, game=2)
    for step, row in enumerate(rows[0, 2]):
        assert row_of(env, 0) == row, step
        env.step(arrays.masks.argmax(axis=1))


def row_of(env: VectorEnv, table: int) -> bytes:
    """Return the observation, mask, seat and seed of a table."""
    arrays = env.arrays
    names = "observations", "masks", "seats", "seeds"
    return b"".join(getattr(arrays, name)[table].tobytes() for name in names)


def test_seeds_are_numbers_of_games_and_deals_do_not_depend_on_actions() -> None:
    shown: list[list[bytes]] = []
    for answer in (CALL, BET):
        env = vector_env(Kuhn(), 1, seeding="fast", true_states=True)
        arrays = env.reset(3)
        deals_shown = [arrays.true_states.tobytes()]
        while len(deals_shown) < 10:
            legal = np.flatnonzero(arrays.masks[0]).tolist()
            env.step([answer if answer in legal else legal[0]])
            if arrays.terminated[0]:
                assert arrays.seeds.tolist() == [len(deals_shown)]
                deals_shown.append(arrays.true_states.tobytes())
        shown.append(deals_shown)
    assert shown[0] == shown[1]
    assert len(set(shown[0])) > 3


def test_a_reset_without_a_seed_says_its_seed() -> None:
    env = vector_env("leduc", 3, seeding="fast")
    assert env.seed is None
    first = kept(env.reset())
    assert env.seed is not None
    assert kept_over(env, 5, env.seed)[0] == first
    assert kept(env.reset(env.seed + 1)) != first


def test_an_environment_of_gymnasium_has_fast_seeding() -> None:
    env = gymnasium.vector_env("leduc", 2, rivals=["random"], seeding="fast")
    _, infos = env.reset(seed=1)
    assert infos["seed"].tolist() == [0, 0]
    env.step(infos["action_mask"].argmax(axis=1))


def test_a_game_whose_rules_raise_is_named() -> None:
    env = tables_of(failing_tables(), 2, 0, "fast")
    with pytest.raises(EpisodeError, match=r"^seed 5, table \d, game 0: Zero"):
        kept_over(env, 10, seed=5)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: vector_env("kuhn", 1, seeding="fsat"), OptionError, "play or fast"),
        (lambda: vector_env("kuhn", 1).reset(1, game=-1), ValueError, "numbered from 0"),
    ],
    ids=["seeding", "game"],
)
def test_invalid_arguments_are_refused(
    make: Callable[[], object], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        make()
