"""The summary of a round: the cards that it was fought for."""

from cardhub.play.announcing.announcer import past_events
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon


def test_each_round_is_summed_up_with_the_cards_won_and_discarded_in_it() -> None:
    """All viewers read the same: these cards have been turned up."""
    players = [Player(name, "random") for name in ("Anna", "Bob", "Chris")]
    referee = set_up(Gargon(), players, {}, seed=5)
    referee.proceed()
    while not referee.is_over:
        referee.apply(referee.observe(referee.seat).legal()[-1])
    seen = [[e.summary for e in past_events(referee, viewer) if e.summary] for viewer in range(4)]
    assert all(summaries == seen[0] for summaries in seen)
    assert [summary.title for summary in seen[0]] == [
        f"Round {number}" for number in range(1, len(seen[0]) + 1)
    ]
    heading, *first = seen[0][0].rows
    assert heading == ["", "won", "in all", "cards"]
    assert [row[0] for row in first] == ["Anna", "Bob", "Chris", "discarded"]
    assert all(int(row[1]) == int(row[2]) == len(row[3].split()) for row in first)
    # Rounds add up to the cards won in the whole game.
    state = referee.observe(3).state
    piles = [*state.won, state.discard]
    for number, pile in enumerate(piles, 1):
        cards = [card for summary in seen[0] for card in summary.rows[number][3].split()]
        assert cards == [referee.observe(3).labels().card(token) for token in pile]
