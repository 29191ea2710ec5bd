"""`nightdesk run`: a supervisor without a screen, idle or for one drain of the queue. Checks first, then `draining`."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from console import starting, supervision, wiring
from console.adapters.lock import is_taken
from console.cli import common, headless
from console.cli import preflight as checks
from console.core import commands as cmd
from console.core.records import Refused
from console.present.text import clean

if TYPE_CHECKING:
    from console.cli.draining import Drain
    from console.core.drain import Run

BUSY = checks.BUSY
PATIENCE = 60.0
"""Seconds until a detached run must have begun: its own preflight, then the lock."""


@click.command()
@click.option("--idle", is_flag=True, help="Supervise sessions and plans; drain no tickets.")
@click.option("--linger", type=float, default=None, help="With --idle: leave after this many seconds without work.")
@click.option("--detach", is_flag=True, help="Check here, then go on without this terminal.")
@click.option("--max-tickets", type=click.IntRange(1, 1_000_000), default=None, help="At most so many in this run.")
@click.option("--attended", is_flag=True, help="Somebody watches: questions wait for an answer before they park.")
@checks.agent_option
@click.option("--ready-fd", type=int, default=None, hidden=True)
@common.json_option
@click.pass_context
def run(
    ctx: click.Context,
    idle: bool,
    linger: float | None,
    detach: bool,
    max_tickets: int | None,
    attended: bool,
    agent: str,
    ready_fd: int | None,
    json_: bool,
) -> None:
    """Check everything, then drain the queue without a screen. Exit 0 DRAINED, 64 NO-GO, 65 busy, 70 HALTED
    or the log lost, 71 LOW_YIELD, 130 stopped.

    Ctrl-C once: no further ticket is taken, what is under way finishes. Twice: everything ends at once, and the same
    command goes on later.
    """
    if idle:
        _idle(common.here(ctx), linger)
        return
    common.people_only("starting a run")
    here = checks.located(ctx)
    if isinstance(here, Refused):
        raise click.exceptions.Exit(checks.tell_nowhere(here, json_))
    start, left = _checked(here, agent, max_tickets or 0, attended, json_)
    if detach and not is_taken(here.places.lock):
        words = [*(["--max-tickets", str(max_tickets)] if max_tickets else []), *(["--attended"] if attended else [])]
        raise click.exceptions.Exit(_detached(here, [*words, *(["--agent", agent] if agent else [])], json_))
    from console.cli.draining import Drain

    raise click.exceptions.Exit(_drain(here, Drain(here, start, left), detach, ready_fd, json_))


def _checked(here: wiring.Here, agent: str, tickets: int, attended: bool, json_: bool) -> tuple[cmd.StartRun, str]:
    """The command that starts the run, after a preflight with the very settings that it pins; and the run to go on with
    instead, if one was left open."""
    loaded = wiring.settings_of(here)
    made = starting.preflight(here, loaded, agent=agent)
    for line in (*checks.lines(made.checks), checks.verdict(made)):
        click.echo(line, err=True)
    if code := checks.exit_code(made):
        if json_:
            common.as_json(checks.data(made))
        raise click.exceptions.Exit(code)
    pinned = starting.run_settings(loaded, agent=agent, tickets=tickets)
    settings = replace(pinned, presets={n: launch for n, launch in pinned.presets.items() if n not in made.unfit})
    start = cmd.StartRun(settings=settings, by=wiring.who(here), attended=attended, warnings=made.warnings)
    return start, made.left


def _drain(here: wiring.Here, drain: Drain, detach: bool, ready_fd: int | None, json_: bool) -> int:
    begun = drain.begin(here=not detach)
    if isinstance(begun, Refused):
        raise common.Fail(begun.reason, BUSY if begun.paths == ("busy",) else common.USAGE)
    if ready_fd is not None:
        os.write(ready_fd, f"{begun}\n".encode())
        os.close(ready_fd)
    if detach:
        _say_detached(here, begun, 0, json_)
        return 0
    ended = drain.follow()
    if isinstance(ended, Refused):
        raise common.Fail(ended.reason, common.BUG)
    _tell_end(here, ended, json_)
    return drain.exit_code


def _tell_end(here: wiring.Here, run: Run, json_: bool) -> None:
    from console.cli import draining

    voice = headless.Voice(here.places.state / "run.log")
    if json_:
        voice.safely(lambda: common.as_json(draining.run_data(run)))
        return
    voice.say(draining.summary(run), err=False)
    if not run.open:
        voice.say(draining.report_place(here, run), err=False)


# -- without a terminal ----------------------------------------------------------------------------------


def _detached(here: wiring.Here, words: list[str], json_: bool) -> int:
    """The same command again, in a session of its own. Returns when it has begun, or has ended without beginning."""
    reader, writer = os.pipe()
    log = here.places.state / "run.log"
    # -P: the current folder is the repository's, and nothing of it may be taken for a part of this program.
    command = [sys.executable, "-P", "-m", "console", "--workspace", str(here.root), "run", *words]
    try:
        out = open(log, "ab")  # noqa: SIM115
    except OSError as error:
        raise common.Fail(f"cannot write {log}, where the words of the run would go: {error.strerror}") from None
    with out, os.fdopen(reader, "rb") as ready:
        since = out.tell()
        child = subprocess.Popen(
            [*command, "--ready-fd", str(writer)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            pass_fds=(writer,),
            env=wiring.environment_for_ours(here),
            cwd="/",
        )
        os.close(writer)
        begun = _first_line(ready.fileno())
    if begun:
        _say_detached(here, begun, child.pid, json_)
        return 0
    return _failed(child, log, since)


def _first_line(fd: int) -> str:
    """What the child says when its run has begun; "" when it ended, or said nothing for too long."""
    import select

    said = b""
    while not said.endswith(b"\n") and select.select([fd], [], [], PATIENCE)[0]:
        more = os.read(fd, 200)
        if not more:
            return ""
        said += more
    return said.decode("utf-8", "replace").strip()


def _failed(child: subprocess.Popen[bytes], log: Path, since: int) -> int:
    try:
        code = child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        raise common.Fail(f"pid {child.pid} has not begun after {PATIENCE:g} s; {log} may say why") from None
    with open(log, "rb") as file:
        file.seek(since)
        said = file.read(64 * 1024).decode("utf-8", "replace").strip().splitlines()
    for line in said[-40:]:
        click.echo(clean(line), err=True)
    click.echo(f"the run did not start; {log} has all of it", err=True)
    return code if code > 0 else 1


def _say_detached(here: wiring.Here, run: str, pid: int, json_: bool) -> None:
    if json_:
        common.as_json({"run": run, "pid": pid or None, "log": str(here.places.state / "run.log") if pid else None})
        return
    log = here.places.state / "run.log"
    goes_on = f"{run} goes on as pid {pid}; its words go into {log}"
    click.echo(goes_on if pid else f"{run} is done by the supervisor that is here already")
    click.echo(
        "follow it with `nightdesk`, `nightdesk status` or `nightdesk events --follow`; `nightdesk stop` ends it"
    )


# -- without a queue -------------------------------------------------------------------------------------


def _idle(here: wiring.Here, linger: float | None) -> None:
    lock = headless.take(here)
    if not lock:
        raise common.Fail(f"{supervision.holder(here)} supervises this workspace already", BUSY)
    voice = headless.Voice(here.places.state / "supervisor.err")
    common.open_log_or_fail(here)
    alone = supervision.Alone(here)
    supervisor = supervision.supervisor(here, lock, linger=linger, alone=alone)
    log = supervision.log_watch(here)
    stopped: list[int] = []

    def stop(number: int, _frame: Any) -> None:
        stopped.append(number)
        why = signal.Signals(number).name
        alone.stopping(why)
        supervisor.request_stop(why)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    # Handled, not ignored: what is ignored here would be ignored in every agent.
    signal.signal(signal.SIGHUP, lambda _number, _frame: voice.leave_terminal())
    if linger is None:
        voice.say(f"supervising {here.root} as pid {os.getpid()}; stop with Ctrl-C")
    why = asyncio.run(supervision.serve(here, supervisor))
    alone.end()
    lock.release()
    if linger is None:
        voice.say(f"ended: {why}")
    if lost := log.gone(now=True):
        raise common.Fail(lost.reason, common.BUG)
    if stopped:
        raise click.exceptions.Exit(130)
