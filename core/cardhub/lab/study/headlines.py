"""The main figures of a study, each as a sentence for designers."""

from collections.abc import Callable
from typing import NamedTuple

from cardhub.base.writing import amount, number
from cardhub.lab.study.figure_text import (
    measure_text,
    score_kind,
    score_unit,
    seats_text,
    span_text,
    value_text,
)
from cardhub.lab.study.study_schema import Leads, Measure, StudyResult

# The point of a game at which its leader is named: half of the decisions.
HALF = 0.5
# The share of games with a leader there below which that tells nothing of the game.
LEAST_LED = 0.2


class Headline(NamedTuple):
    """A figure: the question, its value and interval as text, and a sentence.

    `anchor` is the section of the page that has more.
    """

    question: str
    value: str
    span: str
    sentence: str
    anchor: str


def headlines(result: StudyResult) -> tuple[Headline, ...]:
    """Return the main figures that apply to a game."""
    found = (part(result) for part in PARTS)
    return tuple(each for each in found if each is not None)


def leader_at_half(leads: Leads) -> Measure | None:
    """Return the share of first places of who leads alone after half of the decisions.

    None if hardly a game has such a leader.
    """
    for led, wins in zip(leads.led, leads.leader_wins, strict=True):
        if abs(led.progress - HALF) < 1e-9 and led.value and led.value.value >= LEAST_LED:
            return wins.value
    return None


def _fairness(result: StudyResult) -> Headline | None:
    rows = result.skilled.seats
    if not rows:
        return None
    top = max(rows, key=lambda row: row.advantage.value)
    kind, unit = score_kind(result), score_unit(result)
    value = value_text(top.score.value, kind) + unit
    name = seats_text(top.seats)
    certain = [row for row in rows if row.is_certain]
    if top.is_certain:
        text = f"{name.capitalize()} has an advantage, even among equal players."
    elif certain:
        low = min(certain, key=lambda row: row.advantage.value)
        text = f"No seat is certain to be ahead, but {seats_text(low.seats)} is behind."
    else:
        text = "No seat is certain to be better than another."
    verb = "makes" if result.scoring == "points" else "scores"
    return Headline(
        "Is it fair?", f"{name} {verb} {value}", span_text(top.score, kind), text, "seats"
    )


def _table_score(result: StudyResult) -> Headline | None:
    found = result.skilled.score
    if found is None:
        return None
    reached = result.skilled.reached
    text = "This is the common score of a table."
    if reached is not None:
        text = (
            f"{measure_text(reached, 'share')} of the tables reach the target of {result.target}."
        )
    value = f"{value_text(found.value, 'amount')} {result.unit}"
    return Headline("How do tables do?", value, span_text(found, "amount"), text, "seats")


def _length(result: StudyResult) -> Headline:
    found = result.skilled.length
    low, high = found.quantiles[0], found.quantiles[-1]
    text = f"Nine of ten games take {number(low, 0)} to {number(high, 0)} decisions."
    value = f"{value_text(found.mean.value, 'amount')} decisions"
    return Headline("How long is it?", value, span_text(found.mean, "amount"), text, "length")


def _choices(result: StudyResult) -> Headline:
    found = result.skilled.choices
    forced = value_text(found.forced.value, "share")
    text = f"{forced} of the decisions have one legal action only; the most is {found.most}."
    if not found.forced.value:
        text = f"No decision has one legal action only; the most is {found.most}."
    value = f"{value_text(found.mean.value, 'amount')} choices"
    return Headline("How much to choose?", value, span_text(found.mean, "amount"), text, "choices")


def _leads(result: StudyResult) -> Headline | None:
    found = result.skilled.leads
    half = leader_at_half(found) if found else None
    if found is None or half is None:
        return None
    changes = number(found.changes.mean.value, 1)
    text = f"So often the leader at half time wins; the lead changes {changes} times a game."
    value = f"{value_text(half.value, 'share')} at half time"
    return Headline("How early is it settled?", value, span_text(half, "share"), text, "leads")


def _draws(result: StudyResult) -> Headline | None:
    found = result.skilled.draws
    if found is None:
        return None
    text = "Several share the first place." if found.value else "No game had a shared first place."
    value = value_text(found.value, "share")
    return Headline("How many draws?", value, span_text(found, "share"), text, "seats")


def _skill(result: StudyResult) -> Headline | None:
    found = result.skill
    if found is None or found.score_per_doubling is None:
        return None
    slope, elo = found.score_per_doubling, found.elo_per_doubling
    in_elo = elo is not None and result.scoring != "points"
    kind = score_kind(result, is_difference=True)
    shown, kind, unit = (elo, "elo", " Elo") if in_elo else (slope, kind, score_unit(result))
    if shown is None:
        return None
    told = found.games_to_tell
    text = "More search is not certain to pay."
    if told:
        text = f"{amount(told, 'game')} tell twice the search from once."
    elif slope.low is not None and slope.low > 0:
        text = "More search pays."
    value = f"{value_text(shown.value, kind)}{unit} a doubling"
    return Headline("Does strength pay?", value, span_text(shown, kind), text, "skill")


def _luck(result: StudyResult) -> Headline | None:
    found = result.skilled.luck
    if found is None:
        return None
    play = value_text(found.play, "share")
    text = f"So much of the results of equal players is in the deal; {play} is in the play."
    value = f"{value_text(found.deal.value, 'share')} deal"
    return Headline("How much is luck?", value, span_text(found.deal, "share"), text, "luck")


PARTS: tuple[Callable[[StudyResult], Headline | None], ...] = (
    _fairness,
    _table_score,
    _length,
    _choices,
    _leads,
    _draws,
    _skill,
    _luck,
)
