"""The tables of docs/keys.md, made from the one table of verbs: `keytables.py` writes them into the page anew."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from console.present import keytable  # noqa: E402

PAGE = ROOT / "docs" / "keys.md"
MARK = re.compile(r"(<!-- keys: (\w+) -->\n)(?:\|.*\n)*")


def table(where: str) -> str:
    """Of a screen or part: its keys, the name for keys.yaml, what it does."""
    lines = ["| key | name | does |", "|---|---|---|"]
    for row in keytable.rows(where):
        keys = row.shown or " ".join(f"`{keytable.label(key)}`" for key in keytable.keys_of(row)).replace("|", "\\|")
        keys = f"`{keys}`" if row.shown else keys or "(palette)"
        name = "" if row.fixed else f"`{row.id}`"
        lines.append(f"| {keys} | {name} | {row.title}: {row.does} |")
    return "\n".join(lines) + "\n"


def written(page: str) -> str:
    """The page with every table as it has to be."""
    return MARK.sub(lambda found: found[1] + table(found[2]), page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
