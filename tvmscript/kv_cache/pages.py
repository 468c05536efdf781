"""Pages of sequences. A page may belong to several sequences: who writes into it takes a copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tvmscript.kv_cache.errors import WrongCacheCall

Array = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Window:
    """A sliding window: a sequence keeps its first `sink_size` tokens and the last ones, `size` in all."""

    size: int
    sink_size: int


@dataclass
class CachedSequence:
    """The pages of a sequence, and the number of its tokens."""

    pages: list[int] = field(default_factory=list)
    length: int = 0
    window: Window | None = None
    #: places in the pages behind the sink whose tokens are gone
    gap: int = 0

    @property
    def num_places(self) -> int:
        """The number of places in the pages up to the last token."""
        return self.length + self.gap

    def places(self, positions: Array) -> Array:
        """Return the places in the pages of tokens at these positions."""
        sink_size = self.window.sink_size if self.window is not None else 0
        return np.where(positions < sink_size, positions, positions + self.gap)


class PageTable:
    """The sequences of a cache, and its pages with the number of sequences that have each."""

    def __init__(
        self, num_pages: int, page_size: int, max_sequences: int, copy_page: Callable[[int, int], None]
    ) -> None:
        self.page_size = page_size
        self.max_sequences = max_sequences
        self.sequences: dict[int, CachedSequence] = {}
        self._copy_page = copy_page
        self._users = [0] * num_pages
        self._free = list(reversed(range(num_pages)))

    @property
    def num_free_pages(self) -> int:
        return len(self._free)

    def __getitem__(self, seq_id: int) -> CachedSequence:
        """Return a sequence. Raises `WrongCacheCall`."""
        if seq_id not in self.sequences:
            raise WrongCacheCall(method="a call", reason=f"there is no sequence {seq_id}")
        return self.sequences[seq_id]

    def add(self, seq_id: int) -> CachedSequence:
        """Add an empty sequence. Raises `WrongCacheCall`."""
        if seq_id in self.sequences:
            raise WrongCacheCall(method="add_sequence", reason=f"there is a sequence {seq_id}")
        if len(self.sequences) == self.max_sequences:
            reason = f"it was created for {self.max_sequences} sequences"
            raise WrongCacheCall(method="add_sequence", reason=reason)
        sequence = self.sequences[seq_id] = CachedSequence()
        return sequence

    def fork(self, parent: int, child: int, position: int) -> None:
        """Add a sequence with the first tokens of another one; they share pages. Raises `WrongCacheCall`."""
        source = self[parent]
        if not 0 <= position <= source.length:
            reason = f"sequence {parent} has {source.length} tokens, no position {position}"
            raise WrongCacheCall(method="fork_sequence", reason=reason)
        if source.window is not None:
            raise WrongCacheCall(method="fork_sequence", reason=f"sequence {parent} has a sliding window")
        sequence = self.add(child)
        sequence.length = position
        sequence.pages = source.pages[: self._num_pages(position)]
        for page in sequence.pages:
            self._users[page] += 1

    def remove(self, seq_id: int) -> None:
        """Remove a sequence. Raises `WrongCacheCall`."""
        self._shrink(self[seq_id], 0)
        del self.sequences[seq_id]

    def pop(self, seq_id: int, count: int) -> None:
        """Remove the last tokens of a sequence. Raises `WrongCacheCall`."""
        sequence = self[seq_id]
        if not 0 <= count <= sequence.length:
            reason = f"sequence {seq_id} has {sequence.length} tokens, not {count}"
            raise WrongCacheCall(method="popn", reason=reason)
        self._shrink(sequence, sequence.length - count)

    def append(self, counts: Mapping[int, int]) -> None:
        """Make sequences longer; pages of theirs that change are their own afterwards.

        Raises `WrongCacheCall`, and changes nothing, where there are not enough pages.
        """
        needed = sum(self._needed(self[seq_id], count) for seq_id, count in counts.items())
        if needed > len(self._free):
            reason = f"it needs {needed} pages more, but {len(self._free)} of {len(self._users)} are free"
            raise WrongCacheCall(method="begin_forward", reason=reason)
        for seq_id, count in counts.items():
            sequence = self[seq_id]
            shared = self._shared_page(sequence, count)
            if shared is not None:
                self._users[shared] -= 1
                page = sequence.pages[-1] = self._take()
                self._copy_page(shared, page)
            sequence.length += count
            while len(sequence.pages) < self._num_pages(sequence.num_places):
                sequence.pages.append(self._take())

    def _shared_page(self, sequence: CachedSequence, count: int) -> int | None:
        """Return the page of other sequences too that further tokens go to."""
        is_written = count > 0 and sequence.num_places % self.page_size != 0
        return sequence.pages[-1] if is_written and self._users[sequence.pages[-1]] > 1 else None

    def _needed(self, sequence: CachedSequence, count: int) -> int:
        more = self._num_pages(sequence.num_places + count) - len(sequence.pages)
        return more + (self._shared_page(sequence, count) is not None)

    def _num_pages(self, length: int) -> int:
        return -(-length // self.page_size)

    def _take(self) -> int:
        page = self._free.pop()
        self._users[page] = 1
        return page

    def _shrink(self, sequence: CachedSequence, length: int) -> None:
        """Give the last pages back."""
        if sequence.window is not None and length <= sequence.window.sink_size:
            sequence.gap = 0
        sequence.length = length
        self._give_back(sequence, self._num_pages(sequence.num_places), len(sequence.pages))

    def _give_back(self, sequence: CachedSequence, first: int, end: int) -> None:
        for page in sequence.pages[first:end]:
            self._users[page] -= 1
            if self._users[page] == 0:
                self._free.append(page)
        del sequence.pages[first:end]

    def enable_window(self, seq_id: int, window: Window) -> None:
        """Let a sequence slide. Raises `WrongCacheCall`."""
        sequence = self[seq_id]
        reason = None
        if sequence.window is not None:
            reason = f"sequence {seq_id} has a sliding window"
        elif not 0 <= window.sink_size < window.size:
            reason = f"the sink of {window.sink_size} tokens is not in the window of {window.size}"
        if reason is not None:
            raise WrongCacheCall(method="enable_sliding_window_for_seq", reason=reason)
        sequence.window = window

    def slide(self, seq_id: int) -> None:
        """Remove the oldest tokens behind the sink of a sequence that is longer than its window."""
        sequence = self[seq_id]
        window = sequence.window
        if window is None or sequence.length <= window.size:
            return
        sequence.gap += sequence.length - window.size
        sequence.length = window.size
        first = self._num_pages(window.sink_size)
        end = max(first, (window.sink_size + sequence.gap) // self.page_size)
        self._give_back(sequence, first, end)
        sequence.gap -= (end - first) * self.page_size
