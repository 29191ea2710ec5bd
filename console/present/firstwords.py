"""The first steps in words: a row each, what the step is, what its key does, and how a shell does the same. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from console.core.first_steps import Look, Progress, Step
from console.present.glyphs import sign

TITLES = {
    "repository": "Repository",
    "identity": "Identity",
    "commit": "First commit",
    "settings": "Settings",
    "root": "Root",
    "agent": "Agent",
    "trust": "Trust",
    "ticket": "Ticket",
    "run": "Run",
    "landed": "Landed",
}
WORDS = {"done": "done", "open": "to do", "trouble": "look", "later": "later"}
SIGNS = {"done": "done", "open": "ready", "trouble": "look", "later": "over"}
TONES = {"done": "go", "open": "needs", "trouble": "broke", "later": "quiet"}

WHAT = {
    "repository": "Nightdesk works on top of git: each ticket gets a branch and a folder of its own, and what you "
    "approve becomes a commit.",
    "identity": "Every commit names who made it.",
    "commit": "Work begins on top of a commit, and only what is committed can be seen by an agent.",
    "settings": "One file, .nightdesk/config.yaml, says which check every ticket must pass (the gate: exit 0 is green) "
    "and who works. Nothing in it counts before you trust it.",
    "root": "You are root: whatever an agent does, root does. Better start nightdesk as another user. If this is a "
    "container that may break, the settings can allow it.",
    "agent": "The program that does the work, such as Claude Code or opencode. You choose one that is installed, and "
    "what it may do without asking. Whatever is more than that parks the ticket until you decide.",
    "trust": "Settings may start programs, so a person has to say once that these may. You see the whole file; what it "
    "says is recorded for you alone. Every change of it wants your trust again, but for comments and layout.",
    "ticket": "A Markdown file in tickets/ that says what is to be done, as you would tell a colleague who is new "
    "here. What only a person can decide is parked before anything is touched.",
    "run": "Every check of the preflight is shown, then GO or NO-GO. On GO the agent begins; the desk shows "
    "it at work.",
    "landed": "When the gate is green a plan waits for you. On the desk w goes to it: read the diff, then a lands "
    "exactly that, as a commit on the ticket's own branch.",
}
LACKS = {
    "repository": "This folder is in no repository yet.",
    "identity": "Git does not know your name and address yet.",
    "commit": "The repository has none yet.",
}
"""Behind what it is, as long as it is not done."""
DOES = {
    "repository": "Enter shows what would be made, and asks",
    "identity": "Enter asks for both and writes them into this repository's own configuration only",
    "commit": "Enter lists the files that it would hold, and asks",
    "settings": "Enter shows the files that would be written, and asks",
    "root": "Enter shows the line that allows it, and asks",
    "agent": "Enter lists the agents that are installed, with what each may do, and asks",
    "trust": "Enter shows the file, page by page; at its end it asks",
    "ticket": "Enter opens a form: a title, a text, and at once what a run would decide about it",
    "run": "Enter checks everything, then asks",
    "landed": "Enter goes to the plan",
}
SHELL = {
    "repository": "git init",
    "identity": 'git config user.name "Your Name" && git config user.email you@example.com',
    "commit": "git add FILE ... && git commit -m 'First commit'",
    "settings": "nightdesk init",
    "root": "identity: {allow_root: true} in the settings",
    "agent": "nightdesk agents; agent: and presets: in the settings",
    "trust": "nightdesk trust",
    "ticket": "nightdesk ticket add FILE, or any editor",
    "run": "nightdesk preflight && nightdesk run",
    "landed": "nightdesk plan list; nightdesk policy ack",
}
LATER = "an earlier step comes first"
NO_AGENT = (
    "No agent that is known here is installed. docs/agents.md tells how to get one, for example Claude Code "
    "(npm install -g @anthropic-ai/claude-code), opencode (npm install -g opencode-ai) or Aider; this screen notices "
    "it. `nightdesk demo` shows a whole night without any."
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the checklist. tone: the name of a style. does: what the key does now, or why it does nothing."""

    name: str
    mark: str
    word: str
    title: str
    text: str
    does: str
    tone: str


def rows(found: tuple[Step, ...], look: Look, done: Progress) -> tuple[Row, ...]:
    return tuple(
        Row(
            name=step.name,
            mark=sign(SIGNS[step.standing]).glyph,
            word=WORDS[step.standing],
            title=TITLES[step.name],
            text=said(step, look, done),
            does=does(step, look, done),
            tone=TONES[step.standing],
        )
        for step in found
    )


def said(step: Step, look: Look, done: Progress) -> str:
    """What is there, in a line."""
    settled = step.standing == "done"
    if step.standing == "later" and not look.head and step.name != "commit":
        return ""  # nobody has looked yet
    match step.name:
        case "repository":
            return look.folder if settled else look.unfit or f"{look.folder} is in none"
        case "identity":
            return look.who or "git does not know who you are"
        case "commit":
            return look.head or "there is none"
        case "settings":
            return _settings(look)
        case "root":
            return (
                "agents work as root, as the settings allow"
                if settled
                else "this is root; the settings do not allow that"
            )
        case "agent":
            return _agent(look)
        case "trust":
            return _trust(look)
        case "ticket":
            more = f" (and {done.tickets - 1} more)" if done.tickets > 1 else ""
            return f"{done.ticket}{more}" if done.tickets else "there is none"
        case "run":
            return f"{done.run} is under way" if done.run else "there was one" if done.ran else "not started yet"
        case _:
            return _landed(done)


def _settings(look: Look) -> str:
    if not look.config:
        return ".nightdesk/config.yaml is not there"
    if look.problems:
        return f"{len(look.problems)} to cure in .nightdesk/config.yaml"
    return f"gate: {look.gate}" if look.gate else "no gate: nothing judges the work, so nothing can be simply DONE"


def _agent(look: Look) -> str:
    if not look.agent:
        return f"none chosen; here: {', '.join(look.installed)}" if look.installed else "none is installed here"
    if not look.agent_path:
        return f"{look.agent} is not installed here"
    return f"{look.agent_title}" if look.confirmed else f"{look.agent_title}: what it may do is not confirmed"


def _trust(look: Look) -> str:
    if look.config and look.trusted:
        return "you trust them as they are now"
    return "the settings are not trusted as they are now" if look.config else "there are no settings yet"


def _landed(done: Progress) -> str:
    if done.landed:
        return done.landed
    return "a plan waits for you" if done.waiting else "no plan waits yet"


def does(step: Step, look: Look, done: Progress) -> str:
    """What Enter does on this row now."""
    if step.standing == "later":
        return _why_later(step.name, look, done)
    if step.standing == "trouble":
        return TROUBLE.get(step.name, DOES[step.name])
    if step.standing == "done":
        return AGAIN.get(step.name, "nothing is left to do here")
    if step.name == "agent" and look.agent_path and not look.confirmed:
        return "Enter shows what it may do without asking, and asks whether you agree"
    if step.name == "agent" and not look.installed:
        return "Enter lists how to get one"
    return DOES[step.name]


TROUBLE = {
    "repository": "nothing can be done from here: change into your project's folder",
    "settings": "e opens it in your editor",
    "agent": "Enter lists the agents that are installed, and asks",
}
AGAIN = {
    "settings": "Enter tries the gate or opens the file in your editor",
    "agent": "Enter chooses another one, or another level",
    "ticket": "Enter writes another one",
    "run": "Enter goes to the desk",
    "trust": "Enter shows what is trusted",
    "root": "e opens the file that allows it",
    "landed": "Enter goes to the desk",
}


def enter(step: Step) -> str:
    """What Enter does, in three words for the footer; "" when it only says why it does nothing."""
    if step.standing == "later" or (step.name == "repository" and step.standing == "trouble"):
        return ""
    if step.standing != "done":
        return "take this step"
    return AGAIN_SHORT.get(step.name, "")


AGAIN_SHORT = {
    "settings": "open this step",
    "agent": "choose another",
    "ticket": "write another",
    "run": "go to the desk",
    "trust": "show the file",
    "landed": "go to the desk",
}


def why_no_trial(look: Look) -> str:
    """Why the gate of the settings is not tried now; "" when it can be."""
    if not look.config or (not look.gate and not look.problems):
        return "there is no gate to try yet: settings come first"
    if look.problems:
        return "the settings have to be cured first: Enter on their row"
    if not look.trusted:
        return "the settings are not trusted as they are now, and nothing of them is started before: Trust comes first"
    return ""


def _why_later(name: str, look: Look, done: Progress) -> str:
    if name == "run" and look.trusted and not done.tickets:
        return "there is no ticket yet"
    if name == "landed":
        return "no plan waits yet: the run comes first" if not done.run else "the agent is at work; this row wakes up"
    return LATER


def lines(step: Step, look: Look, done: Progress) -> list[str]:
    """The pane below the list: what it is, what is wrong, what the key does, and the shell's way."""
    lacks = LACKS.get(step.name, "") if step.standing != "done" else ""
    out = [f"{WHAT[step.name]} {lacks}".rstrip()]
    if step.name == "agent":
        out += _agent_lines(look)
    if step.name == "settings":
        out += [*look.problems]
        if look.gate_trouble:
            out.append(f"The gate could not start: {look.gate_trouble}. Install it, or press e and set another one.")
    if step.name == "landed" and done.landed:
        out = [
            f"Your first commit has landed: {done.landed}. Nightdesk merges nothing; you do, when you like it:",
            f"  git merge --no-ff {done.branch}",
        ]
    out.append("")
    out.append(f"Here: {does(step, look, done)}.")
    if step.standing in ("open", "trouble", "later"):
        out.append(f"In a shell: {SHELL[step.name]}")
    return out


def _agent_lines(look: Look) -> list[str]:
    if look.agent and look.agent_path and look.may:
        agreed = "You have agreed that" if look.confirmed else "Not confirmed yet:"
        return [f"{agreed} {look.agent_title} works like this, with nobody there: {look.may}."]
    return [] if look.installed else [NO_AGENT]


def headline(found: tuple[Step, ...]) -> str:
    """`5 of 9 steps are done; next: Trust`"""
    count = sum(step.standing == "done" for step in found)
    upcoming = next((step for step in found if step.standing in ("open", "trouble")), None)
    if count == len(found):
        return "all steps are done"
    after = f"; next: {TITLES[upcoming.name]}" if upcoming else ""
    return f"{count} of {len(found)} steps are done{after}"
