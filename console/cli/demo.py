"""`nightdesk demo`: a sample repository, scripted agents over the real protocol, real gates, real commits.

A night of tickets by default; `--policies` is two sessions with a policy each. Decides nothing about either.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from console import supervision, wiring
from console.adapters.demo import DemoSession, Expected, Kind, demo_sessions, expected, make_repository
from console.adapters.lock import Lock
from console.cli import common
from console.core import commands as cmd
from console.core import events as ev
from console.core import queue
from console.core.commits import Plan
from console.core.records import CommitSpec, Gate, OnFail, PolicySpec, Refused
from console.core.state import State
from console.core.tickets import of_chain
from console.engine.client import Client, first
from console.engine.hosting import Hosted
from console.present import wording

PATIENCE = 120.0


@click.command()
@click.option(
    "--dir", "folder", type=click.Path(), default=None, help="Where to make it (default: a new temporary folder)."
)
@click.option("--headless", is_flag=True, help="No screen: run the night and print its report.")
@click.option("--policies", is_flag=True, help="Two sessions with a policy each; --headless approves their plans.")
@click.option("--low-yield", is_flag=True, help="More tickets that nobody can decide: the run stops by itself.")
def demo(folder: str | None, headless: bool, policies: bool, low_yield: bool) -> None:
    """See it work: a night of tickets in a minute. Agents work, tests judge, what needs you waits, your key commits.
    Needs no account, no network."""
    if policies and low_yield:
        raise common.Fail("--low-yield is about the queue, which --policies leaves out: name one of the two")
    if not headless:
        from console.cli.screen import need_terminal

        need_terminal()
    kind: Kind = "policies" if policies else "low-yield" if low_yield else "night"
    here = prepare(Path(folder) if folder else Path(tempfile.mkdtemp(prefix="nightdesk-demo-")) / "shop", kind)
    if headless and not policies:
        sys.exit(_night(here, expected(kind)))
    if policies:
        client = common.client(here)
        stage(here, client)
        if headless:
            sys.exit(_headless(here, client))
        client.close()
    from console.cli.screen import show

    code = show(here)
    click.echo(f"the demo's repository is {here.root}; `nightdesk --workspace {here.root}` opens it again")
    sys.exit(code)


def prepare(folder: Path, kind: Kind = "policies") -> wiring.Here:
    """The sample repository, trusted: its commands are ours."""
    from console.adapters import trust

    refused = make_repository(folder, allow_root=os.getuid() == 0, kind=kind)
    if isinstance(refused, Refused):
        common.fail(refused)
    here = wiring.locate(folder, os.environ)
    if isinstance(here, Refused):
        common.fail(here)
    trust.record_trust(here.places.trust, here.root, wiring.settings_of(here).digest)
    if kind == "night":
        client = common.client(here)
        _sent(client, cmd.SwitchChains(on=True, by=wiring.who(here, "demo")))
        client.close()
    return here


# -- the night -------------------------------------------------------------------------------------------


def _night(here: wiring.Here, hoped: Expected) -> int:
    """`nightdesk run` as anybody would start it, then its report; 0 when every ticket ended as it is meant to."""
    begun = time.monotonic()
    click.echo(f"repository {here.root}")
    argv = [sys.executable, "-P", "-m", "console", "--workspace", str(here.root), "run"]
    code = subprocess.run(argv, stdin=subprocess.DEVNULL, check=False).returncode
    client = common.client(here)
    try:
        wrong = differences(client.state, hoped)
        ran = bool(client.state.runs)
    finally:
        client.close()
    if not ran:
        return code or 1
    _print_report(here)
    took = f"the night took {time.monotonic() - begun:.0f} s"
    if wrong:
        click.echo(f"\n{took}; not as the demo is meant to end:\n" + "\n".join(f"- {line}" for line in wrong))
        return 1
    chained = sum(map(of_chain, hoped.tickets))
    beside = f" and their {chained} reviews and repairs" if chained else ""
    click.echo(f"\n{took}; all {len(hoped.tickets) - chained} tickets{beside} ended as the demo is meant to end")
    return 0


def _print_report(here: wiring.Here) -> None:
    from console.cli.report import build
    from console.present.nightreport import markdown

    built = build(here)
    if isinstance(built, Refused):
        common.fail(built)
    click.echo("\n" + markdown(built, time.time()), nl=False)


def differences(state: State, hoped: Expected) -> list[str]:
    """Where the latest run did not come to what was hoped for, a sentence each."""
    run = next(reversed(state.runs.values()), None)
    status = (run.status or run.state) if run else "none"
    found = {name: _standing(state, name) for name in hoped.tickets}
    wrong = [
        f"{name}: {found[name]}, not {meant}{_why(state, name)}"
        for name, meant in hoped.tickets.items()
        if found[name] != meant
    ]
    return wrong if status in hoped.status else [f"the run: {status}, not {' or '.join(hoped.status)}", *wrong]


def _standing(state: State, name: str) -> str:
    ticket = state.tickets.get(name)
    if ticket is None:
        return "no such ticket"
    if ticket.phase != "queued":
        return ticket.outcome or ticket.phase
    readiness = queue.readiness(state, ticket).state
    return "queued" if readiness == "ready" else readiness


def _why(state: State, name: str) -> str:
    ticket = state.tickets.get(name)
    return f" ({ticket.why})" if ticket and ticket.why else ""


# -- policies --------------------------------------------------------------------------------------------


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
