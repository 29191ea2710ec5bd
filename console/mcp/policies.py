"""Tools about policies and their plans."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from console import wiring
from console.cli import policy_input
from console.core import commands as cmd
from console.core import events as ev
from console.engine.client import first
from console.mcp.scope import Scope
from console.mcp.verb import Verb, verb
from console.present import wording
from console.verbs import acking
from console.verbs.failing import Fail, people_only, policy_named, session_named, unless_refused

PolicyId = Annotated[str, Field(description="As attach_policy or list_policies gave it, e.g. pol-1.")]
Timeout = Annotated[int, Field(ge=0, le=600_000, description="Milliseconds to wait for the outcome.")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class JudgeGate(Strict):
    adapter: str = Field(description="A confirmed preset of the settings.")
    prompt: str = Field(description="What it is to judge; it ends with VERDICT: PASS or VERDICT: FAIL.")
    model: str = ""
    timeoutMs: int = Field(120_000, ge=1)


class GateShape(Strict):
    """A command (exit 0 is green), or a judge."""

    command: str | list[str] = Field("", description="On the allowlist; a string is split as a shell would split it.")
    args: list[str] = []
    cwd: str = Field(".", description="Relative to the session's worktree.")
    timeoutMs: int = Field(600_000, ge=1)
    judge: JudgeGate | None = None


class OnFailShape(Strict):
    nudge: str = Field("", description="Prompt after a red gate; {code} and {output} are replaced.")
    maxRetries: int = Field(2, ge=0)


class CommitShape(Strict):
    paths: list[str] = Field([], description="Exactly these files, relative to the session's folder.")
    message: str = ""
    requireHumanAck: bool = True


class PolicyShape(Strict):
    """The policy that follows one that is done. Without sessions: those of the policy before it."""

    sessionId: str = ""
    sessionIds: list[str] = []
    then: Literal["emit", "commit"] = "emit"
    gate: GateShape | None = None
    onFail: OnFailShape | None = None
    commit: CommitShape | None = None
    next: PolicyShape | None = None


class PolicyTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._here = scope.here

    def verbs(self) -> list[Verb]:
        return [
            verb(self.attach_policy),
            verb(self.list_policies),
            verb(self.get_policy_status),
            verb(self.ack_policy, "approving"),
            verb(self.cancel_policy, "cancelling a policy"),
        ]

    def attach_policy(
        self,
        *,
        sessionId: Annotated[str, Field(description="The session to watch.")] = "",
        sessionIds: Annotated[list[str], Field(description="Several: one gate for all, when all ended.")] = [],  # noqa: B006
        then: Annotated[Literal["emit", "commit"], Field(description="What follows a green gate.")] = "emit",
        gate: GateShape | None = None,
        noGate: Annotated[bool, Field(description="Pass at the turn's end, without the settings' gate.")] = False,
        onFail: OnFailShape | None = None,
        commit: CommitShape | None = None,
        next: PolicyShape | None = None,
        since: Annotated[int | None, Field(description="Watch turns that ended after this cursor.")] = None,
    ) -> dict[str, Any]:
        """Watch sessions: at the end of their turn the gate runs, then emit (events only) or commit (freeze a plan that
        waits for a person). A turn that has ended already is judged at once, so it is never too late. Without a gate
        the settings' one runs. `commit.requireHumanAck: false` is for the operator only.

        Example: {"sessionId": "s-1", "then": "commit", "gate": {"command": "pytest", "args": ["-q"]},
        "commit": {"paths": ["a.py"], "message": "Fix a"}, "onFail": {"nudge": "Fix it: {output}", "maxRetries": 2}}
        """
        shape = PolicyShape(
            sessionId=sessionId, sessionIds=sessionIds, then=then, gate=gate, onFail=onFail, commit=commit, next=next
        )
        given = msgspec.convert(shape.model_dump(exclude_none=True), policy_input.PolicyInput)
        if given.gate is None and not noGate:
            given = policy_input.with_gate(given, wiring.settings_of(self._here).settings.gate)
        if policy_input.lands_alone(given):
            people_only("landing without a person (no ack)")
        with self._scope.client() as client:
            wanted = sessionIds or ([sessionId] if sessionId else [])
            if not wanted:
                raise Fail("name a sessionId, or sessionIds")
            names = tuple(session_named(client.state, name).session for name in wanted)
            given = msgspec.structs.replace(given, session_id="", session_ids=list(names))
            spec = unless_refused(wiring.ground(self._here).prepare(policy_input.to_spec(given, names), client.state))
            by = wiring.who(self._here, "mcp")
            result = unless_refused(client.send(cmd.AttachPolicy(spec=spec, by=by, since=since)))
            attached = first(result, ev.PolicyAttached)
            assert isinstance(attached, ev.PolicyAttached)
            told = wording.policy_data(client.state.policies[attached.policy])
        return told | {"warnings": policy_input.shell_warnings(given)}

    def list_policies(self) -> dict[str, Any]:
        """Every policy and where it stands.

        Example: {}
        """
        with self._scope.client() as client:
            return {"policies": [wording.policy_data(p) for p in client.state.policies.values()]}

    def get_policy_status(self, policyId: PolicyId) -> dict[str, Any]:
        """One policy: status (watching, queued, gating, acting, nudging, awaiting-ack, done, blocked, cancelled), its
        last gate, why, and the plan that waits (`plan` is the commit id that ack_policy wants).

        Example: {"policyId": "pol-1"}
        """
        with self._scope.client() as client:
            p = policy_named(client.state, policyId)
            plan = client.state.plans.get(p.plan)
            return wording.policy_data(p) | {"commitPlan": wording.plan_data(plan) if plan else None}

    def ack_policy(
        self,
        *,
        policyId: PolicyId,
        approve: Annotated[bool, Field(description="true lands the plan, false rejects it.")],
        plan: Annotated[str, Field(description="With approve: the commit id of the diff that was read.")] = "",
        note: Annotated[str, Field(description="Why it is rejected.")] = "",
        confirm: Annotated[str, Field(description="For diffs that ask for it: the id typed again.")] = "",
        timeoutMs: Timeout = 50_000,
    ) -> dict[str, Any]:
        """Approve or reject a plan that awaits a person, in the operator's name: only for what the operator has read.
        `plan` is mandatory with approve, so that nothing lands that was replaced meanwhile.

        Example: {"policyId": "pol-1", "approve": true, "plan": "4f2a9c1d0b..."}
        """
        if approve and not plan:
            raise Fail("approve needs plan: the commit id of the diff that was read; get_policy_status shows it")
        by = wiring.who(self._here, "mcp")
        with self._scope.client() as client:
            if not approve:
                return wording.plan_data(
                    acking.reject(client, cmd.Reject(policy=policyId, plan=plan, by=by, note=note))
                )
            approval = cmd.Approve(policy=policyId, plan=plan, by=by, confirm=confirm)
            landed = acking.approve(client, approval, timeoutMs / 1000)
        if trouble := acking.trouble(landed, timeoutMs / 1000):
            raise Fail(trouble)
        return wording.plan_data(landed)

    def cancel_policy(
        self, policyId: PolicyId, note: Annotated[str, Field(description="Why, for the log.")] = ""
    ) -> dict[str, Any]:
        """End a policy; its waiting plan becomes void, the work stays where it is.

        Example: {"policyId": "pol-1", "note": "no longer wanted"}
        """
        command = cmd.CancelPolicy(policy=policyId, by=wiring.who(self._here, "mcp"), note=note)
        with self._scope.client() as client:
            unless_refused(client.send(command, needs_hands=False))
            return wording.policy_data(client.state.policies[policyId])
