"""Settings for a repository that has none: a gate and an agent guessed, and files that are never written over.
Trusts nothing and starts no agent.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console import supervision, wiring
from console.core.records import Refused
from console.verbs.failing import Fail

if TYPE_CHECKING:
    from console.adapters.surveying import Seen

CONFIG = ".nightdesk/config.yaml"
IGNORES = ".nightdesk/.gitignore"
EXAMPLE = "tickets/EXAMPLE.txt"
GLANCE = 256 * 1024
"""Bytes of a project file that a guess looks at."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A gate that the project seems to have, and the file that says so ("" when a person says so)."""

    gate: str
    because: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be written. files: name below the root -> text. gates: every guess, best first. agent: the best that
    is installed here."""

    files: dict[str, str]
    gates: tuple[Guess, ...]
    agent: Seen | None


def draft(here: wiring.Here, gate: Guess | None = None) -> Draft:
    """gate: instead of the best guess."""
    gates, agents = tuple(guesses(here.root)), installed(here)
    chosen = gate or (gates[0] if gates else None)
    files = {CONFIG: config_text(chosen, agents), IGNORES: "night-report.md\n", EXAMPLE: TICKET}
    return Draft(files, gates, next((one for one in agents if one.preset.tried), None))


def write(here: wiring.Here, made: Draft) -> dict[str, bool]:
    """Each file's name -> whether it is new; what is there stays as it is. Fails when one cannot be written,
    and writes nothing through a link out of the repository."""
    root = here.root.resolve()
    for folder in {(here.root / name).parent for name in made.files}:
        if not folder.resolve().is_relative_to(root):
            raise Fail(f"{folder} is a link out of {here.root}; nothing is written there: delete the link first")
    return {name: _write_new(here.root / name, text) for name, text in made.files.items()}


def _write_new(path: Path, text: str) -> bool:
    """False when something is there already, whatever it is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        if error.filename == str(path):
            return False
        raise Fail(f"{path.parent} is in the way: it is no folder") from error
    except OSError as error:
        raise Fail(f"{path} cannot be written: {error.strerror}") from error
    return True


def installed(here: wiring.Here) -> list[Seen]:
    """The agents that are installed here, best first."""
    from console.adapters import surveying

    trees = [tree.path for tree in wiring.git_of(here).worktrees()]
    return surveying.installed(surveying.Ground(environ=here.environ, worktrees=trees, uid=os.geteuid()))


def missing(here: wiring.Here, gate: Sequence[str]) -> str:
    """Why this gate could not start here; "" when it could."""
    if not gate:
        return ""
    from console.adapters.environment import gate_env

    trees = [tree.path for tree in wiring.git_of(here).worktrees()]
    found = supervision.find_command(gate[0], gate_env(here.environ, trees))
    return found.reason if isinstance(found, Refused) else ""


# -- guessing --------------------------------------------------------------------------------------------


def guesses(root: Path) -> Iterator[Guess]:
    """Every gate that the project's files speak for, best first."""
    looks: tuple[Callable[[Path], Guess | None], ...] = (_pytest, _unittest, _npm, _go, _cargo, _make)
    return (guess for look in looks if (guess := look(root)))


def _pytest(root: Path) -> Guess | None:
    signs = {
        "pytest.ini": "",
        "conftest.py": "",
        "tests/conftest.py": "",
        "pyproject.toml": r"pytest",
        "setup.cfg": r"pytest",
        "tox.ini": r"pytest",
        "requirements-dev.txt": r"(?m)^pytest\b",
        "requirements.txt": r"(?m)^pytest\b",
    }
    found = next((name for name, sign in signs.items() if _has(root / name, sign)), "")
    return Guess("pytest -q", found) if found else None


def _unittest(root: Path) -> Guess | None:
    for folder in ("tests", "test"):
        if any((root / folder).glob("test*.py")):
            package = (root / folder / "__init__.py").is_file()
            where = "" if package else f" discover -s {folder}"
            return Guess(f"python3 -m unittest{where} -q", f"{folder}/")
    return None


def _npm(root: Path) -> Guess | None:
    try:
        data = json.loads(_glance(root / "package.json"))
    except ValueError:
        return None
    scripts = data.get("scripts") if isinstance(data, dict) else None
    test = scripts.get("test") if isinstance(scripts, dict) else None
    if not isinstance(test, str) or not test or "no test specified" in test:
        return None
    locks = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn"}
    tool = next((tool for lock, tool in locks.items() if (root / lock).is_file()), "npm")
    return Guess(f"{tool} test", "package.json")


def _go(root: Path) -> Guess | None:
    return Guess("go test ./...", "go.mod") if (root / "go.mod").is_file() else None


def _cargo(root: Path) -> Guess | None:
    return Guess("cargo test", "Cargo.toml") if (root / "Cargo.toml").is_file() else None


def _make(root: Path) -> Guess | None:
    found = next((n for n in ("GNUmakefile", "makefile", "Makefile") if _has(root / n, r"(?m)^(test|check)\s*:")), "")
    if not found:
        return None
    target = "test" if _has(root / found, r"(?m)^test\s*:") else "check"
    return Guess(f"make {target}", found)


def _has(file: Path, sign: str) -> bool:
    return file.is_file() and re.search(sign, _glance(file)) is not None


def _glance(file: Path) -> str:
    try:
        with open(file, "rb") as opened:
            return opened.read(GLANCE).decode("utf-8", "replace")
    except OSError:
        return ""


# -- what is written -------------------------------------------------------------------------------------


def config_text(guess: Guess | None, agents: Sequence[Seen] = ()) -> str:
    """The settings file: short, commented, valid as it is. agents: those installed, best first."""
    gate = f"gate: {guess.gate}" if guess else "# gate: make test"
    allowed = _first(guess.gate) if guess else ""
    return SETTINGS.format(gate=gate, allowed=allowed) + _agent_text(agents)


def _first(gate: str) -> str:
    """The command that a gate starts."""
    return next(iter(shlex.split(gate)), "")


def _agent_text(agents: Sequence[Seen]) -> str:
    best = next((one for one in agents if one.preset.tried), None)
    others = ", ".join(one.name for one in agents if one is not best)
    also = f"# Also found here: {others}.\n" if others else ""
    if best is None:
        return NO_AGENT + also
    may = "\n".join(textwrap.wrap(f"{best.preset.title} {_level(best)}{best.may}.", 105, initial_indent="  # ", **NEXT))
    return AGENT.format(name=best.name, may=may) + also


def _level(one: Seen) -> str:
    return f"at its level `{one.preset.autonomy}`: " if one.preset.autonomy else ""


NEXT: dict[str, Any] = {"subsequent_indent": "  # ", "break_long_words": False, "break_on_hyphens": False}

SETTINGS = """\
# Settings of nightdesk for this repository. What is written here may start programs, so nothing of it
# counts before `nightdesk trust`, and every change of it, comments apart, wants `nightdesk trust` again.

# The check that a turn must pass: exit 0 is green. No shell runs it; for a pipe write a list:
# ["bash", "-o", "pipefail", "-c", "a | b"].
{gate}

# Commands that a gate may start: bare names, found on the PATH outside this repository. Nothing else may run.
allowed_commands: [{allowed}]

# Where green must be seen: "plan" is a clean checkout of exactly what would be committed.
gate_on: plan

# Who works. `nightdesk agents` lists the agents that are known and what each would run; docs/agents.md tells how to
# change one, or to add another. A run starts only an agent for which a person has set autonomy_confirmed: true, after
# reading what it may do without asking.
"""

AGENT = """\
agent: {name}
presets:
{may}
  # `nightdesk agents {name}` tells more. Agreed? Then write true.
  {name}: {{autonomy_confirmed: false}}
"""

NO_AGENT = """\
# agent: opencode
# presets:
#   opencode: {autonomy_confirmed: false}
#   mine: {command: [my-agent, --acp], protocol: acp}
"""

TICKET = """\
---
title: Say in one line what is to be done
---
Tickets are Markdown files in this folder whose names end in .md; this file is only an example.

Describe the work as you would to a colleague who is new here: what is wrong or missing, where to look, how you
will know that it is done. Only this text is needed; everything between the two lines of dashes may be left out.
"""
