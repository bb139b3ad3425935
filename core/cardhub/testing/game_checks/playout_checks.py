"""Check a random game: every step of it, and some of its positions thoroughly."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Generic

from cardhub.base.writing import listed
from cardhub.bots.deadline import TooLateError, within
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.game.sides import KnownSides, known_sides
from cardhub.model.hidden.chance import play_out
from cardhub.model.hidden.constraints.face_masks import possible_faces
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import observed_state
from cardhub.model.table.goal import Goal
from cardhub.model.table.rounds import count_choices
from cardhub.model.table.state import OVER
from cardhub.testing import checking
from cardhub.testing.checking import CheckRunner, ConformanceError, error_line, run_or_raise
from cardhub.testing.coverage import (
    NEW,
    ActionChooser,
    ChoosingStyle,
    Coverage,
    Rarity,
    choose_opening,
    style_of,
)
from cardhub.testing.game_checks.determinization_bias import check_variety
from cardhub.testing.game_checks.display import (
    check_beats,
    check_labels,
    check_layout,
    check_narration,
    check_notations,
    check_scene,
    check_sight,
    check_summary,
    check_why_not,
)
from cardhub.testing.game_checks.display_checks.comparisons import (
    check_chapter,
    check_consequence,
    is_one_line,
)
from cardhub.testing.game_checks.display_checks.final_accounts import (
    StepCollector,
    check_breakdown,
    check_player_statistics,
)
from cardhub.testing.game_checks.error_checks.error_exits import check_same_errors
from cardhub.testing.game_checks.message_checks import check_same_messages
from cardhub.testing.game_checks.prompts import PromptTexts, check_prompts
from cardhub.testing.game_checks.published import check_final_scores, check_published
from cardhub.testing.game_checks.record_checks import check_same_record
from cardhub.testing.game_checks.rounds_of_choices import (
    RoundCollector,
    RoundDecision,
    check_order,
    check_recognition,
)
from cardhub.testing.game_checks.secrecy import (
    check_legal_is_public,
    check_secrecy,
    check_truth_is_allowed,
)
from cardhub.testing.game_checks.simultaneous_choices import RoundFollower
from cardhub.testing.game_checks.state_checks import (
    check_clone,
    check_heuristics,
    check_pickle,
    check_random_action,
    check_replay,
    check_step,
)
from cardhub.testing.game_checks.taint.public_results import (
    ReadingLines,
    check_same_result,
    find_reading_lines,
)
from cardhub.testing.random_play import (
    MOST_ACTIONS,
    Opening,
    Position,
    Trial,
    deal,
    default_trial,
    play,
)
from cardhub.testing.rule_coverage import watch_rules

# Random games with each number of players, until the scores of two seats differ.
GOAL_GAMES = 100


def check_teams(game: Game[Any], trial: Trial) -> None:
    """Check that every seat has a team, and that only a common cause has a target."""
    try:
        scoring = game_scoring(game, trial.settings, trial.seats)
    except TypeError as error:
        problem, _, _ = str(error).partition("\n")
        trial.fail(game, "teams", problem)
    if type(game.goal) is not Goal:
        trial.fail(game, "teams", f"goal is {game.goal!r}, not a member of Goal")
    if not (isinstance(game.unit, str) and game.unit.strip()):
        trial.fail(game, "teams", f"unit is {game.unit!r}, not a plural noun such as 'chips'")
    if scoring.shared_teams and game.sides:
        trial.fail(game, "teams", "the game has both teams and sides")
    is_named = all(is_one_line(name) and name for name in game.sides)
    if len(set(game.sides)) < len(game.sides) or not is_named:
        problem = f"sides are {game.sides!r}, not different names of one line"
        trial.fail(game, "teams", problem)
    if scoring.target is not None and scoring.goal is not Goal.COMMON:
        problem = f"target() returns {scoring.target}, but the goal is {scoring.goal.name}"
        trial.fail(game, "teams", problem)


def check_team_scores(game: Game[S], position: Position[S]) -> None:
    """Check that the members of a team have equal scores, and with COMMON all seats."""
    trial = position.trial
    scoring = game_scoring(game, trial.settings, trial.seats)
    is_common = scoring.goal is Goal.COMMON
    teams = (0,) * trial.seats if is_common else scoring.teams
    scores = game.scores(position.state)
    if len({*zip(teams, scores, strict=True)}) > len(set(teams)):
        whose = "of a common cause" if is_common else f"of the teams {list(teams)}"
        position.fail(game, "team_scores", f"scores {whose} differ between members: {scores}")


def check_score_swing(game: Game[S], position: Position[S]) -> None:
    """Check that the last action changed no difference of scores by more than was declared."""
    if type(game).score_swing is Game.score_swing or position.before is None:
        return
    limit, rest = game.score_swing(position.before), game.score_swing(position.state)
    if limit is None:
        return
    for value in (limit, rest):
        if type(value) is not int or value < 0:
            position.fail(
                game, "score_swing", f"score_swing() returns {value!r}, not an int from 0"
            )
    if position.state.seat == OVER:
        rest = 0
    earlier, later = game.scores(position.before), game.scores(position.state)
    changes = [new - old for old, new in zip(earlier, later, strict=True)]
    change = max(changes) - min(changes)
    if change + (rest or 0) > limit:
        problem = f"a difference changed by {change}, and score_swing() fell from {limit} to {rest}"
        position.fail(game, "score_swing", problem)


def check_sides(game: Game[S], position: Position[S]) -> None:
    """Check that viewers know true sides only, and all sides once the game is over."""
    if not game.sides:
        return
    state, viewers = position.state, range(position.trial.seats + 1)
    truth = _sides_of(game, position, state)
    shown = [_sides_of(game, position, observed_state(state, viewer)) for viewer in viewers]
    for viewer, sides in zip(viewers, shown, strict=True):
        for seat, side in enumerate(sides):
            if side is not None and side != truth[seat]:
                true = None if (index := truth[seat]) is None else game.sides[index]
                problem = f"reads that seat {seat} is {game.sides[side]!r}, but it is {true!r}"
                position.fail(game, "sides", f"{position.viewer_name(viewer)} {problem}")
    # Partners that change from deal to deal are nobody's at the end.
    if state.seat == OVER and any(side is not None for side in truth):
        _check_final_sides(game, position, truth if game.opens_at_end else shown[-1])


def _sides_of(game: Game[S], position: Position[S], state: S) -> KnownSides:
    try:
        return known_sides(game, state)
    except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
        position.fail(game, "sides", f"side(): {error_line(error)}")


def _check_final_sides(game: Game[S], position: Position[S], sides: KnownSides) -> None:
    if unknown := [seat for seat, side in enumerate(sides) if side is None]:
        seats = listed([f"seat {seat}" for seat in unknown])
        position.fail(game, "sides", f"not everybody knows the side of {seats} at the end")
    scores = game.scores(position.state)
    for side, name in enumerate(game.sides):
        members = {scores[seat] for seat, other in enumerate(sides) if other == side}
        if len(members) > 1:
            problem = f"the members of {name!r} have different scores at the end: {scores}"
            position.fail(game, "sides", problem)


def check_goal(game: Game[Any], trial: Trial, games: int = GOAL_GAMES) -> None:
    """Check that the scores of two seats differ in some random game, unless they share one.

    Plays games with every number of players from the seed of `trial` on.
    """
    several = range(max(2, game.seats.low), game.seats.high + 1)
    if game.goal is Goal.COMMON or not several:
        return
    seeds = range(trial.seed, trial.seed + games)
    for sample in (default_trial(game, seats, seed) for seed in seeds for seats in several):
        rng, state = Random(f"{sample.seed} goal"), deal(game, sample)
        scores = game.scores(state) if play_out(game, state, rng, MOST_ACTIONS) else None
        # Games without an end are reported by the check `end`.
        if scores is None or len(set(scores)) > 1:
            return
    problem = f"in {games} random games with each number of players all seats had equal scores"
    trial.fail(game, "goal", f"{problem}, but the goal is {game.goal.name}")


# Checks of sampled positions: all that people read and type.
SAID_CHECKS = (
    check_notations,
    check_labels,
    check_narration,
    check_summary,
    check_why_not,
    check_consequence,
    check_chapter,
    check_scene,
    check_beats,
    check_layout,
)
# Actions of a kind that was taken less often are seen by all viewers.
RARE = 3
# Every how many rounds error texts are compared.
ERROR_ROUNDS = 4
# The rarity of all positions in games that are not directed.
COMMON = Rarity(0, 0)


def check_playout(
    game: Game[S],
    trial: Trial,
    samples: int = 3,
    draws: int = 2,
    run: CheckRunner = run_or_raise,
    coverage: Coverage | None = None,
    *,
    closely: bool = False,
) -> bool:
    """Check every step of a random game, and `samples` of its positions thoroughly.

    `draws` is the number of determinizations per viewer and sampled position. `closely` checks the
    names of actions at every step. `coverage` directs games of the rounds after the first. Returns
    whether the game was played to its end.
    """
    last, coverage = None, coverage or Coverage(game)
    trial, opening = choose_opening(coverage, trial)
    # Before the deal: rules must not change either of them.
    rng_state, attributes = random.getstate(), _attributes(game)
    followers, is_copied = _Followers(game, trial, samples), True
    for last in _positions(game, trial, coverage, opening, run):
        if not last.number:
            is_copied = run(check_clone, game, last)
        if opening and last.number < len(opening.steps):
            followers.skip(last)  # it was checked in the game before
            continue
        if not check_step(game, last, run):
            break
        _check_each_step(game, last, run, closely=closely)
        if is_copied:  # else the actions below would change the game
            _check_rules_again(game, last, coverage, run)
        followers.add(last, coverage, run)
    run(check_randomness, game, last or trial, rng_state)
    is_whole = last is not None and last.state.seat == OVER
    if last is not None and is_whole:
        _check_whole_game(game, last, followers, run)
        _check_samples(game, followers, draws, run, coverage.prompts)
    run(check_memory, game, last or trial, attributes)
    return is_whole


def _check_each_step(
    game: Game[S], position: Position[S], run: CheckRunner, *, closely: bool
) -> None:
    run(check_team_scores, game, position)
    run(check_score_swing, game, position)
    run(check_sides, game, position)
    run(check_legal_is_public, game, position)
    if possible_faces(game) is not None or type(game).plausible is not Game.plausible:
        run(check_truth_is_allowed, game, position, position.number % (position.trial.seats + 1))
    for check in (check_notations, check_labels, check_why_not) if closely else ():
        run(check, game, position)


def _check_rules_again(
    game: Game[S], position: Position[S], coverage: Coverage, run: CheckRunner
) -> None:
    """Check what the last action shows, by applying it again to copies of the state."""
    for viewer in _viewers_of_step(position, coverage):
        run(check_sight, game, position, viewer)
    # Not a part of the check: to run a check takes longer than to find that no line reads a face.
    if (lines := _run_again(game, position, coverage)) or not position.number:
        run(check_same_result, game, position, lines, coverage)


def _viewers_of_step(position: Position[Any], coverage: Coverage) -> Sequence[int]:
    """Return the viewers who look at a step: all if its kind is rare, else one in turn."""
    viewers = range(position.trial.seats + 1)
    if position.before is not None:
        action = position.steps[position.number - 1].action
        if coverage.kinds[coverage.kind(position.before, action)] < RARE:
            return viewers
    return viewers[position.number % len(viewers) :][:1]


def _run_again(game: Game[S], position: Position[S], coverage: Coverage) -> ReadingLines:
    """Note which rules run for a position; return the lines that read hidden faces."""
    try:
        return within(checking.LIMIT, _watch_step, game, position, coverage)
    except TooLateError:  # which the checks of these rules report
        coverage.rules.close()
        return {}


def _watch_step(game: Game[S], position: Position[S], coverage: Coverage) -> ReadingLines:
    watch_rules(game, position, coverage.rules)
    return find_reading_lines(game, position)


def check_position(
    game: Game[S],
    position: Position[S],
    rng: Random,
    draws: int = 2,
    run: CheckRunner = run_or_raise,
) -> None:
    """Check one position thoroughly."""
    for check in (check_clone, check_pickle):
        run(check, game, position)
    for sampling_check in (check_random_action, check_heuristics):
        run(sampling_check, game, position, rng)
    for check in SAID_CHECKS:
        run(check, game, position)
    check_secrecy(game, position, rng, draws, run)
    run(check_published, game, position, rng)
    run(check_variety, game, position, rng)
    run(check_same_record, game, position, rng.randrange(position.state.seats + 1), rng)


def check_rules(
    game: Game[S],
    last: Trial | Position[S],
    positions: Iterator[Position[S]],
    reached: list[Position[S]],
) -> None:
    """Check that the next action raises no error; append the position after it to `reached`."""
    try:
        reached.extend(islice(positions, 1))
    except ConformanceError:
        raise
    except Exception as error:  # third-party rules may raise anything
        problem = f"{_next_step(game, last)} fails: {error_line(error)}"
        raise last.failure(game, "rules", problem) from error


def check_randomness(game: Game[Any], last: Trial | Position[Any], before: object) -> None:
    """Check that the rules left the state of the module `random` unchanged."""
    if random.getstate() != before:
        last.fail(game, "randomness", "the rules draw from the module `random`, or seed it")


def check_memory(game: Game[Any], last: Trial | Position[Any], before: dict[str, Any]) -> None:
    """Check that the attributes of the game object and its classes are unchanged."""
    after = _attributes(game)
    changed = [name for name in after if name not in before or after[name] != before[name]]
    if changed:
        last.fail(game, "memory", f"a game has changed {', '.join(changed)}")


def _check_whole_game(
    game: Game[S],
    last: Position[S],
    followers: "_Followers[S]",
    run: CheckRunner,
) -> None:
    run(check_replay, game, last)
    run(check_breakdown, game, last)
    run(check_final_scores, game, last)
    run(check_player_statistics, game, last, followers.accounts)
    # A game without rounds of choices passes, too.
    for decision in followers.rounds.decisions or [RoundDecision((last,))]:
        run(check_recognition, game, decision.position, decision)
        run(check_order, game, decision.position, decision)


def _check_samples(
    game: Game[S], followers: "_Followers[S]", draws: int, run: CheckRunner, texts: PromptTexts
) -> None:
    chosen, rng = followers.sample.positions, followers.rng
    for position in chosen:
        check_position(game, position, rng, draws, run)
        run(check_prompts, game, position, texts)
    # Error texts hardly depend on the position, and each comparison replays the game.
    if not chosen[0].trial.round % ERROR_ROUNDS:
        run(check_same_errors, game, rng.choice(chosen), rng)
        run(check_same_messages, game, rng.choice(chosen), rng)


class _Sample(Generic[S]):
    """The rarest positions of a game; of equally rare ones a uniform sample."""

    def __init__(self, size: int, rng: Random, *, is_directed: bool) -> None:
        self._size = size
        self._rng = rng
        self._is_directed = is_directed
        self._best: list[tuple[Rarity, float, Position[S]]] = []

    @property
    def positions(self) -> list[Position[S]]:
        """The sampled positions."""
        return [position for _, _, position in self._best]

    def add(self, position: Position[S], rarity: Rarity) -> None:
        """Add a position to the game, and keep it if it is among the rarest."""
        # In a round every seat knows what it knew before the first choice, and its own choice.
        if count_choices(position.state):
            return
        entry = (
            rarity if self._is_directed or rarity == NEW else COMMON,
            self._rng.random(),
            position,
        )
        self._best = sorted([*self._best, entry], key=lambda ranked: ranked[:2])[: self._size]


class _Followers(Generic[S]):
    """Collectors of the positions of a random game, for checks of the whole game."""

    def __init__(self, game: Game[S], trial: Trial, samples: int) -> None:
        self.rng = Random(f"{trial.seed} samples")
        is_directed = style_of(trial) is not ChoosingStyle.UNIFORM
        self.sample = _Sample[S](samples, self.rng, is_directed=is_directed)
        self.accounts = StepCollector(game, trial.seed % trial.seats)
        self.rounds = RoundCollector(game, Random(f"{trial.seed} rounds"))
        self._choices = RoundFollower[S]()
        self._game = game

    def skip(self, position: Position[S]) -> None:
        """Add a position that is not checked again."""
        self.accounts.add(position)
        self.rounds.add(position)

    def add(self, position: Position[S], coverage: Coverage, run: CheckRunner) -> None:
        """Add a position, and check the choices of its round."""
        self.skip(position)
        self._choices.check(self._game, position, run)
        self.sample.add(position, coverage.note(position))


def _positions(
    game: Game[S], trial: Trial, coverage: Coverage, opening: Opening | None, run: CheckRunner
) -> Iterator[Position[S]]:
    seed = f"{trial.seed} {trial.round}" if opening else ""
    positions = play(game, trial, ActionChooser(game, trial, coverage, seed), opening)
    last = None
    while last is None or last.state.seat != OVER:
        reached: list[Position[S]] = []
        run(check_rules, game, last or trial, positions, reached)
        if not reached:  # the rules raised an error, which `run` has noted
            return
        last = reached[0]
        yield last


def _next_step(game: Game[S], last: Trial | Position[S]) -> str:
    if isinstance(last, Trial):
        return "the deal"
    # The game of a position has already appended the action that fails.
    state, action = last.state, last.steps[last.number].action
    return repr(Labels(game, state.face, state.back).label(action))


def _attributes(game: Game[Any]) -> dict[str, Any]:
    """Return the attributes of a game and its parts by name and owner."""
    # The parts first: the game object gets them when they are first used.
    owners = {
        "the heuristics": game.heuristics,
        "the display": game.display,
        "the game object": game,
    }
    return {
        f"{name} of {owner}": value.copy() if isinstance(value, list | dict | set) else value
        for owner, part in owners.items()
        for source in (*reversed(type(part).__mro__), part)
        for name, value in vars(source).items()
        if name != "__annotations__"  # Python makes it when it is first read
    }
