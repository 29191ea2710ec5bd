"""Reports of `test_reported.ROWS` that need a whole ticket to show: session, turn and plan, by the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import canary
from vandal import picture

from tests.e2e.product import Product

SETTINGS = """\
allowed_commands: [ls, "true"]
sandbox: {tier: "off"}
presets:
  agent: {command: [bash, -c, 'eval "$1"', agent], protocol: command}
"""


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    made = Product(home=tmp_path / "home", repo=tmp_path / "repo")
    (made.repo / ".nightdesk" / "config.yaml").write_text(SETTINGS)
    made.ok("trust")
    yield made
    made.close()


def ticket(product: Product, script: str, *paths: str) -> tuple[str, str]:
    """One turn that runs `script`, watched for `paths`: (session, policy) when it was judged."""
    session = product.start("agent")
    named = [word for path in paths for word in ("--commit-path", path)]
    policy = product.attach(session, "--then", "commit", *named, "--commit-message", "work", "--", "true")
    product.ok("session", "prompt", session, script)
    product.wait(policy)
    return session, policy


def approve(product: Product, policy: str) -> None:
    product.ok("policy", "ack", policy, "--approve", "--plan", product.plan(policy), "--confirm", policy)


def test_a_failing_hook_of_a_hooks_path_in_the_repository_is_red_and_says_so(product: Product) -> None:
    # gitui#808, #313, #1019
    hook = product.repo / ".husky" / "pre-commit"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\necho 'husky says no' >&2\nexit 7\n")
    hook.chmod(0o755)
    product.git("add", ".husky")
    product.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "husky")
    product.git("config", "core.hooksPath", ".husky")
    _, policy = ticket(product, "echo b > b.txt", "b.txt")
    status = product.status(policy)
    assert status["status"] == "blocked" and "pre-commit" in status["reason"], status
    (judged,) = product.events(types="policy:judged")
    assert "husky says no" in str(judged)
    assert product.log("main") == ["husky", "first"]


def test_what_a_hook_adds_is_a_new_candidate_and_nothing_lands_unseen(product: Product) -> None:
    # sourcegit#2409; fork-dev/Tracker#1780; GitUp#612
    hook = product.repo / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nsed -i 's/a/A/' a.txt && git add a.txt\n")
    hook.chmod(0o755)
    _, policy = ticket(product, "printf 'a\\nb\\n' > a.txt", "a.txt")
    assert product.log("main") == ["first"]
    assert product.ok("plan", "show", product.plan(policy)).out.count("rewrote a.txt") == 1
    raw = product.ok("plan", "show", product.plan(policy), "--raw").out
    assert "\n+A\n+b\n" in raw
    (product.repo / "other.txt").write_text("an unlisted line\n")
    approve(product, policy)
    assert product.git("show", "main:a.txt") == "A\nb\n"
    assert product.git("diff", "--name-only", "main~", "main") == "a.txt\n"
    assert (product.repo / "a.txt").read_text() == "a\nb\n", "the operator's tree is left alone"


def test_a_ticket_on_a_dirty_tree_leaves_reflog_stash_index_and_bytes_alone(product: Product) -> None:
    # claude-code#40697, #68315, #85879
    (product.repo / "a.txt").write_text("stashed\n")
    product.git("stash")
    (product.repo / "a.txt").write_text("staged\n")
    product.git("add", "a.txt")
    (product.repo / "a.txt").write_text("staged, then edited\n")
    (product.repo / "untracked.txt").write_text("mine\n")

    def mine() -> tuple[object, ...]:
        asked = ("reflog --all", "stash list", "log --all --format=%H", "for-each-ref", "diff --cached", "diff")
        files = {path: found for path, found in picture(product.repo).items() if path != "b.txt"}
        return (*(product.git(*one.split()) for one in asked), files)

    before = mine()
    session, policy = ticket(product, "echo b > b.txt", "b.txt")
    assert product.status(policy)["status"] == "awaiting-ack"
    product.ok("snapshot", "diff", session)
    product.ok("policy", "ack", policy, "--reject")
    assert mine() == before


def test_opening_a_hostile_repository_runs_nothing_of_it(product: Product, tmp_path: Path) -> None:
    # mistral-vibe#962; atlascode#1918; paseo#4208
    marks = []
    keys = ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.external")
    (product.repo / ".gitattributes").write_text("* filter=evil diff=evil\n")
    for number, key in enumerate(keys):
        program, mark = canary(tmp_path, f"{'fsmonitor' if number == 0 else 'canary'}-{number}")
        product.git("config", key, str(program))
        marks.append(mark)
    (product.repo / "a.txt").write_text("changed\n")
    for words in ("status", "init", "trust", "plan list", "alert list", "events", "session list"):
        product.ok(*words.split())
    session = product.start("agent")
    product.ok("session", "prompt", session, "true")
    assert product.run("session", "wait", session, "--timeout", "20000").code == 0
    product.ok("snapshot", "diff", session)
    assert not [mark.name for mark in marks if mark.exists()]
    product.git("status")
    product.git("diff")
    assert marks[0].exists() and marks[1].exists() and marks[4].exists(), "with plain git they run"


def test_a_name_with_brackets_is_that_file_and_no_other(product: Product) -> None:
    # t3code#3998; agent-fork#29
    script = "echo x > 'selected[1].txt'; echo x > selected1.txt; echo x > selected2.txt"
    _, policy = ticket(product, script, "selected[1].txt")
    approve(product, policy)
    assert product.git("diff", "--name-only", "main~", "main") == "selected[1].txt\n"
    assert product.git("status", "--porcelain") == "?? selected1.txt\n?? selected2.txt\n"
