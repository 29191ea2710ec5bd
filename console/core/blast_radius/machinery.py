"""Files that make machines act: pipelines and deployments, what judges the work, what runs where one develops."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from posixpath import dirname, join, normpath

from console.core.blast_radius import paths
from console.core.blast_radius.edits import ABSENT, EXECUTABLE, SYMLINK, Edit, is_comment, text_of
from console.core.blast_radius.touches import Touch

_CI = re.compile(
    r"^\.github/(?:workflows|actions)/|(?:^|/)action\.ya?ml$|(?:^|/)\.gitlab-ci[^/]*\.ya?ml$|(?:^|/)\.gitlab/ci/|"
    r"(?:^|/)Jenkinsfile[^/]*$|(?:^|/)(?:[\w.-]+\.)?(?:Dockerfile|Containerfile)(?:[.-][\w.-]+)?$|"
    r"(?:^|/)\.?(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$|\.(?:tf|tfvars|hcl)$|"
    r"(?:^|/)(?:helm|k8s|kubernetes|terraform|ansible|manifests|kustomize)/(?:[^/]+/)*[^/]+\.(?:ya?ml|tpl|j2|sh|json)$|"
    r"(?:^|/)(?:Chart\.yaml|fly(?:\.[\w-]+)?\.toml|vercel\.json|netlify\.toml|serverless\.ya?ml|render\.yaml|"
    r"cloudbuild\.ya?ml|skaffold\.ya?ml|railway\.(?:json|toml)|wrangler\.(?:toml|jsonc?)|Procfile|app\.yaml|"
    r"azure-pipelines[\w.-]*\.ya?ml|bitbucket-pipelines\.yml|appveyor\.yml|\.travis\.yml|\.drone\.yml|"
    r"\.goreleaser[\w.-]*\.ya?ml|\.semaphore/[^/]+|\.woodpecker[^/]*)$|(?:^|/)\.(?:circleci|buildkite|teamcity|kamal)/|"
    r"(?:^|/)config/deploy(?:\.\w+)?\.(?:rb|yml)$|(?:^|/)\.dockerignore$|(?:^|/)docker-entrypoint[\w.-]*$"
)
_GATE = re.compile(
    r"(?:^|/)(?:pytest\.ini|\.pytest\.ini|tox\.ini|noxfile\.py|\.coveragerc|mypy\.ini|\.mypy\.ini|"
    r"\.?ruff\.toml|\.flake8|\.?pylintrc|pyrightconfig\.json|\.bandit|\.importlinter|"
    r"(?:jest|vitest|playwright|cypress|karma|ava|wdio|eslint|stylelint|prettier|commitlint|knip)\.(?:config|conf|workspace)\.\w+|"
    r"\.(?:eslint|prettier|stylelint|mocha|nyc|c8|jshint|swc|lintstaged)(?:rc|ignore)(?:\.\w+)?|biome\.jsonc?|"
    r"tsconfig[\w.-]*\.json|jsconfig\.json|\.golangci\.(?:ya?ml|toml|json)|\.?clippy\.toml|\.?rustfmt\.toml|deny\.toml|"
    r"\.rubocop[\w.-]*\.yml|\.rspec|\.standard\.yml|\.erb-?lint\.yml|phpunit[\w.-]*\.xml(?:\.dist)?|phpstan[\w.-]*\.neon(?:\.dist)?|"
    r"\.?codecov\.ya?ml|\.codeclimate\.yml|sonar-project\.properties|checkstyle[\w.-]*\.xml|\.pre-commit-config\.yaml|"
    r"\.?lefthook[\w.-]*\.(?:ya?ml|toml|json))$|(?:^|/)\.husky/"
)
_RUNS = re.compile(
    r"^tasks\.py$|"
    r"(?:^|/)\.(?:claude|cursor|codex|gemini|windsurf|continue|roo|opencode|devcontainer|husky|nightdesk|zed|fleet)/|"
    r"(?:^|/)\.vscode/(?:tasks|settings|launch|mcp)\.json$|(?:^|/)[\w-]+\.code-workspace$|(?:^|/)\.idea/.*runConfigurations?/|"
    r"(?:^|/)\.(?:envrc|mcp\.json|cursorrules|windsurfrules|clinerules|aider\.conf\.yml|gitattributes|gitmodules|npmrc|"
    r"yarnrc(?:\.yml)?|pnpmfile\.cjs|devcontainer\.json|pre-commit-config\.yaml|lefthook[\w.-]*|lintstagedrc[\w.-]*|simple-git-hooks[\w.-]*|"
    r"tool-versions|mise\.toml|overcommit\.yml|vimrc|exrc|nvimrc|lldbinit|gdbinit|bazelrc|cargo/config(?:\.toml)?)$|"
    r"(?:^|/)(?:AGENTS(?:\.override)?|CLAUDE(?:\.local)?|GEMINI)\.md$|^\.github/copilot-instructions\.md$|"
    r"(?:^|/)(?:GNUmakefile|[Mm]akefile|[\w.-]+\.mk|[Jj]ustfile|Taskfile\.ya?ml|Rakefile|Vagrantfile|conftest\.py|setup\.py|"
    r"build\.rs|noxfile\.py|lefthook[\w.-]*\.(?:ya?ml|toml|json)|mise\.toml|sitecustomize\.py|usercustomize\.py|gradlew|mvnw|"
    r"Makefile\.\w+|[\w-]+\.pth|\.pnpmfile\.cjs|lint-staged\.config\.\w+)$|"
    r"(?:^|/)(?:gradle/wrapper|\.mvn|\.yarn/(?:plugins|releases|sdks)|\.githooks|githooks|git-hooks)/"
)
_FIXTURE = re.compile(
    r"(?:^|/)(?:fixtures|__fixtures__|testdata|test-data|test_data|__snapshots__|templates?|examples?|vendor)/"
)
_TOOL_TABLES = re.compile(
    r"\[+(?:tool\.(?:pytest|ruff|mypy|coverage|pyright|basedpyright|pylint|flake8|isort|black|tox|hatch\.envs|nox|bandit|importlinter|"
    r"djlint|ty)\b|tool:pytest|mypy|flake8|pycodestyle|pylint|coverage|isort|lints|workspace\.lints|testenv)"
)
_JUDGES = re.compile(
    r"\b(?:pytest|unittest|nox|tox|mypy|ruff|eslint|biome|jest|vitest|playwright|cypress|rspec|"
    r"rubocop|standardrb|mvnw?|gradlew?|pre-commit|golangci|clippy|phpunit|coverage|codeql|trufflehog|pip-audit)\b|"
    r"\bgo (?:test|vet)\b|\bcargo (?:test|check|fmt)\b|"
    r"\b(?:run|npm|pnpm|yarn|make|bun|rake|rails)[ :]+(?:test|lint|check|typecheck|ci|spec)"
)
_FURTHER = re.compile(
    r"[^\n]{0,400}?(?:\bpytest_\w|autouse|collect_ignore|\bsys\.|subprocess|\bos\.|\bexec\b|\beval\b|__import__|\bpytest\.skip|"
    r"importlib|socket|urllib|requests\.)|(?!def |class |async def |from |import |@|#|\)|\]|\}|pytest_plugins|\"|')\S"
)
_CHECK_SCRIPT = re.compile(r"^(?:test|lint|type-?check|check|ci|coverage|format|tsc|validate|verify)(?:$|:)")
_INSTALL_SCRIPTS = paths.terms("preinstall install postinstall prepare prepublish preprepare postprepare")
_BINARY_SEEN_IN = 8000
_LONGEST_MANIFEST = 1 << 20


def touches(edits: Sequence[Edit]) -> Iterator[Touch]:
    """ci-infra and runs-on-dev-machine (level 3), gate (level 2)."""
    for edit in edits:
        yield from _modes(edit)
        if not edit.changes_bytes:
            continue
        fixture = edit.name != "conftest.py" and _FIXTURE.search(edit.path) is not None
        if not fixture and edit.kind != "generated":
            yield from _paths(edit)
        if edit.name == "package.json" and not fixture:
            yield from _package(edit)
        elif edit.name in {"pyproject.toml", "setup.cfg", "Cargo.toml"} and edit.kind == "code":
            yield from _tool_tables(edit)


def _paths(edit: Edit) -> Iterator[Touch]:
    verb = "adds" if edit.old is None else "deletes" if edit.new is None else "edits"
    if edit.name == "conftest.py" and not _reaches_further(edit):
        text = f"{verb} fixtures that tests share"
        yield Touch(name="gate", level=2, path=edit.path, line=0, text=text)
        return
    if edit.path.startswith(".github/workflows/") and _JUDGES.search(f"{text_of(edit.old)}\n{text_of(edit.new)}"):
        text = f"{verb} a pipeline that runs tests or checks"
        yield Touch(name="gate", level=2, path=edit.path, line=0, text=text)
    for name, level, pattern, says in (
        ("ci-infra", 3, _CI, "what builds or deploys"),
        ("runs-on-dev-machine", 3, _RUNS, "what runs on the developer's machine"),
        ("gate", 2, _GATE, "the configuration of tests, lint, types or hooks"),
    ):
        if pattern.search(edit.path):
            yield Touch(name=name, level=level, path=edit.path, line=0, text=f"{verb} {says}")


def _reaches_further(edit: Edit) -> bool:
    """Whether a conftest.py does more than offer fixtures below: near the root, or a changed line is a hook,
    works for every test, or acts when it is imported."""
    if edit.path.count("/") <= 1:
        return True
    for lines in (edit.added, edit.removed):
        if any(_FURTHER.match(line[:400]) for line in lines.lines if not is_comment(line[:400])):
            return True
    return False


def _modes(edit: Edit) -> Iterator[Touch]:
    """A link that leaves the repository; a file that becomes executable and is no script.

    Text without a `#!` is most often a mode that came along from elsewhere; a binary is a program.
    """
    text, level = "", 3
    if edit.mode == SYMLINK and edit.new is not None and _leaves(edit.path, text_of(edit.new)):
        text = "adds a symbolic link that leaves the repository"
    elif edit.mode == EXECUTABLE and edit.origin_mode != EXECUTABLE and edit.new is not None and edit.new[:2] != b"#!":
        text = (
            "adds an executable file that is no script"
            if edit.old_mode == ABSENT
            else "makes a file that is no script executable"
        )
        level = 3 if b"\0" in edit.new[:_BINARY_SEEN_IN] else 2
    if text:
        yield Touch(name="runs-on-dev-machine", level=level, path=edit.path, line=0, text=text)


def _leaves(path: str, target: str) -> bool:
    return target.startswith("/") or normpath(join(dirname(path), target)).split("/")[0] == ".."


def _table(content: bytes | None) -> dict[str, object] | None:
    """A package.json as a mapping; empty when absent, None when it cannot be read."""
    if content is None:
        return {}
    if len(content) > _LONGEST_MANIFEST:
        return None
    try:
        read = json.loads(text_of(content))
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _scripts(table: dict[str, object]) -> dict[str, str]:
    scripts = table.get("scripts")
    return {name: str(body) for name, body in scripts.items()} if isinstance(scripts, dict) else {}


def _package(edit: Edit) -> Iterator[Touch]:
    old, new = _table(edit.old), _table(edit.new)
    if old is None or new is None:
        text = "a package.json that cannot be read: its scripts may have changed"
        yield Touch(name="runs-on-dev-machine", level=3, path=edit.path, line=0, text=text)
        return
    before, after = _scripts(old), _scripts(new)
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    if changed and edit.new is not None:
        install = [name for name in changed if name in _INSTALL_SCRIPTS and name in after]
        text = f"changes the scripts {', '.join(name[:40] for name in (install or changed)[:4])}"
        text += ", which run at every install" if install else ""
        yield Touch(name="runs-on-dev-machine", level=3, path=edit.path, line=_line_of(edit, '"scripts"'), text=text)
    checks = [key for key in ("jest", "eslintConfig", "lint-staged", "husky", "nyc") if old.get(key) != new.get(key)]
    if checks or any(_CHECK_SCRIPT.match(name) for name in changed):
        text = "edits the configuration of tests, lint, types or hooks"
        yield Touch(name="gate", level=2, path=edit.path, line=_line_of(edit, '"scripts"'), text=text)


def _line_of(edit: Edit, needle: str) -> int:
    return next((number for number, line in enumerate(edit.new_lines, 1) if needle in line), 0)


def _tool_tables(edit: Edit) -> Iterator[Touch]:
    for lines, numbers in ((edit.new_lines, edit.added.numbers), (edit.old_lines, edit.removed.numbers)):
        changed = set(numbers)
        inside = False
        for number, line in enumerate(lines, 1):
            if line.startswith("["):
                inside = _TOOL_TABLES.match(line[:200]) is not None
            if inside and number in changed and line.strip():
                text = "edits the configuration of tests, lint, types or hooks"
                yield Touch(name="gate", level=2, path=edit.path, line=number, text=text)
                return
