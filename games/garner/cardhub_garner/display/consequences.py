"""Consequences of legal actions; they are certain because all cards are open."""

from cardhub import Names, amount, listed, numbers
from cardhub_garner.collecting import FORBIDDEN
from cardhub_garner.groups import group_of
from cardhub_garner.layouts import site_name
from cardhub_garner.majorities import counts, weights
from cardhub_garner.table import (
    CARDS,
    NUMBER,
    SUIT,
    SUITS,
    Table,
    layout_of,
)


def lift(state: Table, face: int, names: Names) -> str:
    """Return the cards that are lifted, and those beneath."""
    sites = numbers(group_of(state, face, NUMBER))
    stacks = [state.board[site] for site in sites]
    lifted = sorted((stack[-1] for stack in stacks), key=state.face.__getitem__)
    beneath = [stack[-2] for stack in stacks if len(stack) > 1]
    text = (
        f"You lift {names.cards(lifted)} and then place it."
        if len(lifted) == 1
        else f"You lift {_listed(lifted, names)} and then place them one by one."
    )
    return f"{text} That uncovers {_listed(beneath, names)}." if beneath else text


def _listed(cards: list[int], names: Names) -> str:
    return listed([names.card(card) for card in cards])


def place(state: Table, site: int, names: Names) -> str:
    """Return where the card would lie, and the suit group that it would belong to."""
    card, stack = state.lifted[0], state.board[site]
    covered = f"covers {names.card(stack[-1])}" if stack else "takes an empty site"
    after = state.clone()
    after.put(after.lifted.pop(0), after.board, site)
    face = state.face[card]
    # Cards of the group that are still to be placed may join or cover this one.
    rest = f" Then place {len(after.lifted)} more." if after.lifted else ""
    group = group_of(after, face, SUIT)
    size = group.bit_count()
    if not size:
        return f"{names.card(card)} {covered}, but it is not in the top layer there.{rest}"
    if size == 1:
        return f"{names.card(card)} {covered}. No card of its suit is next to it.{rest}"
    joined = [t for t in _tops(after, group) if t != card]
    joins = f"It joins {_listed(joined, names)} in a group of {size}."
    return f"{names.card(card)} {covered}. {joins}{rest}"


def collect(state: Table, face: int, names: Names) -> str:
    """Return the cards that are collected, and the standing of their suit."""
    suit, sites = SUIT[face], group_of(state, face, SUIT)
    cards, layout = sites.bit_count(), layout_of(state)
    held = counts(state)[state.seat]
    total = held[suit] + cards
    collected = f"You collect {amount(cards, 'card')}: {names.cards(_tops(state, sites))}."
    if layout.never_six and total == FORBIDDEN:
        left = "one of them stays" if cards > 1 else "it stays, and you collect no card"
        return f"{collected} That would make exactly {FORBIDDEN} of suit {SUITS[suit]}, so {left}."
    return f"{collected} {_standing(state, suit, held, total)}"


def leave(state: Table, face: int, names: Names) -> str:
    """Return the card that stays, and the standing of its suit."""
    suit, site = SUIT[face], _site_of(state, face)
    held = counts(state)[state.seat]
    total = held[suit] + state.group.bit_count() - 1
    stays = f"{CARDS.faces[face].label} stays on {site_name(site)}."
    return f"{stays} {_standing(state, suit, held, total)}"


def race(state: Table, suit: int, names: Names) -> str:
    """Return how many cards of a suit both players hold, and how many win it."""
    own, majority = counts(state)[state.seat][suit], layout_of(state).majorities[suit]
    return f"You hold {own} of suit {SUITS[suit]}; {majority} win it. {rival(state, suit, names)}"


def rival(state: Table, suit: int, names: Names) -> str:
    """Return how many cards of a suit the other player holds."""
    other = 1 - state.seat
    return f"{names.player(other)} holds {counts(state)[other][suit]}."


def _standing(state: Table, suit: int, held: list[int], total: int) -> str:
    """Return the number of cards of a suit after a collection, and whether they win."""
    layout, name = layout_of(state), SUITS[suit]
    majority = layout.majorities[suit]
    if held[suit] >= majority:
        return f"You have won suit {name} already."
    if counts(state)[1 - state.seat][suit] >= majority:
        return f"That makes {total} of suit {name}, but the suit is lost."
    if total < majority:
        return f"That makes {total} of suit {name}; {majority} win it."
    wins = [total if other == suit else count for other, count in enumerate(held)]
    if weights(layout, wins) >= layout.enough:
        return f"That makes {total} of suit {name}: you win it, and with it the game."
    return f"That makes {total} of suit {name}: you win it."


def _tops(state: Table, sites: int) -> list[int]:
    tops = [state.board[site][-1] for site in numbers(sites)]
    return sorted(tops, key=state.face.__getitem__)


def _site_of(state: Table, face: int) -> int:
    tops = ((site, state.board[site][-1]) for site in numbers(state.group))
    return next(site for site, top in tops if state.face[top] == face)
