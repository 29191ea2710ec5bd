"""`nightdesk notify` and `session start --notify-url`: channels listed, tried for real, and what is refused."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from commandline import ME, CommandLine
from standardwebhooks import Webhook

from console import telling
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch
from console.core.state import State
from console.present import noticewords

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


class Hook:
    """A receiver that says 200, or what it is told to say."""

    def __init__(self) -> None:
        self.status = 200
        self.came: list[tuple[dict[str, str], bytes]] = []
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                hook.came.append((dict(self.headers.items()), self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(hook.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        threading.Thread(target=lambda: self.server.serve_forever(0.02), daemon=True).start()


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NIGHTDESK_NOTIFY_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOOK", SECRET)
    made = Hook()
    yield made
    made.server.shutdown()
    made.server.server_close()


def script(place: Path, text: str) -> Path:
    """A command of the operator's."""
    place.mkdir(exist_ok=True)
    program = place / "ring"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return program


def test_channels_are_listed_with_how_far_they_were_told_and_what_was_lost(line: CommandLine, hook: Hook) -> None:
    line.settle(f"notify: [{{url: '{hook.url}?token=k3y', secret: env:HOOK}}, {{terminal: bell}}]\n")
    one, bell = line.ok("notify", "list", "--json").json["channels"]
    assert one["kind"] == "url" and one["secret"] == "env:HOOK" and one["last"]["outcome"] is None
    line.report(
        ev.ChannelOpened(channel=one["channel"], words=one["where"], since=0),
        ev.NoticeSettled(channel=one["channel"], upto=1, outcome="refused", status=500, detail="500 \x1b[31mboom"),
        ev.ChannelOpened(channel="gone", words="https://old.example/…", since=0),
        ev.ChannelClosed(channel="gone"),
    )
    told = line.ok("notify", "list", "--json")
    now = told.json["channels"]
    assert now[0]["lost"] == 1 and now[0]["cursor"] == 1 and now[0]["last"]["outcome"] == "refused"
    assert [c["inUse"] for c in now] == [True, True, False] and now[1] == bell
    shown = line.ok("notify", "list").out
    assert "refused 0s ago: 500 ␛[31mboom" in shown and "rung by every open console" in shown
    assert "k3y" not in shown + told.out and SECRET not in shown + told.out


def test_a_try_reaches_the_receiver_signed_and_says_what_came_back(line: CommandLine, hook: Hook) -> None:
    line.settle(f"notify: [{{url: '{hook.url}', secret: env:HOOK}}]\n")
    said = line.ok("notify", "test").out
    ((headers, body),) = hook.came
    assert Webhook(SECRET).verify(body, headers)["event"] == "test" and "sent (200)" in said
    hook.status = 503
    failed = line.run("notify", "test", "--json")
    assert failed.code == 1 and failed.json["results"][0]["status"] == 503
    assert len(hook.came) == 2, "a receiver that says no is not asked twice"


def test_a_command_gets_json_in_a_neutral_place_and_what_it_starts_ends_with_it(
    line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    out = tmp_path / "out"
    said = f'echo "$it" > {out}; sleep 300 & echo $! >> {out}; pwd >> {out}; env >> {out}'
    program = script(tmp_path / "bin", f"read -r it; {said}")
    line.settle(f"notify: [{{command: ['{program}']}}]\n")
    assert "sent" in line.ok("notify", "test").out
    body, pid, cwd, *env = out.read_text().split("\n")
    assert json.loads(body)["event"] == "test" and str(line.root) not in cwd and not Path(cwd).exists()
    assert not any(name.startswith("GIT_DIR=") for name in env) and "CI=1" in env
    assert not Path(f"/proc/{pid}").exists(), "what it left running was ended"


def test_a_command_that_fails_hangs_or_lies_where_agents_write_is_told(
    line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from console.adapters import notify_command

    monkeypatch.setattr(notify_command.Commands.__init__, "__kwdefaults__", {"limit": 0.3})
    bad = script(tmp_path / "bad", "echo no such desk >&2; exit 7")
    slow = script(tmp_path / "slow", "sleep 300")
    theirs = script(line.other / "bin", "exit 0")
    line.settle(f"notify: [{{command: ['{bad}']}}, {{command: ['{slow}']}}, {{command: ['{theirs}']}}]\n")
    failed, hung, inside = line.run("notify", "test", "--json").json["results"]
    assert (failed["outcome"], failed["status"]) == ("refused", 7) and "no such desk" in failed["said"]
    assert failed["detail"] == "exit 7", "what it prints may hold its arguments: it is in no log"
    assert hung["outcome"] == "failed" and "longer than 0.3 s" in hung["detail"]
    assert inside["outcome"] == "failed" and "where agents write" in inside["detail"]
    (theirs.parent / "ring").unlink()
    theirs.parent.rmdir()


def test_settings_that_nobody_trusts_tell_nobody_and_the_environment_still_does(
    line: CommandLine, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    line.settle("notify: [{url: 'http://127.0.0.1:1/evil'}, {command: [evil]}]\n", trusted=False)
    said = line.run("notify", "test")
    assert said.code == 2 and "not trusted" in said.err
    monkeypatch.setenv("NIGHTDESK_NOTIFY_URL", hook.url)
    monkeypatch.setenv("NIGHTDESK_NOTIFY_SECRET", SECRET)
    line.ok("notify", "test")
    ((headers, body),) = hook.came
    assert Webhook(SECRET).verify(body, headers)
    monkeypatch.setenv("NIGHTDESK_NOTIFY_SECRET", "")
    unsigned = line.run("notify", "test")
    assert unsigned.code == 1 and "empty" in unsigned.out and len(hook.came) == 1


def test_only_people_try_channels_or_name_addresses(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from console.adapters import operator

    line.settle("notify: [{terminal: bell}]\n")
    assert "terminal" in line.run("notify", "test", line.ok("notify", "list").out.split("\n")[1][:12]).err
    monkeypatch.setattr(operator, "inside_a_session", lambda: True)
    for words in (
        ("notify", "test"),
        ("session", "start", "--idle", "--notify-url", "http://h.example/", "--", "true"),
    ):
        said = line.run(*words)
        assert said.code == 2 and "for the operator" in said.err
    assert line.run("notify", "list").code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--notify-url", "ftp://x/"), "http"),
        (("--notify-secret", "env:HOOK"), "--notify-url"),
        (("--notify-url", "http://h.example/", "--notify-secret", "whsec_abc"), "not the secret itself"),
    ],
)
def test_an_address_of_a_session_is_checked_before_anything_starts(
    line: CommandLine, words: tuple[str, ...], says: str
) -> None:
    said = line.run("session", "start", "--idle", *words, "--", "true")
    assert said.code == 2 and says in said.err and "whsec_abc" not in said.err
    assert not line.ok("session", "list", "--json").json["sessions"]


def test_settings_are_read_anew_and_a_change_that_nobody_trusts_neither_adds_nor_silences(line: CommandLine) -> None:
    line.settle("notify: [{terminal: bell}]\n")
    channels = telling.Channels(line.here)
    assert [c.where for c in channels.now()] == ["bell"]
    line.settle("notify: [{url: 'http://evil.example/'}]\n", trusted=False)
    assert [c.where for c in channels.now()] == ["bell"] and "not trusted" in channels.distrusted
    line.settle("notify: [{url: 'http://evil.example/'}, {terminal: 'nope'}]\n", trusted=False)
    assert [c.where for c in channels.now()] == ["bell"]
    line.settle("notify: [{terminal: osc9}]\n")
    assert [c.where for c in channels.now()] == ["osc9"] and not channels.distrusted
    line.settle("notify: []\n")
    assert not channels.now()


def test_a_channel_that_keeps_failing_is_told_with_the_way_to_try_it() -> None:
    state = State()
    opened = ev.ChannelOpened(channel="c1", words="https://h.example/…", since=0)
    failed = ev.NoticeSettled(channel="c1", upto=1, outcome="failed", detail="no answer within 10 s")
    state.apply(ev.Logged(seq=1, at=100.0, fact=opened))
    assert noticewords.failing(state, 110.0) == []
    state.apply(ev.Logged(seq=2, at=100.0, fact=failed))
    (said,) = noticewords.failing(state, 160.0)
    assert said.startswith("https://h.example/… was not reached 1m ago (no answer within 10 s); 1 notice(s) lost")
    assert "`nightdesk notify test c1`" in said
    assert noticewords.failing(state, 100.0 + noticewords.RECENT) == []


def test_settings_that_changed_say_whom_the_running_supervisor_goes_on_telling(line: CommandLine) -> None:
    line.settle("notify: [{url: 'http://127.0.0.1:9/mine'}]\n", trusted=False)
    line.report(ev.ChannelOpened(channel="c1", words="http://127.0.0.1:9/…", since=0))
    shown = line.ok("notify", "list").out
    assert "nobody is told anything" not in shown and "c1" in shown and "goes on with the channels" in shown
    (one,) = line.ok("notify", "list", "--json").json["channels"]
    assert one["inUse"]
    line.report(ev.ChannelClosed(channel="c1"))
    assert not line.ok("notify", "list", "--json").json["channels"][0]["inUse"]
    assert "nobody is told by them" in line.ok("notify", "list").out


def test_an_address_of_the_environment_that_is_none_is_told_with_the_cure(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTDESK_NOTIFY_URL", "not-an-url")
    assert "unset NIGHTDESK_NOTIFY_URL" in line.ok("notify", "list").out
    checks = line.run("preflight", "--json").json["checks"]
    assert any(c["name"] == "notices" and c["level"] == "warning" and "unset it" in c["cure"] for c in checks)


def test_channels_are_tried_all_at_once(line: CommandLine, tmp_path: Path) -> None:
    """Each of the two waits for the other."""
    wait = "while [ ! -e {0}/{2} ]; do sleep 0.02; done"
    for me, other in (("a", "b"), ("b", "a")):
        script(tmp_path / me, f"touch {tmp_path}/at-{me}; " + wait.format(tmp_path, me, f"at-{other}"))
    line.settle(f"notify: [{{command: ['{tmp_path}/a/ring']}}, {{command: ['{tmp_path}/b/ring']}}]\n")
    assert line.ok("notify", "test").out.count("sent") == 2


def test_credentials_in_a_session_s_address_are_refused_with_the_cure_and_the_rest_of_it_is_not_shown(
    line: CommandLine,
) -> None:
    said = line.run("session", "start", "--idle", "--notify-url", "http://u:PWQQ@h.example/", "--", "true")
    assert said.code == 2 and "--notify-secret" in said.err and "PWQQ" not in said.err
    start = cmd.StartSession(
        launch=Launch(argv=("true",)), cwd="/w", worktree="/w", by=ME, notify_url="http://h.example/TOKTOK"
    )
    line.journal.submit(start)
    for words in (("session", "list"), ("session", "show", "s-1"), ("events",)):
        shown = line.ok(*words, "--json").out
        assert "TOKTOK" not in shown and "http://h.example/" in shown
