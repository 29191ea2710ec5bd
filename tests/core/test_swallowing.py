"""A gate that hides its tests' status is told, a sound one is not."""

from __future__ import annotations

import pytest

from console.core.swallowing import swallowed


@pytest.mark.parametrize(
    "argv",
    [
        ("bash", "-c", "python3 -m unittest 2>&1 | tail -1"),
        ("/bin/sh", "-c", "npm test || true"),
        ("bash", "-ec", "pytest; exit 0"),
        ("sh", "-c", "make check || :"),
        ("bash", "-c", "make |& tee log"),
    ],
)
def test_a_script_that_can_hide_a_failure_is_named(argv: tuple[str, ...]) -> None:
    assert swallowed(argv)


@pytest.mark.parametrize(
    "argv",
    [
        ("pytest", "-q"),
        ("bash", "-o", "pipefail", "-c", "pytest | tail -1"),
        ("bash", "-c", "set -o pipefail; pytest | tee log"),
        ("bash", "-c", "make lint && make test"),
        ("bash", "-c", "grep -q 'a|b' file || exit 1"),
        ("bash", "gate.sh"),
        ("bash", "-c"),
        (),
    ],
)
def test_a_script_whose_status_counts_is_not(argv: tuple[str, ...]) -> None:
    assert swallowed(argv) == ""
