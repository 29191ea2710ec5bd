"""Secrets that a diff would commit: keys and tokens by their shape, values with telling names, files that hold keys.

Pure, linear in the bytes, and careful with its own words: what it reports never contains the secret. Only what a change
adds counts; placeholders and references to an environment do not.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from console.core.records import Finding, FindingLevel


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of token. needle: text that is in every one, tried first. pattern: the shortest token there is; it costs
    a bounded number of steps from each place. prefix: what may be shown of it."""

    rule: str
    says: str
    needle: str
    pattern: re.Pattern[str]
    prefix: str
    level: FindingLevel = "high"


def _shape(rule: str, says: str, needle: str, pattern: str, prefix: str = "", *, level: FindingLevel = "high") -> Shape:
    return Shape(rule, says, needle, re.compile(pattern), prefix or needle, level)


_W = r"[A-Za-z0-9_-]"
SHAPES = (
    _shape("aws-key-id", "AWS access key id", "AKIA", r"AKIA[A-Z2-7]{16}(?![A-Za-z0-9])"),
    _shape("aws-key-id", "AWS temporary key id", "ASIA", r"ASIA[A-Z2-7]{16}(?![A-Za-z0-9])"),
    _shape("gcp-api-key", "Google API key", "AIza", rf"AIza{_W}{{35}}"),
    _shape("gcp-oauth-secret", "Google OAuth secret", "GOCSPX-", rf"GOCSPX-{_W}{{20}}"),
    _shape("gcp-access-token", "Google access token", "ya29.", rf"ya29\.{_W}{{20}}"),
    _shape("azure-key", "Azure storage key", "AccountKey=", r"AccountKey=[A-Za-z0-9+/]{80}"),
    _shape("azure-key", "Azure shared access key", "SharedAccessKey=", r"SharedAccessKey=[A-Za-z0-9+/]{40}"),
    _shape("azure-secret", "Azure client secret", "8Q~", r"[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31}", "…8Q~"),
    _shape("github-token", "GitHub token", "gh", r"gh[pousr]_[A-Za-z0-9]{36}", "gh?_"),
    _shape("github-token", "GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{40}"),
    _shape("gitlab-token", "GitLab token", "gl", rf"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt)-{_W}{{20}}", "gl…-"),
    _shape("slack-token", "Slack token", "xox", r"xox[abeoprs]-[0-9]{5,14}-[A-Za-z0-9-]{10}", "xox"),
    _shape("slack-token", "Slack app token", "xapp-", r"xapp-\d-[A-Z0-9]{5,20}-\d{5,20}-[a-f0-9]{20}"),
    _shape(
        "slack-webhook", "Slack webhook", "hooks.slack.com/", r"hooks\.slack\.com/services/T\w{5,20}/B\w{5,20}/\w{16}"
    ),
    _shape("stripe-key", "Stripe live key", "k_live_", r"[rs]k_live_[A-Za-z0-9]{20}", "?k_live_"),
    _shape("stripe-test-key", "Stripe test key", "k_test_", r"[rs]k_test_[A-Za-z0-9]{20}", "?k_test_", level="medium"),
    _shape("stripe-webhook", "Stripe webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/]{28}"),
    _shape("npm-token", "npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _shape("pypi-token", "PyPI token", "pypi-AgE", rf"pypi-AgE{_W}{{40}}", "pypi-"),
    _shape("openai-key", "OpenAI key", "T3BlbkFJ", rf"sk-{_W}{{16,120}}?T3BlbkFJ{_W}{{16}}", "sk-"),
    _shape("openai-key", "OpenAI key", "sk-", rf"sk-(?:proj|svcacct|admin)-{_W}{{40}}"),
    _shape("openai-key", "key of a model provider", "sk-", r"sk-[A-Za-z0-9]{40}"),
    _shape("anthropic-key", "Anthropic key", "sk-ant-", rf"sk-ant-[a-z]{{2,8}}\d{{0,3}}-{_W}{{32}}"),
    _shape("openrouter-key", "OpenRouter key", "sk-or-", r"sk-or-v1-[0-9a-f]{40}"),
    _shape("huggingface-token", "Hugging Face token", "hf_", r"hf_[A-Za-z]{34}(?![A-Za-z0-9])"),
    _shape("sendgrid-key", "SendGrid key", "SG.", rf"SG\.{_W}{{22}}\.{_W}{{43}}"),
    _shape("digitalocean-token", "DigitalOcean token", "do", r"do[opr]_v1_[0-9a-f]{64}", "do?_v1_"),
    _shape("shopify-token", "Shopify token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _shape("docker-token", "Docker token", "dckr_pat_", rf"dckr_pat_{_W}{{20}}"),
    _shape("vault-token", "Vault token", "hvs.", rf"hvs\.{_W}{{24}}"),
    _shape("telegram-token", "Telegram bot token", ":AA", rf"\d{{8,10}}:AA{_W}{{33}}(?!{_W})", "…:AA"),
    _shape("age-key", "age secret key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _shape(
        "jwt",
        "signed JSON web token",
        ".eyJ",
        rf"(?:(?<!{_W})|(?<=\\[nrt]))eyJ{_W}{{8,2000}}\.eyJ{_W}{{8,4000}}\.{_W}{{20}}",
        "eyJ",
    ),
)
_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{40}")
_URL = re.compile(r"://[^\s/:@'\"<>{}$()`]{1,64}:([^\s/@'\"<>{}$()`]{3,120})@([\w.-]{1,100})")
_NAMED = re.compile(
    r"(passw(?:or)?d|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|credential)s?([a-z0-9_-]{0,24}+)"
    r"[\"'\]]{0,2}[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}([rbf]?[\"'`])?([^\s\"'`,;)(<>{}\[\]]{12,200})"
)
_ABOUT = re.compile(r"hash|digest|checksum|_?id$|url|uri|name|type|count|path|file|field|label|class")
"""What follows the telling name where the value is something about the secret and not the secret."""
_PLAIN_VALUES = (".env", ".ini", ".cfg", ".conf", ".properties", ".yaml", ".yml", ".toml", ".tfvars", ".npmrc", ".sh")
_PLACEHOLDER = re.compile(
    r"example|sample|change[_-]?(?:me|this|in)|placeholder|dummy|fake|your[_-]?|xxx|\*\*\*|\.\.\.|…|<|\$\{|\$\(|\{\{|%\(|"
    r"redacted|todo|replace|insert|foobar|deadbeef|not[_-]?(?:a|so)?[_-]?real|12345678|abcdefgh|aaaaaa|000000|"
    r"(?:my|super|very|some|secret|test|local|dev|demo)[_-]?(?:secret|password|token|key)|notasecret|insecure|testing|eby8vdm02xnocqflquwjpllmetlcdxj1"
)
_KEY_FILE = re.compile(
    r"(?:^|/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|[\w.-]+\.(?:p12|pfx|jks|keystore|kdbx|ppk)|\.netrc|\.pgpass|\.git-credentials)$"
)
_ENV_FILE = re.compile(r"(?:^|/)\.env(?:\.(?!example|sample|template|dist|defaults?|schema|test|ci\b)[\w-]+)?$")
_ENV_VALUE = re.compile(r"(?:export )?[A-Za-z_]\w{0,80}[ \t]?=[ \t]?(?![ \t]*(?:$|#))")
_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testing|testdata|test[_-]data|fixtures|__fixtures__|e2e|cassettes|mocks?|examples?|docs?)/|"
    r"(?:^|/)(?:test_[^/]*|conftest|[^/]*[._-](?:test|spec|tests))\.\w+$|(?:_test\.go|Tests?\.(?:java|kt|cs)|\.md|\.rst|\.mdx)$"
)
_MOST = 20
_TRIES = 2_000
_MOST_LINES = 200_000


class _Added:
    """The text that a change adds (one character a byte), and the line of each place in it."""

    def __init__(self, old: bytes | None, new: bytes) -> None:
        self.numbers: list[int] = []
        self.starts: list[int] = []
        if new.count(b"\n") > _MOST_LINES:
            self.text = _text(new)
            self.lower = self.text.lower()
            return
        lines = _lines(new)
        there = Counter(_lines(old or b""))
        kept: list[str] = []
        offset = 0
        for number, line in enumerate(lines, 1):
            if there.get(line, 0) > 0:
                there[line] -= 1
                continue
            kept.append(line)
            self.numbers.append(number)
            self.starts.append(offset)
            offset += len(line) + 1
        self.text = "\n".join(kept)
        self.lower = self.text.lower()

    def line_at(self, offset: int) -> int:
        if not self.numbers:
            return self.text.count("\n", 0, offset) + 1
        return self.numbers[max(bisect_right(self.starts, offset) - 1, 0)]


def _text(content: bytes) -> str:
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return content.decode("utf-16", "replace").encode("latin-1", "replace").decode("latin-1")
    return content.decode("latin-1")


def _lines(content: bytes) -> list[str]:
    return _text(content).split("\n")


def find(path: str, old: bytes | None, new: bytes | None) -> list[Finding]:
    """The secrets that this change adds: kind "secret", level "high", or "medium" where only name and randomness speak.

    At most a few tens of findings a path, at most one a line and rule. Never raises. The text names the kind of secret
    and at most its public prefix and length.
    """
    if new is None or new == old:
        return []
    added = _Added(old, new)
    in_tests = _TEST.search(path) is not None
    found: dict[int, Finding] = {}
    for rule, level, offset, text in (
        *_files(path, added),
        *_private_keys(added, in_tests),
        *_shapes(added, in_tests),
        *(() if in_tests else _urls(added)),
        *(() if in_tests else _named(path, added)),
    ):
        line = added.line_at(offset) if offset >= 0 else 0
        found.setdefault(line, Finding(kind="secret", level=level, rule=rule, text=text, path=path, line=line))
    return sorted(found.values(), key=lambda finding: (finding.level != "high", finding.line))


_Hit = tuple[str, FindingLevel, int, str]


def _files(path: str, added: _Added) -> Iterator[_Hit]:
    if _KEY_FILE.search(path):
        yield "key-file", "high", -1, "adds a file whose name says that it holds keys or passwords"
    if _ENV_FILE.search(path) and any(_ENV_VALUE.match(line[:300]) for line in added.text.split("\n")):
        yield "env-file", "high", -1, "adds values to an environment file"


def _private_keys(added: _Added, in_tests: bool) -> Iterator[_Hit]:
    if "PRIVATE KEY" not in added.text:
        return
    count = 0
    for tries, match in enumerate(_PRIVATE_KEY.finditer(added.text)):
        if tries == _TRIES:
            yield _too_many("private keys", match.start())
            return
        body = _KEY_BODY.search(added.text, match.end(), match.end() + 400)
        if body and not _is_placeholder(body[0]):
            yield "private-key", "medium" if in_tests else "high", match.start(), "private key (PEM)"
            count += 1
        if count == _MOST:
            return


def _shapes(added: _Added, in_tests: bool) -> Iterator[_Hit]:
    for shape in SHAPES:
        if shape.needle not in added.text or (in_tests and shape.rule in {"jwt", "stripe-test-key"}):
            continue
        count = 0
        for tries, match in enumerate(shape.pattern.finditer(added.text)):
            if count == _MOST:
                break
            if tries == _TRIES:
                yield _too_many(shape.says, match.start())
                break
            if _is_inside_a_word(added.text, match.start()) or _is_placeholder(match[0].replace(shape.needle, "")):
                continue
            count += 1
            length = match.end() - match.start() + _rest(added.text, match.end())
            prefix = match[0][:4] if "?" in shape.prefix else shape.prefix
            yield shape.rule, shape.level, match.start(), f"{shape.says} {prefix}…({length} characters)"


def _too_many(what: str, offset: int) -> _Hit:
    """Nothing goes unsaid: what is not looked at any more is a finding itself."""
    return "too-many", "medium", offset, f"more than {_TRIES} places that look like {what}: not all were looked at"


_BODY = re.compile(r"[A-Za-z0-9_+/=-]{0,4000}")


def _rest(text: str, offset: int) -> int:
    match = _BODY.match(text, offset)
    return len(match[0]) if match else 0


def _is_inside_a_word(text: str, start: int) -> bool:
    """Whether letters run into the token from the left; an escaped line break before it does not count."""
    before = text[max(start - 2, 0) : start]
    return before[-1:].isalnum() and not (before[:1] == "\\" and before[1:] in "nrt")


def _urls(added: _Added) -> Iterator[_Hit]:
    if "://" not in added.text:
        return
    count = 0
    for tries, match in enumerate(_URL.finditer(added.text)):
        if count == _MOST:
            return
        if tries == _TRIES:
            yield _too_many("passwords in URLs", match.start())
            return
        word = match[1].lower()
        obvious = _is_placeholder(match[1]) or word in _OBVIOUS or len(set(word)) < 5 or _is_here(match[2])
        if not obvious:
            count += 1
            yield "url-password", "high", match.start(), f"password in a URL ({len(match[1])} characters)"


_OBVIOUS = frozenset(
    ("password", "passwd", "pass", "postgres", "secret", "token", "admin", "user", "root", "guest", "test")
)


def _is_here(host: str) -> bool:
    """A host that only means something on one machine: its password guards nothing."""
    return (
        "." not in host
        or host.startswith(("127.", "0.0.0.0"))
        or host.endswith((".local", ".example", ".invalid", ".test"))
    )


def _named(path: str, added: _Added) -> Iterator[_Hit]:
    plain = path.rsplit("/", 1)[-1].startswith(".env") or path.endswith(_PLAIN_VALUES)
    count = 0
    for tries, match in enumerate(_NAMED.finditer(added.lower)):
        if count == _MOST:
            return
        if tries == 10 * _TRIES:
            yield _too_many("values with telling names", match.start())
            return
        value = added.text[match.start(4) : match.end(4)]
        if (match[3] or plain) and not _ABOUT.search(match[2]) and is_random(value) and not _is_placeholder(value):
            count += 1
            length = len(value) + (_rest(added.text, match.end()) if len(value) == 200 else 0)
            yield "named-value", "medium", match.start(), f"random value assigned to a {match[1]} ({length} characters)"


def _is_placeholder(token: str) -> bool:
    return _PLACEHOLDER.search(token.lower()) is not None or len(set(token)) < 8


_JOINED_WORDS = re.compile(r"[A-Za-z]+(?:[-_.:/+@][A-Za-z]+)*[-_]?\d{0,4}")
_REFERENCE = re.compile(r"\$|%|(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*$|https?:|/|\.{1,2}/|#|@")


def is_random(value: str) -> bool:
    """Whether a value looks drawn at random: letters and digits mixed, no words joined, at least 3.3 bits a character
    (3.0 for hexadecimal) and 16 characters."""
    if len(value) < 16 or not value.isascii() or _JOINED_WORDS.fullmatch(value) or _REFERENCE.match(value):
        return False
    if not any(char.isdigit() for char in value) or not any(char.isalpha() for char in value):
        return False
    counts = Counter(value)
    bits = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    hexadecimal = all(char in "0123456789abcdefABCDEF-" for char in value)
    return bits >= (3.0 if hexadecimal else 3.3)
