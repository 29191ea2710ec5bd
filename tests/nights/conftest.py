"""A night's rig for each test; what is left running at its end fails it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nightrig import NightRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[NightRig]:
    made = NightRig(tmp_path)
    yield made
    made.close()
