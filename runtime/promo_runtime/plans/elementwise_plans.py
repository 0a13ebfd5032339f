"""Plan an elementwise call: resolve its dtypes once, for all later calls with the same kinds of operands.

A plan is a function of the same arguments. For plain arrays it is often NumPy's own ufunc.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.operands import Refusal
from promo_mypy.rules.operations import BINARY
from promo_runtime.array.array import Array, data_of, wrap
from promo_runtime.array.array_types import ArrayType, array_type
from promo_runtime.array.space import Space
from promo_runtime.backends import Backend, common_backend
from promo_runtime.errors import UnknownResultError
from promo_runtime.functions.availability import root_name
from promo_runtime.functions.function_table import FUNCTIONS
from promo_runtime.kernels.block_kernels import Kernel
from promo_runtime.kernels.elementwise_rows import ROWS, VARIANTS
from promo_runtime.kernels.numpy_kernels import Step
from promo_runtime.plans import function_rules
from promo_runtime.plans.arguments import Argument, argument, backends_of
from promo_runtime.plans.computation_dtype import accepted, computed_in, is_native, plainly
from promo_runtime.plans.int_arguments import fitted, may_wrap
from promo_runtime.plans.int_literals import Literals
from promo_runtime.plans.numpy_numbers import Convert, conversions

Plan = Callable[..., Any]


def plan(space: Space, operation: str, *values: Any) -> tuple[Plan, bool]:
    """The plan for operands like these, and whether it depends only on their classes and dtypes.

    Raises PromotionError for dtypes that the system rejects, TypeError for arguments that are not operands, for arrays
    of two systems, and for backends that do not mix.
    """
    found = [argument(value) for value in values]
    check_systems(space, values)
    convert = conversions(space.system, found)
    if any(convert):
        numbers = (value if make is None else make(value) for make, value in zip(convert, values, strict=True))
        call, lasting = plan(space, operation, *numbers)
        return _converting(call, convert), lasting
    backends = backends_of(found)
    if not backends:
        raise TypeError(f"{operation} needs an array among its operands: use Python for plain numbers")
    made = _Calls(space, operation, found, common_backend(backends))
    call = made.of(made.accepted())
    literal = next((place for place, each in enumerate(found) if each.is_python_int), None)
    if literal is not None:
        call = _checked(call, made, literal) if made.is_operator else _fitting(call, made, literal)
    return call, all(each.lasts_for(value) for each, value in zip(found, values, strict=True))


def _converting(call: Plan, convert: list[Convert | None]) -> Plan:
    def converted(*values: Any) -> Any:
        return call(*(value if make is None else make(value) for make, value in zip(convert, values, strict=True)))

    return converted


def check_systems(space: Space, values: tuple[Any, ...]) -> None:
    """Raises TypeError for arrays of another system than the namespace's."""
    for value in values:
        if isinstance(value, Array) and value._type.space is not space:
            theirs, ours = value._type.system.name, space.system.name
            raise TypeError(
                f"an array under {theirs} promotion cannot be combined with {ours} promotion; "
                f'choose the rules with promo_runtime.asarray(x, system="{ours}")'
            )


class _Calls:
    """The plans for operands of these dtypes, one for each result that the value of an int may give."""

    def __init__(self, space: Space, operation: str, arguments: list[Argument], backend: Backend) -> None:
        self.space = space
        self.operation = operation
        self.arguments = arguments
        self.backend = backend
        self.operands = tuple(each.operand for each in arguments)
        function = FUNCTIONS.get(operation)
        self.function = function if function and function_rules.is_offered(space.system, function) else None
        """A function of the system's library that decides the dtype, instead of an operator."""
        self._made: dict[type[dt.Shaped], Plan] = {}

    @property
    def rule(self) -> str:
        """The operation of the rules that decides the dtype."""
        return ROWS[self.operation].operation if self.operation in ROWS else self.operation

    @property
    def is_operator(self) -> bool:
        """Whether an operator decides. Its rules cover an int out of range."""
        return plainly(self.rule) in BINARY

    def accepted(self) -> type[dt.Shaped]:
        """The dtype of the result. Raises PromotionError, and UnknownResultError if no rule states it."""
        if self.function is not None:
            named = dict(zip(self.function.arrays, self.operands, strict=True))
            found = function_rules.answer(self.space.system, self.function, named, {})
            if found is None:
                raise UnknownResultError(self.space.system.name, self.function.name, self.operands)
            return function_rules.dtype_of(found)
        answer = self.space.system.resolve(self.rule, *self.operands)
        return accepted(replace(answer, operation=self.operation) if isinstance(answer, Refusal) else answer)

    def compute(self, result: type[dt.Shaped]) -> type[dt.Shaped]:
        """The dtype to which the operands are cast."""
        if self.function is not None:
            return function_rules.computed_elementwise(self.space.system, self.function, self.operands, result)
        plain = plainly(self.rule)
        if plain != self.rule:  # in place: compute the plain operation, then store
            result = accepted(self.space.system.resolve(plain, *self.operands))
        return computed_in(self.space.system, plain, self.operands, result)

    def of(self, result: type[dt.Shaped]) -> Plan:
        """The plan that gives this dtype."""
        if result not in self._made:
            self._made[result] = self._plan(result)
        return self._made[result]

    def _plan(self, result: type[dt.Shaped]) -> Plan:
        compute, plain = self.compute(result), plainly(self.operation)
        inputs = tuple(each.loop_input for each in self.arguments)
        native = is_native(self.space.system, plainly(self.rule))
        if plain == "divmod":
            parts = [Step(ROWS[each], inputs, compute, result, native) for each in ("floordiv", "mod")]
            return self._wrapping(_both(*map(self.backend.elementwise, parts)), result)
        row = VARIANTS.get((root_name(self.space.system), plain), ROWS[plain])
        step = Step(row, inputs, compute, result, native)
        if plain == self.operation:
            return self._wrapping(self.backend.elementwise(step), result)
        if self.backend is not self.arguments[0].backend:
            raise TypeError(f"an array of {self.backend.name} cannot be stored in one of {self.arguments[0].backend}")
        return _storing(self.backend.in_place(step))

    def _wrapping(self, kernel: Kernel, result: type[dt.Shaped]) -> Plan:
        wrapped = tuple(each.wrapped for each in self.arguments)
        if not any(wrapped):
            return kernel
        kind = array_type(self.space, result, self.backend)
        if self.operation == "divmod":
            return _wrapping_pair(kernel, kind)
        return _WRAPPING[wrapped](kernel, kind)


def _both(quotient: Kernel, remainder: Kernel) -> Kernel:
    return lambda one, other: (quotient(one, other), remainder(one, other))


def _storing(kernel: Kernel) -> Plan:
    def plan(target: Array[Any], other: Any) -> Array[Any]:
        target._data = kernel(target._data, data_of(other))
        return target

    return plan


def _checked(call: Plan, made: _Calls, place: int) -> Plan:
    """The plan with a check of the value of the int at that place."""
    result, compute = made.accepted(), made.compute(made.accepted())
    beside = made.operands[1 - place]
    function = plainly(made.operation) not in BINARY
    literals = Literals(made.space.system, made.rule, beside, result, compute, reflected=place == 0, function=function)
    low, high = literals.low, literals.high
    if place:

        def right(one: Any, number: int) -> Any:
            if low <= number <= high:
                return call(one, number)
            dtype, counted = literals.read(number)
            return made.of(dtype)(one, counted)

        return right

    def left(number: int, other: Any) -> Any:
        if low <= number <= high:
            return call(number, other)
        dtype, counted = literals.read(number)
        return made.of(dtype)(counted, other)

    return left


def _fitting(call: Plan, made: _Calls, place: int) -> Plan:
    """The plan of a function without an operator, with a check of the value of the int at that place."""
    system, dtype = made.space.system, made.compute(made.accepted())
    if dtype.kind not in "ui" or not may_wrap(system, made.operation):
        return call
    if place:
        return lambda one, number: call(one, fitted(system, made.operation, dtype, number))
    return lambda number, other: call(fitted(system, made.operation, dtype, number), other)


# One closure for each combination of wrapped operands: the overhead of an `Array` over NumPy is these few lines.
def _wrapping_one(kernel: Kernel, kind: ArrayType) -> Plan:
    def plan(one: Array[Any]) -> Array[Any]:
        return wrap(kernel(one._data), kind)

    return plan


def _wrapping_pair(kernel: Kernel, kind: ArrayType) -> Plan:
    def plan(one: Any, other: Any) -> tuple[Array[Any], Array[Any]]:
        quotient, remainder = kernel(data_of(one), data_of(other))
        return wrap(quotient, kind), wrap(remainder, kind)

    return plan


def _wrapping_both(kernel: Kernel, kind: ArrayType) -> Plan:
    def plan(one: Array[Any], other: Array[Any]) -> Array[Any]:
        return wrap(kernel(one._data, other._data), kind)

    return plan


def _wrapping_left(kernel: Kernel, kind: ArrayType) -> Plan:
    def plan(one: Array[Any], other: Any) -> Array[Any]:
        return wrap(kernel(one._data, other), kind)

    return plan


def _wrapping_right(kernel: Kernel, kind: ArrayType) -> Plan:
    def plan(one: Any, other: Array[Any]) -> Array[Any]:
        return wrap(kernel(one, other._data), kind)

    return plan


_WRAPPING: Final[Mapping[tuple[bool, ...], Callable[[Kernel, ArrayType], Plan]]] = {
    (True,): _wrapping_one,
    (True, True): _wrapping_both,
    (True, False): _wrapping_left,
    (False, True): _wrapping_right,
}
"""Which operands are wrapped -> the closure."""
