"""What a new session needs before it is asked for: how its agent is launched, and a folder inside the workspace."""

from __future__ import annotations

import os

from console import wiring
from console.core import settings as rules
from console.core.records import Launch, Refused
from console.core.state import State
from console.verbs.failing import Fail, fail


def launch_of(
    here: wiring.Here, preset: str, protocol: str, prompt_by: str, command: tuple[str, ...]
) -> tuple[Launch, str]:
    if command and preset:
        raise Fail("give a preset or a command after `--`, not both")
    if command:
        if "/" in command[0] and not os.path.isabs(command[0]):
            raise Fail(f"{command[0]} is a relative path; write {os.path.abspath(command[0])}")
        return Launch(argv=command, protocol=protocol, prompt_by=prompt_by), ""  # type: ignore[arg-type]
    loaded = wiring.settings_of(here)
    if why := wiring.distrust(here, loaded):
        raise Fail(why)
    name = preset or loaded.settings.agent
    known: dict[str, rules.Preset] = loaded.settings.presets
    if not name:
        raise Fail(f"no agent named: use --preset, a command after `--`, or `agent:` in {loaded.file}")
    if name not in known:
        raise Fail(f"{loaded.where('presets')}: no preset {name!r}; there are: {', '.join(known) or 'none'}")
    return known[name].launch, name


def folder_of(here: wiring.Here, cwd: str | None, branch: str) -> tuple[str, str]:
    """The session's folder and the root of the worktree it lies in."""
    git = wiring.git_of(here)
    if branch:
        if cwd:
            raise Fail("--worktree makes its own folder; leave --cwd out")
        tree = git.add_worktree(branch, branch)
        if isinstance(tree, Refused):
            fail(tree)
        return tree.path, tree.path
    folder = os.path.realpath(cwd or os.getcwd())
    if not os.path.isdir(folder):
        raise Fail(f"no folder {folder}")
    found = git.worktree_of(folder)
    if not found:
        allowed = "\n".join(f"  {tree.path}" for tree in git.worktrees())
        raise Fail(f"{folder} is outside every worktree of this workspace; allowed, with all below:\n{allowed}")
    return folder, found.path


def came_up(state: State, session: str) -> bool | None:
    s = state.sessions[session]
    return True if s.phase not in ("starting", "suspended", "stopping") else None
