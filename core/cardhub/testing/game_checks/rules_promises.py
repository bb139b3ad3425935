"""The promises of a game about its rules, and the parts of a promise."""

from collections.abc import Mapping
from typing import NamedTuple

# The page with the sections that promises refer to.
PAGE = "docs/game-reference.md"


class Promise(NamedTuple):
    """A requirement of the contract, which the check of the same name tests.

    `remedy` says how to meet it, `section` is a heading of PAGE. `after` are checks whose failure
    makes this check meaningless.
    """

    sentence: str
    remedy: str
    section: str
    after: tuple[str, ...] = ()


# Checks without which no game can be played twice with the same states.
PLAYABLE = (
    *("rules", "time", "teams", "seat", "cards", "legal"),
    *("end", "clone", "apply", "randomness", "memory"),
)
REPLAYABLE = (*PLAYABLE, "replay", "deal_is_blind")
# Checks of the rules, basic ones first.
RULES_PROMISES: Mapping[str, Promise] = {
    "rules": Promise(
        "the rules can deal, and carry out every legal action",
        "no rule raises an error, for any deal and any legal action",
        "Turns",
        ("seat", "legal", "weights"),
    ),
    "time": Promise(
        "every call of the rules returns",
        "every loop of the rules ends in every position that they can reach",
        "Turns",
    ),
    "deal_is_fair": Promise(
        "every token can be any card of its deck, as often as there are copies",
        "pack() returns the same cards for the same options; the core shuffles them",
        "The deal",
    ),
    "deal_is_blind": Promise(
        "nothing public after the deal depends on hidden cards",
        "deal() lays out tokens by number and stores no face in other attributes",
        "The deal",
        ("rules", "memory", "randomness"),
    ),
    "seat": Promise(
        "the seat to act is always a seat, chance, or over",
        "state.seat is a seat from 0, CHANCE or OVER, and state.phase an index into `phases`",
        "Turns",
    ),
    "cards": Promise(
        "every card lies in exactly one place",
        "a token that leaves one pile is put on another one: state.move does both",
        "States",
    ),
    "legal": Promise(
        "there is always a legal action, none is listed twice, and calling `legal` changes nothing",
        "before the end legal() returns distinct ints below the size of `actions`, at least one",
        "Turns",
    ),
    "scores": Promise(
        "every seat has a score, at any time",
        "scores() returns a list with one int per seat; more is better unless lowest_wins",
        "Turns",
    ),
    "teams": Promise(
        "every seat has a team, the goal is a member of Goal, and units have a name and a size",
        "goal is such as Goal.WIN, unit a plural noun; teams() returns one int per seat, "
        "unit_size() an int of at least 1; target() returns None unless the goal is COMMON",
        "The goal",
    ),
    "team_scores": Promise(
        "the members of a team have equal scores",
        "scores() returns one score for all seats of a team; with COMMON for all seats",
        "The goal",
        ("rules", "scores", "teams"),
    ),
    "goal": Promise(
        "a game in which all seats always have equal scores is a common cause",
        "declare `goal = Goal.COMMON` if all players win or lose together; else scores() tells "
        "how far each seat has come",
        "The goal",
        ("rules", "scores", "end", "teams"),
    ),
    "end": Promise(
        "every sequence of actions ends the game",
        "every round comes closer to the end; at the end state.seat is OVER",
        "Turns",
    ),
    "clone": Promise(
        "a copy of a state is equal to it, and independent of it",
        "do not override clone(), or copy every list that actions change",
        "States",
    ),
    "apply": Promise(
        "playing on with a copy changes nothing in the original",
        "apply() changes its argument and nothing else",
        "States",
        ("clone",),
    ),
    "pickle": Promise(
        "a state can be sent to another process",
        "the attributes of a state are ints, bools, strings, tuples and lists of ints",
        "States",
        ("clone",),
    ),
    "randomness": Promise(
        "the rules use no random numbers of their own",
        "random events are actions of chance (state.seat = CHANCE), or state.shuffle",
        "Chance",
    ),
    "memory": Promise(
        "the game object keeps nothing from one game to the next",
        "attributes that change during a game are annotated in the state class",
        "States",
    ),
    "replay": Promise(
        "the same deal and the same actions give the same game",
        "the rules depend only on state and action: not on clock, rng or global variables",
        "States",
        PLAYABLE,
    ),
    "shuffles": Promise(
        "cards are shuffled only in zones that nobody sees",
        'move cards to a zone with faces="nobody" before state.shuffle',
        "Chance",
    ),
    "weights": Promise(
        "chance has a weight for each of its actions",
        "chance_weights() returns one number per action in legal(), at least one above 0",
        "Chance",
        ("legal",),
    ),
    "random_action": Promise(
        "it can return every legal action, and no other",
        "random_action() samples uniformly from legal(), or is not overridden",
        "Hints for search",
        ("legal", "clone"),
    ),
    "hints": Promise(
        "the methods that help search fit the game",
        "playout_action() is legal, evaluate() has a number per seat, likelihood() is 0 to 1, "
        "`bluffs` are verbs of actions, `face_classes` has a number per face",
        "Hints for search",
        ("legal", "clone", "scores", "random_action"),
    ),
}
