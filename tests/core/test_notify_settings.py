"""What `notify` of the settings may say, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from console.core import settings
from console.core.notify_settings import (
    NEEDED,
    OF_A_SESSION,
    Ask,
    Channel,
    for_session,
    merged,
    warnings,
    with_environment,
)

HOOK = "http://127.0.0.1:9000/hook"


def line_of(path: settings.Path) -> int:
    """The third line holds the first channel, and so on; a key of it lies one line deeper."""
    return 3 + 10 * int(path[1]) + (len(path) > 2) if len(path) > 1 else 2


def read(*channels: Any) -> tuple[Channel, ...]:
    found = settings.read({"notify": list(channels)}, line_of)
    assert isinstance(found, settings.Settings), found
    return found.notify


def problems(*channels: Any) -> list[tuple[int, str, str]]:
    found = settings.read({"notify": list(channels)}, line_of)
    assert isinstance(found, list), found
    return [(p.line, p.key, p.message) for p in found]


def test_a_channel_that_says_nothing_else_hears_what_needs_a_person_at_once_and_always() -> None:
    (only,) = read({"url": HOOK})
    assert only.asks == (Ask(events=NEEDED),)
    assert (only.debounce, only.quiet, only.secret) == (0.0, False, "")
    assert "turn-end" not in NEEDED and "awaiting-ack" in NEEDED


def test_commands_and_terminals_collect_and_are_quiet_unless_told_otherwise() -> None:
    command, terminal, loud = read(
        {"command": "notify-send nightdesk"},
        {"terminal": "osc9"},
        {"terminal": "bell", "quiet": False, "debounce": "0s"},
    )
    assert command.command == ("notify-send", "nightdesk") and command.quiet and command.debounce == 5.0
    assert terminal.where == "osc9" and terminal.quiet and terminal.debounce == 3.0
    assert not loud.quiet and loud.debounce == 0.0


def test_every_problem_is_told_with_its_line_and_a_cure() -> None:
    found = problems(
        {"url": "ftp://example.org", "events": ["parked", "nope"]},
        {"terminal": "gong", "secret": "env:X"},
        {"command": "./ring.sh", "debounce": "soon", "quiet": "yes"},
        {"url": HOOK, "terminal": "bell"},
        "bell",
        {"url": HOOK, "sekret": "env:X"},
    )
    at = {(line, key) for line, key, _ in found}
    assert {(4, "notify.0.url"), (4, "notify.0.events"), (14, "notify.1.terminal"), (14, "notify.1.secret")} <= at
    assert {(24, "notify.2.command"), (24, "notify.2.debounce"), (24, "notify.2.quiet")} <= at
    assert {(33, "notify.3"), (43, "notify.4"), (54, "notify.5.sekret")} <= at
    words = " ".join(message for *_, message in found)
    assert "unknown: nope; known: turn-end" in words and "bare command name" in words and "exactly one of" in words
    assert len(found) == 10


@pytest.mark.parametrize(
    "secret", ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "hunter2", "env:", "env:9X", "file:relative", "", 7]
)
def test_a_secret_itself_is_refused_and_never_repeated(secret: object) -> None:
    ((_, key, message),) = problems({"url": HOOK, "secret": secret})
    assert key == "notify.0.secret"
    assert "env:NAME" in message or "from its root" in message
    assert not secret or str(secret) not in message.replace("env:NAME", "") or str(secret) == "env:"


def test_one_place_is_one_channel_however_it_is_spelled() -> None:
    one, two = read({"url": "HTTP://Example.org:80/hook", "events": ["parked"]}, {"url": "http://example.org/hook"})
    assert one.id == two.id
    mine = for_session("s-1", "http://example.org/hook", "env:HOOK")
    (only,) = merged([one, two, mine])
    assert {ask.session for ask in only.asks} == {"", "s-1"} and only.secret == "env:HOOK"
    assert only.asks[2].events == OF_A_SESSION
    assert len({c.id for c in read({"url": HOOK}, {"url": HOOK + "2"}, {"terminal": "bell"}, {"command": "bell"})}) == 4


def test_the_address_of_the_environment_stands_in_for_those_of_the_settings() -> None:
    known = read({"url": HOOK, "events": ["turn-end"]}, {"terminal": "bell"})
    now = with_environment(known, {"NIGHTDESK_NOTIFY_URL": "https://else.example/x"})
    assert [(c.kind, c.where) for c in now] == [("url", "https://else.example/x"), ("terminal", "bell")]
    assert now[0].asks == (Ask(events=frozenset({"turn-end"})),) and now[0].secret == ""
    assert with_environment(known, {}) == known


def test_a_secret_of_the_environment_that_is_empty_is_still_one() -> None:
    def secret(value: str) -> str:
        environ = {"NIGHTDESK_NOTIFY_URL": HOOK, "NIGHTDESK_NOTIFY_SECRET": value}
        return with_environment((), environ)[0].secret

    assert secret("") == secret("whsec_abc") == "env:NIGHTDESK_NOTIFY_SECRET"
    assert secret("file:/etc/hook") == "file:/etc/hook"


def test_words_and_ids_hold_nothing_that_is_secret() -> None:
    hook = Channel(kind="url", where="https://ada:pw@hooks.example:8443/services/T0/xoxb?token=k")
    assert hook.words == "https://hooks.example:8443/…"
    command = Channel(kind="command", command=("curl", "-H", "token: k"))
    assert command.words == "command curl …"
    assert all("k" not in c.id or len(c.id) == 12 for c in (hook, command))
    told = " ".join(warnings(hook))
    assert "user name or password" in told and "pw" not in told.replace("password", "")
    assert "not encrypted" in warnings(Channel(kind="url", where="http://example.org/"))[0]
    assert warnings(Channel(kind="url", where=HOOK)) == []
