"""What programs rely on: the names, arguments and defaults of every tool. A change here is a change of the contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from console import wiring
from console.core.records import Refused
from console.mcp.scope import Scope
from console.mcp.server import verbs

KNOWN = Path(__file__).with_name("schemas.json")


def scopes(folder: Path) -> dict[str, Scope]:
    places = wiring.places(wiring.Workspace(root=str(folder), common=str(folder), key="k"), {"HOME": str(folder)})
    here = wiring.Here(
        workspace=wiring.Workspace(root=str(folder), common=str(folder), key="k"), places=places, environ={}
    )
    assert not isinstance(here, Refused)
    return {"operator": Scope(here), "session": Scope(here, small=True, session="s-1")}


def plain(schema: Any) -> Any:
    """Without titles and descriptions: those may be said better."""
    if isinstance(schema, dict):
        named = schema.get("properties")
        kept = {k: plain(v) for k, v in schema.items() if k not in ("title", "description", "properties")}
        return kept | ({"properties": {k: plain(v) for k, v in named.items()}} if isinstance(named, dict) else {})
    return [plain(one) for one in schema] if isinstance(schema, list) else schema


def test_the_arguments_of_every_tool_are_those_that_are_known(tmp_path: Path) -> None:
    told = {
        who: {one.name: plain(one.parameters) for one in sorted(verbs(scope), key=lambda one: one.name)}
        for who, scope in scopes(tmp_path).items()
    }
    (tmp_path / KNOWN.name).write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")
    assert told == json.loads(KNOWN.read_text()), f"if that is meant, copy {tmp_path / KNOWN.name} over {KNOWN}"


def test_every_tool_says_what_it_does_with_an_example_that_it_takes(tmp_path: Path) -> None:
    for scope in scopes(tmp_path).values():
        for one in verbs(scope):
            words, _, example = one.description.partition("\n\nExample: ")
            assert len(words) > 30, one.name
            one.checked(json.loads(example))
            assert one.output_schema and one.parameters["additionalProperties"] is False, one.name
            undescribed = [k for k, v in one.parameters["properties"].items() if not v.get("description")]
            assert set(undescribed) <= {"gate", "onFail", "commit", "next", "approve"}, (one.name, undescribed)
