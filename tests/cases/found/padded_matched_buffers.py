# Found by: python -m tests.campaign
# cause: OutOfMemoryRange[TS5022] at backends/interp/layout.py:check_range
#
# tvmscript.backends.runtime.errors.OutOfMemoryRange: error[TS5022]: W_pad needs elements 64 to 75 of memory that has 12
#   --> <text>:17:17
#    |
# 17 |             W = T.match_buffer(B1[i4 * 4:i4 * 4 + 2, 0:4], (2, 4), "int32", offset_factor=1)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((16, 16), "int32"), V: T.Buffer((64,), "int32"), B0: T.Buffer((16, 16), "int32"), B1: T.Buffer((16, 16), "int32"), n: T.int32):
    for i1 in T.serial(4):
        with T.block("tile"):
            T.reads(A[i1 * 4:i1 * 4 + 1, 0:4])
            T.writes(B0[i1 * 4:i1 * 4 + 1, 0:4])
            M = T.match_buffer(A[i1 * 4:i1 * 4 + 1, 0:4], (4,), "int32")
            W = T.match_buffer(B0[i1 * 4:i1 * 4 + 1, 0:4], (1, 4), "int32", offset_factor=1)
            for i2 in T.serial(1):
                for i3 in T.serial(4):
                    W[i2, i3] = M[i3] * 2
    for i4 in T.serial(4):
        with T.block("tile"):
            T.reads(A[i4 * 4:i4 * 4 + 2, 0:4])
            T.writes(B1[i4 * 4:i4 * 4 + 2, 0:4])
            M = T.match_buffer(A[i4 * 4:i4 * 4 + 2, 0:4], (2, 4), "int32")
            W = T.match_buffer(B1[i4 * 4:i4 * 4 + 2, 0:4], (2, 4), "int32", offset_factor=1)
            for i5 in T.serial(2):
                for i6 in T.serial(4):
                    with T.block("inner"):
                        T.reads(M[i5, 0:4])
                        T.writes(W[i5, i6])
                        R = T.match_buffer(M[i5, 0:4], (4,), "int32", offset_factor=1)
                        W[i5, i6] = R[3 - i6] + R[i6]"""

check(again(PROGRAM, ('tir.LowerCrossThreadReduction', 'tir.LowerInitBlock', 'tir.PlanAndUpdateBufferAllocationLocation', 'tir.ConvertBlocksToOpaque', 'tir.LiftThreadBinding', 'tir.LowerMatchBuffer'), 3, 0, {}, 2, [12, 0, 0, 0, 0, 23, 1, 1, 0, 3]))
