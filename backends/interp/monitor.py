"""The interface of what observes a run: accesses to memory, concurrent work and its synchronization."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from tvmscript.backends.interp.memory import Memory
from tvmscript.backends.interp.product_operands import MemoryRange, ProductRegisters, SharedOperands
from tvmscript.ir.tir import BufferLoad, BufferStore, Call

#: Observes the elements of an access: the memory, the first bytes of all lanes.
Observer = Callable[[Memory, Sequence[int]], None]


class ThreadPlace(NamedTuple):
    """Which of the threads that run at once a thread is."""

    #: tag -> index
    indices: Mapping[str, int]
    #: the number in its block
    number: int
    #: the number of the block
    block: int


class Monitor(Protocol):
    """Observes a run. One thread of the program runs at a time; the monitor keeps which one."""

    def observer(self, site: BufferLoad | BufferStore, size: int) -> Observer:
        """Return what is called before each execution of an access to elements of `size` bytes."""
        ...

    def settle(self) -> None:
        """End a write: memory has the new values."""
        ...

    def enter_call(self, site: Call) -> None:
        """Begin an instruction that accesses memory through pointers."""
        ...

    def read(self, memory: Memory, places: range) -> None:
        """Observe that the current instruction reads bytes."""
        ...

    def write(self, memory: Memory, places: range) -> None:
        """Observe that the current instruction writes bytes; `settle` follows."""
        ...

    def request_rows(self, memory: Memory, rows: Sequence[range]) -> None:
        """Observe that a warp reads rows of shared memory at the same time."""
        ...

    def run_iterations(self, label: str, indices: range, run: Callable[[int], None]) -> None:
        """Run concurrent iterations: those of a parallel loop, or the blocks of a launch along an axis."""
        ...

    def begin_threads(self, places: Sequence[ThreadPlace]) -> None:
        """Begin the threads of a block, or of blocks that run at once."""
        ...

    def resume(self, thread: int) -> None:
        """Switch to one of the threads."""
        ...

    def synchronize(self, level: str, threads: Mapping[int, object], *, size: int, ended: int) -> None:
        """Observe that threads meet, with their places in the program.

        `size` is the number of threads of the block, or of all blocks where those meet, `ended` that of those of them
        that have ended.
        """
        ...

    def end_threads(self, owners: Mapping[Memory, int]) -> None:
        """End the threads. `owners` has the blocks of shared memory that others may access."""
        ...

    def start_copy(self, target: Memory, places: range) -> None:
        """Observe an asynchronous copy of the current thread to these bytes."""
        ...

    def commit_copies(self) -> None:
        """Close a group of asynchronous copies of the current thread."""
        ...

    def attach_copies(self, barrier: object) -> None:
        """Observe that the copies of the current thread complete with a phase of a barrier."""
        ...

    def complete_copies(self, barrier: object) -> None:
        """Complete the copies that were attached to a barrier."""
        ...

    def arrive(self, barrier: object) -> None:
        """Observe that the current thread arrives at a barrier, for which it does not wait."""
        ...

    def acquire(self, barrier: object) -> None:
        """Observe that the current thread has waited for a barrier."""
        ...

    def wait_copies(self, pending: int) -> None:
        """Complete the groups of the current thread, except for the last `pending`."""
        ...

    def start_store(self, source: MemoryRange, targets: Sequence[MemoryRange]) -> None:
        """Observe an asynchronous copy of the current thread from shared memory to these bytes."""
        ...

    def commit_stores(self) -> None:
        """Close a group of asynchronous copies from shared memory."""
        ...

    def wait_stores(self, pending: int, *, has_written: bool) -> None:
        """Complete the groups but the last `pending`: they have read shared memory, and may have written, too."""
        ...

    def fence_registers(self) -> None:
        """Observe that the current thread orders its accesses to registers before products that it starts later."""
        ...

    def fence_proxy(self) -> None:
        """Observe that the current thread orders what it knows of before asynchronous reads of shared memory."""
        ...

    def start_product(self, site: Call, registers: ProductRegisters, operands: SharedOperands) -> None:
        """Observe that the current thread starts a product of its warp group."""
        ...

    def commit_products(self) -> None:
        """Close a group of products of the current thread."""
        ...

    def wait_products(self, pending: int) -> None:
        """Complete the groups of products of the current thread, except for the last `pending`."""
        ...
