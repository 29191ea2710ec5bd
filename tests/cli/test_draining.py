"""What a night says of the tickets folder: a flicker is no news, its lasting end is."""

from __future__ import annotations

from console.cli.draining import CALM, Problems
from console.core import events as ev


def entry(at: float, *problems: str) -> ev.Logged:
    return ev.Logged(seq=1, at=at, fact=ev.QueueProblems(problems=problems))


def test_a_problem_that_comes_and_goes_is_said_once_and_its_end_once_it_lasts() -> None:
    told = Problems()
    assert told.news(entry(0, "a.md:1: broken"))
    for at in (1.0, 2.0, 3.0):
        assert not told.news(entry(at)) and told.over(at + 0.5) is None
        assert not told.news(entry(at + 0.6, "a.md:1: broken"))
    assert told.over(100) is None, "it is wrong still"
    assert not told.news(entry(101))
    assert told.over(101 + CALM - 0.1) is None
    well = told.over(101 + CALM)
    assert well and well.at == 101
    assert told.over(1000) is None, "once"
    assert told.news(entry(2000, "a.md:1: broken")), "after a calm it is news again"


def test_another_problem_is_news_and_so_is_everything_else() -> None:
    told = Problems()
    assert told.news(entry(0, "a.md:1: broken")) and told.news(entry(1, "b.md:1: broken"))
    assert told.news(ev.Logged(seq=2, at=2, fact=ev.TicketWoken(ticket="t", attempt=1)))
    assert told.over(50) is None, "nothing has ended"
