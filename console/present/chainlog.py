"""What the log says about reviews, judges, routines and notices: a sentence for each fact. Pure."""

from __future__ import annotations

from console.core import events as ev
from console.core.commits import short
from console.core.records import Who
from console.present.ages import clock
from console.present.glyphs import Tone

Chain = (
    ev.ChainsSwitched
    | ev.ChainLimitsRead
    | ev.ChainSpawned
    | ev.ChainShipped
    | ev.ChainEscalated
    | ev.ChainTrouble
    | ev.ReviewJudged
    | ev.JudgeStarted
    | ev.JudgeEnded
)
Routine = (
    ev.RoutineStarted
    | ev.RoutineStepBegun
    | ev.RoutineAnswered
    | ev.RoutineEscalated
    | ev.RoutineResolved
    | ev.RoutineExpired
    | ev.RoutineStepDone
    | ev.RoutineEnded
)
Notice = ev.ChannelOpened | ev.ChannelClosed | ev.NoticeSending | ev.NoticeSettled
Said = tuple[str, Tone]


def chain(fact: Chain) -> Said:
    match fact:
        case ev.ChainsSwitched():
            return f"chains are {'on' if fact.on else 'off'}, {_by(fact.by)}", "plain"
        case ev.ChainLimitsRead():
            limits = fact.limits
            return f"reviews: {limits.when}, at most {limits.max_cycles} a chain, {limits.max_chains} chains", "quiet"
        case ev.ChainSpawned():
            return f"{fact.link.kind} of {short(fact.link.head)} queued, cycle {fact.link.cycle}: {fact.why}", "plain"
        case ev.ChainShipped():
            return f"SHIP for {short(fact.plan)} by {fact.ticket}: it is ready for a person", "needs"
        case ev.ChainEscalated():
            return f"the chain of {fact.root} goes no further by itself: {fact.why}", "needs"
        case ev.ChainTrouble():
            return f"nightdesk itself failed at the chain of {fact.ticket}: {fact.error}", "broke"
        case ev.ReviewJudged():
            tone: Tone = "go" if fact.review.verdict == "SHIP" else "needs"
            return f"{fact.review.verdict or 'no verdict'} for {short(fact.review.commit)}: {fact.review.why}", tone
        case ev.JudgeStarted():
            return f"{fact.preset} judges as {fact.session}", "plain"
        case ev.JudgeEnded():
            left = f"; ended with it: {', '.join(fact.leftovers[:5])}" if fact.leftovers else ""
            return f"the judge {fact.session} is gone{f' ({fact.how})' if fact.how else ''}{left}", "quiet"


def routine(fact: Routine) -> Said:
    match fact:
        case ev.RoutineStarted():
            return f"routine {fact.spec.name} started, {len(fact.spec.steps)} steps, {_by(fact.by)}", "plain"
        case ev.RoutineStepBegun():
            return f"step {fact.step + 1} begins", "quiet"
        case ev.RoutineAnswered():
            return f"step {fact.step + 1} answers {fact.session}: {fact.said or 'allowed'}", "plain"
        case ev.RoutineEscalated():
            return f"step {fact.step + 1} asks a person until {clock(fact.until)}: {fact.title}", "needs"
        case ev.RoutineResolved() if fact.over:
            return f"step {fact.step + 1}: nobody is asked any more: {fact.over}", "plain"
        case ev.RoutineResolved():
            word = "go on" if fact.approve else "stop"
            return f"step {fact.step + 1}: {word}, {_by(fact.by)}{f': {fact.response}' if fact.response else ''}", "go"
        case ev.RoutineExpired():
            return f"step {fact.step + 1}: nobody answered in time", "broke"
        case ev.RoutineStepDone():
            return f"step {fact.step + 1} is done", "go"
        case ev.RoutineEnded():
            tone: Tone = "go" if fact.status == "done" else "broke" if fact.status == "failed" else "plain"
            return f"routine {fact.status}{f': {fact.why}' if fact.why else ''}", tone


def notice(fact: Notice) -> Said:
    match fact:
        case ev.ChannelOpened():
            return f"from here on told to {fact.words}", "quiet"
        case ev.ChannelClosed():
            return "nothing names this channel any more: from here on nobody is told there", "quiet"
        case ev.NoticeSending():
            many = len(fact.about)
            return f"a notice goes out about {many} event{'' if many == 1 else 's'}", "quiet"
        case ev.NoticeSettled():
            what = f": {fact.detail}" if fact.detail else ""
            return f"notice {fact.outcome}{what}", "quiet" if fact.outcome in ("sent", "skipped") else "broke"


def _by(who: Who) -> str:
    return f"says {who.user or who.via}"
