"""Posts notices to addresses: signed as Standard Webhooks ask, on a thread of its own, and for ten seconds at the most.

The only door to httpx. Nothing here raises or waits on the caller's loop; a name server that does not answer, a
certificate store that takes long to load and a receiver that says nothing cost this thread alone.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import os
import socket
import ssl
import stat
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any

from console.core.addresses import url_problem
from console.core.notice_groups import Told
from console.core.notices import plain
from console.core.notify_settings import Channel, secret_problem
from console.core.records import Refused

SECRET_LIMIT = 4096
PREFIX = "whsec_"
DETAIL = 200
CURE = "a secret is whsec_ and at least 16 bytes in base64"


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: of one try in all, and before the second one."""

    total: float = 10.0
    pause: float = 2.0


# -- secrets and signatures ------------------------------------------------------------------------------


def secret_key(reference: str, environ: Mapping[str, str]) -> bytes | Refused:
    """The key that a reference (`env:NAME`, `file:PATH`) leads to. Blocks for a file. Never tells what it read."""
    if problem := secret_problem(reference):
        return Refused(reason=f"the secret of this channel {problem}")
    kind, _, name = reference.partition(":")
    text = environ.get(name, "") if kind == "env" else _file(os.path.expanduser(name))
    if isinstance(text, Refused):
        return text
    if not text.strip():
        whose = " in the supervisor's environment" if reference.startswith("env:") else ""
        return Refused(reason=f"the secret {reference} is not there or empty{whose}")
    return _key(text.strip(), reference)


def _file(name: str) -> str | Refused:
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return Refused(reason=f"the secret file:{name} is no plain file")
            return os.read(fd, SECRET_LIMIT).decode("ascii", "replace")
        finally:
            os.close(fd)
    except OSError as error:
        return Refused(reason=f"the secret file:{name} cannot be read: {error.strerror}")


def _key(text: str, reference: str) -> bytes | Refused:
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True) if text.startswith(PREFIX) else b""
    except (binascii.Error, ValueError):
        key = b""
    return key if len(key) >= 16 else Refused(reason=f"the secret {reference} cannot be used: {CURE}")


def signed(key: bytes, id: str, at: int, body: bytes) -> str:
    """The signature of one message (Standard Webhooks 1.0). at: Unix seconds."""
    told = hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(told).decode()


# -- posting ---------------------------------------------------------------------------------------------


class Webhooks:
    """environ: where `env:` secrets are found. now: Unix seconds, for the timestamp of a message."""

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        patience: Patience = Patience(),
        now: Callable[[], float] = time.time,
        agent: str = "nightdesk",
    ) -> None:
        self._environ, self._patience, self._now, self._agent = environ, patience, now, agent
        self._loop: _Loop | None = None

    async def tell(self, channel: Channel, id: str, body: bytes) -> Told:
        """Post `body` to the channel's address. A secret that is named and cannot be used: nothing is sent."""
        loop = self._loop = self._loop or _begun()
        work = asyncio.run_coroutine_threadsafe(self._tell(channel, id, body), loop)
        try:
            return await asyncio.wrap_future(work)
        except asyncio.CancelledError:
            work.cancel()
            raise

    def close(self) -> None:
        """The thread ends by itself; it is not waited for."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None

    async def _tell(self, channel: Channel, id: str, body: bytes) -> Told:
        if problem := url_problem(channel.where):
            return Told(outcome="failed", tries=0, detail=f"the address {problem}")
        key = secret_key(channel.secret, self._environ) if channel.secret else None
        if isinstance(key, Refused):
            return Told(outcome="failed", tries=0, detail=key.reason)
        told = Told(outcome="failed", tries=0)
        for tries in (1, 2):
            if tries > 1:
                await asyncio.sleep(self._patience.pause)
            told, again = await self._once(channel.where, self._headers(key, id, body), body, tries)
            if not again:
                break
        return told

    def _headers(self, key: bytes | None, id: str, body: bytes) -> dict[str, str]:
        at = int(self._now())
        headers = {
            "content-type": "application/json",
            "user-agent": self._agent,
            "webhook-id": id,
            "webhook-timestamp": str(at),
        }
        return headers | ({"webhook-signature": signed(key, id, at, body)} if key else {})

    async def _once(self, url: str, headers: Mapping[str, str], body: bytes, tries: int) -> tuple[Told, bool]:
        """(what came of it, whether the network is at fault and it may be tried again)"""
        import httpx

        again = True
        try:
            async with asyncio.timeout(self._patience.total):
                return await _posted(url, headers, body, tries, self._patience.total), False
        except TimeoutError:
            said = f"no answer within {self._patience.total:g} s"
        except httpx.TransportError as error:
            said = _fault(error)
        except Exception as error:  # an address or a proxy that httpx itself does not take
            said, again = type(error).__name__, False
        return Told(outcome="failed", tries=tries, detail=plain(said, DETAIL)), again


async def _posted(url: str, headers: Mapping[str, str], body: bytes, tries: int, limit: float) -> Told:
    import httpx

    async with (
        httpx.AsyncClient(follow_redirects=False, timeout=limit, trust_env=True, verify=_certificates()) as client,
        client.stream("POST", url, headers=dict(headers), content=body) as answer,
    ):
        code = answer.status_code
        if 200 <= code < 300:
            return Told(outcome="sent", tries=tries, status=code)
        return Told(outcome="refused", tries=tries, status=code, detail=_words(code))


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to believe: takes a while to load, once a process."""
    import httpx

    return httpx.create_ssl_context(trust_env=True)


def _words(code: int) -> str:
    """An answer that says no, in the words of the standard: its own may quote the address, which is a secret. A
    redirect is never followed."""
    if 300 <= code < 400:
        return f"{code}: it points elsewhere; give the address itself"
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


def _fault(error: BaseException) -> str:
    """What the network did, in the words of the system: those of the other side are in what httpx says of it."""
    cause: BaseException | None = error
    found = type(error).__name__
    while cause is not None:
        match cause:
            case ssl.SSLCertVerificationError():
                return f"{found}: {cause.reason}: {cause.verify_message}"
            case ssl.SSLError():
                return f"{found}: {cause.reason or 'no TLS'}"
            case socket.gaierror():
                return f"{found}: its name leads nowhere (error {cause.errno})"
            case OSError() if cause.errno:
                return f"{found}: {os.strerror(cause.errno)}"
        cause = cause.__cause__ or cause.__context__
    return found


# -- the thread ------------------------------------------------------------------------------------------


class _Loop(asyncio.SelectorEventLoop):
    """Looks names up on threads that nobody waits for, not even the end of the process."""

    async def getaddrinfo(self, host: Any, port: Any, **options: Any) -> Any:
        found: asyncio.Future[Any] = self.create_future()

        def settle(result: Any, error: OSError | UnicodeError | None) -> None:
            if not found.done():
                if error:
                    found.set_exception(error)
                else:
                    found.set_result(result)

        def look() -> None:
            result, failed = None, None
            try:
                result = socket.getaddrinfo(host, port, **options)
            except (OSError, UnicodeError) as error:
                failed = error
            if not self.is_closed():
                self.call_soon_threadsafe(settle, result, failed)

        threading.Thread(target=look, daemon=True, name="notify-name").start()
        return await found


async def _ended(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # what they closed is let go of one turn later


def _begun() -> _Loop:
    loop = _Loop()

    def run() -> None:
        try:
            loop.run_forever()
            loop.run_until_complete(_ended(asyncio.all_tasks(loop)))
        finally:
            loop.close()

    threading.Thread(target=run, daemon=True, name="notify").start()
    return loop
