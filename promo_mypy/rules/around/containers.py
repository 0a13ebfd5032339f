"""Objects that hold NumPy's arrays: files, tables and labelled arrays.

Source: running h5py 3.16, nibabel 5.4, pandas 3.1, rasterio 1.4 and xarray 2026.9 with NumPy 2.4. What a table or a
labelled array was made of is known only where it is made: both may get other dtypes in place.
"""

from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around.tables import Made, Table, every, rows
from promo_mypy.rules.functions.language.choosing import Checked, If
from promo_mypy.rules.functions.language.vocabulary import Asked, Fixed, OfArray, Python

_BOOL: Final = Fixed(dt.bool_)
_UINT8: Final = Fixed(dt.uint8)
_FLOAT64: Final = Fixed(dt.float64)
_OF_DTYPE: Final = Asked(Python(), "of_dtype")
_OF: Final = "*, of_data=..., of_dtype=..."

_FRAME: Final = "pandas.DataFrame"
_READING: Final = (
    "read_csv read_excel read_feather read_fwf read_hdf read_json read_orc read_parquet read_pickle read_sql read_table"
)
_PANDAS: Final = {
    **rows("numpy", _FRAME, ("to_numpy", "dtype=None, copy=False", Asked(Python()))),
    **rows("numpy", "pandas.Cast", ("to_numpy values", "*, of_dtype=...", _OF_DTYPE)),
    **rows("numpy", "pandas", ("isna isnull notna notnull", "obj", Checked(_BOOL, OfArray("obj")))),
}  # fmt: skip
_MADE_BY_PANDAS: Final = {
    **dict(every(f"DataFrame Series concat merge {_READING}", "pandas", Made(_FRAME))),
    f"{_FRAME}.astype": Made("pandas.Cast", "dtype, copy=None, errors='raise'", changes=True),
}

_LABELLED: Final = "xarray.DataArray"
_XARRAY: Final = {
    **rows("numpy", _LABELLED, ("to_numpy values data", "*, of_data=...", OfArray("of_data"))),
    **rows("numpy", "xarray.Cast", ("to_numpy values data", "*, of_dtype=...", _OF_DTYPE)),
}
_MADE_BY_XARRAY: Final = {
    _LABELLED: Made(
        _LABELLED, "data=None, coords=None, dims=None, name=None, attrs=None, indexes=None", changes=True
    ),
    f"{_LABELLED}.astype": Made("xarray.Cast", "dtype, *, casting=None, copy=None, keep_attrs=True", changes=True),
}  # fmt: skip

#: A dataset keeps the dtype that it was made with.
_STORED: Final = If("of_dtype", _OF_DTYPE, If("of_data", OfArray("of_data"), Fixed(dt.float32)))
_H5PY: Final = rows("numpy", "h5py.Dataset", ("__getitem__", _OF, _STORED))
_MADE_BY_H5PY: Final = {
    "h5py.File": Made("h5py.File"),
    "h5py.File.create_group": Made("h5py.File"),
    "h5py.File.require_group": Made("h5py.File"),
    "h5py.File.create_dataset": Made(
        "h5py.Dataset",
        "name, shape=None, dtype=None, data=None, *, maxshape=None, chunks=None, compression=None, "
        "compression_opts=None, fillvalue=None, shuffle=None",
    ),
}

_VOLUMES: Final = (
    "load Nifti1Image Nifti2Image Nifti1Pair MGHImage Spm99AnalyzeImage Spm2AnalyzeImage AnalyzeImage Minc1Image"
)
_NIBABEL: Final = rows(
    "numpy",
    "nibabel.Image",
    ("get_fdata", "caching='fill', dtype=None", Asked(_FLOAT64)),
    ("affine", "", _FLOAT64),
)
_RASTERIO: Final = rows(
    "numpy",
    "rasterio.Dataset",
    ("read", "indexes=None, out=None, window=None, masked=False, out_shape=None, *, resampling=None, boundless=False, "
     "fill_value=None, out_dtype=None", Asked(Python(), "out_dtype")),
    ("read_masks dataset_mask", "indexes=None, *, out_shape=None, window=None, resampling=None", _UINT8),
)  # fmt: skip

TABLE: Final = Table(
    {**_PANDAS, **_XARRAY, **_H5PY, **_NIBABEL, **_RASTERIO},
    {
        **_MADE_BY_PANDAS,
        **_MADE_BY_XARRAY,
        **_MADE_BY_H5PY,
        **dict(every(_VOLUMES, "nibabel", Made("nibabel.Image"))),
        "rasterio.open": Made("rasterio.Dataset"),
    },
    # Whatever a table gives is a table, too, or a value without such a method.
    derived={_FRAME: _FRAME, "pandas.Cast": _FRAME},
    classes={
        "pandas.Series": _FRAME,
        "pandas.core.frame.DataFrame": _FRAME,
        "pandas.core.series.Series": _FRAME,
        _FRAME: _FRAME,
        "nibabel.Nifti1Image": "nibabel.Image",
        "rasterio.DatasetReader": "rasterio.Dataset",
        "rasterio.io.DatasetReader": "rasterio.Dataset",
    },
)
