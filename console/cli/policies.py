"""`nightdesk policy ...`: attach, list, status, ack, retry, cancel."""

from __future__ import annotations

import time
from typing import Any

import click

from console import wiring
from console.cli import common
from console.cli.acking import ack
from console.cli.policy_input import as_spec, lands_alone, read_options, shell_warnings, with_gate
from console.core import commands as cmd
from console.core import events as ev
from console.core import policies as rules
from console.core.records import PolicySpec, Refused
from console.core.state import State
from console.engine.client import first
from console.present import judgewords, wording


@click.group()
def policy() -> None:
    """Gates at the end of turns, and what follows a green one."""


policy.add_command(ack)


@policy.command(context_settings={"ignore_unknown_options": True})
@click.option("--session", "sessions", multiple=True, required=True, help="Several make a group: one gate for all.")
@click.option("--then", type=click.Choice(["emit", "commit"]), default="emit", show_default=True)
@click.option(
    "--gate-json", default="", help='{"command", "args", "cwd", "timeoutMs"}, or {"judge": {"adapter", "prompt", ...}}'
)
@click.option("--judge", default="", help="An agent decides instead of a command: started by this preset.")
@click.option("--judge-prompt", default=None, help="What it is to judge, or @FILE with that.")
@click.option("--judge-model", default=None, help="Its model, where the preset can be told one.")
@click.option("--judge-timeout", default=None, help='How long it may take (default "2m").')
@click.option("--gate-cwd", default=".", help="The gate's folder, relative to the session's worktree.")
@click.option("--gate-timeout", default="10m", show_default=True, help='With its unit: "90s", "10m".')
@click.option("--commit-path", "paths", multiple=True, help="Exactly this file, relative to the session's folder.")
@click.option("--commit-message", "message", default="")
@click.option("--no-gate", is_flag=True, help="Pass at the turn's end, without the settings' gate.")
@click.option("--no-ack", is_flag=True, help="Land a green diff without a person.")
@click.option("--nudge", default=None, help="Prompt after a red gate; {code} and {output} are replaced.")
@click.option("--max-retries", type=int, default=None, help="Nudges before it is blocked (default 2).")
@click.option("--next-json", default="", help="The policy to attach when this one is done.")
@click.option("--since", type=click.IntRange(0, 2**62), default=None, help="Watch turns that ended after this cursor.")
@common.json_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def attach(ctx: click.Context, /, json_: bool, command: tuple[str, ...], **options: Any) -> None:
    """Watch sessions: at the end of their turn run the gate CMD, then emit or commit.

    A turn that has ended already is judged at once; --since narrows what counts.
    """
    here = common.here(ctx)
    client = common.client(here)
    problems: list[str] = []
    given = read_options(options, command, problems)
    if given.gate is None and not options["no_gate"]:
        given = with_gate(given, wiring.settings_of(here).settings.gate)
    for warning in shell_warnings(given):
        click.echo(warning, err=True)
    if lands_alone(given):
        common.people_only("landing without a person (no ack)")
    names = tuple(common.session_named(client.state, name).session for name in options["sessions"])
    spec = _prepared(here, client.state, as_spec(given, names, problems), problems)
    result = client.send(cmd.AttachPolicy(spec=spec, by=wiring.who(here), since=options["since"]))
    if isinstance(result, Refused):
        common.fail(result)
    attached = first(result, ev.PolicyAttached)
    assert isinstance(attached, ev.PolicyAttached)
    p = client.state.policies[attached.policy]
    if json_:
        common.as_json(wording.policy_data(p))
    else:
        click.echo(wording.policy_sentence(p))


def _prepared(here: wiring.Here, state: State, spec: PolicySpec, problems: list[str]) -> PolicySpec:
    """Ready to be attached. Fails with every problem there is, those that were found before first."""
    prepared = wiring.ground(here).prepare(spec, state)
    found = [*problems, *rules.problems(spec)]
    found += prepared.reason.split("\n") if isinstance(prepared, Refused) else []
    if found or isinstance(prepared, Refused):
        raise common.Fail("\n".join(dict.fromkeys(found)))
    return prepared


@policy.command("list")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, json_: bool) -> None:
    """Every policy and where it stands."""
    state = common.client(common.here(ctx)).state
    if json_:
        common.as_json({"policies": [wording.policy_data(p) for p in state.policies.values()]})
        return
    rows = [
        (
            p.policy,
            p.status,
            ",".join(p.spec.sessions),
            wording.gate_text(p),
            wording.age(time.time() - p.changed_at),
            p.reason,
        )
        for p in state.policies.values()
    ]
    common.table(("ID", "STATUS", "SESSIONS", "GATE", "FOR", "WHY"), rows)


@policy.command()
@click.argument("policy_id")
@common.json_option
@click.pass_context
def status(ctx: click.Context, policy_id: str, json_: bool) -> None:
    """One policy: status, last gate, plan."""
    state = common.client(common.here(ctx)).state
    if policy_id not in state.policies:
        raise common.Fail(f"no policy {policy_id!r}; `nightdesk policy list` shows what there is", common.NOT_FOUND)
    p = state.policies[policy_id]
    if json_:
        common.as_json(wording.policy_data(p) | {"waits": judgewords.waiting(state, p) or None})
        return
    for line in (*wording.policy_lines(p, state.plans.get(p.plan)), *judgewords.judge_lines(state, p)):
        click.echo(line)


@policy.command()
@click.argument("policy_id")
@click.pass_context
def retry(ctx: click.Context, policy_id: str) -> None:
    """Judge a blocked policy again, on the work as it is now."""
    common.people_only("judging again")
    here = common.here(ctx)
    result = common.client(here).send(cmd.RetryPolicy(policy=policy_id, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    click.echo(f"{policy_id} is judged again")


@policy.command()
@click.argument("policy_id")
@click.option("--note", default="")
@click.pass_context
def cancel(ctx: click.Context, policy_id: str, note: str) -> None:
    """End a policy; its waiting plan becomes void, the work stays."""
    common.people_only("cancelling a policy")
    here = common.here(ctx)
    client = common.client(here)
    result = client.send(cmd.CancelPolicy(policy=policy_id, by=wiring.who(here), note=note), needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
    click.echo(f"{policy_id} is cancelled")
