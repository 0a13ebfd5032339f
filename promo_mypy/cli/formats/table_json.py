"""Write a promotion table as JSON, in the form that docs/command-line.md describes."""

import json
from typing import Any, Final

from promo_mypy.cli.formats.table_cells import Outcome, Table
from promo_mypy.rules.dtypes import PythonScalar
from promo_mypy.rules.operands import Operand

#: Increases when a key changes its meaning or is removed, not when a key is added.
VERSION: Final = 1


def table_json(table: Table) -> str:
    """The table as one JSON object."""
    content = {
        "version": VERSION,
        "system": table.system,
        "versus": table.versus,
        "operation": table.operation,
        "operands": [_operand(operand, table.short(operand)) for operand in table.operands],
        "absent": list(table.absent),
        "differing": table.differing if table.versus else None,
        "cells": [
            {"left": _name(left), "right": _name(right), **_outcome(cell.outcome)}
            | ({"versus": _outcome(cell.versus), "differs": cell.differs} if cell.versus else {})
            for (left, right), cell in table.cells.items()
        ],
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _operand(operand: Operand, short: str) -> dict[str, Any]:
    dtype = operand.dtype
    form = "python scalar" if issubclass(dtype, PythonScalar) else "weak dtype" if dtype.weak else "dtype"
    return {"name": _name(operand), "short": short, "form": form}


def _name(operand: Operand) -> str:
    """The unique name that every command accepts: "py_bool", because "bool" is the dtype."""
    return operand.dtype.name


def _outcome(outcome: Outcome) -> dict[str, str | None]:
    return {"result": outcome.result, "reason": outcome.reason, "remedy": outcome.remedy}
