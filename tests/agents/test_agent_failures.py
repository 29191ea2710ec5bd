"""The quick cells of the failure matrix. All of them, for every agent: failure_matrix.py, by hand."""

from __future__ import annotations

from pathlib import Path

import clis
import pytest
from failure_matrix import FAILURES, Cell, play, table, told
from rig import TICKET

CELLS = [("gemini", "auth"), ("gemini", "question"), ("opencode", "question"), ("opencode", "crash")]
"""The whole table is played by hand (`failure_matrix.py`); CI has no time for its cells."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "failure"), CELLS)
def test_a_failure_ends_as_it_should(name: str, failure: str, room: Path) -> None:
    if reason := clis.missing(name):
        pytest.skip(reason)
    cell = play(name, failure, room, patience=100)
    assert not cell.wrong, cell


def test_a_cell_that_did_not_go_as_it_should_says_what_is_wrong() -> None:
    failed = Cell("gemini", "auth", outcome="FAILED_RETRYABLE", attempts=1)
    other = Cell("gemini", "auth", outcome="BLOCKED_ENV", attempts=1, log=["turn-end bad error 'no such model'"])
    right = Cell("gemini", "auth", outcome="BLOCKED_ENV", attempts=1, log=["turn-end bad error fault=auth '401'"])
    holds = FAILURES["auth"].holds
    assert (holds(failed), holds(other), holds(right)) == ("ended FAILED_RETRYABLE", "not for its login", "")
    spent = Cell("pi", "limit", outcome="DONE", attempts=2, log=["turn-end bad error fault=limit", "waiting +40s: it"])
    assert FAILURES["limit"].holds(spent) == "no wait; ended DONE in attempt 2"


def test_the_table_has_a_row_for_each_agent_and_marks_what_is_wrong() -> None:
    ended = {"type": "ticket:ended", "ticket": TICKET, "outcome": "DONE", "why": "green | on the plan"}
    cells = [Cell("pi", "auth", "BLOCKED_ENV"), Cell("gemini", "auth", "DONE", log=[told(ended)], wrong="ended DONE")]
    lines = table(cells).splitlines()
    assert lines[0] == "| agent | auth |"
    assert lines[2:4] == ["| gemini | **!** DONE, 0 s |", "| pi | BLOCKED_ENV, 0 s |"]
    assert "green \\| on the plan" in lines[-2]
