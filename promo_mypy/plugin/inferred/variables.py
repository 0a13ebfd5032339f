"""Widen the types of unannotated variables that are bound more than once to unknown dtypes.

mypy infers the type of a variable from its first value, and rejects other types later. With the plugin's dtypes
`x = x.astype(float16)` would be a false positive, and after `x = something_unknown()` mypy would keep the first dtype.
Such a variable gets the type `Array[Any]`, and each assignment narrows it to the type of the value. At a join mypy
joins the narrowed types. An annotated variable keeps its type and mypy's errors, and so does one that is bound once.

A scalar keeps its class: mypy reports a value of another class, and stock mypy is asked whether it does, too (`aside`).
If not, the variable is narrowed to that value. Items of lists, tuples and dicts that are bound again are unknown. A
global or nonlocal variable that several functions bind may have any of those dtypes wherever it is read: it gets the
type `Any`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from mypy.nodes import (
    Expression,
    FakeInfo,
    MypyFile,
    NameExpr,
    Node,
    Var,
)
from mypy.types import AnyType, NoneType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.inferred import bound_values, declared_classes, displays, value_kinds
from promo_mypy.plugin.inferred.aliasing.aliases import ContainerAliases
from promo_mypy.plugin.inferred.axis_lengths import AxisLengths
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.inferred.numbers import number_variables
from promo_mypy.plugin.inferred.value_kinds import ValueKind
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.nodes.tree_changes import evaluate_first, infer_again, keep_type
from promo_mypy.plugin.mypy_api.symbols import is_declared, is_foreign
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.rebindings import FileRebindings, Rebindings
from promo_mypy.plugin.types import container_types, filled_generics, numpy_scalars, value_marks
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.walks import members

with late():
    from promo_mypy.plugin.inferred import array_files, inserted_calls, replaced_targets, reset_containers


class RebindableVariables:
    """The variables of one file that are bound more than once, computed at the first look-up.

    One instance is for one pass over the file: the daemon creates new variables when it checks a function again.
    """

    def __init__(
        self,
        tree: MypyFile,
        modules: Mapping[str, MypyFile],
        wrapped: WrappedFunctions,
        announce: Callable[[Var], None] = lambda _: None,
        of_file: "RebindableVariables | None" = None,
    ) -> None:
        """Open the variables of a file.

        `modules`: all modules by their names. `announce` is told of each attribute that may hold an array of
        another dtype. `of_file`: those of mypy's own check, which has read the statements already.
        """
        self._tree = tree
        self._modules = modules
        self._wrapped = wrapped
        self._announce = announce
        #: The opened attributes that hold an array, with the type of the first value and where it is assigned.
        self.opened_arrays: dict[Var, tuple[Type, Node | None]] = {}
        #: The attributes that are declared as an array, and those of them whose values have one dtype, with their type.
        self.declared_arrays: set[Var] = set()
        self.settled_arrays: dict[Var, Type] = {} if of_file is None else of_file.settled_arrays
        self.aliases = ContainerAliases(tree, wrapped)
        self.rebindings: FileRebindings = FileRebindings(tree) if of_file is None else of_file.rebindings
        self.lengths = AxisLengths(tree, self.rebindings)
        self._read_inside: frozenset[Var] | None = None
        self._opened: dict[Type, Type] = {}
        #: The types of variables that the plugin has opened, each by its identity. Stock mypy knows their dtypes.
        self.opened_types: set[int] = set()
        self._kinds: dict[Type, ValueKind] = {}
        self._forgets: dict[Var, bool] = {}
        #: The names that define local variables which keep their types in loops.
        self._kept: list[NameExpr] = []

    @property
    def known(self) -> Rebindings:
        """What the statements of the file bind."""
        return self.rebindings()

    def of_no_file(self) -> "RebindableVariables":
        """The variables of an empty file."""
        return RebindableVariables(MypyFile([], []), {}, self._wrapped)

    def begin_anew(self) -> None:
        """Drop what is known: the file has new variables."""
        self._read_inside = None
        self._forgets.clear()
        self.rebindings.begin_anew()
        self.aliases.begin_anew()
        self.lengths.begin_anew()

    def begin_function(self) -> None:
        """Have mypy infer the local variables from their first values: it begins to check a function, perhaps again."""
        for name in self._kept:
            infer_again(name)
        self._kept.clear()

    def open_type(self, variable: Var, *, forgets_number: bool) -> Type | None:  # noqa: C901  # ordered cases
        """The type that the variable should have instead of the type of its first value; None to keep that.

        `forgets_number`: the result of `may_forget_number` for the variable.
        """
        typ = get_proper_type(variable.type)
        if typ is None:
            return None
        kind = self._kind(typ)
        if not kind.of_arrays and not kind.number and not kind.containers and not kind.scalars:
            return None
        known = self.known
        for statement in known.exchanges.get(variable, ()):
            evaluate_first(statement)
        is_of_many, is_shared = number_variables.is_of_many(variable), variable in known.shared
        if forgets_number and (is_of_many or is_shared or variable in self._inside()):
            opened = self._opened_number(variable, typ)
            # mypy narrows a variable to the type of its value, and does not see what another function binds it to.
            is_lost = is_shared and (kind.of_arrays or not is_of_many)
            return AnyType(TypeOfAny.special_form) if is_lost else opened
        if not kind.of_arrays and self.is_open(variable):
            return self._opened_container(variable, typ)
        if not kind.of_arrays and not kind.scalars:
            return None
        if variable in known.shared:
            return self._opened_shared(variable, typ)
        if kind.generic and self._is_filled_generic(variable):
            return self._open(typ)
        if kind.containers and self.is_open(variable):
            return self._opened_container(variable, typ)
        is_filled = variable in known.filled and container_types.is_array(typ)
        if variable not in known.again or is_filled or bound_values.all_declared(variable, known):
            return None
        if container_types.is_written_in_place(typ) and (
            variable in known.scaled or (variable in known.written and not self.may_be_replaced(typ))
        ):
            return None
        self._kept += filter(keep_type, known.again[variable])
        # mypy keeps the first type of an attribute for all methods. To the stubs of ml_dtypes a product is Any.
        is_open = not isinstance(variable.info, FakeInfo) or numpy_scalars.is_of_ml_dtypes(typ)
        is_open = is_open or (variable in known.exchanges and number_variables.is_of_many(variable))
        if value_kinds.holds_scalar(typ) and not container_types.holds_array(typ):
            return self._opened_number(variable, typ) if is_open else None
        return self._open(typ)

    def may_be_replaced(self, typ: Type) -> bool:
        """Whether an augmented assignment may bind an array of another library."""
        libraries = {library_of(item) for item in members(typ)} - {None}
        return any(
            library is not None and replaced_targets.may_be_replaced(library, self._tree) for library in libraries
        )

    def _opened_shared(self, variable: Var, typ: Type) -> Type:
        # mypy narrows a variable to the type of its value, and does not see what another function binds it to.
        is_kept = container_types.is_array(typ) and reset_containers.keep_shared(self._tree, variable, self._modules)
        return self._open(typ) if is_kept else AnyType(TypeOfAny.special_form)

    def _opened_container(self, variable: Var, typ: Type) -> Type:
        # mypy narrows a variable to the type of its value, but not a variable of type Any.
        containers = [value for value in self.values_of(variable) if bound_values.may_be_container(value)]
        opened = self._open(typ)
        if len(containers) < 2 or not isinstance(variable.info, FakeInfo):
            return opened
        is_kept = reset_containers.keep_open(self._tree, variable, self._modules)
        return opened if is_kept else AnyType(TypeOfAny.special_form)

    def is_bound_once(self, variable: Var) -> bool:
        """Whether a single statement of the file binds the variable, and no statement mutates it."""
        known = self.known
        return variable not in known.again and variable not in known.unlisted

    def values_of(self, variable: Var) -> Sequence[Expression]:
        """What assignments bind the variable to."""
        return self.known.values.get(variable, ())

    def joined_type(self, variable: Var, type_of: TypeOf, stock_of: TypeOf) -> Type | None:
        """The type of a display that the variable is bound to, or gets an item of; None to keep mypy's own type.

        `stock_of`: what stock mypy infers for an expression.
        """
        if self.lengths.shapes and (without := self.lengths.display_type(variable, stock_of)) is not None:
            return without
        return displays.joined_variable(variable, self.rebindings, type_of)

    def open_numbers(self) -> Iterator[Var]:
        """Make number variables that functions read without binding them a union with Any if they may be rebound."""
        for variable in number_variables.read_first(self._tree):
            is_own_number = not is_foreign(variable, self._tree.fullname) and self.may_forget_number(variable)
            if is_own_number and variable.type is not None:
                variable.type = self._opened_number(variable, variable.type)
                yield variable

    def open_known(self) -> None:
        """Find the calls that get containers of the file which have types already.

        The daemon checks a function again without the statements that give global variables and attributes their types.
        """
        for variable in number_variables.of_many(self._tree):
            if variable.type is not None and not is_foreign(variable, self._tree.fullname):
                self.is_open(variable)

    @cached_property
    def _has_arrays(self) -> bool:
        return array_files.may_have_arrays(self._tree, self._modules)

    def may_forget_number(self, variable: Var) -> bool:
        """Whether the variable is bound to a number, and again, perhaps to an unknown value. `bool` is excluded."""
        if variable.type is None or not self._kind(variable.type).number:
            return False
        if variable not in self._forgets:
            # The types of other variables take part, and mypy may check a function twice: the first answer counts.
            forgets = number_variables.may_forget(variable, self.known)
            self._forgets[variable] = forgets and (not number_variables.is_of_many(variable) or self._has_arrays)
        return self._forgets[variable]

    def may_change_unseen(self, variable: Var) -> bool:
        """Whether code that mypy does not check between its uses may bind the variable, or mutate its containers."""
        return variable in self.known.shared or self.is_open(variable)

    def is_open(self, variable: Var) -> bool:
        """Whether the variable's containers may be mutated in code that mypy does not check between its uses."""
        holds = variable.type is not None and self._kind(variable.type).containers
        return (holds and self.aliases.is_open(variable)) or self._is_filled_generic(variable)

    def _is_filled_generic(self, variable: Var) -> bool:
        """Whether the file may give an array of another dtype to a value of a generic class."""
        if variable.type is None or not self._kind(variable.type).generic:
            return False
        return filled_generics.may_be_filled(variable.type, self._tree)

    def may_hide_stock(self, variable: Var) -> bool:
        """Whether the type of a variable may hide what stock mypy infers: it has arrays, numbers or objects in it."""
        typ = variable.type
        if typ is None:
            return False
        kind = self._kind(typ)
        is_numeric = kind.of_arrays or kind.number or kind.containers or kind.scalars or value_kinds.holds_numbers(typ)
        return is_numeric or displays.hides(typ) or container_types.may_be_anything(typ)

    def gets_subclass_of_any(self, variable: Var) -> bool:
        """Whether the class of a value inherits from Any."""
        return any(declared_classes.fits_anywhere(value, self.known) for value in self.values_of(variable))

    def _opened_number(self, variable: Var, typ: Type) -> Type:
        if not value_marks.is_marked(typ):  # stock mypy knows the class, and compares other values with it
            inserted_calls.insert_after_values(self._tree, variable, self._modules)
        return container_types.or_anything(typ)

    def wait_for(self, attribute: Var, first: Type, place: Node | None) -> None:
        """Note an opened attribute: when it is first used elsewhere, its other values may have its dtype, too."""
        self.opened_arrays[attribute] = (first, place)
        self._announce(attribute)

    def follow_declared(self) -> None:
        """Note the attributes of the file's classes that are declared as an array, perhaps without a dtype."""
        for cls in definitions(self._tree).classes:
            symbols = () if cls.info.is_named_tuple else cls.info.names.values()
            for node in (each.node for each in symbols):
                if isinstance(node, Var) and is_declared(node) and container_types.is_array(node.type or NoneType()):
                    self.declared_arrays.add(node)
                    self._announce(node)

    def _kind(self, typ: Type) -> ValueKind:
        found = self._kinds.get(typ)
        if found is None:
            self._kinds[typ] = found = value_kinds.kind_of(typ)
        return found

    def _open(self, typ: Type) -> Type:
        """The type with unknown dtypes: one object for all variables of that type."""
        if typ not in self._opened:
            self._opened[typ] = opened = container_types.without_dtypes(typ)
            if opened != typ and not value_marks.has_marked_dtype(typ):
                self.opened_types.add(id(opened))
        return self._opened[typ]

    def _inside(self) -> frozenset[Var]:
        if self._read_inside is None:
            self._read_inside = number_variables.read_inside(self._tree)
        return self._read_inside
