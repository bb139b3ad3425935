"""Players: their names, and their assignment to seats.

Names must be readable, and distinguishable in every script.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from cardhub.base.errors import SeatingError
from cardhub.base.errors.quoting import UNSAFE
from cardhub.base.writing import listed
from cardhub.bots import LLM
from cardhub.bots.spec import parse_spec

HUMAN = "human"
NAMES = ("Anna", "Bob", "Chris", "David", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan")
MOST_GRAPHEMES = 20
# Marks on one letter; Tibetan and pointed Hebrew need three.
MOST_MARKS = 3
# Marks that go above or below any letter, the way stacked text is made; Vietnamese needs two.
MOST_ACCENTS = 2
# Words with a special meaning in options that take a player's name.
RESERVED = ("all", "chance")
MOST_CODE_POINTS = 400
LONGEST_SHOWN = 40

# Look-alikes among ASCII characters: names in ASCII do not need a table.
_IN_ASCII = str.maketrans({"0": "O", "1": "l", "I": "l", "|": "l", "`": "'"})
# Sequences in which invisible characters are legitimate.
_JOINED = regex.compile(
    r"""(?V1)
    [\p{Extended_Pictographic}\p{RI}#*0-9][\p{Emoji_Modifier}\ufe0e\ufe0f]*   # emoji, ...
    (?:\u200d\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0e\ufe0f]*)*     # joined to families
    (?:[\U000e0020-\U000e007e]+\U000e007f)?                                   # flags of regions
    | (?<=[[\p{L}\p{M}]--[\p{Latin}\p{Greek}\p{Cyrillic}]])[\u200c\u200d](?=\p{L})  # Persian, Hindi
    """,
    regex.VERBOSE,
)
# Joiners and fillers; the blank of Braille and the head of no note look blank, too.
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u2800\U0001d159]")
_UNUSABLE = regex.compile(r"[\p{C}\p{Z}--\ ]", regex.V1)
_STACKED = regex.compile(rf"\p{{M}}{{{MOST_MARKS + 1},}}")


@dataclass(frozen=True, slots=True)
class Player:
    """A player: a name, and `human` or the spec of a bot."""

    name: str
    kind: str

    @property
    def is_human(self) -> bool:
        """Whether the player is a person."""
        return self.kind == HUMAN

    def __str__(self) -> str:
        return self.name if self.is_human else f"{self.name} ({self.kind})"


def names_by_seat(players: Iterable[Player]) -> list[str]:
    """Return the names of players."""
    return [player.name for player in players]


def bots_by_seat(players: Iterable[Player]) -> list[str]:
    """Return what a table calls its bots, empty for people."""
    return ["" if player.is_human else shown_bot(player.kind) for player in players]


def shown_bot(spec: str) -> str:
    """Return the spec of a bot, or the name of a language model: `model gpt-5-mini`."""
    name, rest = parse_spec(spec)
    model = rest.partition(",")[0].removeprefix("model=")
    return f"model {model}" if name == LLM.name and model and "=" not in model else spec


def seat_players(
    given: Sequence[Player], seats: int, default_bot: str, names: Sequence[str] = NAMES
) -> list[Player]:
    """Return a player for every seat, in order.

    Given players come first; bots with unused names fill the rest. If none is given, seat 0 is a
    person's, called by the first of `names`; the others and NAMES are for bots. Raises
    SeatingError.
    """
    players = list(given) or [Player(names[0], HUMAN)]
    if len(players) > seats:
        surplus = listed([player.name for player in players[seats:]])
        raise SeatingError(f"{len(players)} players for {seats} seats: leave {surplus} out")
    for player in players:
        check_player_name(player.name)
    check_distinct(player.name for player in players)
    people = [player.name for player in players if player.is_human]
    # Stable: names that begin like a person's are the last choice.
    for name in sorted((*names, *NAMES), key=lambda name: begins_alike(name, people)):
        if len(players) == seats:
            break
        # Names that could be confused with another one are left out.
        if not any(look_alike(name, player.name) for player in players):
            players.append(Player(name, default_bot))
    return players


def check_names(players: Sequence[Player]) -> None:
    """Raise SeatingError if a name in a record is invalid or used twice."""
    # Records may have names that new games do not accept: names of bots in matches, and names from
    # older versions.
    names: set[str] = set()
    for player in players:
        if why := _unreadable(player.name):
            raise SeatingError(f"invalid player name {player.name!r}: {why}")
        if player.name.casefold() in names:
            raise _name_twice(player.name)
        names.add(player.name.casefold())


def check_player_name(name: str) -> None:
    """Raise SeatingError unless a name can be read, typed and distinguished from others."""
    if why := _wrong(name):
        shown = name if len(name) <= LONGEST_SHOWN else name[:LONGEST_SHOWN] + "…"
        raise SeatingError(f"invalid player name {shown!r}: {why}")


def check_distinct(names: Iterable[str]) -> None:
    """Raise SeatingError if two names are the same or look alike."""
    seen: dict[tuple[int, str], str] = {}
    for name in names:
        looks = _looks(name)
        other = next((seen[look] for look in looks if look in seen), None)
        if other is not None and other.casefold() == name.casefold():
            raise _name_twice(name)
        if other is not None:
            raise SeatingError(
                f"player names {other!r} and {name!r} look alike: change one of them"
            )
        seen |= dict.fromkeys(looks, name)


def look_alike(first: str, second: str) -> bool:
    """Return whether two names cannot be distinguished by reading."""
    return not set(_looks(first)).isdisjoint(_looks(second))


def begins_alike(name: str, others: Iterable[str]) -> bool:
    """Return whether a name and one of the others begin alike, as Ann and Anna do."""
    folded = name.casefold()
    return any(
        folded.startswith(other) or other.startswith(folded) for other in map(str.casefold, others)
    )


def _name_twice(name: str) -> SeatingError:
    return SeatingError(f"two players are called {name!r}: give each a name of their own")


def _unreadable(name: str) -> str:
    if not name.strip():
        return "it has no visible characters"
    if name != name.strip():
        return "no leading or trailing spaces"
    if UNSAFE.search(name):
        return "no control characters"
    if name.casefold() in RESERVED:
        return "the word is reserved"
    return ""


def _wrong(name: str) -> str:
    if why := _unreadable(name):
        return why
    return "" if name.isascii() and len(name) <= MOST_GRAPHEMES else _wrong_in_unicode(name)


def _wrong_in_unicode(name: str) -> str:
    if len(name) > MOST_CODE_POINTS or len(regex.findall(r"\X", name)) > MOST_GRAPHEMES:
        return f"at most {MOST_GRAPHEMES} characters"
    plain = _JOINED.sub("", name)
    if match := _INVISIBLE.search(plain):
        return f"no invisible characters such as U+{ord(match[0]):04X}"
    if match := _UNUSABLE.search(plain):
        return f"no character such as U+{ord(match[0]):04X}"
    if regex.match(r"\p{M}", name):
        return "it begins with a mark that belongs to a letter"
    graphemes = regex.findall(r"\X", unicodedata.normalize("NFD", name))
    if _STACKED.search(unicodedata.normalize("NFC", name)) or any(map(_is_stacked, graphemes)):
        return "too many marks on one letter"
    return ""


def _is_stacked(grapheme: str) -> bool:
    accents = [c for c in grapheme if unicodedata.combining(c) in (1, *range(200, 256))]
    return len(accents) > MOST_ACCENTS


def _looks(name: str) -> list[tuple[int, str]]:
    # Two keys: some characters look alike only in lower case, some only as written.
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    return [(0, _skeleton(visible.casefold())), (1, _skeleton(visible).casefold())]


def _skeleton(text: str) -> str:
    plain = text.translate(_IN_ASCII)
    return (
        plain if plain.isascii() else "".join(map(_prototype, unicodedata.normalize("NFD", plain)))
    )


@cache
def _prototype(character: str) -> str:
    from confusable_homoglyphs.confusables import confusables_data as table  # slow to load

    alike, new = {character}, [character]
    while new:
        others = {row["c"] for row in table.get(new.pop(), ()) if len(row["c"]) == 1}
        new += others - alike
        alike |= others
    return min(alike).translate(_IN_ASCII)
