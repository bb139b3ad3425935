"""The choices of bots at a step of a replay, beside the action that was taken."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.results.replay_adviser import ReplayAdviser
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.turns.hint_requests import hint_of
from cardhub.play.session import Hint
from cardhub.tui.table.hint_panel import HintPanel

if TYPE_CHECKING:
    from textual.screen import Screen


class BotChoices:
    """Asks bots and shows their answers in the panel of hints."""

    def __init__(self, screen: "Screen[Any]", session: ReplaySession, opener: Opener) -> None:
        self._screen = screen
        self._session = session
        self._adviser = ReplayAdviser(session.replay, opener.registry, opener.scheduler)
        self._step = -1

    def ask(self) -> None:
        """Ask the bot that gives hints, or hide its answer."""
        if self._panel.is_open:
            self.hide()
        else:
            self.ask_named(self._adviser.default_bot)

    def ask_named(self, bot: str | None) -> None:
        """Ask a bot by its spec; None or an empty one asks no bot."""
        if not bot:
            return
        self.hide()
        self._step = self._session.step
        self._panel.wait()
        show = partial(self._show, bot.strip())
        self._adviser.ask(
            self._step, self._session.viewer, bot.strip(), show, self._panel.show_hint
        )

    def hide(self) -> None:
        """Hide the answer and drop a question."""
        if self._panel.is_open:
            self._adviser.cancel()
            self._panel.close()

    def drop_other_steps(self) -> None:
        """Hide an answer about another step than the present one."""
        if self._step != self._session.step:
            self.hide()

    def close(self) -> None:
        """End the process of the bots."""
        self._adviser.close()

    @property
    def _panel(self) -> HintPanel:
        return self._screen.query_one(HintPanel)

    def _show(self, bot: str, observation: Any, rated: Sequence[Any]) -> None:
        players = [player.name for player in self._session.replay.players]
        hint = hint_of(bot, rated, observation, players, says_you=False)
        taken = self._session.replay.action_after(self._step)
        agrees = taken is not None and rated[0].action == taken.action
        coming = self._session.coming()
        told = f"Taken: {coming.text}." if coming else ""
        why = " ".join(filter(None, (hint.why, "The same was done." if agrees else told)))
        self._panel.show_hint(Hint(hint.bot, hint.rows, why))
