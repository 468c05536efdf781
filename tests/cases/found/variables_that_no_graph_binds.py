# Found by: tvmscript fuzz printer
# cause: NotReadBack[TS8002] at parser/report.py:told
#
# tvmscript.testing.errors.NotReadBack: error[TS8002]: the program does not read back: error[TS2003]: y is not defined
#  --> <text>:5:29
#   |
# 5 |     gv7: R.Shape(ndim=-1) = y
#   |                             ^
# hint: give it a value before, or make it a parameter
# the text:
# # from tvm.script import relax as R
#
# @R.function(private=True)
# def main(p: R.Tensor((), dtype="float32")) -> R.Shape(ndim=-1):
#     gv7: R.Shape(ndim=-1) = y
#     return gv7
#   File "/tmp/long/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long/tvmscript/testing/fuzzing/printer.py", line 163, in check
#     _check_printed(program, options)
#   File "/tmp/long/tvmscript/testing/fuzzing/printer.py", line 174, in _check_printed
#     roundtrip(program, **options)
#   File "/tmp/long/tvmscript/testing/round_trip.py", line 28, in roundtrip
#     check_round_trip(program, "the program", **printer_options)
#   File "/tmp/long/tvmscript/testing/round_trip.py", line 44, in check_round_trip
#     raise NotReadBack(program=words, reason=error.render(), text=text) from error

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.relax.expr import BindingBlock
from tvmscript.ir.relax.expr import SeqExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.expr import VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.relax.struct_info import TensorStructInfo

tensorstructinfo_0 = TensorStructInfo(ShapeExpr((), struct_info=ShapeStructInfo((), 0)), DType('float32'), 0, None)
shapestructinfo_1 = ShapeStructInfo(None, -1)
var_2 = Var('gv7', shapestructinfo_1)
bindingblock_3 = BindingBlock((VarBinding(var_2, Var('y', shapestructinfo_1)),))
seqexpr_4 = SeqExpr((bindingblock_3,), var_2, struct_info=shapestructinfo_1)
funcstructinfo_5 = FuncStructInfo((tensorstructinfo_0,), shapestructinfo_1, True, None)
function_6 = Function((Var('p', tensorstructinfo_0),), seqexpr_4, shapestructinfo_1, True, {}, struct_info=funcstructinfo_5)
program = function_6

from tvmscript.fuzz.printer.area import Printed, check

check(Printed(program, {}))
