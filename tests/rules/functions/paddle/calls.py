"""The calls for PaddlePaddle's functions, if their signatures do not determine them; {} is the function."""

from typing import Final

#: Names -> calls. Other functions are called with as many tensors as they need.
CALLS: Final[dict[str, str]] = {
    "add subtract multiply divide floor_divide remainder pow maximum minimum fmax fmin atan2 logaddexp nextafter hypot"
    " copysign equal less_than logical_and bitwise_and": "{}(u, v)",
    "sum mean prod": "{}(x); {}(x, dtype='float64')",
    "cumsum": "{}(x)",
    "cumprod": "{}(x, 0)",
    "topk kthvalue": "{}(x, 1)",
    "lerp": "{}(x, y, 0.5)",
    "clip": "{}(x, 0, 1)",
    "einsum": "{}('i,i->', x, y)",
    "concat stack": "{}([x, y])",
    "where": "{}(paddle.to_tensor([True, False, True]), u, v)",
    "trace diagonal tril triu linalg.inv linalg.det linalg.slogdet linalg.cholesky linalg.svd"
    " linalg.qr linalg.eig linalg.eigvals linalg.eigh linalg.eigvalsh linalg.pinv linalg.matrix_rank": "{}(m)",
    "matmul linalg.solve": "{}(m, n)",
    "transpose": "{}(m, [1, 0])",
    "linalg.matrix_power": "{}(m, 2)",
    "bmm": "{}(paddle.ones([1, 2, 2]), paddle.ones([1, 2, 2]))",
    "fft.fftshift fft.ifftshift": "{}(x, [0])",
    "fft.fftn fft.ifftn fft.fft2 fft.ifft2": "{}(m)",
    "zeros ones empty": "{}([2]); {}([2], dtype='int32')",
    "rand randn standard_normal uniform": "{}([2]); {}([2], dtype='float64')",
    "eye": "{}(2)",
    "full": "{}([2], 1); {}([2], True); {}([2], 1.0); {}([2], 1j); {}([2], 1, dtype='int32')",
    "full_like": "{}(x, 1)",
    "arange": "{}(3); {}(3.0); {}(0, 3.0); {}(0, 3, dtype='int32')",
    "linspace": "{}(0, 1, 3)",
    "logspace": "{}(0.0, 1.0, 3)",
    "to_tensor": "{}(True); {}(1); {}(1.0); {}(1j); {}([]); {}([1, 2.0]); {}(2**31); {}([x, y])",
    "randint randperm": "{}(3)",
    "cast": "{}(x, d)",
    "assign": "{}(x)",
    "reshape expand broadcast_to": "{}(x, [3])",
    "unsqueeze": "{}(x, 0)",
    "tile repeat_interleave roll split chunk": "{}(x, 1)",
    "flip": "{}(x, 0)",
    "gather index_select": "{}(x, paddle.to_tensor([0]))",
    "gather_nd": "{}(x, paddle.to_tensor([[0]]))",
    "masked_select": "{}(x, paddle.to_tensor([True, False, True]))",
    "take_along_axis": "{}(x, paddle.to_tensor([0]), 0)",
    "searchsorted bucketize": "{}(x, y)",
    "nn.functional.cross_entropy": "{}(m, paddle.to_tensor([0, 0, 0]))",
    "nn.functional.linear": "{}(m, n)",
    "nn.functional.one_hot": "{}(paddle.to_tensor([0, 1]), 2)",
    "nn.functional.embedding": "{}(paddle.to_tensor([0, 1]), m)",
}

#: Methods and attributes -> expressions.
METHODS: Final[dict[str, str]] = {
    "sin sqrt square abs sum mean max argmax any cumsum sort argsort clone detach contiguous cpu": "x.{}()",
    "item": "x.{}(0)",
    "add multiply equal": "x.{}(y)",
    "astype cast": "x.{}(d)",
    "reshape expand": "x.{}([3])",
    "T": "m.{}",
}
