"""Find the variables that a file binds more than once, or mutates."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    ComplexExpr,
    Expression,
    FakeInfo,
    FloatExpr,
    FuncDef,
    IntExpr,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)

from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.class_bindings import attributes, bound_by, inherited, member_names
from promo_mypy.plugin.trees.definitions import Site, definitions, drop_cache
from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.trees.transform_calls import lambda_in
from promo_mypy.rules.records import record


@record
class Rebindings:
    """What the statements of a file bind.

    Attributes:
        again: the variables and attributes that at least two statements bind or mutate, with their names in plain
            assignments. Names in a tuple of targets are left out: mypy unpacks a union member by member, and joins
            only types that it infers.
        filled: those of them that only one statement binds. An array keeps its dtype when an item is assigned.
        written: the attributes among them that one statement binds, and that the others fill or add to by `x += ...`.
            An array of a library that writes in place keeps its dtype.
        scaled: those of them to which only numbers are added. No array of another library can replace them.
        shared: the variables that several functions, or a function and its module, bind to values, those that
            a comprehension binds, as mypy drops its narrowing after that, and those that a lambda reads: when it is
            called, they may be bound to another value.
        exchanges: variable -> the statements like `x, y = y, x` that bind it.
        values: variable -> the values that are assigned to it, or unpacked into it.
        iterated: variable -> the iterables of its `for` statements.
        parts: variable -> those iterables, and those of statements that unpack their items, with the positions there.
        captured: variable -> the subjects of the `match` statements that bind it, with the positions there.
        added: variable -> the operands of `x += ...` and other augmented assignments.
        unlisted: the variables that are also bound in other ways.
        members: name -> the values that attributes of that name are bound to, or added to; None for any other value.
        unchecked: those values that functions without annotations assign. mypy may not check them.
    """

    again: Mapping[Var, list[NameExpr]]
    filled: Set[Var]
    written: Set[Var]
    scaled: Set[Var]
    shared: Set[Var]
    exchanges: Mapping[Var, list[AssignmentStmt]]
    values: Mapping[Var, list[Expression]]
    iterated: Mapping[Var, list[Expression]]
    parts: Mapping[Var, list[tuple[Expression, Sequence[object]]]]
    captured: Mapping[Var, list[tuple[Expression, Sequence[object]]]]
    added: Mapping[Var, list[Expression]]
    unlisted: Set[Var]
    members: Mapping[str, list[Expression | None]]
    unchecked: Set[Expression]


def deciding(values: Sequence[Expression], line: int) -> Sequence[Expression]:
    """The values that a variable gets first and last above a line: stock mypy infers its type there from one of them.

    Without a value above the line, a loop or function comes back to it, and each value may be the last.
    """
    known = [each for each in values if not is_none(each)]
    above = [each for each in known if each.line < line]
    return [known[0], above[-1]] if above else known


class FileRebindings:
    """The rebindings of one file that mypy checks, computed at the first call.

    It must not refer back to its users: a daemon would keep a reference cycle, with the whole syntax tree that an edit
    has replaced, until Python collects garbage, which takes longer than checking the file.
    """

    def __init__(self, tree: MypyFile) -> None:
        self._tree = tree
        self._found: Rebindings | None = None

    def begin_anew(self) -> None:
        """Drop the result: mypy has made new variables for the file."""
        drop_cache()
        self._found = None

    def __call__(self) -> Rebindings:
        """What the statements of the file bind."""
        if self._found is None:
            self._found = _rebindings(self._tree)
        return self._found


def _rebindings(tree: MypyFile) -> Rebindings:
    file = definitions(tree)
    found = _Found()
    for site in file.statements:
        found.add(site)
    found.add_classes(file.classes)
    for site in file.expressions:
        for definition in site.definitions:
            if definition.variable is not None and definition.whole_value is not None:
                found.counts[definition.variable] += 1
                found.values[definition.variable].append(definition.whole_value)
                if site.node in file.comprehended:
                    found.kept.add(definition.variable)
    counts = found.counts + found.fills
    again = {variable: found.names[variable] for variable, count in counts.items() if count > 1}
    shared = {variable for variable, functions in found.functions.items() if len(functions) > 1}
    shared |= found.kept & again.keys()
    return Rebindings(
        again,
        {variable for variable in again if found.counts[variable] < 2},
        {variable for variable in again if found.counts[variable] - found.additions[variable] < 2},
        {variable for variable in again if found.counts[variable] - found.numbers[variable] < 2},
        shared,
        found.exchanges,
        found.values,
        found.iterated,
        found.parts,
        found.captured,
        found.added,
        found.unlisted,
        found.members,
        found.unchecked,
    )


#: Ways that do not rebind a variable: a parameter gets its first value, an exception is bound for one block.
_FIRST: Final = (Way.ARGUMENT, Way.EXCEPTION)  # the hash of an enum's member runs Python code

#: The expressions among which `lambda_in` finds one.
_MAY_BE_LAMBDA: Final = (CallExpr, LambdaExpr)


class _Found:
    """Collects bindings and mutations, statement by statement."""

    def __init__(self) -> None:
        self.counts: Counter[Var] = Counter()
        self.fills: Counter[Var] = Counter()
        # The part of the counts of attributes that is due to `self.x += ...`, and to `self.x += 1`.
        self.additions: Counter[Var] = Counter()
        self.numbers: Counter[Var] = Counter()
        self.names: defaultdict[Var, list[NameExpr]] = defaultdict(list)
        self.functions: defaultdict[Var, set[FuncDef | None]] = defaultdict(set)
        self.exchanges: defaultdict[Var, list[AssignmentStmt]] = defaultdict(list)
        self.values: defaultdict[Var, list[Expression]] = defaultdict(list)
        self.iterated: defaultdict[Var, list[Expression]] = defaultdict(list)
        self.parts: defaultdict[Var, list[tuple[Expression, Sequence[object]]]] = defaultdict(list)
        self.captured: defaultdict[Var, list[tuple[Expression, Sequence[object]]]] = defaultdict(list)
        self.added: defaultdict[Var, list[Expression]] = defaultdict(list)
        self.unlisted: set[Var] = set()
        self.members: defaultdict[str, list[Expression | None]] = defaultdict(list)
        # The variables that a lambda reads, or a comprehension binds.
        self.kept: set[Var] = set()
        self.unchecked: set[Expression] = set()
        # What the statements in each class bind, add to, add numbers to and fill, and those in none.
        self._bound: defaultdict[ClassDef | None, list[object]] = defaultdict(list)
        self._added: defaultdict[ClassDef | None, list[object]] = defaultdict(list)
        self._scaled: defaultdict[ClassDef | None, list[object]] = defaultdict(list)
        self._filled: defaultdict[ClassDef | None, list[object]] = defaultdict(list)

    def add(self, site: Site) -> None:
        statement, variables, members = site.node, [], []
        value = _value(statement)
        for definition in site.definitions:
            target = definition.target
            if definition.way in _FIRST:
                continue
            if isinstance(target, NameExpr) and isinstance(target.node, Var):
                variables.append(target.node)
                self.counts[target.node] += 1
                self._bind(definition, target, target.node, site)
            elif isinstance(target, MemberExpr):
                members.append(target)
                self.members[target.name].append(value)
                if target.def_var is not None and value is not None:  # `self.x = ...` gives the attribute its type
                    self.values[target.def_var].append(value)
        if members or site.classes or site.filled is not None:
            self._note_places(site, members)
        if value is not None and site.function is not None and site.function.type is None:
            self.unchecked.add(value)
        if type(value) is TupleExpr and isinstance(statement, AssignmentStmt) and _exchanges(value, variables):
            for variable in variables:
                self.exchanges[variable].append(statement)

    def _note_places(self, site: Site, members: Sequence[MemberExpr]) -> None:
        """Note what a statement binds and fills under the classes around it; outside of classes only attributes."""
        bound = [definition for definition in site.definitions if definition.way not in _FIRST]
        added = [definition.target for definition in bound if _may_write(definition, site.node)]
        scaled = added if added and _is_number(_value(site.node)) else []
        for around in site.classes or (None,):
            self._bound[around] += members if around is None else [definition.target for definition in bound]
            if added:
                self._added[around] += added
                self._scaled[around] += scaled
            if site.filled is not None:
                self._filled[around].append(site.filled)
        # A function may mutate a global variable at any time. mypy checks the mutation of a variable that the function
        # itself binds in order: see `filled_containers`.
        holder = site.filled.node if isinstance(site.filled, NameExpr) else None
        if isinstance(holder, Var) and site.function and "." in holder.fullname:
            self.fills[holder] += 1

    def add_classes(self, classes: Iterable[ClassDef]) -> None:
        """Count bindings and mutations under each attribute that they may be of. Call it after all statements."""
        bound_outside, filled_outside = (set(member_names(each[None])) for each in (self._bound, self._filled))
        added_outside, scaled_outside = (
            bound_by(each[None], self._bound[None]) for each in (self._added, self._scaled)
        )
        for each in classes:
            info, bound = each.info, self._bound[each]
            if isinstance(info, FakeInfo):  # mypy has not looked at code that is not reached
                continue
            self.counts.update(attributes(info, member_names(bound), bound_outside))
            self.counts.update(inherited(info, bound))
            self.additions.update(attributes(info, member_names(self._added[each]), added_outside))
            self.numbers.update(attributes(info, member_names(self._scaled[each]), scaled_outside))
            self.fills.update(attributes(info, member_names(self._filled[each]), filled_outside))

    def _bind(self, definition: Definition, target: NameExpr, variable: Var, site: Site) -> None:
        statement = site.node
        if not isinstance(statement, AssignmentStmt):
            self.functions[variable].add(site.function)
            if definition.way is Way.ELEMENT and definition.value is not None:
                self.parts[variable].append((definition.value, definition.path))
            if definition.way is Way.SUBJECT and definition.value is not None:
                self.captured[variable].append((definition.value, definition.path))
            if definition.way is Way.ELEMENT and not definition.path and definition.value is not None:
                self.iterated[variable].append(definition.value)
            elif definition.way is Way.OPERAND and definition.value is not None:
                self.added[variable].append(definition.value)
            else:
                self.unlisted.add(variable)
            return
        if not is_none(statement.rvalue):
            self.functions[variable].add(site.function)
        self.values[variable].append(statement.rvalue)
        if type(statement.rvalue) in _MAY_BE_LAMBDA and lambda_in(statement.rvalue) is not None:
            read = (node.node for node in nodes(statement.rvalue) if isinstance(node, NameExpr))
            self.kept.update(node for node in read if isinstance(node, Var))
        if target in statement.lvalues:
            self.names[variable].append(target)


def _may_write(definition: Definition, statement: Node) -> bool:
    """Whether a target that is an array may keep its memory. PyTorch has no `@=` of its own."""
    return definition.way is Way.OPERAND and isinstance(statement, OperatorAssignmentStmt) and statement.op != "@"


def _is_number(value: Expression | None) -> bool:
    """Whether this is certainly a Python number."""
    match value:
        case UnaryExpr(op="-" | "+", expr=value):
            return _is_number(value)
        case OpExpr(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case _:
            return isinstance(value, IntExpr | FloatExpr | ComplexExpr)


def _value(statement: Node) -> Expression | None:
    """The expression that a statement assigns or adds; None for other statements."""
    return statement.rvalue if isinstance(statement, AssignmentStmt | OperatorAssignmentStmt) else None


def _exchanges(value: TupleExpr, bound: list[Var]) -> bool:
    """Whether an assignment of a tuple to these variables reads one of them after its new value."""
    values = enumerate(value.items)
    return any(
        isinstance(node, NameExpr) and node.node in bound[:position]
        for position, value in values
        for node in nodes(value)
    )
