"""Which addresses are taken, which lead to one place, and what of one is shown."""

from __future__ import annotations

import pytest

from console.core.addresses import logged_problem, same, shown, url_problem
from console.core.notify_settings import Ask, Channel, for_session, merged, with_environment
from console.verbs.reading import hidden

TOKEN = "https://hooks.example/services/T0/TOKTOK?k=TOKTOK"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9911\\@evil/",
        "http://127.0.0.1:0/",
        "http://a..b/",
        "http://-a.example/",
        "http://xn--a.invalid/",
        "http://\uff11\uff12\uff17.0.0.1/",
        "http://\u2603.example/",
        "http://xn--n3h.example/",
        "http://stra\u00dfe.example/",
        "http://999.1.1.1/",
        "http://127.1/",
        "http://h%41/",
        "http://a@b@c/",
        "http://" + "a" * 64 + ".example/",
    ],
)
def test_an_address_that_can_be_read_in_two_ways_or_leads_nowhere_is_refused(url: str) -> None:
    assert url_problem(url)


@pytest.mark.parametrize(
    "url",
    [
        TOKEN,
        "http://localhost:8080",
        "http://my_service/x",
        "http://[2001:db8::7]:9/",
        "http://127.0.0.1:9/a@b",
        "https://b\u00fccher.example/",
        "https://xn--bcher-kva.example/",
        "http://example.org./",
    ],
)
def test_a_usual_address_is_taken(url: str) -> None:
    assert url_problem(url) == ""


def test_one_place_is_known_however_its_letters_are_written() -> None:
    assert same("https://B\u00fccher.example./%7eada/%2f") == same("https://xn--bcher-kva.example/~ada/%2F")
    assert same("http://h/a%2Fb") != same("http://h/a/b")


def test_credentials_are_refused_for_an_address_that_goes_into_the_log() -> None:
    said = logged_problem("http://ada:pw1@h.example/x", "--notify-secret")
    assert "--notify-secret" in said and "notify" in said and "pw1" not in said
    assert logged_problem(TOKEN, "--notify-secret") == ""


def test_an_address_is_shown_up_to_its_host_wherever_the_log_is() -> None:
    row = {"type": "session:added", "notify_url": TOKEN, "spec": {"steps": [{"on_wait": {"webhook": TOKEN}}]}}
    assert "TOKTOK" not in str(hidden(row)) and hidden(row)["notify_url"] == "https://hooks.example/…" == shown(TOKEN)
    assert hidden({"notify_url": "", "webhook": ""}) == {"notify_url": "", "webhook": ""}


def test_an_address_is_signed_for_whoever_names_it_when_anybody_names_a_secret_for_it() -> None:
    mine = Channel(kind="url", where="http://h.example/mine", secret="env:MINE", asks=(Ask(),))
    theirs = for_session("s-1", "http://h.example/mine", "")
    (same_place,) = merged(with_environment([mine], {"NIGHTDESK_NOTIFY_URL": "http://H.example/mine"}))
    assert same_place.secret == "env:MINE"
    environ = {"NIGHTDESK_NOTIFY_URL": "http://else.example/"}
    else_, session = merged([*with_environment([mine], environ), theirs])
    assert (else_.secret, session.secret) == ("", "env:MINE") and session.asks == theirs.asks
    assert merged(with_environment([mine], environ)) == (else_,), "named for its secret alone, it is told nothing"
