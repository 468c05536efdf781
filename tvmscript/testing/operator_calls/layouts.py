"""Layouts of images and convolution kernels, and their shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmscript.testing.operator_calls.arguments import Draws

#: how many axes of space -> their letters
SPATIAL: Final = {1: "W", 2: "HW", 3: "DHW"}


def in_layout(r: Draws, extents: Sequence[int], canonical: str) -> tuple[str, tuple[int, ...]]:
    """Draw a layout of the axes, sometimes blocked, and the shape of a tensor in it."""
    whole = dict(zip(canonical, extents, strict=True))
    order = list(canonical)
    if r.random() < 0.5:
        r.shuffle(order)
    blocks = {letter: 2 for letter in order if whole[letter] % 2 == 0 and letter in "CO" and r.random() < 0.3}
    name = "".join(order) + "".join(f"{block}{letter.lower()}" for letter, block in blocks.items())
    shape = [whole[letter] // blocks.get(letter, 1) for letter in order]
    return name, (*shape, *blocks.values())


def out_layout(r: Draws, canonical: str) -> str:
    """Draw a layout; blocked axes may be partial."""
    order = list(canonical)
    r.shuffle(order)
    return "".join(order) + r.choice(("", "", "4c", "2c"))


def arranged(whole: Sequence[int], canonical: str, layout: str) -> tuple[int, ...]:
    """The shape of a tensor of these extents in a layout of `in_layout`."""
    extents = dict(zip(canonical, whole, strict=True))
    inner: list[int] = []
    for at, letter in enumerate(layout):
        if letter.isdigit():
            extents[layout[at + 1].upper()] //= int(letter)
            inner.append(int(letter))
    return (*[extents[letter] for letter in layout if letter.isupper()], *inner)
