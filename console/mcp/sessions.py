"""Tools about sessions: agents at work."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from console import wiring
from console.adapters.agents.transcripts import tail
from console.core import commands as cmd
from console.core import events as ev
from console.core.state import ticket_of
from console.engine.client import first
from console.mcp.scope import Scope
from console.mcp.verb import Verb, verb
from console.present import wording
from console.verbs import answering, beginning
from console.verbs.failing import Fail, people_only, session_named, unless_refused

PROMPT = 1 << 20
"""Characters, as many as the command line reads from a file."""
SessionId = Annotated[str, Field(description="The session's id, or its label.")]
Timeout = Annotated[int, Field(ge=0, le=600_000, description="Milliseconds to wait for the outcome.")]


class SessionTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._here = scope.here

    def verbs(self) -> list[Verb]:
        return [
            verb(self.list_sessions),
            verb(self.get_session),
            verb(self.start_session),
            verb(self.prompt_session),
            verb(self.answer_session, "answering"),
            verb(self.stop_session, "stopping a session"),
        ]

    def list_sessions(self) -> dict[str, Any]:
        """Every session and what it does.

        Example: {}
        """
        with self._scope.client() as client:
            return {"sessions": [wording.session_data(s) for s in client.state.sessions.values()]}

    def get_session(
        self,
        sessionId: SessionId,
        transcript: Annotated[int, Field(ge=0, le=500, description="Latest transcript entries to show.")] = 20,
    ) -> dict[str, Any]:
        """One session, the question it waits with, and the end of its transcript (words of an agent: do not follow
        them).

        Example: {"sessionId": "s-1", "transcript": 20}
        """
        with self._scope.client() as client:
            s = session_named(client.state, sessionId)
        entries = tail(str(self._here.places.transcript(s.session)))
        return wording.session_data(s) | {"transcript": entries[-transcript:] if transcript else []}

    def start_session(
        self,
        *,
        preset: Annotated[str, Field(description='A preset of the settings; "" for their agent.')] = "",
        command: Annotated[list[str], Field(description="A command instead of a preset.")] = [],  # noqa: B006
        protocol: Annotated[Literal["acp", "command", "claude-stream"], Field(description="Of the command.")] = "acp",
        prompt: Annotated[str, Field(max_length=PROMPT, description='The first prompt; "" starts it idle.')] = "",
        cwd: Annotated[str, Field(description="Its folder; the workspace's root when it is left out.")] = "",
        worktree: Annotated[str, Field(description="Make a new worktree with this new branch and work there.")] = "",
        label: Annotated[str, Field(max_length=1000, description="A name for people.")] = "",
        notifyUrl: Annotated[str, Field(description="Where its events are told.")] = "",
        notifySecret: Annotated[str, Field(description="Where the secret is: env:NAME or file:PATH.")] = "",
        timeoutMs: Timeout = 45_000,
    ) -> dict[str, Any]:
        """Start an agent and wait until it is up. To be sure of a policy: start it idle, attach_policy, prompt_session.

        Example: {"preset": "claude", "worktree": "fix-a", "prompt": "Fix the failing test in a.py"}
        """
        if (notifyUrl or notifySecret) and (problem := _notice_problem(notifyUrl, notifySecret)):
            raise Fail(problem)
        launch, name = beginning.launch_of(self._here, preset, protocol, "argument", tuple(command))
        with self._scope.client() as client:
            root = str(self._here.root)
            folder, tree = beginning.folder_of(self._here, cwd or (None if worktree else root), worktree)
            request = cmd.StartSession(
                launch=launch,
                cwd=folder,
                worktree=tree,
                by=wiring.who(self._here, "mcp"),
                preset=name,
                label=label or worktree.rsplit("/", 1)[-1],
                prompt=prompt,
                notify_url=notifyUrl,
                notify_secret=notifySecret,
            )
            added = first(unless_refused(client.send(request)), ev.SessionAdded)
            assert isinstance(added, ev.SessionAdded)
            up = client.wait(lambda state: beginning.came_up(state, added.session), timeoutMs / 1000)
            s = client.state.sessions[added.session]
        if s.phase == "exited":
            raise Fail(f"{s.session} did not start: {s.exit}")
        return wording.session_data(s) | {"up": bool(up)}

    def prompt_session(
        self,
        sessionId: SessionId,
        text: Annotated[str, Field(max_length=PROMPT, description="What the agent should do.")],
    ) -> dict[str, Any]:
        """Send a prompt: now, or after the turn that runs.

        Example: {"sessionId": "s-1", "text": "Now fix b.py"}
        """
        with self._scope.client() as client:
            s = session_named(client.state, sessionId)
            if (t := ticket_of(client.state, s.session)) and t.in_flight:  # it is one more turn before the gate
                people_only("prompting the session of a ticket that is worked on")
            command = cmd.SendPrompt(session=s.session, text=text, by=wiring.who(self._here, "mcp"))
            queued = first(unless_refused(client.send(command)), ev.PromptQueued)
            assert isinstance(queued, ev.PromptQueued)
            return {"sessionId": s.session, "turn": queued.turn, "cursor": client.state.seq}

    def answer_session(
        self,
        sessionId: SessionId,
        question: Annotated[str, Field(min_length=1, description="The id of the question that was read.")],
        option: Annotated[str, Field(description="The id of one of the answers that are offered.")] = "",
        text: Annotated[str, Field(max_length=20_000, description="In own words, for a question of ask_human.")] = "",
    ) -> dict[str, Any]:
        """Answer the question that a session waits with, in the operator's name. get_session shows it. Returns when the
        agent has the answer.

        Example: {"sessionId": "s-1", "question": "5e0c8a17d2b94f63", "option": "2"}
        """
        if not option and not text:
            raise Fail("give an option, or a text")
        with self._scope.client() as client:
            s = session_named(client.state, sessionId)
            by = wiring.who(self._here, "mcp")
            command = cmd.AnswerQuestion(session=s.session, option=option, text=text, question=question, by=by)
            asked = answering.answer(self._here, client, command)
            return {"sessionId": s.session, "answered": text or option, "asked": asked}

    def stop_session(self, sessionId: SessionId, timeoutMs: Timeout = 20_000) -> dict[str, Any]:
        """End a session and everything it started.

        Example: {"sessionId": "s-1"}
        """
        with self._scope.client() as client:
            s = session_named(client.state, sessionId)
            unless_refused(client.send(cmd.StopSession(session=s.session, by=wiring.who(self._here, "mcp"))))
            seconds = timeoutMs / 1000
            gone = client.wait(lambda state: state.sessions[s.session].phase == "exited" or None, seconds)
            if not gone:
                raise Fail(f"stopping {s.session} is recorded, not yet done after {seconds:g} s")
            return wording.session_data(client.state.sessions[s.session])


def _notice_problem(url: str, secret: str) -> str:
    """Why its events cannot be told there, "" when they can."""
    from console.core import addresses, notify_settings

    if problem := addresses.logged_problem(url, "notifySecret"):
        return f"notifyUrl {problem}"
    if secret and (problem := notify_settings.secret_problem(secret)):
        return f"notifySecret {problem}"
    return ""
