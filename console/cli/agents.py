"""`nightdesk agents`: the presets that there are, which of them are installed, and whether they still fit. Changes
nothing; starts nothing but the programs that it tells of, for their version and their options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from console.cli import common
from console.present.text import clean, pad

if TYPE_CHECKING:
    from console.adapters.surveying import Ground, Level, Seen
    from console.core.presets import Preset

WIDE = 11


@click.command()
@click.argument("name", default="", metavar="[NAME]")
@click.option("--no-probe", is_flag=True, help="Start no program: only look where they are.")
@common.json_option
@click.pass_context
def agents(ctx: click.Context, name: str, no_probe: bool, json_: bool) -> None:
    """Built-in presets and those of the settings: installed or not, version, whether their flags still match, and what
    would be run. With NAME: everything about one."""
    from console.adapters import surveying

    presets, ground, problem = _here(ctx, ask=not no_probe)
    if name and name not in presets:
        raise common.Fail(_unknown(name, presets), common.NOT_FOUND)
    seen = surveying.survey({name: presets[name]} if name else presets, ground)
    if json_:
        common.as_json(
            {"agents": [_data(one, surveying.levels(one.preset, ground)) for one in seen], "problem": problem}
        )
        return
    shown = _everything(seen[0], surveying.levels(seen[0].preset, ground)) if name else _overview(seen)
    for line in (*shown, *([f"the settings are not looked at: {problem}"] if problem else [])):
        click.echo(line)


def _here(ctx: click.Context, *, ask: bool) -> tuple[dict[str, Preset], Ground, str]:
    """(the presets, where to look, why the settings' are not among them). Outside of a repository: those built in."""
    from console import wiring
    from console.adapters.surveying import Ground, presets_of
    from console.core.records import Refused

    named = ctx.find_root().obj
    here = wiring.locate(common.start_folder(named), os.environ)
    if isinstance(here, Refused):
        if named:
            raise common.Fail(here.reason)
        return presets_of(None), Ground(environ=os.environ, ask=ask, uid=os.geteuid()), ""
    loaded = wiring.settings_of(here)
    trees = [str(here.root)] if here.trouble else [tree.path for tree in wiring.git_of(here).worktrees()]
    ground = Ground(
        environ=os.environ,
        worktrees=trees,
        trusted=not wiring.distrust(here, loaded),
        ask=ask,
        place=str(here.places.state),
        uid=os.geteuid(),
    )
    return presets_of(None if loaded.problems else loaded), ground, wiring.problem_lines(loaded)


def _unknown(name: str, presets: Iterable[str]) -> str:
    from console.core.presets import near, none

    return f"no preset {name!r}{near(name, none, presets)}; `nightdesk agents` lists them"


# -- for programs ----------------------------------------------------------------------------------------


def _data(one: Seen, levels: list[Level]) -> dict[str, Any]:
    launch, preset = one.preset.launch, one.preset
    return {
        "name": one.name,
        "title": preset.title,
        "builtin": preset.builtin,
        "fromSettings": one.own,
        "installed": one.installed,
        "path": one.path,
        "why": one.why,
        "notAsked": one.held,
        "version": one.version,
        "said": one.said,
        "tried": preset.tried,
        "age": one.age,
        "drift": {"checked": one.drift.checked, "missing": list(one.drift.missing), "why": one.drift.why},
        "fits": one.drift.fits and not one.why,
        "protocol": launch.protocol,
        "argv": list(launch.argv),
        "mode": launch.mode,
        "env": sorted(launch.env),
        "passEnv": list(launch.pass_env),
        "passEnvSet": list(one.passed),
        "resume": list(launch.resume),
        "interactive": list(launch.interactive),
        "autonomy": preset.autonomy,
        "confirmed": preset.autonomy_confirmed,
        "may": {"level": one.level, "text": one.may, "cure": one.cure},
        "levels": [_level_data(level) for level in levels],
        "install": preset.install,
        "login": preset.login,
    }


def _level_data(level: Level) -> dict[str, Any]:
    return {"name": level.name, "argv": list(level.argv), "mode": level.mode or None, "may": level.may}


# -- for people ------------------------------------------------------------------------------------------


def _overview(seen: list[Seen]) -> Iterator[str]:
    """Those that are installed, or that the settings want; the others in one line."""
    shown = [one for one in seen if one.installed or one.own or one.preset.autonomy_confirmed]
    for one in shown:
        yield from _head(one)
        yield from _rows(_state(one))
        yield ""
    if rest := [one.name for one in seen if one not in shown]:
        yield f"not installed: {', '.join(rest)}; `nightdesk agents NAME` says how to get one"


def _everything(one: Seen, levels: list[Level]) -> Iterator[str]:
    launch, preset = one.preset.launch, one.preset
    yield from _head(one)
    yield from _rows(_state(one))
    goes_on = " ".join(launch.resume) or (
        "by its protocol" if launch.protocol != "command" else "not: each turn begins afresh"
    )
    yield from _rows(
        [
            ("goes on", goes_on),
            ("opens", " ".join(launch.interactive) or "not on a terminal, as far as is known"),
            *((("level " if number == 0 else "") + level.name, _level(level)) for number, level in enumerate(levels)),
            ("install", preset.install),
            ("login", preset.login),
        ]
    )
    if not preset.autonomy_confirmed:
        yield from _rows([("to use it", f"read what it may do, then write into the settings: {_settings(one)}")])


def _level(level: Level) -> str:
    return f"{level.may}{f' (mode {level.mode})' if level.mode else ''}"


def _settings(one: Seen) -> str:
    return f"presets: {{{one.name}: {{autonomy_confirmed: true}}}}" if not one.own else "autonomy_confirmed: true"


def _head(one: Seen) -> Iterator[str]:
    preset = one.preset
    made = f"{preset.title}, built in" if preset.builtin and not one.own else "of your settings"
    like = f", like {preset.builtin}" if one.own and preset.builtin else ""
    yield clean(f"{one.name}: {made}{like}, {preset.launch.protocol}", limit=200)


def _rows(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for label, text in rows:
        if text:
            yield f"  {pad(clean(label, limit=60), WIDE)}  {clean(text, limit=600)}"


def _state(one: Seen) -> Iterator[tuple[str, str]]:
    launch, preset = one.preset.launch, one.preset
    yield "program", _program(one)
    yield "fits", _fits(one)
    level = f"{preset.autonomy}, " if preset.autonomy else ""
    confirmed = "confirmed" if preset.autonomy_confirmed else "not confirmed"
    yield "may", f"({level}{confirmed}) {one.may}{f'; {one.cure}' if one.level == 'no-go' and one.cure else ''}"
    yield "runs", " ".join(launch.argv) + (f" (mode {launch.mode})" if launch.mode else "")
    yield "sets", ", ".join(sorted(launch.env))
    yield "passes on", ", ".join(one.passed)


def _program(one: Seen) -> str:
    if not one.path:
        return f"not installed: {one.why}"
    if one.why:
        return f"{one.path}: {one.why}"
    if one.held:
        return f"{one.path}; not asked for its version: {one.held}"
    tried = f"; tried with {one.preset.tried}" if one.preset.tried else "; nobody here has tried it"
    age = {"as tried": ", as tried", "older": f", older{tried}", "newer": f", newer{tried}", "": tried}[one.age]
    own = "" if one.preset.builtin else "; an agent of your own"
    return f"{one.path}, {one.said or 'does not tell its version'}{age if one.preset.builtin else own}"


def _fits(one: Seen) -> str:
    drift = one.drift
    if not one.path or one.held or (one.why and not drift.checked):
        return ""
    if drift.missing:
        return f"NO: it no longer knows {', '.join(drift.missing)}, which this preset needs"
    if drift.why:
        return f"NO: {drift.why}{f'; {one.preset.login}' if drift.login and one.preset.login else ''}"
    return "yes, as far as it tells its options" if drift.checked else "nobody can tell: it has nothing to be asked"
