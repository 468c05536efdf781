# Found by: tvmscript fuzz passes
# cause: PassLawBroken[TS8049] at tir.CompactBufferAllocation testing/fuzzing/passes.py:made
#
# tvmscript.fuzz.passes.area.PassLawBroken: error[TS8049]: the pass tir.CompactBufferAllocation does what it must not: Y has 4 elements along axis 0, of which 2 are accessed
#   File "/tmp/long2/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/passes.py", line 106, in check
#     _Run(mod, has_order, example.seed).passes(example.names, example.outcome)
#   File "/tmp/long2/tvmscript/testing/fuzzing/passes.py", line 127, in passes
#     made = self.made(name, "" if number else outcome)
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   File "/tmp/long2/tvmscript/testing/fuzzing/passes.py", line 152, in made
#     raise PassLawBroken(name=name, what="does what it must not", reason=broken)

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

check(Pipeline(PROGRAM, ('tir.LowerCrossThreadReduction', 'tir.LowerInitBlock', 'tir.PlanAndUpdateBufferAllocationLocation', 'tir.ConvertBlocksToOpaque', 'tir.LiftThreadBinding', 'tir.CommonSubexprElimTIR', 'tir.CompactBufferAllocation', 'tir.UnifyThreadBinding', 'tir.LowerMatchBuffer', 'tir.LowerOpaqueBlock'), True, False, '', '', 3))
