"""`nightdesk session ...`: start, list, show, prompt, answer, open, interrupt, stop, wait."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core import events as ev
from console.core import settings as rules
from console.core.policies import Policy
from console.core.records import Launch, Refused
from console.core.sessions import Session
from console.core.state import State, ticket_of
from console.engine.client import first
from console.present import healthwords, wording
from console.present.conditions import conditions
from console.present.text import cut


@click.group()
def session() -> None:
    """Agents at work: start, prompt, answer, stop, wait."""


@session.command(context_settings={"ignore_unknown_options": True})
@click.option("--preset", default="", help="A preset of .nightdesk/config.yaml (default: its `agent`).")
@click.option(
    "--protocol", type=click.Choice(["acp", "command", "claude-stream"]), default="acp", help="How CMD is driven."
)
@click.option("--prompt-by", type=click.Choice(["argument", "stdin"]), default="argument", help="How CMD gets prompts.")
@click.option("--cwd", type=click.Path(file_okay=False), default=None, help="The session's folder (default: here).")
@click.option("--worktree", "branch", default=None, help="Make a new worktree with this new branch and work there.")
@click.option("--label", default="", help="A name for people.")
@click.option("--prompt", default="", help="The first prompt.")
@click.option("--prompt-file", type=click.Path(exists=True, dir_okay=False), default=None)
@click.option("--writable-git", is_flag=True, help="Let it write the git dir: it must commit by itself.")
@click.option("--idle", is_flag=True, help="Start without a prompt.")
@common.timeout_option(60.0, "Seconds to wait until it is up.")
@common.json_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def start(ctx: click.Context, /, json_: bool, command: tuple[str, ...], **options: Any) -> None:
    """Start an agent: a preset, or CMD after `--`."""
    here = common.here(ctx)
    if options["branch"] is not None and not options["branch"].strip():
        raise common.Fail("--worktree is empty; name the new branch, or leave it out to work in this folder")
    options["branch"] = options["branch"] or ""
    prompt = _first_prompt(options)
    launch, preset = _launch(here, options["preset"], options["protocol"], options["prompt_by"], command)
    if options["writable_git"]:
        common.people_only("a writable git dir")
        launch = replace(launch, writable_git=True)
    client = common.client(here)
    folder, worktree = _folder(here, options["cwd"], options["branch"])
    request = cmd.StartSession(
        launch=launch,
        cwd=folder,
        worktree=worktree,
        by=wiring.who(here),
        preset=preset,
        label=options["label"] or options["branch"].rsplit("/", 1)[-1],
        prompt=prompt,
    )
    result = client.send(request)
    if isinstance(result, Refused):
        common.fail(result)
    added = first(result, ev.SessionAdded)
    assert isinstance(added, ev.SessionAdded)
    up = client.wait(lambda state: _came_up(state, added.session), options["timeout"])
    _show_started(client.state, added.session, up, json_, options["timeout"])


def _first_prompt(options: dict[str, Any]) -> str:
    """The prompt to start with; "" only when --idle asks for none."""
    file, text = options["prompt_file"], options["prompt"]
    if file:
        try:
            text = Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise common.Fail(f"--prompt-file {file}: {error}") from error
    if bool(text.strip()) == options["idle"]:
        raise common.Fail("give a first prompt (--prompt, --prompt-file), or --idle for none; not both")
    return str(text)


def _launch(
    here: wiring.Here, preset: str, protocol: str, prompt_by: str, command: tuple[str, ...]
) -> tuple[Launch, str]:
    if command and preset:
        raise common.Fail("give a preset or a command after `--`, not both")
    if command:
        if "/" in command[0] and not os.path.isabs(command[0]):
            raise common.Fail(f"{command[0]} is a relative path; write {os.path.abspath(command[0])}")
        return Launch(argv=command, protocol=protocol, prompt_by=prompt_by), ""  # type: ignore[arg-type]
    loaded = wiring.settings_of(here)
    if why := wiring.distrust(here, loaded):
        raise common.Fail(why)
    name = preset or loaded.settings.agent
    known: dict[str, rules.Preset] = loaded.settings.presets
    if not name:
        raise common.Fail(f"no agent named: use --preset, a command after `--`, or `agent:` in {loaded.file}")
    if name not in known:
        raise common.Fail(f"{loaded.where('presets')}: no preset {name!r}; there are: {', '.join(known) or 'none'}")
    return known[name].launch, name


def _folder(here: wiring.Here, cwd: str | None, branch: str) -> tuple[str, str]:
    """The session's folder and the root of the worktree it lies in."""
    git = wiring.git_of(here)
    if branch:
        if cwd:
            raise common.Fail("--worktree makes its own folder; leave --cwd out")
        tree = git.add_worktree(branch, branch)
        if isinstance(tree, Refused):
            common.fail(tree)
        return tree.path, tree.path
    folder = os.path.realpath(cwd or os.getcwd())
    if not os.path.isdir(folder):
        raise common.Fail(f"no folder {folder}")
    found = git.worktree_of(folder)
    if not found:
        allowed = "\n".join(f"  {tree.path}" for tree in git.worktrees())
        raise common.Fail(f"{folder} is outside every worktree of this workspace; allowed, with all below:\n{allowed}")
    return folder, found.path


def _came_up(state: State, session: str) -> bool | None:
    s = state.sessions[session]
    return True if s.phase not in ("starting", "suspended", "stopping") else None


def _show_started(state: State, name: str, up: bool | None, json_: bool, timeout: float) -> None:
    s = state.sessions[name]
    if json_:
        common.as_json(wording.session_data(s))
    elif s.phase == "exited":
        pass
    elif up:
        click.echo(f"{s.session} is up: {wording.session_phase(s)}")
    else:
        why = "; ".join(one.headline.removeprefix("! ") for one in conditions(state))
        click.echo(f"{s.session} is recorded; it was not up after {timeout:g} s{f': {why}' if why else ''}")
    if s.phase == "exited":
        raise common.Fail(f"{s.session} did not start: {s.exit}")
    if not up:
        raise click.exceptions.Exit(common.USAGE)


@session.command("list")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, json_: bool) -> None:
    """Every session and what it does."""
    state = common.client(common.here(ctx)).state
    if json_:
        common.as_json({"sessions": [wording.session_data(s) for s in state.sessions.values()]})
        return
    now = time.time()
    rows = [
        (
            s.session,
            s.label,
            s.preset or s.launch.argv[0],
            cut(wording.session_phase(s, state, now), 60),
            wording.age(now - healthwords.since(s)),
            s.cwd,
        )
        for s in state.sessions.values()
    ]
    common.table(("ID", "LABEL", "AGENT", "STATE", "FOR", "FOLDER"), rows)


@session.command()
@click.argument("name")
@click.option("--tail", default=20, show_default=True, help="Transcript entries to show.")
@common.json_option
@click.pass_context
def show(ctx: click.Context, name: str, tail: int, json_: bool) -> None:
    """One session with the end of its transcript."""
    from console.adapters.agents.transcripts import tail as read_tail

    here = common.here(ctx)
    state = common.client(here).state
    s = common.session_named(state, name)
    entries = read_tail(str(here.places.transcript(s.session)))[-tail:]
    if json_:
        common.as_json(wording.session_data(s) | {"transcript": entries})
        return
    for line in wording.session_lines(s, state, time.time()):
        click.echo(line)
    for entry in entries:
        click.echo(wording.transcript_line(entry))


@session.command()
@click.argument("name")
@click.argument("text")
@click.pass_context
def prompt(ctx: click.Context, name: str, text: str) -> None:
    """Send a prompt: now, or after the turn that runs."""
    here = common.here(ctx)
    client = common.client(here)
    s = common.session_named(client.state, name)
    if (t := ticket_of(client.state, s.session)) and t.in_flight:  # it is one more turn before the gate
        common.people_only("prompting the session of a ticket that is worked on")
    result = client.send(cmd.SendPrompt(session=s.session, text=text, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    queued = first(result, ev.PromptQueued)
    assert isinstance(queued, ev.PromptQueued)
    click.echo(f"turn {queued.turn} of {s.session} is queued")


@session.command()
@click.argument("name")
@click.argument("option")
@click.option("--question", default="", help="The question's id, when it must be exactly this one.")
@click.pass_context
def answer(ctx: click.Context, name: str, option: str, question: str) -> None:
    """Answer the question a session waits with."""
    common.people_only("answering")
    here = common.here(ctx)
    client = common.client(here)
    s = common.session_named(client.state, name)
    result = client.send(cmd.AnswerQuestion(session=s.session, option=option, question=question, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    click.echo(f"answered {s.session}: {option}")


@session.command("open")
@click.argument("name")
@click.pass_context
def open_(ctx: click.Context, name: str) -> None:
    """Open its conversation in the agent's own interactive mode, here; leaving that gives it back."""
    from console.cli.opening import opened

    opened(ctx, name)


@session.command()
@click.argument("name")
@click.pass_context
def interrupt(ctx: click.Context, name: str) -> None:
    """Cancel the running turn; the session stays up."""
    common.people_only("interrupting a session")
    here = common.here(ctx)
    client = common.client(here)
    s = common.session_named(client.state, name)
    result = client.send(cmd.InterruptTurn(session=s.session, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    click.echo(f"interrupting turn {s.turns} of {s.session}")


@session.command()
@click.argument("name")
@common.timeout_option(20.0, "Seconds to wait until it is gone.")
@click.pass_context
def stop(ctx: click.Context, name: str, timeout: float) -> None:
    """End a session and everything it started."""
    common.people_only("stopping a session")
    here = common.here(ctx)
    client = common.client(here)
    s = common.session_named(client.state, name)
    result = client.send(cmd.StopSession(session=s.session, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    gone = client.wait(lambda state: state.sessions[s.session].phase == "exited" or None, timeout)
    if not gone:
        raise common.Fail(f"stopping {s.session} is recorded, not yet done after {timeout:g} s")
    click.echo(f"{s.session} is stopped")


@session.command()
@click.argument("name", required=False)
@click.option("--policy", "policy_id", default="", help="Wait for this policy instead of the turn.")
@click.option(
    "--timeout", "timeout_ms", type=click.IntRange(min=0), default=600_000, show_default=True, help="Milliseconds."
)
@common.json_option
@click.pass_context
def wait(ctx: click.Context, name: str | None, policy_id: str, timeout_ms: int, json_: bool) -> None:
    """Block until the turn, or the policy, has ended. Exit 0 done or awaiting-ack, 2 otherwise, 3 not found."""
    client = common.client(common.here(ctx))
    if policy_id:
        if policy_id not in client.state.policies:
            raise common.Fail(f"no policy {policy_id!r}; `nightdesk policy list` shows what there is", common.NOT_FOUND)
        settled = client.wait(lambda state: _settled(state.policies[policy_id]), timeout_ms / 1000)
        _report_policy(client.state.policies[policy_id], settled is not None, json_)
        return
    if not name:
        raise common.Fail("name a session, or --policy")
    s = common.session_named(client.state, name)
    ended = client.wait(lambda state: _at_rest(state.sessions[s.session]), timeout_ms / 1000)
    _report_session(client.state.sessions[s.session], ended is not None, json_)


def _settled(p: Policy) -> bool | None:
    return True if p.status in ("done", "blocked", "cancelled", "awaiting-ack") else None


def _at_rest(s: Session) -> bool | None:
    return None if s.busy or s.phase in ("starting", "stopping") else True


def _report_policy(p: Policy, settled: bool, json_: bool) -> None:
    if json_:
        common.as_json(wording.policy_data(p) | {"timedOut": not settled})
    else:
        click.echo(wording.policy_sentence(p) + ("" if settled else " (timed out)"))
    if not settled or p.status in ("blocked", "cancelled"):
        raise click.exceptions.Exit(common.USAGE)


def _report_session(s: Session, ended: bool, json_: bool) -> None:
    if json_:
        common.as_json(wording.session_data(s) | {"timedOut": not ended})
    else:
        click.echo(f"{s.session}: {wording.session_phase(s)}" + ("" if ended else " (timed out)"))
    if not ended or s.phase == "exited":
        raise click.exceptions.Exit(common.USAGE)
