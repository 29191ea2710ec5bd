"""Code whose mistakes cost most: who may do what, secrets and cryptography, and money.

The words of a path decide (author is not auth), and a few lines that weaken a guard wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from console.core.blast_radius import paths
from console.core.blast_radius.edits import Edit, is_idle, says_the_same
from console.core.blast_radius.touches import Touch, hits, rule

_AUTH = paths.terms(
    "auth authn authz oauth oidc saml sso login logout signin permission rbac jwt jwe jwk csrf cors crypto encrypt "
    "encryption decrypt secret password passwd credential tenant security sanitize sanitizer sanitization webauthn "
    "passkey mfa totp otp authentication authorization authenticate authenticator authorizer ldap keycloak hsts csp "
    "captcha recaptcha hmac impersonation impersonate sudo"
)
_MONEY = paths.terms(
    "billing payment invoice price pricing checkout refund payout tax currency stripe paypal adyen discount voucher "
    "coupon braintree mollie razorpay giftcard"
)
_AUTH_SPEAKS = re.compile(
    r"(?i)auth|log_?(?:in|out)|sign_?in|passw|token|secret|permission|\brole|session|credential|csrf|cors|crypt|hmac|hash|"
    r"jwt|saml|sso|otp|mfa|captcha|sanitiz|escap|key|cookie|access|grant|allow|deny|denied|verif|expir|tenant|scope|"
    r"safe|valid|trust|user|origin|header|sign"
)
_MONEY_SPEAKS = re.compile(
    r"(?i)amount|price|pricing|total|\btax|refund|charge|captur|discount|payment|invoice|payout|voucher|coupon|"
    r"balance|subscription|money|decimal|cents\b|stripe|paypal|adyen|\bfee|\bcost|gross|\bnet\b|\brate|promotion|gift_?card|"
    r"billing|\bpay|paid\b|transaction|gateway|credit"
)
_MONEY_PLAINLY = re.compile(
    r"(?i)amount|price|pricing|total|\btax|refund|charge|discount|payment|invoice|payout|voucher|coupon|balance|money|decimal|"
    r"cents\b|stripe|paypal|adyen|\bfee|gift_?card|billing|\bpay|paid\b"
)
_BROAD = paths.terms("checkout currency")
"""Words that name more than money: a checkout also holds addresses. The changed line has to speak of money plainly."""
_AUTH_SCREEN = re.compile(
    r"(?i)\b(?:set|use|get|create|verify|check|valid|reset|update|store|remove|clear|is|has|can|require|allow|deny)\w{0,24}"
    r"(?:passw|secret|token|permission|auth|sign_?in|session|role|admin|owner|login|2fa|otp|passkey|sso)|csrf|sanitiz|"
    r"local_?storage|document\.cookie|redirect\(|expire"
)
_MONEY_SCREEN = re.compile(
    r"(?i)amount|price(?!less)|total|stripe|charge|refund|\btax|discount|\bpay\(|checkout\(|coupon|voucher"
)
_AUTH_LINES = (
    rule("csrf_exempt", "csrf_exempt", r"\bcsrf_exempt\b"),
    rule("AllowAny", "AllowAny", r"\bAllowAny\b"),
    rule("verify=False", "verify", r"\bverify\s?=\s?False\b"),
    rule("InsecureSkipVerify", "InsecureSkipVerify", r"\bInsecureSkipVerify\s{0,3}[:=]\s{0,3}true\b"),
    rule("rejectUnauthorized: false", "rejectUnauthorized", r"\brejectUnauthorized[\"']?\s?[:=]\s?false\b"),
    rule("NODE_TLS_REJECT_UNAUTHORIZED", "NODE_TLS", r"\bNODE_TLS_REJECT_UNAUTHORIZED\b"),
    rule("shell=True", "shell", r"\bshell\s?=\s?True\b"),
    rule("eval(", "eval", r"(?<![\w.$@])eval\((?!\))"),
    rule("pickle.loads", "pickle", r"\bc?[pP]ickle\.loads?\("),
    rule("yaml.load without a safe loader", "yaml.load(", r"\byaml\.load\((?![^\n]{0,200}Safe)"),
    rule("dangerouslySetInnerHTML", "dangerouslySet", r"\bdangerouslySetInnerHTML\b"),
    rule("skip_before_action for a guard", "skip_before", r"\bskip_before_action\s:(?:auth|require|verify)\w*"),
    rule("permitAll", "permitAll", r"\bpermitAll\(\)"),
    rule("StrictHostKeyChecking=no", "StrictHostKey", r"\bStrictHostKeyChecking[= ]no\b"),
)
_GUARDS = (
    rule("login_required", "login_required", r"@(?:[\w.]{1,40}\.)?login_required\b|\bLoginRequiredMixin\b"),
    rule("permission_required", "permission_required", r"@(?:[\w.]{1,40}\.)?permission_required\b"),
    rule("a permission class", "permission_classes", r"\bpermission_classes\b"),
    rule("authenticate_user!", "authenticate_user", r"\bauthenticate_user!"),
    rule("a before_action guard", "before_action", r"\bbefore_action :(?:auth|require|verify)\w*"),
    rule("protect_from_forgery", "protect_from", r"\bprotect_from_forgery\b"),
    rule("@PreAuthorize", "@PreAuthorize @Secured", r"@(?:PreAuthorize|Secured)\b"),
)
_MONEY_LINES = (
    rule("unit_amount", "unit_amount unitAmount", r"\bunit_?[aA]mount\b"),
    rule("quantize(", "quantize(", r"\.quantize\(\s*(?:Decimal|price|currency|TWO|CENT)"),
)
_SHOWN = 4
_SCREENS = (".tsx", ".jsx", ".vue", ".svelte")
_MARKUP = (".html", ".haml", ".erb", ".mjml", ".hbs", ".jinja", ".jinja2", ".liquid", ".slim")
_OTHER_MEANING = {
    "authorization": {"return"},
    "checkout": {"git", "worktree", "shipping", "address", "delivery"},
    "billing": {"address"},
    "giftcard": {"search"},
}
"""Words whose company in the path gives them another meaning: a return authorization sends goods back."""


def touches(edits: Sequence[Edit]) -> Iterator[Touch]:
    """auth-security and money (level 3); tests, prose, translations, generated files and assets are not looked at."""
    for edit in edits:
        if edit.kind != "code" or not edit.changes_bytes:
            continue
        yield from _by_path(edit, "auth-security", _AUTH, _AUTH_SPEAKS, _AUTH_SCREEN)
        yield from _by_path(edit, "money", _MONEY, _MONEY_SPEAKS, _MONEY_SCREEN)
        yield from _by_lines(edit)


_DATA = (".yaml", ".yml", ".json", ".toml", ".lock", ".xml")


def _by_lines(edit: Edit) -> Iterator[Touch]:
    if edit.name.endswith(_DATA):
        return
    for name, lines, verb, rules in (
        ("auth-security", edit.added, "adds", _AUTH_LINES),
        ("auth-security", edit.removed, "removes", _GUARDS),
        ("money", edit.added, "adds", _MONEY_LINES),
    ):
        idle = _gone_with_theirs(edit) if rules is _GUARDS else ()
        for row, says in hits(lines, rules, idle):
            yield Touch(name=name, level=3, path=edit.path, line=lines.numbers[row], text=f"{verb} {says}")


_NAMES = re.compile(r"\s{0,40}(?:async )?(?:def|class|func|function) \w")
_ABOVE = re.compile(r"\s{0,40}(?:@|permission_classes\b)")


def _gone_with_theirs(edit: Edit) -> set[int]:
    """Numbers of removed guards that left together with what they guarded (deleted, or moved to another file): the
    removed lines around them define something, and this file defines nothing new that could stand there unguarded."""
    if any(_NAMES.match(line[:200]) for line in edit.added.lines):
        return set()
    left: set[int] = set()
    block: list[int] = []
    for row, number in enumerate(edit.removed.numbers):
        if block and edit.removed.numbers[block[-1]] != number - 1:
            left |= _guards_of(edit, block)
            block = []
        block.append(row)
    return left | _guards_of(edit, block)


def _guards_of(edit: Edit, block: list[int]) -> set[int]:
    lines = [edit.removed.lines[row][:200] for row in block]
    if not any(_NAMES.match(line) for line in lines):
        return set()
    return {edit.removed.numbers[row] for row, line in zip(block, lines, strict=True) if _ABOVE.match(line)}


def _by_path(
    edit: Edit, name: str, sought: frozenset[str], speaks: re.Pattern[str], screen: re.Pattern[str]
) -> Iterator[Touch]:
    """A path that says the word, and a changed line that does something: any line where the file itself has the name,
    one that speaks of the matter where only a folder has it, or where the file draws a screen."""
    found = [word for word in sorted(edit.words & sought) if not edit.words & _OTHER_MEANING.get(word, set())]
    if not found or edit.name.endswith(_MARKUP):
        return
    named = bool(paths.words(edit.name) & set(found))
    about = screen if edit.name.endswith(_SCREENS) else None if named else speaks
    if _BROAD.issuperset(found):
        about = _MONEY_PLAINLY
    line = _first_line(edit, about)
    if line == 0:
        return
    plural = "s" if len(found) > 1 else ""
    text = f"touches path word{plural} {', '.join(found[:_SHOWN])}"
    yield Touch(name=name, level=3, path=edit.path, line=line, text=text)


_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.){0,400}\"|'(?:[^'\\\n]|\\.){0,400}'|`(?:[^`$\\\n]|\\.){0,400}`|//.*|\s#.*")


def _first_line(edit: Edit, about: re.Pattern[str] | None) -> int:
    """Where the first changed line is that does something by itself and, outside its strings, speaks of the matter; 0
    when there is none. A file of one endless line is taken to speak."""
    for lines, prose in zip((edit.added, edit.removed), edit.docstrings, strict=True):
        for row, line in enumerate(lines.lines):
            head = line[:_HEAD]
            if lines.numbers[row] in prose or is_idle(head) or says_the_same(edit, lines, head):
                continue
            bare = _STRING.sub(" ", head)
            if any(char.isalnum() for char in bare) and (about is None or len(line) > _HEAD or about.search(bare)):
                return lines.numbers[row]
    return 0


_HEAD = 1000
