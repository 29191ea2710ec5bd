"""Signs a plan's commit when the operator's configuration asks for it: the same commit with a signature, or why not.

No terminal is touched and nobody is asked anything here: a key that wants a person is reported as locked. Programs come
from the operator's own configuration only; what a repository says can raise the demand and name a key, never a program.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.building import expected_of, unsound
from console.adapters.git.objects import proved_in
from console.adapters.git.shadow import Repository, View
from console.adapters.git.signer import ARMOUR, Signer, signer_of, signing_settings
from console.core.records import Frozen, Refused
from console.engine.ports import Locked, Signed

LIMIT = 30.0
"""Seconds for everything, a touch of a hardware key included."""

_OPERATOR = ("GNUPGHOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "USER", "LOGNAME")
_LOG_CAP = 64 * 1024
_WANTS_A_PERSON = (
    "pinentry", "passphrase", "/dev/tty", "no such device or address", "inappropriate ioctl", "timeout",
    "operation cancelled", "agent refused operation", "user presence", "pin required", "card not present",
    "bad pin", "no tty", "not a tty",
)  # fmt: skip


class CommitSigning:
    """`console.engine.ports.Signing` for one workspace. environ: the operator's environment; limit in seconds."""

    def __init__(self, repo: Repository, environ: Mapping[str, str], limit: float = LIMIT) -> None:
        self._repo = repo
        self._environ = environ
        self._limit = limit

    def sign(self, plan: Frozen) -> Signed | Locked | Refused | None:
        """See the port. A second call may make another signature of the same commit."""
        deadline = time.monotonic() + self._limit
        try:
            signer = signer_of(self._repo, signing_settings(self._repo, plan.worktree), plan, self._environ)
            if not isinstance(signer, Signer):
                return signer
            return self._sign(plan, signer, deadline)
        except GitFailed as failed:
            return Refused(reason=f"the commit was not signed: {failed.reason}")
        except OSError as error:
            return Refused(reason=f"the commit was not signed: {error.strerror or error}")

    def _sign(self, plan: Frozen, signer: Signer, deadline: float) -> Signed | Locked | Refused:
        with self._repo.scratch() as room:
            log = room / "said"
            try:
                ran = self._commit(plan, signer, room, deadline)
            except GitFailed:
                if time.monotonic() < deadline:
                    raise
                return self._no_answer(signer)
            said = _read(log)
            if ran[0] != 0:
                return _why_not(signer, said or ran[1])
            if refused := self._proved(plan, ran[1], signer):
                return refused
            return Signed(commit=ran[1], by=signer.by(said))

    def _commit(self, plan: Frozen, signer: Signer, room: Path, deadline: float) -> tuple[int, str]:
        """(0, the new commit's id) or (status, complaint)."""
        wrapper = room / "sign"
        wrapper.write_text(_script(signer, room / "said"))
        wrapper.chmod(0o700)
        settings = [*signer.settings(str(wrapper)), "core.fsync=all"]
        args = [part for setting in settings for part in ("-c", setting)]
        parent = ("-p", plan.base) if plan.base else ()
        view = View(store=Path(plan.store), sealed=True)
        ran = self._repo.ran(
            view, *args, "commit-tree", "-S", plan.tree, *parent, stdin=f"{plan.message}\n".encode(),
            env=self._environment(plan, signer), timeout=max(0.01, deadline - time.monotonic()),
        )  # fmt: skip
        return ran.code, ran.out.decode().strip() if ran.code == 0 else ran.complaint()

    def _environment(self, plan: Frozen, signer: Signer) -> dict[str, str]:
        """What key programs need of the operator's, and nothing that leads to a terminal or a display."""
        env = {name: self._environ[name] for name in _OPERATOR if name in self._environ}
        env |= {"SSH_ASKPASS": "/bin/false", "SSH_ASKPASS_REQUIRE": "force", "PATH": signer.path}
        for role in ("AUTHOR", "COMMITTER"):
            env[f"GIT_{role}_NAME"] = plan.author.name
            env[f"GIT_{role}_EMAIL"] = plan.author.email
            env[f"GIT_{role}_DATE"] = f"@{plan.when} {plan.zone}"
        return env

    def _proved(self, plan: Frozen, commit: str, signer: Signer) -> Refused | None:
        """Why the new commit is not the plan's with a signature of that kind, or None."""
        store = Path(plan.store)
        found = proved_in(self._repo, View(store=store, sealed=True), [plan.commit, commit])
        (_, unsigned), (_, body) = found[plan.commit], found[commit]
        signature, rest = _without_signature(body)
        if not signature.startswith(ARMOUR[signer.format]):
            return Refused(reason=f"{signer.program} made no signature: nothing was landed, nothing is unsigned")
        if rest != unsigned:
            return Refused(reason="the signed commit is not the plan's commit: nothing was landed")
        return unsound(self._repo, store, expected_of(replace(plan, commit=commit)))

    def _no_answer(self, signer: Signer) -> Locked:
        return Locked(
            reason=f"no answer within {self._limit:g} s from {signer.named}: touch the hardware key when it blinks, "
            "or unlock the key, then press again",
            unlock=signer.unlock(),
        )


def _script(signer: Signer, log: Path) -> str:
    """A program for git that keeps what the key program says, for classifying, and hands everything on."""
    command = shlex.join([signer.program, *signer.quiet])
    said = shlex.quote(str(log))
    return f'#!/bin/sh\n{command} "$@" 2>{said}\nstatus=$?\ncat {said} >&2\nexit $status\n'


def _read(log: Path) -> str:
    try:
        with open(log, "rb") as file:
            return file.read(_LOG_CAP).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def _why_not(signer: Signer, said: str) -> Locked | Refused:
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith("[GNUPG:]")]
    last = shown(" ".join(lines[-2:]))[:300] or "no reason was given"
    if any(sign in said.casefold() for sign in _WANTS_A_PERSON):
        return Locked(reason=f"{signer.named} is locked ({last}): unlock it, then press again", unlock=signer.unlock())
    return Refused(reason=f"the commit was not signed with {signer.named}: {last}")


def _without_signature(body: bytes) -> tuple[bytes, bytes]:
    """(the signature, the commit without that header)."""
    head, blank, text = body.partition(b"\n\n")
    kept: list[bytes] = []
    signature: list[bytes] = []
    inside = False
    for line in head.split(b"\n"):
        if line.startswith(b"gpgsig ") and not signature:
            signature.append(line[len(b"gpgsig ") :])
            inside = True
        elif inside and line.startswith(b" "):
            signature.append(line[1:])
        else:
            inside = False
            kept.append(line)
    return b"\n".join(signature), b"\n".join(kept) + blank + text
