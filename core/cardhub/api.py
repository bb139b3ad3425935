"""The names that the package cardhub exports: everything that a game or plugin needs."""

from cardhub.base.errors import (
    CardhubError,
    HiddenFaceError,
    IllegalActionError,
    OptionError,
    PluginError,
)
from cardhub.base.writing import amount, listed
from cardhub.bots import (
    Adviser,
    AnyBot,
    Bot,
    BotEntry,
    Comparer,
    File,
    Interruptible,
    MixedBot,
    Playout,
    Rated,
)
from cardhub.model.cards import Card, Cards, french_deck, load_cards
from cardhub.model.game.game import Display, Game, Heuristics
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.game.played_steps import Frequency, PlayedStep
from cardhub.model.game.scene import (
    Area,
    BreakdownRow,
    BreakdownSection,
    Counter,
    Grid,
    Names,
    Scene,
    SeatLine,
    Summary,
    Tally,
    TallyRow,
    Target,
)
from cardhub.model.hidden.chance import advance, pass_chance
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.model.table.actions import (
    Actions,
    Amount,
    Choice,
    Players,
    Sites,
    Tokens,
    site_label,
)
from cardhub.model.table.beats import WATCHED
from cardhub.model.table.bitboard import connected, numbers, orthogonal
from cardhub.model.table.goal import Goal
from cardhub.model.table.ranges import BitsOf, IndexOf, Omitted, Range, Usual
from cardhub.model.table.seats import Seats, clockwise, first_seat, left_of
from cardhub.model.table.settings import Flag, Number, OneOf, Option, SeatNumber, Settings, Value
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.model.table.state_declaration import (
    per_seat,
    per_token,
    piles,
    private,
    shared,
    simultaneous,
    view_history,
)
from cardhub.plugins.hookspecs import hookimpl
from cardhub.plugins.registrations import Exporter, GameCollection, Moment, Playthrough, Theme

__all__ = [
    "CHANCE",
    "EVERYTHING",
    "OVER",
    "WATCHED",
    "Actions",
    "Adviser",
    "Amount",
    "AnyBot",
    "Area",
    "BitsOf",
    "Bot",
    "BotEntry",
    "BreakdownRow",
    "BreakdownSection",
    "Card",
    "CardhubError",
    "Cards",
    "Choice",
    "Comparer",
    "Counter",
    "Display",
    "Exporter",
    "File",
    "Flag",
    "Frequency",
    "Game",
    "GameCollection",
    "Goal",
    "Grid",
    "Heuristics",
    "HiddenFaceError",
    "IllegalActionError",
    "IndexOf",
    "Interruptible",
    "MixedBot",
    "Moment",
    "Names",
    "Number",
    "Observation",
    "Omitted",
    "OneOf",
    "Option",
    "OptionError",
    "PlayedStep",
    "Players",
    "Playout",
    "Playthrough",
    "PluginError",
    "Range",
    "Rated",
    "Scene",
    "SeatLine",
    "SeatNumber",
    "Seats",
    "Settings",
    "Sites",
    "State",
    "Summary",
    "Tally",
    "TallyRow",
    "Target",
    "Theme",
    "Tokens",
    "Usual",
    "Value",
    "advance",
    "amount",
    "clockwise",
    "connected",
    "first_seat",
    "french_deck",
    "game_scoring",
    "hookimpl",
    "left_of",
    "listed",
    "load_cards",
    "numbers",
    "orthogonal",
    "pass_chance",
    "per_seat",
    "per_token",
    "piles",
    "private",
    "shared",
    "simultaneous",
    "site_label",
    "view_history",
]
