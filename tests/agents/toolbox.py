"""Neutral actions (read, write, edit, run) in the words of an agent: a call of a tool it offers, or text it reads.

It must not know wire formats.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable

from dialects.words import Asked, Call, Json

Fields = dict[str, str]

FIELDS: dict[str, tuple[tuple[str, Fields], ...]] = {
    "read": (
        ("Read", {"file_path": "path"}),
        ("read_file", {"file_path": "path"}),
        ("read", {"filePath": "path"}),
        ("read", {"path": "path"}),
    ),
    "write": (
        ("Write", {"file_path": "path", "content": "content"}),
        ("write_file", {"file_path": "path", "content": "content"}),
        ("write", {"filePath": "path", "content": "content"}),
        ("write", {"path": "path", "content": "content"}),
    ),
    "edit": (
        ("Edit", {"file_path": "path", "old_string": "old", "new_string": "new"}),
        ("replace", {"file_path": "path", "old_string": "old", "new_string": "new", "instruction": "why"}),
        ("edit", {"filePath": "path", "oldString": "old", "newString": "new"}),
        ("edit", {"file_path": "path", "old_string": "old", "new_string": "new"}),
        ("edit", {"path": "path", "edits": "edits"}),
    ),
    "run": (
        ("Bash", {"command": "command", "description": "why"}),
        ("run_shell_command", {"command": "command", "description": "why"}),
        ("bash", {"command": "command", "description": "why"}),
        ("bash", {"command": "command"}),
        ("exec_command", {"cmd": "command"}),
        ("shell_command", {"command": "command"}),
        ("shell", {"command": "words"}),
    ),
}
"""Neutral action -> (tool name, {its field: our name}). The first that the request offers is called."""

EDIT = (
    "import sys; path, old, new = sys.argv[1:]; text = open(path).read(); "
    "assert old in text, 'not found'; open(path, 'w').write(text.replace(old, new, 1))"
)
"""A shell's way of editing, for agents that have no tool for it."""


def call_for(action: str, given: Json, asked: Asked) -> Call | None:
    """The call that does `action` with what the request offers; None when nothing does."""
    if "apply_patch" in asked.freeform and (patch := _patch(action, given, asked)):
        return Call("apply_patch", {"input": patch}, freeform=True)
    if asked.cwd and "path" in given:
        given = given | {"path": os.path.join(asked.cwd, given["path"])}
    return _tool(action, given, asked) or _tool("run", {"command": _in_shell(action, given)}, asked)


def ending(text: str, asked: Asked) -> Call | None:
    """The call that ends the turn with `text`, where text alone does not; None where it does."""
    if not asked.submit:
        return None
    return _tool("run", {"command": f"printf '%s\\n' {asked.submit} {shlex.quote(text)}"}, asked)


def in_prose(action: str, given: Json, asked: Asked) -> str:
    """An edit as the text of a whole file under its name, in a fence; "" for what text cannot do (read and run).

    A file that is edited has to be in the conversation; the text asks for it when it is not.
    """
    if action == "write":
        return _listing(given["path"], given["content"])
    if action != "edit":
        return ""
    for text in reversed(asked.seen):
        _, found, rest = text.partition(f"\n{given['path']}\n```\n")
        content, closed, _ = rest.partition("\n```")
        if found and closed and given["old"] in content:
            return _listing(given["path"], content.replace(given["old"], given["new"], 1))
    return f"I need to see {given['path']} first."


def _listing(path: str, content: str) -> str:
    return f"{path}\n```\n{content.rstrip()}\n```"


def _tool(action: str, given: Json, asked: Asked) -> Call | None:
    words: dict[str, Callable[[], object]] = {
        "why": lambda: "as scripted",
        "words": lambda: ["bash", "-c", given["command"]],
        "edits": lambda: [{"oldText": given["old"], "newText": given["new"]}],
    }
    for tool, names in FIELDS[action]:
        offered = asked.tools.get(tool)
        if offered is not None and (not offered or set(names) <= offered):
            args = {theirs: words[ours]() if ours in words else given[ours] for theirs, ours in names.items()}
            return Call(tool, args)
    return None


def _in_shell(action: str, given: Json) -> str:
    match action:
        case "read":
            return f"cat {shlex.quote(given['path'])}"
        case "write":
            return f"printf %s {shlex.quote(given['content'])} > {shlex.quote(given['path'])}"
        case "edit":
            return f"python3 -c {shlex.quote(EDIT)} {shlex.join([given['path'], given['old'], given['new']])}"
        case _:
            return str(given["command"])


# -- patches, which take whole lines ---------------------------------------------------------------------


def _patch(action: str, given: Json, asked: Asked) -> str:
    """The action as a patch; "" where it is none, or where the lines around an edit were never shown to the model."""
    if action == "write":
        return _in_patch(f"Add File: {given['path']}", [f"+{line}" for line in given["content"].splitlines()])
    if action != "edit":
        return ""
    for text in reversed(asked.seen):
        at = text.find(given["old"])
        if at >= 0:
            start = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at + len(given["old"].rstrip("\n")))
            lines = text[start : end if end >= 0 else len(text)]
            changed = lines.replace(given["old"], given["new"], 1)
            body = [f"-{line}" for line in lines.split("\n")] + [f"+{line}" for line in changed.split("\n")]
            return _in_patch(f"Update File: {given['path']}", ["@@", *body])
    return ""


def _in_patch(head: str, lines: list[str]) -> str:
    return "\n".join(["*** Begin Patch", f"*** {head}", *lines, "*** End Patch"])
