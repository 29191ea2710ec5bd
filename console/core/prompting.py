"""The prompt that a ticket's session begins with: the ticket, what earlier attempts showed, the contract. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from console.core.records import Gate
from console.core.tickets import Failure, Ticket

TOLD_OUTPUT = 4000
"""Characters of a failed gate's output, from its end."""


def first_prompt(
    t: Ticket,
    text: str,
    gate: Gate | None,
    *,
    stacked: Sequence[str] = (),
    in_place: bool = False,
    attended: bool = False,
) -> str:
    """text: the ticket's body as it was claimed. stacked: ids of tickets whose unlanded work the worktree holds.
    attended: somebody may answer what its agent asks over its protocol."""
    parts = [f"Ticket {t.ticket}: {t.spec.title}", text.strip()]
    if t.answers:
        said = "\n".join(f"- {answer}" for answer in t.answers)
        parts.append(f"A person has decided:\n{said}")
    if stacked:
        names = ", ".join(stacked)
        parts.append(
            f"The files hold the work of {names} already, which this ticket builds on; git shows it as uncommitted. "
            "Leave it as it is unless the ticket says otherwise."
        )
    parts += [_failed(failure) for failure in t.failures[-1:]]
    parts.append(_contract(t, gate, in_place, attended))
    return "\n\n".join(parts) + "\n"


BEFORE = {
    "hang": "The process that you ran in hung and was started again.",
    "crash": "The process that you ran in crashed and was started again.",
    "start": "The process that you were to run in did not come up and was started again.",
    "interrupted": "The process that you ran in was ended in the middle of your turn and started again.",
}
LIMIT_OVER = "The limit or overload that ended your turn is over."
TOLD_AGAIN = "What you had been told, once more:\n\n"


def restarted(cause: str, text: str, *, put_back: bool) -> str:
    """The prompt of a turn that broke off, told as a whole, so that a conversation that is lost loses nothing. text: as
    it was told before. put_back: its files are as they were when it began."""
    if put_back:
        files = "The files were put back to where that turn began."
    else:
        files = "The files are as it left them: look at what is done already before you go on."
    return f"{BEFORE[cause]} {files} {TOLD_AGAIN}{_whole(text)}"


def gone_on(text: str) -> str:
    """The prompt after the end of a limit, with the text of the turn that it ended."""
    return f"{LIMIT_OVER} Go on where you were; nothing else has changed. {TOLD_AGAIN}{_whole(text)}"


def _whole(text: str) -> str:
    """What was told first, without the words that an earlier restart or wait put around it."""
    ours = text.startswith((*BEFORE.values(), LIMIT_OVER)) and TOLD_AGAIN in text
    return text.split(TOLD_AGAIN, 1)[1] if ours else text


def _failed(failure: Failure) -> str:
    what = {
        "gate": "its change broke the gate",
        "timeout": "it took too long",
        "crash": "its agent exited",
        "agent": "its agent gave up",
    }.get(failure.cause, "it failed")
    lines = [
        f"An earlier attempt failed: {what} ({failure.why}). Its changes were rolled back; the files are as before it."
    ]
    if failure.output.strip():
        lines.append(f"The end of what the gate printed:\n{failure.output[-TOLD_OUTPUT:].strip()}")
    return "\n".join(lines)


ALONE = "Nobody is there to answer: this is an unattended run."
WATCHED = "A person watches this run and can answer your permission requests; do not wait for anything else from them."


def _contract(t: Ticket, gate: Gate | None, in_place: bool, attended: bool) -> str:
    where = "the repository's checkout" if in_place else "a git worktree of its own, made for this ticket"
    exit_ = "" if gate and gate.judge else " (exit 0)"
    judge = f"`{gate.words}`{exit_} decides, not what you say" if gate else "a person will look at the diff"
    paths = f"\n- Its work is expected in: {', '.join(t.spec.paths)}." if t.spec.paths else ""
    return f"""How this works. {WATCHED if attended else ALONE}
- You are in {where}. Change the files of this one ticket, then end your turn. {judge[0].upper()}{judge[1:]}.
- Do not commit, switch branches, stash or push; what you leave in the files is what is judged.
- Never delete, skip or weaken tests, and do not edit what the gate runs, to get it green.{paths}
- Do not touch the tickets folder, .nightdesk, .git, or files outside this folder. Stop servers that you start.
- Unsure about naming, structure or wording? Choose what is easy to undo and go on.
- Unsure about something that others depend on (data, public interfaces, security, money, deleting)? Do not guess: run
  nightdesk park {t.ticket} --question "what exactly a person must decide" --option "one reading" --option "another"
  (add --foundational when other work depends on the answer), then end your turn."""
