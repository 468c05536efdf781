"""Products of warp groups (wgmma) that are under way: groups of each thread, what they read, registers that they use.

Source: PTX ISA, sections "wgmma.fence", "wgmma.commit_group" and "wgmma.wait_group".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tvmscript.backends.interp.memory import Memory
from tvmscript.backends.interp.product_operands import MemoryRange, ProductRegisters, SharedOperands
from tvmscript.backends.interp.sanitizer.shadow_memory import Thread
from tvmscript.ir.tir import Call


class Product(NamedTuple):
    """A product as one of its threads has started it."""

    site: Call
    registers: ProductRegisters
    operands: SharedOperands

    def uses(self, accessed: MemoryRange) -> bool:
        """Return whether the product uses registers with these bytes."""
        return any(used.overlaps(accessed) for used in (*self.registers.sums, *self.registers.factors))

    def conflict_with(self, later: ProductRegisters) -> MemoryRange | None:
        """Return registers that a later product may not use yet: all but sums of the same shape and common factors."""
        mine = self.registers
        pairs = [(mine.factors, later.sums), (mine.sums, later.factors)]
        if mine.shape != later.shape:
            pairs.append((mine.sums, later.sums))
        clashes = (one for used, wanted in pairs for one in wanted for other in used if one.overlaps(other))
        return next(clashes, None)


class Products:
    """The products of the threads of a block."""

    def __init__(self) -> None:
        #: groups of a thread that are not complete; the last one is open
        self._groups: dict[Thread, list[list[Product]]] = {}
        #: matrices in shared memory that are being read -> the product, and how many of its threads have not waited
        self._reading: dict[SharedOperands, tuple[Call, int]] = {}

    @property
    def are_running(self) -> bool:
        """Return whether a product is under way."""
        return bool(self._reading)

    def start(self, thread: Thread, product: Product) -> None:
        """Begin a product in the open group of a thread."""
        self._groups_of(thread)[-1].append(product)
        _, threads = self._reading.get(product.operands, (product.site, 0))
        self._reading[product.operands] = product.site, threads + 1

    def running(self, thread: Thread) -> Sequence[Product]:
        """Return the products of a thread that are under way."""
        return [product for group in self._groups.get(thread, ()) for product in group]

    def user_of(self, thread: Thread, accessed: MemoryRange) -> Call | None:
        """Return a product of a thread that uses registers with these bytes."""
        return next((product.site for product in self.running(thread) if product.uses(accessed)), None)

    def reader_of(self, memory: Memory, places: range) -> Call | None:
        """Return a product that is reading one of these bytes of shared memory."""
        return next((site for operands, (site, _) in self._reading.items() if operands.has(memory, places)), None)

    def commit(self, thread: Thread) -> None:
        """Close the open group of a thread."""
        self._groups_of(thread).append([])

    def wait(self, thread: Thread, pending: int) -> Sequence[Product]:
        """Complete all but the last groups of a thread, and return their products."""
        groups = self._groups_of(thread)
        count = max(len(groups) - 1 - pending, 0)
        complete = [product for group in groups[:count] for product in group]
        del groups[:count]
        for product in complete:
            site, threads = self._reading.pop(product.operands)
            if threads > 1:
                self._reading[product.operands] = site, threads - 1
        return complete

    def unfinished(self) -> Iterable[tuple[Thread, Product, bool]]:
        """Return the products under way with their threads, and whether their group is closed."""
        for thread, groups in self._groups.items():
            for place, group in enumerate(groups, 1):
                yield from ((thread, product, place < len(groups)) for product in group)

    def _groups_of(self, thread: Thread) -> list[list[Product]]:
        return self._groups.setdefault(thread, [[]])
