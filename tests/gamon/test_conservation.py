"""No sequence of actions loses a coin or a card."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.kit.soaking import count_examples

from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import pass_chance
from cardhub.model.table.settings import Value
from cardhub.model.table.state import OVER
from cardhub_gamon import Gamon
from cardhub_gamon.table import CARDS, Table

GAME = Gamon()
# Parts that can run side by side, and the games of each.
CHUNKS, GAMES = 2, count_examples(60)

OPTIONS = st.fixed_dictionaries(
    {
        "coins": st.integers(1, 99),
        "first_attacker": st.sampled_from(["navy", "pirate", "random"]),
        "gamon_counts_as_battle": st.booleans(),
        "high_officer_counts_itself": st.booleans(),
    }
)
CHOICES = st.binary(max_size=60)


def check(state: Table, coins: int) -> None:
    """Assert that all coins and cards are there."""
    assert min(state.pile, state.prize, *state.purse) >= 0
    assert state.pile + state.prize + sum(state.purse) == coins
    zones = (state.deck, state.hand, state.placed, state.played, state.discard)
    for seat in range(2):
        tokens = sorted(token for zone in zones for token in zone[seat])
        assert tokens == list(range(29 * seat, 29 * seat + 29))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_coins_and_cards_are_conserved(chunk: int) -> None:
    played = []

    @settings(
        max_examples=GAMES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(OPTIONS, st.integers(chunk << 20, (chunk + 1 << 20) - 1), CHOICES)
    def play(options: dict[str, Value], seed: int, choices: bytes) -> None:
        agreed = resolve_options(GAME, options, 2)
        rng = Random(seed)
        state = initial_state(GAME, agreed, 2, shuffled_pack(GAME, agreed, 2, rng))
        pass_chance(GAME, state, rng)
        coins, driven = agreed.number("coins"), iter(choices)
        while state.seat != OVER:
            legal = GAME.legal(state)
            GAME.apply(state, legal[next(driven, rng.randrange(256)) % len(legal)])
            check(state, coins)
        played.append(seed)
        assert state.prize == 0

    play()
    assert len(played) >= GAMES


def test_the_decks_are_the_decks_of_the_rulebook() -> None:
    """Each has 29 cards: thirteen kinds in 3, 3, 3, 3, 2, 4, 3, 3, 1, 1, 1, 1, 1 copies."""
    for deck in range(2):
        cards = [card for card in CARDS.faces if card.deck == deck]
        assert sorted(card.copies for card in cards) == [1] * 5 + [2] + [3] * 6 + [4]
        assert sum(card.copies for card in cards) == 29
        assert all(card.text or card.fields["base"] for card in cards)
