# Found by: python -m tests.campaign
# cause: Differs[TS0000] at fuzz/engine.py:one
#
# tests.campaign.area.Differs: error[TS0000]: the interpreter computes something else than Python: B[0] is 17 and not 3

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (8, 4), "int32", strides=(4 + 3, 1))
    B = T.match_buffer(b, (8,), "int32")
    for li in range(2, 8 + 2):
        for lj in range(4):
            with T.block("B"):
                i = T.axis.spatial(8, li - 2)
                j = T.axis.reduce(4, lj)
                with T.init():
                    B[i] = T.int32(0)
                B[i] = B[i] + A[i, j]
"""

check(again(PROGRAM, (), 3, 0, {}, 1, [30, 0, 0, 1]))
