"""The built-in presets on disk: `presets/*.yaml`, read one at a time when a name asks for it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

import console
from console.core.presets import Shelf

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def folder() -> Path:
    """Inside the installed package, or beside it in a checkout."""
    package = Path(console.__file__).resolve().parent
    installed = package / "_data" / "presets"
    return installed if installed.is_dir() else package.parent / "presets"


def names() -> tuple[str, ...]:
    """Of every built-in preset, sorted."""
    return tuple(sorted(file.stem for file in folder().glob("*.yaml")))


@lru_cache
def _raw(name: str) -> dict[str, Any] | None:
    """The keys of one (`core.presets.BUILTIN`), None when there is none of that name."""
    file = folder() / f"{name}.yaml"
    if not _NAME.fullmatch(name) or not file.is_file():
        return None
    data = yaml.load(file.read_text(encoding="utf-8"), Loader=_Loader)
    return data if isinstance(data, dict) else {}


raw = Shelf(_raw, names)
"""The keys of the built-in preset of a name, None when there is none; `raw.names()`. Not to be changed by who asks."""
