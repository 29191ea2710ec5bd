"""Words for what an ACP agent shows: content blocks, tool calls, diffs, plans. Pure; holds no binary content.

An image, a sound or an embedded file becomes its type and size. A diff is short enough to be read before a decision.
"""

from __future__ import annotations

import difflib
from typing import Any

from console.adapters.agents.payloads import brief

TEXT = 16 * 1024
"""Characters that a tool call or a question shows at most."""
LINES, CAREFUL, AROUND = 400, 1500, 3
"""Lines of a diff that are shown; up to how many changed ones the smallest diff is looked for; lines around them."""
STEPS, STEP = 200, 500
READ = 512 * 1024
"""Characters of either side of a diff that are looked at: what is beyond them is not compared."""


def content_text(content: Any) -> str:
    """The text of a content block; for anything else what it is and how big, never its bytes."""
    if not isinstance(content, dict):
        return ""
    if content.get("type") == "text":
        return str(content.get("text", ""))
    resource = content.get("resource")
    resource = resource if isinstance(resource, dict) else {}
    if isinstance(resource.get("text"), str):
        return f"[{resource.get('uri', 'resource')}]\n{resource['text']}"
    known = {**resource, **content}
    name = known.get("name") or known.get("uri") or known.get("mimeType") or known.get("terminalId") or ""
    size = len(str(content.get("data") or resource.get("blob") or ""))
    return f"[{content.get('type', 'content')} {str(name)[:200]}" + (f", {size} characters]" if size else "]")


def tool_text(update: dict[str, Any]) -> str:
    """What a tool call shows: its command, texts and diffs, and for lack of these its raw input in brief."""
    blocks = update.get("content")
    parts = [_tool_block(block) for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    text = "\n".join(part for part in parts if part)
    given = update.get("rawInput")
    command = command_text(given)
    if command and command not in text:
        text = f"$ {command}\n{text}" if text else f"$ {command}"
    return _capped(text or (brief(given) if given else ""))


def command_text(given: Any) -> str:
    """The command line in a tool's raw input; "" when there is none."""
    command = given.get("command", given.get("cmd")) if isinstance(given, dict) else None
    if isinstance(command, list):
        command = " ".join(str(word) for word in command)
    return command[:TEXT] if isinstance(command, str) else ""


def _tool_block(block: dict[str, Any]) -> str:
    if block.get("type") == "diff":
        return diff_text(str(block.get("path", "")), block.get("oldText"), block.get("newText"))
    if block.get("type") == "terminal":
        return content_text(block)
    return content_text(block.get("content"))


def diff_text(path: str, old: Any, new: Any) -> str:
    """The path, then what changes, as lines with `-` and `+`; `(new file)` when there was nothing before."""
    before = old[:READ].splitlines() if isinstance(old, str) else []
    after = new[:READ].splitlines() if isinstance(new, str) else []
    lines = _changes(before, after)
    if any(isinstance(side, str) and len(side) > READ for side in (old, new)):
        lines.append(f"(only the first {READ} characters were compared)")
    shown = "\n".join(lines[:LINES])
    more = f"\n... {len(lines) - LINES} more lines" if len(lines) > LINES else ""
    return _capped(f"{path}{'' if isinstance(old, str) else ' (new file)'}\n{shown}{more}".rstrip("\n"))


def _changes(before: list[str], after: list[str]) -> list[str]:
    """Time grows with the size only: beyond CAREFUL lines what differs is shown as one piece."""
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    gone, come = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(gone) + len(come) > CAREFUL:
        return [f"-{line}" for line in gone] + [f"+{line}" for line in come]
    first, more = max(0, head - AROUND), min(AROUND, tail)
    pieces = before[first : len(before) - tail + more], after[first : len(after) - tail + more]
    made = list(difflib.unified_diff(*pieces, lineterm="", n=AROUND))[2:]
    return made[1:] if sum(line.startswith("@@") for line in made) == 1 else made


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def paths_text(update: dict[str, Any]) -> str:
    """The places that a tool call names, one a line; for lack of these the paths of its diffs."""
    places = update.get("locations")
    named = [place for place in places if isinstance(place, dict)] if isinstance(places, list) else []
    if not named and isinstance(blocks := update.get("content"), list):
        named = [block for block in blocks if isinstance(block, dict) and block.get("type") == "diff"]
    return "\n".join(dict.fromkeys(str(place.get("path", ""))[:1000] for place in named[:STEPS]))


def plan_text(entries: Any) -> str:
    """One "status: step" a line."""
    steps = [step for step in entries if isinstance(step, dict)] if isinstance(entries, list) else []
    return "\n".join(
        f"{step.get('status', '')}: {' '.join(str(step.get('content', '')).split())[:STEP]}" for step in steps[:STEPS]
    )


def plan_update_text(plan: Any) -> str:
    """A plan of the newer shape: a list of steps, a text, or where it is written."""
    if not isinstance(plan, dict):
        return ""
    if isinstance(plan.get("entries"), list):
        return plan_text(plan["entries"])
    return _capped(str(plan.get("content") or plan.get("uri") or ""))


def _capped(text: str) -> str:
    return text if len(text) <= TEXT else f"{text[:TEXT]}\n... {len(text) - TEXT} more characters"
