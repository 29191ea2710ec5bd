"""The mode of an ACP session, which says what the agent may do unasked: what is offered, how it is set, that it stays.

An agent that cannot be brought into the mode that was ordered does not start.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any

import acp
from acp import schema
from acp.client import ClientSideConnection
from pydantic import ValidationError

from console.adapters.agents.jsonrpc import error_text, first_problem
from console.adapters.agents.transcripts import Transcript

LESS = frozenset({"plan", "read-only", "readonly"})
"""Modes in which an agent may do less than in any that is ordered for work: it may enter them by itself."""

PATIENCE = 10.0
"""Seconds that an agent has for going back, before a turn begins all the same."""


@dataclass(slots=True, frozen=True)
class Offer:
    """What an agent's session can be set to. told: whether it said anything about modes at all. option: the
    configuration option that is its mode, for agents that have no modes proper."""

    modes: tuple[str, ...] = ()
    option: str = ""
    values: tuple[str, ...] = ()
    told: bool = False

    @property
    def names(self) -> str:
        return ", ".join(dict.fromkeys((*self.modes, *self.values)))


def offer(answer: schema.NewSessionResponse | schema.LoadSessionResponse) -> Offer:
    """What the answer to `session/new` or `session/load` offers."""
    modes = tuple(mode.id for mode in answer.modes.available_modes) if answer.modes else ()
    option = next((o for o in answer.config_options or () if _is_mode(o)), None)
    values = tuple(_values(option.options)) if isinstance(option, schema.SessionConfigOptionSelect) else ()
    told = answer.modes is not None or option is not None
    return Offer(modes, option.id if option else "", values, told)


def _is_mode(option: Any) -> bool:
    named = option.category == "mode" or (option.category is None and option.id == "mode")
    return isinstance(option, schema.SessionConfigOptionSelect) and named


def _values(options: Any) -> list[str]:
    grouped = (item.options if isinstance(item, schema.SessionConfigSelectGroup) else [item] for item in options)
    return [item.value for group in grouped for item in group]


async def order(connection: ClientSideConnection, conversation: str, mode: str, offered: Offer, fresh: bool) -> str:
    """Bring the session into the mode. Returns why that is not possible, "" when it was done.

    A loaded conversation may come without a word about modes: then the agent's answer decides. Raises ConnectionError.
    """
    by_option = mode not in offered.modes and mode in offered.values
    if not by_option and mode not in offered.modes and (offered.told or fresh):
        known = f"it offers {offered.names}" if offered.names else "it offers no modes"
        return f"has no mode {mode}: {known}"
    try:
        if by_option:
            answer = await connection.set_config_option(config_id=offered.option, session_id=conversation, value=mode)
            now = next((o.current_value for o in answer.config_options or () if o.id == offered.option), mode)
            return "" if now == mode else f"was set to the mode {mode} and stays in {now}"
        await connection.set_session_mode(session_id=conversation, mode_id=mode)
    except acp.RequestError as error:
        return f"refused the mode {mode}: {error_text(error)}"
    except ValidationError as error:
        return f"refused the mode {mode}: {first_problem(error)}"
    return ""


class Keeper:
    """Watches that an agent stays in the mode that was ordered. One that leaves it by itself is set back, once a turn;
    both are in the transcript."""

    def __init__(self, connection: ClientSideConnection, transcript: Transcript, ordered: str) -> None:
        self._connection, self._transcript, self._ordered = connection, transcript, ordered
        self._now = ordered
        self._conversation, self._offer = "", Offer()
        self._tried = False
        self._setting: asyncio.Task[None] | None = None

    def begin(self, conversation: str, offered: Offer) -> None:
        self._conversation, self._offer = conversation, offered

    async def turn(self) -> None:
        """A turn is to begin: whatever mode the last one left the agent in, this one gets the mode that was ordered."""
        self._tried = False
        if self._ordered and self._now != self._ordered:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self._set_back()

    def learned(self, mode: str) -> None:
        """The agent says which mode it is in."""
        if not mode or mode == self._now or not self._conversation:
            return
        self._now = mode
        if mode == self._ordered:
            return
        self._note(f"mode changed to {mode} by the agent")
        if self._ordered and mode not in LESS and not self._tried:
            self._tried = True
            self._setting = asyncio.create_task(self._set_back(), name="set the mode back")

    def close(self) -> None:
        if self._setting:
            self._setting.cancel()

    async def _set_back(self) -> None:
        try:
            problem = await order(self._connection, self._conversation, self._ordered, self._offer, fresh=False)
        except ConnectionError:
            return
        if not problem:
            self._now = self._ordered
        self._note(f"mode set back to {self._ordered}" if not problem else f"not set back: the agent {problem}")

    def _note(self, text: str) -> None:
        self._transcript.append("update", type="current_mode_update", text=text)
