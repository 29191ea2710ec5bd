"""What a routine must look like before it may start: every problem at once, each with its place and its cure. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from console.core.records import Record
from console.core.records_routines import RoutineSpec, Step

STEPS = 100
SESSIONS = 50
"""Sessions that one routine may start."""
LONGEST_NAME = 60
"""Characters of the name of a routine or a step: it stands in rows."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
AN_ID = re.compile(r"s-\d+")
Path = tuple[str | int, ...]


class Wrong(Record, frozen=True, kw_only=True):
    """path: keys and positions (from 0) as in a routine's file. message: what is wrong, and what to do."""

    path: Path
    message: str


def dotted(path: Path) -> str:
    """`steps.2.waitFor.1`, positions from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def problems(spec: RoutineSpec, there: Collection[str]) -> list[Wrong]:
    """there: ids of the sessions that exist before it starts."""
    found = [] if spec.steps else [Wrong(path=("steps",), message="is empty: write at least one step")]
    counts = (("steps", len(spec.steps), STEPS), ("sessions", sum(len(step.start) for step in spec.steps), SESSIONS))
    for what, number, most in counts:
        if number > most:
            message = f"makes {number} {what}; {most} are the most: make two routines of it"
            found.append(Wrong(path=("steps",), message=message))
    return [*found, *_names(spec), *_Cast(spec, there).problems()]


def _names(spec: RoutineSpec) -> Iterator[Wrong]:
    steps: dict[str, int] = {}
    named = [(("name",), spec.name), *((("steps", i, "name"), step.name) for i, step in enumerate(spec.steps))]
    for path, name in named:
        if len(name) > LONGEST_NAME or "\n" in name:
            yield Wrong(path=path, message=f"must be one line of at most {LONGEST_NAME} characters: shorten it")
    for i, step in enumerate(spec.steps):
        if step.name in steps:
            message = f"{step.name!r} is the name of step {steps[step.name] + 1} already; take another"
            yield Wrong(path=("steps", i, "name"), message=message)
        steps.setdefault(step.name, i)
        if not (step.start or step.prompts or step.wait_for or step.title):
            yield Wrong(path=("steps", i), message="does nothing: give it start, prompt, waitFor or ask")
    taken: dict[str, int] = {}
    for i, step in enumerate(spec.steps):
        for j, one in enumerate(step.start):
            if why := _name_taken(one.name, taken):
                yield Wrong(path=("steps", i, "start", j, "name"), message=why)
            taken.setdefault(one.name, i)


def _name_taken(name: str, taken: dict[str, int]) -> str:
    if name in taken:
        return f"{name!r} is started by step {taken[name] + 1} already; names are unique in a routine: take another"
    if AN_ID.fullmatch(name):
        return f"{name!r} looks like the id of a session that is there; take another name"
    if not NAME.fullmatch(name):
        return f"{name!r} is no name: use up to 64 letters, digits, `.`, `_` and `-`, a letter or digit first"
    return ""


@dataclass(slots=True)
class _Cast:
    """Who the sessions are that the steps speak of. starts: name -> the step that it begins with."""

    spec: RoutineSpec
    there: Collection[str]
    starts: dict[str, int] = field(default_factory=dict)

    def problems(self) -> Iterator[Wrong]:
        """Sessions that are named must be there, and must have something to end."""
        for i, step in enumerate(self.spec.steps):
            for one in step.start:
                self.starts.setdefault(one.name, i)
        told = {one.name for step in self.spec.steps for one in step.start if one.prompt}
        for i, step in enumerate(self.spec.steps):
            for name, text in step.prompts.items():
                why = self._missing(name, i) or ("" if text.strip() else "is empty; say what the agent should do")
                if why:
                    yield Wrong(path=("steps", i, "prompt", name), message=why)
            told |= set(step.prompts)
            yield from self._waits(i, step, told)

    def _waits(self, i: int, step: Step, told: set[str]) -> Iterator[Wrong]:
        for j, name in enumerate(step.wait_for):
            if name in step.wait_for[:j]:
                why = f"{name!r} is written twice; keep one"
            elif not (why := self._missing(name, i)) and name in self.starts and name not in told:
                why = f"{name!r} is given nothing to do until then, so this would never end: give it a prompt"
            if why:
                yield Wrong(path=("steps", i, "waitFor", j), message=why)

    def _missing(self, name: str, i: int) -> str:
        """Why step i cannot speak of this session, "" when it can."""
        begins = self.starts.get(name)
        if begins is None:
            known = ", ".join(self.starts) or "none"
            why = f"no session {name!r}: neither started by this routine ({known}) nor there now"
            return "" if name in self.there else f"{why}; `nightdesk session list` shows what there is"
        if begins > i:
            later = f"step {begins + 1} ({self.spec.steps[begins].name})"
            return f"{name!r} begins only with {later}, which waits for this one: move one of them"
        return ""
