# Found by: tvmscript fuzz passes
# cause: PassBreaksProgram[TS8013] at tir.FlattenBuffer backends/interp/layout.py:check_range
#
# tvmscript.testing.errors.PassBreaksProgram: error[TS8013]: after the pass tir.FlattenBuffer, main does not run: B needs elements 0 to 27 of memory that has 25

from tvmscript.fuzz.passes.area import Pipeline, check

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4, 4), "int32")
    B = T.match_buffer(b, (4, 4), "int32", strides=(4 + 3, 1))
    for lv0_0 in range((4 + 2 - 1) // 2):
        for lv0_1 in range(2):
            for lv1 in range(4):
                with T.block("B"):
                    v0 = T.axis.spatial(4, lv0_0 * 2 + lv0_1)
                    v1 = T.axis.spatial(4, lv1)
                    T.where(lv0_0 * 2 + lv0_1 < 4)
                    B[v0, v1] = A[v0, v1] + T.int32(3)
"""

check(Pipeline(PROGRAM, ('tir.FlattenBuffer', 'tir.Simplify'), False, False))
