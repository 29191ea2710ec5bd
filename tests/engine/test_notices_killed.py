"""A real supervisor that is killed while it tells people: nothing is lost, and nothing repeated under another id."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from console import wiring
from console.adapters import trust
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


def parked(number: int) -> ev.DecisionParked:
    return ev.DecisionParked(
        decision=f"d-{number}", ticket=f"T-{number}", foundational=False, why="unclear", question="which?"
    )


class Board:
    """A receiver that verifies, remembers, and may kill whoever asks: just before its answer, or just after it."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.tickets: dict[str, str] = {}
        self.victim = 0
        self.late = False
        board = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                Webhook(SECRET).verify(body, dict(self.headers.items()))
                board.took(self.headers["webhook-id"], json.loads(body))
                victim = board.due()
                if victim and not board.late:
                    os.kill(victim, signal.SIGKILL)
                self.send_response(200)
                self.end_headers()
                self.wfile.flush()
                if victim and board.late:
                    os.kill(victim, signal.SIGKILL)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        threading.Thread(target=lambda: self.server.serve_forever(0.02), daemon=True).start()

    def took(self, id: str, body: dict[str, Any]) -> None:
        with self.lock:
            self.ids.append(id)
            self.tickets[id] = body["ticket"]

    def due(self) -> int:
        with self.lock:
            victim, self.victim = self.victim, 0
        return victim

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def ground(place: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[wiring.Here]:
    repo, home = place / "repo", place / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("XDG_", "GIT_")) or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("HOOK", SECRET)
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    subprocess.run(["git", "init", "-q", str(repo)], check=True, timeout=30)
    subprocess.run(["git", *who, "commit", "-q", "--allow-empty", "-m", "x"], cwd=repo, check=True, timeout=30)
    (repo / ".nightdesk").mkdir()
    config = repo / ".nightdesk" / "config.yaml"
    config.write_text(f"notify: [{{url: 'http://127.0.0.1:{port}/hook', secret: env:HOOK, events: [parked]}}]\n")
    here = wiring.locate(repo, os.environ)
    assert not isinstance(here, Refused)
    trust.record_trust(here.places.trust, repo, trust.load(repo).digest)
    yield here


def kill_again_and_again(place: Path, monkeypatch: pytest.MonkeyPatch, kills: int) -> None:
    """Every supervisor tells one notice and dies before it can write that down; at last one may live."""
    board = Board()
    children: list[subprocess.Popen[bytes]] = []
    with ground(place, board.server.server_address[1], monkeypatch) as here:
        journal = wiring.open_journal(here)
        try:
            for number in range(kills + 1):
                child = subprocess.Popen(
                    [sys.executable, "-P", "-m", "console", "--workspace", str(here.root), "run", "--idle"],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                children.append(child)
                board.victim, board.late = child.pid if number < kills else 0, bool(number % 2)
                if number == 0:
                    until(lambda: journal.refresh() is not None and journal.state.outlets)
                journal.submit(cmd.Report(facts=(parked(3 * number), parked(3 * number + 1), parked(3 * number + 2))))
                if number < kills:
                    child.wait(30)
            until(lambda: journal.refresh() is not None and told(journal.since(0)) == 3 * (kills + 1))
            children[-1].terminate()
            children[-1].wait(30)
        finally:
            for child in children:
                child.kill()
                child.wait(30)
            journal.close()
            board.close()
    counts = Counter(board.ids)
    assert len(counts) == 3 * (kills + 1), "every notice came, each under an id of its own"
    assert sorted(board.tickets.values()) == sorted(f"T-{n}" for n in range(3 * (kills + 1)))
    assert sum(counts.values()) - len(counts) <= kills, "only what a kill left open came twice, under the same id"
    assert max(counts.values()) > 1


def told(entries: Sequence[ev.Logged]) -> int:
    return sum(isinstance(e.fact, ev.NoticeSettled) and e.fact.outcome == "sent" for e in entries)


def until(look: Callable[[], object], limit: float = 30.0) -> None:
    deadline = time.monotonic() + limit
    while not look():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_supervisor_killed_while_it_tells_neither_loses_nor_repeats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_again_and_again(tmp_path, monkeypatch, 1)


@pytest.mark.slow
def test_many_kills_neither_lose_nor_repeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_again_and_again(tmp_path, monkeypatch, 40)
