"""`kill -9` of the supervisor in the middle of a night: the next `run` ends it as if nothing had happened.

Some moments of many: `tests/full night` plays forty, spread over every phase.
"""

from __future__ import annotations

import random
from pathlib import Path

from killing import KINDS, killed_night

SEED = random.SystemRandom().randrange(10**6)


def test_a_night_whose_supervisor_is_killed_eight_times_ends_the_same(tmp_path: Path) -> None:
    kinds = random.Random(SEED).sample(KINDS, 8)
    print(f"seed {SEED}: {killed_night(tmp_path / 'night', kinds, SEED).line()}")
