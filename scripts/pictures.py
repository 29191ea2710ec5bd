"""Draws docs/pictures from the real program: the demo's agents work and their plans wait, then the screen is exported.

Run it with the interpreter that has nightdesk: `.venv/bin/python scripts/pictures.py [FOLDER]`. Takes about 15 seconds.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.cells import cell_len

SIZES = ((120, 40), (80, 24))
PATIENCE = 60.0
LIMIT = 200_000
"""Bytes of one picture."""


def main(into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="nightdesk-pictures-") as room:
        for name in ("STATE", "DATA", "CONFIG"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(room) / name.lower())
        for name in ("NO_COLOR", "XDG_RUNTIME_DIR"):
            os.environ.pop(name, None)
        asyncio.run(_draw(Path(room) / "shop", into))


async def _draw(repository: Path, into: Path) -> None:
    from console.tui import environment

    environment.prepare(os.environ)
    from console import supervision, wiring
    from console.adapters.lock import Lock
    from console.cli.demo import prepare, stage
    from console.engine.hosting import Hosted

    here = prepare(repository)
    client = wiring.client(here)
    stage(here, client)
    lock = Lock(here.places.lock)
    assert lock.take(supervision.lock_text())
    hosted = Hosted(supervision.supervisor(here, lock), supervision.serve_on(here), lock.release)
    hosted.start()
    try:
        ready = await asyncio.to_thread(client.wait, _both_wait, PATIENCE)
        assert ready, f"the demo's plans did not become ready within {PATIENCE:g} s"
        for width, height in SIZES:
            svg = plain(await _picture(here, hosted, width, height))
            target = into / f"desk-{width}x{height}.svg"
            target.write_text(svg, encoding="utf-8")
            print(f"{target}: {len(svg.encode())} bytes")
    finally:
        hosted.stop("the pictures are drawn")
        await asyncio.to_thread(hosted.join)


def _both_wait(state: Any) -> bool | None:
    return True if sum(plan.state == "waiting" for plan in state.plans.values()) == 2 else None


async def _picture(here: Any, hosted: Any, width: int, height: int) -> str:
    """What the screen shows once it has drawn the diff of the plan that waits longest."""
    from console import wiring
    from console.tui.app import NightdeskApp

    app = NightdeskApp(client=wiring.client(here), desk=wiring.desk(here), hosted=hosted, environ={})
    async with app.run_test(size=(width, height)) as pilot:
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while "@@" not in _text(app):
            assert asyncio.get_running_loop().time() < deadline, f"no diff was drawn:\n{_text(app)}"
            await pilot.pause(0.1)
        return app.export_screenshot(title="nightdesk")


def _text(app: Any) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


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
