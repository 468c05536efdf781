# Found by: python -m tests.campaign
# cause: DTypeMismatch[TS1002] at ir/tir/expr.py:__post_init__
#
# error[TS1002]: Sub: the data types int64 and int32 do not go together

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (T.int64(4),), "int32")
    B = T.match_buffer(b, (T.int64(4),), "int32")
    Y = T.alloc_buffer((T.int64(4),), "int32")
    for li_0 in range((T.int64(4) + T.int64(2) - T.int64(1)) // T.int64(2)):
        for li_1 in range(T.int64(2)):
            with T.block("Y"):
                i = T.axis.spatial(T.int64(4), li_0 * T.int64(2) + li_1)
                T.where(li_0 * T.int64(2) + li_1 < T.int64(4))
                Y[i] = A[i] + T.int32(1)
    for li_0 in range((T.int64(4) + T.int64(2) - T.int64(1)) // T.int64(2)):
        for li_1 in range(T.int64(2)):
            with T.block("B"):
                i = T.axis.spatial(T.int64(4), li_0 * T.int64(2) + li_1)
                T.where(li_0 * T.int64(2) + li_1 < T.int64(4))
                B[i] = Y[T.int64(4) - T.int64(1) - i] * T.int32(2)
"""

check(again(PROGRAM, ('tir.NarrowDataType',), 3, 0, {}, 1, [32, 1, 0, 0]))
