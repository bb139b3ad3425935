"""One game of a match: its bots, their faults, and its result."""

import json
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from cardhub.base.errors import BotTimeoutError
from cardhub.bots.deadline import deadlines
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.log.log_reader import fault_path, read_result
from cardhub.lab.match.log.log_writer import log_line, replace_file
from cardhub.lab.match.log.transcript import record_of
from cardhub.lab.match.match_spec import Budget, Match
from cardhub.lab.match.run.match_bots import TimedBot
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.task import GameResult, GameTask, Played
from cardhub.play.fault_report import ask_again, read_reproduction
from cardhub.play.records.replaying import open_record, replayed
from cardhub.plugins.registry import PluginRegistry

CUP = """
    cardhub_match: 1
    name: cup
    seed: 3
    bots:
      - {{id: bad, use: {use}}}
      - {{id: good, use: first}}
    games:
      - {{game: kuhn, score: rank}}
      - {{game: gargon, id: three, players: 3, seating: rotation}}
      - {{game: gargon, id: five, players: 5, seating: rotation}}
    budget: {{guard_seconds: {guard}, bank_seconds: {bank}}}
    faults: {{multi_player: {multi}}}
"""
PYTHON = shlex.quote(sys.executable)
HELLO = """
import json, os, sys, time
def say(message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"name": "bad", "protocol": 1})
    elif message["type"] == "turn":
        FAULT
"""
PROGRAMS = {
    "crash": "sys.exit(3)",
    "garbage": "print('hm', flush=True)",
    "illegal": "say({'action': -1})",
    "refusal": "say({'error': 'I give up'})",
    "pipe": "os.close(1); time.sleep(60)",
    "timeout": "time.sleep(60)",
}
FAULTS = {
    "cheat": "illegal",
    "babbler": "illegal",
    "raiser": "exception",
    "quitter": "exception",
    "dozer": "timeout",
    "unborn": "exception",
}

MakeTask = Callable[..., GameTask]


def cup_with(use: str, guard: str = "0.2", bank: str = "none", multi: str = "substitute") -> str:
    """Return a match file in which `bad` is this bot."""
    return CUP.format(use=use, guard=guard, bank=bank, multi=multi)


@pytest.fixture
def task(match: Callable[[str], Match], registry: PluginRegistry) -> MakeTask:
    """Return a function that returns a game of `bad` against copies of `good`."""

    def make(contest: str, use: str, **others: str) -> GameTask:
        cup = match(cup_with(use, **others))
        games = Games(cup, registry.directories).of(Block(contest, 0, ("bad", "good")))
        return next(game for game in games if [s.bot for s in game.seats].count("bad") == 1)

    return make


def seat_of(result: GameResult, bot: str = "bad") -> int:
    """Return where a bot sat."""
    return result.seats.index(bot)


def check_fault(task: GameTask, fault: str, registry: PluginRegistry, folder: Path) -> Played:
    """Play a game and check the invariants of every fault."""
    played = play(task)
    result, players = played.result, len(task.seats)
    (note,) = result.faults
    assert (note.seat, note.bot, note.fault) == (seat_of(result), "bad", fault)
    assert result.places[note.seat] == players
    assert sorted(result.places)[0] == 1
    assert result.end == ("fault" if players == 2 else "over")
    assert read_result(log_line(result)) == result
    path = fault_path(folder, result.id, note.seat)
    path.parent.mkdir(exist_ok=True)
    replace_file(path, json.dumps(played.reproductions[0]))
    assert read_reproduction(path).fault == fault
    return played


@pytest.mark.parametrize("contest", ["kuhn", "three", "five"])
@pytest.mark.parametrize("use", FAULTS)
def test_every_fault_of_a_python_bot_ends_in_the_last_place(
    task: MakeTask, registry: PluginRegistry, tmp_path: Path, contest: str, use: str
) -> None:
    check_fault(task(contest, use), FAULTS[use], registry, tmp_path)


@pytest.mark.parametrize("contest", ["kuhn", "three", "five"])
@pytest.mark.parametrize("fault", PROGRAMS)
def test_every_fault_of_a_program_ends_in_the_last_place(
    task: MakeTask, registry: PluginRegistry, tmp_path: Path, contest: str, fault: str
) -> None:
    path = tmp_path / "bad.py"
    path.write_text(HELLO.replace("FAULT", PROGRAMS[fault]))
    seconds = 0.2 if fault == "timeout" else 60
    use = f'"cmd:seconds={seconds} {PYTHON} -I -S {shlex.quote(str(path))}"'
    check_fault(task(contest, use, guard="60"), fault, registry, tmp_path)


def test_a_program_that_introduces_itself_badly_is_at_fault(
    task: MakeTask, registry: PluginRegistry, tmp_path: Path
) -> None:
    """Should it do so in the middle of a match."""
    path = tmp_path / "bad.py"
    path.write_text("input(); print('{}', flush=True); input()")
    use = f'"cmd:seconds=60 {PYTHON} -I -S {shlex.quote(str(path))}"'
    check_fault(task("three", use, guard="60"), "hello", registry, tmp_path)


def test_a_fault_can_be_seen_again(
    task: MakeTask, registry: PluginRegistry, tmp_path: Path
) -> None:
    """The reproduction leads the bot to the same decision, and a good bot past it."""
    game = task("three", "cheat:after=4")
    check_fault(game, "illegal", registry, tmp_path)
    (path,) = (tmp_path / "faults").iterdir()
    kept = read_reproduction(path)
    assert kept.generator is None  # the match's seed was chosen, and could be tried
    kept = replace(kept, generator=game.seats[kept.seat].generator)
    gargon = registry.game("gargon")
    again = ask_again(gargon, kept, path, lambda rng: registry.make_bot(kept.bot, "gargon", rng))
    assert again.fault is not None
    assert (again.fault.fault, again.asked, again.changed) == ("illegal", 5, 0)
    mended = ask_again(gargon, kept, path, lambda rng: registry.make_bot("first", "gargon", rng))
    assert mended.fault is None


def test_others_play_on_with_a_fixed_substitute(task: MakeTask) -> None:
    """The game is the same whenever it is played; the bot is never asked again."""
    game = task("five", "raiser:after=2")
    result = play(game).result
    assert play(game).result == result
    own = [number for number, (who, _) in enumerate(result.moves) if who == seat_of(result)]
    assert result.faults[0].step == own[2]
    assert len(own) > 3


def test_with_the_policy_loss_a_game_of_many_ends_at_once(task: MakeTask) -> None:
    result = play(task("five", "raiser:after=2", multi="loss")).result
    assert result.end == "fault"
    assert sorted(result.places) == [1, 1, 1, 1, 5]


def test_the_time_for_a_whole_game_is_limited(task: MakeTask) -> None:
    result = play(task("three", "slow", bank="0.12")).result
    assert [note.fault for note in result.faults] == ["timeout"]
    own = sum(who == seat_of(result) for who, _ in result.moves[: result.faults[0].step])
    assert 1 <= own <= 2


def test_a_game_that_goes_on_too_long_is_taken_as_it_stands(
    match: Callable[..., Match], registry: PluginRegistry
) -> None:
    cup = match(cup_with("first", bank="none, most_steps: 10"))
    game = Games(cup, registry.directories).of(Block("three", 0, ("bad", "good")))[0]
    result = play(game).result
    assert (result.end, result.steps) == ("steps", 10)


def test_every_game_opens_as_a_record(
    match: Callable[..., Match], registry: PluginRegistry, tmp_path: Path
) -> None:
    cup = match(cup_with("random"))
    for game in Games(cup, registry.directories).of(Block("five", 1, ("bad", "good")))[:3]:
        rules, result = registry.game(game.game), play(game).result
        record = record_of(cup, result, rules, tmp_path / "x.jsonl")
        assert record.is_finished
        referee = replayed(record, open_record(rules, record))
        assert tuple(referee.scores()) == result.scores
        names = [player.name for player in record.header.players]
        assert sorted(names)[0] == "bad"
        assert len(set(names)) == 5


def test_a_game_that_a_fault_has_ended_is_a_record_that_is_not_over(
    match: Callable[..., Match], registry: PluginRegistry, task: MakeTask, tmp_path: Path
) -> None:
    game = task("kuhn", "cheat")
    cup = match(cup_with("cheat"))
    rules = registry.game("kuhn")
    record = record_of(cup, play(game).result, rules, tmp_path / "x.jsonl")
    assert not record.is_finished
    replayed(record, open_record(rules, record))


@pytest.mark.parametrize("use", ["random", "cheat:after=3"])
def test_bots_in_processes_of_their_own_play_the_same(task: MakeTask, use: str) -> None:
    game = task("three", use, guard="60")
    here, there = play(game), play(game.isolated())
    assert log_line(here.result) == log_line(there.result)


def test_a_bot_that_ends_its_process_is_at_fault_if_it_has_one(task: MakeTask) -> None:
    """The match and the other bots go on."""
    result = play(task("three", "killer:after=1", guard="60").isolated()).result
    assert [note.fault for note in result.faults] == ["crash"]
    assert result.end == "over"


def test_a_bot_that_sleeps_in_a_process_of_its_own_is_stopped(task: MakeTask) -> None:
    result = play(task("three", "dozer:after=1", guard="2").isolated()).result
    assert [note.fault for note in result.faults] == ["timeout"]


def test_equal_positions_of_a_block_get_equal_luck(
    match: Callable[..., Match], registry: PluginRegistry
) -> None:
    text = cup_with("random")
    cup = match(text.replace("game: kuhn", "game: pig, id: kuhn"))
    games = Games(cup, registry.directories).of(Block("kuhn", 0, ("bad", "good")))
    rolls = [
        [move for seat, move in play(game).result.moves if seat == "chance"][:10] for game in games
    ]
    assert rolls[0] == rolls[1]
    assert len(set(rolls[0])) > 1


def test_the_choices_of_a_bot_depend_on_its_own_seed(task: MakeTask) -> None:
    """Its generator depends on the slot only."""
    game = task("kuhn", "random")
    seat = next(seat for seat in game.seats if seat.bot == "bad")
    assert len(seat.generator) == 32
    assert Random(seat.generator).random() == Random(seat.generator).random()


class MumbledError(Exception):
    """An exception whose text takes a minute."""

    def __str__(self) -> str:
        time.sleep(60)
        return ""


class Mumbler:
    """A bot that fails, and is asked why."""

    def choose(self, observation: object, /) -> int:
        """Raise MumbledError."""
        raise MumbledError


def test_the_text_of_an_exception_counts_as_thinking_time() -> None:
    """The text of an exception is computed by third-party code."""
    bot = TimedBot(Mumbler, Budget(0.1, None, 100))
    with deadlines(), pytest.raises(BotTimeoutError):
        bot.ask(None).chosen()  # type: ignore[arg-type]  # it does not look
