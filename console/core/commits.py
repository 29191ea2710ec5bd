"""One commit plan: a frozen candidate that waits for a person. Knows nothing of git; facts come from outside."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Assessment, Frozen, Record, Refused, Who
from console.core.records_chains import Review

PlanState = Literal["waiting", "approved", "landing", "landed", "rejected", "void", "superseded", "undoing"]
"""waiting: for a person. approved: the key was pressed, the world is being checked. landing: the intent is in the
log. undoing: an approval is being taken back."""

NEXT_STATES: dict[PlanState, frozenset[PlanState]] = {
    "waiting": frozenset({"approved", "rejected", "void", "superseded"}),
    "approved": frozenset({"landing", "waiting", "void", "superseded"}),
    "landing": frozenset({"landed", "waiting", "void", "superseded"}),
    "landed": frozenset({"undoing"}),
    "undoing": frozenset({"waiting", "landed"}),
    "rejected": frozenset({"waiting"}),
    "void": frozenset(),
    "superseded": frozenset(),
}


class Plan(Record, frozen=True, kw_only=True):
    """plan: the candidate's commit id. request: log position of the latest approval or undo. successor: the plan that
    took its place. signed: the commit that lands when it carries a signature. unlock: what a person runs in a terminal
    when the signing key is locked. reviews: what reviewers said of exactly this candidate, oldest first."""

    plan: str
    policy: str
    sessions: tuple[str, ...]
    frozen: Frozen
    state: PlanState
    ready_at: float
    changed_at: float
    ready_seq: int
    request: int = 0
    notes: tuple[str, ...] = ()
    reason: str = ""
    paths: tuple[str, ...] = ()
    by: Who | None = None
    successor: str = ""
    landed_at: float = 0.0
    assessment: Assessment | None = None
    signed: str = ""
    unlock: tuple[str, ...] = ()
    reviews: tuple[Review, ...] = ()

    @property
    def level(self) -> int:
        """1: one key. 2: the key twice. 3: the policy's id typed (DESIGN.md, ruling 11)."""
        return self.assessment.level if self.assessment else 1

    @property
    def to_land(self) -> Frozen:
        """What the ref becomes: the candidate, or the same commit with its signature."""
        return replace(self.frozen, commit=self.signed) if self.signed else self.frozen


def ready(fact: ev.PolicyCommitReady, seq: int, at: float) -> Plan:
    return Plan(
        plan=fact.plan,
        policy=fact.policy,
        sessions=fact.sessions,
        frozen=fact.frozen,
        state="waiting",
        ready_at=at,
        changed_at=at,
        ready_seq=seq,
        notes=fact.notes,
        assessment=fact.assessment,
    )


def fold(p: Plan, fact: ev.Fact, seq: int, at: float) -> Plan:
    """The plan after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.ApprovalRequested():
            p = replace(p, state="approved", by=fact.by, reason="", request=seq, unlock=())
        case ev.PlanLanding():
            p = replace(p, state="landing", signed=fact.commit)
        case ev.PolicyCommitted():
            p = replace(p, state="landed", landed_at=at, reason=fact.note)
        case ev.LandingRefused():
            p = replace(p, state="waiting", reason=fact.reason, unlock=fact.unlock, signed="")
        case ev.PlanRebased():
            p = replace(p, state="superseded", reason="the branch moved", successor=fact.fresh.commit)
        case ev.PlanSuperseded():
            p = replace(p, state="superseded", reason=fact.reason)
        case ev.PlanVoided():
            p = replace(p, state="void", reason=fact.reason, paths=fact.paths)
        case ev.PlanRejected():
            p = replace(p, state="rejected", by=fact.by, reason=fact.note)
        case ev.UndoRequested() if p.state == "landed":
            p = replace(p, state="undoing", request=seq)
        case ev.UndoRefused():
            p = replace(p, state="landed", reason=fact.reason)
        case ev.PlanRestored():
            p = replace(p, state="waiting", reason=fact.note, by=None, landed_at=0.0, signed="")
        case _:
            return p
    return replace(p, changed_at=at)


def reviewed(p: Plan, review: Review) -> Plan:
    return replace(p, reviews=(*p.reviews, review))


def fits(p: Plan, fact: ev.Fact) -> bool:
    """Whether a report about an approved plan still belongs to the present. A ref moves only after its intent."""
    needs_intent = isinstance(fact, ev.PolicyCommitted)
    return p.state == "landing" or (p.state == "approved" and not needs_intent)


def short(commit: str) -> str:
    return commit[:10]


def named(p: Plan, commit: str) -> bool:
    """Whether `commit` (full id, or its first 7 or more digits) names this plan."""
    return len(commit) >= 7 and p.plan.startswith(commit.lower())


def approvable(p: Plan) -> Refused | None:
    """None when the key may land it, else why not, in words that say what is true now."""
    match p.state:
        case "waiting":
            return None
        case "approved" | "landing":
            return Refused(reason=f"plan {short(p.plan)} is already approved and is landing")
        case "landed":
            return Refused(reason=f"plan {short(p.plan)} has landed already")
        case "superseded":
            tail = f"; plan {p.successor} took its place" if p.successor else ""
            return Refused(reason=f"plan {short(p.plan)} is superseded: {p.reason}{tail}")
        case "void" | "rejected" | "undoing":
            return Refused(reason=f"plan {short(p.plan)} is {p.state}{': ' + p.reason if p.reason else ''}")


def unconfirmed(p: Plan, confirm: str, ticket: str = "") -> Refused | None:
    """None when `confirm` is enough for the plan's level, else what it wants and why. ticket: the one it is for; its id
    confirms, and so does the policy's."""
    given = confirm.strip()
    names = [name for name in (ticket, p.policy) if name]
    if given in names or (p.level <= 1 and not given):
        return None
    if p.level <= 1:
        return Refused(reason=f"the confirmation {given!r} does not name {names[0]}, whose plan this is")
    high = [f.text for f in p.assessment.findings if f.level != "info"] if p.assessment else []
    why = f" ({'; '.join(high[:3])})" if high else ""
    instead = f", not {given!r}" if given else ""
    what = "its ticket's id" if ticket else "its policy's id"
    wants = f"it wants {what} {names[0]} as confirmation{instead}"
    return Refused(reason=f"plan {short(p.plan)} is of risk level {p.level}{why}: {wants}")
