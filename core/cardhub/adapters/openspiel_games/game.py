"""An OpenSpiel game under cardhub's contract.

Its history is the state: what players did, what all saw chance draw, and for every card drawn
unseen a token. So what OpenSpiel keeps from a player is a face that its seat has not seen.
"""

import textwrap
from importlib.metadata import version as installed
from typing import Any, ClassVar

from cardhub.adapters.openspiel_games.original import Original, odds
from cardhub.adapters.openspiel_games.survey import Survey, completed, explore
from cardhub.adapters.openspiel_games.words import actions_of, cards_of
from cardhub.game.game import Game
from cardhub.game.scene import Area, Names, Scene
from cardhub.table.faces import BLANK, blanked
from cardhub.table.seats import Seats
from cardhub.table.settings import Settings
from cardhub.table.state import CHANCE, OVER, State
from cardhub.table.zones import shared

WIDTH = 52
"""How many characters of what OpenSpiel shows stand on a line, beside the log of the screen."""
DRAWN = -1
"""Stands in the course of a game for the next card that was drawn."""
PARTS = 1000
"""Returns that are no whole numbers are counted in such parts."""


class Table(State):
    """The course of the game, and the cards that chance has drawn in it, in that order."""

    stack = shared(faces="nobody")
    drawn = shared(faces="nobody")
    course: list[int]


class OpenSpielGame(Game[Table]):
    """A game of OpenSpiel; `game_named` makes a class for each."""

    state_type = Table
    original: ClassVar[Original]
    survey: ClassVar[Survey]

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the cards that chance draws from."""
        return self.cards.all_copies() if self.survey.deck.outcomes else []

    def deal(self, state: Table) -> None:
        """Lay the cards ready, and draw as many as come before anybody acts."""
        state.put_all(range(len(state.back)), state.stack)
        self._draw(state)

    def legal(self, state: Table) -> list[int]:
        """Return what OpenSpiel calls legal; outcomes of chance follow the actions of players."""
        now = self._at(state)
        if now.is_chance_node():
            first = self.original.game.num_distinct_actions()
            return [first + outcome for outcome in odds(now)]
        return [int(action) for action in now.legal_actions()]

    def chance_weights(self, state: Table) -> list[float]:
        """Return the probabilities of what chance can do."""
        return list(odds(self._at(state)).values())

    def apply(self, state: Table, action: int) -> None:
        """Do what was chosen, and draw the cards that come of it."""
        first = self.original.game.num_distinct_actions()
        state.course.append(action if state.seat != CHANCE else action - first)
        self._draw(state)

    def scores(self, state: Table) -> list[int]:
        """Return OpenSpiel's returns; nobody has won anything before the end."""
        if state.seat != OVER:
            return [0] * state.seats
        parts = 1 if self.survey.is_whole else PARTS
        return [round(value * parts) for value in self._at(state).returns()]

    def scene(self, state: Table, viewer: int) -> Scene:
        """Show what OpenSpiel shows the player, line by line, and the cards drawn."""
        lines = [part for line in self._lines(state, viewer) for part in wrap(line)]
        areas = [Area(line, note=" ") for line in lines]  # with a note, no cards are counted
        if state.back:
            areas.append(Area("drawn", state.drawn, look="row"))
        return Scene(self._prompt(state, viewer), areas)

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Tell the action as OpenSpiel calls it there, and the cards drawn."""
        now, who = self._at(before), "chance"
        step = action - self.original.game.num_distinct_actions()
        if before.seat != CHANCE:
            step, who = action, names.player(before.seat)
        words = " ".join(now.action_to_string(now.current_player(), step).split())
        drawn = [token for token in after.drawn if token not in before.drawn]
        return [f"{who}: {words}", *(f"{names.phrase(token)} is drawn" for token in drawn)]

    def rules(self) -> str:
        """Say whose rules they are."""
        parameters = self.original.game.get_parameters()
        lines = [f"- {name}: {value}" for name, value in sorted(parameters.items())]
        return "\n".join(
            [
                f"# {self.title}",
                "",
                f"The rules are OpenSpiel's, of the game `{self.original.text}`. Its parameters:",
                "",
                *lines,
                "",
            ]
        )

    def _draw(self, state: Table) -> None:
        """Let chance draw cards until somebody is to act, or all can see what it does."""
        deck = self.survey.deck
        while True:
            now = self._at(state)
            is_drawing = now.is_chance_node() and deck.is_next(now, self._outcomes(state))
            if not is_drawing:
                break
            token = deck.token(len(state.drawn))
            state.move(token, state.stack, state.drawn)
            self._show(state, token, now)
            state.course.append(DRAWN)
        if now.is_terminal():
            state.reveal(state.drawn)  # what it came to depends on them
            state.seat = OVER
        elif now.is_chance_node():
            self.original.refuse_unseen(now)
            state.seat = CHANCE
        else:
            state.seat = int(now.current_player())

    def _show(self, state: Table, token: int, now: Any) -> None:
        """Show a card to those whom OpenSpiel tells it."""
        told = [seat for seat in range(state.seats) if self.original.is_seen(now, seat)]
        if len(told) == state.seats:
            state.reveal([token])
        for seat in told:
            state.show(token, seat)

    def _at(self, state: Table) -> Any:
        """Return OpenSpiel's state; cards that this seat has not seen are taken as they come.

        What depends on those is not asked for.
        """
        if not state.drawn:
            return self.original.at(tuple(state.course))
        drawn = iter(self._outcomes(state))
        steps = (next(drawn) if step == DRAWN else step for step in state.course)
        return self.original.at(tuple(steps))

    def _outcomes(self, state: Table) -> tuple[int, ...]:
        """Return what chance has drawn, unseen cards taken as they come."""
        faces, kinds = blanked(state.face), self.survey.deck.kinds
        known = [
            -1 if faces[token] == BLANK else kinds[faces[token] % len(kinds)]
            for token in state.drawn
        ]
        return tuple(completed(self.survey.deck, known))

    def _lines(self, state: Table, viewer: int) -> list[str]:
        if viewer < state.seats:
            return self.original.sight(self._at(state), viewer).splitlines()
        if self.original.is_open:
            return self.original.sight(self._at(state), 0).splitlines()
        return ["OpenSpiel shows this game to its players only"]

    def _prompt(self, state: Table, viewer: int) -> str:
        if state.seat != viewer:
            return "wait"
        now = self._at(state)
        told = {a: " ".join(now.action_to_string(viewer, a).split()) for a in now.legal_actions()}
        names = {a: self.actions.text(a, str) for a in told}
        other = [f"{names[a]} is {words}" for a, words in told.items() if names[a] not in words]
        return "act" + (": " if other else "") + ", ".join(other)


def wrap(line: str) -> list[str]:
    """Return a line in pieces that fit on any screen; nothing of a blank one."""
    line = line.rstrip()
    if len(line) <= WIDTH:
        return [line] * bool(line)
    return textwrap.wrap(line.replace("][", "] ["), WIDTH)  # [Private: 1][Round 1]...


def game_named(name: str, text: str) -> OpenSpielGame:
    """Return what OpenSpiel loads by `text` as a game called `name`; raises PluginError."""
    found = Original(text)
    seen = explore(found)

    class Named(OpenSpielGame):
        original, survey = found, seen
        title = f"{found.kind.long_name} (OpenSpiel)"
        version = ".".join(installed("open_spiel").split(".")[:2])  # with it, rules may change
        seats = Seats(found.players)
        cards = cards_of(seen.deck, seen.outcomes)
        actions = actions_of(found, seen)

    Named.name = name
    return Named()
