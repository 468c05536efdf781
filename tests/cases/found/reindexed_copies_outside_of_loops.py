# Found by: tvmscript fuzz schedule
# cause: UndefinedVariable[TS1101] at ir/tir/verify.py:verify
#
# tvmscript.ir.tir.errors.UndefinedVariable: error[TS1101]: the variable i_0 is used where it is not defined
#  --> <text>:2:1
#   |
# 2 | def main(a: T.handle, b: T.handle):
#   | ^^^^^^^^
# hint: give it a value around its use: with T.let(i_0, value):
#
# error[TS1101]: the variable i_1 is used where it is not defined
#  --> <text>:2:1
#   |
# 2 | def main(a: T.handle, b: T.handle):
#   | ^^^^^^^^
# hint: give it a value around its use: with T.let(i_1, value):
#
# 2 errors

from tvmscript.fuzz.schedule.area import again, check

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4, 4), "int32")
    B = T.match_buffer(b, (4, 4), "int32")
    for i in range(4):
        for j in range(i + 1):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                vj = T.axis.spatial(4, j)
                B[vi, vj] = A[vj, vi]
"""
# what is done before it goes wrong:
# # from tvm import tir
# def apply_trace(sch: tir.Schedule) -> None:
#   b0 = sch.get_block(name="B", func_name="main")
#   l1, l2 = sch.get_loops(block=b0)
#   b3 = sch.get_block(name="B", func_name="main")
#   b4 = sch.write_at(loop=l2, block=b3, write_buffer_index=0, storage_scope="shared")
#   b5 = sch.get_block(name="B", func_name="main")
#   l6, l7 = sch.get_loops(block=b5)
#   l8, l9 = sch.split(loop=l6, factors=[None, 2], preserve_unit_iters=True, disable_predication=False)
#   b10 = sch.get_block(name="B", func_name="main")
#   sch.compute_inline(block=b10)
#   b11 = sch.get_block(name="B_shared", func_name="main")
#   b12 = sch.reindex_cache_read(block=b11, read_buffer_index=0, storage_scope="global", index_map=lambda axes_0, axes_1: (axes_0, axes_1,))
check(again('forms', PROGRAM, [3, 35, 0, 1, 0, 0, 0, 0, 0, 0, 0, 19, 0, 32, 0, 0, 0], {}))
