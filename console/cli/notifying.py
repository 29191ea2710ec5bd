"""`nightdesk notify ...`: the channels that reach people, and a try of each."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import click

from console import telling, wiring
from console.cli import common
from console.core import notice_groups as groups
from console.core.notices import Notice
from console.core.notify_settings import Channel, merged, warnings
from console.core.state import State
from console.present import noticewords


@click.group()
def notify() -> None:
    """Reaching people: webhooks, commands of yours, the terminal."""


@dataclass(frozen=True, slots=True)
class Known:
    """The channels as they are now, and what is to be said about them besides."""

    state: State
    channels: tuple[Channel, ...]
    remarks: tuple[str, ...]
    supervised: bool

    def tells(self, channel: Channel) -> bool:
        """Whether somebody is told there now, or would be by the next supervisor."""
        outlet = self.state.outlets.get(channel.id)
        return channel.kind == "terminal" or not self.supervised or bool(outlet and outlet.open)


def _known(here: wiring.Here) -> Known:
    state, supervised = common.client(here).state, telling.supervised(here)
    source = telling.Channels(here)
    channels = merged([*source.now(), *groups.named_in(state)])
    remarks = noticewords.apart(state, channels, supervised, source.distrusted)
    if problem := telling.address_problem(here.environ):
        remarks.append(problem)
    for channel in channels:
        remarks += warnings(channel)
        if reason := telling.usable(channel.secret, here.environ):
            remarks.append(f"{channel.words}: {reason}; nothing is sent there, as it would not be signed")
    return Known(state, channels, tuple(remarks), supervised)


@notify.command("list")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, json_: bool) -> None:
    """Every channel: what it hears, how far it was told, how the last notice went, how many were lost."""
    known = _known(common.here(ctx))
    outlets = known.state.outlets
    others = noticewords.left_over(known.state, known.channels)
    still = [o for o in others if o.open and known.supervised]
    if json_:
        now = [noticewords.channel_data(c, outlets.get(c.id), in_use=known.tells(c)) for c in known.channels]
        before = [
            {"channel": o.channel, "where": o.words, "inUse": o in still, **noticewords.outlet_data(o)} for o in others
        ]
        common.as_json({"channels": [*now, *before], "remarks": known.remarks})
        return
    if not (known.channels or still or known.remarks):
        click.echo("nobody is told anything: `notify` of the settings names no channel (see docs/notify.md)")
    if known.channels or still:
        rows = [noticewords.row(c, outlets.get(c.id), time.time()) for c in known.channels]
        rows += [noticewords.outlet_row(o, time.time()) for o in still]
        common.table(("CHANNEL", "WHERE", "TOLD", "LOST", "UP TO", "LAST"), rows)
    for remark in known.remarks:
        click.echo(remark)


@notify.command()
@click.argument("channel", default="")
@common.json_option
@click.pass_context
def test(ctx: click.Context, channel: str, json_: bool) -> None:
    """Send one real notice now, to CHANNEL or to all, and say what came back. Exit 0 when all took it, else 1."""
    common.people_only("trying a channel")
    here = common.here(ctx)
    known = _known(here)
    chosen = [c for c in known.channels if c.kind != "terminal" and c.id.startswith(channel)]
    if not chosen:
        raise common.Fail(_nothing(known, channel), common.NOT_FOUND if channel else 2)
    tests = [(one, *_message(here, one)) for one in chosen]
    results = []
    for (one, id, _), told in zip(tests, telling.send_tests(here, tests), strict=True):
        results.append({"channel": one.id, "where": one.words, "id": id, **_answer(told)})
        if not json_:
            said = ": ".join(part for part in (told.outcome, told.detail, told.said) if part)
            click.echo(f"{one.id}  {one.words}  {said}{f' ({told.status})' if told.status else ''}")
    if json_:
        common.as_json({"results": results})
    if any(result["outcome"] != "sent" for result in results):
        ctx.exit(1)


def _nothing(known: Known, channel: str) -> str:
    if channel and any(c.id.startswith(channel) for c in known.channels):
        return f"{channel} is a terminal: an open console rings it, nothing else can"
    if channel:
        return f"no channel {channel!r}; `nightdesk notify list` shows what there is"
    why = known.remarks[0] if known.remarks else "`notify` of the settings names none"
    return f"there is no channel to try: {why}"


def _answer(told: groups.Told) -> dict[str, object]:
    said = {"said": told.said} if told.said else {}
    return {"outcome": told.outcome, "tries": told.tries, "status": told.status, "detail": told.detail, **said}


def _message(here: wiring.Here, channel: Channel) -> tuple[str, bytes]:
    """A notice that says that it is only a try. It is about nothing in the log."""
    now = time.time()
    n = Notice(seq=0, at=now, name="test", text="a try of this channel", show="nightdesk notify list")
    id = groups.id_of(here.workspace.key, channel.id, [n])
    return id, json.dumps(groups.payload([n], id, here.root.name)).encode()
