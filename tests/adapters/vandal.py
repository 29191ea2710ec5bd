"""An operator's repository with work of every kind in it, a turn that wrecks it, and pictures to compare."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from gitrepo import Repo

from console.adapters.git.binary import GitBinary
from console.adapters.git.shadow import Repository
from console.adapters.git.snapshots import ShadowSnapshots
from console.core.records import Refused
from console.engine.ports import RolledBack, Snapshot

WHEN = 1_700_000_000
ODD_NAME = os.fsdecode(b'odd \xff\nname\t"q".txt')
Picture = dict[str, tuple[str, int, bytes]]


def snapshots(repo: Repo) -> ShadowSnapshots:
    return ShadowSnapshots(Repository(repo.workspace(), repo.state, GitBinary(repo.environ), repo.environ))


def taken(shots: ShadowSnapshots, root: Path, name: str = "s-1/1", when: int = WHEN) -> Snapshot:
    found = shots.take(str(root), name, when)
    assert not isinstance(found, Refused), found
    return found


def rolled_back(shots: ShadowSnapshots, root: Path, snapshot: str, when: int = WHEN + 60) -> RolledBack:
    found = shots.restore(str(root), snapshot, when)
    assert not isinstance(found, Refused), found
    return found


def picture(root: Path, *without: str) -> Picture:
    """{path: (kind, permission bits, bytes or target)} of everything but git folders and `without`."""
    found: Picture = {}
    for folder, names, files in os.walk(root):
        below = os.path.relpath(folder, root)
        names[:] = [one for one in names if one != ".git" and os.path.normpath(f"{below}/{one}") not in without]
        for name in (*names, *files):
            if name == ".git":
                continue
            path = os.path.join(folder, name)
            status = os.lstat(path)
            kind = "link" if stat.S_ISLNK(status.st_mode) else "dir" if stat.S_ISDIR(status.st_mode) else "file"
            body = os.fsencode(os.readlink(path)) if kind == "link" else b""
            if stat.S_ISREG(status.st_mode):
                body = Path(path).read_bytes()
            found[os.path.normpath(f"{below}/{name}")] = (kind, stat.S_IMODE(status.st_mode), body)
    return found


def operator_at_work(place: Path, *init: str) -> Repo:
    """Committed files of all kinds, then dirty, staged, staged and dirty, deleted, untracked, ignored ones."""
    repo = Repo.make(place, *init)
    repo.write(".gitignore", "*.log\n.env\nnode_modules/\nbuild/\n")
    repo.write(".gitattributes", "* text=auto\n*.bin -text\n")
    repo.write("crlf.txt", b"one\r\ntwo\r\n")
    for name in ("app.py", "lib/util.py", "lib/deep/er/x.py", "docs/a.md", "docs/b.md", "gone.txt", "both.txt"):
        repo.write(name, f"first version of {name}\n")
    repo.write("docs/.gitignore", "*.tmp\n")
    repo.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    (repo.root / "link").symlink_to("app.py")
    repo.write("forced.log", "tracked although ignored\n")
    repo.git("add", "-f", "forced.log")
    repo.commit("first")
    repo.write("app.py", "stashed\n")
    repo.git("stash")
    repo.write("app.py", "operator's dirty edit\n")
    repo.write("crlf.txt", b"one\r\ntwo\r\nthree\r\n")
    repo.write("lib/util.py", "operator's staged edit\n")
    repo.git("add", "lib/util.py")
    repo.write("both.txt", "staged\n")
    repo.git("add", "both.txt")
    repo.write("both.txt", "and dirty\n")
    (repo.root / "gone.txt").unlink()
    repo.write("notes/todo.txt", "untracked\n")
    repo.write("secret.key", "untracked, mine alone\n").chmod(0o600)
    repo.write(ODD_NAME, "odd\n")
    repo.write(".env", "PASSWORD=1\n")
    repo.write("forced.log", "tracked, ignored and dirty\n")
    repo.write("server.log", "ignored\n")
    repo.write("node_modules/left-pad/index.js", "ignored\n")
    (repo.root / "empty" / "deep").mkdir(parents=True)
    return repo


def vandal_turn(repo: Repo) -> None:
    """Everything that an agent did to a worktree in the reports, in one turn."""
    root = repo.root
    repo.write("app.py", "vandal\n")
    (root / "both.txt").unlink()
    (root / "run.sh").chmod(0o644)
    (root / "secret.key").chmod(0o644)
    (root / "docs" / "a.md").unlink()
    repo.write("docs/a.md/now/a/folder.txt", "vandal\n")
    shutil.rmtree(root / "lib")
    (root / "lib").symlink_to("/etc")
    repo.write(".gitignore", "!.env\n!node_modules/\nhidden/\n*.secret\n")
    repo.write("docs/.gitignore", "*.md\n")
    repo.write("hidden/payload.sh", "vandal\n")
    repo.write("x.secret", "vandal\n")
    repo.write("selfhidden/.gitignore", "*\n")
    repo.write("selfhidden/payload.sh", "vandal\n")
    repo.write(".gitattributes", "* text eol=crlf filter=evil ident working-tree-encoding=latin1\n")
    repo.write("crlf.txt", b"one\ntwo\n")
    repo.write("gone.txt", "back again\n")
    repo.write("build/out.o", "made during the turn, ignored under the operator's rules\n")
    repo.write("later.log", "made during the turn, ignored under the operator's rules\n")
    (root / "link").unlink()
    (root / "link").symlink_to("/etc/passwd")
    shutil.rmtree(root / "empty")
    shutil.rmtree(root / "notes")
    repo.write("notes", "a file now\n")
    repo.write("new/by/agent.txt", "vandal\n")
    (root / "new" / "link").symlink_to("agent.txt")
    (root / ODD_NAME).write_bytes(b"vandal\n")
    repo.git("rm", "-q", "--cached", "forced.log")
    repo.git("add", "-f", "app.py", "new", ".env")
    repo.git("update-index", "--assume-unchanged", "crlf.txt")
    (root / ".git" / "info" / "exclude").write_text("new/\n*.txt\n")
    repo.git("init", "-q", "inner")
    repo.write("inner/file.txt", "in a repository of its own\n")
