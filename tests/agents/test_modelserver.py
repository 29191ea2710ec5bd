"""The scripted model itself, spoken to in each of its dialects as the agents do. No CLI is needed for these."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from modelserver import ModelServer
from wires import Json, Steps, Wire, anthropic, arguments, chat, found, gemini, payloads, responses, words

EDIT: Json = {"edit": {"path": "notes.txt", "old": "two", "new": "three"}}
EDITS: dict[str, tuple[Wire, str, Json]] = {
    "anthropic": (anthropic, "Edit", {"file_path": "notes.txt", "old_string": "two", "new_string": "three"}),
    "responses": (responses, "shell_command", {}),
    "chat": (chat, "edit", {"filePath": "notes.txt", "oldString": "two", "newString": "three"}),
    "gemini": (gemini, "replace", {"file_path": "notes.txt", "old_string": "two", "new_string": "three"}),
}
each_wire = pytest.mark.parametrize("name", EDITS)
streamed = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@contextmanager
def playing(folder: Path, steps: Steps) -> Iterator[ModelServer]:
    with ModelServer({"conversations": [{"match": "Go", "steps": steps}]}, folder / "log.jsonl") as server:
        yield server


@contextmanager
def asking(server: ModelServer, path: str, body: Json, timeout: float = 10) -> Iterator[http.client.HTTPResponse]:
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port or 0, timeout=timeout)
    try:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        yield connection.getresponse()
    finally:
        connection.close()


def answer(server: ModelServer, path: str, body: Json) -> str:
    with asking(server, path, body) as response:
        assert response.status == 200
        return response.read().decode()


@each_wire
@streamed
def test_an_edit_is_a_call_of_the_agents_tool_and_the_text_comes_when_its_result_is_there(
    name: str, stream: bool, tmp_path: Path
) -> None:
    wire, tool, fields = EDITS[name]
    with playing(tmp_path, [EDIT, {"say": "Finished."}]) as server:
        first = payloads(answer(server, *wire("Go on.", 0, tool, stream)))
        assert tool in found(first, "name")
        assert fields.items() <= arguments(first).items()
        again = payloads(answer(server, *wire("Go on.", 0, tool, stream)))
        assert arguments(again) == arguments(first), "a repeated request gets the same answer"
        assert "Finished." in answer(server, *wire("Go on.", 1, tool, stream))
        assert "Done." in answer(server, *wire("Go on.", 2, tool, stream))
        assert "Scripted work" in answer(server, *wire("Go on.", 0, "", stream)), "no tools: not the conversation"
        assert "No tool" in answer(server, *wire("Go on.", 0, "other", stream))


@each_wire
def test_a_streamed_text_comes_in_as_many_pieces_as_the_script_says_with_pauses(name: str, tmp_path: Path) -> None:
    wire, tool, _ = EDITS[name]
    with playing(tmp_path, [{"say": "one two three", "chunks": 4, "every": 0.03}]) as server:
        began = time.monotonic()
        events = payloads(answer(server, *wire("Go on.", 0, tool, True)))
        assert time.monotonic() - began >= 0.12
    assert words(events) == "one two three"
    assert sum(1 for event in events if words([event])) == 4


STATUSES = (429, 529, 401, 500)
ERRORS = {
    "anthropic": ("type", ("rate_limit_error", "overloaded_error", "authentication_error", "api_error")),
    "responses": ("code", ("rate_limit_exceeded", "server_error", "invalid_api_key", "server_error")),
    "chat": ("code", ("rate_limit_exceeded", "server_error", "invalid_api_key", "server_error")),
    "gemini": ("status", ("RESOURCE_EXHAUSTED", "UNAVAILABLE", "UNAUTHENTICATED", "INTERNAL")),
}


@each_wire
def test_a_refusal_has_the_shape_of_its_api_as_often_as_the_script_says(name: str, tmp_path: Path) -> None:
    wire, tool, _ = EDITS[name]
    key, kinds = ERRORS[name]
    steps: Steps = [{"status": status, "times": 1, "message": "Try again at 3:45 PM."} for status in STATUSES]
    with playing(tmp_path, [*steps, {"say": "Back again."}]) as server:
        for status, kind in zip(STATUSES, kinds, strict=True):
            with asking(server, *wire("Go on.", 0, tool, True)) as response:
                error = json.loads(response.read())["error"]
                assert (response.status, error[key], error["message"]) == (status, kind, "Try again at 3:45 PM.")
        assert "Back again." in answer(server, *wire("Go on.", 0, tool, False))


def test_a_limit_says_when_it_ends_in_the_way_of_each_api(tmp_path: Path) -> None:
    step = {"status": 429, "retry_after": 7, "reset": 3600, "type": "usage_limit_reached", "headers": {"x-more": "1"}}
    with playing(tmp_path, [step]) as server:
        soon = time.time() + 3600
        with asking(server, *anthropic("Go", 0, "Edit", True)) as response:
            assert (response.headers["Retry-After"], response.headers["x-more"]) == ("7", "1")
            assert abs(int(response.headers["anthropic-ratelimit-unified-reset"]) - soon) < 60
        with asking(server, *responses("Go", 0, "shell", True)) as response:
            error = json.loads(response.read())["error"]
            assert (error["type"], abs(error["resets_at"] - soon) < 60) == ("usage_limit_reached", True)
        with asking(server, *gemini("Go", 0, "replace", True)) as response:
            assert json.loads(response.read())["error"]["details"][0]["retryDelay"] == "7s"


@each_wire
def test_a_hang_sends_nothing_and_a_stall_begins_and_stops(name: str, tmp_path: Path) -> None:
    wire, tool, _ = EDITS[name]
    steps: Steps = [{"hang": 60, "times": 1}, {"stall": 60, "times": 1, "say": "Half of it"}, {"say": "All."}]
    with playing(tmp_path, steps) as server:
        with pytest.raises(TimeoutError), asking(server, *wire("Go", 0, tool, True), timeout=0.1):
            pass
        with asking(server, *wire("Go", 0, tool, True), timeout=0.1) as response:
            said = b""
            with pytest.raises(TimeoutError):
                while data := response.read1():
                    said += data
            assert b"Half " in said and b"of it" not in said
        assert "All." in answer(server, *wire("Go", 0, tool, True))


@each_wire
@streamed
def test_a_cut_breaks_the_answer_off(name: str, stream: bool, tmp_path: Path) -> None:
    wire, tool, _ = EDITS[name]
    with playing(tmp_path, [{"cut": "Half of it", "times": 1}, {"say": "All."}]) as server:
        with asking(server, *wire("Go", 0, tool, stream)) as response, pytest.raises(http.client.IncompleteRead):
            response.read()
        assert "All." in answer(server, *wire("Go", 0, tool, stream))


def test_a_clean_cut_looks_whole_to_http_and_lacks_its_end(tmp_path: Path) -> None:
    with playing(tmp_path, [{"cut": "Half of it", "clean": True}]) as server:
        text = answer(server, *anthropic("Go", 0, "Edit", True))
    assert "Half " in text and "message_stop" not in text


# -- what some agents need ---------------------------------------------------------------------------------


def test_codex_edits_whole_lines_that_it_was_shown_and_otherwise_by_its_shell(tmp_path: Path) -> None:
    path, body = responses("Go", 1, "exec_command", True)
    shell = {"type": "function", "name": "exec_command", "parameters": {"properties": {"cmd": {}}}}
    body["tools"] = [shell, {"type": "custom", "name": "apply_patch"}]
    with playing(tmp_path, [{"read": "notes.txt"}, EDIT]) as server:
        patch = found(payloads(answer(server, path, body)), "input")[-1]
        assert patch.splitlines()[1:5] == ["*** Update File: notes.txt", "@@", "-and two", "+and three"]
        body["input"][-1]["output"] = "cat: no such file"
        assert "sys.argv" in arguments(payloads(answer(server, path, body)))["cmd"]


def test_aider_gets_the_whole_file_as_text_or_is_asked_for_it(tmp_path: Path) -> None:
    system = {"role": "system", "content": "You MUST use this *file listing* format:"}
    files = "I have *added these files to the chat* so go ahead.\n\nnotes.txt\n```\none\ntwo\n```\n"
    history = [system, {"role": "user", "content": "Go on."}]
    steps: Steps = [{"read": "notes.txt"}, EDIT, {"write": {"path": "new.txt", "content": "x\n"}}, {"say": "So."}]
    with playing(tmp_path, steps) as server:
        asked = answer(server, "/v1/chat/completions", {"messages": history})
        assert "need to see notes.txt" in asked
        history.insert(1, {"role": "user", "content": files})
        done = payloads(answer(server, "/v1/chat/completions", {"messages": history}))
    said = done[0]["choices"][0]["message"]["content"]
    assert said == "notes.txt\n```\none\nthree\n```\n\nnew.txt\n```\nx\n```\n\nSo."


def test_mini_submits_by_its_command_and_is_not_led_astray_by_complaints_in_the_users_name(tmp_path: Path) -> None:
    task = "Go: finish with `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT`."
    path, body = chat(task, 1, "bash", False)
    body["messages"].append({"role": "user", "content": "Tool call error"})
    with playing(tmp_path, [{"run": "true"}, {"say": "It's done."}]) as server:
        command = arguments(payloads(answer(server, path, body)))["command"]
    assert command.startswith("printf '%s\\n' COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT ")


def test_an_answer_that_broke_off_and_is_asked_for_again_was_none(tmp_path: Path) -> None:
    path, body = chat("Go", 1, "edit", False)
    again = "The connection dropped mid-response. Resume directly."
    body["messages"] += [{"role": "assistant", "content": "Half"}, {"role": "user", "content": again}]
    with playing(tmp_path, [{"read": "notes.txt"}, {"cut": "Half of it", "times": 0}, {"say": "All."}]) as server:
        assert "All." in answer(server, path, body)


def test_a_side_request_gets_the_plainest_answer_of_the_shape_it_wants(tmp_path: Path) -> None:
    choice = {"type": "object", "properties": {"model": {"enum": ["flash", "pro"]}, "why": {"type": "string"}}}
    path, body = gemini("Go", 0, "", False)
    body["generationConfig"] = {"responseJsonSchema": choice}
    with playing(tmp_path, [{"say": "never"}]) as server:
        said = words(payloads(answer(server, path, body)))
        assert json.loads(said) == {"model": "flash", "why": "Scripted work"}
        path, body = anthropic("Go", 0, "judge", False)
        body["tools"][0]["input_schema"] = {"properties": {"block": {"type": "boolean"}}}
        body["tool_choice"] = {"type": "tool", "name": "judge"}
        assert arguments(payloads(answer(server, path, body))) == {"block": False}
        path, body = chat("[SUGGESTION MODE: what next?] Go", 0, "edit", False)
        assert "Scripted work" in answer(server, path, body)


@pytest.mark.parametrize("step", [{"rum": "true"}, {"status": 429, "time": 2}, {"say": "x", "edit": {}}])
def test_a_step_that_nobody_can_play_is_refused_at_once(step: Json, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"README\.md has the steps"), playing(tmp_path, [step]):
        pass


def test_probes_are_harmless_and_tokens_are_counted(tmp_path: Path) -> None:
    with playing(tmp_path, []) as server:
        address = urlsplit(server.url)
        connection = http.client.HTTPConnection(str(address.hostname), address.port or 0, timeout=10)
        for method, path, status in (("HEAD", "/", 200), ("GET", "/v1/models", 404), ("HEAD", "/x", 200)):
            connection.request(method, path)
            response = connection.getresponse()
            response.read()
            assert response.status == status
        connection.close()
        path, body = anthropic("Go", 0, "Edit", False)
        counted = json.loads(answer(server, path.replace("?", "/count_tokens?"), body))
        assert counted["input_tokens"] > 0
        with socket.create_connection((str(address.hostname), address.port or 0), 10) as raw:
            raw.sendall(b"POST /v1/messages HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n")
            assert b" 413 " in raw.recv(4096)
