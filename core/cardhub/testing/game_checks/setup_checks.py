"""The order of the tokens, and all else that is public after the deal, says nothing about faces."""

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

from cardhub.errors import OptionError
from cardhub.game.game import Game, S
from cardhub.game.initial_state import initial_state, resolve_options, shuffled_pack, split_decks
from cardhub.hidden.unseen import kinds
from cardhub.table.faces import blanked
from cardhub.testing.checking import ConformanceError, freeze
from cardhub.testing.random_play import Trial, deal

SIGMAS = 7
"""So far above what is usual that fair deals never get there."""
OTHER_DEALS = 20


def check_deal_is_fair(game: Game[S], trial: Trial, deals: int = 400) -> None:
    """Check that each token bears every face of its deck as often as its copies say."""
    decks = split_decks(game, trial.settings, trial.seats)
    rng = Random(f"{trial.seed} deals")
    columns = list(
        zip(
            *(shuffled_pack(game, trial.settings, trial.seats, rng) for _ in range(deals)),
            strict=True,
        )
    )
    token = 0
    for deck in decks:
        copies = Counter(deck)
        for column in columns[token : token + len(deck)]:
            expected = {face: deals * count / len(deck) for face, count in copies.items()}
            if _is_odd(Counter(column), expected):
                usual = Counter(column).most_common(1)[0][0]
                name = game.cards.faces[usual].name
                what = (
                    f"in {deals} deals token {token} is not each card as often, most often {name}"
                )
                trial.fail(game, "deal_is_fair", what)
            token += 1


def check_deal_is_blind(game: Game[S], trial: Trial) -> None:
    """Check that nothing that is public after the deal is due to hidden faces."""
    first = deal(game, trial)
    was, rng = freeze(first), Random(f"{trial.seed} others")
    for _ in range(OTHER_DEALS):
        faces = _others(game, first, rng)
        now = freeze(initial_state(game, trial.settings, trial.seats, faces))
        differing = [name for name in was if name != "face" and was[name] != now.get(name)]
        if differing:
            what = f"dealing other hidden cards gives another {', '.join(differing)}"
            trial.fail(game, "deal_is_blind", what)


def _is_odd(found: Counter[int], expected: dict[int, float]) -> bool:
    """Compare by chi-square, whose bound is the approximation of Wilson and Hilferty."""
    if found.keys() - expected.keys():
        return True
    freedom = len(expected) - 1
    if not freedom:
        return False
    square = sum((found[face] - mean) ** 2 / mean for face, mean in expected.items())
    spread = 2 / (9 * freedom)
    return square > freedom * (1 - spread + SIGMAS * sqrt(spread)) ** 3


def _others(game: Game[S], state: S, rng: Random) -> list[int]:
    """Return the deal with the faces exchanged that not everybody has seen, kind by kind."""
    faces = blanked(state.face)
    hidden: dict[int, list[int]] = {}
    for token, kind in enumerate(kinds(game, state, state.back)):
        if not state.seen[token] >> state.seats & 1:
            hidden.setdefault(kind, []).append(token)
    for tokens in hidden.values():
        mixed = rng.sample(tokens, len(tokens))
        for token, source in zip(tokens, mixed, strict=True):
            faces[token] = state.face[source]
    return faces


def check_options(game: Game[Any], _: None = None) -> None:
    """Check that every option has help, and that all defaults together can be played."""
    mute = [name for name, option in game.options.items() if not option.help.strip()]
    if mute:
        raise ConformanceError("options", game.name, f"no help for {', '.join(mute)}")
    for seats in range(game.seats.low, game.seats.high + 1):
        try:
            resolve_options(game, {n: o.default for n, o in game.options.items()}, seats)
        except OptionError as error:
            what = f"the defaults do not fit {seats} players: {error}"
            raise ConformanceError("options", game.name, what) from error


def check_rules_page(game: Game[Any], _: None = None) -> None:
    """Check that there is a page of rules which names every option."""
    page = game.rules()
    if not page.startswith("# "):
        begin = page.partition("\n")[0] or "nothing"
        what = f"no page of rules: `rules.md` with a title is missing, there is {begin!r}"
        raise ConformanceError("rules_page", game.name, what)
    unnamed = [name for name in game.options if f"`{name}`" not in page]
    if unnamed:
        what = f"the page of rules says nothing of the option {', '.join(unnamed)}"
        raise ConformanceError("rules_page", game.name, what)
