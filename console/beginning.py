"""The first steps on the real world: what a newcomer's screen looks at and does, before and after there is a workspace.
Imports are late."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from console.core.first_steps import Look
from console.core.records import Identity, Refused
from console.engine.first_steps import (
    Candidate,
    Change,
    Draft,
    FirstSteps,
    Listing,
    Said,
    Shown,
    Tried,
)
from console.verbs.failing import Fail

if TYPE_CHECKING:
    import threading

    from console.adapters.surveying import Ground
    from console.adapters.trust import Loaded
    from console.core.settings import Settings
    from console.wiring import Here

GATE_LIMIT = 600.0
T = TypeVar("T")


def unready(refused: Refused) -> bool:
    """Whether what `wiring.locate` refuses is only that a repository, or its first commit, is missing."""
    return refused.paths in (("no-repository",), ("no-commit",))


def bare(start: Path, environ: Mapping[str, str]) -> FirstSteps:
    """For a folder that is no workspace yet."""
    from console.adapters.git import beginning

    def folder() -> str:
        return beginning.nearest(start)

    def git_dir() -> str:
        return os.path.join(folder(), ".git")

    def commit(listing: Listing) -> Said:
        who = beginning.identity(folder(), git_dir(), environ)
        return (
            beginning.commit(folder(), listing, who, environ) if who else Refused(reason="git knows nobody to commit")
        )

    return FirstSteps(
        look=lambda: _bare_look(folder(), environ),
        branch=lambda: beginning.branch_for(environ),
        make=lambda: beginning.make(folder(), environ),
        identify=lambda name, email: _identify(folder(), git_dir(), name, email, environ),
        listing=lambda: beginning.listing(folder(), environ),
        commit=commit,
    )


def _bare_look(folder: str, environ: Mapping[str, str]) -> Look:
    from console.adapters.git import beginning
    from console.adapters.git.refs import head_of

    git_dir = os.path.join(folder, ".git")
    there = os.path.isdir(git_dir)
    head = head_of(git_dir, git_dir) if there else None
    who = beginning.identity(folder, git_dir, environ)
    return Look(
        folder=folder,
        repository=there,
        unfit="" if there else beginning.unfit(folder, environ),
        who=f"{who.name} <{who.email}>" if who else "",
        head=_head(head.ref, head.oid) if head and head.oid else "",
    )


def _identify(folder: str, git_dir: str, name: str, email: str, environ: Mapping[str, str]) -> Said:
    from console.adapters.git import beginning

    return beginning.set_identity(folder, git_dir, Identity(name=name.strip(), email=email.strip()), environ)


def _head(ref: str, oid: str) -> str:
    return f"{ref.removeprefix('refs/heads/') or 'no branch'} at {oid[:10]}"


# -- in a workspace ------------------------------------------------------------------------------------------


def steps(here: Here) -> FirstSteps:
    """For a workspace; what it needs of the log it opens for itself."""
    from console import composing

    return FirstSteps(
        look=lambda: look(here),
        identify=lambda name, email: _identify(str(here.root), here.workspace.common, name, email, here.environ),
        draft=lambda gate: _told(lambda: _draft(here, gate)),
        settle=lambda draft: _told(lambda: _settle(here, draft)),
        candidates=lambda: _candidates(here),
        change=lambda changes: _change(here, changes),
        write=lambda change: _write(here, change),
        shown=lambda: _told(lambda: _shown(here)),
        trust=lambda digest: _told(lambda: _trust(here, digest)),
        attempt=lambda gate, stop: _attempt(here, gate, stop),
        weigh=lambda title, text: composing.weigh(here, title, text),
        add=lambda title, text: _told(lambda: composing.add(here, title, text)),
        editor=lambda: composing.editor(here, str(here.root / ".nightdesk" / "config.yaml")),
        compose=lambda text: composing.compose(here, text),
        composed=composing.composed,
    )


def _told(act: Callable[[], T]) -> T | Refused:
    from console.adapters.git.binary import GitFailed

    try:
        return act()
    except Fail as failed:
        return Refused(reason=failed.reason)
    except (GitFailed, OSError) as error:
        return Refused(reason=str(error))


def look(here: Here) -> Look:
    """What there is now. Starts no program but git."""
    from console import wiring
    from console.adapters.git import beginning
    from console.adapters.git.refs import head_of

    loaded = wiring.settings_of(here)
    head = head_of(here.workspace.common, here.workspace.common)
    who = beginning.identity(str(here.root), here.workspace.common, here.environ)
    settings = loaded.settings
    return Look(
        folder=str(here.root),
        repository=True,
        who=f"{who.name} <{who.email}>" if who else "",
        head=_head(head.ref, head.oid) if head and head.oid else "",
        source=loaded.file,
        config=loaded.exists,
        problems=tuple(wiring.problem_lines(loaded).splitlines()),
        gate=_words(settings.gate),
        gate_trouble=_gate_trouble(here, settings),
        root=os.geteuid() == 0,
        rooted=os.geteuid() == 0 and not settings.allow_root,
        digest=loaded.digest,
        trusted=loaded.exists and not wiring.distrust(here, loaded),
        **_agent(here, loaded),
    )


def _words(argv: tuple[str, ...]) -> str:
    import shlex

    return shlex.join(argv)


def _gate_trouble(here: Here, settings: Settings) -> str:
    """Why the gate of the settings could not start, "" when it could or there is none."""
    from console.trying import unlisted
    from console.verbs import settling

    if not settings.gate:
        return ""
    if why := unlisted(settings.gate, settings):
        return why
    said = _told(lambda: settling.missing(here, settings.gate))
    return said.reason if isinstance(said, Refused) else said


def _agent(here: Here, loaded: Loaded) -> dict[str, Any]:
    """What is said of the agent in a `Look`."""
    from console.adapters.surveying import survey

    found = _told(lambda: _installed(here))
    names = () if isinstance(found, Refused) else found
    settings = loaded.settings
    preset = settings.presets.get(settings.agent)
    if loaded.problems or not settings.agent or preset is None:
        return {"installed": names}
    (one,) = survey({settings.agent: preset}, _ground(here))
    return {
        "installed": names,
        "agent": settings.agent,
        "agent_title": preset.title or settings.agent,
        "agent_path": "" if one.why else one.path,
        "may": one.may,
        "confirmed": preset.autonomy_confirmed,
    }


def _installed(here: Here) -> tuple[str, ...]:
    from console.verbs import settling

    return tuple(one.name for one in settling.installed(here))


def _ground(here: Here) -> Ground:
    from console import wiring
    from console.adapters.surveying import Ground

    trees = [tree.path for tree in wiring.git_of(here).worktrees()]
    return Ground(environ=here.environ, worktrees=trees, ask=False, uid=os.geteuid())


# -- settings ------------------------------------------------------------------------------------------------


def _draft(here: Here, gate: str) -> Draft:
    import shlex

    from console.verbs import settling

    try:
        words = shlex.split(gate)
    except ValueError as error:
        raise Fail(f"the gate cannot be read as a command: {error}") from error
    made = settling.draft(here, settling.Guess(gate, "") if words else None)
    chosen = gate or (made.gates[0].gate if made.gates else "")
    there = {name for name in made.files if os.path.lexists(here.root / name)}
    return Draft(
        gate=chosen,
        guesses=tuple((guess.gate, guess.because) for guess in made.gates),
        files=tuple((name, text) for name, text in made.files.items() if name not in there),
        kept=tuple(sorted(there)),
        trouble=settling.missing(here, shlex.split(chosen)),
    )


def _settle(here: Here, draft: Draft) -> str:
    from console.verbs import settling

    fresh = settling.write(here, settling.Draft(dict(draft.files), (), None))
    wrote = [name for name, new in fresh.items() if new]
    kept = [*draft.kept, *(name for name, new in fresh.items() if not new)]
    left = f"; left as they are: {', '.join(kept)}" if kept else ""
    return f"wrote {', '.join(wrote) or 'nothing'}{left}"


def _candidates(here: Here) -> tuple[Candidate, ...]:
    """Those that the settings define or change come first, as they are there: with no other level to be chosen."""
    from console import wiring
    from console.adapters import surveying

    ground = _ground(here)
    own = surveying.own_of(wiring.settings_of(here).settings.presets)
    seen = surveying.survey(surveying.presets_of(None) | own, ground)
    order = {one.name: number for number, one in enumerate(surveying.installed(ground))}
    ranked = sorted(
        seen, key=lambda one: (one.name not in own, order.get(one.name, len(seen)), not one.preset.tried, one.name)
    )
    return tuple(
        Candidate(
            name=one.name,
            title=one.preset.title or one.name,
            path=one.path if not one.why else "",
            install=one.preset.install,
            login=one.preset.login,
            tried=one.preset.tried,
            levels=() if one.name in own else surveying.may_at(one.preset, ground),
            usual=one.preset.autonomy,
            may=one.may,
            own=one.name in own,
            command=_words(one.preset.launch.argv),
        )
        for one in ranked
    )


def _text(here: Here) -> str | Refused:
    file = here.root / ".nightdesk" / "config.yaml"
    try:
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return Refused(reason=f"{file} cannot be read: {error}")


def _change(here: Here, changes: tuple[tuple[tuple[str, ...], object], ...]) -> Change | Refused:
    from console.adapters.settings_text import changed

    before = _text(here)
    if isinstance(before, Refused):
        return before
    after = changed(before, changes)
    source = str(here.root / ".nightdesk" / "config.yaml")
    return after if isinstance(after, Refused) else Change(before=before, after=after, source=source)


def _write(here: Here, change: Change) -> Said:
    """Whole or not at all: a new file takes the old one's name."""
    import tempfile

    if _text(here) != change.before:
        return Refused(reason=f"{change.source} has been changed meanwhile: look again; nothing was written")
    if os.path.islink(change.source):
        return Refused(reason=f"{change.source} is a link: change the file that it leads to in your editor")
    try:
        mode = os.stat(change.source).st_mode & 0o777
        fd, made = tempfile.mkstemp(dir=os.path.dirname(change.source), prefix=".config-")
        with os.fdopen(fd, "w", encoding="utf-8", newline="") as out:
            out.write(change.after)
            os.fchmod(out.fileno(), mode)
        os.replace(made, change.source)
    except OSError as error:
        return Refused(reason=f"{change.source} cannot be written: {error.strerror}")
    return f"changed {change.source}"


def _shown(here: Here) -> Shown:
    from console.verbs import trusting

    text, loaded = trusting.shown(here)
    return Shown(source=loaded.file, text=text, digest=loaded.digest, sha256=loaded.sha256)


def _trust(here: Here, digest: str) -> Said:
    from console.verbs import trusting

    _, loaded = trusting.shown(here)
    if loaded.digest != digest:
        return Refused(reason=f"{loaded.file} says something else than what was shown: look again; nothing is trusted")
    trusting.record(here, digest)
    return f"trusted: {loaded.file}, as it is now; that is recorded in {here.places.trust}"


# -- the gate, once ------------------------------------------------------------------------------------------


def _attempt(here: Here, gate: str, stop: threading.Event) -> Tried | Refused:
    from console.adapters.git.binary import GitFailed
    from console.trying import attempt

    try:
        return attempt(here, gate, stop, GATE_LIMIT)
    except (GitFailed, OSError) as error:
        return Refused(reason=str(error))
