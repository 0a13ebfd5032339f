"""Find out which classes that an error expects accept no container: mypy prints only their names."""

from collections.abc import Iterable

from mypy.nodes import MypyFile, SymbolNode, TypeAlias, TypeInfo, TypeVarExpr

from promo_mypy.plugin.mypy_api.type_checker import TypeChecker
from promo_mypy.plugin.types import marked_messages
from promo_mypy.plugin.types.printed_fits import CLASS, is_known
from promo_mypy.plugin.types.printed_types import class_of, union_members


def accept_no_container(current: TypeChecker, message: str) -> bool:
    """Whether an error is about a container where such a class is declared.

    mypy prints `Scheme` for a class of the program, which accepts no list, and for a protocol, which may accept one.
    """
    message = marked_messages.with_quotes(message)
    types = marked_messages.given_and_expected(message)
    if types is None:
        return False
    printed = [f"{CLASS}{each}" if _is_plain_class(each, current) else each for each in union_members(types[1])]
    before, quoted, after = message.rpartition(f'"{types[1]}"')
    if not quoted or not any(each.startswith(CLASS) for each in printed):
        return False
    return not marked_messages.is_of_marks(f'{before}"{" | ".join(printed)}"{after}')


def _is_plain_class(expected: str, current: TypeChecker) -> bool:
    """Whether a printed type is a class that is no protocol, by all types of that name in the file, or in any file."""
    if is_known(expected):
        return False
    name = class_of(expected)
    here = _types(name, [current.tree])
    found = here or _types(name, current.modules.values())
    return bool(found) and all(isinstance(node, TypeInfo) and not node.is_protocol for node in found)


def _types(name: str, files: Iterable[MypyFile]) -> list[SymbolNode]:
    """What messages may print under that name, as these files declare or import it."""
    symbols = (file.names.get(name) for file in files)
    nodes = [symbol.node for symbol in symbols if symbol is not None]
    return [node for node in nodes if isinstance(node, TypeAlias | TypeInfo | TypeVarExpr)]
