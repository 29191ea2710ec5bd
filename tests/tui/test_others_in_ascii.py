"""ASCII mode on the screen: what others wrote never looks like other text, and comes back with the other glyphs."""

from __future__ import annotations

from deskplay import WIDE, DeskPlay, seen, started
from textual.color import Color

from console.tui.guard import Guard
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LinePane, LineView

PAIRS = [("x = a - b", "x = a − b"), ("u = 'admin'", "u = ‘admin’"), ("# rm -rf", "█ rm -rf"), ("a* b", "a● b")]
PAIRS += [("echo $x", "echo ⏎x"), ("a ", "a."), ("\tb", ">   b"), ("c\r", "c^"), ("d\x1b", "d␛"), ("e…", "e~")]


def hunk(pairs: list[tuple[str, str]]) -> bytes:
    body = "".join(f"-{old}\n+{new}\n" for old, new in pairs)
    count = len(pairs)
    head = f"diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,{count} +1,{count} @@\n"
    return (head + body).encode()


def drawn(view: LinePane, line: int, guard: Guard) -> str:
    """As the terminal gets it, without its gutter."""
    segments = guard.apply(list(view.render_line(line)), Color(0, 0, 0))
    return "".join(segment.text for segment in segments)[1:].rstrip()


async def test_no_two_lines_of_a_diff_are_drawn_alike_in_ascii_and_the_switch_brings_them_back() -> None:
    play = DeskPlay()
    plan = play.plan("fix-cart", diff=hunk(PAIRS))
    app = play.app()
    async with app.run_test(size=WIDE) as pilot:
        desk = await started(pilot)
        desk.go_to(f"plan:{plan}")
        desk.open_detail()
        await seen(pilot, plan)
        view = desk.detail.query_one(LineDiff)
        lines = range(5, 5 + 2 * len(PAIRS))
        before, widest = [drawn(view, at, Guard()) for at in lines], view.diff.widest()
        why = desk.detail.query_one("#view-why", LineView)
        why.set_lines(["a → ж"])
        app.ascii = True
        await pilot.pause()
        shown = [drawn(view, at, Guard(ascii=True)) for at in lines]
        assert all(line.isascii() for line in shown)
        assert all(old[1:] != new[1:] for old, new in zip(shown[::2], shown[1::2], strict=True))
        assert shown[1] == "+x = a <U+2212> b" and shown[12:14] == ["-<TAB>b", "+>   b"]
        assert view.diff.widest() >= max(map(len, shown)) > widest
        assert why._shown("a → ж") == "a → <U+0436>"
        app.ascii = False
        await pilot.pause()
        assert [drawn(view, at, Guard()) for at in lines] == before and view.diff.widest() == widest
        assert before[1] == "+x = a − b"
