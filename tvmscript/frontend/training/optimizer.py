"""Optimizers: functions of graphs that update parameters by their gradients, as TVM builds them.

optimizer = SGD(0.1)
optimizer.init([x, y])
mod["SGD"] = optimizer.get_function()  # (params, gradients, states) -> (new params, new states)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tvmscript.backends.runtime.array import NDArray, array, zeros
from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Constant, Tuple, TupleGetItem, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import binary, unary
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir import IntImm
from tvmscript.parser.relax.builtins.constants import const

add, subtract, multiply, divide, sqrt = map(
    script_function_of, (binary.add, binary.subtract, binary.multiply, binary.divide, unary.sqrt)
)


class Step:
    """The function of an optimizer while it is built."""

    def __init__(self, builder: BlockBuilder, names: Sequence[str], dtype: DType, operands: Sequence[Var]) -> None:
        self.builder = builder
        self.names = names
        self.dtype = dtype
        self.params, self.gradients, self.states = operands

    def number(self, value: float) -> Constant:
        """Return a constant of the parameters' dtype."""
        return const(value, str(self.dtype))

    def emit(self, value: RelaxExpr, name: str = "") -> Var:
        """Bind a value."""
        return self.builder.emit(value, name)

    def bind_state(self, index: int, name: str = "") -> Var:
        """Bind a state."""
        return self.emit(TupleGetItem(self.states, index), name)

    def bind_parameter(self, index: int) -> tuple[Var, Var]:
        """Bind a parameter and its gradient."""
        name = self.names[index]
        param = self.emit(TupleGetItem(self.params, index), name)
        return param, self.emit(TupleGetItem(self.gradients, index), f"{name}_grad")

    def decay(self, index: int, param: Var, gradient: Var, weight_decay: float) -> Var:
        """Bind the gradient with a part of the parameter added."""
        if not weight_decay:
            return gradient
        penalty = multiply(self.number(weight_decay), param)
        return self.emit(add(penalty, gradient), f"{self.names[index]}_grad_new")

    def descend(self, index: int, param: Var, learning_rate: float, direction: RelaxExpr) -> Var:
        """Bind the new value of a parameter."""
        scaled = multiply(self.number(learning_rate), direction)
        return self.emit(subtract(param, scaled), f"{self.names[index]}_new")


class Optimizer(ABC):
    """Base of optimizers. `init` says what they update; `state` is what the first step takes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dtype: DType | None = None
        self.param_list: list[Var] = []
        self.state: tuple[NDArray, ...] = ()

    def init(self, params: Var | Sequence[Var]) -> Optimizer:
        """Set the parameters: variables of floats of one dtype, with constant shapes. Raises `WrongType`."""
        variables = [params] if isinstance(params, Var) else list(params)
        infos = [_tensor_of(param) for param in variables]
        dtypes = {info.dtype for info in infos}
        if len(dtypes) != 1 or not infos[0].dtype.is_floating:
            raise WrongType(where=f"{self.name}.init", expected="floats of one dtype", got=sorted(map(str, dtypes)))
        self.param_list, self.dtype = variables, infos[0].dtype
        self.state = (array(0, "int64"), *self._first_states(infos))
        return self

    def get_function(self) -> Function:
        """Return the function of a step. Raises `WrongType` before `init`."""
        if self.dtype is None:
            raise WrongType(where=f"{self.name}.get_function", expected="parameters: call init first", got="none")
        tensors = TupleStructInfo(tuple([_tensor_of(param) for param in self.param_list]))
        state_infos = TupleStructInfo(tuple([TensorStructInfo(state.shape, state.dtype) for state in self.state]))
        operands = [Var("params", tensors), Var("gradients", tensors), Var("optim_states", state_infos)]
        builder = BlockBuilder()
        names = [param.name_hint for param in self.param_list]
        step = Step(builder, names, self.dtype, operands)
        with builder.function(self.name, operands):
            with builder.dataflow():
                count = step.bind_state(0, "num_steps")
                steps = step.emit(add(count, const(1, "int64")), "num_steps_new")
                shared = self._shared_states(step)
                updated = [self._update(step, index, shared) for index in range(len(names))]
                per_kind = [list(kind) for kind in zip(*[states for _, states in updated], strict=True)]
                new_states = [steps, *shared, *[state for kind in per_kind for state in kind]]
                params = builder.emit_output(Tuple(tuple([param for param, _ in updated])), "params_new")
                states = builder.emit_output(Tuple(tuple(new_states)), "optim_states_new")
            builder.emit_func_output(Tuple((params, states)))
        func = builder.get()[self.name]
        assert isinstance(func, Function)
        return func

    def _first_states(self, infos: Sequence[TensorStructInfo]) -> list[NDArray]:
        """Return the states beside the number of steps: shared ones, then those of each parameter, kind by kind."""
        return []

    def _shared_states(self, step: Step) -> list[Var]:
        """Bind the new values of the states that all parameters share."""
        return []

    @abstractmethod
    def _update(self, step: Step, index: int, shared: Sequence[Var]) -> tuple[Var, list[Var]]:
        """Bind the new value of a parameter, and of its states."""


class SGD(Optimizer):
    """Gradient descent."""

    def __init__(self, lr: float, weight_decay: float = 0) -> None:
        super().__init__("SGD")
        self.lr = lr
        self.weight_decay = weight_decay

    def _update(self, step: Step, index: int, shared: Sequence[Var]) -> tuple[Var, list[Var]]:
        param, gradient = step.bind_parameter(index)
        gradient = step.decay(index, param, gradient, self.weight_decay)
        return step.descend(index, param, self.lr, gradient), []


class MomentumSGD(Optimizer):
    """Gradient descent along a velocity, with Nesterov's look ahead if wanted."""

    def __init__(
        self, lr: float, momentum: float, dampening: float = 0, weight_decay: float = 0, nesterov: bool = False
    ) -> None:
        super().__init__("MomentumSGD")
        self.lr = lr
        self.momentum = momentum
        self.dampening = dampening
        self.weight_decay = weight_decay
        self.nesterov = nesterov

    def _first_states(self, infos: Sequence[TensorStructInfo]) -> list[NDArray]:
        return _zeros_like(infos)

    def _update(self, step: Step, index: int, shared: Sequence[Var]) -> tuple[Var, list[Var]]:
        param, gradient = step.bind_parameter(index)
        name = step.names[index]
        velocity = step.bind_state(1 + index, f"{name}_v")
        gradient = step.decay(index, param, gradient, self.weight_decay)
        kept: RelaxExpr = multiply(step.number(self.momentum), velocity)
        pushed: RelaxExpr = multiply(step.number(1 - self.dampening), gradient) if self.dampening else gradient
        velocity = step.emit(add(kept, pushed), f"{name}_v_new")
        direction = velocity
        if self.nesterov:
            ahead = multiply(step.number(self.momentum), velocity)
            direction = step.emit(add(gradient, ahead), f"{name}_g_nest")
        return step.descend(index, param, self.lr, direction), [velocity]


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2014): steps by moving averages of gradients and of their squares."""

    def __init__(
        self, lr: float, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-08, weight_decay: float = 0
    ) -> None:
        super().__init__("Adam")
        self.lr = lr
        self.beta1, self.beta2 = betas
        self.eps = eps
        self.weight_decay = weight_decay

    def _first_states(self, infos: Sequence[TensorStructInfo]) -> list[NDArray]:
        ones = [array(1, infos[0].dtype) for _ in range(2)]
        return [*ones, *_zeros_like(infos), *_zeros_like(infos)]

    def _shared_states(self, step: Step) -> list[Var]:
        products = []
        for position, beta in enumerate((self.beta1, self.beta2), 1):
            product = multiply(step.bind_state(position), step.number(beta))
            products.append(step.emit(product, f"beta{position}_prod"))
        return products

    def _update(self, step: Step, index: int, shared: Sequence[Var]) -> tuple[Var, list[Var]]:
        count, name, number = len(step.names), step.names[index], step.number
        param, gradient = step.bind_parameter(index)
        mean, square = step.bind_state(3 + index, f"{name}_m"), step.bind_state(3 + count + index, f"{name}_v")
        gradient = step.decay(index, param, gradient, self.weight_decay)
        moved = add(multiply(number(self.beta1), mean), multiply(number(1 - self.beta1), gradient))
        mean = step.emit(moved, f"{name}_m_new")
        kept = step.emit(multiply(number(self.beta2), square))
        pushed = multiply(number(1 - self.beta2), multiply(gradient, gradient))
        square = step.emit(add(kept, pushed), f"{name}_v_new")
        mean_hat = step.emit(divide(mean, subtract(number(1), shared[0])), f"{name}_m_hat")
        square_hat = step.emit(divide(square, subtract(number(1), shared[1])), f"{name}_v_hat")
        direction = divide(mean_hat, add(sqrt(square_hat), number(self.eps)))
        return step.descend(index, param, self.lr, direction), [mean, square]


def _tensor_of(param: Var) -> TensorStructInfo:
    """Return the struct info of a parameter. Raises `WrongType` for one without a constant shape."""
    info = param.struct_info
    if not isinstance(info, TensorStructInfo) or not all(
        isinstance(extent, IntImm) for extent in info.extents or (info,)
    ):
        raise WrongType(where="an optimizer", expected="tensors of constant shapes", got=f"{param.name_hint}: {info}")
    return info


def _zeros_like(infos: Sequence[TensorStructInfo]) -> list[NDArray]:
    shapes = [[extent.value for extent in info.extents or () if isinstance(extent, IntImm)] for info in infos]
    return [zeros(tuple(shape), info.dtype) for shape, info in zip(shapes, infos, strict=True)]
