"""What nobody watched during a run, and guarantees that were weaker than they could be. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from console.core import drain
from console.core.reporting import chaining, tallying
from console.core.reporting.facts import plan_of
from console.core.reporting.history import Past
from console.core.reporting.records import BlindSpot
from console.core.reporting.stacking import DEAD, owner
from console.core.sessions import Session
from console.core.state import State
from console.core.tickets import Ticket

SHOWN = 5
HIGH = 3
"""Risk level of a diff that a person should not be the first to read."""


def blind_spots(state: State, r: drain.Run, past: Past) -> tuple[BlindSpot, ...]:
    dealt = [state.tickets[name] for name in tallying.met(state, r) if name in state.tickets]
    chained = chaining.of_run(state, r)
    names = {t.ticket for t in (*dealt, *chained)}
    ours = [s for s in state.sessions.values() if s.ticket in names]
    return tuple(
        spot
        for found in (
            _preflight(r),
            _sandbox(state, ours),
            _money(r),
            _gates(r, dealt),
            _hooks(state, dealt),
            _unreviewed(state, dealt),
            _reviewers(state, chained),
            _snapshots(ours, past),
            _supervisor(state, r, past, dealt),
            _unwatched(past),
            _leftovers(past),
            _lost(state, past),
            _folder(state),
            _outside(ours),
        )
        for spot in found
    )


def _listed(texts: Iterable[str]) -> str:
    """The commonest first, with how often; at most SHOWN."""
    counted = Counter(texts).most_common()
    shown = "; ".join(text + (f" ({n} times)" if n > 1 else "") for text, n in counted[:SHOWN])
    return shown + (f"; and {len(counted) - SHOWN} more" if len(counted) > SHOWN else "")


def _preflight(r: drain.Run) -> Iterator[BlindSpot]:
    for check in r.warnings:
        if check.level != "ok":
            yield BlindSpot(what="preflight", text=f"{check.name}: {check.text}", cure=check.cure)


def _sandbox(state: State, ours: Sequence[Session]) -> Iterator[BlindSpot]:
    """What each session ran in, in the words that were true for it."""
    words = Counter(s.sandbox for s in ours if s.sandbox)
    for text, number in words.most_common():
        yield BlindSpot(what="sandbox", text=f"{text} ({number} session{'s' * (number != 1)})")
    if not words and state.supervisor and state.supervisor.sandbox:
        yield BlindSpot(what="sandbox", text=state.supervisor.sandbox)
    pulled = sum(s.launch.protocol == "external" for s in ours)
    if pulled:
        yield BlindSpot(what="pulled work", text=f"{pulled} session(s) were workers that nightdesk did not start")


def _money(r: drain.Run) -> Iterator[BlindSpot]:
    if silent := drain.unsaid(r):
        cap = "; the cap of cost counts only what was told" if r.settings.cost_usd is not None else ""
        yield BlindSpot(what="cost", text=f"{silent} of {max(r.begun, r.turns)} turns did not say what they cost{cap}")


def _gates(r: drain.Run, dealt: Sequence[Ticket]) -> Iterator[BlindSpot]:
    bare = [t.ticket for t in dealt if t.outcome and not (t.spec.gate or r.settings.gate)]
    if bare:
        text = f"nothing judged {len(bare)} ticket(s), as there is no gate: {_listed(bare)}"
        yield BlindSpot(what="gate", text=text, cure="set `gate:` in .nightdesk/config.yaml")


def _hooks(state: State, dealt: Sequence[Ticket]) -> Iterator[BlindSpot]:
    for t in dealt:
        plan = plan_of(state, t)
        findings = plan.assessment.findings if plan and plan.assessment else ()
        for f in findings:
            if f.kind == "hook" and f.level != "info":
                yield BlindSpot(what="hook", text=f"{t.ticket}: {f.text}")


def _unreviewed(state: State, dealt: Sequence[Ticket]) -> Iterator[BlindSpot]:
    """High-risk diffs that no reviewer has read and that none is called for by itself."""
    plans = [(t, p) for t in dealt if t.spec.review is not False and (p := plan_of(state, t))]
    bare = [t.ticket for t, p in plans if p.level >= HIGH and p.state not in DEAD and not p.reviews]
    what = f"{len(bare)} high-risk diff{' was' if len(bare) == 1 else 's were'} not reviewed: {_listed(bare)}"
    if bare and not state.chains_on:
        yield BlindSpot(what="reviews", text=f"chains were off: {what}", cure="nightdesk chain on")
    elif bare and state.review_limits.when == "never":
        cure = "set `review: {when: high_risk}` in .nightdesk/config.yaml"
        yield BlindSpot(what="reviews", text=f"reviews are switched off in the settings: {what}", cure=cure)


def _reviewers(state: State, chained: Sequence[Ticket]) -> Iterator[BlindSpot]:
    """Reviews by the same agent that did the work, in a session of its own."""
    same = [name for t in chained if t.review and (name := _own_preset(state, t))]
    if same:
        text = f"the reviewer was the preset that did the work itself: {_listed(same)}"
        cure = "confirm another preset (`autonomy_confirmed: true`), or name one as `review.assignee`"
        yield BlindSpot(what="reviews", text=text, cure=cure)


def _own_preset(state: State, t: Ticket) -> str:
    """`<preset> on <ticket>` when the reviewer was of the preset that made the plan."""
    plan = state.plans.get(t.link.head) if t.link else None
    maker = owner(state, plan) if plan else None
    by = chaining.preset(state, t)
    return f"{by} on {t.link.root}" if t.link and maker and by and by == chaining.preset(state, maker) else ""


def _lost(state: State, past: Past) -> Iterator[BlindSpot]:
    for channel, number in Counter(channel for channel, _ in past.lost).items():
        outlet = state.outlets.get(channel)
        whys = _listed(why for where, why in past.lost if where == channel)
        text = f"{number} did not reach {outlet.words if outlet and outlet.words else channel}: {whys}"
        yield BlindSpot(what="notices", text=text)


def _snapshots(ours: Sequence[Session], past: Past) -> Iterator[BlindSpot]:
    refused = past.refused or [(s.session, s.no_snapshot) for s in ours if s.no_snapshot]
    mine = {s.session for s in ours}
    if texts := [f"{session}: {why}" for session, why in refused if session in mine]:
        yield BlindSpot(what="snapshots", text=f"turns that could not be rolled back: {_listed(texts)}")
    uncovered = [path for s in ours for kept in s.snapshots for path in kept.uncovered]
    if uncovered:
        text = f"a rollback does not bring back {_listed(sorted(set(uncovered)))}"
        yield BlindSpot(what="snapshots", text=text)
    if texts := [f"{session}: {why}" for session, why in past.unrolled if session in mine]:
        yield BlindSpot(what="rollback", text=f"not done, or not whole: {_listed(texts)}")


def _supervisor(state: State, r: drain.Run, past: Past, dealt: Sequence[Ticket]) -> Iterator[BlindSpot]:
    if past.told:
        restarts = len(past.restarts)
    else:
        latest = state.supervisor.at if state.supervisor else 0.0
        begun = min((t.begun_at for t in dealt if t.begun_at >= r.started_at), default=latest)
        restarts = int(begun < latest and not (r.ended_at and latest > r.ended_at))
    if restarts:
        again = f"; begun again: {_listed(past.interrupted)}" if past.interrupted else ""
        text = f"the supervisor was started again {restarts} time(s) during the run{again}"
        yield BlindSpot(what="supervisor", text=text)
    if past.troubles:
        text = f"nightdesk itself failed at: {_listed(f'{what}: {error}' for what, error in past.troubles)}"
        yield BlindSpot(what="supervisor", text=text)


def _unwatched(past: Past) -> Iterator[BlindSpot]:
    """When the watchdog could not see, or did not act."""
    away = [each for each in past.trouble.standstills if each.what == "away"]
    if away:
        whole = sum(each.until - each.at for each in away)
        text = f"the supervisor itself stood still {len(away)} time(s), {whole:.0f} s in all: nothing was watched then"
        yield BlindSpot(what="supervisor", text=text)
    if count := sum(each.what == "together" for each in past.trouble.standstills):
        text = f"{count} time(s) so many agents were silent at once that none was ended, also one that really hung"
        yield BlindSpot(what="watchdog", text=text)


def _leftovers(past: Past) -> Iterator[BlindSpot]:
    if ended := [f"{text} ({session})" for session, text, stuck in past.trouble.left if not stuck]:
        yield BlindSpot(what="processes", text=f"outlived their agent and were ended: {_listed(ended)}")
    if stuck := [f"{session}: {text}" for session, text, stuck in past.trouble.left if stuck]:
        cure = "`nightdesk doctor` shows what is left of them"
        yield BlindSpot(what="processes", text=f"no signal ended them: {_listed(stuck)}", cure=cure)
    if past.gate_leftovers:
        yield BlindSpot(what="processes", text=f"{past.gate_leftovers} outlived their gate and were ended")


def _folder(state: State) -> Iterator[BlindSpot]:
    for problem in state.problems:
        yield BlindSpot(what="tickets folder", text=problem)


def _outside(ours: Sequence[Session]) -> Iterator[BlindSpot]:
    """A session's launch holds the names only that were set when it began."""
    passed = sorted({name for s in ours for name in s.launch.pass_env})
    given = f"; handed to agents from your environment: {', '.join(passed)}" if passed else ""
    text = f"what agents sent over the network, pushes to remotes included, is not in the log{given}"
    yield BlindSpot(what="network", text=text)
