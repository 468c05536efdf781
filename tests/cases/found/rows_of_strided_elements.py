# Found by: python -m tests.campaign
# cause: OutOfMemoryRange[TS5022] at backends/interp/layout.py:check_range
#
# error[TS5022]: M1 needs elements 0 to 32 of memory that has 25

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((16, 16), "int32"), V: T.Buffer((64,), "int32"), B0: T.Buffer((16, 16), "int32"), n: T.int32):
    for i2 in T.serial(2):
        with T.block("window"):
            T.reads(A[0:16, 0:16])
            T.writes(B0[i2, 0:16])
            M1 = T.alloc_buffer((16, 32), "int32", scope="global")
            with T.block("fill"):
                T.reads(A[0:16, 0:16])
                T.writes(M1[0:16, 0:32])
                T.block_attr({"buffer_dim_align": [[0, 0, 4, 1], [0, 1, 8, 0]]})
                M1[i2, T.Ramp(0, 1, 4)] = A[i2, T.Ramp(2, 1, 4)]
            B0[i2, T.Ramp(0, 1, 4)] = M1[i2, T.Ramp(3, -1, 4)]"""

check(again(PROGRAM, (), 3, 0, {}, 0, []))
