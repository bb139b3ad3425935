"""Checks of the deal and options before the first action, and of states at every step."""

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import fsum, sqrt
from random import Random
from typing import Any, NoReturn

from cardhub.base.errors import OptionError
from cardhub.base.errors.source_lines import line_of_field
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import (
    initial_state,
    resolve_options,
    shuffled_pack,
    split_decks,
    table_size,
)
from cardhub.model.hidden.determinize import kinds
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import observed_state
from cardhub.model.table.faces import blanked
from cardhub.model.table.ranges import Numbers, TableSize, Usual
from cardhub.model.table.state import CHANCE, OVER, State, fields_of
from cardhub.play.host.lessons.lesson_check import lesson_faults
from cardhub.testing.checking import (
    CheckRunner,
    ConformanceError,
    differing,
    error_line,
    freeze,
    run_or_raise,
)
from cardhub.testing.deal_replay import UnreachableError, replay
from cardhub.testing.game_checks.rule_lines import last_line, misplacing_line, peeking_line
from cardhub.testing.random_play import Position, Trial, deal

# Lists that clones may share: they are replaced, never changed.
SHARED = ("face",)


def check_step(game: Game[S], position: Position[S], run: CheckRunner = run_or_raise) -> bool:
    """Check a position; return whether the game can go on from there."""
    is_over = position.state.seat == OVER
    # In this order: legal() and apply() may raise any error if the seat or a pile is wrong.
    basic = (check_seat, check_cards, *(() if is_over else (check_legal, check_apply)))
    is_sound = all(run(check, game, position) for check in basic)
    run(check_shuffles, game, position)
    run(check_scores, game, position)
    run(check_ranges, game, position)
    if is_sound and not is_over:
        run(check_weights, game, position)
    return is_sound


def check_seat(game: Game[S], position: Position[S]) -> None:
    """Check that the seat to act is a seat, CHANCE or OVER, and the phase has a name."""
    state = position.state
    if not (0 <= state.seat < state.seats or state.seat in (CHANCE, OVER)):
        position.fail(game, "seat", f"state.seat is {state.seat}, which is no seat")
    if game.phases and not 0 <= state.phase < len(game.phases):
        position.fail(game, "seat", f"state.phase is {state.phase}, which has no name")


def check_cards(game: Game[S], position: Position[S]) -> None:
    """Check that every token is in exactly one pile of the declared zones."""
    state = position.state
    tokens = range(len(state.face))
    counts = Counter(t for zone in state.zones for pile in zone.piles(state) for t in pile)
    labels = Labels(game, state.face, state.back)
    faults = {
        "nowhere": [f"{labels.card(t)} (token {t})" for t in tokens if not counts[t]],
        "in several places": [labels.card(t) for t in tokens if counts[t] > 1],
        "in a zone, but not in the game": [f"token {t}" for t in counts if t not in tokens],
    }
    problems = [f"{fault}: {', '.join(cards)}" for fault, cards in faults.items() if cards]
    if problems:
        wrong = next((t for t in tokens if counts[t] != 1), len(tokens))
        line = misplacing_line(game, position, wrong)
        position.fail(game, "cards", "; ".join(problems), line)


def check_shuffles(game: Game[S], position: Position[S]) -> None:
    """Check that shuffled tokens are where only the seat that shuffles them may see faces."""
    applied = position.applied
    for tokens, keeper in applied.pending_shuffles if applied else ():
        for zone in position.state.zones:
            for owner, pile in enumerate(zone.piles(applied)):
                is_shown = zone.faces != "nobody" and (zone.faces, owner) != ("owner", keeper)
                shown = sorted(set(tokens) & set(pile)) if is_shown else []
                if shown:
                    problem = f"tokens {shown} are shuffled where {zone.name} shows their faces"
                    position.fail(game, "shuffles", problem)


def check_scores(game: Game[S], position: Position[S]) -> None:
    """Check that each seat has an int as score."""
    state, scores = position.state, game.scores(position.state)
    if type(scores) is not list or [type(score) for score in scores] != [int] * state.seats:
        position.fail(game, "scores", f"scores are {scores!r}, not one int per seat")


def check_ranges(game: Game[S], position: Position[S]) -> None:
    """Check that fields and scores have only numbers that their declarations allow."""
    state = position.state
    declared = dict(type(state)._declaration.numbers)
    if game.score_range is not None:
        declared["score_range"] = game.score_range
    table = table_size(game, state.settings, state.seats, len(state.face))
    for name, numbers in declared.items():
        if not isinstance(numbers, Numbers):
            continue
        is_score = name == "score_range"
        value = game.scores(state) if is_score else getattr(state, name)
        if problem := _outside(value, numbers, table):
            line = line_of_field(type(game) if is_score else type(state), name)
            owner = "scores()" if is_score else f"state.{name}"
            position.fail(game, "ranges", f"{owner} is {value}, but {numbers} {problem}", line)


def _outside(value: Any, numbers: Numbers, table: TableSize) -> str:
    """Return why a value does not fit the declaration of its field, or an empty text."""
    span, (shortest, longest) = numbers.span(table), numbers.lengths(table)
    values = value if isinstance(value, list) else [value]
    wrong = [number for number in values if number not in span]
    if wrong and not isinstance(numbers, Usual):
        return f"is from {span.low} to {span.high}: not {wrong[0]}"
    if isinstance(value, list) and value and not shortest <= len(value) <= longest:
        return f"has {shortest} to {longest} numbers, not {len(value)}"
    return ""


def check_legal(game: Game[S], position: Position[S]) -> None:
    """Check that legal() returns distinct ints in range, at least one, and has no side effects."""
    before = freeze(position.state)
    legal = game.legal(position.state)
    if freeze(position.state) != before or game.legal(position.state) != legal:
        position.fail(game, "legal", "legal() changes the state or its answer")
    if problem := _illegal_list(game, position.state, legal):
        line = last_line(lambda: game.legal(position.state))
        position.fail(game, "legal", problem, line)
    if not legal:
        _fail_without_action(game, position)


def _illegal_list(game: Game[S], state: S, legal: object) -> str:
    """Return why a value is not a list of distinct actions, or an empty text."""
    if type(legal) is not list or any(type(action) is not int for action in legal):
        return f"legal() returns {legal!r}, not a list of ints"
    if repeated := [action for action, count in Counter(legal).items() if count > 1]:
        return f"offered more than once: {_labels(game, state, repeated)}"
    if legal and (min(legal) < 0 or max(legal) >= game.actions.size):
        return f"{legal} is not within {game.actions.size} actions"
    return ""


def _fail_without_action(game: Game[S], position: Position[S]) -> NoReturn:
    state, before = position.state, position.before
    problem = f"no legal action for seat {state.seat}"
    if before is None or before.seat != state.seat:
        line = last_line(lambda: game.legal(state))
        problem += "; if the game is over, state.seat has to be OVER"
        position.fail(game, "legal", problem, line)
    action = position.steps[position.number - 1].action
    line = last_line(lambda: game.apply(before.clone(), action))
    problem += "; apply() has left state.seat as it was before the action"
    position.fail(game, "legal", problem, line)


def check_apply(game: Game[S], position: Position[S]) -> None:
    """Check that an action applied to a clone does not change the original."""
    state = position.state
    before = freeze(state)
    legal = game.legal(state)
    # One action per position keeps this cheap; its index changes from step to step.
    action = legal[position.number % len(legal)]
    try:
        game.apply(state.clone(), action)
    except Exception as error:  # third-party rules may raise anything
        problem = f"{_labels(game, state, [action])} fails: {error_line(error)}"
        raise position.failure(game, "rules", problem) from error
    after = freeze(state)
    if after != before:
        changed = ", ".join(name for name in before if after.get(name) != before[name])
        problem = f"{_labels(game, state, [action])} on a clone changes {changed} of the original"
        position.fail(game, "apply", problem)


def check_weights(game: Game[S], position: Position[S]) -> None:
    """Check that chance has a weight per action, none negative, with a positive sum."""
    state = position.state
    weights: object = game.chance_weights(state) if state.seat == CHANCE else None
    if weights is None:
        return
    if not isinstance(weights, Sequence):
        position.fail(game, "weights", f"chance_weights() returns {weights!r}")
    if len(weights) != len(game.legal(state)) or min(weights) < 0 or not fsum(weights) > 0:
        position.fail(game, "weights", f"{weights} for {_labels(game, state, game.legal(state))}")


def check_random_action(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that random_action() returns only legal actions, and sooner or later each of them."""
    state = position.state
    if state.seat == OVER:
        return
    before, legal = freeze(state), set(game.legal(state))
    missing = set(legal)
    # Of n equally likely actions a certain one is missing after 200 n draws with odds of e^-200.
    for _ in range(200 * len(legal)):
        action = game.random_action(state, rng)
        if action not in legal:
            problem = f"{_labels(game, state, [action])} is not legal"
            position.fail(game, "random_action", problem)
        missing.discard(action)
        if not missing:
            break
    if missing:
        position.fail(game, "random_action", f"never drawn: {_labels(game, state, missing)}")
    if freeze(state) != before:
        position.fail(game, "random_action", "drawing changes the state")


def check_heuristics(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check the values of the methods for search bots, and that they do not change the state."""
    state, heuristics = position.state, game.heuristics
    before, problem = freeze(state), ""
    if state.seat >= 0 and heuristics.playout_action(state, rng) not in game.legal(state):
        problem = "playout_action() returns an action that is not legal"
    elif len(heuristics.evaluate(state)) != state.seats:
        problem = f"evaluate() returns {heuristics.evaluate(state)!r}, not a number per seat"
    elif not 0 <= heuristics.likelihood(state) <= 1:
        problem = f"likelihood() returns {heuristics.likelihood(state)!r}, which is not from 0 to 1"
    elif unknown := set(heuristics.bluffs) - {group.verb for group in game.actions.groups}:
        problem = f"`bluffs` has unknown verbs: {', '.join(sorted(unknown))}"
    elif len(heuristics.face_classes) not in (0, len(game.cards.faces)):
        problem = f"`face_classes` has {len(heuristics.face_classes)} numbers, not one per face"
    elif fault := _row_fault(game):
        problem = fault
    elif freeze(state) != before:
        problem = "playout_action(), evaluate() or likelihood() changes the state"
    if problem:
        position.fail(game, "heuristics", problem)


def _row_fault(game: Game[Any]) -> str:
    """Return why rows that a game declares as alike cannot be, or an empty text."""
    rows, names = game.heuristics.face_rows, game.heuristics.row_numbers
    faces = [face for row in rows for face in row]
    fields = game.state_type._declaration.added
    known = {*fields, *(group.verb for group in game.actions.groups)}
    if len({*map(len, rows)}) > 1:
        return "`face_rows` has rows of different lengths"
    if len({*faces}) < len(faces) or not {*faces} <= {*range(len(game.cards.faces))}:
        return "`face_rows` has a face twice, or one that does not exist"
    if unknown := [name for name in names if name not in known]:
        return f"`row_numbers` has unknown fields or verbs: {', '.join(unknown)}"
    printed = {name for card in game.cards.faces for name in card.fields}
    if unknown := [name for name in game.heuristics.site_fields if name not in printed]:
        return f"`site_fields` has unknown fields of cards: {', '.join(unknown)}"
    return ""


def check_clone(game: Game[S], position: Position[S]) -> None:
    """Check that a clone equals the original and shares no list with it but the faces."""
    state = position.state
    clone = state.clone()
    if clone != state or fields_of(clone).keys() != fields_of(state).keys():
        position.fail(game, "clone", "a clone is not equal to the original")
    originals = {id(value) for name, value in _lists(state) if name not in SHARED}
    shared = {name for name, value in _lists(clone) if id(value) in originals}
    if shared:
        position.fail(game, "clone", f"a clone shares {', '.join(sorted(shared))}")


def check_pickle(game: Game[S], position: Position[S]) -> None:
    """Check that a state is equal after pickling, which sends it to workers."""
    if pickle.loads(pickle.dumps(position.state)) != position.state:
        position.fail(game, "pickle", "the state is not equal after a pickle round trip")


def check_replay(game: Game[S], position: Position[S]) -> None:
    """Check that deal, actions and shuffle outcomes reproduce the state without an rng."""
    try:
        replayed = replay(game, position.trial, position.state, position.history).after
    except UnreachableError as error:
        position.fail(game, "replay", f"the game does not replay: {error}")
    if replayed != position.state:
        problem = f"replaying gives another {differing(replayed, position.state)}"
        position.fail(game, "replay", problem)


def _labels(game: Game[Any], state: State, actions: Iterable[int]) -> str:
    return ", ".join(map(Labels(game, state.face, state.back).label, actions))


def _lists(state: State) -> Iterator[tuple[str, list[Any]]]:
    for name, value in fields_of(state).items():
        for value_list in _nested(value):
            yield name, value_list


def _nested(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    if isinstance(value, list | tuple):
        for part in value:
            yield from _nested(part)


# Threshold in standard deviations, which fair deals never exceed in practice.
SIGMAS = 7
OTHER_DEALS = 20


def check_options(game: Game[Any], _: None = None) -> None:
    """Check that every option has a help text, and that the defaults are valid together."""
    if mute := [name for name, option in game.options.items() if not option.help.strip()]:
        raise ConformanceError("options", game.name, f"no help for {', '.join(mute)}")
    defaults = {name: option.default for name, option in game.options.items()}
    for seats in range(game.seats.low, game.seats.high + 1):
        try:
            resolve_options(game, defaults, seats)
        except OptionError as error:
            problem = f"the defaults are invalid for {seats} players: {error}"
            raise ConformanceError("options", game.name, problem) from error


def check_rules_page(game: Game[Any], _: None = None) -> None:
    """Check that there is a rules page with a title and the name of every option."""
    page = game.display.rules()
    if not page.startswith("# "):
        problem = f"`rules.md` is missing, or does not begin with a title such as '# {game.title}'"
        raise ConformanceError("rules_page", game.name, problem)
    if missing := [name for name in game.options if f"`{name}`" not in page]:
        problem = f"the page of rules does not name the option {', '.join(missing)}"
        raise ConformanceError("rules_page", game.name, problem)


def check_lesson(game: Game[Any], _: None = None) -> None:
    """Check that the script of the lesson, if there is one, can be played."""
    if faults := lesson_faults(game):
        raise ConformanceError("lesson", game.name, "; ".join(faults))


def check_deal_is_fair(game: Game[S], trial: Trial, deals: int = 400) -> None:
    """Check that each token has every face of its deck with the frequency of its copies."""
    rng = Random(f"{trial.seed} deals")
    dealt = [shuffled_pack(game, trial.settings, trial.seats, rng) for _ in range(deals)]
    columns = enumerate(zip(*dealt, strict=True))
    for deck in split_decks(game, trial.settings, trial.seats):
        copies = Counter(deck)
        expected = {face: deals * count / len(deck) for face, count in copies.items()}
        for _, (token, column) in zip(deck, columns, strict=False):
            if _is_unfair(Counter(column), expected):
                face = game.cards.faces[Counter(column).most_common(1)[0][0]].name
                problem = f"not uniform in {deals} deals: token {token} is most often {face}"
                trial.fail(game, "deal_is_fair", problem)


def check_deal_is_blind(game: Game[S], trial: Trial) -> None:
    """Check that other hidden faces give the same initial state apart from them."""
    first = deal(game, trial)
    true, rng = _public_attributes(first), Random(f"{trial.seed} others")
    for _ in range(OTHER_DEALS):
        faces = _with_other_hidden_faces(game, first, rng)
        other = _public_attributes(initial_state(game, trial.settings, trial.seats, faces))
        changed = [name for name in true if name != "face" and true[name] != other.get(name)]
        if changed:
            line = peeking_line(game, trial)
            problem = f"dealing other hidden cards gives another {', '.join(changed)}"
            trial.fail(game, "deal_is_blind", problem, line)


def _public_attributes(state: State) -> dict[str, Any]:
    """Return the attributes of a state except secrets that are no faces."""
    return freeze(observed_state(state, state.seats) if state.views_field else state)


def _is_unfair(counts: Counter[int], expected: dict[int, float]) -> bool:
    if counts.keys() - expected.keys():
        return True
    freedom = len(expected) - 1
    # A deck of equal cards has only one order.
    if not freedom:
        return False
    chi_square = fsum((counts[face] - mean) ** 2 / mean for face, mean in expected.items())
    # The cube root of chi-square by its degrees of freedom is almost normal: Wilson and Hilferty,
    # "The distribution of chi-square", 1931.
    variance = 2 / (9 * freedom)
    return chi_square > freedom * (1 - variance + SIGMAS * sqrt(variance)) ** 3


def _with_other_hidden_faces(game: Game[S], state: S, rng: Random) -> list[int]:
    """Return the deal with those faces permuted, kind by kind, that are not public."""
    faces = blanked(state.face)
    hidden: dict[int, list[int]] = {}
    for token, kind in enumerate(kinds(game, state, state.back)):
        if state.seen[token] != state.everybody:
            hidden.setdefault(kind, []).append(token)
    for tokens in hidden.values():
        for token, source in zip(tokens, rng.sample(tokens, len(tokens)), strict=True):
            faces[token] = state.face[source]
    return faces
