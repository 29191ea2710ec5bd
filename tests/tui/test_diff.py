"""The diff pane and the line pane: what is drawn, jumps, colours, size."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.widget import Widget

from console.present.diffoutline import read
from console.tui.guard import ConsoleApp
from console.tui.theming import register_themes
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LineView

DIFF = b"""diff --git a/src/send.py b/src/send.py
index 1..2 100644
--- a/src/send.py
+++ b/src/send.py
@@ -1,4 +1,4 @@ def send
 import time  # wait
-delay = 3
+delay\t= "4"\x20\x20
+text = '\xe2\x80\xae\x1b[2J'\r
 return delay
@@ -20,1 +20,2 @@
 last
+\xe6\x97\xa5\xe6\x9c\xac [/x]
diff --git a/b.bin b/b.bin
new file mode 100755
Binary files /dev/null and b/b.bin differ
"""


def picture(app: ConsoleApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


class Shown(ConsoleApp):
    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget

    def compose(self) -> ComposeResult:
        yield self.widget


async def test_a_diff_as_it_is_drawn(golden: Any) -> None:
    app = Shown(LineDiff(DIFF))
    async with app.run_test(size=(50, 18)) as pilot:
        await pilot.pause()
        golden(app, "diff")


async def test_lines_are_coloured_by_kind_and_stand_ins_stand_out() -> None:
    pane = LineDiff(DIFF)
    async with Shown(pane).run_test(size=(60, 18)) as pilot:
        await pilot.pause()

        def colour(part: str) -> object:
            return pane.get_component_rich_style(part).color

        line = DIFF.split(b"\n").index(b"-delay = 3")
        assert {segment.style.color for segment in pane.render_line(line) if segment.text.strip()} == {
            colour("diff--removed")
        }  # type: ignore[union-attr]
        looks = {segment.text: segment.style for segment in pane.render_line(line + 2)}
        hazard = next(style for text, style in looks.items() if "<U+202E>␛" in text)
        assert hazard is not None and hazard.reverse and hazard.color == colour("pane--hazard")
        context = {segment.text: segment.style.color for segment in pane.render_line(5) if segment.style}
        assert context["import"] == colour("diff--keyword") and context["# wait"] == colour("diff--comment")


async def test_jumps_go_by_file_and_by_hunk_and_say_when_there_is_none() -> None:
    many = b"".join(DIFF.replace(b"send.py", b"f%d.py" % n).replace(b"b.bin", b"g%d" % n) for n in range(5))
    pane = LineDiff(many)
    async with Shown(pane).run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        assert pane.current_file == 0 and not pane.prev_file()
        assert pane.next_file() and pane.current_file == 1
        assert pane.top_line == pane.diff.files[1].line
        await pilot.press("greater_than_sign")
        assert pane.current_file == 2
        assert pane.next_hunk() and pane.diff.kind(pane.top_line) == "hunk"
        await pilot.press("left_curly_bracket")
        assert pane.top_line == pane.diff.hunks[1]
        assert pane.prev_file() and not pane.prev_file()
        assert pane.current_file == 0
        position = pane.position(7)
        assert position is not None and (position.path, position.new) == ("src/f0.py", 2)


async def test_keys_scroll_down_and_sideways() -> None:
    pane = LineDiff(
        b"--- a/x\n+++ b/x\n@@ -0,0 +1,200 @@\n" + b"".join(b"+%03d%s\n" % (n, b"x" * 100) for n in range(200))
    )
    async with Shown(pane).run_test(size=(40, 11)) as pilot:
        await pilot.pause()
        height = pane.view.height
        steps = (("j", 1, 0), ("down", 2, 0), ("k", 1, 0), ("pagedown", height, height - 1), ("g", 0, 0))
        for key, cursor, top in (*steps, ("G", 202, 203 - height)):
            await pilot.press(key)
            assert (pane.cursor, pane.top_line) == (cursor, top), key
        await pilot.press("l", "right")
        assert pane.scroll_offset.x == 16
        text = pane.render_line(0).text.rstrip().removeprefix(" ")
        seen = text.index("…")
        assert text == "x" * seen + f"…+{104 - 16 - seen}", "a cut line says how much of it is not seen"
        await pilot.press("h", "0", "home")
        assert pane.scroll_offset == (0, 0)


async def test_another_diff_starts_at_its_top_and_forgets_the_old_lines() -> None:
    pane = LineDiff(DIFF * 5)
    async with Shown(pane).run_test(size=(40, 8)) as pilot:
        await pilot.press("G")
        pane.set_diff(b"--- a/n\n+++ b/n\n@@ -1 +1 @@\n-new\n+newer\n")
        await pilot.pause()
        assert pane.top_line == 0
        assert pane.render_line(4).text.rstrip() == " +newer"
        assert pane.render_line(5).text.strip() == ""


async def test_a_line_of_controls_only_is_drawn_as_fast_as_any() -> None:
    pane = LineDiff(b"+" + b"\x1b\x07" * 100_000 + b"\n")
    async with Shown(pane).run_test(size=(40, 4)) as pilot:
        await pilot.pause()
        started = time.process_time()
        pane._strips.clear()
        assert pane.render_line(0).text.startswith("›+␛␇")
        assert time.process_time() - started < 1.0


async def test_fifty_thousand_lines_are_on_the_screen_quickly() -> None:
    body = b"".join(b"+    value_%d = compute('x', %d)  # n\n" % (n, n) for n in range(50_000))
    data = b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -0,0 +1,50000 @@\n" + body
    pane = LineDiff()
    app = Shown(pane)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        started = time.process_time()
        pane.set_diff(data)
        await pilot.pause()
        picture(app)
        first = time.process_time() - started
        assert "value_30 " in pane.render_line(34).text
        started = time.process_time()
        for _ in range(20):
            await pilot.press("pagedown")
            picture(app)
        page = (time.process_time() - started) / 20
        print(f"first screen of 50,000 lines {first * 1000:.0f} ms, a page {page * 1000:.0f} ms")
        assert first < 3.0 and page < 1.0


async def test_raw_lines_are_cleaned_when_drawn(golden: Any) -> None:
    view = LineView(["\x1b[31mred\x1b[0m\r", "tab\tstop", "日本 \x1b]52;c;x\x07", "[/x] \u202e", "y" * 3000])
    app = Shown(view)
    async with app.run_test(size=(40, 8)) as pilot:
        await pilot.pause()
        golden(app, "lines")
        await pilot.press("l")
        assert view.render_line(4).text.startswith("yyyyyyyyyy") and "y…+19" in view.render_line(4).text


@pytest.mark.parametrize("away", [False, True])
async def test_appended_lines_are_followed_only_while_the_end_is_in_view(away: bool) -> None:
    view = LineView([f"line {n}" for n in range(50)], follow=True)
    async with Shown(view).run_test(size=(40, 10)) as pilot:
        await pilot.press("G")
        if away:
            await pilot.press("k")
        before = view.top_line
        view.append_lines(["one", "two"])
        await pilot.pause()
        await pilot.pause()
        assert view.top_line == (before if away else before + 2)
        view.set_text("only\nthis\n")
        await pilot.pause()
        assert view.count == 2 and view.render_line(1).text.rstrip() == "this"


@pytest.mark.parametrize("away", [False, True])
async def test_the_end_asked_for_stays_in_view_when_the_pane_gets_another_height(away: bool) -> None:
    view = LineView([f"line {n}" for n in range(50)])
    async with Shown(view).run_test(size=(40, 60)) as pilot:
        await pilot.press("G")
        assert view.top_line == 0  # all of it is in view: there is nowhere to go yet
        if away:
            await pilot.press("k")
        view.styles.height = 10
        for _ in range(5):
            await pilot.pause()
        assert view.top_line == (0 if away else 40)


MANY = b"--- a/x\n+++ b/x\n@@ -0,0 +1,200 @@\n" + b"".join(b"+%03d\n" % n for n in range(200))


async def test_the_cursor_is_seen_without_colour_and_whatever_scrolls_takes_it_along() -> None:
    pane = LineDiff(MANY)
    async with Shown(pane).run_test(size=(40, 11)) as pilot:
        await pilot.press("j", "j")
        assert [pane.render_line(y).text[0] for y in range(4)] == [" ", " ", "›", " "]
        await pilot.press(*"jjjjjjjjjjj")
        assert (pane.cursor, pane.top_line) == (13, 13 - pane.view.height + 1)
        pane.scroll_to(y=100, animate=False)
        await pilot.pause()
        assert pane.cursor == 100
        pane.scroll_to(y=50, animate=False)
        await pilot.pause()
        assert pane.cursor == 50 + pane.view.height - 1
        pane.show_line(120, above=3)
        assert (pane.cursor, pane.top_line, pane.position(pane.line).new) == (120, 117, 118)  # type: ignore[union-attr]
        pane.set_marks([121])
        await pilot.pause()
        assert [pane.render_line(y).text[:3] for y in (3, 4, 5)] == ["› +", " *+", "  +"]
        await pilot.click(LineDiff, offset=(5, 1))
        assert pane.cursor == 118
        pane.styles.height = 4
        await pilot.pause()
        await pilot.pause()
        assert pane.top_line <= pane.cursor < pane.top_line + pane.view.height


async def test_changed_words_and_conflict_markers_stand_out_in_mono_too() -> None:
    data = b"--- a/x\n+++ b/x\n@@ -1,1 +1,4 @@\n-delay = 3\n+delay = 40\n+<<<<<<< a\n+======\n+>>>>>>> b\n"
    pane = LineDiff(data)
    app = Shown(pane)
    async with app.run_test(size=(60, 18)) as pilot:
        for theme in ("dark", "mono", "sixteen"):
            register_themes(app)
            app.theme = theme
            await pilot.pause()
            looks = {segment.text: segment.style for segment in pane.render_line(4) if segment.style}
            word, rest = looks["40"], looks["+delay = "]
            assert word != rest and (word.underline or word.bgcolor != rest.bgcolor), theme
            assert theme == "dark" or word.underline, "no colour is needed to see it"
            marker = next(s.style for s in pane.render_line(5) if "<<<<" in s.text)
            assert marker and marker.reverse, theme
            plain = next(s.style for s in pane.render_line(6) if "=====" in s.text)
            assert plain and not plain.reverse


async def test_side_by_side_from_its_width_on_with_the_cursor_on_the_same_line() -> None:
    pane = LineDiff(DIFF)
    async with Shown(pane).run_test(size=(130, 18)) as pilot:
        await pilot.press(*"jjjjjjjj")
        assert pane.diff.lines[pane.line].startswith(b"+text")
        pane.set_layout("split")
        await pilot.pause()
        assert pane.side_by_side and pane.diff.lines[pane.line].startswith(b"+text")
        rows = [pane.render_line(y).text for y in range(9)]
        half = rows[6].index("│")
        assert [rows[6][1:half].rstrip(), rows[6][half + 1 :].rstrip()] == ["-delay = 3", '+delay→  = "4"··']
        assert rows[7][1:half].strip() == "" and rows[7][0] == "›" and "<U+202E>␛" in rows[7]
        assert rows[0].strip() == "M src/send.py +3 −1", "what is no code goes across"
        await pilot.press("right_curly_bracket")
        assert pane.diff.kind(pane.line) == "hunk"
        await pilot.resize_terminal(80, 18)
        await pilot.pause()
        assert not pane.side_by_side and pane.diff.kind(pane.line) == "hunk"
        assert "side by side wants 110 columns; this pane has 80" in pane.not_beside()
        await pilot.resize_terminal(130, 18)
        await pilot.pause()
        assert pane.side_by_side


async def test_a_long_line_side_by_side_is_cut_with_a_mark_and_moves_in_its_half() -> None:
    long = b"x" * 50 + b"y" * 50
    pane = LineDiff(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-%s\n+%s\n" % (long, long[::-1]))
    async with Shown(pane).run_test(size=(130, 8)) as pilot:
        pane.set_layout("split")
        await pilot.pause()
        left, right = pane.render_line(3).text[1:].split("│")
        assert all(re.search(r"[xy]…\+\d\d$", side.rstrip()) for side in (left, right))
        await pilot.press(*"llllll")
        left, right = pane.render_line(3).text[1:].split("│")
        assert left.rstrip().endswith("y") and right.rstrip().endswith("x"), "the end of both can be seen"


async def test_nothing_that_a_big_diff_needs_on_the_loop_takes_long() -> None:
    """What is slow is done before, on a thread (`diffoutline.read`)."""
    body = b"".join(b"-    value_%d = old('x', %d)\n+    value_%d = new('x')  # n\n" % (n, n, n) for n in range(25_000))
    many = b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,25000 +1,25000 @@\n" + body
    one = MANY.split(b"+000")[0].replace(b"200", b"1") + b"+" + "é\u202e\t".encode() * 1_000_000 + b"\n"
    app, pane = Shown(LineDiff()), None
    async with app.run_test(size=(130, 40)) as pilot:
        pane = app.widget
        assert isinstance(pane, LineDiff)
        for name, data in (("50,000 lines", many), ("a line of 6 MB", one)):
            diff = read(data)
            for layout in ("unified", "split"):
                took = []
                for act in (lambda d=diff: pane.set_diff(d), lambda w=layout: pane.set_layout(w), pane.action_bottom):
                    started = time.process_time()
                    act()
                    took.append(time.process_time() - started)
                    await pilot.pause()
                    pane._strips.clear()
                    started = time.process_time()
                    for y in range(pane.view.height):
                        pane.render_line(y)
                    took.append(time.process_time() - started)
                print(f"{name}, {layout}: {', '.join(f'{each * 1000:.0f}' for each in took)} ms")
                assert max(took) < 0.5
