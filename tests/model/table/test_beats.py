"""Pauses of the rules, and the beats that the referee of a watched table collects."""

from cardhub import Settings, State, shared
from cardhub.model.table.beats import Beat, CardThen, LogSentence, apply_watched


class Table(State):
    """One open pile."""

    pile = shared(faces="all")
    stack = shared(faces="nobody")


class Rules:
    """Puts a card on the pile, shows it, and sweeps the pile."""

    def apply(self, state: Table, action: int) -> None:
        """Pause while the card lies there; a copy for a look ahead pauses as well."""
        state.put(action, state.pile)
        state.pause("{player} plays {cards}", state.pile, 1)
        state.clone().pause("nobody sees this")
        state.pile.clear()
        state.put(action, state.stack)


def position() -> Table:
    """Return a state with three tokens."""
    state = Table(2, [0, 1, 2], (0, 0, 0), Settings({}))
    state.put_all([0, 1, 2], state.stack)
    return state


def test_a_beat_is_a_copy_of_the_state_in_the_middle_of_the_action() -> None:
    state = position()
    state.stack.remove(2)
    (beat,) = apply_watched(Rules(), state, 2).beats
    assert (beat.state.pile, beat.cards, beat.by) == ([2], (2,), 1)
    assert (state.pile, state.stack) == ([], [0, 1, 2])


def test_nobody_listens_unless_the_action_is_applied_for_viewers() -> None:
    state, other = position(), position()
    state.stack.remove(1)
    other.stack.remove(1)
    Rules().apply(state, 1)
    assert apply_watched(Rules(), other, 1).beats
    assert state == other


class Speaker:
    """Logs a card before and after all see it."""

    def apply(self, state: Table, action: int) -> None:
        """Turn a card up."""
        state.log("{player} looks for {cards}", 1, (action,))
        state.put(action, state.pile)
        state.log("{other} gives {cards} for {coins:coin}", cards=(action,), other=0, coins=2)


def test_a_sentence_is_data_about_cards_as_they_were_known_then() -> None:
    state = position()
    state.stack.remove(2)
    before, after = apply_watched(Speaker(), state, 2).sentences
    assert [card.seen for card in before.cards] == [0]
    assert [card.seen for card in after.cards] == [state.everybody]
    names = ("Anna", "Bob").__getitem__
    assert before.filled(names, "a card") == "Bob looks for a card"
    assert after.filled(names, "R14") == "Anna gives R14 for 2 coins"


class Judge:
    """Pauses with a sentence of the log."""

    def apply(self, state: Table, action: int) -> None:
        """Turn a card up and say what it costs its owner."""
        state.put(action, state.pile)
        text = "{player} takes {coins:coin} from {other} for {cards}"
        state.log(text, 0, (action,), other=1, has_pause=True, coins=0)


def test_a_sentence_of_the_log_can_be_shown_at_a_pause() -> None:
    state = position()
    state.stack.remove(2)
    moments = apply_watched(Judge(), state, 2)
    names = ("Anna", "Bob").__getitem__
    (beat,), (sentence,) = moments
    expected = "Anna takes no coins from Bob for R14"
    assert beat.sentence(names, "R14") == sentence.filled(names, "R14") == expected


def test_a_private_sentence_is_for_viewers_who_know_all_of_its_cards() -> None:
    cards = (CardThen(3, 0, 0b01), CardThen(4, 0, 0b11))
    sentence = LogSentence("{cards}", None, None, cards, is_private=True, values={})
    assert sentence.is_for(lambda card: bool(card.seen & 1))
    assert not sentence.is_for(lambda card: bool(card.seen & 2))


def test_names_without_a_value_stay_as_they_are() -> None:
    text = "{player} {thing} {n}"
    sentence = LogSentence(text, None, None, (), is_private=False, values={"n": 3})
    assert sentence.filled(str, "") == "{player} {thing} 3"


def test_names_that_look_like_placeholders_stay_as_they_are() -> None:
    beat = Beat(position(), "{player} plays {cards}, {thing}", (), 0)
    assert beat.sentence(lambda seat: "{cards}", "R14") == "{cards} plays R14, {thing}"


def test_a_beat_lasts_longer_for_more_words_and_for_a_slower_table() -> None:
    short, long = (Beat(position(), text, (), None) for text in ("look", "look at this, all of it"))
    assert 0.8 < short.seconds(0.6) < long.seconds(0.6)
    assert long.seconds(1.2) == 2 * long.seconds(0.6)
    assert long.seconds(0) == 0
