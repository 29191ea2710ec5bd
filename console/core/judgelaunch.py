"""How a judge is started: by a preset of the settings that a person confirmed, told its model as presets are. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from console.core import presets as of_agents
from console.core.presets import Builtin, Preset, Raw
from console.core.records import Launch, Refused
from console.core.settings_checks import Reader


def judge_launch(
    presets: Mapping[str, Preset], raw: Raw, adapter: str, model: str, *, builtin: Builtin, where: str
) -> Launch | Refused:
    """presets: those of the settings; raw: their keys as the settings have them. model: "" for the preset's own. where:
    `file:line` of the presets, for the person who must change them."""
    preset = presets.get(adapter)
    if preset is None:
        here = ", ".join(presets) or "none"
        near = of_agents.near(adapter, builtin, presets)
        return Refused(reason=f"{where}: the judge's preset {adapter!r} is none of these settings{near}; here: {here}")
    if not preset.autonomy_confirmed:
        return Refused(
            reason=f"{where}: the judge's preset {adapter!r} is not confirmed: read what it may do "
            f"(`nightdesk agents`), set `autonomy_confirmed: true` in it, then run `nightdesk trust`"
        )
    return _told(raw, adapter, model, builtin) if model else preset.launch


def _told(raw: Raw, adapter: str, model: str, builtin: Builtin) -> Launch | Refused:
    """As the preset would be with this `model` of its own."""
    entry = raw.get(adapter)
    reader = Reader(lambda _path: 1)
    own = {**(entry if isinstance(entry, dict) else {}), "model": model}
    made = of_agents.read(reader, {adapter: own}, builtin)
    if reader.problems or adapter not in made:
        why = reader.problems[0].message if reader.problems else "it cannot be told one"
        return Refused(reason=f"the judge's preset {adapter!r} takes no model {model!r}: {why}")
    return made[adapter].launch
