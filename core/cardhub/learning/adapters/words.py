"""A game as an environment of TextArena: players read prompts, and answer in words.

TextArena is imported by the first game, because it is optional and takes a second to load.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from cardhub.base.errors import MissingLibraryError, OptionError
from cardhub.bots.language.answers import read_answer
from cardhub.bots.language.prompt import Choices, Prompt, build_prompt, constant_text, seat_names
from cardhub.learning.adapters.episode import named_game
from cardhub.learning.adapters.utilities import GOAL
from cardhub.learning.adapters.vector.factory import check_rivals, table_spec
from cardhub.learning.adapters.vector.learner_game import FORFEIT, LearnerGame, bot_maker
from cardhub.learning.adapters.vector.learning_table import MOST_WITHOUT_DECISION
from cardhub.learning.adapters.vector.seeding import SEED_BITS
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.table.settings import Value

NO_LIBRARY = (
    "textarena is not installed. fix: pip install '.[textarena]' in the checkout of cardhub"
)
# What a player gets whose answers name no legal action; the other players get 0.
LOSS = -1.0
# How TextArena numbers the game as a sender.
GAME = -1
OVER, NO_GAME = "The game is over.", "there is no game to act in. fix: call `reset`"


class WordEnv:
    """A game with the methods of `textarena.Env`, which its wrappers and loops call.

    Players read what language models read: first the rules and their part, then, at each turn, what
    has happened since their last one, and the table. They answer with names of actions. An answer
    without a legal action is refused with the reason; the last of `tries` in a row loses the game.
    Rewards come at the end, and are utilities. With rivals in `spec`, the only player has a seat
    among bots, the next one in every game. `seed` decides the games that `reset` begins without a
    seed.
    """

    def __init__(self, spec: TableSpec, *, tries: int, choices: Choices, seed: int) -> None:
        self.table_spec = spec
        self.num_players = 1 if spec.rivals else spec.layout.seats
        self._tries = tries
        self._choices = choices
        self._rng = Random(seed)
        self._turn = -1
        self._game: LearnerGame | None = None
        self._prompt: Prompt | None = None
        self._kinds: Any = None
        self.state: Any = None
        self._refused = 0

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a new game, with the cards that `cardhub play --seed` deals for this seed."""
        if num_players != self.num_players:
            raise OptionError(f"num_players cannot be {num_players}: it is {self.num_players}")
        layout = self.table_spec.layout
        scoring = game_scoring(layout.game, layout.settings, layout.seats)
        self._turn = self._turn + 1 if seed is None else seed
        for _ in range(MOST_WITHOUT_DECISION):
            deal = self._rng.getrandbits(SEED_BITS) if seed is None else seed
            self._close_bots()
            make_bot = bot_maker(self.table_spec)
            self._game = LearnerGame(self.table_spec, scoring, deal, self._turn, make_bot)
            if self._game.advance():
                self._begin()
                return
            self._turn, seed = self._turn + 1, None
        raise ValueError(f"there was no decision in {MOST_WITHOUT_DECISION} games in a row")

    def get_observation(self) -> tuple[int, list[tuple[int, str, Any]]]:
        """Return the player to act, and the messages that it has not read: sender, text, kind."""
        return self.state.current_player_id, self.state.get_current_player_observation()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take a player's answer; return whether the game is over, and the reason at its end."""
        game, prompt = self._game, self._prompt
        if game is None or prompt is None:
            raise ValueError(NO_GAME)
        player = self.state.current_player_id
        self._say(action, "PLAYER_ACTION", player)
        reading = read_answer(prompt, action)
        if reading.action is not None:
            self._refused = 0
            game.act(reading.action)
            self._ask(game)
        else:
            self._refused += 1
            self.state.game_info[player]["invalid_move"] = True
            if self._refused < self._tries:
                self._say(reading.reason, "GAME_ADMIN")
            else:
                game.act(FORFEIT)
                losses = {number: LOSS * (number == player) for number in range(self.num_players)}
                self._end(losses, reading.reason)
        done, info = self.state.step()
        return bool(done), dict(info)

    def close(self) -> Any:
        """Close the bots; return the rewards and the facts of the game by player."""
        self._close_bots()
        return self.state.close()

    def _begin(self) -> None:
        names = seat_names(self.table_spec.layout.seats)
        roles = {player: names[self._seat_of(player)] for player in range(self.num_players)}
        ta = load_textarena()
        self._kinds = ta.ObservationType
        # Without a seed: TextArena would seed the generator of the whole process.
        self.state = ta.State(num_players=self.num_players)
        self.state.standard_resets(
            role_mapping=roles, player_prompt_function=lambda player_id, **_: self._part(player_id)
        )
        self._refused = 0
        self._show()

    def _part(self, player: int) -> str:
        layout = self.table_spec.layout
        return constant_text(
            layout.game,
            layout.settings,
            layout.seats,
            self._seat_of(player),
            is_listed=self._choices == "listed",
        )

    def _ask(self, game: LearnerGame) -> None:
        """Play the bots' actions; show the next player the table, or end the game."""
        if game.advance():
            self._show()
            return
        values = game.utilities()
        rewards = {n: values[self._seat_of(n)] for n in range(self.num_players)}
        self._end(rewards, OVER)

    def _show(self) -> None:
        assert self._game is not None  # `reset` has begun one
        seat = self._game.episode.seat
        self.state.current_player_id = 0 if self.table_spec.rivals else seat
        self._prompt = build_prompt(self._game.episode.observe(seat), "recent", self._choices)
        self._say(self._prompt.turn, "GAME_BOARD")

    def _say(self, text: str, kind: str, sender: int = GAME) -> None:
        """Show a text to the player to act only."""
        self.state.add_observation(text, self._kinds[kind], sender, self.state.current_player_id)

    def _end(self, rewards: dict[int, float], reason: str) -> None:
        self._prompt = None
        self.state.done, self.state.rewards = True, rewards
        self.state.step_info = {"reason": reason}
        for player in range(self.num_players):
            self.state.game_info[player]["reason"] = reason

    def _seat_of(self, player: int) -> int:
        learner = self.table_spec.learner(self._turn)
        return player if learner is None else learner

    def _close_bots(self) -> None:
        if self._game is not None:
            self._game.close()


def load_textarena() -> Any:
    """Return the package textarena; raises MissingLibraryError."""
    try:
        import textarena
    except ImportError as error:
        raise MissingLibraryError(NO_LIBRARY) from error
    return textarena


def register(game: str) -> str:
    """Make an installed game known to `textarena.make`; return its id, `cardhub/NAME`."""
    ta, name = load_textarena(), f"cardhub/{named_game(game).name}"
    with suppress(ValueError):  # it is known already
        ta.register(name, partial(env, game))
    return name


def env(
    game: str | Game[Any],
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    rivals: Sequence[str] = (),
    tries: int = 2,
    choices: Choices = "listed",
    returns: str = GOAL,
    seed: int = 0,
) -> WordEnv:
    """Return a game in words; without `rivals` every seat is a player.

    `players` and `options` default to the game's defaults. `tries`: how often a player may answer
    at a decision. `choices`: whether the legal actions are listed. `returns`: the kind of
    utilities. Raises PluginError for an unknown game or bot, and OptionError for other invalid
    parameters.
    """
    if tries < 1:
        raise OptionError(f"tries cannot be {tries}: it is at least 1")
    spec = table_spec(game, players, options, rivals=rivals, returns=returns)
    check_rivals(spec)
    return WordEnv(spec, tries=tries, choices=choices, seed=seed)
