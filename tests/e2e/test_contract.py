"""The policy contract, end to end: real sessions over ACP, real gates, real git, the command line as users run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.e2e.product import Product


def test_a_green_turn_becomes_exactly_the_commit_that_was_shown(product: Product) -> None:
    session = product.start()
    gate = ("--then", "commit", "--commit-path", "hello.txt", "--commit-message", "say hello", "--", "ls", "hello.txt")
    policy = product.attach(session, *gate)
    cursor = product.cursor()
    product.ok("session", "prompt", session, "write it")
    assert product.wait(policy).json["status"] == "awaiting-ack"
    plan = product.plan(policy)
    shown = subprocess.run(
        [sys.executable, "-m", "console", "plan", "show", plan, "--raw"],
        cwd=product.repo,
        env=product.env,
        capture_output=True,
        check=True,
    ).stdout

    assert product.run("policy", "ack", policy, "--approve").code == 2  # the plan must be named
    assert product.run("policy", "ack", policy, "--approve", "--plan", "0" * 40).code == 2
    assert product.ok("policy", "ack", policy, "--approve", "--plan", plan)
    assert product.ok("policy", "ack", policy, "--approve", "--plan", plan)  # again: still landed once

    types = "policy:passed,policy:commit-ready,policy:committed"
    assert [e["type"] for e in product.events(cursor, types)] == types.split(",")
    assert product.events(cursor, "policy:committed")[0]["sha"] == plan == product.git("rev-parse", "main").strip()
    assert product.log("main") == ["say hello", "first"]
    raw = subprocess.run(
        ["git", "show", "--full-index", "--no-renames", "--format=", plan],
        cwd=product.repo,
        env=product.env,
        capture_output=True,
        check=True,
    ).stdout
    assert raw == shown
    assert product.git("status", "--porcelain") == ""


def test_rejecting_lands_nothing_and_can_be_taken_back(product: Product) -> None:
    session, policy, plan = product.hello("w")
    product.ok("policy", "ack", policy, "--reject", "--note", "not now")
    assert product.status(policy)["status"] == "cancelled"
    assert product.log("w") == ["first"]
    assert (product.worktree(session) / "hello.txt").exists()
    product.ok("plan", "undo", plan)
    assert product.status(policy)["status"] == "awaiting-ack"
    product.ok("policy", "ack", policy, "--approve", "--plan", plan)
    assert product.log("w") == ["say hello", "first"]
    product.ok("plan", "undo", plan)
    assert product.log("w") == ["first"]
    assert product.status(policy)["status"] == "awaiting-ack"


def test_no_ack_lands_by_itself(product: Product) -> None:
    session = product.start(branch="w")
    rest = ("--then", "commit", "--commit-path", "hello.txt", "--commit-message", "hi", "--no-ack", "--", "ls")
    policy = product.attach(session, *rest)
    product.ok("session", "prompt", session, "go")
    product.wait(policy)
    done = product.run("sessions", "wait", "--policy", policy, "--timeout", "20000")
    assert done.code == 0
    product.ok("policy", "ack", policy, "--approve", "--plan", product.plan(policy))  # waits for the landing
    assert product.log("w") == ["hi", "first"]


def test_a_red_gate_is_nudged_twice_with_its_output_then_blocked_with_the_reason(product: Product) -> None:
    session = product.start(branch="w")
    policy = product.attach(session, "--max-retries", "2", "--nudge", "c={code} o={output}", "--", "ls", "missing.txt")
    product.ok("session", "prompt", session, "go")
    waited = product.wait(policy)
    assert (waited.code, waited.json["status"], waited.json["retries"]) == (2, "blocked", 2)
    nudges = [e["text"] for e in product.events(types="session:prompted") if e.get("cause") == "nudge"]
    assert len(nudges) == 2
    assert all(text.startswith("c=2 o=") and "missing.txt" in text for text in nudges)
    (blocked,) = product.events(types="policy:blocked")
    assert "exit 2" in blocked["reason"] and "2 nudges" in blocked["reason"]


def test_a_chain_attached_after_the_turn_still_sees_it(product: Product) -> None:
    session = product.start(branch="w")
    product.ok("session", "prompt", session, "go")
    assert product.run("session", "wait", session, "--timeout", "20000").code == 0
    then = (
        '{"then":"commit","gate":{"command":"ls","args":["hello.txt"]},"commit":{"paths":["hello.txt"],"message":"m"}}'
    )
    first = product.attach(session, "--next-json", then, "--", "ls", "hello.txt")
    assert product.wait(first).json["status"] == "done"
    second = product.status(first)["nextPolicyId"]
    assert product.wait(second).json["status"] == "awaiting-ack"


def test_a_group_of_three_is_judged_once_when_all_have_finished(product: Product) -> None:
    names = [product.start(branch=f"g{i}") for i in range(3)]
    policy = product.attach(names[0], "--session", names[1], "--session", names[2], "--", "ls", "hello.txt")
    for name in names:
        assert product.status(policy)["status"] == "watching"
        product.ok("session", "prompt", name, "go")
        assert product.run("session", "wait", name, "--timeout", "20000").code == 0
    assert product.wait(policy).json["status"] == "done"
    assert [e["sessions"] for e in product.events(types="policy:passed")] == [names]


def test_gates_run_in_linked_worktrees_and_nowhere_outside(product: Product, tmp_path: Path) -> None:
    elsewhere = tmp_path / "far" / "tree"
    product.git("worktree", "add", "-q", "-b", "far", str(elsewhere))
    start = ("session", "start", "--preset", "echo", "--idle", "--cwd", str(elsewhere), "--json")
    session = product.ok(*start).json["sessionId"]
    policy = product.attach(session, "--", "ls", "hello.txt")
    product.ok("session", "prompt", session, "go")
    assert product.wait(policy).json["status"] == "done"

    refused = product.run("policy", "attach", "--session", session, "--gate-cwd", "/etc", "--", "ls")
    assert refused.code == 2
    assert str(elsewhere) in refused.err and str(product.repo) in refused.err

    refused = product.run("policy", "attach", "--session", session, "--", "test", "-f", "x")
    assert refused.code == 2
    assert f"{product.repo}/.nightdesk/config.yaml:1" in refused.err and "'test' is not allowed" in refused.err

    refused = product.run("policy", "attach", "--session", session, "--then", "commit", "--", "ls")
    assert refused.code == 2
    assert "--commit-path" in refused.err and "--commit-message" in refused.err
    assert product.run("policy", "attach", "--session", "s-99", "--", "ls").code == 3


def test_untrusted_settings_supply_no_command(product: Product) -> None:
    config = product.repo / ".nightdesk" / "config.yaml"
    config.write_text(config.read_text().replace("- grep", "- grep\n  - rm"))
    refused = product.run("session", "start", "--preset", "echo", "--idle")
    assert refused.code == 2
    assert "nightdesk trust" in refused.err
    assert product.events() == []


def test_a_listed_file_changed_after_freezing_voids_the_plan(product: Product) -> None:
    session, policy, plan = product.hello("w")
    with (product.worktree(session) / "hello.txt").open("a") as file:
        file.write("!")
    refused = product.run("policy", "ack", policy, "--approve", "--plan", plan)
    assert refused.code == 2
    assert "hello.txt" in refused.err and "void" in refused.err
    assert product.log("w") == ["first"]
    product.ok("policy", "retry", policy)
    assert product.wait(policy).json["status"] == "awaiting-ack"
    product.ok("policy", "ack", policy, "--approve", "--plan", product.plan(policy))
    assert product.git("show", "w:hello.txt").endswith("!")


def test_an_unlisted_file_changed_after_freezing_changes_nothing(product: Product) -> None:
    session, policy, plan = product.hello("w")
    tree = product.worktree(session)
    (tree / "a.txt").write_text("the operator's own\n")
    product.ok("policy", "ack", policy, "--approve", "--plan", plan)
    assert product.git("status", "--porcelain", cwd=tree) == " M a.txt\n"
    assert product.git("diff", "--name-only", "w~", "w") == "hello.txt\n"


def test_a_branch_moved_without_overlap_wants_a_new_key_for_a_new_plan(product: Product) -> None:
    session, policy, plan = product.hello("w")
    tree = product.worktree(session)
    (tree / "sub" / "s.txt").write_text("moved on\n")
    product.git("commit", "-q", "-a", "-m", "operator", cwd=tree)
    refused = product.run("policy", "ack", policy, "--approve", "--plan", plan)
    fresh = product.plan(policy)
    assert refused.code == 2
    assert fresh != plan and f"new plan: {fresh}" in refused.err
    assert product.log("w") == ["operator", "first"]
    assert product.run("policy", "ack", policy, "--approve", "--plan", plan).code == 2
    product.ok("policy", "ack", policy, "--approve", "--plan", fresh)
    assert product.log("w") == ["say hello", "operator", "first"]
    assert product.git("status", "--porcelain", cwd=tree) == ""


def test_a_branch_moved_with_overlap_voids_the_plan(product: Product) -> None:
    session, policy, plan = product.hello("w")
    tree = product.worktree(session)
    product.git("add", "hello.txt", cwd=tree)
    product.git("commit", "-q", "-m", "operator", cwd=tree)
    refused = product.run("policy", "ack", policy, "--approve", "--plan", plan)
    assert refused.code == 2
    assert "hello.txt" in refused.err
    assert product.status(policy)["status"] == "blocked"
    assert product.log("w") == ["operator", "first"]


def test_a_later_turn_supersedes_the_waiting_plan(product: Product) -> None:
    session, policy, plan = product.hello("w")
    product.ok("session", "prompt", session, "again")
    assert product.run("session", "wait", session, "--timeout", "20000").code == 0
    assert product.wait(policy).json["status"] == "awaiting-ack"
    refused = product.run("policy", "ack", policy, "--approve", "--plan", plan)
    assert refused.code == 2
    assert product.plan(policy) in refused.err


def test_the_command_driver_ends_its_turn_with_the_command(product: Product) -> None:
    session = product.start("script", branch="w")
    rest = (
        "--then",
        "commit",
        "--commit-path",
        "said.txt",
        "--commit-message",
        "said",
        "--",
        "grep",
        "hey",
        "said.txt",
    )
    policy = product.attach(session, *rest)
    product.ok("session", "prompt", session, "hey")
    assert product.wait(policy).json["status"] == "awaiting-ack"
    done = [(e["type"], e.get("code")) for e in product.events(types="command-done,turn-end")]
    assert done == [("command-done", 0), ("turn-end", None)]
    product.ok("policy", "ack", policy, "--approve", "--plan", product.plan(policy))
    assert product.git("show", "w:said.txt") == "hey\n"


def test_a_question_waits_and_is_answered_by_its_option(product: Product) -> None:
    session = product.start("ask", branch="w")
    product.ok("session", "prompt", session, "go")
    (asked,) = _until(product, "awaiting-input")
    options = {o["kind"]: o["id"] for o in asked["options"]}
    assert product.run("session", "answer", session, "no-such-option").code == 2
    product.ok("session", "answer", session, options["allow_once"])
    assert product.run("session", "wait", session, "--timeout", "20000").code == 0
    assert product.run("session", "answer", session, options["allow_once"]).code == 2


def test_an_agent_that_dies_in_its_turn_is_started_again_and_a_stop_cancels_the_policy_with_the_reason(
    product: Product,
) -> None:
    session = product.start("crash", branch="w")
    policy = product.attach(session, "--", "ls")
    product.ok("session", "prompt", session, "go")
    (again,) = _until(product, "session:restarting")
    assert (again["cause"], again["count"]) == ("crash", 1)
    assert product.run("session", "prompt", session, "now").code == 2, "a second start beside the one on its way"
    product.ok("session", "stop", session)
    waited = product.wait(policy)
    assert (waited.code, waited.json["status"]) == (2, "cancelled")
    assert "exited" in waited.json["reason"]


def test_what_an_agent_starts_does_not_outlive_its_session(product: Product) -> None:
    session = product.start("leftover", branch="w")
    product.ok("session", "prompt", session, "go")
    assert product.run("session", "wait", session, "--timeout", "20000").code == 0
    product.ok("session", "stop", session)
    (gone,) = product.events(types="exited")
    assert gone["stopped"] and any("sleep" in left for left in gone["leftovers"]), gone


def _until(product: Product, kind: str) -> list[dict[str, object]]:
    for _ in range(100):
        if found := product.events(types=kind):
            return found
    raise AssertionError(f"no {kind} event")


def test_a_command_that_is_killed_says_so_and_is_started_again(product: Product) -> None:
    start = ("session", "start", "--idle", "--worktree", "w", "--protocol", "command", "--json", "--")
    session = product.ok(*start, "bash", "-c", "kill -9 $$", "x").json["sessionId"]
    product.ok("session", "prompt", session, "go")
    (again,) = _until(product, "session:restarting")
    (done,) = product.events(types="command-done")
    assert done["code"] == 137 and again["cause"] == "crash"
    assert not product.events(types="turn-end"), "a turn that broke off has no end: it begins again"
    product.ok("session", "stop", session)


def test_what_the_agent_commits_by_itself_becomes_one_plan_and_is_kept(product: Product) -> None:
    script = "echo one > f.txt; git add f.txt; git commit -qm 'by itself'; echo two >> f.txt"
    start = ("session", "start", "--writable-git", "--idle", "--worktree", "w", "--protocol", "command", "--json", "--")
    session = product.ok(*start, "bash", "-c", script, "x").json["sessionId"]
    commit = ("--then", "commit", "--commit-path", "f.txt", "--commit-message", "one commit")
    policy = product.attach(session, *commit, "--", "ls", "f.txt")
    product.ok("session", "prompt", session, "go")
    assert product.wait(policy).json["status"] == "awaiting-ack"
    (moved,) = product.events(types="agent-committed")
    assert product.log("w") == ["by itself", "first"]
    plan = product.plan(policy)
    assert "by itself" in product.ok("plan", "show", plan).out
    product.ok("policy", "ack", policy, "--approve", "--plan", plan)
    assert product.log("w") == ["one commit", "first"]
    assert product.git("show", "w:f.txt") == "one\ntwo\n"
    product.ok("plan", "undo", plan)
    assert product.git("rev-parse", "w").strip() == moved["after"]


def test_green_must_be_green_on_what_would_be_committed(product: Product) -> None:
    script = "echo a > listed.txt; echo b > forgotten.txt"
    start = ("session", "start", "--idle", "--worktree", "w", "--protocol", "command", "--json", "--")
    session = product.ok(*start, "bash", "-c", script, "x").json["sessionId"]
    commit = ("--then", "commit", "--commit-path", "listed.txt", "--commit-message", "m")
    policy = product.attach(session, *commit, "--", "ls", "listed.txt", "forgotten.txt")
    product.ok("session", "prompt", session, "go")
    waited = product.wait(policy)
    assert (waited.code, waited.json["status"]) == (2, "blocked")
    assert "green only in the worktree" in waited.json["reason"]
    assert waited.json["lastGate"]["where"] == "plan"
