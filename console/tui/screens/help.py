"""Every key in words, wrapped to the width of the dialog. Each line is a key that does something or says why not."""

from __future__ import annotations

import textwrap

KEYS: tuple[tuple[str, str], ...] = (
    ("a", "approve: land exactly the plan that is drawn; at risk level 2 twice, at level 3 with its policy's id typed"),
    ("f", "the diff at the next finding's file and line"),
    ("U", "unlock the signing key: the terminal goes to the program that asks, and comes back"),
    ("r", "reject the plan that is drawn; the work stays (blocked policy: dismiss it; ticket that ended: requeue it)"),
    ("u", "undo the approval or rejection that is shown, else your last one (press twice); take an answer back (once)"),
    ("m", "morning review: everything that waits, one thing at a time"),
    ("b", "the board: reviews and repairs as trees, routines; c there switches chains on or off"),
    ("t", "type an answer to the decision that is shown; 1 to 9 choose a reading once it is open (ticket: requeue)"),
    ("L", "release a held ticket; the first press shows its text"),
    ("s", "start a run: every check, then GO or NO-GO"),
    ("p", "pause the run, or let it go on"),
    ("w", "next thing that waits for you"),
    ("!", "the alert that is open"),
    ("A Z", "on an alert: adopt what changed in the git dir, or put back what was there (press twice)"),
    ("y", "answer what a session or a routine asks: what it is about in full, a digit answers (some take words, too)"),
    ("R", "judge a blocked policy again, on the work as it is now"),
    (
        "n",
        "send a prompt to the session that is shown; while a turn runs Tab chooses: behind it, or interrupt first",
    ),
    ("i", "interrupt the running turn"),
    ("o", "open the conversation in its agent's own program (asks); the desk comes back when you leave that"),
    ("v", "in the Session tab: outputs and prompts in full, or brief again; End or G follows the conversation"),
    ("x", "stop the session that is shown, or dismiss one that broke off; drop a ticket, end a routine (all twice)"),
    ("B", "go back: put the session's files back as they were before a turn (shows what would change, asks)"),
    ("", ""),
    ("j k g G", "down, up, top, bottom; arrows, PgUp, PgDn too; h l sideways"),
    ("1..5 Tab", "panes: needs you, sessions, policies, tickets, log"),
    ("Enter", "open what is selected; Esc or Backspace goes back"),
    ("[ ]", "tabs of what is shown: diff, gate, ticket, session, why"),
    ("} {", "next, previous hunk of the diff"),
    ("> <", "next, previous file of the diff"),
    ("/", "filter the list: Enter keeps it, Esc clears it"),
    (": Ctrl+P", "palette: every verb, and the colours"),
    ("Ctrl+L", "paint the screen again"),
    ("? F1", "this help"),
    ("q", "leave: the screen ends, what runs goes on; `nightdesk` opens it again"),
    ("Q", "stop the run, or every session and the supervisor (asks which)"),
)

SAFETY = (
    "An approval names the plan and commit that were drawn. It does not count within 0.4 s of the plan appearing or "
    "changing, nor in a burst of keys: a paste, or keys typed while the line stood still."
)
BOARD: tuple[tuple[str, str], ...] = (
    ("j k g G", "down, up, top, bottom; the pane beside shows what is selected"),
    ("Enter Tab", "to what is selected; Esc or Backspace goes back"),
    ("1 2", "chains, routines"),
    ("f", "the findings of a review (Why); [ ] are its other tabs: diff, gate, ticket, session"),
    ("p", "its plan on the desk, where a approves and r rejects; no key here approves anything"),
    ("s", "its session on the desk"),
    ("c", "switch chains on or off (says what that does, asks)"),
    ("y", "answer what a routine or a session asks"),
    ("x", "cancel the routine that is shown (press twice)"),
    ("b q", "back to the desk"),
)
REVIEW: tuple[tuple[str, str], ...] = (
    ("1..9", "choose a reading of the decision"),
    ("t Enter", "type an answer"),
    ("a", "approve the plan: at risk level 2 twice, at level 3 with its policy's id typed"),
    ("r", "reject the plan; requeue the ticket; dismiss the policy"),
    ("x", "drop the ticket, stop the session (twice)"),
    ("L", "release the held ticket"),
    ("A Z", "adopt, restore what an alert is about (twice)"),
    ("y R U", "answer a question, judge again, unlock the signing key"),
    ("space n", "skip: it comes again at the end"),
    ("u", "undo the last thing done here"),
    ("[ ] f v", "tabs; the next finding; a session's outputs in full"),
    ("j k g G", "scroll; } { > < hunks and files of a diff"),
    ("q Esc", "leave the review, not the program"),
)
COLUMN = 10


def review_lines(cells: int) -> list[str]:
    """The help of the morning review."""
    room = max(20, cells)
    return [*_wrapped(REVIEW, room), "", *textwrap.wrap(SAFETY, room)]


def board_lines(cells: int) -> list[str]:
    """The help of the board."""
    return _wrapped(BOARD, max(20, cells))


def _wrapped(keys: tuple[tuple[str, str], ...], room: int) -> list[str]:
    out: list[str] = []
    for key, does in keys:
        out += textwrap.wrap(does, room, initial_indent=key.ljust(COLUMN), subsequent_indent=" " * COLUMN) or [""]
    return out


def lines(cells: int, tier: str = "") -> list[str]:
    """The help for a pane of `cells`. tier: which sandbox sessions run in, in a sentence."""
    room = max(20, cells)
    out = _wrapped(KEYS, room)
    said = ["", *textwrap.wrap(f"Sandbox: {tier}", room)] if tier else []
    return [*out, "", *textwrap.wrap(SAFETY, room), *said]
