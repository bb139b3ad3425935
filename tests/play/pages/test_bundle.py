"""The bundler: the scripts that it makes of modules, and the lines that it refuses."""

from pathlib import Path

import pytest

from cardhub.play.pages.bundle import BundleError, bundle_modules, bundle_styles

MAIN = 'import { twice } from "./parts.js";\n\nexport function start() {\n  return twice(2);\n}\n'
PARTS = "// Parts.\n\nconst FACTOR = 2;\n\nexport const twice = (n) => n * FACTOR;\n"


def bundled(folder: Path, main: str = MAIN, **others: str) -> str:
    """Write modules into a folder and bundle `main.js`."""
    for name, text in {"main": main, "parts": PARTS, **others}.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return bundle_modules("scripts/main.js", {"scripts": folder})


def test_modules_come_after_those_that_they_import(tmp_path: Path) -> None:
    text = bundled(tmp_path)
    assert text.index("const twice") < text.index("function start")
    assert "import" not in text
    assert "export" not in text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('import "./parts.js";', "cannot read the line"),
        ('import parts from "./parts.js";', "cannot read the line"),
        ('import { twice as other } from "./parts.js";', "imports may only list names"),
        ('import { twice } from "https://example.org/parts.js";', "cannot read the line"),
        ('import { FACTOR } from "./parts.js";', "does not export 'FACTOR'"),
        ('import { start } from "./main.js";', "imports itself"),
        ("export default start;", "cannot read the line"),
        ("export { start };", "cannot read the line"),
        ("export var other = 1;", "cannot read the line"),
        ("start();", "cannot read the line"),
        ("const FACTOR = 3;", "'FACTOR' is declared in scripts/parts.js as well"),
        ('  import("./parts.js");', "'import(' is not allowed"),
        ('  const end = "</script>";', "'</script' is not allowed"),
    ],
)
def test_lines_that_the_bundler_cannot_read_are_refused(
    tmp_path: Path, line: str, message: str
) -> None:
    is_import = line.startswith("import {")
    main = f"{line}\n{MAIN}" if is_import else f"{MAIN}{line}\n"
    with pytest.raises(BundleError) as caught:
        bundled(tmp_path, main)
    assert message in str(caught.value)
    assert str(caught.value).startswith("scripts/main.js")


@pytest.mark.parametrize("rule", ["@import 'x.css';", "a { background: url(x.png) }", "</style>"])
def test_styles_load_nothing(tmp_path: Path, rule: str) -> None:
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "b.css").write_text("b { top: 0 }\n", "utf-8")
    (tmp_path / "styles" / "a.css").write_text("a { top: 0 }\n", "utf-8")
    text = bundle_styles(("styles",), {"styles": tmp_path / "styles"})
    assert text.split() == ["a", "{", "top:", "0", "}", "b", "{", "top:", "0", "}"]
    (tmp_path / "styles" / "c.css").write_text(rule, "utf-8")
    with pytest.raises(BundleError, match=r"c\.css"):
        bundle_styles(("styles",), {"styles": tmp_path / "styles"})
