"""`nightdesk decide FILE...`: what a run would decide about ticket files from their text. It writes nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.cli import common
from console.core.records import Decision, TextVerdict
from console.verbs import deciding

if TYPE_CHECKING:
    from console.adapters.tickets import Parsed

_MOST = 256 * 1024 + 1
_SETTINGS = Path(".nightdesk") / "config.yaml"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@common.json_option
@click.pass_context
def decide(ctx: click.Context, files: tuple[str, ...], json_: bool) -> None:
    """PROCEED, PARK or HALT for each ticket FILE ("-": standard input), with the rule that decided."""
    overrides = _overrides(common.start_folder(ctx.find_root().obj), ctx)
    problems: list[str] = []
    for name in dict.fromkeys(files):
        parsed = _parsed(name)
        if isinstance(parsed, list):
            problems += parsed
            continue
        verdict = deciding.verdict(parsed, overrides)
        if json_:
            common.as_json(_row(name, parsed.ticket, verdict))
        else:
            _tell(name, verdict)
    if problems:
        raise common.Fail("\n".join(problems))


def _parsed(name: str) -> Parsed | list[str]:
    from console.adapters.tickets import parse

    shown = "(standard input)" if name == "-" else name
    raw = _raw(name)
    return [f"{shown}: {raw}"] if isinstance(raw, str) else parse(raw, shown)


def _raw(name: str) -> bytes | str:
    """The file's bytes, at most one more than a ticket may have; a str is why it cannot be read."""
    if name == "-":
        return sys.stdin.buffer.read(_MOST)
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            return "is no ordinary file; name a Markdown file"
        with path.open("rb") as file:
            return file.read(_MOST)
    except OSError as error:
        return f"cannot be read: {error.strerror}; name a ticket file that is there"
    except ValueError as error:
        return f"cannot be a file's name: {error}"


def _overrides(start: Path, ctx: click.Context) -> Mapping[str, Decision]:
    """The `decide:` of trusted settings around this folder. Looked for by hand first: finding the workspace makes its
    state folder, and a dry run in a place without settings leaves nothing behind."""
    around = start.absolute()
    if not any((folder / _SETTINGS).exists() for folder in (around, *around.parents)):
        return {}
    from console import wiring

    here = common.here(ctx)
    loaded = wiring.settings_of(here)
    if not loaded.settings.decide and not loaded.problems:
        return {}
    if reason := wiring.distrust(here, loaded):
        click.echo(f"the settings' `decide:` is left out: {reason}", err=True)
        return {}
    return loaded.settings.decide


def _row(name: str, ticket: str, verdict: TextVerdict) -> dict[str, Any]:
    """Every key, also where a record leaves its default out."""
    return {
        "file": name,
        "ticket": ticket,
        "decision": verdict.decision,
        "category": verdict.category,
        "rule": verdict.rule,
        "why": verdict.why,
        "question": verdict.question,
        "options": verdict.options,
        "evidence": verdict.evidence,
        "announced": verdict.announced,
    }


def _tell(name: str, verdict: TextVerdict) -> None:
    from console.present.text import clean

    about = f" ({verdict.category})" if verdict.category else ""
    lines = [f"{verdict.decision:8}{name}{about}", f"        {verdict.rule}: {verdict.why}"]
    lines += [f"        {line}" for line in verdict.evidence]
    if verdict.question:
        lines.append(f"        to decide: {verdict.question}")
        lines += [f"          {number} {text}" for number, text in enumerate(verdict.options, 1)]
    for line in lines:
        click.echo(clean(line))
