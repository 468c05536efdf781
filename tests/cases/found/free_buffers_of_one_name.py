# Found by: tvmscript fuzz printer
# cause: NotReadBack[TS8002] at parser/report.py:told
#
# tvmscript.testing.errors.NotReadBack: error[TS8002]: the program does not read back: error[TS2032]: A was defined again in a scope that has ended, so it is not clear what it means here
#  --> <text>:7:5
#   |
# 7 |     A[0, 0] = 0
#   |     ^
# hint: variables are not changed: give the inner one a name of its own, or keep the value in a buffer
# the text:
# A = T.Buffer((4, 8), "int32")
# if T.bool(False):
# else:
# A[0, 0] = 0

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.types import PointerType
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.stmt import BufferStore
from tvmscript.ir.tir.stmt import IfThenElse
from tvmscript.ir.tir.stmt import SeqStmt
from tvmscript.ir.tir.var import Var

var_0 = Var('A', DType('handle'), PointerType(PrimType(DType('float32')), 'global'))
buffer_1 = Buffer(var_0, DType('float32'), (IntImm(DType('int32'), 4), IntImm(DType('int32'), 8)), (), IntImm(DType('int32'), 0), 'A', 64, 1, 'default', ())
bufferstore_2 = BufferStore(buffer_1, Var('x', DType('float32'), None), (IntImm(DType('int32'), 0), IntImm(DType('int32'), 0)), None)
var_3 = Var('A', DType('handle'), PointerType(PrimType(DType('int32')), 'global'))
buffer_4 = Buffer(var_3, DType('int32'), (IntImm(DType('int32'), 4), IntImm(DType('int32'), 8)), (), IntImm(DType('int32'), 0), 'A', 64, 1, 'default', ())
bufferstore_5 = BufferStore(buffer_4, IntImm(DType('int32'), 0), (IntImm(DType('int32'), 0), IntImm(DType('int32'), 0)), None)
ifthenelse_6 = IfThenElse(IntImm(DType('bool'), 0), bufferstore_2, bufferstore_5)
bufferstore_7 = BufferStore(buffer_4, IntImm(DType('int32'), 0), (IntImm(DType('int32'), 0), IntImm(DType('int32'), 0)), None)
program = SeqStmt((ifthenelse_6, bufferstore_7))

from tvmscript.fuzz.printer.area import Printed, check

check(Printed(program, {}))
