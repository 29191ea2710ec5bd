"""A key until its commit, and an event until it is on the screen: the two waits that a person feels."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from bench.ground import ME, Ground, locked, until
from bench.measure import Figure
from bench.wire import Wire
from console import wiring
from console.core import commands as cmd
from console.core import events as ev
from console.core.commits import short
from console.core.records import CommitSpec, Launch, PolicySpec, Refused
from console.core.state import State
from console.engine.client import Client, first

WRITER = Launch(argv=("sh", "-c", "echo another line >> note.txt"), protocol="command", prompt_by="stdin")
SETTLED = 0.8
"""Seconds that a plan is looked at before the key: more than the console's own guard asks for."""


def key_to_commit(ground: Ground) -> list[Figure]:
    """`a` on the wire until `policy:committed` is in the log and the branch is the plan, beside `git commit`."""
    here = ground.workspace("keys")
    client = wiring.client(here)
    for number in range(ground.scale.landings):
        _stage(here, client, f"work-{number}")
    plain = Path(ground.place / "plain")
    ground.git(here.root, "worktree", "add", "-q", "-b", "plain", str(plain))
    ours, bare = [], []
    with Wire(ground.nightdesk(here), ground.environ) as wire:
        until(lambda: len(_waiting(client.state)) == ground.scale.landings, 60.0, "the plans", every=0.05)
        for _ in range(ground.scale.landings):
            ours.append(_press(ground, here, wire, client))
            bare.append(_commit(ground, plain))
        _stop_all(client)
        wire.leave()
    client.close()
    return [Figure("key a to commit (120 ms of it guard)", "ms", tuple(ours), "git commit FILE", tuple(bare))]


def _stage(here: wiring.Here, client: Client, name: str) -> None:
    """A session whose one turn changes one file, and the policy that freezes it."""
    tree = wiring.git_of(here).add_worktree(name, name)
    assert not isinstance(tree, Refused), tree
    start = cmd.StartSession(launch=WRITER, cwd=tree.path, worktree=tree.path, by=ME, label=name)
    added = first(client.send(start, needs_hands=False), ev.SessionAdded)
    assert isinstance(added, ev.SessionAdded)
    commit = CommitSpec(paths=("note.txt",), message=f"Add a line for {name}")
    spec = PolicySpec(sessions=(added.session,), then="commit", commit=commit)
    for command in (cmd.AttachPolicy(spec=spec, by=ME), cmd.SendPrompt(session=added.session, text="go", by=ME)):
        assert not isinstance(client.send(command, needs_hands=False), Refused)


def _stop_all(client: Client) -> None:
    """With nothing left to supervise, leaving the screen ends its process."""
    for name in client.state.sessions:
        client.send(cmd.StopSession(session=name, by=ME), needs_hands=False)
    until(lambda: all(s.phase == "exited" for s in client.state.sessions.values()), 30.0, "the end of the sessions")


def _waiting(state: State) -> dict[str, str]:
    """Waiting plans: commit id -> ref."""
    return {plan.plan: plan.frozen.ref for plan in state.plans.values() if plan.state == "waiting"}


def _press(ground: Ground, here: wiring.Here, wire: Wire, client: Client) -> float:
    """Milliseconds from the key to the landed plan."""
    waiting = _waiting(client.state)
    wire.press("w")
    wire.wait_until(lambda: any(f"plan {short(plan)} ·" in wire.text() for plan in waiting), 30.0, "a waiting plan")
    shown = wire.text()
    plan = next(one for one in waiting if f"plan {short(one)} ·" in shown)
    time.sleep(SETTLED)
    pressed = time.monotonic()
    wire.press("a")
    landed = until(lambda: client.state.plans[plan].state == "landed", 30.0, f"plan {plan} landed", every=0.002)
    assert ground.git(here.root, "rev-parse", waiting[plan]) == plan
    return (landed - pressed) * 1000


def _commit(ground: Ground, tree: Path) -> float:
    with tree.joinpath("note.txt").open("a") as file:
        file.write("another line\n")
    began = time.monotonic()
    ground.git(tree, "commit", "-q", "-m", "Add a line", "note.txt")
    return (time.monotonic() - began) * 1000


def event_to_screen(ground: Ground) -> list[Figure]:
    """Another process's commit until its text is on an attached console's wire, beside `tail -f` of a file."""
    here = ground.desk("events")
    followed = ground.place / "followed.txt"
    followed.touch()
    ours, bare = [], []
    appender = subprocess.Popen(
        ground.python("appender.py", str(here.root)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ground.environ,
        text=True,
    )
    tail = ["tail", "-n", "+1", "-f", str(followed)]
    with locked(here), appender, Wire(ground.nightdesk(here), ground.environ) as wire:
        with Wire(tail, ground.environ) as tailing:
            assert appender.stdin and appender.stdout and appender.stdout.readline()
            wire.arrival(b"nothing needs you")
            for number in range(ground.scale.rounds):
                wire.settle()
                label = f"event-{number:03}"
                appender.stdin.write(label + "\n")
                appender.stdin.flush()
                committed = float(appender.stdout.readline())
                ours.append((wire.arrival(label.encode()) - committed) * 1000)
                bare.append(_tailed(followed, tailing, label))
        wire.leave()
        appender.stdin.close()
    return [Figure("event of another process to screen", "ms", tuple(ours), "tail -f", tuple(bare))]


def _tailed(file: Path, tailing: Wire, label: str) -> float:
    with file.open("a") as lines:
        lines.write(label + "\n")
    written = time.monotonic()
    return max(0.0, tailing.arrival(label.encode()) - written) * 1000
