"""Fifty busy agents as their transcripts show them: one more entry in each, once a second, until stdin closes.

Arguments: the transcripts. Written with the drivers' own writer.
"""

import select
import sys
import time

from console.adapters.agents.transcripts import Transcript


def main() -> None:
    transcripts = [Transcript(path) for path in sys.argv[1:]]
    beat, due = 0, time.monotonic()
    while True:
        beat += 1
        for number, transcript in enumerate(transcripts):
            tool = f"edit shop/module_{(beat * 7 + number) % 97}.py"
            transcript.append("tool", tool=tool, status="in_progress", id=f"t{beat}")
        if beat == 1:
            print("fed", flush=True)
        due += 1.0
        if select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
            return


if __name__ == "__main__":
    main()
