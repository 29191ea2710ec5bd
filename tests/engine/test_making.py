from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from console.engine.making import made


def test_what_an_agent_put_in_the_way_goes_and_what_it_points_to_stays(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    for name, put in (("link", lambda p: p.symlink_to(target)), ("file", lambda p: p.write_text("x"))):
        put(tmp_path / name)
        made(tmp_path / name)
        assert (tmp_path / name).is_dir() and not (tmp_path / name).is_symlink()
    assert target.is_dir()


def test_many_starts_at_once_make_it_once_and_none_fails(tmp_path: Path) -> None:
    together = Barrier(8)

    def start(number: int) -> None:
        for turn in range(100):
            together.wait(10)
            made(tmp_path / str(turn) / "inbox")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(start, range(8)))
    assert len(list(tmp_path.glob("*/inbox"))) == 100


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "note").write_text("x")
    made(tmp_path / "inbox")
    assert (tmp_path / "inbox" / "note").read_text() == "x"


def test_what_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError):
        made(tmp_path / "file" / "inbox")
