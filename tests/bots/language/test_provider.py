"""Servers of language models: answers, faults that pass, faults that do not, and keys."""

import threading
from itertools import count
from queue import SimpleQueue
from typing import Any

import pytest
from tests.kit.model_server import ModelServer, Page, answer, failure
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.base.errors import BotProviderError
from cardhub.bots.language import provider as provider_module
from cardhub.bots.language.endpoint import KEYS, OPENAI, OPENAI_KEY, Endpoint
from cardhub.bots.language.provider import MOST_BYTES, Message, Provider, Reply

HELLO = [Message("user", "hello")]


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider_module, "FIRST_WAIT", 0.001)


def ask(models: ModelServer, *pages: Page, patience: float = 600, **more: Any) -> Reply:
    """Ask a server that gives these responses first."""
    models.pages.extend(pages)
    provider = Provider(Endpoint("m", models.url), 60, patience)
    try:
        return provider.ask(HELLO, 50, **more)
    finally:
        provider.stop()


def fault(models: ModelServer, *pages: Page, **more: Any) -> BotProviderError:
    """Return the fault of a server that gives these responses."""
    with pytest.raises(BotProviderError) as caught:
        ask(models, *pages, **more)
    return caught.value


def refusal(models: ModelServer, *pages: Page, **more: Any) -> str:
    """Return the message of a server's fault."""
    return str(fault(models, *pages, **more))


def test_an_answer_has_its_text_the_models_name_and_counts_of_tokens(models: ModelServer) -> None:
    reply = ask(models, answer("yes"))
    assert reply == Reply("yes", False, False, "test-model", 100, 80, 7)
    request = models.requests[0]
    assert request["messages"] == [{"role": "user", "content": "hello"}]
    assert (request["model"], request["max_tokens"]) == ("m", 50)


PASSING = {
    "too many requests": failure(429, retry_after="0"),
    "a server's error": failure(500),
    "a gateway's page": Page(502, b"<html>bad gateway</html>"),
    "invalid JSON": Page(body=b'{"choices": ['),
    "another protocol": Page(body=b'{"choices": "none"}'),
    "deep nesting": Page(body=b"[" * 100_000),
    "bytes that are no text": Page(body=b'{"choices": [{"message": {"content": "\xff"}}]}'),
    "no choice": Page(body=b'{"choices": []}'),
    "no text": answer(None),
    "an empty text": answer(""),
    "an answer that ends in the middle": Page(body=answer("yes").body[:40], cut=60),
}


@pytest.mark.parametrize("page", PASSING.values(), ids=PASSING.keys())
def test_faults_that_may_pass_are_tried_again(models: ModelServer, page: Page) -> None:
    assert ask(models, page, page, answer("yes")).text == "yes"
    assert len(models.requests) == 3


LASTING = {
    "the key is missing or wrong": failure(401),
    "the key may not use this model": failure(403),
    "there is no such model or address": failure(404, "no model m"),
    "its status is 400": failure(400),
    "the prompt is too long": failure(413),
    "the account has no credit left": failure(429, code="insufficient_quota"),
    "it sends to another address": failure(307, location="http://127.0.0.1:9/v1/chat/completions"),
    "the answer has more than 4 MB": Page(body=b" " * (MOST_BYTES + 1)),
}


@pytest.mark.parametrize(("cause", "page"), LASTING.items(), ids=LASTING.keys())
def test_faults_that_do_not_pass_are_said_at_once(
    models: ModelServer, cause: str, page: Page
) -> None:
    message = refusal(models, page)
    assert message.startswith(f"no answer from m at {models.url[7:-3]}: {cause}")
    assert len(models.requests) == 1


def test_the_page_of_an_error_is_not_read_without_end(models: ModelServer) -> None:
    page = Page(500, b" " * (MOST_BYTES + 1))
    assert "more than 4 MB" in refusal(models, page)


def test_a_server_that_keeps_failing_is_given_up(
    models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count()
    monkeypatch.setattr(provider_module, "monotonic", lambda: float(next(clock)))
    models.model = lambda _: failure(503)
    message = refusal(models, patience=20)
    assert "its status is 503" in message
    assert f"({len(models.requests)} tries)" in message
    assert len(models.requests) > 1


def test_a_wait_that_the_server_asks_for_is_not_shortened(models: ModelServer) -> None:
    # It takes longer than the patience, so the server is asked once.
    assert "too many requests" in refusal(models, failure(429, retry_after="700"))
    assert len(models.requests) == 1


def test_a_slow_answer_is_given_up(models: ModelServer) -> None:
    models.open.clear()
    provider = Provider(Endpoint("m", models.url), 0.05, 0)
    with pytest.raises(BotProviderError, match=r"no answer within 0\.05 seconds"):
        provider.ask(HELLO, 50)


def test_a_server_that_does_not_exist_is_given_up() -> None:
    provider = Provider(Endpoint("m", "http://127.0.0.1:1/v1"), 60, 0)
    with pytest.raises(BotProviderError, match=r"no answer from m at 127\.0\.0\.1:1: it cannot"):
        provider.ask(HELLO, 50)


def test_a_request_is_stopped_from_another_thread(models: ModelServer) -> None:
    models.model = lambda _: failure(503, retry_after="60")
    provider = Provider(Endpoint("m", models.url), 60, 600)
    errors: list[BaseException] = []

    def request() -> None:
        try:
            provider.ask(HELLO, 50)
        except BotProviderError as error:
            errors.append(error)

    thread = threading.Thread(target=request)
    thread.start()
    wait_until(lambda: models.requests)
    provider.stop()
    thread.join(60)
    assert len(errors) == 1


def test_a_stop_ends_a_request_under_way_and_its_connection(models: ModelServer) -> None:
    models.open.clear()
    provider = Provider(Endpoint("m", models.url), 600, 600)
    errors = SimpleQueue[BotProviderError]()

    def request() -> None:
        try:
            provider.ask(HELLO, 50)
        except BotProviderError as error:
            errors.put(error)

    thread = threading.Thread(target=request, daemon=True)
    thread.start()
    wait_until(lambda: models.requests)
    provider.stop()
    assert "no answer from m" in str(errors.get(timeout=PATIENCE))
    wait_until(lambda: models.abandoned)
    provider.stop()  # a second time
    thread.join()


def test_words_of_a_server_are_for_the_bots_author_only(models: ModelServer) -> None:
    error = fault(models, failure(400, "\x1b[2J You wrote: hello" + "x" * 5000))
    assert "hello" not in f"{error} {error.public}"
    assert "You wrote: hello" in error.details
    assert "\x1b" not in error.details
    assert len(error.details) < 400


def test_a_key_is_sent_to_its_own_host_only() -> None:
    keys = {KEYS: "openrouter.ai=A localhost:8080=B", OPENAI_KEY: "C"}
    urls = {
        "https://openrouter.ai/api/v1": "A",
        "https://OpenRouter.ai/v1": "A",
        "https://openrouter.ai.example.com/v1": "",
        "https://openrouter.ai@example.com/v1": "",
        "http://openrouter.ai/v1": "",  # not encrypted
        "http://localhost:8080/v1": "B",
        OPENAI: "C",
        "https://api.openai.com.example.com/v1": "",
    }
    assert {url: Endpoint("m", url).find_key(keys) for url in urls} == urls


def test_a_key_stands_in_no_message(models: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEYS, f"{models.url[7:-3]}=secret-key")
    error = fault(models, failure(401, "Incorrect key: secret-key"))
    assert error.details == "Incorrect key: …"
    assert "secret-key" not in str(error)
    assert models.keys == ["Bearer secret-key"]
