"""A question that an agent puts to a person through `ask_human`, and what comes back. Pure data."""

from __future__ import annotations

from typing import Literal

from console.core.records import Record

Status = Literal["answered", "parked", "closed", "refused"]


class AskNote(Record, frozen=True, kw_only=True):
    """ident: of this question, made on the agent's side; 16 hexadecimal digits. Question and options are its words."""

    ident: str
    question: str
    options: tuple[str, ...] = ()


class Answer(Record, frozen=True, kw_only=True):
    """answered: `option` (its number from 1, "" for none) with its words in `choice`, or words of the person's own in
    `text`. parked: the ticket waits for a person now. closed: nobody answers this any more. refused: nobody was asked,
    or nobody will say. why: for the agent, in our words."""

    status: Status
    option: str = ""
    choice: str = ""
    text: str = ""
    why: str = ""
