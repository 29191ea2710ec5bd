"""A command line of its own for every test, over one repository for all of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import CommandLine, make_ground


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_ground(tmp_path_factory.mktemp("ground"))


@pytest.fixture
def line(
    ground: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[CommandLine]:
    line = CommandLine(ground, tmp_path, monkeypatch, capsys)
    yield line
    line.close()
