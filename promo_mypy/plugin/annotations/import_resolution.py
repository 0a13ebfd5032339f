"""Resolve a name in the source to jaxtyping's own name, whatever imports bound it.

To mypy every dtype name of jaxtyping is `typing.Annotated`. Which one it was is only in the import statements. Real
code renames (`from jaxtyping import Float as F`), imports the module (`jt.Float`) and re-exports it
(`array_typing.Float`), so the statements are followed from module to module. A module that mypy took from its cache
has no import statements any more. Its mark then holds what they bound.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import ImportAll, ImportFrom, MypyFile
from mypy.util import correct_relative_import

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.modules.module_marks import Marks
from promo_mypy.plugin.mypy_api.modules.semantic_analysis import is_annotated
from promo_mypy.plugin.trees.syntax_trees import placed_statements
from promo_mypy.rules.jaxtyping_names import NAMES
from promo_mypy.rules.records import record

Modules = Mapping[str, MypyFile]
_NOTHING: Final[frozenset[str]] = frozenset()


@record
class Origin:
    """A name of jaxtyping, and the modules that re-export it between jaxtyping and the module that uses it."""

    name: str
    through: tuple[MypyFile, ...] = ()


@record
class Binding:
    """`from module import name as ...` at a line, inside a function or not."""

    module: str
    name: str
    line: int
    in_function: bool


@record
class Statements:
    """The import statements of a module: the names that they bind, and the module of each `import *`.

    `source`: the object that mypy keeps the statements in. Another one means that the module was read anew.
    """

    source: object
    bindings: Mapping[str, tuple[Binding, ...]]
    stars: tuple[str, ...]


class ImportBindings:
    """Follows import statements. Caches those of the modules that it read."""

    def __init__(self) -> None:
        self._statements: dict[str, Statements] = {}
        self._marks = Marks("names of jaxtyping's")

    def in_module(self, name: str, module: MypyFile, modules: Modules) -> Origin | None:
        """What a name at the top of a module stands for; None if it is not a name of jaxtyping."""
        bindings = [binding for binding in self._read(module).bindings.get(name, ()) if not binding.in_function]
        return self._first(bindings, modules, _NOTHING) or self._from_stars(module, name, modules, _NOTHING)

    def in_function(self, name: str, module: MypyFile, line: int, modules: Modules) -> Origin | None:
        """What a name that a function imported stands for at that line; None if it is not a name of jaxtyping."""
        bindings = [binding for binding in self._read(module).bindings.get(name, ()) if binding.line <= line]
        return self._first([binding for binding in bindings if binding.in_function], modules, _NOTHING)

    def attribute(self, module_name: str, name: str, modules: Modules) -> Origin | None:
        """What an attribute of a module stands for; None if it is not a name of jaxtyping."""
        return self._exported(module_name, name, modules, _NOTHING)

    def mark(self, module: MypyFile, modules: Modules) -> str | None:
        """Write into a module what its names stand for. Return the trigger that fires when that changes.

        None if the module has no name of jaxtyping.
        """
        if names.JAXTYPING.isdisjoint(modules) or module.fullname in names.JAXTYPING or is_own(module.fullname):
            return None
        found = {name: self.in_module(name, module, modules) for name in _annotated_names(module)}
        origins = {name: origin.name for name, origin in found.items() if origin is not None}
        return self._marks.write(module, origins, modules) if origins else None

    def _exported(self, module_name: str, name: str, modules: Modules, seen: frozenset[str]) -> Origin | None:
        if module_name in names.JAXTYPING:
            return Origin(name) if name in NAMES else None
        module = modules.get(module_name)
        if module is None or module_name in seen:
            return None
        marked = self._marks.read(module)
        if marked is not None:
            return Origin(marked[name], (module,)) if name in marked else None
        seen |= {module_name}
        bindings = [binding for binding in self._read(module).bindings.get(name, ()) if not binding.in_function]
        found = self._first(bindings, modules, seen) or self._from_stars(module, name, modules, seen)
        return Origin(found.name, (module, *found.through)) if found is not None else None

    def _first(self, bindings: Sequence[Binding], modules: Modules, seen: frozenset[str]) -> Origin | None:
        # Of several bindings (`try: ... except ImportError: ...`) the last that leads to jaxtyping counts.
        for binding in reversed(bindings):
            found = self._exported(binding.module, binding.name, modules, seen)
            if found is not None:
                return found
        return None

    def _from_stars(self, module: MypyFile, name: str, modules: Modules, seen: frozenset[str]) -> Origin | None:
        for star in reversed(self._read(module).stars):
            found = self._exported(star, name, modules, seen)
            if found is not None:
                return found
        return None

    def _read(self, module: MypyFile) -> Statements:
        known = self._statements.get(module.fullname)
        if known is None or known.source is not module.imports:
            known = self._statements[module.fullname] = _statements(module)
        return known


def _annotated_names(module: MypyFile) -> list[str]:
    """The imported names of a module that stand for `typing.Annotated`. This runs for every module."""
    imported: dict[str, None] = {}
    for statement in module.imports:
        if isinstance(statement, ImportFrom):
            imported.update((renamed or name, None) for name, renamed in statement.names)
        elif isinstance(statement, ImportAll):
            imported.update(dict.fromkeys(module.names))
    symbols = ((name, module.names.get(name)) for name in imported)
    return [name for name, symbol in symbols if symbol is not None and is_annotated(symbol.node)]


def _in_classes(module: MypyFile) -> set[tuple[int, int]]:
    """The places of the imports in class bodies. mypy lists them among the imports of the module.

    The names that they bind have no meaning outside the class, and mypy does not accept them as types inside.
    """
    imports = (statement for statement in module.imports if isinstance(statement, ImportFrom))
    if not any(statement.is_top_level and statement.column > 0 for statement in imports):
        return set()
    # `module.imports` holds copies of the statements.
    return {
        (statement.line, statement.column)
        for statement, function, classes in placed_statements(module.defs)
        if classes and function is None and isinstance(statement, ImportFrom)
    }


def _statements(module: MypyFile) -> Statements:
    bindings: dict[str, tuple[Binding, ...]] = {}
    stars: list[str] = []
    of_classes = _in_classes(module)
    for statement in module.imports:
        if statement.is_unreachable or not isinstance(statement, ImportFrom | ImportAll):
            continue
        if (statement.line, statement.column) in of_classes:
            continue
        source, _ = correct_relative_import(
            module.fullname, statement.relative, statement.id, module.is_package_init_file()
        )
        if isinstance(statement, ImportAll):
            stars.append(source)
            continue
        for name, renamed in statement.names:
            binding = Binding(source, name, statement.line, not statement.is_top_level)
            bindings[renamed or name] = (*bindings.get(renamed or name, ()), binding)
    return Statements(module.imports, bindings, tuple(stars))
