"""Hostile text from every outside source, in every place a person looks: no byte of it is one that a terminal obeys.

An agent's words, tool titles, file names and question; labels, prompts, commit messages, branch names, gate output and
gate arguments; shown in lists, tabs, log, dialogs, filter, palette and toasts, and printed by the command line.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.adapters.demo import demo_dir
from tests.e2e.atdesk import AtDesk, Demo
from tests.e2e.product import Product
from tests.rawterm import violations

EVIL = "\x1b]52;c;ZXZpbA==\x07\x1b]0;owned\x1b\\\x1b[2J\x9b31m\x9d52;c;x\x9c\u202eexe.gpj\u200b"
MARKUP = "[@click=app.quit]click[/] [/x] [link=http://evil.example]y[/link]"
BRANCH = "evil\u202e\u009b31m\u200b"
"""As far as git allows: no C0, no space, no bracket."""
PRINTS = "import os; os.write(1, %r.encode('utf-8', 'surrogateescape') + b'\\xff\\xfe\\n')"
AGENT = (sys.executable, str(demo_dir() / "agent.py"), "--script")


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    made = Product(home=tmp_path / "home", repo=tmp_path / "repo")
    config = made.repo / ".nightdesk" / "config.yaml"
    config.write_text(config.read_text().replace("allowed_commands:\n", "allowed_commands:\n  - python3\n"))
    made.ok("trust")
    yield made
    made.close()


def hostile_plan(product: Product) -> str:
    """A plan whose branch, message, file names, bytes, gate output and gate arguments are hostile; it waits."""
    session = product.start(branch=BRANCH)
    names = ("h0 \x1b[2J", "h4 abc\u202etxt.exe\u2066\u200b", "h5 [bold]markup[_] [@click=app.quit]x[_]")
    worktree = product.worktree(session)
    for name in names:
        (worktree / name).write_text(EVIL + MARKUP + "\n", encoding="utf-8")
    (worktree / "also \x1b[31m here").write_text("not part of it\n")
    paths = [word for name in names for word in ("--commit-path", name)]
    message = f"say {MARKUP} {EVIL}\n\nbody {EVIL}"
    gate = ("python3", "-c", PRINTS % (EVIL + MARKUP))
    policy = product.attach(session, "--then", "commit", *paths, "--commit-message", message, "--", *gate)
    product.ok("session", "prompt", session, f"go {EVIL} {MARKUP}")
    assert product.wait(policy).code == 0, product.status(policy)
    return product.plan(policy)


def hostile_question(product: Product) -> str:
    """A session of the demo's hostile agent; it has said and written everything and waits for an answer."""
    label = f"label {EVIL} {MARKUP}"
    start = ("session", "start", "--label", label, "--prompt", f"{EVIL}{MARKUP}", "--worktree", "asked", "--json")
    session = str(product.ok(*start, "--", *AGENT, "hostile", "--pace", "0").json["sessionId"])
    blocked = (*AGENT, "echo", "--pace", "0")
    other = str(product.ok("session", "start", "--label", MARKUP, "--idle", "--json", "--", *blocked).json["sessionId"])
    red = (PRINTS % (EVIL + MARKUP)) + "; raise SystemExit(3)"
    policy = product.attach(other, "--", "python3", "-c", red, EVIL, MARKUP)
    product.ok("session", "prompt", other, MARKUP)
    assert product.wait(policy).code == 2
    return session


def test_nothing_hostile_reaches_the_terminal_from_any_place(product: Product) -> None:
    plan, session = hostile_plan(product), hostile_question(product)
    the_command_line_prints_nothing_that_a_terminal_obeys(product, plan, session)
    for size in ((120, 40), (50, 20)):
        with AtDesk(product, size=size) as me:
            me.see(*(("◐ 1 waits for you", "? 1 asks") if size == (120, 40) else ("3 need you: ?1 ◐1",)))
            if size == (120, 40):
                everything_on_a_wide_screen(me, plan, session)
                an_alert(me, product)
            else:
                everything_on_a_narrow_one(me)
            me.press("q")
            assert me.screen.wait_exit() == 0, "it left by the key, not by a click in a text"
            assert violations(me.screen.raw()) == []


def everything_on_a_wide_screen(me: AtDesk, plan: str, session: str) -> None:
    me.press("1", "g")
    me.see(f"session {session} · label ␛]52;c;ZXZpbA==␇", "? asks, y answers")
    tabs(me)
    me.press("y")
    me.see("asks: ", "Allow once", "nothing, leave it")
    me.press("escape")
    me.press("n")
    me.see(f"Prompt for {session}")
    me.paste(EVIL + MARKUP)
    me.see("[@click=app.quit]click[/]")
    me.press("escape")
    me.press("w")
    me.look(f"plan {plan[:10]}", "waits for you · a lands it on evil<U+202E><U+009B>31m", "[@click=app.quit]click[/]")
    tabs(me)
    me.press("r")
    me.see("⊘ rejected")
    me.press("u")
    me.see("press u again to take back the rejection", "say [@click=app.quit]")
    me.press("u")
    me.see("waits for you · a lands")
    me.press("w")
    me.see("⊘ blocked · R judges it again")
    tabs(me)
    lists_filter_and_palette(me)


def an_alert(me: AtDesk, product: Product) -> None:
    """A filter in the repository's own configuration, with a hostile name and a hostile command."""
    with open(product.repo / ".git" / "config", "ab") as config:
        config.write(f'[filter "x{EVIL}"]\n\tclean = "{EVIL} {MARKUP}"\n'.replace("\x1b\\", "").encode())
    product.ok("session", "prompt", "s-3", "again")
    me.see("! 1 alert")
    me.press("1", "g")
    me.look("runs a program: ", "␛]52;c;ZXZpbA==␇", "Z restore")
    tabs(me)
    me.look("runs a program: ")
    me.press("A")
    me.see("press A again to take as right")
    me.press("Z")
    me.see("press Z again to put back as it was")
    me.press("Z")
    me.see_no("! 1 alert")


def tabs(me: AtDesk) -> None:
    """All four, once round."""
    for _ in range(4):
        before = me.screen.text()
        me.press("]")
        me.screen.wait_until(lambda before=before: me.screen.text() != before, 20, "another tab")


def lists_filter_and_palette(me: AtDesk) -> None:
    for key, title in zip("2345", ("2 Sessions", "3 Policies", "4 Tickets", "5 Log"), strict=True):
        me.press(key)
        me.see(title)
    me.press("g", "G", "1", "/")
    me.paste(f"{EVIL} {MARKUP}")
    me.see("0 of 3")
    me.press("escape")
    me.see("Needs you (3)")
    me.press(":")
    me.see("Search for commands")
    me.paste(f"{MARKUP}{EVIL}")
    me.see("[@click=app.quit]click[/]")
    me.press("escape", "?")
    me.see("Keys: desk")
    me.press("escape")


def everything_on_a_narrow_one(me: AtDesk) -> None:
    me.press("1", "g", "enter")
    me.see("Allow once")
    me.press("escape")
    tabs(me)
    me.press("backspace", "w")
    me.see("waits for you")
    tabs(me)
    me.press("5")
    me.see("5 Log")
    me.press("q")


def the_command_line_prints_nothing_that_a_terminal_obeys(product: Product, plan: str, session: str) -> None:
    """Also when its output is no terminal: somebody may read the file later."""
    policies = [event["policy"] for event in product.events(types="policy:attached")]
    for args in (
        ("status",),
        ("session", "list"),
        ("session", "show", session, "--tail", "500"),
        ("policy", "list"),
        *(("policy", "status", policy) for policy in policies),
        ("plan", "list", "--all"),
        ("plan", "show", plan),
        ("events", "--limit", "1000"),
        ("sessions", "wait", session, "--timeout", "1"),
        ("session", "show", EVIL),
        ("policy", "status", MARKUP + EVIL),
        ("policy", "ack", policies[0], "--approve", "--plan", EVIL),
        ("policy", "attach", "--session", session, "--", EVIL),
        ("policy", "attach", "--session", EVIL, "--", "python3"),
        ("session", "start", "--preset", EVIL, "--idle"),
        ("session", "answer", session, EVIL),
    ):
        done = product.run(*args)
        for name, text in (("stdout", done.out), ("stderr", done.err)):
            odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n"}
            assert not odd, (args, name, odd)
        assert done.out or done.err, args
    for args in (("session", "list"), ("policy", "list"), ("plan", "show", plan), ("events",), ("status",)):
        out = product.ok(*args, "--json").out
        assert out.isascii() and out.rstrip("\n").isprintable(), args


@pytest.mark.slow
def test_a_demo_session_with_the_hostile_script_goes_through_its_gate_and_lands(tmp_path: Path) -> None:
    """The demo's own repository: what the hostile agent wrote is frozen, shown and landed byte for byte."""
    demo = Demo(home=tmp_path / "home", repo=tmp_path / "shop")
    try:
        with AtDesk(demo, "demo", "--policies", "--dir", str(demo.repo)) as me:
            me.see("◐ 2 wait for you")
            start = ("session", "start", "--label", EVIL, "--idle", "--worktree", "bad", "--json", "--")
            session = str(demo.ok(*start, *AGENT, "hostile", "--pace", "0").json["sessionId"])
            name = "h1 \x1b]52;c;ZXZpbA==\x07"
            commit = ("--then", "commit", "--commit-path", name, "--commit-message", EVIL + MARKUP)
            demo.attach(session, *commit, "--", "python3", "-c", PRINTS % EVIL)
            demo.ok("session", "prompt", session, EVIL)
            me.see("? 1 asks")
            demo.ok("session", "answer", session, "allow")
            me.see("◐ 3 wait for you")
            me.turn_to("a lands it on bad")
            me.press("a")
            me.see("✓ landed on bad")
            me.press("q")
            assert me.screen.wait_exit() == 0
            assert violations(me.screen.raw()) == []
        assert demo.raw("git", "show", f"bad:{name}") == b"\x1b]52;c;ZXZpbA==\x07\n"
    finally:
        demo.close()
