"""Find expressions whose dtype each call of their function decides: it follows from the dtypes of parameters.

`Promote["x", "y"]` in the annotation of a result names such parameters, as type variables do. A parameter without a
dtype is one as well: its own dtype is unknown, and what is computed from it and from known values follows from it. So
does an attribute of `self` for which the program shows each value, if these follow from parameters of methods.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Final

from promo_mypy.plugin.interface.arrays import names
from promo_mypy.program.candidates import Candidates
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.modules import Module
from promo_mypy.program.checked.program import Program
from promo_mypy.program.checked.typed_expressions import TypedExpressions, deciding_parts, displayed
from promo_mypy.program.decided.called import Called
from promo_mypy.program.decided.fixpoints import Fixpoint
from promo_mypy.program.decided.known_values import KnownValues
from promo_mypy.program.decided.own_code import OwnCode
from promo_mypy.program.decided.own_definitions import OwnClass, may_be_container
from promo_mypy.program.decided.reader import OWNERS, Reader
from promo_mypy.program.decided.sample_calls import SampleCalls

_PROMOTE: Final = names.PROMOTE.rpartition(".")[2]


class Aspect(Enum):
    """What a question about an expression is about."""

    DTYPE = auto()
    """Its dtype."""
    OBJECT = auto()
    """The dtypes of all attributes of its value."""
    RESULTS = auto()
    """The dtypes that it returns, if it is called."""
    NAMED = auto()
    """The dtype that it stands for, as `x.dtype` does."""


#: A module, an expression in it, and what the question is about.
_Question = tuple["DecidedByCalls", ast.expr, Aspect]


class Answers:
    """The answers for a program: whether a value is certain, and whether it is rooted.

    A value is certain if parameters and known values decide its dtype, and rooted if a parameter takes part.
    """

    def __init__(self) -> None:
        self.certain: Final[Fixpoint[_Question]] = Fixpoint(lambda asked: asked[0].is_certain(*asked[1:]), start=True)
        self.rooted: Final[Fixpoint[_Question]] = Fixpoint(lambda asked: asked[0].is_rooted(asked[1]), start=False)


class DecidedByCalls(Reader):
    """Finds such expressions in one module.

    Args:
        module: the module.
        typed: its expressions with mypy's types.
        code: the functions and classes of the program.
        answers: the answers for the whole program.
    """

    def __init__(
        self,
        module: Module,
        typed: TypedExpressions,
        code: OwnCode[Reader],
        answers: Answers,
    ) -> None:
        super().__init__(module, typed)
        self.code: Final = code
        self._known: Final = KnownValues(module, typed)
        self._answers = answers
        self._called: Final = Called(self, code, SampleCalls(module, typed, self))
        self.is_namespace = self._called.is_namespace

    def __contains__(self, expression: ast.expr) -> bool:
        """Whether it is computed from such parameters and known values. A parameter itself, and its items, are not."""
        if isinstance(expression, ast.Name) and self.scopes.parameter(expression) is not None:
            return self._is_promoted(expression)
        return not self._is_read_of_parameter(expression) and self.certain(expression) and self.rooted(expression)

    def certain(self, expression: ast.expr, *, as_object: bool = False) -> bool:
        """Whether parameters and known values decide a dtype; `as_object`: those of all attributes of a value, too."""
        return self._answers.certain((self, expression, Aspect.OBJECT if as_object else Aspect.DTYPE))

    def certain_function(self, function: ast.expr) -> bool:
        """Whether parameters and known values decide the dtypes that a function returns."""
        return self._answers.certain((self, function, Aspect.RESULTS))

    def certain_dtype(self, value: ast.expr) -> bool:
        """Whether parameters and known values decide the dtype that a value stands for."""
        return self._answers.certain((self, value, Aspect.NAMED))

    def rooted(self, expression: ast.expr) -> bool:
        """Whether a parameter takes part in the value of an expression."""
        return self._answers.rooted((self, expression, Aspect.DTYPE))

    def is_certain(self, expression: ast.expr, aspect: Aspect) -> bool:
        """The rule of `certain`, `certain_function` and `certain_dtype`."""
        if aspect is Aspect.RESULTS:
            return self._called.is_certain_function(expression)
        if aspect is Aspect.NAMED:
            return self._is_certain_dtype(expression)
        as_object = aspect is Aspect.OBJECT
        if self._known.is_plain(expression) if as_object else self._known.is_known(expression):
            return True
        match expression:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.Name():
                return self._is_certain_name(expression, as_object)
            case ast.Attribute():
                return self._is_certain_attribute(expression, as_object)
            case ast.Call():
                return self._called.is_certain(expression, as_object)
            case ast.Lambda():
                return self.certain(expression.body)
            case ast.Dict():
                return all(map(self.certain, expression.values))
            case ast.DictComp():
                return self.certain(expression.value)
            case ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
        parts = list(_parts(expression))
        is_display = isinstance(expression, ast.Tuple | ast.List)
        return (bool(parts) or is_display) and all(self.certain(each, as_object=as_object) for each in parts)

    def is_rooted(self, expression: ast.expr) -> bool:
        """The rule of `rooted`."""
        match expression:
            case ast.Name():
                if self.scopes.parameter(expression) is not None:
                    is_plain = self._known.is_plain(expression) and not self._known.may_name_dtype(expression)
                    return expression.id not in OWNERS and not is_plain
                return any(map(self.rooted, self._values(expression)))
            case ast.Attribute():
                bound = self.bindings(expression)
                if self._is_field(expression):
                    return True
                if bound is not None:
                    return any(reader.rooted(value) for reader, value in bound)
                return self.rooted(expression.value)
            case ast.Call():
                return self._called.is_rooted(expression)
        return any(map(self.rooted, _parts(expression)))

    def bindings(self, attribute: ast.Attribute) -> Sequence[tuple[Reader, ast.expr]] | None:
        """All that the program binds an attribute of one of its classes to; None if it binds no such attribute.

        A property is bound to what it returns.
        """
        info = self.typed.class_of(attribute.value)
        return (self.code.contents(info.fullname, attribute.attr) if info is not None else []) or None

    def shown_bindings(self, attribute: ast.Attribute) -> Sequence[tuple[Reader, ast.expr]] | None:
        """All that an attribute of `self` is bound to, if the program shows that. Calls set a field, too."""
        is_own = isinstance(attribute.value, ast.Name) and attribute.value.id in OWNERS
        if not is_own or not self._is_shown(attribute):
            return None
        return self.bindings(attribute) or (() if self._is_field(attribute) else None)

    def _family(self, value: ast.expr) -> Sequence[OwnClass[Reader]]:
        info = self.typed.class_of(value)
        return self.code.family(info.fullname) if info is not None else ()

    def _is_certain_name(self, name: ast.Name, as_object: bool) -> bool:
        is_parameter = self.scopes.parameter(name) is not None
        if name.id in OWNERS if as_object else is_parameter and not self._known.may_lack_dtype(name):
            return False
        if not self.scopes.is_bound_by_values(name):
            return self.certain_function(name)
        values = self._values(name)
        if not values and not is_parameter:
            return self.certain_function(name)  # a function of Python
        return all(self.certain(each, as_object=as_object) for each in values)

    def _is_certain_dtype(self, value: ast.expr) -> bool:
        match value:
            case ast.Attribute(attr="dtype", value=array) if self.bindings(value) is None:
                return self.certain(array)
            case ast.Attribute() if self.typed.reference(value) is None:
                bound = self.shown_bindings(value)
                return bound is not None and all(reader.certain_dtype(each) for reader, each in bound)
            case ast.Name() if self._known.may_name_dtype(value) and self.scopes.is_bound_by_values(value):
                values = self._values(value)
                is_parameter = self.scopes.parameter(value) is not None
                return (is_parameter or bool(values)) and all(map(self.certain_dtype, values))
            case ast.IfExp() | ast.BoolOp():
                return all(map(self.certain_dtype, _parts(value)))
            case ast.Tuple() | ast.List() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return all(self.certain_dtype(each) or self.certain(each, as_object=True) for each in _parts(value))
            case ast.Subscript(value=container):
                return self.certain_dtype(container)
            case ast.Constant(value=None):
                return True  # the default
        return self._called.names_dtype(value)

    def _values(self, name: ast.Name) -> list[ast.expr]:
        """All that a variable is bound to, and added to it."""
        is_parameter = self.scopes.parameter(name) is not None
        bound = [*(self.scopes.rebound(name) if is_parameter else self.scopes.values(name))]
        default = self.scopes.default(name)
        if default is not None:
            bound.append(default)
        found = [*bound, *self.scopes.augmented(name)]
        if any(map(may_be_container, bound)):
            found += self.scopes.added(name)
        return [*found, *self.scopes.labelled(name)]

    def _is_certain_attribute(self, attribute: ast.Attribute, as_object: bool) -> bool:
        owner = attribute.value
        if attribute.attr in library_names.ARRAY_ATTRIBUTES and self.certain(owner):
            return True
        if library_names.is_known(self.scopes.imported(attribute) or ""):
            return True  # a function
        is_own = isinstance(owner, ast.Name) and owner.id in OWNERS
        bound = self.bindings(attribute)
        if bound is not None or (is_own and self._is_field(attribute)):
            is_shown = self._is_shown(attribute) and (is_own or self.certain(owner, as_object=True))
            return is_shown and all(reader.certain(value, as_object=as_object) for reader, value in bound or ())
        return not is_own and self.certain(owner, as_object=True)

    def _is_field(self, attribute: ast.Attribute) -> bool:
        """Whether calls of its class set an attribute of `self`."""
        is_own = isinstance(attribute.value, ast.Name) and attribute.value.id in OWNERS
        return is_own and any(attribute.attr in each.fields for each in self._family(attribute.value))

    def _is_shown(self, attribute: ast.Attribute) -> bool:
        """Whether the program shows everything that an attribute is bound to."""
        info = self.typed.class_of(attribute.value)
        return info is not None and self.code.is_shown(info.fullname, attribute.attr)

    def _is_read_of_parameter(self, expression: ast.expr) -> bool:
        """Whether it is what a parameter holds as an attribute, or what it returns.

        What a known method of an array returns is neither: it follows from the array.
        """
        match expression:
            case ast.Attribute(value=owner, attr=attr):
                is_read = attr not in library_names.ARRAY_ATTRIBUTES and self.bindings(expression) is None
                return is_read and (self.is_parameter(owner) or self._is_read_of_parameter(owner))
            case ast.Call(func=function) if not self._is_array_method(function):
                return self.is_parameter(function) or self._is_read_of_parameter(function)
        return False

    def _is_array_method(self, function: ast.expr) -> bool:
        """Whether it is a method that the rules know, of a value that is an array to mypy."""
        is_method = isinstance(function, ast.Attribute) and self.typed.is_array(function.value)
        return is_method and library_names.is_known(self.typed.callee(function)[0] or "")

    def _is_promoted(self, name: ast.Name) -> bool:
        function = self.scopes.definition(name)
        return function is not None and name.id in _promoted_names(function)

    def follows_parameters(self, expression: ast.expr) -> bool:
        """Whether a value has an unknown dtype that parameters decide."""
        is_unknown = self._known.is_bounded(expression) or not self._known.is_known(expression)
        return is_unknown and self.certain(expression)


def decided_of(program: Program, candidates: Mapping[str, Candidates]) -> Mapping[str, DecidedByCalls]:
    """Path of a file -> such expressions in it."""
    code, answers = OwnCode[Reader](), Answers()
    found = {}
    for module in program.modules:
        found[module.path] = decided = DecidedByCalls(module, candidates[module.path].typed, code, answers)
        code.add(decided)
    return found


def _promoted_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names in the `Promote["x", "y"]` of a function's result."""
    for node in ast.walk(function.returns) if function.returns is not None else ():
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == _PROMOTE:
            constants = (part.value for part in ast.walk(node.slice) if isinstance(part, ast.Constant))
            yield from (value for value in constants if isinstance(value, str))


def _parts(expression: ast.expr) -> Iterator[ast.expr]:
    """The expressions whose dtypes decide that of an expression; the items of a display; what a lambda returns."""
    match expression:
        case ast.Tuple() | ast.List() | ast.Starred() | ast.ListComp() | ast.GeneratorExp():
            yield from displayed(expression)
        case ast.SetComp(elt=item) | ast.DictComp(value=item) | ast.Lambda(body=item):
            yield item
        case ast.Dict(values=items):
            yield from items
        case _:
            yield from deciding_parts(expression)
