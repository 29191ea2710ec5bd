"""What Enter does on each row of the first steps: look, show what would be written, ask, do it, say what was done."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from console.core.first_steps import Look
from console.core.records import Refused
from console.engine.first_steps import Candidate, Change, Draft, FirstSteps, Listing, Said, Shown
from console.present import firstwords as words
from console.tui.screens.beside import Beside
from console.tui.screens.sheets import AskText, Choose
from console.tui.screens.ticket_sheet import WriteTicket
from console.tui.screens.verbs import Asking
from console.tui.screens.welcome_sheets import Offer, Trusting, Trying

LISTED = 2000
"""Files of a first commit that are listed by name."""
MANY = 500
"""Files from which a first commit is asked about: something may be missing in .gitignore."""


class WelcomeSteps(Beside, Asking):
    """Mixed into the screen of the first steps. steps: what it may do. look: what it saw last."""

    steps: FirstSteps
    look: Look

    def looked(self, said: object) -> None:
        """Something was done: say it, and look again."""
        raise NotImplementedError

    _typed: dict[str, str]
    """What was typed last for each question: it stands there again when nothing was made of it."""

    def ask_text(self, title: str, then: Callable[[str], None]) -> None:
        def answered(text: str | None) -> None:
            if text:
                self._typed[title] = text
                then(text)

        self.app.push_screen(AskText(title, value=self._typed.get(title, "")), answered)

    def told(self, got: object, then: Callable[..., None]) -> None:
        """`then` with what was got, or its refusal said."""
        if isinstance(got, Refused):
            self.say(got.reason, seconds=12)
        else:
            then(got)

    def ask(self, sheet: Choose, chosen: Callable[[str], None]) -> None:
        """chosen: only on a key that stands alone, as pasted text must not write anything."""

        def answered(answer: str | None) -> None:
            if answer:
                self.when_alone("written", lambda: chosen(answer))

        self.app.clear_notifications()
        self.app.push_screen(sheet, answered)

    def do(self, act: Callable[[], Said]) -> None:
        self.beside(act, self.looked)

    # -- repository, identity, commit --------------------------------------------------------------------

    def step_repository(self) -> None:
        self.beside(self.steps.branch, lambda got: self.told(got, self._offer_repository))

    def _offer_repository(self, branch: str) -> None:
        lines = [
            f"git init --initial-branch={branch} {self.look.folder}",
            "",
            "It makes the folder .git in it and touches none of your files. No template and no hook of yours is used.",
        ]
        sheet = Offer("Make a git repository here?", lines, [("make", "make it")])
        self.ask(sheet, lambda _: self.do(self.steps.make))

    def step_identity(self) -> None:
        def named(name: str) -> None:
            self.ask_text("Your address, for the same commits:", lambda email: self._offer_identity(name, email))

        self.ask_text("Your name, as commits of this repository will say it:", named)

    def _offer_identity(self, name: str, email: str) -> None:
        lines = [
            f"writes into {self.look.folder}/.git/config, for this repository only:",
            "",
            f"  user.name = {name}",
            f"  user.email = {email}",
            "",
            "What git knows already stays as it is. For all your repositories, use `git config --global` in a shell.",
        ]
        sheet = Offer("Write this identity?", lines, [("write", "write it")])
        self.ask(sheet, lambda _: self.do(lambda: self.steps.identify(name, email)))

    def step_commit(self) -> None:
        self.beside(self.steps.listing, lambda got: self.told(got, self._offer_commit))

    def _offer_commit(self, listing: Listing) -> None:
        count = len(listing.files)
        what = f"commit exactly these {count} files" if count != 1 else "commit exactly this file"
        what = what if count else "make an empty first commit"
        sheet = Offer(f"The first commit, by {self.look.who}", commit_lines(listing), [("commit", what)])
        self.ask(sheet, lambda _: self.do(lambda: self.steps.commit(listing)))

    # -- settings ----------------------------------------------------------------------------------------

    def step_settings(self) -> None:
        if self.look.config:
            options = [("edit", "open the file in your editor")]
            if not self.why_not_try_gate():
                options.insert(0, ("try", "try the gate once"))
            self.ask(Choose("The settings are there", options), self.more_of_settings)
        else:
            self.draft("")

    def more_of_settings(self, answer: str) -> None:
        if answer == "try":
            self.try_gate()
        else:
            self.edit_settings()

    def draft(self, gate: str) -> None:
        self.beside(lambda: self.steps.draft(gate), lambda got: self.told(got, self._offer_settings))

    def _offer_settings(self, draft: Draft) -> None:
        others = [gate for gate, _ in draft.guesses if gate != draft.gate]
        options = [
            ("write", f"write it, with the gate: {draft.gate}" if draft.gate else "write it, without a gate"),
            *((f"gate {number}", f"another gate: {gate}") for number, gate in enumerate(others)),
            ("type", "another gate: I type it"),
        ]
        sheet = Offer("The settings of this repository", settings_lines(draft), options)

        def chosen(answer: str) -> None:
            if answer == "write":
                self.do(lambda: self.steps.settle(draft))
            elif answer == "type":
                self.ask_text("The check that every ticket must pass, as a command:", self.draft)
            else:
                self.draft(others[int(answer.removeprefix("gate "))])

        self.ask(sheet, chosen)

    def why_not_try_gate(self) -> str:
        return words.why_no_trial(self.look)

    def try_gate(self) -> None:
        """The gate of the settings, once, after its command was shown."""
        if not self.able("try-gate"):
            return
        gate = self.look.gate
        lines = [f"  {gate}", "", "It runs once in a clean checkout of what is committed, as a ticket's gate would."]
        sheet = Offer("Try the gate?", lines, [("try", "run it")])
        run = lambda stop: self.steps.attempt(gate, stop)  # noqa: E731
        self.ask(sheet, lambda _: self._try(Trying(gate, run)))

    def _try(self, sheet: Trying) -> None:
        self.app.push_screen(sheet)

    def edit_settings(self) -> None:
        raise NotImplementedError

    def step_root(self) -> None:
        changes = ((("identity", "allow_root"), True),)
        why = ["Agents and gates would run as root: they could change this whole machine.", ""]
        self._offer_change("Let agents work as root here?", why, changes, "yes: write that")

    # -- the agent ---------------------------------------------------------------------------------------

    def step_agent(self) -> None:
        self.beside(self.steps.candidates, lambda got: self.told(got, self._offer_agents))

    def _offer_agents(self, found: Sequence[Candidate]) -> None:
        here = {one.name: one for one in found if one.path}
        chosen = here.get(self.look.agent)
        if not here:
            self.ask(Offer("No agent is installed here", missing_lines(found, self.look.agent), []), lambda _: None)
        elif chosen and chosen.own and not self.look.confirmed:
            self._offer_agent(chosen, "", chosen.may, others=here if len(here) > 1 else {})
        else:
            self._choose_agent(here)

    def _choose_agent(self, here: Mapping[str, Candidate]) -> None:
        options = [(one.name, f"{one.name}: {_which(one)}") for one in here.values()]
        self.ask(Choose("Who works on tickets here?", options), lambda name: self._offer_levels(here[name]))

    def _offer_levels(self, agent: Candidate) -> None:
        if not agent.levels:
            self._offer_agent(agent, "", agent.may)
            return
        may = dict(agent.levels)
        lines = [f"{name}{' (usual)' if name == agent.usual else ''}: {text}." for name, text in agent.levels]
        usual = sorted(may, key=lambda name: name != agent.usual)
        sheet = Offer(f"What may {agent.title} do without asking?", lines, [(name, f"level {name}") for name in usual])
        self.ask(sheet, lambda level: self._offer_agent(agent, level, may[level]))

    def _offer_agent(
        self, agent: Candidate, level: str, may: str, others: Mapping[str, Candidate] = MappingProxyType({})
    ) -> None:
        """others: who can be chosen instead."""
        mine = ("presets", agent.name)
        changes: list[tuple[tuple[str, ...], object]] = [(("agent",), agent.name)]
        changes += [((*mine, "autonomy"), level)] if level else []
        changes += [((*mine, "autonomy_confirmed"), True)]
        lines = [
            f"In every ticket of this repository: {may}.",
            *([f"These settings say how it is started: {agent.command}"] if agent.own else []),
            *([f"Sign in: {agent.login}."] if agent.login else []),
            "",
        ]
        title = f"May {agent.title} work like this, with nobody there?"
        other = ("another agent", lambda: self._choose_agent(others)) if others else None
        self._offer_change(title, lines, tuple(changes), "yes, I agree", other)

    def _offer_change(
        self,
        title: str,
        lines: Sequence[str],
        changes: tuple[tuple[tuple[str, ...], object], ...],
        yes: str,
        other: tuple[str, Callable[[], None]] | None = None,
    ) -> None:
        def shown(change: Change) -> None:
            options = [("yes", yes), *([("other", other[0])] if other else [])]
            sheet = Offer(title, [*lines, *change_lines(change)], options)
            self.ask(sheet, lambda answer: other[1]() if other and answer == "other" else written(change))

        def written(change: Change) -> None:
            self.do(lambda: self.steps.write(change))

        self.beside(lambda: self.steps.change(changes), lambda got: self.told(got, shown))

    # -- trust, ticket -----------------------------------------------------------------------------------

    def step_trust(self) -> None:
        self.beside(self.steps.shown, lambda got: self.told(got, self._offer_trust))

    def _offer_trust(self, shown: Shown) -> None:
        trusted = self.look.trusted and self.look.digest == shown.digest

        def answered(answer: str | None) -> None:
            if answer == "trust":
                self.do(lambda: self.steps.trust(shown.digest))

        self.app.clear_notifications()
        self.app.push_screen(Trusting(shown, trusted=trusted, when_alone=self.when_alone), answered)

    def step_ticket(self) -> None:
        self.app.clear_notifications()
        self.app.push_screen(WriteTicket(self.steps, when_alone=self.when_alone), self._wrote)

    def _wrote(self, said: str | None) -> None:
        if said:
            self.looked(said)


def _size(count: int) -> str:
    return (
        f"{count} bytes"
        if count < 10_000
        else f"{count / 1000:.0f} kB"
        if count < 10_000_000
        else f"{count / 1e6:.0f} MB"
    )


# -- what is shown before it is done -------------------------------------------------------------------------


def commit_lines(listing: Listing) -> list[str]:
    """Every file, and every one that is left out and why."""
    count = len(listing.files)
    lines = [f"{count} file{'s' * (count != 1)}, {_size(listing.size)}" + (", as staged" if listing.staged else "")]
    if count > MANY:
        lines.append("That is much for a project: is something missing in .gitignore? Esc leaves it to you.")
    lines += [f"large: {name}, {_size(size)}; what is committed stays in the history" for name, size in listing.large]
    lines += [f"left out: {name} ({why})" for name, why in listing.left]
    lines += ["", *(f"  {name}" for name in listing.files[:LISTED])]
    if count > LISTED:
        lines.append(f"  … and {count - LISTED} more; `git status -uall` lists them")
    return lines


def settings_lines(draft: Draft) -> list[str]:
    lines = []
    if draft.gate:
        because = dict(draft.guesses).get(draft.gate, "")
        lines.append(f"gate: {draft.gate}" + (f", because of {because}" if because else ""))
    else:
        lines.append("no gate was found in the project's files: without one nothing judges the work")
    if draft.trouble:
        lines.append(f"it could not start now: {draft.trouble}")
    lines += [f"stays as it is: {name}" for name in draft.kept]
    for name, text in draft.files:
        lines += ["", f"would be written: {name}", *(f"  {line}" for line in text.splitlines())]
    return lines


def change_lines(change: Change) -> list[str]:
    """Only the lines that differ."""
    pair = change.before.splitlines(), change.after.splitlines()
    differing = [
        line for line in difflib.unified_diff(*pair, lineterm="", n=0) if not line.startswith(("---", "+++", "@@"))
    ]
    return [f"changes in {change.source}:", "", *(f"  {line}" for line in differing or ["nothing: it says so already"])]


def _which(agent: Candidate) -> str:
    return f"as the settings say: {agent.command}" if agent.own else f"{agent.title}, {agent.path}"


def missing_lines(found: Sequence[Candidate], chosen: str = "") -> list[str]:
    """chosen: the agent of the settings."""
    mine = [one for one in found if one.own]
    lines = [f"{one.name} of the settings starts {one.command}, and that is not here." for one in mine]
    lines += [] if any(one.name == chosen for one in mine) or not chosen else [f"{chosen} of the settings is not here."]
    lines += [words.NO_AGENT, ""]
    for one in found:
        if one.tried and one.install:
            lines.append(f"{one.title}: {one.install}" + (f"; then {one.login}" if one.login else ""))
    return lines
