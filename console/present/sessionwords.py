"""A session in words: its state for lists, headlines and `--json`, and everything about it in lines. Pure; take it from
`console.present.wording`."""

from __future__ import annotations

from typing import Any

import msgspec

from console.core import addresses
from console.core.sessions import Session, not_lendable
from console.core.state import State, ticket_of
from console.present import healthwords
from console.present.doing import lent_words
from console.present.glyphs import sign
from console.present.keytable import key
from console.present.text import clean

RESTS = "a prompt goes on with its conversation"
"""Of a session whose agent was ended so that a person could have its conversation, and who has given it back."""


def session_phase(s: Session, state: State | None = None, now: float = 0.0) -> str:
    """Its state as a few words. state, now: for what ails it, with how long."""
    if s.lent:
        return lent_words(s)
    if state and (word := healthwords.ailing(s)):
        return f"{sign(word).word}{healthwords.told(state, s, now)}"
    match s.phase:
        case "working":
            return f"working (turn {s.turns}{_queued(s)})"
        case "awaiting-input":
            return f"asks: {clean(s.question.title, limit=200)}" if s.question else "awaiting-input"
        case "ready" if s.turn and s.turn.end_seq:
            return f"turn {s.turns} ended" + ("" if s.turn.ok else f" ({clean(s.turn.stop, limit=100)})")
        case "ready":
            return "idle"
        case "exited":
            return f"exited: {clean(s.exit, limit=300)}"
        case "suspended" if s.for_loan and not s.prompts:
            return f"suspended: {RESTS}"
        case "suspended" if s.prompts:
            return "resuming"
        case _:
            return s.phase


def _queued(s: Session) -> str:
    """Prompts that wait for the end of the turn that runs."""
    count = len(s.prompts)
    return f", {count} prompt{'s' * (count > 1)} queued" if count else ""


def session_word(s: Session) -> str:
    """The phase, or what ails it, as a word that has a sign; of one that somebody has, that."""
    if s.lent:
        return "lent"
    usual = {"ready": "idle", "suspended": "resuming" if s.prompts else "suspended"}.get(s.phase, s.phase)
    return healthwords.ailing(s) or usual


def session_more(s: Session, state: State, now: float) -> str:
    """What a headline adds to the word: the question, the turn, the exit, what ails it; with its separator."""
    if s.lent:
        return f": {lent_words(s)}"
    if healthwords.ailing(s):
        return healthwords.told(state, s, now)
    match s.phase:
        case "awaiting-input" if s.question:
            return f"{_queued(s)}: {clean(s.question.title, limit=200)}"
        case "working":
            return f" · turn {s.turns}{_queued(s)}"
        case "ready" if s.turn and s.turn.end_seq:
            return f" · {session_phase(s)}"
        case "exited":
            return f": {clean(s.exit, limit=300)}"
        case "suspended" if s.for_loan and not s.prompts:
            return f": {RESTS}"
        case _:
            return ""


def session_brief(s: Session, state: State, now: float) -> str:
    """What a narrow list adds to the word of a session that does not work just now."""
    if s.lent:
        return lent_words(s)
    if healthwords.ailing(s):
        return healthwords.brief(state, s, now)
    match s.phase:
        case "awaiting-input" if s.question:
            return clean(s.question.title, limit=200)
        case "exited":
            return clean(s.exit, limit=300)
        case "ready" if s.turn and s.turn.end_seq and not s.turn.ok:
            return clean(s.turn.stop, limit=100)
        case "ready" if count := len(healthwords.left_running(s)):
            return f"{count} run{'s' * (count == 1)} on"
        case _:
            return f"{s.turns} turn{'' if s.turns == 1 else 's'}" if s.turns else ""


def session_data(s: Session) -> dict[str, Any]:
    """Plain data for `--json`: the record, with `sessionId`, `status` and `health` as programs know them."""
    data: dict[str, Any] = msgspec.to_builtins(s)
    data["launch"].pop("env", None)  # may hold secrets
    data["notify_url"] = s.notify_url and addresses.shown(s.notify_url)  # what follows the host may be one
    return {
        "sessionId": s.session,
        "status": s.phase,
        "health": healthwords.ailing(s) or "ok",
        "turn": s.turns,
        "restartCount": len(s.restarts),
        "processes": list(healthwords.left_running(s)),
        "leftovers": list(s.leftovers),
        **{k: v for k, v in data.items() if k not in ("turn", "processes", "leftovers")},
    }


def session_lines(s: Session, state: State, now: float) -> list[str]:
    lines = [
        f"session   {s.session}  {clean(s.label)}",
        f"agent     {clean(s.preset or '-')}: {clean(' '.join(s.launch.argv))} ({s.launch.protocol})",
        f"state     {session_phase(s)}",
        *healthwords.lines(state, s, now),
        f"folder    {clean(s.cwd)}",
    ]
    if s.read_only:
        lines.append("rights    read-only: it reviews; what it changes in its worktree is never used")
    if s.notify_url:
        lines.append("told      its events go to a webhook of its own, too")
    if s.detail:
        lines.append(f"note      {clean(s.detail)}")
    if s.sandbox:
        lines.append(f"sandbox   {clean(s.sandbox)}")
    if s.snapshots:
        lines.append(f"snapshot  {s.snapshots[-1].snapshot[:10]}, {len(s.snapshots)} kept")
    if s.no_snapshot:
        lines.append(f"snapshot  none for the latest turn: {clean(s.no_snapshot)}")
    if s.rollback or s.rolled_back:
        now_ = f"going back to {s.rollback[:10]}" if s.rollback else s.rolled_back
        lines.append(f"rollback  {clean(now_)}")
    if s.pid:
        lines.append(f"process   pid {s.pid} under shim {s.shim_pid}")
    if s.question:
        lines += [f"answer    {clean(o.id)}: {clean(o.name)} ({clean(o.kind)})" for o in s.question.options]
        lines += [f"answer    in your own words: {key('answer')}"] * (s.question.via == "inbox")
    if s.prompts:
        lines.append(f"queued    {len(s.prompts)} prompt(s)")
    return lines


def returned(s: Session) -> str:
    """What is true of it when its conversation has been given back."""
    if s.stopped:
        return f"{s.session} is over: it was {s.exit or 'stopped'}"
    if s.prompts:
        return f"{s.session} is back; {len(s.prompts)} prompt(s) that came meanwhile begin now"
    return f"{s.session} is back"


# -- why a verb does nothing now; "" when it does -----------------------------------------------------------


def not_ours(s: Session) -> str:
    """While a person has its conversation, nothing else is done with it."""
    return f"session {s.session} is {lent_words(s)}: it takes nothing else until that ends" if s.lent else ""


def not_promptable(s: Session) -> str:
    if why := not_ours(s):
        return why
    return "" if s.resumable else f"session {s.session} is over and takes no prompt; start a new one"


def not_answerable(s: Session) -> str:
    if why := not_ours(s):
        return why
    return "" if s.question else f"session {s.session} asks nothing"


def not_interruptible(s: Session) -> str:
    if why := not_ours(s):
        return why
    if s.phase not in ("working", "awaiting-input"):
        return f"session {s.session} runs no turn"
    return f"session {s.session} is being interrupted already" if s.cancel else ""


def not_stoppable(s: Session) -> str:
    if why := not_ours(s):
        return why
    return f"session {s.session} has exited already" if s.phase == "exited" and s.stopped else ""


def not_openable(s: Session, state: State) -> str:
    """In its agent's own program."""
    if why := not_ours(s):
        return why
    t = ticket_of(state, s.session)
    return clean(not_lendable(s, t.ticket if t and t.in_flight and t.session == s.session else ""), limit=300)


_KINDS = {
    "allow_once": "allow once",
    "allow_always": "allow always",
    "reject_once": "reject",
    "reject_always": "reject always",
}


def option_words(name: str, kind: str) -> str:
    """An answer as its agent words it, and what kind it is when that says more."""
    said, means = clean(name, limit=200), _KINDS.get(kind, clean(kind, limit=60))
    return said if not means or means.casefold() == said.casefold() else f"{said} · {means}"
