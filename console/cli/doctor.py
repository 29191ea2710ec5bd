"""`nightdesk doctor`: what a bad night left, and the command that cures each of it. Changes nothing without `--fix`,
and signals nothing with it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from console.adapters import doctor as doctoring
from console.cli import common
from console.present.text import clean, pad, width

WORDS = {"fault": "FAULT", "warning": "warning", "advice": "advice", "ok": "ok", "fixed": "fixed"}
ORDER = ("fault", "warning", "advice", "fixed", "ok")


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended without losing anything; nothing is ended.")
@common.json_option
@click.pass_context
def doctor(ctx: click.Context, fix: bool, json_: bool) -> None:
    """Survivors of crashes, locks, worktrees, disk, terminal: one line each. Exit 0 nothing found, 1 findings."""
    if fix:
        common.people_only("`doctor --fix`")
    _print_anything()
    named = ctx.find_root().obj
    looks = [*doctoring.examine(_ground(named), asked=named or "", size=doctoring.window()), *_keys_look()]
    found = [doctoring.mended(one) if fix else one for look in looks for one in look.findings]
    if json_:
        common.as_json({"findings": [_finding(one) for one in found], "checks": _checks(looks, found)})
    else:
        for line in lines(looks, found):
            click.echo(line)
    if any(_counts(one) for one in found):
        raise click.exceptions.Exit(1)


def _ground(named: str | None) -> doctoring.Ground:
    """Also where the current folder is gone: the machine is still there."""
    try:
        return doctoring.find(common.start_folder(named), os.environ)
    except common.Fail as failed:
        return doctoring.Ground(environ=os.environ, trouble=failed.reason)


def _keys_look() -> list[doctoring.Look]:
    """What is wrong with the user's own keys; nothing where they have none, or all is well."""
    from console import wiring
    from console.tui import keymap

    try:
        folder = wiring.config_dir(os.environ)
    except KeyError:  # a user without a home has no keys of their own
        return []
    problems = keymap.load(folder).problems
    found = [doctoring.Finding(check="keys", level="advice", what=clean(one.sentence(), limit=400)) for one in problems]
    return [doctoring.Look(name="keys", well="", findings=tuple(found))] if found else []


def _print_anything() -> None:
    """A locale that is not UTF-8 is one of the findings, and must not keep them from being shown."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _counts(one: doctoring.Finding) -> bool:
    """Advice is none of what went wrong, and what was mended is not there any more."""
    return one.level != "advice" and not one.fixed


def _level(one: doctoring.Finding) -> str:
    return "fixed" if one.fixed else one.level


# -- for programs -----------------------------------------------------------------------------------------------


def _finding(one: doctoring.Finding) -> dict[str, str]:
    return {"check": one.check, "level": one.level, "what": one.what, "cure": one.cure, "fixed": one.fixed}


def _checks(looks: Iterable[doctoring.Look], found: list[doctoring.Finding]) -> list[dict[str, Any]]:
    """Every check with its worst level, "skipped" where there was nothing to look at; `text` is its line when all is
    well."""
    made = []
    for look in looks:
        levels = [_level(one) for one in found if one.check == look.name]
        worst = min(levels, key=ORDER.index, default="skipped" if look.skipped else "ok")
        made.append({"name": look.name, "level": worst, "text": "" if levels else look.well, "findings": len(levels)})
    return made


# -- for people -------------------------------------------------------------------------------------------------


def lines(looks: Sequence[doctoring.Look], found: list[doctoring.Finding]) -> list[str]:
    """As the preflight's lines, worst first; what helps stands below what is wrong."""
    looks, skipped = [one for one in looks if not one.skipped], [one.name for one in looks if one.skipped]
    rows = [(_level(one), one.check, one.what, one.fixed, one.cure) for one in found]
    ill = {one.check for one in found}
    rows += [("ok", look.name, look.well, "", "") for look in looks if look.name not in ill]
    rows.sort(key=lambda row: ORDER.index(row[0]))
    wide = max((width(name) for _, name, *_ in rows), default=0)
    unseen = [f"not looked at, as there is no workspace: {', '.join(skipped)}"] if skipped else []
    return [*(line for row in rows for line in _row(row, wide)), *unseen, _verdict(found, bool(skipped))]


def _row(row: tuple[str, str, str, str, str], wide: int) -> list[str]:
    level, name, what, fixed, cure = row
    made = [f"{WORDS[level]:8}{pad(name, wide)}  {clean(what, limit=900)}"]
    blank = f"{'':8}{'':{wide}}"
    made += [f"{blank}  => {clean(fixed, limit=600)}"] if fixed else []
    made += [f"{blank}  -> {clean(cure)}"] if cure else []  # a command that is cut is another command
    return made


def _verdict(found: list[doctoring.Finding], skipped: bool) -> str:
    faults = sum(one.level == "fault" for one in found if _counts(one))
    warnings = sum(one.level == "warning" for one in found if _counts(one))
    if faults or warnings:
        told = [
            f"{count} {word}{'s' * (count != 1)}" for count, word in ((faults, "fault"), (warnings, "warning")) if count
        ]
        return ", ".join(told) + ("; `nightdesk doctor --fix` mends some of it" if _mendable(found) else "")
    return "nothing wrong with the machine" if skipped else "nothing wrong"


def _mendable(found: list[doctoring.Finding]) -> bool:
    return any(one.mend is not None and _counts(one) for one in found)
