"""Addresses that notices are posted to: what is wrong with one, which lead to the same place, what may be shown. Pure.

What follows the host is often a secret of its own: it is shown nowhere.
"""

from __future__ import annotations

import re
import string
import unicodedata
from urllib.parse import SplitResult, urlsplit

LONGEST = 2048
NONE = "an address that is none"
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
PLAIN = "is no address: at most {} characters, no blanks, no backslash, and a port from 1 to 65535"
HOST = "names no host that anybody could look up; write it as in hooks.example.org, 192.0.2.7 or [2001:db8::7]"
CREDENTIALS = (
    "holds a user name or password, which would stand in the log: take it out, and let {} name a secret that signs "
    "what is sent, or name the address in `notify` of your settings"
)


def split(url: str) -> SplitResult | None:
    """None where it is no address at all."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (raises where it is no number)
    except ValueError:
        return None
    return parts


def place_of(parts: SplitResult) -> str:
    """Host and, where it is not the usual one, port; as they are looked up."""
    host = _ascii(parts.hostname or "")
    host = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return host if parts.port in (None, usual) else f"{host}:{parts.port}"


def shown(url: str) -> str:
    """As people and programs may see it: no further than the host."""
    parts = split(url)
    if parts is None or not parts.hostname or "\\" in parts.netloc:
        return NONE
    return f"{parts.scheme}://{place_of(parts)}/…"


def same(url: str) -> str:
    """Addresses that are spelled differently and lead to one place."""
    parts = split(url)
    if parts is None:
        return url
    user = parts.netloc.rpartition("@")[0]
    return f"{parts.scheme}://{user}@{place_of(parts)}{_spelled(parts.path) or '/'}?{_spelled(parts.query)}"


def url_problem(value: object) -> str:
    """What is wrong with it as an address that can be posted to, "" for nothing."""
    if not isinstance(value, str) or not value.strip():
        return "must be an address, such as https://example.org/hook"
    parts = split(value)
    plain = value.isprintable() and not {" ", "\\"} & set(value)
    if len(value) > LONGEST or not plain or parts is None or parts.port == 0 or parts.netloc.count("@") > 1:
        return PLAIN.format(LONGEST)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "must begin with https:// or http:// and name a host"
    return "" if _is_host(parts.hostname) else HOST


def logged_problem(url: str, signer: str) -> str:
    """The same for one that goes into the log. signer: what names a secret for it."""
    parts = split(url)
    return url_problem(url) or (CREDENTIALS.format(signer) if parts and "@" in parts.netloc else "")


# -- hosts -----------------------------------------------------------------------------------------------


def _is_host(host: str) -> bool:
    import ipaddress

    try:
        if ":" in host:
            return bool(ipaddress.IPv6Address(host))
        labels = _ascii(host).split(".")
        if not host.isascii() and ".".join(labels).encode().decode("idna") != host.removesuffix("."):
            return False
        if re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]):
            return bool(ipaddress.IPv4Address(host))
    except ValueError:
        return False
    return len(".".join(labels)) <= 253 and all(LABEL.fullmatch(one) and _is_name(one) for one in labels)


def _is_name(label: str) -> bool:
    """Whether a name that stands for other letters (`xn--…`) does so, and those are letters as registries take them."""
    if not label.startswith("xn--"):
        return True
    try:
        meant = label.encode("ascii").decode("idna")
    except UnicodeError:
        return False
    usual = unicodedata.normalize("NFKC", meant) == meant == meant.lower()
    return not meant.isascii() and usual and all(c == "-" or unicodedata.category(c)[0] in "LMN" for c in meant)


def _ascii(host: str) -> str:
    """A host as it is looked up; itself where that cannot be told."""
    host = host.removesuffix(".")
    if host.isascii() or unicodedata.normalize("NFKC", host) != host:
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _spelled(part: str) -> str:
    """Without the freedom that escapes leave: a letter is written as itself, everything else in one way."""
    return re.sub("%([0-9A-Fa-f]{2})", _unescaped, part)


def _unescaped(found: re.Match[str]) -> str:
    meant = chr(int(found[1], 16))
    return meant if meant in UNRESERVED else found[0].upper()
