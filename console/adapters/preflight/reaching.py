"""Whether anybody can be told, as it is configured. Posts nothing, and reads no secret."""

from __future__ import annotations

from collections.abc import Iterator

from console.adapters.preflight.facts import Facts, ok, warning
from console.core.addresses import url_problem
from console.core.notify_settings import URL, is_reference, with_environment
from console.core.records import Check


def notices(f: Facts) -> Iterator[Check]:
    """An address that is none costs no run; its notices are lost."""
    if f.loaded.problems:
        return
    url, at = f.environ.get(URL, "").strip(), f.where("notify")
    if url and (problem := url_problem(url)):
        cure = f"set it to an address as in https://hooks.example.org/x, or unset it: then `notify` of {at} counts"
        yield warning("notices", f"{URL} {problem}: nobody is told by webhook", cure)
        return
    channels = [c for c in with_environment(f.settings.notify, f.environ) if c.asks]
    missing = [c.secret for c in channels if _is_missing(c.secret, f)]
    for secret in dict.fromkeys(missing):
        name = secret.removeprefix("env:")
        cure = f"set {name} where the run is started; `nightdesk notify test` tries it"
        yield warning("notices", f"a channel is signed with {secret}, which is not set: nothing is sent there", cure)
    if not channels:
        yield ok("notices", f"nobody is told of anything ({at} names no channel)")
    elif not missing:
        yield ok("notices", f"told to {', '.join(c.words for c in channels)}")


def _is_missing(secret: str, f: Facts) -> bool:
    kind, _, name = secret.partition(":")
    return bool(secret) and is_reference(secret) and kind == "env" and not f.environ.get(name, "").strip()
