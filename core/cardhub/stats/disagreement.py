"""Where the views over several games contradict one another, in words."""

from collections.abc import Sequence
from itertools import combinations

from cardhub.stats.overall import Overall, View
from cardhub.stats.ranks import Ranks


def disagreements(result: Overall, names: Sequence[str]) -> list[str]:
    """Return one sentence for each pair that the views order differently; `names` by bot index."""
    found = []
    by_mean = sorted(range(len(result.bots)), key=lambda n: result.views[0].ranks[n].rank)
    for one, other in combinations(by_mean, 2):
        above = [view for view in result.views if _is_above(view, one, other)]
        below = [view for view in result.views if _is_above(view, other, one)]
        if above and below:
            pair = names[result.bots[one]], names[result.bots[other]]
            found.append(_sentence(pair, above, below, _is_settled(above + below, one, other)))
    return found


def _is_above(view: View, one: int, other: int) -> bool:
    return view.ranks[one].rank < view.ranks[other].rank


def _is_settled(views: Sequence[View], one: int, other: int) -> bool:
    """Whether some view tells the two apart with certainty."""
    return any(_are_apart(view.ranks[one], view.ranks[other]) for view in views)


def _are_apart(one: Ranks, other: Ranks) -> bool:
    return one.worst < other.best or other.worst < one.best


def _sentence(
    pair: tuple[str, str], above: Sequence[View], below: Sequence[View], is_settled: bool
) -> str:
    """Return who is above whom by which views, and whether it may be chance."""
    ups, downs = (_listed([view.name for view in views]) for views in (above, below))
    chance = "" if is_settled else "; their rank ranges overlap everywhere, so it may be chance"
    return f"{pair[0]} is above {pair[1]} by {ups}, but below by {downs}{chance}."


def _listed(words: Sequence[str]) -> str:
    """Return words as a list with an `and`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
