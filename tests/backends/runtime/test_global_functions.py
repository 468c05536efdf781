"""Python functions as global functions."""

from __future__ import annotations

from tvmscript.backends.runtime.global_functions import find, none_registered, register, registered
from tvmscript.runtime import remove_global_func


def test_functions_are_registered_during_a_block() -> None:
    def first() -> int:
        return 1

    def second() -> int:
        return 2

    register("test.during.kept", first)
    try:
        with registered({"test.during.kept": second, "test.during.gone": second}):
            assert find("test.during.kept") is second
            assert find("test.during.gone") is second
        assert find("test.during.kept") is first
        assert find("test.during.gone") is None
    finally:
        remove_global_func("test.during.kept")


def test_functions_of_the_process_are_hidden_during_a_block() -> None:
    def before() -> int:
        return 1

    register("test.hidden", before)
    try:
        with none_registered():
            assert find("test.hidden") is None
            register("test.inside", before)
        assert find("test.hidden") is before
        assert find("test.inside") is None
    finally:
        remove_global_func("test.hidden")
    with none_registered():
        pass
    assert find("test.hidden") is None
