"""Mistakes with PyTorch's dtypes, one in each function. report.txt has mypy's report."""
# mypy: enable-error-code="promo-widening, promo-precision"

from jaxtyping import BFloat16, Bool, Float16, Float32, Int64, UInt8
from torch import Tensor


def forward(inputs: BFloat16[Tensor, "batch n"], master: Float32[Tensor, "n"]) -> Float32[Tensor, "batch"]:
    """PyTorch does not promote in @."""
    return inputs @ master


def scale(inputs: BFloat16[Tensor, "batch n"], gain: Float32[Tensor, "n"]) -> BFloat16[Tensor, "batch n"]:
    """The product is float32."""
    return inputs * gain


def accumulate(counts: Int64[Tensor, "n"], weights: Float32[Tensor, "n"]) -> Int64[Tensor, "n"]:
    """The sum is float32, but the target keeps its dtype."""
    counts += weights
    return counts


def flip(mask: Bool[Tensor, "n"]) -> Bool[Tensor, "n"]:
    """PyTorch does not support - for bool."""
    return 1 - mask


def narrow(pixels: UInt8[Tensor, "n"], offset: Int64[Tensor, "n"]) -> UInt8[Tensor, "n"]:
    """int64, eight times the memory."""
    return pixels + offset


def blend(half: Float16[Tensor, "n"], brain: BFloat16[Tensor, "n"]) -> Float32[Tensor, "n"]:
    """Neither dtype holds the other, so PyTorch widens."""
    return half + brain


def evaluate(inputs: Float32[Tensor, "batch n"], gain: Float32[Tensor, "n"]) -> Float32[Tensor, "batch n"]:
    """A float32 tensor for a bfloat16 parameter."""
    return scale(inputs, gain).float()
