"""Put a part of a file, and what it reads of others, into the state that stock mypy finds, and undo that.

This is the list of what the plugin changes in mypy's trees, classes and tables before and while mypy checks a file:

- operators of array classes have other declarations (`generic_arrays`);
- functions without a type have a signature of Any (`untyped_functions`), and names are bound to such functions
  (`bind_to_function`);
- variables of inferred type are widened, and have types that only the plugin knows;
- values of `x, y = y, x` are evaluated first, parameters are narrowed (`tree_changes`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from mypy.plugin import MethodSigContext, Plugin
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    PartialType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from promo_mypy.plugin import libraries, names
from promo_mypy.plugin.inferred import array_files
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.modules.stock_variables import StockVariables
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.nodes import tree_changes
from promo_mypy.plugin.mypy_api.nodes.private_attributes import rename
from promo_mypy.plugin.mypy_api.nodes.undone import Undone
from promo_mypy.plugin.mypy_api.reports.recorded_changes import RecordedChanges
from promo_mypy.plugin.mypy_api.symbols import Symbols, is_unannotated, module_of
from promo_mypy.plugin.trees.file_parts import Part
from promo_mypy.plugin.trees.syntax_trees import statements
from promo_mypy.plugin.types import untyped_functions
from promo_mypy.plugin.types.accepted_indices import Accepting, IndexOverloads, taking_index
from promo_mypy.plugin.types.stock_types import stock_type

_ANY: Final = AnyType(TypeOfAny.implementation_artifact)


class StockPlugin(Plugin):
    """The attributes of unannotated variables have the types that stock mypy infers."""

    def __init__(self, current: TypeChecker) -> None:
        super().__init__(current.options)
        self.set_modules(current.modules)
        self._files = current.modules
        self._with_arrays = {current.tree.fullname: True}
        self._stored = StockVariables(current)
        record = current.var_decl_frames
        self._first_types = record.first_types if isinstance(record, RecordedChanges) else {}
        self._wrapped = WrappedFunctions(Symbols(self.lookup_fully_qualified))
        self.inferred: set[Var] = set()
        """The variables whose types the check infers itself."""
        indices: Accepting = {}
        self._items: Mapping[str, Callable[[MethodSigContext], FunctionLike]] = {
            f"{names.NUMPY_ARRAY}.__getitem__": IndexOverloads(lambda: indices).signature,
            **dict.fromkeys((f"{names.TORCH_TENSOR}.__getitem__", f"{names.TORCH_TENSOR}.__setitem__"), taking_index),
        }

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """What spares mypy the comparison of an index. The result stays the same."""
        return self._items.get(fullname)

    def get_attribute_hook(self, fullname: str):  # type: ignore[no-untyped-def]
        """The hook of an attribute that a program binds."""
        return self._attribute(fullname)

    def get_class_attribute_hook(self, fullname: str):  # type: ignore[no-untyped-def]
        """The same for an attribute that is read from the class."""
        return self._attribute(fullname)

    def _attribute(self, fullname: str):  # type: ignore[no-untyped-def]
        if libraries.is_own(fullname):
            return None
        symbol = self.lookup_fully_qualified(fullname) if fullname.count(".") > 1 else None
        node = symbol.node if symbol is not None else None
        if isinstance(node, Decorator) and self._wrapped.has(node):
            return lambda ctx: self.of_wrapped(ctx.default_attr_type)
        if isinstance(node, Var) and self.has_inferred_type(node) and node not in self.inferred:
            return lambda ctx: self.type_of(node, ctx.default_attr_type)
        return None

    def has_inferred_type(self, variable: Var) -> bool:
        """Whether stock mypy infers the type of a variable. The plugin declares some as Any."""
        if is_unannotated(variable) or variable in self._first_types:
            return True
        # Each look-up makes the file depend on the module of the variable.
        return isinstance(get_proper_type(variable.type), AnyType) and self._stored.type_of(variable) is not None

    def of_decorated(self, function: Decorator) -> Type | None:
        """What stock mypy infers for a decorated function."""
        typ = function.var.type
        is_library = libraries.is_own(module_of(function.func))
        return self.of_wrapped(typ) if typ is not None and not is_library and self._wrapped.has(function) else typ

    def of_wrapped(self, typ: Type) -> Type:
        """The object that a decorator of an array library returns. Its signature is the plugin's."""
        stock = stock_type(typ)
        return stock if isinstance(get_proper_type(stock), Instance) else _ANY

    def type_of(self, variable: Var, typ: Type) -> Type:
        """What stock mypy infers for a variable that has this type."""
        stored = self._stored.type_of(variable)
        if stored is not None:
            return stored
        if not self._may_have_arrays(module_of(variable)):
            return typ
        # Before it was widened.
        return stock_type(self._first_types.get(variable, typ) if typ == variable.type else typ)

    def _may_have_arrays(self, module: str) -> bool:
        if module not in self._with_arrays:
            file = self._files.get(module)
            self._with_arrays[module] = file is None or array_files.names_arrays(file, self._files)
        return self._with_arrays[module]


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
