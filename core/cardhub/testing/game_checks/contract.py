"""What a game promises: every check by name, in a sentence, with what would be right."""

from collections.abc import Mapping
from typing import NamedTuple

PAGE = "docs/game-reference.md"
"""The page whose sections say what games keep to."""


class Promise(NamedTuple):
    """One promise of the contract; the check of the same name finds out whether it is kept.

    `remedy` is what would be right, `section` where PAGE tells more. `after` are checks that, as
    long as they fail, leave this one without meaning.
    """

    sentence: str
    remedy: str
    section: str
    after: tuple[str, ...] = ()


DEAL, TURNS, STATES, CHANCE = "The deal", "Turns", "States", "Chance"
WORDS, SCENE, SECRETS, TELLS = "Words", "The scene", "Secrets", "What play tells of hidden cards"
SEARCH, RECORDS, PEOPLE = "What search may be told", "Records", "Options and the rules page"
PLAY = ("rules", "seat", "cards", "legal", "end", "clone", "apply", "lots", "memory")
"""Without these no game comes about twice in the same way."""
AGAIN = (*PLAY, "replay", "deal_is_blind")
WORLDS = (*AGAIN, "legal_is_public", "truth_is_allowed", "determinization", "reachable")
PROMISES: Mapping[str, Promise] = {
    "rules": Promise(
        "the rules can deal, and carry out every legal action",
        "no rule raises an error, whatever the cards and whatever legal action is taken",
        TURNS,
        ("seat", "legal", "weights"),
    ),
    "deal_is_fair": Promise(
        "every token can be any card of its deck, as often as there are copies",
        "pack() returns the same cards for the same options; shuffling is left to the core",
        DEAL,
    ),
    "deal_is_blind": Promise(
        "nothing public after the deal depends on hidden cards",
        "deal() lays out tokens by their numbers and notes no face that somebody has not seen",
        DEAL,
        ("rules", "memory", "lots"),
    ),
    "seat": Promise(
        "the seat to act is always a seat, chance, or over",
        "state.seat is a seat from 0, CHANCE or OVER, and state.phase an index into `phases`",
        TURNS,
    ),
    "cards": Promise(
        "every card lies in exactly one place",
        "what leaves one pile is put on another one: state.move does both",
        STATES,
    ),
    "legal": Promise(
        "there is always a legal action, none is listed twice, and calling `legal` changes nothing",
        "before the end legal() returns a list of different ints within `actions`, never an "
        "empty one; where nothing is left to choose it offers the one step that goes on",
        TURNS,
    ),
    "scores": Promise(
        "every seat has a score, at any time",
        "scores() returns a list with one whole number per seat; more is better unless lowest_wins",
        TURNS,
    ),
    "end": Promise(
        "every sequence of actions ends the game",
        "some action of every round brings the end nearer; then state.seat is OVER",
        TURNS,
    ),
    "clone": Promise(
        "a copy of a state is equal to it, and independent of it",
        "leave clone() to the core, or have it copy every list that is ever changed",
        STATES,
    ),
    "apply": Promise(
        "playing on with a copy changes nothing in the original",
        "apply() changes the state it is given, and nothing else",
        STATES,
        ("clone",),
    ),
    "pickle": Promise(
        "a state can be sent to another process",
        "a state holds whole numbers, bools, texts, tuples and lists of numbers alone",
        STATES,
        ("clone",),
    ),
    "lots": Promise(
        "the rules use no random numbers of their own",
        "what is left to chance is chance's action (state.seat = CHANCE), or state.shuffle",
        CHANCE,
    ),
    "memory": Promise(
        "the game object keeps nothing from one game to the next",
        "whatever is to be remembered is annotated in the state class",
        STATES,
    ),
    "replay": Promise(
        "the same deal and the same actions give the same game",
        "the rules depend on the state and the action alone: on no clock, lots or global variable",
        STATES,
        PLAY,
    ),
    "shuffles": Promise(
        "cards are shuffled only in zones that nobody sees",
        'move cards to a zone with faces="nobody" before state.shuffle',
        CHANCE,
    ),
    "weights": Promise(
        "chance has a weight for each of its actions",
        "chance_weights() returns as many numbers as legal() has actions, not all of them 0",
        CHANCE,
        ("legal",),
    ),
    "random_action": Promise(
        "it can return every legal action, and no other",
        "random_action() draws from all that legal() returns, each as likely, or is left out",
        SEARCH,
        ("legal", "clone"),
    ),
    "hints": Promise(
        "the methods that help search fit the game",
        "playout_action() is legal, evaluate() has a number per seat, likelihood() is from 0 to 1, "
        "bluffs are verbs of actions",
        SEARCH,
        ("legal", "clone", "scores", "random_action"),
    ),
    "notations": Promise(
        "actions that are legal together have different names, which can be typed",
        "no two cards, words or verbs have one name; twins of a card are told apart by the core",
        WORDS,
        ("legal",),
    ),
    "labels": Promise(
        "every legal action has a label for every viewer",
        "verbs and cards have names that are not empty",
        WORDS,
        ("legal",),
    ),
    "story": Promise(
        "every viewer is told of every action",
        "story() returns sentences of one line, at least one, or None; it gets what the viewer "
        "knows, so it names cards with names.card and names.phrase and reads no face unseen",
        WORDS,
    ),
    "scene": Promise(
        "every viewer has a scene, and everything it refers to exists",
        "scene() gets what the viewer knows: it sorts by faces for viewer == seat only, and points "
        "at areas and cards that it shows",
        SCENE,
    ),
    "layout": Promise(
        "every legal action can be reached on the screen",
        "an action is about a token or site that the scene shows, or becomes a button",
        SCENE,
        ("scene", "legal", "legal_is_public"),
    ),
    "legal_is_public": Promise(
        "legal actions depend only on what the seat to act can see",
        "legal() reads faces that the seat to act has seen; for any other it asks state.answer, "
        "in apply(), and the answer is public",
        SECRETS,
        ("legal", "clone"),
    ),
    "truth_is_allowed": Promise(
        "`allows` and `plausible` never exclude the true cards",
        "allows() and plausible() deny only what public actions make impossible",
        TELLS,
        AGAIN,
    ),
    "determinization": Promise(
        "every observation has a determinization",
        "allows() and plausible() read what the viewer has seen, and leave a way to lay the cards",
        TELLS,
        (*AGAIN, "truth_is_allowed"),
    ),
    "reachable": Promise(
        "every determinization could have led to the public actions",
        "state keeps nothing that follows from hidden cards; and what actions tell of hidden cards "
        "is remembered and ruled out by allows() or plausible()",
        TELLS,
        (*AGAIN, "legal_is_public", "truth_is_allowed", "determinization"),
    ),
    "same_legal": Promise(
        "legal actions reveal nothing about hidden cards",
        "legal() returns the same in every world that the seat to act takes for possible",
        SECRETS,
        (*AGAIN, "legal_is_public"),
    ),
    "same_scene": Promise(
        "the scene reveals nothing about hidden cards",
        "scene() shows piles and what is public; no note, count or order follows from hidden faces",
        SECRETS,
        (*AGAIN, "scene"),
    ),
    "same_text": Promise(
        "the table as text reveals nothing about hidden cards",
        "as for the scene; detail() gets cards that the viewer knows",
        SECRETS,
        (*AGAIN, "same_legal", "same_scene", "scene"),
    ),
    "same_words": Promise(
        "the names of actions reveal nothing about hidden cards",
        "actions on cards are declared as Tokens, which are named as the viewer knows them",
        SECRETS,
        AGAIN,
    ),
    "same_story": Promise(
        "the story reveals nothing about hidden cards",
        "story() tells what was done and what everybody saw; numbers noted in the state may not "
        "follow from hidden faces",
        SECRETS,
        (*AGAIN, "story"),
    ),
    "variety": Promise(
        "determinizations cover every possible location of a hidden card",
        "allows() and plausible() deny no more than public actions do",
        TELLS,
        WORLDS,
    ),
    "guesses": Promise(
        "determinizations find hidden cards no better than by chance",
        "allows() and plausible() judge by what is public alone",
        TELLS,
        WORLDS,
    ),
    "record": Promise(
        "a game can be recorded, interrupted anywhere, resumed and replayed",
        "rules read only faces that the seat to act has seen, or everybody; for any other they ask "
        "state.answer",
        RECORDS,
        (*WORLDS, "scores", "notations", "story", "weights", "shuffles"),
    ),
    "same_record": Promise(
        "a redacted record reveals nothing about hidden cards",
        "actions on cards are declared as Tokens, which records name as the viewer knows them",
        RECORDS,
        (*WORLDS, "record"),
    ),
    "same_errors": Promise(
        "errors reveal nothing about hidden cards",
        "rules and actions keep no faces aside: what text() of an action group writes of a card is "
        "what the name it is given says",
        SECRETS,
        (*WORLDS, "same_words", "same_record"),
    ),
    "golden": Promise(
        "kept records replay, with the same scores",
        "the rules are as they were; if they are meant to have changed, change `version` and "
        "record the games again",
        RECORDS,
        ("rules", "memory"),
    ),
    "options": Promise(
        "every option has a help text and a valid default",
        "an option has a sentence as its help, and the defaults fit every number of players",
        PEOPLE,
    ),
    "rules_page": Promise(
        "`rules.md` exists and names every option",
        "`rules.md` beside the module of the game begins with `# ` and the title, and has the "
        "name of every option in backquotes",
        PEOPLE,
    ),
}
"""All checks of a game, the most basic first."""
