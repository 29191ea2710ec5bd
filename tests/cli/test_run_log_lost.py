"""A run whose log is taken away: it stops, says so, never ends well, and nothing is started over what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nightwatch import Watch

from console.adapters.lock import is_taken


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    watch = Watch(tmp_path)
    yield watch
    watch.close()


def take_away(watch: Watch) -> dict[Path, bytes]:
    files = {file: file.read_bytes() for file in watch.here.places.log.parent.glob("log.db*")}
    for file in files:
        file.unlink()
    return files


def test_a_run_whose_log_is_gone_stops_with_70_and_no_command_starts_over(watch: Watch) -> None:
    opened = watch.gate("ready")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    process = watch.start("run")
    watch.begun(opened)
    kept = take_away(watch)
    code, out, err = watch.end(process)
    log = watch.here.places.log
    assert code == 70 and f"the log {log} is gone" in err and "DRAINED" not in out, (out, err)
    assert not is_taken(watch.here.places.lock)
    for words in (("status",), ("ticket", "list"), ("plan", "list"), ("report",), ("stop",)):
        code, out, err = watch.run(*words)
        assert code == 2 and f"the log {log} is gone" in err and "Traceback" not in err, (words, code, out, err)
    code, out, err = watch.run("run")
    assert code == 64 and "is gone" in err
    assert not list(log.parent.glob("log.db*"))
    for file, content in kept.items():
        file.write_bytes(content)
    opened.touch()
    code, out, err = watch.run("run")
    assert code == 0 and "going on with run-1" in err and "1 DONE" in out, err


def test_a_run_that_ends_in_the_second_after_its_log_went_is_70_too(watch: Watch) -> None:
    opened = watch.gate("ready")
    watch.ticket("one", f"AWAIT {opened}")
    process = watch.start("run")
    watch.begun(opened)
    opened.touch()
    take_away(watch)
    code, out, err = watch.end(process)
    assert code == 70 and "is gone" in err and "DRAINED" not in out, (out, err)


def test_70_for_who_follows_too(watch: Watch) -> None:
    idle = watch.start("run", "--idle")
    watch.wait(lambda: is_taken(watch.here.places.lock))
    opened = watch.gate("ready")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    follower = watch.start("run")
    watch.begun(opened)
    take_away(watch)
    code, out, err = watch.end(follower)
    assert code == 70 and "is gone" in err and "DRAINED" not in out, (out, err)
    code, out, err = watch.end(idle)
    assert code == 70 and "is gone" in err, (out, err)
