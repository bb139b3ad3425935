"""Verdicts of a bot on a recorded game, for people and for programs."""

from collections.abc import Iterator
from typing import Any

from cardhub.hidden.observation import EVERYTHING
from cardhub.play.advice import Told
from cardhub.play.referee import Referee
from cardhub.play.review import DecisionReview, Reviewer
from cardhub.text.glyphs import cells, pad


def seats_to_analyse(referee: Referee[Any], viewer: int) -> list[int]:
    """Return the seats whose decisions can be shown to a viewer with all they were based on."""
    seats = range(len(referee.players))
    return [seat for seat in seats if viewer in (EVERYTHING, seat)]


def note_on(referee: Referee[Any], viewer: int) -> str:
    """Return which decisions are left out, or nothing."""
    if viewer == EVERYTHING:
        return ""
    if viewer >= len(referee.players):
        return "No decision is analysed: a spectator does not see what players decide on."
    name = referee.players[viewer].name
    return f"Only {name}'s decisions are analysed: {name} does not see what others decide on."


def in_words(bot: str, verdict: DecisionReview) -> str:
    """Return a verdict in a line: whether the bot would have done the same, and why."""
    best, taken = verdict.told[0], verdict.on_taken
    if verdict.agrees:
        return f"{bot}: {verdict.name}, too{_numbers(best)}"
    doubt = f", not {verdict.name}{_numbers(taken)}" if taken else f", not {verdict.name}"
    return f"{bot}: {best.name}{_numbers(best)}{doubt}"


def agreement(referee: Referee[Any], bot: str, analyst: Reviewer) -> Iterator[str]:
    """Yield how often each player did what the bot would have done."""
    names = {seat: str(referee.players[seat]) for seat in analyst.seats}
    width = max(map(cells, names.values()), default=0)
    yield f"What {bot} would have done:"
    for seat, name in names.items():
        total, same = analyst.decisions[seat], analyst.agreed[seat]
        share = f", {100 * same / total:.0f} %" if total else ""
        yield f"  {pad(name, width)}  {same} of {total} decisions{share}"


def verdict_facts(verdict: DecisionReview | None) -> dict[str, Any] | None:
    """Return a verdict for programs; a bot that rates nothing leaves visits and values null."""
    if verdict is None:
        return None
    pairs = zip(verdict.rated, verdict.told, strict=True)
    return {
        "taken": verdict.name,
        "agrees": verdict.agrees,
        "actions": [
            {
                "action": told.name,
                "visits": rated.visits if told.worth else None,
                "value": rated.value if told.worth else None,
            }
            for rated, told in pairs
        ],
    }


def analysis_facts(referee: Referee[Any], bot: str, analyst: Reviewer) -> dict[str, Any]:
    """Return by player how often the bot agrees, for programs."""
    return {
        "bot": bot,
        "players": [
            {
                "name": referee.players[seat].name,
                "decisions": analyst.decisions[seat],
                "agreed": analyst.agreed[seat],
            }
            for seat in analyst.seats
        ],
    }


def _numbers(told: Told) -> str:
    return f" ({told.worth}, {told.tries})" if told.worth else ""
