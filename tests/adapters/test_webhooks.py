"""Webhooks against real receivers on 127.0.0.1: signatures, outcomes, tries and times (times scaled down)."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from receivers import OK, Answer, drip, receiving, reset, silence
from standardwebhooks import Webhook

from console.adapters import webhooks
from console.adapters.webhooks import Patience, Webhooks, secret_key
from console.core.notice_groups import Told
from console.core.notify_settings import Channel
from console.core.records import Refused

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()
QUICK = Patience(total=20.0, pause=0.05)
HASTY = Patience(total=0.15, pause=0.05)
"""For receivers that never answer."""
BODY = json.dumps({"event": "parked", "text": "T-1 is parked \u2026"}).encode()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
async def hooks() -> AsyncIterator[Webhooks]:
    made = Webhooks({"HOOK": SECRET}, patience=QUICK)
    yield made
    made.close()


@pytest.fixture
async def hasty() -> AsyncIterator[Webhooks]:
    made = Webhooks({"HOOK": SECRET}, patience=HASTY)
    yield made
    made.close()


async def tell(hooks: Webhooks, url: str, secret: str = "") -> Told:
    return await hooks.tell(Channel(kind="url", where=url, secret=secret), "msg_1", BODY)


async def test_what_arrives_verifies_with_the_public_library(hooks: Webhooks) -> None:
    async with receiving() as receiver:
        told = await tell(hooks, receiver.url, "env:HOOK")
    assert told == Told(outcome="sent", tries=1, status=200)
    (request,) = receiver.requests
    assert request.line == "POST /hook HTTP/1.1" and request.body == BODY
    assert request.headers["content-type"] == "application/json" and request.headers["webhook-id"] == "msg_1"
    assert Webhook(SECRET).verify(request.body, request.headers) == json.loads(BODY)
    with pytest.raises(Exception, match="No matching signature"):
        Webhook(SECRET).verify(request.body + b" ", request.headers)


async def test_without_a_secret_it_is_not_signed(hooks: Webhooks) -> None:
    async with receiving() as receiver:
        assert (await tell(hooks, receiver.url)).outcome == "sent"
    assert "webhook-signature" not in receiver.requests[0].headers


@pytest.mark.parametrize(
    "secret", ["env:MISSING", "env:EMPTY", "env:PLAIN", "env:SHORT", "file:/nowhere/at/all", "oops"]
)
async def test_a_secret_that_cannot_be_used_sends_nothing_and_is_not_repeated(secret: str) -> None:
    environ = {"EMPTY": " ", "PLAIN": "hunter2hunter2hunter2", "SHORT": "whsec_aGk="}
    hooks = Webhooks(environ, patience=QUICK)
    async with receiving() as receiver:
        told = await tell(hooks, receiver.url, secret)
    hooks.close()
    assert told.outcome == "failed" and told.tries == 0 and not receiver.requests
    assert "secret" in told.detail and "hunter2" not in told.detail and "aGk" not in told.detail


def test_a_secret_in_a_file_is_a_plain_small_file(tmp_path: Path) -> None:
    good = tmp_path / "secret"
    good.write_text(SECRET + "\n")
    assert secret_key(f"file:{good}", {}) == b"k" * 24
    for bad in (tmp_path, Path("/dev/zero")):
        found = secret_key(f"file:{bad}", {})
        assert isinstance(found, Refused) and "plain file" in found.reason


NO = b"HTTP/1.1 500 Oh\r\ncontent-length: 10\r\n\r\n\x1b[31mboom!"
AWAY = b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/else\r\ncontent-length: 0\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "expected", "says"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", ("sent", 204, 1), ""),
        (NO, ("refused", 500, 1), "500 Internal Server Error"),
        (b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n", ("refused", 410, 1), "410"),
        (AWAY, ("refused", 302, 1), "points elsewhere"),
        (b"\x00\xff garbage\r\n\r\n", ("failed", 0, 2), "RemoteProtocolError"),
        (b"", ("failed", 0, 2), "RemoteProtocolError"),
        (reset, ("failed", 0, 2), "ReadError"),
    ],
    ids=["204", "500", "410", "302", "garbage", "nothing", "reset"],
)
async def test_each_answer_has_its_outcome_and_only_the_network_is_tried_twice(
    hooks: Webhooks, answer: bytes | Answer, expected: tuple[str, int, int], says: str
) -> None:
    async with receiving(answer) as receiver:
        told = await tell(hooks, receiver.url, "env:HOOK")
    assert (told.outcome, told.status, told.tries) == expected
    assert says in told.detail and told.detail.isprintable() and len(told.detail) <= 200
    assert len(receiver.requests) == told.tries
    assert {r.headers["webhook-id"] for r in receiver.requests} == {"msg_1"}


@pytest.mark.parametrize("answer", [silence, drip], ids=["silent", "dripping"])
async def test_one_that_never_answers_has_its_time_twice_and_no_more(hasty: Webhooks, answer: Answer) -> None:
    began = time.monotonic()
    async with receiving(answer) as receiver:
        told = await tell(hasty, receiver.url, "env:HOOK")
    assert told == Told(outcome="failed", tries=2, detail="no answer within 0.15 s")
    assert 2 * HASTY.total <= time.monotonic() - began < 10


async def test_the_second_try_may_succeed(hooks: Webhooks) -> None:
    async with receiving(reset, OK) as receiver:
        told = await tell(hooks, receiver.url, "env:HOOK")
    assert told == Told(outcome="sent", tries=2, status=200) and len(receiver.requests) == 2


async def test_nobody_there_is_tried_twice_with_a_pause_between(hooks: Webhooks) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
        began = time.monotonic()
        told = await tell(hooks, url)
    assert told.outcome == "failed" and told.tries == 2 and "ConnectError" in told.detail
    assert time.monotonic() - began >= QUICK.pause


async def test_of_an_endless_answer_only_a_little_is_read(hooks: Webhooks) -> None:
    sent = 0

    async def endless(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 503 No\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"10000\r\n" + b"z" * 65536 + b"\r\n")
            await writer.drain()
            sent += 65536

    async with receiving(endless) as receiver:
        told = await tell(hooks, receiver.url)
    assert told.outcome == "refused" and told.status == 503 and told.tries == 1 and len(receiver.requests) == 1
    assert sent < 64 * 1024 * 1024  # what the kernel's buffers took, not what there is


async def test_a_proxy_of_the_environment_is_used(hooks: Webhooks, monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiving() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        assert (await tell(hooks, "http://receiver.invalid/hook")).outcome == "sent"
    assert proxy.requests[0].line == "POST http://receiver.invalid/hook HTTP/1.1"


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl to make a certificate")
async def test_a_certificate_that_nobody_vouches_for_is_not_taken(hooks: Webhooks, tmp_path: Path) -> None:
    key, cert = str(tmp_path / "key"), str(tmp_path / "cert")
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost"]
    make = ["openssl", "req", "-x509", *kind, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert]
    subprocess.run(make, check=True, capture_output=True, timeout=30)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(cert, key)
    async with receiving(OK, tls=tls) as receiver:
        told = await tell(hooks, receiver.url.replace("127.0.0.1", "localhost"))
    assert told.outcome == "failed" and "CERTIFICATE_VERIFY_FAILED" in told.detail and not receiver.requests


async def test_a_name_server_that_hangs_costs_nobody_anything(hasty: Webhooks, monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()
    monkeypatch.setattr(webhooks.socket, "getaddrinfo", lambda *_a, **_k: free.wait(20))
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.create_task(tick())
    told = await tell(hasty, "http://receiver.invalid/hook")
    ticking.cancel()
    free.set()
    assert told.outcome == "failed" and told.tries == 2 and ticks > 10


@pytest.mark.parametrize("url", ["ftp://x/", "http:///", "http://x:y/", "nothing", "http://a b/", "http://[::1/"])
async def test_what_is_no_address_is_told_and_not_tried(hooks: Webhooks, url: str) -> None:
    told = await tell(hooks, url)
    assert told.outcome == "failed" and told.tries == 0 and "address" in told.detail


async def test_one_that_waits_can_be_cancelled(hooks: Webhooks) -> None:
    async with receiving(silence) as receiver:
        task = asyncio.create_task(tell(hooks, receiver.url))
        while not receiver.requests:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


def test_the_library_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, console.adapters.webhooks; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0


async def test_the_receiver_of_the_manual_verifies_and_tells_each_notice_once(
    hooks: Webhooks, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "notify.md").read_text()
    monkeypatch.setenv("HOOK_SECRET", SECRET)
    names: dict[str, Any] = {"__name__": "manual"}
    exec(manual.split("```python\n")[1].split("```")[0], names)  # noqa: S102
    server = names["HTTPServer"](("127.0.0.1", 0), names["Receiver"])
    threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    body = json.dumps({"id": "msg_1", "text": "T-1 is parked", "console": "nightdesk status"}).encode()
    channels = [Channel(kind="url", where=url, secret=secret) for secret in ("env:HOOK", "env:HOOK", "")]
    said = [await hooks.tell(channel, "msg_1", body) for channel in channels]
    await asyncio.to_thread(server.shutdown)
    server.server_close()
    assert [told.status for told in said] == [204, 204, 401]
    assert capsys.readouterr().out == "T-1 is parked -- nightdesk status\n"


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Cannot-POST-/services/TOKTOK\r\n\r\nCannot POST /services/TOKTOK",
        b"HTTP/1.1 799 /services/TOKTOK\r\n\r\n%2Fservices%2FTOKTOK",
        b"POST /services/TOKTOK HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n/services/TOKTOK\r\n\r\n",
    ],
    ids=["body", "reason", "echo", "header"],
)
async def test_what_a_receiver_says_is_in_no_outcome_it_may_quote_the_address(hooks: Webhooks, answer: bytes) -> None:
    async with receiving(answer) as receiver:
        told = await tell(hooks, receiver.url.replace("/hook", "/services/TOKTOK"))
    assert told.outcome != "sent" and told.detail and "TOKTOK" not in told.detail and not told.said
