"""An operator at a real terminal, for stories: waits are hidden here, keys come at a human pace unless told otherwise.

The console runs under a pty as a user starts it, with a home of its own; what it writes is also kept as raw bytes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.e2e.product import Product
from tests.rawterm import Screen, terminal_env

PACE = 0.35
"""Seconds between two presses, so that none looks like a burst."""
LOOK = 0.6
"""Seconds that a person looks before a key that counts."""
PATIENCE = 60.0
DRAWN = re.compile(rb"\x1b\[[0-9;]*[ABCDEFGHJKXdf]|[\xe2]\x95[\xad-\xb0]|\x1b\[\?1049h")
"""What a frame is made of: the cursor put somewhere, a part cleared, the corner of a pane."""
CONSOLE = (sys.executable, "-c", "from console.front import main; main()")


def given_back(raw: bytes) -> bytes:
    """What was written since a console last left the alternate screen; nothing while one is open."""
    left = raw.rfind(b"\x1b[?1049l")
    return raw[left:] if left > raw.rfind(b"\x1b[?1049h") else b""


class Demo(Product):
    """A home with nothing in it yet; the demo makes its repository in `repo`."""

    def __post_init__(self) -> None:
        keep = ("PATH", "LANG", "VIRTUAL_ENV", "TMPDIR")
        self.env = {k: os.environ[k] for k in keep if k in os.environ} | {"HOME": str(self.home)}
        self.home.mkdir(parents=True)

    def close(self) -> None:
        if self.repo.exists():
            super().close()

    def branch(self, name: str) -> str:
        """The commit that a branch names."""
        return self.git("rev-parse", f"refs/heads/{name}").strip()

    def plans(self) -> dict[str, dict[str, Any]]:
        """Every plan by the branch it lands on, the latest of each."""
        return {plan["frozen"]["ref"].removeprefix("refs/heads/"): plan for plan in self.all_plans()}

    def all_plans(self) -> list[dict[str, Any]]:
        return list(self.ok("plan", "list", "--all", "--json").json["plans"])

    def raw(self, *args: str) -> bytes:
        """The standard output of a command, as bytes."""
        done = subprocess.run(args, cwd=self.repo, env=self.env, capture_output=True, check=True, timeout=60)
        return done.stdout

    def approvals(self) -> list[str]:
        return [event["plan"] for event in self.events(types="plan:approved")]


class AtDesk:
    """One terminal with a console in it, or a shell that starts one."""

    def __init__(
        self,
        product: Product,
        *args: str,
        size: tuple[int, int] = (120, 40),
        shell: bool = False,
        argv: Sequence[str] = CONSOLE,
        **env: str,
    ) -> None:
        self.product = product
        wanted = terminal_env(**env) | product.env | {"PS1": "ready> ", "ENV": "", "TERM": "xterm-256color"}
        command = ["/bin/sh", "-i"] if shell else [*argv, *args]
        if shell:
            wanted["PATH"] = f"{self._command(product.home / 'bin')}:{wanted['PATH']}"
        cwd = product.repo if product.repo.exists() else product.home
        self.screen = Screen(command, env=wanted, size=size, cwd=str(cwd))
        self._pressed = 0.0

    @staticmethod
    def _command(folder: Path) -> Path:
        """A folder with `nightdesk` in it, the same code that the tests see."""
        folder.mkdir(exist_ok=True)
        script = folder / "nightdesk"
        script.write_text(f'#!/bin/sh\nexec {CONSOLE[0]} -c "{CONSOLE[2]}" "$@"\n')
        script.chmod(0o755)
        return folder

    def __enter__(self) -> AtDesk:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.screen.close()

    # -- eyes ----------------------------------------------------------------------------------------------

    def see(self, *texts: str) -> str:
        """Wait until all of these are on the screen at once; the screen."""
        what = f"{texts} on the screen"

        def seen() -> bool:
            shown = self.screen.text()
            return all(text in shown for text in texts)

        self.screen.wait_until(seen, PATIENCE, what)
        return self.screen.text()

    def see_no(self, *texts: str) -> None:
        for text in texts:
            self.screen.wait_gone(text, PATIENCE)

    def look(self, *texts: str) -> str:
        """See it, and look at it for as long as a person does before a key that counts."""
        shown = self.see(*texts)
        self._until(time.monotonic() + LOOK)
        return shown

    def turn_to(self, headline: str) -> str:
        """Press `w` until the plan with this headline is there, and look at it."""
        offer = " · a lands it on "
        while headline not in (shown := self.see(offer)):
            before = shown[shown.index(offer) :].split("\n")[0].strip("│ ")  # not the row: its age ticks
            self.press("w")
            self.see_no(before)
        return self.look(headline)

    def _until(self, when: float) -> None:
        self.screen.wait_until(lambda: time.monotonic() >= when, PATIENCE, "the clock")

    def at_the_prompt(self) -> None:
        """The shell has its terminal back, and nothing was drawn over its prompt."""
        self.screen.wait_until(lambda: b"ready> " in given_back(self.screen.raw()), PATIENCE, "the prompt")
        self._until(time.monotonic() + LOOK)  # as long as a late frame could take
        self.not_drawn_over()

    def not_drawn_over(self) -> None:
        tail = given_back(self.screen.raw())
        assert not DRAWN.search(tail), f"drawn after the terminal was given back: {tail!r}"

    # -- hands ---------------------------------------------------------------------------------------------

    def press(self, *names: str) -> None:
        """Keys one after the other, at a human pace."""
        for name in names:
            self._until(self._pressed + PACE)
            self.screen.press(name)
            self._pressed = time.monotonic()
        self._until(self._pressed + PACE)

    def type(self, text: str) -> None:
        """Letters and Enter, all at once."""
        self.screen.send(text)
        self._pressed = time.monotonic()

    def paste(self, text: str) -> None:
        self.screen.paste(text)
        self._pressed = time.monotonic()
