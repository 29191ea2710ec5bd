"""`nightdesk demo`: a sample repository, two scripted agents over the real protocol, real gates, real commits."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click

from console import supervision, wiring
from console.adapters.demo import DemoSession, demo_sessions, make_repository
from console.adapters.lock import Lock
from console.cli import common
from console.core import commands as cmd
from console.core import events as ev
from console.core.commits import Plan
from console.core.records import CommitSpec, Gate, OnFail, PolicySpec, Refused
from console.engine.client import Client, first
from console.engine.hosting import Hosted
from console.present import wording

PATIENCE = 120.0


@click.command()
@click.option(
    "--dir", "folder", type=click.Path(), default=None, help="Where to make it (default: a new temporary folder)."
)
@click.option(
    "--headless", is_flag=True, help="No screen: wait for the plans, approve each by its id, print what landed."
)
@click.pass_context
def demo(ctx: click.Context, folder: str | None, headless: bool) -> None:
    """See it work: two agents fix two bugs, their tests judge, your key commits. Needs no account, no network."""
    if not headless:
        from console.cli.screen import need_terminal

        need_terminal()
    here = prepare(Path(folder) if folder else Path(tempfile.mkdtemp(prefix="nightdesk-demo-")) / "shop")
    client = common.client(here)
    stage(here, client)
    if headless:
        sys.exit(_headless(here, client))
    client.close()
    from console.cli.screen import show

    code = show(here)
    click.echo(f"the demo's repository is {here.root}; `nightdesk --workspace {here.root}` opens it again")
    sys.exit(code)


def prepare(folder: Path) -> wiring.Here:
    """The sample repository, trusted: its commands are ours."""
    from console.adapters import trust

    refused = make_repository(folder, allow_root=os.getuid() == 0)
    if isinstance(refused, Refused):
        common.fail(refused)
    here = wiring.locate(folder, os.environ)
    if isinstance(here, Refused):
        common.fail(here)
    trust.record_trust(here.places.trust, here.root, wiring.settings_of(here).digest)
    return here


def stage(here: wiring.Here, client: Client) -> None:
    """A worktree, an idle agent, its policy, then the prompt, for each session; it runs once somebody supervises."""
    git, ground = wiring.git_of(here), wiring.ground(here)
    presets, by = wiring.settings_of(here).settings.presets, wiring.who(here, "demo")
    for act in demo_sessions():
        tree = git.add_worktree(act.preset, act.preset)
        if isinstance(tree, Refused):
            common.fail(tree)
        start = cmd.StartSession(
            launch=presets[act.preset].launch,
            cwd=tree.path,
            worktree=tree.path,
            by=by,
            preset=act.preset,
            label=act.preset,
        )
        added = first(_sent(client, start), ev.SessionAdded)
        assert isinstance(added, ev.SessionAdded)
        spec = ground.prepare(_policy(act, added.session), client.state)
        if isinstance(spec, Refused):
            common.fail(spec)
        _sent(client, cmd.AttachPolicy(spec=spec, by=by))
        _sent(client, cmd.SendPrompt(session=added.session, text=act.prompt, by=by))


def _policy(act: DemoSession, session: str) -> PolicySpec:
    return PolicySpec(
        sessions=(session,),
        then="commit",
        gate=Gate(argv=act.gate, timeout=60),
        on_fail=OnFail(nudge=act.nudge, retries=2),
        commit=CommitSpec(paths=act.paths, message=act.message),
    )


def _sent(client: Client, command: cmd.Command) -> tuple[ev.Logged, ...]:
    result = client.send(command, needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
    return result


def _headless(here: wiring.Here, client: Client) -> int:
    lock = Lock(here.places.lock)
    if not lock.take(supervision.lock_text()):
        raise common.Fail("another process supervises the demo already")
    hosted = Hosted(supervision.supervisor(here, lock), supervision.serve_on(here), lock.release)
    hosted.start()
    try:
        click.echo(f"repository {here.root}")
        landed = [_approve_next(here, client, hosted) for _ in demo_sessions()]
    finally:
        hosted.stop("the demo is over")
        hosted.join()
    return 0 if all(landed) else 1


def _approve_next(here: wiring.Here, client: Client, hosted: Hosted) -> bool:
    """Wait for a plan, approve exactly it by its id, say what landed."""
    plan = client.wait(lambda state: next((p for p in state.plans.values() if p.state == "waiting"), None), PATIENCE)
    if plan is None:
        why = f": {hosted.failed!r}" if hosted.failed else ""
        click.echo(f"no plan became ready within {PATIENCE:g} s{why}; {wording.counts_sentence(client.state)}")
        return False
    policy = client.state.policies[plan.policy]
    click.echo(
        f"\n{wording.plan_sentence(plan)} after {policy.retries} nudge(s); gate {wording.result_text(policy.result)}"
    )
    click.echo(f"approving {plan.policy} --plan {plan.plan}")
    _sent(client, cmd.Approve(policy=plan.policy, plan=plan.plan, by=wiring.who(here, "demo --headless")))
    done = client.wait(lambda state: _over(state.plans[plan.plan]), PATIENCE)
    click.echo(wording.plan_sentence(done or plan))
    return bool(done and done.state == "landed")


def _over(plan: Plan) -> Plan | None:
    return None if plan.state in ("waiting", "approved", "landing") else plan
