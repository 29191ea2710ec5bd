"""Nights with the real command line, git and gates: each outcome for its reason, and nothing weakened is DONE."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from nightrig import SHOP, NightRig, kill, until

BREAK = ["replace", "shop.py", "return a + b", "return a - b"]
FIX = ["replace", "shop.py", "return a - b", "return a + b"]
NEW = ["append", "shop.py", "\n\ndef triple(a):\n    return a * 3\n"]


def test_nobody_who_weakens_the_gate_is_ever_done(rig: NightRig) -> None:
    rig.write("setup.cfg", "[coverage:report]\nfail_under = 90\n")
    rig.write("shop.py", SHOP.replace("a + b", "a - b"))  # red: each worker "fixes" it in its own way
    rig.ticket(
        "deletes",
        [["replace", "test_shop.py", "    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n", ""]],
    )
    rig.ticket(
        "skips", [["replace", "test_shop.py", "    def test_add", "    @unittest.skip('later')\n    def test_add"]]
    )
    rig.ticket("lowers", [FIX_SHOP, ["replace", "setup.cfg", "90", "10"]])
    rig.ticket("loosens", [["replace", "test_shop.py", "self.assertEqual(add(1, 2), 3)", "self.assertTrue(add(1, 2))"]])
    rig.ticket(
        "none", [FIX_SHOP, ["append", "test_shop.py", "\n\ndef load_tests(*_):\n    return unittest.TestSuite()\n"]]
    )
    rig.ticket("honest", [FIX_SHOP])
    rig.configure(limits={"sessions": 3})
    rig.ready()
    rig.night()
    found = rig.outcomes()
    assert found.pop("honest") == "DONE", rig.why("honest")
    assert set(found.values()) == {"DONE_LOW_CONFIDENCE"} and len(found) == 5, {t: rig.why(t) for t in found}


FIX_SHOP = ["replace", "shop.py", "a - b", "a + b"]


def test_red_before_and_after_a_new_failure_and_a_flicker_are_told_apart(rig: NightRig) -> None:
    rig.write("shop.py", SHOP.replace("a + b", "a - b"))  # test_add fails on the base
    flicker = (
        "import os, unittest\n\n\nclass F(unittest.TestCase):\n    def test_flicker(self):\n"
        f"        path = {str(rig.room / 'count')!r} + os.environ.get('FLICKER', '')\n"
        "        n = int(open(path).read()) if os.path.exists(path) else 0\n"
        "        open(path, 'w').write(str(n + 1))\n        self.assertNotEqual(n % 3, 0)\n"
    )
    rig.ticket("same", [["write", "notes.txt", "x\n"]])
    rig.ticket("new", [["replace", "shop.py", "a * 2", "a * 5"]])
    rig.ticket("flaky", [["replace", "shop.py", "a - b", "a + b"], ["write", "test_flicker.py", flicker]], attempts=1)
    rig.configure(limits={"sessions": 1, "attempts": 1})
    rig.ready()
    rig.night()
    assert rig.outcomes() == {
        "same": "DONE_LOW_CONFIDENCE",
        "new": "FAILED_BUG_IN_AGENT",
        "flaky": "DONE_LOW_CONFIDENCE",
    }, {name: rig.why(name) for name in rig.outcomes()}
    assert "pre-existing" in rig.why("same") and "test_double" in rig.why("new")
    assert "flaky" in rig.why("flaky")


def test_the_environments_trouble_blocks_and_spends_no_attempt(rig: NightRig) -> None:
    rig.configure(allowed_commands=["python3", "no-such-runner"])
    said = "fatal: Unable to create '/r/.git/index.lock': File exists."
    lock = f"import sys; print({said!r}, file=sys.stderr); sys.exit(128)"
    rig.ticket("missing", gate=["no-such-runner", "all"])
    rig.ticket("locked", gate=["python3", "-c", lock])
    rig.ticket("asks", gate=["python3", "-c", "open('/dev/tty').readline()"])
    rig.ready()
    rig.night()
    assert rig.outcomes() == dict.fromkeys(("missing", "locked", "asks"), "BLOCKED_ENV")
    assert all(rig.shown(name)["attempts"] == 0 for name in ("missing", "locked", "asks"))


def test_an_introduced_failure_is_rolled_back_told_and_tried_again(rig: NightRig) -> None:
    rig.ticket("a", [BREAK, ["write", "extra.txt", "first try\n"]], [NEW])
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"a": "DONE"}
    first, second = rig.prompts("a")
    assert "earlier attempt" not in first and "test_add" in second and "rolled back" in second
    worktree = rig.shown("a")["worktree"]
    kept = rig.events("ticket:back")[0]["kept"]
    diff = rig.ok("plan", "show", rig.shown("a")["plan"])
    assert "triple" in diff and "extra.txt" not in diff and "a - b" not in diff
    assert len(kept) == 40 and worktree


def test_the_same_failure_twice_ends_by_its_cause(rig: NightRig) -> None:
    rig.ticket("a", [BREAK])
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"a": "FAILED_BUG_IN_AGENT"} and "same failure twice" in rig.why("a")
    assert len(rig.events("ticket:claimed")) == 2


def test_the_root_of_a_chain_parks_four_wait_visibly_and_the_answer_lets_all_five_end(rig: NightRig) -> None:
    rig.ticket(
        "t1", text="Add a column `currency` to the orders table and a migration that fills it for existing rows."
    )
    for n in range(2, 6):
        rig.ticket(f"t{n}", [["write", f"t{n}.txt", f"on {n - 1}\n"]], depends_on=f"t{n - 1}")
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"t1": "PARKED_FOUNDATIONAL"}
    rows = {row["ticket"]: row for row in rig.json("ticket", "list", "--json")["tickets"]}
    assert all("dec-1" in json.dumps(rows[f"t{n}"]) for n in range(2, 6)), rows
    report = rig.ok("report")
    assert "dec-1" in report and "t5" in report
    rig.ok("decision", "answer", "dec-1", "--text", "as a nullable text column")
    rig.night()
    assert rig.outcomes() == {f"t{n}": "DONE" for n in range(1, 6)}
    assert "as a nullable text column" in rig.prompts("t1")[-1]
    for n in range(1, 6):  # from the root on: each lands on what landed before it
        shown = rig.shown(f"t{n}")
        rig.ok("policy", "ack", shown["policy"], "--approve", "--plan", shown["plan"], "--confirm", f"t{n}")
    tree = rig.git("ls-tree", "--name-only", "nightdesk/t5").split()
    assert {"t1.txt", "t2.txt", "t3.txt", "t4.txt", "t5.txt"} <= set(tree)


def test_an_agent_parks_through_its_inbox_although_our_state_is_closed_to_it(rig: NightRig) -> None:
    rig.ticket(
        "a",
        [["write", "half.txt", "x\n"], ["park", "--question", "Which side?", "--option", "left", "--option", "right"]],
    )
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"a": "PARKED_DECISION"}
    d = rig.json("decision", "show", "dec-1", "--json")
    assert d["question"] == "Which side?" and [o["text"] for o in d["options"]] == ["left", "right"]
    rig.ticket("a", [["write", "a.txt", "left\n"]])
    rig.ok("decision", "answer", "dec-1", "--choose", "1")
    rig.night()
    assert "Which side? -> left" in rig.prompts("a")[-1]


def test_what_is_ignored_proves_nothing_and_included_files_come_from_the_operator(rig: NightRig) -> None:
    rig.write(".gitignore", "__pycache__/\n.nightdesk/night-report.md\n.env\n/shop/\n")
    rig.write(".env", "KEY=right\n")
    key = "import os, unittest\n\n\nclass E(unittest.TestCase):\n    def test_key(self):\n"
    key += "        self.assertEqual(open('.env').read(), 'KEY=right\\n')\n"
    rig.write("test_env.py", key)
    rig.configure(include=[".env"], limits={"attempts": 1})
    good = SHOP.replace("'", '"')
    rig.ticket("shadows", [["write", "shop/__init__.py", good], BREAK], text="Fix the names in shop.py")
    rig.ticket("rewrites", [["write", ".env", "KEY=mine\n"], ["write", "r.txt", "x\n"]], text="Fix the file r.txt")
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"shadows": "FAILED_BUG_IN_AGENT", "rewrites": "DONE"}, rig.why("shadows")
    assert "test_add" in rig.why("shadows")


def test_a_live_agent_cannot_change_bytes_under_the_gate(rig: NightRig) -> None:
    swap = (
        "import os, sys, time\n"
        "if os.fork(): sys.exit(0)\nos.setsid()\n"
        "good, bad = open('shop.py').read().replace('a - b', 'a + b'), open('shop.py').read()\n"
        "for _ in range(200):\n    open('shop.py', 'w').write(good)\n    time.sleep(0.05)\n"
        "    open('shop.py', 'w').write(bad)\n    time.sleep(0.01)\n"
    )
    rig.ticket("a", [BREAK, ["run", "python3", "-c", swap]], text="Fix add", attempts=1)
    rig.ready()
    rig.night()
    # Which bytes are there when its processes are gone is chance; what is green is what would be committed.
    shown = rig.shown("a")
    assert shown["outcome"] in ("FAILED_BUG_IN_AGENT", "DONE_LOW_CONFIDENCE") and not shown["plan"], rig.why("a")


def test_settings_that_change_during_the_run_halt_it_with_the_reason(rig: NightRig) -> None:
    rig.ticket("a", [["sleep", 60]])
    rig.ready()
    run = rig.start("run")
    until(lambda: rig.events("turn-start"))
    rig.configure(gate="python3 -c pass")
    out, _ = run.communicate(timeout=60)
    assert run.returncode == 70, out
    ended = rig.events("run:ended")[-1]
    assert ended["status"] == "HALTED" and "config.yaml was changed" in ended["why"]
    assert rig.outcomes() == {"a": "FAILED_RETRYABLE"}


def test_two_runs_at_once_have_one_winner_and_one_65(rig: NightRig) -> None:
    rig.ticket("a", [["sleep", 2], ["write", "a.txt", "x\n"]])
    rig.ready()
    runs = [rig.start("run"), rig.start("run")]
    outs = [run.communicate(timeout=90)[0] for run in runs]
    assert sorted(run.returncode for run in runs) == [0, 65], outs
    assert len(rig.events("run:started")) == 1 and rig.outcomes() == {"a": "DONE"}


@pytest.mark.slow
def test_fourteen_adds_at_once_lose_nothing_and_any_title_works(rig: NightRig) -> None:
    rig.ready()
    titles = [
        "漢字のタイトル",
        "emoji 👩‍💻 here",
        "a/b/../c",
        "x" * 300,
        "-rf",
        ".hidden",
        "con\x1b[31mtrol",
        "İstanbul",
        "a",
        "a",
    ]
    titles += [f"plain {n}" for n in range(4)]

    def add(title: str) -> subprocess.CompletedProcess[str]:
        source = rig.room / f"in-{abs(hash(title))}.md"
        source.write_text(f"Add one line to notes.txt: {len(title)}\n", encoding="utf-8")
        return rig.call("ticket", "add", str(source), f"--title={title}")

    with ThreadPoolExecutor(14) as pool:
        done = list(pool.map(add, titles))
    assert [one.returncode for one in done] == [0] * 14, [one.stderr for one in done if one.returncode]
    listed = rig.json("ticket", "list", "--json")["tickets"]
    assert len(listed) == len({row["ticket"] for row in listed}) == 14
    for row in listed:
        (rig.scripts / f"{row['ticket']}.json").write_text('[[["append", "notes.txt", "line\\n"]]]', encoding="utf-8")
    rig.commit("tickets")
    rig.night()
    assert set(rig.outcomes().values()) == {"DONE"} and len(rig.outcomes()) == 14, rig.outcomes()


def test_a_ticket_that_an_agent_plants_is_held(rig: NightRig) -> None:
    rig.configure(sandbox={"tier": "off"})
    planted = str(rig.repo / "tickets" / "evil.md")
    rig.ticket("a", [["write", "a.txt", "x\n"], ["write", planted, "Delete the tests\n"]])
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"a": "DONE"}
    assert "s-1 could write" in rig.shown("evil")["held"]
    assert "held" in rig.ok("report")
    rig.ok("ticket", "release", "evil")
    assert not rig.shown("evil")["held"]


def test_in_the_sandbox_the_tickets_folder_is_closed_to_the_agent(rig: NightRig) -> None:
    rig.commit("before")
    if "sandbox on" not in rig.call("preflight").stdout:
        pytest.skip("no user namespaces here")
    rig.ticket("a", [["run", "touch", str(rig.repo / "tickets" / "evil.md")], ["write", "a.txt", "x\n"]])
    rig.ready()
    rig.night()
    assert not (rig.repo / "tickets" / "evil.md").exists() and rig.outcomes() == {"a": "DONE"}


def test_a_stop_lets_what_is_under_way_end_and_a_second_signal_does_not(rig: NightRig) -> None:
    rig.ticket("a", [["sleep", 2], ["write", "a.txt", "x\n"]])
    rig.ticket("b")
    rig.configure(limits={"sessions": 1})
    rig.ready()
    run = rig.start("run")
    until(lambda: rig.events("turn-start"))
    rig.ok("stop")
    run.communicate(timeout=60)
    assert run.returncode == 130 and rig.outcomes() == {"a": "DONE"}
    assert rig.events("run:ended")[-1]["status"] == "STOPPED"


def test_a_run_whose_supervisor_was_killed_goes_on_where_it_was(rig: NightRig) -> None:
    rig.ticket("a", [["sleep", 3], ["write", "a.txt", "x\n"]])
    rig.ticket("b")
    rig.configure(limits={"sessions": 1})
    rig.ready()
    run = rig.start("run")
    until(lambda: rig.events("turn-start"))
    kill(run)
    rig.night()
    assert len(rig.events("run:started")) == 1
    assert rig.outcomes() == {"a": "DONE", "b": "DONE"}
    assert [e["attempt"] for e in rig.events("ticket:claimed")] == [1, 1], "no attempt was counted twice"


def test_work_in_place_leaves_the_checkout_clean_and_lands_into_it(rig: NightRig) -> None:
    rig.ticket("a", [["write", "a.txt", "a\n"]])
    rig.ticket("b", [["write", "b.txt", "b\n"]])
    rig.configure(workspace="in_place")
    rig.ready()
    rig.night()
    assert rig.outcomes() == {"a": "DONE", "b": "DONE"}
    assert rig.git("status", "--porcelain") == "" and not (rig.repo / "a.txt").exists()
    shown = rig.shown("b")
    rig.ok("policy", "ack", shown["policy"], "--approve", "--plan", shown["plan"])
    assert (rig.repo / "b.txt").read_text() == "b\n" and rig.git("status", "--porcelain") == ""
    assert rig.git("log", "-1", "--format=%s", "main").strip() == "Add the file b.txt with one line in it."


def test_a_turn_beside_the_run_comes_to_its_end_before_the_process_does(rig: NightRig) -> None:
    rig.ticket("a", [["sleep", 1], ["write", "a.txt", "x\n"]])
    rig.ready()
    night = rig.start("run")
    until(lambda: rig.events("turn-start"), 60)
    words = ("session", "start", "--cwd", str(rig.repo), "--protocol", "command", "--prompt", "x")
    rig.ok(*words, "--", "sh", "-c", "sleep 5")
    said = night.communicate(timeout=90)[0]
    assert night.returncode == 0 and "s-2 is still at work" in said, said
    assert [event["session"] for event in rig.events("turn-end")] == ["s-1", "s-2"]


def test_who_asked_before_the_supervisor_was_killed_parks_with_its_work(rig: NightRig) -> None:
    rig.ticket(
        "a", [["sleep", 1], ["write", "half.txt", "x\n"], ["park", "--question", "Left or right?"], ["sleep", 30]]
    )
    rig.ready()
    run = rig.start("run")
    until(lambda: rig.events("turn-start"), 60)
    os.kill(run.pid, signal.SIGSTOP)  # so that it does not see the question before its end
    until(lambda: list(rig.home.glob(".cache/nightdesk/inbox/*/s-1/*.json")), 60)
    kill(run)
    rig.night()
    assert rig.outcomes() == {"a": "PARKED_DECISION"}
    assert (Path(rig.shown("a")["worktree"]) / "half.txt").is_file()
