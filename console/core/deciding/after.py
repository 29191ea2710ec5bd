"""After the work: what the diff touches that the ticket did not speak of."""

from __future__ import annotations

_CALLED: dict[str, tuple[str, frozenset[str]]] = {
    "destructive-migration": ("a migration that destroys data", frozenset({"destructive"})),
    "auth-security": ("authentication or another guard", frozenset({"security"})),
    "money": ("money", frozenset({"money"})),
    "ci-infra": ("CI or infrastructure", frozenset()),
    "runs-on-dev-machine": ("code that runs on the developer's machine", frozenset()),
    "migration": ("a database migration", frozenset({"schema", "destructive"})),
    "api-contract": ("the description of an API", frozenset({"api"})),
    "public-symbol-removed": ("names that other code imports, by removing them", frozenset({"api"})),
}
"""Classes of high caution (blast_radius.CLASSES): what each is called, and which categories announce it."""


def unannounced(announced: tuple[str, ...], classes: tuple[str, ...]) -> tuple[str, ...]:
    """One sentence for each class of high caution that no announced category covers; `announced` as in TextVerdict,
    `classes` the names of the diff's touches, each perhaps with its path: "auth-security" or "auth-security:src/a.py".
    A class is named once, with its first path.
    """
    said: dict[str, str] = {}
    for given in classes:
        name, _, path = given.partition(":")
        called, covering = _CALLED.get(name, ("", frozenset()))
        if called and name not in said and not covering & set(announced):
            where = f" ({path})" if path else ""
            said[name] = f"touches {called}{where}, and the ticket did not say so"
    return tuple(said.values())
