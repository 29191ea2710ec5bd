"""What the preflight says of built-in presets and of agents that have changed: which line, and what helps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preflight_facts import healthy, levels, load, said, waiting, worst

from console.adapters import trust
from console.adapters.preflight import preflight
from console.adapters.preflight.facts import Drift, Facts, Probe, Queue
from console.core.records import Refused


def built_in(root: Path, **changes: Any) -> Facts:
    """With Gemini CLI as its agent, as the built-in preset has it."""
    f = healthy(load(root, agent="gemini", **changes))
    probe = Probe(found="/bin/gemini", asked=True, said="0.61.0")
    environ = {**f.environ, "GEMINI_API_KEY": "k"}
    return replace(f, probes={"gemini": probe}, environ=environ, builtin=("gemini", "qwen"))


AGREED = {"presets": {"gemini": {"autonomy_confirmed": True, "autonomy": "all"}}}


@pytest.mark.parametrize(
    ("changes", "line", "write"),
    [
        ({"presets": None}, "agent: gemini", "`presets: {gemini: {autonomy_confirmed: true}}`"),
        ({}, "presets:", "`gemini: {autonomy_confirmed: true}` below `presets:`"),
        ({"presets": {"gemini": {"model": "m"}}}, "  gemini:", "`autonomy_confirmed: true` below presets.gemini"),
    ],
)
def test_what_to_write_to_agree_to_a_built_in_preset_is_said_with_its_place_and_what_it_may_do(
    tmp_path: Path, changes: dict[str, Any], line: str, write: str
) -> None:
    f = built_in(tmp_path, **changes)
    if changes.get("presets", 1) is None:
        file = Path(f.loaded.file)
        file.write_text(file.read_text().replace("presets: null\n", ""))
        f = replace(f, loaded=trust.load(tmp_path))
    check = worst(f, "agent gemini")
    number = Path(f.loaded.file).read_text().splitlines().index(line) + 1
    assert check.level == "no-go" and "at the level `edits`: may edit files without asking" in check.text
    assert (
        check.cure.startswith(f"{f.loaded.file}:{number}: ")
        and write in check.cure
        and "`nightdesk trust`" in check.cure
    )


def test_a_release_other_than_the_one_that_was_tried_is_a_note_and_no_more(tmp_path: Path) -> None:
    f = built_in(tmp_path, **AGREED)
    tried = f.settings.presets["gemini"].tried
    for version, note in ((tried, "as tried"), (f"v{tried} beta", "as tried"), ("99.0.1", f"tried with {tried}")):
        now = replace(f, probes={"gemini": Probe(found="/bin/gemini", asked=True, said=version)})
        assert levels(now, "agent gemini") == {"ok"}
        assert f"/bin/gemini: {version}, {note}" in [one.text for one in said(now, "agent gemini")]


@pytest.mark.parametrize(
    ("drift", "words", "cure"),
    [
        (Drift(checked=True, missing=("auto_edit", "--acp")), "no longer knows auto_edit, --acp", "npm install"),
        (Drift(checked=True, missing=("yolo",)), "(1.2.3, tried with 0.61.0)", "presets.gemini.command"),
        (
            Drift(checked=True, why="gemini has no mode yolo: it offers plan"),
            "has no mode yolo",
            "`nightdesk agents gemini`",
        ),
        (Drift(checked=True, why="gemini wants you to log in", login=True), "log in", "run `gemini` once and sign in"),
    ],
)
def test_an_agent_that_has_changed_is_no_go_before_a_token_is_spent(
    tmp_path: Path, drift: Drift, words: str, cure: str
) -> None:
    f = built_in(tmp_path, **AGREED)
    probe = Probe(found="/bin/gemini", asked=True, said="1.2.3")
    f = replace(f, drifts={"gemini": drift}, probes={"gemini": probe})
    check = worst(f, "agent gemini")
    assert check.level == "no-go" and words in check.text and cure in check.cure
    assert f.loaded.file in check.cure or drift.login


def test_a_changed_agent_that_only_some_tickets_name_blocks_these(tmp_path: Path) -> None:
    f = built_in(tmp_path, **AGREED)
    queue = Queue(waiting=(waiting("t-1"), waiting("t-2", agent="shy")))
    shy = {"shy": {"command": ["opencode", "acp"], "autonomy_confirmed": True}, **AGREED["presets"]}
    f = replace(f, loaded=load(tmp_path, agent="gemini", presets=shy), queue=queue)
    found = Probe(found="/bin/opencode", asked=True, said="2.0.0")
    f = replace(f, probes={**f.probes, "shy": found}, drifts={"shy": Drift(checked=True, why="it died")})
    assert worst(f, "agent shy").level == "warning" and preflight(f).unfit == {"shy"} and preflight(f).go


def test_a_built_in_agent_that_is_not_installed_says_how_to_get_it(tmp_path: Path) -> None:
    f = built_in(tmp_path, **AGREED)
    f = replace(f, probes={"gemini": Probe(found=Refused(reason="'gemini' is not on the PATH"))})
    check = worst(f, "agent gemini")
    assert check.level == "no-go" and "npm install -g @google/gemini-cli" in check.cure
    failed = Probe(found="/bin/gemini", asked=True, failed="exit 1: SyntaxError: x (run by Node.js v18.0.0)")
    check = worst(replace(f, probes={"gemini": failed}), "agent gemini")
    assert (
        "Node.js v18.0.0" in check.text
        and "newer Node.js" in check.cure
        and "npm install -g @google/gemini-cli" in check.cure
    )


def test_a_ticket_that_names_a_built_in_preset_which_the_settings_do_not_list(tmp_path: Path) -> None:
    f = built_in(tmp_path, **AGREED)
    f = replace(f, queue=Queue(waiting=(waiting("t-1"), waiting("t-2", agent="qwen"))))
    check = worst(f, "agent")
    assert check.level == "warning" and "do not list the built-in preset qwen (named by t-2)" in check.text
    assert "`qwen: {autonomy_confirmed: true}` below `presets:`" in check.cure
