"""Whether what runs on outlives the end of this login: logind's KillUserProcesses, lingering, tmux or screen, a unit.

Reads logind's settings as systemd does; asks its tools only with a short deadline. Changes nothing.
"""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.adapters.doctor import proc
from console.adapters.doctor.findings import Finding, Look, words
from console.adapters.doctor.ground import Ground

NAME = "login"
FOLDERS = ("etc/systemd", "run/systemd", "usr/local/lib/systemd", "usr/lib/systemd", "lib/systemd")
"""Where logind.conf and its drop-ins may lie; the first has precedence over the others."""
_SETTING = re.compile(r"\s*(#?)\s*(KillUserProcesses|KillOnlyUsers|KillExcludeUsers)\s*=\s*(.*)")
_YES, _NO = ("1", "yes", "y", "true", "t", "on"), ("0", "no", "n", "false", "f", "off")
_SESSION = re.compile(r"/session-[^/]+\.scope(/|$)")
_MANAGER = re.compile(r"/user@\d+\.service(/|$)")
Ask = Callable[..., str | None]


@dataclass(frozen=True, slots=True)
class Kills:
    """kills: what KillUserProcesses says, None when only what logind was built with counts and nobody knows that.
    where: the file that says so. only, never: users that it is limited to, and that are spared."""

    kills: bool | None
    where: str = ""
    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ("root",)

    def ends(self, user: str) -> bool | None:
        if user in self.never or (self.only and user not in self.only):
            return False
        return self.kills


def look(g: Ground, ask: Ask, root: Path = Path("/")) -> Look:
    """ask: a program of the machine, as `asking.ask`. root: of the file system, for its settings."""
    login = _login(g, ask, root)
    return Look(name=NAME, well=_well(login), findings=tuple(_findings(g, login)))


@dataclass(frozen=True, slots=True)
class Login:
    """unit: of the processes that are looked at: ours, or those of the tmux or screen server we are in."""

    user: str
    ssh: bool
    inside: str
    unit: str
    systemd: bool
    kills: bool | None
    where: str
    linger: bool | None
    units: tuple[str, ...]


def _login(g: Ground, ask: Ask, root: Path) -> Login:
    user = _user()
    systemd = (root / "run/systemd/system").is_dir()
    server, inside = _multiplexer(g)
    found = settings(root) if systemd else Kills(False)
    kills, where = found.ends(user), found.where
    if kills is None and (said := _asked(g, ask)) is not None:
        kills, where = said, "logind itself"
    return Login(
        user=user,
        ssh=bool(g.environ.get("SSH_CONNECTION") or g.environ.get("SSH_TTY")),
        inside=inside,
        unit=proc.text(f"/proc/{server or 'self'}/cgroup").decode("utf-8", "replace"),
        systemd=systemd,
        kills=kills,
        where=where,
        linger=_linger(g, ask, root, user) if systemd else None,
        units=_units(g.environ),
    )


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _multiplexer(g: Ground) -> tuple[int, str]:
    """(pid of its server, its name) of the one that we are in; (0, "") outside."""
    socket, _, rest = g.environ.get("TMUX", "").partition(",")
    server = rest.partition(",")[0]
    if socket:
        return (int(server) if server.isdigit() else 0), "tmux"
    first = g.environ.get("STY", "").partition(".")[0]
    return (int(first), "screen") if first.isdigit() else (0, "")


def _asked(g: Ground, ask: Ask) -> bool | None:
    """What logind says it does."""
    where = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
    said = ask(("busctl", "get-property", *where, "KillUserProcesses"), g.environ, g.worktrees)
    return {"b true": True, "b false": False}.get((said or "").strip())


def _linger(g: Ground, ask: Ask, root: Path, user: str) -> bool | None:
    if (root / "var/lib/systemd/linger" / user).exists():
        return True
    said = ask(("loginctl", "show-user", user, "-p", "Linger"), g.environ, g.worktrees)
    return {"Linger=yes": True, "Linger=no": False}.get((said or "").strip(), False)


def _units(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Unit files of ours that this user has."""
    base = environ.get("XDG_CONFIG_HOME", "")
    config = Path(base) if base.startswith("/") else Path(environ.get("HOME", "/")) / ".config"
    try:
        return tuple(sorted(one.name for one in (config / "systemd/user").glob("nightdesk*.service")))
    except OSError:
        return ()


# -- logind.conf ------------------------------------------------------------------------------------------------


def settings(root: Path) -> Kills:
    """As logind reads it: one main file, then the drop-ins of all folders by name, of which one in an earlier folder
    hides those of the same name. A main file shows as comments what logind was built with."""
    built, found = {}, {}
    for file in _files(root):
        for off, name, value in _lines(file):
            if off and name not in built:
                built[name] = (value, f"{file}, by default")
            elif not off:
                found[name] = (value, str(file))
    kills, where = found.get("KillUserProcesses", built.get("KillUserProcesses", ("", "")))
    word = kills.lower()
    never = found.get("KillExcludeUsers", ("root", ""))[0]
    return Kills(
        kills=True if word in _YES else False if word in _NO else None,
        where=where if word in (*_YES, *_NO) else "",
        only=tuple(found.get("KillOnlyUsers", ("", ""))[0].split()),
        never=tuple(never.split()),
    )


def _files(root: Path) -> list[Path]:
    folders = [root / folder for folder in FOLDERS]
    main = [file for file in (folder / "logind.conf" for folder in folders) if os.path.lexists(file)][:1]
    drops: dict[str, Path] = {}
    for folder in folders:
        try:
            names = os.listdir(folder / "logind.conf.d")
        except OSError:
            continue
        for name in names:
            if name.endswith(".conf"):
                drops.setdefault(name, folder / "logind.conf.d" / name)
    return [*main, *(drops[name] for name in sorted(drops))]


def _lines(file: Path) -> Iterator[tuple[bool, str, str]]:
    """(it is a comment, name, value) of what matters. A file that leads to /dev/null is empty."""
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        if match := _SETTING.fullmatch(line):
            yield bool(match[1]), match[2], match[3].strip()


# -- what that means ----------------------------------------------------------------------------------------------


def _well(of: Login) -> str:
    if not of.systemd:
        return f"no logind here: a run goes on after the end of this login{_in(of)}"
    what = "not in a login's scope" if not _SESSION.search(of.unit) else f"logind ends nothing of {of.user} at logout"
    linger = "on" if of.linger else "off"
    unit = f", unit {', '.join(of.units)}" if of.units else ", no unit installed"
    return f"{what}{_in(of)}; lingering is {linger}{unit}"


def _in(of: Login) -> str:
    return f", inside {of.inside}" if of.inside else ""


def _findings(g: Ground, of: Login) -> Iterator[Finding]:
    if not of.systemd:
        return
    in_scope, in_manager = bool(_SESSION.search(of.unit)), bool(_MANAGER.search(of.unit))
    if in_scope and of.kills:
        yield Finding(check=NAME, level="warning", what=_ends(of, of.where), cure=_detached(g, of))
    elif in_scope and of.kills is None:
        yield Finding(check=NAME, level="advice", what=_may_end(of), cure=_detached(g, of))
    if in_manager and not of.linger:
        what = f"this runs below {of.user}'s service manager, which ends soon after the last logout: a run would, too"
        yield Finding(check=NAME, level="warning", what=what, cure=_linger_on(of))
    elif of.units and not of.linger:
        what = f"the unit {', '.join(of.units)} is installed, but lingering is off: it ends soon after the last logout"
        yield Finding(check=NAME, level="warning", what=what, cure=_linger_on(of))


def _ends(of: Login, where: str) -> str:
    """Lingering does not help a login's own scope: only what runs below the service manager is spared."""
    over = " over SSH" if of.ssh else ""
    return f"logind ends everything of this login{over} at logout (KillUserProcesses=yes in {where}), {_even(of)}"


def _may_end(of: Login) -> str:
    return f"logind may end everything of this login at logout (nothing says KillUserProcesses=no), {_even(of)}"


def _even(of: Login) -> str:
    return (
        f"also inside {of.inside}: a run would end with it" if of.inside else "detached or not: a run would end with it"
    )


def _linger_on(of: Login) -> str:
    return words("loginctl", "enable-linger", of.user)


def _detached(g: Ground, of: Login) -> str:
    begin = "" if of.linger else f"{_linger_on(of)} && "
    run = words("systemd-run", "--user", "--scope", "--quiet")
    return f"{begin}{run} {g.command('run', '--detach')}  # docs/detaching.md"
