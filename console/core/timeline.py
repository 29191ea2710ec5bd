"""The night as lanes over time: who ran when, what was waited for, gates, restarts, and what it cost. A fold of log
entries, pure; only the last run is kept, and no more than `SPANS` of it. Times are those of the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from console.core import events as ev
from console.core import policies
from console.core.lanes import SPANS, Cost, Lane, Moment, Track
from console.core.records import Record
from console.core.spending import Bucket, Spending

TYPES = (
    ev.SupervisorStarted, ev.SupervisorAway, ev.SupervisorDegraded, ev.SupervisorRecovered, ev.FuseBlown, ev.FuseReset,
    ev.RunStarted, ev.RunPaused, ev.RunResumed, ev.RunEnded,
    ev.SessionAdded, ev.SessionStarted, ev.SessionInterrupted, ev.TurnStarted, ev.TurnEnded, ev.AwaitingInput,
    ev.InputAnswered, ev.Exited, ev.SessionLent, ev.SessionReturned,
    ev.SessionHung, ev.SessionRestarting, ev.SessionGivenUp,
    ev.PolicyAttached, ev.PolicyQueued, ev.PolicyGating, ev.PolicyJudged, ev.PolicyCommitReady, ev.PolicyCommitted,
    ev.PolicyDone, ev.PolicyBlocked, ev.PolicyCancelled, ev.ApprovalRequested, ev.LandingRefused, ev.PlanRestored,
    ev.PlanSuperseded, ev.PlanVoided, ev.PlanRejected,
    ev.TicketClaimed, ev.TicketBegun, ev.TicketWaiting, ev.TicketWoken, ev.TicketAttemptFailed, ev.TicketEnded,
    ev.TicketDropped, ev.DecisionParked, ev.DecisionAnswered, ev.DecisionReopened, ev.DecisionClosed,
)  # fmt: skip
"""The kinds of facts that are read here; a reader may skip all others."""

_KNOWN = frozenset(TYPES)

_ENDS: dict[str, Moment] = {
    "DONE": "done",
    "DONE_LOW_CONFIDENCE": "done",
    "PARKED_DECISION": "parked",
    "PARKED_FOUNDATIONAL": "parked",
    "BLOCKED_ENV": "blocked",
}


class Night(Record, frozen=True, kw_only=True):
    """run: "" when none began in what was read. since: what was before it is not known (Unix seconds); last: of the
    latest entry. ended_at: 0 while the run goes on, or without one. forgot: older spans were dropped for want of room.
    steps: cost and tokens over time; cost: the whole; read: entries."""

    run: str = ""
    since: float = 0.0
    last: float = 0.0
    ended_at: float = 0.0
    lanes: tuple[Lane, ...] = ()
    steps: tuple[Bucket, ...] = ()
    cost: Cost = Cost()
    forgot: bool = False
    read: int = 0


@dataclass(slots=True)
class Timeline:
    """sessions: session -> its ticket, "" for none; watched: policy -> its sessions. Both as far as they were known
    before the first entry; they are learned from the entries, too."""

    sessions: dict[str, str] = field(default_factory=dict)
    watched: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _tracks: dict[str, Track] = field(default_factory=dict)
    _spending: Spending = field(default_factory=Spending)
    _run: str = ""
    _since: float = 0.0
    _last: float = 0.0
    _ended_at: float = 0.0
    _forgot: bool = False
    _read: int = 0
    _size: int = 0

    @classmethod
    def knowing(cls, sessions: Mapping[str, str], watched: Mapping[str, tuple[str, ...]]) -> Timeline:
        return cls(sessions=dict(sessions), watched=dict(watched))

    def feed(self, entries: Iterable[ev.Logged]) -> None:
        """Entries in order; in pieces or at once comes to the same."""
        for entry in entries:
            self._read += 1
            self._last = max(self._last, entry.at)  # a clock that was set back makes no span end before it began
            self._since = self._since or self._last
            if type(entry.fact) in _KNOWN:
                self._look(entry.fact, self._last)
                if self._size > SPANS:
                    self._forget()

    def night(self) -> Night:
        return Night(
            run=self._run,
            since=self._since,
            last=self._last,
            ended_at=self._ended_at,
            lanes=tuple(track.lane for track in self._tracks.values()),
            steps=self._spending.buckets(),
            cost=self._spending.total,
            forgot=self._forgot,
            read=self._read,
        )

    # -- lanes -------------------------------------------------------------------------------------------

    def _track(self, id: str, name: str = "") -> Track:
        track = self._tracks.get(id)
        if track is None:
            track = self._tracks[id] = Track(id=id, name=name or id.partition(":")[2])
        self._size += 3  # more than one fact adds to a lane; counted anew when it comes to too much
        return track

    def _ticket(self, ticket: str) -> Track:
        return self._track(f"ticket:{ticket}")

    def _session(self, session: str) -> Track:
        ticket = self.sessions.get(session, "")
        return self._ticket(ticket) if ticket else self._track(f"session:{session}")

    def _policy(self, policy: str) -> list[Track]:
        """Of whoever it watches; nobody when it was attached before anything that is known."""
        found = [self._session(session) for session in self.watched.get(policy, ())]
        return list({track.id: track for track in found}.values())

    def _begun(self, run: str, at: float) -> None:
        """A run begins: only what is at work is carried over."""
        self._tracks = {id: track for id, track in self._tracks.items() if track.at_work and not id.startswith("run:")}
        for track in self._tracks.values():
            track.forget(at)
            track.cost = Cost()
        self._spending, self._run, self._since, self._ended_at, self._forgot = Spending(), run, at, 0.0, False
        self._size = sum(track.size for track in self._tracks.values())
        self._track(f"run:{run}").begin("run", "run", at)

    def _forget(self) -> None:
        """The older half goes; where most of it goes on without an end, the oldest lanes do."""
        self._size = sum(track.size for track in self._tracks.values())
        if self._size <= SPANS:
            return
        times = sorted(at for track in self._tracks.values() for at in track.starts())
        self._since, self._forgot = times[len(times) // 2], True
        for track in self._tracks.values():
            track.forget(self._since)
        self._tracks = {id: track for id, track in self._tracks.items() if not track.empty}
        self._size = sum(track.size for track in self._tracks.values())
        for id in list(self._tracks):
            if self._size * 4 <= SPANS * 3:
                return
            self._size -= self._tracks.pop(id).size

    # -- facts -------------------------------------------------------------------------------------------

    def _look(self, fact: ev.Fact, at: float) -> None:
        match fact:
            case ev.RunStarted():
                self._begun(fact.run, at)
            case ev.SessionAdded():
                self.sessions[fact.session] = fact.ticket
                self._session(fact.session).begin(f"start:{fact.session}", "setup", at)
                if not fact.ticket:
                    self._session(fact.session).call(fact.label or fact.session)
            case ev.TicketBegun():
                self.sessions[fact.session] = fact.ticket
            case ev.PolicyAttached():
                self.watched[fact.policy] = fact.spec.sessions
            case _ if getattr(fact, "policy", ""):
                for track in self._policy(fact.policy):  # type: ignore[union-attr]
                    _judged(track, fact, at)
            case _ if getattr(fact, "session", ""):
                self._of_session(fact, at)
            case _ if getattr(fact, "ticket", ""):
                _queued(self._ticket(fact.ticket), fact, at)  # type: ignore[union-attr]
            case _:
                self._of_run(fact, at)

    def _of_session(self, fact: ev.Fact, at: float) -> None:
        session: str = fact.session  # type: ignore[union-attr]
        track = self._session(session)
        _worked(track, session, fact, at)
        if isinstance(fact, ev.TurnEnded) or (isinstance(fact, ev.Exited) and fact.usage is not None):
            self._spending.turn(at, fact.usage)
            track.spent(fact.usage)

    def _of_run(self, fact: ev.Fact, at: float) -> None:
        if not self._run or self._ended_at:
            return
        track = self._track(f"run:{self._run}")
        match fact:
            case ev.SupervisorStarted():
                track.end("disk", "memory", "descriptors", "fuse", at=at)  # it looks for itself
                track.mark("restart", at)
            case ev.SupervisorAway():
                track.mark("hang", at)
            case ev.RunEnded():
                track.end_all(at)
                self._ended_at = at
            case ev.RunPaused() | ev.FuseBlown():
                track.begin("pause" if isinstance(fact, ev.RunPaused) else "fuse", "held", at)
            case ev.RunResumed() | ev.FuseReset():
                track.end("pause" if isinstance(fact, ev.RunResumed) else "fuse", at=at)
            case ev.SupervisorDegraded():
                track.begin(fact.kind, "held", at)
            case ev.SupervisorRecovered():
                track.end(fact.kind, at=at)


def _worked(track: Track, session: str, fact: ev.Fact, at: float) -> None:
    """What a session does."""
    turn, asks, start, again = (f"{what}:{session}" for what in ("turn", "asks", "start", "again"))
    match fact:
        case ev.SessionStarted():
            if not track.id.startswith("ticket:"):  # whose setup ends with the first turn only
                track.end(start, at=at)
        case ev.TurnStarted():
            track.end(start, again, "setup", at=at)
            track.begin(turn, "turn", at)
        case ev.TurnEnded():
            track.end(turn, asks, start, again, at=at)
        case ev.AwaitingInput():
            track.begin(asks, "asks", at)
        case ev.InputAnswered():
            track.end(asks, at=at)
        case ev.SessionLent():
            track.begin(f"lent:{session}", "asks", at)
        case ev.SessionReturned():
            track.end(f"lent:{session}", at=at)
        case _:
            _broke(track, session, fact, at)


def _broke(track: Track, session: str, fact: ev.Fact, at: float) -> None:
    """How a session breaks off and comes back."""
    turn, asks, start, again = (f"{what}:{session}" for what in ("turn", "asks", "start", "again"))
    match fact:
        case ev.SessionInterrupted():
            worked = track.holds("turn") or track.holds("asks")
            track.end(turn, asks, start, at=at)
            if worked:
                track.begin(again, "restart", at)
        case ev.SessionHung():
            track.mark("crash" if fact.cause == "crash" else "hang", at)
            track.end(turn, asks, start, at=at)
            track.begin(again, "restart", at)
        case ev.SessionRestarting():
            track.mark("restart", at)
            track.begin(again, "restart", at)
        case ev.SessionGivenUp():
            track.mark("given-up", at)
            track.end(again, at=at)
        case ev.Exited():
            track.end(turn, asks, start, *([again] if fact.stopped else []), at=at)


def _judged(track: Track, fact: ev.Fact, at: float) -> None:
    """What a policy does with the work of a lane."""
    policy: str = fact.policy  # type: ignore[union-attr]
    slot, gate, plan = (f"{what}:{policy}" for what in ("slot", "gate", "plan"))
    match fact:
        case ev.PolicyQueued():
            track.begin(slot, "slot", at)
        case ev.PolicyGating():
            track.end(slot, at=at)
            track.begin(gate, "gate", at)
        case ev.PolicyJudged():
            result = policies.deciding(fact.results)
            track.end(gate, at=at, said=result.verdict if result else "unjudged" if fact.refused else "")
        case ev.PolicyCommitReady() | ev.LandingRefused() | ev.PlanRestored():
            track.begin(plan, "waits", at)
        case ev.ApprovalRequested() | ev.PlanSuperseded() | ev.PlanVoided():
            track.end(plan, at=at)
        case ev.PlanRejected():
            track.end(plan, at=at)
            track.mark("rejected", at)
        case ev.PolicyCommitted():
            track.end(plan, at=at)
            track.mark("landed", at)
        case ev.PolicyDone() | ev.PolicyBlocked() | ev.PolicyCancelled():
            track.end(slot, gate, plan, at=at)


def _queued(track: Track, fact: ev.Fact, at: float) -> None:
    """What the queue does with a ticket."""
    match fact:
        case ev.TicketClaimed():
            track.begin("setup", "setup", at)
        case ev.TicketWaiting():
            track.begin("limit", "limit", at)
        case ev.TicketWoken():
            track.end("limit", at=at)
        case ev.TicketAttemptFailed():
            track.mark("failed", at)
            track.end_all(at, but=("waits", "restart"))
        case ev.TicketEnded():
            track.end_all(at, but=("waits",))
            track.mark(_ENDS.get(fact.outcome, "failed"), at)
        case ev.TicketDropped():
            track.end_all(at, but=("waits",))
        case ev.DecisionParked() | ev.DecisionReopened():
            track.begin(f"decision:{fact.decision}", "waits", at)
        case ev.DecisionAnswered() | ev.DecisionClosed():
            track.end(f"decision:{fact.decision}", at=at)
