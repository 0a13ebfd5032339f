"""What the text of a file says, without types: which names are bound, where, and to what."""
