"""For whom a server is: the operator's programs, or the agent of one session. Said by where the process stands among
the others, never granted by an argument or a variable: those can only make it less."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console import wiring
from console.adapters.doctor.peeking import Peek
from console.adapters.environment import TOKEN
from console.adapters.operator import inside_a_session
from console.adapters.processes import ancestors
from console.core.state import State
from console.engine.client import Client
from console.mcp.leaving import Leaving
from console.verbs.failing import Fail

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,100}")
"""Of a session: it is a part of a path."""


@dataclass(frozen=True, slots=True)
class Scope:
    """session: the one that the smaller set is for ("" with `small`: below a shim of ours that is no session's, a
    gate's). inbox: the folder that its agent may write."""

    here: wiring.Here
    small: bool = False
    session: str = ""
    inbox: Path | None = None

    @contextmanager
    def client(self) -> Iterator[Client]:
        """For one call, in its thread."""
        client = wiring.client(self.here, Leaving)
        try:
            yield client
        finally:
            client.close()

    @contextmanager
    def reading(self) -> Iterator[tuple[Peek, State]]:
        """The log and its fold without a byte written: a sandboxed agent's server may do no more."""
        log = Peek(self.here.places.log)
        try:
            if log.old:
                raise Fail("the log cannot be read from here just now; try again")
            yield log, log.fold()
        finally:
            log.close()

    def own_inbox(self) -> Path:
        """The folder, which only its supervisor makes."""
        if not self.inbox or not self.inbox.is_dir():
            raise Fail("this server belongs to no session: nobody would see that; end your turn with the question")
        return self.inbox


def scope(here: wiring.Here, named: str, environ: dict[str, str]) -> Scope:
    """named: what `--session` says."""
    token = environ.get(TOKEN, "")
    if not named and not token and not inside_a_session():
        return Scope(here)
    session = _by_shim(here) or named or _of_token(token, here.workspace.key)
    session = session if NAME.fullmatch(session) else ""
    inbox = here.places.inbox(session) if session else None
    told = environ.get("NIGHTDESK_INBOX", "")
    if inbox and not inbox.is_dir() and told:  # its folders lie elsewhere than this process would look
        inbox = Path(told)
    return Scope(here, small=True, session=session, inbox=inbox)


def _by_shim(here: wiring.Here) -> str:
    """The session whose shim is above us; "" where none is, or where a process namespace hides the numbers."""
    above = {chain for chain in ancestors(os.getpid()) if chain[1]}
    try:
        with Scope(here).reading() as (_, state):
            found = (s.session for s in state.sessions.values() if (s.shim_pid, s.shim_start) in above)
            return next(found, "")
    except Exception:  # no log yet, or none that can be read: whoever is above us, it is no session that we know
        return ""


def _of_token(token: str, key: str) -> str:
    workspace, _, session = token.rpartition("/")
    return session if workspace == key and session != "gate" else ""
