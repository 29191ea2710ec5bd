"""Installed dependencies that change during the work are seen, by the kernel's own time."""

from __future__ import annotations

import os
import time
from pathlib import Path

from console.adapters.git.dependencies import changed_since


def test_what_was_installed_before_is_quiet_and_a_changed_file_is_not(tmp_path: Path) -> None:
    module = tmp_path / "node_modules" / "a" / "index.js"
    module.parent.mkdir(parents=True)
    module.write_text("1")
    (tmp_path / "venv").symlink_to("/etc")
    since = time.time() + 0.05
    while time.time() <= since:
        time.sleep(0.01)
    assert changed_since(str(tmp_path), since) == ()
    module.write_text("2")
    os.utime(module, (1, 1))  # its own times can be set, the kernel's cannot
    assert changed_since(str(tmp_path), since) == ("node_modules",)


def test_no_dependencies_is_no_change(tmp_path: Path) -> None:
    assert changed_since(str(tmp_path), 0.0) == ()
