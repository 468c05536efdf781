# Found by: tvmscript fuzz codegen
# cause: LevelsDisagree[TS8042] at LLVM at level 2 testing/fuzzing/codegen.py:_check_samples
#
# tvmscript.fuzz.errors.LevelsDisagree: error[TS8042]: LLVM at level 2 computes something else than the interpreter: B0[17] is 0.0 and not -0.0
#   File "/tmp/long2/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/codegen.py", line 162, in check
#     _check_samples(replace(kernel, func=func), kernel.seed)
#   File "/tmp/long2/tvmscript/testing/fuzzing/codegen.py", line 231, in _check_samples
#     raise LevelsDisagree(

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.types import PointerType
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad
from tvmscript.ir.tir.expr import Div
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore
from tvmscript.ir.tir.stmt import For
from tvmscript.ir.tir.stmt import ForKind
from tvmscript.ir.tir.var import Var

var_0 = Var('p0', DType('handle'), None)
var_1 = Var('p1', DType('handle'), None)
var_2 = Var('p2', DType('handle'), None)
var_3 = Var('i', DType('int32'), None)
var_4 = Var('B0', DType('handle'), PointerType(PrimType(DType('float4_e2m1fn')), 'global'))
intimm_5 = IntImm(DType('int32'), 48)
buffer_6 = Buffer(var_4, DType('float4_e2m1fn'), (intimm_5,), (), IntImm(DType('int32'), 0), 'B0', 64, 1, 'default', ())
var_7 = Var('A0', DType('handle'), PointerType(PrimType(DType('float4_e2m1fn')), 'global'))
buffer_8 = Buffer(var_7, DType('float4_e2m1fn'), (intimm_5,), (), IntImm(DType('int32'), 0), 'A0', 64, 1, 'default', ())
var_9 = Var('A1', DType('handle'), PointerType(PrimType(DType('float4_e2m1fn')), 'global'))
buffer_10 = Buffer(var_9, DType('float4_e2m1fn'), (intimm_5,), (), IntImm(DType('int32'), 0), 'A1', 64, 1, 'default', ())
div_11 = Div(BufferLoad(buffer_8, (var_3,), None), BufferLoad(buffer_10, (var_3,), None))
for_12 = For(var_3, IntImm(DType('int32'), 0), IntImm(DType('int32'), 48), ForKind.SERIAL, BufferStore(buffer_6, div_11, (var_3,), None), None, {})
primfunc_13 = PrimFunc((var_0, var_1, var_2), for_12, None, {var_0: buffer_8, var_1: buffer_10, var_2: buffer_6}, {'global_symbol': 'main'})
parts = (primfunc_13, (), (), (), (2,), 0, {}, False, ((0, 0), (0, 0), (0, 0)), None)

from tvmscript.fuzz.codegen.area import Kernel, check

# # from tvm.script import tir as T
#
# @T.prim_func
# def main(A0: T.Buffer((48,), "float4_e2m1fn"), A1: T.Buffer((48,), "float4_e2m1fn"), B0: T.Buffer((48,), "float4_e2m1fn")):
#     for i in range(48):
#         B0[i] = A0[i] / A1[i]
check(Kernel(*parts))
