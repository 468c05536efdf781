# Found by: tvmscript fuzz relax
# cause: GraphLawBroken[TS8046] at agrees_with_numpy testing/graph_laws/modules.py:_agrees
#
# tvmscript.fuzz.relax.area.GraphLawBroken: error[TS8046]: agrees_with_numpy: R.gather_elements(x, gv, axis=0): R.Tensor((1, 1), dtype="float32") but float32 of shape (1, 3)
#   File "/tmp/long2/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/relax.py", line 69, in check
#     _check_graphs(example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/relax.py", line 92, in _check_graphs
#     raise GraphLawBroken(law=law.__name__, reason=error) from error

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.expr import BindingBlock
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.expr import SeqExpr
from tvmscript.ir.relax.expr import Var as Var2
from tvmscript.ir.relax.expr import VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.var import Var

var_0 = Var('n', DType('int64'), None)
intimm_1 = IntImm(DType('int64'), 3)
shapeexpr_2 = ShapeExpr((var_0, intimm_1), struct_info=ShapeStructInfo((var_0, intimm_1), 2))
tensorstructinfo_3 = TensorStructInfo(shapeexpr_2, DType('float32'), 2, None)
var_4 = Var('m', DType('int64'), None)
intimm_5 = IntImm(DType('int64'), 3)
shapeexpr_6 = ShapeExpr((var_4, intimm_5), struct_info=ShapeStructInfo((var_4, intimm_5), 2))
tensorstructinfo_7 = TensorStructInfo(shapeexpr_6, DType('float32'), 2, None)
intimm_8 = IntImm(DType('int64'), 2)
intimm_9 = IntImm(DType('int64'), 3)
shapeexpr_10 = ShapeExpr((intimm_8, intimm_9), struct_info=ShapeStructInfo((intimm_8, intimm_9), 2))
tensorstructinfo_11 = TensorStructInfo(shapeexpr_10, DType('float32'), 2, None)
intimm_12 = IntImm(DType('int64'), 1)
shapeexpr_13 = ShapeExpr((intimm_12, intimm_12), struct_info=ShapeStructInfo((intimm_12, intimm_12), 2))
tensorstructinfo_14 = TensorStructInfo(shapeexpr_13, DType('float32'), 2, None)
funcstructinfo_15 = FuncStructInfo((tensorstructinfo_3, tensorstructinfo_7, tensorstructinfo_11), tensorstructinfo_14, True, None)
var_16 = Var2('x', tensorstructinfo_3)
tensorstructinfo_17 = TensorStructInfo(shapeexpr_13, DType('int64'), 2, None)
var_18 = Var2('gv', tensorstructinfo_17)
call_19 = Call(Operator.get('relax.argmax'), (var_16,), {'axis': None, 'keepdims': True}, (), struct_info=tensorstructinfo_17)
tensorstructinfo_20 = TensorStructInfo(shapeexpr_2, DType('float32'), 2, None)
call_21 = Call(Operator.get('relax.add'), (var_16, var_16), {}, (), struct_info=tensorstructinfo_20)
var_22 = Var2('gv2', tensorstructinfo_14)
call_23 = Call(Operator.get('relax.gather_elements'), (var_16, var_18), {'axis': 0}, (), struct_info=tensorstructinfo_14)
bindingblock_24 = BindingBlock((VarBinding(var_18, call_19), VarBinding(Var2('gv1', tensorstructinfo_20), call_21), VarBinding(var_22, call_23)))
seqexpr_25 = SeqExpr((bindingblock_24,), var_22, struct_info=tensorstructinfo_14)
function_26 = Function((var_16, Var2('y', tensorstructinfo_7), Var2('z', tensorstructinfo_11)), seqexpr_25, tensorstructinfo_14, True, {'global_symbol': 'main'}, struct_info=funcstructinfo_15)
irmodule_27 = IRModule({GlobalVar('main', struct_info=funcstructinfo_15): function_26}, {}, {})
program = (irmodule_27,)

from tvmscript.fuzz.relax.area import check

check(program)
