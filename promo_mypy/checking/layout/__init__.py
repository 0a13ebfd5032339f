"""Which module each file of a repository is, and which file each of its imports means: the same for all commands."""
