"""How one session's conversation is opened in the agent's own interactive mode: the program, its environment and its
sandbox, or why it cannot be. Starts nothing. Imports are late."""

from __future__ import annotations

import os
from dataclasses import replace as changed
from typing import TYPE_CHECKING

from console.core.records import Launch, Refused

if TYPE_CHECKING:
    from console.core.sessions import Session
    from console.engine.desk import Opening
    from console.wiring import Here

CONVERSATION = "{conversation}"
LONGEST = 1000
TERMINAL = ("TERM", "COLORTERM")
"""What a program on a terminal is told of it, beside what agents see anyway."""


def opening(here: Here, session: str) -> Opening | Refused:
    """See `Desk.opening`. Blocks: it looks for the program and tries the sandbox."""
    from console import wiring
    from console.adapters.git.binary import GitFailed
    from console.adapters.store import LogError
    from console.core.sessions import not_lendable

    try:
        journal = wiring.open_journal(here)
        s = journal.state.sessions.get(session)
        journal.close()
        if not s:
            return Refused(reason=f"no session {session!r}; `nightdesk session list` shows what there is")
        if why := not_lendable(s, "") or _unfit(here, s):
            return Refused(reason=why)
        return _opening(here, s, [tree.path for tree in wiring.git_of(here).worktrees()])
    except (GitFailed, LogError, OSError) as error:
        return Refused(reason=str(error))


def _unfit(here: Here, s: Session) -> str:
    """Why its conversation must not be opened although the log has nothing against it."""
    from console.adapters import survivors
    from console.adapters.processes import is_alive

    name = s.conversation
    if name.startswith("-") or len(name) > LONGEST or not name.isprintable():
        return f"session {s.session} has a conversation whose id no program should be given: {name[:80]!r}"
    if not os.path.isdir(s.cwd):
        return f"its folder {s.cwd} is gone; start a new session elsewhere"
    if s.shim_pid and s.phase in ("suspended", "exited") and is_alive(s.shim_pid, s.shim_start):
        return f"the last processes of session {s.session} are still being ended: try again in a moment"
    left = survivors.find(here.workspace.key, [s.session]) if s.unproven else ()
    if isinstance(left, Refused):
        return left.reason
    if left:
        return f"of session {s.session} still runs {left[0].text}: end it (`nightdesk doctor` lists it with its cure)"
    return ""


def _opening(here: Here, s: Session, worktrees: list[str]) -> Opening | Refused:
    from msgspec.structs import replace

    from console.adapters.preflight import probing
    from console.core.presets import Preset
    from console.engine.desk import Opening
    from console.engine.session_work import with_inbox
    from console.supervision import sandbox_of

    argv = tuple(word.replace(CONVERSATION, s.conversation) for word in s.launch.interactive)
    launch = replace(s.launch, argv=argv)
    program = probing.programs({s.session: Preset(launch=launch)}, here.environ, worktrees)[s.session]
    if isinstance(program.found, Refused):
        return program.found
    if os.path.isabs(argv[0]) and program.elsewhere:
        return Refused(reason=f"{argv[0]} lies in a worktree, where an agent may have put it: name one outside")
    sandbox, words = sandbox_of(here, s.worktree, s.launch.writable_git)
    if isinstance(sandbox, Refused):
        return sandbox
    inbox = here.places.inbox(s.session)
    if sandbox and inbox.is_dir():
        sandbox = with_inbox(sandbox, inbox)
    if sandbox and sandbox.pids:  # a process namespace is a session of its own, without this terminal
        sandbox = replace(sandbox, pids=False)
        words += "; its own program sees your other processes"
    made = Opening(argv=(program.found, *argv[1:]), cwd=s.cwd, env={}, sandbox=sandbox, words=words)
    return changed(made, env=_environment(here, s, launch))


def _environment(here: Here, s: Session, launch: Launch) -> dict[str, str]:
    """What the session's agent sees (`SessionWork`, `RealAgents`), and which terminal it is on."""
    from console.adapters.environment import session_env, token

    env = session_env(here.environ, launch) | token(here.workspace.key, s.session)
    env |= {name: here.environ[name] for name in TERMINAL if name in here.environ and name not in env}
    env |= {"NIGHTDESK_INBOX": str(here.places.inbox(s.session))}
    return env | {"NIGHTDESK_TICKET": s.ticket} if s.ticket else env
