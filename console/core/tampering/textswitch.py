"""What `pyswitch` looks for, in languages that are read by scanning: JavaScript, Go, Ruby, Java, Kotlin, C#.

Patterns are searched in text whose comments are blank; rougher than a syntax tree, and only the plain forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from console.core.records import FindingLevel
from console.core.tampering.bodies import squeezed
from console.core.tampering.pyswitch import Switch
from console.core.tampering.scan import Source, source

_MOST = 200
_GLOBALS = r"(?:expect|it|test|describe|before(?:Each|All)?|after(?:Each|All)?|assert|jest|vi)"
_MATCHERS = (
    r"(?:toBe|toEqual|toStrictEqual|toBe(?:Truthy|Falsy|Null|Defined)|toHave(?:Length|BeenCalled\w*)|toThrow\w*)"
)


@dataclass(frozen=True, slots=True)
class _Word:
    """One pattern. flat: only outside every bracket. bare: only outside literals. tests, product: in which files."""

    rule: str
    pattern: re.Pattern[str]
    level: FindingLevel | None = None
    flat: bool = False
    bare: bool = True
    tests: bool = True
    product: bool = True


@dataclass(frozen=True, slots=True)
class _Setup:
    """Blocks that prepare tests: what opens one (the pattern ends in front of its bracket), and what skips inside."""

    opens: re.Pattern[str]
    skips: re.Pattern[str]


def _re(text: str) -> re.Pattern[str]:
    return re.compile(text, re.MULTILINE)


_WORDS: dict[str, tuple[_Word, ...]] = {
    "javascript": (
        _Word("run-ends", _re(r"(?<![\w$.])process\.(?:exit|reallyExit)\s*\(\s*0?\s*\)"), flat=True),
        _Word("run-ends", _re(r"(?<![\w$.])process\.(?:reallyExit\s*\(|exit\s*=(?!=))")),
        _Word(
            "run-ends",
            _re(
                r"process\.(?:on|once|prependListener)\(\s*['\"](?:exit|beforeExit)['\"][^\n]{0,200}?exit(?:Code\s*=\s*|\(\s*)0"
            ),
            bare=False,
        ),
        _Word("runner-patched", _re(rf"(?<![\w$.])(?:globalThis|global|window|self)\.{_GLOBALS}\s*=(?!=)")),
        _Word(
            "runner-patched",
            _re(rf"(?<![\w$.])(?:globalThis|global|window|self)\[\s*['\"]{_GLOBALS}['\"]\s*\]\s*=(?!=)"),
            bare=False,
        ),
        _Word(
            "runner-patched",
            _re(
                r"Object\.(?:defineProperty|assign)\(\s*(?:globalThis|global)\s*,\s*(?:['\"](?:expect|it|test)['\"]|\{\s*(?:expect|it|test)\b)"
            ),
            bare=False,
        ),
        _Word(
            "runner-patched",
            _re(
                r"(?<![\w$.])(?:function\s+(?:expect|it|test|describe)\s*\(|(?:const|let|var)\s+(?:expect|it|describe)\s*=\s*(?:async\s*)?(?:\([^()\n]{0,80}\)|\w+)\s*=>)"
            ),
            product=False,
        ),
        _Word(
            "runner-patched",
            _re(rf"(?<![\w$.])expect\.extend\(\s*\{{[^}}]{{0,400}}?\b{_MATCHERS}\s*[(:]"),
            product=False,
        ),
        _Word(
            "runner-patched",
            _re(r"^[ \t]*(?:assert|chai|jasmine|Mocha|Assertion|expect)(?!\.config\b)(?:\.\w+)*\.[a-z]\w*\s*=(?![=>])"),
        ),
        _Word(
            "product-patched",
            _re(
                r"(?<![\w$.])(?:jest|vi|vitest)\.(?:mock|doMock|unstable_mockModule|setMock)\(\s*(?:import\()?['\"](?P<target>[^'\"\n]{1,200})['\"]"
            ),
            "medium",
            bare=False,
            product=False,
        ),
        _Word(
            "always-equal",
            _re(r"\basymmetricMatch\s*(?:\([^()\n]{0,80}\)\s*\{\s*return\s+true\b|[:=]\s*\(\w*\)\s*=>\s*true\b)"),
            tests=False,
        ),
    ),
    "go": (
        _Word("run-ends", _re(r"^func\s+init\s*\(\s*\)\s*\{(?:[^{}]|\{[^{}]*\})*?\b(?:os|syscall)\.Exit\(\s*0\s*\)")),
    ),
    "ruby": (
        _Word("run-ends", _re(r"^(?:Kernel\.|Process\.)?exit!?(?:[ \t]*+\(?(?:0|true)\)?)?[ \t]*$")),
        _Word("run-ends", _re(r"^[ \t]*at_exit[ \t]*(?:\{|do)\s*(?:Kernel\.|Process\.)?exit!?\b")),
        _Word(
            "runner-patched",
            _re(
                r"^[ \t]*(?:class|module)\s+(?:RSpec|Minitest|Test::Unit)(?:::\w+)*[ \t]*$"
                r"|\b(?:RSpec|Minitest|Test::Unit)::[\w:]+\.(?:class_eval|prepend|define_method|send|alias_method)\b"
            ),
        ),
        _Word(
            "test-replaced",
            _re(
                r"\b(?:remove_method|undef_method)\W{1,4}test_\w+|^[ \t]*undef\s+:?test_\w+"
                r"|\bdefine_method\W{1,4}(?:test_\w+|run\b)"
            ),
            bare=False,
            product=False,
        ),
        _Word(
            "collection-hook",
            _re(r"\b(?:filter_run_excluding|exclusion_filter|filter_run(?:_including)?(?!\W{1,3}focus))\b"),
            product=False,
        ),
        _Word(
            "always-equal",
            _re(r"\bdef ==[ \t]*+\(?[ \t]*+\w+[ \t]*+\)?[ \t]*+[;\n]\s*+true[ \t]*+[;\n]\s*+end\b"),
            tests=False,
        ),
    ),
    "jvm": (
        _Word("run-ends", _re(r"\bRuntime\.getRuntime\(\)\.halt\(\s*0\s*\)")),
        _Word("run-ends", _re(r"\b(?:System\.exit|exitProcess|Environment\.Exit)\(\s*0\s*\)"), product=False),
        _Word("run-ends", _re(r"\bstatic\s*\{(?:[^{}]|\{[^{}]*\})*?\bSystem\.exit\(\s*0\s*\)"), tests=False),
        _Word(
            "collection-hook",
            _re(
                r"\b(?:implements|:)\s*[\w,\s<>]{0,200}\b(?:ExecutionCondition|InvocationInterceptor|TestExecutionExceptionHandler|PostDiscoveryFilter|IMethodInterceptor)\b"
            ),
            product=False,
        ),
        _Word(
            "always-equal",
            _re(
                r"\b(?:boolean\s+equals|bool\s+Equals|fun\s+equals)\s*\([^()\n]{0,80}\)\s*(?::\s*Boolean\s*)?(?:\{\s*return\s+true\s*;?\s*\}|=>?\s*true\b)"
            ),
            tests=False,
        ),
    ),
}
_SETUPS = {
    "javascript": _Setup(
        _re(r"(?<![\w$.])(?:test\.)?(?:beforeEach|beforeAll|before)\s*(?=\()"),
        _re(r"(?<![\w$])(?:this|t|ctx|context|test|it)\.(?:skip|todo|fixme)(?:If)?\s*\("),
    ),
    "go": _Setup(
        _re(
            r"^func\s+\([^)\n]{0,80}\)\s*(?:SetupTest|SetupSuite|BeforeTest|SetUpTest|SetUpSuite)\s*\([^)\n]{0,120}\)\s*(?=\{)"
        ),
        _re(r"\.(?:Skip|Skipf|SkipNow)\s*\("),
    ),
    "jvm": _Setup(
        _re(
            r"(?:@(?:Before\w*)|\[\s*(?:SetUp|OneTimeSetUp|TestInitialize|ClassInitialize)\s*\])[^{}()]{0,200}\([^()\n]{0,80}\)[^{}()]{0,80}(?=\{)"
        ),
        _re(
            r"\b(?:Assume|Assumptions)\.\w+\s*\(|\bassume(?:True|False|That)\s*\(|\bAssert\.(?:Ignore|Inconclusive|Skip)\w*\s*\("
        ),
    ),
}
_CONDITION = re.compile(r"\b(?:if|unless)\b[^\n;{}]*\Z|(?:&&|\|\||\?)\s*\Z")
_MAIN = _re(r"^func\s+TestMain\s*\([^)\n]{0,80}\)\s*(?=\{)")
_BEFORE = _re(
    r"^(?P<indent>[ \t]*)(?:(?:config\.)?(?:prepend_)?before\b[^\n]{0,80}?(?:\bdo\b|\{)"
    r"|def\s+(?:setup|before_setup|before_all)\b)"
)
_RUBY_SKIP = _re(r"^\s*(?:skip|pending|omit)\b(?!\s*[=:])(?P<condition>.*\b(?:if|unless)\b)?|\{\s*skip\b")


def read(text: str, language: str, *, tests: bool) -> list[Switch]:
    """Every such statement of one file of a language that has patterns here."""
    if language not in _WORDS or not text:
        return []
    code = source(text, language)
    found = [
        switch for word in _WORDS[language] if (word.tests if tests else word.product) for switch in _words(code, word)
    ]
    if tests:
        found += _setups(code, language)
        found += _mains(code) if language == "go" else _befores(code) if language == "ruby" else ()
    return found


def _words(code: Source, word: _Word) -> Iterator[Switch]:
    text = code.bare if word.bare else code.kept
    matches = code.outside(0, len(code.bare), word.pattern) if word.flat else word.pattern.finditer(text)
    for number, match in enumerate(matches):
        if number == _MOST:
            return
        name = squeezed(match[0].strip().partition("\n")[0])
        target = match.groupdict().get("target") or ""
        shown = target or name
        yield Switch(word.rule, shown, code.line(match.end() - 1), name, word.level, target=target, lasting=True)


def _setups(code: Source, language: str) -> Iterator[Switch]:
    if (setup := _SETUPS.get(language)) is None:
        return
    end = 0
    for number, match in enumerate(setup.opens.finditer(code.bare)):
        if number == _MOST:
            return
        start = match.end()
        close = min(code.close(start), len(code.bare))
        if start < end:
            continue
        end = close
        if setup.skips.search(code.bare, start, close):
            inner = code.bare.find("{", start, close)
            inside = (inner + 1, min(code.close(inner), close)) if inner >= 0 else (start + 1, close)
            calls = code.outside(*inside, setup.skips)
            sure = any(_surely(code, call) for call in calls)
            name = squeezed(match[0]).partition("(")[0].strip()
            text = squeezed(code.kept[start:close])
            yield Switch("setup-skips" if sure else "setup-may-skip", name, code.line(start), text)


def _surely(code: Source, call: re.Match[str]) -> bool:
    """Whether a call that skips is not below a condition, and is given none."""
    if _CONDITION.search(code.bare, max(0, call.start() - 200), call.start()) or "If" in call[0]:
        return False
    return (
        "ssum" not in call[0] or re.match(r"\s*(?:true|false)\b", code.bare[call.end() : call.end() + 40]) is not None
    )


def _mains(code: Source) -> Iterator[Switch]:
    """A `TestMain` that never runs the tests, or ends with success whatever they say."""
    for match in list(_MAIN.finditer(code.bare))[:20]:
        start = match.end()
        close = min(code.close(start), len(code.bare))
        runs = re.search(r"\.Run\s*\(\s*\)", code.bare[start:close])
        if runs is None or re.search(r"\bos\.Exit\(\s*0\s*\)", code.bare[start:close]):
            yield Switch("run-ends", "TestMain", code.line(start), squeezed(code.kept[start:close]))


def _befores(code: Source) -> Iterator[Switch]:
    """Ruby's blocks that prepare tests, by indentation."""
    lines = code.bare.split("\n")
    for match in list(_BEFORE.finditer(code.bare))[:_MOST]:
        first = code.line(match.start() + len(match["indent"])) - 1
        last = first + 1
        while last < min(len(lines), first + 60) and (
            not lines[last].strip() or len(lines[last]) - len(lines[last].lstrip()) > len(match["indent"])
        ):
            last += 1
        block = "\n".join(lines[first + ("{" not in lines[first]) : last])
        if skip := _RUBY_SKIP.search(block):
            rule = "setup-may-skip" if skip["condition"] else "setup-skips"
            yield Switch(rule, squeezed(match[0].strip()), first + 1, squeezed(block))
