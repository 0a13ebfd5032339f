"""Compute the number that a constant expression stands for: names that are bound once, and arithmetic of them.

`NEVER = -1e9`, `BIG: Final = 300`, `-(2.0**30)`, `float("-inf")`, class attributes, members of enums and
`torch.finfo(torch.float32).min`. A name counts if its file binds it once. Of another module only a `Final` int counts:
it is in its type, so that mypy's daemon notices when it changes.
"""

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    Expression,
    FloatExpr,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    RefExpr,
    StrExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)

from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.trees.written_floats import written_float
from promo_mypy.rules import dtypes as dt

_BINARY: Final[Mapping[str, Callable[[Any, Any], object]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
}
_UNARY: Final[Mapping[str, Callable[[Any], object]]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
#: The largest exponent or shift that is computed: no program waits for a number of a million digits.
_LARGEST: Final = 1 << 10
_DEEPEST: Final = 12
_LIMITS: Final = {"min": "minimum", "max": "maximum"}


def constant_of(expression: Expression, tree: MypyFile) -> float | None:
    """The int or float that an expression of this file certainly has; None for any other. A bool is no number here."""
    return _Reader(definitions(tree), tree.fullname).read(expression, 0)


class _Reader:
    def __init__(self, bound: FileDefinitions, module: str) -> None:
        self._bound = bound
        self._module = module

    def read(self, expression: Expression | None, depth: int) -> float | None:
        if depth > _DEEPEST:
            return None
        match expression:
            case IntExpr(value=value) | FloatExpr(value=value):
                return value
            case UnaryExpr(op=op, expr=operand) if op in _UNARY:
                return self._computed(_UNARY[op], self.read(operand, depth + 1))
            case OpExpr(op=op, left=left, right=right) if op in _BINARY:
                return self._operated(op, self.read(left, depth + 1), self.read(right, depth + 1))
            case CallExpr(callee=RefExpr(fullname="builtins.float"), args=[StrExpr()]):
                return written_float(expression)
            case CallExpr(callee=RefExpr(fullname="builtins.float" | "builtins.int" as name), args=[given]):
                return self._computed(float if name.endswith("float") else int, self.read(given, depth + 1))
            case RefExpr():
                return self._named(expression, depth)
            case _:
                return None

    def _named(self, name: RefExpr, depth: int) -> float | None:
        written = written_float(name)
        if written is not None:
            return written
        if isinstance(name, MemberExpr):
            return _limit(name) if isinstance(name.expr, CallExpr) else self._member(name, depth)
        return self._variable(name.node, depth) if isinstance(name.node, Var) else None

    def _member(self, member: MemberExpr, depth: int) -> float | None:
        """A name of another module, an attribute of a class, or the value of a member of an enum."""
        if isinstance(member.node, Var):
            return self._final(member.node)
        owner = member.expr
        if member.name == "value" and isinstance(owner, MemberExpr):
            return self._attribute(owner, depth, of_enum=True)
        return self._attribute(member, depth, of_enum=False)

    def _attribute(self, member: MemberExpr, depth: int, *, of_enum: bool) -> float | None:
        cls = member.expr.node if isinstance(member.expr, RefExpr) else None
        if not isinstance(cls, TypeInfo) or (cls.is_enum and not (of_enum or cls.has_base("builtins.int"))):
            return None
        symbol = cls.names.get(member.name)
        is_bound_elsewhere = any(isinstance(each.target, MemberExpr) for each in self._bound.of_attributes(member.name))
        if symbol is None or not isinstance(symbol.node, Var) or is_bound_elsewhere:
            return None
        return self._variable(symbol.node, depth)

    def _variable(self, variable: Var, depth: int) -> float | None:
        final = self._final(variable)
        if final is not None:
            return final
        values = self._bound.values(variable)
        return self.read(values[0], depth + 1) if values is not None and len(values) == 1 else None

    def _final(self, variable: Var) -> float | None:
        value = variable.final_value if variable.is_final else None
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None
        is_here = "." not in variable.fullname or variable.fullname.startswith(f"{self._module}.")
        return value if is_here or isinstance(value, int) else None

    def _operated(self, op: str, left: float | None, right: float | None) -> float | None:
        if left is None or right is None or (op in ("**", "<<") and abs(right) > _LARGEST):
            return None
        return self._computed(_BINARY[op], left, right)

    def _computed(self, compute: Callable[..., object], *operands: float | None) -> float | None:
        if None in operands:
            return None
        try:
            found = compute(*operands)
        except (ArithmeticError, TypeError, ValueError):  # the program fails there
            return None
        return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def _limit(member: MemberExpr) -> float | None:
    """The number in `torch.finfo(torch.float32).min` or `np.iinfo(np.int16).max`."""
    call = member.expr
    callee = call.callee if isinstance(call, CallExpr) else None
    name = callee.name if isinstance(callee, MemberExpr) else ""
    # NumPy's limits of floats are scalars of its own.
    is_of_numpy = isinstance(callee, MemberExpr) and callee.fullname.startswith("numpy.")
    if (
        name not in (("iinfo",) if is_of_numpy else ("finfo", "iinfo"))
        or member.name not in _LIMITS
        or not isinstance(call, CallExpr)
    ):
        return None
    given = call.args[0] if len(call.args) == 1 else None
    if not isinstance(given, RefExpr) or not isinstance(given, MemberExpr | NameExpr):
        return None
    found = _DTYPES.get(given.name)
    limit = getattr(found, _LIMITS[member.name]) if found is not None else None
    return limit if limit is not None and not math.isnan(limit) else None


#: The dtypes whose limits the rules know, by the names that libraries give them.
_DTYPES: Final = {
    each.name: each
    for each in (
        *(dt.float16, dt.bfloat16, dt.float32, dt.float64, dt.int8, dt.int16, dt.int32, dt.int64),
        *(dt.uint8, dt.uint16, dt.uint32, dt.uint64),
    )
}
