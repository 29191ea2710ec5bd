"""The end of a limit, from the fields of errors: every form that agents and servers are known to use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from console.adapters.agents import resets

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC).timestamp()
DAY = 86400.0


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


STATED = [
    ("Claude AI usage limit reached|1796040000", "2026-11-30T12:00:00+00:00"),
    ("You've hit your limit · resets 3:45pm (Europe/Paris)", "2026-11-30T14:45:00+00:00"),
    ("limit resets at 3:45pm (Europe/Paris)", "2026-11-30T14:45:00+00:00"),
    ("5-hour limit reached ∙ resets 3pm", "2026-11-30T15:00:00+00:00"),
    ("weekly limit reached ∙ resets Dec 3 at 3pm (UTC)", "2026-12-03T15:00:00+00:00"),
    ("resets Friday 9am (UTC)", "2026-12-04T09:00:00+00:00"),
    ("resets 15:45", "2026-11-30T15:45:00+00:00"),
    ("resets 12am (UTC)", "2026-12-01T00:00:00+00:00"),
    ("resets 12pm (UTC)", "2026-11-30T12:00:00+00:00"),
    ("resets 8am (UTC)", "2026-12-01T08:00:00+00:00"),
    ("try again at Dec 3rd, 2026 3:45 PM.", "2026-12-03T15:45:00+00:00"),
    ("or try again in 5 days 3 hours 20 minutes.", "2026-12-05T13:20:00+00:00"),
    ("Rate limit reached. Please try again in 6m0s.", "2026-11-30T10:06:00+00:00"),
    ("Please retry in 17.5s.", "2026-11-30T10:00:17.500000+00:00"),
    ("Please retry after 7 seconds", "2026-11-30T10:00:07+00:00"),
    ("429 Too Many Requests, retry-after: 7", "2026-11-30T10:00:07+00:00"),
    ("quota resets 2026-11-30T12:00:00Z", "2026-11-30T12:00:00+00:00"),
    ("available again 2026-11-30T13:00:00+01:00", "2026-11-30T12:00:00+00:00"),
]


@pytest.mark.parametrize(("text", "when"), STATED)
def test_what_messages_state(text: str, when: str) -> None:
    assert resets.stated(text, NOW, UTC) == moment(when)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "try again later",
        "retry 3 times",
        "Reconnecting... 1/5",
        "resets 99:99",
        "resets Feb 31 at 3pm",
        "wait for 5 documents",
        "it was 3:45pm when the request timed out after 600 seconds",
        "created 2026-11-30T12:00:00Z",
    ],
)
def test_a_message_that_names_no_reset_has_none(text: str) -> None:
    assert resets.stated(text, NOW, UTC) == 0.0


def test_a_clock_time_without_a_zone_is_the_machines() -> None:
    east = timezone(timedelta(hours=9))
    assert resets.stated("resets 11pm", NOW, east) == moment("2026-11-30T23:00:00+09:00")


@pytest.mark.parametrize("zone", ["Europe/Atlantis", "Europe/../../etc/passwd", "Mars"])
def test_a_zone_that_does_not_exist_is_the_machines_too(zone: str) -> None:
    assert resets.stated(f"resets 3pm ({zone})", NOW, UTC) == moment("2026-11-30T15:00:00+00:00")


@pytest.mark.parametrize(
    ("value", "ahead"),
    [
        (NOW + 2, 2),
        (int(NOW + 3600) * 1000, 3600),
        (str(int(NOW + 60)), 60),
        ("2026-11-30T10:10:00Z", 600),
        ("2026-11-30 10:10:00", 600),
        ("5 hours", 5 * 3600),
        ("3:45pm (UTC)", 5.75 * 3600),
    ],
)
def test_fields_that_name_a_moment(value: object, ahead: float) -> None:
    assert resets.at(value, NOW, UTC) == pytest.approx(NOW + ahead)


@pytest.mark.parametrize(
    ("value", "unit", "ahead"),
    [(7, 1.0, 7), ("7", 1.0, 7), (1500, 0.001, 1.5), ("17s", 1.0, 17), ("6m0s", 1.0, 360), ("1h 2m", 1.0, 3720)],
)
def test_fields_that_name_a_wait(value: object, unit: float, ahead: float) -> None:
    assert resets.within(value, NOW, unit) == pytest.approx(NOW + ahead)


def test_retry_after_may_be_a_date() -> None:
    assert resets.within("2026-11-30T10:10:00Z", NOW) == NOW + 600


@pytest.mark.parametrize("value", [True, None, "", "soon", [], {}, float("nan"), float("inf"), -5, 0, "1e999", 10**400])
def test_nonsense_is_no_time(value: object) -> None:
    assert resets.at(value, NOW, UTC) in (0.0, NOW + resets.LONGEST) and resets.within(value, NOW) == 0.0


def test_a_time_far_away_is_cut_to_eight_days() -> None:
    assert resets.at(NOW + 365 * DAY, NOW) == NOW + 8 * DAY == resets.within(1e12, NOW)
    assert resets.stated("try again in 52 weeks", NOW) == NOW + 8 * DAY


def test_a_reset_that_has_passed_is_waited_for_a_little() -> None:
    assert resets.at(NOW - 3600, NOW) == NOW + resets.PASSED
    assert resets.stated("resets 9:55am (UTC)", NOW) == NOW + resets.PASSED
