"""Where the tickets folder of a workspace is. A folder that a link leads out of the repository is never read."""

from __future__ import annotations

import os
from pathlib import Path

from console.core.records import Refused


def tickets_folder(root: Path, name: str) -> Path | Refused:
    """The real path of `name` (the setting `tickets`) below `root`; it need not exist."""
    real_root = os.path.realpath(root)
    if not name.strip() or "\0" in name:
        return Refused(reason="the setting `tickets` names no folder; write one, such as `tickets: tickets`")
    real = os.path.realpath(os.path.join(real_root, name))
    if not real.startswith(real_root.rstrip("/") + "/"):
        return Refused(
            reason=f"the tickets folder {name!r} is {real}, which is not below {real_root}; name a folder inside the "
            "repository in the setting `tickets`, or put a folder there instead of the link"
        )
    inside = os.path.relpath(real, real_root).split("/")[0]
    if inside in (".git", ".nightdesk"):
        return Refused(reason=f"the tickets folder {name!r} lies in {inside}/, which holds other things; name another")
    return Path(real)
