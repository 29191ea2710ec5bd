"""What the settings, the environment and sessions say about reaching people: channels, and what each wants to hear.

Pure: reads no file and no environment; a secret is only ever named here, never held.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec.structs import replace

from console.core import addresses
from console.core import settings_checks as rule
from console.core.addresses import url_problem
from console.core.records import Record
from console.core.settings_checks import Path, Reader, seconds, split_command

NoticeName = Literal[
    "turn-end",
    "awaiting-input",
    "exited",
    "awaiting-ack",
    "blocked",
    "parked",
    "hung",
    "given-up",
    "fuse",
    "escalated",
    "shipped",
    "alert",
    "degraded",
    "run-started",
    "run-ended",
    "routine-escalated",
    "routine-ended",
    "test",
]
NAMES: tuple[str, ...] = tuple(name for name in get_args(NoticeName) if name != "test")
NEEDED: frozenset[str] = frozenset(NAMES) - {"turn-end", "exited", "hung", "run-started"}
"""Those that need a person: told when the settings do not say which."""
OF_A_SESSION: frozenset[str] = frozenset(
    {"turn-end", "awaiting-input", "exited", "awaiting-ack", "blocked", "parked", "hung", "given-up"}
)
"""What a session's own address is told, about that session."""

URL, SECRET = "NIGHTDESK_NOTIFY_URL", "NIGHTDESK_NOTIFY_SECRET"
TERMINALS = ("bell", "osc9", "osc777")
KEYS = ("url", "command", "terminal", "secret", "events", "debounce", "quiet")
COLLECTS: Mapping[str, float] = {"url": 0.0, "command": 5.0, "terminal": 3.0}
"""Seconds of `debounce` where the settings say nothing."""
MOST, LONGEST_DEBOUNCE = 20, 3600.0
SECRET_CURE = 'write where it is found, "env:NAME" or "file:/absolute/path", not the secret itself'


class Ask(Record, frozen=True, kw_only=True):
    """What somebody wants to hear. session: only about this one. webhook: only routines that name this address."""

    events: frozenset[str] = NEEDED
    session: str = ""
    webhook: bool = False


class Channel(Record, frozen=True, kw_only=True):
    """One way to reach people. where: the address, or which sign the terminal gives. secret: where it is found
    (`env:NAME`, `file:PATH`), "" for none. debounce: seconds that are collected into one notice. quiet: not while
    somebody is at a screen."""

    kind: Literal["url", "command", "terminal"]
    where: str = ""
    command: tuple[str, ...] = ()
    secret: str = ""
    asks: tuple[Ask, ...] = (Ask(),)
    debounce: float = 0.0
    quiet: bool = False

    @property
    def id(self) -> str:
        """The same for the same place, whoever names it; without anything that could be read back."""
        place = addresses.same(self.where) if self.kind == "url" else "\0".join((self.where, *self.command))
        return hashlib.sha256(f"{self.kind}\0{place}".encode("utf-8", "replace")).hexdigest()[:12]

    @property
    def words(self) -> str:
        """For people. What follows the host of an address may be a secret of its own, and so may arguments."""
        if self.kind == "terminal":
            return f"terminal ({self.where})"
        if self.kind == "command":
            return f"command {self.command[0]}{' …' if self.command[1:] else ''}"
        return addresses.shown(self.where)


def merged(channels: Iterable[Channel]) -> tuple[Channel, ...]:
    """One channel a place: it hears what anybody who named it wants, and signs where anybody named a secret. A place
    that is named for its secret alone (`signer`) is none."""
    found: dict[str, Channel] = {}
    for one in channels:
        known = found.get(one.id)
        if known is None:
            found[one.id] = one
            continue
        asks = (*known.asks, *(ask for ask in one.asks if ask not in known.asks))
        found[one.id] = replace(
            known,
            asks=asks,
            secret=known.secret or one.secret,
            debounce=min(known.debounce, one.debounce),
            quiet=known.quiet and one.quiet,
        )
    return tuple(channel for channel in found.values() if channel.asks)


def signer(channel: Channel) -> Channel:
    """A channel that tells nobody anything, and hands its secret to whoever else names its place."""
    return replace(channel, asks=())


def with_environment(channels: Sequence[Channel], environ: Mapping[str, str]) -> tuple[Channel, ...]:
    """The address of the environment stands in for those of the settings, and hears what they wanted. What is to be
    signed stays so: their secrets go along, for `merged`, where a session or routine names their address, too."""
    url = environ.get(URL, "").strip()
    if not url:
        return merged(channels)
    replaced = [c for c in channels if c.kind == "url"]
    asks = tuple(dict.fromkeys(ask for c in replaced for ask in c.asks)) or (Ask(),)
    said = environ.get(SECRET)
    # Set, but empty: a substitution that failed. It is a secret that cannot be used, not the wish for none.
    secret = "" if said is None else said if is_reference(said) else f"env:{SECRET}"
    rest = [c for c in channels if c.kind != "url"]
    signers = [signer(c) for c in replaced if c.secret]
    told = merged([Channel(kind="url", where=url, secret=secret, asks=asks), *rest, *signers])
    return (*told, *(c for c in signers if c.id != told[0].id))


def for_session(session: str, url: str, secret: str) -> Channel:
    return Channel(kind="url", where=url, secret=secret, asks=(Ask(events=OF_A_SESSION, session=session),))


def for_routine(url: str) -> Channel:
    return Channel(kind="url", where=url, asks=(Ask(events=frozenset({"routine-escalated"}), webhook=True),))


# -- what is wrong with one ------------------------------------------------------------------------------


def is_reference(value: str) -> bool:
    kind, _, name = value.partition(":")
    if kind == "env":
        return name.replace("_", "a").isalnum() and name.isascii() and not name[0].isdigit()
    return kind == "file" and name.startswith(("/", "~/"))


def secret_problem(value: object) -> str:
    """What is wrong with a reference to a secret, "" for nothing; the value itself is never repeated."""
    if isinstance(value, str) and is_reference(value):
        return ""
    if isinstance(value, str) and value.startswith("file:"):
        return "must name a file from its root, as in file:/home/ada/hook.secret or file:~/hook.secret"
    return f"is no reference to a secret; {SECRET_CURE}"


def warnings(channel: Channel) -> list[str]:
    """What works and is better done otherwise."""
    parts = addresses.split(channel.where) if channel.kind == "url" else None
    if parts is None:
        return []
    found = []
    if parts.username or parts.password:
        found.append(
            f"{channel.words}: the address holds a user name or password, which everybody sees who reads the settings; "
            "sign with `secret` instead"
        )
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        found.append(f"{channel.words}: http is not encrypted; use https where the receiver can")
    return found


# -- the settings ----------------------------------------------------------------------------------------


def read(reader: Reader, value: Any) -> tuple[Channel, ...]:
    """`notify` of the settings; every problem goes to the reader."""
    if value is None:
        return ()
    if not isinstance(value, list):
        if isinstance(value, dict):  # the table of keys has told of anything else
            reader.wrong(("notify",), "must be a list of mappings, such as [{url: https://example.org/hook}]")
        return ()
    if len(value) > MOST:
        reader.wrong(("notify",), f"holds {len(value)} channels; at most {MOST} make sense")
        return ()
    return tuple(made for index, one in enumerate(value) if (made := _channel(reader, one, ("notify", index))))


def _channel(reader: Reader, value: Any, path: Path) -> Channel | None:
    if not isinstance(value, dict):
        reader.wrong(path, "must be a mapping with one of url, command, terminal")
        return None
    before = len(reader.problems)
    given = reader.mapping(value, path, dict.fromkeys(KEYS))
    kinds = [kind for kind in ("url", "command", "terminal") if kind in given]
    if len(kinds) != 1:
        reader.wrong(path, "must have exactly one of url, command, terminal")
        return None
    kind = kinds[0]
    for key, message in _wrong(kind, given):
        reader.wrong((*path, key), message)
    return _made(kind, given) if len(reader.problems) == before else None


def _wrong(kind: str, given: Mapping[str, Any]) -> list[tuple[str, str]]:
    place = {"url": url_problem, "command": _command, "terminal": rule.one_of(*TERMINALS)}[kind]
    rules = {
        kind: place,
        "secret": secret_problem if kind == "url" else lambda _: "only an address can be signed for; take it away",
        "events": _events,
        "debounce": _debounce,
        "quiet": rule.flag,
    }
    return [(key, message) for key, check in rules.items() if key in given and (message := check(given[key]))]


def _command(value: Any) -> str:
    argv = split_command(value)
    if isinstance(argv, str):
        return argv
    if "/" in argv[0] and not argv[0].startswith("/"):
        return f"must begin with a bare command name or a path from the root, not {argv[0]!r}"
    return ""


def _events(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return f"must be a list of names; known: {', '.join(NAMES)}"
    unknown = [str(name) for name in value if name not in NAMES]
    return f"unknown: {', '.join(unknown)}; known: {', '.join(NAMES)}" if unknown else ""


def _debounce(value: Any) -> str:
    given = seconds(value)
    if given is None or given > LONGEST_DEBOUNCE:
        return 'must be a duration with its unit, from "0s" to "1h"'
    return ""


def _made(kind: Any, given: Mapping[str, Any]) -> Channel:
    argv = split_command(given["command"]) if kind == "command" else ()
    assert not isinstance(argv, str)
    debounce = seconds(given["debounce"]) if "debounce" in given else COLLECTS[kind]
    return Channel(
        kind=kind,
        where="" if kind == "command" else given[kind],
        command=argv,
        secret=given.get("secret", ""),
        asks=(Ask(events=frozenset(given["events"]) if "events" in given else NEEDED),),
        debounce=debounce or 0.0,
        quiet=given.get("quiet", kind != "url"),
    )
