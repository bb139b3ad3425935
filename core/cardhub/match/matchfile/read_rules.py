"""Reader of the sections schedule, stop, budget, faults and rating of a match file."""

from collections.abc import Sequence
from typing import Literal, cast

from cardhub.match.match_spec import (
    Budget,
    FaultRules,
    Missing,
    Mode,
    Order,
    Policy,
    RatingRules,
    SprtRule,
)
from cardhub.match.matchfile.section import (
    ANY_NUMBER,
    NON_EMPTY,
    OPEN_UNIT,
    POSITIVE,
    SHARE,
    FileSection,
    NumberRange,
    no_such,
)
from cardhub.yamlfile import Diagnostics, Node, ScalarNode, SequenceNode, quote

MODES = ("round_robin", "gauntlet", "racing")
MOST_BLOCKS = 10_000_000
POLICIES = ("loss", "substitute")
OVERALL = ("mean", "nash", "kemeny")
MARGIN = NumberRange(0, 0.49)
ORDER_KEYS = ("mode", "blocks", "challengers", "batch", "level", "margin")
SPRT_KEYS = ("a", "b", "game", "nelo", "elo", "alpha", "beta")
BUDGET_KEYS = ("guard_seconds", "bank_seconds", "most_steps")
FAULT_KEYS = ("two_player", "multi_player", "substitute", "max", "share", "after")
RATING_KEYS = ("anchor", "bootstrap", "level", "overall", "missing")


class RulesReader:
    """Reader of these sections, given the names of bots and games."""

    def __init__(
        self, top: FileSection, bots: Sequence[str], games: Sequence[str], problems: Diagnostics
    ) -> None:
        self._top = top
        self._bots = bots
        self._games = games
        self._problems = problems

    def order(self) -> Order:
        """Read the section `schedule`."""
        section = self._section("schedule", ORDER_KEYS, "a mapping such as {blocks: 200}")
        if section is None:
            return Order()
        usual = Order()
        mode = cast("Mode", section.text("mode", MODES, usual.mode))
        if mode != "racing":
            section.reject("is only allowed with mode racing", "batch", "level", "margin")
        if mode != "gauntlet":
            section.reject("is only allowed with mode gauntlet", "challengers")
        challengers = section.names("challengers", self._bots, "bots")
        return Order(
            mode=mode,
            blocks=section.integer("blocks", range(1, MOST_BLOCKS + 1), usual.blocks),
            challengers=challengers or (tuple(self._bots[:1]) if mode == "gauntlet" else ()),
            batch=section.integer("batch", range(1, 10_001), usual.batch),
            level=section.number("level", OPEN_UNIT, usual.level),
            margin=section.number("margin", MARGIN, usual.margin),
        )

    def sprt(self) -> tuple[SprtRule, FileSection] | None:
        """Read the section `stop`: its rule, and the section for problems found later."""
        stop = self._section("stop", ("sprt",), "a mapping such as {sprt: {a: mine, b: rule}}")
        if stop is None or "sprt" not in stop:
            return None
        what = "a mapping such as {a: mine, b: rule, nelo: [0, 20]}"
        section = FileSection(stop.node("sprt"), SPRT_KEYS, what, self._problems)
        section.require("a", "b")
        one, other = (self._name(section, key, self._bots) for key in ("a", "b"))
        if one and one == other:
            section.report("b", f"a and b are both {quote(one)}")
        model, elo = self._hypotheses(section)
        rates = {key: section.number(key, OPEN_UNIT, 0.05) for key in ("alpha", "beta")}
        if sum(rates.values()) >= 1:
            section.report(
                "beta", "alpha and beta are error rates such as 0.05; their sum must be below 1"
            )
        game = self._name(section, "game", self._games)
        return SprtRule(one, other, game, model, elo, **rates), stop

    def budget(self) -> Budget:
        """Read the section `budget`."""
        section = self._section("budget", BUDGET_KEYS, "a mapping such as {guard_seconds: 10}")
        usual = Budget()
        if section is None:
            return usual
        return Budget(
            guard_seconds=section.limit("guard_seconds", POSITIVE, usual.guard_seconds),
            bank_seconds=section.limit("bank_seconds", POSITIVE, usual.bank_seconds),
            most_steps=section.integer("most_steps", range(1, 10**9), usual.most_steps),
        )

    def faults(self) -> tuple[FaultRules, FileSection | None]:
        """Read the section `faults`, and return it with the section for problems found later."""
        section = self._section("faults", FAULT_KEYS, "a mapping such as {max: 3}")
        usual = FaultRules()
        if section is None:
            return usual, None
        two = section.text("two_player", POLICIES, usual.two_player)
        multi = section.text("multi_player", POLICIES, usual.multi_player)
        rules = FaultRules(
            two_player=cast("Policy", two),
            multi_player=cast("Policy", multi),
            substitute=section.text("substitute", NON_EMPTY, usual.substitute).strip(),
            most=section.integer("max", range(10**9), usual.most),
            share=section.number("share", SHARE, usual.share),
            after=section.integer("after", range(1, 10**9), usual.after),
        )
        return rules, section

    def rating(self) -> RatingRules:
        """Read the section `rating`."""
        section = self._section("rating", RATING_KEYS, "a mapping such as {anchor: {random: 0}}")
        usual = RatingRules()
        if section is None:
            return usual
        return RatingRules(
            anchor=self._anchor(section),
            bootstrap=section.integer("bootstrap", range(100, 1_000_001), usual.bootstrap),
            level=section.number("level", OPEN_UNIT, usual.level),
            overall=section.names("overall", OVERALL, "views") or usual.overall,
            missing=cast("Missing", section.text("missing", ("absent", "loss"), usual.missing)),
        )

    def _section(self, key: str, keys: Sequence[str], what: str) -> FileSection | None:
        if key not in self._top:
            return None
        return FileSection(self._top.node(key), keys, what, self._problems)

    def _name(self, section: FileSection, key: str, known: Sequence[str]) -> str:
        name = section.text(key, NON_EMPTY)
        if name and name not in known:
            section.report(key, f"{key}: {no_such(name, known)}")
            return ""
        return name

    def _hypotheses(
        self, section: FileSection
    ) -> tuple[Literal["normalized", "logistic"], tuple[float, float]]:
        if "nelo" in section:
            section.reject("and nelo are mutually exclusive", "elo")
        if "elo" in section and "nelo" not in section:
            return "logistic", self._two(section, "elo", (0.0, 10.0))
        return "normalized", self._two(section, "nelo", (0.0, 20.0))

    def _two(
        self, section: FileSection, key: str, usual: tuple[float, float]
    ) -> tuple[float, float]:
        if key not in section:
            return usual
        node = section.node(key)
        found = [
            ANY_NUMBER.read(n.value) if isinstance(n, ScalarNode) else None for n in _parts(node)
        ]
        match found:
            case [float(low), float(high)] if low < high:
                return low, high
        section.report(key, f"{key}: expected two ascending numbers, such as [0, 20]")
        return usual

    def _anchor(self, section: FileSection) -> dict[str, float]:
        what = "a mapping of one bot to its Elo, such as {random: 0}"
        entries = section.table("anchor", what)
        if len(entries) > 1:
            section.report("anchor", f"anchor is {what}")
        found = {}
        for name, (place, node) in entries.items():
            elo = ANY_NUMBER.read(node.value) if isinstance(node, ScalarNode) else None
            if name not in self._bots:
                self._problems.add(place, f"anchor: {no_such(name, self._bots)}")
            elif elo is None:
                self._problems.expected(node, "a number")
            else:
                found[name] = elo
        return found


def _parts(node: Node) -> Sequence[Node]:
    return node.nodes if isinstance(node, SequenceNode) else ()
