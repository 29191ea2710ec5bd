"""The presets that a run would start: known, confirmed, there, able to work with nobody there, and what they carry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from console.adapters.environment import session_env
from console.adapters.preflight import autonomy
from console.adapters.preflight.facts import VERSION, Drift, Facts, Probe, no_go, ok, some, warning
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
    if name in f.builtin:
        text = f"the settings do not list the built-in preset {name} ({asked})"
        yield no_go("agent", text, _agree(f, name, f"see `nightdesk agents {name}` for what it may do, then"))
        return
    known = some(sorted(f.settings.presets)) or "none"
    text = f"no preset {name!r} ({asked}); presets here: {known}"
    cure = (
        f"add it below `presets:` ({f.where('presets')}), or name another one; `nightdesk agents` lists those built in"
    )
    yield no_go("agent", text, cure)


def _preset(f: Facts, name: str, preset: Preset) -> Iterator[Check]:
    judged = autonomy.of_preset(preset, session_env(f.environ, preset.launch), f.uid)
    line = f"agent {name}"
    yield from _program(f, line, name, preset)
    if judged.level != "ok" or preset.autonomy_confirmed:
        yield Check(name=line, level=judged.level, text=judged.text, cure=_mend(f, name, preset, judged))
    if not preset.autonomy_confirmed:
        yield _unconfirmed(f, line, name, preset, judged)
    yield from _carried(f, line, name, preset)


def _mend(f: Facts, name: str, preset: Preset, judged: autonomy.Judged) -> str:
    """What to change in its command; a built-in one has levels for that."""
    if preset.autonomy and judged.level == "warning":
        at = f.where(f"presets.{name}.autonomy", f"presets.{name}", "presets", "agent")
        return f"when it should do more or less alone: presets.{name}.autonomy ({at}), see `nightdesk agents {name}`"
    return f"{judged.cure} (presets.{name}.command, {f.where(f'presets.{name}.command')})" if judged.cure else ""


def _unconfirmed(f: Facts, line: str, name: str, preset: Preset, judged: autonomy.Judged) -> Check:
    level = f" at the level `{preset.autonomy}`" if preset.autonomy else ""
    text = f"nobody has confirmed what the preset {name} may do without asking{level}: {judged.text}"
    first = "mend its command first, then" if judged.level == "no-go" else "when that is what you want,"
    return no_go(line, text, _agree(f, name, first))


def _agree(f: Facts, name: str, when: str) -> str:
    """What a person writes to take a preset with all that it may do."""
    lines = f.loaded.lines
    if f"presets.{name}" in lines:
        at = f.where(f"presets.{name}.autonomy_confirmed", f"presets.{name}")
        write = f"`autonomy_confirmed: true` below presets.{name}"
    elif "presets" in lines:
        at, write = f.where("presets"), f"`{name}: {{autonomy_confirmed: true}}` below `presets:`"
    else:
        at, write = f.where("agent"), f"`presets: {{{name}: {{autonomy_confirmed: true}}}}`"
    return f"{at}: {when} write {write} and run `nightdesk trust`"


# -- its program -----------------------------------------------------------------------------------------


def _program(f: Facts, line: str, name: str, preset: Preset) -> Iterator[Check]:
    probe = f.probes.get(name)
    if probe is None:
        yield warning(line, "not looked for", "")
    elif isinstance(probe.found, Refused):
        yield no_go(line, probe.found.reason, _install(f, name, preset))
    elif probe.elsewhere:
        text = f"{preset.launch.argv[0]} would be started from a worktree, where an agent can write: {probe.elsewhere}"
        yield no_go(line, text, "take that folder off your PATH")
    elif probe.failed:
        yield _mute(f, line, name, preset, probe)
    elif not (drift := f.drifts.get(name, Drift())).fits:
        yield from _drifted(f, line, name, preset, drift)
    elif not probe.asked:
        why = (
            "before the settings are trusted"
            if autonomy.askable(preset)
            else "as `--version` would be a prompt for it: write `version: [PROGRAM, ...]` to have it asked"
        )
        yield warning(line, f"{probe.found}; not asked for its version {why}")
    else:
        yield ok(line, f"{probe.found}: {probe.said}{_tried(preset, probe)}")


def _install(f: Facts, name: str, preset: Preset) -> str:
    if preset.install:
        at = f.where(f"presets.{name}.program", f"presets.{name}.command", f"presets.{name}", "agent")
        return f"{preset.install}; or say where it is: presets.{name}.program ({at})"
    at = f.where(f"presets.{name}.command", f"presets.{name}")
    return f"install it, or correct presets.{name}.command ({at})"


def _mute(f: Facts, line: str, name: str, preset: Preset, probe: Probe) -> Check:
    at = f.where(f"presets.{name}.version", f"presets.{name}.command", f"presets.{name}", "agent")
    cure = f"try `{' '.join(preset.probe)}`; another way to ask is presets.{name}.version ({at})"
    if preset.install:
        node = "put a newer Node.js on your PATH, or " if "Node.js" in probe.failed else ""
        cure = f"{node}install it again: {preset.install}; or {cure}"
    return no_go(line, f"{probe.found} does not tell its version: {probe.failed}", cure)


def _tried(preset: Preset, probe: Probe) -> str:
    """Another release is a note: what counts is whether it takes what the preset says."""
    if not preset.tried:
        return ", a preset that was not tried" if preset.builtin else ""
    version = VERSION.search(probe.said)
    return ", as tried" if version and version[0] == preset.tried else f", tried with {preset.tried}"


def _drifted(f: Facts, line: str, name: str, preset: Preset, drift: Drift) -> Iterator[Check]:
    probe = f.probes[name]
    which = f"{probe.found} ({probe.said or 'its version is not known'}{_tried(preset, probe)})"
    at = f.where(f"presets.{name}.command", f"presets.{name}", "agent")
    update = f"update it ({preset.install})" if preset.install else "update it"
    own = f"see `nightdesk agents {name}`, or write presets.{name}.command yourself ({at})"
    if drift.missing:
        flags = some(drift.missing, 12)
        yield no_go(line, f"{which} no longer knows {flags}, which this preset needs", f"{update}; {own}")
    if drift.login:
        yield no_go(line, f"{which}: {drift.why}", preset.login or "log in with it once, by hand")
    elif drift.why:
        login = f"; when it is not logged in: {preset.login}" if preset.login else ""
        yield no_go(line, f"{which} would not work: {drift.why}", f"{update}; {own}{login}")


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
