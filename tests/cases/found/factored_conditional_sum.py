# Found by: tvmscript fuzz te

from tvmscript.fuzz.te.area import Example, check
from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph

EXAMPLE = Example(TensorGraph('float32', ((3,),), (Definition('sum', (0,), (0,0,0,1,0,0)),)), (Step('rfactor', (0,)*6),), seed=1)

check(EXAMPLE)
