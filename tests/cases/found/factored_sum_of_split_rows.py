# Found by: tvmscript fuzz te

from tvmscript.fuzz.te.area import Example, check
from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph

EXAMPLE = Example(TensorGraph('float32', ((4, 3),), (Definition('sum', (0,), (1,0,0,0,0,0)),)), (Step('split', (0,)*6), Step('rfactor', (0,)*6)))

check(EXAMPLE)
