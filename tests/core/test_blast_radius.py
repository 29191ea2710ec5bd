"""The blast radius of a diff: what each class says yes and no to, and that no content makes it fail or hang."""

from __future__ import annotations

import csv
import json
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.core.blast_radius import CLASSES, Touch, classify
from console.core.blast_radius.edits import docstring_rows
from console.core.blast_radius.lines import compare

ROOT = Path(__file__).parents[2]
LABELLED = ROOT / "tests" / "data" / "risk" / "labelled.tsv"


@dataclass(frozen=True)
class Changed:
    path: str
    old: bytes | None
    new: bytes | None
    old_mode: str = "100644"
    mode: str = "100644"


def change(path: str, old: str | None, new: str | None, old_mode: str = "", mode: str = "") -> Changed:
    return Changed(
        path,
        None if old is None else old.encode(),
        None if new is None else new.encode(),
        old_mode or ("000000" if old is None else "100644"),
        mode or ("000000" if new is None else "100644"),
    )


def names(*changes: Changed) -> set[str]:
    return {touch.name for touch in classify(changes)}


CODE = "x = compute(1)\n"
DJANGO = "class Migration(migrations.Migration):\n    operations = [\n        {}\n    ]\n"
ALEMBIC = "def upgrade():\n    op.add_column('t', c)\n\n\ndef downgrade():\n    op.drop_column('t', 'c')\n"
STATE_ONLY = DJANGO.format(
    "migrations.SeparateDatabaseAndState(\n            state_operations=[\n"
    "                migrations.RemoveField('shop', 'x'),\n            ],\n        )"
)

YES = [
    ("migration", "app/migrations/0002_x.py", None, DJANGO.format("migrations.AddField()")),
    ("migration", "db/migrate/20260101_add.rb", None, "add_column :a, :b, :string\n"),
    ("migration", "alembic/versions/ab12_x.py", None, ALEMBIC),
    ("migration", "src/main/resources/db/V2__x.sql", None, "create table a (b int);\n"),
    ("migration", "prisma/schema.prisma", "model A {\n}\n", "model A {\n  b Int\n}\n"),
    ("migration", "db/structure.sql", "a\n", "b\n"),
    ("migration", "store/tables.go", "x\n", 'x\nconst ddl = `ALTER TABLE memo ADD y INT`\n'),
    ("destructive-migration", "migrations/3.sql", None, "DROP TABLE users;\n"),
    ("destructive-migration", "migrations/3.sql", None, "ALTER TABLE users DROP COLUMN name;\n"),
    ("destructive-migration", "migrations/3.sql", None, "TRUNCATE TABLE users;\n"),
    ("destructive-migration", "migrations/3.sql", None, "-- drop it\nDELETE FROM users;\n"),
    ("destructive-migration", "migrations/3.sql", None, "ALTER TABLE a ALTER COLUMN b TYPE text;\n"),
    ("destructive-migration", "app/migrations/0003_x.py", None, DJANGO.format("migrations.RemoveField('a', 'b')")),
    ("destructive-migration", "app/migrations/0003_x.py", None, DJANGO.format("migrations.DeleteModel('a')")),
    ("destructive-migration", "alembic/versions/1_x.py", None, "def upgrade():\n    op.drop_table('t')\n"),
    ("destructive-migration", "db/migrate/2_x.rb", None, "def change\n  remove_column :a, :b\nend\n"),
    ("destructive-migration", "migrations/4.sql", None, "CREATE TABLE tmp_a;\nDROP TABLE tmp_a; DROP TABLE a;\n"),
    ("api-contract", "api/openapi.yaml", "a: 1\n", "a: 2\n"),
    ("api-contract", "proto/shop.proto", "a\n", "b\n"),
    ("api-contract", "saleor/schema.graphql", "a\n", "b\n"),
    ("public-symbol-removed", "shop/cart.py", "def total():\n    return 1\n", "def _total():\n    return 1\n"),
    ("public-symbol-removed", "pkg/cart.go", "package cart\n\nfunc Total() int {\n}\n", "package cart\n"),
    ("public-symbol-removed", "src/cart.ts", "export function total() {}\n", "function total() {}\n"),
    ("public-symbol-removed", "src/lib.rs", "pub fn total() {}\n", "fn total() {}\n"),
    ("public-symbol-removed", "src/Cart.java", "public class Cart {\n}\n", "class Cart {\n}\n"),
    ("auth-security", "shop/auth/login.py", CODE, "x = compute(2)\n"),
    ("auth-security", "src/OAuthTokens.ts", CODE, "x = compute(2)\n"),
    ("auth-security", "lib/csrf.rb", CODE, None),
    ("auth-security", "auth/session/store.py", CODE, "x = expire(token)\n"),
    ("auth-security", "shop/views.py", CODE, CODE + "@csrf_exempt\ndef pay(request): ...\n"),
    ("auth-security", "shop/http.py", CODE, CODE + "get(url, verify=False)\n"),
    ("auth-security", "shop/run.py", CODE, CODE + "run(command, shell=True)\n"),
    ("auth-security", "pkg/net.go", "x\n", "x\nc := tls.Config{InsecureSkipVerify: true}\n"),
    ("auth-security", "shop/load.py", CODE, CODE + "pickle.loads(blob)\n"),
    ("auth-security", "src/a.js", CODE, CODE + "eval(text)\n"),
    ("auth-security", "shop/views.py", "@login_required\ndef pay(r): ...\n", "def pay(r): ...\n"),
    ("auth-security", "shop/views.py", "@login_required\ndef pay(r): ...\n", "def pay(r, x): ...\n"),
    ("auth-security", "app/a_controller.rb", "before_action :require_x\n", "before_action :require_x, only: :a\n"),
    ("money", "shop/billing.py", CODE, "x = compute(2)\n"),
    ("money", "shop/payment/gateway/base.py", CODE, "amount = 3\n"),
    ("money", "app/models/tax_rate.rb", CODE, "RATE = 0.05\n"),
    ("money", "shop/checkout/lines.py", CODE, "total = price * 2\n"),
    ("ci-infra", ".github/workflows/ci.yml", "a: 1\n", "a: 2\n"),
    ("ci-infra", "Dockerfile", "FROM a\n", "FROM b\n"),
    ("ci-infra", "deploy/api.Dockerfile", "FROM a\n", "FROM b\n"),
    ("ci-infra", "docker-compose.prod.yml", "a: 1\n", "a: 2\n"),
    ("ci-infra", "infra/main.tf", "a\n", "b\n"),
    ("ci-infra", "k8s/web.yaml", "a: 1\n", "a: 2\n"),
    ("deps", "uv.lock", "a\nb\n", "a\nc\n"),
    ("deps", "pyproject.toml", 'dependencies = [\n    "a>=1",\n]\n', 'dependencies = [\n    "a>=2",\n]\n'),
    ("deps", "package.json", '{"dependencies": {\n"a": "^1.0.0"\n}}', '{"dependencies": {\n"a": "^2.0.0"\n}}'),
    ("deps", "Cargo.toml", '[dependencies]\nserde = "1.0"\n', '[dependencies]\nserde = "1.1"\n'),
    ("deps", "go.mod", "require a.com/b v1.0.0\n", "require a.com/b v1.1.0\n"),
    ("deps", "requirements-dev.txt", "a==1\n", "a==2\n"),
    ("deps", "Gemfile", 'gem "a"\n', 'gem "a"\ngem "b"\n'),
    ("gate", "pytest.ini", "[pytest]\n", "[pytest]\naddopts = -q\n"),
    ("gate", "tsconfig.json", "{}\n", '{"strict": false}\n'),
    ("gate", "pyproject.toml", "[tool.ruff]\nline-length = 1\n", "[tool.ruff]\nline-length = 2\n"),
    ("gate", "package.json", '{"scripts": {"test": "jest"}}', '{"scripts": {"test": "true"}}'),
    ("gate", ".github/workflows/a.yml", "run: pytest\n", "run: pytest -x\n"),
    ("gate", "shop/tests/deep/conftest.py", "\n", "import pytest\n"),
    ("runs-on-dev-machine", ".vscode/tasks.json", None, "{}"),
    ("runs-on-dev-machine", ".envrc", None, "export A=1\n"),
    ("runs-on-dev-machine", ".mcp.json", "{}", '{"a": 1}'),
    ("runs-on-dev-machine", ".claude/settings.json", None, "{}"),
    ("runs-on-dev-machine", ".nightdesk/config.yaml", "gate: a\n", "gate: b\n"),
    ("runs-on-dev-machine", "AGENTS.md", "a\n", "b\n"),
    ("runs-on-dev-machine", "Makefile", "a:\n", "b:\n"),
    ("runs-on-dev-machine", "conftest.py", "a\n", "b\n"),
    ("runs-on-dev-machine", "tests/unit/deep/conftest.py", "a\n", "a\ndef pytest_configure(config): ...\n"),
    ("runs-on-dev-machine", "setup.py", "a\n", "b\n"),
    ("runs-on-dev-machine", "build.rs", "a\n", "b\n"),
    ("runs-on-dev-machine", ".gitattributes", None, "*.py diff=evil\n"),
    ("runs-on-dev-machine", ".npmrc", None, "registry=https://npm.evil.invalid/\n"),
    ("runs-on-dev-machine", ".husky/pre-commit", None, "#!/bin/sh\n"),
    ("runs-on-dev-machine", ".pre-commit-config.yaml", "a\n", "b\n"),
    ("runs-on-dev-machine", "lefthook.yml", "a\n", "b\n"),
    ("runs-on-dev-machine", "package.json", "{}", '{"scripts": {"postinstall": "node x.js"}}'),
    ("runs-on-dev-machine", "package.json", "{}", "{not json"),
    ("size", "shop/big.py", None, "".join(f"a{i} = 1\n" for i in range(801))),
    ("size", "shop/gone.py", "".join(f"a{i} = 1\n" for i in range(300)), None),
]  # fmt: skip

NO = [
    ("migration", "docs/migrations/how.sql", None, "CREATE TABLE a;\n"),
    ("migration", "tests/migrations/0001_x.py", None, "a\n"),
    ("migration", "src/card.tsx", "a\n", '<p className="truncate">ALTER</p>\n'),
    ("migration", "shop/migrations/__init__.py", None, "\n"),
    ("destructive-migration", "migrations/3.down.sql", None, "DROP TABLE users;\n"),
    ("destructive-migration", "alembic/versions/1_x.py", None, ALEMBIC),
    ("destructive-migration", "app/migrations/0003_x.py", None, STATE_ONLY),
    ("destructive-migration", "migrations/3.sql", None, "CREATE TABLE tmp_a (i INT);\nDROP TABLE tmp_a;\n"),
    ("destructive-migration", "migrations/3.sql", None, "-- DROP TABLE users;\nSELECT 1;\n"),
    ("destructive-migration", "migrations/3.sql", "DROP TABLE users;\n", "SELECT 1;\n"),
    ("api-contract", "config/locales/api.yml", "a\n", "b\n"),
    ("api-contract", "src/api/client.ts", "a\n", "b\n"),
    ("public-symbol-removed", "internal/cart.go", "package cart\nfunc Total() {}\n", "package cart\n"),
    ("public-symbol-removed", "cmd/x/main.go", "package main\nfunc Total() {}\n", "package main\n"),
    ("public-symbol-removed", "shop/cart.py", "def _total():\n    return 1\n", "\n"),
    ("public-symbol-removed", "tests/cart.py", "def total():\n    return 1\n", "\n"),
    ("public-symbol-removed", "shop/cart.py", "def total():\n    return 1\n", "def total(a):\n    return 2\n"),
    ("auth-security", "shop/author.py", CODE, "x = compute(2)\n"),
    ("auth-security", "shop/acl.py", CODE, "x = organization_id\n"),
    ("auth-security", "shop/roles.py", CODE, "x = compute(2)\n"),
    ("auth-security", "docs/auth.md", "a\n", "b\n"),
    ("auth-security", "tests/auth/test_login.py", CODE, "x = compute(2)\n"),
    ("auth-security", "locale/auth.py", CODE, "x = compute(2)\n"),
    ("auth-security", "src/gen/auth.ts", CODE, "x = compute(2)\n"),
    ("auth-security", "web/auth_pb.ts", CODE, "x = compute(2)\n"),
    ("auth-security", "shop/auth.py", CODE, CODE + "# a comment\n\nimport os\n"),
    ("auth-security", "shop/auth.py", CODE, "x = compute(1)  # why\n"),
    ("auth-security", "shop/auth.py", 'def f():\n    """One."""\n', 'def f():\n    """Two."""\n'),
    ("auth-security", "shop/auth.py", 'fail("you may not enter")\n', 'fail("you must not enter here")\n'),
    ("auth-security", "app/return_authorizations.rb", CODE, "x = compute(2)\n"),
    ("auth-security", "src/login/Page.tsx", "<div>\n", '<div style="top">\n'),
    ("auth-security", "shop/model.py", CODE, "model.eval()\n"),
    ("auth-security", ".rules.yaml", "a: 1\n", "a: never use shell=True\n"),
    ("auth-security", "shop/views.py", "@login_required\ndef pay(r): ...\n\n\nx = 1\n", "x = 1\n"),
    ("money", "shop/transaction.py", CODE, "x = compute(2)\n"),
    ("money", "shop/quota.py", CODE, "x = compute(2)\n"),
    ("money", "shop/credits.py", CODE, "x = compute(2)\n"),
    ("money", "shop/checkout/address.py", CODE, "address = compute(2)\n"),
    ("money", "templates/emails/invoice.html", "a\n", "total\n"),
    ("ci-infra", "src/deployment/plan.py", CODE, "x = 2\n"),
    ("ci-infra", "src/charts/line.ts", CODE, "x = 2\n"),
    ("ci-infra", ".github/ISSUE_TEMPLATE/bug.yml", "a\n", "b\n"),
    ("deps", "pyproject.toml", '[project]\nversion = "1.0"\n', '[project]\nversion = "1.1"\n'),
    ("deps", "Cargo.lock", 'name = "us"\nversion = "1.0"\n', 'name = "us"\nversion = "1.1"\n'),
    ("deps", "package.json", '{"scripts": {\n"test": "vite"\n}}', '{"scripts": {\n"test": "vitest run"\n}}'),
    ("gate", ".github/workflows/publish.yml", "run: twine upload\n", "run: twine upload x\n"),
    ("gate", "pyproject.toml", '[project]\nname = "a"\n', '[project]\nname = "b"\n'),
    ("runs-on-dev-machine", "tests/deep/er/conftest.py", "a = 1\n", "a = 1\n\n\ndef cart():\n    return 1\n"),
    ("runs-on-dev-machine", "tests/fixtures/Makefile", "a:\n", "b:\n"),
    ("runs-on-dev-machine", "shop/tasks.py", CODE, "x = 2\n"),
    ("size", "shop/big.py", None, "".join(f"a{i} = 1\n" for i in range(700))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "old", "new"), YES)
def test_a_change_of_the_class_is_named_with_its_level(name: str, path: str, old: str | None, new: str | None) -> None:
    found = [touch for touch in classify([change(path, old, new)]) if touch.name == name]
    assert found, names(change(path, old, new))
    assert {touch.level for touch in found} == {CLASSES[name]}
    assert all(touch.path == path or name == "size" for touch in found)


@pytest.mark.parametrize(("name", "path", "old", "new"), NO)
def test_a_change_that_only_looks_like_the_class_is_not_named(
    name: str, path: str, old: str | None, new: str | None
) -> None:
    assert name not in names(change(path, old, new))


def test_every_class_has_a_positive_row_and_a_negative_one_but_size_has_its_own() -> None:
    assert {row[0] for row in YES} == set(CLASSES) == {row[0] for row in NO}


def test_a_moved_file_adds_nothing_and_removes_nothing() -> None:
    body = "def total():\n    return eval(text)\n\n\nRATE = 0.19\n"
    assert names(change("shop/a.py", body, None), change("shop/b/c.py", None, body)) == set()


def test_a_symbol_that_moved_to_another_file_is_not_removed() -> None:
    old = "def total():\n    return 1\n"
    assert names(change("shop/a.py", old, "x = 1\n"), change("shop/b.py", "y = 1\n", "y = 1\n\n\n" + old)) == set()


def test_the_line_points_at_what_was_found() -> None:
    (touch,) = classify([change("shop/a.py", "a = 1\nb = 2\n", "a = 1\n\nrun(x, shell=True)\nb = 2\n")])
    assert touch == Touch(name="auth-security", level=3, path="shop/a.py", line=3, text="adds shell=True")


@pytest.mark.parametrize(
    ("mode", "content", "level"),
    [
        ("100755", b"\x7fELF\x02\0\0", 3),
        ("100755", b"a text\n", 2),
        ("100755", b"", 2),
        ("100755", b"#!/bin/sh\n", 0),
        ("120000", b"/etc/passwd", 3),
        ("120000", b"../../outside", 3),
        ("120000", b"../here/b", 0),
        ("100644", b"\x7fELF\x02\0\0", 0),
    ],
)
def test_executables_that_are_no_scripts_and_links_that_leave_are_named(mode: str, content: bytes, level: int) -> None:
    found = classify([Changed("bin/tool", None, content, "000000", mode)])
    assert max((touch.level for touch in found), default=0) == level
    assert {touch.name for touch in found} == ({"runs-on-dev-machine"} if level else set())


def test_a_mode_alone_is_a_change_and_a_file_that_was_executable_is_not_news() -> None:
    text = b"no script\n"
    assert [touch.level for touch in classify([Changed("a", text, text, "100644", "100755")])] == [2]
    binary = b"\x7fELF\0"
    assert [touch.level for touch in classify([Changed("a", binary, binary, "100644", "100755")])] == [3]
    assert classify([Changed("a", text, b"no script at all\n", "100755", "100755")]) == ()
    moved = [Changed("a", text, None, "100755", "000000"), Changed("b", None, text, "000000", "100755")]
    assert classify(moved) == ()


def test_a_lock_file_without_its_manifest_and_a_source_of_its_own_are_said() -> None:
    lock = change("web/package-lock.json", '"integrity": "a"\n', '"integrity": "b"\n')
    manifest = change("web/package.json", '{"dependencies": {\n"a": "1.0"}}', '{"dependencies": {\n"a": "1.1"}}')
    assert [touch.text for touch in classify([lock])] == ["changes a lock file, but not its manifest"]
    assert "changes a lock file with its manifest" in {touch.text for touch in classify([lock, manifest])}
    other = change("package.json", '{"dependencies": {\n}}', '{"dependencies": {\n"a": "git+ssh://git@h.invalid/a"\n}}')
    assert any("of its own" in touch.text for touch in classify([other]))
    old, new = "resolved https://one.invalid/a\n", "resolved https://one.invalid/a\nresolved https://two.invalid/b\n"
    assert "names a host that was not there: two.invalid" in {t.text for t in classify([change("yarn.lock", old, new)])}
    assert names(Changed("lib", b"", b"", "160000", "160000")) == {"deps"}


def test_many_files_are_a_size_and_the_gravest_class_comes_first() -> None:
    many = [change(f"shop/a{i}.py", None, "x = 1\n") for i in range(26)]
    found = classify([*many, change("Dockerfile", "a\n", "b\n"), change("uv.lock", "a\n", "b\n")])
    assert [touch.name for touch in found] == ["ci-infra", "deps", "size"]
    assert found[-1].text == "changes 28 files, 28 lines added and 2 removed"


@pytest.mark.parametrize(("name", "scenario"), [("retry", "fix-retry"), ("slugify", "fix-slugify")])
def test_the_diffs_of_the_demo_touch_nothing_special(name: str, scenario: str) -> None:
    old = (ROOT / "demo" / "repository" / "shop" / f"{name}.py").read_bytes()
    versions = sorted((ROOT / "demo" / "scenarios" / scenario).glob("*.py"))
    assert len(versions) >= 2
    for version in versions:
        assert classify([Changed(f"shop/{name}.py", old, version.read_bytes())]) == ()


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=14)


@given(LINES, LINES)
def test_the_lines_that_came_and_went_are_exactly_those_that_the_other_side_lacks(
    old: list[str], new: list[str]
) -> None:
    added, removed = compare(old, new)
    assert Counter(added.lines) == Counter(new) - Counter(old)
    assert Counter(removed.lines) == Counter(old) - Counter(new)
    assert [new[number - 1] for number in added.numbers] == list(added.lines)
    assert [old[number - 1] for number in removed.numbers] == list(removed.lines)


def test_docstrings_end_where_code_goes_on() -> None:
    lines = [
        '"""A',
        'b"""',
        "x = 1",
        "def f():",
        '    """One."""',
        "    y = '''no'''",
        "def g():",
        '    """',
        '    """; evil()',
    ]
    assert docstring_rows(lines) == {1, 2, 5, 8}


PATHS = st.one_of(
    st.text(min_size=1, max_size=40),
    st.sampled_from(sorted({row[1] for row in YES})),
)
FRAGMENTS = [part for row in YES for part in (row[2], row[3]) if part and len(part) < 2000]
CONTENT = st.one_of(
    st.none(),
    st.binary(max_size=300),
    st.lists(st.sampled_from(FRAGMENTS), max_size=4).map(lambda parts: "".join(parts).encode()),
    st.sampled_from(
        [b"\xff\xfea", b"\xfe\xff\x00", b"[" * 5000, b'{"scripts": ' * 2000, b"\x00" * 50, b'{"scripts": 3}']
    ),
)
MODES = st.sampled_from(["000000", "100644", "100755", "120000", "160000", ""])
CHANGES = st.lists(st.builds(Changed, PATHS, CONTENT, CONTENT, MODES, MODES), max_size=4)


@settings(max_examples=300, deadline=None)
@given(CHANGES)
def test_no_content_makes_it_fail_and_every_fact_is_in_the_table(changes: list[Changed]) -> None:
    paths = {"", *(changed.path for changed in changes)}
    for touch in classify(changes):
        assert touch.level == CLASSES[touch.name] or (touch.level == 2 and "no script" in touch.text)
        assert touch.path in paths
        assert touch.line >= 0
        assert touch.text


FIVE_MB = 5_000_000


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("shop/auth.py", b"x"),
        ("migrations/a.sql", b"ALTER COLUMN x "),
        ("package.json", b"["),
        ("Cargo.lock", b"https://a"),
        ("shop/tests/conftest.py", b'"'),
        (".github/workflows/a.yml", b"a "),
        ("shop/a.py", b"\xff"),
        ("requirements.txt", b"\n"),
    ],
)
def test_five_megabytes_take_a_moment(path: str, unit: bytes) -> None:
    content = (unit * (FIVE_MB // len(unit) + 1))[:FIVE_MB]
    start = time.process_time()
    classify([Changed(path, None, content)])
    assert time.process_time() - start < 3


def test_a_file_of_too_many_lines_is_said_to_be_read_as_one() -> None:
    found = classify([Changed("a.txt", None, b"\n" * 200_002)])
    assert [touch.name for touch in found] == ["size"]


def rows() -> list[dict[str, str]]:
    with LABELLED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_the_labelled_rows_are_whole_and_carry_no_code() -> None:
    for row in rows():
        assert row["class"] in CLASSES or row["class"] in {"secret-high", "secret-medium"}
        assert row["label"] in {"right", "wrong"}
        assert row["label"] == "right" or row["note"]
        assert len(row["commit"]) == 12
        assert int(row["commit"], 16) >= 0
        assert int(row["line"]) >= 0
        assert row["round"].isdigit()


def test_the_last_round_of_each_class_has_its_sample_and_is_precise_enough() -> None:
    for name in CLASSES:
        mine = [row for row in rows() if row["class"] == name]
        last = max(row["round"] for row in mine)
        labels = [row["label"] for row in mine if row["round"] == last]
        assert len(labels) == 16
        assert labels.count("right") >= 13, name


def test_the_levels_are_those_of_the_ruling() -> None:
    gravest = {"destructive-migration", "auth-security", "money", "ci-infra", "runs-on-dev-machine"}
    assert {name for name, level in CLASSES.items() if level == 3} == gravest
    assert set(CLASSES.values()) == {2, 3}


def test_a_package_json_as_large_as_allowed_is_read() -> None:
    body = {"scripts": {"test": "jest"}, "x": ["y" * 100] * 100}
    other = {**body, "scripts": {"test": "jest", "prepare": "node a.js"}}
    found = classify([change("package.json", json.dumps(body), json.dumps(other))])
    assert any("run at every install" in touch.text for touch in found)
