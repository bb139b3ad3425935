"""`cardhub cite`: BibTeX entries of cardhub and of a match, with versions and digests."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from cardhub.base.writing import listed
from cardhub.cli.console import echo
from cardhub.lab.match.log.log_reader import GAMES, file_digest, has_finished, read_header
from cardhub.lab.match.provenance import cardhub_version

AUTHORS = "The cardhub developers"
TITLE = "cardhub: card games for the terminal and the browser, for plugin authors and for bots"
# Characters that TeX reads as commands.
_TEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


@click.command()
@click.argument(
    "folder",
    metavar="[DIR]",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of a match, to cite it as well.",
)
def cite(folder: Path | None) -> None:
    """Print BibTeX entries of cardhub and of a match.

    The entry of a match has the versions of its game and bots, and the SHA-256 of its log.
    """
    _, version, digest = cardhub_version().split(" ")
    fields = {
        "author": f"{{{AUTHORS}}}",
        "title": f"{{{TITLE}}}",
        "version": version,
        "note": f"Sources: {digest}",
    }
    _print_entry("software", f"cardhub-{version}", fields)
    if folder is not None:
        header = read_header(folder)
        echo()
        _print_entry("misc", f"match-{header['sha256'][:12]}", _match_fields(folder, header))


def _match_fields(folder: Path, header: Mapping[str, Any]) -> dict[str, str]:
    match = header["match"]
    bots = listed([_tex(bot["id"]) for bot in match["bots"]])
    games = listed([_tex(game["id"]) for game in match["games"]])
    return {
        "title": f"{{Match of {bots} in {games}}}",
        "howpublished": f"Log of cardhub, seed {match['seed']}",
        "note": "; ".join(_notes(folder, header)),
    }


def _notes(folder: Path, header: Mapping[str, Any]) -> Iterator[str]:
    """Yield the digests of a match, and the versions of the game and the bots."""
    yield f"match sha256:{header['sha256']}"
    state = "" if has_finished(folder) else " (not finished)"
    yield f"log sha256:{file_digest(folder / GAMES)}{state}"
    versions = header["versions"]
    yield _tex(versions["cardhub"])
    yield f"Python {_tex(versions['python'])}, numpy {_tex(versions['numpy'])}"
    yield from (_tex(f"{name} {version}") for name, version in versions["games"].items())
    for name, sources in versions["bots"].items():
        # The bots of cardhub are in its version.
        if own := [source for source in sources if source != versions["cardhub"]]:
            yield _tex(f"{name}: {', '.join(own)}")


def _print_entry(kind: str, key: str, fields: Mapping[str, str]) -> None:
    echo(f"@{kind}{{{key},")
    for name, value in fields.items():
        echo(f"  {name} = {{{value}}},")
    echo("}")


def _tex(text: str) -> str:
    """Return text with the characters escaped that TeX reads as commands."""
    return text.translate(_TEX)
