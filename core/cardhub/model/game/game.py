"""The contract for games: the rules, and two optional parts, heuristics for search and the display.

A game subclasses `Game` and implements the abstract methods: `deal`, `legal`, `apply` and `scores`.
All other attributes and methods have defaults. It names its parts in `heuristics_type` and
`display_type`.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from cardhub.model.cards import Card, Cards
from cardhub.model.game.default_scene import default_scene
from cardhub.model.game.parts import (
    PLACES,
    part_class,
    refuse_misplaced,
    refuse_unknown_bounds,
    refuse_unknown_places,
)
from cardhub.model.game.played_steps import Frequency, PlayedStep
from cardhub.model.game.scene import BreakdownSection, Names, Scene, Summary
from cardhub.model.table.actions import Actions
from cardhub.model.table.goal import Goal
from cardhub.model.table.ranges import Range
from cardhub.model.table.seats import Seats
from cardhub.model.table.settings import Option, Settings
from cardhub.model.table.state import State

S = TypeVar("S", bound=State)


class GamePart(Generic[S]):
    """A part of a game, made at first use, once for each game object."""

    def __init__(self, game: "Game[S]") -> None:
        self.game = game
        """The game, for its rules."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        refuse_misplaced(cls)


class Heuristics(GamePart[S]):
    """Knowledge of good play, which makes search bots stronger; `evaluate` matters most.

    All of it is optional. The states have complete faces: they are determinizations.
    """

    bluffs: ClassVar[Sequence[str]] = ()
    """Verbs of actions that may deceive; search samples among near-best ones of them."""
    face_classes: ClassVar[Sequence[int]] = ()
    """By face a number, equal for faces that count the same; empty: every face counts for itself.

    Search learns from faces with the same number together.
    """
    face_rows: ClassVar[Sequence[Sequence[int]]] = ()
    """Rows of faces that the rules treat alike, such as colours: the faces at one place match.

    A network of `cardhub train` uses the same weights for all rows, so what it learns about one row
    it knows about the others. The rows have equal lengths, and no face twice.
    """
    site_fields: ClassVar[Sequence[str]] = ()
    """Fields of the card file in which cards side by side on a board can be equal, such as suits.

    A network of `cardhub train` then reads the board site by site, with the same weights: the cards
    of a site, and how large the groups of equal cards are there. The game needs `Sites` among its
    actions, a zone with a pile for each site, and cards without copies.
    """
    row_numbers: ClassVar[Sequence[str]] = ()
    """Names of fields and verbs whose values number the rows of `face_rows`, or sites, from 0."""
    playout_depth: ClassVar[int] = 0
    """The number of turns after which search calls `evaluate`; 0: it plays to the end.

    At a table for one it is the number of actions.
    """

    def playout_action(self, state: S, rng: Random) -> int:
        """Return a legal action that a person might choose; used in playouts.

        It should not take longer than a few random actions.
        """
        return self.game.random_action(state, rng)

    def ends_playout(self, state: S) -> bool:
        """Return whether a playout ends in this state, as at `playout_depth`; default: never.

        For games of many deals: the end of a deal. Search asks it when the seat to act has changed.
        """
        return False

    def evaluate(self, state: S) -> Sequence[float]:
        """Return an evaluation of the position for every seat; default: the scores.

        The highest is best, or the lowest if `lowest_wins`. With `Goal.SCORE` or `COMMON` it is the
        expected final score, on the scale of `Game.scores`, because search mixes both; with WIN and
        RANK any scale will do, because search uses the margins. `benchmarks/evaluation.py` measures
        how well it predicts the final result.
        """
        return self.game.scores(state)

    def likelihood(self, state: S) -> float:
        """Return how likely the seats would have acted as they did with these faces, from 0 to 1.

        Search weights determinizations by it.
        """
        return 1.0


class Opponent(NamedTuple):
    """What people read about a level in lists: a name, and in one line how it plays."""

    name: str
    temper: str


class Display(GamePart[S]):
    """The table and the texts shown to people, all of them optional.

    Every state that these methods get is an observation of one viewer.
    """

    needs_confirmation: ClassVar[Sequence[str]] = ()
    """Verbs of actions that people are asked to confirm, unless they can be undone: ("fold",)."""
    primary: ClassVar[Sequence[str]] = ()
    """Verbs of actions that usually come next: their buttons stand out and get the cursor."""
    opponents: ClassVar[Mapping[str, Opponent]] = {}
    """By level, from `beginner` to `expert`, who plays; other levels have a usual text."""
    sentences: ClassVar[Mapping[str, str]] = {}
    """Sentences of the log on actions by verb, or by verb and value: {"pay": "{player} pays"}.

    `{player}` acts, `{other}` is the other of two players or the player whom the action names, and
    `{value:coin}` is the value of the action with its noun. Other names are those of
    `sentence_values`. Sentences on other actions are made of their labels.
    """

    def scene(self, state: S, viewer: int) -> Scene:
        """Return the table as data; `viewer` is a seat, or `state.seats` for a spectator.

        The state is the viewer's observation: reading an unseen face raises HiddenFaceError, so
        sort a hand by face only if `viewer == seat`. The core shows unseen cards as backs. A scene
        that refers to an unknown token, seat, look or place, or has too wide a text, raises
        SceneError with the game's line that made the part.

        Default: all zones with their names as captions, and the scores (`default_scene`).
        """
        return default_scene(self.game, state, viewer)

    def sentence_values(self, state: S) -> Mapping[str, int]:
        """Return further numbers for `sentences`; `state`: the observation before the action."""
        return {}

    def narration(self, before: S, action: int, after: S, names: Names) -> list[str] | None:
        """Return sentences about an action, given one viewer's observations before and after it.

        Each sentence is one line; `names` has the names of players and cards for this viewer after
        the action, `names.before` the names before it. A sentence says what was known when it
        happened: name a card that is laid face down by `names.before`, even if the same action
        turns it up, and add a sentence for that. The sentences of `State.log` follow.
        Shuffles that the action requires are still to come; the sentences may speak of them. None:
        the core describes the action, the moved cards and the shuffles. An empty list leaves the
        action to the sentences of a later one in the same turn.
        """
        return None

    def summary(self, before: S, action: int, after: S, names: Names) -> Summary | None:
        """Return the summary of a round, trick or battle that ended with this action.

        The arguments are the same as for `narration`; the summary has only facts that the viewer
        may know. The table stops at a summary until a key is pressed; replays can jump to it, and
        the result lists all of them.
        """
        return None

    def why_not(self, state: S, action: int, names: Names) -> str | None:
        """Return why an action is not legal now: "clubs were led and you hold 8C JC".

        It is asked when a player tries an action: with Enter, a click or `w` on a card, or by
        typing it. The state is the observation of the seat to act, and only that seat sees the
        text, a clause of one line without a full stop. `action` is any action of the game, also one
        of another phase, of chance, or on a card whose face cannot be read. Return None for a legal
        action. None: the core names the actions that are legal. Let `legal` and `why_not` use the
        same function, so they cannot differ.
        """
        return None

    def consequence(self, state: S, action: int, names: Names) -> str:
        """Return the consequence of a legal action: "4 cards; you would have 12 of C".

        The state is the observation of the seat to act, and only that seat sees the text, one line
        next to the action under the cursor. Empty by default.
        """
        return ""

    def hint(self, state: S, action: int, names: Names) -> str:
        """Return what speaks for or against an action that a bot suggests, in one line.

        For example "Only R13 and R15 beat it, and Bob holds 2 of the 5 red cards that you have not
        seen". A hint adds how much better the bot rates it than the next action. The arguments are
        the same as for `consequence`, which is the default.
        """
        return self.consequence(state, action, names)

    def action_label(self, state: S, action: int) -> str:
        """Return a label for an action whose meaning depends on the position: "Nf6".

        The state is the observation of the seat to act. People read and type the label; records
        have the notation of `actions`. If it is empty, the default, `actions` gives the label.

        For the log the state is the position before the action, as each viewer has observed it,
        with the faces that the action revealed. So the label may read only faces that it names: if
        a viewer has not seen one, that viewer's log has the label of `actions`. It is not asked
        about actions of chance, so `state.seat` is always a seat.
        """
        return ""

    def is_costly(self, state: S, action: int) -> bool:
        """Return whether people are asked to confirm a legal action, unless it can be undone.

        For actions that are costly in some positions only, such as a fold with chips in the pot, or
        from some amount on, such as an all-in. If an amount is costly, the greater ones are, too.
        The state is the observation of the seat to act. Default: the verbs of `needs_confirmation`.
        """
        return self.game.actions.by_action[action][0].verb in self.needs_confirmation

    def shortcuts(self, state: S, verb: str) -> Mapping[str, int]:
        """Return amounts that people often choose, by their names: {"half the pot": 12}.

        `verb` is that of an `Amount`, of which several amounts are legal now. The state is the
        observation of the seat to act. Amounts that are not legal are not shown. Default: none.
        """
        return {}

    def breakdown(self, state: S) -> Sequence[BreakdownSection]:
        """Return the scores by cause; the points of all rows add up to `scores` for each seat.

        Asked once the game is over: with all faces seen if `opens_at_end`, else with the viewer's
        observation, and a viewer who has not seen a face that it reads gets no causes. Default: no
        causes.
        """
        return ()

    def chapter(self, state: S) -> str:
        """Return the part of the game: "round 6". Replays have a mark at each change.

        The state is an observation, and the text is the same for all viewers. Empty by default: the
        marks are at the summaries.
        """
        return ""

    def player_statistics(
        self, steps: Sequence[PlayedStep[S]], seat: int
    ) -> Mapping[str, Frequency]:
        """Return how often a player did the things that this game counts, for one finished game.

        `steps` are all actions in order, with the observations of `seat` before and after each; the
        keys are texts of one line: {"Gamon cried rightly": Frequency(1, of=2)}. Statistics add up
        the games of a player. Default: no counts.
        """
        return {}

    def detail(self, card: Card) -> str:
        """Return up to nine cells of text to show below the name of a large card."""
        return ""

    def lesson(self) -> Path | None:
        """Return the path of the lesson; default: `lesson.yaml` in the folder of the game's module.

        `cardhub learn` plays it: a first hand with comments.
        """
        return _file_beside(type(self.game), "lesson.yaml")

    def rules(self) -> str:
        """Return the rules for players in Markdown; default: `rules.md` in the same folder.

        They begin with a title and name every option in backquotes.
        """
        kind = type(self.game)
        path = _file_beside(kind, "rules.md")
        return path.read_text("utf-8") if path is not None else inspect.getdoc(kind) or ""


def _file_beside(kind: type, name: str) -> Path | None:
    """Return a file in the folder of a class's module; None if the class has no module file."""
    try:
        path = Path(inspect.getfile(kind)).with_name(name)
    except (OSError, TypeError):  # a class that was typed at a prompt
        return None
    return path if path.exists() else None


class Game(ABC, Generic[S]):
    """The rules, and what play reveals about hidden cards; the one class that every game needs.

    A game object is immutable: everything about a position is in its state. The rules read and
    change states only; they do not print, read the clock, use random numbers or read variables
    that change. So the same deal and the same actions give the same game, and every sequence of
    legal actions must end it.

    The rules may read the faces that the seat to act, or every seat, has seen; any other face
    raises HiddenFaceError when a bot or a front end calls them with an observation. All attributes
    of a state are public, so never store a value computed from a hidden face; `State.answer` makes
    a fact about hidden faces public. Legal actions, scene, narration and labels must be the same in
    all determinizations of a seat's observation.

    `allows`, `possible` and `plausible` restrict the determinizations to those that fit the public
    actions. Write one of them if play reveals facts about hidden cards: if a player does not follow
    suit, all others learn that the player has no card of it. Otherwise the check `reachable` fails.
    The core itself remembers which seat has seen which card, wherever the card goes.
    """

    name: ClassVar[str]
    """The name that people type; the entry point, or the file in a plugins folder, has it too."""
    title: ClassVar[str]
    """The name shown to people."""
    version: ClassVar[str] = "1"
    """Change it whenever old records no longer replay: records of another version are refused."""
    seats: ClassVar[Seats]
    """The allowed numbers of players."""
    cards: ClassVar[Cards]
    """All faces, backs and decks; see `load_cards`."""
    actions: ClassVar[Actions]
    """All actions, in named groups."""
    state_type: ClassVar[type[Any]]
    """The game's subclass of `State`."""
    heuristics_type: ClassVar["type[Heuristics[Any]] | str"] = Heuristics
    """The game's subclass of `Heuristics`, or its name: ".heuristics:MyHeuristics".

    The name begins with the module, relative or not, which is imported at first use.
    """
    display_type: ClassVar["type[Display[Any]] | str"] = Display
    """The game's subclass of `Display`, or its name, so that bots need not load the display."""
    options: ClassVar[Mapping[str, Option]] = {}
    """The options that players can choose before the deal, by name; `rules.md` names each of them.

    Rules read a value by `state.settings.flag("name")`, `.number("name")` or `.word("name")`.
    """
    phases: ClassVar[Sequence[str]] = ()
    """The names of the values of `State.phase`, if the game has phases."""
    lowest_wins: ClassVar[bool] = False
    """Whether the lowest score is the best, for any goal."""
    goal: ClassVar[Goal] = Goal.RANK
    """The aim of the players; see `Goal`."""
    opens_at_end: ClassVar[bool] = False
    """Whether all cards are opened to everybody once the game is over, as after the last trick.

    If not, each viewer sees what the rules have shown: a hand that was folded stays hidden, in
    results, replays and shared pages. The game's record on its owner's disk has all cards.
    """
    score_range: ClassVar[Range | None] = None
    """The least and the greatest score; learners' arrays scale scores by it."""
    learner_fields: ClassVar[Sequence[str] | None] = None
    """The fields that `cardhub train` shows to a network; None: all but those by token."""
    unit: ClassVar[str] = "points"
    """The plural noun of what scores count, such as "chips"."""
    sides: ClassVar[Sequence[str]] = ()
    """The names of the sides, if cards or play decide who plays with whom; see `side`."""

    tagline: ClassVar[str] = ""
    """A few words for lists of games: "call, bluff, Gamon!".

    Empty: the first docstring line of what the entry point names, a class or else a module.
    """
    minutes: ClassVar[int] = 0
    """The minutes that a game of people usually takes; 0: unknown, and not shown."""
    levels: ClassVar[Mapping[str, str]] = {}
    """Bot specs for `beginner` to `hard` instead of the defaults, and for `expert`."""
    networks: ClassVar[Sequence[str]] = ()
    """Files of `cardhub train`, as paths from the module's folder, for the bot `trained`.

    Each plays at the table for which it was trained: that number of players, and those options.
    """
    no_determinizations: ClassVar[str] = ""
    """Why observations of the game have no determinizations, as a clause; empty: they have.

    Search, hints, reviews and the checks of games need them and are refused then.
    """

    _heuristics: Heuristics[S] | None = None
    _display: Display[S] | None = None

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        refuse_misplaced(cls)
        refuse_unknown_bounds(cls)
        refuse_unknown_places(cls)

    @property
    def heuristics(self) -> Heuristics[S]:
        """The heuristics, an object of `heuristics_type`."""
        if self._heuristics is None:
            kind = part_class(type(self), "heuristics_type", Heuristics)
            self._heuristics = kind(self)
        return self._heuristics

    @property
    def display(self) -> Display[S]:
        """The display, an object of `display_type`."""
        if self._display is None:
            kind = part_class(type(self), "display_type", Display)
            self._display = kind(self)
        return self._display

    @abstractmethod
    def deal(self, state: S) -> None:
        """Put all tokens into zones and set the first seat to act.

        Tokens are numbered from 0, deck by deck, after each deck has been shuffled. The layout may
        depend on token numbers and options, but not on faces: a hand sorted by value would show
        everybody which card lies where. At the start `state.seat` is 0.
        """

    @abstractmethod
    def legal(self, state: S) -> list[int]:
        """Return the legal actions of the seat to act (or of chance) in a fixed order.

        Before the end the list is not empty, its ints are distinct, and after each action the turn
        can be finished. A call does not change the state. Callers do not change the list, so every
        call may return the same list.
        """

    @abstractmethod
    def apply(self, state: S, action: int) -> None:
        """Carry out a legal action in place; set `state.seat` to the next seat, CHANCE or OVER.

        It need not check that the action is legal. It may read faces that the same action turns up,
        such as the cards of a trick that all have been laid. With `CHANCE` the next legal actions
        are the outcomes of a random event, such as a die.
        """

    @abstractmethod
    def scores(self, state: S) -> list[int]:
        """Return the current score of every seat, an int, at any time; final once the game is over.

        The highest is best unless `lowest_wins`. All members of a team have the same score.
        """

    def score_swing(self, state: S) -> int | None:
        """Return how much the difference of two seats' scores can still change, None if unknown.

        It is an upper limit: whatever players and chance do, no difference changes by more, so it
        never grows. A match with `adjudicate: yes` ends once no place can change any more.
        """
        return None

    def teams(self, settings: Settings, seats: int) -> Sequence[int]:
        """Return the team of every seat; default: each seat is a team, or with COMMON all are one.

        For partners across the table return `[0, 1, 0, 1]`. The scores of the members of a team are
        equal. Seating and returns count teams: if seats 0 and 2 win, the places are 1, 2, 1, 2.
        """
        return [0] * seats if self.goal is Goal.COMMON else range(seats)

    def side(self, state: S, seat: int) -> int | None:
        """Return the side of a seat, an index into `sides`, or None if it is not decided yet.

        The state may be an observation: reading an unseen face raises HiddenFaceError, and then its
        viewer does not know the side. So a partner is shown to those who know the partner. Once the
        game is over everybody knows all sides, and the members of a side have equal scores. Places
        and returns count each seat for itself, unlike with `teams`.
        """
        return None

    def target(self, settings: Settings, seats: int) -> int | None:
        """Return the common score at which all have won, or None if nobody wins or loses.

        Only a game with `Goal.COMMON` has a target.
        """
        return None

    def unit_size(self, settings: Settings) -> int:
        """Return the score that makes one of `unit`: 2 if scores count halves, as in Garner."""
        return 1

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the faces of the cards in play; default: all copies of all cards."""
        return list(self.cards.copies)

    def check(self, settings: Settings, seats: int) -> None:
        """Raise OptionError for options that are valid separately, but not together."""

    def chance_weights(self, state: S) -> list[float] | None:
        """Return the weights of chance's legal actions, at least one above 0; None: equal ones."""
        return None

    def random_action(self, state: S, rng: Random) -> int:
        """Return a legal action, uniformly at random; override it to avoid building the list."""
        actions = self.legal(state)
        # Faster than rng.choice, which playouts would call at every step.
        return actions[int(rng.random() * len(actions))]

    def allows(self, state: S, token: int, face: int) -> bool:
        """Return whether an unseen token can have this face, given public information only.

        It concerns the token's present face, until the token's next shuffle; the core asks before
        and after an action that shuffles, and keeps the answers with the shuffle. So note what play
        reveals by token, not by seat, if cards can change hands: `per_token` is a field for it that
        a shuffle resets. Delete notes of another kind in the action that gathers the cards.
        """
        return True

    def possible(self, state: S, token: int) -> int:
        """Return the faces that an unseen token can have, as the bits of an int.

        A faster form of `allows`, because it is called once for each hidden card and not once for
        each card and face: override it if the state has such bits. Bits of faces with another back
        are ignored.
        """
        back, mask = state.back[token], 0
        for face, other in enumerate(self.cards.back_of):
            if other == back and self.allows(state, token, face):
                mask |= 1 << face
        return mask

    def plausible(self, state: S) -> bool:
        """Return whether a determinization fits the public information on several cards at once.

        Rejected determinizations are sampled again: if fewer than one in a thousand is plausible,
        search is slow; none in 20,000 is an error. Therefore use `allows` for facts about single
        cards. The state is a current state with complete faces; its shuffle log is masked.
        """
        return True


for _part in (Heuristics, Display, Game):
    PLACES.update((name, _part) for name in vars(_part) if not name.startswith("_"))
