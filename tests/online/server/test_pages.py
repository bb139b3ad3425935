"""HTTP responses: headers, files, the lobby, new tables, QR codes; and hostile requests."""

import gzip
import json
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient
from tests.online.server.conftest import TOKEN, EchoTables

from cardhub.online.browser.online_page import online_assets
from cardhub.online.server.limits import PUBLIC_LIMITS, RateLimit, TokenBucket
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.web.origin import SAFE_HEADERS
from cardhub.online.server.web.web_app import build_app

SITE = "https://cards.example.org"
NEW = {"game": "gamon", "name": "Anna"}


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let limits count as if no time passed, on a slow machine as well."""
    monkeypatch.setattr(TokenBucket, "_fill", lambda self, now: None)


@pytest.fixture
def tables() -> EchoTables:
    """Return tables that note what they get."""
    return EchoTables()


@pytest.fixture
def client(tables: EchoTables) -> TestClient:
    """Return a client of a server that others reach."""
    return site(tables)


def site(tables: EchoTables, **options: Any) -> TestClient:
    """Return a client of a server with options; an exception is an answer, as over a network."""
    app = build_app(tables, ServerOptions(origins=(SITE,), **options))
    return TestClient(app, SITE, raise_server_exceptions=False)


def post(client: TestClient, body: object, origin: str = SITE, path: str = "/tables") -> Any:
    """Send JSON like a page of an origin."""
    data = body if isinstance(body, bytes) else json.dumps(body)
    headers = {"content-type": "application/json", "origin": origin}
    return client.post(path, content=data, headers=headers)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/t/abc", 200),
        ("/games", 200),
        ("/t/abc/qr.svg", 200),
        ("/t/abc/replay/1.html", 404),
        ("/lobby", 200),
        ("/healthz", 200),
        ("/tables", 405),
        ("/qr.svg", 405),
        ("/assets/none/cardhub.js", 404),
        ("/assets/../../etc/passwd", 404),
        ("/assets/%2e%2e/%2e%2e/etc/passwd", 404),
        ("/assets/..%2f..%2fetc%2fpasswd", 404),
        ("/assets//etc/passwd", 404),
        ("/t/abc/replay/-1.html", 404),
        ("/t/abc/replay/x.html", 404),
        ("/none", 404),
        ("/ws/abc", 404),
        *((path, 200) for path in online_assets()),
    ],
)
def test_every_answer_has_the_safe_headers(client: TestClient, path: str, status: int) -> None:
    """Refusals have them too, and none of them names the software."""
    answer = client.get(path)
    assert answer.status_code == status
    for name, value in SAFE_HEADERS.items():
        assert answer.headers[name] == value or name == "Cache-Control"
    assert "server" not in answer.headers
    if status >= 400:
        assert "fix: " in answer.json()["why"]


def test_a_failure_has_the_safe_headers_and_no_traceback(
    client: TestClient, tables: EchoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(tables, "listed", fail)
    answer = client.get("/lobby")
    assert answer.status_code == 500
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "planted" not in answer.text


def test_scripts_run_from_the_own_server_only(client: TestClient) -> None:
    """No inline script, no style attribute, no other host, no frame around the page."""
    page = client.get("/")
    policy = dict(
        part.split(" ", 1) for part in page.headers["Content-Security-Policy"].split("; ")
    )
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "<script>" not in page.text
    assert "style=" not in page.text
    assert "//" not in page.text.replace("<!doctype", "")


def test_files_are_kept_for_ever_and_the_page_is_not(client: TestClient) -> None:
    """The page names the files by their digest."""
    page = client.get("/")
    assert page.headers["Cache-Control"] == "no-cache"
    for path, content in online_assets().items():
        assert path in page.text
        packed = client.get(path, headers={"accept-encoding": "gzip"})
        plain = client.get(path, headers={"accept-encoding": "identity"})
        assert packed.content == plain.content == content
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Content-Encoding" not in plain.headers
        assert "immutable" in packed.headers["Cache-Control"]
        assert int(packed.headers["Content-Length"]) == len(gzip.compress(content, mtime=0))


def test_a_table_is_made_and_its_maker_gets_a_token(client: TestClient, tables: EchoTables) -> None:
    answer = post(client, {**NEW, "seats": 2, "options": {"coins": 7}})
    assert answer.status_code == 201
    assert answer.json() == {"table": "abc", "token": TOKEN}
    assert answer.headers["Cache-Control"] == "no-store"
    assert tables.created[0].options == {"coins": 7}


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        (b"", 400, "the request is invalid"),
        (b"[" * 4000, 400, "the request is invalid"),
        (b"\xff", 400, "the request is invalid"),
        ({"game": "gamon"}, 400, "name"),
        ({**NEW, "seats": -1}, 400, "seats"),
        ({**NEW, "seats": 2**70}, 400, "seats"),
        ({**NEW, "options": [1]}, 400, "options"),
        ({**NEW, "admin": True}, 400, "admin"),
        ({**NEW, "name": "x" * 500}, 400, "name"),
        ({**NEW, "name": "x" * 5000}, 413, "more than 4096 bytes"),
        ({**NEW, "game": "none"}, 400, "there is no game 'none'"),
    ],
)
def test_a_request_that_is_not_understood_is_refused(
    client: TestClient, tables: EchoTables, body: object, status: int, why: str
) -> None:
    answer = post(client, body)
    assert answer.status_code == status
    assert why in answer.json()["why"]
    assert tables.created == []


def test_a_form_of_another_site_makes_no_table(client: TestClient, tables: EchoTables) -> None:
    """Forms cannot send JSON, and browsers send the origin of every page."""
    data = json.dumps(NEW)
    headers = {"content-type": "text/plain", "origin": SITE}
    assert client.post("/tables", content=data, headers=headers).status_code == 415
    assert post(client, NEW, "https://evil.example").status_code == 403
    assert client.post("/tables", content=data).status_code == 403
    assert tables.created == []


def test_an_address_makes_ten_tables_at_once(client: TestClient, tables: EchoTables) -> None:
    assert post(client, {**NEW, "game": "none"}).status_code == 400
    answers = [post(client, NEW).status_code for _ in range(12)]
    assert answers == [201] * 10 + [429] * 2
    assert len(tables.created) == 10


def test_tables_are_counted_by_address_only_where_others_reach_the_server(
    tables: EchoTables,
) -> None:
    near = TestClient(build_app(tables, ServerOptions()), "http://localhost:8000")
    assert post(near, NEW, "http://localhost:8000").status_code == 201
    assert post(site(tables), NEW).status_code == 201
    assert tables.addresses == ["", "testclient"]


def test_tables_are_counted_for_a_household(tables: EchoTables) -> None:
    """Whose computers have any number of IPv6 addresses."""
    app = build_app(tables, ServerOptions(origins=("https://cards.example.org",)))
    for host in ("2001:db8::1", "2001:db8::2:3", "2001:db8:0:1::1"):
        client = TestClient(app, "https://cards.example.org", client=(host, 5000))
        assert post(client, NEW, "https://cards.example.org").status_code == 201
    assert tables.addresses[0] == tables.addresses[1] != tables.addresses[2]


def test_with_a_key_only_those_who_have_it_make_tables(tables: EchoTables) -> None:
    client = site(tables, key="Schlüssel")
    assert client.get("/lobby").json()["makers"] == "key"
    assert post(client, {**NEW, "key": "Schlüssel"}).status_code == 201
    guesses = [post(client, {**NEW, "key": str(guess)}).status_code for guess in range(25)]
    assert guesses == [403] * 20 + [429] * 5
    assert post(client, {**NEW, "key": "Schlüssel"}).status_code == 429
    assert len(tables.created) == 1


def test_an_address_asks_for_so_many_pages(
    tables: EchoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = PUBLIC_LIMITS._replace(requests=RateLimit(20, 0.001))
    monkeypatch.setattr("cardhub.online.server.server_options.PUBLIC_LIMITS", limits)
    client = site(tables)
    answers = [client.get("/healthz").status_code for _ in range(25)]
    assert answers[:20] == [200] * 20
    assert answers[20:] == [429] * 5


def test_a_link_is_drawn_as_a_qr_code(client: TestClient) -> None:
    """The link of a table, or of a seat, whose token is in the body of the request."""
    table = client.get("/t/abc/qr.svg")
    seat = post(client, {"path": "/t/abc#seat=" + "x" * 32}, path="/qr.svg")
    for answer in (table, seat):
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert ElementTree.fromstring(answer.content).tag.endswith("svg")
        assert b"<script" not in answer.content
    assert table.content != seat.content


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example", "t", "", "/" * 400])
def test_other_links_are_not_drawn(client: TestClient, path: str) -> None:
    """The server makes no codes for other sites."""
    assert post(client, {"path": path}, path="/qr.svg").status_code == 400


def test_images_are_drawn_at_a_rate_and_of_short_links_only(client: TestClient) -> None:
    """A long link takes a quarter of a second of the processor that all tables share."""
    assert client.get("/t/" + "a" * 41 + "/qr.svg").status_code == 404
    answers = [client.get("/t/abc/qr.svg").status_code for _ in range(22)]
    assert answers == [200] * 20 + [429] * 2
    assert client.get("/t/abc/replay/1.html").status_code == 429


@pytest.mark.parametrize("number", ["0", "-1", "1" * 10, "9" * 5000, "x", "%D9%A1"])
def test_a_strange_number_is_no_replay(client: TestClient, number: str) -> None:
    assert client.get(f"/t/abc/replay/{number}.html").status_code == 404


def test_html_in_an_id_is_never_part_of_a_page(client: TestClient) -> None:
    """The page is the same for all tables."""
    assert client.get("/t/<script>alert(1)</script>").status_code == 404
    assert client.get("/t/%22%3E%3Cimg%20src%3Dx%3E").content == client.get("/").content


def test_the_holder_of_a_token_gets_the_entry_of_the_table(client: TestClient) -> None:
    answer = client.get("/t/abc/offer", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer.json()["title"]) == (200, "Gamon")
    assert client.get("/t/none/offer").status_code == 404


def test_the_own_games_of_a_table_are_for_the_holder_of_a_token(client: TestClient) -> None:
    answer = client.get("/t/abc/games", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer.json()) == (200, {"games": []})
    assert client.get("/t/abc/games").status_code == 403


def test_results_are_made_of_outcomes_of_limited_number_and_size(client: TestClient) -> None:
    outcome = {"game": "kuhn", "against": "easy", "is_helped": False, "score": 1, "won": 1}
    few, many = ({"outcomes": [outcome] * number} for number in (2, 301))
    assert post(client, few, path="/results").status_code == 200
    assert post(client, many, path="/results").status_code == 400
    assert post(client, few, origin="https://other.example", path="/results").status_code == 403
    huge = {"outcomes": [outcome | {"against": "x" * 400}] * 300}
    assert post(client, huge, path="/results").status_code == 413


def test_wrong_tokens_for_entries_are_limited(client: TestClient) -> None:
    burst = int(PUBLIC_LIMITS.failed_tokens.burst)
    statuses = [client.get("/t/abc/offer").status_code for _ in range(burst + 1)]
    assert statuses == [403] * burst + [429]
