# Found by: tvmscript fuzz printer
# cause: ReadsBackDifferent[TS8003] at testing/round_trip.py:check_round_trip
#
# tvmscript.testing.errors.ReadsBackDifferent: error[TS8003]: the program reads back as another program, first at <root>: a BindingBlock against a VarBinding
# the text:
# x: R.Tensor((2, 3), dtype="float32")
# gv: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
# it prints the same text again
#   File "/tmp/long/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long/tvmscript/testing/fuzzing/printer.py", line 163, in check
#     _check_printed(program, options)
#   File "/tmp/long/tvmscript/testing/fuzzing/printer.py", line 174, in _check_printed
#     roundtrip(program, **options)
#   File "/tmp/long/tvmscript/testing/round_trip.py", line 28, in roundtrip
#     check_round_trip(program, "the program", **printer_options)
#   File "/tmp/long/tvmscript/testing/round_trip.py", line 49, in check_round_trip
#     raise ReadsBackDifferent(

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.relax.expr import BindingBlock
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.expr import VarBinding
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir.expr import IntImm

intimm_0 = IntImm(DType('int64'), 2)
intimm_1 = IntImm(DType('int64'), 3)
shapeexpr_2 = ShapeExpr((intimm_0, intimm_1), struct_info=ShapeStructInfo((intimm_0, intimm_1), 2))
tensorstructinfo_3 = TensorStructInfo(shapeexpr_2, DType('float32'), 2, None)
var_4 = Var('x', TensorStructInfo(shapeexpr_2, DType('float32'), 2, None))
call_5 = Call(Operator.get('relax.add'), (var_4, var_4), {}, (), struct_info=tensorstructinfo_3)
bindingblock_6 = BindingBlock((VarBinding(Var('gv', tensorstructinfo_3), call_5),))
program = bindingblock_6

from tvmscript.fuzz.printer.area import Printed, check

check(Printed(program, {}))
