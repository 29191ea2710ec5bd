"""The body of one Python test: its assertions and how strong they are, its ways out, what swallows a failure."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Protocol

from console.core.tampering.bodies import shape
from console.core.tampering.sheet import EXACT, EXISTENCE, PARTIAL, VACUOUS, Check

_CHECK = re.compile(
    r"_?(?:assert\w*|(?:check|verify|expect|ensure|should|must)(?:s|ed|(?!_(?:call|output)$)_\w+"
    r"|[A-Z]\w*)?|fail|failIf|failUnless)$"
)
_RAISES = re.compile(r"raises?$|warns$|assertRaises|assertWarns|assertLogs|deprecated_call$|RaisesGroup$")
_EVERYTHING = frozenset({"Exception", "BaseException", "AssertionError"})
_ANYTHING = frozenset({"Exception", "BaseException"})
_TELLING = frozenset({"isinstance", "issubclass", "all", "any", "allclose", "array_equal"})
_SKIP = frozenset({"skip", "xfail", "skipTest", "importorskip", "SkipTest"})
_EXIT = frozenset({"sys.exit", "os._exit", "exit", "quit", "pytest.exit"})
_STRONG = re.compile(
    r"assert(?:_?(?:Equals?|Is|.+Equal|equal|array_equal|allclose|RaisesRegex)"
    r"|_(?:any_call|has_calls|has_awaits|not_called|.+_with))$",
    re.IGNORECASE,
)
_WEAK = re.compile(r"assert_?(?:IsNotNone|NotEqual|is_not_none|called|awaited|true|NotNone)$", re.IGNORECASE)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Writing(Protocol):
    """Gives back what a node was written as, on one line."""

    def of(self, node: ast.stmt | ast.expr, /) -> str: ...


@dataclass(slots=True)
class Read:
    """What a body says; see `sheet.Case`."""

    found: list[Check] = field(default_factory=list)
    skips: int = 0
    always: int = 0
    returns: int = 0
    escapes: int = 0
    swallowed: int = 0
    empty: bool = False

    @property
    def checks(self) -> tuple[Check, ...]:
        return tuple(self.found)


@dataclass(frozen=True, slots=True)
class _At:
    """Where a statement stands: below a condition, in code that never runs, in code whose failure is caught, in a
    function inside, below a condition that always holds."""

    nested: bool = False
    dead: bool = False
    caught: bool = False
    inner: bool = False
    surely: bool = False


def read(function: Function, text: Writing) -> Read:
    """Read one test function. Never deeper than the statements nest; expressions are not descended into."""
    found = Read(empty=_is_empty(function.body))
    waiting: list[tuple[list[ast.stmt], _At]] = [(function.body, _At())]
    while waiting:
        body, at = waiting.pop()
        for place, node in enumerate(body):
            _ends(node, at, last=place == len(body) - 1, found=found)
            _skips(node, at, found)
            for check in _checks(node, text):
                strength = VACUOUS if at.dead else check.strength
                found.found.append(Check(check.text, check.shape, check.subject, strength, check.line))
                found.swallowed += at.caught
            waiting.extend(_below(node, at))
    found.found.sort(key=lambda check: check.line)
    return found


def _below(node: ast.stmt, at: _At) -> list[tuple[list[ast.stmt], _At]]:
    """The suites inside a statement, each with where it stands."""
    match node:
        case ast.If() | ast.While():
            never, surely = _constant(node.test) is False, _constant(node.test) is True
            inside = _At(at.nested or not surely, at.dead or never, at.caught, at.inner, surely)
            otherwise = _At(at.nested or not never, at.dead or surely, at.caught, at.inner)
            return [(node.body, inside), (node.orelse, otherwise)]
        case ast.For() | ast.AsyncFor():
            nothing = isinstance(node.iter, (ast.List, ast.Tuple)) and not node.iter.elts
            inside = _At(True, at.dead or nothing, at.caught, at.inner)
            return [(node.body, inside), (node.orelse, at)]
        case ast.With() | ast.AsyncWith():
            return [(node.body, _At(at.nested, at.dead, at.caught or _suppresses(node), at.inner))]
        case ast.Try() | ast.TryStar():
            caught = any(_swallows(handler) for handler in node.handlers)
            suites = [(node.body, _At(at.nested, at.dead, at.caught or caught, at.inner))]
            handlers = [(handler.body, _At(True, at.dead, at.caught, at.inner)) for handler in node.handlers]
            return [*suites, *handlers, (node.orelse, at), (node.finalbody, at)]
        case ast.Match():
            return [(case.body, _At(True, at.dead, at.caught, at.inner)) for case in node.cases]
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [(node.body, _At(True, at.dead, at.caught, True))]
    return []


def _constant(node: ast.expr) -> bool | None:
    """The value of a condition that is written out, also behind `not` and in `False and ...`."""
    for _ in range(5):
        match node:
            case ast.Constant():
                return bool(node.value)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Constant() as value):
                return not value.value
            case ast.BoolOp(op=ast.And(), values=[ast.Constant(value=first), *_]) if not first:
                return False
            case ast.BoolOp(op=ast.Or(), values=[ast.Constant(value=first), *_]) if first:
                return True
        return None
    return None


def _suppresses(node: ast.With | ast.AsyncWith) -> bool:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and _last(call.func) == "suppress":
            return any(_last(argument) in _EVERYTHING for argument in call.args)
    return False


def _swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a failed assertion would end here: it catches one, and neither raises nor checks."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    if handler.type is not None and not any(kind is not None and _last(kind) in _EVERYTHING for kind in kinds):
        return False
    for node in ast.walk(handler):
        if isinstance(node, (ast.Raise, ast.Assert)):
            return False
        if isinstance(node, ast.Call) and (_CHECK.match(_last(node.func)) or _last(node.func) in _SKIP):
            return False
    return True


def _ends(node: ast.stmt, at: _At, *, last: bool, found: Read) -> None:
    """A return (or an exit with success) in front of other statements."""
    if at.inner or at.dead:
        return
    leaves = isinstance(node, ast.Return) or (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and _dotted(node.value.func) in _EXIT
        and all(isinstance(argument, ast.Constant) and not argument.value for argument in node.value.args)
    )
    if leaves and at.nested:
        found.escapes += 1
    elif leaves and (at.surely or not last):
        found.returns += 1


def _skips(node: ast.stmt, at: _At, found: Read) -> None:
    value = (
        node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
    )
    call = value.func if isinstance(value, ast.Call) else value if isinstance(node, ast.Raise) else None
    if call is not None and _last(call) in _SKIP:
        found.skips += 1
        found.always += not at.nested


def _checks(node: ast.stmt, text: Writing) -> list[Check]:
    match node:
        case ast.Assert():
            strength, subject = _asserted(node.test, text)
            return [_check(node, text, strength, text.of(subject))]
        case ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call)):
            return _called(node, call, text)
        case ast.With() | ast.AsyncWith():
            calls = [item.context_expr for item in node.items]
            return [
                _raising(call, call, text)
                for call in calls
                if isinstance(call, ast.Call) and _RAISES.match(_last(call.func))
            ]
        case ast.Assign(value=ast.Call() as call) if _RAISES.match(_last(call.func)):
            return [_raising(node, call, text)]
    return []


def _check(node: ast.stmt | ast.expr, text: Writing, strength: int, subject: str) -> Check:
    written = text.of(node)
    return Check(written, shape(written), subject, strength, node.lineno)


def _called(node: ast.stmt, call: ast.Call, text: Writing) -> list[Check]:
    name = _last(call.func)
    if _RAISES.match(name):
        return [_raising(node, call, text)]
    if not _CHECK.match(name) and not _CHECK.match(_root(call.func)):
        return []
    strength = EXACT if _STRONG.match(name) else EXISTENCE if _WEAK.match(name) else PARTIAL
    subject = text.of(call.args[0]) if call.args else ""
    if re.match(r"assert_?true$", name, re.IGNORECASE) and call.args:
        strength, about = _asserted(call.args[0], text)
        subject = text.of(about)
    if strength == EXACT and len(call.args) > 1 and text.of(call.args[0]) == text.of(call.args[1]):
        strength = VACUOUS
    return [_check(node, text, strength, subject)]


def _raising(node: ast.stmt | ast.expr, call: ast.Call, text: Writing) -> Check:
    wide = bool(call.args) and _last(call.args[0]) in _ANYTHING and not call.keywords
    return _check(node, text, EXISTENCE if wide else EXACT, _last(call.func))


def _asserted(node: ast.expr, text: Writing) -> tuple[int, ast.expr]:
    """How strong a condition is, and what it is about."""
    match node:
        case ast.Constant() | ast.JoinedStr() | ast.Lambda():
            return (VACUOUS if not isinstance(node, ast.Constant) or node.value else PARTIAL), node
        case ast.Tuple() | ast.List() | ast.Dict() | ast.Set():
            return VACUOUS, node
        case ast.BoolOp():
            parts = [_simple(value, text) for value in node.values]
            constant = any(isinstance(value, ast.Constant) and value.value for value in node.values)
            if isinstance(node.op, ast.Or):
                return (VACUOUS if constant else min(parts)), node.values[0]
            return max(parts), node.values[0]
        case ast.UnaryOp(op=ast.Not()):
            return (VACUOUS if _constant(node) is True else PARTIAL), node.operand
        case ast.Compare():
            return _simple(node, text), node.left
        case ast.Call(args=[first, *_]) if _last(node.func) in {"isinstance", "bool", "hasattr", "callable"}:
            return _simple(node, text), first
    return _simple(node, text), node


def _simple(node: ast.expr, text: Writing) -> int:
    match node:
        case ast.Compare(left=left, ops=[op, *_], comparators=[right, *_]):
            return _compared(left, op, right, text)
        case ast.Call():
            if _last(node.func) in {"bool", "hasattr", "callable"}:
                return EXISTENCE
            if _last(node.func) == "isinstance" and len(node.args) > 1 and _last(node.args[1]) == "object":
                return VACUOUS
            return PARTIAL if _last(node.func) in _TELLING else EXISTENCE
        case ast.Constant():
            return VACUOUS if node.value else PARTIAL
        case ast.UnaryOp() | ast.BoolOp():
            return PARTIAL
    return EXISTENCE


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr, text: Writing) -> int:
    nothing = isinstance(right, ast.Constant) and right.value is None
    match op:
        case ast.Is() if nothing:
            return PARTIAL
        case ast.Eq() | ast.Is():
            return VACUOUS if text.of(left) == text.of(right) else EXACT
        case ast.NotEq() | ast.IsNot() if nothing:
            return EXISTENCE
        case ast.GtE() if isinstance(left, ast.Call) and _last(left.func) == "len":
            return VACUOUS if isinstance(right, ast.Constant) and right.value == 0 else PARTIAL
    return PARTIAL


def _is_empty(body: list[ast.stmt]) -> bool:
    for node in body:
        if isinstance(node, ast.Pass) or (
            isinstance(node, ast.Return) and (node.value is None or isinstance(node.value, ast.Constant))
        ):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and node.test.value:
            continue
        return False
    return True


def _last(node: ast.expr) -> str:
    """The last name of a dotted expression, "" when it has none."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _root(node: ast.expr) -> str:
    """The name that a chain of calls and attributes starts with: `expect` in `expect(page).to_have_url(...)`."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return _last(node)
