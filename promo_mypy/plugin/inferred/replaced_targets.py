"""Tell whether `x += y` may replace an array by one of another library: `tensor *= ndarray` gives a new tensor."""

from collections.abc import Iterable, Iterator

from mypy.nodes import Import, ImportAll, ImportFrom, MypyFile

from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.rules.mixing import mix
from promo_mypy.rules.operations import IN_PLACE


def may_be_replaced(library: Library, file: MypyFile, operations: Iterable[str] = IN_PLACE) -> bool:
    """Whether an array of another library that the file imports would replace a target of this one."""
    others = list(_libraries(file))
    mixtures = (mix(operation, library.value, other.value) for operation in operations for other in others)
    return any(
        mixture is not None and mixture.refused is None and (mixture.wrapped or mixture.result != library.value)
        for mixture in mixtures
    )


def _libraries(file: MypyFile) -> Iterator[Library]:
    """The array libraries that a file imports."""
    for statement in file.imports:
        match statement:
            case Import():
                modules = [module for module, _ in statement.ids]
            case ImportFrom() | ImportAll():
                modules = [statement.id]
            case _:
                modules = []
        for module in modules:
            if (package := module.partition(".")[0]) in BY_PACKAGE:
                yield BY_PACKAGE[package]
