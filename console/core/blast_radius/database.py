"""Changes of a database's shape: migrations, and those that lose what is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from console.core.blast_radius.edits import Edit
from console.core.blast_radius.touches import Touch, hits, rule

MIGRATION_PATH = re.compile(
    r"(?:^|/)(?:migrations?|migrate|db/migrate|db/post_migrate|alembic/versions|alembic|prisma/migrations|flyway|liquibase)"
    r"/(?:[^/]+/)*[^/]+\.(?:py|sql|rb|ts|js|go|xml|ya?ml|php|ex|exs|cs|kt|java)$|"
    r"(?:^|/)[VU]\d[\w.]*__\w+\.sql$|(?:^|/)(?:schema\.prisma|structure\.sql|db/schema\.rb)$"
)
_SHAPE = (
    rule("CREATE TABLE", "CREATE", r"\bCREATE (?:UNLOGGED )?TABLE\b(?! IF NOT EXISTS (?:temp|tmp))"),
    rule("ALTER TABLE", "ALTER", r"\bALTER TABLE\b"),
    rule("DROP TABLE", "DROP", r"\bDROP TABLE\b"),
    rule("a column operation of Alembic", "op.", r"\bop\.(?:add|drop|alter)_column\("),
    rule(
        "a schema operation of Django",
        "migrations.",
        r"\bmigrations\.(?:AddField|RemoveField|AlterField|RenameField|CreateModel|DeleteModel|RenameModel|RunSQL|RunPython)\(",
    ),
)
_LOSES = (
    rule(
        "DROP TABLE",
        "DROP drop",
        r"(?:\b(?:DROP TABLE|drop table)\b|"
        r"\bdrop_table[ (]|\bdropTable(?:IfExists)?\()",
    ),
    rule("DROP COLUMN", "DROP drop", r"(?:\bDROP COLUMN\b|\bdrop column\b|\bdropColumns?\()"),
    rule("DROP of a schema or database", "DROP", r"\bDROP (?:SCHEMA|DATABASE)\b"),
    rule("TRUNCATE", "TRUNCATE", r"\bTRUNCATE (?:TABLE )?\w"),
    rule("op.drop_", "op.drop_", r"\bop\.drop_(?:table|column)\("),
    rule("RemoveField", "RemoveField", r"\bRemoveField\("),
    rule("DeleteModel", "DeleteModel", r"\bDeleteModel\("),
    rule(
        "a removed column",
        "remove_",
        r"(?:^|\n)\s{0,40}(?:t\.remove|remove_columns?|remove_reference|remove_timestamps)\b",
    ),
    rule("a column's new TYPE", "ALTER", r"\bALTER COLUMN\s+\S{1,100}\s+(?:SET DATA )?TYPE\b"),
    rule("DELETE without WHERE", "DELETE", r"\bDELETE FROM\s+[\w.\"`]{1,100}\s*;"),
)
_DOWN = re.compile(
    r"\s{0,40}(?:def downgrade\b|def (?:self\.)?down\b|exports\.down\b|(?:public )?(?:async )?down\(|"
    r"(?:export )?(?:async )?(?:const|function) down\b|func [dD]own|-- \+(?:goose|migrate) Down|-- migrate:down)"
)
_UP = re.compile(
    r"\s{0,40}(?:def upgrade\b|def (?:self\.)?(?:up|change)\b|exports\.up\b|(?:public )?(?:async )?up\(|"
    r"(?:export )?(?:async )?(?:const|function) up\b|func [uU]p|-- \+(?:goose|migrate) Up|-- migrate:up)"
)
_DOWN_FILE = re.compile(r"(?:[._-]down\.(?:sql|\w+)|/down\.sql)$|(?:^|/)U\d[\w.]*__")


def is_migration(edit: Edit) -> bool:
    return (
        edit.kind not in {"test", "prose", "locale"}
        and not edit.path.startswith("templates/")
        and MIGRATION_PATH.search(edit.path) is not None
        and edit.name not in {"__init__.py", "index.ts", "env.py"}
    )


def touches(edits: Sequence[Edit]) -> Iterator[Touch]:
    """migration (level 2), destructive-migration (level 3)."""
    for edit in edits:
        if not edit.changes_bytes:
            continue
        if is_migration(edit):
            yield Touch(name="migration", level=2, path=edit.path, line=0, text=_what_migration(edit))
            yield from _destructive(edit)
        elif edit.kind == "code":
            for row, says in list(hits(edit.added, _SHAPE))[:1]:
                line = edit.added.numbers[row]
                text = f"adds {says} outside the migrations"
                yield Touch(name="migration", level=2, path=edit.path, line=line, text=text)


def _what_migration(edit: Edit) -> str:
    if edit.old is None:
        return "adds a migration"
    return "deletes a migration" if edit.new is None else "edits a migration that exists"


def _destructive(edit: Edit) -> Iterator[Touch]:
    if edit.new is None or _DOWN_FILE.search(edit.path):
        return
    undoing = _rows_that_do_not_run(edit.new_lines) | _scratch_drops(edit.new_lines)
    for row, says in hits(edit.added, _LOSES, undoing):
        line = edit.added.numbers[row]
        text = f"adds {says} in a migration"
        yield Touch(name="destructive-migration", level=3, path=edit.path, line=line, text=text)


_DROP = re.compile(r"DROP TABLE (?:IF EXISTS )?[`\"\[]?(_{0,4}te?mp_\w{1,80})")
_CREATE = re.compile(r"CREATE (?:TEMPORARY |TEMP )?TABLE (?:IF NOT EXISTS )?[`\"\[]?(\w{1,80})")


def _scratch_drops(lines: Sequence[str]) -> set[int]:
    """Numbers of the lines that drop nothing but one scratch table, which the same migration makes."""
    made = {match[1] for line in lines if "CREATE" in line for match in _CREATE.finditer(line[:300])}
    drops = ((number, _DROP.search(line[:300]), line) for number, line in enumerate(lines, 1) if "DROP" in line)
    return {number for number, match, line in drops if match and match[1] in made and line.count("DROP") == 1}


def _rows_that_do_not_run(lines: Sequence[str]) -> set[int]:
    """Numbers of the lines inside a `down` part, and inside Django's `state_operations`, which leave
    the tables alone."""
    idle: set[int] = set()
    down, depth = False, -1
    for number, line in enumerate(lines, 1):
        head = line[:300]
        down = (down or _DOWN.match(head) is not None) and _UP.match(head) is None
        indent = len(head) - len(head.lstrip())
        if depth >= 0 and indent <= depth and head.strip():
            depth = -1
        if depth < 0 and "state_operations" in head:
            depth = indent
        if down or depth >= 0:
            idle.add(number)
    return idle
