"""The summary of a round of Gargon with its cards, and the scores by colour."""

from tests.gargon.positions import set_up

from cardhub.play.announcing.announcer import past_events
from cardhub.play.seating import Player
from cardhub.play.setup import set_up as open_table
from cardhub_gargon import Gargon


def test_each_round_is_summed_up_with_the_cards_won_and_discarded_in_it() -> None:
    """All viewers read the same: these cards have been turned up."""
    players = [Player(name, "random") for name in ("Anna", "Bob", "Chris")]
    referee = open_table(Gargon(), players, {}, seed=5)
    referee.proceed()
    while not referee.is_over:
        referee.apply(referee.observe(referee.seat).legal()[-1])
    seen = [[e.summary for e in past_events(referee, viewer) if e.summary] for viewer in range(4)]
    assert all(summaries == seen[0] for summaries in seen)
    assert [summary.title for summary in seen[0]] == [
        f"Round {number}" for number in range(1, len(seen[0]) + 1)
    ]
    heading, *first = seen[0][0].rows
    assert heading == ("", "won", "total", "cards")
    assert [row[0] for row in first] == ["Anna", "Bob", "Chris", "discarded"]
    assert all(int(row[1]) == int(row[2]) == len(row[3].split()) for row in first)
    # Rounds add up to the cards won in the whole game.
    state = referee.observe(3).state
    piles = [*state.won, state.discard]
    for number, pile in enumerate(piles, 1):
        cards = [card for summary in seen[0] for card in summary.rows[number][3].split()]
        assert cards == [referee.observe(3).labels().card(token) for token in pile]


def test_the_golden_scoring_example_by_colour() -> None:
    """The example of the rulebook: amulets, the factor of zeros, and the bonus."""
    at = set_up(
        {},
        won={
            0: "W1 W10 G13 G7 V13 V0 V5 Y2 Y6",
            1: "W5 W0 Y1 Y8 Y0",
            2: "B15 B3 B2 B0 W6 W11 R10 R8 R7 R2",
            3: "R6 R0 R0 Y13 Y15 B13 B12 B10",
        },
    )
    [section] = Gargon().display.breakdown(at.observe(4).state)
    rows = {row.label: row for row in section.rows}
    assert list(rows) == ["Dragon", "Pegasus", "Gargoyle", "Phoenix", "Manticore", "Fairy"]
    assert list(rows["Phoenix"].points) == [0, 0, 20, 12]
    assert list(rows["Phoenix"].notes) == ["", "", "10● +10", "3●×4"]
    assert list(rows["Manticore"].points) == [8, 24, 0, 0]
    assert list(rows["Manticore"].notes) == ["8●", "7●×2 +10", "", ""]
    totals = [sum(row.points[seat] for row in section.rows) for seat in range(4)]
    assert totals == Gargon().scores(at.state) == [47, 35, 59, 14]


def test_a_tie_for_most_cards_shares_the_bonus() -> None:
    """Both players get five; the zeros count as cards, though they have no amulets."""
    at = set_up({}, won={0: "W0", 1: "W13"})
    [section] = Gargon().display.breakdown(at.observe(4).state)
    assert list(section.rows[0].points) == [5, 5, 0, 0]
    assert list(section.rows[0].notes) == ["+5", "+5", "", ""]
