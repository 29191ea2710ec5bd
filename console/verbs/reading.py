"""The log as plain data for programs."""

from __future__ import annotations

from typing import Any

import msgspec

from console.core.addresses import shown as up_to_host

ADDRESSES = ("notify_url", "webhook")


def entry(row: tuple[int, float, str]) -> dict[str, Any]:
    """One row of the log (`Log.find`)."""
    seq, at, body = row
    fact: dict[str, Any] = hidden(msgspec.json.decode(body))
    return {"seq": seq, "at": at, **fact}


def hidden(value: Any) -> Any:
    """The same without the values of environments, which may be secrets (the names help), and with addresses that are
    told up to their host: what follows may be one, too."""
    if isinstance(value, list):
        return [hidden(one) for one in value]
    if not isinstance(value, dict):
        return value
    hide = "argv" in value and isinstance(value.get("env"), dict)
    shown = {key: hidden(one) for key, one in value.items()}
    shown |= {key: up_to_host(shown[key]) for key in ADDRESSES if isinstance(shown.get(key), str) and shown[key]}
    return shown | {"env": dict.fromkeys(value["env"], "***")} if hide else shown
