"""The page of the home screen, and the rows of saved and installed games."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from cardhub.base.writing import amount
from cardhub.lab.match.log.known_matches import MatchProgress
from cardhub.play.host.saved.home_facts import GameFacts, HomeFacts
from cardhub.play.host.saved.saved_list import SavedGame
from cardhub.tui.home.menu.menu_page import MenuPage, MenuRow, MenuSection

# The unfinished games on the page; one row leads to all others.
MOST_UNFINISHED = 2
# The number of games that a digit opens.
DIGITS = 9
FOOTER = (
    ("↑↓", "move"),
    ("enter", "open"),
    ("1-9", "new game"),
    ("/", "search"),
    (":", "command"),
    ("?", "help"),
    ("q", "quit"),
)
MORE = (
    ("replay", "r", "Replay a game"),
    ("watch", "w", "Watch bots play"),
    ("stats", "s", "Statistics"),
    ("matches", "m", "Matches"),
    ("learn", "l", "Learn a game"),
    ("settings", "t", "Settings"),
)


def home_page(facts: HomeFacts, matches: Sequence[MatchProgress] = ()) -> MenuPage:
    """Return the page of the home screen from the loaded facts; `matches`: the latest first."""
    sections = [
        MenuSection("go on", list(_unfinished(facts))),
        MenuSection("play", list(_games(facts))),
        MenuSection("more", [_more(facts, matches, *row) for row in MORE]),
    ]
    parts = [version("cardhub"), amount(len(facts.games), "game")]
    if facts.bots:
        parts.append(amount(facts.bots, "bot"))
    return MenuPage("cardhub", " · ".join(parts), [s for s in sections if s.rows], FOOTER)


def saved_row(facts: HomeFacts, saved: SavedGame, key: str = "") -> MenuRow:
    """Return a saved game's row: title, state, players and age."""
    line = facts.line(saved, replays=saved.is_finished)
    text = " · ".join(filter(None, (line.state, line.players, line.age)))
    detail = line.error or _detail(saved, line.title, line.state)
    return MenuRow(f"saved:{saved.path}", line.title, text, key, detail=detail)


def game_row(game: GameFacts, key: str = "") -> MenuRow:
    """Return an installed game's row: players, length and tagline, or why it cannot be loaded."""
    text = f"cannot be loaded: {game.error}" if game.error else game.tagline
    text = text.removeprefix(f"{game.title}: ").rstrip(".")
    parts = (game.seats, game.length, text)
    detail = game.error or f"Enter sets up a new game of {game.title}."
    return MenuRow(
        f"game:{game.name}", game.title, " · ".join(filter(None, parts)), key, "", detail
    )


def _unfinished(facts: HomeFacts) -> Iterator[MenuRow]:
    for number, saved in enumerate(facts.unfinished[:MOST_UNFINISHED]):
        yield saved_row(facts, saved, "" if number else "c")
    rest = len(facts.unfinished) - MOST_UNFINISHED
    if rest > 0:
        yield MenuRow("unfinished", f"{rest} more …", "cardhub resume --list")
    for number, error in enumerate(facts.errors[:1]):
        count = len(facts.errors)
        text = f"{amount(count, 'saved game')} cannot be read"
        yield MenuRow(f"error:{number}", text, error, detail=error)


def _games(facts: HomeFacts) -> Iterator[MenuRow]:
    for number, game in enumerate(facts.games.values(), 1):
        yield game_row(game, str(number) if number <= DIGITS else "")


def _more(
    facts: HomeFacts, matches: Sequence[MatchProgress], name: str, key: str, label: str
) -> MenuRow:
    return MenuRow(name, label, _about(facts, matches, name), key)


def _about(facts: HomeFacts, matches: Sequence[MatchProgress], name: str) -> str:
    if name == "replay":
        count = len(facts.finished)
        if not count:
            return "no finished game"
        last = facts.line(facts.finished[0])
        return f"{amount(count, 'game')}; last: {last.title}, {last.age}"
    return {
        "watch": "any game, any pace",
        "stats": facts.results_line(),
        "matches": _about_matches(matches),
        "learn": "rules, then a first hand with comments",
        "settings": "theme, card size, pace, names",
    }[name]


def _about_matches(matches: Sequence[MatchProgress]) -> str:
    running = [progress for progress in matches if progress.state == "running"]
    if running:
        return f"{len(running)} running: {running[0].amount}"
    if matches:
        last = matches[0]
        return f"{len(matches)}; last: {last.match.folder.name}, {last.state}"
    return "bots against bots, many games: cardhub match FILE"


def _detail(saved: SavedGame, title: str, state: str) -> str:
    names = ", ".join(map(str, saved.players))
    if saved.is_finished:
        return f"{title}: {state}. {names}. Enter opens the replay."
    return f"{title}: {names}; {saved.actions} actions. Enter goes on where you left it."
