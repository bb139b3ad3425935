"""The pages of the site, collected in a folder for Sphinx.

Pages link to files outside docs/, which a forge shows. The site has a page for each such file, and
for each such folder a page with all its files: it is complete without the repository.
"""

import re
import shutil
from collections.abc import Iterator
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath

from contents import CHAPTERS, HOMES
from reference import PAGES, reference_page

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")
LANGUAGES = {".js": "js", ".md": "markdown", ".py": "python", ".toml": "toml", ".yaml": "yaml"}


def collect(folder: Path) -> None:
    """Write all pages into a folder."""
    sources = [*HOMES, *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
    texts = {source: (ROOT / source).read_text("utf-8") for source in sources}
    for source, text in texts.items():
        _write(folder / _site_path(source), _moved(source, text))
    for target in {target for source, text in texts.items() for target in _targets(source, text)}:
        if _site_path(target).startswith("files/"):
            _write(folder / _site_path(target), _shown(target))
    for name in PAGES:
        _write(folder / f"reference/{name}.rst", reference_page(name))
    shutil.copytree(ROOT / "docs" / "pictures", folder / "pictures")
    with (folder / "index.md").open("a", encoding="utf-8") as index:
        index.writelines(_chapters())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _site_path(source: str) -> str:
    """Return the path in the site of a file of the repository."""
    is_page = source.startswith("docs/pictures") or source.endswith(".md")
    if source in HOMES:
        return HOMES[source]
    is_own = source.startswith("docs/") and is_page
    return source.removeprefix("docs/") if is_own else f"files/{source}.md"


def _target(source: str, link: str) -> str:
    """Return the target of a link on a page, from the root; empty if it does not exist."""
    target = normpath(PurePosixPath(source).parent / link)
    return target if (ROOT / target).exists() else ""


def _targets(source: str, text: str) -> Iterator[str]:
    yield from filter(None, (_target(source, link[1]) for link in LINK.finditer(text)))


def _moved(source: str, text: str) -> str:
    """Return a page whose links lead to where things are in the site."""
    here = PurePosixPath(_site_path(source)).parent

    def changed(link: re.Match[str]) -> str:
        target = _target(source, link[1])
        moved = relpath(_site_path(target), here) if target else link[1]
        return f"]({moved}{link[2] or ''})"

    return LINK.sub(changed, text)


def _shown(target: str) -> str:
    """Return a page that shows a file, or all files of a folder."""
    path = ROOT / target
    files = [path] if path.is_file() else sorted(filter(_is_source, path.rglob("*")))
    parts = [f"---\norphan: true\n---\n# `{target}`\n"]
    for file in files:
        name = "" if file == path else f"## `{file.relative_to(path).as_posix()}`\n\n"
        code = file.read_text("utf-8").rstrip("\n")
        parts.append(f"{name}``````{LANGUAGES.get(file.suffix, 'text')}\n{code}\n``````\n")
    return "\n".join(parts)


def _is_source(path: Path) -> bool:
    is_made = any(part.startswith(".") or part.endswith(".egg-info") for part in path.parts)
    return path.is_file() and path.suffix in LANGUAGES and not is_made


def _chapters() -> Iterator[str]:
    """Yield the tables of contents that put all pages into the navigation."""
    chapters = CHAPTERS | {"Reference": tuple(f"reference/{name}" for name in PAGES)}
    for title, names in chapters.items():
        listed = "\n".join(names)
        yield f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```\n"
