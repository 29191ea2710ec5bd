"""Gates whose exit status is not that of their tests: a shell script that hides a failure is no judge. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "busybox", "ash"})
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.")
_PIPE = re.compile(r"(?<!\|)\|(?![|&])|\|&")
_HIDDEN = re.compile(r"(?:\|\||;|&|\n)\s*(?:true|:|exit\s+0|/bin/true)\s*(?:$|[;&)}\n])")


def swallowed(argv: Sequence[str]) -> str:
    """How the script of a shell gate can be green although its tests fail, "" when nothing of that kind is seen."""
    if not argv or argv[0].rsplit("/", 1)[-1] not in SHELLS:
        return ""
    at = next((i for i, word in enumerate(argv) if re.fullmatch(r"-[a-z]*c", word)), 0)
    if not at or at + 1 >= len(argv):
        return ""
    script, options = _QUOTED.sub("q", argv[at + 1]), " ".join(argv[1:at])
    if _HIDDEN.search(script):
        return "its script ends in a command that always succeeds"
    if _PIPE.search(script) and "pipefail" not in options and "pipefail" not in script:
        return "its script has a pipe without pipefail: only the last command's status counts"
    return ""
