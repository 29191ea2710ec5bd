"""`nightdesk heartbeat`: a sign of life from inside a session, for whose work is silent for long."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command()
def heartbeat() -> None:
    """Say from inside a session that its work goes on. To be called now and then by a tool that is silent for long."""
    from console.cli import common

    folder = os.environ.get("NIGHTDESK_INBOX", "")
    if not folder:
        raise common.Fail("call this from inside a session, where nightdesk sets NIGHTDESK_INBOX; it is not set here")
    from console.adapters import inbox

    try:
        inbox.beat(Path(folder))
    except OSError as error:
        raise common.Fail(f"the sign of life could not be left in {folder}: {error.strerror}") from None
