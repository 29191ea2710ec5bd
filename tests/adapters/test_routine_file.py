"""A routine's file: what it means, and every problem of it with line, key and cure."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from console.adapters.routine_file import Ground, read
from console.core.presets import Preset
from console.core.records import Launch, Refused
from console.core.records_routines import RoutineSpec, Waiting

BOT = Launch(argv=("bot",))
WHOLE = """\
# what a night needs
name: release
steps:
  - name: build
    start:
      - {name: api, preset: bot, prompt: Build it, cwd: sub}
      - {name: web, prompt: "Build that"}
    prompt:
      old: go on
      s-4: you too
    waitFor: [api, web, s-4]
    onWait: {policy: auto-allow, prompt: "Yes, go on."}
  - name: check
    prompt: {api: Check it}
    waitFor: [api, old]
    onWait: {policy: escalate, webhook: "https://example.com:8443/hook?a=1", timeout: 90s}
  - name: approve
    ask: Ship it?
    onWait: {policy: escalate, timeout: 1h}
  - name: ship
    prompt: {api: Ship}
    waitFor: [api]
    onWait: fail
"""


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    root = tmp_path / "repo"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    return Ground(
        presets={"bot": Preset(launch=BOT, autonomy_confirmed=True), "shy": Preset(launch=BOT)},
        agent="bot",
        settings="config.yaml",
        sessions={"s-3": "s-3", "s-4": "s-4", "old": "s-3"},
        root=os.path.realpath(root),
        worktree_of=lambda folder: os.path.realpath(root) if Path(folder).is_relative_to(root) else "",
    )


def good(tmp_path: Path, ground: Ground, text: str = WHOLE) -> RoutineSpec:
    file = tmp_path / "release.yaml"
    file.write_text(text, encoding="utf-8")
    spec = read(str(file), ground)
    assert isinstance(spec, RoutineSpec), spec.reason
    return spec


def bad(tmp_path: Path, ground: Ground, text: str | bytes) -> list[str]:
    """Every line of what is wrong, without the file's folder."""
    file = tmp_path / "bad.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    refused = read(str(file), ground)
    assert isinstance(refused, Refused), refused
    return [line.removeprefix(f"{tmp_path}/") for line in refused.reason.split("\n")]


def test_a_whole_file_becomes_the_record_with_names_of_sessions_that_are_there_as_ids(
    tmp_path: Path, ground: Ground
) -> None:
    spec = good(tmp_path, ground)
    assert (spec.name, spec.file) == ("release", str(tmp_path / "release.yaml"))
    assert spec.digest == hashlib.sha256(WHOLE.encode()).hexdigest()
    build, check, approve, ship = spec.steps
    api, web = build.start
    assert (api.name, api.preset, api.launch, api.prompt) == ("api", "bot", BOT, "Build it")
    assert (api.cwd, api.worktree) == (f"{ground.root}/sub", ground.root)
    assert (web.preset, web.cwd) == ("bot", ground.root), "the settings' agent, in the workspace's root"
    assert build.prompts == {"s-3": "go on", "s-4": "you too"} and build.wait_for == ("api", "web", "s-4")
    assert build.on_wait == Waiting(kind="auto-allow", prompt="Yes, go on.")
    assert check.wait_for == ("api", "s-3")
    assert check.on_wait == Waiting(webhook="https://example.com:8443/hook?a=1", timeout=90.0)
    assert (approve.title, approve.on_wait.timeout, ship.on_wait.kind) == ("Ship it?", 3600.0, "fail")


def test_the_file_that_the_manual_shows_is_valid(tmp_path: Path, ground: Ground) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "routines.md").read_text(encoding="utf-8")
    shown = manual.split("```yaml\n")[1].split("```")[0].replace("preset: claude", "preset: bot")
    there = replace(ground, sessions={"docs": "s-9", "s-9": "s-9"})
    spec = good(tmp_path, there, shown)
    assert [step.name for step in spec.steps] == ["build", "check", "approve", "ship"]
    assert spec.steps[0].wait_for == ("api", "web", "s-9")


def test_what_is_left_out_has_a_default(tmp_path: Path, ground: Ground) -> None:
    spec = good(tmp_path, ground, "steps:\n- {name: only, ask: Go on}\n")
    assert spec.name == "release" and spec.steps[0].on_wait == Waiting(kind="escalate", timeout=300.0)


def test_a_name_of_the_routine_comes_before_a_label_of_a_session_that_is_there(tmp_path: Path, ground: Ground) -> None:
    text = "steps:\n- {name: a, start: [{name: old, prompt: hi}], waitFor: [old]}\n"
    assert good(tmp_path, ground, text).steps[0].wait_for == ("old",)


def test_every_problem_is_told_at_once_with_its_line_its_key_and_a_cure(tmp_path: Path, ground: Ground) -> None:
    text = """\
name: [release]
colour: red
steps:
  - name: one
    start:
      - {preset: bot}
      - {name: a, preset: ghost, prompt: x, cwd: nowhere, mode: fast}
      - {name: a, preset: shy, prompt: x, cwd: ../elsewhere}
    waitFor: [7, a, late, ghost]
    onWait: maybe
  - name: one
    name: two
    start: [{name: late, prompt: 5}]
    onWait: {timeout: 5, webhook: "ftp://x", polic: fail}
  - ask: Ship?
    name: three
    prompt: {a: x}
    onWait: auto-allow
  - name: four
  - name: five
    prompt: {ghost: x, a: ""}
    onWait: {policy: fail, prompt: no}
"""
    told = bad(tmp_path, ground, text)
    expected = [
        (1, "name", "must be the routine's name, as a text"),
        (2, "colour", "unknown key; known here: name, steps"),
        (6, "steps.1.start.1.name", "is missing: it takes a name"),
        (7, "steps.1.start.2.mode", "unknown key; known here: cwd, name, preset, prompt"),
        (7, "steps.1.start.2.preset", "no preset 'ghost'; in config.yaml there are: bot, shy"),
        (7, "steps.1.start.2.cwd", "no folder"),
        (8, "steps.1.start.3.name", "'a' is started by step 1 already"),
        (8, "steps.1.start.3.preset", "nobody has confirmed what 'shy' may do"),
        (8, "steps.1.start.3.cwd", "is outside every worktree of this workspace"),
        (9, "steps.1.waitFor.3", "'late' begins only with step 2 (two), which waits for this one"),
        (9, "steps.1.waitFor.4", "no session 'ghost'"),
        (9, "steps.1.waitFor.1", "must be a session's name, as a text"),
        (10, "steps.1.onWait.policy", "must be one of auto-allow, escalate, fail"),
        (12, "steps.2.name", "is written twice; keep one"),
        (13, "steps.2.start.1.prompt", "must be what the agent is told, as a text"),
        (14, "steps.2.onWait.timeout", "must be a duration with its unit"),
        (14, "steps.2.onWait.webhook", "must be a web address"),
        (
            14,
            "steps.2.onWait.polic",
            "unknown key (did you mean policy?); known here: policy, prompt, timeout, webhook",
        ),
        (14, "steps.2.onWait", "needs a policy"),
        (17, "steps.3.prompt", "does not go with `ask`"),
        (18, "steps.3.onWait", "a step that asks a person can only escalate"),
        (19, "steps.4", "does nothing"),
        (21, "steps.5.prompt.ghost", "no session 'ghost'"),
        (21, "steps.5.prompt.a", "must be what the agent is told, as a text"),
        (22, "steps.5.onWait.prompt", "must be a text"),
    ]
    for line, key, words in expected:
        assert any(one.startswith(f"bad.yaml:{line}: {key}: ") and words in one for one in told), (line, key, told)
    known = {f"bad.yaml:{line}: {key}: " for line, key, _ in expected}
    extra = [one for one in told if not any(one.startswith(start) for start in known)]
    assert not extra, extra


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "steps: is missing or empty"),
        ("- a\n", "(file): must be a mapping"),
        ("steps: 5\n", "steps: must be a list of steps"),
        ("steps: [5]\n", "steps.1: must be a mapping"),
        ("name: a\nsteps: [\n", "is not valid YAML"),
        ("steps: []\n---\nsteps: []\n", "is not valid YAML"),
        ("a: &x [1]\nsteps: *x\n", "bad.yaml:2: (file): uses a YAML alias (*x)"),
        (f"steps: {'[' * 60}{']' * 60}\n", "is nested deeper than 40 levels"),
        ("- " * 20000 + "a\n", "is nested deeper than 40 levels"),
        ("steps: !!python/object/apply:os.getpid []\n", "is not valid YAML"),
        (b"name: \xff\n", "bad.yaml:1: (file): is not UTF-8 text"),
        ('steps: [{name: "a\\0", ask: x}]\n', "steps.1.name: holds a character that no text can have"),
        ('steps: [{name: a, ask: "\\ud800"}]\n', "steps.1.ask: holds a character that no text can have"),
        ('steps: [{name: a, start: [{name: x, cwd: "\\0"}]}]\n', "steps.1.start.1.cwd: holds a character"),
        ("steps: [{name: 2026-01-01, ask: x}]\n", "steps.1.name: must be a name, as a text"),
        (f"steps: [{{name: {'a' * 61}, ask: x}}]\n", "steps.1.name: must be one line of at most 60 characters"),
        (f"name: {'a' * 61}\nsteps: [{{name: a, ask: x}}]\n", "1: name: must be one line of at most 60 characters"),
        ('steps: [{name: "a\\nb", ask: x}]\n', "steps.1.name: must be one line"),
        ("steps: [{name: a, waitFor: s-3}]\n", "steps.1.waitFor: must be a list of names of sessions"),
        ("steps: [{name: a, waitFor: [b], start: [{name: b}]}]\n", "would never end: give it a prompt"),
        ("steps: [{name: a, ask: x, onWait: {policy: escalate, timeout: 0s}}]\n", "must be a duration"),
        ("steps: [{name: a, ask: x, onWait: {policy: escalate, prompt: x}}]\n", "means nothing with `escalate`"),
        ("steps: [{name: a, ask: x, onWait: {policy: escalate, webhook: 'http://'}}]\n", "names a host"),
        ("steps: [{name: a, ask: x, onWait: {policy: escalate, webhook: 'http://a:99999/'}}]\n", "names a host"),
        ("steps:\n- name: a\n  start: [{name: [a], prompt: x}]\n", "3: steps.1.start.1.name: must be a name, as a"),
        ("steps:\n- name: a\n  start: [{name: {a: b}, prompt: x}]\n", "3: steps.1.start.1.name: must be a name, as"),
        ("steps: [{name: a, ask: x, onWait: {webhook: 'http://ada:key@a/'}}]\n", "stand in the log: take it out"),
        ("steps: [{name: a, ask: x, onWait: {webhook: 'https://key@a/'}}]\n", "a `secret: env:NAME`"),
        ("#" * 70000, "is larger than 64 KiB"),
    ],
)
def test_what_is_no_routine_is_refused_in_words(tmp_path: Path, ground: Ground, text: str | bytes, words: str) -> None:
    told = bad(tmp_path, ground, text)
    assert any(words in one for one in told), told


ODD = ("[a]", "{a: b}", "7", "1.5", "true", "~", "2026-01-01", "!!set {a, b}", "!!binary aGk=", "!!omap [a: b]", ".nan")


@pytest.mark.parametrize("value", ODD)
def test_no_value_of_another_kind_anywhere_is_more_than_a_problem_in_words(
    value: str, tmp_path: Path, ground: Ground
) -> None:
    file, lines = tmp_path / "odd.yaml", WHOLE.replace("{name: api, preset: bot, prompt: Build it, cwd: sub}", "X")
    plain = lines.replace("- X", "\n        ".join(("- name: api", "preset: bot", "prompt: Build it", "cwd: sub")))
    for number, line in enumerate(plain.splitlines()):
        key, mark, _ = line.rpartition(": ") if "{" not in line else line.partition(": ")
        if mark:
            changed = plain.splitlines()
            changed[number] = f"{key}: {value}"
            file.write_text("\n".join(changed))
            read(str(file), ground)  # no traceback, whatever it says


def test_a_preset_is_named_by_the_file_or_by_the_settings(tmp_path: Path, ground: Ground) -> None:
    nobody = replace(ground, agent="", sessions={})
    [told] = bad(tmp_path, nobody, "steps: [{name: a, start: [{name: x, prompt: y}]}]\n")
    assert told == "bad.yaml:1: steps.1.start.1.preset: is missing, and config.yaml names no `agent`: name a preset"


def test_what_is_no_plain_file_is_neither_waited_for_nor_read(tmp_path: Path, ground: Ground) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("pipe", "no plain file"), ("sub", "cannot be read"), ("gone", "No such file")):
        (tmp_path / "sub").mkdir(exist_ok=True)
        refused = read(str(tmp_path / name), ground)
        assert isinstance(refused, Refused) and words in refused.reason
    refused = read("a\0b", ground)
    assert isinstance(refused, Refused) and "cannot be read" in refused.reason
