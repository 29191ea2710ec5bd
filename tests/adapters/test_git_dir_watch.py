"""What changed in a git dir since the baseline, told key by key, and put back exactly."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from gitrepo import Repo, added, canary, refused

from console.adapters.git.watching import Watch
from console.core.records import RepoChange
from console.engine.ports import Look


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.fixture
def watch(repo: Repo) -> Watch:
    made = Watch(repo.plain().repository)
    assert made.rebase() is None
    return made


def looked(watch: Watch, *own: str) -> Look:
    look = watch.look(frozenset(own), strict=True)
    assert isinstance(look, Look), look
    return look


def rows(look: Look) -> list[tuple[str, str]]:
    return [(one.item, one.severity) for one in look.changes]


def only(look: Look) -> RepoChange:
    assert len(look.changes) == 1, look.changes
    return look.changes[0]


def restored(watch: Watch, look: Look, *refs: str) -> str:
    notes = watch.restore(look.baseline, look.seen, frozenset(refs))
    assert isinstance(notes, tuple), notes
    return "\n".join(notes)


def hook(repo: Repo, name: str, where: str = ".git/hooks") -> Path:
    path = repo.write(f"{where}/{name}", "#!/bin/sh\necho evil\n")
    path.chmod(0o755)
    return path


def test_nothing_changed_is_no_change_and_the_first_look_makes_the_baseline(repo: Repo) -> None:
    watch = Watch(repo.plain().repository)
    first = looked(watch)
    assert first.baseline == first.seen != "" and first.changes == ()
    repo.write("a.txt", "work\n")
    repo.git("status")
    assert looked(watch) == first
    assert looked(Watch(repo.plain().repository)) == first


def test_fsmonitor_set_during_a_turn_is_one_change_and_restored_byte_for_byte(repo: Repo, watch: Watch) -> None:
    config = repo.root / ".git/config"
    with config.open("a") as file:
        file.write("# a comment of the operator\n")
    watch.rebase()
    before, mode = config.read_bytes(), config.stat().st_mode
    repo.git("config", "core.fsmonitor", "/tmp/evil")
    look = looked(watch)
    assert only(look) == RepoChange(item="config core.fsmonitor", severity="runs", before="", after="/tmp/evil")
    assert "put config back" in restored(watch, look)
    assert (config.read_bytes(), config.stat().st_mode) == (before, mode)
    assert looked(watch).changes == ()


@pytest.mark.parametrize(
    ("key", "value", "severity"),
    [
        ("core.fsmonitor", "true", "note"), ("core.hooksPath", "x", "runs"), ("core.sshCommand", "x", "runs"),
        ("core.editor", "x", "runs"), ("core.pager", "x", "runs"), ("core.askPass", "x", "runs"),
        ("filter.x.clean", "x", "runs"), ("filter.x.process", "x", "runs"), ("diff.external", "x", "runs"),
        ("diff.x.command", "x", "runs"), ("diff.x.textconv", "x", "runs"), ("merge.x.driver", "x", "runs"),
        ("gpg.program", "x", "runs"), ("gpg.ssh.program", "x", "runs"), ("gpg.ssh.defaultKeyCommand", "x", "runs"),
        ("alias.st", "!evil", "runs"), ("alias.st", "status", "note"), ("alias.st", "-c core.pager=x log", "runs"),
        ("credential.helper", "x", "runs"), ("credential.https://x.helper", "x", "runs"), ("pager.log", "x", "runs"),
        ("sequence.editor", "x", "runs"), ("difftool.x.cmd", "x", "runs"), ("remote.o.uploadpack", "x", "runs"),
        ("remote.o.url", "ext::sh -c evil", "runs"), ("remote.o.url", "https://x", "lies"),
        ("remote.o.pushurl", "https://x", "lies"), ("url.https://x.insteadOf", "https://y", "lies"),
        ("user.name", "x", "lies"), ("user.signingKey", "x", "lies"), ("core.worktree", "/tmp", "lies"),
        ("core.excludesFile", "x", "lies"), ("core.attributesFile", "x", "lies"), ("core.trustctime", "false", "lies"),
        ("extensions.worktreeConfig", "true", "lies"), ("extensions.partialClone", "o", "runs"),
        ("i18n.commitEncoding", "latin1", "lies"), ("diff.noprefix", "true", "lies"), ("color.ui", "always", "lies"),
        ("submodule.x.update", "!evil", "runs"), ("trailer.x.command", "x", "runs"), ("commit.template", "x", "lies"),
        ("protocol.ext.allow", "always", "runs"), ("status.showUntrackedFiles", "no", "lies"),
        ("commit.gpgSign", "false", "lies"), ("branch.main.description", "text", "note"), ("my.own", "1", "note"),
    ],
)  # fmt: skip
def test_what_a_key_can_do(key: str, value: str, severity: str) -> None:
    from console.adapters.git.gitconfig import severity as judged

    assert judged(key, (value,)) == severity


def test_a_key_taken_away_is_told_and_secrets_are_not(repo: Repo, watch: Watch) -> None:
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "filter.x.clean", "tidy")
    repo.git("config", "remote.o.url", "https://ada:hunter2@example.com/x")
    repo.git("config", "http.https://example.com/.extraheader", "AUTHORIZATION: basic c2VjcmV0")
    shown = repr(looked(watch).changes)
    assert "hunter2" not in shown and "c2VjcmV0" not in shown and "https://***@example.com/x" in shown
    watch.rebase()
    repo.git("config", "--unset", "commit.gpgSign")
    repo.git("config", "--unset", "filter.x.clean")
    assert rows(looked(watch)) == [("config commit.gpgsign", "lies"), ("config filter.x.clean", "lies")]


def test_an_included_file_is_watched_too(repo: Repo, watch: Watch) -> None:
    repo.write(".git/more", "[core]\n pager = less\n")
    repo.git("config", "includeIf.onbranch:never.path", "more")
    watch.rebase()
    repo.write(".git/more", "[core]\n pager = evil\n")
    look = looked(watch)
    assert rows(look) == [("config core.pager (more)", "runs")]
    assert "put more back" in restored(watch, look)
    assert (repo.root / ".git/more").read_text() == "[core]\n pager = less\n"


def test_a_broken_configuration_is_one_change_and_can_be_restored(repo: Repo, watch: Watch) -> None:
    before = (repo.root / ".git/config").read_bytes()
    repo.write(".git/config", "[broken\n")
    look = looked(watch)
    assert only(look).item == "config file config is broken" and only(look).severity == "lies"
    assert "bad config line 1" in only(look).after
    restored(watch, look)
    assert (repo.root / ".git/config").read_bytes() == before
    repo.git("status")


def test_a_configuration_changed_again_is_not_overwritten_and_says_which_keys(repo: Repo, watch: Watch) -> None:
    repo.git("config", "core.fsmonitor", "/tmp/evil")
    look = looked(watch)
    repo.git("config", "user.name", "Operator's own")
    now = (repo.root / ".git/config").read_bytes()
    notes = restored(watch, look)
    assert "changed again" in notes and "core.fsmonitor" in notes and "--edit" in notes
    assert (repo.root / ".git/config").read_bytes() == now


def test_a_lock_on_the_configuration_is_respected(repo: Repo, watch: Watch) -> None:
    repo.git("config", "core.fsmonitor", "/tmp/evil")
    look = looked(watch)
    lock = repo.write(".git/config.lock", "")
    assert "config.lock is there" in restored(watch, look)
    lock.unlink()
    assert "put config back" in restored(watch, look)
    assert not lock.exists()


def test_an_added_hook_is_moved_away_and_an_edited_one_put_back(repo: Repo, watch: Watch) -> None:
    edited = hook(repo, "commit-msg")
    watch.rebase()
    before = edited.read_bytes()
    edited.write_text("#!/bin/sh\nevil\n")
    new = hook(repo, "pre-commit")
    look = looked(watch)
    assert rows(look) == [("hook commit-msg", "runs"), ("hook pre-commit", "runs")]
    notes = restored(watch, look)
    assert not new.exists() and edited.read_bytes() == before and os.access(edited, os.X_OK)
    kept = [path.read_text() for path in (repo.state / "fingerprints/removed").glob("*/*")]
    assert sorted(kept) == ["#!/bin/sh\necho evil\n", "#!/bin/sh\nevil\n"] and "removed" in notes
    assert looked(watch).changes == ()


def test_a_hook_that_becomes_executable_runs(repo: Repo, watch: Watch) -> None:
    path = repo.write(".git/hooks/pre-push", "#!/bin/sh\n")
    watch.rebase()
    path.chmod(0o755)
    look = looked(watch)
    assert rows(look) == [("hook pre-push", "runs")]
    restored(watch, look)
    assert path.stat().st_mode & 0o777 == 0o644


def test_the_folder_of_hooks_inside_the_repository_is_watched(repo: Repo, watch: Watch) -> None:
    hook(repo, "pre-commit", ".husky")
    repo.git("config", "core.hooksPath", ".husky")
    watch.rebase()
    repo.write(".husky/_/helper.sh", "evil\n")
    look = looked(watch)
    assert rows(look) == [(f"hook _/helper.sh ({repo.root}/.husky)", "runs")]
    restored(watch, look)
    assert not (repo.root / ".husky/_/helper.sh").exists()


def test_replace_refs_alternates_grafts_and_attributes_lie_and_are_put_back(repo: Repo, watch: Watch) -> None:
    head = repo.line("rev-parse", "HEAD")
    other = repo.line("commit-tree", "-m", "x", "HEAD^{tree}")
    repo.git("replace", head, other)
    repo.write(".git/objects/info/alternates", "/tmp\n")
    repo.write(".git/info/grafts", f"{head}\n")
    repo.write(".git/info/attributes", "* filter=x\n")
    repo.write(".git/info/exclude", "*\n")
    repo.write(".git/shallow", f"{head}\n")
    look = looked(watch)
    assert rows(look) == [
        ("file info/attributes", "lies"), ("file info/exclude", "lies"), ("file info/grafts", "lies"),
        ("file objects/info/alternates", "lies"), ("file shallow", "lies"), (f"ref refs/replace/{head}", "lies"),
    ]  # fmt: skip
    restored(watch, look)
    assert looked(watch).changes == ()
    assert repo.line("replace", "-l") == ""


# -- index, locks, places


def test_hidden_files_in_the_index_are_told_and_made_visible(repo: Repo, watch: Watch) -> None:
    repo.git("update-index", "--assume-unchanged", "a.txt")
    repo.git("update-index", "--skip-worktree", "other.txt")
    look = looked(watch)
    assert rows(look) == [
        (f"index flag assume-unchanged a.txt ({repo.root})", "lies"),
        (f"index flag skip-worktree other.txt ({repo.root})", "lies"),
    ]
    assert "--no-skip-worktree -- other.txt" in look.changes[1].cure
    repo.write("a.txt", "hidden\n")
    assert repo.git("status", "--porcelain") == b""
    restored(watch, look)
    assert repo.git("status", "--porcelain") == b" M a.txt\n"
    assert looked(watch).changes == ()


def test_a_left_lock_is_named_with_who_holds_it(repo: Repo, watch: Watch) -> None:
    lock = repo.write(".git/index.lock", "")
    repo.write(".git/refs/heads/main.lock", "")
    look = looked(watch)
    assert rows(look) == [("lock index.lock", "lock"), ("lock refs/heads/main.lock", "lock")]
    cure = look.changes[0].cure
    assert f"mv {lock} {repo.root / '.git' / lock.name}.old" in cure and "no process holds it" in cure
    with lock.open("w"):
        assert f"pid {os.getpid()} " in looked(watch).changes[0].cure
    restored(watch, look)
    assert lock.exists()


def test_a_swapped_git_dir_is_told_and_never_written_to(repo: Repo, watch: Watch) -> None:
    git_dir = repo.root / ".git"
    git_dir.rename(repo.root / "away")
    subprocess.run(["cp", "-a", repo.root / "away", git_dir], check=True)
    repo.git("config", "core.fsmonitor", "/tmp/evil")
    look = looked(watch)
    assert (f"place {git_dir}", "lies") in rows(look)
    result = watch.restore(look.baseline, look.seen)
    assert "another folder" in refused(result).reason
    assert repo.line("config", "core.fsmonitor") == "/tmp/evil"


def test_submodules_and_worktrees_are_watched(repo: Repo, watch: Watch, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    lib = Repo.with_files(tmp_path / "lib")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lib.root), "sub/lib")
    ticket = added(repo.plain(), "t", "nightdesk/t")
    found = rows(looked(watch))
    assert ("submodule sub/lib added", "note") in found and ("worktree t added", "note") in found
    assert [row for row in found if row[1] in ("runs", "moved")] == []
    watch.rebase()
    repo.git("config", "core.fsmonitor", "/tmp/evil", cwd=repo.root / "sub/lib")
    Path(ticket.path, ".git").write_text("gitdir: /tmp/evil/.git\n")
    repo.write("sub/lib/.git", "gitdir: /tmp/evil/.git\n")
    repo.write(".git/worktrees/t/commondir", "/tmp/evil\n")
    hook(repo, "post-checkout", ".git/modules/sub/lib/hooks")
    look = looked(watch)
    assert rows(look) == [
        ("config core.fsmonitor (modules/sub/lib/config)", "runs"), (f"file {ticket.path}/.git", "runs"),
        (f"file {repo.root}/sub/lib/.git", "runs"),
        ("file worktrees/t/commondir", "runs"), ("hook post-checkout (modules/sub/lib/hooks)", "runs"),
    ]  # fmt: skip
    restored(watch, look)
    assert looked(watch).changes == ()


# -- adopting


def test_adopting_makes_what_was_seen_the_baseline_and_tells_what_changed_since(repo: Repo, watch: Watch) -> None:
    repo.git("config", "core.pager", "less")
    look = looked(watch)
    repo.git("config", "core.fsmonitor", "/tmp/evil")
    assert watch.adopt(look.seen) == ("config core.fsmonitor changed again since: it is not adopted",)
    assert rows(looked(watch)) == [("config core.fsmonitor", "runs")]
    assert "gone or damaged" in refused(watch.adopt("0" * 20)).reason


def test_nothing_of_the_repository_runs_while_it_is_watched(repo: Repo, watch: Watch, tmp_path: Path) -> None:
    program, mark = canary(tmp_path, "fsmonitor")
    for key in ("core.fsmonitor", "core.pager", "core.hooksPath", "diff.external", "include.path"):
        repo.git("config", key, str(program))
    repo.git("config", "alias.config", f"!{program}", ok=False)
    look = looked(watch)
    restored(watch, look)
    assert not mark.exists() and looked(watch).changes == ()
