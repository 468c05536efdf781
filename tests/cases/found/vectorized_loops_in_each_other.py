# Found by: tvmscript fuzz codegen
# cause: WrongType[TS1003] at ir/tir/expr.py:__post_init__
#
# tvmscript.ir.core.errors.WrongType: error[TS1003]: Broadcast takes a scalar, but got int32x2

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.types import PointerType
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Add
from tvmscript.ir.tir.expr import BufferLoad
from tvmscript.ir.tir.expr import BufferRegion
from tvmscript.ir.tir.expr import FloorMod
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.expr import IterKind
from tvmscript.ir.tir.expr import IterVar
from tvmscript.ir.tir.expr import LT
from tvmscript.ir.tir.expr import Max
from tvmscript.ir.tir.expr import Min
from tvmscript.ir.tir.expr import Mul
from tvmscript.ir.tir.expr import Range
from tvmscript.ir.tir.expr import Sub
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block
from tvmscript.ir.tir.stmt import BlockRealize
from tvmscript.ir.tir.stmt import BufferStore
from tvmscript.ir.tir.stmt import For
from tvmscript.ir.tir.stmt import ForKind
from tvmscript.ir.tir.stmt import IfThenElse
from tvmscript.ir.tir.stmt import LetStmt
from tvmscript.ir.tir.stmt import SeqStmt
from tvmscript.ir.tir.var import Var

var_0 = Var('A_handle', DType('handle'), None)
var_1 = Var('B_handle', DType('handle'), None)
var_2 = Var('i1_0', DType('int32'), None)
var_3 = Var('i1_1', DType('int32'), None)
var_4 = Var('j2', DType('int32'), None)
var_5 = Var('vi', DType('int32'), None)
itervar_6 = IterVar(Range.from_min_extent(IntImm(DType('int32'), 0), IntImm(DType('int32'), 2)), var_5, IterKind.DATA_PAR, '')
var_7 = Var('vj', DType('int32'), None)
itervar_8 = IterVar(Range.from_min_extent(IntImm(DType('int32'), 0), IntImm(DType('int32'), 4)), var_7, IterKind.DATA_PAR, '')
var_9 = Var('A', DType('handle'), PointerType(PrimType(DType('int32')), 'global'))
buffer_10 = Buffer(var_9, DType('int32'), (IntImm(DType('int32'), 2), IntImm(DType('int32'), 4)), (), IntImm(DType('int32'), 0), 'A', 64, 1, 'default', ())
floormod_11 = FloorMod(Add(var_5, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 2))
floormod_12 = FloorMod(Add(var_7, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 4))
min_13 = Min(var_7, floormod_12)
sub_14 = Sub(Add(Max(var_7, floormod_12), IntImm(DType('int32'), 1)), min_13)
bufferregion_15 = BufferRegion(buffer_10, (Range.from_min_extent(floormod_11, IntImm(DType('int32'), 1)), Range.from_min_extent(min_13, sub_14)))
var_16 = Var('Y1', DType('handle'), PointerType(PrimType(DType('int32')), 'global'))
buffer_17 = Buffer(var_16, DType('int32'), (IntImm(DType('int32'), 2), IntImm(DType('int32'), 4)), (), IntImm(DType('int32'), 0), 'Y1', 64, 1, 'default', ())
bufferregion_18 = BufferRegion(buffer_17, (Range.from_min_extent(var_5, IntImm(DType('int32'), 1)), Range.from_min_extent(var_7, IntImm(DType('int32'), 1))))
floormod_19 = FloorMod(Add(var_5, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 2))
add_20 = Add(BufferLoad(buffer_10, (floormod_11, var_7), None), BufferLoad(buffer_10, (floormod_19, floormod_12), None))
floormod_21 = FloorMod(Add(var_5, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 2))
floormod_22 = FloorMod(Add(var_5, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 2))
floormod_23 = FloorMod(Add(var_7, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 4))
add_24 = Add(BufferLoad(buffer_10, (floormod_21, var_7), None), BufferLoad(buffer_10, (floormod_22, floormod_23), None))
ifthenelse_25 = IfThenElse(LT(var_7, IntImm(DType('int32'), 2)), BufferStore(buffer_17, add_20, (var_5, var_7), None), BufferStore(buffer_17, add_24, (var_5, var_7), None))
block_26 = Block((itervar_6, itervar_8), (bufferregion_15,), (bufferregion_18,), 'Y1', ifthenelse_25, None, (), (), {})
blockrealize_27 = BlockRealize((Add(Mul(var_2, IntImm(DType('int32'), 2)), var_3), var_4), IntImm(DType('bool'), 1), block_26)
for_28 = For(var_4, IntImm(DType('int32'), 0), IntImm(DType('int32'), 4), ForKind.VECTORIZED, blockrealize_27, None, {})
for_29 = For(var_3, IntImm(DType('int32'), 0), IntImm(DType('int32'), 2), ForKind.VECTORIZED, for_28, None, {})
for_30 = For(var_2, IntImm(DType('int32'), 0), IntImm(DType('int32'), 1), ForKind.SERIAL, for_29, None, {'pragma_auto_unroll_max_step': IntImm(DType('int32'), 16)})
var_31 = Var('i3_0', DType('int32'), None)
var_32 = Var('i3_1', DType('int32'), None)
var_33 = Var('j4', DType('int32'), None)
var_34 = Var('vi', DType('int32'), None)
itervar_35 = IterVar(Range.from_min_extent(IntImm(DType('int32'), 0), IntImm(DType('int32'), 2)), var_34, IterKind.DATA_PAR, '')
var_36 = Var('vj', DType('int32'), None)
itervar_37 = IterVar(Range.from_min_extent(IntImm(DType('int32'), 0), IntImm(DType('int32'), 4)), var_36, IterKind.DATA_PAR, '')
floormod_38 = FloorMod(Add(var_34, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 2))
floormod_39 = FloorMod(Add(var_36, IntImm(DType('int32'), 1)), IntImm(DType('int32'), 4))
bufferregion_40 = BufferRegion(buffer_10, (Range.from_min_extent(floormod_38, IntImm(DType('int32'), 1)), Range.from_min_extent(floormod_39, IntImm(DType('int32'), 1))))
var_41 = Var('B', DType('handle'), PointerType(PrimType(DType('int32')), 'global'))
buffer_42 = Buffer(var_41, DType('int32'), (IntImm(DType('int32'), 2), IntImm(DType('int32'), 4)), (), IntImm(DType('int32'), 0), 'B', 64, 1, 'default', ())
bufferregion_43 = BufferRegion(buffer_42, (Range.from_min_extent(var_34, IntImm(DType('int32'), 1)), Range.from_min_extent(var_36, IntImm(DType('int32'), 1))))
var_44 = Var('x5', DType('int32'), None)
sub_45 = Sub(BufferLoad(buffer_10, (floormod_38, floormod_39), None), IntImm(DType('int32'), 1))
bufferstore_46 = BufferStore(buffer_42, Add(var_44, var_44), (var_34, var_36), None)
block_47 = Block((itervar_35, itervar_37), (bufferregion_40,), (bufferregion_43,), 'B', LetStmt(var_44, sub_45, bufferstore_46), None, (), (), {})
blockrealize_48 = BlockRealize((Add(Mul(var_31, IntImm(DType('int32'), 2)), var_32), var_33), IntImm(DType('bool'), 1), block_47)
for_49 = For(var_33, IntImm(DType('int32'), 0), IntImm(DType('int32'), 4), ForKind.VECTORIZED, blockrealize_48, None, {})
for_50 = For(var_32, IntImm(DType('int32'), 0), IntImm(DType('int32'), 2), ForKind.VECTORIZED, for_49, None, {})
for_51 = For(var_31, IntImm(DType('int32'), 0), IntImm(DType('int32'), 1), ForKind.PARALLEL, for_50, None, {})
block_52 = Block((), (), (), 'root', SeqStmt((for_30, for_51)), None, (buffer_17,), (), {})
primfunc_53 = PrimFunc((var_0, var_1), BlockRealize((), IntImm(DType('bool'), 1), block_52), None, {var_0: buffer_10, var_1: buffer_42}, {'global_symbol': 'main'})
parts = (primfunc_53, (), (), (), (0,))

from tvmscript.fuzz.codegen.area import Kernel, check

# # from tvm.script import tir as T
#
# @T.prim_func
# def main(A: T.Buffer((2, 4), "int32"), B: T.Buffer((2, 4), "int32")):
#     # with T.block("root"):
#     Y1 = T.alloc_buffer((2, 4), "int32")
#     for i1_0 in T.serial(1, annotations={"pragma_auto_unroll_max_step": 16}):
#         for i1_1 in T.vectorized(2):
#             for j2 in T.vectorized(4):
#                 with T.block("Y1"):
#                     vi = T.axis.spatial(2, i1_0 * 2 + i1_1)
#                     vj = T.axis.spatial(4, j2)
#                     T.reads(A[(vi + 1) % 2, T.min(vj, (vj + 1) % 4):T.min(vj, (vj + 1) % 4) + (T.max(vj, (vj + 1) % 4) + 1 - T.min(vj, (vj + 1) % 4))])
#                     T.writes(Y1[vi, vj])
#                     if vj < 2:
#                         Y1[vi, vj] = A[(vi + 1) % 2, vj] + A[(vi + 1) % 2, (vj + 1) % 4]
#                     else:
#                         Y1[vi, vj] = A[(vi + 1) % 2, vj] + A[(vi + 1) % 2, (vj + 1) % 4]
#     for i3_0 in T.parallel(1):
#         for i3_1 in T.vectorized(2):
#             for j4 in T.vectorized(4):
#                 with T.block("B"):
#                     vi = T.axis.spatial(2, i3_0 * 2 + i3_1)
#                     vj = T.axis.spatial(4, j4)
#                     T.reads(A[(vi + 1) % 2, (vj + 1) % 4])
#                     T.writes(B[vi, vj])
#                     x5: T.int32 = A[(vi + 1) % 2, (vj + 1) % 4] - 1
#                     B[vi, vj] = x5 + x5
check(Kernel(*parts))
