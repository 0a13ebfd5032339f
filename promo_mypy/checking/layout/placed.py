"""Turn files into mypy's sources under the names of their places, and let mypy find each file under its name alone."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from mypy.modulefinder import BuildSource
from mypy.nodes import MypyFile
from mypy.options import Options

from promo_mypy.checking.layout.imports import Imports
from promo_mypy.checking.layout.modules import Modules
from promo_mypy.checking.layout.renamed import Dependency, rename
from promo_mypy.checking.parsers import Files


@dataclass(frozen=True, slots=True)
class Placed:
    """Some files, the modules that they are, and what they import.

    Attributes:
        sources: the files, each once, with their modules.
        others: further files that mypy must be given: it does not find them by name, or reads other names in them.
        anew: the modules of files that mypy's cache cannot have.
        names: for modules that the user knows by another name: module -> that name.
        imports: the files that imports mean.
    """

    sources: tuple[BuildSource, ...]
    others: tuple[BuildSource, ...]
    anew: frozenset[str]
    names: dict[str, str]
    imports: Imports

    def add(self, path: str) -> str:
        """The module of a further file."""
        place = os.path.abspath(path)
        modules = self.imports.modules
        module, known = modules.module(place), modules.known_as(place)
        if known != module:
            self.names[module] = known
        return module

    def file(self, module: str) -> str | None:
        """The file of a module; None for one that is not found."""
        given = {source.module: source.path for source in (*self.sources, *self.others)}
        found = given.get(module) or self.imports.modules.find(module)
        if not isinstance(found, str):
            return None
        return os.path.relpath(found) if self.owns(found) else found

    def owns(self, path: str) -> bool:
        """Whether a file belongs to the repository."""
        return self.imports.modules.owns(os.path.abspath(path))

    def without(self, path: str) -> "Placed":
        """The same without a file. No import finds it."""
        place = os.path.abspath(path)
        self.imports.leave_out(place)
        sources, others = (
            tuple(each for each in group if os.path.abspath(str(each.path)) != place)
            for group in (self.sources, self.others)
        )
        return replace(self, sources=sources, others=others)

    def rename(self, tree: MypyFile) -> list[Dependency]:
        """Let a parsed file import under the names of the files that it means; return what mypy needs for it."""
        place = os.path.abspath(tree.path)
        return rename(tree, place, self.imports) if self.owns(place) else []


def placed(files: Iterable[Path], options: Options, file_system: Files) -> Placed:
    """The files as sources of mypy.

    Args:
        files: the files to check.
        options: mypy's options, which get the search path and say which names may be missing.
        file_system: through which mypy will read files and find modules.
    """
    given = {os.path.abspath(file): str(file) for file in reversed(list(files))}
    given = dict(reversed(given.items()))
    modules = Modules(os.getcwd(), given, options, file_system)
    imports = Imports(modules)
    file_system.find_by_name(modules)
    reached = imports.reached(given, lambda path: file_system.read(given.get(path, path)))
    for name in reached.names:
        options.per_module_options.setdefault(name, {})["ignore_missing_imports"] = True
    others = sorted(reached.anew - given.keys())
    layout = Placed(
        tuple(BuildSource(path, modules.module(place)) for place, path in given.items()),
        tuple(BuildSource(os.path.relpath(path), modules.module(path), followed=True) for path in others),
        frozenset(map(modules.module, reached.anew)),
        {},
        imports,
    )
    for source in layout.sources:
        layout.add(str(source.path))
    return layout
