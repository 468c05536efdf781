# Found by: python -m tests.campaign
# cause: OutOfBounds[TS5021] at backends/interp/accesses.py:fail
#
# tvmscript.backends.runtime.errors.OutOfBounds: error[TS5021]: reading A[7, 0] is outside of its shape (7, 1)
#   --> <text>:10:36
#    |
# 10 |                     with T.LetStmt(A[vi, (vj + 1) % 1] + A[(vi + 1) % 7, (vj + 1) % 1]) as x3:
#    |                                    ^^^^^^^^^^^^^^^^^^^

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((7, 1), "int32"), B: T.Buffer((7, 1), "int32")):
    for i1_0 in T.serial(4, annotations={"pragma_auto_unroll_max_step": 16}):
        for i1_1 in T.serial(2, annotations={"pragma_auto_unroll_max_step": 16}):
            for j2 in T.serial(1):
                with T.block("B"):
                    vi = T.axis.spatial(7, i1_0 * 2 + i1_1)
                    vj = T.axis.spatial(1, j2)
                    T.where(i1_0 * 2 + i1_1 < 7)
                    with T.LetStmt(A[vi, (vj + 1) % 1] + A[(vi + 1) % 7, (vj + 1) % 1]) as x3:
                        B[vi, vj] = x3 + x3"""

check(again(PROGRAM, ('tir.LowerCrossThreadReduction', 'tir.LowerInitBlock', 'tir.PlanAndUpdateBufferAllocationLocation', 'tir.ConvertBlocksToOpaque', 'tir.LiftThreadBinding', 'tir.HoistExpression'), 3, 0, {}, 1, [24, 0, 0, 0]))
