"""Faults of bots planted on purpose, each found by the check that ought to find it."""

import gc
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from tests.games.leaking_magpies import DeniesTruth
from tests.games.magpie import Magpie
from tests.testing.bot_checks import faulty_bots as faulty

from cardhub import CHANCE, Game
from cardhub.base.errors import BotCrashError, BotFaultError, BotIllegalError, BotTimeoutError
from cardhub.bots import RandomBot, asking
from cardhub.model.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.testing import BotReport, Finding, check_bot
from cardhub.testing.bot_checks.bot_findings import CHECKS
from cardhub.testing.bot_checks.bot_game import bot_games
from cardhub.testing.location import Location
from cardhub.testing.random_play import changed_options
from cardhub_gargon import Gargon
from cardhub_garner import Garner

POSITIONS = 24
# Enough for faults that every answer shows, and for those that half of them show.
FEW, SOME = 8, 16


@pytest.fixture(autouse=True)
def own_memory() -> Iterator[None]:
    """Keep the objects of other tests out of the memory that some bots search."""
    gc.freeze()
    yield
    gc.unfreeze()


def report(make: type[faulty.Fair], game: Game[Any] | None = None, **given: Any) -> BotReport:
    """Return the report on a bot."""
    return check_bot(make, game or Magpie(), **({"positions": POSITIONS} | given))


def only_finding(make: type[faulty.Fair], game: Game[Any] | None = None, **given: Any) -> Finding:
    """Return the only finding on a bot."""
    (finding,) = report(make, game, **given).findings
    return finding


@pytest.mark.parametrize("game", [Magpie(), Gargon(), Garner()], ids=lambda game: game.name)
@pytest.mark.parametrize("make", [RandomBot, faulty.Remembers, faulty.Dreams, faulty.Held])
def test_a_good_bot_passes(make: type[faulty.Fair], game: Game[Any]) -> None:
    result = report(make, game, positions=SOME)
    assert result.findings == ()
    assert result.positions == SOME
    skipped = {"time", "policy"} | ({"secrecy"} if game.name == "garner" else set())
    assert set(result.skipped) <= skipped


PLANTED: list[tuple[type[faulty.Fair], str, str]] = [
    (
        faulty.Unmade,
        "handshake",
        "it cannot be made: LookupError: no weights (bot_checks/faulty_bots.py:",
    ),
    (
        faulty.Stuck,
        "handshake",
        "the bot Stuck cannot be closed: it raised an exception (OSError: still writing)",
    ),
    (faulty.Fails, "answers", "it fails: ZeroDivisionError: "),
    (faulty.AnswersUnreadably, "answers", "it fails: SystemExit: 0 (bot_checks/faulty_bots.py:"),
    (faulty.Leaves, "answers", "it fails: SystemExit: I give up"),
    (faulty.ReadsBlanks, "answers", "is hidden from this seat (bot_checks/faulty_bots.py:"),
    (faulty.OutOfTurn, "legality", ", which is not legal"),
    (faulty.Talks, "legality", ", which is not legal"),
    (
        faulty.Doubts,
        "policy",
        "its policy is wrong: the probabilities sum to 2, not to 1",
    ),
    (faulty.Overdraws, "policy", "it fails: its policy is wrong: -1 is not a probability"),
    (faulty.Pretends, "policy", ", which has the probability 0"),
    (faulty.Tidies, "observation", "it changes the observation: state.hand"),
    (faulty.Forgets, "observation", "it changes the observation: history"),
    (faulty.SharesLots, "seed", "it draws from the module `random`"),
    (faulty.Reseeds, "seed", "it draws from the module `random`"),
    (faulty.DrawsAnywhere, "seed", ", later "),
    (faulty.Learns, "memory", "; meanwhile Learns.games has changed"),
    (faulty.TakesNotes, "memory", "; meanwhile NOTES has changed"),
    (faulty.Counts, "memory", "; meanwhile Counts.made has changed"),
    (faulty.HasDefault, "memory", "; meanwhile HasDefault.prefer has changed"),
]
PEEKING: list[tuple[type[faulty.Fair], str]] = [
    (faulty.SearchesMemory, "it searches memory by gc.get_objects, in "),
    (faulty.SearchesCallers, "it reads frames by sys._getframe, in "),
    (faulty.DealsAgain, "it searches memory by gc.get_objects, in "),
    (faulty.PeeksOnce, "it searches memory by gc.get_objects, in "),
]
REACHING: list[tuple[type[faulty.Fair], str]] = [
    (faulty.AsksInspect, "it reads frames by sys._getframe, in "),
    (faulty.ReadsTraceback, "it reads the frame of a traceback, in "),
    (faulty.RunsText, "it searches memory by gc.get_objects, in <string>:1"),
    (faulty.Replaces, "it replaces cardhub.play.referee.Referee.check, in "),
    (faulty.WouldReach, "its source names 'get_referrers', in "),
    (faulty.HasHelper, "it imports cardhub.play.referee, in "),
]


@pytest.mark.parametrize(
    ("plant", "check", "problem"), PLANTED, ids=[p[0].__name__ for p in PLANTED]
)
def test_only_the_planted_fault_is_found(
    plant: type[faulty.Fair], check: str, problem: str
) -> None:
    """Every check can fail, and each fails on its own fault."""
    finding = only_finding(plant)
    assert (finding.check, finding.game) == (check, "magpie")
    assert problem in finding.problem


@pytest.mark.parametrize(("plant", "reach"), PEEKING, ids=[p[0].__name__ for p in PEEKING])
def test_a_bot_that_peeks_is_found_by_what_it_does_and_by_what_it_answers(
    plant: type[faulty.Fair], reach: str
) -> None:
    problems = {finding.check: finding.problem for finding in report(plant).findings}
    assert problems.keys() == {"reach", "secrecy"}
    assert "if cards that its seat cannot see lie otherwise" in problems["secrecy"]
    assert problems["reach"].startswith(reach)
    assert "faulty_bots.py:" in problems["reach"]


@pytest.mark.parametrize(("plant", "reach"), REACHING, ids=[p[0].__name__ for p in REACHING])
def test_a_bot_that_only_reaches_is_found_too(
    plant: type[faulty.Fair], reach: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Referee, "check", Referee.check)  # put back after one that replaces it
    finding = only_finding(plant, positions=FEW)
    assert finding.check == "reach"
    assert finding.problem.startswith(reach)


def test_libraries_may_read_frames() -> None:
    """Named tuples and logging read frames; that is not a fault of the bot."""
    assert report(faulty.Logs).findings == ()


def test_a_program_is_not_looked_into() -> None:
    """The report says so instead of "no findings"."""
    result = report(faulty.Fair, renew=lambda: None)
    assert "its own process is not seen" in result.skipped["reach"]


def test_every_check_is_planted_against() -> None:
    """A check without a planted fault could always pass; `time` has a separate test."""
    assert {check for _, check, _ in PLANTED} | {"time", "secrecy", "reach"} == set(CHECKS)


def test_a_planted_fault_shows_at_the_place_that_is_named() -> None:
    """The same deal and the same actions lead to the same decision."""
    finding = only_finding(faulty.OutOfTurn, Gargon())
    place = finding.location
    assert place is not None
    players = [Player(name, "random") for name in NAMES[: place.players]]
    referee = set_up(Gargon(), players, place.options, place.seed)
    referee.proceed()
    for seat, text in place.actions:
        assert referee.seat == seat
        referee.apply(referee.read_action(text))
    assert referee.seat == place.seat
    seen = referee.observe(place.seat)
    assert finding.expected == "one of " + ", ".join(seen.labels().notations(seen.legal()))


def test_a_finding_says_in_words_where_it_was_and_how_often() -> None:
    """Game, seed, players, changed options, seat, actions and the expected answer."""
    options = {"nest": 5, "peek": True}
    place = Location(
        7, 3, options, 1, ((0, "draw"), (0, "drop A1"), (CHANCE, "roll 2"), (1, "take"))
    )
    assert str(Finding("answers", "magpie", "it fails", "an action", place, 4)) == (
        "answers: it fails (4 times, first here)\n"
        "  expected: an action\n"
        "  where: magpie, seed 7, 3 players, nest=5, peek=true, seat 1 (Bob), "
        "after 4 actions: Anna: draw, drop A1; chance: roll 2; Bob: take"
    )
    assert place.facts()["actions"][2:] == [
        {"seat": "chance", "action": "roll 2"},
        {"seat": 1, "action": "take"},
    ]


class Clock:
    """A clock that advances only during a wait."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def test_an_answer_that_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a limit is declared, answers may exceed it by a fifth and a quarter of a second."""
    clock = Clock()
    monkeypatch.setattr(asking, "monotonic", clock)
    monkeypatch.setattr(faulty.Slow, "wait", staticmethod(clock.wait), raising=False)
    finding = only_finding(faulty.Slow, limit=1.0)
    assert (finding.check, finding.problem) == ("time", "it takes 2.00 s to answer")
    assert finding.expected == "1 s, or at most 1.45 s on a busy computer"
    assert finding.location is not None
    assert len(finding.location.actions) > 20
    assert report(faulty.Slow, limit=1.5).findings == ()
    unlimited = report(faulty.Slow)
    assert unlimited.skipped["time"] == "it declares no limit"
    assert {round(seconds, 1) for seconds in unlimited.seconds} == {0.1, 2.0}


@pytest.mark.parametrize(
    ("error", "check"),
    [(BotTimeoutError, "time"), (BotIllegalError, "legality"), (BotCrashError, "answers")],
)
def test_a_fault_that_a_bot_reports_itself_is_named_so(
    error: type[BotFaultError], check: str
) -> None:
    """A program that does not answer in time, or ends, is not reported as a bot that raises."""

    class Program(faulty.Fair):
        def prefer(self, seen: Observation[Any]) -> int:
            raise error("so it went")

    finding = only_finding(Program)
    assert (finding.check, finding.expected) == (check, "one of observation.legal()")
    assert "so it went" in finding.problem


def test_play_stops_after_some_games_that_end_with_a_fault() -> None:
    """A program that never answers does not take 200 times its limit to be found."""
    result = report(faulty.Leaves, positions=200)
    assert (result.games, result.positions) == (3, 3)
    assert result.skipped["secrecy"] == "it has never answered"


def test_a_bot_that_looks_at_the_clock_is_not_asked_again() -> None:
    """A second answer may differ; the report names the skipped check, and all others run."""
    result = report(faulty.DrawsAnywhere, uses_clock=True)
    assert result.passed
    assert set(result.skipped) == {"time", "seed", "memory", "secrecy", "policy"}
    assert report(faulty.SharesLots, uses_clock=True).finding("seed")


def test_a_check_without_a_result_is_not_reported_as_passed() -> None:
    """A bot that is not deterministic cannot be shown to peek."""
    assert report(faulty.DrawsAnywhere).skipped.keys() == {"time", "memory", "secrecy", "policy"}
    assert report(faulty.Learns).skipped.keys() == {"time", "seed", "secrecy", "policy"}
    assert report(faulty.Unmade).skipped.keys() == set(CHECKS) - {"handshake"}


def test_every_bot_that_is_made_is_closed() -> None:
    """A process does not stay behind, with or without findings."""
    for kind in (faulty.Held, type("HeldLeaver", (faulty.Leaves, faulty.Held), {})):
        report(kind)
        assert faulty.Held.held == set()


def test_positions_are_of_all_seats_and_numbers_of_players_and_of_other_options() -> None:
    """They are early and late positions of whole games."""
    games = list(islice(bot_games(Magpie(), seed=3), 24))
    assert {(played.trial.seats, played.seat) for played in games} == {
        (seats, seat) for seats in (2, 3, 4) for seat in range(seats)
    }
    assert [played.trial.seed for played in games] == list(range(3, 27))
    assert [bool(changed_options(played.game, played.trial)) for played in games] == [
        False,
        True,
    ] * 12


def test_the_same_check_finds_the_same() -> None:
    one, again, other = (report(faulty.OutOfTurn, seed=seed).findings for seed in (1, 1, 2))
    assert one == again != other


def test_a_game_without_other_worlds_is_said_to_be_at_fault() -> None:
    """Its bots cannot be checked for peeking before it passes its own checks."""
    why = report(faulty.Fair, DeniesTruth()).skipped["secrecy"]
    assert "the game has no other world to ask in" in why


def test_a_program_is_restarted_to_find_out_whether_it_remembers() -> None:
    """Its memory cannot be inspected, but a new process repeats its answers unless it is random."""
    played: list[int] = []

    class Program(faulty.Fair):
        def prefer(self, seen: Observation[Any]) -> int:
            played.append(seen.seat)
            return len(played)

    finding = only_finding(Program, renew=played.clear)
    assert finding.check == "memory"
    assert finding.problem.endswith("; started anew, it repeats itself")
    assert only_finding(Program).check == "seed"
    assert only_finding(faulty.DrawsAnywhere, renew=played.clear).check == "seed"


@pytest.mark.interpreted("attributes of a compiled class cannot be deleted")
def test_an_observation_may_be_spoilt_in_any_way() -> None:
    """The report names the attributes that it deleted."""

    class Spoils(faulty.Fair):
        def prefer(self, seen: Observation[Any]) -> int:
            del seen.state
            del seen.history
            return 0

    assert only_finding(Spoils).problem == "it changes the observation: history, state"
