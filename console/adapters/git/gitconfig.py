"""What a git configuration file says, key by key, and what each key can do: run a program, lie, or nothing much.

The file is parsed by git from a copy of its bytes, without includes, so nothing in it takes effect. Shows no secrets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from console.adapters.git.binary import GitBinary, GitFailed
from console.core.records import RepoChange, Severity

_BOOLEAN = ("true", "false", "yes", "no", "on", "off", "1", "0", "")
_RUNS = re.compile(
    r"core\.(hookspath|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand|fsmonitor)"
    r"|(.*\.)?(command|cmd|program|helper|driver|textconv|askpass|editor|pager|packobjectshook|defaultkeycommand)"
    r"|filter\..*\.(clean|smudge|process)|diff\.external|pager\..*|interactive\.difffilter"
    r"|include\.path|includeif\..*\.path|(difftool|mergetool|browser|man)\..*\.path"
    r"|remote\..*\.(uploadpack|receivepack|vcs|promisor|proxy)|extensions\.partialclone|protocol\..*|init\.templatedir"
    r"|sendemail\..*(cmd|server)|imap\.tunnel|hook\..*|lfs\.(customtransfer|extension)\..*|lfs\.standalonetransferagent"
    r"|.*\.mergeoptions|uploadpack\..*|ssh\.variant|svn-remote\..*|gitcvs\..*"
)
_LIES = re.compile(
    r"(user|author|committer|remote|url|extensions|http|https|credential|safe|color|diff|status|i18n|commit|tag|log|gpg"
    r"|format|push|submodule|merge|blame|transfer|receive|apply|replace|index|clone|checkout|lfs|show)\..*"
    r"|core\.(worktree|bare|excludesfile|attributesfile|ignorestat|trustctime|checkstat|autocrlf|eol|safecrlf|filemode"
    r"|symlinks|ignorecase|precomposeunicode|sparsecheckout|sparsecheckoutcone|usereplacerefs|repositoryformatversion"
    r"|logallrefupdates|protectntfs|protecthfs|commitgraph|multipackindex|splitindex|notesref|preferSymlinkRefs"
    r"|sharedrepository|createobject|warnambiguousrefs|hidedotfiles|quotepath|whitespace|bigfilethreshold|untrackedcache)"
    r"|fetch\.(fsckobjects|output|negotiation.*)|branch\..*\.(pushremote|rebase)"
)
_HIDDEN = re.compile(r".*\.(extraheader|password|token|smtppass|pass|cookiefile)")
_LOGIN = re.compile(r"(://)[^/@\s]+@")

Values = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Parsed:
    """values: {key as git spells it: all its values in order}; broken: git's words when the file has no meaning."""

    values: Values = field(default_factory=dict)
    broken: str = ""


def parse(git: GitBinary, content: bytes) -> Parsed:
    """Never raises for what the content is."""
    try:
        ran = git.run(["config", "--file", "-", "--no-includes", "--list", "-z"], stdin=content, timeout=20)
    except GitFailed as failed:
        return Parsed(broken=failed.reason)
    if ran.code != 0:
        return Parsed(broken=ran.complaint().removeprefix("fatal: "))
    found: dict[str, tuple[str, ...]] = {}
    for item in os.fsdecode(ran.out).split("\0")[:-1]:
        key, gap, value = item.partition("\n")
        found[key] = (*found.get(key, ()), value if gap else "true")
    return Parsed(found)


def severity(key: str, values: Iterable[str]) -> Severity:
    """What these values of a key can do. Unknown keys are worth a line, unless they look like a program."""
    name = key.lower()
    given = tuple(values)
    if name.startswith("alias."):
        return "runs" if any(value.lstrip().startswith(("!", "-")) for value in given) else "note"
    if name == "core.fsmonitor" and all(value.lower() in _BOOLEAN for value in given):
        return "note"
    if any(value.startswith(("!", "ext::", "fd::")) for value in given):
        return "runs"
    if _RUNS.fullmatch(name):
        return "runs"
    return "lies" if _LIES.fullmatch(name) else "note"


def remotes_of(parsed: Parsed) -> frozenset[str]:
    """The names of the remotes that a file speaks of."""
    return frozenset(name for name in map(_remote, parsed.values) if name)


def _remote(key: str) -> str:
    return key[len("remote.") :].rpartition(".")[0] if key.startswith("remote.") else ""


def differences(old: Parsed, new: Parsed, label: str, remotes: frozenset[str] = frozenset()) -> list[RepoChange]:
    """One change a key whose values differ, or the one that says the file is broken. remotes: those that were known
    before, from whatever file; a new one sends nothing elsewhere that went somewhere."""
    where = "" if label == "config" else f" ({label})"
    if new.broken:
        return [] if old.broken == new.broken else [_broken(label, new.broken)]
    changes = []
    known = remotes | remotes_of(old)
    for key in sorted(old.values.keys() | new.values.keys()):
        before, after = old.values.get(key, ()), new.values.get(key, ())
        if before == after:
            continue
        # A program that no longer runs is a filter or a signature that is no longer applied.
        can = severity(key, after) if after else severity(key, before)
        grave: Severity = "lies" if can == "runs" and not after else can
        if grave == "lies" and _remote(key) and _remote(key) not in known:
            grave = "note"
        changes.append(
            RepoChange(item=f"config {key}{where}", severity=grave, before=_told(key, before), after=_told(key, after))
        )
    return changes


def _broken(label: str, words: str) -> RepoChange:
    return RepoChange(
        item=f"config file {label} is broken",
        severity="lies",
        after=words[:200],
        cure="every git command in the repository stops at it until it is mended or restored",
    )


def _told(key: str, values: tuple[str, ...]) -> str:
    if _HIDDEN.fullmatch(key.lower()) and values:
        return "(hidden)"
    return _LOGIN.sub(r"\1***@", ", ".join(values))[:200]
