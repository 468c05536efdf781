# Found by: python -m tests.campaign
# cause: OutOfBounds[TS5021] at backends/interp/accesses.py:fail
#
# tvmscript.backends.runtime.errors.OutOfBounds: error[TS5021]: writing A1_global[-5, 0] is outside of its shape (2, 1)

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(A0: T.Buffer((6, 5), "int32"), A1: T.Buffer((6, 5), "int32"), O0: T.Buffer((6, 5), "int32")):
    for i in range(0, 6):
        for j in range(0, 5):
            with T.block("S0"):
                vi = T.axis.spatial(6, i)
                vj = T.axis.spatial(5, j)
                A1[vi, vj] = T.if_then_else(vi < 3, A1[(vi + 1) % 6, vj], A0[vi, vj])
"""

check(again(PROGRAM, ('tir.LowerCrossThreadReduction', 'tir.LowerInitBlock', 'tir.PlanAndUpdateBufferAllocationLocation', 'tir.ConvertBlocksToOpaque', 'tir.LiftThreadBinding', 'tir.CompactBufferAllocation', 'tir.UnifyThreadBinding', 'tir.LowerMatchBuffer', 'tir.LowerOpaqueBlock'), 3, 0, {}, 3, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0]))
