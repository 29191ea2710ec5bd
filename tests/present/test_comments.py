"""Comments on lines, what is made of them, where they can go, and the warnings above a diff."""

from __future__ import annotations

import json

import pytest

from console.core.commits import Plan
from console.core.records import Frozen, Identity, PlanPath, TicketSpec
from console.present import comments, diffwarnings
from console.present.comments import Comment
from console.present.difftext import parse

DIFF = parse(
    b"diff --git a/shop/cart.py b/shop/cart.py\n--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -1,2 +1,2 @@\n"
    b" def f():\n-\treturn 0\n+\treturn\x1b 1\n"
)
ONE = Comment("a.py", 0, 3, "+x", "use y")
TWO = Comment("a.py", 4, 0, "-z", "why gone?")


def test_a_comment_knows_its_line_and_quotes_it_without_controls() -> None:
    found = comments.at(DIFF, 6)
    assert found == Comment("shop/cart.py", 0, 2, "+    return\ufffd 1")
    assert found.place == "shop/cart.py:2" and DIFF.line_of(*found.anchor) == 6
    removed = comments.at(DIFF, 5)
    assert removed and removed.place == "shop/cart.py:2 (removed)" and DIFF.line_of(*removed.anchor) == 5
    head = comments.at(DIFF, 1)
    assert head and head.place == "shop/cart.py (the file)" and DIFF.line_of(*head.anchor) == 0
    assert comments.at(parse(b"nothing\n"), 0) is None and DIFF.line_of("other", 0, 1) is None


def test_what_is_kept_survives_json_and_what_is_no_comment_is_left_out() -> None:
    odd = Comment("b\udcff.py", 1, 1, " q", "ü")
    kept = json.loads(json.dumps(comments.with_those({}, "p", [ONE, odd])))
    assert comments.read(kept, "p") == (ONE, odd)
    broken: dict[str, object] = {
        "p": [["a", 0, 3, "+x"], "no", ["a", -1, 0, "", "t"], ["a", 0, 3, "+x", ""], *kept["p"]]
    }
    assert comments.read(broken, "p") == (ONE, odd) and comments.read({"p": 7}, "p") == ()


def test_where_there_is_no_room_for_more_that_is_said_and_nothing_is_forgotten() -> None:
    kept: dict[str, object] = {}
    for n in range(comments.ALL // comments.MOST):
        assert not comments.no_room(kept, f"p{n}", [ONE] * comments.MOST)
        kept = {**comments.with_those(kept, f"p{n}", [ONE] * comments.MOST)}
    assert "never sent" in comments.no_room(kept, "q", [ONE])
    assert "50 comments at most" in comments.no_room({}, "q", [ONE] * (comments.MOST + 1))
    assert len(comments.with_those(kept, "q", [ONE])) == len(kept) + 1, "another console's is never the price"
    assert comments.with_those(kept, "p9", []).keys() == kept.keys() - {"p9"}
    long = [Comment("a.py", 0, 3, "+x", "y" * comments.LONGEST)] * comments.MOST
    four = {f"p{n}": comments.with_those({}, f"p{n}", long)[f"p{n}"] for n in range(4)}
    assert "never sent" in comments.no_room(four, "q", long), "what is kept is a small file"


def test_saying_something_else_replaces_it_and_saying_nothing_drops_it() -> None:
    other = Comment("a.py", 0, 3, "+x", "use z")
    assert comments.changed([ONE, TWO], other) == (other, TWO)
    assert comments.changed([ONE, TWO], Comment("a.py", 0, 3, "+x", "")) == (TWO,)


def test_all_comments_are_one_nudge_with_place_line_and_words() -> None:
    said = comments.nudge([ONE, TWO], "c" * 40, anew=False)
    assert said.startswith("A person has looked at your changes and has 2 comments.")
    assert "1. a.py:3\n   +x\n   use y\n\n2. a.py:4 (removed)\n   -z\n   why gone?" in said
    assert "earlier attempt at this (plan cccccccccc)" in comments.nudge([ONE], "c" * 40, anew=True)


# -- warnings ----------------------------------------------------------------------------------------------


def plan(*paths: str) -> Plan:
    frozen = Frozen(
        commit="c" * 40, base="b" * 40, tree="t", ref="refs/heads/main", ref_old="b" * 40, message="m",
        author=Identity(name="A", email="a@example.com"), when=0, zone="+0000", worktree="/w", store="/s",
        paths=tuple(PlanPath(path=p, old_mode="", old_oid="", mode="100644", oid="") for p in paths),
    )  # fmt: skip
    return Plan(
        plan="c" * 40,
        policy="pol-1",
        sessions=(),
        frozen=frozen,
        state="waiting",
        ready_at=0,
        changed_at=0,
        ready_seq=1,
    )


@pytest.mark.parametrize(
    ("glob", "inside", "outside"),
    [
        ("src/**", ["src/a.py", "src/x/y.py"], ["srcs/a.py", "a.py"]),
        ("src", ["src/a.py", "src/x/y.py", "src"], ["lib/src/a.py"]),
        ("src/*.py", ["src/a.py"], ["src/x/a.py", "src/a.pyc", "src/a.py/evil"]),
        ("**/test_*.py", ["test_a.py", "x/y/test_b.py"], ["x/test_b.txt"]),
        ("./docs/", ["docs/a.md"], ["doc/a.md"]),
    ],
)
def test_globs_of_a_ticket(glob: str, inside: list[str], outside: list[str]) -> None:
    assert all(diffwarnings.within(path, [glob]) for path in inside)
    assert not any(diffwarnings.within(path, [glob]) for path in outside)


def test_a_glob_of_many_stars_is_matched_at_once() -> None:
    assert not diffwarnings.within("/".join("a" * 60), ["/".join(["**", "a"] * 30) + "/b"])


def test_files_outside_of_the_tickets_paths_are_named() -> None:
    spec = TicketSpec(title="t", paths=("shop/**",))
    said = diffwarnings.outside(plan("shop/a.py", "x\x1b.py", "b.py", "c.py", "d.py"), spec)
    assert said == "! outside of the ticket's paths (shop/**): x␛.py, b.py, c.py and 1 more"
    assert diffwarnings.outside(plan("shop/a.py"), spec) == diffwarnings.outside(plan("b"), TicketSpec(title="t")) == ""


def test_a_branch_that_moved_is_said_by_what_it_means() -> None:
    p = plan("a.py")
    assert "moved on by 1 commit since" in diffwarnings.behind(p, 1, (), lost=False)
    assert diffwarnings.behind(p, 3, ("a.py",), lost=False).startswith(
        "!! main has moved on by 3 commits, which change a.py"
    )
    assert diffwarnings.behind(p, 0, (), lost=True).startswith("!! main is gone or was rewritten")


def test_more_warnings_come_in_by_their_gravity() -> None:
    assert diffwarnings.merged(("!! a", "! b", "- c"), ["! x", "!! y"]) == ("!! y", "!! a", "! x", "! b", "- c")


def test_an_odd_name_is_told_to_the_agent_as_git_status_writes_it() -> None:
    told = {"tab\there": r'"tab\there":3', "\udcff\udcfe.py": r'"\377\376.py":3', "a b.py": "a b.py:3"}
    for path, place in told.items():
        said = comments.nudge([Comment(path, 0, 3, "+x", "y")], "c" * 40, anew=False)
        assert f"1. {place}\n" in said and "\t" not in said
    assert comments.quoted('"q"\x1b\u202e') == r'"\"q\"\033\342\200\256"'
