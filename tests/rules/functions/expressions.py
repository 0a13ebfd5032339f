"""Calls written as text: evaluated by the real library, and answered by the rules.

In an expression `np.linalg.norm(x, axis=0)` the names x y z are arrays, u v w arrays or Python numbers, and m n square
matrices. A name like `np.float32` is a dtype. `d` is a dtype that varies.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from promo_mypy.rules.dtypes import UnknownDtypeError
from promo_mypy.rules.functions import find
from promo_mypy.rules.functions.language.arguments import (
    UNKNOWN,
    Argument,
    Arguments,
    DtypeArgument,
    Items,
    Ranked,
    Value,
)
from promo_mypy.rules.functions.language.protocols import Answer, Part, Repeated
from promo_mypy.rules.functions.language.rank_rules import result_rank
from promo_mypy.rules.functions.language.resolving import verdict
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.ranks import RankFacts

ARRAYS = "xyz"
MIXED = "uvw"
MATRICES = "mn"
VARIABLES = f"{ARRAYS}{MIXED}{MATRICES}d"
PYTHON = ("py_bool", "py_int", "py_float", "py_complex")
NO_FORMS: Mapping[str, Form] = {}
PYTHON_DTYPES = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}


@dataclass(frozen=True)
class Expression:
    """A call, method call or attribute of one library."""

    text: str
    row: Row
    arguments: tuple[ast.expr, ...]
    keywords: tuple[tuple[str, ast.expr], ...]
    namespaces: Mapping[str, str]
    variables: tuple[str, ...]
    item: int | None = None
    """The number of the result, if the call has several."""

    def ask(
        self, system: PromotionSystem, dtypes: Mapping[str, str], forms: Mapping[str, Form] = NO_FORMS
    ) -> Answer | str:
        """The answer of the rules if the variables have those dtypes; a reason for a refusal.

        `forms`: the variables that are not arrays of some dimensions.
        """
        values = {
            name: DtypeArgument.of(dtype) if name == "d" else Operand.of(dtype, forms.get(name, Form.ARRAY))
            for name, dtype in dtypes.items()
        }
        answer = verdict(system, self.row, self._read(values))
        return answer[self.item] if isinstance(answer, tuple) and self.item is not None else answer

    def ask_rank(self, ranks: Mapping[str, int]) -> RankFacts:
        """The rank of the result by the rules if the variables have those ranks."""
        values: dict[str, Argument] = {name: Ranked(RankFacts.of(rank)) for name, rank in ranks.items()}
        return result_rank(self.row, self._read({**values, "d": DtypeArgument.of("float64")}))

    def _read(self, values: Mapping[str, Argument]) -> Arguments:
        return Arguments(
            tuple(self._argument(argument, values) for argument in self.arguments),
            tuple(sorted((name, self._keyword(name, argument, values)) for name, argument in self.keywords)),
        )

    def _keyword(self, name: str, node: ast.expr, values: Mapping[str, Argument]) -> Argument:
        if name == "dtype" and isinstance(node, ast.Constant):
            return DtypeArgument.of(str(node.value))
        return self._argument(node, values)

    def _argument(self, node: ast.expr, values: Mapping[str, Argument]) -> Argument:
        match node:
            case ast.Name(id="key"):
                return Operand.of("key")
            case ast.Name(id=name) if name in values:
                return values[name]
            case ast.Name(id=name) if name in PYTHON_DTYPES:
                return DtypeArgument.of(PYTHON_DTYPES[name])
            case ast.Constant(value=value) if not isinstance(value, bytes | type(...)):
                return Value(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() | complex() as value)):
                return Value(-value)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return Items(tuple(self._argument(item, values) for item in items))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int())) if name in values:
                array = values[name]
                return replace(array, form=Form.ZERO_D) if isinstance(array, Operand) else UNKNOWN
            case ast.Attribute(attr=name):
                try:
                    return DtypeArgument.of(name)
                except UnknownDtypeError:
                    return UNKNOWN
            case ast.BinOp() | ast.UnaryOp():
                try:
                    return Value(eval(ast.unparse(node), {}))
                except NameError:
                    return UNKNOWN
            case _:
                return UNKNOWN


@cache
def expression(text: str, library: str, namespaces: tuple[tuple[str, str], ...]) -> Expression:
    """The expression in that text; `namespaces` are the names it knows: ("np", "numpy"). Raises KeyError for a call
    of a function without a row.
    """
    known = dict(namespaces)
    node = ast.parse(text, mode="eval").body
    arguments: tuple[ast.expr, ...] = ()
    keywords: tuple[tuple[str, ast.expr], ...] = ()
    item = None
    if isinstance(node, ast.Subscript):
        item, node = ast.literal_eval(node.slice), node.value
    callee = node
    if isinstance(node, ast.Call):
        arguments = tuple(node.args)
        keywords = tuple((keyword.arg or "", keyword.value) for keyword in node.keywords)
        callee = node.func
    path: list[str] = []
    while isinstance(callee, ast.Attribute):
        path.insert(0, callee.attr)
        callee = callee.value
    assert isinstance(callee, ast.Name), text
    if callee.id in known:
        full_name = ".".join([known[callee.id], *path])
    else:  # a method or an attribute of an array
        full_name = ".".join([library, *path])
        arguments = (callee, *arguments)
    row = find(full_name)
    if row is None:
        raise KeyError(full_name)
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return Expression(text, row, arguments, keywords, known, tuple(v for v in VARIABLES if v in names), item)


def spelled(answer: Answer | str) -> str:
    """As golden tables write it: "float32", "int64|float64", "int64..." for a sequence, "!" for a refusal, "?"."""
    if isinstance(answer, str):
        return "!"
    if isinstance(answer, tuple):
        return "|".join(map(spelled_part, answer))
    return spelled_part(answer)


def spelled_part(answer: Part) -> str:
    if answer is None:
        return "?"
    if isinstance(answer, Repeated):
        return f"{answer.of.name}..."
    return answer.name


def agree(measured: str, ours: str) -> bool:
    """Whether a measured cell agrees with the rules; an unknown dtype ("?") always agrees."""
    if ours == "?" or measured == ours:
        return True
    if measured.startswith("!"):
        return ours == "!"
    one, other = measured.split("|"), ours.split("|")
    if ours.endswith(("...", "|?")) and not measured.endswith("..."):
        other[-1:] = [other[-1].removesuffix("...")] * (1 + len(one) - len(other))
    return len(one) == len(other) and all(b in (a, "?") for a, b in zip(one, other, strict=True))
