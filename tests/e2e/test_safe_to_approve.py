"""The one key against agents that mean harm, end to end: the agent's turn is the shell script that the prompt holds."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.product import Done, Product

SETTINGS = """\
allowed_commands: [ls, bash, git]
sandbox: {{tier: {tier}}}
presets:
  agent: {{command: [bash, -c, 'eval "$1"', agent], protocol: command}}
  writer: {{command: [bash, -c, 'eval "$1"', agent], protocol: command, git: writable}}
"""


def settle(product: Product, tier: str) -> Product:
    (product.repo / ".nightdesk" / "config.yaml").write_text(SETTINGS.format(tier=tier))
    product.ok("trust")
    return product


def turn(product: Product, script: str, *paths: str, preset: str = "agent", branch: str = "") -> tuple[str, str, Done]:
    """One turn that runs `script`, watched by a policy for `paths`: (session, policy, how the wait ended)."""
    session = product.start(preset, branch)
    named = [word for path in paths for word in ("--commit-path", path)]
    policy = product.attach(session, "--then", "commit", *named, "--commit-message", "work", "--", "ls")
    product.ok("session", "prompt", session, script)
    return session, policy, product.wait(policy)


def ack(product: Product, policy: str, *more: str) -> Done:
    return product.run("policy", "ack", policy, "--approve", "--plan", product.plan(policy), *more)


def judged_again(product: Product, policy: str, before: str) -> None:
    """A plan that was judged under an alert is superseded by one that was not."""
    assert product.wait(policy).code == 0, product.status(policy)
    assert product.plan(policy) != before


def allowed(tier: str) -> bool:
    return tier == "off" or subprocess.run(["unshare", "-Ur", "true"], capture_output=True, check=False).returncode == 0


def test_the_sandbox_keeps_git_dir_and_state_from_a_session_and_says_that_it_is_on(product: Product) -> None:
    if not allowed("require"):
        pytest.skip("user namespaces are not allowed here")
    settle(product, "require")
    state = next((product.home / ".local/state/nightdesk").glob("repo-*"))
    tries = (
        "git config core.fsmonitor /bin/true",
        "touch .git/hooks/pre-commit",
        "rm -rf .git/objects",
        "mv .git .git2",
        f"echo x >> {state}/log.db",
        f"echo '{{}}' > {state.parent}/trust.json",
        "mount -o remount,rw,bind .git",
        "umount .git",
    )
    script = "; ".join(f"({one}) 2>/dev/null && echo '{n} worked' >> tries.txt" for n, one in enumerate(tries))
    session, policy, waited = turn(
        product, f"echo none > tries.txt; {script}; git status > status.txt; true", "tries.txt"
    )
    assert waited.code == 0, product.status(policy)
    assert (product.repo / "tries.txt").read_text() == "none\n"
    assert "On branch main" in (product.repo / "status.txt").read_text(), "git still works for the agent"
    assert "read-only" in product.ok("session", "show", session).out
    assert "read-only" in product.ok("status").out
    assert product.ok("alert", "list", "--json").json == {"alerts": []}
    assert ack(product, policy).code == 0
    assert product.log("main") == ["work", "first"]


def test_without_a_sandbox_tampering_is_an_alert_that_holds_the_key_until_it_is_answered(product: Product) -> None:
    settle(product, "off")
    canary = product.home / "ran"
    monitor = product.home / "monitor"
    monitor.write_text(f"#!/bin/sh\ntouch {canary}\n")
    monitor.chmod(0o755)
    before = (product.repo / ".git" / "config").read_bytes()
    hook = product.repo / ".git" / "hooks" / "post-checkout"
    script = f"echo b > b.txt; git config core.fsmonitor {monitor}; cp {monitor} {hook}; git branch -q side"
    _, policy, waited = turn(product, script, "b.txt")
    assert waited.code == 0, product.status(policy)
    canary.unlink(missing_ok=True)  # the agent's own git commands ran it
    held = ack(product, policy)
    assert held.code == 2 and "alert-1 holds every approval" in held.err
    shown = product.ok("alert", "show", "alert-1").out
    assert "core.fsmonitor" in shown and "post-checkout" in shown and str(monitor) in shown
    assert "alert-1" in product.ok("status").out
    shown_under_alert = product.plan(policy)
    assert "judged without commit hooks" in product.ok("plan", "show", shown_under_alert).out
    assert "alert-1 is restored" in product.ok("alert", "restore", "alert-1").out
    assert (product.repo / ".git" / "config").read_bytes() == before and not hook.exists()
    judged_again(product, policy, shown_under_alert)
    assert ack(product, policy).code == 0
    assert product.log("main") == ["work", "first"] and not canary.exists()


def test_what_the_operator_adopts_no_longer_holds_the_key(product: Product) -> None:
    settle(product, "off")
    _, policy, _ = turn(product, "echo b > b.txt; git config alias.x '!true'", "b.txt")
    assert ack(product, policy).code == 2
    before = product.plan(policy)
    product.ok("alert", "adopt", "alert-1")
    judged_again(product, policy, before)
    assert ack(product, policy).code == 0
    assert product.git("config", "alias.x").strip() == "!true"


def test_a_broken_configuration_stops_no_command_that_needs_only_the_log(product: Product) -> None:
    settle(product, "off")
    _, policy, _ = turn(product, "echo b > b.txt; echo '[broken' >> .git/config", "b.txt")
    for words in (("status",), ("plan", "list"), ("events",), ("alert", "list")):
        product.ok(*words)
    assert "alert-1" in product.ok("alert", "list").out
    assert "configuration" in product.status(policy)["reason"], "nothing could be frozen, and it says why"
    product.ok("alert", "restore", "alert-1")
    product.ok("policy", "retry", policy)
    assert product.wait(policy).code == 0
    assert ack(product, policy).code == 0, product.status(policy)
    assert product.log("main") == ["work", "first"]


def test_a_diff_that_weakens_tests_wants_its_policys_id(product: Product) -> None:
    tests = product.repo / "test_it.py"
    tests.write_text("def test_one():\n    assert 1 + 1 == 2\n\n\ndef test_two():\n    assert 2 + 2 == 4\n")
    product.git("add", "test_it.py")
    product.git("commit", "-q", "-m", "tests")
    settle(product, "auto")
    script = "printf 'def test_one():\\n    assert True\\n' > test_it.py"
    _, policy, waited = turn(product, script, "test_it.py")
    assert waited.code == 0, product.status(policy)
    plan = product.ok("plan", "list", "--json").json["plans"][0]
    assert plan["level"] == 3
    assert any(found["kind"] == "tests" and found["level"] == "high" for found in plan["assessment"]["findings"])
    refused = ack(product, policy)
    assert refused.code == 2 and "level 3" in refused.err and policy in refused.err
    assert ack(product, policy, "--confirm", "pol-9").code == 2
    assert ack(product, policy, "--confirm", policy).code == 0
    assert product.log("main")[0] == "work"


def test_a_secret_is_told_by_kind_and_line_and_never_repeated(product: Product) -> None:
    settle(product, "auto")
    token = "ghp_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
    _, policy, _ = turn(product, f"printf 'x = 1\\ntoken = \"{token}\"\\n' > settings.py", "settings.py")
    plan = product.ok("plan", "list", "--json").json["plans"][0]
    (found,) = [f for f in plan["assessment"]["findings"] if f["kind"] == "secret" and f["level"] == "high"]
    assert (found["path"], found["line"]) == ("settings.py", 2) and token not in found["text"]
    assert plan["level"] == 3 and ack(product, policy).code == 2


def test_a_rollback_brings_the_files_back_and_can_be_undone(product: Product) -> None:
    (product.repo / "mine.txt").write_text("not committed\n")
    (product.repo / "mine.sh").write_text("run\n")
    (product.repo / "mine.sh").chmod(0o700)
    settle(product, "auto")
    script = (
        "rm a.txt; echo evil > mine.txt; chmod 644 mine.sh; mkdir made; echo x > made/x; echo mine.txt > .gitignore"
    )
    session, _, _ = turn(product, script, "made/x")
    after = tree(product.repo)
    listed = product.ok("snapshot", "diff", session).out
    assert "a.txt" in listed and "mine.txt" in listed and "made/x" in listed
    assert tree(product.repo) == after, "a look changes nothing"
    said = product.ok("snapshot", "restore", session).out
    assert "rolled back" in said
    assert (product.repo / "mine.txt").read_text() == "not committed\n"
    assert stat.S_IMODE((product.repo / "mine.sh").stat().st_mode) == 0o700
    assert (product.repo / "a.txt").read_text() == "a\n" and not (product.repo / "made").exists()
    undo = product.ok("snapshot", "list", session, "--json").json["snapshots"][0]["snapshot"]
    product.ok("snapshot", "restore", session, undo)
    assert tree(product.repo) == after
    assert product.git("stash", "list") == "" and product.log("main") == ["first"]


def tree(root: Path) -> dict[str, tuple[int, bytes]]:
    files = (p for p in root.rglob("*") if ".git" not in p.relative_to(root).parts and p.is_file())
    return {str(p.relative_to(root)): (p.stat().st_mode, p.read_bytes()) for p in files}


def install_hook(product: Product, name: str, script: str) -> None:
    path = product.repo / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_red_hook_is_red_and_a_rewriting_one_makes_the_plan_that_is_shown(product: Product) -> None:
    settle(product, "auto")
    install_hook(product, "pre-commit", "grep -q good b.txt || { echo 'b.txt is not good'; exit 1; }")
    session, policy, waited = turn(product, "echo bad > b.txt", "b.txt")
    assert waited.code == 2
    assert "pre-commit" in product.status(policy)["reason"]
    install_hook(product, "pre-commit", "sed -i s/bad/good/ b.txt && git add b.txt")
    product.ok("policy", "retry", policy)
    assert product.wait(policy).code == 0, product.status(policy)
    before = product.plan(policy)
    assert ack(product, policy).code == 2, "a hook changed while a session was up; nobody can tell by whom"
    product.ok("alert", "adopt", "alert-1")
    judged_again(product, policy, before)
    shown = product.ok("plan", "show", product.plan(policy)).out
    assert "+good" in shown and "pre-commit rewrote b.txt" in shown
    assert (product.repo / "b.txt").read_text() == "bad\n", "the operator's tree is left alone"
    assert ack(product, policy).code == 0
    assert product.git("show", "main:b.txt") == "good\n"
    assert session


@pytest.fixture
def keyring(product: Product) -> Callable[[], Path]:
    """A real gpg home with a passphrase-protected signing key and an agent whose cache is empty."""
    if not shutil.which("gpg"):
        pytest.skip("gpg is not installed")
    home = Path("/tmp") / f"nd-gpg-{os.getpid()}"

    def make() -> Path:
        home.mkdir(mode=0o700)
        product.env["GNUPGHOME"] = str(home)
        loopback = ("--batch", "--pinentry-mode", "loopback", "--passphrase", "open sesame")
        made = [*loopback, "--quick-generate-key", "Operator <operator@example.org>", "ed25519", "sign", "never"]
        subprocess.run(["gpg", *made], env=product.env, check=True, capture_output=True)
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], env=product.env, check=True)
        product.git("config", "--global", "user.signingkey", "operator@example.org")
        product.git("config", "--global", "commit.gpgsign", "true")
        return home

    yield make  # type: ignore[misc]
    if home.exists():
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], env={**product.env, "GNUPGHOME": str(home)}, check=False)
        shutil.rmtree(home, ignore_errors=True)


def test_a_locked_key_leaves_the_plan_waiting_and_an_unlocked_one_signs_what_lands(
    product: Product, keyring: Callable[[], Path]
) -> None:
    keyring()
    settle(product, "auto")
    _, policy, waited = turn(product, "echo b > b.txt", "b.txt")
    assert waited.code == 0, product.status(policy)
    locked = ack(product, policy)
    assert locked.code == 2 and "locked" in locked.err
    plan = product.ok("plan", "list", "--json").json["plans"][0]
    assert plan["state"] == "waiting" and plan["unlock"]
    assert product.log("main") == ["first"], "nothing lands unsigned"
    loopback = ["gpg", "--batch", "--pinentry-mode", "loopback", "--passphrase", "open sesame"]
    unlocked = subprocess.run([*loopback, "--sign"], env=product.env, input=b"x", capture_output=True, check=False)
    assert unlocked.returncode == 0, unlocked.stderr
    assert ack(product, policy).code == 0
    committed = product.events(0, "policy:committed")[-1]
    assert committed["sha"] == product.git("rev-parse", "main").strip() != committed["plan"]
    assert product.git("log", "-1", "--format=%G?", "main").strip() in ("G", "U")
    product.ok("plan", "undo", plan["plan"])
    assert product.log("main") == ["first"]


def test_an_agent_that_commits_on_the_operators_branch_is_an_alert_and_restoring_makes_one_plan(
    product: Product,
) -> None:
    settle(product, "off")
    script = "echo b > b.txt; git add b.txt; git commit -qm one; echo c >> b.txt; git commit -qam two"
    _, policy, waited = turn(product, script, "b.txt")
    assert waited.code == 2 and product.status(policy)["status"] == "blocked"
    assert "refs/heads/main" in product.ok("alert", "show", "alert-1").out
    product.ok("alert", "restore", "alert-1")
    assert product.log("main") == ["first"]
    product.ok("policy", "retry", policy)
    assert product.wait(policy).code == 0, product.status(policy)
    assert ack(product, policy).code == 0
    assert product.log("main") == ["work", "first"] and product.git("show", "main:b.txt") == "b\nc\n"


def test_a_branch_that_the_agent_deleted_is_told_and_comes_back(product: Product) -> None:
    product.git("branch", "precious")
    tip = product.git("rev-parse", "precious").strip()
    settle(product, "off")
    _, policy, _ = turn(product, "echo b > b.txt; git branch -q -D precious", "b.txt")
    assert "refs/heads/precious" in product.ok("alert", "show", "alert-1").out
    product.ok("alert", "restore", "alert-1")
    assert product.git("rev-parse", "precious").strip() == tip
    assert ack(product, policy).code == 0


def test_a_hook_that_the_agent_planted_or_disarmed_never_judges_the_plan(product: Product) -> None:
    settle(product, "off")
    install_hook(product, "pre-commit", "echo no; exit 1")
    canary = product.home / "planted"
    script = f"echo b > b.txt; printf '#!/bin/sh\\ntouch {canary}\\n' > .git/hooks/pre-commit"
    _, policy, waited = turn(product, script, "b.txt")
    assert waited.code == 0, product.status(policy)
    assert not canary.exists(), "the agent's hook ran"
    assert ack(product, policy, "--confirm", policy).code == 2
    product.ok("alert", "restore", "alert-1")
    assert product.wait(policy).code == 2
    assert "pre-commit" in product.status(policy)["reason"], "the operator's own hook has judged it"
    assert product.log("main") == ["first"] and not canary.exists()


def test_after_the_git_dir_is_gone_stop_and_status_still_work_and_say_what_happened(product: Product) -> None:
    settle(product, "off")
    _, policy, _ = turn(product, "echo b > b.txt; mv .git ../taken", "b.txt")
    status = product.ok("status").out
    assert "gone" in status and "do not make a new one" in status
    assert "b.txt" in str(product.status(policy))
    product.ok("alert", "list")
    product.ok("stop")
    (product.repo.parent / "taken").rename(product.repo / ".git")
    assert "do not make a new one" not in product.ok("status").out


def test_names_of_any_bytes_land_exactly(product: Product) -> None:
    settle(product, "auto")
    names = [b"caf\xe9.txt", b'"quoted".txt', b"two\nlines.txt", b"-dash", b":!x", b"[1].txt", b"tab\there"]
    for number, name in enumerate(names):
        (product.repo / os.fsdecode(name)).write_text(f"{number}\n")
    quoted = product.git("ls-files", "-o", "--exclude-standard").split("\n")[:-1]
    _, policy, waited = turn(product, "true", *quoted)
    assert waited.code == 0, product.status(policy)
    assert ack(product, policy).code == 0
    listed = ["git", "ls-tree", "-z", "--name-only", "main"]
    done = subprocess.run(listed, cwd=product.repo, env=product.env, capture_output=True, check=True)
    assert set(names) <= set(done.stdout.split(b"\0"))
    assert product.git("status", "--porcelain") == ""


def test_an_alert_is_answered_by_people_only(product: Product) -> None:
    settle(product, "off")
    program = f"{sys.executable} -m console"
    tries = ("alert adopt alert-1", "alert restore alert-1", "snapshot restore s-1")
    script = "; ".join(["git config alias.x '!true'", *(f"{program} {one} 2>> said.txt" for one in tries), "true"])
    _, policy, _ = turn(product, script, "said.txt")
    assert (product.repo / "said.txt").read_text().count("is for the operator") == 3
    assert ack(product, policy).code == 2
