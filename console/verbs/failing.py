"""An expected failure of a verb, and the checks that every one of them makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeVar

from console.core.records import Refused

if TYPE_CHECKING:
    from console.core.policies import Policy
    from console.core.sessions import Session
    from console.core.state import State

T = TypeVar("T")
USAGE = 2
NOT_FOUND = 3


class Fail(Exception):
    """The sentence for a person, and the exit code of a command."""

    def __init__(self, reason: str, code: int = USAGE, data: object = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.data = data


def fail(refused: Refused) -> NoReturn:
    raise Fail(refused.reason, NOT_FOUND if refused.paths == ("missing",) else USAGE)


def unless_refused(result: T | Refused) -> T:
    """The result; a refusal fails with its own words."""
    if isinstance(result, Refused):
        fail(result)
    return result


def people_only(what: str) -> None:
    """Approving, trusting and answering are for people: refused below one of our shims."""
    from console.adapters.operator import inside_a_session

    if inside_a_session():
        raise Fail(f"{what} is for the operator; a session or gate of nightdesk may not do it")


def session_named(state: State, name: str) -> Session:
    """A session by its id, else the one with that label."""
    if name in state.sessions:
        return state.sessions[name]
    named = [s for s in state.sessions.values() if s.label == name]
    if len(named) == 1:
        return named[0]
    raise Fail(f"no session {name!r}; `nightdesk session list` shows what there is", NOT_FOUND)


def policy_named(state: State, name: str) -> Policy:
    if name in state.policies:
        return state.policies[name]
    raise Fail(f"no policy {name!r}; `nightdesk policy list` shows what there is", NOT_FOUND)
