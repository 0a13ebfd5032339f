"""Put a part of a file, and what it reads of others, into the state that stock mypy finds, and undo that.

This is the list of what the plugin changes in mypy's trees, classes and tables before and while mypy checks a file:

- operators of array classes have other declarations (`generic_arrays`);
- functions without a type have a signature of Any (`untyped_functions`), and names are bound to such functions
  (`bind_to_function`);
- variables of inferred type are widened, and have types that only the plugin knows;
- values of `x, y = y, x` are evaluated first, parameters are narrowed (`tree_changes`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    ClassDef,
    Decorator,
    FakeInfo,
    FuncDef,
    FuncItem,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OverloadedFuncDef,
    RefExpr,
    SymbolTable,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import (
    AnyType,
    PartialType,
    TypeOfAny,
    get_proper_type,
)

from promo_mypy.plugin import libraries, names
from promo_mypy.plugin.inferred.aside.stock_plugin import StockPlugin
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.nodes import tree_changes
from promo_mypy.plugin.mypy_api.nodes.private_attributes import rename
from promo_mypy.plugin.mypy_api.nodes.undone import Undone
from promo_mypy.plugin.mypy_api.symbols import is_unannotated, module_of
from promo_mypy.plugin.trees.file_parts import Part
from promo_mypy.plugin.trees.syntax_trees import statements
from promo_mypy.plugin.types import untyped_functions

_ANY: Final = AnyType(TypeOfAny.implementation_artifact)


@contextmanager
def stock_trees(current: TypeChecker, part: Part, plugin: StockPlugin) -> Iterator[None]:
    """Within this context, the part is as stock mypy finds it. Whatever a check of it changes is undone."""
    with Undone() as undone, _stock_operators(current):
        if isinstance(part.node, MypyFile):
            _leave_out_functions(part.node, undone)
        _restore_variables(part, plugin, undone)
        yield


def _leave_out_functions(file: MypyFile, undone: Undone) -> None:
    """Have mypy check no function with the top of a file, also none that defines attributes."""
    for function in statements(file.defs):
        if hasattr(function, "def_or_infer_vars"):
            undone.set(function, "def_or_infer_vars", False)


def _restore_variables(part: Part, plugin: StockPlugin, undone: Undone) -> None:
    own, others, every = set[Var](), set[Var](), list(part.nodes())
    for node in every:
        _keep(node, undone)
        variable = _bound_by_mypy(node, plugin, undone) if isinstance(node, NameExpr | MemberExpr) else None
        if variable is not None and untyped_functions.is_among([variable.type]):
            undone.set(variable, "type", _ANY)
        function = node.node if isinstance(node, RefExpr) else None
        if isinstance(function, Decorator):
            undone.set(function.var, "type", plugin.of_decorated(function))
        if variable is None or not plugin.has_inferred_type(variable) or variable.name == "_":
            continue  # semantic analysis gives `_` the type Any
        if isinstance(node, NameExpr) and node.is_new_def:
            undone.set(node, "is_inferred_def", True)
            own.add(variable)
        elif isinstance(node, MemberExpr) and node.is_inferred_def:
            own.add(variable)
        else:
            others.add(variable)
    for node in every:
        if isinstance(node, ClassDef) and not isinstance(node.info, FakeInfo):  # mypy analyses what is reachable
            others |= _inherited(node.info)
    plugin.inferred = own
    for variable in own:
        undone.keep(variable, "type", "is_ready", "is_inferred")
        variable.type, variable.is_ready, variable.is_inferred = None, False, True
    for variable in others - own:
        typ = variable.type
        if typ is not None and not isinstance(typ, PartialType) and not libraries.is_own(module_of(variable)):
            undone.set(variable, "type", plugin.type_of(variable, typ))


def _bound_by_mypy(reference: RefExpr, plugin: StockPlugin, undone: Undone) -> Var | None:
    """The variable to which mypy binds a name. The plugin may have bound it to another one."""
    variable = reference.node
    if not isinstance(variable, Var):
        return None
    if "." in variable.fullname and isinstance(variable.info, FakeInfo):
        symbol = plugin.lookup_fully_qualified(variable.fullname)
        if symbol is not None and isinstance(symbol.node, Var) and symbol.node is not variable:
            undone.set(reference, "node", symbol.node)
            return symbol.node
    return variable


def _inherited(info: TypeInfo) -> set[Var]:
    """The unannotated attributes of the base classes, with which those of a class are compared."""
    own = (base for base in info.mro[1:] if not libraries.is_own(base.module_name))
    every = (symbol.node for base in own for symbol in base.names.values())
    return {node for node in every if isinstance(node, Var) and is_unannotated(node)}


def _keep(node: Node, undone: Undone) -> None:
    """Keep what a check of a node changes, and undo what the plugin has changed in it."""
    match node:
        case Decorator():
            undone.keep(node.var, "type", "is_ready", "is_inferred")
        case OverloadedFuncDef():
            undone.keep(node, "type")
        case AssignmentStmt(rvalue=IndexExpr(base=TupleExpr() as values)) if tree_changes.is_whole(node.rvalue):
            undone.set(node, "rvalue", values)
    if isinstance(node, FuncItem):
        for argument in node.arguments:
            undone.keep(argument.variable, "type", "is_ready", "is_inferred")
            if isinstance(node, LambdaExpr):
                argument.variable.type = None  # that of an earlier check of its body
    if isinstance(node, FuncDef):
        written = tree_changes.without_narrowing(node)
        if len(written) < len(node.body.body):
            undone.set(node.body, "body", written)


@contextmanager
def _stock_operators(current: TypeChecker) -> Iterator[None]:
    """Within this context, the operators of array classes have the declarations of their library."""
    replaced = _replaced_operators(tuple(_array_classes(current)))
    _exchange(replaced)
    try:
        yield
    finally:
        _exchange(replaced)


def _exchange(operators: Sequence[tuple[SymbolTable, str, str]]) -> None:
    """Exchange the plugin's declaration of each operator for the library's, or back."""
    for symbols, name, moved in operators:
        symbols[name], symbols[moved] = symbols[moved], symbols[name]


def _array_classes(current: TypeChecker) -> Iterator[TypeInfo]:
    rows = [(names.NUMPY_ARRAY,), *((row.array, *row.classes, *row.bases) for row in libraries.GENERIC)]
    for fullname in dict.fromkeys(each for row in rows for each in row):
        module, _, name = fullname.rpartition(".")
        file = current.modules.get(module)
        symbol = file.names.get(name) if file is not None else None
        if symbol is not None and isinstance(symbol.node, TypeInfo):
            yield symbol.node


@lru_cache(maxsize=1)  # a daemon makes new classes if it reads a library again
def _replaced_operators(classes: tuple[TypeInfo, ...]) -> Sequence[tuple[SymbolTable, str, str]]:
    """The operators for which the plugin has another declaration: the symbols of a class, and the names of both.

    The library's declarations get their own names back, by which mypy knows in its errors that they are operators.
    """
    found: list[tuple[SymbolTable, str, str]] = []
    for info in classes:
        for moved in [each for each in info.names if each.startswith(names.STOCK_PREFIX)]:
            name = moved.removeprefix(names.STOCK_PREFIX)
            for part in _parts(info.names[moved].node):
                if isinstance(part, FuncDef | Var):
                    rename(part, name)
                for signature in getattr(get_proper_type(part.type), "items", ()):
                    signature.name = (signature.name or name).replace(names.STOCK_PREFIX, "")
            found.append((info.names, name, moved))
    return found


def _parts(node: object) -> Iterator[FuncDef | Var | OverloadedFuncDef]:
    """The declarations of a function with its overloads and decorators."""
    for each in (node, *(node.items if isinstance(node, OverloadedFuncDef) else ())):
        for part in (each.func, each.var) if isinstance(each, Decorator) else (each,):
            if isinstance(part, FuncDef | Var | OverloadedFuncDef):
                yield part
