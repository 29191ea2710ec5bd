"""`nightdesk session open`: the agent's own interactive mode on this terminal, and the conversation back afterwards."""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

import click

from console import wiring
from console.cli import common
from console.core.records import Refused
from console.core.sessions import Session
from console.engine import borrowing
from console.engine.client import Client
from console.present import sessionwords
from console.terminal import lending


def opened(ctx: click.Context, name: str) -> None:
    """Blocks until the program has ended. Whatever ends it, the conversation is given back; when this process is killed
    the supervisor sees that nobody has it any more."""
    common.people_only("opening a session's conversation")
    if not all(os.isatty(fd) for fd in (0, 2)):
        raise common.Fail("`session open` needs a terminal: run it in one")
    here = common.here(ctx)
    client = common.client(here)
    s = common.session_named(client.state, name)
    desk = replace(wiring.desk(here), who=lambda: wiring.who(here))
    with _orderly() as leaving:
        opening = borrowing.take(client, desk, s.session)
        if isinstance(opening, Refused):
            common.fail(opening)
        code: int | None = None
        loan = lending.of_agent(opening, s.label or s.session)
        note = "its console was told to end"
        try:
            leaving.append(loan)
            code = loan.run()
            note = loan.ending(code)
        except (OSError, termios.error) as error:
            note = f"the terminal is gone: {error}"
        finally:
            borrowing.give_back(client, desk, s.session, code, note)
    _tell(client, s.session, note, code is not None and loan.started)


class _Leave(BaseException):
    """Told to end before there was anything to end."""


@contextmanager
def _orderly() -> Iterator[list[lending.Loan]]:
    """While this lasts, TERM and HUP end the program (the loans in the list), and with it us, in order."""
    loans: list[lending.Loan] = []

    def leave(number: int, _frame: FrameType | None) -> None:
        for each in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        if not loans:
            raise _Leave(number)
        for loan in loans:
            loan.end()

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield loans
    except _Leave as told:
        raise SystemExit(128 + told.args[0]) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(client: Client, session: str, note: str, ran: bool) -> None:
    s: Session = client.state.sessions[session]
    said = f"{note}; {sessionwords.returned(s)}" if note else sessionwords.returned(s)
    if not ran or s.stopped:
        raise common.Fail(said)
    click.echo(said)
