"""Fair shares of a pool: which network's question is next, and how long its bot may think."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# The largest number of people that counts for the share of a network, because one person can
# connect several times.
MOST_PEOPLE = 4
# Seconds that a question counts until its answer shows how long it took.
ESTIMATE = 0.1
# The maximum number of networks with an account.
MOST_ACCOUNTS = 1000


@dataclass(eq=False, slots=True)
class TableShare:
    """A table's claim to a pool: the network of its maker, and the number of people present.

    All tables with an empty network share one account.
    """

    network: str = ""
    people: int = 1


def weights_of(shares: Iterable[TableShare], most: int = MOST_PEOPLE) -> dict[str, int]:
    """Return the weight of each network: the people present at its tables, from 1 to `most`."""
    people = Counter[str]()
    for share in shares:
        people[share.network] += max(share.people, 1)
    return {network: min(number, most) for network, number in people.items()}


def crowds_of(shares: Sequence[TableShare], most: int = MOST_PEOPLE) -> dict[str, float]:
    """Return by network the number of questions that would leave it as much time if all were equal.

    `shares`: for each question the claim of its table. A network with half of all weights and two
    questions has as much time for each of them as somebody with one of four questions.
    """
    weights, questions = weights_of(shares, most), Counter(share.network for share in shares)
    total = sum(weights.values())
    return {network: questions[network] * total / weights[network] for network in weights}


class FairShares:
    """Accounts of the workers' seconds by network, for start-time fair queueing.

    The question of the network that has used the fewest seconds for its weight is next. A network
    without questions saves nothing up: it continues from the account of whoever was asked last.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._now = 0.0

    def account(self, network: str) -> float:
        """Return the seconds that a network has used for its weight; the smallest is next."""
        return max(self._used.get(network, 0.0), self._now)

    def begin(self, network: str, weight: int) -> None:
        """Count the estimated seconds of a question that is asked now."""
        self._now = self.account(network)
        if len(self._used) >= MOST_ACCOUNTS:
            # The largest accounts remain, because their networks would gain most by a new one.
            largest = sorted(self._used.items(), key=lambda item: item[1])[MOST_ACCOUNTS // 2 :]
            self._used = dict(largest)
        self._used[network] = self._now + ESTIMATE / weight

    def end(self, network: str, weight: int, seconds: float) -> None:
        """Replace the estimate of a question by the seconds that its answer has taken."""
        if network in self._used:
            self._used[network] += (seconds - ESTIMATE) / weight
