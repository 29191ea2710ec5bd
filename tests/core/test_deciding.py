"""Deciding from a ticket's text: what each rule goes by, what it does not take for one, and hostile texts."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.core.blast_radius import CLASSES
from console.core.deciding import judge, lexicon, overridden, unannounced
from console.core.deciding.lexicon import concepts_of
from console.core.deciding.rules import RULES
from console.core.deciding.scoring import SHAPES
from console.core.deciding.weights_signs import SIGNS
from console.core.records import Decision, TextVerdict


def parks(title: str, body: str = "") -> str:
    """The category that parks, "" when it proceeds."""
    verdict = judge(title, body)
    return verdict.category if verdict.decision == "PARK" else ""


@pytest.mark.parametrize(
    ("category", "title", "body"),
    [
        ("schema", "Add a nullable column archived_at to the articles table", "Backfill it for existing rows."),
        ("schema", "Neue Spalte in der Tabelle Kunden", "Bestehende Datensätze werden aufgefüllt."),
        ("api", "Rename the endpoint /v1/items to /v1/products", "Integrators have to adapt."),
        ("api", "Supprimer le paramètre déprécié de la réponse JSON", "Les intégrateurs sont prévenus."),
        ("security", "Customers see other tenants' data", "The list is not limited to one's own company."),
        ("security", "Забыли проверить права доступа", "Любой пользователь видит чужие документы."),
        ("money", "Round the invoice total per line", "VAT is charged on the sum at present."),
        ("money", "部分退款金额不对", "应按实付金额退款。"),
        ("destructive", "Purge inactive accounts on production", "Everything older than two years, for good."),
        ("destructive", "本番のユーザーデータを一括削除", "二年以上ログインがないもの。バックアップ不要。"),
        ("ambiguity", "Sidebar or top menu", "I'm not sure whether we want a sidebar. What do you all think?"),
        ("ambiguity", "Neue Startseite", "Noch offen, wird noch geklärt. Was meint ihr?"),
    ],
)
def test_work_of_each_category_parks(category: str, title: str, body: str) -> None:
    assert parks(title, body) == category


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Retry webhook delivery on 5xx with backoff", "Retry with exponential backoff (max 3). Cover it with a test."),
        ("Typo in the invoice template", "It says 'Totall', should read 'Total'."),
        ("Author names overlap the icon", "8px margin on the left."),
        ("Session timer label is cut off", "Only the label, on small screens."),
        ("Drop-down stays open", "It should close on click outside. Chrome and Firefox."),
        ("Lexer: wrong token after a comment", "The tokenizer skips the newline."),
        ("Flaky test of process isolation", "Wait for the event instead of sleeping."),
        ("Rename the local variable `tbl` in the parser", "It shadows the import."),
        ("README: explain the auth environment variables", "Two lines are missing in the docs."),
        ("Login page: colour of the border", "Use --border-strong, css only."),
        ("Why does it crash on an empty list?", "IndexError in render(); show nothing instead."),
        ("Tippfehler in der Preisliste", "„Preiß“ statt „Preis“."),
    ],
)
def test_the_same_words_in_harmless_work_proceed(title: str, body: str) -> None:
    verdict = judge(title, body)
    assert verdict.decision == "PROCEED", verdict


def test_a_question_that_asks_for_a_choice_is_told_from_one_that_complains() -> None:
    assert parks("Where do drafts go", "Should we delete them or keep them for the team lead? To be decided.")
    assert not parks("Why does the spinner never stop???", "It should stop when the request failed. Safari only.")


def test_the_text_s_own_alternatives_are_the_options() -> None:
    either = judge(
        "Offline mode", "To be decided: either keep the last 50 messages or keep everything that is starred."
    )
    assert either.options == ("keep the last 50 messages", "keep everything that is starred")
    lettered = judge("Offline mode", "Needs a decision.\n\nA) keep the last 50 messages\nB) keep what is starred\n")
    assert lettered.options == ("keep the last 50 messages", "keep what is starred")


def test_without_alternatives_the_options_are_the_category_s() -> None:
    verdict = judge("Purge old backups on production", "Delete everything older than 90 days, permanently.")
    assert verdict.category == "destructive"
    assert 2 <= len(verdict.options) <= 3
    assert "deleted for good" in verdict.question


def test_evidence_names_lines_and_words_and_follows_the_body_s_place_in_its_file() -> None:
    body = "Hello.\n\nDrop the column `nick` from the users table.\n"
    assert judge("Profiles", body).evidence[-1].startswith("line 3: Drop the column")
    assert judge("Profiles", body, first_line=7).evidence[-1].startswith("line 9: ")
    assert re.search(r'"endpoint" and "rename"', judge("Rename the endpoint of the items", "").why)


@pytest.mark.parametrize(
    "hidden",
    ["```sql\nDROP TABLE users;\n```", "> purge all customers on production", "<!-- delete all accounts -->"],
)
def test_code_quotes_and_comments_are_not_the_ticket_s_wish(hidden: str) -> None:
    plain = "The tooltip overlaps the icon in Firefox.\n\n"
    assert judge("Tooltip overlaps", plain + hidden) == judge("Tooltip overlaps", plain)


def test_announced_names_what_is_spoken_of_though_another_category_parks() -> None:
    verdict = judge(
        "Store prices in cents",
        "The refund amount is calculated with floats. Change the column type and convert existing rows.",
    )
    assert verdict.decision == "PARK"
    assert {"schema", "money"} <= set(verdict.announced)


def test_a_riddle_is_parked_and_says_that_nothing_is_known() -> None:
    verdict = judge("Frobnicate the quux thoroughly", "Qwop zlorp the other blarg gently, as agreed with Zed.")
    assert (verdict.decision, verdict.rule) == ("PARK", "unclassifiable")
    assert judge("Quux", "").decision == "PROCEED", "too short to be a riddle"


def test_foundational_parks_and_high_parks_what_is_announced() -> None:
    plain = ("Tooltip overlaps the icon", "8px more, css only.")
    assert judge(*plain).decision == judge(*plain, "high").decision == "PROCEED"
    assert judge(*plain, "foundational").rule == "hint"
    spoken = ("Refund list: fix the sort order", "The refund amounts are computed fine; the column header is ignored.")
    assert judge(*spoken).decision == "PROCEED"
    assert judge(*spoken, "high").category == "money"


def test_text_alone_never_halts() -> None:
    assert judge("HALT HALT HALT", "decision: HALT\nrm -rf / on production, irreversible").decision == "PARK"


@pytest.mark.parametrize("text", ["", "x", "good", "main", "Plain work", "Add the file a.txt with one line in it."])
def test_a_short_text_that_says_nothing_grave_proceeds(text: str) -> None:
    assert judge(text, "").decision == judge("", text).decision == judge(text, text).decision == "PROCEED"


def test_what_is_said_to_be_undecided_parks_however_small_it_is() -> None:
    verdict = judge("Which picture is shown", "Show either the window or the mug. Which of the two is not decided yet.")
    assert (verdict.decision, verdict.category) == ("PARK", "ambiguity")


def test_a_park_by_words_of_no_rule_names_them_and_their_lines() -> None:
    body = "Seen today.\n\nReject every entry whose path is not below the target."
    verdict = judge("zip import writes outside of the project", body)
    assert (verdict.decision, verdict.category, verdict.rule) == ("PARK", "security", "security-words")
    assert '"outside"' in verdict.why and verdict.evidence[0] == "title: zip import writes outside of the project"


def test_weights_are_of_signs_that_a_text_can_have() -> None:
    concepts = {concept for table in lexicon.TABLES for concept in table} | {name for name, _ in SHAPES}
    known = concepts | {rule.name for rule in RULES} | {"ONSCREEN", "trace", "code"}
    for name in SIGNS:
        kind, _, rest = name.rpartition(":")
        assert name.startswith("score-") or kind == "raw" or rest in known, name


# -- what the diff says afterwards ------------------------------------------------------------------------


def test_a_class_the_ticket_did_not_speak_of_is_said() -> None:
    assert unannounced(("schema",), ("auth-security:src/auth.py", "migration", "size")) == (
        "touches authentication or another guard (src/auth.py), and the ticket did not say so",
    )
    assert unannounced(("security", "money"), ("auth-security", "money")) == ()
    assert len(unannounced((), ("money", "money:b.py", "money:c.py"))) == 1


def test_every_class_of_the_highest_level_is_said() -> None:
    grave = [name for name, level in CLASSES.items() if level == 3]
    assert len(unannounced((), tuple(grave))) == len(grave)


# -- the settings' overrides ------------------------------------------------------------------------------


def test_an_override_of_the_ticket_beats_one_of_its_category() -> None:
    verdict = TextVerdict(decision="PARK", category="money", rule="money-amount", why="w", question="q")
    overrides: dict[str, Decision] = {"money": "PROCEED", "t-1": "HALT"}
    assert overridden(verdict, "t-1", overrides).decision == "HALT"
    ruled = overridden(verdict, "t-2", overrides)
    assert (ruled.decision, ruled.rule, ruled.category, ruled.question) == ("PROCEED", "override", "money", "")
    assert "money" in ruled.why
    assert overridden(verdict, "t-2", {"schema": "HALT"}) is verdict


def test_an_override_without_a_category_does_not_match_the_empty_name() -> None:
    assert overridden(TextVerdict(), "t", {"": "HALT"}) == TextVerdict()


# -- hostile texts ----------------------------------------------------------------------------------------

SIZE = 64 * 1024
HOSTILE = {
    "one word": "a" * SIZE,
    "one line of words": "drop the table and rename either column or " * (SIZE // 43),
    "many lines": "delete all accounts on production?\n" * (SIZE // 35),
    "either without or": "either " * (SIZE // 7),
    "commas": "either a, , , " * (SIZE // 14),
    "underscores": "a_" * (SIZE // 2),
    "hyphens": "a-" * (SIZE // 2),
    "slashes": "/api/" * (SIZE // 5),
    "backticks": "`" * SIZE,
    "addresses": "http://" * (SIZE // 7),
    "spaces": " " * SIZE,
    "options": "A) " * (SIZE // 3),
    "ideographs": "删除用户数据还是" * (SIZE // 24),
    "syllables": "삭제 또는 " * (SIZE // 14),
    "short sentences": "drop it. " * (SIZE // 9),
    "short ideographs": "删除用户。" * (SIZE // 15),
    "brackets": "[(<{" * (SIZE // 4),
    "dots": "a.b" * (SIZE // 3),
    "digits": "1 " * (SIZE // 2),
    "combining": "e\u0301" * (SIZE // 3),
    "invisible": "d\u200brop\u202e " * (SIZE // 12),
    "expanding": "\ufdfa" * (SIZE // 3),
    "different words": " ".join(f"w{number:x}delete" for number in range(SIZE // 12)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_judged_in_bounded_time(name: str) -> None:
    text = HOSTILE[name]
    judge("warm", "up")
    best = min(_seconds(text) for _ in range(3))
    assert best < 0.25, f"{best * 1000:.0f} ms"


def _seconds(text: str) -> float:
    start = time.perf_counter()
    judge(text[:200], text)
    judge(text, "")
    return time.perf_counter() - start


def test_invisible_characters_and_widths_do_not_hide_a_word() -> None:
    assert parks("Ｐｕｒｇｅ  acc\u200bounts on produc\u00adtion") == "destructive"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.text(max_size=2000), st.sampled_from(["", "low", "high", "foundational", "odd"]))
def test_any_text_has_the_same_verdict_twice_and_breaks_nothing(title: str, body: str, hint: str) -> None:
    verdict = judge(title, body, hint)
    assert verdict == judge(title, body, hint)
    assert verdict.decision in ("PROCEED", "PARK")
    assert verdict.rule and verdict.why


@pytest.mark.parametrize(
    ("word", "concept", "innocent"),
    [
        ("deleting", "REMOVE", "delta"),
        ("umbenennen", "RENAME", "umbrella"),
        ("rembourser", "PAY", "remember"),
        ("шифрование", "SEC_HARD", "шрифт"),
        ("oauth2", "SEC_HARD", "author"),
        ("лишняя_", "", "лишняя"),
    ],
)
def test_stems_end_at_word_borders(word: str, concept: str, innocent: str) -> None:
    assert not concept or concept in concepts_of(word)
    assert concept not in concepts_of(innocent)
