"""What every command needs: the workspace, the client, refusals as exit codes, and printing for people or programs."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
import msgspec

from console.core.records import Refused
from console.verbs.failing import NOT_FOUND, USAGE, Fail, fail, people_only, session_named

if TYPE_CHECKING:
    from console import wiring
    from console.engine.client import Client

__all__ = [
    "BUG",
    "NOT_FOUND",
    "USAGE",
    "Fail",
    "as_json",
    "client",
    "fail",
    "guarded",
    "here",
    "json_option",
    "open_log_or_fail",
    "people_only",
    "plain",
    "session_named",
    "start_folder",
    "table",
    "text_only",
    "timeout_option",
]
BUG = 70


def text_only(args: Sequence[str]) -> None:
    """Refuse arguments that are no text before anything is done with them."""
    for arg in args:
        try:
            arg.encode()
        except UnicodeEncodeError:
            shown = arg.encode("utf-8", "backslashreplace").decode()
            _complain(f"the argument {shown!r} is not UTF-8 text; write a file's name as `git ls-files` quotes it")
            sys.exit(USAGE)


def guarded(run: Callable[[], Any]) -> NoReturn:
    """Run the command line and turn what can go wrong into one sentence and an exit code."""
    try:
        code = run()
    except Fail as error:
        _complain(error.reason)
        sys.exit(error.code)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    except Exception as error:
        if not _is_expected(error):
            traceback.print_exc()
            click.echo("this is a bug in nightdesk; what is in the log stays as it is", err=True)
            sys.exit(BUG)
        _complain(str(error))
        sys.exit(USAGE)
    sys.exit(code if isinstance(code, int) else 0)


OUTSIDE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EACCES, errno.EMFILE, errno.ENFILE)
"""What a disk, a permission or a limit says: the user's to cure, not a fault of ours."""


def _is_expected(error: Exception) -> bool:
    """A failure that the log or git names itself. Asked after one only: no command starts slower for it."""
    from console.adapters.git.binary import GitFailed
    from console.adapters.lock import LockUnusable
    from console.adapters.store import LogError

    full = isinstance(error, OSError) and error.errno in OUTSIDE
    return full or isinstance(error, (LogError, GitFailed, LockUnusable))


def _complain(reason: str) -> None:
    from console.present.text import clean

    for line in reason.split("\n"):
        click.echo(clean(line), err=True)


def here(ctx: click.Context) -> wiring.Here:
    """The workspace named by --workspace, or the one around the current folder."""
    from console import wiring

    found = wiring.locate(start_folder(ctx.find_root().obj), os.environ)
    if isinstance(found, Refused):
        raise Fail(found.reason)
    return found


def start_folder(named: str | None) -> Path:
    """The folder of --workspace, or the current one."""
    try:
        return Path(named) if named else Path.cwd()
    except FileNotFoundError:
        raise Fail("the current folder is gone: change to one that is there, or name one with --workspace") from None


def open_log_or_fail(place: wiring.Here) -> None:
    """Refuse an unreadable or newer log before anything runs on it."""
    from console import wiring

    wiring.open_journal(place).close()


def client(place: wiring.Here) -> Client:
    from console import wiring

    return wiring.client(place)


def as_json(value: object) -> None:
    import json

    text = msgspec.json.encode(value).decode()
    click.echo(text if text.isascii() else json.dumps(plain(value)))  # ASCII only: it may meet a terminal


def plain(value: object) -> Any:
    """Records as plain data for JSON output."""
    return msgspec.to_builtins(value)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Columns for people, cleaned; the last column is not padded."""
    from console.present.text import clean, pad, width

    lines = [[clean(str(cell)) for cell in row] for row in rows]
    widths = [max(width(line[i]) for line in [list(head), *lines]) for i in range(len(head))]
    for line in [list(head), *lines]:
        cells = [pad(cell, widths[i]) if i + 1 < len(line) else cell for i, cell in enumerate(line)]
        click.echo("  ".join(cells).rstrip())


def _waitable(_ctx: click.Context, _param: click.Parameter, value: float) -> float:
    if not 0 <= value < 1e9:  # also what is no number
        raise click.BadParameter(f"{value:g} must be a number of seconds from 0")
    return value


def timeout_option(default: float, help: str = "Seconds to wait for the outcome.") -> Callable[[Any], Any]:
    """`--timeout` of a command that waits."""
    return click.option("--timeout", type=float, default=default, show_default=True, callback=_waitable, help=help)


json_option = click.option("--json", "json_", is_flag=True, help="One JSON object instead of text.")
"""Every command that prints data takes it."""
