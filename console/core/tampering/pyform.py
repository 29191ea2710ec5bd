"""Small questions about Python's syntax trees, for `pyswitch`: what a name stands for, what a function gives back."""

from __future__ import annotations

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef
_DOUBLES = frozenset(
    {"Mock", "MagicMock", "AsyncMock", "PropertyMock", "partial", "wraps", "staticmethod", "classmethod"}
)


def bound(tree: ast.Module) -> dict[str, str]:
    """Names that imports bind anywhere in the file, with the dotted name that each stands for."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                names[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"
    return names


def dotted(node: ast.AST) -> str:
    """`a.b.c` for a chain of names, "" for anything else; at most eight long."""
    found: list[str] = []
    while isinstance(node, ast.Attribute) and len(found) < 8:
        found.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(found)]) if isinstance(node, ast.Name) else ""


def reached(node: ast.expr) -> str:
    """The name that a chain of calls, subscripts and attributes starts with, as far as it is one."""
    for _ in range(20):
        match node:
            case ast.Attribute(value=value):
                node = value
            case ast.Call(func=value) | ast.Subscript(value=value):
                if name := dotted(value):
                    return name
                node = value
    return ""


def is_main(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]):
            return True
    return False


def is_fixture(node: Function, *, every: bool = False) -> bool:
    """Whether pytest takes this function for a fixture; `every`: for one that each test gets unasked."""
    for decorator in node.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted(call).rpartition(".")[2] == "fixture":
            words = decorator.keywords if isinstance(decorator, ast.Call) else []
            return not every or any(word.arg == "autouse" and is_true(word.value) for word in words)
    return False


def keeps_tests(node: Function) -> bool:
    """Whether a `load_tests` gives back its second argument and does nothing else with it than adding to it."""
    if len(node.args.args) < 2:
        return False
    given = node.args.args[1].arg
    returns = kept = seen = 0
    for inner in ast.walk(node):
        match inner:
            case ast.Return(value=ast.Name(id=name)) if name == given:
                returns += 1
            case ast.Return():
                return False
            case ast.Attribute(value=ast.Name(id=name), attr="addTests" | "addTest") if name == given:
                kept += 1
            case ast.Name(id=name) if name == given:
                seen += 1
    return returns > 0 and seen == returns + kept


def always_true(body: list[ast.stmt]) -> bool:
    """Whether a body only returns True."""
    code = [node for node in body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    return len(code) == 1 and isinstance(code[0], ast.Return) and is_true(code[0].value)


def is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def is_code(node: ast.expr | None) -> bool:
    """Whether a value can stand in for a function or class; deleting one does too."""
    if isinstance(node, ast.Call):
        return dotted(node.func).rpartition(".")[2] in _DOUBLES or isinstance(node.func, ast.Lambda)
    return node is None or isinstance(node, (ast.Lambda, ast.Name, ast.Attribute))
