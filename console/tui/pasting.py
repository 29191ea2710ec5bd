"""Text that arrives where there is no field for it does nothing, and that is said; a field takes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Any, Protocol

from textual import events
from textual.app import App
from textual.widget import Widget
from textual.widgets import Input, TextArea

STRAY = "that was a paste, and there is no field here: nothing was done"
AT_ONCE = "those keys came in one piece, like a paste: nothing was done; keys work one by one"


class CameAtOnce(events.InputEvent, bubble=True):
    """Several characters in one read, outside of a bracketed paste. keys: the same as key presses."""

    def __init__(self, text: str, keys: Sequence[events.Key]) -> None:
        super().__init__()
        self.text = text
        self.keys = keys


LONG = 64
"""Characters; nobody types that much within one read."""


def retold(event: CameAtOnce) -> Sequence[events.Event]:
    """For a field: the keys, one by one, so that Enter counts; what is too long to have been typed as one paste."""
    return event.keys if len(event.text) <= LONG else [events.Paste(event.text)]


def takes_text(widget: Widget | None) -> bool:
    """Whether what is typed there is text."""
    return isinstance(widget, Input | TextArea)


def stray(app: App[Any], event: events.Event) -> str:
    """What to say of an event that is text outside of a field; "" for every other event."""
    pasted = isinstance(event, events.Paste) and not event.is_forwarded
    if not (pasted or isinstance(event, CameAtOnce)) or takes_text(app.focused):
        return ""
    return STRAY if pasted else AT_ONCE


def instead(app: App[Any], event: events.Event) -> Sequence[events.Event] | None:
    """What the app has to take in place of the event; None for the event itself. What is not taken is said."""
    if why := stray(app, event):
        app.clear_notifications()
        app.notify(why, severity="warning")
        return ()
    return retold(event) if isinstance(event, CameAtOnce) else None


class Hears(Protocol):
    """A screen that tells a press from a burst."""

    def key_pressed(self, now: float, typed: float) -> None: ...


class Presses:
    """Every key press, noted once: a key comes by the app again when nothing took it."""

    def __init__(self) -> None:
        self._last: events.Key | None = None

    def noted(self, event: events.Event, by: Iterable[Hears]) -> bool:
        """Tell the screens of a press; False for anything else."""
        if not isinstance(event, events.Key) or event is self._last:
            return False
        self._last = event
        for screen in by:
            screen.key_pressed(monotonic(), event.time)
        return True
