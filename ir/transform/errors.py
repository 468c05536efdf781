"""What passes refuse."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class InitNotLowered(IRError):
    """A pass works on blocks without init, and this one has one. `tir.LowerInitBlock` turns it into a branch."""

    code = "TS4001"
    message = "block {block} still has an init; run tir.LowerInitBlock before"


class BlockNotOpaque(IRError):
    """A pass works on blocks without axes. `tir.ConvertBlocksToOpaque` replaces axes by the values that they are
    bound to.
    """

    code = "TS4002"
    message = "block {block} still has iteration variables; run tir.ConvertBlocksToOpaque before"


class MatchNotLowered(IRError):
    """A pass works on blocks without match_buffer. `tir.LowerMatchBuffer` replaces the matched buffers by what they
    stand for.
    """

    code = "TS4003"
    message = "block {block} still has match_buffers; run tir.LowerMatchBuffer before"


class CannotMatch(IRError):
    """A matched buffer promises strides, an offset or a shape that the region it stands for does not have."""

    code = "TS4004"
    message = "buffer {buffer} cannot stand for the region of {source}: {reason}"


class TensorLevelLeft(IRError):
    """A pass works on loops over buffers, and something of TE is left: a realized region, a prefetch of one.
    Storage flattening of TE schedules removes them.
    """

    code = "TS4006"
    message = "{name} works on loops over buffers, but {what} is left, which belongs to TE schedules"


class BlockInLoops(IRError):
    """A pass works on plain loops, and a block is left. `tir.LowerOpaqueBlock` removes the blocks."""

    code = "TS4005"
    message = "{name} works on loops, but block {block} is left; run tir.LowerOpaqueBlock before"


class SharedCondition(IRError):
    """The condition of a `while` reads memory that threads share. Each round would need barriers on both sides of it,
    which all threads reach: read the memory into a local buffer inside of the loop, and test that.
    """

    code = "TS4060"
    message = "the condition of a while loop reads {scope} memory, which other threads may be writing"


class UndefLeft(IRError):
    """`T.undef()` is used where its value matters, such as in an index or a condition. Only stores of it can be
    removed.
    """

    code = "TS4030"
    message = "T.undef() is used for something other than the value of a store"


class UndefWithEffect(IRError):
    """A value that is not defined is computed by a call that does something. The store cannot be dropped with it."""

    code = "TS4031"
    message = "a value made of T.undef() must not do anything else"


class NarrowFloatParameter(IRError):
    """A pass turns narrow floats into integers of the same bits, and a parameter is a buffer of them, which callers
    would notice. `tir.MakePackedAPI` makes pointers of such parameters.
    """

    code = "TS4070"
    message = "{name} cannot change parameter {buffer} of {dtype}; run tir.MakePackedAPI before"


class NarrowFloatComputed(IRError):
    """A pass turns narrow floats into integers of the same bits, and something computes with them still. The pass that
    it names moves the computation to a wider float.
    """

    code = "TS4071"
    message = "{name} finds {what}; run {legalize} before"


class NoTarget(IRError):
    """A pass asks what a function is compiled for. `tir.BindTarget` says it for all functions of a module."""

    code = "TS4061"
    message = "{name} needs the target of {function}; run tir.BindTarget before"


class UnknownCallee(IRError):
    """A function calls one that is not in the module, so that nothing is known about the device it runs on."""

    code = "TS4062"
    message = "{function} is called, and is no function of the module"


class KernelReturns(IRError):
    """A kernel that is launched has no value. It may return 0 where it succeeds; that is left out."""

    code = "TS4063"
    message = "kernel {function} returns a value; a launch has none but success"


class TwoDynamicAllocations(IRError):
    """A launch gives one number of bytes of dynamic shared memory. `tir.MergeSharedMemoryAllocations` makes one
    allocation of several.
    """

    code = "TS4064"
    message = "kernel {function} allocates dynamic shared memory twice; run tir.MergeSharedMemoryAllocations before"


class WideBuffer(IRError):
    """All integers of 64 bits are to become shorter, and a buffer holds some: its elements cannot change."""

    code = "TS4072"
    message = "buffer {buffer} holds {dtype}, which cannot be made int32"


class ConstantTooWide(IRError):
    """All integers of 64 bits are to become shorter, and a constant needs more than 32."""

    code = "TS4073"
    message = "the constant {value} does not fit into int32"


class AxisOutsideOfBlock(IRError):
    """The values of a block's axes and its predicate are worked out before the block is entered: they use loop
    variables and axes of blocks around, not the block's own axes.
    """

    code = "TS4020"
    message = "axis {axis} of block {block} is used outside of the block's body: in the value of an axis, or T.where"


class InvalidAllreduce(IRError):
    """A reduction over threads cannot be lowered: `tvm_thread_allreduce` stands in a `reduce_scope`, reduces over
    threads of the block with constant extents, and leaves its results in local buffers.
    """

    code = "TS4065"
    message = "a reduction over threads cannot be lowered: {reason}"


class InvalidWarpMemory(IRError):
    """Memory of a warp cannot be spread over its threads. It has a constant size, threadIdx.x is a part of a warp, and
    what a thread stores is at `m * threadIdx.x` and an offset that does not depend on the thread.
    """

    code = "TS4066"
    message = "warp memory {name} cannot be spread over threads: {reason}"


class NotFlat(IRError):
    """A pass works on flat memory, and a buffer has several dimensions. `tir.FlattenBuffer` makes it flat."""

    code = "TS4058"
    message = "{name} works on buffers of one dimension, and {buffer} has several; run tir.FlattenBuffer before"


class UnknownDevice(IRError):
    """Memory, an array or a copy of a device is asked for where nothing says which device. Attributes `device_type` and
    `device_id` do; `tir.MakePackedAPI` writes them for what comes with the arguments.
    """

    code = "TS4067"
    message = "{what} belongs to a device, and no {part} is stated around it"


class UnknownConvention(IRError):
    """A convention for packed calls that does not exist: `tvm-ffi` or `tvm-0.17`."""

    code = "TS4068"
    message = "there is no convention {name} for packed calls; there are tvm-ffi and tvm-0.17"


class ThreadsDiffer(IRError):
    """Loops of a kernel that are bound to the same thread axis are one launch: they run over the same threads."""

    code = "TS4021"
    message = "loops bound to {tag} in one kernel run over different threads: {first} and {other}"


class VirtualThreadsUnknown(IRError):
    """Virtual threads are copies of what they run, and their number is not constant. Threads have no such limit."""

    code = "TS4040"
    message = "{thread} is a virtual thread, and their number is {extent}, which is not constant"


class UnboundVariables(IRError):
    """A function uses variables that nothing defines: neither parameters nor shapes of arrays, as far as they are
    variables alone.
    """

    code = "TS4069"
    message = "{function} uses {names}, which no argument decides"


class ReturnInParallel(IRError):
    """A function returns out of a parallel loop: its other iterations could not be stopped."""

    code = "TS4018"
    message = "a parallel loop cannot return from its function"


class ContradictoryArgument(IRError):
    """A signature asks of an argument what cannot be: two of its promises contradict each other."""

    code = "TS4019"
    message = "{message}, and never is"


class DoubleBufferOutsideLoop(IRError):
    """A buffer has two halves for the iterations of a loop, and there is no loop around what fills it."""

    code = "TS4041"
    message = "{memory} is asked for two halves, but no loop is around what fills it"


class UnevenSplit(IRError):
    """A loop over two halves of a buffer is split by an even number, so that each of its steps has a fixed half."""

    code = "TS4042"
    message = "split_loop is {split}; it can be 0, 1, or an even number"


class CannotReduceAcrossThreads(IRError):
    """A reduction is spread over threads, and cannot be put together again: it has to be one that is known (a sum, a
    product, a minimum, ...), in the innermost loops, the last block in them, and on threadIdx.x, .y or .z alone.
    """

    code = "TS4022"
    message = "the reduction of block {block} cannot be spread over threads: {why}"


class CannotRoll(IRError):
    """A buffer rolls along with a loop where its region begins at a multiple of the loop's variable, and has a constant
    extent.
    """

    code = "TS4043"
    message = "{buffer} cannot be a rolling buffer: {reason}"


class WhileInVectorizedLoop(IRError):
    """A vectorized loop has a `while` inside. Its iterations may leave the `while` at different times, and vectors
    cannot. `tir.VectorizeLoop(is_lenient=True)` runs such loops one iteration after the other.
    """

    code = "TS4032"
    message = "a while loop inside of the vectorized loop {var} is not supported"


class CannotVectorize(IRError):
    """A vectorized loop has an extent that is not constant. Vectors have a constant number of lanes, or a multiple
    of `T.vscale()` where the function's target has scalable vectors. `tir.VectorizeLoop(is_lenient=True)` makes such
    loops serial.
    """

    code = "TS4033"
    message = "the vectorized loop {var} has {extent} iterations, which is no number of lanes"


class NoLocalStage(IRError):
    """A copy to shared memory asks to go through registers, and its loops cannot be run twice: it has to store one
    element that the block around allocates, and the loops between the two may hold nothing else.
    """

    code = "TS4023"
    message = "block {block} cannot go through registers: {why}"


class UnknownMemory(IRError):
    """Memory of a scope that only a special device has: nothing is known about its sizes and addresses."""

    code = "TS4016"
    message = "{name} is {scope} memory, about which nothing is known"


class WrongArgumentsOfCall(IRError):
    """A function of the module is called with more or fewer arguments than it has parameters."""

    code = "TS4017"
    message = "{function} takes {expected} arguments, and is called with {got}"


class NoWeightLayout(IRError):
    """A block says that it gives a weight its layout, and cannot be left out: it has to copy each element of a
    parameter or a constant, which nobody else reads.
    """

    code = "TS4024"
    message = "block {block} cannot be done beforehand: {why}"


class CannotUnroll(IRError):
    """An unrolled loop has an extent that is not constant: it cannot be written out. Make the loop serial, or split
    it by a constant and unroll the inner one. `tir.UnrollLoop(is_lenient=True)` makes such loops serial.
    """

    code = "TS4034"
    message = "the unrolled loop {var} has {extent} iterations, which is no constant"


class NoTargetForSchedule(IRError):
    """How many threads a function runs on depends on its target: bind one with `tir.BindTarget`, or run the pass in
    `with Target(...):`. The target says how many threads a block has (`max_num_threads`).
    """

    code = "TS4025"
    message = "function {function} gets no schedule for a GPU: {reason}"


class PrefetchOutsideLoop(IRError):
    """A prefetch asks for what a later iteration of a loop reads, and there is no loop around it."""

    code = "TS4044"
    message = "a prefetch of {buffer} is asked for outside of any loop"


class TooMuchVTCM(IRError):
    """A function allocates more memory next to the vector unit than the target has, or than the limit says."""

    code = "TS4045"
    message = "{function} allocates {used} bytes of global.vtcm at the same time, and the limit is {limit}"


class NoCopy(IRError):
    """What is under the attribute is to be replaced by a copy of memory, and it is no copy: loops from 0 around a store
    of what is loaded, with indices that are sums of multiples of the loops.
    """

    code = "TS4046"
    message = "what is under {key} is no copy: {reason}"


class NotATexture(IRError):
    """A buffer in texture memory has at least three axes, and the last one is the 1 or 4 elements of a pixel."""

    code = "TS4047"
    message = "{buffer} cannot be a texture: {reason}"


class CannotSpecialize(IRError):
    """A function cannot be had for what `PrimFunc.specialize` is given: a key is no parameter, a value is of another
    kind or dtype, or two of them contradict each other.
    """

    code = "TS4048"
    message = "the function cannot be specialized for {key}: {reason}"
