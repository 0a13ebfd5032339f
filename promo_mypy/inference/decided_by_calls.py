"""Find expressions whose dtype each call of their function decides: it follows from the dtypes of parameters.

`Promote["x", "y"]` in the annotation of a result names such parameters, as type variables do. A parameter without a
dtype is one as well: its own dtype is unknown, and what is computed from it and from known values follows from it.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mypy.types import AnyType, Instance, Type, get_proper_type

from promo_mypy.inference import library_names
from promo_mypy.inference.arrays import arrays_of
from promo_mypy.inference.candidates import Candidates, returned
from promo_mypy.inference.program import Known, Module, Program
from promo_mypy.inference.sample_calls import SampleCalls, is_of_shape
from promo_mypy.inference.scopes import Scopes
from promo_mypy.inference.typed_expressions import TypedExpressions, deciding_parts, displayed
from promo_mypy.plugin import names
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.rows import Row

_PROMOTE: Final = names.PROMOTE.rpartition(".")[2]
_CONTAINERS: Final = frozenset(
    ("builtins.list", "builtins.tuple", "builtins.dict", "typing.Sequence", "typing.Iterable", "typing.Mapping")
)
#: Built-in functions whose results are items of their arguments, or have their dtype.
_PASSING: Final = frozenset({"abs", "sum", "list", "tuple", "reversed", "sorted", "iter", "next", "zip", "enumerate"})


class DecidedByCalls:
    """Finds such expressions in one module.

    Args:
        module: the module.
        typed: its expressions with mypy's types.
        scopes: its scopes.
        own: the functions of the program by full name.
    """

    def __init__(
        self, module: Module, typed: TypedExpressions, scopes: Scopes, own: Mapping[str, "OwnFunction"]
    ) -> None:
        self._typed = typed
        self._scopes = scopes
        self._platform = module.platform
        self._own = own
        self._known: Final[Mapping[int, Known]] = {id(each.syntax): each for each in module.expressions}
        self._found: dict[int, bool] = {}
        self._names: Final[dict[tuple[int, str], bool]] = {}
        self._answers: Final = SampleCalls(typed, scopes, self.follows)

    def __contains__(self, expression: ast.expr) -> bool:
        """Whether it is computed from such parameters and known values. A parameter without a dtype is not."""
        if isinstance(expression, ast.Name) and self._scopes.parameter(expression) is not None:
            return self._is_promoted(expression)
        return self.follows(expression)

    def follows(self, expression: ast.expr) -> bool:
        """Whether its dtype follows from the dtypes of parameters."""
        key = id(expression)
        if key not in self._found:
            found = self._is_decided(expression)
            if isinstance(expression, ast.Name):  # its values may change the answer
                return found
            self._found[key] = found
        return self._found[key]

    def _is_decided(self, expression: ast.expr) -> bool:
        match expression:
            case ast.Name():
                return self._is_decided_name(expression)
            case ast.Attribute():
                return expression.attr in library_names.ARRAY_ATTRIBUTES and self.follows(expression.value)
            case ast.Subscript():
                return self.follows(expression.value)
            case ast.Call():
                return self._is_decided_call(expression)
            case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.BoolOp():
                return False
        return self._is_made_of(deciding_parts(expression))

    def _is_promoted(self, name: ast.Name) -> bool:
        function = self._scopes.definition(name)
        return function is not None and name.id in _promoted(function)

    def _is_decided_name(self, name: ast.Name) -> bool:
        is_parameter = self._scopes.parameter(name) is not None
        if is_parameter and self._is_promoted(name):
            return True
        if not self._scopes.binds_plainly(name) or (is_parameter and not self._is_open(name)):
            return False
        key = self._scopes.binding(name)
        if key in self._names:
            return self._names[key]
        values = [
            *(self._scopes.rebound(name) if is_parameter else self._scopes.values(name)),
            *self._scopes.added(name),
        ]
        self._names[key] = is_parameter
        if not is_parameter and not self._follow_somewhere(values):
            return False
        if all(map(self._is_certain, values)):
            self._names[key] = True
            return True
        if not is_parameter:  # `y = y + 1`: it follows unless another value does not
            self._names[key] = True
            self._drop_answers(answer=False)
            if all(map(self._is_certain, values)):
                return True
        self._names[key] = False
        self._drop_answers(answer=True)
        return False

    def _follow_somewhere(self, values: Sequence[ast.expr]) -> bool:
        return any(self.follows(each) for value in values for each in _items(value))

    def _is_certain(self, value: ast.expr) -> bool:
        return all(self.follows(each) or self._is_known(each) for each in _items(value))

    def _drop_answers(self, *, answer: bool) -> None:
        """Drop the answers that were found while a name had another one."""
        self._found = {key: each for key, each in self._found.items() if each is not answer}

    def _is_open(self, name: ast.Name) -> bool:
        """Whether a parameter is an array of unknown dtype, a container of such, or any value."""
        known = self._known.get(id(name))
        if known is None:
            return False
        return self._typed.is_any(name) or _is_unknown_array(known) or any(map(self._holds_arrays, known.types))

    def _holds_arrays(self, container: Type) -> bool:
        """Whether the items of a container are arrays of unknown dtype."""
        proper = get_proper_type(container)
        if not isinstance(proper, Instance) or proper.type.fullname not in _CONTAINERS or not proper.args:
            return False
        items = arrays_of(proper.args[-1], self._platform)
        return items is not None and items.dtypes is None

    def _is_decided_call(self, call: ast.Call) -> bool:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        row = self._row(call.func)
        if row is not None:
            return self._answers.decide(row, call)
        own = self._own.get(self._typed.definition(call.func) or "")
        own = own or self._own.get(self._typed.forward_of(call.func) or "")
        if own is not None:
            return own.follows() and self._is_made_of(arguments)
        if isinstance(call.func, ast.Name):
            return self._is_decided_builtin(call.func.id, arguments)
        if self._typed.keeps_dtype(call.func):
            return self._is_made_of(arguments[:1])
        if isinstance(call.func, ast.Attribute) and self.follows(call.func.value):
            return self._answers.decide_method(call.func, call)
        return False

    def _is_decided_builtin(self, name: str, arguments: Sequence[ast.expr]) -> bool:
        if name == "map" and arguments and isinstance(arguments[0], ast.Lambda):
            return self.follows(arguments[0].body) and self._is_made_of(arguments[1:])
        return name in _PASSING and self._is_made_of(arguments)

    def _row(self, function: ast.expr) -> Row | None:
        name = self._scopes.imported(function)
        return functions.find(name) if name is not None else None

    def _is_made_of(self, parts: Iterable[ast.expr]) -> bool:
        every = [each for part in parts for each in _items(part)]
        decided = [self.follows(each) for each in every]
        others = (part for part, is_decided in zip(every, decided, strict=True) if not is_decided)
        return any(decided) and all(map(self._is_known, others))

    def _is_known(self, expression: ast.expr) -> bool:
        if is_of_shape(expression):
            return True
        known = self._known.get(id(expression))
        if known is None:
            return isinstance(expression, ast.Constant | ast.JoinedStr)
        if known.arrays is not None:
            return known.arrays.dtypes is not None
        return not any(isinstance(get_proper_type(typ), AnyType) for typ in known.types)


def decided_of(program: Program, candidates: Mapping[str, Candidates]) -> Mapping[str, DecidedByCalls]:
    """Path of a file -> such expressions in it."""
    own: dict[str, OwnFunction] = {}
    found = {}
    for module in program.modules:
        known = candidates[module.path]
        found[module.path] = decided = DecidedByCalls(module, known.typed, known.scopes, own)
        own.update(_own_functions(module, decided))
    return found


class OwnFunction:
    """A function of the program."""

    def __init__(self, returned: Iterable[ast.expr], decided: DecidedByCalls) -> None:
        self._returned = tuple(returned)
        self._decided = decided
        self._found: bool | None = None

    def follows(self) -> bool:
        """Whether the dtypes of all that it returns follow from those of its parameters."""
        if self._found is None:
            self._found = False  # recursion
            self._found = bool(self._returned) and all(map(self._decided.follows, self._returned))
        return self._found


def _own_functions(module: Module, decided: DecidedByCalls) -> Iterator[tuple[str, OwnFunction]]:
    """The functions of a module, and the `forward` of its classes. A subclass may override any other method."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef):
            yield from _followed(node, f"{module.name}.", decided)
        elif isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == "forward":
                    yield from _followed(each, f"{module.name}.{node.name}.", decided)


def _followed(node: ast.FunctionDef, prefix: str, decided: DecidedByCalls) -> Iterator[tuple[str, OwnFunction]]:
    if not node.decorator_list:
        yield prefix + node.name, OwnFunction(returned(node), decided)


def _is_unknown_array(known: Known) -> bool:
    return known.arrays is not None and known.arrays.dtypes is None


def _promoted(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names in the `Promote["x", "y"]` of a function's result."""
    for node in ast.walk(function.returns) if function.returns is not None else ():
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == _PROMOTE:
            constants = (part.value for part in ast.walk(node.slice) if isinstance(part, ast.Constant))
            yield from (value for value in constants if isinstance(value, str))


def _items(expression: ast.expr) -> Iterator[ast.expr]:
    """An expression, or what a display of several contains."""
    is_display = isinstance(expression, ast.Tuple | ast.List)
    found = list(displayed(expression))
    if not found and not is_display:
        yield expression
    for item in found:
        yield from _items(item)
