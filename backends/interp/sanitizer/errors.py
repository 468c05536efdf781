"""What the sanitizer finds in a run of a kernel."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError


class MemoryRace(ExecutionError, code="TS5040"):
    """Two threads, blocks or iterations access the same bytes, at least one of them writes, and no barrier orders
    them. Writes that change nothing do not count. Put `T.tvm_storage_sync("shared")` between the accesses of one
    block; give blocks different elements, or use two kernels.
    """

    message = "{first} and {second} race on {place} of {buffer}: {what}"


class DivergentBarrier(ExecutionError, code="TS5041"):
    """A barrier of a block is reached by some of its threads, or threads wait at different barriers. Hardware may
    hang. Move the barrier out of the condition or the loop that threads leave at different times.
    """

    message = "{waiting} of {running} threads of {block} wait at this barrier"


class UnwaitedCopy(ExecutionError, code="TS5042"):
    """Memory is accessed while an asynchronous copy to it may still be running, or overwritten while one from it may
    be. Wait for the copy first (`T.ptx_wait_group`; `T.ptx.cp.async_.bulk.wait_group.read` for the tile that a bulk
    copy stores), and let the threads meet at a barrier. A tile stays in shared memory until it is stored.
    """

    message = "{thread} {what} {buffer} before the asynchronous copy {way} it has been waited for"


class UninitializedRead(ExecutionError, code="TS5043"):
    """A kernel reads memory of its own that nothing has written."""

    message = "{thread} reads {place} of {buffer}, which nothing has written"


class BankConflict(ExecutionError, code="TS5044"):
    """Threads of a warp access different words of one bank of shared memory, which are served one after the other. Pad
    the rows (`storage_align`) or permute the layout.
    """

    message = "bank conflicts on {buffer}: {cost} passes for {requests} requests, {ideal} without conflicts"


class UncoalescedAccess(ExecutionError, code="TS5045"):
    """A warp moves more sectors of global memory (32 bytes) than its bytes need. Let neighbouring threads access
    neighbouring elements.
    """

    message = "uncoalesced access to {buffer}: {cost} sectors for {requests} requests, {ideal} would do"


class UnwaitedProduct(ExecutionError, code="TS5048"):
    """Memory is accessed while a product of a warp group (wgmma) may still use it: a tile in shared memory that the
    product reads is overwritten, or the registers of its sums or of its factor are accessed. Close the group
    (`wgmma.commit_group`) and wait for it first (`wgmma.wait_group`).
    """

    message = "{thread} {what} {buffer} before the product that uses it has been waited for"


class MissingProductFence(ExecutionError, code="TS5049"):
    """A product of a warp group (wgmma) may use registers before the thread has set them. Put `wgmma.fence` between
    the last access to registers and the first product that uses them; later products of the same shape need none.
    """

    message = "{thread} starts this product without a fence after its accesses to {buffer}"


class MissingProxyFence(ExecutionError, code="TS5051"):
    """A bulk copy from shared memory, or a product of a warp group (wgmma), may not see what threads have written there
    by ordinary stores or `stmatrix`. Put `T.ptx.fence.proxy.async_.shared__cta()` between the stores and the barrier
    after them. `T.tvm_storage_sync("shared")` has one; barriers of `T.cuda` have none.
    """

    message = "{thread} lets this instruction read {buffer} without a proxy fence after the writes to it"


class UnfinishedProduct(ExecutionError, code="TS5050"):
    """A thread ends while a product of its warp group (wgmma) is under way. Close the group (`wgmma.commit_group`) and
    wait for it (`wgmma.wait_group`).
    """

    message = "{thread} ends before this product has been {missing}"


class AccessAfterBlock(ExecutionError, code="TS5053"):
    """A thread accesses the shared memory of another block of its cluster, which may have ended. Let the blocks wait
    for each other behind the last such access (`T.cuda.cluster_sync()`), or the owner for an arrival that follows it.
    """

    message = "{thread} {what} {buffer} of {block}, which may have ended"


class AccessLimit(ExecutionError, code="TS5046"):
    """The sanitizer stops where a kernel accesses memory too often: it looks at some hundred thousand accesses in a
    second. What comes later was not looked at. Run the kernel with smaller sizes.
    """

    message = "stopped after {limit} accesses; what comes later was not looked at"
