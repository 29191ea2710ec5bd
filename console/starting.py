"""What comes before a run: the preflight, the settings that it pins, and the GO. Imports are late."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from console.core.records import Check, Refused, RunSettings

if TYPE_CHECKING:
    from console.adapters.preflight import Preflight
    from console.adapters.trust import Loaded
    from console.engine.ports import FolderLook
    from console.wiring import Here


def preflight(here: Here, loaded: Loaded, *, sessions: int = 0, agent: str = "", pull: bool = False) -> Preflight:
    """Every GO/NO-GO check, with these settings. sessions: at work at once, 0 for the settings'. agent: the preset
    instead of the settings'. pull: workers ask for tickets, no preset is started. Blocks while presets are probed."""
    from msgspec.structs import replace as replace_checks

    from console import wiring
    from console.adapters.git.binary import GitFailed
    from console.adapters.preflight import gathering, preflight
    from console.adapters.preflight.facts import no_go
    from console.adapters.store import LogError
    from console.core.state import State

    try:
        git, trouble = wiring.git_of(here), ""
    except (GitFailed, OSError) as failed:
        git, trouble = None, str(failed)
    try:
        journal = wiring.open_journal(here)
        state, broken = journal.state, ""
        journal.close()
    except LogError as error:
        state, broken = State(), str(error)
    source = gathering.Source(
        workspace=here.workspace,
        places=here.places,
        environ=here.environ,
        loaded=loaded,
        state=state,
        git=git,
        look=_tickets(here, loaded),
        trouble=trouble,
        sessions=sessions,
        agent=agent,
        pull=pull,
    )
    made = preflight(gathering.gather(source))
    return replace_checks(made, checks=(*made.checks, no_go("log", broken))) if broken else made


def _tickets(here: Here, loaded: Loaded) -> Callable[[Mapping[str, str]], FolderLook] | Refused:
    from console.adapters.tickets import TicketFolder, tickets_folder

    folder = tickets_folder(here.root, loaded.settings.tickets)
    return folder if isinstance(folder, Refused) else TicketFolder(folder, here.places.tickets).look


def run_settings(loaded: Loaded, *, agent: str = "", tickets: int = 0) -> RunSettings:
    """What a run with these settings is pinned to. agent, tickets: instead of the settings', for this run."""
    from msgspec.structs import replace as changed

    from console.core.settings import run_settings as pinned

    made = pinned(loaded.settings, loaded.digest)
    return changed(made, agent=agent or made.agent, tickets=tickets or made.tickets)


def start_run(here: Here, checks: Sequence[Check], attended: bool) -> str:
    """GO from a screen, with the settings as they are now; "" or why there is no run."""
    from console import wiring
    from console.core.commands import StartRun

    loaded = wiring.settings_of(here)
    if trouble := wiring.distrust(here, loaded):
        return trouble
    warnings = tuple(check for check in checks if check.level == "warning")
    mine = wiring.client(here)
    try:
        by = wiring.who(here, "screen")
        start = StartRun(settings=run_settings(loaded), by=by, attended=attended, warnings=warnings)
        result = mine.send(start)
    finally:
        mine.close()
    return result.reason if isinstance(result, Refused) else ""
