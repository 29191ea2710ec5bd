"""What is checked before a policy is attached: trust, allowlist and folders. All problems at once, with the cure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from console.core.paths import text_of, typed
from console.core.records import CommitSpec, Gate, Launch, PolicySpec, Refused
from console.core.state import State
from console.engine.ports import Worktree


def _nobody(adapter: str, _model: str) -> Launch | Refused:
    return Refused(reason=f"no preset {adapter!r} is known here")


class Ground:
    """What the checks stand on: the settings' allowlist (already trusted or not) and the workspace's worktrees.

    where_allowed: `file:line` of the allowlist, for the person who must change it. judge(preset, model): how a judge is
    started by it, or why it must not be.
    """

    def __init__(
        self,
        *,
        allowed: Sequence[str],
        where_allowed: str,
        trusted: str,
        worktrees: Sequence[Worktree],
        judge: Callable[[str, str], Launch | Refused] = _nobody,
    ) -> None:
        self._judge = judge
        self.allowed = allowed
        self.where_allowed = where_allowed
        self.trusted = trusted
        self.worktrees = worktrees

    def prepare(self, spec: PolicySpec, state: State) -> PolicySpec | Refused:
        """The spec with its folders and paths made relative to its worktree, or every problem."""
        problems: list[str] = []
        prepared = self._prepare(spec, state, problems)
        return Refused(reason="\n".join(problems)) if problems else prepared

    def _prepare(self, spec: PolicySpec, state: State, problems: list[str]) -> PolicySpec:
        session = state.sessions.get(spec.sessions[0]) if spec.sessions else None
        if session is None:
            return spec
        gate = spec.gate
        if gate:
            problems += self.gate_problems(gate)
            gate = self._with_launch(gate, problems)
            if "\0" in gate.cwd:
                return spec  # the brain refuses it, with everything else that is wrong
            cwd = self.gate_folder(gate.cwd, session.cwd, session.worktree, own=spec.then == "commit")
            if isinstance(cwd, Refused):
                problems.append(cwd.reason)
            else:
                gate = replace(gate, cwd=cwd)
        commit = spec.commit
        if commit:
            commit = self._commit(commit, session.cwd, session.worktree, problems)
        following = self._prepare(spec.next, state, problems) if spec.next else None
        return replace(spec, gate=gate, commit=commit, next=following)

    def gate_problems(self, gate: Gate) -> Iterator[str]:
        """Why this gate may not run here; empty when it may."""
        if gate.judge:
            if self.trusted:
                yield self.trusted
            return
        name = gate.argv[0] if gate.argv else ""
        if not name:
            yield "the gate is empty; give a command"
        elif "/" in name:
            yield f"gate command {name!r} must be a bare name that is found on the PATH, without folders"
        elif self.trusted:
            yield self.trusted
        elif name not in self.allowed:
            listed = ", ".join(self.allowed) or "nothing"
            yield (
                f"gate command {name!r} is not allowed: {self.where_allowed}: allowed_commands lists {listed}; "
                f"add {name!r} there, then run `nightdesk trust`"
            )

    def _with_launch(self, gate: Gate, problems: list[str]) -> Gate:
        """A judge with how its preset starts it now."""
        if not gate.judge or not gate.judge.adapter or self.trusted:
            return gate
        launch = self._judge(gate.judge.adapter, gate.judge.model)
        if isinstance(launch, Refused):
            problems.append(launch.reason)
            return gate
        return replace(gate, judge=replace(gate.judge, launch=launch))

    def gate_folder(self, cwd: str, session_cwd: str, worktree: str, *, own: bool) -> str | Refused:
        """`cwd` relative to the session's worktree; "." stands for the session's own folder. own: a gate that decides
        about a commit runs in the worktree that is committed, and in no other."""
        start = session_cwd if cwd == "." else os.path.join(worktree, cwd)
        real, root = os.path.realpath(start), os.path.realpath(worktree)
        if real == root or real.startswith(root + os.sep):
            return os.path.relpath(real, root)
        for tree in () if own else self.worktrees:
            other = os.path.realpath(tree.path)
            if real == other or real.startswith(other + os.sep):
                return os.path.relpath(real, root)
        allowed = [worktree] if own else [tree.path for tree in self.worktrees]
        outside = "outside the worktree that is committed" if own else "outside every worktree of this workspace"
        listed = "\n".join(f"  {path}" for path in allowed)
        return Refused(reason=f"the gate's folder {real} is {outside}; allowed, with all below:\n{listed}")

    def _commit(self, commit: CommitSpec, cwd: str, worktree: str, problems: list[str]) -> CommitSpec:
        paths = []
        root = os.path.realpath(worktree)
        for path in commit.paths:
            full = os.path.normpath(os.path.join(os.path.realpath(cwd), os.fsdecode(typed(path))))
            if full != root and full.startswith(root + os.sep):
                paths.append(text_of(os.fsencode(os.path.relpath(full, root))))
            else:
                problems.append(f"commit path {path!r} is not a file inside the worktree {root}")
        return replace(commit, paths=tuple(dict.fromkeys(paths)))
