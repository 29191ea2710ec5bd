"""A session opened in its agent's own program, and back, on a real terminal: the desk lets go and is whole again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from console.terminal.lending import CLEAR, SANE, TITLE_BACK, TITLE_KEPT
from tests.e2e.atdesk import AtDesk
from tests.e2e.product import Product
from tests.rawterm import violations

OWN = """\
import sys, termios
modes = termios.tcgetattr(0)
sys.stdout.write("\\x1b[?1049h\\x1b[?1000h\\x1b[?25l")
print("own program of", sys.argv[1], "at", __import__("os").getcwd(), flush=True)
line = input("say: ")
print("heard", line, flush=True)
modes[3] &= ~termios.ECHO
termios.tcsetattr(0, termios.TCSANOW, modes)
open(sys.argv[2], "w").write(line)
sys.exit(int(line == "bad"))
"""
"""Leaves the terminal as a program does that was not careful: another screen, no cursor, the mouse, no echo."""


@pytest.fixture
def heard(product: Product) -> Path:
    """Where the own program of preset `echo` writes what was typed for it."""
    program, file = product.home / "own.py", product.home / "heard"
    program.write_text(OWN)
    config = product.repo / ".nightdesk" / "config.yaml"
    words = f"[{sys.executable}, {program}, '{{conversation}}', {file}]"
    lines = config.read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("  echo:"))
    lines[at] = lines[at].replace("protocol: acp", f"protocol: acp, interactive: {words}")
    config.write_text("\n".join(lines))
    product.ok("trust")
    return file


def test_a_conversation_is_opened_typed_in_and_the_desk_comes_back(product: Product, heard: Path) -> None:
    session = product.start("echo")
    product.ok("session", "prompt", session, "say hello")
    with AtDesk(product, shell=True) as me:
        me.see("ready>")
        modes = me.screen.tty_modes()
        me.type("nightdesk\n")
        me.see("Sessions (1)")
        me.press("2", "enter")
        me.see("turn 1 ended", "say hello", "o its own program")
        me.press("o")
        me.see(f"Open {session} in echo's own program?", "own.py", "open it here, now")
        conversation = product.ok("session", "show", session, "--json").json["conversation"]
        me.press("j", "enter")
        me.see(f"own program of {conversation} at {product.repo}"[:80], "say:")  # the rest may be on the next line
        assert product.ok("session", "show", session, "--json").json["lent"]["by"]["user"]
        me.type("q x Q n\n")  # keys of the desk, were they for it; more of them come while it comes back
        me.type("qqQ")
        me.look(f"{session} is back; n sends it a prompt", "Sessions (1)", "suspended")
        me.see_no("own program of")
        assert heard.read_text() == "q x Q n"
        me.press("n")
        me.see(f"Prompt for {session}")
        me.type("go on\r")
        me.see("turn 2 ended", "go on")
        me.press("q")
        me.at_the_prompt()
        assert me.screen.tty_modes()[:4] == modes[:4], "the line modes are those of before"
        sane = SANE.rstrip(b"\n")  # keys that were typed ahead may be echoed before its line end
        drawn = me.screen.raw()
        for ours in (TITLE_KEPT + CLEAR, sane, TITLE_BACK + CLEAR):
            assert ours in drawn
            drawn = drawn.replace(ours, b"")
        assert violations(drawn) == []
    facts = product.events(types="session:lent,session:returned")
    told = [(fact["type"], fact.get("code"), fact.get("note", "")) for fact in facts]
    assert told == [("session:lent", None, ""), ("session:returned", 0, "")]
