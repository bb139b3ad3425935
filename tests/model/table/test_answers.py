"""Answers to questions about hidden cards."""

from cardhub.model.table.state import State


def state(*recorded: bool) -> State:
    """Return a state for which some answers are given beforehand."""
    made = State(2, [], [], {})  # type: ignore[arg-type]  # no settings are read
    made.recorded_answers = recorded
    return made


def test_an_answer_is_kept_for_all_to_know() -> None:
    """A player's answer about hidden cards is public."""
    made = state()
    assert made.answer(lambda: True)
    assert not made.answer(lambda: False)
    assert made.answers == (True, False)
    assert made.clone().answers == (True, False)


def test_an_answer_given_beforehand_needs_no_faces() -> None:
    """A record redacted for one seat holds answers where it lacks faces."""

    def fail() -> bool:
        raise AssertionError("nobody can know")

    made = state(True)
    assert made.answer(fail)
    assert not made.answer(lambda: False), "the next answer was not given"
