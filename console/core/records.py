"""The records that cross every boundary: what a gate, a session, a plan and a result are made of.

Pure data, no behaviour that needs a clock, a file or a process. Paths are repository-relative POSIX text;
times are Unix seconds (UTC); object ids are lower-case hex.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A frozen value that can be written to the log as JSON."""


Protocol = Literal["acp", "command", "claude-stream", "external"]
"""How an agent is driven: `acp` over its stdin/stdout, `command` one process a turn, `claude-stream` Claude Code's own
JSON lines in both directions. external: not by us; a worker that pulls its tickets (`nightdesk next`, `complete`) and
runs no process of ours."""

PromptBy = Literal["argument", "stdin"]


Mark = str | dict[str, str | int | float | bool | None]
"""What to look for in one line of output. A text is a regular expression that is searched in the line. A mapping fits a
JSON object that has these values at these dotted keys ("part.reason"); "*" stands for any value that is there."""


class Output(Record, frozen=True, kw_only=True):
    """What the lines of a headless agent mean, beyond what every driver knows. Each is a list of marks; one that fits
    is enough.

    ended: the positive end of a turn; when there are any, a turn without one has failed, whatever its exit code.
    failed: the turn has failed. limit, overload, auth: which kind of outside trouble a failed turn had. retrying: the
    agent waits and tries again by itself. asked: it wanted to ask and was refused. lost: the conversation that was to
    be resumed is not there.
    """

    ended: tuple[Mark, ...] = ()
    failed: tuple[Mark, ...] = ()
    limit: tuple[Mark, ...] = ()
    overload: tuple[Mark, ...] = ()
    auth: tuple[Mark, ...] = ()
    retrying: tuple[Mark, ...] = ()
    asked: tuple[Mark, ...] = ()
    lost: tuple[Mark, ...] = ()


class Launch(Record, frozen=True, kw_only=True):
    """How one kind of agent is started.

    argv: program and arguments, never a shell string. resume: arguments appended (command driver) when a
    conversation goes on, `{conversation}` replaced by its id. conversation_key: the JSON key that carries the
    conversation's id in the agent's output lines. mode: an ACP session mode to set after `session/new`.
    env: extra environment, on top of the allowlist. pass_env: further names passed through from the operator.
    writable_git: its sandbox leaves the git dir writable, for agents that must commit by themselves. output: what the
    lines of a headless agent mean. interactive: argv that opens the conversation on a terminal, `{conversation}`
    replaced by its id; () for none.
    """

    argv: tuple[str, ...]
    protocol: Protocol = "acp"
    prompt_by: PromptBy = "argument"
    resume: tuple[str, ...] = ()
    conversation_key: str = "session_id"
    mode: str | None = None
    env: dict[str, str] = {}
    pass_env: tuple[str, ...] = ()
    writable_git: bool = False
    output: Output = Output()
    interactive: tuple[str, ...] = ()


class Judge(Record, frozen=True, kw_only=True):
    """An agent that judges instead of a command. adapter: the preset it is started by; launch: as that was when the
    policy was attached, model included. prompt: what it is to judge. timeout: seconds."""

    adapter: str
    prompt: str
    launch: Launch
    model: str = ""
    timeout: float = 120.0


class Gate(Record, frozen=True, kw_only=True):
    """What decides about a turn: a command (exit 0 is green, nothing else is), or a judge (its last `VERDICT: PASS`).

    argv[0] is a bare name on the allowlist, () with a judge; cwd is relative to the session's worktree; timeout in
    seconds, of the command.
    """

    argv: tuple[str, ...] = ()
    cwd: str = "."
    timeout: float = 600.0
    judge: Judge | None = None

    @property
    def words(self) -> str:
        """What judges, for people: the command, or the judge's preset."""
        return f"judge {self.judge.adapter}" if self.judge else " ".join(self.argv)


class CommitSpec(Record, frozen=True, kw_only=True):
    """What a green policy freezes: exactly these paths (relative to the worktree's root), never a glob.

    everything: instead of `paths`, every non-ignored path that differs from the base when the turn has ended; for
    tickets only (DESIGN.md, ruling 2). in_place: the work was done in the operator's checkout, which is rolled back
    after freezing, so that landing writes the paths there (ruling 7).
    """

    paths: tuple[str, ...]
    message: str
    ack: bool = True
    everything: bool = False
    in_place: bool = False


class OnFail(Record, frozen=True, kw_only=True):
    """What a red gate does: prompt the session again with `nudge` (`{code}`, `{output}`), at most `retries` times."""

    nudge: str
    retries: int = 2


class PolicySpec(Record, frozen=True, kw_only=True):
    """A policy as it was attached; `next` is started when it is done.

    ticket: the ticket whose work it judges ("" for a policy that a person attached). base: the commit that the work is
    measured against, when it is not where the first turn began; stores: folders with objects of `base` that the
    repository does not hold yet (candidates of other tickets that it is stacked on). review: the plan that its session
    reviews; then the reviewer's verdict is all there is to judge. replaces: the plan whose place its own plan takes.
    """

    sessions: tuple[str, ...]
    then: Literal["emit", "commit"] = "emit"
    gate: Gate | None = None
    on_fail: OnFail | None = None
    commit: CommitSpec | None = None
    next: PolicySpec | None = None
    ticket: str = ""
    base: str = ""
    stores: tuple[str, ...] = ()
    review: str = ""
    replaces: str = ""


Verdict = Literal["green", "red", "timeout", "unjudged"]
"""green: exit 0 was seen. red: another exit status or a signal. timeout: the limit. unjudged: nobody could tell."""

Where = Literal["worktree", "plan", "hook", "base"]
"""worktree: in the session's own. plan: in a clean checkout of the plan. hook: a commit hook, in a scratch checkout.
base: in a clean checkout of the commit that the work is measured against."""


class GateResult(Record, frozen=True, kw_only=True):
    """One run of a gate or hook. output: the tail kept for people and nudges (text, controls not yet cleaned). reason:
    of a hook its name first."""

    verdict: Verdict
    where: Where
    code: int | None = None
    signal: int | None = None
    reason: str = ""
    seconds: float = 0.0
    output: str = ""
    output_file: str = ""
    output_bytes: int = 0
    leftovers: int = 0


class Identity(Record, frozen=True, kw_only=True):
    """Who a commit is by."""

    name: str
    email: str


class PlanPath(Record, frozen=True, kw_only=True):
    """One path of a plan: old -> new. mode "000000" and an empty oid mean absent.

    path: as text (`core.paths`). disk: id of the bytes on disk when those are not what is committed (line endings that
    are converted, content kept in LFS, files that a hook rewrote), after the mode on disk where that is another one;
    "" when they are.
    """

    path: str
    old_mode: str
    old_oid: str
    mode: str
    oid: str
    disk: str = ""


class Frozen(Record, frozen=True, kw_only=True):
    """A candidate commit as real objects in our own store: everything that the commit id depends on.

    commit: the candidate's id, which names the plan everywhere. base: its parent ("" when unborn). ref: the full
    ref name it lands on. ref_old: the ref's value when frozen (compare-and-swap; "" when it must not exist yet).
    store: the folder of its objects. others: other changed paths in the worktree, not part of the plan.
    unchanged: listed paths that equal the base. replaces: commits made during the turn that landing takes off
    the branch, as "abbrev subject". diff_bytes: size of the diff that is shown. notes: what a person should know
    about how the bytes came about (conversions, LFS, rewritten by a hook).
    """

    commit: str
    base: str
    tree: str
    ref: str
    ref_old: str
    message: str
    author: Identity
    when: int
    zone: str
    paths: tuple[PlanPath, ...]
    worktree: str
    store: str
    others: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    added: int = 0
    removed: int = 0
    diff_bytes: int = 0
    notes: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()


FindingKind = Literal["tests", "risk", "secret", "hook", "repository", "gate", "ticket"]
FindingLevel = Literal["high", "medium", "info"]


class Finding(Record, frozen=True, kw_only=True):
    """One fact about a diff, worded as a fact and never as an accusation ("2 tests no longer exist").

    rule: the rule that found it, a short stable name. path, line: where to look ("" and 0: nowhere in particular;
    line counts from 1 in the new version, or in the old one when the line is gone).
    """

    kind: FindingKind
    level: FindingLevel
    rule: str
    text: str
    path: str = ""
    line: int = 0


class Assessment(Record, frozen=True, kw_only=True):
    """What a diff touches and how much one key may do about it: 1 one key, 2 the key twice, 3 the id typed.

    findings: the gravest first. classes: what it touches ("migration", "auth-security", "deps", ...).
    """

    level: int = 1
    findings: tuple[Finding, ...] = ()
    classes: tuple[str, ...] = ()


Severity = Literal["runs", "lies", "moved", "lock", "note"]
"""runs: starts a program in the next git command. lies: makes git show or record something else than what is. moved:
a ref was deleted, rewritten or moved under the operator. lock: a lock file that was left. note: worth a line."""


class RepoChange(Record, frozen=True, kw_only=True):
    """One thing in a repository's git dir that is no longer what it was.

    item: what it is ("config core.fsmonitor", "hook pre-commit", "ref refs/heads/main"). before, after: as text, ""
    for absent, cut to 200 characters, controls not yet cleaned. cure: what a person can do beside adopt and restore.
    """

    item: str
    severity: Severity
    before: str = ""
    after: str = ""
    cure: str = ""


class Sandbox(Record, frozen=True, kw_only=True):
    """A mount namespace for one process and all below it: these folders and files are read-only there. pids: a
    process namespace too, so that it sees and reaches no process but its own. tickets: the tickets folder, when it is
    among the read-only ones. inboxes: a folder that is empty there but for `inbox`, a folder in it, as it is."""

    read_only: tuple[str, ...]
    pids: bool = False
    tickets: str = ""
    inboxes: str = ""
    inbox: str = ""


class Refused(Record, frozen=True, kw_only=True):
    """An expected failure: one sentence that says what is wrong, where, and what to do."""

    reason: str
    paths: tuple[str, ...] = ()


class Who(Record, frozen=True, kw_only=True):
    """Who pressed the key: login name, terminal and SSH client as far as they are known."""

    user: str = ""
    tty: str = ""
    ssh: str = ""
    via: str = ""


class Leftover(Record, frozen=True, kw_only=True):
    """A process that outlived the command or the turn that started it. ports: on which it listens (TCP). age: seconds
    since it began."""

    pid: int
    command: str
    ports: tuple[int, ...] = ()
    age: float = 0.0

    @property
    def text(self) -> str:
        """As one line: `123 node server.js, port 8080, 42 s old`."""
        ports = f", port {', '.join(map(str, self.ports))}" if self.ports else ""
        age = f", {self.age:.0f} s old" if self.age else ""
        return f"{self.pid} {self.command}{ports}{age}"


class ProcessEnd(Record, frozen=True, kw_only=True):
    """How a shimmed process ended. Only `exited` with code 0 is success.

    how: exited (code), signaled (signal), not-started (reason: bad argv, cwd, permission), lost (the shim died or
    its status never came), unkillable (reason names pid and state).
    """

    how: Literal["exited", "signaled", "not-started", "lost", "unkillable"]
    code: int | None = None
    signal: int | None = None
    reason: str = ""
    stopped: bool = False
    leftovers: tuple[Leftover, ...] = ()
    output_bytes: int = 0
    seconds: float = 0.0


class Option(Record, frozen=True, kw_only=True):
    """One answer an agent offers with its question."""

    id: str
    name: str
    kind: str = ""


# -- the queue -------------------------------------------------------------------------------------------

Decision = Literal["PROCEED", "PARK", "HALT"]

Category = Literal["", "schema", "api", "security", "money", "destructive", "ambiguity"]
"""What makes a ticket one for a person: schema (persistent data, migrations), api (what others call or parse), security
(authentication, permissions, tenants, secrets), money, destructive operations, ambiguity. "": none of them."""

FOUNDATIONAL: frozenset[str] = frozenset({"schema", "api", "security"})
"""Categories on which other work is built: such a park quarantines every ticket that depends on it."""

Outcome = Literal[
    "DONE",
    "DONE_LOW_CONFIDENCE",
    "PARKED_DECISION",
    "PARKED_FOUNDATIONAL",
    "BLOCKED_ENV",
    "FAILED_RETRYABLE",
    "FAILED_BUG_IN_AGENT",
]
"""The one state, of seven, in which a ticket ends."""


class TextVerdict(Record, frozen=True, kw_only=True):
    """What a ticket's text says about who must decide, before a file is touched. Pure: the same text, the same verdict.

    rule: the rule that decided, a short stable name. why: one sentence. evidence: the words that it went by, each as
    "line N: ...", at most 5. question: what exactly a person must decide. options: candidate interpretations.
    announced: every category that the text mentions as its work, also when it does not park.
    """

    decision: Decision = "PROCEED"
    category: Category = ""
    rule: str = ""
    why: str = ""
    evidence: tuple[str, ...] = ()
    question: str = ""
    options: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()


class TicketSpec(Record, frozen=True, kw_only=True):
    """What a ticket's file says of itself; everything but the text is optional.

    gate: its own gate instead of the settings'. blast_radius: a hint, "" or low, medium, high, foundational; it can
    only raise caution. paths: where the work is expected, as globs; a hint. priority: higher first (urgent 20, high 10,
    low -10). attempts, timeout (seconds a turn): 0 for the run's. review: None for the settings'.
    """

    title: str
    agent: str = ""
    gate: Gate | None = None
    blast_radius: str = ""
    paths: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    priority: int = 0
    attempts: int = 0
    timeout: float = 0.0
    review: bool | None = None


class WatchLimits(Record, frozen=True, kw_only=True):
    """When an agent counts as hung, and how often it is started again. All times are seconds.

    start: until its protocol answers. quiet: without progress until it is SUSPECT; hung: until it is HUNG. tool: what
    one of its tool calls may take. restarts: at most so many within `window`; total_restarts: of a ticket (or session).
    """

    start: float = 60.0
    quiet: float = 300.0
    hung: float = 600.0
    tool: float = 1800.0
    restarts: int = 3
    window: float = 300.0
    total_restarts: int = 6


class RunSettings(Record, frozen=True, kw_only=True):
    """The settings of a run, pinned when it starts (DESIGN.md 7). digest: of the settings they were read from.

    presets: how each agent is started; agent: the one for tickets that name none. sessions, gates: at work at once.
    attempts: a ticket. tickets: claimed in the run. turn_timeout, gate_timeout: seconds. cost_usd: None for no cap.
    low_after, low_share: the run ends as LOW_YIELD when at least so many tickets have ended and this share of them is
    not done. overrides: ticket id or category -> decision. setup: commands run once in a new worktree; include: ignored
    files copied there. workspace: "worktree" or "in_place". gate_on: "plan" or "worktree", where green must be seen.
    """

    digest: str = ""
    gate: Gate | None = None
    presets: dict[str, Launch] = {}
    agent: str = ""
    allowed: tuple[str, ...] = ()
    sessions: int = 2
    gates: int = 2
    attempts: int = 3
    tickets: int = 20
    turn_timeout: float = 1800.0
    gate_timeout: float = 600.0
    cost_usd: float | None = None
    low_after: int = 8
    low_share: float = 0.75
    ack: bool = True
    message: str = "{title}"
    workspace: str = "worktree"
    gate_on: str = "plan"
    setup: tuple[tuple[str, ...], ...] = ()
    include: tuple[str, ...] = ()
    overrides: dict[str, Decision] = {}
    watchdog: WatchLimits = WatchLimits()


BlameKind = Literal["introduced", "pre-existing", "flaky", "environment"]


class Blame(Record, frozen=True, kw_only=True):
    """Who a gate that was not green is down to.

    introduced: green before the work, or with failures that it had not before. pre-existing: the same failures before
    and after. flaky: another run of the same bytes was green. environment: nobody's work can be judged here (a missing
    program, a lock, a prompt, a limit that the base hits too). why: one sentence. failing: names of the tests that fail
    now; fresh: those that did not before. signature: of the failure, equal for the same failure again. runs: every run
    that was made to tell.
    """

    kind: BlameKind
    why: str
    failing: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    signature: str = ""
    runs: tuple[GateResult, ...] = ()


class Interpretation(Record, frozen=True, kw_only=True):
    """One way to read what a parked ticket asks. source: who offers it: agent, rule or analyst."""

    text: str
    source: Literal["agent", "rule", "analyst", "nightdesk"] = "rule"


class Check(Record, frozen=True, kw_only=True):
    """One line of the preflight. no-go: the run must not start. cure: the command or edit that helps, "" for none."""

    name: str
    level: Literal["ok", "warning", "no-go"]
    text: str
    cure: str = ""


class Usage(Record, frozen=True, kw_only=True):
    """What a turn cost, as far as the agent says. None: it does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
