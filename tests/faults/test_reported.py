"""What went wrong in public in tools of the same kind, each kind as a test: here, or where `ROWS` says that it lies.

A report is named as repository#number. These go through the adapters; whole tickets by the command line are next door.
"""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import Repo, frozen
from vandal import snapshots, taken

from console.core.paths import text_of
from console.core.records import Assessment, Refused
from console.engine.assessment import assess_plan
from console.engine.ports import Landed, Moved

HERE = "faults/test_reported.py"
TICKETS = "faults/test_reported_tickets.py"
HOOKS = "adapters/test_hooks.py"
ROLLBACK = "adapters/test_rollback.py"
ROWS = (
    ("a stale index.lock stops a commit, or is deleted: lazygit#652, #2050, #5906",
     f"{HERE}::test_a_stale_index_lock_stops_no_landing_and_stays_where_it_is"),
    ("a pinentry fights the screen for its keys: lazygit#30, #3308, #4668; claude-code#30521",
     "adapters/test_signing.py::test_nothing_is_drawn_on_our_terminal_when_the_cache_is_empty"
     " e2e/test_screen.py::test_a_locked_gpg_key_is_unlocked_by_its_pinentry_on_this_terminal"),
    ("hooks of core.hooksPath are not run: gitui#808, #313, #1019",
     f"{TICKETS}::test_a_failing_hook_of_a_hooks_path_in_the_repository_is_red_and_says_so"),
    ("a hook that is cut off costs unstaged work: pre-commit#2694, #3305, #2473; pre-commit-hooks#1035;"
     " lint-staged#583, #880, #1311",
     f"{HOOKS}::test_a_run_that_is_cut_off_in_the_middle_leaves_nothing_and_can_be_run_again"
     f" {HOOKS}::test_pre_commit_fixes_passes_the_second_time_and_leaves_dirty_files_alone"),
    ("a hook adds a whole file, unstaged lines are committed: sourcegit#2409; fork-dev/Tracker#1780; GitUp#612",
     f"{TICKETS}::test_what_a_hook_adds_is_a_new_candidate_and_nothing_lands_unseen"),
    ("9 files staged, 482 committed: autonomous-dev#1564, #1722; aider#314, #1812",
     f"{HERE}::test_one_path_is_committed_beside_482_dirty_ones"),
    ("a background stash or reset wipes edits: claude-code#40697, #68315, #85879",
     f"{TICKETS}::test_a_ticket_on_a_dirty_tree_leaves_reflog_stash_index_and_bytes_alone"),
    ("files of an agent's worktree are copied over newer edits: claude-code#39514",
     f"{HERE}::test_an_edit_of_the_operators_during_a_turn_is_refused_by_name_and_survives_a_rollback"),
    ("an index of a session's own reverts the commits of others: claude-code#90943",
     f"{HERE}::test_a_commit_between_showing_and_approving_is_not_reverted"),
    ("a restore cleans a gigabyte of results away: copilot-cli#1675",
     f"{ROLLBACK}::test_output_that_is_too_big_to_undo_is_kept_and_named"),
    ("a restored .gitignore lets a clean delete ignored files: cline#14367",
     f"{ROLLBACK}::test_a_rewritten_gitignore_does_not_cost_ignored_files"),
    ("a rewind leaves files that came or went: entireio/cli#1408; gemini-cli#1111",
     f"{ROLLBACK}::test_files_created_and_deleted_after_the_snapshot"),
    ("an undo clobbers what was staged: codex#8303, #8214; gitbutler#13058",
     f"{ROLLBACK}::test_staged_and_unstaged_versions_of_a_file_survive"),
    ("checkpoints fill the disk, their refs break other clients: codex#29388, #19588, #28750, #28241",
     "adapters/test_snapshots.py::test_a_home_folder_is_refused"
     " adapters/test_snapshots.py::test_too_many_untracked_files_are_refused_with_the_cure"
     " adapters/test_snapshots.py::test_pipes_sockets_repositories_and_big_files_are_named_as_not_covered"
     f" {ROLLBACK}::test_operators_refs_stash_reflog_and_objects_are_not_touched"),
    ("core.fsmonitor runs when a session starts: mistral-vibe#962; atlascode#1918; paseo#4208",
     f"{TICKETS}::test_opening_a_hostile_repository_runs_nothing_of_it"),
    ("`[1]` in a name stages another file: t3code#3998; agent-fork#29",
     f"{TICKETS}::test_a_name_with_brackets_is_that_file_and_no_other"),
    ("LFS and CRLF ignored, a corrupt index, leaked processes, a crash at a name: GitPython#1290, #1189, #1208, #551;"
     " pydriller#144",
     f"{HERE}::test_line_endings_any_name_and_a_split_index_land_clean_and_no_process_stays"
     " adapters/test_content_lfs.py::test_the_pointer_is_committed_and_the_object_lands_first"),
    ("a credential in an add of 66 files: claude-code#89273",
     f"{HERE}::test_one_key_among_66_files_is_found_before_it_is_shown"),
    ("a repairing agent deletes the security tests: open-ace#2687",
     f"{HERE}::test_security_tests_made_green_by_deleting_them_want_more_than_a_key"),
    ("hooks fail in fresh worktrees, without node_modules: claude-code#59341; ai-driven-dev/framework#441",
     f"{HOOKS}::test_a_hook_has_the_ignored_dependencies_and_cannot_stage_them"
     f" {HOOKS}::test_a_hook_whose_dependency_is_missing_could_not_judge"),
)  # fmt: skip


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.with_files(tmp_path)


@pytest.mark.parametrize(("report", "tests"), ROWS)
def test_every_report_has_a_test(report: str, tests: str) -> None:
    for one in tests.split():
        file, _, name = one.partition("::")
        tree = ast.parse((Path(__file__).parents[1] / file).read_text())
        known = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert name in known, (report, one)


def test_a_stale_index_lock_stops_no_landing_and_stays_where_it_is(repo: Repo) -> None:
    # lazygit#652, #2050, #5906
    git = repo.plain()
    repo.write("a.txt", "agent\n")
    plan = frozen(git, repo.root, "a.txt")
    lock = repo.write(".git/index.lock", "somebody's")
    landed = git.land(plan)
    assert isinstance(landed, Landed) and repo.line("rev-parse", "main") == plan.commit
    assert "index is locked" in landed.index_note and "git reset -q -- <paths>" in landed.index_note
    assert lock.read_text() == "somebody's", "a lock is never deleted"
    lock.unlink()
    repo.git("reset", "-q", "--", "a.txt")
    assert repo.git("status", "--porcelain") == b"", "the cure that is named is one"


def test_one_path_is_committed_beside_482_dirty_ones(repo: Repo) -> None:
    # autonomous-dev#1564, #1722; aider#314, #1812
    for number in range(241):
        repo.write(f"tracked/{number}.txt", "clean\n")
    repo.commit("many")
    for number in range(241):
        repo.write(f"tracked/{number}.txt", "dirty\n")
        repo.write(f"untracked/{number}.txt", "untracked\n")
    repo.git("add", "tracked/0.txt", "untracked/0.txt")
    git = repo.plain()
    repo.write("a.txt", "agent\n")
    assert isinstance(git.land(frozen(git, repo.root, "a.txt")), Landed)
    assert repo.line("diff", "--name-only", "main~", "main") == "a.txt"
    left = repo.git("status", "--porcelain", "-uall").decode().splitlines()
    assert len(left) == 482 and {"M  tracked/0.txt", "A  untracked/0.txt"} <= set(left)


def test_an_edit_of_the_operators_during_a_turn_is_refused_by_name_and_survives_a_rollback(repo: Repo) -> None:
    # claude-code#39514
    git, shots = repo.plain(), snapshots(repo)
    shot = taken(shots, repo.root)
    repo.write("a.txt", "agent\n")
    plan = frozen(git, repo.root, "a.txt")
    repo.write("a.txt", "newer, by the operator\n")
    repo.write("mine.txt", "new, by the operator\n")
    assert git.drift(plan) == ("a.txt",), "the key is refused for it"
    listed = shots.changes(str(repo.root), shot.snapshot)
    assert listed == ("M a.txt", "D mine.txt"), "a person sees what a rollback would cost before it does"
    back = shots.restore(str(repo.root), shot.snapshot, 2)
    assert not isinstance(back, Refused) and set(back.changed) == set(listed)
    shots.restore(str(repo.root), back.undo.snapshot, 3)
    assert (repo.root / "a.txt").read_text() == "newer, by the operator\n"
    assert (repo.root / "mine.txt").read_text() == "new, by the operator\n"


def test_a_commit_between_showing_and_approving_is_not_reverted(repo: Repo) -> None:
    # claude-code#90943
    git = repo.plain()
    repo.write("a.txt", "agent\n")
    plan = frozen(git, repo.root, "a.txt")
    repo.write("other.txt", "by somebody else\n")
    repo.git("commit", "-q", "-m", "somebody else's", "other.txt")
    moved = git.land(plan)
    assert isinstance(moved, Moved) and moved.overlap == ()
    again = git.rebase(plan, moved.now, plan.when)
    assert not isinstance(again, Refused) and isinstance(git.land(again), Landed)
    assert repo.line("log", "--format=%s", "main") == "work\nsomebody else's\nfirst"
    assert repo.git("show", "main:other.txt") == b"by somebody else\n"
    assert repo.git("status", "--porcelain") == b""


def test_line_endings_any_name_and_a_split_index_land_clean_and_no_process_stays(repo: Repo) -> None:
    # GitPython#1290, #1189, #1208, #551; pydriller#144
    repo.write(".gitattributes", "*.txt text eol=crlf\n")
    repo.commit("rules")
    repo.git("update-index", "--split-index")
    name = os.fsdecode(b"\xff.txt")
    repo.write(name, b"one\r\ntwo\r\n")
    repo.write("a.txt", b"agent\r\n")
    git = repo.plain()
    before = children()
    plan = frozen(git, repo.root, "a.txt", text_of(os.fsencode(name)))
    for _ in range(20):
        git.diff(plan)
        git.contents(plan)
    assert isinstance(git.land(plan), Landed)
    assert children() == before
    assert repo.git("show", f"main:{name}") == b"one\ntwo\n"
    assert repo.git("status", "--porcelain") == b"" and repo.git("fsck", "--full", "--strict") == b""


def children() -> set[int]:
    """Processes that this one started."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(") ")[2].split()[1])
            except OSError:
                continue
            if parent == os.getpid():
                found.add(int(entry.name))
    return found


def test_one_key_among_66_files_is_found_before_it_is_shown(repo: Repo) -> None:
    # claude-code#89273
    names = [f"src/module_{number}.py" for number in range(66)]
    for name in names:
        repo.write(name, f"NAME = {name!r}\n")
    key = "AKIA" + "Q3Z7XK5M2N6P4R7T"
    repo.write(names[40], f"REGION = 'eu'\nKEY = '{key}'\n")
    found = judged(repo, *names)
    (secret,) = [one for one in found.findings if one.kind == "secret"]
    assert (secret.path, secret.line, secret.level) == (names[40], 2, "high") and key not in secret.text
    assert found.level == 3 and found.findings[0] == secret and "secrets" in found.classes


def test_security_tests_made_green_by_deleting_them_want_more_than_a_key(repo: Repo) -> None:
    # open-ace#2687
    repo.write(
        "tests/test_security.py",
        "def test_a_stranger_is_refused():\n    assert not login('stranger')\n\n\n"
        "def test_a_stale_token_is_refused():\n    assert not login('stale')\n",
    )
    repo.commit("tests")
    repo.write("tests/test_security.py", "def test_a_stranger_is_refused():\n    assert True\n")
    found = judged(repo, "tests/test_security.py")
    assert found.level == 3 and found.classes[0] == "gate-weakened"
    high = [one.rule for one in found.findings if one.kind == "tests" and one.level == "high"]
    assert found.findings[0].kind == "tests" and len(high) >= 2, found.findings
    assert not any("cheat" in one.text.lower() for one in found.findings)


def judged(repo: Repo, *paths: str) -> Assessment:
    git = repo.plain()
    return assess_plan(git, frozen(git, repo.root, *paths))
