"""Parser of the optional sections schedule, stop, budget, faults and rating of a match file.

The tables of types form a schema; optional keys have the defaults of the dataclasses.
"""

from collections.abc import Sequence
from dataclasses import replace

from cardhub.base.yamlfile import ScalarNode, SequenceNode, quote
from cardhub.lab.match.match_spec import (
    Budget,
    FaultRules,
    Order,
    RatingRules,
    SprtModel,
    SprtRule,
)
from cardhub.lab.match.matchfile.section import (
    ANY_NUMBER,
    LIMIT,
    NON_EMPTY,
    OPEN_UNIT,
    SHARE,
    FileSection,
    Kind,
    NumberRange,
    no_such,
)

POLICIES = ("loss", "substitute")
OVERALL = ("mean", "nash", "kemeny")
SCHEDULE: dict[str, Kind] = {
    "mode": ("round_robin", "gauntlet", "racing"),
    "blocks": range(1, 10_000_001),
    "batch": range(1, 10_001),
    "level": OPEN_UNIT,
    # With a margin of 1/2 any two bots would count as equal.
    "margin": NumberRange(0, 0.49),
}
BUDGET: dict[str, Kind] = {
    "guard_seconds": LIMIT,
    "bank_seconds": LIMIT,
    "most_steps": range(1, 10**9),
}
FAULTS: dict[str, Kind] = {
    "two_player": POLICIES,
    "multi_player": POLICIES,
    "substitute": NON_EMPTY,
    "max": range(10**9),
    "share": SHARE,
    "after": range(1, 10**9),
}
RATING: dict[str, Kind] = {
    # Fewer samples give no usable quantiles for an interval.
    "bootstrap": range(100, 1_000_001),
    "level": OPEN_UNIT,
    "missing": ("absent", "loss"),
}
SPRT: dict[str, Kind] = {"alpha": OPEN_UNIT, "beta": OPEN_UNIT}
SPRT_KEYS = ("a", "b", "game", "nelo", "elo", "points", *SPRT)
# Keys of hypotheses, with their models and defaults: 100 blocks decide most tests of the defaults.
HYPOTHESES: dict[str, tuple[SprtModel, tuple[float, float]]] = {
    "nelo": ("normalized", (0.0, 60.0)),
    "elo": ("logistic", (0.0, 30.0)),
    "points": ("points", (0.0, 1.0)),
}


def read_schedule(top: FileSection, bots: Sequence[str]) -> Order:
    """Parse the section `schedule`, given the ids of the bots."""
    keys = ("mode", "blocks", "challengers", "batch", "level", "margin")
    section = top.section("schedule", keys, "{blocks: 200}")
    order = Order(
        **section.values(SCHEDULE), challengers=section.names("challengers", bots, "bots")
    )
    if order.mode != "racing":
        section.reject("is only allowed with mode racing", "batch", "level", "margin")
    if order.mode != "gauntlet":
        section.reject("is only allowed with mode gauntlet", "challengers")
    elif not order.challengers:
        # By default the first bot in the file is the challenger.
        return replace(order, challengers=tuple(bots[:1]))
    return order


def read_sprt(top: FileSection, bots: Sequence[str], games: Sequence[str]) -> SprtRule | None:
    """Parse the section `stop`, given the ids of bots and games."""
    stop = top.section("stop", ("sprt",), "{sprt: {a: mine, b: rule}}")
    if "sprt" not in stop:
        return None
    section = stop.section("sprt", SPRT_KEYS, "{a: mine, b: rule, nelo: [0, 20]}")
    section.require("a", "b")
    one, other = (_known_name(section, key, bots) for key in ("a", "b"))
    if one and one == other:
        section.report("b", f"a and b are both {quote(one)}")
    model, elo = _hypotheses(section)
    game = _known_name(section, "game", games)
    rule = SprtRule(one, other, game, model, elo, **section.values(SPRT))
    # If the sum is 1 or more, Wald's lower bound is not below the upper bound.
    if rule.alpha + rule.beta >= 1:
        section.report(
            "beta", "alpha and beta are error rates such as 0.05; their sum must be below 1"
        )
    return rule


def read_budget(top: FileSection) -> Budget:
    """Parse the section `budget`."""
    return Budget(**top.section("budget", BUDGET, "{guard_seconds: 10}").values(BUDGET))


def read_faults(top: FileSection) -> FaultRules:
    """Parse the section `faults`."""
    values = top.section("faults", FAULTS, "{max: 3}").values(FAULTS)
    # The field is not called `max`, which is a builtin function.
    rules = FaultRules(**{"most" if key == "max" else key: value for key, value in values.items()})
    return replace(rules, substitute=rules.substitute.strip())


def read_rating(top: FileSection, bots: Sequence[str]) -> RatingRules:
    """Parse the section `rating`, given the ids of the bots."""
    keys = ("anchor", "bootstrap", "level", "overall", "missing")
    section = top.section("rating", keys, "{anchor: {random: 0}}")
    values = section.values(RATING)
    if overall := section.names("overall", OVERALL, "views"):
        values["overall"] = overall
    return RatingRules(anchor=_anchor(section, bots), **values)


def _known_name(section: FileSection, key: str, known: Sequence[str]) -> str:
    name = section.text(key, NON_EMPTY)
    if name and name not in known:
        section.report(key, f"{key}: {no_such(name, known)}")
        return ""
    return name


def _hypotheses(section: FileSection) -> tuple[SprtModel, tuple[float, float]]:
    first, *others = [key for key in HYPOTHESES if key in section] or ["nelo"]
    section.reject(f"and {first} are mutually exclusive", *others)
    model, default = HYPOTHESES[first]
    return model, _ascending_pair(section, first, default)


def _ascending_pair(
    section: FileSection, key: str, default: tuple[float, float]
) -> tuple[float, float]:
    if key not in section:
        return default
    node = section.node(key)
    nodes = node.nodes if isinstance(node, SequenceNode) else []
    match [ANY_NUMBER.parse(n.value) if isinstance(n, ScalarNode) else None for n in nodes]:
        case [float(low), float(high)] if low < high:
            return low, high
    section.report(key, f"{key}: expected two ascending numbers, such as [0, 20]")
    return default


def _anchor(section: FileSection, bots: Sequence[str]) -> dict[str, float]:
    description = "a mapping of one bot to its Elo, such as {random: 0}"
    entries = section.table("anchor", description)
    # Elo is defined up to a constant: one anchor fixes it, a second one could contradict it.
    if len(entries) > 1:
        section.report("anchor", f"anchor is {description}")
    anchor = {}
    for name, (place, node) in entries.items():
        elo = ANY_NUMBER.parse(node.value) if isinstance(node, ScalarNode) else None
        if name not in bots:
            section.problems.add(place, f"anchor: {no_such(name, bots)}")
        elif elo is None:
            section.problems.expected(node, "a number")
        else:
            anchor[name] = elo
    return anchor
