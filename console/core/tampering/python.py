"""Tests of Python by syntax tree: pytest and unittest, one case a function, with decorators of the classes around it.

A text that does not parse is read by `pytext`. `ast` is imported when the first Python file comes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from console.core.tampering import pytext
from console.core.tampering.bodies import lines as stripped
from console.core.tampering.bodies import squeezed
from console.core.tampering.sheet import Case, Sheet

if TYPE_CHECKING:
    import ast

LARGEST = 400_000
_ESCAPE = re.compile(r"\\(?:N\{[^}\n]{0,100}\}|[\"'\\]|(?=[^\n]))")
_RISKY = re.compile(r"\d(?:and|else|for|if|in|is|or|not)\b")
_SKIP_NAME = re.compile(r"(?:skip|xfail|expectedFailure|expected_failure)")
_UNCONDITIONAL = frozenset({"skip", "expectedFailure"})


class Text:
    """The source that a tree was made of, to give back what a node was written as."""

    __slots__ = ("_lines",)

    def __init__(self, text: str) -> None:
        self._lines = text.encode().split(b"\n")

    def lines(self, node: ast.stmt | ast.expr) -> str:
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start, end = node.col_offset, node.end_col_offset or 0
        if first == last:
            return self._lines[first][start:end].decode(errors="replace")
        middle = self._lines[first + 1 : last]
        return b"\n".join([self._lines[first][start:], *middle, self._lines[last][:end]]).decode(errors="replace")

    def of(self, node: ast.stmt | ast.expr) -> str:
        """The node on one line, at most 2,000 characters."""
        return squeezed(self.lines(node))

    def body(self, statements: list[ast.stmt]) -> str:
        first, last = statements[0].lineno - 1, statements[-1].end_lineno or statements[-1].lineno
        text = b"\n".join(self._lines[first:last]).decode(errors="replace")
        kept = (line for line in stripped(text).split("\n") if not line.startswith("#"))
        return "\n".join(kept)


def parse(text: str) -> ast.Module | None:
    """The tree, or None when there is none to be had: bad syntax, too deep, too large.

    Escapes are neutralised first, offsets unchanged: the parser would print a warning for each invalid one.
    """
    import ast

    if len(text) > LARGEST or _RISKY.search(text):
        return None
    try:
        return ast.parse(_ESCAPE.sub(lambda found: "_" * len(found[0]), text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def sheet(text: str) -> Sheet:
    """The tests of one file, and the lines that skip all of it."""
    tree = parse(text)
    if tree is None:
        return pytext.sheet(text)
    return _Reader(Text(text)).module(tree)


class _Reader:
    """Goes through modules, classes and conditions, and reads each test function it meets."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.cases: dict[str, Case] = {}
        self.under: dict[str, list[str]] = {}
        self.skips: list[int] = []
        self.off = False

    def module(self, tree: ast.Module) -> Sheet:
        self._statements(tree.body, "", 0, 0, depth=0)
        if self.off:
            self.cases.clear()
        return Sheet(self.cases, skips=tuple(self.skips))

    def _statements(self, body: list[ast.stmt], group: str, skips: int, always: int, depth: int) -> None:
        """One suite: a module's, a class's, or what stands below a condition in those."""
        import ast

        for node in body:
            for name in _rebound(node):
                self._forget(f"{group} > {name}" if group else name)
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test"):
                    self._function(node, group, skips, always)
                case ast.ClassDef() if depth < 20:
                    self._class(node, group, skips, always, depth)
                case ast.If() if depth < 20:
                    dead = isinstance(node.test, ast.Constant) and not node.test.value
                    self._statements(node.body, group, skips + 1, always + dead, depth + 1)
                    self._statements(node.orelse, group, skips + 1, always, depth + 1)
                case ast.Try() if depth < 20:
                    self._statements(node.body, group, skips, always, depth + 1)
                case ast.Assign() | ast.Delete():
                    self._assigned(node, group)
                case ast.Expr(value=ast.Call()) | ast.Raise() if not group:
                    self._module_call(node)

    def _class(self, node: ast.ClassDef, group: str, skips: int, always: int, depth: int) -> None:
        """A class that a runner would collect: named Test*, or derived from something that may be a TestCase."""
        import ast

        bases = [base for base in node.bases if not (isinstance(base, ast.Name) and base.id == "object")]
        if not (node.name.startswith("Test") or bases):
            return
        for statement in node.body:
            if isinstance(statement, ast.Assign) and _targets(statement) == ["__test__"] and _false(statement.value):
                return
        more, sure = _decorated(node.decorator_list)
        for statement in node.body:
            if isinstance(statement, ast.Assign) and "pytestmark" in _targets(statement):
                here = _decorated([statement.value])
                more, sure = more + here[0], sure + here[1]
        name = f"{group} > {node.name}" if group else node.name
        self._statements(node.body, name, skips + more, always + sure, depth + 1)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, group: str, skips: int, always: int) -> None:
        from console.core.tampering import pybody

        more, sure = _decorated(node.decorator_list)
        read = pybody.read(node, self.text)
        name = f"{group} > {node.name}" if group else node.name
        place = -1
        while (place := name.find(" > ", place + 1)) >= 0:
            self.under.setdefault(name[:place], []).append(name)
        self.under[name] = [name]
        self.cases[name] = Case(
            name=name,
            line=node.lineno,
            body=self.text.body(node.body),
            checks=read.checks,
            skips=skips + more + read.skips,
            always=always + sure + read.always,
            returns=read.returns,
            escapes=read.escapes,
            swallowed=read.swallowed,
            rows=_rows(node.decorator_list),
            empty=read.empty,
        )

    def _assigned(self, node: ast.Assign | ast.Delete, group: str) -> None:
        """`pytestmark = ...` and `__test__ = False` in a module."""
        import ast

        if not group and isinstance(node, ast.Assign):
            targets = _targets(node)
            if "pytestmark" in targets and _decorated([node.value])[0]:
                self.skips.append(node.lineno)
            if targets == ["__test__"] and _false(node.value):
                self.off = True

    def _forget(self, name: str) -> None:
        """What a later statement binds again no longer is the test, or the class of tests, that it was."""
        for each in self.under.pop(name, ()):
            self.cases.pop(each, None)

    def _module_call(self, node: ast.stmt) -> None:
        import ast

        value = node.value if isinstance(node, ast.Expr) else node.exc if isinstance(node, ast.Raise) else None
        callee = value.func if isinstance(value, ast.Call) else value
        name = callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
        if name in {"skip", "importorskip", "SkipTest", "exit", "_exit"}:
            self.skips.append(node.lineno)


def _targets(node: ast.Assign | ast.Delete) -> list[str]:
    import ast

    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def _rebound(node: ast.stmt) -> list[str]:
    """The names that a statement binds or deletes, but not `Sums = decorated(Sums)`, which keeps the old."""
    import ast

    match node:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            kept = {inner.id for inner in ast.walk(value) if isinstance(inner, ast.Name)}
            return [target.id for target in targets if isinstance(target, ast.Name) and target.id not in kept]
        case ast.Delete():
            return _targets(node)
        case ast.ClassDef():
            return [node.name]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [node.name]
        case ast.Import() | ast.ImportFrom():
            return [alias.asname or alias.name for alias in node.names]
    return []


def _false(node: ast.expr) -> bool:
    import ast

    return isinstance(node, ast.Constant) and not node.value


def _decorated(nodes: list[ast.expr]) -> tuple[int, int]:
    """Marks that skip or expect failure below these expressions: all, and those without a condition."""
    import ast

    total = always = 0
    for top in nodes:
        inside = {
            id(node)
            for call in [top]
            if isinstance(call, ast.Call)
            for table in _tables(call)
            for node in ast.walk(table)
        }
        nodes_ = [node for node in ast.walk(top) if id(node) not in inside]
        calls = {id(node.func): node for node in nodes_ if isinstance(node, ast.Call)}
        for node in nodes_:
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if not _SKIP_NAME.match(name):
                continue
            call = calls.get(id(node))
            total += 1
            always += name in _UNCONDITIONAL or _surely(name, call)
    return total, always


def _surely(name: str, call: ast.Call | None) -> bool:
    """A conditional mark whose condition is constant, or an xfail that names none."""
    import ast

    if call is None:
        return name == "xfail"
    if not call.args:
        return name == "xfail"
    first = call.args[0]
    return (
        isinstance(first, ast.Constant)
        and bool(first.value) == (name != "skipUnless")
        and not isinstance(first.value, str)
    )


def _rows(decorators: list[ast.expr]) -> int:
    """How many parameter sets that run are written out in `parametrize`-like decorators."""
    import ast

    rows = 0
    for top in decorators:
        if isinstance(top, ast.Call):
            for argument in _tables(top):
                rows += sum(1 for row in argument.elts if not _decorated([row])[0])
    return rows


def _tables(call: ast.Call) -> list[ast.List | ast.Tuple]:
    """The literal tables that a decorator is given: its second argument, or those named for it."""
    import ast

    given = [*call.args[1:2], *(word.value for word in call.keywords if word.arg in {"argvalues", "cases"})]
    return [argument for argument in given if isinstance(argument, (ast.List, ast.Tuple))]
