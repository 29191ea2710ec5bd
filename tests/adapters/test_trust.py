"""Settings on disk: every mistake at once with its line, what is hashed is what is parsed, and who trusts what."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from console.adapters import trust
from console.adapters.trust import Loaded

GOOD = """\
# our gate
gate: make check
allowed_commands: [make, python3]
agent: claude
presets:
  claude:
    command: [claude-code-acp, --x]
    env: {A: "1"}
limits:
  gates: 3
commit:
  ack: true
"""


def load(root: Path, text: str | bytes) -> Loaded:
    file = root / ".nightdesk" / "config.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return trust.load(root)


def lines(loaded: Loaded) -> list[tuple[int, str]]:
    return [(p.line, p.key) for p in loaded.problems]


def only(loaded: Loaded) -> str:
    (problem,) = loaded.problems
    return problem.message


def test_good_settings_are_read(tmp_path: Path) -> None:
    loaded = load(tmp_path, GOOD)
    assert loaded.problems == ()
    s = loaded.settings
    assert (s.gate, s.allowed, s.agent, s.gates) == (("make", "check"), ("make", "python3"), "claude", 3)
    launch = s.presets["claude"].launch
    assert (launch.argv, launch.protocol, launch.env) == (("claude-code-acp", "--x"), "acp", {"A": "1"})
    assert loaded.where("allowed_commands") == f"{tmp_path / '.nightdesk/config.yaml'}:3"


def test_no_file_is_the_defaults_and_needs_no_trust(tmp_path: Path) -> None:
    loaded = trust.load(tmp_path)
    assert (loaded.exists, loaded.problems, loaded.settings.allowed) == (False, (), ())
    assert trust.is_trusted(tmp_path / "trust.json", tmp_path, loaded)


def test_every_bad_key_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        """\
gate: 7
gaet: make
allowed_commands: [make, /usr/bin/python3, "a b"]
limits:
  gates: 0
  turn_timeout: 30
  tickets: 3
commit:
  ack: "yes"
gate_on: moon
presets:
  one: {protocol: acp}
  two:
    command: [x]
    env: {A: 1}
    prompt: shout
  three: [x]
low_yield: {share: 1.5}
review: never
7: seven
""",
    )
    assert lines(loaded) == [
        (1, "gate"),
        (2, "gaet"),
        (3, "allowed_commands"),
        (5, "limits.gates"),
        (6, "limits.turn_timeout"),
        (7, "limits.tickets"),
        (9, "commit.ack"),
        (10, "gate_on"),
        (12, "presets.one"),
        (15, "presets.two.env.A"),
        (16, "presets.two.prompt"),
        (17, "presets.three"),
        (18, "low_yield.share"),
        (19, "review"),
        (20, "7"),
    ]
    assert loaded.digest == "" and loaded.settings.allowed == ()
    said = {p.key: p.message for p in loaded.problems}
    assert "known here" in said["gaet"] and "allowed_commands" in said["gaet"]
    assert "/usr/bin/python3, a b" in said["allowed_commands"]
    assert '"30s"' in said["limits.turn_timeout"]


def test_a_key_that_is_nearly_one_is_told_and_no_other_agent_is_offered_for_it(tmp_path: Path) -> None:
    said = {p.key: p.message for p in load(tmp_path, "gaet: x\npresets: {mine: {comand: [x]}, clade: {}}\n").problems}
    assert "did you mean gate?" in said["gaet"] and "did you mean command?" in said["presets.mine.comand"]
    assert "write command" in said["presets.mine"] and "mini" not in said["presets.mine"]
    assert "did you mean claude" in said["presets.clade"] and "write `command:" in said["presets.clade"]


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("gate: x\n agent: y\n", "quotes"),
        ("limits:\n    gates: 1\n  sessions: 2\n", "same column"),
        ("gate:\n\t- x\n", "blanks, not with tabs"),
        ("gate: 'x\nagent: y\n", "close the quotes"),
        ("gate: [a, b\nagent: y\n", "close the bracket"),
        ("gate: @x\n", "wants quotes"),
    ],
)
def test_broken_yaml_is_told_with_a_cure(tmp_path: Path, text: str, cure: str) -> None:
    assert cure in only(load(tmp_path, text))


def test_the_sha256_that_is_shown_is_the_files_own(tmp_path: Path) -> None:
    one, other = load(tmp_path, GOOD), load(tmp_path, GOOD + "# a comment\n")
    assert one.sha256 == hashlib.sha256(GOOD.encode()).hexdigest()
    assert (one.digest, one.sha256 != other.sha256) == (other.digest, True)


def test_a_file_that_is_no_mapping(tmp_path: Path) -> None:
    assert "mapping" in only(load(tmp_path, "- a\n- b\n"))


@pytest.mark.parametrize("value", ["true", "3", '"8"', "-1", "1.5"])
def test_counts_are_whole_numbers_from_1(tmp_path: Path, value: str) -> None:
    bad = load(tmp_path, f"limits: {{gates: {value}}}\n").problems
    assert bool(bad) == (value != "3")


def test_an_agent_must_be_a_preset(tmp_path: Path) -> None:
    loaded = load(tmp_path, "\nagent: nobody\npresets: {claude: {command: [x]}}\n")
    assert lines(loaded) == [(2, "agent")]
    assert "no preset 'nobody'; presets here: claude" in only(loaded)


def test_a_key_written_twice_is_refused_with_the_second_line(tmp_path: Path) -> None:
    loaded = load(tmp_path, "gate: make\nlimits:\n  gates: 1\n  gates: 2\ngate: check\n")
    assert lines(loaded) == [(4, "limits.gates"), (5, "gate")]
    assert {p.message for p in loaded.problems} == {"is written twice"}


@pytest.mark.parametrize("text", ["a: &x [1]\nb: *x\n", "b: &a {c: 1}\nd:\n  <<: *a\n"])
def test_aliases_are_refused_with_their_line(tmp_path: Path, text: str) -> None:
    loaded = load(tmp_path, text)
    assert lines(loaded)[0][0] == text[: text.index("*")].count("\n") + 1
    assert "alias" in only(loaded)


def test_a_bomb_of_aliases_costs_nothing(tmp_path: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    assert "alias" in only(load(tmp_path, "\n".join(rows)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"gate: \xff\xfe\n", "is not UTF-8 text"),
        (b"gate: [make\nlimits: {}\n", "is not valid YAML"),
        (b"gate: !!python/object/apply:os.system [x]\n", "is not valid YAML"),
        (b"gate: a\n---\ngate: b\n", "is not valid YAML"),
        (b"#" * ((1 << 20) + 1), "larger than 64 KiB"),
        (b"[" * 1_500, "nested deeper"),
    ],
)
def test_what_is_no_settings_file_is_one_problem(tmp_path: Path, text: bytes, words: str) -> None:
    assert words in only(load(tmp_path, text))


def test_a_bom_is_no_problem(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbfgate: make\n").settings.gate == ("make",)


# -- gates that need a shell -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "gate",
    [
        "make test | tee log",
        "make a && make b",
        "make a; make b",
        "make > out",
        "make 2>&1",
        "make & ",
        "echo `date`",
        "echo $(date)",
        "make a||make b",
        "cat <in",
    ],
)
def test_a_string_that_needs_a_shell_is_refused_with_the_form_to_write(tmp_path: Path, gate: str) -> None:
    loaded = load(tmp_path, f"gate: {json.dumps(gate)}\n")
    message = only(loaded)
    assert lines(loaded) == [(1, "gate")]
    assert f'["bash", "-o", "pipefail", "-c", {gate!r}] and allow bash' in message


@pytest.mark.parametrize(
    ("gate", "argv"),
    [
        ("python3 -m pytest -q", ("python3", "-m", "pytest", "-q")),
        ("grep 'a|b;c' file", ("grep", "a|b;c", "file")),
        ('make "a && b"', ("make", "a && b")),
        (r"echo a\;b", ("echo", "a;b")),
    ],
)
def test_a_plain_string_is_split_like_a_shell_would(tmp_path: Path, gate: str, argv: tuple[str, ...]) -> None:
    assert load(tmp_path, f"gate: {json.dumps(gate)}\n").settings.gate == argv


def test_the_explicit_form_is_taken_as_it_is(tmp_path: Path) -> None:
    loaded = load(tmp_path, 'gate: ["bash", "-o", "pipefail", "-c", "a | b"]\n')
    assert loaded.settings.gate == ("bash", "-o", "pipefail", "-c", "a | b")


@pytest.mark.parametrize("gate", ['"\'make"', "''", "[]", "[make, 3]", "{a: b}"])
def test_a_gate_that_is_no_command(tmp_path: Path, gate: str) -> None:
    assert lines(load(tmp_path, f"gate: {gate}\n"))[0][0] == 1


# -- trust -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "same",
    [
        GOOD.replace("# our gate\n", "\n\n# another comment\n"),
        GOOD.replace("[make, python3]", '["make", "python3"]'),
        GOOD.replace("limits:\n  gates: 3\n", "limits: {gates: 3}   # three\n"),
        "commit: {ack: true}\n" + GOOD.replace("commit:\n  ack: true\n", ""),
        GOOD.replace("\n", "\r\n"),
    ],
)
def test_formatting_does_not_change_the_digest(tmp_path: Path, same: str) -> None:
    assert load(tmp_path, same).digest == load(tmp_path, GOOD).digest != ""


@pytest.mark.parametrize(
    "other",
    [
        GOOD.replace("make check", "make checks"),
        GOOD.replace("[make, python3]", "[python3, make]"),
        GOOD.replace("gates: 3", "gates: 4"),
        GOOD.replace('"1"', '"2"'),
        GOOD + "include: []\n",
        GOOD.replace("ack: true", "ack: false"),
    ],
)
def test_values_change_the_digest(tmp_path: Path, other: str) -> None:
    changed = load(tmp_path, other)
    assert changed.problems == ()
    assert changed.digest != load(tmp_path, GOOD).digest


def test_trust_holds_for_exactly_these_settings_and_this_repository(tmp_path: Path) -> None:
    store = tmp_path / "state" / "trust.json"
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    loaded = load(one, GOOD)
    assert not trust.is_trusted(store, one, loaded)
    trust.record_trust(store, one, loaded.digest)
    assert trust.is_trusted(store, one, loaded)
    assert not trust.is_trusted(store, two, load(two, GOOD))
    assert not trust.is_trusted(store, one, load(one, GOOD.replace("make check", "rm")))
    assert trust.is_trusted(store, one, load(one, GOOD))


def test_the_same_repository_by_another_name_is_the_same(tmp_path: Path) -> None:
    store, root, alias = tmp_path / "trust.json", tmp_path / "root", tmp_path / "alias"
    root.mkdir()
    alias.symlink_to(root)
    loaded = load(root, GOOD)
    trust.record_trust(store, alias, loaded.digest)
    assert trust.is_trusted(store, root, loaded)


def test_settings_with_problems_are_never_trusted(tmp_path: Path) -> None:
    store = tmp_path / "trust.json"
    loaded = load(tmp_path, "gaet: make\n")
    trust.record_trust(store, tmp_path, loaded.digest)
    assert not trust.is_trusted(store, tmp_path, loaded)


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"x": 3}', "\0\0"])
def test_a_broken_trust_file_trusts_nobody(tmp_path: Path, content: str) -> None:
    store = tmp_path / "trust.json"
    store.write_text(content)
    assert not trust.is_trusted(store, tmp_path, load(tmp_path, GOOD))


def test_trusting_keeps_what_others_are_trusted_with_and_is_private(tmp_path: Path) -> None:
    store = tmp_path / "state" / "trust.json"
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        trust.record_trust(store, tmp_path / name, name * 4)
    assert trust.trusted_digest(store, tmp_path / "one") == "oneoneoneone"
    assert store.stat().st_mode & 0o077 == 0 and store.parent.stat().st_mode & 0o077 == 0
    assert os.listdir(store.parent) == ["trust.json"]


@pytest.mark.parametrize("text", ["", '{"/r": "ab', "[]", "null"])
def test_a_trust_file_that_was_cut_short_is_named_and_not_written_over(tmp_path: Path, text: str) -> None:
    store = tmp_path / "trust.json"
    store.write_text(text)
    with pytest.raises(ValueError, match="is no trust file"):
        trust.record_trust(store, tmp_path, "d")
    assert store.read_text() == text


@pytest.mark.parametrize("what", ["fifo", "folder", "endless"])
def test_what_is_no_plain_file_is_neither_waited_for_nor_read(tmp_path: Path, what: str) -> None:
    file = tmp_path / trust.CONFIG
    file.parent.mkdir()
    if what == "fifo":
        os.mkfifo(file)
    elif what == "folder":
        file.mkdir()
    else:
        file.symlink_to("/dev/zero")
    (problem,) = trust.load(tmp_path).problems
    assert "no plain file" in problem.message
