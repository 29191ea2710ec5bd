"""What must be true after every kill: nothing lost, nothing landed twice, the operator's checkout untouched."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from harness import Play

BRANCHES = {"fix-slugify": "shop/slugify.py", "fix-retry": "shop/retry.py"}

INTENTS = {
    "session:added": ("session:started", "exited"),
    "session:prompted": ("turn-start", "exited"),
    "turn-start": ("turn-end", "exited"),
    "policy:gating": ("policy:judged",),
    "plan:approved": ("plan:landing", "plan:void", "plan:rebased"),
    "plan:landing": ("policy:committed", "plan:landing-refused", "plan:void", "plan:rebased"),
    "plan:undo-requested": ("plan:restored", "plan:undo-refused"),
}
"""Intent: what closes it, for the same session, policy or plan."""


def open_intents(events: list[dict[str, Any]]) -> tuple[str, ...]:
    """The intents that had no outcome yet, by type."""
    still: dict[tuple[str, str], None] = {}
    for event in events:
        for intent, outcomes in INTENTS.items():
            about = event.get(_subject(intent), "")
            if event["type"] == intent:
                still[intent, about] = None
            elif event["type"] in outcomes:
                still.pop((intent, about), None)
    return tuple(sorted(intent for intent, _ in still))


def _subject(intent: str) -> str:
    return {"session": "session", "turn-start": "session", "policy": "policy"}.get(intent.partition(":")[0], "plan")


def check(play: Play) -> list[str]:
    """Both plans landed exactly once; the log, the branches and the operator's checkout agree about that. What is
    worth a note."""
    assert play.tail.of("supervisor:trouble") == []
    check_plans(play)
    notes: list[str] = []
    for branch, path in BRANCHES.items():
        _check_branch(play, branch, path)
        notes += _check_worktree(play, branch)
    assert play.git("status", "--porcelain") == "", "the main checkout was touched"
    assert play.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert "nightdesk" not in play.git("reflog", "--format=%gs", "main"), "main was moved"
    assert play.git("fsck", "--full", "--strict", "--no-dangling") == "", "fsck complains"
    turns = Counter((event["session"], event["turn"]) for event in play.tail.of("turn-end"))
    assert turns == {("s-1", 1): 1, ("s-2", 1): 1, ("s-2", 2): 1}, turns
    return notes


def check_plans(play: Play) -> None:
    """Every plan that ever waited has landed, once more often than it was taken back."""
    ready = {event["plan"] for event in play.tail.of("policy:commit-ready")}
    landed = Counter(event["plan"] for event in play.tail.of("policy:committed"))
    landed.subtract(event["plan"] for event in play.tail.of("plan:restored"))
    assert set(landed) == ready and set(landed.values()) == {1}, f"ready {ready}, landed {landed}"
    plans = play.ask("plan", "list", "--all")["plans"]
    assert {plan["plan"]: plan["state"] for plan in plans} == dict.fromkeys(ready, "landed")
    assert {p["status"] for p in play.ask("policy", "list")["policies"]} == {"done"}


def _check_branch(play: Play, branch: str, path: str) -> None:
    """One commit on top of main, the one that the log names; the branch's history tells of no other approval."""
    tip = play.git("rev-parse", f"refs/heads/{branch}")
    named = [event for event in play.tail.of("policy:committed") if event["ref"] == f"refs/heads/{branch}"]
    assert {event["sha"] for event in named} == {tip}, f"{branch} is at {tip}, the log says {named}"
    assert play.git("rev-list", f"main..{branch}") == tip
    assert play.git("rev-parse", f"{tip}^") == play.git("rev-parse", "main")
    assert play.git("diff", "--name-only", "main", branch) == path
    moves = play.git("reflog", "--format=%gs", f"refs/heads/{branch}").splitlines()
    assert sum("approved" in move for move in moves) == len(named), f"{branch}: {moves}"


def _check_worktree(play: Play, branch: str) -> list[str]:
    """Clean, or with its old index entry and a note in the log that says so (killed between the ref and the index)."""
    trees = play.git("worktree", "list", "--porcelain").split("\n\n")
    tree = next(block.splitlines()[0] for block in trees if f"branch refs/heads/{branch}" in block.splitlines())
    dirty = play.git("status", "--porcelain", cwd=Path(tree.removeprefix("worktree ")))
    landings = (event for event in play.tail.of("policy:committed") if event["ref"] == f"refs/heads/{branch}")
    noted = [event.get("note", "") for event in landings]
    if not dirty:
        return []
    assert any("index" in note for note in noted), f"{branch}: {dirty!r} and nobody says so: {noted}"
    return [f"{branch}: index entry left as it was, and said"]
