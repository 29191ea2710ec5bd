"""The presets that a run would start: known, confirmed, there, able to work with nobody there, and what they carry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from console.adapters.environment import session_env
from console.adapters.preflight import autonomy
from console.adapters.preflight.facts import Facts, no_go, ok, some, warning
from console.core import secrets
from console.core.records import Check, Refused
from console.core.settings import Preset

INJECTS = re.compile(
    r"LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_\w+|PYTHON(?:PATH|HOME|STARTUP|USERBASE|BREAKPOINT)|NODE_(?:OPTIONS|PATH)"
    r"|BASH_ENV|ENV|PROMPT_COMMAND|ZDOTDIR|PERL5(?:LIB|OPT|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS"
    r"|GIT_\w+|GCONV_PATH|GLIBC_TUNABLES|SHELLOPTS|BASHOPTS|IFS"
)
"""Variables that make every program below the agent load or run something else."""


def agents(f: Facts) -> Iterator[Check]:
    if f.pull:
        yield ok("agent", "workers come and ask for tickets: no preset is started")
        return
    if f.loaded.problems:
        yield warning("agent", "not looked at: the settings have problems")
        return
    wanted = f.wanted()
    if not any(not tickets for tickets in wanted.values()):
        known = some(sorted(f.settings.presets)) or "none"
        cure = f"set `agent:` to a preset ({f.where('agent', 'presets')}), or add one below `presets:`"
        yield no_go("agent", f"no agent is named for this run; presets here: {known}", cure)
    for name, tickets in wanted.items():
        preset = f.settings.presets.get(name)
        checks = _preset(f, name, preset) if preset else _unknown(f, name, tickets)
        yield from checks if _strict(f, name, tickets) else map(partial(_eased, tickets), checks)


def _strict(f: Facts, name: str, tickets: tuple[str, ...]) -> bool:
    """Whether the run cannot start without this preset; a program that an agent could have written stops it always."""
    probe = f.probes.get(name)
    return f.needs(tickets) or bool(probe and probe.elsewhere)


def _eased(tickets: tuple[str, ...], check: Check) -> Check:
    """A preset that only some tickets name blocks these tickets, not the night."""
    if check.level != "no-go":
        return check
    what = f"{check.text}; the tickets that name it would end as BLOCKED_ENV: {some(tickets)}"
    return warning(check.name, what, check.cure)


def unfit(f: Facts) -> frozenset[str]:
    """The presets that some tickets name and that cannot do their work as they are."""
    if f.pull or f.loaded.problems:
        return frozenset()
    named = {name: f.settings.presets[name] for name in f.presets() if not f.needs(f.wanted()[name])}
    return frozenset(
        name for name, preset in named.items() if any(c.level == "no-go" for c in _preset(f, name, preset))
    )


def _unknown(f: Facts, name: str, tickets: tuple[str, ...]) -> Iterator[Check]:
    asked = f"named by {some(tickets)}" if tickets else "asked for"
    known = some(sorted(f.settings.presets)) or "none"
    text = f"no preset {name!r} ({asked}); presets here: {known}"
    yield no_go("agent", text, f"add it below `presets:` ({f.where('presets')}), or name another one")


def _preset(f: Facts, name: str, preset: Preset) -> Iterator[Check]:
    judged = autonomy.judge(preset.launch, session_env(f.environ, preset.launch), f.uid)
    line = f"agent {name}"
    yield from _program(f, line, name, preset)
    cure = f"{judged.cure} (presets.{name}.command, {f.where(f'presets.{name}.command')})" if judged.cure else ""
    yield Check(name=line, level=judged.level, text=judged.text, cure=cure)
    if not preset.autonomy_confirmed:
        yield _unconfirmed(f, line, name, judged)
    yield from _carried(f, line, name, preset)


def _unconfirmed(f: Facts, line: str, name: str, judged: autonomy.Judged) -> Check:
    at = f.where(f"presets.{name}.autonomy_confirmed", f"presets.{name}")
    agreed = "read above what it may do without asking" if judged.level != "no-go" else "mend its command first"
    cure = f"{at}: {agreed}; then write `autonomy_confirmed: true` below presets.{name} and run `nightdesk trust`"
    return no_go(line, f"nobody has confirmed what the preset {name} may do without asking", cure)


def _program(f: Facts, line: str, name: str, preset: Preset) -> Iterator[Check]:
    probe = f.probes.get(name)
    at = f.where(f"presets.{name}.command", f"presets.{name}")
    if probe is None:
        yield warning(line, "not looked for", "")
    elif isinstance(probe.found, Refused):
        yield no_go(line, probe.found.reason, f"install it, or correct presets.{name}.command ({at})")
    elif probe.elsewhere:
        text = f"{preset.launch.argv[0]} would be started from a worktree, where an agent can write: {probe.elsewhere}"
        yield no_go(line, text, "take that folder off your PATH")
    elif not probe.asked:
        why = (
            "before the settings are trusted"
            if autonomy.askable(preset)
            else "as `--version` would be a prompt for it: write `version: [PROGRAM, ...]` to have it asked"
        )
        yield warning(line, f"{probe.found}; not asked for its version {why}")
    elif probe.failed:
        cure = f"try `{' '.join(preset.probe)}`; another way to ask is presets.{name}.version ({at})"
        yield no_go(line, f"{probe.found} does not tell its version: {probe.failed}", cure)
    else:
        yield ok(line, f"{probe.found}: {probe.said}")


# -- what its environment carries ------------------------------------------------------------------------


def _carried(f: Facts, line: str, name: str, preset: Preset) -> Iterator[Check]:
    env = preset.launch.env
    at = f.where(f"presets.{name}.env", f"presets.{name}")
    if found := [key for key, value in env.items() if is_secret(key, value)]:
        cure = f"take them out and name them in presets.{name}.pass_env ({at}); set them in your own environment"
        yield warning(line, f"what looks like a secret stands in the settings: {some(found)}", cure)
    passed = [key for key in preset.launch.pass_env if key in f.environ]
    if found := [key for key in (*env, *passed) if INJECTS.fullmatch(key) or key == "PATH"]:
        text = f"every program below the agent is changed by {some(found)}"
        yield warning(line, text, f"leave them out unless they are meant ({at})")


def is_secret(key: str, value: str) -> bool:
    """Whether a value in a preset's environment is a secret written out. It is never shown."""
    if value.startswith("env:"):
        return False
    return bool(secrets.find("preset", None, f"{key}={value}\n".encode())) or secrets.is_random(value)


PUSHES = re.compile(
    r"(?:GH|GITHUB|GITLAB|GL|BITBUCKET|GITEA|FORGEJO|CODEBERG|AZURE_DEVOPS|SYSTEM)_?\w*(?:TOKEN|PAT|PASSWORD|SECRET)"
    r"|CI_JOB_TOKEN|SSH_AUTH_SOCK|SSH_AGENT_PID|GIT_ASKPASS|GIT_SSH\w*|NPM_TOKEN|PYPI_TOKEN|TWINE_\w+|CARGO_REGISTRY_TOKEN"
)


def credentials(f: Facts) -> Iterator[Check]:
    """Ruling 15: what can publish in the operator's name is a blind spot, said and not hidden."""
    seen: set[str] = set()
    for preset in f.presets().values():
        seen |= set(_pushing(session_env(f.environ, preset.launch)))
    names = [*sorted(seen), *f.credentials]
    if not names:
        yield ok("credentials", "none for pushing were found within an agent's reach")
        return
    text = f"an agent could push or publish with {some(names)}: nothing here would see it"
    yield warning("credentials", text, "start the run as a user who has none of them, or protect the branches there")


def _pushing(env: Mapping[str, str]) -> list[str]:
    return [name for name in env if PUSHES.fullmatch(name)]
