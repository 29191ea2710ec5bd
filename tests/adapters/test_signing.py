"""Signatures by real gpg-agents and real SSH keys: signed, locked or refused, never a hang and never unsigned."""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from console.adapters.git.binary import GitBinary
from console.adapters.git.commits import PlainGit
from console.adapters.git.shadow import Repository
from console.adapters.git.signing import CommitSigning
from console.core.records import Frozen, Refused
from console.engine.ports import Landed, Locked, Signed
from tests.adapters.gitrepo import Repo, canary, frozen, refused

PASSPHRASE = "correct horse"
needs_gpg = pytest.mark.skipif(
    not (shutil.which("gpg") and shutil.which("gpg-agent")), reason="gpg and gpg-agent are not installed"
)
needs_ssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.fixture
def git(repo: Repo) -> PlainGit:
    return repo.plain()


@pytest.fixture
def plan(repo: Repo, git: PlainGit) -> Frozen:
    repo.write("a.txt", "one\nchanged\n")
    return frozen(git, repo.root, "a.txt", message="Änderung\n\n# kept\nbody")


def signing(repo: Repo, limit: float = 30.0, **environ: str) -> CommitSigning:
    given = repo.environ | environ
    return CommitSigning(Repository(repo.workspace(), repo.state, GitBinary(given), given), given, limit)


def configured(repo: Repo, **settings: str) -> None:
    for name, value in settings.items():
        repo.git("config", "--global", name.replace("__", ".").replace("_", ""), value)


def program(place: Path, text: str) -> Path:
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)
    return place


def signed(result: object) -> Signed:
    assert isinstance(result, Signed), result
    return result


def locked(result: object) -> Locked:
    assert isinstance(result, Locked), result
    return result


def landed(repo: Repo, git: PlainGit, plan: Frozen, result: Signed) -> str:
    """The signed commit's text in the repository, after it landed there as the plan's commit."""
    assert isinstance(git.land(replace(plan, commit=result.commit)), Landed)
    assert repo.line("rev-parse", "HEAD") == result.commit
    return repo.git("cat-file", "commit", result.commit).decode()


# -- OpenPGP


class Ring:
    """A private GNUPGHOME with its own agent. (Under /tmp: a socket's path is limited to about 100 bytes.)"""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.configure()
        self.env = {"PATH": os.environ["PATH"], "GNUPGHOME": str(home), "HOME": str(home), "LC_ALL": "C"}

    def configure(self, *lines: str) -> None:
        # Without a count the agent measures for a second, each time it starts, how slow a passphrase can be made.
        (self.home / "gpg-agent.conf").write_text("".join(f"{line}\n" for line in ("s2k-count 65536", *lines)))

    def gpg(self, *args: str, stdin: str = "") -> str:
        run = ["gpg", "--batch", "--quiet", *args]
        ran = subprocess.run(run, env=self.env, input=stdin, capture_output=True, text=True, check=False, timeout=60)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def make_key(self, passphrase: str) -> str:
        loopback = ("--pinentry-mode", "loopback", "--passphrase", passphrase)
        self.gpg(*loopback, "--quick-generate-key", "Ada Operator <ada@example.com>", "ed25519", "sign", "never")
        rows = self.gpg("--list-keys", "--with-colons").splitlines()
        return next(row.split(":")[9] for row in rows if row.startswith("fpr:"))

    def forget(self) -> None:
        """Empty the agent's cache of passphrases."""
        subprocess.run(["gpg-connect-agent", "RELOADAGENT", "/bye"], env=self.env, check=True, capture_output=True)

    def unlock(self) -> None:
        self.gpg("--pinentry-mode", "loopback", "--passphrase", PASSPHRASE, "--sign", "--armor", stdin="x")

    def answering_pinentry(self) -> Path:
        """From now on the agent asks a pinentry that knows the passphrase; the mark that it leaves when asked."""
        mark = self.home / "asked"
        text = f"""echo OK; while read -r line; do case "$line" in
GETPIN) : > '{mark}'; echo 'D {PASSPHRASE}'; echo OK;; BYE*) echo OK; exit 0;; *) echo OK;; esac; done"""
        self.configure(f"pinentry-program {program(self.home / 'pin', text)}")
        self.forget()
        return mark

    def agent_pid(self) -> int:
        asked = ["gpg-connect-agent", "--no-autostart", "GETINFO pid", "/bye"]
        out = subprocess.run(asked, env=self.env, check=False, capture_output=True, text=True).stdout
        return int(next((line[2:] for line in out.splitlines() if line.startswith("D ")), "0"))


@pytest.fixture
def ring() -> Iterator[Ring]:
    home = Path(tempfile.mkdtemp(prefix="gh-", dir="/tmp"))
    ring = Ring(home)
    yield ring
    subprocess.run(["gpgconf", "--kill", "all"], env=ring.env, check=False, capture_output=True)
    shutil.rmtree(home, ignore_errors=True)


@needs_gpg
def test_an_unprotected_key_signs_the_same_commit_and_it_lands_and_verifies(
    repo: Repo, git: PlainGit, plan: Frozen, ring: Ring
) -> None:
    fingerprint = ring.make_key("")
    configured(repo, commit__gpgSign="true", user__signingKey=fingerprint)
    result = signed(signing(repo, GNUPGHOME=str(ring.home)).sign(plan))
    assert fingerprint in result.by
    assert result.commit != plan.commit
    text = landed(repo, git, plan, result)
    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in text
    assert text.endswith("Änderung\n\n# kept\nbody\n")
    checked = subprocess.run(
        ["git", "verify-commit", "--raw", "HEAD"], cwd=repo.root, env=ring.env | repo.environ,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "GOODSIG" in checked.stderr, checked.stderr


@needs_gpg
def test_without_a_signing_key_the_committer_s_own_is_taken(repo: Repo, plan: Frozen, ring: Ring) -> None:
    fingerprint = ring.make_key("")
    configured(repo, commit__gpgSign="true")
    assert fingerprint in signed(signing(repo, GNUPGHOME=str(ring.home)).sign(plan)).by


@needs_gpg
def test_an_empty_cache_is_locked_at_once_and_the_unlocked_key_signs(
    repo: Repo, git: PlainGit, plan: Frozen, ring: Ring
) -> None:
    ring.make_key(PASSPHRASE)
    ring.forget()
    configured(repo, commit__gpgSign="true", user__signingKey="ada@example.com")
    signer = signing(repo, GNUPGHOME=str(ring.home))
    began = time.monotonic()
    result = locked(signer.sign(plan))
    assert time.monotonic() - began < 5
    assert "ada@example.com is locked" in result.reason
    assert result.unlock[:2] == ("sh", "-c") and result.unlock[-3:] == ("--local-user", "ada@example.com", "--sign")
    ring.unlock()
    landed(repo, git, plan, signed(signer.sign(plan)))


@needs_gpg
def test_the_agent_outlives_us_and_is_the_same_one_afterwards(repo: Repo, plan: Frozen, ring: Ring) -> None:
    ring.make_key(PASSPHRASE)
    subprocess.run(["gpgconf", "--kill", "gpg-agent"], env=ring.env, check=True)
    configured(repo, commit__gpgSign="true", user__signingKey="ada@example.com")
    signer = signing(repo, GNUPGHOME=str(ring.home))
    locked(signer.sign(plan))
    pid = ring.agent_pid()
    assert pid and os.getsid(pid) not in (os.getsid(0), os.getpid())
    locked(signer.sign(plan))
    assert ring.agent_pid() == pid


_SIGN = """
import os, sys
from pathlib import Path
import msgspec
from console.adapters.git.binary import GitBinary
from console.adapters.git.shadow import Repository
from console.adapters.git.signing import CommitSigning
from console.core.records import Frozen
from console.engine.ports import Workspace
workspace, state, plan, answer = sys.argv[1:]
environ = dict(os.environ, GPG_TTY=os.ttyname(0))
repo = Repository(msgspec.json.decode(workspace, type=Workspace), Path(state), GitBinary(environ), environ)
result = CommitSigning(repo, environ, 20.0).sign(msgspec.json.decode(plan, type=Frozen))
Path(answer).write_text(type(result).__name__ + ":" + getattr(result, "reason", ""))
"""


def on_a_terminal(environ: dict[str, str], *argv: str) -> bytes:
    """Run a program whose controlling terminal is a pty, to its end; all that appeared there."""
    pid, master = pty.fork()
    if pid == 0:
        try:
            os.chdir(Path(__file__).parents[2])
            os.execve(argv[0], argv, environ | {"TERM": "xterm"})
        finally:
            os._exit(127)
    drawn = b""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if select.select([master], [], [], 0.2)[0]:
            try:
                drawn += os.read(master, 65536)
            except OSError:
                break
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(master)
    os.waitpid(pid, 0)
    return drawn


def signed_on_a_terminal(repo: Repo, plan: Frozen, environ: dict[str, str]) -> tuple[str, bytes]:
    answer = repo.home / "answer"
    texts = [msgspec.json.encode(repo.workspace()).decode(), str(repo.state), msgspec.json.encode(plan).decode()]
    drawn = on_a_terminal(environ, sys.executable, "-c", _SIGN, *texts, str(answer))
    return answer.read_text() if answer.exists() else "", drawn


@needs_gpg
def test_nothing_is_drawn_on_our_terminal_when_the_cache_is_empty(repo: Repo, plan: Frozen, ring: Ring) -> None:
    ring.make_key(PASSPHRASE)
    ring.forget()
    configured(repo, commit__gpgSign="true", user__signingKey="ada@example.com")
    result, drawn = signed_on_a_terminal(repo, plan, repo.environ | {"GNUPGHOME": str(ring.home)})
    assert result.startswith("Locked:"), (result, drawn)
    assert drawn == b""


@needs_gpg
def test_no_pinentry_is_asked_until_the_operator_runs_the_command_that_unlocks(
    repo: Repo, plan: Frozen, ring: Ring
) -> None:
    ring.make_key(PASSPHRASE)
    asked = ring.answering_pinentry()
    configured(repo, commit__gpgSign="true", user__signingKey="ada@example.com")
    signer = signing(repo, GNUPGHOME=str(ring.home))
    result = locked(signer.sign(plan))
    assert not asked.exists()
    on_a_terminal(repo.environ | {"GNUPGHOME": str(ring.home)}, "/bin/sh", *result.unlock[1:])
    assert asked.exists()
    signed(signer.sign(plan))


def test_a_key_program_that_reads_the_terminal_gets_none_and_is_locked(
    repo: Repo, plan: Frozen, tmp_path: Path
) -> None:
    asks = program(tmp_path / "asks", "printf 'PIN: ' > /dev/tty && read pin < /dev/tty && exec gpg \"$@\"\nexit 2")
    shows = program(tmp_path / "shows", "printf 'PIN: ' > /dev/tty")
    assert on_a_terminal(repo.environ, str(shows)) == b"PIN: "
    configured(repo, commit__gpgSign="true", gpg__program=str(asks))
    result, drawn = signed_on_a_terminal(repo, plan, repo.environ)
    assert result.startswith("Locked:") and "is locked" in result, (result, drawn)
    assert drawn == b""


# -- SSH


def ssh_key(repo: Repo, passphrase: str = "") -> Path:
    place = repo.home / "id_ed25519"
    made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "ada", "-f", str(place)]
    subprocess.run(made, check=True, capture_output=True)
    return place


@needs_ssh
def test_an_ssh_key_signs_and_verifies(repo: Repo, git: PlainGit, plan: Frozen) -> None:
    key = ssh_key(repo)
    configured(repo, commit__gpgSign="true", gpg__format="ssh", user__signingKey="~/id_ed25519.pub")
    text = landed(repo, git, plan, signed(signing(repo).sign(plan)))
    assert "gpgsig -----BEGIN SSH SIGNATURE-----" in text
    public = key.with_suffix(".pub").read_text().split()
    allowed = repo.home / "allowed"
    allowed.write_text(f"ada@example.com {public[0]} {public[1]}\n")
    repo.git("config", "--global", "gpg.ssh.allowedSignersFile", str(allowed))
    assert repo.line("log", "-1", "--format=%G?") == "G"


@needs_ssh
def test_an_encrypted_ssh_key_without_an_agent_is_locked(repo: Repo, plan: Frozen) -> None:
    key = ssh_key(repo, PASSPHRASE)
    configured(repo, commit__gpgSign="true", gpg__format="ssh", user__signingKey=f"{key}.pub")
    began = time.monotonic()
    result = locked(signing(repo).sign(plan))
    assert time.monotonic() - began < 5
    assert result.unlock == ("ssh-add", str(key))


@needs_ssh
@pytest.mark.skipif(not shutil.which("ssh-agent"), reason="ssh-agent is not installed")
def test_an_encrypted_ssh_key_in_an_agent_signs(repo: Repo, plan: Frozen, tmp_path: Path) -> None:
    key = ssh_key(repo, PASSPHRASE)
    configured(repo, commit__gpgSign="true", gpg__format="ssh", user__signingKey=f"{key}.pub")
    folder = Path(tempfile.mkdtemp(prefix="sa-", dir="/tmp"))
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", str(folder / "s")], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while not (folder / "s").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        asks = program(tmp_path / "asks", f"echo '{PASSPHRASE}'")
        env = {"PATH": os.environ["PATH"], "SSH_AUTH_SOCK": str(folder / "s"), "SSH_ASKPASS": str(asks)}
        env |= {"SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":0"}
        subprocess.run(["ssh-add", str(key)], env=env, check=True, capture_output=True, start_new_session=True)
        signed(signing(repo, SSH_AUTH_SOCK=str(folder / "s")).sign(plan))
    finally:
        agent.terminate()
        agent.wait(10)
        shutil.rmtree(folder)


def test_a_key_that_waits_for_a_touch_is_locked_at_the_limit(repo: Repo, plan: Frozen, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    sleeps = program(tmp_path / "sleeps", f"echo $$ > '{mark}'\nexec sleep 600")
    configured(
        repo, commit__gpgSign="true", gpg__format="ssh", gpg__ssh__program=str(sleeps), user__signingKey="~/id.pub"
    )  # fmt: skip
    began = time.monotonic()
    result = locked(signing(repo, limit=1.0).sign(plan))
    assert time.monotonic() - began < 4
    assert "no answer within 1 s" in result.reason and "touch" in result.reason
    with pytest.raises(ProcessLookupError):
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            os.kill(int(mark.read_text()), 0)
            time.sleep(0.01)


# -- who may ask, and who may not


def test_nobody_asks_for_a_signature(repo: Repo, plan: Frozen) -> None:
    assert signing(repo).sign(plan) is None


@needs_ssh
def test_the_repository_can_only_raise_the_demand(repo: Repo, plan: Frozen) -> None:
    ssh_key(repo)
    configured(repo, gpg__format="ssh", user__signingKey="~/id_ed25519")
    repo.git("config", "commit.gpgSign", "true")
    signed(signing(repo).sign(plan))
    configured(repo, commit__gpgSign="true")
    repo.git("config", "commit.gpgSign", "false")
    signed(signing(repo).sign(plan))


@pytest.mark.parametrize("setting", ["gpg.program", "gpg.openpgp.program"])
def test_a_program_that_the_repository_names_never_runs(repo: Repo, plan: Frozen, tmp_path: Path, setting: str) -> None:
    evil, mark = canary(tmp_path, "gpg")
    configured(repo, commit__gpgSign="true")
    repo.git("config", setting, str(evil))
    why = refused(signing(repo).sign(plan)).reason
    assert f"git config --local --unset-all {setting}" in why
    assert not mark.exists()
    repo.git("commit", "--allow-empty", "-qm", "x", ok=False)
    assert mark.exists(), "the canary proves nothing"


@pytest.mark.parametrize("setting", ["gpg.ssh.program", "gpg.ssh.defaultKeyCommand"])
def test_an_ssh_program_or_key_command_that_the_repository_names_never_runs(
    repo: Repo, plan: Frozen, tmp_path: Path, setting: str
) -> None:
    evil, mark = canary(tmp_path, "ssh")
    configured(repo, commit__gpgSign="true", gpg__format="ssh")
    repo.git("config", setting, str(evil))
    assert setting.lower() in refused(signing(repo).sign(plan)).reason
    assert not mark.exists()
    if setting == "gpg.ssh.program":
        repo.git("config", "user.signingKey", "key::ssh-ed25519 AAAA")
    repo.git("commit", "--allow-empty", "-qm", "x", ok=False)
    assert mark.exists(), "the canary proves nothing"


def test_another_format_in_the_repository_is_refused_with_the_cure(repo: Repo, plan: Frozen) -> None:
    configured(repo, commit__gpgSign="true")
    repo.git("config", "gpg.format", "ssh")
    assert "git config --global gpg.format" in refused(signing(repo).sign(plan)).reason


@needs_ssh
def test_a_key_that_only_the_repository_names_is_shown_as_such(repo: Repo, plan: Frozen) -> None:
    ssh_key(repo)
    configured(repo, commit__gpgSign="true", gpg__format="ssh")
    repo.git("config", "user.signingKey", "~/id_ed25519")
    assert "the repository's own configuration" in signed(signing(repo).sign(plan)).by


def test_a_program_in_a_worktree_is_not_run(repo: Repo, plan: Frozen) -> None:
    evil, mark = canary(repo.root, "gpg")
    evil.rename(repo.root / "gpg")
    configured(repo, commit__gpgSign="true", gpg__program=str(repo.root / "gpg"))
    assert "inside a worktree" in refused(signing(repo).sign(plan)).reason
    configured(repo, gpg__program="gpg")
    result = signing(repo, PATH=f"{repo.root}:{os.environ['PATH']}").sign(plan)
    assert isinstance(result, Refused | Locked)
    assert not mark.exists()


@needs_ssh
def test_no_program_of_a_worktree_takes_part(repo: Repo, plan: Frozen) -> None:
    evil, mark = canary(repo.root, "cat")
    evil.rename(repo.root / "cat")
    ssh_key(repo)
    configured(repo, commit__gpgSign="true", gpg__format="ssh", user__signingKey="~/id_ed25519")
    signed(signing(repo, PATH=f"{repo.root}:{os.environ['PATH']}").sign(plan))
    assert not mark.exists()


def test_a_broken_configuration_is_no_leave_to_stay_unsigned(repo: Repo, plan: Frozen) -> None:
    configured(repo, commit__gpgSign="true")
    (repo.root / ".git" / "config").write_text("[broken\n")
    refused(signing(repo).sign(plan))


def test_a_program_that_is_missing_is_refused(repo: Repo, plan: Frozen) -> None:
    configured(repo, commit__gpgSign="true", gpg__program="no-such-gpg")
    assert "no-such-gpg" in refused(signing(repo).sign(plan)).reason


CREATED = "echo '[GNUPG:] SIG_CREATED D 1 8 00 1 AA' >&2"


def block(body: str, kind: str = "PGP SIGNATURE") -> str:
    return f"printf '%s\\n' '-----BEGIN {kind}-----' '' '{body}' '-----END {kind}-----'"


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        ("exit 0", ""),
        (CREATED, "does not begin as one"),
        (f"{CREATED}; echo hello", "does not begin as one"),
        (f"{CREATED}; echo '-----BEGIN PGP SIGNATURE-----'", "last line is missing"),
        (f"{CREATED}; {block('xx')}", "no base64"),
        (f"{CREATED}; {block('aGVsbG8=')}", "its content is something else"),
        (f"{CREATED}; {block('iHUE', 'SSH SIGNATURE')}", "does not begin as one"),
        (f"{CREATED}; {block('iHUE')}", "does not verify"),
    ],
)
def test_a_program_that_only_says_it_signed_is_refused(
    repo: Repo, plan: Frozen, tmp_path: Path, lie: str, why: str
) -> None:
    liar = program(tmp_path / "liar", f"cat >/dev/null; {lie}; exit 0")
    configured(repo, commit__gpgSign="true", gpg__program=str(liar))
    reason = refused(signing(repo).sign(plan)).reason
    assert why in reason and str(liar) in reason


@needs_gpg
def test_a_signature_of_something_else_is_refused(repo: Repo, plan: Frozen, ring: Ring, tmp_path: Path) -> None:
    ring.make_key("")
    (tmp_path / "other.asc").write_text(ring.gpg("--armor", "--detach-sign", stdin="something else"))
    lies = f"cat >/dev/null; cat '{tmp_path}/other.asc'; {CREATED}"
    liar = program(tmp_path / "liar", f'case "$*" in *--verify*) exec gpg "$@";; esac; {lies}')
    configured(repo, commit__gpgSign="true", gpg__program=str(liar))
    reason = refused(signing(repo, GNUPGHOME=str(ring.home)).sign(plan)).reason
    assert "does not verify that signature" in reason and "BAD signature" in reason and "nothing was landed" in reason


@needs_ssh
def test_an_ssh_signature_of_something_else_is_refused(repo: Repo, plan: Frozen, tmp_path: Path) -> None:
    key, other = ssh_key(repo), tmp_path / "other"
    other.write_text("something else")
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", str(key), str(other)], check=True)
    lies = f'for file; do :; done; cp "{other}.sig" "$file.sig"'
    liar = program(tmp_path / "liar", f'[ "$2" = sign ] || exec ssh-keygen "$@"; {lies}')
    configured(
        repo, commit__gpgSign="true", gpg__format="ssh", gpg__ssh__program=str(liar), user__signingKey=str(key)
    )  # fmt: skip
    assert "does not verify that signature" in refused(signing(repo).sign(plan)).reason


@needs_ssh
def test_a_check_that_hangs_ends_at_the_limit_and_is_refused(repo: Repo, plan: Frozen, tmp_path: Path) -> None:
    key = ssh_key(repo)
    hangs = program(tmp_path / "hangs", '[ "$2" = sign ] || exec sleep 600; exec ssh-keygen "$@"')
    configured(
        repo, commit__gpgSign="true", gpg__format="ssh", gpg__ssh__program=str(hangs), user__signingKey=str(key)
    )  # fmt: skip
    began = time.monotonic()
    assert "could not be checked within 2 s" in refused(signing(repo, limit=2.0).sign(plan)).reason
    assert time.monotonic() - began < 6


def test_a_program_that_fails_is_named_with_a_way_to_try_it(repo: Repo, plan: Frozen, tmp_path: Path) -> None:
    fails = program(tmp_path / "fails", "echo 'gpg: skipped: No secret key' >&2; exit 2")
    configured(repo, commit__gpgSign="true", gpg__program=str(fails), user__signingKey="A B")
    reason = refused(signing(repo).sign(plan)).reason
    assert "OpenPGP key A B" in reason and "No secret key" in reason
    assert f"`echo x | {fails} --local-user 'A B' --armor --detach-sign`" in reason


@needs_ssh
def test_the_signed_commit_must_be_the_plan_s(repo: Repo, plan: Frozen) -> None:
    ssh_key(repo)
    configured(repo, commit__gpgSign="true", gpg__format="ssh", user__signingKey="~/id_ed25519")
    signed(signing(repo).sign(plan))
    other = replace(plan, message="another message")
    assert "not the plan's commit" in refused(signing(repo).sign(other)).reason
