"""Statements of Python by which code outside a test decides whether it runs, what it calls or how the run ends.

One pass over the syntax tree; what is new between two versions is decided in `switches`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from console.core.records import FindingLevel
from console.core.tampering import pybody, pyform
from console.core.tampering.python import Text, parse

_SETUPS = re.compile(
    r"(?:async)?(?:setUp|tearDown)(?:Class|Module)?$|(?:setup|teardown)(?:_(?:method|module|class|function))?$"
)
_RUNNERS = frozenset({"unittest", "pytest", "_pytest", "pluggy", "doctest", "nose"})
_RUN = frozenset({"run", "__call__", "_callTestMethod", "debug", "runTest", "__getattribute__"})
_CLASS_WIDE = re.compile(
    r"test|setUp|tearDown|(?:run|debug|__call__|__test__|__unittest_skip__|pytestmark|failureException|_callTestMethod)$"
)
_PATCHES = re.compile(r"(?:\w+\.)*(?:patch|patch\.(?:object|multiple)|monkeypatch\.setattr|setattr)$")
_LABELS = frozenset({"__module__", "__name__", "__qualname__", "__doc__", "__annotations__", "__signature__"})
_REACHES = frozenset({"__import__", "importlib.import_module", "import_module", "sys.modules", "globals", "getattr"})
_TEST_NAME = re.compile(r"test(?:_|[A-Z]|$)")
_EMPTIES = frozenset({"pop", "clear", "update", "popitem", "__setitem__", "__delitem__"})
_LEAVES = frozenset({"sys.exit", "exit", "quit", "SystemExit"})
_CODE = frozenset({"__code__", "__defaults__", "__kwdefaults__", "__wrapped__", "__class__", "__bases__"})
_CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*$")
_WORDS = {
    "tests-chosen": re.compile(r"^[ \t]*(?:async\s+)?def\s+load_tests\b|^load_tests\s*=", re.MULTILINE),
    "setup-skips": re.compile(r"\bSkipTest\b|\bskipTest\s*\("),
    "run-ends": re.compile(r"\bos\._exit\b|^(?:sys\.exit|exit|quit)\s*\(\s*0?\s*\)", re.MULTILINE),
    "runner-patched": re.compile(r"^[ \t]*(?:unittest|_?pytest)(?:\.\w+)+\s*=(?!=)", re.MULTILINE),
    "test-replaced": re.compile(r"^[ \t]*(?:del\s+)?(?:\w+\.)+test\w*[ \t]*(?:=(?!=)|$)", re.MULTILINE),
}
_ASSERTS = re.compile(
    r"(?:assert(?:Equal|NotEqual|True|False|Is|IsNot|IsNone|IsNotNone|In|NotIn|Raises|RaisesRegex|AlmostEqual|Greater"
    r"|GreaterEqual|Less|LessEqual|Regex|CountEqual|ListEqual|DictEqual|MultiLineEqual|SequenceEqual)|fail)$"
)


@dataclass(frozen=True, slots=True)
class Switch:
    """One such statement. name: what it is about. text: as written. inside: the function that it stands in.

    target: the dotted name that a patch replaces, "" for the other rules. lasting: holds beyond one test.
    """

    rule: str
    name: str
    line: int
    text: str
    level: FindingLevel | None = None
    inside: str = ""
    target: str = ""
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class _At:
    """Where a node stands. importing: it works when the module is imported. given: parameters, which hide imports."""

    inside: str = ""
    klass: str = ""
    importing: bool = True
    lasting: bool = True
    given: frozenset[str] = frozenset()


def read(text: str) -> list[Switch]:
    """Every such statement of one file, in any order. A text that is no Python is searched for the plainest ones."""
    tree = parse(text)
    if tree is None:
        return list(_searched(text))
    return list(_Reader(Text(text), tree).switches())


def _searched(text: str) -> Iterator[Switch]:
    for rule, pattern in _WORDS.items():
        for match in list(pattern.finditer(text))[:200]:
            shown = match[0].strip()
            yield Switch(rule, shown, text.count("\n", 0, match.start()) + 1, shown)


class _Reader:
    """Visits every node once, each with where it stands."""

    def __init__(self, text: Text, tree: ast.Module) -> None:
        self.text = text
        self.tree = tree
        self._last: tuple[ast.AST, str] | None = None
        self.imported = pyform.bound(tree)
        self.leaving = {
            node.name
            for node in tree.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and any(pyform.dotted(inner) == "os._exit" for inner in ast.walk(node))
        }

    def switches(self) -> Iterator[Switch]:
        waiting: list[tuple[ast.AST, _At]] = [(self.tree, _At())]
        while waiting:
            node, at = waiting.pop()
            yield from self._at_node(node, at)
            waiting.extend(_children(node, at))

    def _at_node(self, node: ast.AST, at: _At) -> Iterator[Switch]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._function(node, at)
            case ast.ClassDef():
                yield from self._class(node, at)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from self._assigned(node, target, value, at)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                yield from self._assigned(node, target, value, at)
            case ast.Delete(targets=targets):
                for target in targets:
                    yield from self._assigned(node, target, None, at)
            case ast.Call():
                yield from self._called(node, at)
            case ast.Raise(exc=ast.Name(id="SystemExit")) if at.importing:
                yield self._switch("run-ends", "SystemExit", node, at)
            case ast.Attribute() if pyform.dotted(node) == "os._exit":
                yield self._switch("run-ends", "os._exit", node, at, None if at.importing else "medium")

    def _switch(
        self, rule: str, name: str, node: ast.stmt | ast.expr, at: _At, level: FindingLevel | None = None
    ) -> Switch:
        return Switch(rule, name, node.lineno, self._written(node), level, at.inside, lasting=at.lasting)

    def _written(self, node: ast.stmt | ast.expr) -> str:
        """The node as written, all of it; one statement may be asked for many times."""
        if self._last is None or self._last[0] is not node:
            self._last = (node, " ".join(self.text.lines(node).split()))
        return self._last[1]

    def _function(self, node: pyform.Function, at: _At) -> Iterator[Switch]:
        name = f"{at.klass}.{node.name}" if at.klass else node.name
        if node.name == "load_tests" and not at.klass and not pyform.keeps_tests(node):
            yield self._switch("tests-chosen", name, node, at)
        if _SETUPS.match(node.name) or pyform.is_fixture(node):
            found = pybody.read(node, self.text)
            if found.skips:
                rule = "setup-skips" if found.always else "setup-may-skip"
                yield replace(self._switch(rule, name, node, at), text=f"{found.skips} {found.always}")

    def _class(self, node: ast.ClassDef, at: _At) -> Iterator[Switch]:
        tests = any("Test" in pyform.dotted(base) for base in node.bases) or any(
            isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner.name.startswith("test")
            for inner in node.body
        )
        for inner in node.body:
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if tests and inner.name in _RUN - {"runTest"}:
                    yield self._switch("runner-patched", f"{node.name}.{inner.name}", inner, at)
                elif tests and _ASSERTS.match(inner.name):
                    yield self._switch("runner-patched", f"{node.name}.{inner.name}", inner, at, "medium")
                if inner.name == "__eq__" and pyform.always_true(inner.body):
                    yield self._switch("always-equal", f"{node.name}.__eq__", inner, at)
            elif isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Lambda):
                named = any(pyform.dotted(target) == "__eq__" for target in inner.targets)
                if named and pyform.is_true(inner.value.body):
                    yield self._switch("always-equal", f"{node.name}.__eq__", inner, at)

    def _assigned(self, node: ast.stmt, target: ast.expr, value: ast.expr | None, at: _At) -> Iterator[Switch]:
        """An assignment to (or deletion of) something that another statement or module defined."""
        if isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts[:20]:
                yield from self._assigned(node, each, value, at)
            return
        if isinstance(target, ast.Name) and target.id == "load_tests" and at.importing and not at.klass:
            yield self._switch("tests-chosen", "load_tests", node, at)
        table = target.value if isinstance(target, ast.Subscript) and at.importing else None
        if table is not None and pyform.dotted(table) == "sys.modules" and "__name__" not in self.text.of(target):
            yield self._switch("code-replaced", self.text.of(target), node, at, "medium")
        if isinstance(table, ast.Call) and pyform.dotted(table.func) == "globals":
            yield self._switch("test-replaced", self.text.of(target), node, at, "medium")
        if isinstance(target, ast.Attribute):
            owner = pyform.dotted(target.value)
            if not owner and at.importing and pyform.reached(target.value) in _REACHES:
                rule = "test-replaced" if _TEST_NAME.match(target.attr) else "code-replaced"
                yield self._switch(rule, self.text.of(target), node, at)
            yield from self._set(node, owner, target.attr, value, at)

    def _set(
        self, node: ast.stmt | ast.expr, owner: str, attribute: str, value: ast.expr | None, at: _At
    ) -> Iterator[Switch]:
        root = owner.partition(".")[0]
        if not root or root in {"self", "cls"}:
            return
        if attribute in _LABELS:
            return
        name, source = f"{owner}.{attribute}", self.imported.get(root, "")
        if source.partition(".")[0] in _RUNNERS and not _CONSTANT.match(attribute):
            yield self._switch("runner-patched", name, node, at)
        elif attribute in _CODE and attribute != "__class__":
            yield self._switch("code-replaced", name, node, at)
        elif (at.importing and _TEST_NAME.match(attribute)) or (
            _CLASS_WIDE.match(attribute) and self._holds_tests(owner, source)
        ):
            yield self._switch("test-replaced", name, node, at)
        elif (
            at.importing
            and source
            and attribute == "__eq__"
            and isinstance(value, ast.Lambda)
            and pyform.is_true(value.body)
        ):
            yield self._switch("always-equal", name, node, at)
        elif source and at.importing and pyform.is_code(value) and not _CONSTANT.match(attribute):
            yield self._switch("code-replaced", name, node, at)
        elif source and not at.importing and root not in at.given:
            yield replace(
                self._switch("product-patched", name, node, at), target=self._resolved(f"{owner}.{attribute}")
            )

    def _holds_tests(self, owner: str, source: str) -> bool:
        """Whether a dotted name may be a class or module of tests: by its capital or by the word."""
        last = owner.rpartition(".")[2]
        return last[:1].isupper() or last.lower().startswith("test") or "test" in source.lower()

    def _resolved(self, name: str) -> str:
        root, dot, rest = name.partition(".")
        return self.imported.get(root, root) + dot + rest

    def _called(self, node: ast.Call, at: _At) -> Iterator[Switch]:
        name = pyform.dotted(node.func)
        if name in _LEAVES and at.importing:
            failing = bool(node.args) and isinstance(node.args[0], ast.Constant) and bool(node.args[0].value)
            constant = not node.args or isinstance(node.args[0], ast.Constant)
            if not failing:
                yield self._switch("run-ends", name, node, at, None if constant else "medium")
        elif name.endswith("atexit.register") or self.imported.get(name) == "atexit.register":
            if any(pyform.dotted(argument) in self.leaving for argument in node.args):
                yield self._switch("run-ends", name, node, at)
        elif node.args and (name in {"setattr", "delattr"} or name.endswith(("__setattr__", "__delattr__"))):
            yield from self._set_by_call(node, at)
        elif at.importing and isinstance(node.func, ast.Attribute) and node.func.attr in _EMPTIES:
            table = node.func.value
            if isinstance(table, ast.Call) and pyform.dotted(table.func) == "globals":
                yield self._switch("test-replaced", self._written(node), node, at, "medium")
        if _PATCHES.match(name) and node.args and name != "setattr":
            yield from self._patched(node, at)

    def _set_by_call(self, node: ast.Call, at: _At) -> Iterator[Switch]:
        owner = pyform.dotted(node.args[0])
        second = node.args[1] if len(node.args) > 1 else None
        value = node.args[2] if len(node.args) > 2 else None
        if not owner and at.importing and pyform.reached(node.args[0]) in _REACHES:
            yield self._switch("code-replaced", self._written(node), node, at)
        elif isinstance(second, ast.Constant) and isinstance(second.value, str):
            yield from self._set(node, owner, second.value, value, at)
        elif at.importing and owner and pyform.dotted(node.func).endswith(("delattr", "__delattr__")):
            yield self._switch("test-replaced", self._written(node), node, at)
        elif at.importing and self.imported.get(owner.partition(".")[0]):
            yield self._switch("code-replaced", self._written(node), node, at, "medium")

    def _patched(self, node: ast.Call, at: _At) -> Iterator[Switch]:
        first, second = node.args[0], node.args[1] if len(node.args) > 1 else None
        target = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
        if not target and (owner := pyform.dotted(first)):
            target = self._resolved(owner)
            if isinstance(second, ast.Constant) and isinstance(second.value, str):
                target += f".{second.value}"
        if target:
            found = self._switch("product-patched", target[:200], node, at)
            yield replace(found, target=target[:200])


def _children(node: ast.AST, at: _At) -> list[tuple[ast.AST, _At]]:
    """The nodes below, each with where it stands; the block of a script's own start is no import."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            lasting = at.lasting if at.inside else bool(_SETUPS.match(node.name)) or pyform.is_fixture(node, every=True)
            given = at.given | {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs][:50]}
            at = _At(at.inside or node.name, at.klass, importing=False, lasting=lasting, given=given)
        case ast.ClassDef():
            at = replace(at, klass=node.name)
        case ast.If() if pyform.is_main(node.test):
            at = replace(at, importing=False, lasting=False)
    return [(child, at) for child in ast.iter_child_nodes(node)]


def imports(text: str) -> Mapping[str, str]:
    """Names that the file's own imports bind, with the dotted name that each stands for."""
    tree = parse(text)
    return pyform.bound(tree) if tree else {}
