"""Best responses in the sequence form, and how much they win: exploitability."""

from collections.abc import Sequence
from typing import NamedTuple

from cardhub.bots.solving.sequence_form import Floats, SequenceForm


class Exploit(NamedTuple):
    """The gain of a best response of each seat against a strategy for each seat.

    `values` are the expected utilities of the strategies, `responses` those of best responses.
    """

    values: tuple[float, ...]
    responses: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """The mean gain over seats; half of NashConv in a game of two seats."""
        gains = sum(self.responses) - sum(self.values)
        return gains / len(self.values)


def best_responses(form: SequenceForm, strategies: Sequence[Floats]) -> list[Floats]:
    """Return a pure best response of each seat to the others' strategies."""
    return [_response(form, seat, strategies) for seat in range(len(strategies))]


def exploit(
    form: SequenceForm, strategies: Sequence[Floats], responses: Sequence[Floats] | None = None
) -> Exploit:
    """Return what responses gain against strategies; without `responses`, the best ones."""
    found = best_responses(form, strategies) if responses is None else responses
    values = []
    for seat, response in enumerate(found):
        profile = [*strategies[:seat], response, *strategies[seat + 1 :]]
        values.append(float(form.values(profile)[seat]))
    return Exploit(tuple(form.values(strategies).tolist()), tuple(values))


def _response(form: SequenceForm, seat: int, strategies: Sequence[Floats]) -> Floats:
    pairs = zip(form.treeplexes, strategies, strict=True)
    reaches = [plex.realization(strategy) for plex, strategy in pairs]
    return form.treeplexes[seat].maximize(form.end_values(seat, reaches))
