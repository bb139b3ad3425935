"""The display, the part of the contract with the table and the texts shown to people."""

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from cardhub.model.cards import Card
from cardhub.model.game.default_scene import default_scene
from cardhub.model.game.game_hints import SearchHints
from cardhub.model.game.game_rules import S
from cardhub.model.game.played_steps import Frequency, PlayedStep
from cardhub.model.game.scene import BreakdownSection, Names, Scene, Summary


class Display(SearchHints[S]):
    """The table and the texts shown to people, all of them optional."""

    tagline: ClassVar[str] = ""
    """A few words for lists of games: "call, bluff, Gamon!". Empty: the class docstring."""
    minutes: ClassVar[int] = 0
    """The minutes that a game of people usually takes; 0: unknown, and not shown."""
    costly: ClassVar[Sequence[str]] = ()
    """Verbs of actions that people are asked to confirm, unless they can be undone: ("fold",)."""
    primary: ClassVar[Sequence[str]] = ()
    """Verbs of actions that usually come next, whose buttons stand out: ("done",)."""

    def scene(self, state: S, viewer: int) -> Scene:
        """Return the table as data; `viewer` is a seat, or `state.seats` for a spectator.

        The state is the viewer's observation: reading an unseen face raises HiddenFaceError.
        Default: all zones with their names as captions, and the scores.
        """
        return default_scene(self, state, viewer)

    def story(self, before: S, action: int, after: S, names: Names) -> list[str] | None:
        """Return sentences about an action, given one viewer's observations before and after it.

        Shuffles that the action requires are still to come; the sentences may speak of them. None:
        the core describes the action, the moved cards and the shuffles. An empty list leaves the
        action to the sentences of a later one in the same turn.
        """
        return None

    def summary(self, before: S, action: int, after: S, names: Names) -> Summary | None:
        """Return the summary of a round, trick or battle that ended with this action.

        Arguments as for `story`. The table stops at a summary, so that people can read it; replays
        and the result list all of them.
        """
        return None

    def why_not(self, state: S, action: int, names: Names) -> str | None:
        """Return why an action is not legal now: "clubs were led and you hold 8C JC".

        The state is the observation of the seat to act, and the text is shown to it alone. It is a
        clause of one line without a full stop. `action` is any action that is not legal; asked
        about a legal one, return None. None: the core names the actions that are legal.
        """
        return None

    def says(self, state: S, action: int, names: Names) -> str:
        """Return the consequence of a legal action: "4 cards; you would have 12 of C".

        The state is the observation of the seat to act, and the text is shown to it alone, before
        it acts. Empty by default.
        """
        return ""

    def action_label(self, state: S, action: int) -> str:
        """Return a label for an action whose meaning depends on the position: "Nf6".

        The state is the observation of the seat to act. People read and type the label; records
        have the notation of `actions`. Empty, the default: the label is that of `actions`.
        """
        return ""

    def breakdown(self, state: S) -> Sequence[BreakdownSection]:
        """Return the scores by cause; the points of all rows add up to `scores` for each seat.

        Asked once the game is over, with all faces seen. Default: no causes.
        """
        return ()

    def chapter(self, state: S) -> str:
        """Return the part of the game: "round 6". Replays have a mark where it changes.

        The state is a viewer's observation. Empty by default: summaries are the marks.
        """
        return ""

    def notes(self, steps: Sequence[PlayedStep[S]], seat: int) -> Mapping[str, Frequency]:
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
        """Return the path of the lesson; default: `lesson.yaml` beside the module, if it exists."""
        path = Path(inspect.getfile(type(self))).with_name("lesson.yaml")
        return path if path.exists() else None

    def rules(self) -> str:
        """Return the rules for players in Markdown; default: `rules.md` beside the module."""
        path = Path(inspect.getfile(type(self))).with_name("rules.md")
        return path.read_text("utf-8") if path.exists() else inspect.getdoc(type(self)) or ""
