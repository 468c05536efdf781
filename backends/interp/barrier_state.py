"""The state of a barrier in shared memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Barrier:
    """The state of a barrier."""

    expected: int = 0
    arrived: int = 0
    pending_bytes: int = 0
    #: how many phases are complete
    phases: int = 0

    def finish_phase(self) -> bool:
        """Begin the next phase if everything has arrived, and return whether it has."""
        if self.arrived < self.expected or self.pending_bytes > 0:
            return False
        self.phases += 1
        self.arrived = 0
        return True
