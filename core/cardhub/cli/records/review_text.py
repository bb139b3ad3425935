"""A bot's review of a recorded game, as strings and as JSON values."""

from collections.abc import Iterator, Sequence
from typing import Any

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.advice import RatedAction
from cardhub.play.review import DecisionReview, Reviewer
from cardhub.play.seating import Player
from cardhub.view.text.glyphs import cells, pad


def seats_to_analyse(players: Sequence[Player], viewer: int) -> list[int]:
    """Return the seats whose decisions a viewer may see with all information they had."""
    seats = range(len(players))
    return [seat for seat in seats if viewer in (EVERYTHING, seat)]


def omission_note(players: Sequence[Player], viewer: int) -> str:
    """Return a string on the decisions that are not analysed, empty if all are."""
    if viewer == EVERYTHING:
        return ""
    if viewer >= len(players):
        return "No decision is analysed: a spectator does not see what players decide on."
    name = players[viewer].name
    return f"Only {name}'s decisions are analysed: {name} does not see what others decide on."


def review_line(bot: str, review: DecisionReview) -> str:
    """Return a string on whether a bot agrees with a decision, with its ratings."""
    best, taken = review.texts[0], review.on_taken
    name = review.choices[review.taken]
    if review.agrees:
        return f"{bot}: {name}, too{_rating(best)}"
    rating = _rating(taken) if taken else ""
    return f"{bot}: {review.choices[review.rated[0].action]}{_rating(best)}, not {name}{rating}"


def agreement_lines(players: Sequence[Player], bot: str, reviewer: Reviewer) -> Iterator[str]:
    """Yield a heading, then a string for each player on how often the bot agrees."""
    names = {seat: str(players[seat]) for seat in reviewer.seats}
    width = max(map(cells, names.values()), default=0)
    yield f"Agreement with {bot}:"
    for seat, name in names.items():
        total, agreed = reviewer.decisions[seat], reviewer.agreed[seat]
        # A seat without decisions has no percentage.
        share = f", {100 * agreed / total:.0f} %" if total else ""
        yield f"  {pad(name, width)}  {agreed} of {total} decisions{share}"


def review_facts(review: DecisionReview | None) -> dict[str, Any] | None:
    """Return a review as a dict; visits and values are None if the bot does not rate actions."""
    if review is None:
        return None
    pairs = zip(review.rated, review.texts, strict=True)
    return {
        "taken": review.name,
        "agrees": review.agrees,
        "actions": [
            {
                "action": text.name,
                "visits": rated.visits if text.value_text else None,
                "value": rated.value if text.value_text else None,
            }
            for rated, text in pairs
        ],
    }


def agreement_facts(players: Sequence[Player], bot: str, reviewer: Reviewer) -> dict[str, Any]:
    """Return how often the bot agrees with each player, as a dict of JSON values."""
    return {
        "bot": bot,
        "players": [
            {
                "name": players[seat].name,
                "decisions": reviewer.decisions[seat],
                "agreed": reviewer.agreed[seat],
            }
            for seat in reviewer.seats
        ],
    }


def _rating(text: RatedAction) -> str:
    return f" ({text.value_text}, {text.tries})" if text.value_text else ""
