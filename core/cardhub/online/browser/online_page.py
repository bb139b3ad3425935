"""The page of a server of tables: the lobby, the setup of a table, and the game."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType

from cardhub.play.pages.bundle import FOLDERS, bundle_modules, bundle_styles

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f2ec" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f1412" media="(prefers-color-scheme: dark)">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="description" content="Card games with friends: make a table and send the link.">
<title>cardhub</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
<link rel="stylesheet" href="{style}">
<script src="{script}" defer></script>
</head>
<body>
<div id="online"></div>
<noscript>
This page needs JavaScript. To play in a terminal, run: cardhub join ADDRESS
</noscript>
</body>
</html>
"""
# Browsers may cache the files in this folder forever, because their paths contain a digest.
FOLDER = "/assets"


def online_html() -> str:
    """Return the HTML of the page, which is the same for the lobby and for all tables."""
    paths = {path.rpartition(".")[2]: path for path in online_assets()}
    return PAGE.format(icon=paths["svg"], style=paths["css"], script=paths["js"])


@lru_cache(maxsize=1)
def online_assets() -> Mapping[str, bytes]:
    """Return the script, the style sheet and the icon of the page by their paths.

    Each path contains a digest of all three files, so the content of a path never changes.
    """
    online = files("cardhub.online.browser") / "static" / "online"
    folders = {**FOLDERS, "online": online}
    script = bundle_modules("online/main.js", folders)
    style = bundle_styles(
        ("table/styles", "online/styles/parts", "online/styles/lobby", "online/styles/play"),
        folders,
    )
    icon = (online / "icon.svg").read_text("utf-8")
    assets = {
        "cardhub.js": f'(() => {{\n"use strict";\n{script}\nstartOnline(document);\n}})();\n',
        "cardhub.css": style,
        "icon.svg": icon,
    }
    contents = {name: text.encode() for name, text in assets.items()}
    digest = sha256(b"\0".join(contents.values())).hexdigest()[:20]
    return MappingProxyType({f"{FOLDER}/{digest}/{name}": data for name, data in contents.items()})
