# Found by: tvmscript fuzz printer
# cause: NotReadBack[TS8002] at parser/report.py:told
#
# tvmscript.testing.errors.NotReadBack: error[TS8002]: the program does not read back: error[TS2004]: R has no int64
#  --> <text>:8:27
#   |
# 8 |     def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
#   |                           ^
# hint: dir(R) lists its names
# the text:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
# # tvmscript: int_dtype="int64"
#
# @I.ir_module
# class Module:

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.expr import SeqExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir.expr import IntImm

intimm_0 = IntImm(DType('int64'), 2)
intimm_1 = IntImm(DType('int64'), 3)
shapeexpr_2 = ShapeExpr((intimm_0, intimm_1), struct_info=ShapeStructInfo((intimm_0, intimm_1), 2))
tensorstructinfo_3 = TensorStructInfo(shapeexpr_2, DType('float32'), 2, None)
funcstructinfo_4 = FuncStructInfo((tensorstructinfo_3,), tensorstructinfo_3, True, None)
var_5 = Var('x', tensorstructinfo_3)
function_6 = Function((var_5,), SeqExpr((), var_5, struct_info=tensorstructinfo_3), tensorstructinfo_3, True, {'global_symbol': 'main'}, struct_info=funcstructinfo_4)
irmodule_7 = IRModule({GlobalVar('main', struct_info=funcstructinfo_4): function_6}, {}, {})
program = irmodule_7

from tvmscript.fuzz.printer.area import Printed, check

check(Printed(program, {'int_dtype': 'int64'}))
