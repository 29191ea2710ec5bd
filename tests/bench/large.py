"""The console's start in large workspaces: first paint and memory beside an empty workspace's, beside the naive table
and beside other programs on as much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from bench import crowds
from bench.ground import Ground, locked
from bench.idling import files_of
from bench.measure import Figure, Probe, Sample, command, figure, interleaved
from bench.peers import Peer, peer
from bench.wire import Wire, cpu_seconds, rss_mib
from console import wiring

EMPTY = "console, empty workspace"


def paint(ground: Ground, argv: Sequence[str], marker: bytes, cwd: Path | None = None) -> Sample:
    """From before the fork to the marker on the wire; the rest once nothing more is drawn. cwd: of a peer."""
    with Wire(argv, ground.environ, cwd=str(cwd) if cwd else None) as wire:
        painted = wire.arrival(marker, 120.0)
        wire.settle()
        process = wire.main()
        sample = {
            "ms": (painted - wire.started) * 1000,
            "ms CPU": cpu_seconds(process) * 1000,
            "MiB": rss_mib(process),
            "KB": len(wire.raw()) / 1000,
        }
        if cwd is None:
            wire.leave()  # a peer is ended by `close`
        return sample


def large_workspaces(ground: Ground) -> list[Figure]:
    """Attached consoles, so that only the screen is measured."""
    scale = ground.scale
    workspaces = {
        EMPTY: ground.desk("large-empty"),
        f"console, {scale.million:,} events": crowds.million(ground),
        f"console, {scale.tickets:,} tickets": crowds.many_tickets(ground),
        f"console, {scale.crowd[-1]} live sessions": crowds.crowd(ground, scale.crowd[-1]),
    }
    markers = dict(zip(workspaces, (b"Needs you", b"agent-", b"q0000", b"agent-0"), strict=True))
    probes: dict[str, Probe] = {
        name: partial(_attached, ground, here, markers[name]) for name, here in workspaces.items()
    }
    besides = _beside(ground, workspaces)
    probes |= {name: partial(paint, ground, one.argv, one.marker, cwd) for name, (one, cwd) in besides.items()}
    samples = interleaved(max(1, ground.scale.rounds // 3), probes, ground.scale.warm)
    found = []
    for name in list(workspaces)[1:]:
        close = [EMPTY, *(other for other in besides if other.endswith(name.removeprefix("console, ")))]
        found += [figure(samples, name, unit, other) for unit in ("ms", "ms CPU", "MiB") for other in close]
    starts = [name for name in besides if name.endswith("one commit")]
    return [figure(samples, EMPTY, unit, other) for unit in ("ms", "MiB") for other in starts] + found


def _attached(ground: Ground, here: wiring.Here, marker: bytes) -> Sample:
    with locked(here):
        return paint(ground, ground.nightdesk(here), marker)


def _beside(ground: Ground, workspaces: Mapping[str, wiring.Here]) -> dict[str, tuple[Peer, Path]]:
    """What else is on this machine, each with the folder it starts in."""
    scale, empty = ground.scale, workspaces[EMPTY].root
    text = ground.place / "history.txt"
    with text.open("w") as out:
        out.writelines(f"2026-11-30 06:11:58 s-{n // 500} turn-end {n:07} end_turn\n" for n in range(scale.million))
    tickets = workspaces[f"console, {scale.tickets:,} tickets"].root
    naive = tuple(ground.python("naive_table.py", *files_of(crowds.crowd(ground, scale.crowd[-1]))))
    found: dict[str, tuple[Peer | None, Path]] = {
        "tig, one commit": (peer("tig", (), b"first"), empty),
        "lazygit, one commit": (peer("lazygit", (), b"first"), empty),
        f"toolong, {scale.million:,} events": (
            peer("tl", (str(text),), f"{scale.million - 1:07}".encode()),
            ground.place,
        ),
        f"lazygit, {scale.tickets:,} tickets": (peer("lazygit", (), b"tickets"), tickets),
        f"DataTable, {scale.crowd[-1]} live sessions": (Peer("naive", naive, b"agent-0"), empty),
    }
    return {name: (one, cwd) for name, (one, cwd) in found.items() if one}


def many_files(ground: Ground) -> list[Figure]:
    """Commands of the queue with thousands of ticket files that have been read before, beside git's look at them."""
    here, count = crowds.many_files(ground), ground.scale.files
    hundred = [str(here.root / "tickets" / f"q{number:05}.md") for number in range(min(100, count))]
    tool = {
        f"nightdesk ticket list, {count:,} files": ("ticket", "list"),
        f"nightdesk status, {count:,} tickets": ("status",),
        f"nightdesk decide, {len(hundred)} files": ("decide", *hundred),
    }
    probes: dict[str, Probe] = {
        name: partial(command, ground.nightdesk(here, *args), ground.environ) for name, args in tool.items()
    }
    bare = f"git status, {count:,} files"
    argv = ["git", "-C", str(here.root), "status", "--porcelain", "-uall"]
    samples = interleaved(
        max(1, ground.scale.rounds // 3), probes | {bare: partial(command, argv, ground.environ)}, ground.scale.warm
    )
    return [figure(samples, name, unit, bare) for unit in ("ms", "ms CPU") for name in tool]
