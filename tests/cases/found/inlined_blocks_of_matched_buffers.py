# Found by: python -m tests.campaign
# cause: UndefinedVariable[TS5025] at backends/interp/expressions.py:variable
#
# error[TS5025]: the variable i3 is used, but not defined

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((16, 16), "int32"), V: T.Buffer((64,), "int32"), B0: T.Buffer((16, 16), "int32"), B1: T.Buffer((16, 16), "int32"), n: T.int32):
    for i1 in T.serial(4):
        with T.block("tile"):
            T.reads(A[i1 * 4:i1 * 4 + 2, 0:4])
            T.writes(B0[i1 * 4:i1 * 4 + 2, 0:4])
            M = T.match_buffer(A[i1 * 4:i1 * 4 + 2, 0:4], (2, 4), "int32")
            W = T.match_buffer(B0[i1 * 4:i1 * 4 + 2, 0:4], (2, 4), "int32", offset_factor=1)
            for i2 in T.serial(2):
                for i3 in T.serial(4):
                    with T.block("inner"):
                        T.reads(M[i2, 0:4])
                        T.writes(W[i2, i3])
                        R = T.match_buffer(M[i2, 0:4], (4,), "int32", offset_factor=1)
                        W[i2, i3] = R[3 - i3] + R[i3]
    for i4 in T.serial(4):
        with T.block("tile"):
            T.reads(A[i4 * 4:i4 * 4 + 2, 0:4])
            T.writes(B1[i4 * 4:i4 * 4 + 2, 0:4])
            M = T.match_buffer(A[i4 * 4:i4 * 4 + 2, 0:4], (2, 4), "int32")
            W = T.match_buffer(B1[i4 * 4:i4 * 4 + 2, 0:4], (2, 4), "int32", offset_factor=1)
            for i5 in T.serial(2):
                for i6 in T.serial(4):
                    W[i5, i6] = M[i5, i6] * 2"""

check(again(PROGRAM, (), 3, 0, {}, 5, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18, 0]))
