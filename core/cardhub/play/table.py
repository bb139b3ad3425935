"""A table for programs: play a whole game between bots, or step through one.

The public names of this module are those of `cardhub.play`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import index
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from cardhub.base.errors import (
    BotError,
    IllegalActionError,
    OptionError,
    RecordError,
    SeatingError,
)
from cardhub.base.errors.quoting import describe_exception
from cardhub.base.files import record_access
from cardhub.bots.bot import Bot
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.model.table.settings import Settings, Value
from cardhub.play.host.replays.viewpoints import viewer_name
from cardhub.play.records.edition import edition_of
from cardhub.play.records.formats import go_through
from cardhub.play.records.reading import parse_record, read_record
from cardhub.play.records.recording import as_record, create_record
from cardhub.play.records.redaction import redact_game
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee, final_sides, result_scoring
from cardhub.play.result_text import result_sentence
from cardhub.play.seating import HUMAN, NAMES, Player, names_by_seat, seat_players
from cardhub.play.seeds import commitment_to, draw_seed, read_seed
from cardhub.play.setup import bot_generator, close_bots, let_bot_act, set_up, spec_here
from cardhub.play.workers.bot_messages import search_workers
from cardhub.plugins.discovery import usual_directories
from cardhub.plugins.registrations import Playthrough
from cardhub.plugins.registry import PluginRegistry, find_plugins, plugins_with
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import prompt_text, table_lines

# Who plays a seat: "human" for the caller, the spec of a bot such as "ismcts:200", a bot, or a
# function that makes one from its generator, such as the bot's class.
SeatPlayer = str | Bot | Callable[[Random], Bot]


class Table:
    """A game in this process: you act for the seats of people, and bots act at their turns.

    `game`: the name of an installed game, or the game itself. `players`: by seat who plays, see
    SeatPlayer; or the number of seats, all of which are yours, by default as many as the game
    prefers. `options`: the game's options that are not default. `seed`: decides the deal, every
    random event and the bots' choices; by default one is drawn. `names`: the players' names by
    seat, by default Anna, Bob and so on.

    A game with the same players, options and seed gives the same record, byte for byte, also by
    `cardhub play --seed`. Raises PluginError for an unknown game or bot, OptionError for an invalid
    option or seed or an unsuitable number of players, SeatingError for invalid names, and BotError
    if a bot cannot be made or fails.
    """

    def __init__(
        self,
        game: str | Game[Any],
        players: int | Sequence[SeatPlayer] | None = None,
        *,
        options: Mapping[str, Value] | None = None,
        seed: Seed | None = None,
        names: Sequence[str] = (),
    ) -> None:
        registry = registry_for(game)
        rules = registry.game(game) if isinstance(game, str) else game
        seats = _seat_players(rules, players)
        seed = _checked_seed(seed)
        seated = _named_players(seats, names)
        self._referee = set_up(rules, seated, options or {}, seed, commitment_to(seed))
        self._referee.edition = edition_of(rules)
        self._bots: dict[int, Bot] = {}
        for seat, player in enumerate(seats):
            if player != HUMAN:
                rng = bot_generator(seed, seat)
                self._bots[seat] = _make_bot(player, self._referee, rng, registry)
        self._go_on()

    @classmethod
    def _of(cls, referee: Referee[Any]) -> Self:
        """Return the table of a game that has begun; all its seats are the caller's."""
        table = cls.__new__(cls)
        table._referee, table._bots = referee, {}
        table._go_on()
        return table

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self._referee.game

    @property
    def options(self) -> Settings:
        """The values of all options of the game."""
        return self._referee.settings

    @property
    def seed(self) -> Seed:
        """The seed of the deal, of random events and of the bots."""
        return self._referee.seed

    @property
    def players(self) -> tuple[Player, ...]:
        """The players by seat, each with a `name` and a `kind`: `human`, or a bot."""
        return self._referee.players

    @property
    def seat(self) -> int:
        """The seat to act, from 0; `cardhub.OVER` after the end."""
        return self._referee.seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._referee.is_over

    @property
    def scores(self) -> list[int]:
        """The score of each seat in the present state, by the rules of the game."""
        return self._referee.scores()

    @property
    def places(self) -> list[int]:
        """The place of each seat by the present scores; 1 is the best, and may be shared."""
        return self._referee.places()

    @property
    def returns(self) -> list[float]:
        """The utility of each seat by the present scores and the game's goal."""
        return list(self._referee.result().returns)

    @property
    def sides(self) -> list[int]:
        """The side of each seat once the game is over, as an index into the game's `sides`.

        It is empty before the end, and in a game without sides.
        """
        return list(final_sides(self._referee))

    @property
    def winners(self) -> list[int]:
        """The seats that have won; empty before the end.

        If all share one score, everybody wins with the target, and nobody without it.
        """
        if not self.is_over:
            return []
        scoring, scores = self._referee.scoring, self.scores
        if scoring.target is not None and not scoring.is_won(scores[0]):
            return []
        return [seat for seat, place in enumerate(self.places) if place == 1]

    def observation(self, viewer: int | None = None) -> Observation[Any]:
        """Return what a viewer knows, by default the seat to act.

        `viewer`: a seat, the number of seats for a spectator, or `cardhub.EVERYTHING`, which is
        also the default after the end.
        """
        return self._referee.observe(self._viewer(viewer))

    def legal_actions(self) -> dict[int, str]:
        """Return the legal actions of the seat to act with their texts; none after the end."""
        if self.is_over:
            return {}
        seen = self.observation()
        choices = seen.labels(names_by_seat(self.players)).choices(seen.legal())
        return {action: text for text, action in choices.items()}

    def act(self, action: int | str) -> None:
        """Take an action for the seat to act, then let bots act until it is your turn again.

        `action`: a number or text of `legal_actions`, or any text that `cardhub play` accepts.
        Raises IllegalActionError with the legal actions, and BotFaultError if a bot fails; then it
        is still that bot's turn, and the next action counts as its own.
        """
        self._referee.apply(self._legal_action(action))
        self._go_on()

    def undo(self) -> None:
        """Go back to before your last action, as if all players had agreed.

        Later actions of others are taken back, too. Random events come out the same again. The
        record keeps what was taken back. Raises IllegalActionError after the end of the game, and
        if you have not acted yet.
        """
        referee, seats = self._referee, range(len(self.players))
        past = [step.seat for step in referee.observe(EVERYTHING).history]
        own = [seat for seat in past if seat >= 0 and seat not in self._bots]
        if referee.is_over or not own:
            why = "the game is over" if referee.is_over else "you have not acted yet"
            raise IllegalActionError(f"nothing can be taken back: {why}")
        seat = own[-1]
        if referee.can_undo(seat):
            referee.undo(seat)
        else:
            referee.take_back(seat, [other for other in seats if other != seat])

    def text(self, viewer: int | None = None) -> str:
        """Return the table in plain text as a viewer sees it; see `observation` for `viewer`.

        The choices of the seat to act are numbered; after the end the last line is the result.
        """
        names = names_by_seat(self.players)
        view = build_view(self.observation(viewer), names)
        lines = [*table_lines(view, build_catalogue(self.game)), prompt_text(view)]
        if self.is_over:
            lines[-1] += f". {result_sentence(names, self.scores, result_scoring(self._referee))}"
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Return the table for a notebook as the seat to act sees it; after the end, its replay."""
        # Only notebooks need the pages, and they are many modules.
        from cardhub.play.pages.notebook import finished_game_html, observation_html

        if self.is_over:
            return finished_game_html(self._referee)
        return observation_html(self.observation(), names_by_seat(self.players))

    def record(self, viewer: int | None = None) -> str:
        """Return the game so far as a record, in JSON Lines.

        With a `viewer`, a seat or the number of seats for a spectator, without the seed and all
        cards that this viewer has not seen.
        """
        referee = self._referee
        return as_record(referee) if viewer is None else redact_game(referee, viewer)

    def save(self, path: str | Path, viewer: int | None = None) -> None:
        """Write the record into a new file, for `cardhub replay`; see `record`.

        Raises RecordError if the file exists or cannot be written.
        """
        path = Path(path)
        with create_record(path) as file, record_access(path, "written"):
            file.write(self.record(viewer))

    def playthrough(self, viewer: int = EVERYTHING) -> Playthrough:
        """Return the game so far event by event, as a viewer may know it; see `Playthrough`.

        `viewer`: a seat, the number of seats for a spectator, or `cardhub.EVERYTHING`.
        """
        record = parse_record(Path("the table"), self.record().encode())
        called = viewer_name(self.players, viewer)
        return go_through(record, open_record(self.game, record), viewer, called)

    def close(self) -> None:
        """Close the bots of an unfinished game; they are closed at the end of the game, too."""
        bots = list(self._bots.values())
        self._bots = {}
        close_bots(bots)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _viewer(self, viewer: int | None) -> int:
        if viewer is None:
            return EVERYTHING if self.is_over else self.seat
        seats = len(self.players)
        if not EVERYTHING <= viewer <= seats:
            raise SeatingError(
                f"there is no viewer {viewer} at this table. fix: a seat from 0 to {seats - 1}, "
                f"{seats} for a spectator, or cardhub.EVERYTHING"
            )
        return viewer

    def _legal_action(self, action: int | str) -> int:
        if self.is_over:
            raise IllegalActionError("the game is over: there is nothing left to do", action)
        if isinstance(action, str):
            seen = self.observation()
            return seen.labels(names_by_seat(self.players)).parse(action, seen.legal())
        try:
            return self._referee.check(action)
        except IllegalActionError:
            raise IllegalActionError(self.observation().refusal(action), action) from None

    def _go_on(self) -> None:
        self._referee.proceed()
        while (bot := self._bots.get(self.seat)) is not None:
            let_bot_act(self._referee, bot)
        if self.is_over:
            self.close()


def play_game(
    game: str | Game[Any],
    bots: Sequence[SeatPlayer],
    *,
    options: Mapping[str, Value] | None = None,
    seed: Seed | None = None,
    names: Sequence[str] = (),
) -> Table:
    """Play a whole game between bots, one for each seat, and return the table at its end.

    The parameters and errors are the same as those of Table. Raises SeatingError for a person.
    """
    if HUMAN in bots:
        raise SeatingError(
            f"nobody can be asked to play seat {list(bots).index(HUMAN)}. "
            "fix: cardhub.play.Table lets you act for the seats of people"
        )
    return Table(game, bots, options=options, seed=seed, names=names)


def read_game(path: str | Path, game: Game[Any] | None = None) -> Table:
    """Return the table after the last line of a record; no bot plays on, and all seats are yours.

    `game`: the rules, by default the installed game that the record names. What you do at the table
    does not change the file. Raises PluginError, and RecordError if the record is invalid, or
    contains only what one player saw.
    """
    record = read_record(Path(path))
    if record.header.viewer is not None:
        raise RecordError(
            f"{path}: the record contains only what one player saw. fix: cardhub replay {path}"
        )
    name = record.header.game
    rules = registry_for(name).game(name) if game is None else game
    return Table._of(replayed(record, open_record(rules, record)))


def registry_for(game: str | Game[Any]) -> PluginRegistry:
    """Return the usual plugins; with a game that is not installed, also that game's bots."""
    plugins = _plugins_in(tuple(usual_directories()))
    if isinstance(game, str):
        return plugins
    if game.name in plugins.game_names() and type(plugins.game(game.name)) is type(game):
        return plugins
    return plugins_with(game)


# Reading the metadata of all installed packages takes longer than a short game.
@lru_cache(maxsize=1)
def _plugins_in(directories: tuple[Path, ...]) -> PluginRegistry:
    return find_plugins(directories)


def _checked_seed(seed: Seed | None) -> Seed:
    if seed is None:
        return draw_seed()
    try:
        return read_seed(seed) if isinstance(seed, str) else index(seed)
    except (ValueError, TypeError):
        fix = "fix: a whole number, or the seed that was drawn for an earlier game"
        raise OptionError(f"invalid seed {seed!r}. {fix}") from None


def _seat_players(
    game: Game[Any], players: int | Sequence[SeatPlayer] | None
) -> Sequence[SeatPlayer]:
    if isinstance(players, str):
        raise SeatingError(f"players cannot be {players!r}. fix: pass a list: [{players!r}, ...]")
    if players is None or isinstance(players, int):
        return [HUMAN] * (game.seats.default if players is None else players)
    return players


def _named_players(seats: Sequence[SeatPlayer], names: Sequence[str]) -> list[Player]:
    kinds = [player if isinstance(player, str) else _kind_name(player) for player in seats]
    given = [Player(name, HUMAN) for name in names]
    further = (*NAMES, *(f"Player {seat}" for seat in range(1, len(kinds) + 1)))
    named = seat_players(given, len(kinds), HUMAN, further) if kinds else []
    return [Player(player.name, kind) for player, kind in zip(named, kinds, strict=True)]


def _kind_name(player: Bot | Callable[[Random], Bot]) -> str:
    return getattr(player, "__name__", "") or type(player).__name__


def _make_bot(
    player: SeatPlayer, referee: Referee[Any], rng: Random, registry: PluginRegistry
) -> Bot:
    if isinstance(player, str):
        game, spec = referee.game.name, spec_here(registry, referee, player)
        # As at the tables of `cardhub play`: a level's search has the same number of processes.
        return registry.make_bot(registry.spread(spec, game, search_workers()), game, rng)
    if hasattr(player, "choose") and not isinstance(player, type):
        return player
    try:
        return player(rng)
    except Exception as error:
        cause = describe_exception(error)
        raise BotError(f"bot {_kind_name(player)!r} cannot be made: {cause}") from error
