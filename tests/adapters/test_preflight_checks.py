"""The preflight's checks on given facts: every one is always made, and each says what is wrong, where, and the cure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preflight_facts import SETTINGS, healthy, load, said, waiting, worst

from console.adapters import trust
from console.adapters.preflight import CHECKS, preflight, standing
from console.adapters.preflight.facts import GB, Facts, Machine, Probe, Queue, Repo, Room, some
from console.core.drain import Run
from console.core.records import Gate, Refused, RunSettings, Who


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    return healthy(load(tmp_path))


def test_a_healthy_workspace_is_go_with_a_line_for_everything(facts: Facts) -> None:
    made = preflight(facts)
    assert made.go and made.warnings == () and made.refusals == 0
    assert {one.name for one in made.checks} == {
        *("settings", "trust", "identity", "workspace", "agent codex", "git", "files", "disk", "state"),
        *("gate", "memory", "sandbox", "login", "credentials", "tickets", "reviews", "notices"),
    }


def test_when_everything_is_wrong_everything_is_said(tmp_path: Path) -> None:
    f = Facts(
        loaded=load(tmp_path, gate="curl x", presets={"codex": {"command": "codex"}}),
        trusted=False,
        uid=0,
        user="root",
        environ={},
        sessions=2,
        probes={"codex": Probe(found=Refused(reason="'codex' is not on the PATH"))},
        repo=Repo(trouble="the git dir is gone"),
        machine=Machine(
            rooms=(Room(what="worktrees", place="/data", free=0, growing=True),),
            unwritable="read-only",
            kind="nfs4",
            memory=1,
            sandbox=Refused(reason="there is no sandbox"),
        ),
        queue=Queue(trouble="the tickets folder is outside"),
    )
    made = preflight(f)
    refused = [one.name for one in made.checks if one.level == "no-go"]
    assert set(refused) == {
        *("trust", "identity", "agent codex", "git", "disk", "state", "gate", "memory", "sandbox", "tickets"),
    }
    assert made.refusals == len(refused) and not made.go


def test_every_check_is_made_even_with_settings_that_cannot_be_read(tmp_path: Path) -> None:
    f = replace(healthy(load(tmp_path, data={"gaet": 1, "limits": {"sessions": 0}})), trusted=False)
    assert [one.level for one in said(f, "settings")] == ["no-go", "no-go"]
    assert "limits.sessions" in said(f, "settings")[1].text and ":3:" in said(f, "settings")[1].text
    assert worst(f, "trust").level == "no-go"
    assert worst(f, "git").level == "ok" and worst(f, "memory").level == "ok"
    assert len(CHECKS) == 18


# -- who and where ---------------------------------------------------------------------------------------


def test_changed_settings_are_no_go_until_trusted(facts: Facts) -> None:
    check = worst(replace(facts, trusted=False), "trust")
    assert check.level == "no-go" and "`nightdesk trust`" in check.cure


def test_without_a_file_there_is_nothing_to_trust(tmp_path: Path) -> None:
    f = replace(healthy(trust.load(tmp_path)), trusted=True)
    assert worst(f, "trust").level == "ok" and worst(f, "settings").level == "warning"


def test_root_wants_the_settings_and_their_trust(tmp_path: Path) -> None:
    plain, allowed = load(tmp_path / "a"), load(tmp_path / "b", identity={"allow_root": True})
    assert worst(replace(healthy(plain), uid=0), "identity").level == "no-go"
    assert worst(replace(healthy(allowed), uid=0), "identity").level == "warning"
    assert worst(replace(healthy(allowed), uid=0, trusted=False), "identity").level == "no-go"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()


def test_root_is_told_what_is_really_missing(tmp_path: Path) -> None:
    allowed = load(tmp_path, identity={"allow_root": True})
    wrong = load(tmp_path / "b", identity={"allow_root": True}, nonsense=1)
    f = replace(healthy(allowed), uid=0, user="root", trusted=False)
    assert "nightdesk trust" in worst(f, "identity").cure
    cure = worst(replace(f, loaded=wrong), "identity").cure
    assert "correct the settings" in cure and "set `identity" not in cure


def test_only_the_user_that_is_named_starts_a_run(tmp_path: Path) -> None:
    loaded = load(tmp_path, identity={"user": "night"})
    check = worst(healthy(loaded), "identity")
    assert check.level == "no-go" and "night" in check.text and "ada" in check.text
    assert worst(replace(healthy(loaded), user="night"), "identity").level == "ok"


def run_of(digest: str) -> Run:
    return Run(run="run-1", settings=RunSettings(digest=digest), by=Who(user="ada"), started_at=0, seq=1)


def test_a_run_under_way_is_busy_and_no_refusal(facts: Facts) -> None:
    made = preflight(replace(facts, supervised=True, holder="pid 7", run=run_of("")))
    assert "run-1" in made.busy and "pid 7" in made.busy
    assert not made.go and made.refusals == 0


def test_an_idle_supervisor_is_in_nobodys_way(facts: Facts) -> None:
    made = preflight(replace(facts, supervised=True, holder="pid 7"))
    assert made.go and "pid 7" in said(replace(facts, supervised=True, holder="pid 7"), "workspace")[0].text


def test_a_run_that_was_left_open_is_gone_on_with(facts: Facts) -> None:
    same = worst(replace(facts, run=run_of(facts.loaded.digest)), "workspace")
    other = worst(replace(facts, run=run_of("f" * 64)), "workspace")
    assert same.level == other.level == "warning" and "HALTED" not in same.cure and "HALTED" in other.cure
    assert preflight(replace(facts, run=run_of("f" * 64))).go


# -- agents ----------------------------------------------------------------------------------------------


def test_an_agent_must_be_named_and_known(tmp_path: Path) -> None:
    two = {"x": {"command": ["x"]}, "y": {"command": ["y"]}}
    nobody = worst(healthy(load(tmp_path, data={"presets": two})), "agent")
    assert nobody.level == "no-go" and "x, y" in nobody.text and "`agent:`" in nobody.cure
    unknown = worst(replace(healthy(load(tmp_path)), agent="claude"), "agent")
    assert unknown.level == "no-go" and "'claude'" in unknown.text


def test_the_presets_of_the_tickets_count_too(facts: Facts) -> None:
    queue = Queue(waiting=(waiting("t-1", agent="shy"), waiting("t-2", agent="nobody"), waiting("t-3", agent="nobody")))
    f = replace(facts, queue=queue)
    assert "t-2, t-3" in worst(f, "agent").text
    assert "t-1" in worst(f, "agent shy").text
    assert worst(f, "agent codex").level == "ok"


def test_a_preset_that_only_some_tickets_name_blocks_these_and_not_the_night(facts: Facts) -> None:
    queue = Queue(waiting=(waiting("t-1"), waiting("t-2", agent="nobody"), waiting("t-3", agent="shy")))
    f = replace(facts, queue=queue)
    made = preflight(f)
    assert made.go and made.unfit == {"shy"}
    for name, ticket in (("agent", "t-2"), ("agent shy", "t-3")):
        check = worst(f, name)
        assert check.level == "warning" and check.text.endswith(f"BLOCKED_ENV: {ticket}") and check.cure


def test_a_preset_that_every_ready_ticket_names_is_the_runs_own(facts: Facts) -> None:
    queue = Queue(waiting=(waiting("t-1", held="look first"), waiting("t-2", agent="shy"), waiting("t-3", agent="shy")))
    f = replace(facts, queue=queue)
    assert worst(f, "agent shy").level == "no-go" and not preflight(f).unfit


def test_a_program_that_an_agent_may_have_written_stops_the_run_whoever_names_it(facts: Facts) -> None:
    queue = Queue(waiting=(waiting("t-1"), waiting("t-2", agent="shy")))
    planted = Probe(found="/bin/opencode", elsewhere="/repo/bin/opencode")
    f = replace(facts, queue=queue, probes={**facts.probes, "shy": planted})
    assert worst(f, "agent shy").level == "no-go"


def test_an_unconfirmed_preset_is_no_go_with_the_line_to_edit(facts: Facts) -> None:
    check = worst(replace(facts, agent="shy"), "agent shy")
    line = (Path(facts.loaded.file)).read_text().splitlines().index("  shy:") + 1
    assert f"{facts.loaded.file}:{line}:" in check.cure and "autonomy_confirmed: true" in check.cure


@pytest.mark.parametrize(
    ("probe", "level", "words"),
    [
        (Probe(found=Refused(reason="'codex' is not on the PATH")), "no-go", "not on the PATH"),
        (Probe(found="/bin/codex", elsewhere="/repo/bin/codex"), "no-go", "/repo/bin/codex"),
        (Probe(found="/bin/codex", asked=True, failed="exit 2: no such option"), "no-go", "exit 2"),
        (Probe(found="/bin/codex", asked=True, failed="no answer within 10 s"), "no-go", "no answer"),
        (Probe(found="/bin/codex"), "warning", "before the settings are trusted"),
    ],
)
def test_a_program_that_is_not_there_or_not_itself(facts: Facts, probe: Probe, level: str, words: str) -> None:
    check = worst(replace(facts, probes={"codex": probe}), "agent codex")
    assert check.level == level and words in check.text


def test_arguments_that_would_wait_for_a_person_are_no_go_with_the_cure(tmp_path: Path) -> None:
    presets = {"codex": {"command": ["codex"], "protocol": "command", "autonomy_confirmed": True}}
    check = worst(healthy(load(tmp_path, presets=presets)), "agent codex")
    assert check.level == "no-go" and "`codex exec`" in check.cure and "presets.codex.command" in check.cure


SECRET = "sk-ant-api03-Zq8xW2vN5tR7yU1iO4pA6sD9fG3hJ0kLmX"


def test_secrets_and_injections_in_a_preset_are_warnings_that_show_no_secret(tmp_path: Path) -> None:
    env = {"TOKEN_A": SECRET, "LD_PRELOAD": "/x.so", "PLAIN": "1", "BY_NAME": "env:OTHER"}
    codex = {**SETTINGS["presets"]["codex"], "env": env, "pass_env": ["PYTHONPATH", "NODE_OPTIONS"]}
    f = healthy(load(tmp_path, presets={"codex": codex}))
    f = replace(f, environ={**f.environ, "PYTHONPATH": "/y"})
    found = [one for one in said(f, "agent codex") if one.level == "warning"]
    assert len(found) == 2
    assert "TOKEN_A" in found[0].text and "BY_NAME" not in found[0].text and "PLAIN" not in found[0].text
    assert "LD_PRELOAD, PYTHONPATH" in found[1].text and "NODE_OPTIONS" not in found[1].text
    assert not any(SECRET in one.text + one.cure for one in preflight(f).checks)


def test_what_can_push_is_a_blind_spot_that_is_said(tmp_path: Path) -> None:
    codex = {**SETTINGS["presets"]["codex"], "pass_env": ["GH_TOKEN"]}
    f = healthy(load(tmp_path, presets={"codex": codex}))
    f = replace(f, environ={**f.environ, "GH_TOKEN": "t", "GITLAB_TOKEN": "not passed"}, credentials=("~/.netrc",))
    check = worst(f, "credentials")
    assert check.level == "warning" and "GH_TOKEN, ~/.netrc" in check.text and "GITLAB" not in check.text


def test_workers_that_pull_need_no_preset(tmp_path: Path) -> None:
    f = replace(healthy(load(tmp_path, data={"gate": "make", "allowed_commands": ["make"]})), pull=True)
    assert preflight(f).go


# -- git -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "level", "words"),
    [
        ({"head": ""}, "no-go", "no commit"),
        ({"identity": Refused(reason="git does not know who commits: `git config ...`")}, "no-go", "who commits"),
        ({"operation": "a rebase"}, "no-go", "a rebase is under way"),
        ({"alert": "alert-1"}, "no-go", "alert-1 is open"),
        ({"ref": ""}, "warning", "on no branch"),
        ({"trouble": "git is not on PATH: install git 2.36 or newer"}, "no-go", "not on PATH"),
    ],
)
def test_a_repository_that_work_cannot_start_from(
    facts: Facts, changes: dict[str, Any], level: str, words: str
) -> None:
    check = worst(replace(facts, repo=replace(facts.repo, **changes)), "git")
    assert check.level == level and words in check.text


def test_two_things_wrong_with_git_are_two_lines(facts: Facts) -> None:
    repo = replace(facts.repo, operation="a merge", alert="alert-2")
    assert [one.level for one in said(replace(facts, repo=repo), "git")] == ["no-go", "no-go"]


def test_changes_that_tickets_will_not_see_are_named_five_at_most(facts: Facts) -> None:
    names = (".nightdesk/config.yaml", "tickets/a.md", *(f"src/{n}.py" for n in range(8)))
    check = worst(replace(facts, repo=replace(facts.repo, unseen=names)), "files")
    assert check.level == "warning" and "src/4.py and 3 more" in check.text and "src/5.py" not in check.text
    assert "tickets" not in check.text and ".nightdesk" not in check.text


def test_the_queues_own_files_are_no_work(facts: Facts) -> None:
    f = replace(facts, repo=replace(facts.repo, unseen=("tickets/", "tickets/x.md", ".nightdesk/")))
    assert worst(f, "files").level == "ok"


def test_in_the_checkout_itself_nothing_may_be_uncommitted_and_head_is_on_a_branch(tmp_path: Path) -> None:
    f = healthy(load(tmp_path, workspace="in_place"))
    dirty = replace(f, repo=replace(f.repo, unseen=("a.txt",)))
    assert worst(dirty, "files").level == "no-go"
    left = worst(replace(dirty, run=run_of("")), "files")
    assert left.level == "warning" and "half work" in left.text and "a.txt" in left.text
    assert worst(replace(f, repo=replace(f.repo, ref="")), "git").level == "no-go"


def test_a_status_that_git_cannot_give_is_said(facts: Facts) -> None:
    f = replace(facts, repo=replace(facts.repo, unseen=None, unsure="git status took too long"))
    assert worst(f, "files").level == "warning" and "took too long" in worst(f, "files").text


# -- the machine -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("free", "size", "level"),
    [(50 * GB, 0, "ok"), (1.5 * GB, 0, "warning"), (0.9 * GB, 0, "no-go"), (5 * GB, 3 * GB, "no-go")],
)
def test_room_for_the_worktrees(facts: Facts, free: float, size: int, level: str) -> None:
    room = Room(what="worktrees", place="/data", free=int(free), growing=True)
    f = replace(facts, machine=replace(facts.machine, rooms=(room,)), repo=replace(facts.repo, size=size))
    assert worst(f, "disk").level == level


def test_many_tickets_need_more_room_than_the_first_two(facts: Facts) -> None:
    room = Room(what="worktrees", place="/data", free=5 * GB, growing=True)
    f = replace(facts, machine=replace(facts.machine, rooms=(room,)), repo=replace(facts.repo, size=GB // 2))
    assert worst(f, "disk").level == "ok"
    many = replace(f, queue=Queue(waiting=tuple(waiting(f"t-{n}") for n in range(30))))
    assert worst(many, "disk").level == "warning" and "11.0 GB" in worst(many, "disk").text


def test_the_logs_own_disk_needs_no_room_for_worktrees(facts: Facts) -> None:
    rooms = (Room(what="worktrees", place="/d", free=50 * GB, growing=True), Room(what="log", place="/s", free=3 * GB))
    f = replace(facts, machine=replace(facts.machine, rooms=rooms), repo=replace(facts.repo, size=5 * GB))
    assert [one.level for one in said(f, "disk")] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        *(("ext4", "ok"), ("btrfs", "ok"), ("overlay", "ok"), ("nfs4", "no-go"), ("cifs", "no-go"), ("9p", "no-go")),
        *(("fuse.sshfs", "no-go"), ("fuse.mergerfs", "warning"), ("fuseblk", "warning"), ("tmpfs", "warning")),
    ],
)
def test_the_state_folder_is_on_a_disk_of_this_machine(facts: Facts, kind: str, level: str) -> None:
    assert worst(replace(facts, machine=replace(facts.machine, kind=kind)), "state").level == level


def test_a_state_folder_that_cannot_be_written(facts: Facts) -> None:
    f = replace(facts, machine=replace(facts.machine, unwritable="Read-only file system"))
    assert worst(f, "state").level == "no-go" and "Read-only" in worst(f, "state").text


@pytest.mark.parametrize(("memory", "level"), [(4 * GB, "ok"), (1.5 * GB, "warning"), (0.5 * GB, "no-go")])
def test_memory_for_each_session(facts: Facts, memory: float, level: str) -> None:
    f = replace(facts, machine=replace(facts.machine, memory=int(memory)))
    assert worst(f, "memory").level == level
    assert worst(replace(f, sessions=1), "memory").level == ("ok" if memory >= GB else "warning")


def test_memory_that_nobody_can_read_is_said(facts: Facts) -> None:
    assert worst(replace(facts, machine=replace(facts.machine, memory=None)), "memory").level == "warning"


def test_the_sandbox_is_said_in_words(facts: Facts) -> None:
    off = replace(facts.machine, sandbox="no sandbox (switched off)", sandboxed=False)
    assert worst(replace(facts, machine=off), "sandbox").level == "warning"
    missing = replace(facts.machine, sandbox=Refused(reason="sandbox.tier is `require`, but there is none here"))
    assert worst(replace(facts, machine=missing), "sandbox").level == "no-go"


# -- gates and tickets -----------------------------------------------------------------------------------


def test_no_gate_is_a_warning_that_says_what_green_then_means(tmp_path: Path) -> None:
    check = worst(healthy(load(tmp_path, data={"presets": SETTINGS["presets"], "agent": "codex"})), "gate")
    assert check.level == "warning" and "green means only that the turn ended" in check.text


def test_a_gate_must_be_allowed_and_there(tmp_path: Path) -> None:
    check = worst(healthy(load(tmp_path, allowed_commands=["git"])), "gate")
    assert check.level == "no-go" and "'make'" in check.text and "allowed_commands" in check.cure
    f = replace(healthy(load(tmp_path)), command=lambda name: Refused(reason=f"{name!r} is not on the PATH"))
    assert worst(f, "gate").level == "no-go"


def test_gates_of_tickets_that_cannot_run_are_named(facts: Facts) -> None:
    queue = Queue(
        waiting=(
            waiting("t-1", gate=Gate(argv=("bash", "-c", "x"))),
            waiting("t-2", gate=Gate(argv=("make",), cwd="nowhere")),
            waiting("t-3", gate=Gate(argv=("make",), cwd="web")),
        )
    )
    f = replace(facts, queue=queue, is_folder=lambda path: path == "web")
    found = [one.text for one in said(f, "gate") if one.level == "warning"]
    assert found == [
        "not on the list of allowed commands: t-1 (bash)",
        "gates of tickets in folders that are not there: t-2 (nowhere)",
    ]
    assert preflight(f).go


def test_tickets_are_counted(facts: Facts) -> None:
    queue = Queue(waiting=(waiting("a"), waiting("b", held="found by a session")), problems=("c.md:1: is empty",))
    found = said(replace(facts, queue=queue), "tickets")
    assert found[0].text.startswith("1 to work on, 1 held, 1 with problems") and found[0].level == "ok"
    assert "b" in found[1].text and "c.md:1" in found[2].text
    assert worst(replace(facts, queue=Queue()), "tickets").level == "warning"


def test_a_run_that_would_only_review_and_repair_does_not_end_at_once(facts: Facts) -> None:
    queue = Queue(waiting=(waiting("a+review-1"), waiting("b+repair-2")))
    (check,) = said(replace(facts, queue=queue), "tickets")
    assert check.level == "ok" and check.text.endswith("; of finished work: a+review-1, b+repair-2")
    assert check.text.startswith("0 to work on, 0 held")
    assert worst(replace(facts, queue=queue, pull=True), "tickets").text.endswith(": a run would end at once")


def test_an_open_run_that_is_at_its_tickets_would_not_end_at_once(facts: Facts) -> None:
    left = replace(facts, queue=Queue(at_work=("t-1",)), run=run_of(facts.loaded.digest))
    check = worst(left, "tickets")
    assert (check.level, check.cure) == ("ok", "") and check.text.startswith("the open run is at t-1; 0 to work on")
    check = worst(replace(left, queue=Queue()), "tickets")
    assert check.level == "warning" and "would end at once" in check.text


def test_a_login_whose_end_ends_the_run_is_a_warning_before_it_begins(facts: Facts) -> None:
    assert worst(facts, "login").level == "ok"
    check = worst(replace(facts, login=(("logind ends everything", "systemd-run x"),)), "login")
    assert (check.level, check.text, check.cure) == ("warning", "logind ends everything", "systemd-run x")
    assert preflight(facts).go


def test_long_lists_are_cut() -> None:
    assert some([str(n) for n in range(7)]) == "0, 1, 2, 3, 4 and 2 more"
    assert some(["a"]) == "a"


def test_a_supervisor_that_stands_still_is_no_go_with_the_way_to_find_out_why(facts: Facts) -> None:
    here = replace(facts, supervised=True, holder="pid 7 on desk")
    (check,) = standing.workspace(replace(here, silent=600.0))
    assert (check.level, "no sign of life for 600 s" in check.text) == ("no-go", True)
    assert "nightdesk doctor" in check.cure
    assert [c.level for c in standing.workspace(replace(here, silent=2.0))] == ["ok"]
