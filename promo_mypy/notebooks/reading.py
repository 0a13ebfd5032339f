"""Read the cells of a notebook with nbformat: the extra `notebook`."""

import warnings
from importlib import import_module
from typing import Any, Final

from promo_mypy.notebooks.modules import Cell, NotebookModule, module_of

SUFFIX: Final = ".ipynb"
#: Why no notebook can be read.
MISSING: Final = 'notebooks need nbformat: python -m pip install "promo-mypy[notebook]"'
#: The languages of kernels that run Python.
_PYTHON: Final = frozenset({"python", "ipython", "python3", "sage", "sagemath"})


class NotebookError(Exception):
    """A notebook cannot be read. The message is one line."""


class OtherLanguageError(NotebookError):
    """A notebook has no Python, but another language."""


def read_notebook(content: bytes) -> NotebookModule:
    """The module of a notebook.

    Raises:
        NotebookError: nbformat is missing, or the content is no notebook with Python.
    """
    try:
        # By name: type checkers need not find it.
        nbformat: Any = import_module("nbformat")
    except ImportError as error:
        raise NotebookError(MISSING) from error
    try:
        # nbformat warns of what only matters to those who write notebooks, as of cells without an id.
        with warnings.catch_warnings(action="ignore"):
            notebook = nbformat.reads(content.decode("utf-8-sig"), as_version=4)
    except UnicodeDecodeError as error:
        raise NotebookError(f"it is not UTF-8: byte {error.start} cannot be decoded") from error
    except Exception as error:  # nbformat lets errors of all kinds through
        raise NotebookError("nbformat finds no notebook in it") from error
    language = _language(notebook.metadata)
    if language not in _PYTHON:
        raise OtherLanguageError(f"its language is {language}")
    code = [
        Cell(number, each.source) for number, each in enumerate(notebook.cells, start=1) if each.cell_type == "code"
    ]
    return module_of(code)


def source_of_cell(content: bytes, number: int) -> str:
    """The text of a cell. Raises LookupError without such a cell."""
    try:
        cell = read_notebook(content).cell(number)
    except NotebookError as error:
        raise LookupError(number) from error
    if cell is None:
        raise LookupError(number)
    return cell.source


def _language(metadata: Any) -> str:
    """The language of the kernel in lower case; Python if the notebook names none."""
    of_kernel = metadata.get("kernelspec", {}).get("language")
    return str(of_kernel or metadata.get("language_info", {}).get("name") or "python").lower()
