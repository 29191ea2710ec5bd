"""Words for what an ACP agent shows: content blocks, tool calls, diffs, plans. Pure; holds no binary content.

An image, a sound or an embedded file becomes its type and size. A diff is short enough to be read before a decision.
"""

from __future__ import annotations

import re
from typing import Any

from console.adapters.agents.diffs import Budget, diff_text
from console.adapters.agents.payloads import brief

TEXT = 16 * 1024
"""Characters that a tool call or a question shows at most."""
PARTS = 200
"""Content blocks of one message that are looked at; of more it is only told how many."""
STEPS, STEP = 200, 500


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
    text = _parts_text(blocks) if isinstance(blocks, list) else ""
    given = update.get("rawInput")
    command = command_text(given)
    if command and command not in text:
        text = f"$ {command}\n{text}" if text else f"$ {command}"
    return capped(text or (brief(given) if given else ""))


def command_text(given: Any) -> str:
    """The command line in a tool's raw input; "" when there is none."""
    command = given.get("command", given.get("cmd")) if isinstance(given, dict) else None
    if isinstance(command, list):
        command = " ".join(str(word) for word in command)
    return command[:TEXT] if isinstance(command, str) else ""


def _parts_text(blocks: list[Any]) -> str:
    """Until that is more than is shown: whatever comes behind costs nothing."""
    budget, parts, size = Budget(), [], 0
    for number, block in enumerate(blocks):
        if size > TEXT or number >= PARTS:
            parts.append(f"... {len(blocks) - number} more parts")
            break
        if isinstance(block, dict) and (part := _tool_block(block, budget)):
            parts.append(part)
            size += len(part)
    return "\n".join(parts)


def _tool_block(block: dict[str, Any], budget: Budget) -> str:
    if block.get("type") == "diff":
        return capped(diff_text(str(block.get("path", "")), block.get("oldText"), block.get("newText"), budget))
    if block.get("type") == "terminal":
        return content_text(block)
    return content_text(block.get("content"))


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
    return capped(str(plan.get("content") or plan.get("uri") or ""))


def capped(text: str) -> str:
    """At most TEXT characters, and in a last line how much more there was; what was left out before of the same text
    is counted in, so that it can be capped again."""
    body, lines = text, 0
    if told := _LEFT_OUT.search(text):
        body, lines = text[: told.start()], int(told[1])
    if len(body) <= TEXT:
        return text
    lines += body.count("\n", TEXT)
    rest = f"{lines} more lines" if lines else f"{len(body) - TEXT} more characters"
    return f"{body[:TEXT]}\n... {rest}"


_LEFT_OUT = re.compile(r"\n\.\.\. (\d{1,12}) more lines\Z")
