"""Answers to the questions of one viewer about the table, from one observation."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardhub.base.errors import IllegalActionError
from cardhub.base.errors.suggestions import folded
from cardhub.model.game.display_values import as_text
from cardhub.model.game.scene import Grid
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.actions import site_label
from cardhub.view.action_spots import spots_of
from cardhub.view.spots import Spot
from cardhub.view.texts.card_texts import as_sentence
from cardhub.view.texts.explanations import Explainer
from cardhub.view.texts.reasons import Reasons

NOT_YOUR_TURN = "It is not your turn."
GONE = "The table has changed since."


class ViewerAnswers:
    """Describes spots, actions and reasons as the observation's viewer knows them.

    `players` are names by seat; `legal` are the legal actions in reading order, empty unless the
    viewer is to act; `origins` has the origin of each new card by token.
    """

    def __init__(
        self,
        observation: Observation[Any],
        players: Sequence[str],
        legal: Sequence[int],
        origins: Mapping[int, str],
    ) -> None:
        self._observation = observation
        self._players = players
        self._legal = legal
        self._origins = origins

    def explain(self, spot: Spot) -> str:
        """Return the description of a spot."""
        return Explainer(self._observation, self._players, self._origins).explain(spot)

    def says(self, action: int) -> str:
        """Return the consequence of a legal action, empty if the game does not describe it."""
        observation = self._observation
        if action not in self._legal:
            return ""
        game: Any = observation.game  # compiled code would check the text, with another error
        with observation.named_step():
            names = observation.labels(self._players)
            told = game.says(observation.state, action, names)
        return as_sentence(as_text(game, "says", told))

    def why_not(self, asked: Spot | str) -> str:
        """Return why a spot or a typed text is no legal action, or which actions it has."""
        if not self._legal:
            return NOT_YOUR_TURN
        if isinstance(asked, Spot):
            return Reasons(self._observation, self._players).here(asked)
        meant = self.read(asked)
        if isinstance(meant, str):
            return meant
        names = self._observation.labels(self._players).choices(self._legal)
        name = next(name for name, action in names.items() if action == meant)
        return f"Possible: {name}."

    def read(self, text: str) -> int | str:
        """Return the legal action that a text means, or why it means none.

        The label of a site alone, `a1`, means the site, also where a card has this name.
        """
        if not self._legal:
            return NOT_YOUR_TURN
        site = self._site(text)
        here = self._actions_at(site) if site is not None else []
        if site is not None and len(here) < 2:
            return here[0] if here else Reasons(self._observation, self._players).here(site)
        try:
            return self._observation.labels(self._players).parse(text, self._legal)
        except IllegalActionError as error:
            return Reasons(self._observation, self._players).typed(text) or str(error)

    def _site(self, text: str) -> Spot | None:
        """Return the site with a label; None if there is no such site."""
        for number, area in enumerate(self._observation.scene().areas):
            if isinstance(area, Grid):
                sites = range(area.rows * area.columns)
                labels = {site_label(*divmod(site, area.columns)): site for site in sites}
                if (site := labels.get(folded(text))) is not None:
                    return Spot("site", site, number)
        return None

    def _actions_at(self, spot: Spot) -> list[int]:
        seen = self._observation
        spots = spots_of(seen.game, seen.scene(), self._legal, seen.seat)
        return [action for action in self._legal if spot in spots[action]]

    def refusal(self, action: int) -> str:
        """Return why an action is not legal now."""
        return Reasons(self._observation, self._players).of(action)
