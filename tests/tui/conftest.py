"""What the tests of the screen share: golden pictures as text, and the animation switch set before Textual loads."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet

from console.tui.environment import prepare

prepare(os.environ)
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # rawterm.py, and this folder's own apps

from deskplay import DeskPlay  # noqa: E402

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden pictures anew instead of comparing")


def picture(app: Any) -> str:
    """The screen as text, one line a row, trailing blanks removed."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips()) + "\n"


@pytest.fixture(scope="session", autouse=True)
def styles_parsed_once() -> Iterator[None]:
    """A parsed style sheet serves every app of this process that has the same colours; nothing writes into its rules.

    Otherwise each app of each test reads the same hundred sheets, which takes longer than most tests do.
    """
    parse, seen = Stylesheet._parse_rules, {}

    def once(self: Stylesheet, *args: Any, **kwargs: Any) -> Any:
        key = (tuple(self._variables.items()), args, tuple(kwargs.items()))
        if key not in seen:
            seen[key] = parse(self, *args, **kwargs)
        return seen[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", once)
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Any, str], None]:
    """`golden(app, name)`: the app's screen equals tests/tui/golden/name.txt (`--update-golden` writes it)."""

    def compare(app: Any, name: str) -> None:
        file, now = GOLDEN / f"{name}.txt", picture(app)
        if request.config.getoption("--update-golden", default=False):
            GOLDEN.mkdir(exist_ok=True)
            file.write_text(now, encoding="utf-8")
        assert now == file.read_text(encoding="utf-8"), f"{file.name} differs; look, then run with --update-golden"

    return compare


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Iterator[DeskPlay]:
    """An empty desk to play on, its clocks in UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield DeskPlay()
    monkeypatch.undo()
    time.tzset()
