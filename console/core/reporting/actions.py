"""The exact next thing a person can do about something: the key on the screen and the same as a command line."""

from __future__ import annotations

from console.core.commits import Plan, short
from console.core.decisions import Parked
from console.core.records import Record
from console.core.tickets import Ticket

MORNING = "m"
"""Key of the guided review, in which decisions are answered one by one."""


class Action(Record, frozen=True, kw_only=True):
    """says: our own words, nothing from outside. key: what to press on the screen, "" when it has none. command: a
    shell line, "" when there is nothing to do but read `says`."""

    says: str
    key: str = ""
    command: str = ""


def word(text: str) -> str:
    """`text` as one word of a shell."""
    plain = text.isascii() and text.replace("-", "").replace("_", "").replace(".", "").replace("/", "").isalnum()
    return text if plain and not text.startswith("-") else "'" + text.replace("'", "'\\''") + "'"


def answer(d: Parked, choice: int = 0) -> Action:
    """Answer a decision, with reading `choice` or with a text of one's own."""
    how = f"--choose {choice}" if choice else "--text '...'"
    key = (
        MORNING  # the review shows it with its digits; a digit beside the report would meet whatever comes first there
    )
    says = f"take reading {choice}" if choice else "answer in words of your own"
    return Action(says=says, key=key, command=f"nightdesk decision answer {word(d.decision)} {how}")


def answers(d: Parked) -> tuple[Action, ...]:
    """Every way to answer it, the readings first."""
    return (*(answer(d, number) for number in range(1, len(d.options) + 1)), answer(d))


def approve(p: Plan) -> Action:
    """Land a plan, with what its risk level wants (DESIGN.md, ruling 11)."""
    policy = word(p.policy)
    key = {2: "a a", 3: f"a {p.policy}"}.get(p.level, "a")
    confirm = f" --confirm {policy}" if p.level > 1 else ""
    command = f"nightdesk policy ack {policy} --approve --plan {short(p.plan)}{confirm}"
    return Action(says="read the diff, then approve", key=key, command=command)


def reject(p: Plan) -> Action:
    command = f"nightdesk policy ack {word(p.policy)} --reject --plan {short(p.plan)} --note '...'"
    return Action(says="or reject it", key="r", command=command)


def show_plan(p: Plan) -> Action:
    return Action(says="read the diff", key="Enter", command=f"nightdesk plan show {short(p.plan)}")


def requeue(t: Ticket, says: str = "work on it again") -> Action:
    return Action(says=says, key="r", command=f"nightdesk ticket requeue {word(t.ticket)}")


def requeue_told(t: Ticket) -> Action:
    """With a word to the next attempt."""
    says = "try again, with what the next attempt should know"
    return Action(says=says, key="t", command=f"nightdesk ticket requeue {word(t.ticket)} --note '...'")


def release(t: Ticket) -> Action:
    return Action(says="read it, then release it", key="L", command=f"nightdesk ticket release {word(t.ticket)}")


def show_ticket(t: Ticket, says: str = "see all of it") -> Action:
    return Action(says=says, key="Enter", command=f"nightdesk ticket show {word(t.ticket)}")


def start(says: str = "start a run") -> Action:
    return Action(says=says, key="s", command="nightdesk run")


def alert(name: str) -> tuple[Action, ...]:
    """Read it first; each answer wants its key twice."""
    command = f"nightdesk alert {{}} {word(name)}".format
    return (
        Action(says="read it", key="!", command=command("show")),
        Action(says="put back what was there", key="Z Z", command=command("restore")),
        Action(says="or take it as right", key="A A", command=command("adopt")),
    )
