"""`nightdesk preflight`: every GO/NO-GO check before a run, all of them, then the verdict. Changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from console import starting, wiring
from console.cli import common
from console.core.records import Check, Refused
from console.present.text import clean, pad, width

if TYPE_CHECKING:
    from console.adapters.preflight import Preflight

NO_GO = 64
BUSY = 65
WORDS = {"ok": "ok", "warning": "warning", "no-go": "NO-GO"}

agent_option = click.option("--agent", default="", metavar="PRESET", help="This preset instead of the settings'.")


@click.command()
@click.option("--sessions", type=click.IntRange(1, 1_000_000), default=None, help="For the memory check.")
@agent_option
@common.json_option
@click.pass_context
def preflight(ctx: click.Context, sessions: int | None, agent: str, json_: bool) -> None:
    """Check everything that a run needs: one line each, then GO or NO-GO. Exit 0 GO, 64 NO-GO, 65 busy."""
    here = located(ctx)
    if isinstance(here, Refused):
        raise click.exceptions.Exit(tell_nowhere(here, json_))
    made = starting.preflight(here, wiring.settings_of(here), sessions=sessions or 0, agent=agent)
    if json_:
        common.as_json(data(made))
    else:
        for line in (*lines(made.checks), verdict(made)):
            click.echo(line)
    if code := exit_code(made):
        raise click.exceptions.Exit(code)


def located(ctx: click.Context) -> wiring.Here | Refused:
    """Like `common.here`; that there is no usable repository is an answer here."""
    return wiring.locate(common.start_folder(ctx.find_root().obj), os.environ)


def tell_nowhere(refused: Refused, json_: bool) -> int:
    """The one line of a preflight that has nothing to look at."""
    check = Check(name="git", level="no-go", text=refused.reason)
    if json_:
        common.as_json({"verdict": "NO-GO", "busy": "", "checks": [_check(check)]})
    else:
        for line in (*lines([check]), "NO-GO (1)"):
            click.echo(line)
    return NO_GO


def verdict(made: Preflight) -> str:
    if made.busy:
        return f"BUSY: {clean(made.busy)}"
    return f"NO-GO ({made.refusals})" if made.refusals else "GO"


def exit_code(made: Preflight) -> int:
    """A run that is under way comes first: nothing can start before it has ended, whatever else there is."""
    return BUSY if made.busy else NO_GO if made.refusals else 0


def lines(checks: Iterable[Check]) -> list[str]:
    """Aligned lines for people; what to do stands below what is wrong."""
    rows = [(WORDS[one.level], clean(one.name, limit=60), one) for one in checks]
    wide = max((width(name) for _, name, _ in rows), default=0)
    found = []
    for word, name, one in rows:
        found.append(f"{word:8}{pad(name, wide)}  {clean(one.text, limit=600)}")
        if one.cure:
            found.append(f"{'':8}{'':{wide}}  -> {clean(one.cure, limit=600)}")
    return found


def data(made: Preflight) -> dict[str, Any]:
    word = "BUSY" if made.busy else "NO-GO" if made.refusals else "GO"
    return {"verdict": word, "busy": made.busy, "checks": [_check(one) for one in made.checks]}


def _check(one: Check) -> dict[str, str]:
    return {"name": one.name, "level": one.level, "text": one.text, "cure": one.cure}
