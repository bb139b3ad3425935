"""The battle phase."""

from .positions import Position, set_up


def fight(*sets: str, zero_tie_draw: bool = False) -> Position:
    """Return the position after the players have laid these sets in turn; "" is a pass."""
    hands = {seat: f"{cards} G{seat + 1}" for seat, cards in enumerate(sets)}
    at = set_up(hands, seats=len(sets), options={"zero_tie_draw": zero_tie_draw})
    for cards in sets:
        if not cards:
            at.act("pass 1+0")
            continue
        leads = at.state.seat == at.state.leader
        at.act(*(f"lay {card}" for card in cards.split()))
        if leads and at.state.seat == at.state.leader:
            at.act("done")
    return at


def test_alone_in_a_colour_wins_all_its_cards() -> None:
    """Case A: only one player has cards of that colour."""
    at = fight("W1 W2", "B3 B4", "B5 B6").act("fight white")
    assert at.cards(at.state.won[0]) == "W1 W2"
    assert not at.state.discard


def test_the_highest_wins_and_the_others_are_discarded() -> None:
    """The highest wins that card for its owner; the other cards in the battle are discarded."""
    at = fight("W1", "W9", "W5").act("fight white")
    assert at.cards(at.state.won[1]) == "W9"
    assert at.cards(at.state.discard) == "W1 W5"


def test_each_battle_is_shown_with_its_cards_before_they_are_taken_away() -> None:
    at = fight("W1 W9", "W8 W3", "").act("fight white")
    (beat,) = at.beats
    assert at.cards(beat.cards) == "W9 W8"
    assert (beat.by, beat.text) == (0, "{player} wins the battle of {cards}")
    assert [at.cards(laid) for laid in beat.state.laid] == ["W1 W9", "W8 W3", ""]
    at.act("take left")
    assert [at.cards(beat.cards) for beat in at.beats] == ["W1 W3"]


def test_the_log_names_the_cards_turned_up_won_and_discarded() -> None:
    names = ["Anna", "Bob", "Chris"]
    at = fight("W1 B1", "W9 V1", "W5 B2")
    assert at.log_lines(3, names) == [
        "Anna shows W1 and B1",
        "Bob shows W9 and V1",
        "Chris shows W5 and B2",
    ]
    at.act("fight white")
    assert at.log_lines(3, names) == ["Bob wins W9", "W1 and W5 are discarded"]
    at.act("take left", "take left", "fight blue")
    assert at.log_lines(3, names) == ["Chris wins B2", "B1 is discarded"]
    at.act("take left", "fight violet")
    assert at.log_lines(3, names) == ["Bob wins V1"], "it is alone in its colour"
    tied = fight("W0", "W0", "").act("fight white")
    assert tied.log_lines(3, names) == ["W0 and W0 are equal, so both are discarded"]


def test_two_zeros_are_shown_before_they_are_discarded() -> None:
    at = fight("W0", "W0", "").act("fight white")
    (beat,) = at.beats
    assert (at.cards(beat.cards), beat.by) == ("W0 W0", None)


def test_losers_draw_clockwise_from_the_starting_player() -> None:
    """Each loser must draw one card immediately, clockwise from the starting player."""
    at = fight("W1", "W9", "W5").act("fight white")
    assert (at.state.seat, at.state.drawers) == (0, [0, 2])
    assert at.legal() == {"take left", "take right"}
    assert at.act("take left").state.seat == 2
    at.act("take right")
    assert at.state.leader == 1, "the round is over"
    assert [len(hand) for hand in at.state.hand] == [2, 1, 2]


def test_only_the_strongest_of_two_cards_fights_first() -> None:
    """A player with two cards of the colour puts in the strongest; a second battle follows."""
    at = fight("W1 W9", "W8 W3", "").act("fight white")
    assert at.cards(at.state.won[0]) == "W9"
    assert at.cards(at.state.discard) == "W8"
    at.act("take left")
    assert at.cards(at.state.won[1]) == "W3", "second battle: W3 beats W1"
    assert at.cards(at.state.discard) == "W8 W1"
    assert at.state.drawers == [0]


def test_the_last_one_with_the_colour_wins_the_rest() -> None:
    """Case C: after the first battle only one player has the colour."""
    at = fight("W9 W1 B1", "W8 V2 V3", "V5 V6 B7")
    at.act("fight white", "take left")
    assert at.cards(at.state.won[0]) == "W9 W1"


def test_a_zero_wins_only_when_alone() -> None:
    """Zeros win only through A or C; one that meets a higher card is an ordinary loss."""
    at = fight("W0", "B0", "W3").act("fight white")
    assert at.cards(at.state.won[2]) == "W3"
    assert at.state.drawers == [0], "gargon R5: the owner of the losing zero draws"
    at.act("take left", "fight blue")
    assert at.cards(at.state.won[1]) == "B0"


def test_two_zeros_are_both_discarded() -> None:
    """Gargon R5: two zeros as the only cards of a battle are discarded without a draw."""
    at = fight("W0 V1", "W0 B1", "").act("fight white")
    assert at.cards(at.state.discard) == "W0 W0"
    assert not any(at.state.won)
    assert at.legal() == {"fight violet"}, "nobody draws; the battles go on"


def test_with_zero_tie_draw_both_owners_draw() -> None:
    """Gargon R5: `zero_tie_draw: true` makes both draw."""
    at = fight("W0", "W0", "", zero_tie_draw=True).act("fight white")
    assert at.state.drawers == [0, 1]


def test_two_zeros_under_a_higher_card_are_ordinary_losses() -> None:
    """Gargon R5: a zero that loses to a higher card is an ordinary loss."""
    at = fight("W0", "W0", "W1").act("fight white")
    assert at.cards(at.state.won[2]) == "W1"
    assert at.state.drawers == [0, 1]


def test_the_starting_player_picks_colours_until_none_is_left() -> None:
    """The starting player picks while they have laid cards, then the next seat clockwise."""
    at = fight("W1 B1", "V1 R1", "W2 B2")
    at.act("fight blue", "take left")
    assert at.legal() == {"fight white"}
    at.act("fight white", "take left")
    assert at.state.seat == 1
    assert at.legal() == {"fight violet", "fight red"}


def test_losers_do_not_draw_from_empty_stacks() -> None:
    """Gargon R6: if both stacks are empty, losers do not draw, not even later."""
    at = set_up({0: "W1 G1", 1: "W9 G2", 2: "W5 G3"}, ("V1", ""), seats=3, only_named=True)
    at.act("lay W1", "done", "lay W9", "lay W5", "fight white")
    assert at.legal() == {"take left"}, "gargon R7: draws come from the other stack"
    at.act("take left")
    assert at.cards(at.state.hand[0]) == "G1 V1"
    assert at.cards(at.state.hand[2]) == "G3"


def test_laid_cards_are_turned_up_for_all_seats() -> None:
    """All laid cards are turned up; gargon R8: all seats have seen every value ever turned up."""
    at = fight("W1", "W9", "W5")
    everybody = at.state.everybody
    assert all(at.state.seen[token] == everybody for laid in at.state.laid for token in laid)
    at.act("fight white")
    assert at.state.seen[at.state.won[1][0]] == everybody
