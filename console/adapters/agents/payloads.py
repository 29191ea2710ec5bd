"""Makes what an agent sends fit to be shown: an image or a file becomes its type and size, never its bytes. Pure."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

BRIEF = 4096
DEPTH, ITEMS, NODES = 12, 200, 2000
LOOKED_AT = 256 * 1024
"""Characters of one text that are looked at."""
RUN = 2000
"""So many characters without a space or a stop are nobody's words; as in the pattern."""

_RUN = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{2000,}={0,2}")
_DATA_URL = re.compile(
    r"\bdata:([a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,60})(?:;[a-z0-9=.-]{1,60}){0,3};base64,([A-Za-z0-9+/=_-]*)", re.I
)


def clean(text: str) -> str:
    """Text without the bytes that it may hold: of data URLs, and of what is as long as nothing that anybody writes."""
    text = _DATA_URL.sub(lambda found: _named(found[1], len(found[2])), text) if "data:" in text else text
    return _RUN.sub(lambda found: f"[{len(found[0])} characters]", text) if len(text) >= RUN else text


def brief(value: Any, limit: int = BRIEF) -> str:
    """Any JSON as short text: as it is when it is text, the texts of a list of content blocks, else as JSON."""
    if isinstance(value, str):
        return clean(value[:LOOKED_AT])[:limit]
    if texts := _texts(value):
        return "\n".join(texts)[:limit]
    return json.dumps(_Shown(limit).of(value, DEPTH), ensure_ascii=False, default=str)[:limit]


def binary(block: Any) -> str:
    """`[image image/png, 1234 characters]` for a block that holds one, as Anthropic, OpenAI, Gemini, MCP and opencode
    write them; "" when it holds none."""
    if not isinstance(block, dict):
        return ""
    for inner in (block, *(block.get(key) for key in ("source", "inlineData", "inline_data", "resource"))):
        if isinstance(inner, dict) and (said := _binary(inner)):
            return said
    url = block.get("image_url")
    return _of_url(url.get("url") if isinstance(url, dict) else url)


def _binary(block: dict[str, Any]) -> str:
    kind = next((block[key] for key in ("mimeType", "media_type", "mime_type", "mime") if block.get(key)), "")
    data = block.get("data") or block.get("blob")
    if isinstance(data, str) and isinstance(kind, str) and kind:
        return _named(kind[:100], len(data))
    return _of_url(block.get("url"))


def _of_url(url: Any) -> str:
    found = _DATA_URL.match(url) if isinstance(url, str) else None
    return _named(found[1], len(found[2])) if found else ""


def _named(kind: str, size: int) -> str:
    return f"[{kind.partition('/')[0]} {kind}, {size} characters]"


def _texts(value: Any) -> list[str]:
    """Of a list that consists of content blocks; none when it is anything else."""
    blocks = value.get("content") if isinstance(value, dict) else value
    if not isinstance(blocks, list):
        return []
    found = [_text_of(block) for block in blocks[:ITEMS]]
    return [text for text in found if text] if all(found) else []


def _text_of(block: Any) -> str:
    if isinstance(block, dict) and block.get("type") == "text":
        return clean(str(block.get("text") or "")[:LOOKED_AT])
    return binary(block)


class _Shown:
    """A copy to be shown, of at most NODES values: deep and broad together would be all of a message of any size."""

    def __init__(self, limit: int) -> None:
        self._left, self._limit = NODES, limit

    def of(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if isinstance(value, str):
            return clean(value[:LOOKED_AT])[: self._limit]
        if not isinstance(value, dict | list):
            return value
        if not depth or self._left <= 0:
            return "..."
        if isinstance(value, list):
            return [self.of(item, depth - 1) for item in itertools.islice(value, ITEMS) if self._left > 0]
        if said := binary(value):
            return said
        items = itertools.islice(value.items(), ITEMS)
        return {str(key)[:200]: self.of(inner, depth - 1) for key, inner in items if self._left > 0}
