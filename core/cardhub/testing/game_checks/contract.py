"""The contract of games: every check by name, with the requirement and the remedy."""

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
    *("rules", "teams", "seat", "cards", "legal"),
    *("clone", "apply", "randomness", "memory"),
)
# Checks without which no other game can be played to its end.
ENDING = ("rules", "seat", "cards", "legal", "end")
REPLAYABLE = (*PLAYABLE, "replay", "deal_is_blind")
# Checks of the rules, basic ones first.
RULES_PROMISES: Mapping[str, Promise] = {
    "source": Promise(
        "the classes of the game are written as the core reads them",
        "names and parameters of methods are the contract's, fields are annotated, and methods "
        "return what they should",
        "States",
    ),
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
        "what is public after the deal does not depend on hidden cards",
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
        "every card is in exactly one place",
        "a token that leaves one pile is put on another one: state.move does both",
        "States",
    ),
    "legal": Promise(
        "there is always a legal action, none is listed twice, and `legal` changes no state",
        "before the end legal() returns distinct ints below the size of `actions`, at least one",
        "Turns",
    ),
    "scores": Promise(
        "every seat has a score, at any time",
        "scores() returns a list with one int per seat; more is better unless lowest_wins",
        "Turns",
    ),
    "score_swing": Promise(
        "no difference of scores changes by more than score_swing() allowed",
        "score_swing() returns None, or an int from 0 that falls by at least as much as any "
        "difference of two scores changes",
        "The goal",
        ("rules", "scores"),
    ),
    "ranges": Promise(
        "fields and scores have only numbers that their declarations allow",
        "declare all numbers that a field can have: Annotated[int, Range(0, 40)]",
        "States",
        ("scores",),
    ),
    "teams": Promise(
        "every seat has a team, the goal is a member of Goal, and units have a name and a size",
        "goal is such as Goal.WIN, unit a plural noun; teams() returns one int per seat, `sides` "
        "has different names and is empty in a game with teams, "
        "unit_size() an int of at least 1; target() returns None unless the goal is COMMON",
        "The goal",
    ),
    "team_scores": Promise(
        "the members of a team have equal scores",
        "scores() returns one score for all seats of a team; with COMMON for all seats",
        "The goal",
        ("rules", "scores", "teams"),
    ),
    "sides": Promise(
        "a viewer knows only true sides, and all of them once the game is over",
        "side() reads faces and fields of its argument only; at the end they show the side of "
        "every seat, and scores() gives the members of a side the same score",
        "The goal",
        ("rules", "scores", "teams"),
    ),
    "goal": Promise(
        "a game in which all seats always have equal scores is a common cause",
        "declare `goal = Goal.COMMON` if all players win or lose together; else scores() tells "
        "how far each seat has come",
        "The goal",
        (*ENDING, "scores", "teams"),
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
        "playing on with a copy does not change the original",
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
        "the rules draw no random numbers",
        "random events are actions of chance (state.seat = CHANCE), or state.shuffle",
        "Chance",
    ),
    "memory": Promise(
        "the game object remembers no earlier game",
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
        "cards are shuffled only in zones whose faces no seat sees",
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
        "Heuristics",
        ("legal", "clone"),
    ),
    "heuristics": Promise(
        "the heuristics fit the game",
        "playout_action() is legal, evaluate() has a number per seat, likelihood() is 0 to 1, "
        "`bluffs` are verbs of actions, `face_classes` has a number per face, "
        "`face_rows` are equally long",
        "Heuristics",
        ("legal", "clone", "scores", "random_action"),
    ),
}


# Checks that explain why a viewer sees something else in a determinization.
COMPARED = (*REPLAYABLE, "order", "same_result")
# Checks without which no determinization can be compared with the truth.
SAMPLED = (
    *(*REPLAYABLE, "legal_is_public", "truth_is_allowed"),
    *("order", "same_result", "determinization", "reachable"),
)

# All checks of a game, basic ones first.
PROMISES: Mapping[str, Promise] = {
    **RULES_PROMISES,
    "notations": Promise(
        "actions that are legal together have different names, which can be typed",
        "cards, words and verbs have distinct names; the core distinguishes copies of a card",
        "Actions",
        ("legal",),
    ),
    "labels": Promise(
        "every legal action has a label for every viewer",
        "verbs and cards have names that are not empty",
        "Actions",
        ("legal",),
    ),
    "narration": Promise(
        "every viewer gets sentences about every action",
        "narration() returns None or at least one sentence of one line, or an empty list while the "
        "same seat goes on; it names cards by names.card and names.phrase and reads no unseen "
        "face. A sentence of state.log() has one line, and seats and values for all of its names",
        "Stories",
    ),
    "summary": Promise(
        "the summary of a round is a title and rows of equal length, for every viewer",
        "summary() returns None, or one title and at least one row of texts of one line; it reads "
        "no unseen face",
        "Summaries",
    ),
    "why_not": Promise(
        "an illegal action can have a reason for the seat to act, a legal one has none",
        "why_not() returns None or one line for every action, and reads only faces that the seat "
        "to act has seen",
        "Why not",
        ("legal", "legal_is_public", "scene"),
    ),
    "consequence": Promise(
        "each legal action can have a consequence for the seat to act to read",
        "consequence() and hint() return one line or an empty text, and read only faces that the "
        "seat has seen",
        "Consequences",
        ("legal", "legal_is_public"),
    ),
    "chapter": Promise(
        "the chapter is the same text for all viewers",
        "chapter() returns one line or an empty text that depends on no face",
        "Chapters",
    ),
    "breakdown": Promise(
        "the points of all causes add up to the scores",
        "breakdown() has a row for every cause, with the points of every seat",
        "Scores by cause",
        ("scores",),
    ),
    "player_statistics": Promise(
        "what a game counts for a seat has a text, and a frequency of at most its occasions",
        "player_statistics() returns Frequency objects by text, and reads only faces that the seat "
        "has seen",
        "Statistics of a game",
    ),
    "room": Promise(
        "areas have more cards than their room in less than one of 100 positions",
        "`room` of an Area is the greatest usual number of its cards, or 0",
        "The scene",
        (*ENDING, "scene"),
    ),
    "plan": Promise(
        "no region of the table moves and no card changes its size during a game",
        "declare the `room` of areas, and keep areas in the scene while they are empty",
        "The scene",
        (*ENDING, "scene", "labels", "chapter", "legal_is_public"),
    ),
    "scene": Promise(
        "every viewer has a scene, and everything it refers to exists",
        "scene() sorts by face for viewer == seat only, and refers to cards that it shows; "
        "`needs_confirmation`, `primary` and `sentences` are verbs of actions, and `opponents` "
        "names levels",
        "The scene",
        ("clone",),
    ),
    "beats": Promise(
        "every viewer can see the table at each pause within an action",
        "apply() calls state.pause() at a moment that suits scene(), with one line of text, and "
        "with `by` if the text has {player}; code below `if WATCHED` does not change the state",
        "Turns",
        (*REPLAYABLE, "scene"),
    ),
    "sight": Promise(
        "after every action one viewer can see the table and its texts",
        "Display reads only faces that the viewer has seen; a card that is not seen is shown as a "
        "back",
        "The scene",
        (
            *(*REPLAYABLE, "legal_is_public"),
            *("labels", "scene", "beats", "narration", "summary", "chapter", "consequence"),
        ),
    ),
    "layout": Promise(
        "every legal action can be reached on the screen, and plain text says all that it shows",
        "an action is about a token or site that the scene shows, or becomes a button",
        "The scene",
        ("scene", "legal", "legal_is_public", "teams", "sides", "chapter"),
    ),
    "legal_is_public": Promise(
        "legal actions depend only on what the seat to act can see",
        "legal() reads only faces that the seat to act has seen; apply() gets facts about others "
        "from state.answer, which makes them public",
        "Secrets",
        ("legal", "clone"),
    ),
    "truth_is_allowed": Promise(
        "`allows` and `plausible` never exclude the true cards",
        "allows() and plausible() exclude only faces that public actions make impossible",
        "Inferences from play",
        REPLAYABLE,
    ),
    "recognition": Promise(
        "no player recognizes a card that another one chooses face down in the same round",
        "the zone that players choose from is declared with mixed=True; a card that is shown in it "
        "has to leave and enter it again",
        "Secrets",
        (*REPLAYABLE, "legal_is_public", "truth_is_allowed"),
    ),
    "same_result": Promise(
        "what an action makes public does not depend on hidden cards",
        "apply() decides by faces that all have seen or that it turns up; a fact about other "
        "faces becomes public by state.answer",
        "Secrets",
        (*REPLAYABLE, "legal_is_public"),
    ),
    "order": Promise(
        "a choice in a round is unknown to the other players until all have chosen",
        "actions that choose cards are Tokens, and apply() reads the faces of chosen cards when it "
        "turns them up, not before; after state.ask() it changes nothing until state.choose() "
        "returns the choices",
        "Secrets",
        (*REPLAYABLE, "legal_is_public", "truth_is_allowed", "recognition", "same_result"),
    ),
    "determinization": Promise(
        "every observation has a determinization",
        "allows() and plausible() read only seen faces, and leave at least one distribution",
        "Inferences from play",
        (*REPLAYABLE, "truth_is_allowed"),
    ),
    "published": Promise(
        "what is public does not depend on private fields, secret looks or secret actions",
        "call state.disclose(number) or state.answer(question) for what becomes public of them",
        "States",
        PLAYABLE,
    ),
    "final_scores": Promise(
        "the final scores do not depend on private fields",
        "scores() at the end reads no private field; state.disclose(number) makes a number public",
        "States",
        PLAYABLE,
    ),
    "reachable": Promise(
        "every determinization could have led to the public actions",
        "no state attribute depends on hidden cards; allows() or plausible() has all constraints",
        "Inferences from play",
        SAMPLED[:-1],
    ),
    "same_legal": Promise(
        "legal actions do not depend on hidden cards",
        "legal() returns the same in every determinization for the seat to act",
        "Secrets",
        (*COMPARED, "legal_is_public"),
    ),
    "same_scene": Promise(
        "the scene does not depend on hidden cards",
        "scene() shows piles and public values; no count or order depends on hidden faces",
        "Secrets",
        (*COMPARED, "scene"),
    ),
    "same_view": Promise(
        "the view that front ends get does not depend on hidden cards",
        "as for the scene; chapter() reads what the viewer has seen",
        "Secrets",
        (*COMPARED, "same_legal", "same_scene", "scene", "sides", "chapter"),
    ),
    "same_words": Promise(
        "the names of actions do not depend on hidden cards",
        "actions on cards are declared as Tokens, which are named by the viewer's observation",
        "Secrets",
        COMPARED,
    ),
    "same_narration": Promise(
        "the narration does not depend on hidden cards and other secrets",
        "narration() describes the action, public faces and values that depend on no hidden face; "
        "state.log() gets cards by tokens, and text and values that depend on no hidden face and "
        "on no other secret; state.disclose(number) makes a secret number public",
        "Secrets",
        (*COMPARED, "narration"),
    ),
    "same_summary": Promise(
        "summaries do not depend on hidden cards",
        "summary() depends on public faces, and on values that depend on no hidden face",
        "Secrets",
        (*COMPARED, "summary"),
    ),
    "same_beats": Promise(
        "pauses within an action do not depend on hidden cards",
        "apply() calls state.pause() and chooses its text by public facts",
        "Secrets",
        (*REPLAYABLE, "same_scene", "same_view", "beats"),
    ),
    "same_consequence": Promise(
        "the consequences of actions do not depend on hidden cards",
        "consequence() and hint() depend on faces that the seat has seen and on values that depend "
        "on no others",
        "Secrets",
        (*COMPARED, "same_legal", "consequence"),
    ),
    "same_chapter": Promise(
        "the chapter does not depend on hidden cards",
        "chapter() depends on public values that depend on no hidden face",
        "Secrets",
        (*COMPARED, "chapter"),
    ),
    "variety": Promise(
        "determinizations cover every possible location of a hidden card",
        "allows() and plausible() exclude no more than public actions do",
        "Inferences from play",
        SAMPLED,
    ),
    "guesses": Promise(
        "determinizations find hidden cards no better than by chance",
        "allows() and plausible() depend on public information only",
        "Inferences from play",
        (*SAMPLED, "end"),
    ),
    "record": Promise(
        "a game can be recorded, interrupted anywhere, resumed and replayed",
        "rules read only faces that the seat to act has seen; for others they use state.answer",
        "Records",
        (*SAMPLED, "end", "scores", "sides", "notations", "narration", "weights", "shuffles"),
    ),
    "same_record": Promise(
        "a redacted record does not depend on hidden cards",
        "actions on cards are declared as Tokens, which records name by the viewer's observation",
        "Records",
        (*SAMPLED, "record"),
    ),
    "same_errors": Promise(
        "errors do not depend on hidden cards",
        "rules and actions cache no faces: text() of an action group names cards by its argument",
        "Secrets",
        (*SAMPLED, "same_words", "same_record"),
    ),
    "same_messages": Promise(
        "messages of a server of tables do not depend on hidden cards",
        "as for the view; texts of spots and actions are named by the viewer's observation",
        "Secrets",
        (
            *SAMPLED,
            *(
                "sides",
                "notations",
                "labels",
                "scene",
                "beats",
                "narration",
                "summary",
                "why_not",
                "consequence",
                "chapter",
            ),
            "sight",
            *("same_view", "same_words", "same_narration", "same_summary", "same_beats"),
            "same_consequence",
            *("same_chapter", "same_errors"),
        ),
    ),
    "prompts": Promise(
        "what a language model reads tells as much as its seat knows, and no more",
        "scene() shows all that the seat knows and what depends on nothing else, or narration() "
        "says it; two actions have two names that differ in more than case and spacing",
        "The scene",
        (*SAMPLED, "notations", "labels", "scene", "narration", "same_scene", "same_narration"),
    ),
    "golden": Promise(
        "kept records replay, with the same scores",
        "if you changed the rules on purpose, change `version` and record the games again",
        "Records",
        ("rules", "memory"),
    ),
    "options": Promise(
        "every option has a help text and a valid default",
        "every option has a help text, and the defaults suit every number of players",
        "Options and the rules page",
    ),
    "rules_page": Promise(
        "`rules.md` exists and names every option",
        "`rules.md` beside the module begins with `# ` and a title; options are in backquotes",
        "Options and the rules page",
    ),
    "examples": Promise(
        "the examples on the rules page come out as they say",
        "each block `example` of `rules.md` has lines of given, when and then that the rules "
        "fulfil; change the page or the rules",
        "Options and the rules page",
    ),
    "lesson": Promise(
        "the lesson, if there is one, plays through to the end of its script",
        "every action in `lesson.yaml` is legal where it comes; `see` names parts of the table "
        "that the learner sees",
        "Lessons",
    ),
}
