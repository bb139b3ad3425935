"""The files that a server of tables sends to a browser."""

import re

from cardhub.online.browser.online_page import online_assets, online_html

ADDRESS = re.compile(r'(?:src|href)="([^"]*)"')


def test_the_page_loads_its_own_assets_only() -> None:
    assert sorted(ADDRESS.findall(online_html())) == sorted(online_assets())


def test_the_page_has_no_inline_script_or_style() -> None:
    page = online_html()
    assert "<style" not in page
    assert "style=" not in page
    assert re.findall(r"<script[^>]*>([^<]*)</script>", page) == [""]
    assert not re.search(r"\son\w+=", page)


def test_the_assets_ask_no_other_host() -> None:
    """The only address in the assets is the SVG namespace, which browsers never load."""
    for path, content in online_assets().items():
        addresses = set(re.findall(rb"https?://[^\s\"'`]+", content))
        assert addresses <= {b"http://www.w3.org/2000/svg"}, path


def test_the_scripts_never_make_markup_of_texts() -> None:
    """Names, chat lines and cards must stay text."""
    script = next(data for path, data in online_assets().items() if path.endswith(".js"))
    assert not re.search(rb"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b", script)
