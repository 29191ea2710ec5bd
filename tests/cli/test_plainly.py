"""What is printed where marks cannot be shown: ASCII in such a terminal, all characters into a pipe, never a fault."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rawterm import run_in_pty, terminal_env

SAY = (
    sys.executable,
    "-c",
    "import os; from console.cli.plainly import fit_streams; fit_streams(os.environ);"
    r"print('\u2713 done \u2026 \u65e5\u672c \u00e9 \udc80')",
)
MARKS, SCRIPTS = "✓ done … ".encode(), "日本 é".encode()


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"LC_ALL": "C"}, b"+ done ~ " + SCRIPTS + b" \\udc80"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, b"+ done ~ \\u65e5\\u672c \\xe9 \\udc80"),
        ({"LC_ALL": "C.UTF-8", "TERM": "linux"}, b"+ done ~ " + SCRIPTS),
        ({"LC_ALL": "C.UTF-8", "NIGHTDESK_ASCII": "1"}, b"+ done ~ " + SCRIPTS),
    ],
)
def test_a_terminal_that_cannot_show_marks_gets_ascii(more: dict[str, str], shown: bytes) -> None:
    raw = run_in_pty(SAY, env=terminal_env(**more))
    assert shown in raw and b"Traceback" not in raw


def test_a_pipe_of_utf8_gets_every_mark_and_one_of_ascii_gets_escapes() -> None:
    def piped(**more: str) -> bytes:
        say = (*SAY[:2], SAY[2].replace(r" \udc80", ""))
        return subprocess.run(say, env={"PATH": os.environ["PATH"]} | more, capture_output=True, check=True).stdout

    assert piped(LC_ALL="C", NIGHTDESK_ASCII="1") == MARKS + SCRIPTS + b"\n"
    assert piped(LC_ALL="C", PYTHONIOENCODING="ascii") == b"\\u2713 done \\u2026 \\u65e5\\u672c \\xe9\n"
