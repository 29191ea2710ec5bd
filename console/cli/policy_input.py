"""A policy as people and programs write it (options, JSON) -> the record the brain knows."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from console.cli import common, textfile
from console.cli.decoding import decoded
from console.core import settings as rules
from console.core.policies import LONGEST_PROMPT
from console.core.records import CommitSpec, Gate, Judge, Launch, OnFail, PolicySpec, Record, Refused
from console.core.settings_checks import LONGEST


class JudgeInput(Record, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """`{adapter, model, prompt, timeoutMs}`: an agent that judges, started by the preset `adapter`."""

    adapter: str = ""
    model: str | None = None
    prompt: str = ""
    timeout_ms: int = 120_000


class GateInput(Record, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """`{command, args, cwd, timeoutMs}` or `{judge}` as in the policy contract; command may be the whole argv."""

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


DEFAULT_JUDGE_NUDGE = (
    "An agent that judged your work did not pass it (verdict: {code}). Where what it found is right, repair that, "
    "then end your turn. It said:\n\n{output}"
)


def _gate(given: GateInput, problems: list[str]) -> Gate | None:
    if given.judge:
        judge = given.judge
        words = (given.command,) if isinstance(given.command, str) else tuple(given.command)
        return Gate(
            argv=tuple(word for word in (*words, *given.args) if word),  # a gate is one of both: told with the rest
            cwd=given.cwd,
            judge=Judge(
                adapter=judge.adapter,
                model=judge.model or "",
                prompt=judge.prompt,
                timeout=_seconds(judge.timeout_ms),
                launch=Launch(argv=()),  # looked up where the policy is attached
            ),
        )
    argv = rules.split_command(given.command)
    if isinstance(argv, str):
        problems.append(f"gate command {given.command!r} {argv}")
        return None
    return Gate(argv=(*argv, *given.args), cwd=given.cwd, timeout=_seconds(given.timeout_ms))


def _seconds(milliseconds: int) -> float:
    """What is out of bounds stays so, and is told with the rest; whole numbers of JSON may be larger than any float."""
    return max(-1, min(milliseconds, int(LONGEST * 1000) + 1)) / 1000


def to_spec(given: PolicyInput, sessions: tuple[str, ...]) -> PolicySpec:
    """Raises Fail with everything that is wrong with the input itself. A judge's launch is looked up later."""
    problems: list[str] = []
    spec = as_spec(given, sessions, problems)
    if problems:
        raise common.Fail("\n".join(problems))
    return spec


def as_spec(given: PolicyInput, sessions: tuple[str, ...], problems: list[str]) -> PolicySpec:
    """What is wrong goes to `problems`; then the spec is fit for being checked further, not for being attached."""
    if given.then not in ("emit", "commit"):
        problems.append(f"then must be emit or commit, not {given.then!r}")
    names = tuple(given.session_ids) or ((given.session_id,) if given.session_id else sessions)
    gate = _gate(given.gate, problems) if given.gate else None
    broken = given.gate is not None and gate is None
    commit = given.commit
    return PolicySpec(
        sessions=names,
        then="commit" if given.then == "commit" else "emit",
        gate=gate,
        on_fail=None if broken else _on_fail(given.on_fail, gate),
        commit=CommitSpec(paths=tuple(commit.paths), message=commit.message, ack=commit.require_human_ack)
        if commit
        else None,
        next=as_spec(given.next, names, problems) if given.next else None,
    )


def _on_fail(given: OnFailInput | None, gate: Gate | None) -> OnFail | None:
    usual = DEFAULT_JUDGE_NUDGE if gate and gate.judge else DEFAULT_NUDGE
    return OnFail(nudge=given.nudge or usual, retries=given.max_retries) if given else None


def read_options(options: dict[str, Any], command: tuple[str, ...], problems: list[str]) -> PolicyInput:
    """The options of `policy attach` as one input; what is wrong in JSON goes to `problems`."""
    then, paths = options["then"], options["paths"]
    wants_nudge = options["nudge"] is not None or options["max_retries"] is not None
    on_fail = OnFailInput(
        nudge=options["nudge"] or "", max_retries=2 if options["max_retries"] is None else options["max_retries"]
    )
    commit = CommitInput(paths=list(paths), message=options["message"], require_human_ack=not options["no_ack"])
    following = options["next_json"]
    return PolicyInput(
        then=then,
        gate=_gate_option(options, command, problems),
        on_fail=on_fail if wants_nudge else None,
        commit=commit if then == "commit" or paths else None,
        next=decoded(following, PolicyInput, "--next-json", problems) if following else None,
    )


def _gate_option(options: dict[str, Any], command: tuple[str, ...], problems: list[str]) -> GateInput | None:
    given = [name for name, one in (("--gate-json", options["gate_json"]), ("--judge", options["judge"])) if one]
    given += ["`--`"] * bool(command)
    if len(given) > 1:
        raise common.Fail(f"give the gate as {' or '.join(given)}, not {'both' if len(given) == 2 else 'all'}")
    alone = [name for name in ("judge_prompt", "judge_model", "judge_timeout") if options[name] is not None]
    if alone and not options["judge"]:
        raise common.Fail(f"--{alone[0].replace('_', '-')} says nothing without --judge PRESET")
    if options["gate_json"]:
        return decoded(options["gate_json"], GateInput, "--gate-json", problems)
    if options["judge"]:
        return GateInput(cwd=options["gate_cwd"], judge=_judge_option(options))
    if not command:
        _duration(options["gate_timeout"], "--gate-timeout")
        return None
    limit = _duration(options["gate_timeout"], "--gate-timeout")
    return GateInput(command=list(command), cwd=options["gate_cwd"], timeout_ms=int(limit * 1000))


def _judge_option(options: dict[str, Any]) -> JudgeInput:
    limit = _duration(options["judge_timeout"] or "2m", "--judge-timeout")
    text = options["judge_prompt"] or ""
    if text.startswith("@"):
        given = textfile.read(text[1:], LONGEST_PROMPT)
        if isinstance(given, Refused):
            raise common.Fail(f"--judge-prompt {text}: {given.reason}")
        text = given
    return JudgeInput(adapter=options["judge"], model=options["judge_model"], prompt=text, timeout_ms=int(limit * 1000))


def _duration(text: str, option: str) -> float:
    limit = rules.seconds(text)
    if not limit:
        raise common.Fail(f'{option} {text!r} must be a duration such as "90s" or "10m"')
    if limit > LONGEST:
        raise common.Fail(f"{option} {text!r} must be at most 1000 hours")
    return limit


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
