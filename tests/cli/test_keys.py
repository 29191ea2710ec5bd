"""`policy ack` and the other verbs that are for people: the right plan, once, and never from below a shim."""

from __future__ import annotations

import json
import sys

import pytest
from commandline import CONFIG, ME, CommandLine

from console.adapters.processes import ShimProcesses
from console.adapters.trust import is_trusted, load
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import ProcessEnd
from console.engine.ports import ProcessSpec


def test_approving_needs_the_id_of_the_diff_that_was_read(line: CommandLine) -> None:
    _, policy, plan = line.waiting_plan()
    said = line.run("policy", "ack", policy, "--approve")
    assert said.code == 2 and "--approve needs --plan COMMIT" in said.err
    for words in ([], ["--approve", "--reject"], ["--approve", "--plan", plan, "--confirm", "pol-9"]):
        assert line.run("policy", "ack", policy, *words).code == 2
    wrong = line.run("policy", "ack", policy, "--approve", "--plan", "0" * 40)
    assert wrong.code == 2 and f"its plan now is {plan}" in wrong.err
    assert line.journal.refresh() == []


def test_an_approval_that_nobody_performs_in_time_says_that_it_is_recorded(line: CommandLine) -> None:
    _, policy, plan = line.waiting_plan()
    said = line.run("policy", "ack", policy, "--approve", "--plan", plan[:7], "--timeout", "0.05")
    assert said.code == 2 and "recorded, not yet done" in said.err
    line.journal.refresh()
    approved = line.journal.state.plans[plan]
    assert approved.state == "approved" and approved.by and approved.by.via == "cli" and approved.by.user


def test_an_old_plan_is_never_landed_and_the_new_one_is_named(line: CommandLine) -> None:
    session, policy, old = line.waiting_plan()
    line.do(cmd.SendPrompt(session=session, text="more", by=ME))
    line.turn(session, 2)
    line.judge(policy, 2)
    fresh = line.frozen(2).commit
    said = line.run("policy", "ack", policy, "--approve", "--plan", old)
    assert said.code == 2
    assert "superseded" in said.err and fresh in said.err
    assert line.journal.state.plans[fresh].state == "waiting"


def test_a_plan_that_is_rebased_while_waiting_for_it_prints_the_new_one(line: CommandLine) -> None:
    _, policy, old = line.waiting_plan()
    line.do(cmd.Approve(policy=policy, plan=old, by=ME))
    line.report(ev.PlanRebased(policy=policy, plan=old, fresh=line.frozen(2)))
    line.judge(policy, 2)
    said = line.run("policy", "ack", policy, "--approve", "--plan", old)
    assert said.code == 2 and line.frozen(2).commit in said.err


def test_what_has_landed_already_is_success(line: CommandLine) -> None:
    _, policy, plan = line.waiting_plan()
    line.do(cmd.Approve(policy=policy, plan=plan, by=ME))
    line.report(ev.PlanLanding(policy=policy, plan=plan, ref="refs/heads/main", old="a" * 40))
    line.report(ev.PolicyCommitted(policy=policy, plan=plan, sha=plan, ref="refs/heads/main"))
    assert f"landed {plan} on main" in line.ok("policy", "ack", policy, "--approve", "--plan", plan).out


def test_reject_and_its_undo_need_nobody_else(line: CommandLine) -> None:
    _, policy, plan = line.waiting_plan()
    line.ok("policy", "ack", policy, "--reject", "--note", "wrong file")
    assert line.ok("policy", "status", policy, "--json").json["reason"] == "rejected: wrong file"
    assert "waits again" in line.ok("plan", "undo", plan[:10]).out
    assert line.ok("policy", "status", policy, "--json").json["status"] == "awaiting-ack"


async def under_a_shim(line: CommandLine, *words: str) -> tuple[ProcessEnd, str]:
    output = line.home / "said"
    env = {"PATH": "/usr/bin:/bin", "HOME": str(line.home), "LC_ALL": "C.UTF-8"}
    argv = (sys.executable, "-m", "console", *words)
    running = await ShimProcesses().launch(ProcessSpec(argv=argv, cwd=str(line.root), env=env, output=str(output)))
    assert not isinstance(running, ProcessEnd), running
    return await running.wait(), output.read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["policy", "ack", "pol-1", "--approve", "--plan", "1" * 40],
        ["policy", "ack", "pol-1", "--reject"],
        ["plan", "undo", "1" * 40],
        ["session", "answer", "s-1", "yes"],
        ["trust"],
    ],
)
async def test_agents_and_gates_cannot_do_what_is_for_people(line: CommandLine, words: list[str]) -> None:
    line.waiting_plan()
    line.settle(CONFIG + "limits: {gates: 2}\n", trusted=False)
    end, said = await under_a_shim(line, *words)
    assert (end.how, end.code) == ("exited", 2)
    assert "is for the operator" in said
    assert line.journal.refresh() == []
    assert not is_trusted(line.here.places.trust, line.root, load(line.root))


async def test_agents_and_gates_may_look(line: CommandLine) -> None:
    _, policy, _ = line.waiting_plan()
    end, said = await under_a_shim(line, "policy", "status", policy, "--json")
    assert end.code == 0 and json.loads(said)["status"] == "awaiting-ack"
