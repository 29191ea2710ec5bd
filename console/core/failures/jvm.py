"""Names of failing tests in what maven's surefire, gradle and dotnet print. Lines in, names out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_METHOD_OF = re.compile(r"([^()\s]+)\(([\w.$]+)\)")
_LISTED = re.compile(r"\[ERROR\] {2,6}([\w.$]+\.[\w$]+)[:» ].*")
_TOOK = re.compile(r" [(\[]<? ?[\d.]+ ?(?:ms|s|m)(?: [\d.]+ ?m?s)?[)\]]$")


def surefire(lines: Sequence[str]) -> Iterator[str]:
    """From the lines marked `<<< FAILURE!`; from the list at the end when there is none."""
    found = [name for line in lines if (name := _marked(line))]
    yield from found
    if not found:
        for line in lines:
            if line.startswith("[ERROR]  ") and (match := _LISTED.fullmatch(line)):
                yield match[1]


def _marked(line: str) -> str:
    if not line.endswith(("<<< FAILURE!", "<<< ERROR!")) or "Tests run:" in line or "Time elapsed" not in line:
        return ""
    name = line.removeprefix("[ERROR] ").partition("Time elapsed")[0].strip().removesuffix("--").strip()
    found = _METHOD_OF.fullmatch(name)
    return f"{found[2]}.{found[1]}" if found else name


def gradle(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith(" FAILED") and " > " in line and not line.startswith(("> ", "FAILED")):
            parts = line.removesuffix(" FAILED").strip().split(" > ")
            yield " > ".join(part for part in parts if not part.startswith("Gradle Test "))


def dotnet(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        text = line.strip()
        if text.startswith(("Failed ", "X ", "failed ")) and (took := _TOOK.search(text)):
            yield text.partition(" ")[2].removesuffix(took[0]).strip()
        elif text.startswith("[xUnit.net ") and text.endswith(" [FAIL]"):
            yield text.partition("]")[2].removesuffix(" [FAIL]").strip()
