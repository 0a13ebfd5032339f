"""The plugin of a check aside: it tells mypy what stock mypy infers where the types in the trees are the plugin's."""

from collections.abc import Callable, Mapping
from typing import Final

from mypy.nodes import Decorator, FuncBase, Var
from mypy.plugin import FunctionSigContext, MethodSigContext, Plugin
from mypy.types import AnyType, FunctionLike, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import libraries, names
from promo_mypy.plugin.inferred import array_files
from promo_mypy.plugin.mypy_api.checker import call_checking
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.mypy_api.modules.stock_variables import StockVariables
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.overloads import returns_variable
from promo_mypy.plugin.mypy_api.reports.recorded_changes import RecordedChanges
from promo_mypy.plugin.mypy_api.symbols import Symbols, is_unannotated, module_of
from promo_mypy.plugin.types.accepted_indices import Accepting, IndexOverloads, taking_index
from promo_mypy.plugin.types.stock_types import stock_type

_ANY: Final = AnyType(TypeOfAny.implementation_artifact)


class StockPlugin(Plugin):
    """Answers what stock mypy infers for the attributes of unannotated variables, and for wrapped functions."""

    def __init__(self, current: TypeChecker) -> None:
        super().__init__(current.options)
        self.set_modules(current.modules)
        self._files = current.modules
        self._with_arrays = {current.tree.fullname: True}
        self._stored = StockVariables(current)
        record = current.var_decl_frames
        self._first_types = record.first_types if isinstance(record, RecordedChanges) else {}
        self._symbols = Symbols(self.lookup_fully_qualified)
        self._wrapped = WrappedFunctions(self._symbols)
        self.inferred: set[Var] = set()
        """The variables whose types the check infers itself."""
        self._returns_variable: dict[str, bool] = {}
        indices: Accepting = {}
        self._items: Mapping[str, Callable[[MethodSigContext], FunctionLike]] = {
            f"{names.NUMPY_ARRAY}.__getitem__": IndexOverloads(lambda: indices).signature,
            **dict.fromkeys((f"{names.TORCH_TENSOR}.__getitem__", f"{names.TORCH_TENSOR}.__setitem__"), taking_index),
        }

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """What keeps mypy from asking for an array class that only the plugin makes generic."""
        return _without_array_context if self._may_return_variable(fullname) else None

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """The same for methods, and what spares mypy the comparison of an index: the result stays the same."""
        return self._items.get(fullname) or (_without_array_context if self._may_return_variable(fullname) else None)

    def _may_return_variable(self, fullname: str) -> bool:
        """Whether a function may return a type variable. A function in a function has no module in its name."""
        if fullname not in self._returns_variable:
            function = self._symbols.declared(fullname) if "." in fullname else None
            declared = get_proper_type(function.type) if isinstance(function, FuncBase | Decorator) else None
            signatures = declared.items if isinstance(declared, FunctionLike) else ()
            found = fullname.isidentifier() or any(map(returns_variable, signatures))
            self._returns_variable[fullname] = found
        return self._returns_variable[fullname]

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


def _without_array_context(ctx: FunctionSigContext | MethodSigContext) -> FunctionLike:
    if returns_variable(ctx.default_signature):
        call_checking.drop_array_context(ctx.api)
    return ctx.default_signature
