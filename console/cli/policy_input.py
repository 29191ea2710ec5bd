"""A policy as people and programs write it (options, JSON) -> the record the brain knows."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec.structs import replace

from console.cli import common
from console.core import settings as rules
from console.core.records import CommitSpec, Gate, OnFail, PolicySpec, Record


class JudgeInput(Record, frozen=True, kw_only=True, rename="camel"):
    adapter: str = ""
    model: str = ""
    prompt: str = ""
    timeout_ms: int = 120_000


class GateInput(Record, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """`{command, args, cwd, timeoutMs}` as in the policy contract; command may be the whole argv."""

    command: str | list[str] = ""
    args: list[str] = []
    cwd: str = "."
    timeout_ms: int = 600_000
    judge: JudgeInput | None = None


class OnFailInput(Record, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    nudge: str = ""
    max_retries: int = 2


class CommitInput(Record, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    paths: list[str] = []
    message: str = ""
    require_human_ack: bool = True


class PolicyInput(Record, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A whole policy as JSON, as `--next-json` takes it. Without sessions: those of the policy before it."""

    session_id: str = ""
    session_ids: list[str] = []
    then: str = "emit"
    gate: GateInput | None = None
    on_fail: OnFailInput | None = None
    commit: CommitInput | None = None
    next: PolicyInput | None = None


DEFAULT_NUDGE = "The check failed (exit {code}). Fix the cause and end your turn. Its output ended with:\n\n{output}"


def _decode(text: str, kind: Any, option: str) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        raise common.Fail(f"{option}: {error}") from error


def _gate(given: GateInput) -> Gate:
    if given.judge:
        raise common.Fail("judge gates are not part of this version; use a command")
    argv = rules.split_command(given.command)
    if isinstance(argv, str):
        raise common.Fail(f"gate command {given.command!r} {argv}")
    return Gate(argv=(*argv, *given.args), cwd=given.cwd, timeout=given.timeout_ms / 1000)


def to_spec(given: PolicyInput, sessions: tuple[str, ...]) -> PolicySpec:
    if given.then not in ("emit", "commit"):
        raise common.Fail(f"then must be emit or commit, not {given.then!r}")
    names = tuple(given.session_ids) or ((given.session_id,) if given.session_id else sessions)
    fail, commit = given.on_fail, given.commit
    return PolicySpec(
        sessions=names,
        then="commit" if given.then == "commit" else "emit",
        gate=_gate(given.gate) if given.gate else None,
        on_fail=OnFail(nudge=fail.nudge or DEFAULT_NUDGE, retries=fail.max_retries) if fail else None,
        commit=CommitSpec(paths=tuple(commit.paths), message=commit.message, ack=commit.require_human_ack)
        if commit
        else None,
        next=to_spec(given.next, names) if given.next else None,
    )


def read_options(options: dict[str, Any], command: tuple[str, ...]) -> PolicyInput:
    """The options of `policy attach` as one input."""
    then, paths = options["then"], options["paths"]
    wants_nudge = options["nudge"] is not None or options["max_retries"] is not None
    on_fail = OnFailInput(
        nudge=options["nudge"] or "", max_retries=2 if options["max_retries"] is None else options["max_retries"]
    )
    commit = CommitInput(paths=list(paths), message=options["message"], require_human_ack=not options["no_ack"])
    following = options["next_json"]
    return PolicyInput(
        then=then,
        gate=_gate_option(options, command),
        on_fail=on_fail if wants_nudge else None,
        commit=commit if then == "commit" or paths else None,
        next=_decode(following, PolicyInput, "--next-json") if following else None,
    )


def _gate_option(options: dict[str, Any], command: tuple[str, ...]) -> GateInput | None:
    if options["gate_json"] and command:
        raise common.Fail("give the gate as --gate-json or after `--`, not both")
    if options["gate_json"]:
        gate: GateInput = _decode(options["gate_json"], GateInput, "--gate-json")
        return gate
    limit = rules.seconds(options["gate_timeout"])
    if not limit:
        raise common.Fail(f'--gate-timeout {options["gate_timeout"]!r} must be a duration such as "90s" or "10m"')
    if not command:
        return None
    return GateInput(command=list(command), cwd=options["gate_cwd"], timeout_ms=int(limit * 1000))


def with_gate(given: PolicyInput, argv: tuple[str, ...]) -> PolicyInput:
    """The same with the settings' gate, when they have one."""
    return replace(given, gate=GateInput(command=list(argv))) if argv else given


def lands_alone(given: PolicyInput | None) -> bool:
    """Whether it, or a policy it leads to, commits without a person."""
    if given is None:
        return False
    return bool(given.commit and not given.commit.require_human_ack) or lands_alone(given.next)


def shell_warnings(given: PolicyInput | None) -> list[str]:
    """Gates whose shell pipes hide a failure: without pipefail only the last command of a pipe counts."""
    if given is None:
        return []
    argv = [given.gate.command] if given.gate and isinstance(given.gate.command, str) else []
    argv = [*(given.gate.command if given.gate and isinstance(given.gate.command, list) else argv)]
    argv += given.gate.args if given.gate else []
    shell = bool(argv) and argv[0] in ("sh", "bash", "dash", "zsh", "ksh") and "pipefail" not in " ".join(argv)
    hides = shell and re.search(r"(?<!\|)\|(?!\|)|\|\|\s*true", " ".join(argv[1:]))
    text = 'warning: this gate can hide a failure (a pipe, or "|| true"): use bash -o pipefail -c, without "|| true"'
    return [*([text] if hides else []), *shell_warnings(given.next)]
