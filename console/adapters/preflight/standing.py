"""Whether a run may start here at all: the settings, who trusts them, who starts it, who is at work already."""

from __future__ import annotations

import time
from collections.abc import Iterator

from console.adapters.preflight.facts import Facts, no_go, ok, warning
from console.core.records import Check


def settings(f: Facts) -> Iterator[Check]:
    if not f.loaded.exists:
        yield warning("settings", f"there is no {f.loaded.file}: all defaults", "`nightdesk init` writes one")
    elif not f.loaded.problems:
        yield ok("settings", f"{f.loaded.file} is valid")
    for problem in f.loaded.problems:
        yield no_go("settings", f"{f.loaded.file}:{problem.line}: {problem.key}: {problem.message}", "correct it")


def trust(f: Facts) -> Iterator[Check]:
    """Defaults supply no command; settings that cannot be read cannot be trusted either."""
    if f.loaded.problems:
        yield no_go("trust", "settings with problems cannot be trusted", "correct them, then run `nightdesk trust`")
    elif not f.loaded.exists:
        yield ok("trust", "there is nothing to trust")
    elif f.trusted:
        yield ok("trust", f"these settings are trusted (sha256sum of the file: {f.loaded.sha256[:12]}…)")
    else:
        text = f"{f.loaded.file} is not trusted by {f.user} as it is now (sha256sum {f.loaded.sha256[:12]}…)"
        yield no_go("trust", text, "read it, then run `nightdesk trust`")


def identity(f: Facts) -> Iterator[Check]:
    """Who may start a run. What nobody trusts may not allow anything, but it may forbid."""
    allowed = f.trusted and f.settings.allow_root
    wanted = f.settings.user
    if wanted and wanted != f.user:
        text = f"the settings want the user {wanted}, this is {f.user}"
        yield no_go("identity", text, f"start it as {wanted}, or change identity.user ({f.where('identity.user')})")
    if f.uid == 0 and not allowed:
        yield no_go("identity", "this is root: what an agent does, root does", _rooted(f))
    elif f.uid == 0:
        yield warning("identity", "this is root, as the settings allow: an agent may change the whole machine")
    elif not wanted or wanted == f.user:
        yield ok("identity", f"{f.user} (uid {f.uid})")


def _rooted(f: Facts) -> str:
    if f.loaded.problems:
        return "start it as another user, or correct the settings: they are not valid, so that they allow nothing"
    if f.settings.allow_root:
        return "start it as another user, or trust the settings that allow it: `nightdesk trust`"
    return f"start it as another user, or set `identity: {{allow_root: true}}` ({f.where('identity')})"


SILENT = 15.0
"""Seconds without a beat after which a supervisor stands still; a busy machine delays some."""


def workspace(f: Facts) -> Iterator[Check]:
    """Busy is no NO-GO: nothing is wrong, somebody is at it."""
    if f.silent > SILENT:
        text = (
            f"its supervisor ({f.holder or 'unnamed'}) gave no sign of life for {f.silent:.0f} s, and would do nothing"
        )
        yield no_go("workspace", text, "`nightdesk doctor` says what holds it and how it goes on; then start the run")
    elif busy(f):
        yield warning("workspace", busy(f), "`nightdesk status` shows it; `nightdesk stop` ends it")
    elif f.run:
        began = time.strftime("%Y-%m-%d %H:%M", time.localtime(f.run.started_at))
        text = f"the run {f.run.run} of {began} was left open; `nightdesk run` goes on with it"
        changed = f.run.settings.digest and f.run.settings.digest != f.loaded.digest
        cure = "the settings have changed since: it will be HALTED, then start another one" if changed else ""
        yield warning("workspace", text, cure)
    elif f.supervised:
        who = f.holder or "unnamed"
        yield ok("workspace", f"no run is under way; the nightdesk that is open here ({who}) would do it")
    else:
        yield ok("workspace", "nobody else supervises it")


def busy(f: Facts) -> str:
    """Why another run cannot start now, "" when it can."""
    if not (f.supervised and f.run):
        return ""
    return f"the run {f.run.run} is under way ({f.holder or 'its supervisor is alive'})"
