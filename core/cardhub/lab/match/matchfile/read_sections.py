"""Parser of the optional sections schedule, stop, budget, faults and rating of a match file.

The dataclasses of the sections are their schemas, with the defaults of optional keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cardhub.base.yamlfile import (
    NON_EMPTY,
    Collected,
    Diagnostics,
    Entries,
    NameList,
    Node,
    NumberRange,
    ScalarNode,
    Schema,
    Section,
    SequenceNode,
    quote,
    read_value,
    schema_of,
)
from cardhub.lab.match.match_spec import (
    Budget,
    FaultRules,
    Order,
    RatingRules,
    SprtModel,
    SprtRule,
)

ANY_NUMBER = NumberRange(float("-inf"), float("inf"))
ANCHOR = Entries("a mapping of one bot to its Elo, such as {random: 0}")
# Keys of hypotheses, with their models and defaults: 100 blocks decide most tests of the defaults.
HYPOTHESES: dict[str, tuple[SprtModel, tuple[float, float]]] = {
    "nelo": ("normalized", (0.0, 60.0)),
    "elo": ("logistic", (0.0, 30.0)),
    "points": ("points", (0.0, 1.0)),
}


@dataclass(frozen=True, slots=True)
class AscendingPair(Collected):
    """The type of two numbers, the lower one first; an invalid pair is the default."""

    default: tuple[float, float]
    description: str = "two ascending numbers, such as [0, 20]"

    def read(self, key: str, node: Node, problems: Diagnostics) -> tuple[float, float]:
        """Return the pair, or the default after reporting what is wrong."""
        nodes = node.nodes if isinstance(node, SequenceNode) else []
        match [ANY_NUMBER.parse(n.value) if isinstance(n, ScalarNode) else None for n in nodes]:
            case [float(low), float(high)] if low < high:
                return low, high
        problems.add(node, f"{key}: expected {self.description}")
        return self.default


PAIRS = {key: AscendingPair(default) for key, (_, default) in HYPOTHESES.items()}


def read_schedule(top: Section, bots: Sequence[str]) -> Order:
    """Parse the section `schedule`, given the ids of the bots."""
    schema = schema_of(Order, challengers=NameList(bots, "a list of bots"))
    section = top.section("schedule", schema, "{blocks: 200}")
    order = Order(**section.values)
    if order.mode != "racing":
        section.reject("is only allowed with mode racing", "batch", "level", "margin")
    if order.mode != "gauntlet":
        section.reject("is only allowed with mode gauntlet", "challengers")
    elif not order.challengers:
        # By default the first bot in the file is the challenger.
        return replace(order, challengers=tuple(bots[:1]))
    return order


def read_sprt(top: Section, bots: Sequence[str], games: Sequence[str]) -> SprtRule | None:
    """Parse the section `stop`, given the ids of bots and games."""
    stop = top.section("stop", Schema({"sprt": None}), "{sprt: {a: mine, b: rule}}")
    if "sprt" not in stop:
        return None
    # If all bots or all games are invalid, their names are unknown: then accept any name.
    bot, game = tuple(bots) or NON_EMPTY, tuple(games) or NON_EMPTY
    schema = schema_of(SprtRule, a=bot, b=bot, game=game, **PAIRS)
    section = stop.section("sprt", schema, "{a: mine, b: rule, nelo: [0, 20]}")
    values = {"a": "", "b": ""} | section.values
    unit, *others = [key for key in HYPOTHESES if key in section] or ["nelo"]
    section.reject(f"and {unit} are mutually exclusive", *others)
    pairs = {key: values.pop(key, default) for key, (_, default) in HYPOTHESES.items()}
    rule = SprtRule(**values, model=HYPOTHESES[unit][0], elo=pairs[unit])
    if rule.a and rule.a == rule.b:
        section.report("b", f"a and b are both {quote(rule.a)}")
    # If the sum is 1 or more, Wald's lower bound is not below the upper bound.
    if rule.alpha + rule.beta >= 1:
        section.report(
            "beta", "alpha and beta are error rates such as 0.05; their sum must be below 1"
        )
    return rule


def read_budget(top: Section) -> Budget:
    """Parse the section `budget`."""
    return Budget(**top.section("budget", schema_of(Budget), "{guard_seconds: 10}").values)


def read_faults(top: Section) -> FaultRules:
    """Parse the section `faults`."""
    rules = FaultRules(**top.section("faults", schema_of(FaultRules), "{max: 3}").values)
    return replace(rules, substitute=rules.substitute.strip())


def read_rating(top: Section, bots: Sequence[str]) -> RatingRules:
    """Parse the section `rating`, given the ids of the bots."""
    schema = schema_of(RatingRules, anchor=ANCHOR)
    section = top.section("rating", schema, "{anchor: {random: 0}}")
    entries = section.values.get("anchor", {})
    # Elo is defined up to a constant: one anchor fixes it, a second one could contradict it.
    if len(entries) > 1:
        section.report("anchor", f"anchor is {ANCHOR.description}")
    anchor = {}
    for name, (place, node) in entries.items():
        is_bot = read_value("a bot in anchor", place, tuple(bots) or NON_EMPTY, section.problems)
        elo = ANY_NUMBER.parse(node.value) if isinstance(node, ScalarNode) else None
        if elo is None:
            section.problems.expected(node, "a number")
        elif is_bot:
            anchor[name] = elo
    return RatingRules(**section.values | {"anchor": anchor})
