"""What surrounds passes while they run: optimization level, options, and instruments that hear of every pass."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType, TracebackType
from typing import Any, Final

from tvmscript.ir.core.errors import IRError, WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.options import OPTIONS, check_options


@dataclass(frozen=True)
class PassInfo:
    """What is known about a pass: `pass.info`."""

    #: the lowest level of a context at which `Sequential` runs it
    opt_level: int
    name: str
    #: passes that `Sequential` runs before, by name
    required: tuple[str, ...] = ()
    traceable: bool = False
    #: the pass as text, with the options that are not at their defaults: `tir.UnrollLoop{auto_max_step=16}`
    text: str = field(default="", compare=False, repr=False)
    #: what is true after it, in a line
    summary: str = field(default="", compare=False, repr=False)
    #: whether the program computes the same bits
    is_exact: bool = field(default=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.required, str) or not isinstance(self.required, list | tuple):
            raise WrongType(where="required", expected="a list of names", got=repr(self.required))
        object.__setattr__(self, "required", tuple(self.required))

    def __str__(self) -> str:
        required = "\n" * bool(self.required) + "".join(f"{name}, " for name in self.required)
        return (
            f"The meta data of the pass - pass name: {self.name}, opt_level: {self.opt_level}, "
            f"required passes: [{required}]\n"
        )


class PassInstrument:
    """Hears of every pass that runs inside of a context. Every hook does nothing unless it is overridden.

    What a hook raises ends the pass, and goes to who called it.
    """

    def enter_pass_ctx(self) -> None:
        """The context is entered."""

    def exit_pass_ctx(self) -> None:
        """The context is left."""

    def should_run(self, mod: IRModule, info: PassInfo) -> bool:
        """Whether the pass runs at all; it does where all instruments say so, or the context requires it."""
        return True

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        """The pass is about to run on the module."""

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        """The pass made this module."""

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        """The pass, or one inside of it, or an instrument, refused the module."""


class LazyInstruments(PassInstrument):
    """Instruments of every context that are made when the first pass runs."""

    def __init__(self, make: Callable[[], Iterable[PassInstrument]]) -> None:
        self._make = make

    def should_run(self, mod: IRModule, info: PassInfo) -> bool:
        made = list(self._make())
        GLOBAL_INSTRUMENTS.remove(self)
        GLOBAL_INSTRUMENTS.extend(made)
        answers = [each.should_run(mod, info) for each in made]
        return all(answers)


#: Hear of passes in every context, whoever entered it.
GLOBAL_INSTRUMENTS: Final[list[PassInstrument]] = []


@contextmanager
def instrument_everywhere(*instruments: PassInstrument) -> Generator[None, None, None]:
    """The instruments hear of every pass until this is left, also of those in contexts of their own."""
    for each in instruments:
        each.enter_pass_ctx()
    GLOBAL_INSTRUMENTS.extend(instruments)
    try:
        yield
    finally:
        for each in instruments:
            GLOBAL_INSTRUMENTS.remove(each)
            each.exit_pass_ctx()


class NotAnInstrument(IRError):
    """What is given to a pass context as an instrument is none: its class derives from `PassInstrument`, or has the
    decorator `pass_instrument`.
    """

    code = "TS4082"
    message = "{got} is not an instrument of passes"
    advice = "write @tvmscript.instrument.pass_instrument above its class, and make an instance of it"


class PassContext:
    """The optimization level, options and instruments of the passes that run inside of `with PassContext(...):`.

    `Sequential` leaves out passes of `disabled_pass` and those whose `opt_level` is higher than the context's, unless
    they are in `required_pass`; a pass that is called by itself always runs. `config` has the options of `OPTIONS`:
    they are the values of the fields that a pass was made without. An inner context stands alone: it inherits neither
    options nor instruments. Contexts belong to the thread or the task that entered them.

    Raises `UnknownOption` and `WrongOption` for what is wrong in `config`, `NotAnInstrument`, `WrongType`.
    """

    def __init__(
        self,
        opt_level: int = 2,
        required_pass: Iterable[str] | str | None = None,
        disabled_pass: Iterable[str] | str | None = None,
        instruments: Iterable[PassInstrument] | None = None,
        config: Mapping[str, Any] | None = None,
        trace: Any = None,
    ) -> None:
        if not isinstance(opt_level, int):
            raise WrongType(where="opt_level", expected="an integer", got=repr(opt_level))
        self.opt_level = opt_level
        self.required_pass = _names("required_pass", required_pass)
        self.disabled_pass = _names("disabled_pass", disabled_pass)
        self.config: Mapping[str, Any] = MappingProxyType(check_options(config or {}))
        self.instruments = _instruments(instruments)
        #: what tuning passes write down what they did in; the innermost is the last
        self.trace_stack: list[Any] = [] if trace is None else [trace]

    @staticmethod
    def current() -> PassContext:
        """The innermost context; outside of all of them one with the defaults."""
        return _STACK.get()[-1]

    @staticmethod
    def list_configs() -> dict[str, dict[str, str]]:
        """All options: what each takes (`type`), and what it means (`meaning`)."""
        return {key: {"type": each.kind.value, "meaning": each.meaning} for key, each in OPTIONS.items()}

    def runs(self, info: PassInfo) -> bool:
        """Whether `Sequential` runs the pass."""
        if info.name in self.disabled_pass:
            return False
        return info.name in self.required_pass or self.opt_level >= info.opt_level

    def override_instruments(self, instruments: Iterable[PassInstrument] | None) -> None:
        """Replace the instruments: the old ones are left, the new ones entered."""
        made = _instruments(instruments)
        self._exit_instruments()
        self.instruments = made
        self._enter_instruments()

    def push_trace(self, trace: Any) -> None:
        """Let tuning passes write to another trace."""
        self.trace_stack.append(trace)

    def pop_trace(self) -> Any:
        """Take the innermost trace away, and return it."""
        return self.trace_stack.pop()

    def get_current_trace(self) -> Any:
        """The innermost trace, or None."""
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
        """Enter all. Where one refuses, those before it are left, and the context goes on without instruments."""
        entered: list[PassInstrument] = []
        try:
            for each in self.instruments:
                each.enter_pass_ctx()
                entered.append(each)
        except BaseException:
            self.instruments = ()
            for each in entered:
                each.exit_pass_ctx()
            raise

    def _exit_instruments(self) -> None:
        try:
            for each in self.instruments:
                each.exit_pass_ctx()
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
    made = (names,) if isinstance(names, str) else tuple(names or ())
    if not all(isinstance(name, str) for name in made):
        raise WrongType(where=where, expected="names of passes", got=repr(names))
    return made


def _instruments(given: Iterable[PassInstrument] | None) -> tuple[PassInstrument, ...]:
    made = tuple(given or ())
    for each in made:
        if not isinstance(each, PassInstrument):
            raise NotAnInstrument(got=repr(each))
    return made


#: contexts that were entered, innermost last
_STACK: Final[ContextVar[tuple[PassContext, ...]]] = ContextVar("pass contexts", default=(PassContext(),))
