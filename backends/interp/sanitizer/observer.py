"""The monitor of the sanitizer: from accesses and synchronization to findings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tvmscript.backends.interp.memory import Memory, codec
from tvmscript.backends.interp.monitor import Observer, ThreadPlace
from tvmscript.backends.interp.product_operands import MemoryRange, ProductRegisters, SharedOperands
from tvmscript.backends.interp.sanitizer.copies import Copies, Copy
from tvmscript.backends.interp.sanitizer.errors import (
    AccessAfterBlock,
    AccessLimit,
    DivergentBarrier,
    MemoryRace,
    MissingProductFence,
    MissingProxyFence,
    UnfinishedProduct,
    UninitializedRead,
    UnwaitedCopy,
    UnwaitedProduct,
)
from tvmscript.backends.interp.sanitizer.products import Product, Products
from tvmscript.backends.interp.sanitizer.shadow_memory import (
    Access,
    Clock,
    ShadowMemory,
    Site,
    Step,
    Thread,
    is_shared,
    join,
)
from tvmscript.backends.interp.sanitizer.warp_requests import Requests, Traffic
from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.ir.tir import BufferLoad, BufferStore, Call
from tvmscript.ir.tir.intrin.ptx_calls import parts_of

_ACCESSES: Final = (BufferLoad, BufferStore)
#: Scopes of registers. Lowered reductions exchange registers that some threads have not set.
_REGISTERS: Final = ("local", "warp", "wmma", "m16n8k8")
#: Axes of blocks, and clusters of blocks.
_BLOCKS: Final = ("blockIdx", "cluster")
#: Iterations of an axis of blocks that are run where not all are: the first ones, and the last.
_FIRST_BLOCKS: Final = 2
_WARP: Final = 32
_GROUP: Final = 128
#: the barrier with a proxy fence
_STORAGE_SYNC: Final = "tir.tvm_storage_sync"


@dataclass
class _Conflict:
    """A write that races unless it changes nothing."""

    memory: Memory
    places: range
    before: bytes
    #: concurrent accesses before the write, with the byte
    earlier: list[tuple[Access, int]]
    write: Access


class Sanitizer:
    """Collect the findings of a run. It is a `Monitor`."""

    def __init__(self, *, all_blocks: bool, limit: int | None = None) -> None:
        self.all_blocks = all_blocks
        self.limit = limit
        self._accesses = 0
        self._findings: dict[tuple[object, ...], ExecutionError] = {}
        #: accesses that race
        self._racing: set[Site] = set()
        #: how many blocks of threads were run, and whether others were left out
        self.blocks = 0
        self.is_partial = False
        self._shadow = ShadowMemory()
        self._scopes = itertools.count()
        self._thread = Thread(())
        self._outside = self._thread
        self._team: list[Thread] = []
        self._copies = Copies()
        #: copies from shared memory: what they write, and what they read
        self._stores, self._tiles = Copies(), Copies()
        self._products = Products()
        #: thread -> the time of its last fence of registers
        self._fences: dict[Thread, int] = {}
        #: barrier in shared memory -> what those who arrived knew, and of that what was fenced
        self._barriers: dict[object, tuple[Clock, Clock]] = {}
        self._site: Site | None = None
        self._unsettled: list[_Conflict] = []
        self._requests = Requests()

    @property
    def thread(self) -> Thread:
        """Return the thread that runs."""
        return self._thread

    @property
    def traffic(self) -> dict[Site, Traffic]:
        """Return the requests of warps by access."""
        return self._requests.traffic

    def findings(self) -> list[ExecutionError]:
        """Return what is wrong. A read that comes before the write that it races with reads what is not written yet."""
        return [
            error
            for (kind, site, *_), error in self._findings.items()
            if kind != "uninitialized" or site not in self._racing
        ]

    # accesses

    def observer(self, site: BufferLoad | BufferStore, size: int) -> Observer:
        """Return what is called before each execution of an access to elements of `size` bytes."""
        is_write = isinstance(site, BufferStore)
        buffer, scope = site.buffer.name, site.buffer.storage_scope
        has_cost = scope.startswith(("shared", "global"))

        def observe(memory: Memory, places: Sequence[int]) -> None:
            for places_at_once in _merge_adjacent(places, size):
                self._access(site, memory, places_at_once, is_write)
                if has_cost and self._team:
                    self._requests.add(self._thread, site, buffer, scope, places_at_once)

        return observe

    def settle(self) -> None:
        """Report the conflicts of a write that has changed memory; remember the accesses before one that has not."""
        for conflict in self._unsettled:
            after = bytes(conflict.memory.raw[conflict.places.start : conflict.places.stop])
            if after != conflict.before:
                first, byte = conflict.earlier[0]
                self._report_race(first, conflict.write, conflict.memory, byte)
            else:
                self._shadow.keep(conflict.memory, conflict.earlier)
        self._unsettled.clear()

    def enter_call(self, site: Call) -> None:
        """Begin an instruction that accesses memory through pointers."""
        self._site = site

    def read(self, memory: Memory, places: range) -> None:
        """Observe that the current instruction reads bytes."""
        self._access(self._site, memory, places, False)

    def write(self, memory: Memory, places: range) -> None:
        """Observe that the current instruction writes bytes."""
        self._access(self._site, memory, places, True)

    def _access(self, site: Site | None, memory: Memory, places: range, is_write: bool) -> None:
        if site is None:
            return
        self._accesses += 1
        if self.limit is not None and self._accesses > self.limit:
            raise AccessLimit(limit=self.limit)
        access = self._now(site, is_write)
        is_pending = self._check_pending(access, memory, places)
        if self._products.are_running:
            self._check_products(access, memory, places)
        if is_write:
            if conflicts := self._shadow.write(access, memory, places):
                before = bytes(memory.raw[places.start : places.stop])
                self._unsettled.append(_Conflict(memory, places, before, conflicts, access))
            return
        if self._team and memory.scope == "local":  # no other thread writes it
            return
        has_start = memory.scope is None or memory.scope.startswith(_REGISTERS)
        if not has_start and not is_pending and not self._shadow.is_written(memory, places):
            thread, buffer = describe(access.thread), memory.name
            self._find(
                ("uninitialized", site),
                UninitializedRead(thread=thread, buffer=buffer, place=_place(site, site, places.start), span=site.span),
            )
        for other, byte in self._shadow.read(access, memory, places):
            self._report_race(other, access, memory, byte)

    def _now(self, site: Site, is_write: bool) -> Access:
        thread = self._thread
        return Access(thread, thread.clock[thread.number], site, is_write)

    def _check_pending(self, access: Access, memory: Memory, places: range) -> bool:
        """Report an access that has to wait for a copy, and return whether a copy is writing these bytes."""
        if (
            memory not in self._copies.pending
            and memory not in self._stores.pending
            and memory not in self._tiles.pending
        ):
            return False
        what = "writes" if access.is_write else "reads"
        writers = [copies.user_of(memory, places) for copies in (self._copies, self._stores)]
        reader = self._tiles.user_of(memory, places) if access.is_write else None
        for copy, way in (*((writer, "to") for writer in writers), (reader, "from")):
            if copy is not None:
                self._report_copy(access, copy, what, memory, way)
        return any(writer is not None for writer in writers)

    def _report_copy(self, access: Access, copy: Call, what: str, memory: Memory, way: str) -> None:
        error = UnwaitedCopy(
            thread=describe(access.thread),
            what=what,
            buffer=memory.name,
            way=way,
            span=access.site.span,
            notes=[(copy.span, "the copy is started here")],
        )
        self._find(("copy", access.site, copy), error)

    def _check_products(self, access: Access, memory: Memory, places: range) -> None:
        """Report an access by a thread to registers of its products, and a write to what products read."""
        if _is_product(access.site):
            return
        product = self._products.user_of(access.thread, MemoryRange(memory, places))
        if product is None and access.is_write and is_shared(memory):
            product = self._products.reader_of(memory, places)
        if product is not None:
            self._report_product(access.site, product, "writes" if access.is_write else "reads", memory)

    def _report_product(self, site: Site, product: Call, what: str, memory: Memory) -> None:
        """Report an access to memory that a product uses."""
        error = UnwaitedProduct(
            thread=describe(self._thread),
            what=what,
            buffer=memory.name,
            span=site.span,
            notes=[(product.span, "the product is started here")],
        )
        self._find(("product", site, product), error)

    def _report_race(self, first: Access, second: Access, memory: Memory, byte: int) -> None:
        """Report a race, at the read if there is one."""
        if second.is_write and not first.is_write:
            first, second = second, first
        what = "one writes and one reads" if not second.is_write else "both write"
        error = MemoryRace(
            first=describe(first.thread),
            second=describe(second.thread),
            buffer=memory.name,
            what=what,
            place=_place(first.site, second.site, byte),
            span=second.site.span,
            notes=[(first.site.span, f"it is written here by {describe(first.thread)}")],
        )
        self._racing |= {first.site, second.site}
        self._find(("race", *sorted((first.site, second.site), key=id)), error)

    def _find(self, key: tuple[object, ...], error: ExecutionError) -> None:
        self._findings.setdefault(key, error)

    # concurrent work

    def run_iterations(self, label: str, indices: range, run: Callable[[int], None]) -> None:
        """Run concurrent iterations, each with a path of its own."""
        scope, around = next(self._scopes), self._thread
        for index in self._chosen(label, indices):
            self._thread = Thread((*around.path, Step(scope, index, f"{label} = {index}")))
            run(index)
        self._thread = around

    def _chosen(self, label: str, indices: range) -> Iterable[int]:
        if not label.startswith(_BLOCKS):
            return indices
        if self.all_blocks or len(indices) <= _FIRST_BLOCKS + 1:
            return indices
        self.is_partial = True
        return [*indices[:_FIRST_BLOCKS], indices[-1]]

    def begin_threads(self, places: Sequence[ThreadPlace]) -> None:
        """Begin the threads of a block, or of blocks that run at once."""
        self.blocks += places[-1].block + 1
        self._outside = self._thread
        self._shadow.forget_shared()
        path = (*self._outside.path, Step(next(self._scopes), 0))
        self._team = [Thread(path, time, len(places), place) for time, place in enumerate(places)]

    def resume(self, thread: int) -> None:
        """Switch to one of the threads."""
        self._thread = self._team[thread]

    def synchronize(self, level: str, threads: Mapping[int, object], *, size: int, ended: int) -> None:
        """Order what threads do after what they did before they met."""
        sites: dict[object, list[int]] = {}
        for number, site in threads.items():
            sites.setdefault(site, []).append(number)
        first = next(iter(sites))
        if level in ("block", "grid") and len(sites[first]) != size and isinstance(first, Call):
            block = "all blocks" if level == "grid" else _describe_block(self._team[next(iter(threads))])
            notes = [
                (site.span, f"{len(numbers)} of the threads wait here")
                for site, numbers in itertools.islice(sites.items(), 1, 2)
                if isinstance(site, Call)
            ]
            if ended:
                notes.append((None, f"{ended} of the threads have ended"))
            error = DivergentBarrier(waiting=len(sites[first]), running=size, block=block, span=first.span, notes=notes)
            self._find(("barrier", *sites), error)
        members = [self._team[number] for number in threads]
        joined = join([thread.clock for thread in members])
        has_fence = level == "block" and getattr(getattr(first, "op", None), "name", "") == _STORAGE_SYNC
        fenced = joined if has_fence else join([thread.fenced for thread in members])
        for thread in members:
            thread.clock, thread.fenced = joined.copy(), fenced.copy()
            thread.clock[thread.number] += 1

    def end_threads(self, owners: Mapping[Memory, int]) -> None:
        """Count the requests of the blocks, and continue with what launched them."""
        self._requests.end_block()
        for memory, block in owners.items():
            self._check_lifetime(memory, block)
        for thread, product, is_committed in self._products.unfinished():
            missing = "waited for (wgmma.wait_group)" if is_committed else "committed (wgmma.commit_group)"
            error = UnfinishedProduct(thread=describe(thread), missing=missing, span=product.site.span)
            self._find(("unfinished", product.site), error)
        self._end_stores()
        self._copies, self._products = Copies(), Products()
        self._stores, self._tiles = Copies(), Copies()
        self._fences.clear()
        self._barriers.clear()
        self._team = []
        self._thread = self._outside

    def _check_lifetime(self, memory: Memory, block: int) -> None:
        """Report an access by another block that no thread of the owner knows of when it ends."""
        owners = [thread for thread in self._team if thread.block == block]
        for access in self._shadow.accesses(memory):
            thread = access.thread
            if thread.block != block and all(owner.clock[thread.number] < access.time for owner in owners):
                error = AccessAfterBlock(
                    thread=describe(thread),
                    what="writes" if access.is_write else "reads",
                    buffer=memory.name,
                    block=_describe_block(owners[0]),
                    span=access.site.span,
                )
                self._find(("lifetime", access.site), error)

    def request_rows(self, memory: Memory, rows: Sequence[range]) -> None:
        """Observe that a warp reads rows of shared memory at the same time."""
        if isinstance(self._site, Call) and memory.scope is not None and is_shared(memory):
            self._requests.add_rows(self._site, memory.name, memory.scope, rows)

    # asynchronous copies

    def start_copy(self, target: Memory, places: range) -> None:
        """Mark bytes as being written until the thread waits for the copy."""
        if isinstance(self._site, Call):
            now = self._now(self._site, True)
            self._check_pending(now, target, places)
            self._copies.start(self._thread, target, places, self._site)
            self._check_products(now, target, places)

    def commit_copies(self) -> None:
        """Close a group of asynchronous copies of the current thread."""
        self._copies.commit(self._thread)

    def wait_copies(self, pending: int) -> None:
        """Complete the oldest groups: the thread has written their bytes now."""
        self._write_targets(self._copies.wait(self._thread, pending))

    def attach_copies(self, barrier: object) -> None:
        """Let the copies of the current thread complete with a phase of a barrier."""
        self._write_targets(self._copies.attach(self._thread, barrier))

    def complete_copies(self, barrier: object) -> None:
        """Complete the copies that were attached to a barrier."""
        self._copies.complete(barrier)

    def _write_targets(self, copies: Iterable[Copy]) -> None:
        for copy in copies:
            write = self._now(copy.site, True)
            for other, byte in self._shadow.write(write, copy.memory, copy.places):
                self._report_race(other, write, copy.memory, byte)

    def start_store(self, source: MemoryRange, targets: Sequence[MemoryRange]) -> None:
        """Mark bytes as being read and written until the thread waits for the copy."""
        self.read(source.memory, source.places)
        if isinstance(self._site, Call):
            self._check_proxy(self._site, [source])
            self._tiles.start(self._thread, *source, self._site)
            for target in targets:
                self._check_pending(self._now(self._site, True), *target)
                self._stores.start(self._thread, *target, self._site)

    def commit_stores(self) -> None:
        """Close a group of copies from shared memory of the current thread."""
        self._tiles.commit(self._thread)
        self._stores.commit(self._thread)

    def wait_stores(self, pending: int, *, has_written: bool) -> None:
        """Complete the oldest groups: the thread has read their tiles now, or has written their targets, too."""
        for copy in self._tiles.wait(self._thread, pending):
            self._shadow.read(self._now(copy.site, False), copy.memory, copy.places)
        if has_written:
            self._write_targets(self._stores.wait(self._thread, pending))

    def _end_stores(self) -> None:
        """Report tiles that the block leaves too early; what is stored is written when it ends."""
        for thread, copy in self._tiles.unfinished():
            end = Access(thread, thread.clock[thread.number], copy.site, True)
            self._report_copy(end, copy.site, "leaves", copy.memory, "from")
        for thread, copy in self._stores.unfinished():
            self._thread = thread
            self._write_targets((copy,))

    # products of warp groups

    def fence_registers(self) -> None:
        """Begin a new time, so that later accesses to registers are told from earlier ones."""
        thread = self._thread
        thread.clock[thread.number] += 1
        self._fences[thread] = thread.clock[thread.number]

    def start_product(self, site: Call, registers: ProductRegisters, operands: SharedOperands) -> None:
        """Check the registers of a product, and keep them and its matrices until the thread waits."""
        self._check_fence(site, registers)
        if self._thread.rank % _GROUP == 0:
            self._check_proxy(site, operands.ranges())
        for earlier in self._products.running(self._thread):
            if (clash := earlier.conflict_with(registers)) is not None:
                self._report_product(site, earlier.site, "uses", clash.memory)
        self._products.start(self._thread, Product(site, registers, operands))

    def _check_fence(self, site: Call, registers: ProductRegisters) -> None:
        """Report a product on registers that the thread has written after its last fence, or if there was none."""
        thread, fence = self._thread, self._fences.get(self._thread)
        for memory, places in (*registers.sums, *registers.factors):
            writes = [write for write in self._shadow.writes(memory, places) if not _is_product(write.site)]
            late = [write for write in writes if fence is None or write.time >= fence]
            if late or fence is None:
                notes = [(write.site.span, "they are written here") for write in late[:1]]
                error = MissingProductFence(thread=describe(thread), buffer=memory.name, span=site.span, notes=notes)
                self._find(("fence", site), error)

    def fence_proxy(self) -> None:
        """Let asynchronous reads see the writes that the current thread knows of, and begin a new time."""
        thread = self._thread
        thread.fenced = thread.clock.copy()
        thread.clock[thread.number] += 1

    def _check_proxy(self, site: Call, read: Sequence[MemoryRange]) -> None:
        """Report an asynchronous read of shared memory that a thread has written without a fence."""
        thread = self._thread
        for memory, places in read:
            for write in self._shadow.writes(memory, places):
                if write.thread.path != thread.path or _is_asynchronous(write.site):
                    continue
                if write.time > thread.fenced[write.thread.number]:
                    notes = [(write.site.span, "it is written here")]
                    name = memory.name
                    error = MissingProxyFence(thread=describe(thread), buffer=name, span=site.span, notes=notes)
                    self._find(("proxy", site), error)
                    return

    def commit_products(self) -> None:
        """Close a group of products of the current thread."""
        self._products.commit(self._thread)

    def wait_products(self, pending: int) -> None:
        """Complete the oldest groups: the warp has read their matrices now, of which its first lane takes note."""
        complete = self._products.wait(self._thread, pending)
        if self._thread.rank % _WARP:
            return
        for product in complete:
            read = self._now(product.site, False)
            for memory, places in product.operands.ranges():
                for _ in self._shadow.read(read, memory, places):
                    pass  # found when the product was started

    # barriers in shared memory

    def arrive(self, barrier: object) -> None:
        """Let those who wait for a barrier know what the current thread has done."""
        thread = self._thread
        clock, fenced = self._barriers.get(barrier, (thread.clock, thread.fenced))
        self._barriers[barrier] = join([clock, thread.clock]), join([fenced, thread.fenced])
        thread.clock[thread.number] += 1

    def acquire(self, barrier: object) -> None:
        """Let the current thread know what those who arrived at a barrier have done."""
        arrived = self._barriers.get(barrier)
        if arrived is not None:
            clock, fenced = arrived
            self._thread.clock = join([clock, self._thread.clock])
            self._thread.fenced = join([fenced, self._thread.fenced])


def _is_product(site: Site) -> bool:
    """Return whether an instruction is one of products of warp groups."""
    return isinstance(site, Call) and getattr(site.op, "name", "") == "tir.ptx.wgmma"


def _is_asynchronous(site: Site) -> bool:
    """Return whether an instruction copies in bulk: the asynchronous proxy writes what it writes."""
    if not isinstance(site, Call):
        return False
    return "bulk" in parts_of(site).words or getattr(site.op, "name", "") == "tir.ptx_cp_async_bulk"


def _place(first: Site, second: Site, byte: int) -> str:
    """Return a place in memory in words: the element, if both access buffers of one dtype, else the byte."""
    sizes = [codec(site.buffer.dtype.element).size for site in (first, second) if isinstance(site, _ACCESSES)]
    return f"element {byte // sizes[0]}" if len(sizes) == 2 and sizes[0] == sizes[1] else f"byte {byte}"


def _merge_adjacent(places: Sequence[int], size: int) -> list[range]:
    """Return the bytes of lanes, adjacent ones together.

    >>> _merge_adjacent([0, 4, 8, 16], 4)
    [range(0, 12), range(16, 20)]
    """
    if len(places) == 1:
        return [range(places[0], places[0] + size)]
    merged: list[range] = []
    for place in places:
        if merged and merged[-1].stop == place:
            merged[-1] = range(merged[-1].start, place + size)
        else:
            merged.append(range(place, place + size))
    return merged


def describe(thread: Thread) -> str:
    """Return a thread of the program in words.

    >>> place = ThreadPlace({"threadIdx.x": 3, "threadIdx.y": 0}, 3, 0)
    >>> describe(Thread((Step(0, 1, "blockIdx.x = 1"),), 3, 4, place))
    'thread (3, 0) of block (blockIdx.x = 1)'
    """
    labels = _block_labels(thread)
    if thread.place is None:
        return f"iteration {', '.join(labels)}" if labels else "the function"
    indices = [str(index) for tag, index in thread.place.indices.items() if tag.startswith("threadIdx")]
    name = f"thread ({', '.join(indices)})"
    return f"{name} of {_describe_block(thread)}" if labels else name


def _describe_block(thread: Thread) -> str:
    labels = _block_labels(thread)
    return f"block ({', '.join(labels)})" if labels else "the block"


def _block_labels(thread: Thread) -> list[str]:
    """Return the indices of the block, or of the iteration, of a thread."""
    labels = [step.label for step in thread.path if step.label]
    indices = {} if thread.place is None else thread.place.indices
    return labels + [f"{tag} = {index}" for tag, index in indices.items() if tag.startswith("blockIdx")]
