"""Several `nightdesk run` on one workspace, and those without a terminal: who wins, who supervises, who follows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from nightwatch import Watch

from console.adapters.lock import is_taken
from console.core import events as ev


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    watch = Watch(tmp_path)
    yield watch
    watch.close()


def test_of_two_at_once_one_wins_and_the_other_is_65(watch: Watch) -> None:
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    both = [watch.start("run"), watch.start("run")]
    loser = watch.wait(lambda: next((p for p in both if p.poll() is not None), None))
    watch.begun(opened)
    assert loser.returncode == 65, watch.end(loser)
    assert watch.run("preflight")[0] == 65 and watch.run("run")[0] == 65
    opened.touch()
    winner = next(p for p in both if p is not loser)
    code, _, err = watch.end(winner)
    assert code == 0, err
    assert len(watch.state().runs) == 1 and watch.latest().status == "DRAINED"


def test_an_idle_supervisor_is_given_the_run_and_stays(watch: Watch) -> None:
    idle = watch.start("run", "--idle")
    watch.wait(lambda: is_taken(watch.here.places.lock))
    watch.ticket("one", "WRITE a.txt")
    code, out, err = watch.run("run")
    assert code == 0 and "DRAINED" in out, err
    holder = watch.state().supervisor
    assert holder and holder.pid == idle.pid and idle.poll() is None
    assert len(watch.facts(ev.SupervisorStarted)) == 1


def test_detached_to_an_idle_supervisor_it_only_says_so(watch: Watch) -> None:
    watch.start("run", "--idle")
    watch.wait(lambda: is_taken(watch.here.places.lock))
    watch.ticket("one", "WRITE a.txt")
    code, out, err = watch.run("run", "--detach")
    assert code == 0 and "run-1 is done by the supervisor that is here already" in out, err
    watch.wait(lambda: watch.latest().status == "DRAINED")


def test_when_the_idle_supervisor_dies_the_follower_goes_on(watch: Watch) -> None:
    idle = watch.start("run", "--idle")
    watch.wait(lambda: is_taken(watch.here.places.lock))
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    follower = watch.start("run")
    watch.begun(opened)
    idle.kill()
    opened.touch()
    code, out, err = watch.end(follower)
    assert code == 0 and "1 DONE" in out and "this command goes on with it" in err, err


def test_detached_it_lives_without_us_and_takes_nothing_from_the_repository(watch: Watch) -> None:
    mark, opened = watch.gate("ran"), watch.gate("go")
    (watch.root / "console").mkdir()
    for name in ("__init__", "__main__"):
        (watch.root / "console" / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    code, out, err = watch.run("run", "--detach", "--json", "--max-tickets", "5")
    data = json.loads(out)
    assert code == 0 and data["run"] == "run-1", err
    assert is_taken(watch.here.places.lock) and os.getsid(data["pid"]) == data["pid"]
    assert watch.latest().settings.tickets == 5
    opened.touch()
    watch.wait(lambda: watch.latest().status == "DRAINED" and not is_taken(watch.here.places.lock))
    assert "run-1 DRAINED" in Path(data["log"]).read_text() and not mark.exists()
