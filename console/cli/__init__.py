"""The command line: parse, ask the client, print. One module a noun, imported only when it is used."""

from __future__ import annotations

import importlib
import os
import sys

import click

NOUNS = {
    "demo": ("console.cli.demo", "demo"),
    "preflight": ("console.cli.preflight", "preflight"),
    "run": ("console.cli.run", "run"),
    "standby": ("console.cli.standby", "standby"),
    "pause": ("console.cli.brakes", "pause"),
    "resume": ("console.cli.brakes", "resume"),
    "stop": ("console.cli.brakes", "stop"),
    "decide": ("console.cli.deciding", "decide"),
    "next": ("console.cli.pulling", "next_"),
    "complete": ("console.cli.pulling", "complete"),
    "park": ("console.cli.pulling", "park"),
    "heartbeat": ("console.cli.heartbeat", "heartbeat"),
    "ticket": ("console.cli.tickets", "ticket"),
    "decision": ("console.cli.decisions", "decision"),
    "report": ("console.cli.report", "report"),
    "worktree": ("console.cli.worktrees", "worktree"),
    "status": ("console.cli.status", "status"),
    "trust": ("console.cli.trust", "trust"),
    "init": ("console.cli.init", "init"),
    "agents": ("console.cli.agents", "agents"),
    "session": ("console.cli.sessions", "session"),
    "sessions": ("console.cli.sessions", "session"),
    "policy": ("console.cli.policies", "policy"),
    "plan": ("console.cli.plans", "plan"),
    "chain": ("console.cli.chains", "chain"),
    "routine": ("console.cli.routines", "routine"),
    "alert": ("console.cli.alerts", "alert"),
    "snapshot": ("console.cli.snapshots", "snapshot"),
    "notify": ("console.cli.notifying", "notify"),
    "events": ("console.cli.events", "events"),
    "doctor": ("console.cli.doctor", "doctor"),
    "mcp": ("console.cli.mcp", "mcp"),
}
HIDDEN = {"sessions"}


class Nouns(click.Group):
    """Subcommands by name, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in NOUNS if name not in HIDDEN]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in NOUNS:
            return None
        module, attribute = NOUNS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"nightdesk {version('nightdesk')}")
        ctx.exit()


@click.group(cls=Nouns, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--workspace", type=click.Path(), default=None, help="The repository (default: the one around here).")
@click.option("--theme", default="", metavar="NAME", help="Colours of the console this time, for example light.")
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
@click.pass_context
def nightdesk(ctx: click.Context, workspace: str | None, theme: str) -> None:
    """Supervise unattended coding-agent runs. Without a command: the console."""
    ctx.obj = workspace
    if ctx.invoked_subcommand is None:
        import gc

        gc.disable()  # all that is loaded until the first paint stays; the screen turns it on again
        from console.cli.screen import open_console

        sys.exit(open_console(workspace, theme))


def main() -> None:
    """Entry point. Known errors are one sentence on stderr; a bug is a traceback and exit 70."""
    from console.cli.common import guarded, text_only
    from console.cli.plainly import fit_streams

    fit_streams(os.environ)
    text_only(sys.argv[1:])
    guarded(lambda: nightdesk(prog_name="nightdesk", standalone_mode=False))
