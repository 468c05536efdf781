# Found by: python -m tests.campaign
# cause: KernelOutOfMemory[TS6010] at backends/llvm/calling_convention/callable.py:call
#
# error[TS6010]: main: out of memory for the buffer Y_global

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    Y = T.alloc_buffer((n,), "int32")
    Z = T.alloc_buffer((n + 2,), "int32")
    for li in range(2, n + 2):
        with T.block("Y"):
            i = T.axis.spatial(n, li - 2)
            Y[i] = A[i] + T.int32(1)
    for li_0 in range((n + 2 - 1) // 2):
        for li_1 in range(2):
            with T.block("B"):
                i = T.axis.spatial(n, li_0 * 2 + li_1)
                T.where(li_0 * 2 + li_1 < n)
                B[i] = Y[n - 1 - i]
    for li in range(2, n + 2 + 2):
        with T.block("Z"):
            i = T.axis.spatial(n + 2, li - 2)
            Z[i] = T.if_then_else(i < n, A[i], T.int32(3))
    for li in range(2, n + 2):
        with T.block("C"):
            i = T.axis.spatial(n, li - 2)
            B[i] = B[i] + Z[n + 1 - i]
"""

check(again(PROGRAM, ('tir.LowerCrossThreadReduction', 'tir.LowerInitBlock', 'tir.PlanAndUpdateBufferAllocationLocation', 'tir.ConvertBlocksToOpaque', 'tir.LiftThreadBinding', 'tir.CompactBufferAllocation', 'tir.UnifyThreadBinding', 'tir.LowerMatchBuffer', 'tir.LowerOpaqueBlock', 'tir.FlattenBuffer', 'tir.Simplify'), 3, 0, {'n': 0}, 4, [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 26, 1, 4, 0, 0, 0, 0]))
