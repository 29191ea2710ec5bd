"""The queue for a worker that pulls its tickets: the next one, what came of it, and a ticket parked. Plain data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

from console import starting, wiring
from console.core import commands as cmd
from console.core.events import RunHalting
from console.core.queue_claims import held_by
from console.core.records import Refused
from console.core.state import State, open_run
from console.core.tickets import Ticket
from console.engine.client import Client
from console.present import landings
from console.present.text import clean
from console.verbs.failing import NOT_FOUND, Fail, fail
from console.verbs.queueing import folder_of, sync

NO_GO = 64
ENDS = {
    "DRAINED": "DRAINED",
    "TICKET_CAP": "DRAINED",
    "COST_CAP": "DRAINED",
    "LOW_YIELD": "LOW_YIELD",
    "HALTED": "HALTED",
}
"""How `next` names the end of a run; a run that was stopped is halted for its workers."""


def holder_name(name: str) -> str:
    """Who pulls: the name that is given, else the worker or login name of the environment."""
    return name or os.environ.get("NIGHTDESK_WORKER", "") or f"worker-{os.environ.get('USER') or os.getuid()}"


# -- the next one ----------------------------------------------------------------------------------------


def next_ticket(here: wiring.Here, client: Client, holder: str, wait: float, timeout: float) -> dict[str, Any]:
    """wait: seconds while others may yet make a ticket ready. timeout: seconds until its worktree is ready."""
    sync(here, client)
    if not open_run(client.state):
        _start(here, client)
    else:
        _halt_if_changed(here, client)
    before = client.state.seq
    _claim(here, client, holder)
    if wait and not held_by(client.state, holder):
        client.await_effect(lambda state: _claimable(state, client, here, holder), wait)
    state = client.state
    if ended := _parked(state, before, holder):
        return _answer("PARK", ended, state)
    ticket = held_by(state, holder)
    if not ticket:
        return _over(state)
    _await_ground(client, ticket, timeout)
    return _told(client.state, ticket.ticket, here)


def _start(here: wiring.Here, client: Client) -> None:
    """A run for workers that pull: the same preflight, the same trust, the same caps."""
    loaded = wiring.settings_of(here)
    checks = starting.preflight(here, loaded, pull=True).checks
    bad = [check for check in checks if check.level == "no-go"]
    if bad:
        raise Fail("\n".join(f"NO-GO {clean(c.name)}: {clean(c.text)} {clean(c.cure)}".rstrip() for c in bad), NO_GO)
    warnings = tuple(check for check in checks if check.level == "warning")
    start = cmd.StartRun(
        settings=starting.run_settings(loaded), by=wiring.who(here, "next"), pull=True, warnings=warnings
    )
    result = client.send(start)
    if isinstance(result, Refused) and result.paths != ("busy",):
        raise Fail(result.reason)


def _halt_if_changed(here: wiring.Here, client: Client) -> None:
    """Settings are pinned for a run: nothing of it is handed out under other ones, however soon this call comes."""
    run = open_run(client.state)
    if run and run.settings.digest != wiring.settings_of(here).digest:
        reason = "the settings were changed during the run; trust them, then start a run again"
        client.send(cmd.Report(facts=(RunHalting(run=run.run, reason=reason),)))
        client.await_effect(lambda state: None if open_run(state) else True, 30.0)


def _claim(here: wiring.Here, client: Client, holder: str) -> None:
    result = client.send(cmd.NextTicket(holder=holder, by=wiring.who(here, "next")))
    if isinstance(result, Refused) and result.paths != ("no-run",):
        raise Fail(result.reason)


def _claimable(state: State, client: Client, here: wiring.Here, holder: str) -> bool | None:
    """Ask again as long as the run goes on and has nothing for this worker."""
    if not open_run(state):
        return True
    _claim(here, client, holder)
    return True if held_by(client.state, holder) or not open_run(client.state) else None


def _parked(state: State, before: int, holder: str) -> Ticket | None:
    """A ticket that this call claimed and that its text parked at once."""
    found = [t for t in state.tickets.values() if t.holder == holder and t.phase == "ended" and t.decision]
    return next((t for t in found if state.decisions[t.decision].seq > before), None)


def _await_ground(client: Client, ticket: Ticket, timeout: float) -> None:
    def begun(state: State) -> bool | None:
        t = state.tickets[ticket.ticket]
        return None if t.phase == "claimed" and t.attempt == ticket.attempt else True

    if client.await_effect(begun, timeout) is None:
        raise Fail(f"{ticket.ticket} is yours; its worktree was not ready within {timeout:g} s: call `next` again")


def _told(state: State, name: str, here: wiring.Here) -> dict[str, Any]:
    t = state.tickets[name]
    if t.phase == "ended" and not open_run(state):
        return _over(state)
    if t.phase == "ended":
        return {"status": "BLOCKED", **_about(t), "why": _stands(state, t), "outcome": t.outcome}
    return _answer("PROCEED", t, state, here)


def _answer(status: str, t: Ticket, state: State, here: wiring.Here | None = None) -> dict[str, Any]:
    said: dict[str, Any] = {"status": status, **_about(t), "attempt": t.attempt}
    if status == "PARK":
        d = state.decisions[t.decision]
        return said | {"why": d.why, "decision": d.decision, "question": d.question}
    run = state.runs[t.run]
    gate = t.spec.gate or run.settings.gate
    return said | {
        "workdir": t.worktree,
        "branch": t.branch,
        "base": t.base,
        "gate": (list(gate.argv) or [gate.words]) if gate else None,
        "text": _text(here, t) if here else "",
        "answers": list(t.answers),
        "failures": [{"attempt": f.attempt, "why": f.why, "output": f.output} for f in t.failures],
        "run": t.run,
    }


def _text(here: wiring.Here, t: Ticket) -> str:
    text = folder_of(here).text(t.pinned)
    return "" if isinstance(text, Refused) else text


def _about(t: Ticket) -> dict[str, Any]:
    return {"ticket": {"id": t.ticket, "title": t.spec.title, "file": t.file}}


def _over(state: State) -> dict[str, Any]:
    """Why there is no ticket: the run is over, or others have to end first."""
    run = next(reversed(state.runs.values()), None)
    if run is None:
        return {"status": "DRAINED", "why": "there is no run"}
    if run.open:
        why = f"{run.run} is {run.state}: nothing can start right now; ask again later, or use --wait"
        return {"status": "WAIT", "run": run.run, "why": why}
    return {"status": ENDS.get(run.status or "", "HALTED"), "run": run.run, "end": run.status, "why": run.reason}


# -- what came of it -------------------------------------------------------------------------------------


def complete(
    here: wiring.Here,
    client: Client,
    ticket: str,
    holder: str,
    *,
    claim: Literal["DONE", "PARK", "BLOCKED"],
    note: str,
    timeout: float,
) -> dict[str, Any]:
    """Record the result of a ticket that was pulled, and wait until it is judged: the gate decides, not the claim."""
    t = client.state.tickets.get(ticket)
    if t is None:
        raise Fail(f"no ticket {ticket!r}; `nightdesk ticket list` shows what there is", NOT_FOUND)
    base = wiring.git_of(here).turn_base(t.worktree) if t.worktree else None
    head = base.head if base and not isinstance(base, Refused) else ""
    command = cmd.CompleteTicket(
        ticket=ticket, holder=holder, by=wiring.who(here, "next"), claim=claim, note=note, head=head
    )
    result = client.send(command)
    if isinstance(result, Refused):
        fail(result)

    def over(state: State) -> Ticket | None:
        now = state.tickets[ticket]
        return now if not now.in_flight or now.phase == "claimed" else None

    ended = client.await_effect(over, timeout)
    if ended is None:
        raise Fail(f"recorded; {ticket} was not judged within {timeout:g} s: call `complete` again, or `ticket show`")
    return _result(client.state, ended)


def _result(state: State, t: Ticket) -> dict[str, Any]:
    p = state.policies.get(t.policy)
    gate = p.result if p else None
    told = {"verdict": gate.verdict, "code": gate.code, "seconds": gate.seconds, "where": gate.where} if gate else None
    back = t.phase == "queued" and t.failures
    return {
        "ticket": t.ticket,
        "outcome": "FAILED_RETRYABLE" if back else t.outcome,
        "why": t.failures[-1].why if back else _stands(state, t),
        "final": not back,
        "attempt": t.attempt,
        "gate": told,
        "flags": list(t.flags),
        "plan": t.plan,
        "decision": t.decision,
    }


def _stands(state: State, t: Ticket) -> str:
    """Why it stands where it stands: what has landed since waits for nothing any more."""
    return landings.why(state, t) if landings.of_ticket(state, t) else t.why


def park(here: wiring.Here, client: Client, command: cmd.ParkTicket) -> dict[str, Any]:
    """A worker, or a person, parks a ticket as a decision."""
    result = client.send(command, needs_hands=False)
    if isinstance(result, Refused):
        fail(result)
    parked = client.state.tickets[command.ticket]
    return {"ticket": command.ticket, "outcome": parked.outcome, "decision": parked.decision}


def leave_note(
    folder: Path, ticket: str, question: str, options: tuple[str, ...], foundational: bool
) -> dict[str, Any]:
    """From inside a session, whose agent cannot write our state: its supervisor reads the note and parks."""
    from console.adapters.inbox import ParkNote, leave

    mine = os.environ.get("NIGHTDESK_TICKET", "")
    if mine and ticket != mine:
        raise Fail(f"this session works on {mine}; it cannot park {ticket}")
    if not question.strip():
        raise Fail("the question is empty: say what exactly a person must decide")
    try:
        leave(folder, ParkNote(ticket=ticket, question=question, options=options, foundational=foundational))
    except OSError as error:
        raise Fail(f"the request could not be left in {folder}: {error.strerror}") from None
    return {"ticket": ticket, "requested": "park"}
