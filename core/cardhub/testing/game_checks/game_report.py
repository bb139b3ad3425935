"""What is wrong with a game: all checks, whichever fail, as data for people to act on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cardhub.bots.signals import record_signals
from cardhub.game.game import Game
from cardhub.testing.checking import ConformanceError, explained
from cardhub.testing.game_checks.contract import PAGE, PROMISES, Promise
from cardhub.testing.game_checks.game_suite import go_through
from cardhub.testing.game_checks.record_checks import check_golden, records_in
from cardhub.testing.game_checks.secrecy import Doubt
from cardhub.testing.game_checks.setup_checks import check_options, check_rules_page
from cardhub.testing.location import Place, Trace, trace
from cardhub.testing.random_play import Position, Speed, Trial, measure


@dataclass(frozen=True, slots=True)
class GameFinding:
    """A promise that a game breaks: how it did first, and how often in all.

    `record` are the lines of a record of the game up to there, if one could be written.
    """

    check: str
    game: str
    what: str
    place: Place | None = None
    record: tuple[str, ...] = ()
    count: int = 1

    @property
    def promise(self) -> Promise:
        """What the game should have kept to."""
        return PROMISES[self.check]

    @property
    def again(self) -> str:
        """The command that shows it again."""
        if self.place is None:
            return f"cardhub check {self.game}"
        return f"cardhub check {self.game} --seed {self.place.seed} --games 1"

    def lines(self) -> list[str]:
        """Return what a person needs to know, one thing a line."""
        often = f" ({self.count} times, first here)" if self.count > 1 else ""
        where = [f"where: {self.place.brief()}"] if self.place else []
        section = f"contract: {self.promise.section!r} in {PAGE}"
        right = f"right would be: {self.promise.remedy}"
        return [self.what + often, right, section, *where, f"again: {self.again}"]

    def __str__(self) -> str:
        told = "".join(f"\n  {line}" for line in self.lines())
        return f"{self.check}: {self.promise.sentence}{told}"

    def facts(self) -> dict[str, Any]:
        """Return the same for programs."""
        return {
            "what": self.what,
            "right": self.promise.remedy,
            "section": self.promise.section,
            "count": self.count,
            "place": self.place.facts() if self.place else None,
            "again": self.again,
        }


@dataclass(frozen=True, slots=True)
class GameReport:
    """What checking a game came to.

    `findings` are the checks it fails, one each; `skipped` are those that could not be made, and
    why. So many random `games` and kept `records` were gone through.
    """

    game: str
    games: int
    records: int
    speed: Speed | None
    findings: tuple[GameFinding, ...]
    skipped: Mapping[str, str]

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def finding(self, check: str) -> GameFinding | None:
        """Return what a check has found, if anything."""
        return next((found for found in self.findings if found.check == check), None)


def inspect_game(
    game: Game[Any],
    *,
    games: int = 2,
    seed: int = 0,
    records: Path | None = None,
    watch: Callable[[int], None] = lambda played: None,
) -> GameReport:
    """Return what is wrong with a game.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed; then replays what lies in the folder `records`. `watch` is called with how many
    games have been played.
    """
    notes = Notes(game)
    notes(check_rules_page, game, None)
    if notes(check_options, game, None):
        notes.go_through(games, seed, watch)
    kept = records_in(records)
    for path in kept:
        notes(check_golden, game, None, path)
    if not kept:
        notes.skipped["golden"] = f"there is no record in {records or 'a folder for them'}"
    speed = None if notes.found else measure(game, seed)
    return GameReport(
        game.name, notes.games, len(kept), speed, notes.findings(), notes.unclear() | notes.skipped
    )


@dataclass(slots=True)
class Notes:
    """A Run that notes what is found in a game: of each check the first finding, and how many."""

    game: Game[Any]
    games: int = 0
    found: dict[str, GameFinding] = field(default_factory=dict)
    made: set[str] = field(default_factory=lambda: {"end"})  # which is looked at on the way
    skipped: dict[str, str] = field(default_factory=dict)

    def __call__(
        self, check: Callable[..., object], game: Game[Any], place: Any, *more: Any
    ) -> bool:
        """See Run; a check that would say nothing is taken to hold."""
        name = check.__name__.removeprefix("check_")
        self.made.add(name)
        if self.found.keys() & PROMISES[name].after:
            return True
        with record_signals() as received:
            try:
                check(game, place, *more)
            except ConformanceError as error:
                self._note(error.check, error.what, place)
            except (Exception, SystemExit) as error:  # third-party rules may raise anything
                if received:  # the program is told to end, and the game is not at fault
                    raise
                self._note(name, f"it fails: {explained(error)}", place)
            else:
                return True
        return False

    def go_through(self, games: int, seed: int, watch: Callable[[int], None]) -> None:
        """Run all checks of random play."""

        def count(played: int) -> None:
            self.games = played
            watch(played)

        go_through(self.game, games, seed, self, count)

    def findings(self) -> tuple[GameFinding, ...]:
        """Return the findings that are not due to others, the most basic first."""
        return tuple(self.found[c] for c in PROMISES if c in self.found and not self._causes(c))

    def unclear(self) -> dict[str, str]:
        """Return the checks about which nothing can be said, and why."""
        unclear = {}
        for check in PROMISES:
            causes = self._causes(check)
            if causes:
                unclear[check] = f"it cannot be told while {causes[0]} fails"
            elif check not in self.made and check not in self.found:
                unclear[check] = "no game came that far"
        return unclear

    def _causes(self, check: str) -> list[str]:
        return [cause for cause in PROMISES[check].after if cause in self.found]

    def _note(
        self, check: str, what: str, place: Trial | Position[Any] | Doubt[Any] | None
    ) -> None:
        if check in self.found:
            first = self.found[check]
            self.found[check] = replace(first, count=first.count + 1)
            return
        where = place.position if isinstance(place, Doubt) else place
        found = trace(self.game, where) if where is not None else Trace()
        self.found[check] = GameFinding(check, self.game.name, what, *found)
