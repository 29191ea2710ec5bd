"""What sessions and gates see of the operator's environment: a stated allowlist, and nothing by accident.

Pure: the environment is a parameter. Credentials that are reachable through files in HOME are not its business.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from console.core.records import Launch

ALLOWED = re.compile(
    r"HOME|LOGNAME|USER|PATH|SHELL|TERM|LANG|LC_[A-Z_]+|TZ|TMPDIR|XDG_[A-Z_]+"
    r"|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS"
    r"|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY"
)
TOKEN = "NIGHTDESK_SESSION"
"""Carries `WORKSPACE KEY/SESSION` (for gates `WORKSPACE KEY/gate`): fit for a report of what survived only."""
GATE = {"CI": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "NO_COLOR": "1"}


def session_env(environ: Mapping[str, str], launch: Launch) -> dict[str, str]:
    """The environment of an agent: allowed names, those of `pass_env`, and the preset's own values on top.

    GIT_* is never inherited, not even by `pass_env`: a leaked GIT_DIR or GIT_INDEX_FILE would redirect every git call.
    A preset that needs one sets it in `env`.
    """
    kept = _allowed(environ)
    passed = {n: environ[n] for n in launch.pass_env if n in environ and not n.startswith("GIT_")}
    return kept | passed | launch.env


def token(workspace: str, session: str = "gate") -> dict[str, str]:
    """What an environment gets so that the processes of a session, or of a gate, can be told from others later."""
    return {TOKEN: f"{workspace}/{session}"}


def gate_env(environ: Mapping[str, str], worktrees: Iterable[str]) -> dict[str, str]:
    """The environment of a gate: nothing that suggests a terminal, no prompts, and no program out of a worktree.

    PATH loses relative and empty folders and every folder inside one of `worktrees` (links are followed), because
    an agent could have put a program there.
    """
    kept = _allowed(environ)
    kept.pop("TERM", None)
    kept["PATH"] = outside_path(kept.get("PATH", os.defpath), worktrees)
    return kept | GATE


def outside_path(path: str, worktrees: Iterable[str]) -> str:
    """The folders of `path` that are absolute and outside all `worktrees`, in their order."""
    roots = [os.path.realpath(root) for root in worktrees]
    return os.pathsep.join(f for f in path.split(os.pathsep) if os.path.isabs(f) and not _inside(f, roots))


def _inside(folder: str, roots: list[str]) -> bool:
    """True when the folder as written or as resolved lies in a root: either way an agent may decide what is there."""
    places = {os.path.realpath(folder), os.path.normpath(folder)}
    return any(place == root or place.startswith(root.rstrip("/") + "/") for place in places for root in roots)


def _allowed(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if ALLOWED.fullmatch(name)}
