"""Combine the dtypes of several arguments: promotion, operators, products, equality."""

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.arguments import Items, Many, Value
from promo_mypy.rules.functions.language.calls import Call, DType, Refused, Unresolved
from promo_mypy.rules.functions.language.function_reasons import number_for_array, unequal_arguments
from promo_mypy.rules.functions.language.protocols import Answer, Rule, one
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import rule


@rule
class Promoted(Rule):
    """The dtype that the arguments promote to. Names are separated by spaces; "*arrays" stands for each item."""

    names: str
    full: bool = False
    """Whether Python's numbers count as arrays of their default dtype."""
    also: str = ""
    """An operand that the function adds: "py_float", "int64"."""
    arrays: str = ""
    """The names of arguments that may not be Python numbers."""

    def answer(self, call: Call) -> DType:
        """The library's result_type of all of them."""
        operands = call.operands(*self.names.split(), full=self.full)
        _refuse_numbers(call, self.arrays)
        also = (Operand.of(self.also),) if self.also else ()
        return call.promoted(*operands, *also)


@rule
class Joined(Rule):
    """The dtype that the results of several rules promote to."""

    rules: tuple[Rule, ...]
    also: str = ""
    """An operand that the function adds: "py_float"."""
    names: str = ""
    """The argument behind each result, if 0-d arrays yield to others."""

    @classmethod
    def of(cls, *rules: Rule, also: str = "", names: str = "") -> "Joined":
        """The rules in order."""
        return cls(rules, also, names)

    @property
    def promotes(self) -> bool:
        """Always: the results promote."""
        return True

    def answer(self, call: Call) -> DType:
        """The library's result_type of all of them."""
        also = (Operand.of(self.also),) if self.also else ()
        names = self.names.split()
        forms = [call.operand(name).form for name in names] if names else [Form.ARRAY for _ in self.rules]
        made = (Operand(one(call, rule), form) for rule, form in zip(self.rules, forms, strict=True))
        return call.promoted(*made, *also)


@rule
class Operator(Rule):
    """The result of an operator on the arguments."""

    operation: str
    names: str
    arrays: str = ""
    """The names of arguments that may not be Python numbers."""

    def answer(self, call: Call) -> DType:
        """The answer of the promotion system."""
        names = self.names.split()
        operands = call.operands(*names, operation=self.operation)
        if len(operands) < len(names):  # one of them is None
            raise Unresolved
        _refuse_numbers(call, self.arrays)
        if all(issubclass(operand.dtype, dt.PythonScalar) for operand in operands) and self.operation != "pow":
            operands = tuple(Operand(call.promoted(operand)) for operand in operands)
        return call.dtype_of(call.system.verdict(self.operation, operands))

    def asks_rank(self, system: PromotionSystem) -> bool:
        """Whether ranks decide about the operator."""
        return system.rank_decides(self.operation)


@rule
class Product(Rule):
    """The result of @ on the arguments, from left to right; "*arrays" stands for each item."""

    names: str
    arrays: str = ""
    """The names of arguments that may not be Python numbers; other numbers count as arrays."""

    def answer(self, call: Call) -> DType:
        """Unlike @, functions accept scalars."""
        operands = call.operands(*self.names.split())
        _refuse_numbers(call, self.arrays)
        first, *others = (call.promoted(operand) for operand in operands)
        for other in others:
            first = call.dtype_of(call.system.verdict("matmul", (Operand(first), Operand(other))))
        return first


@rule
class OfSubscripts(Rule):
    """The rule's result for `einsum("ij,jk", x, y)`.

    Unknown for `einsum(x, [0, 1], y, [1, 2])`, whose arrays alternate with lists of indices.
    """

    rule: Rule
    subscripts: str = "subscripts"

    def answer(self, call: Call) -> Answer:
        """The subscripts are text, or unknown."""
        if isinstance(call.bound[self.subscripts], Operand | Items | Many):
            raise Unresolved
        return self.rule.answer(call)


@rule
class Summed(Rule):
    """`einsum`: a product like @. If no index of both arrays is summed over, it is element-wise and accepts more
    dtypes.
    """

    names: str
    subscripts: str
    """The parameter with the subscripts, or the parameter whose items include them."""

    def answer(self, call: Call) -> DType:
        """Equal dtypes give the same result in both cases. A sum over an index of two arrays is rejected if @ is."""
        try:
            return Product(self.names).answer(call)
        except Refused:
            given = call.bound[self.subscripts]
            written = given.items if isinstance(given, Items) else (given,)
            if any(isinstance(one, Value) and isinstance(one.value, str) and _sums(one.value) for one in written):
                raise
            raise Unresolved from None


def _sums(subscripts: str) -> bool:
    """Whether "ij,jk->ik", or "i j, j k -> i k", sums over an index that two arrays share."""
    before, arrow, after = subscripts.partition("->")
    terms = [set(term.split() if " " in subscripts.strip() else term) for term in before.split(",")]
    return bool(arrow) and len(terms) == 2 and not (terms[0] & terms[1]) <= set(after) | set(after.split()) | {"."}


@rule
class Alike(Rule):
    """The common dtype of all arguments, weak if all are weak; different dtypes are rejected."""

    names: str
    arrays: str = ""
    """The names of arguments that may not be Python numbers."""

    def answer(self, call: Call) -> DType:
        """Python numbers count with their default dtype, weak in libraries with weak arrays."""
        operands = call.operands(*self.names.split())
        _refuse_numbers(call, self.arrays)
        dtypes = [call.promoted(operand) for operand in operands]
        if len({dtype.strong for dtype in dtypes}) > 1:
            raise Refused(unequal_arguments(call.system.dialect.library, call.function, operands))
        return dtypes[0] if all(dtype.weak for dtype in dtypes) else dtypes[0].strong


def _refuse_numbers(call: Call, names: str) -> None:
    for operand in call.operands(*names.split()) if names else ():
        if issubclass(operand.dtype, dt.PythonScalar):
            raise Refused(number_for_array(call.system.dialect.library, call.function, operand))
