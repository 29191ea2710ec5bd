"""Facts of a healthy workspace, of which each test of the preflight changes what it is about; and what is then said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from console.adapters import trust
from console.adapters.preflight import preflight
from console.adapters.preflight.facts import GB, Facts, Machine, Probe, Queue, Repo, Room, Waiting
from console.core.records import Check, Identity, TicketSpec

SETTINGS: dict[str, Any] = {
    "gate": "make check",
    "allowed_commands": ["make"],
    "agent": "codex",
    "presets": {
        "codex": {
            "command": ["codex", "exec", "--json", "-s", "workspace-write"],
            "protocol": "command",
            "autonomy_confirmed": True,
        },
        "shy": {"command": ["opencode", "acp"], "protocol": "acp"},
    },
    "limits": {"sessions": 2},
}
HEAD = "a" * 40


def load(root: Path, data: Any = None, **changes: Any) -> trust.Loaded:
    file = root / ".nightdesk" / "config.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump({**SETTINGS, **changes} if data is None else data, sort_keys=False))
    return trust.load(root)


def healthy(loaded: trust.Loaded) -> Facts:
    return Facts(
        loaded=loaded,
        trusted=True,
        uid=1000,
        user="ada",
        environ={"PATH": "/bin", "HOME": "/home/ada"},
        sessions=2,
        probes={
            "codex": Probe(found="/bin/codex", asked=True, said="codex-cli 0.171.0"),
            "shy": Probe(found="/bin/opencode", asked=True, said="1.18.33"),
        },
        repo=Repo(
            version="git version 2.39.5",
            head=HEAD,
            ref="refs/heads/main",
            identity=Identity(name="Ada", email="a@b.c"),
            size=10**6,
        ),
        machine=Machine(
            rooms=(Room(what="worktrees", place="/data", free=50 * GB, growing=True),),
            kind="ext4",
            state="/state",
            memory=8 * GB,
            sandbox="sandbox on",
            sandboxed=True,
        ),
        queue=Queue(waiting=(waiting("t-1"),)),
        command=lambda name: f"/bin/{name}",
    )


def waiting(ticket: str, *, held: str = "", **spec: Any) -> Waiting:
    return Waiting(ticket=ticket, file=f"{ticket}.md", spec=TicketSpec(title=ticket, **spec), held=held)


def said(f: Facts, name: str) -> list[Check]:
    return [one for one in preflight(f).checks if one.name == name]


def levels(f: Facts, name: str) -> set[str]:
    return {one.level for one in said(f, name)}


def worst(f: Facts, name: str) -> Check:
    order = {"no-go": 0, "warning": 1, "ok": 2}
    found = min(said(f, name), key=lambda one: order[one.level])
    assert found.level != "no-go" or found.cure or len(found.text) > 40, found
    return found
