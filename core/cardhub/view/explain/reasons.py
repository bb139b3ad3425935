"""Reasons why actions are not legal now, for the seat to act."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from cardhub.model.game.display_values import as_reason
from cardhub.model.game.scene import Area, Grid
from cardhub.model.hidden.labels import unknown_action
from cardhub.model.hidden.observation import NamedStep, Observation
from cardhub.model.table.actions import Amount, Choice, Group, Players, Sites, Tokens
from cardhub.view.action_spots import by_spot, spots_of
from cardhub.view.area_views import region_of
from cardhub.view.equal_cards import Equals, equals_of, merged_actions
from cardhub.view.view import APART, Spot

# Legal actions with one verb are listed up to this number.
MOST_LISTED = 4


class Reasons:
    """Explains illegal actions at one observation, which must belong to the seat to act.

    The texts may name every card that this seat has seen, so only this seat may read them.
    """

    def __init__(self, observation: Observation[Any], players: Sequence[str]) -> None:
        self._game = observation.game
        self._state = observation.state
        self._observation = observation
        self._labels = observation.labels(players)
        self._legal = observation.legal()

    def at(self, spot: Spot) -> str | None:
        """Return why no action is possible at a spot; None if no action refers to it."""
        scene, illegal = self._observation.scene(), self._illegal()
        equals = equals_of(self._observation, scene)
        there = by_spot(spots_of(self._game, scene, illegal, self._observation.seat, equals))
        if illegal := [*self._on_face(spot, illegal), *there.get(spot, ())]:
            return self._explain(illegal)
        return None

    def here(self, spot: Spot) -> str:
        """Return the legal actions at a spot, or why there are none."""
        labels, game, viewer = self._labels, self._game, self._observation.seat
        scene = self._observation.scene()
        equals = equals_of(self._observation, scene)
        by_place = by_spot(spots_of(game, scene, self._legal, viewer, equals))
        legal = by_place.get(spot, ()) or by_place.get(self._stack_of(spot), ())
        if legal:
            named = self._distinct(legal, equals)
            return f"Your choices here: {' or '.join(labels.choices(named))}."
        return self.at(spot) or f"There is nothing to do here. Your choices now: {self.possible()}."

    def typed(self, text: str) -> str | None:
        """Return why a typed action is not legal; None if the text names no illegal action."""
        if self._labels.matching(text, self._legal):
            return None
        matches = self._labels.matching(text, self._illegal())
        if not matches:
            return None
        if len(set(map(self._subject, matches))) == 1:
            return self._explain(matches)
        # All illegal actions of a verb may have one reason, for example another phase.
        reasons = {self._reason(action) for action in matches}
        reason = reasons.pop() if len(reasons) == 1 else None
        if reason:
            return f"{text.strip()!r} is not possible: {reason}."
        return f"{text.strip()!r} is not possible now. Your choices: {self.possible()}."

    def of(self, action: int) -> str:
        """Return why an action is not legal; `action` may be any number."""
        if not 0 <= action < self._game.actions.size:
            return f"The game has no {unknown_action(action)}. Your choices: {self.possible()}."
        return self._explain([action])

    def possible(self) -> str:
        """Return the legal actions in short: `call 1–6 or play one of 9 cards`."""
        distinct = self._distinct(
            sorted(self._legal), equals_of(self._observation, self._observation.scene())
        )
        verbs = groupby(distinct, key=lambda action: self._game.actions.by_action[action][0])
        return " or ".join(self._in_short(group, list(actions)) for group, actions in verbs)

    def _distinct(self, actions: Sequence[int], equals: Equals) -> Sequence[int]:
        """Return actions, of those on equal cards only the first one."""
        return [*merged_actions(self._observation, equals, actions)] if equals else actions

    def _explain(self, actions: Sequence[int]) -> str:
        # A card may have an action in each phase: prefer the actions of the current phase.
        verbs = {self._verb(action) for action in self._legal}
        meant = [action for action in actions if self._verb(action) in verbs] or actions
        for action in meant:
            reason = self._reason(action)
            if reason:
                return f"{self._refusal(action)}: {reason}."
        return f"{self._refusal(meant[0])} now. Your choices: {self.possible()}."

    def _reason(self, action: int) -> str | None:
        """Return the game's reason without its full stop, None if it has none."""
        with NamedStep(self._observation):
            text = self._game.display.why_not(self._state, action, self._labels)
        reason = as_reason(self._game, text)
        return reason.removesuffix(".") if reason else None

    def _stack_of(self, spot: Spot) -> Spot:
        """Return the area of a card that acts as its area, else the spot itself."""
        area = self._observation.scene().areas[spot.area] if spot.kind == "card" else None
        viewer = self._observation.seat
        is_stack = isinstance(area, Area) and region_of(area, viewer) not in APART
        return Spot("area", 0, spot.area) if is_stack else spot

    def _on_face(self, spot: Spot, illegal: Iterable[int]) -> list[int]:
        """Return the actions that name the card at a spot, such as `lift A4`."""
        area = self._observation.scene().areas[spot.area] if spot.area >= 0 else None
        stack = area.stacks[spot.key] if isinstance(area, Grid) and spot.kind == "site" else ()
        token = spot.key if spot.kind == "card" else stack[-1] if stack else None
        if token is None or not self._labels.is_known(token):
            return []
        places = ((action, *self._game.actions.by_action[action]) for action in illegal)
        face = self._state.face[token]
        return [
            action
            for action, group, index in places
            if isinstance(group, Choice) and group.is_of_cards and index == face
        ]

    def _illegal(self) -> list[int]:
        legal = set(self._legal)
        actions = range(self._game.actions.size)
        return [a for a in actions if a not in legal and self._labels.is_action(a)]

    def _verb(self, action: int) -> str:
        return self._game.actions.by_action[action][0].verb

    def _subject(self, action: int) -> str:
        """Return the card of an action, or its label if it has none."""
        if not self._labels.is_action(action):
            return self._labels.label(action)
        group, index = self._game.actions.by_action[action]
        if isinstance(group, Tokens):
            return self._labels.phrase(index)
        is_card = isinstance(group, Choice) and group.is_of_cards
        return self._game.cards.faces[index].label if is_card else self._labels.label(action)

    def _refusal(self, action: int) -> str:
        """Return that an action is not possible: `You cannot lay B4`, `'done' is not possible`."""
        # Only the words before a card are certain to follow `You cannot`.
        subject = self._subject(action)
        group, _ = self._game.actions.by_action[action]
        is_of_cards = isinstance(group, Tokens) or (isinstance(group, Choice) and group.is_of_cards)
        if is_of_cards and self._labels.is_action(action):
            label = self._labels.label(action)
            words = label.removesuffix(subject).strip()
            if words and words != label:
                return f"You cannot {words} {subject}"
        return f"{subject!r} is not possible"

    def _in_short(self, group: Group, actions: Sequence[int]) -> str:
        """Return the legal actions of one group: `pay 0–1`, `play 8C, JC`."""
        names = list(self._labels.choices(actions))
        if len(actions) == 1:
            return names[0]
        if isinstance(group, Amount):
            return group.label_of(_ranges(sorted(map(group.amount, actions))))
        verb = f"{group.verb} " if group.verb else ""
        words = [name.removeprefix(verb) for name in names]
        if all(word.isdecimal() for word in words):
            return verb + _ranges(sorted(map(int, words)))
        if len(words) > MOST_LISTED:
            kind = _kind(group) if verb else "actions"
            preposition = {"sites": "at ", "ways": "in "}.get(kind, "")
            return f"{verb}{preposition}one of {len(words)} {kind}"
        return verb + ", ".join(words)


def _kind(group: Group) -> str:
    if isinstance(group, Tokens) or (isinstance(group, Choice) and group.is_of_cards):
        return "cards"
    if isinstance(group, Players):
        return "players"
    return "sites" if isinstance(group, Sites) else "ways"


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers with their runs in short: `1–4, 6`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
