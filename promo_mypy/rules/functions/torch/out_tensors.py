"""The tensors that PyTorch's functions write to: `out=`. Source: running PyTorch 2.13 with every dtype of `out`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from promo_mypy.rules.functions.language.choosing import Checked, If, IfKind
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.indexing import Indexed, StoredEqual
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Row, Rows
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.language.storing import Fit, Into
from promo_mypy.rules.functions.language.vocabulary import Same

#: Which dtypes `out` may have -> names of functions. Other functions accept any dtype that the result can be cast to.
_NAMED: Final[Mapping[Fit, str]] = {
    Fit.SAME: (
        "floor ceil trunc round frac neg sign sgn isposinf isneginf signbit bitwise_not nan_to_num float_power"
        " heaviside where clamp clamp_min clamp_max logcumsumexp amax amin argmax argmin quantile nanquantile softmax"
        " log_softmax msort nonzero searchsorted bucketize histc isin multinomial tril triu diag gather index_select"
        " masked_select take_along_dim scatter index_add dot vdot inner matmul mm bmm mv addmm addmv addbmm baddbmm"
        " tensordot cross norm linalg.norm linalg.vector_norm linalg.matrix_norm linalg.inv linalg.det linalg.cholesky"
        " linalg.cross linalg.lu_solve linalg.svdvals linalg.eigvalsh linalg.solve linalg.solve_triangular"
        " linalg.vecdot linalg.matrix_power linalg.multi_dot fft.ihfft renorm lu_solve"
    ),
    Fit.KIND: "nanmean fft.irfft fft.hfft fft.irfft2 fft.irfftn fft.fftfreq fft.rfftfreq",
    Fit.READ: "bernoulli",
    Fit.ANY: "zeros ones empty eye full sum prod nansum cumsum cumprod linspace logspace range any all logsumexp mean",
}
_FITS: Final = {name: fit for fit, names in _NAMED.items() for name in names.split()}

#: Function -> the dtypes of `out` that it rejects for every result, as in `Converted`.
_REFUSED: Final = {
    **dict.fromkeys(("any", "all"), "i=refused fc=refused"),
    **dict.fromkeys(("logsumexp", "mean"), "bui=refused"),
    **dict.fromkeys(("arange", "range", "randint", "randperm"), "c=refused"),
    **dict.fromkeys(("range", "linspace", "logspace"), "b=refused"),
}


def with_out(rows: Rows) -> Rows:
    """The rows, with the check of `out` in those of functions that take it."""
    return {name: _with_out(row) for name, row in rows.items()}


def _with_out(row: Row) -> Row:
    if not any(parameter.name == "out" for parameter in signature(row.signature).parameters):
        return row
    return replace(row, rule=_stored(row.name, row.rule))


def _stored(name: str, rule: Rule) -> Rule:
    if isinstance(rule, Indexed | StoredEqual):  # they have remedies of their own
        return replace(rule, rule=_stored(name, rule.rule))
    if name == "abs":  # of complex numbers it is real, and cast
        return IfKind("input", "c", Into(rule), Into(rule, fit=Fit.SAME))
    if name == "normal":  # it draws in that dtype, whatever the dtypes of the parameters are
        return If("out", Same("out"), rule)
    if name == "linalg.solve_triangular":  # PyTorch does not compare the dtypes, and returns the result
        return rule
    stored = Into(rule, fit=_FITS.get(name, Fit.CAST))
    if name not in _REFUSED:
        return stored
    return If("out", Checked(stored, Converted(Same("out"), _REFUSED[name])), rule)
