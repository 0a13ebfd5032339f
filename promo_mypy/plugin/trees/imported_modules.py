"""Read the modules that the import statements of a file name."""

from collections.abc import Iterator

from mypy.nodes import Import, ImportAll, ImportFrom, MypyFile


def imported(file: MypyFile) -> Iterator[str]:
    """Their names as they are written; those of relative imports without the dots."""
    for statement in file.imports:
        if isinstance(statement, Import):
            yield from (name for name, _ in statement.ids)
        elif isinstance(statement, ImportFrom | ImportAll):
            yield statement.id
