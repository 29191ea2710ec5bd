"""Which agents there are on this machine, and whether they are what their presets say. Starts programs of built-in
presets, and of settings that somebody trusts; never one that lies in a worktree.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from console.adapters.agents import builtins
from console.adapters.environment import session_env
from console.adapters.preflight import autonomy, drift, probing
from console.adapters.preflight.facts import VERSION, Drift, Probe
from console.adapters.trust import Loaded
from console.core.presets import Preset, levels_of, of_builtin
from console.core.records import Record, Refused


class Level(Record, frozen=True, kw_only=True):
    """A level of autonomy of a built-in preset: how it is started at that level, and what it may then do."""

    name: str
    argv: tuple[str, ...]
    mode: str
    may: str


class Seen(Record, frozen=True, kw_only=True):
    """One preset. own: the settings start something else than the built-in one of that name. held: why its program was
    not started ("" when it was to be). path: its program, "" when there is none. said: what it says of its version;
    version: that as numbers. why: why it is not there, may not be used, or does not tell its version. level, may, cure:
    what it could do without asking (`autonomy.Judged`). passed: names of `pass_env` that are set here."""

    name: str
    preset: Preset
    own: bool = False
    held: str = ""
    path: str = ""
    said: str = ""
    version: str = ""
    why: str = ""
    drift: Drift = Drift()
    level: str = "ok"
    may: str = ""
    cure: str = ""
    passed: tuple[str, ...] = ()

    @property
    def installed(self) -> bool:
        return bool(self.path)

    @property
    def age(self) -> str:
        """Beside the release that it was tried with: as tried, older, newer; "" when one of them is not known."""
        if not self.version or not self.preset.tried:
            return ""
        mine, tried = _numbers(self.version), _numbers(self.preset.tried)
        return "as tried" if mine == tried else "older" if mine < tried else "newer"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def presets_of(loaded: Loaded | None) -> dict[str, Preset]:
    """Every built-in preset, and over them those that the settings name."""
    made = {name: preset for name in builtins.names() if (preset := _built_in(name))}
    return made | (loaded.settings.presets if loaded else {})


def own_of(presets: Mapping[str, Preset]) -> dict[str, Preset]:
    """Of the presets of some settings those that start something else than the product's own of that name does, at any
    of its levels."""

    def usual(name: str, preset: Preset) -> bool:
        return replace(preset, autonomy_confirmed=False) == _built_in(name, preset.autonomy)

    return {name: preset for name, preset in presets.items() if not usual(name, preset)}


def _built_in(name: str, level: str = "") -> Preset | None:
    raw = builtins.raw(name)
    return of_builtin(name, raw, level) if raw is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where it is looked. trusted: whether a person trusts the settings. ask: start programs, for at most some 25 s.
    place: a folder for what they print, "" for the system's."""

    environ: Mapping[str, str]
    worktrees: Sequence[str] = ()
    trusted: bool = False
    ask: bool = True
    place: str = ""
    uid: int = 0


def survey(presets: Mapping[str, Preset], ground: Ground) -> list[Seen]:
    """Each of them, by name."""
    found = probing.programs(presets, ground.environ, ground.worktrees)
    own = {name: preset for name, preset in presets.items() if not _is_built_in(name, preset)}
    able = {name: found[name] for name in presets if ground.ask and (ground.trusted or name not in own)}
    probes, drifts = dict(found), dict[str, Drift]()
    if able:
        args = ({name: presets[name] for name in able}, able, ground.environ, ground.worktrees)
        told, drifts = drift.asked(*args)
        probes |= told
    return [
        _seen(name, preset, probes[name], drifts.get(name, Drift()), own=name in own, held=name not in able, g=ground)
        for name, preset in sorted(presets.items())
    ]


def _is_built_in(name: str, preset: Preset) -> bool:
    """Whether it starts exactly what the product's own preset of that name does."""
    return replace(preset, autonomy_confirmed=False) == _built_in(name)


def _seen(name: str, preset: Preset, probe: Probe, drifted: Drift, *, own: bool, held: bool, g: Ground) -> Seen:
    judged = autonomy.of_preset(preset, session_env(g.environ, preset.launch), g.uid)
    version = VERSION.search(probe.said)
    missing = probe.found.reason if isinstance(probe.found, Refused) else ""
    inside = f"it would be started from a worktree, where an agent can write: {probe.elsewhere}"
    return Seen(
        name=name,
        preset=preset,
        own=own,
        held=("" if not held else "the settings are not trusted" if g.ask else "--no-probe"),
        path="" if isinstance(probe.found, Refused) else probe.found,
        said=probe.said,
        version=version[0] if version else "",
        why=missing or (inside if probe.elsewhere else probe.failed),
        drift=drifted,
        level=judged.level,
        may=judged.text,
        cure=judged.cure,
        passed=tuple(name for name in preset.launch.pass_env if name in g.environ),
    )


def levels(preset: Preset, ground: Ground) -> list[Level]:
    """Of the built-in preset that it is made from: every level, least first."""
    raw = builtins.raw(preset.builtin) if preset.builtin else None
    made = [(level, of_builtin(preset.builtin, raw, level)) for level in levels_of(raw)] if raw else []
    return [
        Level(
            name=level,
            argv=one.launch.argv,
            mode=one.launch.mode or "",
            may=autonomy.of_preset(one, session_env(ground.environ, one.launch), ground.uid).text,
        )
        for level, one in made
    ]


def may_at(preset: Preset, ground: Ground) -> tuple[tuple[str, str], ...]:
    """(level, what it may do then), least first."""
    return tuple((level.name, level.may) for level in levels(preset, ground))


def installed(ground: Ground) -> list[Seen]:
    """The built-in presets whose program is here and outside of the worktrees, best first. Starts nothing."""
    seen = survey(presets_of(None), dataclasses.replace(ground, ask=False))
    here = [one for one in seen if one.path and not one.why]
    return sorted(here, key=lambda one: (PREFERRED.index(one.name) if one.preset.tried else len(PREFERRED), one.name))


PREFERRED = ("claude", "codex", "gemini", "opencode", "qwen", "claude-acp", "codex-acp", "pi", "aider", "mini")
"""What was tried, and of that first what asks, or works inside a sandbox of its own."""
