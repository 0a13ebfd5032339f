"""Report calls that a library rejects, that store a number which a dtype cannot hold, or that a policy forbids."""
