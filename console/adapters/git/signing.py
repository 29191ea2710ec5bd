"""Signs a plan's commit when the operator's configuration asks for it: the same commit with a signature, or why not.

No terminal is touched and nobody is asked anything here: a key that wants a person is reported as locked. Programs come
from the operator's own configuration only; what a repository says can raise the demand and name a key, never a program.
"""

from __future__ import annotations

import base64
import binascii
import shlex
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec.structs import replace

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.building import expected_of, unsound
from console.adapters.git.objects import proved_in
from console.adapters.git.shadow import Repository, View
from console.adapters.git.signer import ARMOUR, Format, Signer, signer_of, signing_settings
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
            if refused := self._proved(plan, ran[1], signer) or self._checked(plan, ran[1], signer, room, deadline):
                return refused
            return Signed(commit=ran[1], by=signer.by(said))

    def _commit(self, plan: Frozen, signer: Signer, room: Path, deadline: float) -> tuple[int, str]:
        """(0, the new commit's id) or (status, complaint)."""
        wrapper = room / "sign"
        wrapper.write_text(_script(signer, room / "said"))
        wrapper.chmod(0o700)
        args = _given([*signer.settings(str(wrapper)), "core.fsync=all"])
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
        if why := _no_signature(signer.format, signature):
            return Refused(reason=f"{signer.program} made no signature ({why}): nothing was landed unsigned")
        if rest != unsigned:
            return Refused(reason="the signed commit is not the plan's commit: nothing was landed")
        return unsound(self._repo, store, expected_of(replace(plan, commit=commit)))

    def _checked(self, plan: Frozen, commit: str, signer: Signer, room: Path, deadline: float) -> Refused | None:
        """Why the key program itself, asked as git asks it, does not take the new commit's signature for a good one.

        An X.509 signature is not asked about: gpgsm goes to the network, and to a person, for its certificate.
        """
        if signer.format == "x509":
            return None
        wrapper = room / "verify"
        wrapper.write_text(_script(signer, room / "told"))
        wrapper.chmod(0o700)
        # Without signers that are known, git asks for the signature alone (`ssh-keygen -Y check-novalidate`).
        args = _given([*signer.settings(str(wrapper)), "gpg.ssh.allowedSignersFile=/dev/null"])
        view = View(store=Path(plan.store), sealed=True)
        left = max(0.01, deadline - time.monotonic())
        try:
            ran = self._repo.ran(
                view, *args, "verify-commit", "--raw", commit, env=self._environment(plan, signer), timeout=left
            )
        except GitFailed:
            return Refused(
                reason=f"the signature by {signer.named} could not be checked within {self._limit:g} s: nothing was "
                f"landed; see whether `{signer.program}` verifies a signature by hand, then press again"
            )
        if _is_good(signer.format, ran.err.decode("utf-8", "replace")):
            return None
        return _not_good(signer, _read(room / "told"))

    def _no_answer(self, signer: Signer) -> Locked:
        return Locked(
            reason=f"no answer within {self._limit:g} s from {signer.named}: touch the hardware key when it blinks, "
            "or unlock the key, then press again",
            unlock=signer.unlock(),
        )


def _given(settings: list[str]) -> list[str]:
    return [part for setting in settings for part in ("-c", setting)]


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
    last = _last_words(said)
    if any(sign in said.casefold() for sign in _WANTS_A_PERSON):
        return Locked(reason=f"{signer.named} is locked ({last}): unlock it, then press again", unlock=signer.unlock())
    return Refused(
        reason=f"the commit was not signed with {signer.named} by {shown(signer.program)}: {last}; try it by hand with "
        f"`{shown(signer.by_hand())}`"
    )


def _last_words(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith("[GNUPG:]")]
    return shown(" ".join(lines[-2:]))[:300] or "no reason was given"


# -- is it a signature?


def _no_signature(kind: Format, block: bytes) -> str:
    """Why a block is no signature of its kind ("" when it may be one): its frame, its base64, its first bytes."""
    begin, *body = block.strip().split(b"\n")
    if begin not in ARMOUR[kind]:
        return "what it printed does not begin as one"
    if not body or body.pop() != begin.replace(b"BEGIN", b"END"):
        return "its last line is missing"
    if b"" in body:
        body = body[body.index(b"") + 1 :]
    data = b"".join(line for line in body if not line.startswith(b"="))
    try:
        raw = base64.b64decode(data, validate=True)
    except binascii.Error:
        return "it is no base64"
    return "" if _FIRST[kind](raw[:6]) else "its content is something else"


def _is_packet(head: bytes) -> bool:
    """RFC 4880, 4.2: a signature packet (tag 2), in the old form of its header or the new one."""
    return bool(head) and (head[0] & 0xFC == 0x88 or head[0] == 0xC2)


_FIRST: Mapping[Format, Callable[[bytes], bool]] = {
    "openpgp": _is_packet,
    "ssh": b"SSHSIG".__eq__,
    "x509": lambda head: head[:1] == b"\x30",
}


def _is_good(kind: Format, said: str) -> bool:
    lines = said.splitlines()
    if kind == "ssh":
        return any(line.startswith('Good "git" signature with ') for line in lines)
    verdicts = [line.split(" ", 2)[1] for line in lines if line.startswith("[GNUPG:] ")]
    return "GOODSIG" in verdicts and not {"BADSIG", "ERRSIG"} & set(verdicts)


def _not_good(signer: Signer, said: str) -> Refused:
    return Refused(
        reason=f"{shown(signer.program)} says that it signed with {signer.named}, but does not verify that signature: "
        f"{_last_words(said)}; nothing was landed. Try it by hand with `{shown(signer.by_hand())}`"
    )


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
