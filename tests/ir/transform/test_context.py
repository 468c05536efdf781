"""Pass contexts: which passes run, what fields they get, what instruments hear. Orders are those of TVM 0.17."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import tvmscript as tvm
from tvmscript.ir.core.errors import UnknownName, WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import NotAnInstrument, PassContext, PassInfo, PassInstrument, instrument_everywhere
from tvmscript.ir.transform.decorators import module_pass, prim_func_pass
from tvmscript.ir.transform.loops.unroll_loop.unroll_loop import UnrollLoop
from tvmscript.ir.transform.sequential import Sequential

TEXT = """
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i] = A[i] + T.float32(1)
"""


class Listener(PassInstrument):
    """Writes down what it hears, under its name; hooks may do something else in addition."""

    def __init__(self, tag: str, heard: list[str], **hooks: Callable[..., Any]) -> None:
        self.tag, self.heard, self.hooks = tag, heard, hooks

    def _hear(self, hook: str, text: str, *args: Any) -> Any:
        self.heard.append(f"{self.tag} {text}")
        return self.hooks[hook](*args) if hook in self.hooks else True

    def enter_pass_ctx(self) -> None:
        self._hear("enter", "enter")

    def exit_pass_ctx(self) -> None:
        self._hear("exit", "exit")

    def should_run(self, mod: IRModule, info: PassInfo) -> bool:
        return bool(self._hear("should", f"should {info.name}", info))

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        self._hear("before", f"before {info.name}")

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        self._hear("after", f"after {info.name}")

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        self._hear("failed", f"failed {info.name}")


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def ran() -> list[str]:
    """The names of the passes that ran."""
    return []


@pytest.fixture
def passes(ran: list[str]) -> dict[str, Pass]:
    """Passes of levels 0, 1, 2 and 5; the one of level 1 requires a pass."""

    def named(name: str, level: int, required: list[str] | None = None) -> Pass:
        def run(mod: IRModule, ctx: PassContext) -> IRModule:
            ran.append(name)
            return mod

        made: Pass = module_pass(run, opt_level=level, name=name, required=required)
        return made

    return {
        "zero": named("zero", 0),
        "one": named("one", 1, ["tir.Simplify"]),
        "two": named("two", 2),
        "five": named("five", 5),
    }


def module() -> IRModule:
    made = tvm.from_source(TEXT)
    assert isinstance(made, IRModule)
    return made


def test_levels(passes: dict[str, Pass], ran: list[str], heard: list[str]) -> None:
    with PassContext(opt_level=2, instruments=[Listener("x", heard)]):
        Sequential(list(passes.values()))(module())
    assert ran == ["zero", "one", "two"]
    befores = [line.removeprefix("x before ") for line in heard if " before " in line]
    assert befores == ["sequential", "zero", "tir.Simplify", "one", "two"]
    assert heard[0] == "x enter"
    assert heard[-2:] == ["x after sequential", "x exit"]


def test_required_and_disabled(passes: dict[str, Pass], ran: list[str], heard: list[str]) -> None:
    context = PassContext(
        opt_level=0, required_pass=["five"], disabled_pass=["zero"], instruments=[Listener("x", heard)]
    )
    with context:
        Sequential(list(passes.values()))(module())
        assert ran == ["five"], "disabled wins, and required passes need no level"
        assert "x should five" not in heard, "instruments are not asked about what is required"
        passes["two"](module())
        passes["zero"](module())
    assert ran == ["five", "two", "zero"], "a pass that is called by itself always runs"


def test_a_pass_that_is_disabled_and_required_does_not_run(passes: dict[str, Pass], ran: list[str]) -> None:
    with PassContext(required_pass=["zero"], disabled_pass=["zero"]):
        Sequential([passes["zero"]])(module())
    assert not ran


def test_required_passes_run_though_they_are_disabled(passes: dict[str, Pass], heard: list[str]) -> None:
    with PassContext(disabled_pass=["tir.Simplify"], instruments=[Listener("x", heard)]):
        Sequential([passes["one"]])(module())
    assert "x before tir.Simplify" in heard


def test_every_instrument_is_asked_and_all_have_to_agree(
    passes: dict[str, Pass], ran: list[str], heard: list[str]
) -> None:
    first = Listener("x", heard, should=lambda info: info.name != "zero")
    second = Listener("y", heard, should=lambda info: info.name != "two")
    with PassContext(instruments=[first, second]):
        passes["zero"](module())
        passes["two"](module())
    assert not ran
    assert heard[2:-2] == ["x should zero", "y should zero", "x should two", "y should two"]


def boom(*_: Any) -> None:
    raise ValueError("boom")


ENTERED = ["x enter", "y enter", "z enter"]
EXITED = ["x exit", "y exit", "z exit"]
LISTENED = ["x should zero", "y should zero", "z should zero", "x before zero", "y before zero", "z before zero"]
AFTER = ["x after zero", "y after zero", "z after zero"]


@pytest.mark.parametrize(
    ("hook", "expected", "left"),
    [
        ("enter", ["x enter", "y enter", "x exit"], 0),
        ("exit", ["x enter", "y enter", "z enter", *LISTENED, *AFTER, "x exit", "y exit"], 0),
        (
            "before",
            ["x enter", "y enter", "z enter", *LISTENED[:5], "x failed zero", "x exit", "y exit", "z exit"],
            3,
        ),
        (
            "after",
            [
                "x enter",
                "y enter",
                "z enter",
                *LISTENED,
                *AFTER[:2],
                "y failed zero",
                "z failed zero",
                "x exit",
                "y exit",
                "z exit",
            ],
            3,
        ),
        ("should", ["x enter", "y enter", "z enter", *LISTENED[:2], "x exit", "y exit", "z exit"], 3),
    ],
)
def test_what_a_hook_raises(
    hook: str, expected: list[str], left: int, passes: dict[str, Pass], heard: list[str]
) -> None:
    """It goes to the user; a context whose instruments cannot be entered or left has none any more."""
    context = PassContext(
        instruments=[Listener("x", heard), Listener("y", heard, **{hook: boom}), Listener("z", heard)]
    )
    outer = PassContext.current()
    with pytest.raises(ValueError, match="boom"), context:
        passes["zero"](module())
    assert heard == expected
    assert len(context.instruments) == left
    assert PassContext.current() is outer


def test_a_pass_that_fails_is_told(heard: list[str]) -> None:
    fails = module_pass(lambda mod, ctx: boom(), opt_level=0, name="fails")
    with pytest.raises(ValueError, match="boom"), PassContext(instruments=[Listener("x", heard)]):
        Sequential([fails])(module())
    assert heard[-3:] == ["x failed fails", "x failed sequential", "x exit"]


def test_inner_contexts_stand_alone(passes: dict[str, Pass], heard: list[str]) -> None:
    with PassContext(opt_level=3, instruments=[Listener("x", heard)], config={"tir.noalias": True}):
        with PassContext(opt_level=1, instruments=[Listener("z", heard)]) as inner:
            assert PassContext.current() is inner
            assert dict(inner.config) == {}
            passes["zero"](module())
        assert PassContext.current().opt_level == 3
    assert heard == [
        "x enter", "z enter", "z should zero", "z before zero", "z after zero", "z exit", "x exit",
    ]  # fmt: skip


def test_override_instruments(passes: dict[str, Pass], heard: list[str]) -> None:
    with PassContext(instruments=[Listener("x", heard)]) as context:
        context.override_instruments([Listener("new", heard)])
        passes["zero"](module())
        context.override_instruments(None)
        passes["zero"](module())
    assert heard == [
        "x enter", "x exit", "new enter", "new should zero", "new before zero", "new after zero", "new exit",
    ]  # fmt: skip


def test_instruments_of_every_context(passes: dict[str, Pass], heard: list[str]) -> None:
    with instrument_everywhere(Listener("all", heard)), PassContext(instruments=[Listener("x", heard)]):
        passes["zero"](module())
    passes["zero"](module())
    assert heard == [
        "all enter", "x enter", "all should zero", "x should zero", "all before zero", "x before zero",
        "all after zero", "x after zero", "x exit", "all exit",
    ]  # fmt: skip


def test_fields_at_their_defaults_take_the_options() -> None:
    config = {"tir.UnrollLoop": {"auto_max_step": 16, "explicit_unroll": 0}}
    assert UnrollLoop().configured(config) == UnrollLoop(auto_max_step=16, explicit_unroll=False)
    assert UnrollLoop(auto_max_step=2).configured(config) == UnrollLoop(auto_max_step=2, explicit_unroll=False)
    assert UnrollLoop(auto_max_step=16).configured({}) == UnrollLoop(auto_max_step=16)
    plain = module()
    assert UnrollLoop()(plain) is plain
    with PassContext(config=config):
        assert "unroll" in UnrollLoop()(plain).script()
        assert UnrollLoop(auto_max_step=2)(plain) is plain
        assert "unroll" in Sequential([UnrollLoop()])(plain).script()


def test_the_context_of_a_thread_is_its_own() -> None:
    levels: list[int] = []
    with PassContext(opt_level=7):
        thread = threading.Thread(target=lambda: levels.append(PassContext.current().opt_level))
        thread.start()
        thread.join()
    assert levels == [2]


def test_defaults_and_what_is_shown() -> None:
    context = PassContext.current()
    assert (context.opt_level, context.required_pass, context.disabled_pass) == (2, (), ())
    assert (context.instruments, dict(context.config)) == ((), {})
    assert (
        repr(PassContext(3, config={"tir.noalias": True})) == "PassContext(opt_level=3, config={'tir.noalias': True})"
    )
    assert PassContext(required_pass="a").required_pass == ("a",)


def test_traces_are_carried() -> None:
    context = PassContext(trace="outer")
    context.push_trace("inner")
    assert context.get_current_trace() == "inner"
    assert context.pop_trace() == "inner"
    assert context.get_current_trace() == "outer"
    assert PassContext().get_current_trace() is None


def test_what_is_no_context() -> None:
    wrong: Any = "3"
    with pytest.raises(WrongType, match="opt_level takes an integer"):
        PassContext(wrong)
    with pytest.raises(WrongType, match="disabled_pass takes names of passes"):
        PassContext(disabled_pass=[wrong, 3])  # type: ignore[list-item]  # what users do
    with pytest.raises(NotAnInstrument, match="3 is not a pass instrument") as caught:
        PassContext(instruments=[3])  # type: ignore[list-item]  # what users do
    assert caught.value.code == "TS4082"


def test_infos() -> None:
    assert str(UnrollLoop().info) == (
        "The meta data of the pass - pass name: tir.UnrollLoop, opt_level: 0, required passes: []\n"
    )
    made = prim_func_pass(lambda func, mod, ctx: func, opt_level=1, name="one", required=["a", "b"])
    assert str(made.info) == "The meta data of the pass - pass name: one, opt_level: 1, required passes: [\na, b, ]\n"
    assert UnrollLoop(auto_max_step=16).info.text == "tir.UnrollLoop{auto_max_step=16}"
    assert UnrollLoop().info.summary == "Unroll loops."
    info = Sequential([], opt_level=3, name="mine", required=["tir.Simplify"]).info
    assert (info.opt_level, info.name, info.required) == (3, "mine", ("tir.Simplify",))


def test_sequences_refuse_what_is_no_pass(passes: dict[str, Pass]) -> None:
    wrong: Any = passes["zero"]
    with pytest.raises(WrongType, match="Sequential takes a list of passes"):
        Sequential(wrong)
    with pytest.raises(WrongType, match="Sequential takes a list of passes"):
        Sequential([passes["zero"], 3])  # type: ignore[list-item]  # what users do
    unknown = module_pass(lambda mod, ctx: mod, opt_level=0, name="q", required=["tir.Simplfy"])
    with pytest.raises(UnknownName, match="there is no pass named") as caught:
        Sequential([unknown])(module())
    assert caught.value.hint == "did you mean tir.Simplify?"
    empty = module()
    assert Sequential()(empty) is empty
