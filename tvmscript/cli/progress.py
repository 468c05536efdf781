"""Progress of long work: a line on standard error, where that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def progress(count: int) -> Generator[Callable[[str], None]]:
    """Show a bar of so many steps; the context is a function that is called with the name of each when it begins."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=count, completed=-1)

        def begin(step: str) -> None:
            bar.update(task, description=step, advance=1, refresh=True)  # short steps are seen, too

        yield begin
