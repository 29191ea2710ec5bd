"""`nightdesk report`: the morning report of a run, printed or written. It reads the log and changes nothing in it."""

from __future__ import annotations

import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from console import wiring
from console.cli import common
from console.core import events as ev
from console.core import report as reporting
from console.core.records import Refused
from console.core.reporting import history
from console.core.reporting.records import Report
from console.present.nightreport import markdown
from console.present.text import clean

NAME = "night-report.md"
PAGE = 2000


@click.command()
@click.option("--run", "run_id", default="", help="Of this run (default: the latest).")
@click.option("--out", type=click.Path(dir_okay=False), default=None, help="Write it to this file instead.")
@common.json_option
@click.pass_context
def report(ctx: click.Context, run_id: str, out: str | None, json_: bool) -> None:
    """The night report: what waits for you, what is done, what went wrong. Exit 3: no such run."""
    found = build(common.here(ctx), run_id)
    if isinstance(found, Refused):
        common.fail(found)
    if out:
        text = msgspec.json.encode(found).decode() + "\n" if json_ else markdown(found, time.time())
        _written(Path(out), text)
        click.echo(f"written to {clean(out)}")
    elif json_:
        common.as_json(found)
    else:
        click.echo(markdown(found, time.time()), nl=False)


def build(here: wiring.Here, run: str = "") -> Report | Refused:
    """The report of a run ("" for the latest), with what only the log still knows of it."""
    client = common.client(here)
    try:
        state = client.state
        found = reporting.find(state, run)
        if isinstance(found, Refused):
            return found
        built = reporting.build(state, found.run, _history(here, found.seq, found.end_seq or state.seq))
    finally:
        client.close()
    return built


def write(here: wiring.Here, run: str = "") -> list[Path]:
    """Write a run's report to `reports/<run>.md` in the state folder and, where the repository has a real `.nightdesk`
    folder and git ignores it there, to `night-report.md` in that: what is not ignored would end in a plan. Returns what
    was written; a place that cannot be written is left out."""
    found = build(here, run)
    if isinstance(found, Refused):
        return []
    text = markdown(found, time.time())
    (here.places.state / "reports").mkdir(mode=0o700, exist_ok=True)
    written = []
    places: list[tuple[Path, tuple[str, ...], str, int]] = [(here.places.state, ("reports",), f"{found.run}.md", 0o600)]
    if wiring.ignored(here, f".nightdesk/{NAME}"):
        places.append((here.root, (".nightdesk",), NAME, 0o644))
    for root, names, name, mode in places:
        try:
            replace_file(root, names, name, text, mode)
        except OSError:
            continue
        written.append(Path(root, *names, name))
    return written


def _history(here: wiring.Here, first: int, last: int) -> Iterator[ev.Logged]:
    """The entries of the kinds that a report reads, first..last; before a supervisor's start also the one right before
    it, whatever it is: it is the last sign of life of the supervisor before."""
    from console.adapters.store import Log

    decode = msgspec.json.Decoder(ev.Fact).decode
    types = [str(kind.__struct_config__.tag) for kind in history.TYPES]
    log = Log(here.places.log)
    try:
        cursor = first - 1
        while cursor < last:
            rows, after = log.find(cursor, types=types, limit=PAGE)
            for seq, at, body in rows:
                fact = decode(body)
                if isinstance(fact, ev.SupervisorStarted) and seq > first:
                    yield from (each for each in log.read(seq - 2, 1) if not isinstance(each.fact, history.TYPES))
                yield ev.Logged(seq=seq, at=at, fact=fact)
            if len(rows) < PAGE:
                return
            cursor = after
    finally:
        log.close()


# -- files -----------------------------------------------------------------------------------------------


def _written(path: Path, text: str) -> None:
    try:
        mode = os.lstat(path).st_mode
        if not stat.S_ISREG(mode):
            raise common.Fail(f"{path} is no plain file; name another one for --out")
    except FileNotFoundError:
        pass
    try:
        replace_file(path.parent, (), path.name, text, 0o644)
    except OSError as error:
        raise common.Fail(f"cannot write {path}: {error.strerror}") from error


def replace_file(root: Path, folders: tuple[str, ...], name: str, text: str, mode: int) -> None:
    """Write `name` below `root` in one step: readers see the old file or the whole new one. Of the folders below `root`
    and of `name` no symbolic link is followed, whoever made it. Raises OSError."""
    place = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            below = os.open(folder, flags, dir_fd=place)
            os.close(place)
            place = below
        _replace(place, name, text.encode("utf-8", "backslashreplace"), mode)
    finally:
        os.close(place)


def _replace(place: int, name: str, data: bytes, mode: int) -> None:
    fresh = f".{name}.{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(fresh, flags, mode, dir_fd=place)
    try:
        with open(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(fresh, name, src_dir_fd=place, dst_dir_fd=place)
    except OSError:
        os.unlink(fresh, dir_fd=place)
        raise
