"""One mixed-precision step in PyTorch: bfloat16 for speed, float32 for the sums and the master weights."""

import torch
from jaxtyping import BFloat16, Float32, Int64
from torch import Tensor

Weights = Float32[Tensor, "feature"]
Half = BFloat16[Tensor, "batch feature"]
Slope = Float32[Tensor, "batch"]


def forward(inputs: Half, weights: BFloat16[Tensor, "feature"]) -> BFloat16[Tensor, "batch"]:
    """The part that runs in half precision."""
    return inputs @ weights


def loss_slope(scores: BFloat16[Tensor, "batch"], target: Int64[Tensor, "batch"]) -> Slope:
    """The derivative of the squared error, in single precision."""
    return (scores.float() - target) * 2


def update(master: Weights, inputs: Half, slope: Slope, rate: Float32[Tensor, ""]) -> Weights:
    """The new master weights. PyTorch does not cast in `@`, so a bfloat16 matrix times a float32 vector is an error."""
    gradient = inputs.float().T @ slope / inputs.shape[0]
    return master - gradient * rate


def step(master: Weights, inputs: Float32[Tensor, "batch feature"], target: Int64[Tensor, "batch"]) -> Weights:
    """Forward in bfloat16, backward in float32."""
    half = inputs.bfloat16()
    scores = forward(half, master.bfloat16())
    rate: Float32[Tensor, ""] = torch.tensor(0.1)
    return update(master, half, loss_slope(scores, target), rate)


def main() -> None:
    """One step in learning to distinguish two clusters."""
    inputs = torch.tensor([[1.0, 0.5], [0.5, 1.0], [-1.0, -0.5], [-0.5, -1.0]])
    target = torch.tensor([1, 1, -1, -1])
    master: Weights = torch.zeros(2)
    for _ in range(20):
        master = step(master, inputs, target)
    print(master.dtype, forward(inputs.bfloat16(), master.bfloat16()).tolist())


if __name__ == "__main__":
    main()
