"""Let mypy read imports under the names of the files that they mean.

`from utils import f` in `examples/train.py` becomes `from examples.utils import f` in mypy's tree of that file. Places
in the code stay as they are.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from mypy.nodes import Block, Import, ImportAll, ImportBase, ImportFrom, MypyFile, Statement

from promo_mypy.checking.layout import imports as found_imports
from promo_mypy.checking.layout.imports import Imports, Meant
from promo_mypy.plugin.interface.trees import statements

#: A dependency of a file for mypy: its priority, as of `from a import b`, the module and the line.
Dependency = tuple[int, str, int]
_PRIORITY: Final = 5
_Node = TypeVar("_Node", bound=ImportBase)


def rename(tree: MypyFile, importer: str, imports: Imports) -> list[Dependency]:
    """Replace the imports in a parsed file that mypy would read wrongly; return the modules that it needs then.

    Args:
        tree: mypy's tree of a file.
        importer: the absolute path of the file.
        imports: the files that imports mean.
    """
    renamer = _Renamer(importer, imports)
    replaced = [*renamer.statements(tree.imports)]
    if not renamer.needed:
        return []
    tree.imports = [each for each in replaced if isinstance(each, ImportBase)]
    tree.defs = [*renamer.statements(tree.defs)]
    for each in statements(tree.defs):
        if isinstance(each, Block):
            each.body = [*renamer.statements(each.body)]
    return list(dict.fromkeys(renamer.needed))


class _Renamer:
    """Replaces imports among statements, and collects what mypy needs for them."""

    def __init__(self, importer: str, imports: Imports) -> None:
        self._importer = importer
        self._imports = imports
        self.needed: list[Dependency] = []

    def statements(self, statements: Iterable[Statement]) -> Iterator[Statement]:
        """Some statements with other imports."""
        for each in statements:
            match each:
                case Import():
                    yield self._import(each)
                case ImportFrom():
                    yield from self._import_from(each)
                case ImportAll():
                    yield self._import_all(each)
                case _:
                    yield each

    def _import(self, node: Import) -> Import:
        """`import a.b` as `import examples.a as a, examples.a.b as _b`: the names that it binds stay."""
        ids: list[tuple[str, str | None]] = []
        for name, alias in node.ids:
            meant = self._imports.meant(self._importer, found_imports.Import(0, name, None))
            if meant is None or not meant.is_renamed:
                ids.append((name, alias))
                continue
            self._need(meant, node)
            if alias is not None or "." not in name:
                ids.append((meant.modules[-1], alias or name))
            else:
                ids.append((meant.modules[0], name.partition(".")[0]))
        if ids == node.ids:
            return node
        return _placed(Import(ids), node)

    def _import_from(self, node: ImportFrom) -> Iterator[ImportBase]:
        names = tuple(name for name, _ in node.names)
        meant = self._imports.meant(self._importer, found_imports.Import(node.relative, node.id, names))
        if meant is None or not meant.is_renamed:
            yield node
            return
        self._need(meant, node)
        module = meant.modules[-1]
        elsewhere = {name: part for name, part in meant.parts.items() if part != f"{module}.{name}"}
        if elsewhere:
            ids = [(elsewhere[name], alias or name) for name, alias in node.names if name in elsewhere]
            yield _placed(Import(list[tuple[str, str | None]](ids)), node)
        others = [(name, alias) for name, alias in node.names if name not in elsewhere]
        if others:
            yield _placed(ImportFrom(module, 0, others), node)

    def _import_all(self, node: ImportAll) -> ImportAll:
        meant = self._imports.meant(self._importer, found_imports.Import(node.relative, node.id, ()))
        if meant is None or not meant.is_renamed:
            return node
        self._need(meant, node)
        return _placed(ImportAll(meant.modules[-1], 0), node)

    def _need(self, meant: Meant, node: ImportBase) -> None:
        if not node.is_unreachable:
            self.needed += [(_PRIORITY, name, node.line) for name in (*meant.modules, *meant.parts.values())]


def _placed(new: _Node, old: ImportBase) -> _Node:
    new.set_line(old)
    new.is_unreachable, new.is_top_level, new.is_mypy_only = old.is_unreachable, old.is_top_level, old.is_mypy_only
    return new
