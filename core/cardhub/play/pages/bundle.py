"""A small, strict bundler: it joins ES modules to one script, and style sheets to one.

A page of a finished game is a single file that works offline, so it cannot load modules. The
bundler reads only the forms of lines that the modules of this package use and raises BundleError
for all others, because a misread line would break the page.
"""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import join, normpath

NAME = r"[A-Za-z_$][\w$]*"
IMPORT = re.compile(r'import \{([^{}]*)\} from "(\.{1,2}/[\w./-]+\.js)";\n')
SKIPPED = re.compile(r"(?://.*)?\n")
DECLARED = re.compile(rf"(?:export )?(?:(?:async )?function\*?|class|const|let) ({NAME})\b")
# Other lines that may begin at the left margin: comments, and the ends of declarations.
OTHER = re.compile(r"//|/\*| \*|[})\]]+[;,]?$|\}\)?\.\w+\(.*$|$")
# Forms that are valid in a module, but not in a bundle.
REFUSED = re.compile(r"\bimport\s*\(|\bimport\.meta\b|</script|<!--|\bexport\b|\bimport\b")
REFUSED_STYLES = re.compile(r"@import|@charset|url\s*\(|</style|<!--", re.IGNORECASE)


# The folders that paths begin with, by name; callers may add folders.
FOLDERS: Mapping[str, Traversable] = {
    folder: files("cardhub.play.pages") / "static" / folder for folder in ("table", "replay")
}


class BundleError(ValueError):
    """A source that the bundler cannot read; the message names the file and the line."""


def bundle_modules(entry: str, folders: Mapping[str, Traversable] = FOLDERS) -> str:
    """Return a module and all its imports as one script; `entry` is a path in one of `folders`.

    Raises BundleError for unreadable lines, for names that two modules declare and for imports of
    names that are not exported.
    """
    modules: dict[str, _Module] = {}
    _collect(entry, folders, modules, ())
    _check_names(modules)
    return "\n".join(module.body for module in modules.values())


def bundle_styles(paths: tuple[str, ...], folders: Mapping[str, Traversable] = FOLDERS) -> str:
    """Return the style sheets of folders as one text; raises BundleError.

    The folders keep their order; the sheets of a folder are in alphabetical order.
    """
    texts = []
    for folder in paths:
        sheets = (path for path in _source(folder, folders).iterdir() if path.name.endswith(".css"))
        for sheet in sorted(sheets, key=lambda path: path.name):
            text = sheet.read_text("utf-8")
            if match := REFUSED_STYLES.search(text):
                raise BundleError(f"{folder}/{sheet.name}: {match[0]} is not allowed")
            texts.append(text)
    return "\n".join(texts)


class _Module:
    """A module: its path, its imports as (path, names) and its text without `export`."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.imports: list[tuple[str, list[str]]] = []
        self.declared: list[str] = []
        self.exported: set[str] = set()
        self.body = "".join(self._lines(text))

    def _lines(self, text: str) -> Iterator[str]:
        # Imports may be broken over several lines; only comments precede them.
        position = self._read_imports(text)
        number = text.count("\n", 0, position)
        for later, line in enumerate(text[position:].splitlines(), number + 1):
            yield self._line(line, later) + "\n"

    def _read_imports(self, text: str) -> int:
        """Read the imports at the beginning; return the position after them."""
        position = 0
        while match := SKIPPED.match(text, position) or IMPORT.match(text, position):
            if match.re is IMPORT:
                names = [name.strip() for name in match[1].split(",") if name.strip()]
                if not all(re.fullmatch(NAME, name) for name in names):
                    raise BundleError(
                        f"{self.path}: imports may only list names: {match[1].strip()!r}"
                    )
                self.imports.append((normpath(join(self.path, "..", match[2])), names))
            position = match.end()
        return position

    def _line(self, line: str, number: int) -> str:
        where = f"{self.path}:{number}"
        if match := DECLARED.match(line):
            self.declared.append(match[1])
            if line.startswith("export "):
                self.exported.add(match[1])
                line = line.removeprefix("export ")
        elif line[:1].strip() and not OTHER.match(line):
            raise BundleError(f"{where}: cannot read the line {line.strip()[:60]!r}")
        if not line.lstrip().startswith(("//", "/*", "*")) and (match := REFUSED.search(line)):
            raise BundleError(f"{where}: {match[0]!r} is not allowed here")
        return line


def _source(path: str, folders: Mapping[str, Traversable]) -> Traversable:
    first, _, rest = path.partition("/")
    if first not in folders:
        raise BundleError(f"{path}: unknown folder {first!r}; the folders are {', '.join(folders)}")
    return folders[first].joinpath(*rest.split("/"))


def _collect(
    path: str,
    folders: Mapping[str, Traversable],
    modules: dict[str, _Module],
    importers: tuple[str, ...],
) -> None:
    """Add a module after the modules that it imports."""
    if path in importers:
        raise BundleError(f"{path}: imports itself through {' and '.join(importers[1:]) or path}")
    if path in modules:
        return
    module = _Module(path, _source(path, folders).read_text("utf-8"))
    for other, _ in module.imports:
        _collect(other, folders, modules, (*importers, path))
    modules[path] = module
    for other, names in module.imports:
        for name in names:
            if name not in modules[other].exported:
                raise BundleError(f"{path}: {other} does not export {name!r}")


def _check_names(modules: dict[str, _Module]) -> None:
    # In one script, a name of two modules is a syntax error, or one declaration hides the other.
    owners: dict[str, str] = {}
    for module in modules.values():
        for name in module.declared:
            if name in owners:
                raise BundleError(f"{module.path}: {name!r} is declared in {owners[name]} as well")
            owners[name] = module.path
