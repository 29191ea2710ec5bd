"""Words for what the ACP library raises: error answers and messages that do not fit the schema. Pure."""

from __future__ import annotations

import json

import acp
from pydantic import ValidationError


def error_text(error: acp.RequestError) -> str:
    """Message, code and data of a JSON-RPC error."""
    data = "" if error.data is None else json.dumps(error.data, ensure_ascii=False, default=str)[:2000]
    return f"{error} ({error.code}) {data}".strip()


def first_problem(error: ValidationError) -> str:
    """The first thing that does not fit the schema."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
