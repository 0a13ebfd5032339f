"""Infer the dtype of an attribute that is bound several times, or is declared as an array without a dtype.

`self.mean = 0.9 * self.mean + 0.1 * x` keeps the dtype of `self.mean` if x has it. mypy infers an unannotated attribute
from its first value, and the plugin makes the dtype unknown if there are others (see `inferred.variables`). When
another function first uses the attribute, all functions that bind it are checked aside, under the assumption that it
has the dtype of its first value. If a value has another dtype, the attribute stays unknown, and the functions are
checked again for the other attributes that are open at that time. What is left has its dtype wherever it is read. An
attribute that is declared as an array has it in its own file only: other files may assign any array.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from mypy.nodes import CallExpr, FuncDef, MemberExpr, NameExpr, Node, OperatorAssignmentStmt, StrExpr, Var
from mypy.plugin import AttributeContext
from mypy.types import Instance, NoneType, TupleType, Type, UnionType, get_proper_type
from mypy.typevars import fill_typevars

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.followed.made_objects import DYNAMIC, remembered_field
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.inferred.variables import RebindableVariables
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker
from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_function
from promo_mypy.plugin.mypy_api.nodes.function_bodies import is_nested
from promo_mypy.plugin.mypy_api.symbols import attribute_of
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.trees.file_texts import may_have
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.trees.written_arguments import argument
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_ranks import rank_of, without_rank
from promo_mypy.plugin.types.array_types import is_number, library_of, shaped_dtypes, with_dtypes
from promo_mypy.plugin.types.container_types import is_array, is_written_in_place
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import RankFacts, shared
from promo_mypy.rules.records import record

with late():
    from promo_mypy.plugin.mypy_api.checker import body_checking

_Types = Mapping[Var, Type]
TypeOf = Callable[[Node], Type | None]


def infer(ctx: AttributeContext, session: Session) -> Type:
    """The type of an attribute whose dtype its values decide."""
    target, default = ctx.context, ctx.default_attr_type
    attribute = attribute_of(ctx.type, target.name) if isinstance(target, MemberExpr) else None
    if attribute is None or attribute.type != default:
        return default
    session.watch.follow(ctx.api)  # a body that is checked again may begin here
    table = checker(ctx.api).var_decl_frames
    if not isinstance(table, Declarations):
        return default
    if (remembered := remembered_field(ctx)) is not None:
        return remembered
    _settle(table.variables, attribute, ctx, session)
    if attribute.type != default:
        return attribute.type
    return default if ctx.is_lvalue else table.variables.settled_arrays.get(attribute, default)


def _settle(variables: RebindableVariables, attribute: Var, ctx: AttributeContext, session: Session) -> None:
    """Decide about the attribute, and about all others whose first values mypy has seen."""
    if attribute not in variables.opened_arrays and attribute not in variables.declared_arrays:
        return
    if session.watch.is_deciding:
        return  # what is found under an assumption is true only together with it
    current = checker(ctx.api)
    function = current.scope.current_function()
    place = function or current.scope.active_class()
    made = function.info if isinstance(function, FuncDef) and function.name == "__init__" else None
    opened = {each: first for each, (first, where) in variables.opened_arrays.items() if where is not place}
    declared = {
        each: each.type
        for each in variables.declared_arrays
        if each.type is not None and each.info is not made and each.info.line <= ctx.context.line
    }
    if attribute not in opened and attribute not in declared:
        return
    variables.declared_arrays.difference_update(declared)
    for each in opened:
        del variables.opened_arrays[each]
    values = _Values(variables, session, current)
    with session.watch.deciding():
        with body_checking.assumed_types(opened):
            firsts = values.first_types(declared)
        kept = values.kept({**opened, **firsts})
    for each, typ in kept.items():
        if each in opened:
            each.type = typ
        else:
            variables.settled_arrays[each] = typ


@record
class _Binding:
    """A statement in a function that binds an attribute."""

    attribute: Var
    definition: Definition
    statement: Node
    function: FuncDef


@record
class _Values:
    """The values that a file gives its attributes."""

    variables: RebindableVariables
    session: Session
    current: TypeChecker

    def first_types(self, declared: _Types) -> _Types:
        """The attributes among the declared ones that lack a dtype, with that of their first known value."""
        open_types = {each: typ for each, typ in declared.items() if _lacks_dtype(typ, self.session)}
        found = self._bindings(filter(_is_made_by_methods, open_types))
        given = self._given([each for every in found.values() for each in every or ()], open_types)
        firsts = {each: _first(open_types[each], values, self.session) for each, values in given.items()}
        return {each: typ for each, typ in firsts.items() if typ is not None}

    def kept(self, assumed: _Types) -> _Types:
        """The attributes all of whose values have the assumed dtypes, each with its type."""
        found = self._bindings(assumed)
        kept = {each: first for each, first in assumed.items() if found[each] is not None}
        while kept:
            bindings = [each for attribute in kept for each in found[attribute] or ()]
            with body_checking.assumed_types(kept):
                given = self._given(bindings, kept)
            joined = {each: _joined(typ, given[each], self.session) for each, typ in kept.items()}
            if joined == kept:
                return kept
            kept = {each: typ for each, typ in joined.items() if typ is not None}
        return {}

    def _bindings(self, attributes: Iterable[Var]) -> Mapping[Var, list[_Binding] | None]:
        """The statements that may bind each attribute; None if one is in no function, or in a nested one, or names
        no attribute.
        """
        if may_have(self.current.tree, DYNAMIC):
            return dict.fromkeys(attributes)
        found: dict[Var, list[_Binding] | None] = {each: [*_registered(each)] for each in attributes}
        named: dict[str, list[Var]] = {}
        for each in found:
            named.setdefault(each.name, []).append(each)
        for site in definitions(self.current.tree).statements:
            for definition in site.definitions:
                target = definition.target
                same = named.get(target.name, ()) if isinstance(target, MemberExpr) else ()
                for each in (each for each in same if _may_bind(target, each, site)):
                    known = found[each]
                    if known is None or site.function is None or is_nested(site.function, self.session.symbols):
                        found[each] = None
                    else:
                        known.append(_Binding(each, definition, site.node, site.function))
        return found

    def _given(self, bindings: Sequence[_Binding], assumed: _Types) -> Mapping[Var, list[Type | None]]:
        """The types of the values that each attribute gets; None for an unknown one."""
        given: dict[Var, list[Type | None]] = {each: [] for each in assumed}
        written: list[tuple[Var, int]] = []
        for function in dict.fromkeys(each.function for each in bindings):
            depend_on_function(self.current, function)
            here = [each for each in bindings if each.function is function]
            type_of = self._types_in(function, {each.statement.line for each in here})
            for each in here:
                values = given[each.attribute]
                if type_of is not None and self._is_written(each.statement, assumed[each.attribute], type_of):
                    written.append((each.attribute, len(values)))
                values.append(type_of and _value(each, type_of))
        arrays = {each for each, values in given.items() if not value_marks.is_any_marked(values)}
        for attribute, place in written:
            if attribute in arrays:  # what may be a scalar is bound anew
                given[attribute][place] = assumed[attribute]
        return given

    def _types_in(self, function: FuncDef, lines: Set[int]) -> TypeOf | None:
        """The types of the expressions in a function that binds attributes in these lines."""
        with self.session.watch.aside():
            return body_checking.values_in_body(self.current, function, self.current.tree, _arguments(function), lines)

    def _is_written(self, statement: Node, typ: Type, type_of: TypeOf) -> bool:
        """Whether an augmented assignment writes into the array that the attribute holds."""
        if not isinstance(statement, OperatorAssignmentStmt) or statement.op == "@" or not is_written_in_place(typ):
            return False
        operand = type_of(statement.rvalue)
        return (operand is not None and is_number(operand)) or not self.variables.may_be_replaced(typ)


def _registered(attribute: Var) -> Iterator[_Binding]:
    """The calls by which methods of a `torch.nn` module register the attribute as a buffer."""
    if not attribute.info.has_base(names.TORCH_MODULE):
        return
    for function in (node for node in attribute.info.defn.defs.body if isinstance(node, FuncDef)):
        for call in nodes(function.body):
            if not isinstance(call, CallExpr) or not isinstance(call.callee, MemberExpr):
                continue
            if call.callee.name != "register_buffer":
                continue
            name, value = argument(call, "name", 0), argument(call, "tensor", 1)
            if not isinstance(name, StrExpr) or name.value == attribute.name:
                given = value if isinstance(name, StrExpr) else None
                yield _Binding(attribute, Definition(call.callee, given, Way.VALUE), call, function)


def _may_bind(target: Node, attribute: Var, site: Site) -> bool:
    """Whether a target may be the attribute: `self` in another class is not."""
    expression = target.expr if isinstance(target, MemberExpr) else None
    owner = expression.node if isinstance(expression, NameExpr) else None
    if not isinstance(owner, Var) or not owner.is_self or site.owner is None:
        return True
    return attribute.info in site.owner.mro


def _is_made_by_methods(attribute: Var) -> bool:
    """Whether an attribute gets its values in methods: that of a dataclass gets the arguments of calls."""
    made = attribute.info.names.get("__init__")
    return attribute.explicit_self_type or (made is not None and not made.plugin_generated)


def _arguments(function: FuncDef) -> Sequence[Type | None]:
    """The types of the arguments of a function: an unannotated method gets its own class."""
    types: list[Type | None] = [None] * len(function.arguments)
    if types and function.info and not function.is_static and not function.is_class:
        types[0] = fill_typevars(function.info)
    return types


def _value(binding: _Binding, type_of: TypeOf) -> Type | None:
    definition = binding.definition
    if definition.way is Way.OPERAND:
        return type_of(binding.statement)
    typ = type_of(definition.value) if definition.way is Way.VALUE and definition.value is not None else None
    for place in definition.path:
        typ = _item(typ, place)
    return typ


def _item(typ: Type | None, place: object) -> Type | None:
    """What unpacking a tuple or an array gives."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType) and isinstance(place, int):
        return proper.items[place] if place < len(proper.items) else None
    is_unpacked = proper is not None and library_of(proper) not in (None, Library.NUMPY)
    return without_rank(proper) if proper is not None and is_unpacked else None


def _first(declared: Type, values: Sequence[Type | None], session: Session) -> Type | None:
    """The declared type with the dtype and rank of the first value that has one."""
    array, arrays = _array(declared), [_array(typ) for typ in values if typ is not None]
    first = next((each for each in arrays if each is not None and _dtypes(each, session)), None)
    if array is None or first is None or library_of(array) is not library_of(first):
        return None
    return _with(declared, array, _dtypes(first, session) or frozenset(), rank_of(first), session)


def _joined(known: Type, given: Sequence[Type | None], session: Session) -> Type | None:
    """The type of an attribute with what its values share of the rank; None if one has another dtype."""
    array = _array(known)
    dtypes = _dtypes(array, session) if array is not None else None
    if array is None or dtypes is None:
        return None
    rank, may_be_none = rank_of(array), len(members(known)) > 1
    for member in (each for typ in given for each in (members(typ) if typ is not None else [None])):
        if isinstance(member, NoneType) and may_be_none:
            continue
        other = _array(member) if member is not None else None
        if other is None or library_of(other) is not library_of(array) or _dtypes(other, session) != dtypes:
            return None
        rank = shared(rank, rank_of(other))
    return known if rank == rank_of(array) else _with(known, array, dtypes, rank, session)


def _with(typ: Type, array: Instance, dtypes: frozenset[type[dt.Shaped]], rank: RankFacts, session: Session) -> Type:
    """The type with an array of these dtypes, and None beside it if it has that."""
    found = with_dtypes(array, dtypes, rank, session.symbols)
    return UnionType.make_union([found, NoneType()]) if len(members(typ)) > 1 else found


def _array(typ: Type) -> Instance | None:
    """The array in a type that is one, or None beside it."""
    found = [each for each in members(typ) if not isinstance(each, NoneType)]
    return found[0] if len(found) == 1 and isinstance(found[0], Instance) and is_array(typ) else None


def _dtypes(array: Instance, session: Session) -> frozenset[type[dt.Shaped]] | None:
    values = session.values(array)
    return shaped_dtypes(values) if values is not None else None


def _lacks_dtype(typ: Type, session: Session) -> bool:
    array = _array(typ)
    return array is not None and session.values(array) is None
