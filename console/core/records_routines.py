"""What a routine is made of: steps over sessions, and what is done when one of them waits. Pure data."""

from __future__ import annotations

from typing import Literal

from console.core.records import Launch, Record

OnWait = Literal["auto-allow", "escalate", "fail"]
"""What happens when a session of the step waits for an answer: it is given by itself, a person is called, or the
routine has failed."""


class Waiting(Record, frozen=True, kw_only=True):
    """kind: as in `OnWait`. prompt: what an automatic answer says to a question that takes words. webhook: called on
    an escalation, besides the channels of the settings. timeout: seconds that an escalation waits for `resolve` before
    the step has failed."""

    kind: OnWait = "escalate"
    prompt: str = ""
    webhook: str = ""
    timeout: float = 300.0


class RoutineSession(Record, frozen=True, kw_only=True):
    """A session that a step starts. name: what the routine calls it, unique in it. prompt "": it starts idle."""

    name: str
    preset: str
    launch: Launch
    cwd: str
    worktree: str
    prompt: str = ""


class Step(Record, frozen=True, kw_only=True):
    """start: sessions that begin with it. prompts: session name or id -> text to send. wait_for: names or ids of
    sessions that must all have ended their turns before the next step. title: what a person is asked once they have,
    and must approve; "" for a step that asks nobody by itself."""

    name: str
    start: tuple[RoutineSession, ...] = ()
    prompts: dict[str, str] = {}
    wait_for: tuple[str, ...] = ()
    on_wait: Waiting = Waiting()
    title: str = ""


class RoutineSpec(Record, frozen=True, kw_only=True):
    """As it was read from its file. digest: SHA-256 of the file."""

    name: str
    steps: tuple[Step, ...]
    file: str = ""
    digest: str = ""
