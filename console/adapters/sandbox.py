"""Which sandbox this machine allows, which one a session gets, and in which words a person is told what it leaves open.

It makes none itself: the shim does. What cannot be had is a value here, never a weaker sandbox without a word.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from console.adapters import namespaces, shim
from console.core.records import Record, Refused, Sandbox
from console.engine import making

PROGRAM = Path(namespaces.__file__).resolve()
PROBE_LIMIT = 10.0
OPEN = "other files and worktrees, the network, HOME with its credentials, services that run commands for it"


class Tier(Record, frozen=True, kw_only=True):
    """What was found by trying. mounts: folders can be made read-only; pids: a process namespace can be made too.
    reason: "" or why one of them is missing, in words. root: we are root, who owns devices and kernel settings."""

    mounts: bool
    pids: bool
    reason: str = ""
    root: bool = False


def probe(environ: Mapping[str, str], python: str = sys.executable) -> Tier:
    """Make a sandbox in a process of its own and see; 50 ms. Once a supervisor: nothing here changes while it runs."""
    if not shim.HAVE_PROC:
        return Tier(mounts=False, pids=False, reason="this system has no namespaces, only Linux has")
    root = os.geteuid() == 0
    pids = attempt(environ, python, "pids")
    mounts = pids and attempt(environ, python, "mounts")
    if mounts:
        return Tier(mounts=False, pids=False, reason=explain(mounts), root=root)
    return Tier(mounts=True, pids=not pids, reason=pids and f"no process namespace ({pids})", root=root)


def attempt(environ: Mapping[str, str], python: str, what: str) -> str:
    """Nothing when it worked, else `STEP: MESSAGE`."""
    argv = [python, "-I", "-S", str(PROGRAM), str(PROGRAM.parent), what]
    env = {"PATH": environ.get("PATH", os.defpath)}
    try:
        ran = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, env=env, cwd="/", timeout=PROBE_LIMIT, check=False
        )
    except OSError as error:
        return f"starting {python!r}: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"making a sandbox took more than {PROBE_LIMIT:g} s"
    said = ran.stdout.decode("utf-8", "replace").strip()
    if said == "made":
        return ""
    number, _, step = said.partition(" ")
    return f"{step}: {os.strerror(int(number))}" if number.isdigit() else "the attempt ended without a word"


def look(path: str) -> str:
    """A small file of the kernel; "" when it has none of that name."""
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def explain(failure: str, look: Callable[[str], str] = look) -> str:
    """Why no mounts can be made, in words; what the kernel says of itself counts more than the errno."""
    if look("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        return "user namespaces are off (kernel.unprivileged_userns_clone=0)"
    if look("/proc/sys/user/max_user_namespaces") == "0":
        return "user namespaces are off (user.max_user_namespaces=0)"
    if look("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        return "AppArmor allows user namespaces to few programs (kernel.apparmor_restrict_unprivileged_userns=1)"
    if any(line.split() == ["Seccomp:", "2"] for line in look("/proc/self/status").splitlines()):
        return f"this container's seccomp filter does not allow user namespaces ({failure})"
    return f"user namespaces do not work here ({failure})"


# -- what one session gets


def plan(
    tier: Tier,
    wanted: str,
    common_git_dir: str,
    worktree: str,
    state_root: str,
    *,
    writable_git: bool = False,
    pids: bool = False,
    tickets: str = "",
    inboxes: str = "",
    whole: bool = False,
) -> Sandbox | Refused | None:
    """The sandbox of what runs in `worktree`; None for none. wanted: auto, off or require; pids: as wanted by the
    settings. Read-only are the common git dir (with it all linked git dirs and submodules'), the worktree's `.git` when
    that is a file, the tickets folder when there is one, and our state of all workspaces, which comes last; only the
    last two with `writable_git`. whole: the worktree itself is read-only too; HOME and the rest stay as they are.
    inboxes: the folder of what agents leave for us, of which nothing is seen there.
    """
    if wanted == "off" or (wanted == "auto" and not tier.mounts):
        return None
    if not tier.mounts or (wanted == "require" and pids and not tier.pids):
        return Refused(reason=f"sandbox.tier is `require`, but there is no such sandbox here: {tier.reason}")
    if isinstance(made := _made(state_root), Refused):  # what is not there cannot be made read-only
        return made
    found = [] if writable_git else git_paths(common_git_dir, worktree)
    if isinstance(found, Refused):
        return found
    queue = os.path.realpath(tickets) if tickets and os.path.isdir(tickets) else ""
    here = os.path.realpath(worktree)
    kept = [*found, *([queue] if queue else []), os.path.realpath(state_root)]
    for path in kept:
        if here == path or here.startswith(path + "/"):
            cure = "move it, let the preset write (`git: writable`) or set sandbox.tier to `off`"
            return Refused(reason=f"{worktree!r} lies inside {path!r}, which a sandbox makes read-only: {cure}")
    if whole:  # what lies in it is read-only with it; mounts of their own would be in each other's way
        kept = [*(path for path in kept[:-1] if not path.startswith(here + "/")), here, kept[-1]]
    paths = tuple(dict.fromkeys(kept))
    hidden = _made(inboxes, ours=False) if inboxes else ""
    if isinstance(hidden, Refused):
        return hidden
    return Sandbox(read_only=paths, pids=pids and tier.pids, tickets=queue, inboxes=hidden)


def _made(folder: str, *, ours: bool = True) -> str | Refused:
    """ours: where no agent can put anything in its way."""
    try:
        os.makedirs(folder, 0o700, exist_ok=True) if ours else making.made(Path(folder))
    except OSError as error:
        return Refused(reason=f"the folder {folder!r} cannot be made: {error.strerror}")
    return os.path.realpath(folder)


def git_paths(common_git_dir: str, worktree: str) -> list[str] | Refused:
    """What belongs to git. A `.git` that is a link can be exchanged whatever is mounted, so it must lead home."""
    common = os.path.realpath(common_git_dir)
    dot_git = os.path.join(os.path.realpath(worktree), ".git")
    if os.path.islink(dot_git) and os.path.realpath(dot_git) != common:
        return Refused(reason=f"{dot_git!r} is a symbolic link that leads elsewhere: put back what git made")
    return [common, dot_git] if os.path.isfile(dot_git) and not os.path.islink(dot_git) else [common]


def words(tier: Tier, sandbox: Sandbox | None) -> str:
    """One line: which sandbox is on, and what it does not cover."""
    if sandbox is None:
        why = "switched off" if tier.mounts else tier.reason
        return f"no sandbox ({why}): an agent can write .git, Nightdesk's state and everything else that you can"
    others = [path for path in sandbox.read_only if path != sandbox.tickets]
    whole, git = any(os.path.lexists(os.path.join(path, ".git")) for path in others), len(others) > 1
    kept = ".git and Nightdesk's state are read-only" if git else "Nightdesk's state is read-only, .git is not"
    kept = "its worktree, .git and Nightdesk's state are read-only" if whole else kept
    own = "; it sees no processes but its own" if sandbox.pids else ""
    gaps = OPEN if sandbox.pids else f"{OPEN}, signals to your other processes"
    root = "; as root it can still write disks and kernel settings" if tier.root else ""
    return f"sandbox on: {kept}{own}; not covered: {gaps}{root}"
