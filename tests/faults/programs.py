"""The small programs of a play: agents and gates that leave servers behind, and a git that dawdles where it is told."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

LEASH = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execv(sys.argv[1], sys.argv[1:])"
"""Starts a program that the kernel kills when we die."""

LIMIT = 100
"""Seconds after which an agent or gate of a play ends by itself."""

SERVER = """#!/bin/sh
# An agent or gate with a server: a daemon in its own session, with no environment to know it by.
(env -i {setsid} {sleep} {nap} </dev/null >/dev/null 2>&1 &)
exec timeout -s KILL {limit} "$@"
"""

AGENT = """#!/bin/sh
# While the play is on, an agent and its parent are deaf to TERM, and the parent does not end with the agent.
[ -e {stubborn} ] && trap '' TERM
{server} "$@"
code=$? waits=0
while [ -e {stubborn} ] && [ $waits -lt 100 ]; do sleep 0.1; waits=$((waits + 1)); done
exit $code
"""

GATE = """#!/bin/sh
if [ -e {arm}.gate ] && read -r hold < {arm}.gate && mv {arm}.gate {arm}.taken; then : > {reached}; sleep $hold; fi
exec {server} {python} "$@"
"""

GIT = """#!/bin/sh
# A git that dawdles where it was told to: before the armed command, or when its work is done but not reported.
armed() {{
    [ -e {arm}.$1 ] && {{ read -r hold && read -r pattern; }} < {arm}.$1 || return 1
    case "$args" in *$pattern*) mv {arm}.$1 {arm}.taken ;; *) return 1 ;; esac
}}
args=$*
if armed before; then : > {reached}; sleep $hold; fi
if armed after; then {git} "$@"; code=$?; : > {reached}; sleep $hold; exit $code; fi
exec {git} "$@"
"""


def write_programs(folder: Path, nap: str) -> None:
    """Stand-ins in `folder`/bin: they add servers and pauses, then run the real thing. nap: how long servers sleep."""
    words = {name: str(folder / name) for name in ("arm", "reached", "stubborn")}
    words |= {name: shutil.which(name) or name for name in ("git", "sleep", "setsid")}
    words |= {"nap": nap, "limit": str(LIMIT), "python": sys.executable, "server": str(folder / "bin" / "with-server")}
    for name, text in (("with-server", SERVER), ("agent", AGENT), ("python3", GATE), ("git", GIT)):
        program = folder / "bin" / name
        program.write_text(text.format(**words))
        program.chmod(0o755)
