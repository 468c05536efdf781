"""Graph functions that are compiled to host functions, as callables."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.arguments import describe_value
from tvmscript.backends.runtime.array import NDArray, asarray, storage_dtype
from tvmscript.backends.runtime.errors import ReadOnlyArray, WrongArrayShape, WrongNumberOfArguments, WrongScalar
from tvmscript.backends.vm.memory import HostMemory, MemoryBlock, TensorSpec
from tvmscript.ir.relax.lowering.graph_values import Place
from tvmscript.ir.relax.lowering.host_function import (
    ArgumentForm,
    HostFunction,
    ResultForm,
    ScalarForm,
    ShapeForm,
    Size,
    TensorForm,
)
from tvmscript.ir.relax.lowering.memory_plan import plan_memory
from tvmscript.ir.relax.variables import hint_of_shared_sizes

if TYPE_CHECKING:
    from tvmscript.backends.vm.cuda_memory import CudaMemory

#: shapes of arguments for which a function keeps its sizes and its plan
_MOST_SHAPES: Final = 256


@dataclass(frozen=True)
class _Sizes:
    """What depends on the shapes of the arguments: sizes, result tensors, temporary storage."""

    values: Sequence[int]
    outputs: tuple[TensorSpec, ...]
    workspace: int
    #: offsets of temporary storage where they are not constant, and their address as an argument
    offsets: npt.NDArray[np.int64] | None = None
    native_offsets: tuple[ctypes.c_void_p, ...] = ()

    def of(self, size: Size) -> int:
        return size if size >= 0 else self.values[-1 - size]


def _writable(value: object) -> object:
    return value.copy() if isinstance(value, np.ndarray) and not value.flags.writeable else value


class GraphFunction:
    """A compiled graph function: allocates results and temporary storage, and calls its host function.

    Blocks of temporary storage are reused by later calls; calls of several threads have one each.
    """

    def __init__(
        self,
        host: HostFunction,
        native: Callable[..., Any],
        sizes: Callable[..., Any] | None,
        memory: HostMemory | CudaMemory,
    ) -> None:
        self.host = host
        self.name = host.name
        self._native, self._sizes_of, self._memory = native, sizes, memory
        self._has_constants = host.constants.size > 0
        #: memory of the constants, once it is needed
        self._constants: MemoryBlock | None = None
        self._is_flat = all(form is None for form in host.arguments)
        self._static = self._plan(()) if sizes is None else None
        self._by_shape: dict[Any, _Sizes] = {}

    def __call__(self, *args: Any) -> Any:
        """Call the function. Raises errors of arguments, which name the parameter."""
        if len(args) != len(self.host.arguments):
            raise WrongNumberOfArguments(
                function=self.name, expected=len(self.host.arguments), got=len(args), parameters=self.parameters
            )
        given = self._memory.native_arguments(self._flatten(args))
        try:
            return self._call(given)
        except WrongArrayShape as error:
            if error.facts["function"] == self.name:
                error.hint = hint_of_shared_sizes(self.host.params, error.facts)
            raise

    def _call(self, given: Sequence[Any]) -> Any:
        """Allocate, and call the host function."""
        memory = self._memory
        sizes = self._static or self._sizes_for(given)
        outputs, native_outputs = memory.new_tensors(sizes.outputs)
        passed = [*given, *native_outputs]
        block: MemoryBlock | None = None
        if self.host.temporaries:
            block = memory.take_block(sizes.workspace)
            passed += [block.pointer, *sizes.native_offsets]
        if self._has_constants:
            if self._constants is None:
                self._constants = memory.constants(self.host.constants)
            passed.append(self._constants.pointer)
        try:
            self._native(*passed)
        except ReadOnlyArray:  # the kernels that get it are not known to read it only
            self._native(*[_writable(value) for value in passed])
        if block is not None:
            memory.give_back(block)
        return self._result(self.host.result, given, outputs, sizes)

    def __repr__(self) -> str:
        return f"<graph function {self.name}>"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple([param.name_hint for param in self.host.params])

    def stats(self) -> str:
        """Return a line with the number of kernel calls and the bytes of temporary storage and constants."""
        size = self.workspace_bytes
        memory = f"{size} bytes" if size is not None else "planned for each shape"
        return (
            f"{self.name}: native, {self.host.num_calls} calls, {len(self.host.temporaries)} temporary tensors "
            f"({memory}), {len(self.host.constants)} bytes of constants"
        )

    @property
    def workspace_bytes(self) -> int | None:
        """The bytes of temporary storage, None where they depend on the arguments."""
        return self.host.plan.size if self.host.plan is not None else None

    # ---- sizes

    def _sizes_for(self, given: Sequence[Any]) -> _Sizes:
        key = tuple([tuple(arg.shape) if hasattr(arg, "shape") else arg for arg in given])
        sizes = self._by_shape.get(key)
        if sizes is None:
            values = np.zeros(self.host.num_sizes, np.int64)
            assert self._sizes_of is not None
            self._sizes_of(*given, ctypes.c_void_p(values.ctypes.data))
            if len(self._by_shape) >= _MOST_SHAPES:
                self._by_shape.clear()
            sizes = self._by_shape[key] = self._plan([int(value) for value in values])
        return sizes

    def _plan(self, values: Sequence[int]) -> _Sizes:
        """Return the shapes of the results and the plan of temporary storage for some sizes."""
        host = self.host

        def of(size: Size) -> int:
            return size if size >= 0 else values[-1 - size]

        outputs = tuple([(tuple(map(of, shape)), storage_dtype(dtype), dtype) for shape, dtype in host.outputs])
        if host.plan is not None:
            return _Sizes(values, outputs, host.plan.size)
        plan = plan_memory([of(size) for size, _ in host.temporaries], [life for _, life in host.temporaries])
        offsets = np.array(plan.offsets, np.int64)
        return _Sizes(values, outputs, plan.size, offsets, (ctypes.c_void_p(offsets.ctypes.data),))

    # ---- arguments and results

    def _flatten(self, args: Sequence[Any]) -> Sequence[Any]:
        if self._is_flat:
            return args
        flat: list[Any] = []
        for name, form, arg in zip(self.parameters, self.host.arguments, args, strict=True):
            flat += self._leaves(name, form, arg)
        return flat

    def _leaves(self, name: str, form: ArgumentForm, arg: Any) -> Iterator[Any]:
        """Yield the tensors and scalars of an argument. Raises `WrongScalar`."""
        if form is None:
            yield arg
            return
        count = form if isinstance(form, int) else len(form)
        if not isinstance(arg, (tuple, list)) or len(arg) != count:
            kind = f"a shape of {count} extents" if isinstance(form, int) else f"a tuple of {count} values"
            raise WrongScalar(function=self.name, name=name, expected=kind, got=describe_value(arg))
        if isinstance(form, int):
            yield from arg
            return
        for index, (part, value) in enumerate(zip(form, arg, strict=True)):
            yield from self._leaves(f"{name}[{index}]", part, value)

    def _result(self, form: ResultForm, given: Sequence[Any], outputs: Sequence[NDArray], sizes: _Sizes) -> Any:
        if isinstance(form, TensorForm):
            return self._tensor(form, given, outputs, sizes)
        if isinstance(form, ShapeForm):
            return tuple([sizes.of(extent) for extent in form.extents])
        if isinstance(form, ScalarForm):
            return sizes.of(form.value)
        return [self._result(part, given, outputs, sizes) for part in form]

    def _tensor(self, form: TensorForm, given: Sequence[Any], outputs: Sequence[NDArray], sizes: _Sizes) -> NDArray:
        shape = tuple([sizes.of(extent) for extent in form.shape])
        if form.place is Place.CONSTANT:
            stored = storage_dtype(form.dtype)
            count = int(np.prod(shape, dtype=np.int64))
            constants = self.host.constants[form.index : form.index + count * stored.itemsize]
            values = constants.view(stored).reshape(shape)
            return NDArray(values, form.dtype).copyto(self._memory.device)
        array = outputs[form.index] if form.place is Place.RESULT else asarray(given[form.index])
        return array if array.shape == shape and array.dtype is form.dtype else array.view(shape, form.dtype)
