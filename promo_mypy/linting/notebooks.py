"""Check notebooks as modules, and give the findings the places in their cells."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.parsers import Files
from promo_mypy.notebooks.modules import CellLines, NotebookModule
from promo_mypy.notebooks.reading import SUFFIX, NotebookError, OtherLanguageError, read_notebook
from promo_mypy.rules.findings import Finding, Span


def is_notebook(path: Path) -> bool:
    """Whether a path names a notebook."""
    return path.suffix == SUFFIX


def put_notebooks(files: Iterable[Path], file_system: Files) -> tuple[dict[str, NotebookModule], list[LeftOut]]:
    """Let mypy read the notebooks among some files as modules. Those of other languages are skipped.

    Returns:
        The modules by path, and what could not be read: notebooks, and cells of those that could.
    """
    modules: dict[str, NotebookModule] = {}
    left_out = []
    for path in filter(is_notebook, files):
        try:
            module = read_notebook(file_system.read(str(path)))
        except OSError as error:
            left_out.append(LeftOut(str(path), f"it cannot be read: {error.strerror}"))
        except OtherLanguageError:
            continue
        except NotebookError as error:
            left_out.append(LeftOut(str(path), str(error)))
        else:
            modules[str(path)] = module
            file_system.put(str(path), module.text.encode("utf-8", "surrogatepass"))
            left_out += [LeftOut(f"{path}:cell {cell.number}", cell.fault) for cell in module.cells if cell.fault]
    return modules, left_out


def in_cells(findings: Iterable[Finding], module: NotebookModule) -> Iterator[Finding]:
    """Findings in the module of a notebook with the places that they have in its cells.

    A line that is no Python in the notebook is not changed: its finding has no cast.
    """
    for finding in findings:
        cell = module.cell_at(finding.span.line)
        moved = finding.moved(partial(_moved, cell)) if cell is not None else None
        if cell is not None and moved is not None:
            cast = moved.cast if finding.cast is not None and _is_written(finding.cast.span, cell) else None
            comment = finding.replacement
            replacement = moved.replacement if comment is not None and _is_written(comment.span, cell) else None
            # Calls may be in other cells, which `origin` names.
            yield replace(moved, cell=cell.number, calls=(), cast=cast, replacement=replacement)


def _moved(cell: CellLines, span: Span) -> Span:
    up = cell.first - 1
    return replace(span, line=span.line - up, end_line=span.end_line - up)


def _is_written(span: Span, cell: CellLines) -> bool:
    lines = range(span.line - cell.first + 1, span.end_line - cell.first + 2)
    return cell.rewritten.isdisjoint(lines)
