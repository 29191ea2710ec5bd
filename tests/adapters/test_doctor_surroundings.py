"""What the doctor says of the login and the terminal: each check once well and once ill."""

from __future__ import annotations

import functools
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from console.adapters.doctor import asking, login, terminal
from console.adapters.doctor.findings import Finding, Look
from console.adapters.doctor.ground import Ground


def one(look: Look) -> Finding:
    assert len(look.findings) == 1, look
    return look.findings[0]


def saying(answers: Mapping[str, str | None]) -> terminal.Ask:
    """A machine whose programs answer so; anything that is not named is not there."""
    return lambda argv, *_: answers.get(" ".join(argv))


# -- the login


def conf(root: Path, place: str, text: str) -> None:
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    (root / place).write_text(text)


def test_logind_conf_is_read_in_its_order(tmp_path: Path) -> None:
    assert login.settings(tmp_path) == login.Kills(None)
    conf(tmp_path, "usr/lib/systemd/logind.conf", "[Login]\n#KillUserProcesses=no\n")
    assert login.settings(tmp_path).kills is False
    conf(tmp_path, "usr/lib/systemd/logind.conf.d/50-a.conf", "[Login]\nKillUserProcesses=yes\n")
    assert login.settings(tmp_path).kills is True
    conf(tmp_path, "etc/systemd/logind.conf", "[Login]\n  KillUserProcesses = no  \nKillOnlyUsers=ada bob\n")
    assert login.settings(tmp_path).kills is True  # drop-ins come after whatever main file
    conf(tmp_path, "etc/systemd/logind.conf.d/50-a.conf", "")
    found = login.settings(tmp_path)  # and this one hides the other of its name
    assert found.kills is False and found.only == ("ada", "bob") and found.where.endswith("etc/systemd/logind.conf")
    conf(tmp_path, "run/systemd/logind.conf.d/60-b.conf", "[Login]\nKillUserProcesses=1\nKillExcludeUsers=ada\n")
    found = login.settings(tmp_path)
    assert (found.ends("bob"), found.ends("ada"), found.ends("eve")) == (True, False, False)


@pytest.fixture
def machine_root(tmp_path: Path) -> Path:
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    return tmp_path


SCOPE = b"0::/user.slice/user-1000.slice/session-7.scope\n"
MANAGER = b"0::/user.slice/user-1000.slice/user@1000.service/tmux-spawn-1.scope\n"


def logged_in(
    root: Path, monkeypatch: pytest.MonkeyPatch, group: bytes, answers: dict[str, str | None], **environ: str
) -> Look:
    monkeypatch.setattr(login.proc, "text", lambda path: group if path.endswith("/cgroup") else b"")
    monkeypatch.setattr(login, "_user", lambda: "ada")
    return login.look(Ground(environ={"HOME": str(root), **environ}), saying(answers), root)


def test_without_logind_nothing_ends_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert logged_in(tmp_path, monkeypatch, SCOPE, {}).findings == ()


def test_a_login_whose_processes_are_killed_is_told_how_to_detach(
    machine_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf(machine_root, "etc/systemd/logind.conf", "[Login]\nKillUserProcesses=yes\n")
    found = one(logged_in(machine_root, monkeypatch, SCOPE, {}, SSH_CONNECTION="1.2.3.4 1 5.6.7.8 22"))
    assert found.level == "warning" and "over SSH" in found.what and "etc/systemd/logind.conf" in found.what
    assert found.cure.startswith("loginctl enable-linger ada && systemd-run --user --scope")
    inside = one(logged_in(machine_root, monkeypatch, SCOPE, {}, TMUX="/tmp/tmux-1000/default,77,0"))
    assert "also inside tmux" in inside.what
    (machine_root / "var/lib/systemd/linger").mkdir(parents=True)
    (machine_root / "var/lib/systemd/linger/ada").touch()
    lingering = one(logged_in(machine_root, monkeypatch, SCOPE, {}))  # it does not spare a login's own scope
    assert lingering.cure.startswith("systemd-run --user --scope")


def test_a_login_that_logind_leaves_alone_is_well(machine_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conf(machine_root, "etc/systemd/logind.conf", "[Login]\n#KillUserProcesses=no\n")
    look = logged_in(machine_root, monkeypatch, SCOPE, {})
    assert look.findings == () and "ends nothing of ada" in look.well and "lingering is off" in look.well


BUS = (
    "busctl get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager "
    "KillUserProcesses"
)


def test_logind_itself_is_asked_when_no_file_says(machine_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert one(logged_in(machine_root, monkeypatch, SCOPE, {})).level == "advice"
    assert one(logged_in(machine_root, monkeypatch, SCOPE, {BUS: "b true"})).level == "warning"
    assert logged_in(machine_root, monkeypatch, SCOPE, {BUS: "b false"}).findings == ()


def test_who_starts_a_run_is_warned_and_does_not_wait_for_a_logind_that_hangs(
    machine_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf(machine_root, "etc/systemd/logind.conf", "[Login]\nKillUserProcesses=yes\n")
    for name in ("busctl", "loginctl"):
        conf(machine_root, f"bin/{name}", "#!/bin/sh\nexec sleep 20\n")
        (machine_root / "bin" / name).chmod(0o755)
    monkeypatch.setattr(login.proc, "text", lambda path: SCOPE if path.endswith("/cgroup") else b"")
    monkeypatch.setattr(login, "_user", lambda: "ada")
    ground = Ground(environ={"HOME": "/", "PATH": f"{machine_root / 'bin'}:{os.environ['PATH']}"})
    begun = time.monotonic()
    found = one(login.look(ground, functools.partial(asking.ask, limit=0.3), machine_root))
    assert time.monotonic() - begun < asking.LIMIT
    assert found.level == "warning" and "at logout" in found.what and "run --detach" in found.cure


def test_below_the_service_manager_lingering_decides(machine_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = "loginctl show-user ada -p Linger"
    found = one(logged_in(machine_root, monkeypatch, MANAGER, {asked: "Linger=no"}))
    assert found.level == "warning" and found.cure == "loginctl enable-linger ada"
    assert logged_in(machine_root, monkeypatch, MANAGER, {asked: "Linger=yes"}).findings == ()


def test_a_unit_without_lingering(machine_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conf(machine_root, "etc/systemd/logind.conf", "KillUserProcesses=no\n")
    conf(machine_root, ".config/systemd/user/nightdesk-shop.service", "[Service]\n")
    found = one(logged_in(machine_root, monkeypatch, SCOPE, {}))
    assert "nightdesk-shop.service is installed" in found.what and found.cure == "loginctl enable-linger ada"


# -- the terminal

GOOD = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "en_GB.UTF-8"}


def shown(size: tuple[int, int] | None = (120, 40), answers: Mapping[str, str | None] = {}, **environ: str) -> Look:
    return terminal.look(Ground(environ={**GOOD, **environ}), saying(answers), size)


def test_a_good_terminal_and_none_at_all() -> None:
    assert shown().findings == () and "120x40" in shown().well
    assert "there is none" in terminal.look(Ground(environ={}), saying({}), None).well


@pytest.mark.parametrize(
    ("environ", "level", "cure"),
    [
        ({"TERM": "dumb"}, "warning", "export TERM=xterm-256color"),
        ({"TERM": ""}, "warning", "export TERM=xterm-256color"),
        ({"TERM": "screen"}, "advice", "export TERM=screen-256color"),
        ({"LANG": "C"}, "warning", "export LC_ALL=C.UTF-8"),
        ({"LC_ALL": "POSIX"}, "warning", "export LC_ALL=C.UTF-8"),
        ({"COLORTERM": ""}, "advice", "export COLORTERM=truecolor"),
        ({"NO_COLOR": ""}, "advice", "unset NO_COLOR"),
    ],
)
def test_what_the_environment_says(environ: dict[str, str], level: str, cure: str) -> None:
    found = one(shown(**environ))
    assert (found.level, found.cure) == (level, cure)


def test_a_small_window() -> None:
    found = one(shown((49, 40)))
    assert "49x40" in found.what and found.cure.startswith("printf ")
    assert shown((50, 20)).findings == ()
    assert "stty" in one(shown((0, 0))).cure


TMUX = {
    "tmux show-options -gv default-terminal": "tmux-256color",
    "tmux show-options -gv terminal-overrides": "xterm*:Tc",
    "tmux show-options -sv terminal-features": "",
    "tmux show-options -gv focus-events": "on",
    "tmux show-options -sv escape-time": "20",
}


def test_tmux_well_ill_and_silent() -> None:
    inside = {"TMUX": "/tmp/tmux-0/default,1,0", "TERM": "tmux-256color"}
    assert shown(answers=TMUX, **inside).findings == ()
    ill = {
        "tmux show-options -gv default-terminal": "screen",
        "tmux show-options -gv terminal-overrides": "",
        "tmux show-options -gv focus-events": "off",
        "tmux show-options -sv escape-time": "500",
    }
    found = shown(answers=ill, **inside).findings
    assert [one.level for one in found] == ["advice"] * 4
    assert [shlex.split(one.cure)[:2] for one in found] == [["tmux", "set"]] * 4
    assert "does not answer" in one(shown(**inside)).what


@pytest.mark.skipif(not shutil.which("tmux"), reason="needs tmux")
def test_a_real_tmux_is_well_after_the_commands_that_are_shown(tmp_path: Path) -> None:
    socket = tmp_path / "tmux"
    tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "xterm-256color", **GOOD}
    start = [*tmux, "new-session", "-d", "sleep 60", ";", "set", "-g", "default-terminal", "screen"]
    if subprocess.run(start, env=env, check=False, timeout=10).returncode:
        pytest.skip("tmux does not start here")
    try:
        pid = subprocess.run([*tmux, "display", "-p", "#{pid}"], env=env, capture_output=True, text=True, check=True)
        g = Ground(environ={**env, "TMUX": f"{socket},{pid.stdout.strip()},0"})
        found = terminal.look(g, asking.ask, (120, 40)).findings
        assert len(found) >= 2 and all(one.cure.startswith("tmux set ") for one in found)
        for cure in found:
            subprocess.run(["bash", "-c", cure.cure], env=dict(g.environ), check=True, timeout=5)
        assert terminal.look(g, asking.ask, (120, 40)).findings == ()
    finally:
        subprocess.run([*tmux, "kill-server"], env=env, check=False, timeout=10)
