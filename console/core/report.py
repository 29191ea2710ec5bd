"""The morning report of a run, from the log and git only; never from what an agent says of itself. Pure.

Its parts are in `console.core.reporting`; here they are put together.
"""

from __future__ import annotations

from collections.abc import Iterable

from console.core import drain
from console.core import events as ev
from console.core.commits import short
from console.core.records import Refused
from console.core.reporting import chaining, tallying, trouble
from console.core.reporting import history as log
from console.core.reporting.blindspots import blind_spots
from console.core.reporting.items import items
from console.core.reporting.merging import merges
from console.core.reporting.records import Report, Spent
from console.core.state import State
from console.core.tickets import DONE
from console.core.timeline import Timeline


def find(state: State, run: str = "") -> drain.Run | Refused:
    """A run by its id, "" for the latest."""
    if not state.runs:
        return Refused(reason="no run has been started here yet; `nightdesk run` starts one", paths=("missing",))
    if run and run not in state.runs:
        known = ", ".join(list(state.runs)[-5:])
        return Refused(reason=f"no run {run!r}; the latest are {known}", paths=("missing",))
    return state.runs[run] if run else next(reversed(state.runs.values()))


def build(state: State, run: str = "", history: Iterable[ev.Logged] | None = None) -> Report | Refused:
    """The report of a run ("" for the latest) as things stand now. history: its entries of the log, for what the state
    forgets (first claims, restarts, leftovers, refused snapshots); None: the report says less of these."""
    r = find(state, run)
    if isinstance(r, Refused):
        return r
    past = log.past(history, r.run, r.seq, r.end_seq, _timeline(state))
    tally = tallying.tally(state, r)
    dealt = [state.tickets[name] for name in tallying.met(state, r) if name in state.tickets]
    listed = items(state, r, past, latest=r.run == next(reversed(state.runs)))
    chains = chaining.sums(state, r)
    looks = sum(i.section == "look" and i.kind == "ticket" and i.outcome in DONE for i in listed)
    headline, loud = tallying.headline(r, tally, looks, chains)
    return Report(
        run=r.run,
        as_of=state.at,
        started_at=r.started_at,
        ended_at=r.ended_at,
        state=r.state,
        status=r.status,
        why=r.reason,
        headline=headline,
        loud=loud,
        by=r.by.user or r.by.via,
        attended=r.attended,
        pull=r.pull,
        digest=r.settings.digest,
        caps=_caps(r),
        supervisor=_supervisor(state),
        sandbox=state.supervisor.sandbox if state.supervisor else "",
        bases=tuple(dict.fromkeys(_base(t.base, t.place) for t in dealt if t.base and not t.stacked_on)),
        spent=_spent(state, r, past),
        tally=tally,
        items=listed,
        blind=blind_spots(state, r, past),
        merges=merges(state, [t for t in dealt if t.run in (r.run, "")]),
        restarted=tuple(trouble.restarted(state, past.trouble)),
        left=tuple(trouble.left(state, past.trouble)),
        standstills=tuple(past.trouble.standstills),
        chains=chains,
        night=past.timeline.night() if past.told else None,
    )


def _timeline(state: State) -> Timeline:
    """An empty one, which knows what sessions and policies are about."""
    sessions = {s.session: s.ticket for s in state.sessions.values()}
    return Timeline.knowing(sessions, {p.policy: p.spec.sessions for p in state.policies.values()})


def _caps(r: drain.Run) -> tuple[str, ...]:
    s = r.settings
    cost = "no cap of cost" if s.cost_usd is None else f"at most {s.cost_usd:.2f} $"
    low = f"low yield after {s.low_after} at {s.low_share:.0%} not done"
    return (f"{s.tickets} tickets", f"{s.attempts} attempts each", f"{s.sessions} at once", cost, low)


def _supervisor(state: State) -> str:
    h = state.supervisor
    return f"pid {h.pid} on {h.host}, nightdesk {h.version}" if h else ""


def _base(base: str, place: str) -> str:
    return f"{short(base)}{f' ({place})' if place else ''}"


def _spent(state: State, r: drain.Run, past: log.Past) -> Spent:
    dealt = {*tallying.met(state, r), *r.claimed, *r.outcomes}  # reviews and repairs cost as well
    during = [
        p
        for p in state.policies.values()
        if p.spec.ticket in dealt and p.attached_at >= r.started_at and not (r.ended_at and p.attached_at > r.ended_at)
    ]
    begun = past.attempts.total() if past.told else r.attempts
    return Spent(
        seconds=max(0.0, (r.ended_at or state.at) - r.started_at),
        attempts=begun,
        retries=max(0, begun - (len(past.attempts) if past.told else len(r.claimed))),
        nudges=sum(p.retries for p in during),
        turns=max(r.begun, r.turns),
        cost_usd=r.cost_usd,
        uncosted=drain.unsaid(r),
    )
