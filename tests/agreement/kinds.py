"""Expressions of the kinds in which people make mistakes: NumPy's scalars, layers and losses of PyTorch."""

from collections.abc import Mapping
from typing import Final

from tests.agreement.scope import Scope

_SCALARS: Final = {
    "numpy": (
        "{v}[0] * {n}", "{v}[-1] + {m}[0, 1]", "{m}[1, 2] / {x}", "{x} - {v}[1]", "{v}.flat[0] * {y}", "max({v}) * {y}",
        "min({v}) - {n}", "np.sqrt({v}[0]) * {y}", "{x} / np.sqrt(2.0)", "{x} * np.float64({n})", "{v}.sum() * {y}",
        "{x} * np.sqrt(len({v}))", "{x} / np.sqrt({m}.shape[-1])", "{m}.max() - {v}[0]", "[e * {n} for e in {v}][0]",
        "{v}[np.argmax({v})] + {n}", "np.exp2({n}) * {x}", "{v}[0].astype({d}) * {y}", "{d}({v}[0]) + {n}",
    ),
}  # fmt: skip
_LAYERS: Final = {
    "torch": (
        "torch.nn.Linear(3, 3, dtype={d})({x})", "torch.nn.Linear(3, 2)({m})", "torch.nn.LayerNorm(3)({x})",
        "torch.nn.Linear(3, 3).to({d})({m}.to({d}))", "torch.nn.Linear(3, 3).half()({m})",
        "torch.nn.Sequential(torch.nn.Linear(3, 3, dtype={d}), torch.nn.Tanh())({x})", "torch.nn.ReLU()({x})",
        "torch.nn.Embedding(9, 2, dtype={d})({v} * 0)", "torch.nn.Conv1d(3, 2, 1, dtype={d})({m})",
        "torch.nn.Softmax(0)({x})", "torch.nn.Dropout()({x})", "torch.nn.Identity()({x})",
        "torch.nn.Bilinear(3, 3, 2)({v}, {v})", "torch.nn.Flatten()({m})", "torch.nn.GELU()({x})",
        "torch.nn.Parameter({x}) * {y}",
    ),
}  # fmt: skip
_LOSSES: Final = {
    "torch": (
        "torch.nn.functional.cross_entropy({m}, {y})",
        "torch.nn.functional.cross_entropy({m}, torch.tensor([0, 1, 2]))",
        "torch.nn.CrossEntropyLoss()({m}, torch.tensor([0, 1, 2]).to({d}))",
        "torch.nn.CrossEntropyLoss(weight={v})({m}, torch.tensor([0, 1, 2]))",
        "torch.nn.functional.nll_loss({m}, torch.tensor([0, 1, 2]), weight={v})", "torch.nn.NLLLoss()({m}, {v} * 0)",
        "torch.nn.functional.mse_loss({x}, {y})", "torch.nn.L1Loss()({x}, {y})", "torch.nn.SmoothL1Loss()({x}, {y})",
        "torch.nn.HuberLoss()({x}, {y})", "torch.nn.functional.kl_div({x}, {y})",
        "torch.nn.functional.binary_cross_entropy_with_logits({x}, {y})", "torch.nn.BCEWithLogitsLoss()({x}, {x})",
        "torch.nn.functional.binary_cross_entropy({x} * 0, {y} * 0)", "torch.nn.functional.soft_margin_loss({x}, {y})",
        "torch.nn.functional.one_hot({v} * 0)", "torch.nn.functional.multi_margin_loss({m}, torch.tensor([0, 1, 2]))",
    ),
}  # fmt: skip
_KINDS: Final[tuple[Mapping[str, tuple[str, ...]], ...]] = (_SCALARS, _SCALARS, _LAYERS, _LOSSES)


def kind(scope: Scope) -> str | None:
    """An expression of one kind; None if the library has none, or if an array is missing.

    The gaps in the texts: x and y are arrays, v is a vector, m a matrix, n a number, d a dtype.
    """
    texts = scope.random.choice([each for each in _KINDS if scope.dialect.library in each] or [{}])
    gaps = {"x": scope.array(), "y": scope.array(), "v": scope.array(1), "m": scope.array(2)}
    if not texts or None in gaps.values():
        return None
    dtype = scope.dialect.dtype(scope.random.choice(scope.dialect.dtypes))
    return str(scope.one_of(*texts[scope.dialect.library])).format(**gaps, n=scope.number(), d=dtype)
