"""What the output of a gate that was not green tells: failing tests, the failure's signature, trouble of the machine.

Pure, and the output is hostile text: bounded, no search that can blow up, and nothing here can make a gate green.
"""

from console.core.failures.comparing import Compared, Failures, JUnit, compared, flaky, observed, summed
from console.core.failures.counting import counted
from console.core.failures.naming import failing
from console.core.failures.signing import signature
from console.core.failures.trouble import Trouble, environment, trouble

__all__ = [
    "Compared",
    "Failures",
    "JUnit",
    "Trouble",
    "compared",
    "counted",
    "environment",
    "failing",
    "flaky",
    "observed",
    "signature",
    "summed",
    "trouble",
]
