"""Who signs, with which program and key, as the operator's git configuration says. Reads it, runs nothing.

What the repository's own configuration (agent-writable) says counts for two things only: that a signature is wanted,
and which key when the operator names none.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from console.adapters.environment import outside_path
from console.adapters.git.binary import shown
from console.adapters.git.hookplaces import below
from console.adapters.git.shadow import Repository
from console.adapters.git.worktrees import list_worktrees
from console.core.records import Frozen, Refused

Format = Literal["openpgp", "ssh", "x509"]

ARMOUR: Mapping[Format, tuple[bytes, ...]] = {
    "openpgp": (b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN PGP MESSAGE-----"),
    "ssh": (b"-----BEGIN SSH SIGNATURE-----",),
    "x509": (b"-----BEGIN SIGNED MESSAGE-----",),
}
"""First lines of a signature, as git tells the formats apart."""

_PROGRAM: Mapping[Format, str] = {"openpgp": "gpg", "ssh": "ssh-keygen", "x509": "gpgsm"}
_SETTING: Mapping[Format, str] = {"openpgp": "gpg.program", "ssh": "gpg.ssh.program", "x509": "gpg.x509.program"}
_QUIET: Mapping[Format, tuple[str, ...]] = {
    "openpgp": ("--batch", "--no-tty", "--pinentry-mode=error"),
    "ssh": (),
    "x509": ("--batch", "--no-tty", "--pinentry-mode=error"),
}
_WORDS: Mapping[Format, str] = {"openpgp": "OpenPGP key", "ssh": "SSH key", "x509": "X.509 certificate"}
_SYNONYM = "gpg.openpgp.program"
_DEFAULT_KEY = "gpg.ssh.defaultkeycommand"
_WANTED = (
    r"^(commit\.gpgsign|user\.signingkey|gpg\.(format|program|(openpgp|ssh|x509)\.program|ssh\.defaultkeycommand))$"
)
_MADE = re.compile(r"^\[GNUPG:\] SIG_CREATED \S+ \S+ \S+ \S+ \S+ ([0-9A-Fa-f]+)", re.MULTILINE)
_UNLOCK = 'GPG_TTY=$(tty); export GPG_TTY; exec "$@" </dev/null >/dev/null'


@dataclass(frozen=True, slots=True)
class SigningSettings:
    """Values by lower-case key: `own` from the operator's global and system configuration, `local` from the
    repository's (and its worktree's)."""

    own: Mapping[str, str]
    local: Mapping[str, str]

    @property
    def wanted(self) -> bool:
        """An agent can write `local`: that can only add the demand, never take it away."""
        return any(_true(side.get("commit.gpgsign", "false")) for side in (self.own, self.local))


@dataclass(frozen=True, slots=True)
class Signer:
    """How to sign. program: absolute. path: a PATH without worktree folders. key: as git's user.signingKey, "" for the
    program's own default. key_command: asks for a key (SSH). who: "name <address>" of the committer. local_key: the key
    is named by the repository, not by the operator."""

    format: Format
    program: str
    key: str
    key_command: str
    who: str
    home: str
    path: str
    local_key: bool = False

    @property
    def quiet(self) -> tuple[str, ...]:
        return _QUIET[self.format]

    @property
    def named(self) -> str:
        origin = ", named by the repository's own configuration" if self.local_key else ""
        return f"the {_WORDS[self.format]} {shown(self.key or self.who)}{origin}"

    def settings(self, program: str) -> list[str]:
        """Configuration for git, with `program` run in the key program's place."""
        made = [f"gpg.format={self.format}", f"{_SETTING[self.format]}={program}"]
        made += [f"user.signingKey={self.key}"] if self.key else []
        return made + ([f"gpg.ssh.defaultKeyCommand={self.key_command}"] if self.key_command else [])

    def by(self, said: str) -> str:
        """The key that signed, for a person; said: what the program printed for machines and people."""
        made = _MADE.search(said)
        origin = " (named by the repository's own configuration)" if self.local_key else ""
        return f"{_WORDS[self.format]} {made.group(1) if made else shown(self.key or self.who)}{origin}"

    def by_hand(self) -> str:
        """A shell command that makes a signature as git would ask for it."""
        if self.format == "ssh":
            return f"echo x | {shlex.quote(self.program)} -Y sign -n git -f {shlex.quote(self.key or '<key file>')}"
        user = shlex.quote(self.key or self.who)
        return f"echo x | {shlex.quote(self.program)} --local-user {user} --armor --detach-sign"

    def unlock(self) -> tuple[str, ...]:
        """A command for the operator's own terminal that asks for what is missing."""
        if self.format == "ssh":
            path = "" if self.key.startswith(("key::", "ssh-", "ecdsa-", "sk-")) else self.key
            path = os.path.join(self.home, path[2:]) if path.startswith("~/") else path
            return ("ssh-add", path.removesuffix(".pub")) if path else ("ssh-add",)
        user = ("--local-user", self.key or self.who)
        return ("sh", "-c", _UNLOCK, "unlock", self.program, *user, "--sign")


def signing_settings(repo: Repository, worktree: str) -> SigningSettings:
    """Raises GitFailed when the configuration cannot be read: then nobody knows whether a signature is wanted."""
    args = ("config", "--show-scope", "--includes", "-z", "--get-regexp", _WANTED)
    git_dir = repo.git_dir_of(worktree)
    out = repo.real_out(*args, git_dir=git_dir, operator=True, timeout=10.0, env={"GIT_CONFIG_NOSYSTEM": "0"})
    own: dict[str, str] = {}
    local: dict[str, str] = {}
    fields = os.fsdecode(out).split("\0")
    for scope, item in zip(fields[::2], fields[1::2], strict=False):
        key, given, value = item.partition("\n")
        side = own if scope in ("global", "system") else local
        if scope != "command":
            side[key] = value if given else "true"
            if key == _SYNONYM:
                side["gpg.program"] = side[key]
    return SigningSettings(own, local)


def signer_of(
    repo: Repository, settings: SigningSettings, plan: Frozen, environ: Mapping[str, str]
) -> Signer | Refused | None:
    """Who is to sign the plan; None when nobody asks for it."""
    if not settings.wanted:
        return None
    wanted = settings.own.get("gpg.format", "openpgp").lower()
    if wanted not in _PROGRAM:
        return Refused(
            reason=f"gpg.format is {shown(wanted)!r}, which is no signature format: see `git config gpg.format`"
        )
    kind: Format = wanted  # type: ignore[assignment]
    if refused := _local_program(settings, kind):
        return refused
    trees = [os.path.realpath(tree.path) for tree in list_worktrees(repo)] + [os.path.realpath(repo.workspace.root)]
    path = outside_path(environ.get("PATH", os.defpath), trees)
    program = _program(settings.own.get(_SETTING[kind], _PROGRAM[kind]), _SETTING[kind], path, environ, trees)
    if isinstance(program, Refused):
        return program
    key = settings.own.get("user.signingkey", "")
    local_key = not key and bool(settings.local.get("user.signingkey"))
    command = settings.own.get(_DEFAULT_KEY, "") if kind == "ssh" else ""
    return Signer(
        format=kind,
        program=program,
        key=key or settings.local.get("user.signingkey", ""),
        key_command=command,
        who=f"{plan.author.name} <{plan.author.email}>",
        home=environ.get("HOME", "/"),
        path=path,
        local_key=local_key,
    )


def _local_program(settings: SigningSettings, kind: Format) -> Refused | None:
    """The repository names another format or program than the operator: running it would be running the agent's."""
    defaults = {"gpg.format": "openpgp", _SETTING[kind]: _PROGRAM[kind], _DEFAULT_KEY: ""}
    for name, default in defaults.items():
        asked = settings.local.get(name)
        if asked is not None and asked != settings.own.get(name, default):
            written = _SYNONYM if name == "gpg.program" and settings.local.get(_SYNONYM) == asked else name
            return Refused(
                reason=f"the repository's own configuration sets {written} to {shown(asked)!r}, which an agent could "
                f"have written: if it is yours, `git config --global {written} ...`; then `git config --local "
                f"--unset-all {written}`"
            )
    return None


def _program(named: str, setting: str, path: str, environ: Mapping[str, str], trees: list[str]) -> str | Refused:
    if "/" in named:
        place = os.path.join(environ.get("HOME", "/"), named[2:]) if named.startswith("~/") else named
        places = [place] if os.path.isabs(place) else []
    else:
        places = [os.path.join(folder, named) for folder in path.split(os.pathsep) if folder]
    found = next((place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)), "")
    if not found:
        return Refused(reason=f"commits are to be signed, but {setting} ({shown(named)}) cannot be found: install it")
    if any(below(place, tree) for place in (found, os.path.realpath(found)) for tree in trees):
        return Refused(reason=f"{setting} is {shown(found)}, inside a worktree, where an agent can write: move it out")
    return found


def _true(value: str) -> bool:
    """As git reads a boolean. Anything that it would not understand is a demand that somebody meant to make."""
    text = value.strip().casefold()
    return text not in ("false", "no", "off", "", "0")
