"""Read the names of systems and operands on the command line, with near matches for typing errors and completion."""

from collections.abc import Iterable, Mapping
from typing import Final

import typer

from promo_mypy.cli import own_systems
from promo_mypy.cli.formats.short_names import OPERANDS
from promo_mypy.rules.dtypes import CATEGORIES, DTYPES, PYTHON_SCALARS, PythonScalar, Shaped
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operators import OPERATORS
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.systems import get_system, system_names
from promo_mypy.rules.wording.near_matches import meant

#: Every name of an operand: "float32", "float32*", "bool_", "f32", "1.0", "float", "py_float".
_OPERANDS: Final[Mapping[str, type[Shaped] | type[PythonScalar]]] = {
    **{dtype.__name__: dtype for dtype in DTYPES.values()},
    **{name.removeprefix("py_"): scalar for name, scalar in PYTHON_SCALARS.items()},
    **PYTHON_SCALARS,
    **OPERANDS,
    **DTYPES,  # last, because "bool" is the dtype
}

#: "promote" and the operators of two operands: the operations that a table can show.
OPERATIONS: Final = (
    "promote",
    *dict.fromkeys(row.operation for row in OPERATORS.values() if row.kind in ("binary", "comparison", "inplace")),
)


def system_named(text: str) -> PromotionSystem:
    """The system of that name, built in or user-defined. Raises typer.BadParameter, naming near matches."""
    if text not in system_names():
        own_systems.use_folder()
    names = system_names()
    if text not in names:
        raise typer.BadParameter(f"no promotion system is called {text!r}{meant(text, names)}")
    return get_system(text)


def operand_named(text: str) -> Operand:
    """The operand of that name. Raises typer.BadParameter, naming near matches.

    A dtype is "float32" or "f32", a weak one "int64*" or "i*", a Python scalar "int", "py_int" or "1".
    """
    found = _OPERANDS.get(text)
    if found is None:
        if text in CATEGORIES:
            raise typer.BadParameter(f"{text} is a category of dtypes: name one dtype, such as float32")
        raise typer.BadParameter(f"no dtype is called {text!r}{meant(text, _OPERANDS)}")
    return Operand(found)


def operands_listed(text: str) -> tuple[Operand, ...]:
    """The operands of a list, separated by commas. Raises typer.BadParameter."""
    return tuple(operand_named(name.strip()) for name in text.split(",") if name.strip())


def operation_named(text: str) -> str:
    """The operation of that name, "promote" or an operator of two operands. Raises typer.BadParameter."""
    if text not in OPERATIONS:
        raise typer.BadParameter(
            f"no operation is called {text!r}{meant(text, OPERATIONS)}; there are {', '.join(OPERATIONS)}"
        )
    return text


def complete_system(incomplete: str) -> list[str]:
    """The systems whose names begin with the text."""
    return beginning(incomplete, dict.fromkeys((*system_names(), *own_systems.names_in_folder())))


def complete_operand(incomplete: str) -> list[str]:
    """The dtypes and Python scalars whose names begin with the text; the last one in a list with commas."""
    return beginning(incomplete, (*DTYPES, "int", "float", "complex"))


def complete_operation(incomplete: str) -> list[str]:
    """The operations whose names begin with the text."""
    return beginning(incomplete, OPERATIONS)


def beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    """The names that begin with a text, or in a list with commas with the last text, each behind the others."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]
