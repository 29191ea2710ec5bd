"""Draws docs/pictures from the real program: the demo's agents work, and the screen is exported at chosen moments.

Run it with the interpreter that has nightdesk: `.venv/bin/python scripts/pictures.py [FOLDER]`. Takes about a minute,
most of it the demo's night.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.cells import cell_len

ROOMY, WIDE, NARROW, SMALL = (160, 50), (120, 40), (80, 24), (50, 20)
THEMES = ("dark", "light", "high-contrast")
PATIENCE = 120.0
LIMIT = 200_000
"""Bytes of one picture."""
PLANS, TICKETS = 2, 14
"""How many the two demos have."""


def main(into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="nightdesk-pictures-") as room:
        for name in ("STATE", "DATA", "CONFIG", "CACHE"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(room) / name.lower())
        for name in ("NO_COLOR", "XDG_RUNTIME_DIR"):
            os.environ.pop(name, None)
        asyncio.run(_draw(Path(room), into))


async def _draw(room: Path, into: Path) -> None:
    from console.tui import environment

    environment.prepare(os.environ)
    await _night(room / "night" / "shop", into)
    await _plans(room / "plans" / "shop", into)


# -- the moments -----------------------------------------------------------------------------------------


async def _night(repository: Path, into: Path) -> None:
    """The queue while it is drained, then the morning: one decision on the desk, and a step of the review."""
    from console import wiring

    async with _supervised(repository, "night") as (here, hosted, client):
        await _until(client, lambda state: len(state.tickets) == TICKETS, "the folder was not read")
        refused = await asyncio.to_thread(wiring.desk(here).start_run, (), False)
        assert not refused, refused
        await _until(client, _in_the_middle, "the night did not get to its middle")
        async with _screen(here, hosted, WIDE) as (app, pilot):
            await _shown(app, pilot, "you decide")
            await _calm(app, pilot)
            _export(app, into / "night-120x40.svg")
        await _until(client, _over, "the night did not end")
        for size in (WIDE, NARROW):
            async with _screen(here, hosted, size) as (app, pilot):
                await pilot.press("m")
                await _shown(app, pilot, "1 of ")
                if size == WIDE:
                    _export(app, into / "decision-120x40.svg")
                await _step(app, pilot, "doubtful work")
                await _shown(app, pilot, "@@")
                _export(app, into / f"review-{size[0]}x{size[1]}.svg")
        async with _screen(here, hosted, WIDE) as (app, pilot):
            await _shown(app, pilot, "1 of ")
            await pilot.press("T")
            await _shown(app, pilot, "gate green")
            _export(app, into / "timeline-120x40.svg")
        await _sizes(here, hosted, into / "sizes")


async def _sizes(here: Any, hosted: Any, into: Path) -> None:
    """The desk on the morning after, with a plan open, at every size and in three themes."""
    into.mkdir(exist_ok=True)
    for theme in THEMES:
        for size in (ROOMY, WIDE, NARROW, SMALL):
            async with _screen(here, hosted, size, theme) as (app, pilot):
                await _at_a_plan(app, pilot)
                if size == SMALL:
                    await pilot.press("escape")
                    await pilot.pause()
                _export(app, into / f"desk-{size[0]}x{size[1]}-{theme}.svg")


async def _at_a_plan(app: Any, pilot: Any) -> None:
    """On to the next thing that waits until it is a plan whose diff is drawn."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while "@@" not in _text(app):
        assert asyncio.get_running_loop().time() < deadline, f"no plan was reached:\n{_text(app)}"
        await pilot.press("w")
        await pilot.pause(0.3)


def _in_the_middle(state: Any) -> bool:
    """Something is done, something is at work, something has failed once: then the desk has most to show."""
    flying = sum(t.in_flight for t in state.tickets.values())
    done = sum(t.outcome == "DONE" for t in state.tickets.values())
    return bool(done >= PLANS and flying >= PLANS)


async def _calm(app: Any, pilot: Any) -> None:
    """Until two agents are at work and no alert stands there."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while " alert" in _text(app) or _text(app).count(" working ") < PLANS:
        assert asyncio.get_running_loop().time() < deadline, f"the night was never calm:\n{_text(app)}"
        await pilot.pause(0.1)


def _over(state: Any) -> bool:
    return all(not run.open for run in state.runs.values())


async def _step(app: Any, pilot: Any, what: str) -> None:
    """Skip until the review shows a thing of this kind."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while f"{what} ·" not in _text(app):
        assert asyncio.get_running_loop().time() < deadline, f"the review has no {what}:\n{_text(app)}"
        await pilot.press("space")
        await pilot.pause(0.2)


async def _plans(repository: Path, into: Path) -> None:
    """Two plans that wait, and the diff of the first."""
    from console.cli.demo import stage

    async with _supervised(repository, "policies", stage) as (here, hosted, client):
        await _until(client, _both_wait, "the demo's plans did not become ready")
        for size in (WIDE, NARROW):
            async with _screen(here, hosted, size) as (app, pilot):
                await _shown(app, pilot, "@@")
                _export(app, into / f"desk-{size[0]}x{size[1]}.svg")


def _both_wait(state: Any) -> bool:
    return bool(sum(plan.state == "waiting" for plan in state.plans.values()) == PLANS)


# -- the program -----------------------------------------------------------------------------------------


@asynccontextmanager
async def _supervised(
    repository: Path, kind: Any, stage: Callable[[Any, Any], None] = lambda _here, _client: None
) -> AsyncIterator[tuple[Any, Any, Any]]:
    """A demo with a supervisor in this process: the workspace, the supervisor, a client."""
    from console import supervision, wiring
    from console.adapters.lock import Lock
    from console.cli.demo import prepare
    from console.engine.hosting import Hosted

    repository.parent.mkdir()
    here = prepare(repository, kind)
    client = wiring.client(here)
    stage(here, client)
    lock = Lock(here.places.lock)
    assert lock.take(supervision.lock_text())
    hosted = Hosted(supervision.supervisor(here, lock), supervision.serve_on(here), lock.release)
    hosted.start()
    try:
        yield here, hosted, client
    finally:
        hosted.stop("the pictures are drawn")
        await asyncio.to_thread(hosted.join)


async def _until(client: Any, so: Callable[[Any], bool], else_: str) -> None:
    met = await asyncio.to_thread(client.wait, lambda state: True if so(state) else None, PATIENCE)
    assert met, f"{else_} within {PATIENCE:g} s"


@asynccontextmanager
async def _screen(here: Any, hosted: Any, size: tuple[int, int], theme: str = "dark") -> AsyncIterator[tuple[Any, Any]]:
    from console import wiring
    from console.tui.app import NightdeskApp

    app = NightdeskApp(client=wiring.client(here), desk=wiring.desk(here), hosted=hosted, environ={}, theme=theme)
    async with app.run_test(size=size) as pilot:
        yield app, pilot


async def _shown(app: Any, pilot: Any, text: str) -> None:
    """Until the screen shows this."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while text not in _text(app):
        assert asyncio.get_running_loop().time() < deadline, f"no {text!r} was drawn:\n{_text(app)}"
        await pilot.pause(0.1)


def _export(app: Any, target: Path) -> None:
    svg = plain(app.export_screenshot(title="nightdesk"))
    target.write_text(svg, encoding="utf-8")
    print(f"{target}: {len(svg.encode())} bytes")


def _text(app: Any) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


# -- the file --------------------------------------------------------------------------------------------


_RUN = re.compile(r'x="([0-9.]+)" y="([0-9.]+)" textLength="([0-9.]+)"([^>]*)>([^<]*)<')
_BLANK = "&#160;"


def _without_outer_blanks(found: re.Match[str]) -> str:
    x, y, length, rest, text = found.groups()
    body = html.unescape(text)
    inner = body.strip("\xa0")
    if not inner.strip():
        return found[0]
    cell = float(length) / cell_len(body)
    before = len(body) - len(body.lstrip("\xa0"))
    after = len(body) - len(body.rstrip("\xa0"))
    start, wide = float(x) + before * cell, float(length) - (before + after) * cell
    kept = text.removeprefix(_BLANK * before).removesuffix(_BLANK * after)
    return f'x="{start:.5g}" y="{y}" textLength="{wide:.5g}"{rest}>{kept}<'


def plain(svg: str) -> str:
    """The picture without anything that a viewer would have to fetch: web fonts go, names of fonts stay.

    Runs of text lose their outer blanks and move instead, because some viewers draw no blank at the start of a run.
    """
    svg = re.sub(r"@font-face\s*\{[^}]*\}", "", svg)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = _RUN.sub(_without_outer_blanks, svg)
    outside = re.findall(r"(?:url\((?!#)|href=\"(?!#))[^)\"]*", svg)
    assert not outside, f"the picture would fetch {outside}"
    assert len(svg.encode()) <= LIMIT, f"the picture has {len(svg.encode())} bytes"
    return re.sub(r"\n\s*\n+", "\n", svg)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "docs" / "pictures")
