"""What a bundle of a match has, and when there is none yet.

A bundle has the public files of a match, its match file with the revealed secret, the sources of
bots whose authors agree, wheels of the packages of games and bots, and a lock file.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from shlex import split

from cardhub.base.errors import BotError, MatchError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.files import files_below, is_file
from cardhub.base.writing import listed
from cardhub.lab.bundle.crate import Description, build_crate
from cardhub.lab.bundle.lock import LOCK, ask_pip, build_lock, installed_versions, read_lock
from cardhub.lab.bundle.wheels import build_wheel
from cardhub.lab.match.log.log_reader import (
    GAMES,
    explained,
    file_digest,
    has_finished,
    read_header,
)
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import Entrant, Match, public_digest
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.provenance import cardhub_version, source_digests
from cardhub.lab.match.secret import NO_SALT, salt_text
from cardhub.lab.match.teams.team_files import files_digest, files_in
from cardhub.lab.report.team_results import PUBLISHED
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.groups import OWN
from cardhub.plugins.registry import PluginRegistry

MATCH_FILE = "match.yaml"
# The folders of a bundle.
SOURCES, WHEELS, PLUGINS = "bots", "wheels", "plugins"
_SALT = re.compile(r"^salt:.*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """What goes into a bundle.

    `sources`: the bots whose sources go in. `without`: the packages whose wheels do not. `lock`: a
    lock file, or None to ask pip for one.
    """

    sources: Sequence[str] = ()
    without: Collection[str] = field(default=frozenset())
    lock: Path | None = None


def build_bundle(
    folder: Path, file: Path, registry: PluginRegistry, options: BundleOptions
) -> bytes:
    """Return the bundle of the match in a folder; `file`: its match file.

    Raises MatchError, with the reason, if there is none yet.
    """
    played = match_in(folder)
    _refuse_unfinished(folder, played)
    described = _match_of(file, played, registry)
    files = {name: path.read_bytes() for name, path in _public(folder)}
    files[MATCH_FILE] = _with_secret(file, played).encode()
    for bot in options.sources:
        files.update(_sources(bot, played, described, folder, registry))
    origins = list(_origins(played, registry))
    wheels = dict(_wheels(origins, options.without))
    roots = [OWN, *(origin.distribution for origin in origins if origin.version)]
    versions = installed_versions(roots)
    for origin in origins:
        versions.pop(origin.distribution, None)
    text = read_lock(options.lock) if options.lock else ask_pip(versions)
    files[LOCK] = build_lock(text, versions, wheels, cardhub_version())
    files.update(wheels)
    files.update(_plugins(origins))
    return build_crate(files, _description(folder, played))


def _refuse_unfinished(folder: Path, match: Match) -> None:
    if not has_finished(folder):
        raise MatchError(
            f"the match in {folder} is not over, so it has no bundle\n"
            "fix: continue it with the same command, cardhub match FILE"
        )
    if match.has_unknown_secret:
        raise MatchError(
            f"the secret of the match in {folder} is not revealed, so nobody could repeat it\n"
            f"fix: use its own folder, with runs.json and {GAMES} as the match wrote them"
        )


def _match_of(file: Path, played: Match, registry: PluginRegistry) -> Match:
    """Return the match of a file; raises MatchError if it is not the one that was played."""
    described = read_match(file, registry)
    same = public_digest(described) == public_digest(played) and described.seed == played.seed
    if not same:
        raise MatchError(
            f"{file} describes another match than the one that was played\n"
            "fix: name the file of this match: --file FILE"
        )
    return described


def _public(folder: Path) -> Iterator[tuple[str, Path]]:
    for name in PUBLISHED:
        path = folder / name
        paths = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from ((p.relative_to(folder).as_posix(), p) for p in paths if p.is_file())


def _with_secret(file: Path, match: Match) -> str:
    """Return the text of a match file with the secret of the match that was played."""
    salt = salt_text(match.salt) if match.salt else NO_SALT
    with explained(file):
        text = _SALT.sub("", file.read_text("utf-8"))
    return f"{text.rstrip()}\nsalt: {salt!r}\n"


def _sources(
    bot: str, played: Match, described: Match, folder: Path, registry: PluginRegistry
) -> dict[str, bytes]:
    """Return the files of a bot; raises MatchError if they are not those that played."""
    names = [entrant.id for entrant in played.entrants]
    if bot not in names:
        raise MatchError(f"the match has no bot {bot!r}.{did_you_mean(bot, names)}")
    versions = read_header(folder)["versions"]["bots"][bot]
    entrant = described.entrant(bot)
    try:
        paths, digests = _files_of(entrant, described, registry)
    except BotError as error:
        raise MatchError(f"the sources of {bot} cannot be read: {error}") from error
    if not paths:
        raise MatchError(
            f"{bot} has no sources of its own: it comes with cardhub or with a package\n"
            f"fix: leave out --sources {bot}"
        )
    if not digests <= {*versions}:
        raise MatchError(
            f"the sources of {bot} have changed since the match, so they do not go into a bundle\n"
            f"fix: restore them, or leave out --sources {bot}"
        )
    return {_place(path, bot, name): path.read_bytes() for name, path in paths.items()}


def _place(path: Path, bot: str, name: str) -> str:
    """Return where a file of a bot is in a bundle: where the match file expects it, if it can."""
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    is_inside = not path.is_absolute() and ".." not in path.parts
    return path.as_posix() if is_inside else f"{SOURCES}/{bot}/{name}"


def _files_of(
    entrant: Entrant, match: Match, registry: PluginRegistry
) -> tuple[dict[str, Path], set[str]]:
    """Return the files of a bot by name, and their digests as in the header of a log."""
    if entrant.team is not None:
        files = files_in(entrant.team.folder)
        return files, {f"team sha256:{files_digest(files)}"}
    game = match.contest(entrant.plays[0]).game
    paths: dict[str, Path] = {}
    for part in registry.parts(entrant.use, game):
        first, *words = map(Path, split(part.command) or [""])
        # An absolute program is an interpreter; the others were compiled by the bot's author.
        own = words if first.is_absolute() else [first, *words]
        paths |= {path.name: path for path in (*filter(is_file, own), *part.files)}
    return paths, set(source_digests(paths.values()))


def _origins(match: Match, registry: PluginRegistry) -> Iterator[Declaration]:
    """Yield the plugins of the games and bots of a match that do not come with cardhub."""
    games = dict.fromkeys(contest.game for contest in match.contests)
    declared = [registry.games()[game] for game in games]
    for entrant in match.entrants:
        for contest in entrant.plays:
            parts = registry.parts(entrant.use, match.contest(contest).game)
            declared += [part.origin for part in parts if part.origin]
    unique = {origin.distribution: origin for origin in declared if not origin.is_own}
    yield from unique.values()


def _wheels(
    origins: Sequence[Declaration], without: Collection[str]
) -> Iterator[tuple[str, bytes]]:
    names = {origin.distribution for origin in origins if origin.version}
    if unknown := sorted({*without} - names):
        raise MatchError(
            f"the match needs no package {listed(unknown)}.{did_you_mean(unknown[0], names)}"
        )
    for name in sorted(names - {*without}):
        wheel, data = build_wheel(name)
        yield f"{WHEELS}/{wheel}", data


def _plugins(origins: Sequence[Declaration]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of plugins that are not packages, but stand in a folder of plugins."""
    for origin in origins:
        if not origin.version:
            source = Path(origin.value)
            place = source.parent if source.name == "__init__.py" else source
            for path in files_below(place) if place.is_dir() else [place]:
                name = path.relative_to(place.parent).as_posix()
                yield f"{PLUGINS}/{name}", path.read_bytes()


def _description(folder: Path, match: Match) -> Description:
    bots = listed([entrant.id for entrant in match.entrants])
    games = listed([contest.id for contest in match.contests])
    log = folder / GAMES
    digests: Mapping[str, str] = {
        "identifier": f"sha256:{file_digest(log)}",
        "softwareRequirements": cardhub_version(),
    }
    return Description(
        match.name or f"Match of {bots} in {games}",
        f"Match of {bots} in {games}. `cardhub match verify` checks it.",
        datetime.fromtimestamp(log.stat().st_mtime, UTC),
        digests,
    )
