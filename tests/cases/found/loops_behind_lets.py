# Found by: tvmscript fuzz passes
# cause: PassChangesValues[TS8012] at tir.PlanAndUpdateBufferAllocationLocation ir/transform/base.py:_instrumented
#
# tvmscript.testing.errors.PassChangesValues: error[TS8012]: after the pass tir.PlanAndUpdateBufferAllocationLocation, main computes other values: B[0] was 3 and is 5
#   File "/tmp/long2/tvmscript/testing/fuzzing/passes.py", line 127, in passes
#     made = self.made(name, "" if number else outcome)
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   File "/tmp/long2/tvmscript/testing/fuzzing/passes.py", line 143, in made
#     made: IRModule = each(mod)
#                      ^^^^^^^^^
#   File "/tmp/long2/tvmscript/ir/transform/base.py", line 119, in __call__
#     return self._instrumented(program)
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   File "/tmp/long2/tvmscript/ir/transform/base.py", line 145, in _instrumented
#     item.run_after_pass(made, info)
#   File "/tmp/long2/tvmscript/testing/after.py", line 31, in run_after_pass
#     self.check(info, before, mod)
#   File "/tmp/long2/tvmscript/testing/pass_values.py", line 68, in check
#     raise PassChangesValues(name=info.name, function=name, **found)

from tvmscript.fuzz.passes.area import Pipeline, check

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4,), "int32")
    B = T.match_buffer(b, (4,), "int32")
    Y = T.alloc_buffer((4,), "int32")
    for l in range(4):
        with T.block("Y"):
            i = T.axis.scan(4, 4 - 1 - l)
            Y[i] = A[i] + T.int32(1)
        with T.block("B"):
            i = T.axis.scan(4, 4 - 1 - l)
            B[i] = Y[i] + T.if_then_else(i < 4 - 1, Y[i + 1], T.int32(0))
"""

check(Pipeline(PROGRAM, ('tir.CommonSubexprElimTIR', 'tir.LowerCrossThreadReduction', 'tir.LowerInitBlock', 'tir.PlanAndUpdateBufferAllocationLocation', 'tir.ConvertBlocksToOpaque', 'tir.LiftThreadBinding'), False, False, '', '', 2))
