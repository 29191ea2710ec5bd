"""One log entry as a sentence for people. Programs read the event itself."""

from __future__ import annotations

from console.core import events as ev
from console.core.commits import short
from console.core.records import GateResult
from console.present.text import clean
from console.present.wording import clock

Row = tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
"""(time, style), (what it is about, style), (sentence, style)."""


def row(entry: ev.Logged) -> Row:
    about, text, style = sentence(entry.fact)
    return (clock(entry.at), "quiet"), (about, "plain"), (clean(text, limit=400), style)


def sentence(fact: ev.Fact) -> tuple[str, str, str]:
    """What it is about, what happened, and the style of it."""
    session = getattr(fact, "session", "")
    policy = getattr(fact, "policy", "")
    plan = getattr(fact, "plan", "")
    about = session or policy
    name = short(plan) if isinstance(plan, str) else ""
    match fact:
        case ev.SupervisorStarted():
            return "", f"supervisor started, pid {fact.pid}", "quiet"
        case ev.SupervisorStopped():
            return "", f"supervisor ended: {fact.reason}", "quiet"
        case ev.SupervisorTrouble():
            return "", f"nightdesk itself failed at {fact.effect}: {fact.error}", "broke"
        case ev.SessionAdded():
            return about, f"{fact.label}: to be started as {fact.preset or fact.launch.argv[0]}", "plain"
        case ev.SessionStarted():
            return about, f"{'resumed' if fact.resumed else 'is up'} {fact.detail}".rstrip(), "go"
        case ev.SessionInterrupted():
            return about, "its processes ended with their supervisor; it can go on", "needs"
        case ev.PromptQueued():
            return about, f"{fact.cause} prompt for turn {fact.turn}: {fact.text}", "plain"
        case ev.TurnStarted():
            return about, f"turn {fact.turn} began at {fact.head[:10] or '?'}", "go"
        case ev.TurnEnded():
            return about, f"turn {fact.turn} ended: {fact.stop} {fact.detail}".rstrip(), "plain" if fact.ok else "needs"
        case ev.AgentCommitted():
            return about, f"the agent moved {fact.ref} from {fact.before[:10]} to {fact.after[:10]}", "needs"
        case ev.CommandDone():
            return about, f"command of turn {fact.turn} ended with {fact.code}", "plain"
        case ev.AwaitingInput():
            return about, f"asks: {fact.title}", "needs"
        case ev.InputAnswered():
            return about, f"was answered: {fact.option or 'cancelled'}", "plain"
        case ev.Exited():
            left = f", {len(fact.leftovers)} leftover process(es) ended" if fact.leftovers else ""
            return about, f"exited: {fact.reason or fact.how}{left}", "quiet" if fact.stopped else "broke"
        case ev.PolicyAttached():
            return about, f"watches {', '.join(fact.spec.sessions)}, then {fact.spec.then}", "plain"
        case ev.PolicyGating():
            return about, f"judging, attempt {fact.attempt}", "go"
        case ev.PolicyPassed():
            return about, f"passed: {_gate(fact.gate)}", "go"
        case ev.PolicyFailed():
            return about, f"failed: {_gate(fact.gate)}", "broke"
        case ev.PolicyNudged():
            return about, f"nudged, {fact.retry}", "needs"
        case ev.PolicyCommitReady():
            return about, f"plan {name} waits for you: {fact.message}", "needs"
        case ev.ApprovalRequested():
            return about, f"plan {name} approved by {fact.by.user or fact.by.via}", "plain"
        case ev.PlanLanding():
            return about, f"plan {name} is landing on {fact.ref}", "plain"
        case ev.PolicyCommitted():
            return about, f"landed {fact.sha} on {fact.ref} {fact.note}".rstrip(), "go"
        case ev.LandingRefused() | ev.UndoRefused() | ev.PolicyBlocked() | ev.PlanVoided():
            return about, f"{ev.type_of(fact).split(':')[1]} {name}: {fact.reason}", "broke"
        case ev.PlanRejected():
            return about, f"plan {name} rejected by {fact.by.user} {fact.note}".rstrip(), "needs"
        case ev.PlanRestored():
            return about, f"plan {name} waits again ({fact.was} taken back) {fact.note}".rstrip(), "needs"
        case ev.PlanSuperseded() | ev.PolicyCancelled():
            return about, f"{ev.type_of(fact).split(':')[1]} {name}: {fact.reason}", "quiet"
        case ev.PlanRebased():
            return about, f"the branch moved; plan {name} is frozen anew as {short(fact.fresh.commit)}", "needs"
        case _:
            return about, f"{ev.type_of(fact)} {name}".rstrip(), "quiet"


def _gate(result: GateResult | None) -> str:
    if not result:
        return "no gate"
    return f"gate {result.verdict} on the {result.where} in {result.seconds:.1f} s"
