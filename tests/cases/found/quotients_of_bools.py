# Found by: tvmscript fuzz relax
# cause: GraphLawBroken[TS8046] at agrees_with_numpy testing/graph_laws.py:_agrees
#
# tvmscript.fuzz.relax.area.GraphLawBroken: error[TS8046]: agrees_with_numpy: R.floor_divide(u, u): R.Tensor((), dtype="bool") but int8 of shape ()

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.expr import BindingBlock
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.expr import SeqExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.expr import VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.struct_info import ObjectStructInfo
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir.expr import IntImm

intimm_0 = IntImm(DType('int64'), 2)
intimm_1 = IntImm(DType('int64'), 3)
shapeexpr_2 = ShapeExpr((intimm_0, intimm_1), struct_info=ShapeStructInfo((intimm_0, intimm_1), 2))
tensorstructinfo_3 = TensorStructInfo(shapeexpr_2, DType('float32'), 2, None)
objectstructinfo_4 = ObjectStructInfo()
tensorstructinfo_5 = TensorStructInfo(ShapeExpr((), struct_info=ShapeStructInfo((), 0)), DType('int32'), 0, None)
shapeexpr_6 = ShapeExpr((), struct_info=ShapeStructInfo((), 0))
tensorstructinfo_7 = TensorStructInfo(shapeexpr_6, DType('bool'), 0, None)
tensorstructinfo_8 = TensorStructInfo(shapeexpr_6, DType('bool'), 0, None)
funcstructinfo_9 = FuncStructInfo((tensorstructinfo_3, objectstructinfo_4, tensorstructinfo_5, tensorstructinfo_7), tensorstructinfo_8, True, None)
var_10 = Var('u', tensorstructinfo_7)
var_11 = Var('gv', tensorstructinfo_8)
call_12 = Call(Operator.get('relax.floor_divide'), (var_10, var_10), {}, (), struct_info=tensorstructinfo_8)
seqexpr_13 = SeqExpr((BindingBlock((VarBinding(var_11, call_12),)),), var_11, struct_info=tensorstructinfo_8)
function_14 = Function((Var('x', tensorstructinfo_3), Var('y', objectstructinfo_4), Var('z', tensorstructinfo_5), var_10), seqexpr_13, tensorstructinfo_8, True, {'global_symbol': 'main'}, struct_info=funcstructinfo_9)
irmodule_15 = IRModule({GlobalVar('main', struct_info=funcstructinfo_9): function_14}, {}, {})
intimm_16 = IntImm(DType('int64'), 2)
intimm_17 = IntImm(DType('int64'), 3)
shapeexpr_18 = ShapeExpr((intimm_16, intimm_17), struct_info=ShapeStructInfo((intimm_16, intimm_17), 2))
tensorstructinfo_19 = TensorStructInfo(shapeexpr_18, DType('float32'), 2, None)
funcstructinfo_20 = FuncStructInfo((tensorstructinfo_19,), tensorstructinfo_19, True, None)
var_21 = Var('x', tensorstructinfo_19)
function_22 = Function((var_21,), SeqExpr((), var_21, struct_info=tensorstructinfo_19), tensorstructinfo_19, True, {'global_symbol': 'main'}, struct_info=funcstructinfo_20)
irmodule_23 = IRModule({GlobalVar('main', struct_info=funcstructinfo_20): function_22}, {}, {})
program = (irmodule_15, irmodule_23)

from tvmscript.fuzz.relax.area import check

check(program)
