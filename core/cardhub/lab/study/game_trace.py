"""Traces of games: choices, leads and uses of cards, from replays of logged games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.base.errors import RecordError
from cardhub.lab.match.log.transcript import record_of
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.playing import plugins_in
from cardhub.lab.match.seat_scores import seats_of_teams
from cardhub.lab.match.task import GameResult
from cardhub.lab.study.study_schema import UseKind
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.game.played_steps import Frequency
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.actions import Actions, Choice, Sites, Tokens
from cardhub.model.table.scoring import Scoring
from cardhub.play.records.replaying import open_record, read_entry
from cardhub.play.referee import Referee

# The leader of a position in which several seats or teams share the best score.
NOBODY_LEADS = -1
# The most values of a group of actions that are counted separately.
MOST_WORDS = 12


class UseKey(NamedTuple):
    """The kind of a use, and the name of its action or card as people read it."""

    kind: UseKind
    name: str


@dataclass(frozen=True, slots=True)
class GameTrace:
    """Facts on a game that only a replay shows.

    `choices`: the number of legal actions by decision. `leaders`: before each decision and at the
    end, the first seat of the team that leads alone, or NOBODY_LEADS. `uses`: by seat, in how many
    of the decisions in which an action or card was legal it was chosen.
    """

    choices: tuple[int, ...]
    leaders: tuple[int, ...]
    uses: tuple[Mapping[UseKey, Frequency], ...]


def trace_all(
    match: Match, results: Sequence[GameResult], directories: tuple[Path, ...]
) -> tuple[GameTrace, ...]:
    """Return the traces of a match's games in order; raises RecordError or PluginError."""
    games = plugins_in(directories)
    return tuple(
        _trace(match, result, games.game(match.contest(result.contest).game)) for result in results
    )


def _trace(match: Match, result: GameResult, game: Game[Any]) -> GameTrace:
    record = record_of(match, result, game, Path(f"{result.id}.jsonl"))
    referee = open_record(game, record)
    tracer = _Tracer(game, referee, seats_of_teams(result))
    tracer.look_at_deal()
    for number, line in record.lines:
        if "scores" in line:
            continue
        try:
            entry = read_entry(referee, line)
            if "action" in line and referee.seat >= 0:
                tracer.look(entry.action)  # type: ignore[union-attr]  # a line with an action is Taken
            referee.apply_entry(entry)
        except RecordError:
            raise
        except Exception as error:
            problem = f"the replay fails at action {number - 1}: {error}"
            raise RecordError(f"game {result.id}: {problem}") from error
    return tracer.trace()


class _Tracer:
    """Collects the trace of a game while a referee replays it."""

    def __init__(self, game: Game[Any], referee: Referee[Any], firsts: Sequence[int]) -> None:
        self._game = game
        self._referee = referee
        self._scoring: Scoring = game_scoring(game, referee.settings, len(referee.players))
        self._firsts = firsts
        self._words = _words_of(game)
        self._choices: list[int] = []
        self._leaders: list[int] = []
        self._uses: list[dict[UseKey, list[int]]] = [{} for _ in referee.players]

    def look(self, action: int) -> None:
        """Record the position before an action of the seat to act."""
        state = self._referee.observe(EVERYTHING).state
        legal = self._game.legal(state)
        self._choices.append(len(legal))
        self._leaders.append(self._leader())
        counts = self._uses[state.seat]
        for key in {key for choice in legal for key in self._keys(state, choice)}:
            counts.setdefault(key, [0, 0])[1] += 1
        for key in self._keys(state, action):
            counts[key][0] += 1

    def look_at_deal(self) -> None:
        """Record the dealt cards that only their seat sees."""
        state = self._referee.observe(EVERYTHING).state
        for zone in state.zones:
            if zone.faces == "owner":
                for seat, pile in enumerate(zone.piles(state)):
                    for token in pile:
                        card = self._game.cards.faces[state.face[token]]
                        self._uses[seat].setdefault(UseKey("dealt", card.label), [1, 1])

    def trace(self) -> GameTrace:
        """Return the trace up to the current state of the game."""
        uses = tuple(
            {key: Frequency(*counts[key]) for key in sorted(counts)} for counts in self._uses
        )
        return GameTrace(tuple(self._choices), (*self._leaders, self._leader()), uses)

    def _leader(self) -> int:
        scores = self._referee.scores()
        places = self._scoring.places(scores)
        best = [seat for seat in self._firsts if places[seat] == 1]
        return best[0] if len(best) == 1 < len(self._firsts) else NOBODY_LEADS

    def _keys(self, state: Any, action: int) -> Iterator[UseKey]:
        yield from self._words[action]
        token = self._game.actions.token(action)
        # A seat that takes an unseen card does not choose that card.
        if token is not None and state.seen[token] >> state.seat & 1:
            verb, _ = self._game.actions.verb_and_index[action]
            card = self._game.cards.faces[state.face[token]]
            yield UseKey("card", f"{verb} {card.label}")


@lru_cache(maxsize=8)
def _words_of(game: Game[Any]) -> list[tuple[UseKey, ...]]:
    """Return by action the keys that do not depend on the state."""
    return [tuple(_fixed_keys(game.actions, action)) for action in range(game.actions.size)]


def _fixed_keys(actions: Actions, action: int) -> Iterator[UseKey]:
    group, index = actions.group(action)
    yield UseKey("action", group.verb)
    if not isinstance(group, Choice) or isinstance(group, Sites | Tokens):
        return
    label = group.label(index, str)
    if group.is_of_cards:
        yield UseKey("card", label)
    elif 1 < group.size <= MOST_WORDS:
        yield UseKey("action", label)
