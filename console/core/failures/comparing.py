"""What the runs of one gate on two trees say together: who its failure is down to. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from console.core.failures.lines import NOT_LOADED, is_whole
from console.core.failures.naming import failing
from console.core.failures.signing import signature
from console.core.failures.trouble import Trouble, trouble
from console.core.records import BlameKind, GateResult, Record, Verdict

SHOWN = 3
_NAME_SHOWN = 80


class JUnit(Record, frozen=True, kw_only=True):
    """Tests in the reports that a run wrote, as `class.test`; one that failed at all is not among `passing`."""

    failing: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()


class Failures(Record, frozen=True, kw_only=True):
    """One run, as far as it can be compared. printed: failing tests by its output. reported: by its JUnit files, None
    when it wrote none that says why it is red. died: ended by a signal, so that tests may never have run."""

    verdict: Verdict
    code: int | None = None
    died: bool = False
    printed: frozenset[str] = frozenset()
    reported: frozenset[str] | None = None
    signature: str = ""
    trouble: Trouble | None = None


class Compared(Record, frozen=True, kw_only=True):
    """A judgement over several runs, in the words of `records.Blame`."""

    kind: BlameKind
    why: str
    failing: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()


def observed(result: GateResult, output: str, report: JUnit | None) -> Failures:
    """A run as it ended, with the whole output that was kept of it."""
    if result.verdict == "green":
        return Failures(verdict="green", code=result.code)
    printed = failing(output)
    reported = report.failing if report and report.failing else None
    return Failures(
        verdict=result.verdict,
        code=result.code,
        died=result.signal is not None or (result.code or 0) > 128,
        printed=printed,
        reported=reported,
        signature=signature(output, reported or printed),
        trouble=trouble(result),
    )


Names = Callable[[Failures], frozenset[str]]


def names_by(runs: Iterable[Failures]) -> Names:
    """How all these runs name their tests alike: by their reports when every red one has one, else by their output."""
    if all(run.reported is not None for run in runs if run.verdict != "green"):
        return lambda run: run.reported or frozenset()
    return lambda run: run.printed


def flaky(runs: Sequence[Failures]) -> Compared:
    """The same bytes, red and green."""
    name = names_by(runs)
    red = [run for run in runs if run.verdict != "green"]
    seen = frozenset[str]().union(*map(name, red))
    told = f": {shown(seen)}" if seen else ", and the tests' names could not be read"
    why = f"the same work was green in {len(runs) - len(red)} of {len(runs)} runs{told}"
    return Compared(kind="flaky", why=why, failing=seen)


def summed(runs: Sequence[Failures]) -> frozenset[str]:
    """Tests that failed in each of these runs; runs that hit their limit count when there are no others."""
    name = names_by(runs)
    red = [name(run) for run in _telling(runs)]
    return frozenset.intersection(*red) if red else frozenset()


def _telling(runs: Sequence[Failures]) -> list[Failures]:
    """The runs that went to their own red end, else those that did not."""
    return [run for run in runs if run.verdict == "red"] or [run for run in runs if run.verdict == "timeout"]


def compared(work: Sequence[Failures], base: Sequence[Failures], place: str = "its base") -> Compared:
    """Every run of the work was red (or hit its limit), on the same bytes. base: runs before the work, none when there
    is no base. place: the base, in words."""
    now, shows, slow = summed(work), _trouble(work), all(run.verdict == "timeout" for run in work)
    what = "the gate hits its limit" if slow else _count(now, shows)
    reds = [run for run in base if run.verdict == "red"]
    if not base:
        return _introduced(f"{what}, and there is nothing to compare with: the branch has no commit yet", now)
    if shows and any(run.trouble and run.trouble.kind == shows.kind for run in base):
        return Compared(kind="environment", why=f"{shows.text} (before the work too)", failing=now)
    if any(run.verdict == "timeout" for run in base) and (slow or not reds):
        if slow:
            return Compared(kind="environment", why="the gate hits its limit before the work too", failing=now)
        return _introduced(f"{what}; before the work the gate hits its limit, so what failed then is not known", now)
    if base[0].verdict == "unjudged":
        return _base_unjudged(what, now, base[0], shows)
    if not reds:
        return _introduced(f"{what}; {place} is green", now)
    if slow:
        return _introduced(f"{what}; on {place} it is red, but in time", now)
    return _red_on_red(_telling(work), reds, place)


def _introduced(why: str, now: frozenset[str]) -> Compared:
    return Compared(kind="introduced", why=why, failing=now, fresh=now)


def _trouble(work: Sequence[Failures]) -> Trouble | None:
    """What the last run shows, else what the first one did: the base is run after both."""
    return work[-1].trouble or work[0].trouble


def _base_unjudged(what: str, now: frozenset[str], base: Failures, shows: Trouble | None) -> Compared:
    reason = base.trouble.text if base.trouble else "nobody could tell how it ended"
    if shows:
        why = f"{shows.text}; before the work the gate could not be judged either: {reason}"
        return Compared(kind="environment", why=why, failing=now)
    return _introduced(f"{what}; before the work the gate could not be judged: {reason}", now)


def _red_on_red(work: Sequence[Failures], base: Sequence[Failures], place: str) -> Compared:
    name = names_by((*work, *base))
    sets = [name(run) for run in work]
    before = frozenset[str]().union(*map(name, base))
    every, ever = frozenset.intersection(*sets), frozenset[str]().union(*sets)
    died = work[-1].died and not any(run.died for run in base)
    if not before or not all(sets):
        return _unnamed(work, base, ever, died)
    fresh, wavering = every - before, (ever - every) - before
    both = len(before & ever)
    old = f"; {both} failed before too" if both else f"; what failed before ({len(before)}) passes now"
    if fresh:
        why = f"{_tests(fresh)} that did not before: {shown(fresh)}{old}"
        return Compared(kind="introduced", why=why, failing=every, fresh=fresh)
    if died:
        why = f"the gate was ended by a signal, which it was not on {place}; the tests that it named failed before too"
        return Compared(kind="introduced", why=why, failing=every)
    if any(map(is_whole, every)) and not _alike(work, base):
        names = shown(name.removesuffix(NOT_LOADED) for name in every if is_whole(name))
        why = f"could not be loaded before either, but for another reason: {names}"
        return Compared(kind="introduced", why=why, failing=every)
    if wavering:
        why = f"{_tests(wavering)} in some of {len(work)} runs of the same work only: {shown(wavering)}{old}"
        return Compared(kind="flaky", why=why, failing=ever)
    gone = before - ever
    better = f"; {len(gone)} more failed before" if gone else ""
    why = f"{_tests(ever)}, all of which failed before too: {shown(ever)}{better}"
    return Compared(kind="pre-existing", why=why, failing=ever)


def _unnamed(work: Sequence[Failures], base: Sequence[Failures], now: frozenset[str], died: bool) -> Compared:
    """The names cannot be told on one side at least: the failure is the same one when all of it looks the same."""
    unread = "the tests' names could not be read"
    if _alike(work, base) and not died:
        why = f"the gate fails before the work in the same way ({unread})"
        return Compared(kind="pre-existing", why=why, failing=now)
    why = f"the gate fails before the work too, but in another way ({unread})"
    return Compared(kind="introduced", why=why, failing=now, fresh=now)


def _alike(work: Sequence[Failures], base: Sequence[Failures]) -> bool:
    return any((run.signature, run.code) == (one.signature, one.code) for run in work for one in base)


def shown(names: Iterable[str]) -> str:
    """At most three names, and how many more there are."""
    ordered = sorted(names)
    first = ", ".join(name if len(name) <= _NAME_SHOWN else name[: _NAME_SHOWN - 1] + "…" for name in ordered[:SHOWN])
    return first + (f" and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else "")


def _tests(names: frozenset[str]) -> str:
    return "1 test fails" if len(names) == 1 else f"{len(names)} tests fail"


def _count(names: frozenset[str], shows: Trouble | None) -> str:
    if names:
        return f"{_tests(names)}: {shown(names)}"
    return f"the gate fails: {shows.text}" if shows else "the gate fails (the tests' names could not be read)"
