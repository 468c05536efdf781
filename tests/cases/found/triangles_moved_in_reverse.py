# Found by: tvmscript fuzz schedule
# cause: ValuesChanged[TS8010] at reverse_compute_at ir/schedule/recorder.py:_observed
#
# tvmscript.testing.schedule_values.ValuesChanged: error[TS8010]: after reverse_compute_at, main computes other values: B[0, 1] was 0 and is -8
#   File "/tmp/long/tvmscript/ir/schedule/trace.py", line 135, in do_again
#     return getattr(sch, kind.method)(*positional, **named)
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   File "/tmp/long/tvmscript/ir/schedule/base.py", line 319, in step
#     return self.run(kind, prepare, lambda: function(*given.args, **given.kwargs), values)
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   File "/tmp/long/tvmscript/ir/schedule/base.py", line 238, in run
#     self._observed(before, start)
#   File "/tmp/long/tvmscript/ir/schedule/base.py", line 253, in _observed
#     observe(before, self)
#   File "/tmp/long/tvmscript/testing/values.py", line 86, in __call__
#     self.compare(step.method, var.name_hint, old, expected, known[new], is_exact=is_exact)
#   File "/tmp/long/tvmscript/testing/values.py", line 110, in compare
#     raise ValuesChanged(primitive=primitive, function=function, **found)

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
#   b1 = sch.get_block(name="B", func_name="main")
#   b2 = sch.get_block(name="B", func_name="main")
#   b3 = sch.get_block(name="B", func_name="main")
#   b4 = sch.cache_read(block=b3, read_buffer_index=0, storage_scope="global")
#   b5 = sch.get_block(name="B", func_name="main")
#   l6, l7 = sch.get_loops(block=b5)
#   l8 = sch.fuse(l7, preserve_unit_iters=True)
#   b9 = sch.get_block(name="B", func_name="main")
#   l10, l11 = sch.get_loops(block=b9)
#   b12 = sch.get_block(name="B", func_name="main")
#   l13, l14 = sch.get_loops(block=b12)
#   b15 = sch.get_block(name="B", func_name="main")
#   b16, = sch.get_producers(block=b15)
#   l17, l18 = sch.get_loops(block=b16)
check(again('promises', PROGRAM, [3, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18, 0, 1, 0, 0, 0, 0], {}, ()))
