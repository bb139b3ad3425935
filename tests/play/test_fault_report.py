"""Reports of bots' faults: writing, reading and reproducing them."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.kit.installed_games import names_for_arrays

from cardhub import Game
from cardhub.base.errors import BotExceptionError, BotFaultError, BotIllegalError, RecordError
from cardhub.bots import RandomBot
from cardhub.model.game.initial_state import Seed
from cardhub.model.hidden.observation import Observation
from cardhub.play.fault_report import (
    Reproduction,
    ask_again,
    decisions,
    read_reproduction,
    reproduce,
    save_fault,
    write_reproduction,
)
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import resume
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.seeds import commitment_to
from cardhub.play.setup import bot_generator, let_bot_act, play_out, set_up
from cardhub.plugins.registry import find_plugins

INSTALLED = find_plugins()
GAMES: list[Game[Any]] = [Magpie(), *map(INSTALLED.game, names_for_arrays())]
NOWHERE = Path("fault.json")
# A seed like a drawn one: fault reports then contain the seed of the bot.
DRAWN = "2f" * 16


class Tired:
    """Chooses at random, and fails when it is asked for the last time."""

    def __init__(self, rng: Random, last: int = 2, seen: list[Any] | None = None) -> None:
        self._chooser = RandomBot(rng)
        self._left = last
        self._seen = seen

    def choose(self, observation: Observation[Any], /) -> int:
        """Return a random action, or raise ValueError at the last call."""
        self._left -= 1
        if self._seen is not None:
            self._seen.append((observation.state, observation.history))
        if not self._left:
            raise ValueError("too tired")
        return self._chooser.choose(observation)


def sit_down(game: Game[Any], seed: Seed = DRAWN) -> Referee[Any]:
    """Return a table of bots at the start."""
    players = [Player(name, "tired") for name in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed, commitment_to(seed))
    referee.proceed()
    return referee


def fail(referee: Referee[Any], make: Callable[[Random], Any], seat: int = 1) -> BotFaultError:
    """Play until the bot at one seat is at fault; the others choose at random."""
    bots = {s: RandomBot(bot_generator(referee.seed, s)) for s in range(len(referee.players))}
    bots[seat] = make(bot_generator(referee.seed, seat))
    with pytest.raises(BotFaultError) as caught:
        play_out(referee, bots)
    return caught.value


def kept(referee: Referee[Any], fault: BotFaultError, path: Path, missed: int = 0) -> Reproduction:
    """Return a reproduction as it is read back from a file."""
    seed = "the seed of its generator"
    path = write_reproduction(reproduce(referee, fault, "tired", seed, missed), path)
    return read_reproduction(path)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_bot_that_is_asked_again_gets_the_same_observations(
    game: Game[Any], tmp_path: Path
) -> None:
    """It gets the same observation at every decision, and fails at the same one."""
    referee, first, again = sit_down(game), list[Any](), list[Any]()
    last = 2 if game.name in ("kuhn", "leduc") else 6
    seat = 0 if game.name == "kuhn" or game.seats.default == 1 else 1
    fault = fail(referee, partial(Tired, last=last, seen=first), seat)
    path = save_fault(referee, fault, tmp_path / "game.jsonl", decisions(sit_down(game)))
    made = partial(Tired, last=last, seen=again)
    result = ask_again(game, read_reproduction(path), path, made)
    assert isinstance(result.fault, BotExceptionError)
    assert result.is_last
    assert (result.asked, result.changed) == (last, 0)
    assert again == first


def test_a_reproduction_tells_all_there_is_to_a_fault(tmp_path: Path) -> None:
    """The file has the bot, its seat, the fault, the answer and the seed of its generator."""
    referee = sit_down(GAMES[1])
    fault = fail(referee, Tired)
    path = save_fault(referee, fault, tmp_path / "game.jsonl", decisions(sit_down(GAMES[1])))
    written = json.loads(path.read_text("utf-8"))
    assert path.name == "game.fault.json"
    assert (written["fault"], written["seat"], written["missed"]) == ("exception", 1, 0)
    assert written["message"] == "ValueError: too tired"
    assert "in choose" in written["details"]
    assert written["bot"] == "tired"
    drawn = Random(written["generator"])
    assert drawn.random() == bot_generator(referee.seed, 1).random()


def test_a_reproduction_holds_no_card_that_the_bot_had_not_seen(tmp_path: Path) -> None:
    referee = sit_down(INSTALLED.game("gargon"))
    reproduction = kept(referee, fail(referee, Tired), tmp_path / "game.jsonl")
    header = reproduction.record[0]
    labels = referee.observe(1).labels()
    assert header["seed"] is None
    assert header["deal"] == [labels.card(token) for token in range(len(header["deal"]))]


@pytest.mark.parametrize(
    ("answer", "written"),
    [(-7, -7), ({"action": "lay"}, {"action": "lay"}), ({1}, "{1}"), (float("nan"), "nan")],
)
def test_any_answer_can_be_written_down(answer: object, written: object, tmp_path: Path) -> None:
    referee = sit_down(GAMES[1])
    while referee.seat != 1:
        let_bot_act(referee, RandomBot(Random(1)))
    fault = BotIllegalError("no", answer)
    assert kept(referee, fault, tmp_path / "game.jsonl").answer == written


def test_lone_surrogates_in_a_message_do_no_harm(tmp_path: Path) -> None:
    """The answer of a program may be any text."""
    referee = sit_down(GAMES[1])
    fault = BotIllegalError("\ud800", {"action": "\udfff"})
    assert kept(referee, fault, tmp_path / "game.jsonl").answer == {"action": "\udfff"}


def test_a_bot_is_not_asked_for_decisions_before_it_was_created(tmp_path: Path) -> None:
    game, path = INSTALLED.game("gargon"), tmp_path / "game.jsonl"
    players = [Player(name, "tired") for name in NAMES[:3]]
    referee = set_up(game, players, {}, DRAWN, commitment_to(DRAWN))
    record_to(referee, path)
    referee.proceed()
    for _ in range(30):
        let_bot_act(referee, RandomBot(Random(1)))
    resumed = resume(game, read_record(path))
    resumed.proceed()
    missed = decisions(resumed)
    fault = fail(resumed, partial(Tired, last=3))
    written = save_fault(resumed, fault, path, missed)
    result = ask_again(game, read_reproduction(written), written, partial(Tired, last=3))
    assert missed[1] > 0
    assert result.is_last
    assert (result.asked, result.changed) == (3, 0)


def test_a_bot_that_was_mended_is_not_at_fault_again(tmp_path: Path) -> None:
    """The game goes on as it did, even where it chooses otherwise."""
    game = INSTALLED.game("gargon")
    referee = sit_down(game)
    reproduction = kept(referee, fail(referee, partial(Tired, last=9)), tmp_path / "game.jsonl")
    same = ask_again(game, reproduction, NOWHERE, lambda _: RandomBot(bot_generator(DRAWN, 1)))
    assert (same.fault, same.changed, same.asked, same.decisions) == (None, 0, 9, 9)
    other = ask_again(game, reproduction, NOWHERE, RandomBot)
    assert other.fault is None
    assert other.changed > 0
    legal = referee.observe(1).labels().notations(referee.observe(1).legal())
    assert other.chosen in legal


def test_a_bot_that_fails_earlier_is_not_asked_any_further(tmp_path: Path) -> None:
    game = INSTALLED.game("gargon")
    referee = sit_down(game)
    reproduction = kept(referee, fail(referee, partial(Tired, last=5)), tmp_path / "game.jsonl")
    result = ask_again(game, reproduction, NOWHERE, partial(Tired, last=2))
    assert not result.is_last
    assert (result.asked, result.decisions) == (2, 5)


def test_several_faults_in_one_game_are_several_files(tmp_path: Path) -> None:
    """A later fault never overwrites an earlier file."""
    referee = sit_down(GAMES[1])
    reproduction = reproduce(referee, BotIllegalError("no"), "tired", "1")
    paths = [write_reproduction(reproduction, tmp_path / "game.jsonl") for _ in range(3)]
    assert [path.name for path in paths] == [
        "game.fault.json",
        "game.fault2.json",
        "game.fault3.json",
    ]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda _: "{", "not JSON"),
        (lambda _: "[]", "not the reproduction of a fault: it lacks 'cardhub_reproduction'"),
        (lambda text: text.replace("reproduction", "record", 1), "not the reproduction"),
        (lambda text: text.replace('ion": 1', 'ion": 2', 1), "format 2 cannot be read"),
        (lambda text: text.replace('"seat"', '"seats"', 1), "'seat' is missing"),
        (lambda text: text.replace('"bot": "tired"', '"bot": 3'), "'bot' is text, not 3"),
        (lambda text: text.replace('{"cardhub_record"', '2, {"a"'), "which are objects"),
    ],
)
def test_a_damaged_reproduction_is_refused(
    spoil: Callable[[str], str], message: str, tmp_path: Path
) -> None:
    """The error names the file and the reason."""
    referee = sit_down(GAMES[1])
    reproduction = reproduce(referee, BotIllegalError("no"), "tired", "1")
    path = write_reproduction(reproduction, tmp_path / "game.jsonl")
    path.write_text(spoil(path.read_text("utf-8")), "utf-8")
    with pytest.raises(RecordError) as error:
        read_reproduction(path)
    assert message in str(error.value)
    assert str(error.value).startswith(str(path))


def test_a_record_within_a_reproduction_is_checked_like_any_other(tmp_path: Path) -> None:
    """The error names the file, and the line within the record."""
    game = INSTALLED.game("gargon")
    referee = sit_down(game)
    path = write_reproduction(
        reproduce(referee, fail(referee, Tired), "tired", "1"), tmp_path / "game.jsonl"
    )
    text = path.read_text("utf-8")
    path.write_text(text.replace('{"seat": 0, "action": "lay', '{"seat": 2, "action": "lay', 1))
    with pytest.raises(RecordError, match=r"game\.fault\.json: record:2: Chris is not to act"):
        ask_again(game, read_reproduction(path), path, RandomBot)
    path.write_text(text.replace('"seat": 1,', '"seat": 2,', 1))
    with pytest.raises(RecordError, match="record:1: it is not redacted for seat 2"):
        ask_again(game, read_reproduction(path), path, RandomBot)
