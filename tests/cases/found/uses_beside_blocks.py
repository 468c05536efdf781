# Found by: python -m tests.campaign
# cause: TypeError at backends/interp/layout.py:locate
#
# TypeError: cannot unpack non-iterable NoneType object

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
                T.block_attr({"buffer_dim_align": [[0, 0, 4, 0]]})
                M1[i2, T.Ramp(0, 1, 4)] = A[i2, T.Ramp(2, 1, 4)]
            B0[i2, T.Ramp(0, 1, 4)] = M1[i2, T.Ramp(3, -1, 4)]"""

check(again(PROGRAM, (), 3, 0, {}, 2, [12, 0, 0, 0, 0, 1, 1, 0, 0, 0, 18, 1, 2]))
