"""What the right-hand pane is about, and its face: title, headline, warnings and texts. Pure; no widget."""

from __future__ import annotations

from dataclasses import dataclass, replace

from console.core.alerts import Alert
from console.core.commits import Plan, approvable, short
from console.core.policies import Policy
from console.core.queue_flags import BLOCKED
from console.core.sessions import Session
from console.core.state import State, open_run, ticket_of
from console.core.tickets import Ticket
from console.present import attention, board, diffwarnings, healthwords, judgewords, landings, progress, wording
from console.present.alerting import FINDINGS_SHOWN, alert_lines, alert_title, finding_lines, level_word
from console.present.glyphs import sign
from console.present.keytable import key
from console.present.queue_rows import doubts, rests_on, starts, stuck, ticket_lines
from console.present.text import clean, cut
from console.tui.screens import board_faces, health_faces, queue_faces
from console.tui.screens.gate_faces import gate_lines
from console.tui.widgets.detail import Face, Tab


@dataclass(frozen=True, slots=True)
class Subject:
    """id: `plan:<commit>`, `session:<id>`, `policy:<id>`, `alert:<id>`, `ticket:<id>`, `decision:<id>`,
    `problems:tickets`, `held:tickets`, `health:<condition>`, `outlet:<channel>`, `routine:<id>`, or "" for nothing; on
    the board also `chain:<ticket>`, `next:<root>`, and `board:` for nothing."""

    id: str

    @property
    def kind(self) -> str:
        return self.id.partition(":")[0]

    @property
    def name(self) -> str:
        return self.id.partition(":")[2]

    @property
    def first_tab(self) -> Tab:
        return {"plan": "diff", "session": "session", "policy": "gate", "ticket": "ticket"}.get(self.kind, "why")  # type: ignore[return-value]

    def policy(self, state: State) -> Policy | None:
        if self.kind == "plan":
            plan = state.plans.get(self.name)
            return state.policies.get(plan.policy) if plan else None
        return state.policies.get(self.name) if self.kind == "policy" else None

    def plan(self, state: State) -> Plan | None:
        """The plan it is, or the latest plan of what it is."""
        if self.kind == "plan":
            return state.plans.get(self.name)
        policy = self.policy(state)
        return state.plans.get(policy.plan) if policy else None

    def session(self, state: State) -> str:
        if self.kind == "session":
            return self.name if self.name in state.sessions else ""
        alert = state.alerts.get(self.name) if self.kind == "alert" else None
        if alert:
            return alert.session if alert.session in state.sessions else ""
        if self.kind in ("ticket", "decision", "chain", "next"):
            ticket = self.ticket(state)
            return ticket.session if ticket and ticket.session in state.sessions else ""
        routine = state.routines.get(self.name) if self.kind == "routine" else None
        if routine:
            return routine.session if routine.session in state.sessions else ""
        policy = self.policy(state)
        return policy.spec.sessions[0] if policy else ""

    def counts(self, state: State) -> bool:
        """Whether its words say how far something has come, which moves by itself."""
        t = self.ticket(state)
        p = self.policy(state) or (state.policies.get(t.policy) if t else None)
        return bool((t and t.phase == "claimed") or (p and p.status in ("queued", "gating")))

    def ticket(self, state: State) -> Ticket | None:
        """The ticket it is, or that it is about."""
        match self.kind:
            case "ticket" | "chain" | "next":
                return state.tickets.get(self.name)
            case "decision":
                d = state.decisions.get(self.name)
                return state.tickets.get(d.ticket) if d else None
            case "session":
                return ticket_of(state, self.name)
            case _:
                policy = self.policy(state)
                return state.tickets.get(policy.spec.ticket) if policy and policy.spec.ticket else None


def holding(alerts: dict[str, Alert]) -> Alert | None:
    """The alert that holds every approval."""
    return next((a for a in alerts.values() if a.blocks), None)


READS = " · read-only"
BRANCH_CELLS = 42
"""Of a branch's name in a headline, so that the headline is one line at 80 columns; the lower border has all of it."""

WELCOME = (
    "Nothing to show yet.",
    "",
    "Start an agent:      nightdesk session start --preset NAME --prompt TEXT",
    "Judge its turns:     nightdesk policy attach --session s-1 --then commit --commit-path FILE ... -- CMD",
    "A ticket:            {write-ticket} writes one (or put Markdown files into tickets/), then {start-run}: "
    "preflight, then GO",
    "From nothing:        First steps, in the palette ({palette}), leads to the first commit of a ticket of yours",
    "What is green waits here for your key. `nightdesk demo` shows it all on a sample repository.",
)

NAMED = ("write-ticket", "start-run", "palette")
"""Verbs whose keys stand in these lines."""

IDLE = ("nothing needs you", "welcome")
"""Titles of the pane while nothing is shown."""


def quiet() -> tuple[str, ...]:
    waits = f"What does appears on the left by itself, worst first; {key('next-waiting')} goes to it."
    return "Nothing needs you now.", "", waits, health_faces.around()


def describe(
    state: State,
    subject: Subject,
    drifted: tuple[str, tuple[str, ...]],
    armed: str = "",
    now: float = 0.0,
    *,
    supervised: bool = True,
    silent: float = 0.0,
) -> Face:
    """armed: the plan for which the first of two presses has come. now: Unix seconds, for ages. supervised: whether
    anybody holds the workspace's lock; silent: seconds since that one gave a sign of life, 0 for all is well."""
    if subject.kind == "health":
        return health_faces.condition(state, subject.name, supervised, silent)
    face = _face(state, subject, drifted, armed, now)
    if face.title in IDLE and attention.needs(state, supervised, silent):
        return health_faces.waiting()
    ticket = subject.ticket(state)
    return replace(face, ticket=tuple(ticket_lines(ticket, state, now))) if ticket else face


def _face(state: State, subject: Subject, drifted: tuple[str, tuple[str, ...]], armed: str, now: float) -> Face:
    match subject.kind:
        case "plan" if subject.name in state.plans:
            return _plan(state, state.plans[subject.name], drifted, armed == subject.name)
        case "session" if subject.name in state.sessions:
            return _session(state, subject, now)
        case "policy" if subject.name in state.policies:
            return _policy(state, subject, now)
        case "alert" if subject.name in state.alerts:
            return _alert(state.alerts[subject.name])
        case "ticket" if subject.name in state.tickets:
            return queue_faces.ticket(state, state.tickets[subject.name], _judged(state, subject, now), now)
        case "decision" if subject.name in state.decisions:
            return queue_faces.decision(state, state.decisions[subject.name], _judged(state, subject, now), now)
        case "problems" if state.problems:
            return queue_faces.problems(state)
        case "held":
            return queue_faces.held(state)
        case "chain" | "next":
            return board_faces.chain(state, subject.name, _judged(state, subject, now))
        case "routine" if subject.name in state.routines:
            return board_faces.routine(state, state.routines[subject.name], now)
        case "outlet" if subject.name in state.outlets:
            return health_faces.outlet(state.outlets[subject.name], now)
        case "board":
            return board_faces.about(state)
        case _ if state.sessions or state.tickets:
            return Face(title=IDLE[0], headline="", why=(*_to_start(state), *quiet()))
        case _:
            told = {name: key(name) for name in NAMED}
            return Face(title=IDLE[1], headline="", why=tuple(line.format_map(told) for line in WELCOME))


def _to_start(state: State) -> tuple[str, ...]:
    """What a person can do where nothing needs them and nothing runs."""
    queued = sum(t.phase == "queued" and not t.held for t in state.tickets.values())
    if not queued or open_run(state):
        return ()
    are = "ticket is" if queued == 1 else "tickets are"
    return (f"{queued} {are} queued and no run is under way: {key('start-run')} shows every check, then GO.", "")


def _judged(state: State, subject: Subject, now: float) -> tuple[str, ...]:
    """The gate of what is about a ticket."""
    t = subject.ticket(state)
    policy = state.policies.get(t.policy) if t else None
    return gate_lines(policy, state, now) if policy else ("Its work has not been judged.",)


def _plan(state: State, p: Plan, drifted: tuple[str, tuple[str, ...]], armed: bool) -> Face:
    policy = state.policies[p.policy]
    warnings, more = _warnings(p)
    if drifted[0] == p.plan and drifted[1] and p.state == "waiting":
        names = ", ".join(clean(name) for name in drifted[1][:5])
        warnings.insert(0, f"! changed on disk since it was frozen, approving will void it: {names}")
    at = board.members_at(state).get(p.plan)
    warnings = [*board.review_warnings(p, at), *warnings]
    t = state.tickets.get(policy.spec.ticket)
    odd = [line] if t and (line := diffwarnings.outside(p, t.spec)) else []
    warnings = [*diffwarnings.merged(warnings, odd)]
    warnings = [*(f"!! {clean(doubt, limit=300)}" for doubt in doubts(state, p) if not _told(p, doubt)), *warnings]
    below = rests_on(state, p) if p.state == "waiting" else None
    headline, tone = _plan_headline(p, holding(state.alerts), armed)
    if told := stuck(state, p) if below else "":
        headline, tone = f"⊘ {told}", "broke"
    elif below:
        onto = cut(wording.branch(below), BRANCH_CELLS)
        headline, tone = f"⊘ {starts(state, p)} {short(below.plan)} for {onto}: that one lands first", "needs"
    base = short(p.frozen.base) or "nothing"
    return Face(
        title=f"plan {short(p.plan)} · {wording.title(p)}",
        facts=f"{p.policy} · {wording.size(p)} · {base} → {wording.branch(p)}",
        headline=headline,
        tone=tone,
        warnings=tuple(warnings),
        more=more,
        why=(*board.review_lines(p), *wording.plan_lines(p), *odd, "", *wording.policy_lines(policy, p)),
        gate=gate_lines(policy),
        plan=p.plan,
    )


def _told(p: Plan, doubt: str) -> bool:
    """Whether a finding of the plan, or the line of its review, says it already."""
    if doubt == BLOCKED and board.told_by_review(p, doubt):
        return True
    return any(finding.text == doubt for finding in p.assessment.findings) if p.assessment else False


def _warnings(p: Plan) -> tuple[list[str], int]:
    """What to know before the key, the gravest first, and how many findings are not among it."""
    lines = wording.plan_warnings(p)
    found = len(p.assessment.findings) if p.assessment else 0
    more = max(0, found - FINDINGS_SHOWN)
    if more:  # the line that counts the rest is made anew where it is known how many lines fit
        lines.remove(finding_lines(p)[-1])
    return sorted(lines, key=_gravity), more


def _gravity(line: str) -> int:
    return {"!!": 0, "!": 1}.get(line.partition(" ")[0], 2)


def _plan_headline(p: Plan, alert: Alert | None, armed: bool) -> tuple[str, str]:
    onto = cut(wording.branch(p), BRANCH_CELLS)
    match p.state:
        case "waiting":
            return _waiting_headline(p, onto, alert, armed)
        case "approved" | "landing":
            return f"⟳ signing or landing on {onto}; touch your key if it blinks", "go"
        case "landed":
            note = f" · {clean(p.reason)}" if p.reason else ""
            signed = ", signed" if p.signed else ""
            return f"✓ landed on {onto}{signed} · {key('undo')} takes it back{note}", "go"
        case "undoing":
            return f"⟳ being taken back from {onto}", "go"
        case "rejected":
            return f"⊘ rejected, nothing landed · {key('undo')} takes that back", "quiet"
        case "void" | "superseded":
            refused = approvable(p)
            return f"✕ {clean(refused.reason) if refused else p.state}", "broke" if p.state == "void" else "quiet"


def _waiting_headline(p: Plan, onto: str, alert: Alert | None, armed: bool) -> tuple[str, str]:
    level = level_word(p)
    if alert:
        return f"⊘ {alert.alert} holds its approval: {key('alert')} goes there · for {onto}", "broke"
    if p.unlock:
        return f"◐ the signing key is locked: {key('unlock')} unlocks it here, then {key('approve')} again", "needs"
    if armed:
        return f"◐ level {p.level}, pressed once: {key('approve')} again within 10 s lands it on {onto}", "needs"
    if p.level == 2:
        return f"◐ level 2 · {key('approve')} twice lands it on {onto}", "needs"
    return f"◐ {level or 'waits for you'} · {key('approve')} lands it on {onto}", "needs"


def _alert(a: Alert) -> Face:
    what = {"answered": f"⟳ {a.action} was asked for", "settled": f"✓ {a.outcome}"}.get(a.state, "")
    holds = "holds approvals · " if a.blocks else ""
    return Face(
        title=f"alert {a.alert} · {alert_title(a)}",
        headline=what or f"! {holds}{key('adopt')} adopts it, {key('restore')} restores what was (press twice)",
        tone={"answered": "go", "settled": "quiet"}.get(a.state, "broke" if a.blocks else "needs"),
        why=tuple(alert_lines(a)),
        gate=("An alert has no gate.",),
    )


def _session(state: State, subject: Subject, now: float) -> Face:
    s = state.sessions[subject.name]
    tone: dict[str, str] = {"awaiting-input": "needs", "working": "go", "exited": "quiet" if s.stopped else "broke"}
    mark = sign(wording.session_word(s))
    hint, reads = f", {key('answer')} answers" if s.question else "", READS if s.read_only else ""
    back = _going_back(s)
    mine = [p for p in state.policies.values() if s.session in p.spec.sessions]
    far = progress.session(state, s, mine, now)
    why = [*wording.session_lines(s, state, now), ""]
    for p in mine:
        why += [*wording.policy_lines(p, state.plans.get(p.plan)), ""]
    return Face(
        title=f"session {s.session} · {clean(s.label)} · {clean(s.preset or s.launch.argv[0])}{reads}",
        headline=f"{mark.text()}{hint}{wording.session_more(s, state, now)}{far}{back}",
        tone="needs" if s.lent else mark.tone if healthwords.ailing(s) else tone.get(s.phase, "quiet"),
        warnings=health_faces.warnings(state, s),
        why=tuple(why),
        gate=gate_lines(mine[-1], state, now) if mine else ("No policy watches this session.",),
        wrap=True,
    )


def _going_back(s: Session) -> str:
    """A rollback that is on its way or that was the last thing to happen, and how to undo it."""
    if s.rollback:
        return f" · going back to {s.rollback[:10]}"
    undo = s.snapshots[-1] if s.snapshots else None
    if s.busy or not s.rolled_back:
        return ""
    undoes = undo and not undo.turn and undo.snapshot[:10] in s.rolled_back
    how = f" ({key('go-back')}, then {undo.snapshot[:10]})" if undo and undoes else ""
    return f" · {clean(s.rolled_back, limit=300)}{how}"


def _policy(state: State, subject: Subject, now: float) -> Face:
    p = state.policies[subject.name]
    tone = {"blocked": "broke", "awaiting-ack": "needs", "done": "go"}.get(p.status, "quiet")
    blocked = f"{key('retry')} judges it again, {key('reject')} dismisses it · "
    hint = {"blocked": blocked, "awaiting-ack": f"{key('open')} opens its plan · "}.get(p.status, "")
    plan = state.plans.get(p.plan)
    why = p.reason.split("\n")[0] or judgewords.waiting(state, p) or progress.gating(state, p, now)
    if not why and (done := landings.settled(state, "policy", p.policy)):
        hint, why = f"{key('undo')} takes its landing back · ", landings.landed(done, now)
    return Face(
        title=f"policy {p.policy} · {', '.join(p.spec.sessions)} · then {p.spec.then}",
        headline=f"{sign(p.status).text()} · {hint}{clean(why, limit=500)}".rstrip(" ·"),
        tone=tone,
        why=(*wording.policy_lines(p, plan), *judgewords.judge_lines(state, p)),
        gate=gate_lines(p, state, now),
        plan=plan.plan if plan else "",
    )
