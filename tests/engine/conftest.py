"""What every night of the supervisor needs: short waits, and a log of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from night import Night

from console.engine import supervisor as room


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "POLL", 0.02)
    monkeypatch.setattr(room, "RETRY", (0.01, 0.02))


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    night = Night(tmp_path)
    yield night
    night.journal.close()
