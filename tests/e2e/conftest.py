from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.product import Product


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """A trusted workspace; at the end its supervisor is stopped and nothing of it may be left running."""
    made = Product(home=tmp_path / "home", repo=tmp_path / "repo")
    made.ok("trust")
    yield made
    made.close()
