"""Pass contexts: optimization level, options and instruments of passes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType, TracebackType
from typing import Any, Final

from tvmscript.ir.core import IRError, IRModule, WrongType


@dataclass(frozen=True)
class PassInfo:
    """Properties of a pass: `pass.info`."""

    #: the minimal optimization level at which `Sequential` runs the pass
    opt_level: int
    name: str
    #: names of passes that `Sequential` runs before
    required: tuple[str, ...] = ()
    traceable: bool = False
    #: the text form, with options that are not at their defaults: `tir.UnrollLoop{auto_max_step=16}`
    text: str = field(default="", compare=False, repr=False)
    #: one line that describes the pass
    summary: str = field(default="", compare=False, repr=False)
    #: whether results are bit-identical
    is_exact: bool = field(default=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.required, str) or not isinstance(self.required, (list, tuple)):
            raise WrongType(where="required", expected="a list of names", got=repr(self.required))
        object.__setattr__(self, "required", tuple(self.required))

    def __str__(self) -> str:
        required = "\n" * bool(self.required) + "".join(f"{name}, " for name in self.required)
        return (
            f"The meta data of the pass - pass name: {self.name}, opt_level: {self.opt_level}, "
            f"required passes: [{required}]\n"
        )


class PassInstrument:
    """Hooks around every pass that runs in a context. The default hooks do nothing.

    An exception in a hook aborts the pass and propagates to its caller.
    """

    def enter_pass_ctx(self) -> None:
        """Called when the context is entered."""

    def exit_pass_ctx(self) -> None:
        """Called when the context is left."""

    def should_run(self, mod: IRModule, info: PassInfo) -> bool:
        """Return whether the pass runs. It runs if all instruments agree or the context requires it."""
        return True

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        """Called before the pass runs on the module."""

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        """Called with the result of the pass."""

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        """Called if the pass, a nested pass or an instrument raised an error."""


class LazyInstruments(PassInstrument):
    """Global instruments that are created when the first pass runs."""

    def __init__(self, make: Callable[[], Iterable[PassInstrument]]) -> None:
        self._make = make

    def should_run(self, mod: IRModule, info: PassInfo) -> bool:
        instruments = list(self._make())
        GLOBAL_INSTRUMENTS.remove(self)
        GLOBAL_INSTRUMENTS.extend(instruments)
        answers = [instrument.should_run(mod, info) for instrument in instruments]
        return all(answers)


#: instruments of every context
GLOBAL_INSTRUMENTS: Final[list[PassInstrument]] = []


@contextmanager
def instrument_everywhere(*instruments: PassInstrument) -> Generator[None, None, None]:
    """Add instruments to all contexts until this context manager is left."""
    for instrument in instruments:
        instrument.enter_pass_ctx()
    GLOBAL_INSTRUMENTS.extend(instruments)
    try:
        yield
    finally:
        for instrument in instruments:
            GLOBAL_INSTRUMENTS.remove(instrument)
            instrument.exit_pass_ctx()


class NotAnInstrument(IRError, code="TS4082"):
    """An instrument of a pass context has the wrong type. Its class must derive from `PassInstrument` or have the
    decorator `pass_instrument`.
    """

    message = "{got} is not a pass instrument"
    advice = "decorate its class with @tvmscript.instrument.pass_instrument and pass an instance"


class PassContext:
    """Optimization level, options and instruments of the passes that run inside of `with PassContext(...):`.

    `Sequential` skips passes of `disabled_pass`, and passes with a higher `opt_level` than the context unless they are
    in `required_pass`; a pass that is called directly always runs. `config` holds options of `OPTIONS`, which set the
    fields of passes that are at their defaults. An inner context inherits neither options nor instruments. A context
    belongs to the thread or task that entered it.

    Raises `UnknownOption` and `WrongOption` for errors in `config`, `NotAnInstrument`, `WrongType`.
    """

    def __init__(
        self,
        opt_level: int = 2,
        required_pass: Iterable[str] | str | None = None,
        disabled_pass: Iterable[str] | str | None = None,
        instruments: Iterable[PassInstrument] | None = None,
        config: Mapping[str, object] | None = None,
        trace: object = None,
    ) -> None:
        if not isinstance(opt_level, int):
            raise WrongType(where="opt_level", expected="an integer", got=repr(opt_level))
        self.opt_level = opt_level
        self.required_pass = _names("required_pass", required_pass)
        self.disabled_pass = _names("disabled_pass", disabled_pass)
        self.config: Mapping[str, Any] = MappingProxyType(_checked(config) if config else {})
        self.instruments = _instruments(instruments)
        #: traces of tuning passes, innermost last
        self.trace_stack: list[Any] = [] if trace is None else [trace]

    @staticmethod
    def current() -> PassContext:
        """Return the innermost context, or the default context."""
        return _STACK.get()[-1]

    @staticmethod
    def list_configs() -> dict[str, dict[str, str]]:
        """Return all options: the type of the value (`type`) and the `meaning`."""
        from tvmscript.ir.transform.options import OPTIONS

        return {key: {"type": option.kind.value, "meaning": option.meaning} for key, option in OPTIONS.items()}

    def runs(self, info: PassInfo) -> bool:
        """Return whether `Sequential` runs the pass."""
        if info.name in self.disabled_pass:
            return False
        return info.name in self.required_pass or self.opt_level >= info.opt_level

    def override_instruments(self, instruments: Iterable[PassInstrument] | None) -> None:
        """Exit the instruments and enter new ones."""
        new_instruments = _instruments(instruments)
        self._exit_instruments()
        self.instruments = new_instruments
        self._enter_instruments()

    def push_trace(self, trace: object) -> None:
        """Push the trace that tuning passes write to."""
        self.trace_stack.append(trace)

    def pop_trace(self) -> Any:
        """Remove and return the innermost trace."""
        return self.trace_stack.pop()

    def get_current_trace(self) -> Any:
        """Return the innermost trace, or None."""
        return self.trace_stack[-1] if self.trace_stack else None

    def __enter__(self) -> PassContext:
        _STACK.set((*_STACK.get(), self))
        try:
            self._enter_instruments()
        except BaseException:
            _STACK.set(_STACK.get()[:-1])
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._exit_instruments()
        finally:
            _STACK.set(_STACK.get()[:-1])

    def _enter_instruments(self) -> None:
        """Enter all instruments. If one raises an error, exit the others and drop all."""
        entered: list[PassInstrument] = []
        try:
            for instrument in self.instruments:
                instrument.enter_pass_ctx()
                entered.append(instrument)
        except BaseException:
            self.instruments = ()
            for instrument in entered:
                instrument.exit_pass_ctx()
            raise

    def _exit_instruments(self) -> None:
        try:
            for instrument in self.instruments:
                instrument.exit_pass_ctx()
        except BaseException:
            self.instruments = ()
            raise

    def __repr__(self) -> str:
        parts = [
            f"opt_level={self.opt_level}",
            *(
                f"{name}={value!r}"
                for name, value in (
                    ("required_pass", self.required_pass),
                    ("disabled_pass", self.disabled_pass),
                    ("instruments", self.instruments),
                    ("config", dict(self.config)),
                )
                if value
            ),
        ]
        return f"PassContext({', '.join(parts)})"


def _names(where: str, names: Iterable[str] | str | None) -> tuple[str, ...]:
    all_names = (names,) if isinstance(names, str) else tuple(names or ())
    if not all(isinstance(name, str) for name in all_names):
        raise WrongType(where=where, expected="names of passes", got=repr(names))
    return all_names


def _instruments(instruments: Iterable[PassInstrument] | None) -> tuple[PassInstrument, ...]:
    checked_instruments = tuple(instruments or ())
    for instrument in checked_instruments:
        if not isinstance(instrument, PassInstrument):
            raise NotAnInstrument(got=repr(instrument))
    return checked_instruments


#: entered contexts, innermost last
_STACK: Final[ContextVar[tuple[PassContext, ...]]] = ContextVar("pass contexts", default=(PassContext(),))


def _checked(config: Mapping[str, Any]) -> Mapping[str, Any]:
    # a build from the cache has no options
    from tvmscript.ir.transform.options import check_options

    return check_options(config)
