"""`nightdesk session wait`: block until turns or policies have ended, by looking at the log only. Nothing is asked of a
supervisor, none is started: whichever runs, then or later, does the work."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from console import wiring
from console.cli import common
from console.core.policies import Policy
from console.core.sessions import Session
from console.core.state import State
from console.present import wording
from console.present.text import clean

if TYPE_CHECKING:
    from console.engine.client import Client

TERMINATED = 143
"""Exit code after SIGTERM, as a shell tells it."""
UNSUPERVISED = "nobody supervises this workspace, so nothing goes on; `nightdesk` or `nightdesk run --idle` does"


@dataclass(frozen=True, slots=True)
class SessionTurn:
    """The turn of a session, with what is queued behind it. It ends well whatever the agent says of it; only a session
    that is over does not."""

    name: str

    def of(self, state: State) -> Session:
        return state.sessions[self.name]

    def ended(self, state: State) -> bool:
        s = self.of(state)
        return not s.busy and s.phase not in ("starting", "stopping")

    def bad(self, state: State) -> bool:
        return self.of(state).phase == "exited"

    def data(self, state: State) -> dict[str, Any]:
        turn = self.of(state).turn
        return wording.session_data(self.of(state)) | {"turnOk": turn.ok if turn and turn.end_seq else None}

    def sentence(self, state: State) -> str:
        return f"{self.name}: {wording.session_phase(self.of(state))}"


@dataclass(frozen=True, slots=True)
class PolicyEnd:
    """One policy; the one that follows it (`next`) is another."""

    name: str

    def of(self, state: State) -> Policy:
        return state.policies[self.name]

    def ended(self, state: State) -> bool:
        return self.of(state).status in ("done", "blocked", "cancelled", "awaiting-ack")

    def bad(self, state: State) -> bool:
        return self.of(state).status in ("blocked", "cancelled")

    def data(self, state: State) -> dict[str, Any]:
        return wording.policy_data(self.of(state))

    def sentence(self, state: State) -> str:
        return clean(wording.policy_sentence(self.of(state)))


Target = SessionTurn | PolicyEnd


@click.command()
@click.argument("names", nargs=-1)
@click.option("--policy", "policies", multiple=True, help="Wait for this policy instead of its sessions' turns.")
@click.option("--any", "any_", is_flag=True, help="Of several, the first that ends is enough.")
@click.option(
    "--timeout", "timeout_ms", type=click.IntRange(min=0), default=600_000, show_default=True, help="Milliseconds."
)
@common.json_option
@click.pass_context
def wait(
    ctx: click.Context, names: tuple[str, ...], policies: tuple[str, ...], any_: bool, timeout_ms: int, json_: bool
) -> None:
    """Block until the turns, or the policies, have ended. Exit 0 done or awaiting-ack, 2 otherwise, 3 not found.

    NAMES are ids or labels of sessions. A session that a named policy watches is waited for by that policy.
    """
    here = common.here(ctx)
    client = common.client(here)
    targets = _targets(client.state, names, policies)
    with _named_when_broken_off(client, targets):
        client.wait(lambda state: _over(targets, state, any_), timeout_ms / 1000)
    state = client.journal.state
    timed_out = _over(targets, state, any_) is None
    if json_:
        common.as_json(_data(targets, state, any_, timed_out))
    else:
        for one in targets:
            click.echo(one.sentence(state) + (" (timed out)" if timed_out and not one.ended(state) else ""))
    if timed_out:
        nobody = "" if wiring.supervised(here) else f"; {UNSUPERVISED}"
        click.echo(f"timed out after {timeout_ms / 1000:g} s, {_still(targets, state)}{nobody}", err=True)
    client.close()
    if timed_out or any(one.bad(state) for one in targets if one.ended(state)):
        raise click.exceptions.Exit(common.USAGE)


def _targets(state: State, names: Sequence[str], policies: Sequence[str]) -> tuple[Target, ...]:
    """What is waited for, each once, in the order it was named. Fails when something is not there."""
    if not names and not policies:
        raise common.Fail("name a session, or --policy")
    sessions = [common.session_named(state, name).session for name in names]
    for policy in policies:
        if policy not in state.policies:
            raise common.Fail(f"no policy {policy!r}; `nightdesk policy list` shows what there is", common.NOT_FOUND)
    watched = {session for policy in policies for session in state.policies[policy].spec.sessions}
    turns = [SessionTurn(name) for name in dict.fromkeys(sessions) if name not in watched]
    return (*turns, *(PolicyEnd(policy) for policy in dict.fromkeys(policies)))


def _over(targets: Sequence[Target], state: State, any_: bool) -> bool | None:
    return True if (any if any_ else all)(one.ended(state) for one in targets) else None


def _still(targets: Sequence[Target], state: State) -> str:
    return "still waiting for " + "; ".join(one.sentence(state) for one in targets if not one.ended(state))


def _data(targets: Sequence[Target], state: State, any_: bool, timed_out: bool) -> dict[str, Any]:
    """Of one target its own data; of several a list of each kind."""
    if len(targets) == 1:
        return targets[0].data(state) | {"timedOut": timed_out}
    told = [(one, one.data(state) | {"ended": one.ended(state)}) for one in targets]
    return {
        "timedOut": timed_out,
        "any": any_,
        "ended": [one.name for one in targets if one.ended(state)],
        "sessions": [data for one, data in told if isinstance(one, SessionTurn)],
        "policies": [data for one, data in told if isinstance(one, PolicyEnd)],
    }


class Terminated(BaseException):
    """SIGTERM."""


@contextmanager
def _named_when_broken_off(client: Client, targets: Sequence[Target]) -> Iterator[None]:
    """A wait that is broken off says what it was for; it has changed nothing, and can be begun again."""

    def ended(_number: int, _frame: object) -> None:
        raise Terminated

    before = signal.getsignal(signal.SIGTERM)
    if before is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, ended)
    try:
        yield
    except (KeyboardInterrupt, Terminated) as error:
        click.echo(f"broken off, {_still(targets, client.journal.state)}", err=True)
        raise click.exceptions.Exit(TERMINATED if isinstance(error, Terminated) else 130) from None
    finally:
        if before is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, before)
