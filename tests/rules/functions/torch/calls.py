"""The calls for PyTorch's functions, if their signatures do not determine them; {} is the function."""

from typing import Final

#: Names below torch -> calls.
CALLS: Final[dict[str, str]] = {
    "add sub mul div pow remainder floor_divide bitwise_and eq lt": "{}(u, v)",
    "maximum minimum fmax fmin fmod arctan2 hypot copysign nextafter logaddexp xlogy gcd lcm float_power ne le gt ge"
    " logical_and bitwise_or bitwise_left_shift": "{}(u, v)",
    "sum prod nansum mean": "{}(x); {}(x, dtype=d); {}(m, 0)",
    "max min": "{}(x); {}(m, 0); {}(x, y)",
    "median nanmedian": "{}(x); {}(m, 0)",
    "argmax argmin any all var std amax amin": "{}(x); {}(m, 0)",
    "var_mean std_mean aminmax": "{}(x)",
    "cumsum cumprod": "{}(x, 0); {}(x, 0, dtype=d)",
    "cummax cummin logcumsumexp logsumexp": "{}(x, 0)",
    "softmax log_softmax": "{}(x, 0); {}(x, 0, dtype=d)",
    "kthvalue topk": "{}(x, 1)",
    "quantile nanquantile": "{}(x, 0.5); {}(x, y)",
    "sort argsort mode": "{}(x)",
    "unique unique_consecutive": "{}(x); {}(x, return_counts=True)",
    "nonzero": "{}(x); {}(x, as_tuple=True)",
    "searchsorted": "{}(x, x); {}(x, x, out_int32=True)",
    "bucketize": "{}(x, x)",
    "multinomial": "{}(x, 1)",
    "trace t adjoint fliplr det inverse pinverse logdet": "{}(m)",
    "tril triu diagonal flipud rot90": "{}(m)",
    "round": "{}(x)",
    "where": "{}(torch.tensor([True, False, True]), u, v); {}(x)",
    "clamp": "{}(x, 0, 1); {}(x, y, y); {}(x, min=0.0); {}(x, y); {}(x, max=y); {}(x, True)",
    "clamp_min clamp_max": "{}(x, 0); {}(x, y)",
    "lerp": "{}(x, y, 0.5); {}(x, x, y)",
    "addcmul addcdiv": "{}(x, y, y)",
    "zeros ones empty rand randn": "{}(2); {}((2, 3)); {}(2, dtype=d); {}(size=(2, 3), dtype=d);"
    " {}(2, dtype=d, requires_grad=True)",
    "eye randperm": "{}(3); {}(3, dtype=d)",
    "full": "{}((2,), 1); {}((2,), 1.0); {}((2,), True); {}((2,), 1, dtype=d); {}((2,), 1, requires_grad=True)",
    "view_as_real": "{}(x)",
    "view_as_complex": "{}(x[:2])",
    "autograd.grad": "{}(x.requires_grad_().mean().abs(), x)",
    "zeros_like ones_like empty_like": "{}(x); {}(x, dtype=d); {}(x, requires_grad=True)",
    "rand_like randn_like": "{}(x)",
    "full_like": "{}(x, 1); {}(x, 1, dtype=d)",
    "randint_like": "{}(x, 3); {}(x, high=3)",
    "randint": "{}(3, (2,)); {}(0, 3, (2,)); {}(0, 2, (2,), dtype=d); {}(high=2, size=(2,), dtype=d)",
    "normal": "{}(x, 1.0); {}(0.0, 1.0, (2,)); {}(0.0, 1.0, (2,), dtype=d)",
    "arange": "{}(3); {}(0, 3.0); {}(0, 3, 0.5); {}(3, dtype=d)",
    "range": "{}(0, 3)",
    "linspace logspace": "{}(0, 1, 3); {}(0, 1, 3, dtype=d)",
    "sparse_coo_tensor": "{}(torch.tensor([[0, 1, 2]]), x); {}(torch.tensor([[0]]), [1.5]);"
    " {}(torch.tensor([[0, 1, 2]]), x, (3,), dtype=d)",
    "fake_quantize_per_tensor_affine": "{}(x, 0.1, 0, -128, 127)",
    "_int_mm": "{}(m, n)",
    "nn.utils.rnn.pad_sequence": "{}([x, x]); {}([x, y]); {}([m])",
    "nn.utils.parameters_to_vector": "{}([x, x]); {}([m])",
    "nn.utils.clip_grad_norm_": "{}(x.requires_grad_().square().sum().backward() or [x], 1.0)",
    "nn.functional.ctc_loss": "{}(torch.stack([m, m, m]), torch.ones(3, 1, dtype=torch.int64),"
    " torch.tensor([3, 3, 3]), torch.tensor([1, 1, 1]))",
    "utils.data.default_collate": "{}([x, x]); {}([x]); {}([1, 2]); {}([1.5]); {}([True])",
    "tensor as_tensor asarray": "{}([1, 2.0]); {}([True, 1]); {}(1); {}(1.5); {}([[1], [2]]); {}(x, dtype=d);"
    " {}([1, 0], dtype=d)",
    "scalar_tensor": "{}(1); {}(1, dtype=d)",
    "hann_window hamming_window blackman_window bartlett_window": "{}(3)",
    "tril_indices triu_indices": "{}(2, 2)",
    "reshape broadcast_to": "{}(x, (1, 3))",
    "unflatten": "{}(x, 0, (3, 1))",
    "transpose swapaxes swapdims movedim moveaxis": "{}(m, 0, 1)",
    "permute": "{}(m, (1, 0))",
    "unsqueeze unbind": "{}(x, 0)",
    "flip": "{}(x, (0,))",
    "roll repeat_interleave": "{}(x, 1)",
    "repeat_interleave": "{}(x, 1); {}(x, y)",
    "tile": "{}(x, (2,))",
    "narrow": "{}(x, 0, 0, 1)",
    "select": "{}(x, 0, 0)",
    "split chunk tensor_split": "{}(x, 1)",
    "hsplit": "{}(m, 3)",
    "vsplit": "{}(m, 3)",
    "dsplit": "{}(torch.ones((2, 2, 2)), 2)",
    "meshgrid": "{}(x, x, indexing='ij')",
    "broadcast_tensors cartesian_prod": "{}(x, x)",
    "block_diag": "{}(m, n)",
    "cat stack hstack vstack dstack column_stack row_stack": "{}([x, y])",
    "gather index_select": "{}(x, 0, torch.tensor([0, 1])); {}(x, 0, y)",
    "take": "{}(x, torch.tensor([0, 1])); {}(x, y)",
    "take_along_dim": "{}(x, torch.tensor([0, 1])); {}(x, y); {}(x, y, 0)",
    "masked_select": "{}(x, torch.tensor([True, False, True])); {}(x, y)",
    "masked_fill": "{}(x, torch.tensor([True, False, True]), 1); {}(x, y, 1)",
    "masked_scatter": "{}(x, torch.tensor([True, False, True]), y); {}(x, y, x)",
    "put": "{}(x, torch.tensor([0, 1, 2]), y); {}(x, y, x)",
    "scatter": "{}(x, 0, torch.tensor([0, 1]), 1); {}(x, 0, torch.tensor([0, 1, 2]), y); {}(x, 0, y, x)",
    "scatter_add index_add index_copy": "{}(x, 0, torch.tensor([0, 1, 2]), y); {}(x, 0, y, x)",
    "scatter_reduce index_reduce": "{}(x, 0, torch.tensor([0, 1, 2]), y, 'prod'); {}(x, 0, y, x, 'prod')",
    "index_fill": "{}(x, 0, torch.tensor([0, 1]), 1); {}(x, 0, y, 1)",
    "index_put": "{}(x, (y,), z); {}(x, (y,), x)",
    "slice_scatter": "{}(m, n)",
    "diagonal_scatter": "{}(m, x)",
    "select_scatter": "{}(m, x, 0, 0)",
    "result_type": "{}(x, y); {}(x, 1.0)",
    "promote_types": "{}(torch.float32, d)",
    "dot vdot inner outer kron cross": "{}(x, y)",
    "matmul mm": "{}(m, n)",
    "mv": "{}(m, x)",
    "addmm": "{}(m, m, n)",
    "addmv": "{}(x, m, y)",
    "addr": "{}(m, x, y)",
    "fill": "{}(x, 1)",
    "dequantize": "{}(x)",
    "segment_reduce": "{}(x, 'sum', lengths=torch.tensor([1, 2]))",
    "nn.init.uniform_ nn.init.normal_ nn.init.trunc_normal_ nn.init.zeros_ nn.init.ones_": "{}(x)",
    "nn.init.xavier_uniform_ nn.init.xavier_normal_ nn.init.kaiming_uniform_ nn.init.kaiming_normal_"
    " nn.init.orthogonal_ nn.init.eye_": "{}(m)",
    "nn.init.constant_": "{}(x, 1)",
    "einsum": "{}('i,i->', x, y)",
    "tensordot": "{}(x, y, 1)",
    "cdist": "{}(m, n)",
    "norm": "{}(x)",
    "linalg.inv linalg.det linalg.pinv linalg.cholesky linalg.slogdet linalg.svd linalg.svdvals linalg.qr linalg.eig"
    " linalg.eigvals linalg.eigh linalg.eigvalsh linalg.matrix_rank linalg.matrix_exp linalg.cond linalg.matrix_norm"
    " fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2": "{}(m)",
    "linalg.norm linalg.vector_norm": "{}(x)",
    "linalg.solve linalg.lstsq linalg.solve_ex triangular_solve": "{}(m, n)",
    "linalg.inv_ex linalg.cholesky_ex linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.ldl_factor slogdet svd qr"
    " linalg.ldl_factor_ex geqrf cholesky cholesky_inverse": "{}(m)",
    "lu_unpack": "{}(m, torch.tensor([1, 2, 3], dtype=torch.int32))",
    "linalg.lu_solve": "{}(m, torch.tensor([1, 2, 3], dtype=torch.int32), n)",
    "linalg.householder_product linalg.tensorsolve": "{}(m, x)",
    "linalg.tensorinv": "{}(m, 1)",
    "linalg.vecdot": "{}(x, y)",
    "histogram": "{}(x, 3); {}(x, 3, weight=y)",
    "cov": "{}(x); {}(x, fweights=y); {}(x, aweights=y)",
    "frexp": "{}(x)",
    "linalg.solve_triangular": "{}(m, n, upper=True)",
    "linalg.matrix_power": "{}(m, 2)",
    "linalg.multi_dot": "{}([m, n])",
    "fft.fftfreq fft.rfftfreq": "{}(4)",
    "poisson": "{}(x)",
    "combinations": "{}(x)",
    "special.chebyshev_polynomial_t special.hermite_polynomial_h special.legendre_polynomial_p special.zeta"
    " special.xlog1py": "{}(x, y); {}(x, 2.0); {}(2, x)",
    "igamma igammac dist": "{}(x, y)",
    "mvlgamma": "{}(x * 3, 1)",
    "polygamma": "{}(1, x)",
    "trapezoid trapz cumulative_trapezoid": "{}(x); {}(x, y); {}(x, dx=2.0)",
    "gradient vander linalg.vander diagflat": "{}(x)",
    "gradient": "{}(x, spacing=(y,))",
    "renorm": "{}(m, 2, 0, 1.0)",
    "unravel_index": "{}(x, (2, 2))",
    "split_with_sizes": "{}(x, [1, 2])",
    "lu_solve": "{}(m, n, torch.tensor([1, 2, 3], dtype=torch.int32))",
    "cholesky_solve": "{}(m, n)",
    "orgqr": "{}(m, x)",
    "stft": "{}(torch.cat([x, x, x]), 4, return_complex=True);"
    " {}(torch.cat([x, x, x]), 4, window=torch.cat([y, y[:1]]), return_complex=True)",
    "istft": "{}(torch.stack([x, x]).T, 4); {}(torch.stack([x, x]).T, 4, return_complex=True)",
    "nn.functional.prelu": "{}(x, y[:1])",
    "nn.functional.pdist": "{}(m)",
    "nn.functional.embedding_bag": "{}(m, n); {}(m.int(), n)",
    "nn.functional.margin_ranking_loss": "{}(x, y, x); {}(x, x, y)",
    "nn.functional.gaussian_nll_loss": "{}(x, y, y); {}(x, x, y); {}(x, y, x)",
    "nn.functional.poisson_nll_loss": "{}(x, y); {}(x, y, log_input=False); {}(x, y, full=True)",
    "nn.functional.cosine_embedding_loss": "{}(m, n, torch.ones(3)); {}(m, m, y)",
    "nn.functional.triplet_margin_loss": "{}(m, n, n)",
    "nn.functional.multilabel_soft_margin_loss": "{}(m, n); {}(m, m, weight=y)",
    "nn.functional.glu": "{}(torch.stack([x, x]), 0)",
    "nn.functional.softmax nn.functional.log_softmax nn.functional.softmin": "{}(x, 0)",
    "nn.functional.normalize": "{}(x, dim=0)",
    "nn.functional.threshold": "{}(x, 0, 1)",
    "nn.functional.linear": "{}(m, n)",
    "nn.functional.layer_norm nn.functional.rms_norm": "{}(x, (3,)); {}(x, (3,), weight=y)",
    "nn.functional.layer_norm": "{}(x, (3,), weight=y, bias=y)",
    "nn.functional.batch_norm": "{}(m, y, y); {}(m, None, None, y, y, True)",
    "nn.functional.mse_loss nn.functional.l1_loss nn.functional.huber_loss": "{}(x, y); {}(x, x, weight=y)",
    "nn.functional.pad": "{}(x, (1, 1))",
    "nn.functional.one_hot": "{}(x)",
    "nn.functional.embedding": "{}(torch.tensor([0]), m); {}(x, m)",
    "nn.functional.cosine_similarity": "{}(x, y, 0)",
    "nn.functional.nll_loss": "{}(m, torch.tensor([0, 1, 2])); {}(m, x); {}(m, torch.tensor([0, 1, 2]), y)",
    "nn.functional.multi_margin_loss": "{}(m, x); {}(m, torch.tensor([0, 1, 2]), weight=y)",
    "nn.functional.multilabel_margin_loss": "{}(x, y)",
    "nn.functional.cross_entropy": "{}(m, torch.tensor([0, 1, 2])); {}(m, x); {}(m, torch.tensor([0, 1, 2]), x);"
    " {}(m, torch.tensor([0, 1, 2]), y); {}(m, n); {}(m, n, x)",
}

#: Functions that read files or buffers, or need more dimensions than these arrays (golden tests of shapes: none).
NOT_CALLED: Final = (
    "amp.GradScaler.scale from_numpy frombuffer bmm addbmm baddbmm linalg.cross fft.fftn equal is_nonzero is_tensor"
    " complex polar nn.functional.gumbel_softmax nn.functional.dropout2d nn.functional.dropout1d"
    " nn.functional.dropout3d nn.functional.alpha_dropout nn.functional.bilinear nn.functional.conv1d"
    " nn.functional.conv2d nn.functional.conv3d nn.functional.conv_transpose1d nn.functional.conv_transpose2d"
    " nn.functional.conv_transpose3d nn.functional.group_norm nn.functional.batch_norm nn.functional.instance_norm"
    " nn.functional.interpolate nn.functional.upsample nn.functional.grid_sample nn.functional.affine_grid"
    " nn.functional.max_pool1d nn.functional.max_pool2d nn.functional.max_pool3d nn.functional.avg_pool1d"
    " nn.functional.avg_pool2d nn.functional.avg_pool3d nn.functional.adaptive_avg_pool1d nn.functional.glu"
    " nn.functional.adaptive_avg_pool2d nn.functional.adaptive_avg_pool3d nn.functional.unfold nn.functional.fold"
    " nn.functional.adaptive_max_pool1d nn.functional.adaptive_max_pool2d nn.functional.adaptive_max_pool3d"
    " nn.functional.lp_pool1d nn.functional.lp_pool2d nn.functional.lp_pool3d nn.functional.max_unpool1d"
    " nn.functional.max_unpool2d nn.functional.max_unpool3d nn.functional.local_response_norm"
    " nn.functional.channel_shuffle nn.functional.native_channel_shuffle nn.functional.upsample_nearest"
    " nn.functional.upsample_bilinear nn.functional.pixel_shuffle nn.functional.pixel_unshuffle"
    " nn.functional.scaled_dot_product_attention"
)

#: Methods and attributes -> expressions.
METHODS: Final[dict[str, str]] = {
    "sum mean prod": "x.{}(); x.{}(dtype=d)",
    "abs sqrt exp neg sign floor round square isnan any all max min argmax sort unique clone detach contiguous flatten"
    " squeeze cpu numpy ravel bool byte char short int long half bfloat16 float double": "x.{}()",
    "add sub mul div pow maximum eq lt dot __getitem__": "x.{}(y)",
    "masked_fill_": "x.{}(y, 1)",
    "masked_scatter_": "x.{}(y, x)",
    "put_": "x.{}(torch.tensor([0, 1, 2]), y)",
    "scatter_ scatter_add_ index_add_ index_copy_": "x.{}(0, torch.tensor([0, 1, 2]), y)",
    "scatter_reduce_ index_reduce_": "x.{}(0, torch.tensor([0, 1, 2]), y, 'prod')",
    "index_fill_": "x.{}(0, y, 1)",
    "index_put_": "x.{}((y,), z)",
    "add_ sub_ mul_ div_ pow_ arctan2_ bitwise_and_ bitwise_left_shift_ bitwise_or_ bitwise_right_shift_ bitwise_xor_"
    " copysign_ eq_ floor_divide_ fmod_ gcd_ ge_ gt_ heaviside_ hypot_ lcm_ ldexp_ le_ logical_and_"
    " logical_or_ logical_xor_ lt_ ne_ nextafter_ remainder_ true_divide_ xlogy_": "x.{}(y)",
    "sqrt_ exp_ floor_ abs_ neg_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ bitwise_not_ ceil_ conj_physical_"
    " cos_ cosh_ deg2rad_ digamma_ erf_ erfc_ erfinv_ exp2_ expm1_ fix_ frac_ i0_ lgamma_ log_ log10_ log1p_ log2_"
    " logical_not_ logit_ nan_to_num_ rad2deg_ reciprocal_ round_ rsqrt_ sgn_ sigmoid_ sign_ sin_ sinc_ sinh_ square_"
    " tan_ tanh_ trunc_": "x.{}()",
    "cumprod_ cumsum_": "x.{}(0)",
    "addcdiv_ addcmul_ lerp_": "x.{}(y, y)",
    "addmv_": "x.{}(m, y)",
    "addr_": "m.{}(x, y)",
    "tril_ triu_": "m.{}()",
    "where": "x.{}(x == 1, y); x.{}(x == 1, 1); x.{}(x == 1, 1.5)",
    "zero_ normal_ uniform_ exponential_ bernoulli_ random_ log_normal_ cauchy_": "x.{}()",
    "geometric_": "x.{}(0.5)",
    "fill_diagonal_": "m.{}(1); m.{}(1.5); m.{}(1j)",
    "addmm_": "m.{}(n, n)",
    "fill_": "x.{}(1); x.{}(1.5); x.{}(1j)",
    "clamp_": "x.{}(0, 1); x.{}(0, 1j); x.{}(0.5, 1); x.{}(y, y); x.{}(y); x.{}(max=y)",
    "to": "x.{}(d); x.{}(y); x.{}('cpu'); x.{}('cpu', d)",
    "type": "x.{}(d)",
    "type_as": "x.{}(y)",
    "view reshape expand repeat": "x.{}(1, 3)",
    "new_zeros new_ones": "x.{}(2); x.{}(2, dtype=d); x.{}(size=(2,))",
    "new_full": "x.{}((2,), 1)",
    "new_tensor": "x.{}([1, 2])",
    "T mT H": "m.{}",
    "real data": "x.{}",
    "to_sparse to_sparse_coo dequantize": "x.{}()",
    "to_sparse_csr to_sparse_csc": "m.{}()",
}

#: Further calls, whose arguments decide the rank of the result.
RANKED: Final[dict[str, str]] = {
    "sum prod mean amax amin any all argmax max min median var std nansum": "torch.{}(x, 0); torch.{}(x, dim=-1);"
    " torch.{}(x, dim=0, keepdim=True)",
    "sum. mean. amax. var.": "torch.sum(x, (0, 1)); torch.mean(x, [0, -1]); torch.sum(x, ()); torch.amax(x, ());"
    " torch.var(x, (0,), keepdim=True); torch.sum(x, None, True); torch.argmax(x, keepdim=True)",
    "max.": "torch.max(x, y); torch.max(x, other=y); torch.min(x, y)",
    "norm": "torch.norm(x); torch.norm(x, dim=0); torch.linalg.norm(x, dim=0); torch.linalg.vector_norm(x, dim=(0, 1));"
    " torch.linalg.vector_norm(x, keepdim=True)",
    "quantile": "torch.quantile(x, 0.5, 0); torch.quantile(x, y); torch.quantile(x, y, 0)",
    "count_nonzero": "torch.count_nonzero(x, 0); torch.count_nonzero(x, (0, 1))",
    "mode kthvalue topk logsumexp": "torch.mode(x, 0, keepdim=True); torch.kthvalue(x, 1, 0); torch.topk(x, 1, 0);"
    " torch.logsumexp(x, (0, 1)); torch.logsumexp(x, 0, keepdim=True)",
    "flatten": "torch.flatten(x, 1); torch.flatten(x, 0, 1); torch.flatten(x, -2, -1); torch.flatten(x, 1, 1);"
    " torch.flatten(x, 0)",
    "reshape": "torch.reshape(x, (-1,)); torch.reshape(x, [3, -1]); x.reshape(-1); x.reshape(3, -1);"
    " x.reshape((1, -1))",
    "view": "x.view(-1); x.view(torch.int32); x.view(1, -1); x.view((-1,))",
    "expand": "x.expand(3, 3, 3); x.expand((3, 3)); x.repeat(2, 2, 2); x.tile(2); x.tile(2, 2, 2);"
    " torch.tile(x, (2, 2))",
    "where": "torch.where(x.bool(), y, 1.0); torch.where(torch.tensor(True), x, y)",
    "matmul": "torch.matmul(x, y); x.matmul(y); torch.mm(x, y); torch.bmm(x, y); torch.mv(x, y); torch.addmm(x, y, z)",
    "stack": "torch.stack([x, y]); torch.cat([x, y]); torch.hstack([x, y]); torch.vstack([x, y]); torch.dstack([x, y]);"
    " torch.column_stack([x, y])",
    "meshgrid": "torch.meshgrid(x, y, indexing='ij'); torch.meshgrid([x, y], indexing='ij');"
    " torch.broadcast_tensors(x, y)",
    "atleast": "torch.atleast_1d(x); torch.atleast_2d(x); torch.atleast_3d(x)",
    "diag": "torch.diag(x); x.diag(); torch.diagonal(x); torch.diag_embed(x)",
    "repeat_interleave": "torch.repeat_interleave(x, 2, dim=0); torch.repeat_interleave(torch.tensor([1, 2]))",
    "gather": "torch.gather(x, 0, y.long() * 0); torch.take(x, y.long() * 0);"
    " torch.index_select(x, 0, torch.tensor([0]));"
    " torch.masked_select(x, y.bool()); torch.masked_fill(x, y.bool(), 1); torch.masked_scatter(x, y.bool(), y)",
    "zeros": "torch.zeros(()); torch.zeros(2, 3); torch.zeros([2]); torch.full((), 1.0); torch.full([2, 2], 1);"
    " torch.randint(0, 3, ()); torch.randint(3, (2, 2)); torch.normal(x, 1.0, size=None); torch.normal(0.0, 1.0, ())",
    "tensor": "torch.tensor([]); torch.tensor([[1], [2]]); torch.tensor(2); torch.as_tensor([[[True]]]);"
    " torch.tensor(x.tolist()); x.new_zeros(()); x.new_zeros(2, 3); x.new_full((2, 3), 1); x.new_tensor([[1]]);"
    " torch.zeros(size=()); torch.ones(size=(2, 3)); x.new_zeros(size=())",
    "searchsorted": "torch.searchsorted(torch.tensor([1.0, 2.0]), x); torch.bucketize(x, torch.tensor([1.0, 2.0]));"
    " torch.isin(x, y)",
    "fft": "torch.fft.fft(x); torch.fft.rfftn(x); torch.fft.fft2(x); torch.fft.irfft(x)",
    "linalg": "torch.linalg.det(x); torch.linalg.slogdet(x); torch.linalg.svdvals(x); torch.linalg.matrix_rank(x);"
    " torch.linalg.qr(x); torch.linalg.eigvals(x); torch.linalg.cond(x); torch.linalg.inv(x); torch.det(x)",
    "nn": "torch.nn.functional.linear(x, y); torch.nn.functional.mse_loss(x, y);"
    " torch.nn.functional.mse_loss(x, y, reduction='none'); torch.nn.functional.mse_loss(x, y, reduce=False);"
    " torch.nn.functional.nll_loss(x, torch.tensor([0, 1, 2]), reduction='none'); torch.nn.functional.kl_div(x, y);"
    " torch.nn.functional.cross_entropy(x, torch.tensor(0), reduction='none');"
    " torch.nn.functional.l1_loss(x, y, reduction='sum');"
    " torch.nn.functional.embedding(x.long() * 0, torch.ones(3, 3));"
    " torch.nn.functional.one_hot(x.long()); torch.nn.functional.conv1d(x, torch.ones(1, 3, 1));"
    " torch.nn.functional.max_pool1d(x, 1); torch.nn.functional.avg_pool2d(x, 1);"
    " torch.nn.functional.max_pool2d(x, 1, return_indices=True);"
    " torch.nn.functional.scaled_dot_product_attention(x, y, y);"
    " torch.nn.functional.interpolate(x, scale_factor=2); torch.nn.functional.pixel_shuffle(x, 1)",
    "split": "torch.split(x, 1); torch.chunk(x, 2); torch.unbind(x); torch.hsplit(x, 3); x.unbind(0); x.split([1, 2]);"
    " torch.select(x, 0, 0); torch.narrow(x, 0, 0, 1); x.unfold(0, 1, 1); torch.unsqueeze(x, 0); x.permute(1, 0)",
    "nonzero": "torch.nonzero(x); torch.nonzero(x, as_tuple=True); torch.where(x)",
    "in_place": "x.add_(y); x.unsqueeze_(0); x.t_(); x.resize_(2, 2); x.fill_(1); x.clamp_(0, 1); x.type_as(y);"
    " x.expand_as(y); x.view_as(y); x.to(y); x.to(torch.float64); x.double()",
}
