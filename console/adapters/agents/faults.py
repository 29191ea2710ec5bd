"""What kind of outside trouble ended a turn: a usage limit, an overload, a login. From protocol errors, never prose.

Pure: an error's code, message and data (or a CLI's error line) -> a `Fault`. A turn that ended well is never asked
about, and neither is one that we ended ourselves: a time-out is no limit. The strings are what real agents send.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from console.adapters.agents import resets
from console.core.records import Record

Kind = Literal["", "limit", "overload", "auth"]

AUTH_REQUIRED = -32000
GEMINI_EXITS = {41: 401} | {status % 256: status for status in (401, 403, 429, 500, 502, 503, 529)}
"""gemini ends with an HTTP status modulo 256, or 41 for a login that is not set up."""

ERROR_FIELDS = frozenset(
    {"error", "errors", "message", "finalError", "errorMessage", "result", "code", "status", "statusCode"}
    | {"error_status", "api_error_status", "retry_after", "retryAfter", "retry_delay_ms", "resetsAt", "resets_at"}
)
"""What of an error line is read. The rest (denied tools, totals) repeats the model's words or says nothing."""

NODES, DEPTH, TEXT = 300, 8, 8000


class Fault(Record, frozen=True, kw_only=True):
    """until: Unix seconds of a limit's reset (or of the end of a stated pause), 0 when the error does not say."""

    kind: Kind = ""
    until: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.kind)


NONE = Fault()

_LIMIT = re.compile(
    r"\b(?:usage|session|weekly|daily|monthly|hourly|spend(?:ing)?|opus|sonnet|plan|[0-9]+[- ]hour) limit\b"
    r"|\bhit your (?:\S+ )?limit\b|\bout of (?:\S+ )?(?:credits|usage)\b|\bcredit balance\b|\binsufficient[_ ]quota\b"
    r"|\bquota\b.{0,40}\b(?:exceed|exhaust|reach|used up)|\b(?:exceed|exhaust|reach)\w*\b.{0,40}\bquota\b"
    r"|\busage_limit\w*|\bUsageLimit\w*|\bpayment required\b|\bbilling[_ ](?:hard[_ ])?(?:limit|error)\w*",
    re.I,
)
_AUTH = re.compile(
    r"\bauthentication_(?:failed|error)\b|\bauth_required\b|\bauthentication required\b|\bunauthori[sz]ed\b"
    r"|\b(?:invalid|incorrect|missing|bad)[ _-](?:x-)?(?:api[ _-]?key|auth\b|authentication\b|credentials?)"
    r"|\bAPI_KEY_INVALID\b|\bnot logged in\b|\bplease run /login\b|\btoken (?:has |is )?(?:expired|revoked)\b"
    r"|\bpermission_error\b|\bfailed to authenticate\b",
    re.I,
)
_LACKS = (
    r"(?:is |are |was |were |must be )?(?:not (?:set|found|defined|provided|configured)|unset|missing|required|empty)\b"
)
_VARIABLE = r"env(?:ironment)? var(?:iable)?s?"
_UNSET = re.compile(
    rf"\bmissing (?:required )?{_VARIABLE}\b|\b(?:set|setting|export|provide) (?:\S{{1,80}} ){{1,4}}{_VARIABLE}\b"
    rf"|\b{_VARIABLE} (?:[^\s:]{{1,80}} )?{_LACKS}|\b{_VARIABLE} must be set\b"
    rf"|\b(?:api[ _-]?key|auth token|credential)s? {_LACKS}|\b\w{{0,60}}_(?:KEY|TOKEN) {_LACKS}"
    r"|\bno (?:\S{1,40} )?(?:api[ _-]?keys?|credentials?|auth(?:entication)? (?:method|token|provider))\b"
    r"|\bmissing (?:x-)?api[ _-]?key\b|\bcould not resolve authentication\b|\b(?:set an|invalid) auth method\b",
    re.I,
)
"""A login that was never given: nobody else is to blame for it, and no waiting helps."""
UNSET_HINT = "a variable of yours reaches an agent only when `pass_env` of its preset names it"
_OVERLOAD = re.compile(
    r"\boverloaded(?:_error)?\b|\brate[_ -]?limit\w*|\btoo many requests\b|\bserver_error\b|\binternal server error\b"
    r"|\bservice[_ ]unavailable\b|\bat capacity\b|\bRESOURCE_EXHAUSTED\b|\bUNAVAILABLE\b|\bhigh demand\b",
    re.I,
)
_NETWORK = re.compile(
    r"\bstream disconnected before completion\b|\bUND_ERR_\w+|\bother side closed\b|\bsocket hang up\b|\bEAI_AGAIN\b"
    r"|\bE(?:CONN(?:RESET|REFUSED|ABORTED)|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE)\b|\bConnection error\b"
    r"|\bfetch failed\b|\bnetwork error\b|\bcannot connect to api\b|\bsocket connection was closed\b|^terminated$",
    re.I | re.M,
)
"""A connection that breaks is as little the agent's fault as a busy provider, and is waited for in the same way."""
_STATUS = re.compile(r"(?:^\s*|\b(?:status(?: code)?|error|http)\b[\s:=\"]*)(4\d\d|5\d\d)\b", re.I)
_SOFT = re.compile(r"\brate[_ -]?limit\w*|\btoo many requests\b|\bRESOURCE_EXHAUSTED\b", re.I)

STATUS_KEYS = frozenset({"statuscode", "status", "httpstatuscode", "apierrorstatus", "errorstatus", "code"})
MOMENT_KEYS = frozenset({"resetsat", "resetat", "resettime", "quotaresettimestamp", "anthropicratelimitunifiedreset"})
WAIT_KEYS = {
    "retryafter": 1.0,
    "retryafterms": 0.001,
    "retrydelay": 1.0,
    "retrydelayms": 0.001,
    "resetsinseconds": 1.0,
    "resetsin": 1.0,
}


def of_error(code: int | None, message: str, data: Any, now: float) -> Fault:
    """Of an error answer: a JSON-RPC code (gemini: an HTTP status), its message and its data."""
    read = _Reading(now)
    read.text(message)
    read.walk(data)
    if code is not None and not _is_status(code) and code == AUTH_REQUIRED:
        return Fault(kind="auth")
    if code is not None and _is_status(code):
        read.statuses.insert(0, code)
    return read.fault()


def of_event(event: dict[str, Any], now: float) -> Fault:
    """Of one JSON line of a headless CLI that says that the turn failed (`lines.verdict_of`). What the model wrote
    (`message.content`, the `result` of a turn that ended for another reason than an API error) is left out."""
    return _read(event, now).fault()


def until_of(event: Mapping[str, Any], now: float) -> float:
    """When the trouble that a JSON line tells of ends; 0 when it does not say."""
    return _read(event, now).until


def _read(event: Mapping[str, Any], now: float) -> _Reading:
    ended = event.get("terminal_reason")
    spoken = {"result"} if isinstance(ended, str) and ended != "api_error" else set()
    read = _Reading(now)
    read.walk({key: value for key, value in event.items() if key in ERROR_FIELDS and key not in spoken})
    return read


def of_rejection(event: dict[str, Any], now: float) -> Fault:
    """claude's `rate_limit_event`: a usage limit once its status is `rejected`, else nothing."""
    info = event.get("rate_limit_info")
    if not isinstance(info, dict) or info.get("status") != "rejected":
        return NONE
    if info.get("isUsingOverage") or str(info.get("overageStatus")).startswith("allowed"):
        return NONE  # it goes on, for extra money
    return Fault(kind="limit", until=resets.at(info.get("resetsAt"), now))


def is_own(event: Mapping[str, Any]) -> bool:
    """Whether a bad `result` line names a reason of claude's own (its most turns, a bug), which no limit explains: what
    the API refused has the subtype `success`."""
    return str(event.get("subtype")).startswith("error_") and event.get("terminal_reason") != "api_error"


def of_exit(program: str, code: int | None, now: float) -> Fault:
    """Of an exit status alone: only gemini's tells anything."""
    status = GEMINI_EXITS.get(code or 0) if program.rpartition("/")[2] == "gemini" else None
    return of_error(status, "", None, now) if status else NONE


def of_words(text: str) -> Fault:
    """Of the last words of a program that ended with an error before it did anything: only a login that it misses."""
    return Fault(kind="auth") if _UNSET.search(text[:TEXT]) else NONE


def hinted(detail: str, fault: Fault) -> str:
    """The detail of a failed turn, with what is to be done where it says that a login was never given."""
    tells = fault.kind == "auth" and _UNSET.search(detail[:TEXT])
    return f"{detail}; {UNSET_HINT}" if tells else detail


class _Reading:
    """What the fields of one error say, collected before anything is concluded."""

    def __init__(self, now: float) -> None:
        self._now = now
        self.statuses: list[int] = []
        self._texts: list[str] = []
        self._untils: list[float] = []

    def walk(self, value: Any) -> None:
        for key, leaf in _leaves(value):
            self._field(key, leaf)

    def _field(self, key: str, value: Any) -> None:
        if key in MOMENT_KEYS:
            self._untils.append(resets.at(value, self._now))
        elif key in WAIT_KEYS:
            self._untils.append(resets.within(value, self._now, WAIT_KEYS[key]))
        elif key in STATUS_KEYS and (status := _status(value)):
            self.statuses.append(status)
        elif isinstance(value, str):
            self.text(value)

    def text(self, text: str) -> None:
        self._texts.append(text[:TEXT])
        brace = text.find("{")
        inner = _json(text[brace : text.rfind("}") + 1][:TEXT]) if brace >= 0 else None
        for key, leaf in _leaves(inner):
            if key in MOMENT_KEYS or key in WAIT_KEYS or key in STATUS_KEYS:
                self._field(key, leaf)

    @property
    def until(self) -> float:
        return next((moment for moment in self._untils if moment), 0.0) or resets.stated(self._text, self._now)

    @property
    def _text(self) -> str:
        return "\n".join(self._texts)

    def fault(self) -> Fault:
        text, until = self._text, self.until
        status = next(iter(self.statuses), 0) or _status_in(text)
        kind = _kind(status, text, bool(until))
        return Fault(kind=kind, until=until if kind in ("limit", "overload") else 0.0) if kind else NONE


def _kind(status: int, text: str, dated: bool) -> Kind:
    """A status outweighs words. A 429 without a word of a quota and without a time is a moment's overload."""
    if status in (401, 407):
        return "auth"
    if status == 402 or _LIMIT.search(text):
        return "limit"
    if status == 403 or (not status and (_AUTH.search(text) or _UNSET.search(text))):
        return "auth"
    if status == 429 or (not status and _SOFT.search(text)):
        return "limit" if dated else "overload"
    if status in (500, 502, 503, 504, 529) or _OVERLOAD.search(text):
        return "overload"
    if _AUTH.search(text):
        return "auth"
    return "overload" if not status and _NETWORK.search(text) else ""


def _leaves(value: Any, key: str = "", depth: int = DEPTH) -> Iterator[tuple[str, Any]]:
    """(key without its punctuation, scalar), breadth limited: an agent may send anything. No text of a model."""
    stack, seen = [(key, value, depth)], 0
    while stack and seen < NODES:
        name, here, left = stack.pop()
        seen += 1
        if isinstance(here, dict) and left:
            inner = [(_plain(k), v, left - 1) for k, v in list(here.items())[:NODES] if k not in ("content", "usage")]
            stack.extend(reversed(inner))
        elif isinstance(here, list) and left:
            stack.extend(reversed([(name, item, left - 1) for item in here[:NODES]]))
        elif not isinstance(here, dict | list):
            yield name, here


def _plain(key: Any) -> str:
    return re.sub(r"[^a-z0-9]", "", str(key)[:80].lower())


def _status(value: Any) -> int:
    if isinstance(value, str) and re.fullmatch(r"[45]\d\d", value.strip()):
        value = int(value)
    return value if isinstance(value, int) and _is_status(value) else 0


def _is_status(value: int) -> bool:
    return not isinstance(value, bool) and 400 <= value < 600


def _status_in(text: str) -> int:
    found = _STATUS.search(text)
    return int(found[1]) if found else 0


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
