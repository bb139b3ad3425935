"""The sections of a match file that say how it is played and judged."""

from collections.abc import Sequence
from typing import Literal, cast

from cardhub.match.matchfile.section import (
    ANY_NUMBER,
    BETWEEN,
    POSITIVE,
    SHARE,
    SOMETHING,
    Reals,
    Section,
    no_such,
)
from cardhub.match.spec import (
    Budget,
    FaultRules,
    Missing,
    Mode,
    Order,
    Policy,
    RatingRules,
    SprtRule,
)
from cardhub.yamlfile import Diagnostics, Node, ScalarNode, SequenceNode, quote

MODES = ("round_robin", "gauntlet", "racing")
MOST_BLOCKS = 10_000_000
POLICIES = ("loss", "substitute")
OVERALL = ("mean", "nash", "kemeny")
MARGIN = Reals(0, 0.49)
ORDER_KEYS = ("mode", "blocks", "challengers", "batch", "level", "margin")
SPRT_KEYS = ("a", "b", "game", "nelo", "elo", "alpha", "beta")
BUDGET_KEYS = ("guard_seconds", "bank_seconds", "most_steps")
FAULT_KEYS = ("two_player", "multi_player", "substitute", "max", "share", "after")
RATING_KEYS = ("anchor", "bootstrap", "level", "overall", "missing")


class RulesReader:
    """Reads these sections, knowing the names of the bots and of the games."""

    def __init__(
        self, top: Section, bots: Sequence[str], games: Sequence[str], problems: Diagnostics
    ) -> None:
        self._top = top
        self._bots = bots
        self._games = games
        self._problems = problems

    def order(self) -> Order:
        """Return the section `schedule`."""
        section = self._section("schedule", ORDER_KEYS, "a mapping such as {blocks: 200}")
        if section is None:
            return Order()
        usual = Order()
        mode = cast("Mode", section.text("mode", MODES, usual.mode))
        if mode != "racing":
            section.refuse("belongs to mode racing", "batch", "level", "margin")
        if mode != "gauntlet":
            section.refuse("belong to mode gauntlet", "challengers")
        challengers = section.names("challengers", self._bots, "bots")
        return Order(
            mode=mode,
            blocks=section.whole("blocks", range(1, MOST_BLOCKS + 1), usual.blocks),
            challengers=challengers or (tuple(self._bots[:1]) if mode == "gauntlet" else ()),
            batch=section.whole("batch", range(1, 10_001), usual.batch),
            level=section.real("level", BETWEEN, usual.level),
            margin=section.real("margin", MARGIN, usual.margin),
        )

    def sprt(self) -> tuple[SprtRule, Section] | None:
        """Return the section `stop`, which can hold one rule, and where to complain of that."""
        stop = self._section("stop", ("sprt",), "a mapping such as {sprt: {a: mine, b: rule}}")
        if stop is None or "sprt" not in stop:
            return None
        what = "a mapping such as {a: mine, b: rule, nelo: [0, 20]}"
        section = Section(stop.node("sprt"), SPRT_KEYS, what, self._problems)
        section.need("a", "b")
        one, other = (self._name(section, key, self._bots) for key in ("a", "b"))
        if one and one == other:
            section.complain("b", f"a and b are both {quote(one)}")
        model, elo = self._hypotheses(section)
        rates = {key: section.real(key, BETWEEN, 0.05) for key in ("alpha", "beta")}
        if sum(rates.values()) >= 1:
            section.complain(
                "beta", "alpha and beta are error rates such as 0.05; together below 1"
            )
        game = self._name(section, "game", self._games)
        return SprtRule(one, other, game, model, elo, **rates), stop

    def budget(self) -> Budget:
        """Return the section `budget`."""
        section = self._section("budget", BUDGET_KEYS, "a mapping such as {guard_seconds: 10}")
        usual = Budget()
        if section is None:
            return usual
        return Budget(
            guard_seconds=section.limit("guard_seconds", POSITIVE, usual.guard_seconds),
            bank_seconds=section.limit("bank_seconds", POSITIVE, usual.bank_seconds),
            most_steps=section.whole("most_steps", range(1, 10**9), usual.most_steps),
        )

    def faults(self) -> tuple[FaultRules, Section | None]:
        """Return the section `faults`, and where to complain of the substitute."""
        section = self._section("faults", FAULT_KEYS, "a mapping such as {max: 3}")
        usual = FaultRules()
        if section is None:
            return usual, None
        two = section.text("two_player", POLICIES, usual.two_player)
        multi = section.text("multi_player", POLICIES, usual.multi_player)
        rules = FaultRules(
            two_player=cast("Policy", two),
            multi_player=cast("Policy", multi),
            substitute=section.text("substitute", SOMETHING, usual.substitute).strip(),
            most=section.whole("max", range(10**9), usual.most),
            share=section.real("share", SHARE, usual.share),
            after=section.whole("after", range(1, 10**9), usual.after),
        )
        return rules, section

    def rating(self) -> RatingRules:
        """Return the section `rating`."""
        section = self._section("rating", RATING_KEYS, "a mapping such as {anchor: {random: 0}}")
        usual = RatingRules()
        if section is None:
            return usual
        return RatingRules(
            anchor=self._anchor(section),
            bootstrap=section.whole("bootstrap", range(100, 1_000_001), usual.bootstrap),
            level=section.real("level", BETWEEN, usual.level),
            overall=section.names("overall", OVERALL, "views") or usual.overall,
            missing=cast("Missing", section.text("missing", ("absent", "loss"), usual.missing)),
        )

    def _section(self, key: str, keys: Sequence[str], what: str) -> Section | None:
        if key not in self._top:
            return None
        return Section(self._top.node(key), keys, what, self._problems)

    def _name(self, section: Section, key: str, known: Sequence[str]) -> str:
        """Return one of some names, or nothing."""
        name = section.text(key, SOMETHING)
        if name and name not in known:
            section.complain(key, f"{key}: {no_such(name, known)}")
            return ""
        return name

    def _hypotheses(
        self, section: Section
    ) -> tuple[Literal["normalized", "logistic"], tuple[float, float]]:
        if "nelo" in section:
            section.refuse("and nelo are two scales: give one of them", "elo")
        if "elo" in section and "nelo" not in section:
            return "logistic", self._two(section, "elo", (0.0, 10.0))
        return "normalized", self._two(section, "nelo", (0.0, 20.0))

    def _two(self, section: Section, key: str, usual: tuple[float, float]) -> tuple[float, float]:
        """Return two ascending numbers."""
        if key not in section:
            return usual
        node = section.node(key)
        found = [
            ANY_NUMBER.read(n.value) if isinstance(n, ScalarNode) else None for n in _parts(node)
        ]
        match found:
            case [float(low), float(high)] if low < high:
                return low, high
        section.complain(key, f"{key} is two ascending numbers, such as [0, 20]")
        return usual

    def _anchor(self, section: Section) -> dict[str, float]:
        """Return the bot whose Elo is given, with that Elo."""
        what = "a mapping of one bot to its Elo, such as {random: 0}"
        entries = section.table("anchor", what)
        if len(entries) > 1:
            section.complain("anchor", f"anchor is {what}")
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
