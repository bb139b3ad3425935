"""Checks before the first action: options, the rules page, and the deal."""

from collections import Counter
from math import fsum, sqrt
from random import Random
from typing import Any

from cardhub.base.errors import OptionError
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import (
    initial_state,
    resolve_options,
    shuffled_pack,
    split_decks,
)
from cardhub.model.hidden.determinize import kinds
from cardhub.model.table.faces import blanked
from cardhub.play.host.lessons.lesson_check import lesson_faults
from cardhub.testing.checking import ConformanceError, freeze
from cardhub.testing.random_play import Trial, deal

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
    page = game.rules()
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
    true, rng = freeze(first), Random(f"{trial.seed} others")
    for _ in range(OTHER_DEALS):
        faces = _with_other_hidden_faces(game, first, rng)
        other = freeze(initial_state(game, trial.settings, trial.seats, faces))
        changed = [name for name in true if name != "face" and true[name] != other.get(name)]
        if changed:
            problem = f"dealing other hidden cards gives another {', '.join(changed)}"
            trial.fail(game, "deal_is_blind", problem)


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
