"""The policy of a page: injected scripts, styles, pictures and requests are refused."""

from pathlib import Path

from tests.kit.browsing import Visitor
from tests.play.pages.replay_pages import write_page

INJECTED = """async () => {
    const script = document.createElement("script");
    script.textContent = "window.hit = 1";
    const box = document.createElement("div");
    box.innerHTML = '<img src="x.png" onerror="window.hit = 2"><style>body {opacity: 0}</style>';
    document.body.append(script, box);
    const failed = await fetch("https://example.org/").then(() => false, () => true);
    await new Promise(done => setTimeout(done, 50));
    return [window.hit ?? 0, getComputedStyle(document.body).opacity, failed];
}"""


def test_injected_markup_has_no_effect(visit_page: Visitor, tmp_path: Path) -> None:
    seen = visit_page(write_page(tmp_path, "gamon", most=5).path)
    assert seen.page.evaluate(INJECTED) == [0, "1", True]
    refused = " ".join(seen.complaints)
    for directive in ("script-src", "style-src", "img-src"):
        assert directive in refused
