"""Presets: what the settings may change of a built-in one, what stays their own, and marks that no line can stall."""

from __future__ import annotations

import time
from typing import Any

import hypothesis
import hypothesis.strategies as st
import msgspec
import pytest

from console.adapters.agents import builtins
from console.core import presets, settings
from console.core.marking import LOOKED_AT, fits, slowness
from console.core.presets import Preset, Shelf, of_builtin
from console.core.records import Launch, Output
from console.core.settings import Problem

RAW: dict[str, Any] = {
    "title": "Bot",
    "tried": "1.2.3",
    "install": "get it",
    "login": "log in",
    "protocol": "command",
    "prompt": "stdin",
    "command": ["bot", "run"],
    "last": ["--task"],
    "version": ["bot", "-V"],
    "flags": {"command": ["bot", "--help"], "has": ["--task", "--free"]},
    "model": {"args": ["-m", "{model}"], "env": {"BOT_MODEL": "{model}"}},
    "autonomy": {
        "default": "edits",
        "ask": {"mode": "careful"},
        "edits": {"args": ["--edits"], "env": {"BOT_MAY": "edit"}, "interactive": ["--may", "edit"]},
        "all": {"args": ["--free"], "mode": "free", "interactive": ["--may", "all"]},
    },
    "resume": ["--resume", "{conversation}"],
    "interactive": ["bot", "open", "{conversation}"],
    "env": {"BOT_UPDATE": "off", "BOT_MAY": "nothing"},
    "pass_env": ["BOT_KEY"],
    "output": {"ended": [{"type": "end"}], "failed": ["^bad"]},
}
BUILTIN = Shelf({"bot": RAW, "botany": {"command": ["botany"]}}.get, lambda: ("bot", "botany"))


def read(given: Any, agent: str = "") -> settings.Settings | list[Problem]:
    data = {"presets": given} | ({"agent": agent} if agent else {})
    return settings.read(data, lambda _path: 1, BUILTIN)


def preset(entry: Any, name: str = "bot") -> Preset:
    found = read({name: entry})
    assert isinstance(found, settings.Settings), found
    return found.presets[name]


def wrong(given: Any, agent: str = "") -> dict[str, str]:
    found = read(given, agent)
    assert isinstance(found, list)
    return {problem.key: problem.message for problem in found}


# -- a built-in preset, and what is laid over it ---------------------------------------------------------


@pytest.mark.parametrize("entry", [None, {}])
def test_a_name_alone_is_the_built_in_preset_as_it_is(entry: Any) -> None:
    one = preset(entry)
    assert one == of_builtin("bot", RAW)
    assert (one.builtin, one.autonomy, one.autonomy_confirmed) == ("bot", "edits", False)
    assert one.launch.argv == ("bot", "run", "--edits", "--task")
    assert one.launch.env == {"BOT_UPDATE": "off", "BOT_MAY": "edit"}
    assert one.launch.prompt_by == "stdin"
    assert one.launch.interactive == ("bot", "open", "{conversation}", "--may", "edit")
    assert one.launch.output == Output(ended=({"type": "end"},), failed=("^bad",))
    assert (one.probe, one.help, one.flags) == (("bot", "-V"), ("bot", "--help"), ("--task", "--free"))


def test_the_agent_alone_takes_the_built_in_preset_unconfirmed() -> None:
    found = settings.read({"agent": "bot"}, lambda _path: 1, BUILTIN)
    assert isinstance(found, settings.Settings)
    assert found.presets == {"bot": of_builtin("bot", RAW)}
    assert not found.presets["bot"].autonomy_confirmed


def test_another_preset_beside_it_does_not_hide_the_built_in_one() -> None:
    found = read({"own": {"command": "own -p"}}, agent="bot")
    assert isinstance(found, settings.Settings)
    assert set(found.presets) == {"own", "bot"}


@pytest.mark.parametrize(
    ("level", "argv", "mode", "may"),
    [
        ("ask", ("bot", "run", "--task"), "careful", "nothing"),
        ("edits", ("bot", "run", "--edits", "--task"), None, "edit"),
        ("all", ("bot", "run", "--free", "--task"), "free", "nothing"),
    ],
)
def test_a_level_adds_its_arguments_mode_and_environment(level: str, argv: Any, mode: str | None, may: str) -> None:
    one = preset({"autonomy": level})
    assert (one.launch.argv, one.launch.mode, one.launch.env["BOT_MAY"], one.autonomy) == (argv, mode, may, level)


def test_model_and_arguments_stand_behind_the_level_and_before_what_the_prompt_follows() -> None:
    one = preset({"model": "big", "args": ["--loud"], "autonomy": "all"})
    assert one.launch.argv == ("bot", "run", "--free", "-m", "big", "--loud", "--task")
    assert one.launch.env["BOT_MODEL"] == "big"


def test_a_single_key_is_taken_and_the_others_stay() -> None:
    one = preset({"resume": ["-r", "{conversation}"], "prompt": "argument", "git": "writable", "mode": "odd"})
    assert (one.launch.resume, one.launch.prompt_by) == (("-r", "{conversation}"), "argument")
    assert (one.launch.writable_git, one.launch.mode) == (True, "odd")
    assert one.launch.argv == ("bot", "run", "--edits", "--task")
    assert one.launch.pass_env == ("BOT_KEY",)


def test_no_mode_can_be_asked_for() -> None:
    assert preset({"autonomy": "all", "mode": None}).launch.mode is None


def test_environment_passed_names_and_marks_are_merged() -> None:
    one = preset(
        {"env": {"BOT_MAY": "mine", "X": "1"}, "pass_env": ["Y", "BOT_KEY"], "output": {"failed": [], "auth": ["^401"]}}
    )
    assert one.launch.env == {"BOT_UPDATE": "off", "BOT_MAY": "mine", "X": "1"}
    assert one.launch.pass_env == ("BOT_KEY", "Y")
    assert one.launch.output == Output(ended=({"type": "end"},), failed=(), auth=("^401",))


def test_a_conversation_is_opened_with_the_same_level_and_a_command_of_ones_own_is_left_alone() -> None:
    def opens(**entry: Any) -> tuple[str, ...]:
        return preset(entry).launch.interactive

    assert opens(autonomy="all")[3:] == ("--may", "all") and opens(autonomy="ask") == ("bot", "open", "{conversation}")
    assert opens(interactive=["mine", "{conversation}"], autonomy="all") == ("mine", "{conversation}")
    assert opens(command=["bot", "run"], like="bot") == ("bot", "open", "{conversation}"), "no level is in force"


def test_a_program_is_put_wherever_the_usual_one_is_started() -> None:
    one = preset({"program": "/opt/bot"})
    assert one.launch.argv[0] == one.launch.interactive[0] == one.probe[0] == one.help[0] == "/opt/bot"


def test_a_program_does_not_take_the_place_of_another_ones() -> None:
    raw = RAW | {"interactive": ["other", "{conversation}"]}
    found = settings.read({"presets": {"bot": {"program": "b2"}}}, lambda _path: 1, {"bot": raw}.get)
    assert isinstance(found, settings.Settings)
    assert found.presets["bot"].launch.interactive == ("other", "{conversation}", "--may", "edit")
    assert found.presets["bot"].launch.argv[0] == "b2"


def test_like_makes_another_one_of_the_same_kind() -> None:
    one = preset({"like": "bot", "autonomy": "all", "autonomy_confirmed": True}, "night")
    assert (one.builtin, one.autonomy, one.autonomy_confirmed) == ("bot", "all", True)
    assert one.launch.argv == ("bot", "run", "--free", "--task")


def test_an_own_command_with_like_keeps_what_is_known_of_the_agent_and_no_level() -> None:
    one = preset({"like": "bot", "command": "bot go", "args": ["-x"]})
    assert one.launch.argv == ("bot", "go", "-x")
    assert (one.autonomy, one.builtin) == ("", "bot")
    assert one.launch.resume == ("--resume", "{conversation}")
    assert one.launch.env == {"BOT_UPDATE": "off", "BOT_MAY": "nothing"}


def test_what_is_laid_over_it_leaves_the_built_in_data_alone() -> None:
    before = msgspec.json.encode(RAW)
    preset({"env": {"A": "b"}, "pass_env": ["C"], "args": ["d"], "program": "e", "output": {"lost": ["f"]}})
    assert msgspec.json.encode(RAW) == before


# -- an agent that the settings define themselves --------------------------------------------------------


def test_settings_of_the_last_release_mean_what_they_meant() -> None:
    found = settings.read(
        {"presets": {"opencode": {"command": ["opencode", "acp"], "protocol": "acp", "autonomy_confirmed": True}}},
        lambda _path: 1,
        builtins.raw,
    )
    assert isinstance(found, settings.Settings)
    launch = Launch(argv=("opencode", "acp"), protocol="acp")
    assert found.presets == {"opencode": Preset(launch=launch, autonomy_confirmed=True)}
    assert found.presets["opencode"].probe == ("opencode", "--version")


def test_an_own_command_under_a_built_in_name_takes_nothing_of_that() -> None:
    one = preset({"command": "bot -p"})
    assert one == Preset(launch=Launch(argv=("bot", "-p")))


def test_claude_stream_is_accepted_with_an_own_command() -> None:
    one = preset({"command": "claude -p", "protocol": "claude-stream", "args": ["--verbose"]}, "own")
    assert (one.launch.protocol, one.launch.argv) == ("claude-stream", ("claude", "-p", "--verbose"))


def test_every_key_reaches_the_launch() -> None:
    given = {
        "command": ["a"],
        "protocol": "command",
        "prompt": "stdin",
        "resume": ["-r"],
        "interactive": ["a", "-i"],
        "conversation_key": "thread",
        "mode": "m",
        "env": {"A": "1"},
        "pass_env": ["B"],
        "git": "writable",
        "output": {"asked": ["^may I"], "retrying": [{"a.b": 1}]},
    }
    assert preset(given, "own").launch == Launch(
        argv=("a",),
        protocol="command",
        prompt_by="stdin",
        resume=("-r",),
        interactive=("a", "-i"),
        conversation_key="thread",
        mode="m",
        env={"A": "1"},
        pass_env=("B",),
        writable_git=True,
        output=Output(asked=("^may I",), retrying=({"a.b": 1},)),
    )


def test_a_launch_of_an_older_log_is_read_with_what_was_not_known_then() -> None:
    old = msgspec.json.decode(b'{"argv": ["x"], "protocol": "command", "resume": ["-r"]}', type=Launch)
    assert old == Launch(argv=("x",), protocol="command", resume=("-r",))
    new = preset({}).launch
    assert msgspec.json.decode(msgspec.json.encode(new), type=Launch) == new


# -- what is wrong ---------------------------------------------------------------------------------------

TEXT, TEXTS, COMMAND = "must be a text", "must be a list of texts", "must be a command, as a text or a list"
BAD: dict[str, tuple[Any, str]] = {
    "like": (1, TEXT),
    "program": (["bot"], TEXT),
    "command": ({}, COMMAND),
    "args": ("-x", TEXTS),
    "autonomy": ("some", "must be one of ask, edits, all"),
    "model": (3, TEXT),
    "protocol": ("mcp", "must be one of acp, command, claude-stream"),
    "prompt": ("file", "must be one of argument, stdin"),
    "resume": ([1], TEXTS),
    "interactive": ("bot", TEXTS),
    "conversation_key": (None, TEXT),
    "mode": (1, "must be a text or null"),
    "env": (["A=1"], "must be a mapping of keys to values"),
    "pass_env": ({}, TEXTS),
    "git": (True, "must be one of read-only, writable"),
    "version": ("a | b", "needs a shell; write it out"),
    "output": ([], "must be a mapping of keys to values"),
    "autonomy_confirmed": ("yes", "must be true or false"),
    "mcp": ("no", "must be true or false"),
}


def test_a_bad_value_in_any_key_is_told_with_its_key() -> None:
    assert set(BAD) == set(presets.PRESET)
    for key, (value, message) in BAD.items():
        told = wrong({"bot": {key: value}})
        assert message in told[f"presets.bot.{key}"], key
        assert len(told) == 1, f"{key}: {told}"


def test_every_problem_of_every_preset_is_told_at_once() -> None:
    given = {
        "bot": {"autonomy": "most", "resume": "x", "nonsense": 1, "env": {"A": 1}},
        "own": {"like": "bott", "git": "no"},
        "a": {"model": "m"},
        "ab": {"command": "a > b"},
        "worse": 7,
    }
    assert set(wrong(given, agent="nobody")) == {
        "presets.bot.autonomy",
        "presets.bot.resume",
        "presets.bot.nonsense",
        "presets.bot.env.A",
        "presets.own.like",
        "presets.own.git",
        "presets.a",
        "presets.a.model",
        "presets.ab.command",
        "presets.worse",
        "agent",
    }


@pytest.mark.parametrize(
    ("entry", "key", "message"),
    [
        ({"autonomy": "all", "command": "bot"}, "autonomy", "only changes a built-in preset"),
        ({"program": "x", "command": "bot"}, "program", "only changes a built-in preset"),
        ({"model": "m", "command": "bot"}, "model", "only changes a built-in preset"),
        ({"like": "bot", "autonomy": "all", "command": "bot"}, "autonomy", "has no effect beside `command`"),
        ({"like": "bot", "program": "all", "command": "bot"}, "program", "has no effect beside `command`"),
        ({"like": "botany", "autonomy": "all"}, "autonomy", "botany knows no levels"),
        ({"like": "botany", "model": "m"}, "model", "botany is told its model in its own settings, or with `args`"),
    ],
)
def test_a_key_that_would_do_nothing_is_refused(entry: Any, key: str, message: str) -> None:
    told = wrong({"bot": entry})
    assert message in told[f"presets.bot.{key}"]
    assert len(told) == 1


def test_a_level_that_the_agent_does_not_know_is_refused_with_those_it_does() -> None:
    one = RAW | {"autonomy": {"default": "all", "all": {}, "edits": {}}}
    found = settings.read({"presets": {"bot": {"autonomy": "ask"}}}, lambda _path: 1, {"bot": one}.get)
    assert isinstance(found, list)
    assert found[0].message == "bot knows edits, all"


def test_an_unknown_name_is_told_with_the_near_ones_and_where_to_look() -> None:
    assert "(did you mean bot, botany?)" in wrong({"bott": {}})["presets.bott"]
    assert "(did you mean bot, botany?)" in wrong({"x": {"like": "Bot_"}})["presets.x.like"]
    told = wrong({"own": {"command": "x"}}, agent="owm")["agent"]
    assert told.startswith("no preset 'owm' (did you mean own?); presets here: own;")
    for message in (told, wrong({"zzz": {}})["presets.zzz"]):
        assert "`nightdesk agents`" in message
    assert "did you mean" not in wrong({"zzz": {}})["presets.zzz"]


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["bot", "all", "~(", "acp"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from([*presets.PRESET, "nonsense"])


@hypothesis.settings(max_examples=100, deadline=None)
@hypothesis.given(
    st.dictionaries(st.sampled_from(["bot", "own", ""]), st.dictionaries(KEYS, ANYTHING, max_size=5)), ANYTHING
)
def test_no_data_is_more_than_a_problem(given: Any, agent: Any) -> None:
    found = settings.read({"presets": given, "agent": agent}, lambda _path: 1, BUILTIN)
    if isinstance(found, settings.Settings):
        assert all(msgspec.json.encode(one.launch) for one in found.presets.values())
    else:
        assert all(problem.key and problem.message for problem in found)


# -- marks -----------------------------------------------------------------------------------------------

EVENT = {"type": "end", "error": {"message": "HTTP 429: slow down", "code": None}, "ok": False, "n": 1, "list": ["a"]}


@pytest.mark.parametrize(
    ("mark", "fit"),
    [
        ({"type": "end"}, True),
        ({"type": "end", "ok": False}, True),
        ({"type": "end", "ok": 0}, False),
        ({"n": 1}, True),
        ({"n": True}, False),
        ({"error.message": "*"}, True),
        ({"error.code": "*"}, False),
        ({"error.code": None}, True),
        ({"error.message": "~^HTTP 4"}, True),
        ({"error.message": "~^429"}, False),
        ({"error": "~HTTP"}, False),
        ({"error.message.more": "*"}, False),
        ({"missing": None}, False),
        ({"list.0": "a"}, True),
        ({"list.1": "a"}, False),
        ({"list.0.b": "*"}, False),
        ("end", False),
    ],
)
def test_a_mark_of_a_json_line_looks_at_its_keys_only(mark: Any, fit: bool) -> None:
    assert fits(mark, '{"type": "end"}', EVENT) is fit


def test_a_pattern_is_for_lines_that_are_no_json() -> None:
    assert fits("^Err", "Error: x", None)
    assert not fits("^rror", "Error: x", None)
    assert not fits({"type": "end"}, "end", None)


def test_only_the_beginning_of_a_line_is_searched() -> None:
    assert fits("x", "a" * (LOOKED_AT - 1) + "x", None)
    assert not fits("x", "a" * LOOKED_AT + "x", None)
    assert not fits({"m": "~x"}, "", {"m": "a" * LOOKED_AT + "x"})


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a+)+$", r"(a|a)*$", r"(?:a?){30}x", r"((a*)b)*c", r"(.*)*x", r"a*a*a*b", r"(a)\1", "a?" * 9),
        *(r"(?P<n>a+)+", "(?#[)(a|a)*(?#])"),
    ],
)
def test_a_pattern_that_a_hostile_line_could_stall_is_refused(pattern: str) -> None:
    assert slowness(pattern)
    told = wrong({"bot": {"output": {"failed": [pattern], "lost": [{"a": f"~{pattern}"}]}}})
    assert set(told) == {"presets.bot.output.failed", "presets.bot.output.lost"}
    assert "could take for ever" in told["presets.bot.output.lost"]


@pytest.mark.parametrize("pattern", ["(", "[a", {"a": "~("}, 3, "", {}, {"a": [1]}, {1: "a"}])
def test_what_is_no_mark_is_refused(pattern: Any) -> None:
    assert set(wrong({"bot": {"output": {"ended": [pattern]}}})) == {"presets.bot.output.ended"}


@pytest.mark.parametrize(
    "pattern",
    [r".*a.*b", r"^.*a.*a.*b", "a?" * 8 + "a" * 9 + "b", r"[(]+x\)+y", r"^Retrying in [\d.]+ (s|min)", "a{1,40}b"],
)
def test_a_pattern_that_is_taken_is_fast_on_the_worst_line(pattern: str) -> None:
    assert slowness(pattern) == ""
    began = time.process_time()
    fits(pattern, "a" * 1_000_000, None)
    assert time.process_time() - began < 0.5
