"""The slots of a layout that a network sees in training."""

from collections.abc import Iterator

from cardhub.learning.arrays.feature_spec import Indices, indices
from cardhub.learning.arrays.layout import Layout
from cardhub.model.table.ranges import Numbers
from cardhub.model.table.state import State

# The end of the name of a part that repeats the numbers of a field, one-hot.
ONE_HOT = "_one_hot"


def learner_slots(layout: Layout) -> Indices:
    """Return the slots of the fields that the game declares in `learner_fields`, and of the cards.

    Layouts and their fingerprints keep every slot: the selection belongs to the trained network.
    """
    state_type, declared = layout.game.state_type, layout.game.learner_fields
    hidden = {*_fields_by_token(state_type)}
    if declared is not None:
        hidden = {*state_type._declaration.added} - {*declared}
    return indices(
        [
            slot
            for part in layout.parts
            if part.name.removesuffix(ONE_HOT) not in hidden
            for slot in range(part.slots.start, part.slots.stop)
        ]
    )


def _fields_by_token(state_type: type[State]) -> Iterator[str]:
    """Yield the names of the fields with a number for each token."""
    yield from state_type.token_fields
    for name, numbers in state_type._declaration.numbers.items():
        if isinstance(numbers, Numbers) and "tokens" in (numbers.count, numbers.most):
            yield name
