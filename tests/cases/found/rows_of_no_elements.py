# Found by: python -m tests.campaign
# cause: OutOfMemoryRange[TS5022] at backends/interp/layout.py:check_range
#
# error[TS5022]: C needs elements 0 to 8 of memory that has 0

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (4, 4), "int32")
    B = T.match_buffer(b, (0, 4), "int32")
    C = T.match_buffer(c, (4, 0), "int32", strides=(0 + 3, 1))
    for li in range(2, 4 + 2):
        for lj in range(0):
            for lk in range(4):
                with T.block("C"):
                    i = T.axis.spatial(4, li - 2)
                    j = T.axis.spatial(0, lj)
                    k = T.axis.reduce(4, lk)
                    with T.init():
                        C[i, j] = T.int32(0)
                    C[i, j] = C[i, j] + A[i, k] * B[j, k]
"""

check(again(PROGRAM, ('tir.LowerCrossThreadReduction', 'tir.LowerInitBlock', 'tir.PlanAndUpdateBufferAllocationLocation', 'tir.ConvertBlocksToOpaque', 'tir.LiftThreadBinding', 'tir.CompactBufferAllocation', 'tir.UnifyThreadBinding', 'tir.LowerMatchBuffer', 'tir.LowerOpaqueBlock', 'tir.FlattenBuffer', 'tir.Simplify'), 3, 0, {}, 0, []))
