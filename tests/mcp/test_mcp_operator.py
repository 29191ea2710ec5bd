"""The operator's tools, from the SDK's own client over stdio to a real supervisor with the scripted agent."""

from __future__ import annotations

import pytest
from mcprig import Desk, Refused

ROUTINE = """\
name: ask
steps:
  - {name: go, ask: "Shall it go on?"}
"""


async def test_a_client_attaches_waits_reads_by_cursor_and_lands_the_plan_that_it_read(desk: Desk) -> None:
    async with desk.tools() as call:
        session = (await call("start_session", preset="echo", worktree="say-hello"))["sessionId"]
        with pytest.raises(Refused, match="gate command 'make' is not allowed"):
            await call("attach_policy", sessionId=session, gate={"command": "make check"})
        attached = await call(
            "attach_policy",
            sessionId=session,
            then="commit",
            gate={"command": "ls", "args": ["hello.txt"]},
            commit={"paths": ["hello.txt"], "message": "say hello"},
        )
        policy, since = attached["policyId"], (await call("get_status"))["cursor"]
        asked = await call("prompt_session", sessionId=session, text="hello")
        assert asked["turn"] == 1
        ended = await call("wait_for_any", policyIds=[policy], timeoutMs=40_000)
        assert (ended["ended"], ended["timedOut"]) == ([policy], False)

        page = await call("poll_events", since=since, types=["turn-end", "policy:passed", "policy:commit-ready"])
        kinds = [event["type"] for event in page["events"]]
        assert kinds == ["turn-end", "policy:passed", "policy:commit-ready"]
        assert (await call("poll_events", since=page["nextCursor"], types=["turn-end"]))["events"] == []

        status = await call("get_policy_status", policyId=policy)
        assert status["status"] == "awaiting-ack" and status["commitPlan"]["paths"] == ["hello.txt"]
        for plan, why in (("", "approve needs plan"), ("f" * 40, f"{policy} has no plan")):
            with pytest.raises(Refused, match=why):
                await call("ack_policy", policyId=policy, approve=True, plan=plan)
        landed = await call("ack_policy", policyId=policy, approve=True, plan=status["plan"])
        assert landed["state"] == "landed"
        assert desk.git("log", "-1", "--format=%s", landed["sha"]) == "say hello\n"
        assert desk.git("rev-parse", "say-hello").strip() == landed["sha"]
        who = [e["by"]["via"] for e in (await call("poll_events", types=["plan:approved"]))["events"]]
        assert who == ["mcp"]
        await call("stop_session", sessionId=session)


async def test_tickets_are_added_read_parked_and_put_back(desk: Desk) -> None:
    call = desk.here()
    added = await call("add_ticket", text="# Round totals\n\nThey are off by a cent.\n", id="rounding")
    assert added["ticket"] == "rounding" and added["held"] is None
    assert "off by a cent" in (await call("get_ticket", ticketId="rounding"))["text"]
    with pytest.raises(Refused, match="the id 'rounding' is that of"):
        await call("add_ticket", text="# Another\n\nx\n", id="rounding")
    await call("park_ticket", ticketId="rounding", question="Up, or to even?", options=["up", "to even"])
    (decision,) = (await call("list_decisions"))["decisions"]
    assert decision["question"] == "Up, or to even?"
    assert [t["outcome"] for t in (await call("list_tickets"))["tickets"]] == ["PARKED_DECISION"]
    assert (await call("requeue_ticket", ticketId="rounding", note="up"))["phase"] == "queued"
    chains = await call("list_chains")
    assert (chains["on"], chains["chains"]) == (False, [])


async def test_a_routine_is_started_answered_and_over(desk: Desk) -> None:
    (desk.repo / "ask.yaml").write_text(ROUTINE)
    call = desk.here()
    with pytest.raises(Refused, match=r"nobody\.yaml"):
        await call("start_routine", file="nobody.yaml")
    routine = (await call("start_routine", file="ask.yaml"))["routine"]
    asked = (await call("get_routine_status", routineId=routine))["asked"]
    assert (asked["step"], asked["title"]) == (1, "Shall it go on?")
    with pytest.raises(Refused):
        await call("resolve_routine", routineId=routine, step=2)
    with pytest.raises(Refused, match=f"needs the number of what you allow, {asked['number']} now: it asks: Shall it"):
        await call("resolve_routine", routineId=routine, step=1, response="yes")
    with pytest.raises(Refused, match="asks something else by now"):
        await call("resolve_routine", routineId=routine, step=1, asked=1)
    await call("resolve_routine", routineId=routine, step=1, asked=asked["number"], response="yes")
    assert (await call("list_routines", all=True))["routines"][0]["status"] == "done"


async def test_what_is_wrong_is_one_sentence_and_never_a_traceback(desk: Desk) -> None:
    call = desk.here()
    for tool, arguments, why in (
        ("nope", {}, "Unknown tool: nope"),
        ("get_session", {"sessionId": "s-99"}, "no session 's-99'; `nightdesk session list` shows what there is"),
        ("get_policy_status", {"policyId": 5}, "policyId: Input should be a valid string"),
        ("poll_events", {"limit": 0, "colour": "red"}, "colour: there is no such argument; limit: Input should"),
        ("wait_for_any", {}, "name sessionIds or policyIds to wait for"),
        ("start_session", {"preset": "nobody"}, "no preset 'nobody'"),
        ("answer_session", {"sessionId": "s-1", "question": "q"}, "give an option, or a text"),
        ("start_session", {"preset": "echo", "cwd": "a\0b"}, "cwd: a text with a NUL character"),
        ("poll_events", {"types": ["x"] * 40_000}, "types: 40000 items; 1000 are the most"),
        ("poll_events", {"types": ["x"] * 101}, "types: List should have at most 100 items"),
        ("prompt_session", {"sessionId": "s-1", "text": "x\ud800"}, "text: half of a surrogate pair"),
        ("attach_policy", {"sessionId": "s-1", "gate": {"comand": "ls"}}, "gate.comand: Extra inputs"),
        ("cancel_policy", {"policyId": "pol-99"}, "no policy 'pol-99'"),
    ):
        with pytest.raises(Refused) as refused:
            await call(tool, **arguments)
        said = str(refused.value)
        assert why in said and "Traceback" not in said and len(said) < 400, said
