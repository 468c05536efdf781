# Found by: tvmscript fuzz te
# cause: LevelsDisagree[TS8042] at the schedule fuzz/te/area.py:_check_module
#
# tvmscript.fuzz.errors.LevelsDisagree: error[TS8042]: the schedule computes something else than NumPy: output 0[0] is nan and not -9.0
#   File "fuzz/engine.py", line 203, in one
#     self.area.check(example)
#   File "fuzz/te/area.py", line 59, in check
#     _check_module("the schedule", lowered, example)
#   File "fuzz/te/area.py", line 74, in _check_module
#     raise LevelsDisagree(

from tvmscript.fuzz.te.area import Example, check
from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph

check(Example(graph=TensorGraph(dtype='float32', inputs=((2,),), definitions=(Definition(kind='window', reads=(0,), numbers=(0, 0, 0, 0, 0, 0)), Definition(kind='affine', reads=(1,), numbers=(0, 0, 0, 0, 0, 0))), sizes={}), steps=(Step(primitive='split', numbers=(0, 0, 0, 0, 0, 0, 0, 0)), Step(primitive='group', numbers=(0, 2, 1, 0, 1, 0, 0, 0)), Step(primitive='rfactor', numbers=(0, 0, 0, 0, 0, 0, 0, 0)), Step(primitive='double_buffer', numbers=(0, 0, 0, 0, 0, 0, 0, 0))), seed=0))
