"""Names of any bytes as text: one text a name, one name a text."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.core.paths import bytes_of, quoted, text_of


@given(st.binary())
def test_every_name_comes_back(raw: bytes) -> None:
    assert bytes_of(text_of(raw)) == raw
    text_of(raw).encode()


@given(st.text())
def test_every_text_that_is_a_name_is_its_own_text(text: str) -> None:
    try:
        raw = bytes_of(text)
    except ValueError:
        return
    assert text_of(raw) == text


@given(st.text().filter(lambda text: not text.startswith('"')))
def test_utf8_is_itself(text: str) -> None:
    assert text_of(text.encode()) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"a\377b", '"a\\377b"'),
        (b'"x', '"\\"x"'),
        (b'x"', 'x"'),
        (b"a\tb", "a\tb"),
        (b"\xff\t\n\\", '"\\377\\t\\n\\\\"'),
    ],
)
def test_examples(raw: bytes, text: str) -> None:
    assert (text_of(raw), bytes_of(text)) == (text, raw)


@pytest.mark.parametrize("text", ['"', '""', '"plain"', '"a\\377', '"\\400"', '"\\q"', '"\u00ff"', '"\\"', "\udcff"])
def test_a_text_that_names_nothing_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):
        bytes_of(text)


def test_it_is_what_git_prints(tmp_path: Path) -> None:
    names = [bytes([byte]) + b"\xff" for byte in range(1, 256) if byte != ord("/")]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    rows = b"".join(b"100644 %s\t%s\0" % (b"1" * 40, name) for name in names)
    subprocess.run(["git", "update-index", "-z", "--index-info"], cwd=tmp_path, input=rows, check=True)
    printed = subprocess.run(["git", "ls-files"], cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    assert sorted(printed.splitlines()) == sorted(map(quoted, names))
