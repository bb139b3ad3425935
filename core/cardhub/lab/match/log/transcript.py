"""Transcript of a game in a match: its conversion to a record, and its replay as a check."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cardhub.base.errors import CardhubError
from cardhub.lab.match.adjudication import is_decided
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.seat_scores import final_places
from cardhub.lab.match.suites import referee_of
from cardhub.lab.match.task import GameResult, GameTask, differing, player_names
from cardhub.lab.match.variance.corrections import Corrector
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.table.state import CHANCE
from cardhub.play.history_entries import Shuffled, Taken
from cardhub.play.records.header import write_faces
from cardhub.play.records.reading import Record, parse_record
from cardhub.play.records.recording import FORMAT, as_line
from cardhub.play.referee import Referee, final_sides

CHANCES = "chance"


def cards_of(referee: Referee[Any]) -> tuple[str, ...]:
    """Return the names of the dealt cards, indexed by token."""
    deal = referee.dealt.deal
    return tuple(write_faces(referee.game, deal.faces, deal.backs))


def moves_of(referee: Referee[Any]) -> tuple[tuple[Any, Any], ...]:
    """Return the past actions and shuffles of a game, in the format of a GameResult."""
    moves: list[tuple[Any, Any]] = []
    for entry in referee.entries:
        match entry:
            case Taken(seat, _, notation):
                moves.append((CHANCES if seat == CHANCE else seat, notation))
            case Shuffled(outcome):
                faces = write_faces(referee.game, outcome.faces, outcome.backs)
                moves.append((CHANCES, tuple(faces)))
    return tuple(moves)


def record_of(match: Match, result: GameResult, game: Game[Any], path: Path) -> Record:
    """Return a game as a record with the file name `path`; see record_text."""
    return parse_record(path, record_text(match, result, game).encode())


def record_text(match: Match, result: GameResult, game: Game[Any]) -> str:
    """Encode a game as the text of a record that `cardhub replay` opens.

    Its places are derived from the game's scores. The record of a game ended by a fault is
    unfinished.
    """
    return "".join(as_line(line) for line in _lines(match, result, game))


def _lines(match: Match, result: GameResult, game: Game[Any]) -> Iterator[Mapping[str, Any]]:
    contest = match.contest(result.contest)
    kinds = [
        match.substitute_in(contest) if seat in result.absent else match.entrant(bot).use
        for seat, bot in enumerate(result.seats)
    ]
    names = player_names(result.seats)
    source = contest.openings[result.deal] if contest.openings else None
    yield {
        "cardhub_record": FORMAT,
        "game": contest.game,
        "version": contest.version,
        "options": {**contest.rules, **result.vary},
        "players": [{"name": n, "kind": k} for n, k in zip(names, kinds, strict=True)],
        "seed": result.seed,
        "deal": list(result.cards),
        **({"played_on": {"record": source.source, "step": source.step}} if source else {}),
    }
    for seat, move in result.moves:
        yield {"seat": seat, "action" if isinstance(move, str) else "shuffle": move}
    # A record without scores stands for an unfinished game.
    if result.end == "over":
        scores = list(result.scores)
        settings = resolve_options(game, {**contest.rules, **result.vary}, len(scores))
        scoring = game_scoring(game, settings, len(scores))
        end = {
            "scores": scores,
            "places": scoring.places(scores),
            "returns": scoring.returns(scores),
        }
        yield end | ({"sides": list(result.sides)} if result.sides else {})


def disagreements(
    task: GameTask, result: GameResult, game: Game[Any], corrector: Corrector
) -> Iterator[str]:
    """Yield a message for each field of a result that differs from its replay.

    The result belongs to the task (`GameTask.differences`). Deal and chance are sampled again from
    the seed; only the bots' actions come from the result.
    """
    try:
        yield from differing(_replayed(task, result, game, corrector), result)
    except (CardhubError, LookupError) as error:
        yield f"its moves cannot be replayed: {error}"


def _replayed(
    task: GameTask, result: GameResult, game: Game[Any], corrector: Corrector
) -> dict[str, Any]:
    referee = referee_of(task, game)
    referee.proceed()
    # A bot's fault is noted with the number of actions before it: at that action the seat must act,
    # whether a substitute acts for it or the game ends.
    due = {note.step: note.seat for note in result.faults}
    weights = {drawn.step: dict(drawn.weights) for drawn in result.drawn}
    for seat, move in result.moves[result.opening :]:
        # Chance moves are skipped: the replay has to sample the same ones.
        if isinstance(seat, int) and isinstance(move, str):
            step = referee.action_count
            if is_decided(task, referee):
                raise LookupError(f"the places are certain after {step} actions")
            action = _act(referee, seat, move, due.get(step, seat), step)
            if step in weights and not weights[step].get(action):
                raise LookupError(f"the policy after {step} actions cannot draw {move!r}")
    out = {*result.absent, *result.faulty}
    is_fault = bool(result.faults) and task.limits.policy == "loss"
    end = "over" if referee.is_over else "fault" if is_fault else "steps"
    end = "decided" if is_decided(task, referee) else end
    scores = tuple(referee.scores())
    return {
        "cards": cards_of(referee),
        "moves": moves_of(referee),
        "steps": referee.action_count,
        "end": end,
        "scores": scores,
        "places": final_places(scores, out, referee.scoring, has_ended=result.end != "fault"),
        "teams": referee.scoring.shared_teams,
        "sides": final_sides(referee),
        "corrections": corrector.of(task, referee, result.faults, result.drawn),
    }


def _act(referee: Referee[Any], seat: int, move: str, faulty: int, step: int) -> int:
    if referee.seat != seat:
        raise LookupError(f"seat {referee.seat} is to act after {step} actions, not seat {seat}")
    if faulty != seat:
        raise LookupError(f"seat {faulty} was not to act after {step} actions, when it failed")
    action = referee.read_action(move)
    referee.apply(action)
    return action
