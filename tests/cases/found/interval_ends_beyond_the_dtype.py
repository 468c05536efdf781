# Found by: tvmscript fuzz arith
# cause: WrongArithmetic[TS8044] at set testing/fuzzing/arith.py:_set
#
# tvmscript.fuzz.arith.area.WrongArithmetic: error[TS8044]: set: i * T.shift_right(i, 1) is said to be in IntervalSet[1073741824, -1073741835], but is 18 where i is 6, j is 3, k is -1

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.expr import Call
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.expr import Mul
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.var import Var

var_0 = Var('i', DType('int32'), None)
var_1 = Var('j', DType('int32'), None)
call_2 = Call(DType('int32'), Intrinsic.get('tir.shift_right'), (var_0, IntImm(DType('int32'), 1)))
parts = ({var_0: (0, 12), var_1: (-3, 8)}, (var_0, var_1, Var('k', DType('int32'), None)), Mul(var_0, call_2), None)

from tvmscript.fuzz.arith.area import Question, check

# i * T.shift_right(i, 1)
check(Question('set', *parts))
