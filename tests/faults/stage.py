"""Makes the demo in a folder, as `nightdesk demo` does, with agents that start a server of their own and a chosen pace.

Run as `python stage.py FOLDER WRAPPER PACE`, in the environment of the play: it writes that environment's state folder.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import yaml

from console import wiring
from console.adapters import trust
from console.cli import demo


def dress(settings: Path, wrapper: str, pace: str) -> None:
    """Every preset runs under `wrapper`, which leaves a process of its own below the agent."""
    known = yaml.safe_load(settings.read_text())
    for preset in known["presets"].values():
        preset["command"] = [wrapper, *preset["command"], "--pace", pace]
    settings.write_text(yaml.safe_dump(known, sort_keys=False))
    commit = ["git", "-c", "commit.gpgSign=false", "commit", "-qam", "Agents with servers"]
    subprocess.run(commit, cwd=settings.parent.parent, check=True, timeout=60)


def main(folder: Path, wrapper: str, pace: str) -> None:
    here = demo.prepare(folder)
    dress(folder / ".nightdesk" / "config.yaml", wrapper, pace)
    trust.record_trust(here.places.trust, here.root, wiring.settings_of(here).digest)
    client = wiring.client(here)
    demo.stage(here, client)
    client.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
