"""Check notebooks as modules, and give the findings the places in their cells."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.parsers import Files
from promo_mypy.notebooks.modules import CellLines, NotebookModule
from promo_mypy.notebooks.reading import SUFFIX, NotebookError, OtherLanguageError, read_notebook
from promo_mypy.rules.findings import Cast, Finding, Label, Replacement, Span


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


def in_cells(findings: Iterable[Finding], module: NotebookModule) -> list[Finding]:
    """Findings in the module of a notebook with the places that they have in its cells.

    A line that is no Python in the notebook is not changed: its finding has no cast.
    """
    found = []
    for finding in findings:
        cell = module.cell_at(finding.span.line)
        if cell is not None:
            found.append(_in_cell(finding, cell))
    return found


def _in_cell(finding: Finding, cell: CellLines) -> Finding:
    cast, comment = finding.cast, finding.replacement
    has_cast = cast is not None and _is_written(cast.span, cell)
    has_comment = comment is not None and _is_written(comment.span, cell)
    return replace(
        finding,
        cell=cell.number,
        span=_moved(finding.span, cell),
        calls=(),  # they may be in other cells, which `origin` names
        labels=tuple(Label(_moved(label.span, cell), label.dtype) for label in finding.labels),
        cast=Cast(_moved(cast.span, cell), cast.template) if cast is not None and has_cast else None,
        replacement=Replacement(_moved(comment.span, cell), comment.text) if comment and has_comment else None,
    )


def _moved(span: Span, cell: CellLines) -> Span:
    up = cell.first - 1
    return replace(span, line=span.line - up, end_line=span.end_line - up)


def _is_written(span: Span, cell: CellLines) -> bool:
    lines = range(span.line - cell.first + 1, span.end_line - cell.first + 2)
    return cell.rewritten.isdisjoint(lines)
