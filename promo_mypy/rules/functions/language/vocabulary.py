"""The basic rules of the rows. A rule that needs the result of another rule holds that rule."""

from collections.abc import Container
from typing import ClassVar, Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import DtypeArgument, Items, Many, Other, Value
from promo_mypy.rules.functions.language.calls import Call, DType, Unresolved
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.protocols import Answer, NeverPromotes, Rule, one
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.records import rule


@rule
class Same(NeverPromotes):
    """The dtype of an argument. A Python number or a list counts as the array that it becomes."""

    name: str

    def kept(self, given: Container[str]) -> str:  # noqa: ARG002 (the interface)
        """The argument."""
        return self.name

    def answer(self, call: Call) -> DType:
        """The dtype of that argument."""
        return call.promoted(call.operand(self.name))


@rule
class SameIfFilled(Same):
    """The dtype of an argument, unknown for an empty list: it becomes what the parameter takes."""

    def answer(self, call: Call) -> DType:
        """The dtype of that argument."""
        if call.bound[self.name] == Items(()):
            raise Unresolved
        return Same.answer(self, call)


@rule
class OfArray(NeverPromotes):
    """The dtype of an argument that is an array, not a number or a list."""

    name: str

    def answer(self, call: Call) -> Answer:
        """Unknown for anything else."""
        argument = call.bound[self.name]
        if isinstance(argument, Operand) and issubclass(argument.dtype, dt.Shaped):
            return argument.dtype
        raise Unresolved


@rule
class PassedOn(OfArray):
    """The dtype of an array among values that a function passes on: texts, numbers and lists are not arrays.

    An argument of unknown type may stand for any number of values, as in `dask.compute(x, *others)`.
    """

    def answer(self, call: Call) -> Answer:
        """None for a value that is certainly no array."""
        is_other = isinstance(call.bound[self.name], Value | Items | Many | Other)
        return None if is_other else OfArray.answer(self, call)


@rule
class Fixed(NeverPromotes):
    """Always that dtype."""

    dtype: DType

    def answer(self, call: Call) -> DType:
        """The dtype as the library stores it."""
        return call.stored(self.dtype)


@rule
class Cast(Fixed):
    """A cast to the dtype that the name of the method states: `x.double()`."""


@rule
class Default(NeverPromotes):
    """The library's default dtype of a kind: "f" for floats, "i" for indices."""

    kind: str
    weak: bool = False

    def answer(self, call: Call) -> DType:
        """Depends on the configuration: x64, torch.set_default_dtype."""
        dtype = call.default(self.kind)
        return dt.WEAK.get(dtype, dtype) if self.weak else dtype


@rule
class Python(NeverPromotes):
    """A Python number of that kind, not an array; the kind "" is a value without a known dtype."""

    kind: str = ""

    def answer(self, call: Call) -> Answer:  # noqa: ARG002 (the interface)
        """The class of the scalar."""
        return dt.PYTHON_SCALARS[_SCALARS[self.kind]] if self.kind else None


_SCALARS: Final = {scalar.kind: name for name, scalar in dt.PYTHON_SCALARS.items()}


@rule
class Drawn(Rule):
    """Numbers drawn from a distribution: in NumPy a Python number if neither a size nor an array is given."""

    kind: str
    names: str = ""
    """The parameters of the distribution."""

    def answer(self, call: Call) -> Answer:
        """Arrays are of the default dtype."""
        sized = call.has("size")
        given = [name for name in self.names.split() if not (sized and call.is_unknown(name)) and call.given(name)]
        operands = [call.operand(name) for name in given]
        for operand in operands:
            if operand.dtype.kind == "c" or operand.dtype is dt.float128:  # it must be float64 or fit into one
                call.refuse(dt.complex128 if operand.dtype.kind == "c" else dt.float128, operand)
        alone = not sized and not call.given("size") and all(operand.form is not Form.ARRAY for operand in operands)
        if alone and call.library == "numpy":
            return Python(self.kind).answer(call)
        return call.default(self.kind)


@rule
class Item(Rule):
    """The Python number that `x.item()` returns for an element of the rule's result."""

    rule: Rule

    def answer(self, call: Call) -> Answer:
        """By the kind of the dtype."""
        dtype = one(call, self.rule)
        # Python has no such numbers, so it is a scalar of the library. PRNG keys have no items.
        if dtype in (dt.float128, dt.complex256, dt.key):
            raise Unresolved
        return Python("i" if dtype.kind == "u" else dtype.kind).answer(call)


@rule
class Strong(Rule):
    """The dtype without weakness."""

    rule: Rule

    def answer(self, call: Call) -> DType:
        """The strong dtype."""
        return one(call, self.rule).strong


@rule
class Weakening(Rule):
    """The rule's result if it is strong. Whether a weak result stays weak depends on shapes."""

    rule: Rule

    def answer(self, call: Call) -> DType:
        """Unknown for a weak dtype."""
        dtype = one(call, self.rule)
        if dtype.weak:
            raise Unresolved
        return dtype


@rule
class Nested(Rule):
    """The dtype that all arrays and numbers in nested sequences promote to."""

    name: str

    def answer(self, call: Call) -> DType:
        """The library's result_type of all of them, weak if all are."""
        return call.promoted(*dict.fromkeys(call.leaves(call.bound[self.name])))


@rule
class Asked(Rule):
    """The dtype argument; without one, the rule's result."""

    rule: Rule
    name: str = "dtype"
    table: str = ""
    """How the dtype argument is converted, as in `Converted`."""
    by_numpy: bool = False
    """Whether NumPy first casts a NumPy array to the dtype argument, so that the library need not have its dtype."""

    def kept(self, given: Container[str]) -> str:
        """What the rule keeps, unless a dtype is given."""
        return "" if self.name in given else self.rule.kept(given)

    def takes_any(self, call: Call) -> bool:
        """Where NumPy casts, if a dtype is given."""
        return self.by_numpy and call.given(self.name)

    def answer(self, call: Call) -> Answer:
        """A dtype argument is never weak."""
        dtype = call.dtype(self.name)
        if dtype is None:
            return self.rule.answer(call)
        return Converted(Fixed(dtype), self.table).answer(call) if self.table else dtype


@rule
class Inferred(Rule):
    """An array made from an array, a Python number, or nested lists of either."""

    name: str
    weak: bool = False
    """Whether the array of a single Python number is weak."""

    def kept(self, given: Container[str]) -> str:  # noqa: ARG002 (the interface)
        """An array keeps its dtype."""
        return self.name

    def answer(self, call: Call) -> DType:
        """Python numbers get the library's default dtypes; in NumPy the size of an int matters, too."""
        argument = call.bound[self.name]
        if isinstance(argument, Items | Many):
            return call.inferred(argument)
        number = call.number(argument.value) if isinstance(argument, Value) else None
        dtype = call.promoted(number or call.as_operand(argument))
        scalar = not isinstance(argument, Operand) or issubclass(argument.dtype, dt.PythonScalar)
        return dtype.strong if scalar and not self.weak else dtype


@rule
class Gathered(Rule):
    """An array made from several numbers: names of arguments. None is skipped."""

    names: str

    def answer(self, call: Call) -> DType:
        """The dtype of a list of the numbers."""
        given = tuple(call.bound[name] for name in self.names.split() if call.given(name))
        return call.inferred(Items(given))


@rule
class Dtypes(Rule):
    """The dtype that dtypes and arrays promote to: result_type(x, "float32")."""

    takes_dtypes: ClassVar[bool] = True

    names: str

    def answer(self, call: Call) -> DType:
        """A dtype counts as an array of that dtype."""
        arguments = (call.bound[name] for name in self.names.split())
        items = (item for one in arguments for item in (one.items if isinstance(one, Items) else (one,)))
        operands = (Operand(i.dtype) if isinstance(i, DtypeArgument) else call.as_operand(i) for i in items)
        return call.promoted(*operands)
