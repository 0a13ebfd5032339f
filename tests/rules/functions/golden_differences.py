"""The measured cells where the rules deliberately differ, each with its reason."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """Cells where the rules deliberately differ: `cell` matches "expression dtypes: measured -> ours"."""

    file: str
    cell: str
    cells: int
    reason: str


_HALF = r"(bfloat16|float16)"
DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "numpy*", r"np\.linalg\.eig\(x\) .*: .* -> \?", 24,
        "real matrices have real or complex eigenvalues, by their values: the rules leave it open",
    ),
    Difference(
        "numpy*", r"np\.(dot|inner|vdot)\(u, v\) .*\bbfloat16\b.*: float64 -> \?", 84,
        "what does not promote with bfloat16 is multiplied in float64 here and as Python objects in tensordot and "
        "convolve: the rules leave it open",
    ),
    Difference(
        "numpy", r"np\.histogram\(x\) bfloat16: int64\|float32 -> int64\|\?", 1,
        "the bounds of equal values were measured; of others they are bfloat16: the rules leave it open",
    ),
    Difference(
        "numpy*", r"np\.vdot\(u, v\) .*\bpy_.*: !ValueError -> .*", 240,
        "vdot was measured with two elements beside one number: the shapes are refused, not the dtypes",
    ),
    Difference(
        "numpy-legacy", r"np\.(isclose|where|histogram)\(.*\) .*\bbfloat16\b.*: !DTypePromotionError -> .*", 21,
        "these functions of NumPy 1 cannot promote the bfloat16 of ml_dtypes, where those of NumPy 2 can",
    ),
    Difference(
        "numpy-legacy", r"np\.arange\(x\[0\]\) uint64: float64 -> int64", 1,
        "both are scalars to NumPy 1, which then does not look at values: the start and step that arange adds count "
        "as arrays here",
    ),
    Difference(
        "jax-x*", r"jnp\.log2\(x\) [ifc]\*: .* -> \?", 6,
        "of weak arrays it is strong in JAX 0.10, and weak in 0.11: the rules leave it open",
    ),
    Difference(
        "jax-x64", r"jnp\.tri\(2\) : float32 -> \?", 1,
        "JAX 0.11 makes the default float, which JAX 0.10 did for other functions alone: the rules leave it open",
    ),
    Difference(
        "jax-x32", rf"jnp\.linalg\.\w+\(x\) {_HALF}: .* -> !", 14,
        "this file was measured by abstract evaluation: executed, JAX refuses (jax-x64)",
    ),
    Difference(
        "jax-x64", r"jnp\.linalg\.matrix_rank\(x\) .*: .* -> \?", 15,
        "of a vector it is an int32, and the rules do not distinguish vectors from matrices",
    ),
    Difference(
        "jax-x32", r"jnp\.arg(max|min)\(x\) c.*: int32 -> !", 6,
        "this file was measured by abstract evaluation: executed, JAX refuses (jax-x64)",
    ),
    *(
        Difference(
            file, r"x\.at\.(set|add)\(v\) .*: [^!]* -> !", cells,
            "JAX casts with a FutureWarning that this is going to be an error: the rules reject it",
        )
        for file, cells in (("jax-x64", 356), ("jax-x32", 458))
    ),
    Difference(
        "torch", r".*\buint(16|32|64)\b.*: !NotImplementedError -> .*", 282,
        "uint16, uint32 and uint64 lack CPU kernels: the dtypes are those of the rule, as for operators",
    ),
    Difference(
        "torch", r"torch\.(div|divide|true_divide|pow)\(u, v\) .*: !NotImplementedError -> complex32", 6,
        "PyTorch has complex32 division and power for CUDA, where they were executed; the CPU kernels are missing",
    ),
    Difference(
        "torch", r"torch\.abs\(x\) bool: !NotImplementedError -> bool", 1,
        "PyTorch has abs of bool for CUDA, where it was executed; the CPU kernel is missing",
    ),
    Difference(
        "torch", r"torch\.(median|histc|trace)\(\w\) (bool|u?int8|int\d+): !NotImplementedError -> \w+", 7,
        "CUDA has the kernels, where they were executed (torch-cuda.json)",
    ),
    Difference(
        "torch", r"torch\.(fft\.\w+\(x\) float16|nansum\(x\) complex\d+): !RuntimeError -> \w+", 6,
        "CUDA computes it, where it was executed (torch-cuda.json)",
    ),
    Difference(
        "torch", r"torch\.ldexp\(u, v\) .*: !\w+ -> .*", 24,
        "no CPU kernel for the powers of two of bool and complex32: the dtype is the promoted one",
    ),
    Difference(
        "torch", r"torch\.tensor\(u\) py_complex: !RuntimeError -> complex64", 1,
        "torch.tensor(1j) does not guess a complex dtype for bfloat16, but arithmetic with 1j gives complex64",
    ),
    Difference(
        "array-api-strict", r"xp\.(less|maximum|minimum)\(u, v\) .*\bpy_complex\b.*: .* -> !", 12,
        "array-api-strict orders a float and a Python complex, which the standard does not",
    ),
    Difference(
        "array-api-strict", r"xp\.(matmul|tensordot|vecdot)\(.*\) .*: .* -> !", 216,
        "array-api-strict multiplies dtypes of different kinds, which the standard does not promote",
    ),
    Difference(
        "array-api-strict", r"xp\.asarray\(2\*\*63\) : uint64 -> !", 1,
        "the standard leaves what is beyond the default integer undefined",
    ),
    Difference(
        "dask", r"da\.(var|std)\(x\) bfloat16: bfloat16 -> !", 2,
        "Dask declares a dtype that it cannot compute, and with other chunks not even that",
    ),
    Difference(
        "dask", r"da\.einsum\(.*\) .*\bbfloat16\b.*: bfloat16 -> !", 7,
        "Dask declares a dtype that it cannot compute: NumPy refuses",
    ),
    Difference(
        "tensorflow", r"tf\.(math\.reciprocal|round|math\.rint)\(x\) .*: !NotFoundError -> .*", 8,
        "a kernel that the CPU lacks, for a dtype that the operation has",
    ),
    Difference(
        "tensorflow", r"tf\.constant\((\[True, 1\]|1e300)\) : !ValueError -> .*", 2,
        "the values decide: a list of bools takes no number, and 1e300 is no float32",
    ),
    Difference(
        "paddle", r".*: !RuntimeError -> .*", 1135,
        "a kernel that the CPU lacks: the dtype is that of the rule, as for operators",
    ),
    Difference(
        "paddle", r"paddle\.(isclose|dot|stack|einsum|kron|inner|matmul)\(.*\) .*: (?!!RuntimeError).* -> \?", 224,
        "beside a complex tensor, and a float32 one in products, it depends on the kernel: the rules leave it open",
    ),
    Difference(
        "paddle", r"paddle\.(gcd|lcm)\(u, v\) .*\bcomplex.*: (?!!RuntimeError).* -> \?", 40,
        "some pairs with complex tensors are refused, others lose the imaginary part: the rules leave it open",
    ),
)  # fmt: skip
