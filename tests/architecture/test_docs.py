"""What the pages show is run: their shell blocks one after the other in a repository and a HOME of their own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import get_args

import click
import pytest
import yaml

from console.adapters import trust
from console.adapters.agents import builtins
from console.adapters.tickets import parse
from console.adapters.tickets.fields import RULES
from console.cli import NOUNS, nightdesk
from console.core import presets, records, settings
from console.core.events import RunStatus
from console.present import keytable
from console.tui import keymap

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import keytables  # noqa: E402

PAGES = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/guide.md",
    "docs/first-ticket.md",
    "docs/night.md",
    "docs/agents.md",
    "docs/policies.md",
    "docs/hanging.md",
    "docs/detaching.md",
    "docs/doctor.md",
    "docs/chains.md",
    "docs/routines.md",
    "docs/notify.md",
    "docs/mcp.md",
    "docs/themes.md",
    "docs/keys.md",
)
PICTURES = [
    "decision-120x40.svg",
    "desk-120x40.svg",
    "desk-80x24.svg",
    "night-120x40.svg",
    "review-120x40.svg",
    "review-80x24.svg",
    *(
        f"sizes/desk-{size}-{theme}.svg"
        for size in ("120x40", "160x50", "50x20", "80x24")
        for theme in ("dark", "high-contrast", "light")
    ),
    "timeline-120x40.svg",
]


def blocks(mark: str, page: str = "README.md") -> list[str]:
    """The code blocks below `<!-- mark -->`, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"<!-- {re.escape(mark)} -->\n```\w+\n(.*?)```", text, re.DOTALL)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A repository with one commit, and an `opencode` on the PATH that is the demo's scripted agent."""
    work = tmp_path / "work"
    (work / "tests").mkdir(parents=True)
    (work / "tests" / "__init__.py").touch()
    (work / "tests" / "test_hello.py").write_text(
        "import pathlib, unittest\n\nclass Hello(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertIn('hello', pathlib.Path('hello.txt').read_text())\n"
    )
    tools = tmp_path / "bin"
    tools.mkdir()
    agent = [sys.executable, str(ROOT / "demo" / "agent.py"), "--pace", "0.01", "--script", "echo"]
    (tools / "opencode").write_text(
        '#!/bin/sh\n[ "$1" = --version ] && exec echo 1.18.33\n'
        f'[ "$1" = --help ] && exec echo "opencode acp, --session ID"\nexec {shlex.join(agent)}\n'
    )
    (tools / "opencode").chmod(0o755)
    (tools / "nightdesk").write_text(f'#!/bin/sh\nexec {sys.executable} -m console "$@"\n')
    (tools / "nightdesk").chmod(0o755)
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.invalid\n")
    sh(work, "git init -q -b main && git add -A && git commit -q -m first")
    return work


def sh(work: Path, script: str) -> subprocess.CompletedProcess[str]:
    home = work.parent
    env = {
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "LC_ALL": "C.UTF-8",
    }
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=work,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def configured(desk: Path) -> None:
    """The settings that the README shows; where these tests run as root, with its leave to do so."""
    (settings,) = blocks("test: settings")
    leave = "identity: {allow_root: true}\n" if os.getuid() == 0 else ""
    (desk / ".nightdesk" / "config.yaml").write_text(settings + leave)
    assert trust.load(desk).problems == ()


def walked(desk: Path, scripts: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return sh(desk, "\n".join(scripts))
    finally:
        sh(desk, "nightdesk stop --now")


def test_the_first_night_in_your_own_repository_works_as_printed(desk: Path) -> None:
    init, *rest = blocks("test: own")
    first = sh(desk, init)
    assert first.returncode == 0, first.stderr
    assert "gate: python3 -m unittest -q (because of tests/)" in first.stdout
    assert "NO-GO" in first.stdout, "preflight speaks before anything is trusted"
    configured(desk)
    done = walked(desk, [*rest, *blocks("test: night", "docs/night.md")])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "GO\n" in done.stdout
    assert "run-1 DRAINED" in done.stdout
    assert "1 DONE" in done.stdout
    assert re.search(r"landed [0-9a-f]{40} on nightdesk/say-hello", done.stdout)
    assert "hello" in (desk / "hello.txt").read_text()
    assert (desk / ".nightdesk" / "night-report.md").is_file()
    assert "night-report" not in sh(desk, "git status --short -uall").stdout


def test_the_walk_through_sessions_and_policies_works_as_printed(desk: Path) -> None:
    assert sh(desk, "nightdesk init").returncode == 0
    configured(desk)
    done = walked(desk, ["nightdesk trust", *blocks("test: own", "docs/policies.md")])
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"landed [0-9a-f]{40} on say-hello", done.stdout)
    assert "waits again" in done.stdout
    assert "policy:committed" in done.stdout
    assert sh(desk, "git log --oneline say-hello | wc -l").stdout.strip() == "1", "the undo took the commit back"


def test_every_key_of_the_settings_is_shown_and_valid(desk: Path) -> None:
    (text,) = blocks("test: all settings", "docs/night.md")
    (desk / ".nightdesk").mkdir()
    (desk / ".nightdesk" / "config.yaml").write_text(text)
    assert trust.load(desk).problems == ()
    shown = yaml.safe_load(text)
    assert set(shown) == set(settings.KEYS)
    for name, rule in settings.KEYS.items():
        if isinstance(rule, dict):
            assert set(shown[name]) == set(rule), f"{name} in docs/night.md"
    assert {key for preset in shown["presets"].values() for key in preset} == set(presets.PRESET)
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    rows = {key for row in re.findall(r"^\| (`[^|]+`) \|", page, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)}
    assert set(presets.PRESET) <= rows, "docs/agents.md has a row for each key of a preset"


def test_the_page_of_agents_has_every_built_in_preset_as_it_is() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    for name in builtins.names():
        raw = builtins.raw(name)
        assert raw is not None
        one = presets.of_builtin(name, raw)
        if not one.tried:
            assert f"`{name}`" in page
            continue
        levels = ", ".join(f"**{each}**" if each == one.autonomy else each for each in presets.levels_of(raw))
        row = re.search(rf"^\| `{name}` \| {re.escape(one.tried)} \|.*\| {re.escape(levels)} \|$", page, re.MULTILINE)
        assert row, f"{name} {one.tried} {levels}"
        opened = " ".join(one.launch.interactive).replace("{conversation}", "ID")
        assert (f"`{opened}`" in row[0]) is bool(opened)


def test_the_settings_that_are_shown_for_agents_are_valid(desk: Path) -> None:
    shown = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "agents.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(shown) == 3
    (desk / ".nightdesk").mkdir()
    for text in shown:
        (desk / ".nightdesk" / "config.yaml").write_text(text)
        assert trust.load(desk).problems == ()


def test_the_defaults_that_are_shown_are_those_of_the_settings(desk: Path) -> None:
    (text,) = blocks("test: all settings", "docs/night.md")
    examples = ("gate", "allowed_commands", "agent", "presets")
    shown = {key: value for key, value in yaml.safe_load(text).items() if key not in examples}
    assert settings.read(shown, lambda _path: 1) == settings.Settings()


def test_every_front_matter_key_is_shown_and_valid() -> None:
    (text,) = blocks("test: ticket", "docs/night.md")
    assert set(yaml.safe_load(text)) == set(RULES)
    parsed = parse(f"---\n{text}---\nThe dates are wrong.\n".encode(), "invoice-dates.md")
    assert not isinstance(parsed, list), parsed
    assert parsed.spec.priority == 10
    assert parsed.spec.timeout == 1200


def test_every_outcome_and_end_of_a_run_is_explained() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    night = (ROOT / "docs" / "night.md").read_text(encoding="utf-8")
    for outcome in get_args(records.Outcome):
        assert f"\n| {outcome} |" in readme
    for status in get_args(RunStatus):
        assert re.search(rf"^\| [^|]*\b{status}\b", night, re.MULTILINE), f"docs/night.md does not explain {status}"


def test_the_page_of_keys_is_made_from_the_table_of_verbs_and_its_example_is_valid() -> None:
    page = keytables.PAGE.read_text(encoding="utf-8")
    assert page == keytables.written(page), "scripts/keytables.py writes it anew"
    places = {each for row in keytable.ROWS for each in row.where} - {"diff"}  # the same keys as on the desk
    assert set(re.findall(r"<!-- keys: (\w+) -->", page)) == places
    (example,) = blocks("test: keys.yaml", "docs/keys.md")
    found = keymap.read(example)
    assert found.problems == () and len(found.own) == len(example.splitlines())


@pytest.mark.parametrize(("table", "place"), [(0, "desk"), (1, "review")])
def test_every_key_of_the_readme_is_a_key_there(table: int, place: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| key \| does \|\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)[table]
    parts = [place, "app", "text", *(["list"] if place == "desk" else [])]
    known = {keytable.label(key) for part in parts for row in keytable.rows(part) for key in keytable.keys_of(row)}
    known |= {str(digit) for digit in range(1, 10)}
    named = [key for line in shown.splitlines() for key in re.findall(r"`([^`]+)`", line.split("|")[1])]
    assert len(named) > 12 and [key for key in named if key not in known] == []


def test_ci_runs_exactly_the_printed_test_command() -> None:
    (command,) = blocks("run: tests")
    assert command == (
        "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m pytest -q -n 3"
        " --dist worksteal\n"
    )
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for mark in ("run: tests", "run: demo"):
        cut = subprocess.run(
            ["bash", "-c", f"{_function(script, 'printed')}\nprinted '{mark}'"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        assert [cut.stdout] == blocks(mark)


def _function(script: str, name: str) -> str:
    found = re.search(rf"^{name}\(\) .*?$", script, re.MULTILINE)
    assert found, f".ci/run has no function {name} on one line"
    return found[0]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_and_picture_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
    here = (ROOT / page).parent
    missing = [link for link in links if link and "://" not in link and not (here / link).exists()]
    assert missing == []


def test_pictures_are_small_and_fetch_nothing() -> None:
    here = ROOT / "docs" / "pictures"
    pictures = sorted(here.rglob("*.svg"))
    assert [str(picture.relative_to(here)) for picture in pictures] == PICTURES
    for picture in pictures:
        text = picture.read_text(encoding="utf-8")
        assert len(text.encode()) < 200_000
        assert "@font-face" not in text
        fetched = set(re.findall(r"https?://[^\s\"'<)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert fetched == set()


def commands() -> dict[str, click.Command]:
    context = click.Context(nightdesk)
    return {name: nightdesk.get_command(context, name) for name in nightdesk.list_commands(context)}


def test_every_command_that_is_offered_exists_and_explains_itself() -> None:
    assert set(commands()) <= set(NOUNS)
    for name, command in commands().items():
        assert command.help, f"`nightdesk {name}` has no help"


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_mentioned_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    known = commands()
    for noun, verb in re.findall(r"`nightdesk ([a-z]+)(?: ([a-z]+))?", text):
        assert noun in known, f"{page} mentions `nightdesk {noun}`"
        group = known[noun]
        if verb and isinstance(group, click.Group):
            assert verb in group.commands, f"{page} mentions `nightdesk {noun} {verb}`"
