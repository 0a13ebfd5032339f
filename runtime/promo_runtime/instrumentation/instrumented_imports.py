"""Instrument the modules of some packages during their import, without changing their source files.

The caller changes their syntax trees. Line and column numbers stay the same, for tracebacks and debuggers.
Compiled instrumented code is not written to `__pycache__`.
"""

import ast
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from time import perf_counter
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

Instrument: TypeAlias = Callable[[ast.Module, "Source"], ast.Module]
"""Turns a module's tree into the tree to run."""


class Source(NamedTuple):
    """A module: its path, its full name and its content."""

    path: str
    module: str
    content: bytes


class InstrumentedImports(MetaPathFinder):
    """The import hook, between `install` and `remove`.

    Attributes:
        packages: the packages to instrument.
        imported: the instrumented modules.
        left_out: the modules that another hook loads, such as a test module that pytest rewrites or an extension
            module -> the paths of their files.
        seconds: how long parsing and compiling took.
    """

    def __init__(self, packages: Sequence[str], instrument: Instrument, names: Mapping[str, Any]) -> None:
        """`names`: the names that instrumented modules use; they are added to each of them."""
        self.packages: Final = tuple(packages)
        self.imported: Final[set[str]] = set()
        self.left_out: Final[dict[str, str]] = {}
        self.seconds = 0.0
        self._active = False
        self._searches: Final[set[tuple[int, str]]] = set()
        self._instrument: Final = instrument
        self._names: Final = dict(names)

    def install(self) -> None:
        """Take part in every import from now on."""
        self._active = True
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Do not change later imports, even if another finder has wrapped this one."""
        self._active = False
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def already_imported(self) -> list[str]:
        """Packages whose modules were executed before the hook was installed."""
        return [package for package in self.packages if package in sys.modules]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec from another finder, with the instrumenting loader if it is a plain source file."""
        if not self._active or not any(f"{fullname}.".startswith(f"{package}.") for package in self.packages):
            return None
        search = (threading.get_ident(), fullname)
        if search in self._searches:  # another finder wraps this one, and asks it again
            return None
        self._searches.add(search)
        try:
            spec = self._found(fullname, path, target)
        finally:
            self._searches.discard(search)
        if spec is None or spec.loader is None:
            return spec
        if type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self)
        else:
            self.left_out[fullname] = spec.origin or ""
        return spec

    def _found(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        """The spec from another finder."""
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(fullname, path, target) if find is not None and finder is not self else None
            if spec is not None:
                return spec
        return None

    def compiled(self, source: bytes, path: str, module: str) -> CodeType:
        """The code to run for a source file."""
        started = perf_counter()
        tree = self._instrument(ast.parse(source, path), Source(path, module, source))
        code = compile(tree, path, "exec", dont_inherit=True)
        self.seconds += perf_counter() - started
        return code

    def prepare(self, module: ModuleType) -> None:
        """Add the names that instrumented code uses to a module before it runs."""
        vars(module).update(self._names)
        self.imported.add(module.__name__)


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, imports: InstrumentedImports) -> None:
        super().__init__(fullname, path)
        self._imports = imports

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self._imports.compiled(self.get_data(path), path, fullname)

    def exec_module(self, module: ModuleType) -> None:
        self._imports.prepare(module)
        super().exec_module(module)
