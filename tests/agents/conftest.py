"""A folder for each test with a whole workspace in it. Outside of the temporary folder: Codex's sandbox runs nothing
from a home below that."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def room() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="nightdesk-agent-", dir="/var/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)
