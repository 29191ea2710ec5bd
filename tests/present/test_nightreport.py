"""The report as Markdown: its first screen, golden pages, and texts from outside that stay texts."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))
from chainnight import whole_night
from nightlog import START, Night, seven

from console.core import events as ev
from console.core.records import Check, RepoChange, RunSettings
from console.core.records_routines import RoutineSpec, Step
from console.present.mdtext import COLUMNS, broken, span
from console.present.nightreport import markdown
from console.present.text import width

GOLDEN = Path(__file__).parent / "golden"
PARSER = MarkdownIt("gfm-like")
EVIL = (
    "[click](http://evil.example) <script>x</script> https://evil.example www.evil.example a@evil.example",
    "`` ` ``` ` end",
    "```\n# heading\n- item\n1. one\n> quote\n| a | b |\n---\n<!-- x -->",
    "\x1b[2J\x9b31m\x00\u202e\u2066\u200b\udc80",
    "![i](x) ![[y]] *a* **b** _c_ ~~d~~ \\` &lt; &#96;",
    "漢字" * 300,
    "x" * 1000,
    "",
)


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def calm() -> Night:
    n = Night()
    for name in ("first", "second"):
        n.ticket(name)
    n.run()
    for name in ("first", "second"):
        n.land(n.done(name))
    n.end_run()
    return n


def low_yield() -> Night:
    n = Night()
    for number in range(12):
        n.ticket(f"t{number}")
    n.run()
    for number in range(9):
        n.park(f"t{number}", "one", "two", question=f"Question {number}?")
    n.end_run("LOW_YIELD", "9 of the 9 tickets that ended are not done; the queue itself needs a look")
    return n


def halted() -> Night:
    n = Night()
    n.ticket("a")
    n.ticket("b")
    n.run()
    n.done("a")
    n.claim("b")
    n.add(ev.RunHalting(run="run-1", reason="the settings changed during the run"))
    n.add(ev.TicketRequeued(ticket="b", by=n.state.runs["run-1"].by))
    n.end_run("HALTED", "the settings changed during the run")
    return n


def chained() -> Night:
    """Chains, a routine that asks, and a channel that fails."""
    n = whole_night()
    spec = RoutineSpec(name="release", steps=(Step(name="ship it"),))
    n.add(ev.RoutineStarted(routine="rt-1", spec=spec, by=n.state.runs["run-1"].by))
    n.add(ev.RoutineStepBegun(routine="rt-1", step=0))
    n.add(ev.RoutineEscalated(routine="rt-1", step=0, title="Deploy [it](http://evil)?", until=n.now + 5.5 * 3600))
    n.add(ev.ChannelOpened(channel="c1", words="the hook at 127.0.0.1", since=0))
    n.add(ev.NoticeSettled(channel="c1", upto=n.state.seq, outcome="failed", detail="connection refused"))
    return n


NIGHTS = {"seven": seven, "calm": calm, "low-yield": low_yield, "halted": halted, "chains": chained}


def page(n: Night, run: str = "") -> str:
    return markdown(n.report(run), n.now + 5 * 3600)


@pytest.mark.parametrize("name", NIGHTS)
def test_the_page_is_the_golden_one(name: str) -> None:
    """UPDATE_GOLDEN=1 writes them anew; read the difference before it is committed."""
    file, shown = GOLDEN / f"night-{name}.md", page(NIGHTS[name]())
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(shown)
    assert shown == file.read_text()


def test_the_same_night_gives_the_same_page() -> None:
    assert page(seven()) == page(seven())


# -- the first screen --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NIGHTS)
def test_headline_tallies_and_what_waits_fit_the_first_screen(name: str) -> None:
    top = page(NIGHTS[name]()).split("\n## ")[0].rstrip().split("\n")
    assert len(top) <= 24
    assert top[0].startswith("# Night report: `run-1`, ")
    assert any(line.startswith("**Waits for you") or line == "**Nothing waits for you.**" for line in top)


def test_a_bad_night_is_loud_and_a_good_one_calm() -> None:
    assert "**!!! LOW YIELD: most of what was tried is not done;" in page(low_yield())
    assert "**!!! HALTED: the run was broken off. 1 of 2 tickets done**" in page(halted())
    assert "**!!! THE RUN ENDED, THE WORK IS NOT DONE: 2 of 12 tickets done**" in page(seven())
    good = page(calm())
    assert "**All 2 done**" in good and "**Nothing waits for you.**" in good
    assert "!!!" not in good


def test_the_newest_waiting_thing_is_named_however_many_older_ones_there_are() -> None:
    n = Night()
    for number in range(40):
        n.ticket(f"t{number}")
    n.run()
    for number in range(40):
        n.park(f"t{number}", question=f"Question {number}?")
    top = page(n).split("\n## ")[0]
    assert "Question 0?" in top and "Question 39?" in top
    assert "Question 20?" not in top
    assert all(page(n).count(f"`Question {number}?`") == 1 for number in range(40))


def test_the_first_screen_shows_no_words_of_an_agent() -> None:
    top = page(seven()).split("\n## ")[0]
    assert "Title of ask" in top and "click" not in top
    assert "question (the agent's words): `Shall I [click](http://evil) 'now'␛[2J?`" in page(seven())


# -- texts from outside ------------------------------------------------------------------------------


def hostile(text: str) -> Night:
    """A night in which everything that somebody else can word is `text`."""
    n = Night()
    for name in ("a", "b", "c", "d"):
        n.ticket(name, title=text or "t", held=text if name == "d" else "")
    n.ticket("e", text or "x")
    n.run(warnings=(Check(name=text, level="warning", text=text, cure=text),), settings=RunSettings(digest=text))
    n.done("a", level=2, outcome="DONE_LOW_CONFIDENCE")
    n.park("b", text, text, source="agent", question=text, evidence=(text,))
    n.claim("c")
    n.begin("c")
    n.add(ev.TicketAttemptFailed(ticket="c", attempt=1, cause="agent", why=text))
    n.end("c", "FAILED_BUG_IN_AGENT", text)
    n.add(ev.QueueProblems(problems=(text,)))
    n.add(ev.Exited(session="s-1", run=1, how="exited", leftovers=(text,)))
    n.add(ev.Exited(session="s-1", run=1, how="unkillable", reason=text))
    n.add(ev.SessionHung(session="s-2", run=1, turn=1, cause="hang", why=text, evidence=text))
    n.add(ev.SessionRestarting(session="s-2", run=1, turn=1, cause="hang", why=text, count=1, until=n.now))
    n.add(ev.SessionGivenUp(session="s-2", turn=1, cause="hang", why=text))
    n.add(ev.SupervisorDegraded(kind="disk", why=text), ev.FuseBlown(sessions=(text,), at_work=1, why=text))
    n.add(ev.SupervisorStarted(pid=9, start_time=1, host=text, version="1"))
    change = RepoChange(item=text, severity="runs", cure=text)
    n.add(ev.RepositoryChanged(alert="al-1", when="turn", changes=(change,), baseline="a", seen="b"))
    n.end_run("DRAINED", text)
    return n


def tokens(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def check(shown: str) -> None:
    """Nothing in the page is markup but what the page itself put there."""
    found = list(tokens(shown))
    kinds = {token.type for token in found}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "table_open", "s_open", "em_open", "hr"}
    assert not kinds & {"blockquote_open", "ordered_list_open", "code_block"}
    drawn = 2 * shown.count("\n## The night\n")
    assert sum(token.type == "fence" for token in found) == shown.count("\n## Merge") + drawn
    headings = [t.content for t, before in zip(found[1:], found, strict=False) if before.type == "heading_open"]
    assert len(headings) == sum(line.startswith(("# ", "## ", "### ")) for line in outside_fences(shown))
    assert all(h.startswith(("Night report", "Started again", *TITLES)) or h[0].isdigit() for h in headings), headings
    assert not [c for c in shown if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u200b"]
    shown.encode()


TITLES = (
    "Decide", "Look at", "Blocked", "Failed", "Still", "Done", "Moved on", "Not started", "Blind", "Merge", "The run",
    "The night",
)  # fmt: skip


def outside_fences(shown: str) -> list[str]:
    inside, lines = False, []
    for line in shown.split("\n"):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            lines.append(line)
    return lines


@pytest.mark.parametrize("text", EVIL)
def test_no_text_from_outside_becomes_markup_or_drives_the_terminal(text: str) -> None:
    check(page(hostile(text)))


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("`~*_[]()<>!#-+=|\\&:/.@ \n\t\r1aé漢\u202e\u0301\x1b")))
def test_no_random_text_becomes_markup(text: str) -> None:
    check(page(hostile(text)))


@pytest.mark.parametrize("text", EVIL)
def test_lines_are_at_most_100_cells_but_commands_that_are_copied(text: str) -> None:
    for line in page(hostile(text)).split("\n"):
        assert width(line) <= COLUMNS or "nightdesk " in line or line.startswith("git "), line


@given(st.text(st.sampled_from("ab 漢é"), max_size=60), st.integers(2, 20), st.integers(2, 20))
def test_broken_lines_fit_and_lose_nothing_but_blanks(text: str, first: int, others: int) -> None:
    lines = broken(text, first, others)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width(line) <= (others if number else first) for number, line in enumerate(lines))


def test_a_span_never_ends_early() -> None:
    assert span("a ``b` c") == "`a ''b' c`"
    assert span(" \n ") == "(nothing)"


def test_a_long_section_is_capped_and_says_where_the_rest_is() -> None:
    n = Night()
    for number in range(130):
        n.ticket(f"t{number:03}")
    n.run()
    n.end_run("STOPPED", "stopped by ada")
    shown = page(n)
    assert "## Not started (130)" in shown
    assert shown.count("\n- not reached") == 100
    assert "and 30 more: `nightdesk report --run run-1 --json`" in shown


def test_a_run_under_way_is_told_as_of_now() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    n.claim("a")
    shown = markdown(n.report(), START + 7200)
    assert "to now (2023-11-15 00:13), 1h59" in shown
    assert "## Still under way (1)" in shown


def test_a_plan_whose_tickets_file_is_gone_waits_on_the_first_screen() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    plan = n.done("a")
    n.add(ev.TicketGone(ticket="a"))
    n.end_run()
    first = markdown(n.report(), n.now).splitlines()[:24]
    assert any("Waits for you: 1 to approve" in line for line in first)
    assert any(line.startswith("- done") and line.endswith("key `a`") for line in first)
    n.land(plan)
    assert "**Nothing waits for you.**" in markdown(n.report(), n.now)


def test_a_plan_on_another_one_names_what_lands_first_and_offers_no_key_of_its_own() -> None:
    n = Night()
    n.ticket("low")
    n.ticket("high", "low")
    n.run()
    low = n.done("low")
    n.done("high", stacked_on=(low,), base=low)
    n.end_run()
    text = markdown(n.report(), n.now)
    assert "2 to approve" in text and text.count("(key `a`)") == 1
    (line,) = [line for line in text.splitlines()[:24] if "high" in line]
    assert line.endswith(f"`nightdesk policy ack pol-1 --approve --plan {low[:10]}`")


def test_a_ticket_that_waits_for_a_usage_limit_says_to_which_day() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    n.claim("a")
    n.begin("a")
    n.add(ev.TicketWaiting(ticket="a", attempt=1, until=START + 86400, why="usage limit"))
    text = markdown(n.report(), n.now)
    assert "until 2023-11-15 22:13" in text and "waits for the end of a usage limit" in text


def test_what_broke_off_is_a_section_of_its_own_with_causes_and_times() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    n.claim("a")
    n.begin("a")
    n.add(ev.SessionHung(session="s-1", run=1, turn=1, cause="hang", why="silent", evidence="S in do_poll"))
    for count, cause in ((1, "hang"), (2, "crash")):
        again = ev.SessionRestarting(
            session="s-1",
            run=count,
            turn=1,
            cause=cause,  # type: ignore[arg-type]
            why="signal 9",
            count=count,
            until=n.now,
        )
        n.add(again)
    n.add(ev.Exited(session="s-1", run=3, how="exited", code=0, leftovers=("77 node server.js, port 8080",)))
    n.add(ev.SupervisorDegraded(kind="disk", why="3 MB are left"))
    shown = markdown(n.report(), n.now + 120)
    section = shown.split("## Started again, left over, stood still (3)\n")[1].split("\n## ")[0]
    assert (
        section
        == """
- `a` in s-1: hung once, crashed once; started again at 22:17, 22:18
  - why: `signal 9`
  - evidence: `S in do_poll`

- `a` in s-1: outlived its agent and was ended
  - process: `77 node server.js, port 8080`

- 22:20 and it still lasts (2m): disk space was short, nothing new was started
  - why: `3 MB are left`
"""
    )
    assert "1 attempt (0 beyond the first), 0 nudges, 2 restarts" in " ".join(shown.split())


def test_what_one_session_left_is_one_entry() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    n.claim("a")
    n.begin("a")
    n.add(ev.Exited(session="s-1", run=1, how="exited", code=0, leftovers=tuple(f"{pid} sleep 9" for pid in range(40))))
    section = markdown(n.report(), n.now).split("## Started again, left over, stood still (1)\n")[1].split("\n## ")[0]
    assert section.splitlines() == [
        "",
        "- `a` in s-1: 40 processes outlived their agent and were ended",
        *(f"  - process: `{pid} sleep 9`" for pid in range(3)),
        "  - and 37 more",
    ]


def test_the_first_screen_never_says_that_all_is_well_while_something_holds_everything_up() -> None:
    n = calm()
    n.add(ev.RunStarted(run="run-2", settings=RunSettings(), by=n.state.runs["run-1"].by))
    n.add(ev.SupervisorDegraded(kind="disk", why="3 MB are left"))
    top = page(n).split("\n## ")[0]
    assert "**Just now: disk space was short, nothing new was started.**" in top
    assert "**Nothing else waits for you.**" in top and "**Nothing waits for you.**" not in top
    n.add(ev.SupervisorRecovered(kind="disk"))
    n.add(ev.SessionGivenUp(session="s-9", turn=1, cause="crash", why="six times"))
    assert "**Waits for you: 1 given up.**" in page(n).split("\n## ")[0]
    n.add(ev.FuseBlown(sessions=("s-1",), at_work=1, why="together"))
    n.end_run()
    shown = page(n)
    assert "**As the run ended: so many agents were silent at once that none was ended.**" in shown
    assert "to the end of the run, and on (1m): so many agents" in shown
