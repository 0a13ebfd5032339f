"""`Promote[A, B]` in an annotation: the dtype that arrays of the dtypes A and B promote to together."""

from typing import Any, Generic, TypeVarTuple

Operands = TypeVarTuple("Operands")


class Promote(Any, Generic[*Operands]):  # type: ignore[misc] # Any is on purpose: see the docstring
    """The dtype that a promotion system gives for all operands together, as the library's `result_type` does.

    An operand is a type variable, over dtypes or over whole arrays; a dtype; or in quotes the name of a parameter of
    the function. Only the class is used, never an instance: if the plugin does not infer the dtype, Any as a base
    makes the type compatible with every dtype.
    """
