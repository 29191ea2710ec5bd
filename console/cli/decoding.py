"""JSON that a person or a program gives an option, into a record: every problem at once, each with where it stands."""

from __future__ import annotations

import json
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from console.cli import common

T = TypeVar("T", bound=msgspec.Struct)


def decoded(text: str, kind: type[T], option: str, problems: list[str]) -> T:
    """Raises Fail when it is no JSON object; all else that is wrong goes to `problems`, and the default stands in."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise common.Fail(f"{option} is not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise common.Fail(f"{option} must be a JSON object")
    return _record(raw, kind, option, problems)


def _record(raw: dict[str, Any], kind: type[T], where: str, problems: list[str]) -> T:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for key, value in raw.items():
        field = fields.get(key)
        if field is None:
            problems.append(f"{where}: unknown key {key!r}; it can have {', '.join(fields)}")
            continue
        inner = _inner(hints[field.name])
        if inner and isinstance(value, dict):
            given[field.name] = _record(value, inner, f"{where} > {key}", problems)
            continue
        try:
            given[field.name] = msgspec.convert(value, hints[field.name])
        except msgspec.ValidationError as error:
            problems.append(f"{where} > {key}: {str(error)[:1].lower()}{str(error)[1:]}")
    return kind(**given)


def _inner(hint: Any) -> type[msgspec.Struct] | None:
    """The record that a field holds, alone or as `X | None`."""
    known = [one for one in (hint, *get_args(hint)) if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    return known[0] if known else None
