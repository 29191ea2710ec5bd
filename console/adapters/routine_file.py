"""A routine's YAML file -> the record that the brain knows, or every problem at once as `file:line: key: message`.

The file is read once; its digest goes into the log with it. It starts no command of its own: presets come from trusted
settings. It decides nothing about routines that are under way.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from console.adapters.routine_yaml import Parsed, load
from console.core import settings_checks as rule
from console.core.addresses import url_problem
from console.core.presets import Preset
from console.core.records import Launch, Refused
from console.core.records_routines import OnWait, RoutineSession, RoutineSpec, Step, Waiting
from console.core.routines_rules import dotted, problems
from console.core.settings_checks import Reader, seconds

LONGEST_URL = 2000
NO_CREDENTIALS = (
    "holds a user name or password, which would stand in the log: take it out, and name the address in `notify` of "
    "your settings with a `secret: env:NAME`, then what it is told is signed"
)
POLICIES: tuple[OnWait, ...] = ("auto-allow", "escalate", "fail")


def web_address(value: Any) -> str:
    """What is wrong with it as an address that a webhook can be posted to, "" for nothing."""
    if not isinstance(value, str) or len(value) > LONGEST_URL or any(c.isspace() or not c.isprintable() for c in value):
        return "must be a web address"
    try:
        parts = urlsplit(value)
        if "@" in parts.netloc:
            return NO_CREDENTIALS
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    return url_problem(value) if good else "must be a web address that begins with http:// or https:// and names a host"


TOP = dict.fromkeys(("name", "steps"))
STEP = dict.fromkeys(("name", "start", "prompt", "waitFor", "onWait", "ask"))
START = dict.fromkeys(("name", "preset", "prompt", "cwd"))
ON_WAIT: dict[str, Any] = {
    "policy": rule.one_of(*POLICIES),
    "prompt": rule.text,
    "webhook": web_address,
    "timeout": rule.duration,
}


@dataclass(frozen=True, slots=True)
class Ground:
    """What a file's words mean in this workspace. presets, agent: of the settings, which are where; sessions: ids and
    unique labels -> id. root: what `cwd` is relative to. worktree_of: folder -> root of the worktree of this workspace
    that it lies in, "" for none."""

    presets: Mapping[str, Preset]
    agent: str
    settings: str
    sessions: Mapping[str, str]
    root: str
    worktree_of: Callable[[str], str]


def read(file: str, ground: Ground) -> RoutineSpec | Refused:
    parsed = load(file)
    if isinstance(parsed, Refused):
        return parsed
    reading = _Reading(parsed, ground)
    spec = reading.spec(os.path.splitext(os.path.basename(file))[0])
    for wrong in problems(spec, set(ground.sessions.values())):
        if not reading.told_below(wrong.path):  # what could not be read may be all that is amiss
            reading.wrong(wrong.path, wrong.message)
    if reading.problems:
        return Refused(reason="\n".join(f"{file}:{line}: {what}" for line, what in sorted(set(reading.told))))
    return RoutineSpec(name=spec.name, steps=spec.steps, file=os.path.abspath(file), digest=parsed.digest)


class _Reading(Reader):
    """Takes what can be understood and collects everything that cannot."""

    def __init__(self, parsed: Parsed, ground: Ground) -> None:
        super().__init__(self._line)
        self._data, self._lines, self._ground = parsed.data, parsed.lines, ground
        self.told: list[tuple[int, str]] = []
        self._wrong: set[rule.Path] = set()
        for path, line in parsed.twice:
            self._tell(path, "is written twice; keep one", line)

    def _line(self, path: rule.Path) -> int:
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def wrong(self, path: rule.Path, message: str) -> None:
        self._tell(path, message, self._line(path))

    def _tell(self, path: rule.Path, message: str, line: int) -> None:
        self._wrong.add(path)
        self.told.append((line, f"{dotted(path) or '(file)'}: {message}"))
        self.problems.append(rule.Problem(line=line, key=dotted(path), message=message))

    def told_below(self, path: rule.Path) -> bool:
        """Whether something is wrong at this place or inside of it already."""
        return any(known[: len(path)] == path for known in self._wrong)

    def spec(self, stem: str) -> RoutineSpec:
        self.legible(self._data, ())
        top = self.mapping(self._data, (), TOP)
        name = self._text(top.get("name", stem), ("name",), "the routine's name")
        steps = self._list(top.get("steps"), ("steps",), "steps")
        named = (one.get("name") for step in _maps(steps) for one in _maps(step.get("start")))
        starts = {name for name in named if isinstance(name, str)}
        made = tuple(self._step(step, ("steps", i), starts) for i, step in enumerate(steps))
        return RoutineSpec(name=name, steps=made)

    def _step(self, given: Any, path: rule.Path, starts: set[str]) -> Step:
        keys = self.mapping(given, path, STEP)
        name = self._text(keys.get("name"), (*path, "name"), "a name")
        start = self._list(keys["start"], (*path, "start"), "sessions to start") if "start" in keys else []
        made = [self._start(one, (*path, "start", i)) for i, one in enumerate(start)]
        waits = self._list(keys["waitFor"], (*path, "waitFor"), "names of sessions") if "waitFor" in keys else []
        names = [self._text(one, (*path, "waitFor", i), "a session's name") for i, one in enumerate(waits)]
        prompts = self.mapping(keys.get("prompt"), (*path, "prompt"), None)
        told = {self._known(who, starts): text for who, text in prompts.items() if self._says(who, text, path)}
        ask = self._text(keys["ask"], (*path, "ask"), "what a person is asked") if "ask" in keys else ""
        for key in ("start", "prompt", "waitFor") if ask else ():
            if key in keys:
                self.wrong((*path, key), "does not go with `ask`: put it into a step before this one")
        return Step(
            name=name or f"{path[-1]}",
            start=tuple(made),
            prompts=told,
            wait_for=tuple(self._known(one, starts) for one in names),
            on_wait=self._on_wait(keys["onWait"], (*path, "onWait"), ask) if "onWait" in keys else Waiting(),
            title=ask,
        )

    def _known(self, name: str, starts: set[str]) -> str:
        """A session of this routine by its name, one that is there by its id."""
        return name if name in starts else self._ground.sessions.get(name, name)

    def _says(self, who: str, text: Any, path: rule.Path) -> bool:
        return bool(self._text(text, (*path, "prompt", who), "what the agent is told"))

    def _start(self, given: Any, path: rule.Path) -> RoutineSession:
        keys = self.mapping(given, path, START)
        name = self._text(keys.get("name"), (*path, "name"), "a name")
        prompt = self._text(keys["prompt"], (*path, "prompt"), "what the agent is told") if "prompt" in keys else ""
        preset, launch = self._preset(keys.get("preset"), (*path, "preset"))
        cwd, worktree = self._folder(keys.get("cwd", "."), (*path, "cwd"))
        return RoutineSession(name=name, preset=preset, launch=launch, cwd=cwd, worktree=worktree, prompt=prompt)

    def _preset(self, given: Any, path: rule.Path) -> tuple[str, Launch]:
        ground, nobody = self._ground, ("", Launch(argv=("",)))
        name = self._text(given, path, "a preset's name") if given is not None else ground.agent
        if not name:
            if given is None:
                self.wrong(path, f"is missing, and {ground.settings} names no `agent`: name a preset")
            return nobody
        preset = ground.presets.get(name)
        if not preset:
            known = ", ".join(sorted(ground.presets)) or "none"
            self.wrong(path, f"no preset {name!r}; in {ground.settings} there are: {known}")
            return nobody
        if not preset.autonomy_confirmed:
            cure = f"look at `nightdesk agents`, then set autonomy_confirmed: true for it in {ground.settings}"
            self.wrong(path, f"nobody has confirmed what {name!r} may do unattended: {cure}")
        return name, preset.launch

    def _folder(self, given: Any, path: rule.Path) -> tuple[str, str]:
        cwd = self._text(given, path, "a folder")
        try:
            folder = os.path.realpath(os.path.join(self._ground.root, cwd)) if cwd else ""
        except ValueError:  # a NUL or half a surrogate pair, which is told already
            folder = ""
        if not folder:
            return "", ""
        if not os.path.isdir(folder):
            self.wrong(path, f"no folder {folder}: make it first, as a worktree of this workspace or below one")
            return "", ""
        worktree = self._ground.worktree_of(folder)
        if not worktree:
            self.wrong(path, f"{folder} is outside every worktree of this workspace (`git worktree list`)")
        return folder, worktree

    def _on_wait(self, given: Any, path: rule.Path, ask: str) -> Waiting:
        keys = self.mapping({"policy": given} if isinstance(given, str) else given, path, ON_WAIT)
        self.check(ON_WAIT, keys, path)
        kind = keys.get("policy")
        if kind is None:
            self.wrong(path, f"needs a policy: {', '.join(POLICIES)}")
        if ask and kind in ("auto-allow", "fail"):
            self.wrong(path, "a step that asks a person can only escalate")
        if kind == "fail" and (idle := [key for key in ("prompt", "webhook", "timeout") if key in keys]):
            self.wrong((*path, idle[0]), "means nothing with `fail`: nobody is asked; take it out")
        if kind == "escalate" and "prompt" in keys:
            self.wrong((*path, "prompt"), "means nothing with `escalate`: a person answers; take it out")
        return Waiting(
            kind=kind if kind in POLICIES else "escalate",
            prompt=str(keys.get("prompt") or ""),
            webhook=str(keys.get("webhook") or ""),
            timeout=seconds(keys.get("timeout")) or Waiting().timeout,
        )

    def _text(self, value: Any, path: rule.Path, what: str) -> str:
        if isinstance(value, str) and value.strip():
            return value
        self.wrong(path, f"is missing: it takes {what}" if value is None else f"must be {what}, as a text")
        return ""

    def _list(self, value: Any, path: rule.Path, what: str) -> list[Any]:
        if isinstance(value, list) and value:
            return value
        self.wrong(path, f"must be a list of {what}" if value else f"is missing or empty: it takes a list of {what}")
        return []


def _maps(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
