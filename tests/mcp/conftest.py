"""One workspace for all tests of a file; its supervisor goes with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mcprig import Desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("mcp"))
    yield desk
    desk.stop()
