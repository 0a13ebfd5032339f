"""Transforms of functions, control flow and modules as tables from qualified name to hook."""

from collections.abc import Callable, Mapping
from typing import Final

from mypy.types import FunctionLike

from promo_mypy.plugin import control_flow, names

SignatureFeature = Callable[..., FunctionLike]  # (FunctionSigContext, session=Session)

FUNCTION_SIGNATURES: Final[Mapping[str, SignatureFeature]] = {
    names.JAX_SCAN: control_flow.close_scan,
    names.JAX_WHILE_LOOP: control_flow.close_while_loop,
    names.JAX_FORI_LOOP: control_flow.close_fori_loop,
    names.JAX_COND: control_flow.close_cond,
    names.JAX_SWITCH: control_flow.close_switch,
    names.JAX_MAP: control_flow.close_map,
    names.JAX_ASSOCIATIVE_SCAN: control_flow.close_associative_scan,
}
