"""Look up the expressions of a checked file by place, and the dtypes that mypy has inferred for them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mypy.nodes import Expression, FloatExpr, IntExpr, NameExpr, OperatorAssignmentStmt, UnaryExpr
from mypy.types import FunctionLike, Instance, LiteralType, NoneType, Type, get_proper_type

from promo_mypy.config import Options
from promo_mypy.linting.texts import FileText
from promo_mypy.plugin.interface.arrays import is_scalar_type
from promo_mypy.program.checked.arrays import Arrays, arrays_of
from promo_mypy.program.checked.nodes import place_of as place_of_node
from promo_mypy.program.checked.tree_facts import TreeFacts
from promo_mypy.program.expressions import Place
from promo_mypy.rules import dtypes as dt

if TYPE_CHECKING:
    from promo_mypy.program.checked.modules import Known
    from promo_mypy.program.model import ModuleModel

#: What has operands.
Operation = Expression | OperatorAssignmentStmt

_PYTHON: Mapping[str, str] = {
    "builtins.bool": "Python bool",
    "builtins.int": "Python int",
    "builtins.float": "Python float",
    "builtins.complex": "Python complex",
}


@dataclass(frozen=True)
class FileValues:
    """The values of one file.

    `follows`: whether dtypes count that mypy does not have, but that follow from others in the file. No finding is
    about these: other files may give them other dtypes.
    """

    module: str
    tree: TreeFacts
    text: FileText
    types: Mapping[Expression, Type]
    platform: str
    options: Options
    follows: bool = False

    @cached_property
    def followed(self) -> "FileValues":
        """The same with dtypes that follow from others, for hovers and hints."""
        return replace(self, follows=True)

    @cached_property
    def model(self) -> "ModuleModel | None":
        """What is known of its array expressions; None if the running Python cannot parse the file."""
        if self.text.tree is None:
            return None
        # Findings do without it, and it imports much.
        from promo_mypy.program.checked.modules import Reader
        from promo_mypy.program.model import model_of

        reader = Reader(self.module, self.tree, self.types, None, self.platform, frozenset(), {})
        return model_of(reader, self.text.file, self.options)

    def known(self, node: Expression) -> "Known | None":
        """An expression in the model, if its dtype may follow from others, and mypy's type leaves it open."""
        if not self.follows or self.model is None or not _is_open(self.types.get(node)):
            return None
        return self.model.of_node(node)

    def at(self, place: Place) -> Expression | None:
        """The expression at a place that has a type; the outermost of several."""
        found = self._by_place.get(place) or self._last_in(place)
        typed = [node for node in found if node in self.types]
        return next(iter(typed or found), None)

    def operation_at(self, place: Place) -> "Operation | None":
        """The same, or the in-place operation there."""
        return self._in_place.get(place) or self.at(place)

    def all_at(self, place: Place) -> list[Expression]:
        """The expressions at a place that have a type: one for each copy of a function that mypy checks.

        Of several expressions in one place, such as a name in a starred one, those of the outermost class count.
        """
        typed = [node for node in self._by_place.get(place, ()) if node in self.types]
        return [node for node in typed if type(node) is type(typed[0])]

    def _last_in(self, place: Place) -> list[Expression]:
        """The expression that ends with a place: the value in an entry of a dict, whose place mypy does not report."""
        end = (place.end_line, place.end_column)
        inside = [
            each
            for each in self._by_place
            if (each.end_line, each.end_column) == end and (each.line, each.column) > (place.line, place.column)
        ]
        return self._by_place[min(inside)] if inside else []

    def place(self, node: Expression) -> Place:
        """The place of an expression, with the parentheses around its operands."""
        return self.text.whole(place_of_node(node))

    def written(self, node: Expression) -> str:
        """An expression as it is written, on one line and not too long."""
        return self.text.written(self.place(node))

    def dtypes(self, node: Expression) -> frozenset[type[dt.Shaped]]:
        """The dtypes that an array or NumPy scalar may have; empty for any other value and for an unknown dtype."""
        arrays = self.arrays(node)
        return arrays.dtypes or frozenset() if arrays is not None else frozenset()

    def arrays(self, node: Expression) -> Arrays | None:
        """The arrays that a value may be: those of its type, or those that follow from other expressions."""
        typ = self.types.get(node)
        arrays = arrays_of(typ, self.platform) if typ is not None else None
        if arrays is not None and arrays.dtypes is not None:
            return arrays
        known = self.known(node)
        return known.arrays if known is not None else arrays

    def is_array(self, node: Expression) -> bool:
        """Whether the value is an array or NumPy scalar, of any dtype."""
        return self.arrays(node) is not None

    def is_scalar(self, node: Expression) -> bool:
        """Whether the value is a scalar of NumPy."""
        return is_scalar_type(self.types.get(node))

    def dtype_text(self, node: Expression) -> str:
        """The dtype, several of them, or `Python int` and the like; empty for what has no known dtype."""
        dtypes = self.dtypes(node)
        if dtypes:
            return named(dtypes)
        if isinstance(node, UnaryExpr):
            return self.dtype_text(node.expr)
        if isinstance(node, IntExpr | FloatExpr):
            return "Python int" if isinstance(node, IntExpr) else "Python float"
        typ = get_proper_type(self.types.get(node))
        return _PYTHON.get(typ.type.fullname, "") if isinstance(typ, Instance) else ""

    @cached_property
    def _in_place(self) -> Mapping[Place, OperatorAssignmentStmt]:
        nodes = (site.node for site in self.tree.definitions.statements)
        return {place_of_node(node): node for node in nodes if isinstance(node, OperatorAssignmentStmt)}

    @cached_property
    def _by_place(self) -> Mapping[Place, list[Expression]]:
        found: dict[Place, list[Expression]] = {}
        for (_, place), nodes in self.tree.nodes.items():
            kept = [node for node in nodes if not (isinstance(node, NameExpr) and node.is_special_form)]
            found.setdefault(place, []).extend(kept)
        return found


def strong(dtypes: frozenset[type[dt.Shaped]]) -> frozenset[type[dt.Shaped]]:
    """The same dtypes, none of them weak."""
    return frozenset(dtype.strong for dtype in dtypes)


def _is_open(typ: Type | None) -> bool:
    """Whether a value of a type may be an array whose dtype the type does not tell."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return proper.type.module_name != "builtins"
    return proper is not None and not isinstance(proper, FunctionLike | NoneType | LiteralType)


#: The dtypes of NumPy's and jaxtyping's categories, the wider ones first -> how people call one of them. Categories
#: have further dtypes, such as float128 and bfloat16, which differ between libraries.
_CATEGORIES: Final = tuple(
    (frozenset(dt.DTYPES[name] for name in names.split()), word)
    for names, word in (
        ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128", "a number"),
        ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64", "a real number"),
        ("int8 int16 int32 int64 uint8 uint16 uint32 uint64", "an integer"),
        ("float16 float32 float64 complex64 complex128", "a float or complex number"),
        ("int8 int16 int32 int64", "a signed integer"),
        ("uint8 uint16 uint32 uint64", "an unsigned integer"),
        ("float16 float32 float64", "a float"),
        ("complex64 complex128", "a complex number"),
    )
)


def named(dtypes: frozenset[type[dt.Shaped]]) -> str:
    """The names of dtypes; weak ones are marked. All dtypes of a category have its name, such as "a float"."""
    for members, word in _CATEGORIES:
        if members <= dtypes and {each.kind for each in members} == {each.kind for each in dtypes - {dt.bool_}}:
            return word if dt.bool_ not in dtypes else "any dtype"
    ordered = sorted(dtypes, key=lambda dtype: (dtype.kind, dtype.bits, dtype.name))
    return " | ".join(f"weak {dtype.strong.name}" if dtype.weak else dtype.name for dtype in ordered)
