"""The first steps played on real repositories: from a folder to a workspace, from there to a ticket that may run."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from deskplay import until
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from console import beginning, wiring
from console.core.records import Refused
from console.engine.desk import Forgetful
from console.present.keytable import key
from console.tui.app import NightdeskApp
from console.tui.screens import verbs, welcome, welcome_sheets
from console.tui.screens.sheets import AskText, KeyHelp
from console.tui.screens.ticket_sheet import WriteTicket
from console.tui.screens.welcome import Welcome
from console.tui.screens.welcome_sheets import Offer, Trusting
from console.tui.verbpalette import offers
from console.tui.welcome_app import WelcomeApp

ROOT = Path(__file__).parents[2]
ALONE, SETTLE = 0.02, 0.05


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A HOME of its own, and an `opencode` that is the demo's scripted agent."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "opencode").write_text(f"#!/bin/sh\nexec {sys.executable} {ROOT / 'demo' / 'agent.py'} --script echo\n")
    (tools / "opencode").chmod(0o755)
    monkeypatch.setattr(welcome, "EVERY", 0.2)
    monkeypatch.setattr(verbs, "ALONE", ALONE)  # how long that is in earnest, other tests say
    monkeypatch.setattr(welcome_sheets, "SETTLE", SETTLE)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "home").mkdir()
    return dict(os.environ)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    (made / "tests").mkdir(parents=True)
    (made / "tests" / "__init__.py").touch()
    (made / "tests" / "test_a.py").write_text(
        "import unittest\n\nclass A(unittest.TestCase):\n    def test(self): ...\n"
    )
    return made


Press = Callable[..., Awaitable[None]]


def presser(pilot: Pilot[object]) -> Press:
    async def press(*keys: str) -> None:
        for each in keys:
            await pilot.pause(ALONE + 0.01)  # a key that stands alone
            await pilot.press(each)
        await pilot.pause(ALONE + 0.01)

    return press


async def test_an_empty_folder_becomes_a_workspace_on_the_screen(project: Path, environ: dict[str, str]) -> None:
    steps = beginning.bare(project, environ)
    refused = wiring.locate(project, environ)
    assert isinstance(refused, Refused) and beginning.unready(refused)
    app = WelcomeApp(steps, steps.look(), memory=Forgetful(), config_dir=project, environ=environ)
    async with app.run_test(size=(80, 24)) as pilot:
        press = presser(pilot)
        await until(pilot, lambda: isinstance(app.screen, Welcome))
        first = app.screen
        assert isinstance(first, Welcome)
        await press("enter")
        await until(pilot, lambda: isinstance(app.screen, Offer))
        await press("enter")
        assert not (project / ".git").exists(), "the first answer changes nothing"
        await press("enter")
        await until(pilot, lambda: isinstance(app.screen, Offer))
        await press("j", "enter")
        await until(pilot, lambda: first.look.repository)
        subprocess.run(["git", "-C", str(project), "config", "user.name", "Ada"], check=True)
        subprocess.run(["git", "-C", str(project), "config", "user.email", "a@example.invalid"], check=True)
        await until(pilot, lambda: first.step and first.step.name == "commit")
        await press("enter")
        await until(pilot, lambda: isinstance(app.screen, Offer))
        await press("j", "enter")
        await until(pilot, lambda: app.ready)
    assert not isinstance(wiring.locate(project, environ), Refused)


def committed(project: Path) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"]
    subprocess.run(["git", "init", "-q", "-b", "main", str(project)], check=True)
    for key_, value in (("user.name", "Ada"), ("user.email", "ada@example.invalid")):
        subprocess.run(["git", "-C", str(project), "config", key_, value], check=True)
    subprocess.run(["git", "-C", str(project), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(project), *who, "commit", "-qm", "first"], check=True)


async def test_an_empty_folder_has_the_palette_and_what_was_typed_is_not_lost(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    steps = beginning.bare(tmp_path / "home", environ)
    app = WelcomeApp(steps, steps.look(), memory=Forgetful(), config_dir=tmp_path, environ=environ)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Welcome))
        first = app.screen
        assert isinstance(first, Welcome)
        for way in ("colon", "ctrl+p"):
            await pilot.press(way)
            await until(pilot, lambda: CommandPalette.is_open(app))
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is first)
        offered = {offer.name: offer for offer in offers(first)}
        assert offered["Leave"].works and "no desk" in offered["To the desk"].about and "Try the gate" in offered
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, KeyHelp))
        await pilot.press("escape")
        first.step_identity()
        await until(pilot, lambda: isinstance(app.screen, AskText))
        await pilot.press("A", "d", "a", "enter", "escape")
        first.step_identity()
        await until(pilot, lambda: [field.value for field in app.screen.query(Input)] == ["Ada"])


async def test_a_preset_of_ones_own_is_asked_about_and_its_gate_runs_only_when_trusted(
    project: Path, environ: dict[str, str]
) -> None:
    committed(project)
    config = project / ".nightdesk" / "config.yaml"
    config.parent.mkdir()
    program = Path(environ["PATH"].split(":")[0]) / "opencode"
    config.write_text(
        f"gate: touch {project / 'ran'}\nallowed_commands: [touch]\nidentity: {{allow_root: true}}\n"
        f"agent: mine\npresets: {{mine: {{command: [{program}, acp], protocol: acp}}}}\n"
    )
    here = wiring.locate(project, environ)
    assert not isinstance(here, Refused)
    steps = beginning.steps(here)
    refused = steps.attempt("", threading.Event())
    assert isinstance(refused, Refused) and "not trusted" in refused.reason and not (project / "ran").exists()
    client = wiring.client(here)
    app = NightdeskApp(client=client, desk=wiring.desk(here), hosted=None, environ=environ)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Welcome))
        first = app.screen
        assert isinstance(first, Welcome)
        assert "Trust comes first" in first.why_not("try-gate") and first.step and first.step.name == "agent"
        first.step_agent()
        await until(pilot, lambda: isinstance(app.screen, Offer))
        sheet = app.screen
        assert isinstance(sheet, Offer) and str(program) in "\n".join(sheet.lines)
        assert [name for name, _ in sheet.options] == ["", "yes", "other"]
        sheet.dismiss("yes")
        await until(pilot, lambda: "autonomy_confirmed: true" in config.read_text())
    client.close()
    shown = steps.shown()
    assert not isinstance(shown, Refused) and not isinstance(steps.trust(shown.digest), Refused)
    tried = await asyncio.to_thread(steps.attempt, "", threading.Event())
    assert not isinstance(tried, Refused) and tried.verdict == "green"
    unlisted = steps.attempt("ls", threading.Event())
    assert isinstance(unlisted, Refused) and "allowed_commands" in unlisted.reason


async def test_settings_agent_trust_and_a_ticket_from_the_screen_alone(project: Path, environ: dict[str, str]) -> None:
    committed(project)
    here = wiring.locate(project, environ)
    assert not isinstance(here, Refused)
    client = wiring.client(here)
    app = NightdeskApp(client=client, desk=wiring.desk(here), hosted=None, environ=environ)
    async with app.run_test(size=(120, 40)) as pilot:
        press = presser(pilot)
        await until(pilot, lambda: isinstance(app.screen, Welcome))
        first = app.screen
        assert isinstance(first, Welcome)

        async def offered(*keys: str) -> None:
            await until(pilot, lambda: isinstance(app.screen, Offer) or len(app.screen_stack) > 3)
            await press(*keys)

        async def next_is(name: str) -> None:
            await until(pilot, lambda: app.screen is first and first.step and first.step.name == name)

        await next_is("settings")
        await press("enter")
        await offered("j", "enter")
        await next_is("root" if os.geteuid() == 0 else "agent")
        assert "gate: python3 -m unittest -q" in (project / ".nightdesk" / "config.yaml").read_text()
        if os.geteuid() == 0:
            await press("enter")
            await offered("j", "enter")
            await next_is("agent")
        await press("enter")
        for _ in ("which", "level", "agree"):
            stack = app.screen
            await until(pilot, lambda stack=stack: app.screen is not first)  # type: ignore[misc]
            await press("j", "enter")
        await next_is("trust")
        assert first.look.confirmed and not first.look.trusted
        await press("enter")
        await until(pilot, lambda: isinstance(app.screen, Trusting))
        await pilot.pause(SETTLE)
        while isinstance(app.screen, Trusting):
            await press("enter")
            await pilot.pause(SETTLE)
        await next_is("ticket")
        assert first.look.trusted
        await press("enter")
        await until(pilot, lambda: isinstance(app.screen, WriteTicket))
        sheet = app.screen
        assert isinstance(sheet, WriteTicket)
        sheet.query_one(Input).value = "Delete all customer data"
        sheet.query_one(TextArea).load_text("Drop the table customers in production for good.")
        await until(pilot, lambda: sheet.found.verdict and sheet.found.verdict.decision == "PARK")
        sheet.query_one(Input).value = "Say hello"
        sheet.query_one(TextArea).load_text("Write hello.txt.")
        await until(pilot, lambda: sheet.found.verdict and sheet.found.verdict.decision == "PROCEED")
        await press("escape")
        assert app.screen is sheet, "what was written is not lost by one key"
        await press("f2", "j", "enter")
        await next_is("run")
        assert [t.spec.title for t in app.state.tickets.values()] == ["Say hello"]
        assert (project / "tickets" / "say-hello.md").is_file()
    client.close()


def test_a_gate_is_tried_in_a_clean_checkout_and_told_in_words(project: Path, environ: dict[str, str]) -> None:
    committed(project)
    here = wiring.locate(project, environ)
    assert not isinstance(here, Refused)
    steps = beginning.steps(here)
    (project / "uncommitted").touch()
    green = steps.attempt("python3 -m unittest -q", threading.Event())
    assert not isinstance(green, Refused)
    assert (green.verdict, "exit 0" in green.words) == ("green", True), green
    red = steps.attempt("ls uncommitted", threading.Event())
    assert not isinstance(red, Refused)
    assert red.verdict == "red" and "No such file" in red.output
    stop = threading.Event()
    stop.set()
    stopped = steps.attempt("sleep 60", stop)
    assert not isinstance(stopped, Refused) and stopped.words == "stopped by you"
    assert not list((here.places.cache / "checkouts").glob("try-*"))
    missing = steps.attempt("no-such-program", threading.Event())
    assert isinstance(missing, Refused) and "not on the PATH" in missing.reason
    assert key("write-ticket", "desk") == "N"
