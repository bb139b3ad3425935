"""OpenSpiel's policies as bots: `policy` reads a file, `OpenSpielBot` holds an object."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from cardhub.base.errors import BotError, BotRefusalError
from cardhub.bots import BotEntry, File
from cardhub.bots.bot import policy_problem
from cardhub.bots.solved_bot import PolicyBot
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings
from cardhub_openspiel.policy_file import build_layout, check_policy, read_policy

# Imported late, because numpy and OpenSpiel take long to load and this plugin is imported at every
# start.
if TYPE_CHECKING:
    from cardhub_openspiel.exported.pyspiel_game import CardhubGame
    from cardhub_openspiel.exported.pyspiel_state import CardhubState


class TabularPolicyBot(PolicyBot):
    """A bot that plays a tabular policy from a file, for a game that `load` returned.

    OpenSpiel need not be installed.
    """

    def __init__(self, rng: Random, file: Path) -> None:
        super().__init__(rng)
        self._file = file

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        state, path = observation.state, self._file
        text = observation.information_text()
        chances = read_policy(path).get(text)
        if chances is None:
            raise BotRefusalError(
                f"{path} has no information state {text!r}\n"
                "fix: solve the game with the same options, by cardhub_openspiel.load"
            )
        layout = build_layout(observation.game, state.seats, tuple(state.settings.items()))
        return {layout.action_of(observation, number): p for number, p in chances.items()}


class OpenSpielBot(PolicyBot):
    """A bot that plays a policy of OpenSpiel, for example a network, for a game from `load`.

    `policy`: an object with a method `action_probabilities(state)`, which OpenSpiel's policies in
    Python and C++ have; at a simultaneous node the second argument is the player.
    """

    def __init__(self, rng: Random, game: "CardhubGame", policy: Any) -> None:
        super().__init__(rng)
        self._game = game
        self._policy = policy

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        state = self._state(observation)
        seat = observation.seat
        player = [] if state.current_player() == seat else [seat]
        chances: Mapping[int, float] = self._policy.action_probabilities(state, *player)
        if problem := policy_problem(chances.values()):
            raise BotError(f"{self._policy!r} is not a policy: {problem}")
        return {
            state.meant(number, seat): chance for number, chance in chances.items() if chance > 0
        }

    def _state(self, observation: Observation[Any]) -> "CardhubState":
        # Imported late: see above.
        from cardhub.bots.solving.game_tree import node_after

        # Use any state of the information state: the policy's probabilities are equal in all.
        whole = observation.determinize_whole(Random(0))
        node = node_after(self._game.tree, whole, observation.history)
        while self._game.is_turn_based and node.state.seat != observation.seat:
            node = node.child(node.odds[0][0])  # a choice of this round, which the seat cannot see
        state = self._game.new_initial_state()
        state.follow(node.path())
        return state


def refusal(game: str, settings: Settings) -> str:
    """Return why a file is not a policy, or an empty text."""
    try:
        read_policy(Path(settings.word("file")))
    except BotError as error:
        return str(error)
    return ""


def warm_up(game: Game[Any], settings: Settings, seats: int, options: Settings) -> None:
    """Read a policy, compare it with a table, and build its layout; raises BotError."""
    path = Path(settings.word("file")).absolute()
    read_policy(path)
    check_policy(path, game, seats, options)
    build_layout(game, seats, tuple(options.items()))


OPENSPIEL_POLICY = BotEntry(
    "policy",
    "a tabular policy of OpenSpiel, as its serialize() writes it",
    TabularPolicyBot,
    options={"file": File("The file of the policy.")},
    refusal=refusal,
    warm_up=warm_up,
)
