"""The words of a judgement on what an agent may do, and a command's arguments as the rules read them. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "no-go"]


@dataclass(frozen=True, slots=True)
class Judged:
    """text: what the agent may do without asking, or why it cannot work alone. cure: what to add to its command.
    known: the tables below say so; else nobody here knows this agent, or its mode."""

    level: Level
    text: str
    cure: str = ""
    known: bool = True


@dataclass(frozen=True, slots=True)
class Args:
    """A command's arguments as most programs read them."""

    words: tuple[str, ...]
    env: Mapping[str, str]
    stdin: bool

    def has(self, *flags: str) -> bool:
        return any(word in flags or word.split("=", 1)[0] in flags for word in self.words)

    def value(self, *flags: str) -> str:
        """What follows the last of these flags, or stands behind its `=`."""
        found = ""
        for number, word in enumerate(self.words):
            name, equals, given = word.partition("=")
            if name in flags:
                found = given if equals else "".join(self.words[number + 1 : number + 2])
        return found

    @property
    def last_flag(self) -> str:
        return next((word for word in reversed(self.words) if word.startswith("-")), "")


ANYTHING = "may edit files and run any command without asking"
EDITS = "may edit files without asking; commands that it wants to run are refused, so that much may go undone"
PARKS = "may edit files without asking; commands that it wants to run are questions, each parks its ticket"
ASKS = "asks before it edits or runs anything: each question parks its ticket"
REFUSED = "what it would ask for is refused"
ROOT_CURE = "start the run as another user, or set IS_SANDBOX: '1' in the preset's env inside a container"
OPENCODE_DENIED = Judged("no-go", "OPENCODE_PERMISSION forbids opencode every edit", "let it allow or ask for `edit`")


def as_root(name: str, args: Args, uid: int) -> Judged | None:
    everything = args.has("--dangerously-skip-permissions") or args.value("--permission-mode") == "bypassPermissions"
    if name == "claude" and uid == 0 and everything and args.env.get("IS_SANDBOX") != "1":
        told = args.env.get("IS_SANDBOX", "")
        known = f": of IS_SANDBOX only the value '1' counts, not {told[:40]!r}" if told else ""
        return Judged("no-go", f"claude refuses to skip permissions as root{known}", ROOT_CURE)
    return None


def opencode_rules(args: Args) -> tuple[str, str]:
    """What OPENCODE_PERMISSION says of (edits, commands): allow, ask or deny; the strictest where it says several."""
    try:
        rules = json.loads(args.env.get("OPENCODE_PERMISSION") or "{}")
    except ValueError:
        return "ask", "ask"
    rules = rules if isinstance(rules, dict) else {"*": rules}
    other = rules.get("*", "allow")
    return _strictest(rules.get("edit", other)), _strictest(rules.get("bash", other))


def _strictest(rule: object) -> str:
    words = {str(word) for word in (rule.values() if isinstance(rule, dict) else (rule,))}
    return "deny" if words == {"deny"} else "allow" if words <= {"allow"} else "ask"
