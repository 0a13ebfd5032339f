"""The tables of features: qualified name -> what infers a call, an operator, an attribute or a class."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from mypy.plugin import (
    AttributeContext,
    ClassDefContext,
    FunctionContext,
)
from mypy.types import Type

from promo_mypy.plugin import containers, libraries, names
from promo_mypy.plugin.calls import written_dtypes
from promo_mypy.plugin.calls.classes import jax_scalar_calls
from promo_mypy.plugin.inferred.declared_variables import Declarations
from promo_mypy.plugin.late import late, late_feature
from promo_mypy.plugin.marks import call_marks
from promo_mypy.plugin.mypy_api.checker import copied_functions, tested_blocks, type_checker
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.mypy_api.nodes import first_calls
from promo_mypy.plugin.operators import builtin_calls, operator_members, operator_results, sums
from promo_mypy.plugin.operators.containers import python_sequences
from promo_mypy.plugin.operators.indexing import indexed_arrays
from promo_mypy.plugin.process import library_versions
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.transforms import transform_rows
from promo_mypy.plugin.transforms.transform_rows import FunctionFeature, SignatureFeature
from promo_mypy.plugin.types import generic_arrays, join_markers, numpy_scalars, tensor_subclasses, value_marks
from promo_mypy.rules.functions.torch import distributions
from promo_mypy.rules.operators import OPERATORS

with late():
    from promo_mypy.plugin.inferred import (
        annotated_numbers,
        overridden_members,
        rebound_attributes,
        rejected_values,
        reset_containers,
    )
    from promo_mypy.plugin.operators.variables import annotated_arrays, tested_dtypes

MethodFeature = Callable[..., Type]  # (MethodContext, session=Session)


def _classes(*, of: Callable[[libraries.ArrayLibrary], bool]) -> tuple[str, ...]:
    return tuple(cls for row in libraries.GENERIC if of(row) for cls in row.classes)


# The array classes and their base classes, by the library's declarations of operators: complete, narrower than what its
# arrays accept, or none.
_ANNOTATED: Final = _classes(of=lambda row: row.annotates and not row.narrow)
_NARROW: Final = _classes(of=lambda row: row.narrow)
_UNANNOTATED: Final = _classes(of=lambda row: not row.annotates)
#: PyTorch's containers of modules and parameters.
_LISTS: Final = (names.TORCH_SEQUENTIAL, names.TORCH_MODULE_LIST, names.TORCH_PARAMETER_LIST)
_DICTS: Final = (names.TORCH_MODULE_DICT, names.TORCH_PARAMETER_DICT)
_CONTAINERS: Final = (*_LISTS, *_DICTS)
#: Their methods that iterate the items.
_ITERATING: Final = (
    *(f"{container}.__iter__" for container in _LISTS),
    *(f"{container}.{method}" for container in _DICTS for method in ("values", "items")),
)

CLASSES: Final[Mapping[str, Callable[[ClassDefContext], None]]] = {
    **{
        row.array: generic_arrays.make_array_generic if row.annotates else generic_arrays.annotate_with_any
        for row in libraries.GENERIC
    },
    **{base: generic_arrays.replace_right_operators for row in libraries.GENERIC for base in row.bases},
    **dict.fromkeys(names.GENERIC_UPDATES, generic_arrays.make_generic),
    **tensor_subclasses.CLASSES,
    names.TENSORFLOW_VARIABLE: late_feature("calls.classes.tensorflow_variables", "make_generic"),
    names.NUMPY_ARRAY: generic_arrays.replace_operators,
    **dict.fromkeys(join_markers.MARKERS, join_markers.promote),
    **dict.fromkeys(value_marks.CLASSES, value_marks.promote),
    **dict.fromkeys(names.TORCH_MODES, late_feature("transforms.wrappers", "accept_function")),
    **dict.fromkeys(names.TORCH_AUTOCAST, late_feature("calls.autocast", "annotate_decorator")),
}

_RESULTS: Final = {
    method: partial(operator_results.infer_result, operator=operator)
    for method, operator in OPERATORS.items()
    if method not in generic_arrays.REVERSED
}
_SIGNATURES_OF_OPERATORS: Final = {
    method: partial(operator_results.infer_signature, operator=operator) for method, operator in OPERATORS.items()
}
_LOOK_UPS: Final = {
    method: partial(operator_members.member_access, operator=operator) for method, operator in OPERATORS.items()
}

METHODS: Final[Mapping[str, MethodFeature]] = (
    {f"{row_class}.__getitem__": indexed_arrays.infer_item for row_class in _classes(of=lambda _: True)}
    | {
        f"{row_class}.__iter__": late_feature("operators.indexing.iteration", "infer_items")
        for row_class in _classes(of=lambda _: True)
    }
    | {
        f"{names.JAX_UPDATE_HELPER}.__getitem__": indexed_arrays.infer_item,
        f"{names.NUMPY_ARRAY}.__getitem__": indexed_arrays.infer_numpy_item,
        f"{names.NUMPY_ARRAY}.__iter__": late_feature("operators.indexing.iteration", "infer_items"),
        f"{names.VALUE_MARKS}._Unknown.__getitem__": indexed_arrays.infer_scalar_item,
        "numpy.void.__getitem__": indexed_arrays.infer_field,
        # The operator of a float that mypy asks for an int on the left.
        "builtins.float.__rpow__": late_feature("operators.length_powers", "infer"),
        **dict.fromkeys(names.NUMPY_GRIDS, late_feature("operators.indexing.index_grids", "infer")),
    }
    | {f"{cls}.{method}": feature for cls in _ANNOTATED for method, feature in _RESULTS.items()}
    | {
        f"{cls}.{method}": late_feature("operators.containers.filled_containers", "infer_result")
        for cls in containers.CONTAINERS
        for method in containers.JOINING
    }
    | dict.fromkeys(python_sequences.METHODS, python_sequences.infer)
    | {python_sequences.OF_DICTS: python_sequences.infer_value}
    | dict(transform_rows.METHODS)
    | dict.fromkeys(names.MASKED_OPERATORS, late_feature("operators.masked_arrays", "infer"))
    | {f"{names.MASKED_ARRAY}.astype": late_feature("operators.masked_arrays", "infer_cast")}
    | {f"{names.TORCH_LOADER}.__iter__": late_feature("calls.data_loaders", "infer_iterator")}
    | {f"{names.TORCH_TENSOR_DATASET}.__getitem__": late_feature("calls.data_loaders", "infer_sample")}
    | {f"{container}.__getitem__": late_feature("layers.module_containers", "infer_item") for container in _CONTAINERS}
    | dict.fromkeys(_ITERATING, late_feature("layers.module_containers", "infer_iterator"))
    | {
        f"{names.TORCH_MODULE}.{method}": late_feature("layers.layer_parameters", "infer_all")
        for method in ("parameters", "named_parameters")
    }
    | {f"{names.TORCH_MODULE}.register_buffer": late_feature("layers.registered_buffers", "check")}
    | dict.fromkeys(
        distributions.members(distributions.METHODS), late_feature("calls.classes.torch_distributions", "infer")
    )
)

ARRAY_OPERATORS: Final[Mapping[str, SignatureFeature]] = {
    f"{cls}.{method}": feature
    for cls in (names.NUMPY_ARRAY, *names.NUMPY_SCALARS, *_NARROW, *_UNANNOTATED)
    for method, feature in _SIGNATURES_OF_OPERATORS.items()
}
SIGNATURES: Final[Mapping[str, SignatureFeature]] = (
    dict(ARRAY_OPERATORS)
    | {f"{cls}.{method}": _SIGNATURES_OF_OPERATORS[method] for cls in _ANNOTATED for method in generic_arrays.REVERSED}
    | {
        method: partial(builtin_calls.infer_scalar_signature, operator=operator)
        for method, operator in builtin_calls.SCALARS.items()
    }
    | {
        f"{cls}.{method}": late_feature("operators.containers.filled_containers", "infer_signature")
        for cls in containers.CONTAINERS
        for method in containers.FILLING
    }
    | {f"{names.TORCH_MODULE}.__call__": late_feature("layers.torch_modules", "call_signature")}
)

ACCESSES: Final[Mapping[str, Callable[[AttributeContext], Type]]] = {
    f"{cls}.{method}": _LOOK_UPS[method]
    for classes, methods in (
        ((names.NUMPY_ARRAY, *_NARROW), generic_arrays.REPLACED),
        (_ANNOTATED, generic_arrays.REVERSED),
        (_UNANNOTATED, frozenset(OPERATORS)),
    )
    for cls in classes
    for method in methods
} | {f"{cls}.{method}": library_versions.scalar_operator for cls in names.NUMPY_SCALARS for method in OPERATORS}


def _follow(ctx: FunctionContext, session: Session) -> Type:
    """The inserted first call, or another one. The daemon checks each function of a file with a new type checker."""
    session.watch.follow(ctx.api)
    if tested_blocks.is_inserted(ctx.context):
        tested_dtypes.narrow(ctx, session)
    elif ctx.args and ctx.args[0]:
        reset_containers.drop_dtypes(ctx)
        rebound_attributes.drop_dtype(ctx)
        overridden_members.check(ctx)
        annotated_arrays.narrow_to_value(ctx, session)
        annotated_numbers.keep(ctx)
        rejected_values.check(ctx)
    else:
        _begin(ctx)
    return ctx.default_return_type


def _made_generator(ctx: FunctionContext, session: Session) -> Type:
    """`da.random.default_rng()`, which Dask does not annotate."""
    generator = session.symbols.instance(names.DASK_GENERATOR)
    return ctx.default_return_type if generator is None else generator


def _begin(ctx: FunctionContext) -> None:
    """The inserted first call: prepare the copy that begins with it, and insert it where it is missing.

    That is done once for each check of the file: the call in each function asks for it.
    """
    declared, is_daemon = type_checker.checker(ctx.api).var_decl_frames, type_checker.is_daemon(ctx.api)
    if isinstance(declared, Declarations):
        if copied_functions.restore_copy(ctx.api):
            declared.variables.begin_anew()
        if is_daemon and semantic_analysis.is_first_call(ctx.context):
            declared.begin_function()
        if declared.calls_are_inserted:
            return
        declared.calls_are_inserted = True
    semantic_analysis.call_first(type_checker.modules(ctx.api), type_checker.tree(ctx.api), in_functions=is_daemon)


FUNCTIONS: Final[Mapping[str, FunctionFeature]] = {
    function: partial(builtin_calls.infer_call, operator=operator)
    for function, operator in builtin_calls.BUILTINS.items()
} | {
    first_calls.FIRST_CALL: _follow,
    sums.SUM: sums.infer_sum,
    names.ROUND: call_marks.infer_rounded,
    **dict.fromkeys(jax_scalar_calls.NAMES, jax_scalar_calls.infer),
    names.TENSORFLOW_VARIABLE: late_feature("calls.classes.tensorflow_variables", "infer_variable"),
    names.TORCH_TENSOR: late_feature("calls.classes.tensor_classes", "infer_tensor"),
    **dict.fromkeys(tensor_subclasses.OF_ONE_DTYPE, late_feature("calls.classes.tensor_classes", "check")),
    **dict.fromkeys(numpy_scalars.CLASSES, late_feature("calls.classes.numpy_scalar_calls", "infer")),
    names.NUMPY_DTYPE: written_dtypes.infer_dtype,
    **dict.fromkeys(names.FLOAT_LIMITS, late_feature("calls.classes.number_limits", "infer")),
    **dict.fromkeys(names.ITERATING, late_feature("operators.indexing.iteration", "infer_iterable")),
    **dict.fromkeys(names.OVERLOADED_ITERATORS, late_feature("operators.indexing.iteration", "infer_overloaded")),
    **dict.fromkeys(_CONTAINERS, late_feature("layers.module_containers", "remember_items")),
    names.TORCH_PARAMETER: late_feature("layers.torch_modules", "infer_parameter"),
    names.DASK_RNG: _made_generator,
    **dict.fromkeys(distributions.CLASSES, late_feature("calls.classes.torch_distributions", "store")),
    distributions.INDEPENDENT: late_feature("calls.classes.torch_distributions", "store"),
    distributions.KL_DIVERGENCE: late_feature("calls.classes.torch_distributions", "infer_divergence"),
    **transform_rows.FUNCTIONS,
}
