"""Replace mypy's table of declared variables to learn when a variable gets its type: mypy calls no hook for that.

See `variables`. Outside mypy's public surface, like `type_checker`. (tests/plugin/inferred/test_rebinding.py, for the
copies of functions tests/plugin/annotations/test_type_variables.py)
"""

from functools import cached_property
from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, Context, Expression, FakeInfo, MemberExpr, Node, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, PartialType, ProperType, Type, UnionType, get_proper_type

from promo_mypy.plugin.inferred import bound_values, displays, marked_displays
from promo_mypy.plugin.inferred.numbers.number_variables import is_of_many
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker import narrowing
from promo_mypy.plugin.mypy_api.checker.failure_reports import report_defect
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker, is_checking, require_annotation
from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_function
from promo_mypy.plugin.mypy_api.modules.stock_variables import StockVariables
from promo_mypy.plugin.mypy_api.overloads import is_same_to_overloads
from promo_mypy.plugin.mypy_api.reports.recorded_changes import RecordedChanges
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types import filled_generics, untyped_functions, value_marks
from promo_mypy.plugin.types.array_types import is_number, is_python_number
from promo_mypy.plugin.types.container_types import holds_array, is_array, may_be_anything, or_anything
from promo_mypy.plugin.types.stock_types import stock_type
from promo_mypy.plugin.types.walks import members

with late():
    from promo_mypy.plugin.inferred import inserted_calls
    from promo_mypy.plugin.inferred.aside import questions, stock_errors

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.variables import RebindableVariables


class Declarations(RecordedChanges):
    """mypy's table of the frames in which a variable was declared. mypy adds a variable when it gets its type.

    `calls_are_inserted`: whether each function of the file begins with the inserted call: see `first_calls`.
    """

    def __init__(self, current: TypeChecker, variables: "RebindableVariables") -> None:
        super().__init__()
        self.calls_are_inserted = False
        self.variables = variables
        self.current = current
        self._locals: list[Var] = []
        self._frames_of_none: dict[Var, set[int]] = {}
        self._stored = StockVariables(current)

    @cached_property
    def stock(self) -> "stock_errors.StockChecks":
        """Answers what stock mypy infers in the file."""
        return stock_errors.StockChecks(self.current)

    def is_in_use(self) -> bool:
        """Whether mypy checks the file now, and fills the table."""
        return self.current.var_decl_frames is self and is_checking(self.current)

    def close(self) -> None:
        """Drop all references: mypy has started the file anew.

        mypy's previous type checker, and with it this table, is in a reference cycle of mypy. A daemon would keep all
        objects that an edit has replaced until Python collects garbage, which takes longer than checking the file.
        """
        self.clear()
        self.answers.clear()
        self.changed.clear()
        self.first_types.clear()
        self.__dict__.pop("stock", None)
        self._locals.clear()
        self._frames_of_none.clear()
        self.variables = self.variables.of_no_file()  # in case mypy still fills the table

    def begin_function(self) -> None:
        """Drop the local variables: mypy begins to check a function, which its daemon may have checked already."""
        for variable in self._locals:
            self.pop(variable, None)
        self._locals.clear()
        self._frames_of_none.clear()
        self.variables.begin_function()

    def __setitem__(self, variable: Var, frames: set[int]) -> None:
        if isinstance(variable.type, PartialType) and variable.type.type is None:
            # The next value gives the type. mypy compares a later None with the frames of this one.
            self._frames_of_none.setdefault(variable, frames)
            return
        if narrowing.is_trying_members(self.current):
            # `x, y = xs` of a union: mypy tries one member after another, and then declares the join.
            return
        super().__setitem__(variable, self._frames_of_none.get(variable, frames))
        if not is_of_many(variable):
            self._locals.append(variable)
        if not isinstance(variable.info, FakeInfo) and type(self.current.inferred_attribute_types) is dict:
            self.current.inferred_attribute_types = _AttributeTypes(self.current.inferred_attribute_types, self)
        try:
            self._widen(variable, frames)
        except Exception as defect:  # no hook of mypy guards this call
            report_defect(self.current, defect, variable)

    def _widen(self, variable: Var, frames: set[int]) -> None:
        """Give a variable that has just got its type the one that it should have."""
        stock = variable.type
        joined = self.variables.joined_type(variable, self.current.lookup_type_or_none, self._stock_type)
        variable.type = joined or self._joined_with_any(variable) or stock
        if variable.type is not None:
            self._set_unmarked(variable, variable.type)
        self._store(variable)
        forgets_number = self.variables.may_forget_number(variable)
        if self._is_compared(variable, forgets_number=forgets_number):
            inserted_calls.insert_after_values(self.current.tree, variable, self.current.modules, self._is_checked)
        value = variable.type
        opened = self.variables.open_type(variable, forgets_number=forgets_number)
        for function in self.variables.aliases.take_asked():
            depend_on_function(self.current, function)
        if value is not None and not isinstance(value, PartialType):
            self.first_types[variable] = value
        is_changed = opened is not None or forgets_number or variable.type is not stock
        if is_changed:
            self.changed.add(variable)
        if is_changed and not any(map(bound_values.may_be_none, self.variables.values_of(variable))):
            # mypy checks the body of a loop again, and its daemon a whole function, and infers the variable from its
            # first value once more. Without the entry that inference comes here, too. mypy reads the frames only for
            # partial `None` types.
            del self[variable]
        if value is not None and forgets_number and not isinstance(get_proper_type(opened), AnyType):
            # At a join the binder absorbs Any into the declared type. Declaring `T | Any` keeps both.
            self._narrow(variable, or_anything(value), value, frames)
        if opened is None or value is None:
            return
        variable.type = opened
        if not isinstance(variable.info, FakeInfo) and is_array(value) and is_array(opened):
            scope = self.current.scope
            self.variables.wait_for(variable, value, scope.current_function() or scope.active_class())
        if isinstance(get_proper_type(opened), AnyType):
            variable.is_inferred = False  # mypy does not narrow a variable that is declared as Any
            return
        if not may_be_anything(value) and not self.variables.may_change_unseen(variable):
            # Narrowed to `Array | Any`, it would lose the type of another branch to the Any.
            self._narrow(variable, opened, value, frames)

    def _is_checked(self, target: Node) -> bool:
        return isinstance(target, Expression) and self.current.lookup_type_or_none(target) is not None

    def _stock_type(self, value: Expression) -> Type | None:
        return self.stock.type_of(value)

    def _joined_with_any(self, variable: Var) -> Type | None:
        """The type of a display of containers that mypy joins to objects only because the plugin knows the items."""
        first = next(iter(self.variables.values_of(variable)), None)
        if first is None or not displays.hides(variable.type):
            return None
        return displays.joined_with_any(first, self.stock.type_of(first), self.current.lookup_type_or_none)

    def _is_compared(self, variable: Var, *, forgets_number: bool) -> bool:
        """Whether stock mypy infers a number or an array for a variable of a function, and compares other values with
        it, which the type with Any that the plugin infers accepts.
        """
        if forgets_number or self.variables.is_bound_once(variable) or not isinstance(variable.info, FakeInfo):
            return forgets_number and not is_of_many(variable)
        value, typ = next(iter(self.variables.values_of(variable)), None), variable.type
        if value is None or typ is None or not may_be_anything(typ):
            return False
        kinds = [kind for kind in (is_python_number, is_array) if any(map(kind, members(typ)))]
        stock = self.stock.type_of(value) if kinds else None
        return stock is not None and any(all(map(kind, members(stock))) for kind in kinds)

    def _store(self, variable: Var) -> None:
        """Store for other modules what stock mypy infers for a variable of the file, if the plugin's type hides it."""
        typ = variable.type
        if typ is None or not is_of_many(variable) or not is_unannotated(variable):
            return
        is_changed = self.variables.may_hide_stock(variable) and questions.depends_on_changes(self.current, variable)
        stock = self.stock.of_variable(variable) if is_changed else None
        is_told = stock is None or isinstance(stock, PartialType) or is_same_to_overloads(stock, stock_type(typ))
        self._stored.store(variable, None if is_told else stock)

    def _set_unmarked(self, variable: Var, typ: Type) -> None:
        """Remove the marks inside the type of a variable."""
        if value_marks.array_and_mark(typ)[0]:
            return
        typ = untyped_functions.with_any(typ)
        typ = self._without_marked_items(variable, typ)
        if filled_generics.is_generic(typ) and self._is_made_with_any(variable):
            typ = filled_generics.filled_with_any(typ)
        variable.type = value_marks.without_inner_marks(typ)

    def _without_marked_items(self, variable: Var, typ: Type) -> Type:
        """The type of a variable that is bound to a display: what mypy joins of marked items is not their type."""
        if not marked_displays.may_have_display(typ):
            return typ
        value, type_of = next(iter(self.variables.values_of(variable)), None), self.current.lookup_type_or_none
        if not is_of_many(variable):
            return marked_displays.with_unknown_dtypes(typ, value, type_of)
        # Another module may put anything into a container of an attribute. Stock mypy joins Any with others to Any.
        is_open = not isinstance(variable.info, FakeInfo) or displays.may_be_joined(typ)
        return marked_displays.with_any_items(typ, value, type_of, self.stock.is_any if is_open else None)

    def _is_made_with_any(self, variable: Var) -> bool:
        """Whether an argument of the call that makes an object is an array that stock mypy infers as Any."""
        made, type_of = next(iter(self.variables.values_of(variable)), None), self.current.lookup_type_or_none
        given = made.args if isinstance(made, CallExpr) else ()
        types = ((each, type_of(each)) for each in given)
        return any(self.stock.is_any(each) for each, typ in types if typ is not None and holds_array(typ))

    def _narrow(self, variable: Var, declared: Type, value: Type, frames: set[int]) -> None:
        if self.variables.gets_subclass_of_any(variable):
            return  # where branches meet, stock mypy has the declared type, not the join with such a class
        narrowing.declare(self.current, variable, declared, value, frames)


class _AttributeTypes(dict[Var, Type]):
    """mypy's table of the types that attributes got in the function that it checks.

    mypy requires an annotation for an attribute that gets another type in the next round of a loop, or from the next
    member of a union: `self.x, self.y = pair`. The type of an array or number may change only because the plugin knows
    its dtype, so these are not stored.
    """

    def __init__(self, known: dict[Var, Type], table: Declarations) -> None:
        super().__init__(known)
        self._table = table
        self._changing: set[Var] = set()
        self._rejected: set[Var] = set()

    def __setitem__(self, variable: Var, typ: Type) -> None:
        current = self._table.current
        known = [each for each in members(typ) if _may_change(each)]
        if not narrowing.is_trying_members(current) and variable in self._rejected and known:
            variable.type = or_anything(UnionType.make_union(known))  # as after the error
            self._table.first_types[variable] = variable.type
        elif known:
            self._changing.add(variable)
        else:
            super().__setitem__(variable, typ)
            if variable in self._changing and narrowing.is_trying_members(current):
                require_annotation(current, variable, self._value_of(variable))
                self._rejected.add(variable)

    def _value_of(self, attribute: Var) -> Context:
        """The value that first binds an attribute."""
        bound = definitions(self._table.current.tree).of_attributes(attribute.name)
        first = (each for each in bound if isinstance(each.target, MemberExpr) and each.target.def_var is attribute)
        return next((each.value for each in first if each.value is not None), attribute)


def _may_change(typ: ProperType) -> bool:
    """Whether only the plugin may see that the type of a value changes."""
    return holds_array(typ) or (isinstance(typ, Instance) and is_number(typ))


def declarations(api: CheckerPluginInterface) -> Declarations | None:
    """The table of the file that mypy checks; None for a file whose variables are not tracked."""
    table = checker(api).var_decl_frames
    return table if isinstance(table, Declarations) else None


def stock_checks(api: CheckerPluginInterface) -> "stock_errors.StockChecks | None":
    """What answers what stock mypy infers in the file that mypy checks; None if its variables are not tracked."""
    table = declarations(api)
    return None if table is None else table.stock
