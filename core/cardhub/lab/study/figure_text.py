"""The figures of a study as text: measures with signs and units, table rows, and sentences."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from cardhub.base.writing import NONE, amount, capitalized, listed, number, p_value, percent, signed
from cardhub.lab.estimate import Measure
from cardhub.lab.study.study_schema import Leads, Population, SeatAdvantage, StudyResult, UseRow

# A share from 0 to 1, a difference of shares, an amount, a difference of amounts, or Elo.
FigureKind = Literal["share", "shift", "amount", "change", "elo"]
SIGNED = ("shift", "change", "elo")
# The kind of a difference, by the kind of a figure.
DIFFERENCES: Mapping[FigureKind, FigureKind] = {"share": "shift", "amount": "change"}


def value_text(value: float | None, kind: FigureKind) -> str:
    """Return a value with its unit: `54.2 %`, `+4.2 %`, `12.3`, `+58`."""
    if value is None:
        return NONE
    scaled = 100 * value if kind in ("share", "shift") else value
    digits = 0 if kind == "elo" else 1 if abs(scaled) >= 10 or kind in ("share", "shift") else 2
    text = signed(scaled, digits) if kind in SIGNED else number(scaled, digits)
    return f"{text} %" if kind in ("share", "shift") else text


def span_text(measure: Measure | None, kind: FigureKind) -> str:
    """Return an interval with its unit, `51.0 to 57.4 %`, or a dash if it is unknown."""
    if measure is None or measure.low is None or measure.high is None:
        return NONE
    ends = measure.low, measure.high
    # The interval of a share may reach beyond 0 or 1, because it is symmetrical.
    low, high = [min(max(end, 0.0), 1.0) for end in ends] if kind == "share" else ends
    return f"{value_text(low, kind).removesuffix(' %')} to {value_text(high, kind)}"


def measure_text(measure: Measure | None, kind: FigureKind) -> str:
    """Return a value with its interval in brackets, `54.2 % (51.0 to 57.4 %)`."""
    if measure is None:
        return NONE
    span = span_text(measure, kind)
    return value_text(measure.value, kind) + ("" if span == NONE else f" ({span})")


def score_kind(result: StudyResult, *, is_difference: bool = False) -> FigureKind:
    """Return the kind of a score: a change in a game scored by points, else a share or a shift."""
    if result.scoring == "points":
        return "change"
    return "shift" if is_difference else "share"


def score_unit(result: StudyResult) -> str:
    """Return the unit suffix of scores: ` coins`, or an empty string for shares."""
    return f" {result.unit}" if result.scoring == "points" else ""


def seats_text(seats: Sequence[int]) -> str:
    """Return the name of a seat or of a team's seats: `seat 0`, `seats 0 and 2`."""
    return f"{'seat' if len(seats) == 1 else 'seats'} {listed([str(seat) for seat in seats])}"


def options_text(result: StudyResult) -> str:
    """Return the options in the syntax of the command line: `coins=24, first_attacker=navy`."""
    return ", ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in result.options.items()
    )


def bots_text(bots: Sequence[str]) -> str:
    """Return the specs of bots as a list."""
    return ", ".join(bots)


def games_text(result: StudyResult) -> str:
    """Return the numbers of games and deals, and the bots."""
    games, deals = amount(result.games, "game"), amount(result.skilled.deals, "deal")
    return f"{games}, {deals} with {bots_text(result.skilled.bots)}"


# What bots do on the deals of each part of a study.
PART_TEXTS = {
    "plain": "copies of bots that do not search",
    "search": "copies of bots that search",
    "ladder": "bots of different strength",
}


def deals_text(result: StudyResult) -> str:
    """Return a sentence with the numbers of deals: `100 deals for copies of bots …`."""
    parts = [
        f"{amount(deals, 'deal')} for {PART_TEXTS[part]}" for part, deals in result.deals.items()
    ]
    return f"The figures rest on {listed(parts)}."


# The share of a game's decisions after which its leader is determined.
HALF = 0.5
# The least share of games with a single leader at that point for which the figure is shown.
LEAST_LED = 0.2


class Headline(NamedTuple):
    """A main figure: its label, its value and interval as text, and a sentence.

    `anchor` is the id of the section of the page that has more.
    """

    label: str
    value: str
    span: str
    sentence: str
    anchor: str


def headlines(result: StudyResult) -> tuple[Headline, ...]:
    """Return the main figures that apply to a game."""
    rows = (part(result) for part in PARTS)
    return tuple(row for row in rows if row is not None)


def leader_at_half(leads: Leads) -> Measure | None:
    """Return how often the single leader after half of the decisions gets the first place.

    Return None if few games have a single leader at half time.
    """
    for led, wins in zip(leads.led, leads.leader_wins, strict=True):
        if abs(led.progress - HALF) < 1e-9 and led.value and led.value.value >= LEAST_LED:
            return wins.value
    return None


# A figure that studies are compared by: its name and kind, and its value if it applies.
NamedMeasure = tuple[tuple[str, FigureKind], Measure | None]


def compared_figures(study: StudyResult) -> Iterator[NamedMeasure]:
    """Yield the figures of the games of a study; their names differ."""
    games, kind = study.skilled, score_kind(study, is_difference=True)
    for row in games.seats:
        yield (f"advantage of {seats_text(row.seats)}", kind), row.advantage
    if games.score:
        yield ("score of a table", "amount"), games.score
    if games.reached:
        yield ("tables at the target", "share"), games.reached
    if games.draws:
        yield ("draws", "share"), games.draws
    yield ("decisions a game", "amount"), games.length.mean
    yield ("choices a decision", "amount"), games.choices.mean
    yield ("forced decisions", "share"), games.choices.forced
    yield ("free decisions a seat", "amount"), games.choices.free
    if games.leads:
        yield ("leader at half time wins", "share"), leader_at_half(games.leads)
        yield ("lead changes a game", "amount"), games.leads.changes.mean
        if games.leads.settled:
            yield ("settled after", "share"), games.leads.settled.mean
    if games.luck:
        yield ("deal's share of results", "share"), games.luck.deal
    if study.skill and study.skill.elo_per_doubling and study.scoring != "points":
        yield ("Elo a doubling", "elo"), study.skill.elo_per_doubling
    elif study.skill and study.skill.score_per_doubling:
        yield ("score a doubling", kind), study.skill.score_per_doubling


def compared_uses(study: StudyResult) -> Iterator[NamedMeasure]:
    """Yield the difference in score with each action and card."""
    kind = score_kind(study, is_difference=True)
    for row in study.uses:
        yield (use_text(row), kind), row.worth


def _fairness(result: StudyResult) -> Headline | None:
    rows = result.skilled.seats
    if not rows:
        return None
    top = max(rows, key=lambda row: row.advantage.value)
    kind = score_kind(result)
    value = value_text(top.score.value, kind) + score_unit(result)
    verb = "makes" if result.scoring == "points" else "scores"
    # A score whose difference may be chance is no answer: it shows its interval only.
    is_known = any(row.is_certain for row in rows)
    return Headline(
        "Fairness of seats",
        f"{seats_text(top.seats)} {verb} {value}" if is_known else f"{seats_text(top.seats)}: open",
        span_text(top.score, kind),
        _fairness_sentence(rows, top),
        "seats",
    )


def _fairness_sentence(rows: tuple[SeatAdvantage, ...], top: SeatAdvantage) -> str:
    if top.is_certain:
        verb = "has" if len(top.seats) == 1 else "have"
        return f"Among equal players, {seats_text(top.seats)} {verb} an advantage."
    certain = [row for row in rows if row.is_certain]
    if not certain:
        return "No seat is certain to be better than another."
    low = min(certain, key=lambda row: row.advantage.value)
    verb = "is" if len(low.seats) == 1 else "are"
    return f"{capitalized(seats_text(low.seats))} {verb} behind; no seat is certain to be ahead."


def _table_score(result: StudyResult) -> Headline | None:
    score, reached = result.skilled.score, result.skilled.reached
    if score is None:
        return None
    value = f"{value_text(score.value, 'amount')} {result.unit}"
    text = f"All players of a table together make {value} on average."
    if reached is not None:
        share = measure_text(reached, "share")
        text = f"{share} of the tables reach the target of {result.target}."
    return Headline("Score of a table", value, span_text(score, "amount"), text, "seats")


def _length(result: StudyResult) -> Headline:
    length = result.skilled.length
    low, high = length.quantiles[0], length.quantiles[-1]
    text = f"Nine of ten games take {number(low, 0)} to {number(high, 0)} decisions."
    value = f"{value_text(length.mean.value, 'amount')} decisions"
    return Headline("Length of a game", value, span_text(length.mean, "amount"), text, "length")


def _choices(result: StudyResult) -> Headline:
    choices = result.skilled.choices
    text = f"No decision has only one legal action, and none has more than {choices.most}."
    if choices.forced.value:
        forced = value_text(choices.forced.value, "share")
        text = (
            f"{forced} of the decisions have only one legal action; none has more than "
            f"{choices.most}."
        )
    value = f"{value_text(choices.mean.value, 'amount')} choices"
    return Headline(
        "Choices per decision", value, span_text(choices.mean, "amount"), text, "choices"
    )


def _leads(result: StudyResult) -> Headline | None:
    leads = result.skilled.leads
    half = leader_at_half(leads) if leads else None
    if leads is None or half is None:
        return None
    share, changes = value_text(half.value, "share"), number(leads.changes.mean.value, 1)
    text = (
        f"The leader at half time wins {share} of games; the lead changes {changes} times a game."
    )
    return Headline(
        "Early decision", f"{share} at half time", span_text(half, "share"), text, "leads"
    )


def ranked_uses(rows: Iterable[UseRow]) -> list[UseRow]:
    """Return the uses whose difference in score has an interval, the most certain first."""
    # Without an interval a difference may be any chance result, so it has no rank.
    ranked = [
        (row.p_value, -abs(row.worth.value), row)
        for row in rows
        if row.worth is not None and row.p_value is not None
    ]
    return [row for *_, row in sorted(ranked, key=lambda use: use[:2])]


def use_text(row: UseRow) -> str:
    """Return the name of a use: `lay Raven`, or `dealt Raven` for a dealt card."""
    return f"dealt {row.name}" if row.kind == "dealt" else row.name


def _strongest_use(result: StudyResult) -> Headline | None:
    """Return the use whose difference in score is most certain; None without a ranked one."""
    ranked = ranked_uses(result.uses)
    if not ranked or ranked[0].worth is None:
        return None
    top, worth = ranked[0], ranked[0].worth
    kind, name, unit = score_kind(result, is_difference=True), use_text(top), score_unit(result)
    certain = sum(row.is_certain for row in ranked)
    span = span_text(worth, kind)
    if not certain:
        text = "No action and no card is certain to go with a higher or lower score."
        return Headline("Strongest card or action", f"{name}: open", span, text, "uses")
    size = value_text(abs(worth.value), "share" if kind == "shift" else "amount") + unit
    seats = f"Seats that are {name}" if top.kind == "dealt" else f"Seats that used “{name}”"
    text = f"{seats} score {size} {'more' if worth.value > 0 else 'less'} than seats without it."
    if certain > 1:
        text += f" {amount(certain - 1, 'other difference is', 'other differences are')} certain."
    value = f"{name}: {value_text(worth.value, kind)}{unit}"
    return Headline("Strongest card or action", value, span, text, "uses")


def _draws(result: StudyResult) -> Headline | None:
    draws = result.skilled.draws
    if draws is None:
        return None
    value = value_text(draws.value, "share")
    text = "No game has a shared first place."
    if draws.value:
        text = f"In {value} of games several players share the first place."
    return Headline("Draws", value, span_text(draws, "share"), text, "seats")


def _skill(result: StudyResult) -> Headline | None:
    skill = result.skill
    if skill is None or skill.score_per_doubling is None:
        return None
    slope, elo = skill.score_per_doubling, skill.elo_per_doubling
    in_elo = elo is not None and result.scoring != "points"
    kind = score_kind(result, is_difference=True)
    shown, kind, unit = (elo, "elo", " Elo") if in_elo else (slope, kind, score_unit(result))
    if shown is None:
        return None
    text = "No clear gain from more search."
    if skill.games_to_tell:
        games, verb = (
            amount(skill.games_to_tell, "game"),
            "is" if skill.games_to_tell == 1 else "are",
        )
        text = f"{games} {verb} enough to show that doubling the search helps."
    elif slope.low is not None and slope.low > 0:
        text = "More search is certain to help."
    value = f"{value_text(shown.value, kind)}{unit} a doubling"
    return Headline("Value of stronger play", value, span_text(shown, kind), text, "skill")


def _luck(result: StudyResult) -> Headline | None:
    luck = result.skilled.luck
    if luck is None:
        return None
    deal, seat, play = (
        value_text(share, "share") for share in (luck.deal.value, luck.seat, luck.play)
    )
    causes = [f"{deal} of the result is the deal", f"{seat} the seat", f"{play} the play"]
    if seat == value_text(0, "share"):
        del causes[1]
    text = f"Among equal players, {listed(causes)}."
    return Headline("Luck of the deal", deal, span_text(luck.deal, "share"), text, "luck")


PARTS: tuple[Callable[[StudyResult], Headline | None], ...] = (
    _fairness,
    _table_score,
    _length,
    _choices,
    _strongest_use,
    _leads,
    _draws,
    _skill,
    _luck,
)


def use_cells(row: UseRow, kind: FigureKind) -> tuple[str, ...]:
    """Return the figures of a use: used, taken if legal, the difference in score, and p."""
    gain = measure_text(row.worth, kind) + (" *" if row.is_certain else "")
    taken = value_text(row.taken.value if row.taken else None, "share")
    return row.name, value_text(row.used.value, "share"), taken, gain, p_value(row.p_value)


def bot_heads(result: StudyResult) -> tuple[str, ...]:
    """Return the heads of the columns of `bot_cells`."""
    common = ("Table",) if result.is_common else ()
    seats = tuple(capitalized(seats_text(row.seats)) for row in result.skilled.seats)
    figures = (
        "Decisions",
        "Choices",
        "Forced",
        "Draws",
        "Leader at half time wins",
        "Lead changes",
        "Deal",
    )
    return ("Bot against itself", "Deals", "Games", *common, *seats, *figures)


def bot_cells(population: Population, result: StudyResult) -> tuple[str, ...]:
    """Return the figures of a bot against copies of itself; * marks a certain advantage."""
    leads, kind = population.leads, score_kind(result)
    half = leader_at_half(leads) if leads else None
    common = (value_text(population.score.value, "amount"),) if population.score else ()
    seats = tuple(
        value_text(row.score.value, kind) + (" *" if row.is_certain else "")
        for row in population.seats
    )
    return (
        bots_text(population.bots),
        str(population.deals),
        str(population.games),
        *common,
        *seats,
        value_text(population.length.mean.value, "amount"),
        value_text(population.choices.mean.value, "amount"),
        percent(population.choices.forced.value),
        percent(population.draws.value) if population.draws else NONE,
        percent(half.value) if half else NONE,
        value_text(leads.changes.mean.value, "amount") if leads else NONE,
        percent(population.luck.deal.value) if population.luck else NONE,
    )
