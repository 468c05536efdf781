# Found by: tvmscript fuzz te

from tvmscript.fuzz.te.area import Example, check
from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph

EXAMPLE = Example(TensorGraph('float32', ((3, 1),), (Definition('argmax', (0,), (0,0,0,0,0,0)), Definition('affine', (2,), (0,0,0,0,0,0)), Definition('slice', (1,), (0,2,0,0,0,0)))))

check(EXAMPLE)
