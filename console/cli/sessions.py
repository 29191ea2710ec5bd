"""`nightdesk session ...`: start, list, show, prompt, answer, open, interrupt, stop, wait."""

from __future__ import annotations

import time
from typing import Any

import click
from msgspec.structs import replace

from console import wiring
from console.cli import common
from console.cli.waiting import wait
from console.core import addresses, notify_settings
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.state import State, ticket_of
from console.engine.client import first
from console.present import healthwords, wording
from console.present.conditions import conditions
from console.present.text import clean, cut
from console.verbs import beginning

LONGEST_PROMPT = 1 << 20
"""Characters that are read of a file, which may be a pipe or a device without an end."""


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
@click.option("--notify-url", default="", help="Tell this address, too, what happens to the session.")
@click.option("--notify-secret", default="", help="Where the secret that signs it is found: env:NAME or file:PATH.")
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
    _check_address(options["notify_url"], options["notify_secret"])
    launch, preset = beginning.launch_of(here, options["preset"], options["protocol"], options["prompt_by"], command)
    if options["writable_git"]:
        common.people_only("a writable git dir")
        launch = replace(launch, writable_git=True)
    client = common.client(here)
    folder, worktree = beginning.folder_of(here, options["cwd"], options["branch"])
    request = cmd.StartSession(
        launch=launch,
        cwd=folder,
        worktree=worktree,
        by=wiring.who(here),
        preset=preset,
        label=options["label"] or options["branch"].rsplit("/", 1)[-1],
        prompt=prompt,
        notify_url=options["notify_url"],
        notify_secret=options["notify_secret"],
    )
    result = client.send(request)
    if isinstance(result, Refused):
        common.fail(result)
    added = first(result, ev.SessionAdded)
    assert isinstance(added, ev.SessionAdded)
    up = client.wait(lambda state: beginning.came_up(state, added.session), options["timeout"])
    _show_started(client.state, added.session, up, json_, options["timeout"])


def _check_address(url: str, secret: str) -> None:
    if not (url or secret):
        return
    common.people_only("an address that is told")
    if not url:
        raise common.Fail("--notify-secret signs what --notify-url is told; give that, too")
    if problem := addresses.logged_problem(url, "--notify-secret"):
        raise common.Fail(f"--notify-url {problem}")
    if secret and (problem := notify_settings.secret_problem(secret)):
        raise common.Fail(f"--notify-secret {problem}")


def _first_prompt(options: dict[str, Any]) -> str:
    """The prompt to start with; "" only when --idle asks for none."""
    file, text = options["prompt_file"], options["prompt"]
    if file:
        try:
            with open(file, encoding="utf-8") as source:
                text = source.read(LONGEST_PROMPT + 1)
        except (OSError, UnicodeDecodeError) as error:
            raise common.Fail(f"--prompt-file {file}: {error}") from error
        if len(text) > LONGEST_PROMPT:
            raise common.Fail(f"--prompt-file {file} has more than {LONGEST_PROMPT} characters, which is no prompt")
    if bool(text.strip()) == options["idle"]:
        raise common.Fail("give a first prompt (--prompt, --prompt-file), or --idle for none; not both")
    return str(text)


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
@click.argument("option", required=False)
@click.option("--option", "chosen", default="", help="The id of an answer that is offered, instead of OPTION.")
@click.option("--text", default="", help="In your own words, for a question that came through ask_human.")
@click.option("--question", default="", help="Its id (`session show --json`), when it must be exactly this question.")
@click.pass_context
def answer(ctx: click.Context, name: str, option: str | None, chosen: str, text: str, question: str) -> None:
    """Answer the question a session waits with: OPTION, or --text. An empty OPTION ("") cancels it."""
    common.people_only("answering")
    if option is None and not chosen and not text:
        raise common.Fail('say the answer: OPTION, --option or --text; an empty OPTION ("") cancels the question')
    if option and chosen:
        raise common.Fail("give the answer as OPTION or as --option, not both")
    option = option or chosen
    here = common.here(ctx)
    client = common.client(here)
    s = common.session_named(client.state, name)
    from console.verbs import answering

    command = cmd.AnswerQuestion(session=s.session, option=option, text=text, question=question, by=wiring.who(here))
    asked = answering.answer(here, client, command)
    click.echo(f"answered {s.session}: {clean(text or option)} ({clean(asked, limit=100)})")


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


session.add_command(wait)
